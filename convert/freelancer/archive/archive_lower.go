package archive

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// Replace sets a payload. If the largest level of a texture is replaced, the smaller levels are made from it, except those
// that are replaced themselves.
func (a *archive) Replace(i int, payload []byte) error {
	if err := a.at(i); err != nil {
		return err
	}
	n := a.nodes[i]
	was := *n
	if n.Data = payload; payload == nil {
		n.Data = []byte{}
	}
	a.entries[i].Size, a.entries[i].Offset = int64(len(payload)), -1
	if a.replaced == nil {
		a.replaced = map[*freelancer.Node]bool{}
	}
	a.replaced[n] = true
	delete(a.spooled, n)
	if a.asked == texture.KindTGA && freelancer.SameName(n.Name, "MIPS") && !bytes.HasPrefix(payload, []byte("DDS ")) {
		return a.becomeTargas(i)
	}
	level, ok := freelancer.MipLevel(n.Name)
	if ok && level == 0 && bytes.HasPrefix(payload, []byte("DDS ")) {
		a.becomeDDS(i)
		return nil
	}
	if !ok || level != 0 || len(payload) == 0 || freelancer.KindOf(n, a.parents[i], nil) != freelancer.TGALeaf {
		return nil
	}
	before, err := was.Payload()
	if err != nil {
		return err
	}
	a.dropped = slices.DeleteFunc(a.dropped, func(x drop) bool { return x.dir == a.parents[i] }) // of a picture before this one
	for k, other := range a.nodes {
		if l, ok := freelancer.MipLevel(other.Name); !ok || l == 0 || a.parents[k] != a.parents[i] || a.replaced[other] {
			continue
		}
		if err := other.Load(); err != nil {
			return err
		}
		smaller, err := texture.SmallerTGA(payload, before, other)
		if err != nil {
			return err
		}
		if smaller == nil {
			a.dropped = append(a.dropped, drop{a.parents[k], other})
			continue
		}
		other.Data = smaller
		a.entries[k].Size, a.entries[k].Offset = int64(len(smaller)), -1 // is told of as changed
	}
	return nil
}

// becomeDDS turns the Targas of a texture into the one leaf of a DDS file, which entry i holds. The smaller ones go when
// the file is written: entries keep their numbers until then.
func (a *archive) becomeDDS(i int) {
	n, dir, e := a.nodes[i], a.parents[i], &a.entries[i]
	for _, other := range dir.Children {
		if _, ok := freelancer.MipLevel(other.Name); ok && other != n || freelancer.SameName(other.Name, "MIPS") {
			a.dropped = append(a.dropped, drop{dir, other})
		}
	}
	n.Name = "MIPS"
	e.Path, e.Class, e.Format, e.Offset = path.Dir(e.Path)+"/"+n.Name, n.Name, texture.DDS, -1
}

// HoldsTargas reports whether an entry is the DDS file of a texture. Targas can replace it; the entry then has the largest
// one.
func (a *archive) HoldsTargas(entry string) bool {
	i := slices.IndexFunc(a.entries, func(e format.Entry) bool { return e.Path == entry })
	return i >= 0 && freelancer.SameName(a.nodes[i].Name, "MIPS")
}

// becomeTargas turns the DDS file of a texture into Targas, the largest of which entry i holds. The smaller ones come when
// the file is written.
func (a *archive) becomeTargas(i int) error {
	n, dir, e := a.nodes[i], a.parents[i], &a.entries[i]
	leaves, err := texture.TargasOf(n.Data)
	if err != nil {
		return err
	}
	for _, l := range leaves[1:] {
		a.grown = append(a.grown, drop{dir, l})
	}
	n.Name = leaves[0].Name
	e.Path, e.Class, e.Format, e.Offset = path.Dir(e.Path)+"/"+n.Name, n.Name, texture.TGA, -1
	return nil
}

// leaf returns how new pictures and sounds are stored.
func (a *archive) leaf(kind format.Kind) *format.Format {
	switch kind {
	case format.Texture:
		return texture.DDS
	case format.Sound:
		return &voice.Line
	}
	return nil
}

// newPlace returns the path of a new leaf. A new picture becomes a texture, in the texture library unless its path says
// where; a new line of a voice bank goes by the hash of its name.
func (a *archive) newPlace(path string, payload []byte, hint *format.Format) string {
	steps := strings.Split(path, "/")
	last := len(steps) - 1
	if hint == texture.DDS {
		steps = a.textureSteps(steps)
		if last := len(steps) - 1; texture.AsTarga(payload, a.asked) != nil && steps[last] == "MIPS" {
			steps[last] = "MIP0"
			if name, dds := strings.CutSuffix(steps[last-1], ".dds"); dds {
				steps[last-1] = name + ".tga"
			}
		}
		return strings.Join(steps, "/")
	}
	if name := page.Unescape(steps[last]); last == 0 {
		_, ok := freelancer.ParseVoiceName(name)
		if !ok && (a.voice || hint == &voice.Line) {
			return page.Escape(freelancer.VoiceName(voice.LineID(name)))
		}
	}
	return path
}

// textureSteps returns where the picture of a file goes: what is called like a leaf of a texture, as unpacked ones are,
// becomes that leaf of the texture that its folder is; anything else becomes a texture. A folder that stands for nothing
// in the tree is one of the texture library: the game knows textures by their own names alone.
func (a *archive) textureSteps(steps []string) []string {
	if len(steps) > 1 && !freelancer.SameName(page.Unescape(steps[0]), freelancer.TextureLibrary) && a.tree.Root.Child(page.Unescape(steps[0])) == nil {
		keep := 1 // the name, and the folder that is the texture
		if leaf, _, _ := strings.Cut(page.Unescape(steps[len(steps)-1]), "_"); freelancer.SameName(leaf, "CUBE") || freelancer.SameName(leaf, "MIPS") || freelancer.SameName(leaf, "MIP0") {
			keep = 2
		}
		steps = append([]string{freelancer.TextureLibrary}, steps[len(steps)-keep:]...)
	}
	last := len(steps) - 1
	name := page.Unescape(steps[last])
	leaf, _, _ := strings.Cut(name, "_")
	inTexture := last > 0 && !freelancer.SameName(page.Unescape(steps[last-1]), freelancer.TextureLibrary)
	switch {
	case inTexture && freelancer.SameName(leaf, "CUBE"):
		return append(steps[:last:last], "CUBE")
	case inTexture && (freelancer.SameName(leaf, "MIPS") || freelancer.SameName(leaf, "MIP0")):
		return append(steps[:last:last], "MIPS")
	case last == 0:
		steps, last = []string{freelancer.TextureLibrary, ""}, 1
	}
	if !strings.Contains(name, ".") {
		name += ".dds"
	}
	return append(steps[:last:last], page.Escape(name), "MIPS")
}

// Add makes a leaf where Place says.
func (a *archive) Add(path string, payload []byte, hint *format.Format) error {
	defer a.keepCounts()()
	steps := strings.Split(a.newPlace(path, payload, hint), "/")
	name := page.Unescape(steps[len(steps)-1])
	dir, library := a.tree.Root, (*freelancer.Node)(nil)
	dirs := []*freelancer.Node{dir}
	for _, s := range steps[:len(steps)-1] {
		if library, dir = dir, dir.Dir(page.Unescape(s)); !dir.IsDir() {
			return schema.Errorf(freelancer.Format, schema.ErrMismatch, path, "%q is a leaf", dir.Name)
		}
		dirs = append(dirs, dir)
	}
	if id, ok := freelancer.ParseVoiceName(name); ok && dir == a.tree.Root && dir.Child(name) == nil {
		stored, err := a.spool.Keep(payload)
		if err != nil {
			return err
		}
		n := write.VoiceLine(dir, id, payload)
		a.setStored(n, stored, dir, nil)
		a.listAdded(n, dirs...)
		return nil
	}
	if len(name) > freelancer.MaxName {
		return schema.Errorf(freelancer.Format, schema.ErrValue, path, "the name is longer than %d bytes", freelancer.MaxName)
	}
	if dir.Child(name) != nil {
		return schema.Errorf(freelancer.Format, schema.ErrMismatch, path, "there is an entry of that name")
	}
	if m := texture.AsTarga(payload, a.asked); m != nil && hint == texture.DDS && name == "MIP0" {
		leaves, err := texture.Targas(m)
		for _, l := range leaves {
			dir.Add(l)
		}
		a.stale = true
		return err
	}
	stored, err := a.spool.Keep(payload)
	if err != nil {
		return err
	}
	n := dir.Add(freelancer.NewLeaf(name, payload))
	a.setStored(n, stored, dir, library)
	a.listAdded(n, dirs...)
	return nil
}

// movable: Targas are several leaves, and the others are read from their files without loss.
func (a *archive) movable(f *format.Format) bool { return f == texture.DDS || f == &voice.Line }

func (a *archive) Remove(i int) error { return a.removeAll([]int{i}) }

// removeAll removes entries at once: entries of the same name are told apart by their order. Smaller Targas go with the
// largest one.
func (a *archive) removeAll(entries []int) error {
	for _, i := range entries {
		if err := a.at(i); err != nil {
			return err
		}
	}
	defer a.keepCounts()()
	for _, i := range entries {
		dir, n := a.parents[i], a.nodes[i]
		level, ok := freelancer.MipLevel(n.Name)
		largest := ok && level == 0 && freelancer.KindOf(n, dir, nil) == freelancer.TGALeaf
		dir.Remove(n)
		for _, other := range dir.Children {
			if l, ok := freelancer.MipLevel(other.Name); largest && ok && l > 0 {
				dir.Remove(other)
			}
		}
	}
	for _, i := range entries {
		a.removeEmpty(a.parents[i])
	}
	a.stale = true
	return nil
}

// removeEmpty takes out a directory that has lost its last entry, such as a texture without a picture, and those that
// held nothing else. The libraries and parts below the root stay.
func (a *archive) removeEmpty(dir *freelancer.Node) {
	for dir != a.tree.Root && len(dir.Children) == 0 {
		up := a.tree.Root
		a.tree.Root.Walk(func(_ string, n *freelancer.Node) bool {
			if slices.Contains(n.Children, dir) {
				up = n
			}
			return up == a.tree.Root
		})
		if up == a.tree.Root {
			return
		}
		up.Remove(dir)
		dir = up
	}
}

// keepCounts looks whether the libraries tell how many materials and textures they hold. What it returns sets those
// that were right anew.
func (a *archive) keepCounts() func() {
	count := func(library *freelancer.Node) (n uint32) {
		for _, c := range library.Children {
			if c.IsDir() {
				n++
			}
		}
		return n
	}
	type counter struct{ library, leaf *freelancer.Node }
	var right []counter
	for name, leaf := range map[string]string{freelancer.TextureLibrary: "Texture count", freelancer.MaterialLibrary: "Material count"} {
		library := a.tree.Root.Child(name)
		if c := library.Child(leaf); c != nil && c.Load() == nil && len(c.Data) >= 4 && binary.LittleEndian.Uint32(c.Data) == count(library) {
			right = append(right, counter{library, c})
		}
	}
	return func() {
		for _, c := range right {
			if n := count(c.library); binary.LittleEndian.Uint32(c.leaf.Data) != n {
				c.leaf.Data = bytes.Clone(c.leaf.Data)
				binary.LittleEndian.PutUint32(c.leaf.Data, n)
				a.stale = true
			}
		}
	}
}

func (a *archive) WriteTo(w io.Writer) (int64, error) {
	for _, x := range a.dropped {
		x.dir.Remove(x.leaf)
	}
	for _, x := range a.grown {
		x.dir.Add(x.leaf)
	}
	if a.dropped != nil || a.grown != nil {
		a.dropped, a.grown = nil, nil
		a.stale = true
	}
	return write.UTFTo(w, a.tree)
}

func (a *archive) spoolTo(file func() (*os.File, error)) { a.spool.Open = file }

// setStored takes the payload of a new leaf out of memory once it is stored in the spool; nil leaves it there.
func (a *archive) setStored(n *freelancer.Node, stored *io.SectionReader, dir, library *freelancer.Node) {
	if stored == nil {
		return
	}
	if a.spooled == nil {
		a.spooled = map[*freelancer.Node]*format.Format{}
	}
	a.spooled[n] = leafFormat(freelancer.KindOf(n, dir, library), n) // which would read the file for each listing
	n.Data, n.Slot = nil, &freelancer.Slot{Stored: stored}
}
