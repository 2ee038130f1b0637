package library

import (
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// destination says where something edited goes that lies in another file.
type destination uint8

const (
	here  destination = iota // into this file, by the name that it has there
	left                     // nowhere: it is left to the other file
	apart                    // into this file, by a name of its own
)

// destination returns where the user wants what lies in a file. Only what this file itself refers to can get another name.
func (e *Editor) destination(path string, worn bool) destination {
	switch shared := e.env.Options.Freelancer.Shared; {
	case path == "" || e.isBase(path):
	case shared == format.SharedThere:
		return left
	case shared == format.SharedCopy && worn:
		return apart
	}
	return here
}

// isBase reports whether a file is the one that what is made takes the place of.
func (e *Editor) isBase(path string) bool {
	base := e.env.Options.Base
	return base != "" && filepath.Base(base) == filepath.Base(path)
}

// tellLeft tells that an edit is left to the file that the edited thing lies in.
func (e *Editor) tellLeft(what, name, path string) {
	e.told.Add(schema.Diagnostic{Severity: schema.Warning, Code: schema.LeftShared, Path: name, Offset: -1, About: path,
		Msg: "the " + what + " was edited, and is left to " + path, Hint: ": --base with that makes a copy of it with the edit"})
}

// tellShared tells what else an edit is about. models is 0 where those around are not known.
func (e *Editor) tellShared(name, path string, models int) {
	msg := "it lies in " + filepath.Base(path)
	if models > 0 {
		msg += ", and " + schema.Counted(models, "model wears", "models wear") + " it"
	}
	e.told.Add(schema.Diagnostic{Severity: schema.Note, Code: schema.SharedLibrary, Path: name, Offset: -1, About: path, Msg: msg})
}

// LeaveOthers takes out of the file what is not to go to the file that it is made of: all but the edited things that lie there, and
// their textures.
func (e *Editor) LeaveOthers() error {
	if e.env.Options.Freelancer.Shared != format.SharedThere {
		return nil
	}
	materials, err := read.Materials(e.tree.Root, nil)
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	for name := range e.took {
		keep[strings.ToLower(name)] = true
	}
	for _, m := range materials {
		for _, name := range texturesNamed(m) {
			keep[strings.ToLower(name)] = keep[strings.ToLower(name)] || keep[strings.ToLower(m.Name)]
		}
	}
	for _, kind := range [...]string{freelancer.MaterialLibrary, freelancer.TextureLibrary} {
		dir := e.tree.Root.Child(kind)
		if dir == nil {
			continue
		}
		for _, n := range append([]*freelancer.Node(nil), dir.Children...) {
			if n.IsDir() && !keep[strings.ToLower(n.Name)] {
				dir.Remove(n)
			}
		}
	}
	return nil
}

// texturesNamed returns the names of the textures that a material shows.
func texturesNamed(m *freelancer.Material) (list []string) {
	for _, p := range m.Properties {
		if p.Kind == freelancer.TextProperty && p.Text != "" && !freelancer.SameName(p.Name, "Type") {
			list = append(list, p.Text)
		}
	}
	return list
}

// hashes are those of materials that a model wears.
type hashes map[uint32]bool

func (h hashes) has(crc uint32) bool { return h[crc] }

// wornBy returns what a file wears: the materials of its meshes, of a planet or a character.
func wornBy(root *freelancer.Node) hashes {
	worn := hashes{}
	root.Walk(func(_ string, n *freelancer.Node) bool {
		_, side := freelancer.NumberOf(n.Name, "M")
		switch {
		case n.IsDir():
		case freelancer.SameName(n.Name, "VMeshData"):
			for _, crc := range page.MaterialsOf(n.Data) {
				worn[crc] = true
			}
		case side || freelancer.SameName(n.Name, "Material_name"):
			if t, err := read.Text(n.Data, nil); err == nil && t.Value != "" {
				worn[freelancer.FLCRC(t.Value)] = true
			}
		}
		return true
	})
	return worn
}

// wearers are the models of a game, or of a folder, by what they wear. They are read once a run, and only when somebody edits what
// several may wear.
type wearers struct {
	once   sync.Once
	models []hashes
	shown  map[uint32]hashes // textures: the materials that show them
}

// wearersKey is what they are shared under.
type wearersKey struct{ folder string }

// wearersOf returns the models below the folder DATA that a file lies in, or else below its own.
func (e *Editor) wearersOf(path string) *wearers {
	tree := e.around.tree
	if tree == nil {
		return new(wearers)
	}
	folder := filepath.Dir(path)
	if data := DataFolder(folder); data != "" {
		folder = data
	}
	x := tree.Shared(wearersKey{folder}, func() any { return &wearers{shown: map[uint32]hashes{}} }).(*wearers)
	list := tree.List(folder, true, ".cmp", ".3db", ".sph", ".dfm", ".mat")
	x.once.Do(func() {
		for _, l := range list {
			x.add(tree, l)
		}
	})
	return x
}

// add reads a file but for its pictures. A damaged one wears nothing.
func (x *wearers) add(tree format.FileTree, l format.Listed) {
	r, err := tree.OpenListed(l.Path)
	if err != nil {
		return
	}
	defer r.Close()
	t, err := read.UTFAt(io.NewSectionReader(r, 0, l.Size), l.Size, nil)
	if err != nil {
		return
	}
	t.Root.Remove(t.Root.Child(freelancer.TextureLibrary))
	if t.Root.Load() != nil {
		return
	}
	materials, _ := read.Materials(t.Root, nil) // only its count can be wrong
	for _, m := range materials {
		for _, name := range texturesNamed(m) {
			crc := freelancer.FLCRC(name)
			if x.shown[crc] == nil {
				x.shown[crc] = hashes{}
			}
			x.shown[crc][freelancer.FLCRC(m.Name)] = true
		}
	}
	if worn := wornBy(t.Root); len(worn) > 0 {
		x.models = append(x.models, worn)
	}
}

// ofMaterial counts the models that wear a material, by its hash.
func (x *wearers) ofMaterial(crc uint32) int { return x.wearing(hashes{crc: true}) }

// ofTexture counts the models that wear a material which shows a texture.
func (x *wearers) ofTexture(crc uint32) int { return x.wearing(x.shown[crc]) }

func (x *wearers) wearing(any hashes) (n int) {
	for _, m := range x.models {
		for crc := range any {
			if m[crc] {
				n++
				break
			}
		}
	}
	return n
}
