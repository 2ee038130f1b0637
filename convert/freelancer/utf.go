// Package freelancer converts between Freelancer's UTF files and assets. The functions of one kind of file are typed:
// Model("cmp") reads, writes, lifts and lowers compound models, [Hulls] collision files, [Animations] and [Effects] theirs.
package freelancer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// archive shows the leaves of a tree as entries.
type archive struct {
	tree    *freelancer.Tree
	entries []format.Entry
	nodes   []*freelancer.Node // of the entries
	parents []*freelancer.Node // their directories
	stale   bool               // the tree has changed since these were listed
	voice   bool               // it is a voice bank: entries go by the hashes of their names
	names   map[uint32]string  // what the user knows of those names
	asked   string             // the encoding that the user asks for

	replaced map[*freelancer.Node]bool // payloads that were given one by one
	dropped  []drop                    // leaves that go when the file is written
	grown    []drop                    // leaves that come then

	spool   format.Spool
	spooled map[*freelancer.Node]*format.Format // new leaves whose payloads are there, and how those are read
}

// drop is a leaf and its directory.
type drop struct{ dir, leaf *freelancer.Node }

func openTree(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	t, err := readTree(r, size, env.Told())
	if err != nil {
		return nil, err
	}
	a := &archive{tree: t, stale: true, voice: isVoice(childNames(t.Root)), asked: env.Encoding()}
	if a.names, err = voice.Names(env); err != nil {
		return nil, err
	}
	a.list()
	return a, nil
}

// wholeUpTo is the size of files that are read at once: less work than a read for each leaf.
const wholeUpTo = 8 << 20

// readTree reads a tree. Of a large one most payloads stay in the file.
func readTree(r io.ReaderAt, size int64, d *schema.Diagnostics) (*freelancer.Tree, error) {
	if size > wholeUpTo && d.Trace() == nil {
		t, err := read.UTFAt(r, size, d)
		if err != nil {
			return nil, err
		}
		for _, name := range [...]string{"Exporter Version", "Cmpnd", freelancer.MaterialLibrary} { // for the facts
			if err := t.Root.Child(name).Load(); err != nil {
				return nil, err
			}
		}
		return t, nil
	}
	b := make([]byte, size)
	if n, err := r.ReadAt(b, 0); err != nil && (err != io.EOF || n < len(b)) {
		return nil, err
	}
	return read.UTF(b, d)
}

func createTree(env *format.Env) (format.ArchiveFile, error) {
	return &archive{tree: freelancer.NewTree(), asked: env.Encoding()}, nil
}

func createVoice(*format.Env) (format.ArchiveFile, error) {
	return &archive{tree: freelancer.NewTree(), voice: true}, nil
}

// list makes the entries anew, where the tree has changed: once for many that are added.
func (a *archive) list() {
	if !a.stale {
		return
	}
	a.stale, a.entries, a.nodes, a.parents = false, nil, nil, nil
	seen := map[string]int{}
	a.walk("", a.tree.Root, nil, seen)
}

func (a *archive) walk(path string, dir, library *freelancer.Node, seen map[string]int) {
	for _, n := range dir.Children {
		p := page.Escape(n.Name)
		if path != "" {
			p = path + "/" + p
		}
		if seen[p]++; seen[p] > 1 {
			p = fmt.Sprintf("%s%%%d", p, seen[p])
		}
		if n.IsDir() {
			a.walk(p, n, dir, seen)
			continue
		}
		a.listLeaf(p, n, dir, library)
	}
}

// listLeaf appends the entry of a leaf.
func (a *archive) listLeaf(p string, n, dir, library *freelancer.Node) {
	e := format.Entry{Path: p, Kind: format.Raw, Size: int64(n.Length()), Offset: -1, Class: n.Name}
	if n.InFile() || n.Slot != nil && len(n.Data) > 0 && len(n.Slot.Data) > 0 && &n.Data[0] == &n.Slot.Data[0] {
		e.Offset = int64(a.tree.Header.DataOffset) + int64(n.Slot.Child)
	}
	kind := freelancer.KindOf(n, dir, library)
	f, spooled := a.spooled[n]
	if spooled {
		e.Offset = -1
	} else {
		f = leafFormat(kind, n)
	}
	if f != nil {
		e.Format, e.Kind = f, f.Kind
	}
	if kind == freelancer.DDSLeaf || kind == freelancer.TGALeaf {
		e.Title = dir.Name
	}
	if id, ok := freelancer.ParseVoiceName(n.Name); ok && dir == a.tree.Root {
		e.Title = a.names[id]
	}
	a.entries, a.nodes, a.parents = append(a.entries, e), append(a.nodes, n), append(a.parents, dir)
}

// listAdded lists a new leaf. Where it is the last one, or the tree is a plain list, as where many are added, the others
// stay as they are listed; dirs leads from the root to its directory.
func (a *archive) listAdded(n *freelancer.Node, dirs ...*freelancer.Node) {
	at := a.place(n)
	var steps []string
	for i, d := range append(slices.Clone(dirs[1:]), n) {
		if slices.IndexFunc(dirs[i].Children, func(c *freelancer.Node) bool { return c.Name == d.Name }) != slices.Index(dirs[i].Children, d) {
			at = -1 // the path of one of several with a name says which it is
		}
		steps = append(steps, page.Escape(d.Name))
	}
	if a.stale = a.stale || at < 0; a.stale {
		return
	}
	var library *freelancer.Node
	if len(dirs) > 1 {
		library = dirs[len(dirs)-2]
	}
	a.listLeaf(strings.Join(steps, "/"), n, dirs[len(dirs)-1], library)
	last := len(a.nodes) - 1
	a.entries = slices.Insert(a.entries[:last], at, a.entries[last])
	a.nodes = slices.Insert(a.nodes[:last], at, n)
	a.parents = slices.Insert(a.parents[:last], at, dirs[len(dirs)-1])
}

// Place returns the number of the entry that a new leaf is; −1 where only a walk through all tells it.
func (a *archive) place(n *freelancer.Node) int {
	last := a.tree.Root
	for len(last.Children) > 0 {
		last = last.Children[len(last.Children)-1]
	}
	switch {
	case last == n:
		return len(a.entries)
	case slices.ContainsFunc(a.tree.Root.Children, (*freelancer.Node).IsDir):
		return -1
	}
	return slices.Index(a.tree.Root.Children, n)
}

func (a *archive) Entries() []format.Entry {
	a.list()
	return a.entries
}

func (a *archive) at(i int) error {
	a.list()
	if i < 0 || i >= len(a.nodes) {
		return schema.Errorf(freelancer.Format, schema.ErrRange, "entry", "%d of %d", i, len(a.nodes))
	}
	return nil
}

func (a *archive) Payload(i int) ([]byte, error) {
	if err := a.at(i); err != nil {
		return nil, err
	}
	return a.nodes[i].Payload()
}

// Replace sets a payload. The smaller levels of a texture are made anew when its largest one is replaced, but for those
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
	a.entries[i].Size = int64(len(payload))
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

// HoldsTargas tells whether the DDS file of an entry could be Targas: the largest level is where they would be.
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

// Leaf returns how new pictures and sounds are stored.
func (a *archive) Leaf(kind format.Kind) *format.Format {
	switch kind {
	case format.Texture:
		return texture.DDS
	case format.Sound:
		return &voice.Line
	}
	return nil
}

// Place returns the path of a new leaf. A new picture becomes a texture, in the texture library unless its path says
// where; a new line of a voice bank goes by the hash of its name.
func (a *archive) Place(path string, payload []byte, hint *format.Format) string {
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
	steps := strings.Split(a.Place(path, payload, hint), "/")
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

// Movable implements format.Movable. Targas are several leaves, and the others are read from their files without loss.
func (a *archive) Movable(f *format.Format) bool { return f == texture.DDS || f == &voice.Line }

func (a *archive) Remove(i int) error { return a.RemoveAll([]int{i}) }

// RemoveAll removes entries at once: entries of the same name are told apart by their order. Smaller Targas go with the
// largest one.
func (a *archive) RemoveAll(entries []int) error {
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
			if _, smaller := freelancer.MipLevel(other.Name); largest && smaller {
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

func (a *archive) Facts() []format.Fact { return treeFacts(a.tree) }

// treeFacts describes a tree for "info".
func treeFacts(t *freelancer.Tree) []format.Fact {
	facts := []format.Fact{{Name: "version", Value: fmt.Sprintf("0x%x", t.Header.Version)}}
	if n := t.Root.Child("Exporter Version"); n != nil {
		if text, err := read.Text(n.Data, nil); err == nil {
			facts = append(facts, format.Fact{Name: "exporter", Value: text.Value})
		}
	}
	count := map[string]int{}
	entries, leaves := 0, 0
	t.Root.Walk(func(_ string, n *freelancer.Node) bool {
		entries++
		if !n.IsDir() {
			leaves++
		}
		if level, ok := freelancer.MipLevel(n.Name); ok && level == 0 && !n.IsDir() {
			count["MIP0"]++
		}
		for _, name := range [...]string{"VMeshData", "VMeshRef", "VWireData", "MIPS", "MIPU", "CUBE", "Channel"} {
			if freelancer.SameName(n.Name, name) {
				count[name]++
			}
		}
		return true
	})
	add := func(name string, n int) {
		if n > 0 {
			facts = append(facts, format.Fact{Name: name, Value: n})
		}
	}
	add("directories", entries-leaves)
	add("leaves", leaves)
	add("meshes", count["VMeshData"])
	add("mesh references", count["VMeshRef"])
	add("wireframes", count["VWireData"])
	add("textures", count["MIPS"]+count["MIPU"]+count["MIP0"]+count["CUBE"])
	add("channels", count["Channel"])
	if list, err := read.Materials(t.Root, nil); err == nil {
		add("materials", len(list))
	}
	if c, err := read.Compound(t.Root, nil); err == nil && c != nil {
		add("parts", len(c.Parts))
		add("joints", len(c.Joints))
	}
	var names []string
	for _, n := range t.Root.Children {
		if len(names) < 20 {
			names = append(names, n.Name)
		}
	}
	facts = append(facts, format.Fact{Name: "root", Value: names})
	if t.Layout != nil && len(t.Layout.Residue) > 0 {
		n := 0
		for _, s := range t.Layout.Residue {
			n += len(s.Bytes)
		}
		add("unexplained bytes", n)
	}
	return facts
}

func childNames(dir *freelancer.Node) (names []string) {
	for _, n := range dir.Children {
		names = append(names, n.Name)
	}
	return names
}
