package library

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// finder looks for what a file refers to by hash in the files around it (reference section 19.1).
type finder struct {
	tree   format.FileTree // nil where there are no folders
	env    *format.Env
	lib    *Library
	tiers  []tier
	wanted [shelves]map[uint32]bool // what is missing: of files equally near, the one that has most of it counts
	read   map[string]*foundFile    // by path
	order  []string                 // of what was found, for people
	picks  map[string]*[shelves]int // by file: how many of each kind
}

// foundFile is a file in which something was found.
type foundFile struct {
	path string
	lib  *Library // nil when it cannot be read
}

// tier is a place to look in. What is found in an earlier one is not looked for in a later one.
type tier struct {
	name  string // for people
	files func() []*indexed
	far   func(folder string) int // how far a folder is from the input
}

// maxAround is how many folders above the input are looked in when none of them is called DATA.
const maxAround = 2

// newFinder returns the finder of a library; files names those that were named one by one, and have been read.
func newFinder(l *Library, env *format.Env) *finder {
	f := &finder{env: env, lib: l, read: map[string]*foundFile{}, picks: map[string]*[shelves]int{}}
	tree, ok := env.Files.(format.FileTree)
	if !ok || tree.Home() == "" {
		return f
	}
	f.tree = tree
	home := tree.Home()
	for _, name := range append([]string{env.Options.Textures}, env.Options.With...) {
		if folder, ok := tree.Folder(name); ok && name != "" {
			f.below(folder, home)
		}
	}
	data := DataFolder(home)
	f.loaded(data, home)
	for dir, up := home, 0; ; dir, up = filepath.Dir(dir), up+1 {
		name := [...]string{"its folder", "the folder above"}[min(up, 1)]
		f.tiers = append(f.tiers, tier{name, func() []*indexed { return filesOf(tree, dir, false, false) }, func(string) int { return 0 }})
		if dir == data || data == "" && up == maxAround || dir == filepath.Dir(dir) {
			break
		}
	}
	if data != "" {
		f.tiers = append(f.tiers, tier{data, func() []*indexed { return filesOf(tree, data, true, false) }, func(folder string) int { return steps(home, folder) }})
	}
	for _, name := range env.Options.Install {
		folder, ok := tree.Folder(name)
		if !ok {
			continue
		}
		base := folder
		if inner, ok := tree.Folder(filepath.Join(folder, "DATA")); ok {
			base = inner
		}
		place := home // where the input would be in the installed game
		if data != "" {
			if rel, err := filepath.Rel(data, home); err == nil {
				place = filepath.Join(base, rel)
			}
		}
		f.loaded(base, place)
		f.below(folder, place)
	}
	return f
}

// loaded adds the libraries that the INI records of a game name for the input, which is in a folder or would be there.
func (f *finder) loaded(data, place string) {
	if data == "" {
		return
	}
	model := filepath.Join(place, f.env.Name)
	f.tiers = append(f.tiers, tier{"what its INI record names", func() []*indexed { return filesLoaded(f.tree, data, model) }, func(string) int { return 0 }})
}

// below adds all of a folder: its libraries, and behind them its models.
func (f *finder) below(folder, place string) {
	far := func(dir string) int { return steps(place, dir) }
	for _, models := range [...]bool{false, true} {
		f.tiers = append(f.tiers, tier{folder, func() []*indexed { return filesOf(f.tree, folder, true, models) }, far})
	}
}

// find returns the nearest file that holds something; nil when none does.
func (f *finder) find(kind shelf, crc uint32) *foundFile {
	if f.tree == nil {
		return nil
	}
	for _, t := range f.tiers {
		var refused []*indexed // that cannot be read, or hold no more of it than its name
		for {
			best := f.nearest(t, kind, crc, refused)
			if best == nil {
				break
			}
			if file := f.open(best.path); file.lib != nil && (kind != meshShelf || file.lib.meshes[crc] != nil) {
				return file
			}
			refused = append(refused, best)
		}
	}
	return nil
}

// nearest returns the nearest file of a place that names something, but for some of them; nil when none is left.
func (f *finder) nearest(t tier, kind shelf, crc uint32, refused []*indexed) (best *indexed) {
	var near, most int
	for _, x := range t.files() {
		if !x.held[kind][crc] || slices.Contains(refused, x) {
			continue
		}
		far, covers := t.far(filepath.Dir(x.path)), f.covered(kind, x)
		if best == nil || far < near || far == near && (covers > most || covers == most && strings.ToLower(x.path) < strings.ToLower(best.path)) {
			best, near, most = x, far, covers
		}
	}
	return best
}

// covered counts how much of what is missing a file holds.
func (f *finder) covered(kind shelf, x *indexed) (n int) {
	for crc := range f.wanted[kind] {
		if x.held[kind][crc] {
			n++
		}
	}
	return n
}

// open reads a file, once.
func (f *finder) open(path string) *foundFile {
	if file := f.read[path]; file != nil {
		return file
	}
	file := &foundFile{path: path}
	f.read[path] = file
	b, err := readListed(f.tree, path)
	if err == nil {
		var t *freelancer.Tree
		if t, err = read.UTF(b, nil); err == nil {
			l := &Library{meshes: map[uint32]*Mesh{}, materials: map[uint32]*material{}, textures: map[uint32]*storedTexture{}}
			if err = l.add(t.Root, path); err == nil {
				file.lib = l
			}
		}
	}
	if err != nil {
		f.lib.d.Warnf("library-unusable", path, "%v", err)
	}
	return file
}

// readListed reads a whole file of a listing.
func readListed(t format.FileTree, path string) ([]byte, error) {
	r, err := t.OpenListed(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for _, x := range t.List(filepath.Dir(path), false, strings.ToLower(filepath.Ext(path))) {
		if x.Path != path {
			continue
		}
		b := make([]byte, x.Size)
		if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
			return nil, err
		}
		return b, nil
	}
	return nil, fmt.Errorf("the file is gone")
}

// took notes that something was taken from a file.
func (f *finder) took(file *foundFile, kind shelf) {
	if f.picks[file.path] == nil {
		f.picks[file.path] = new([shelves]int)
		f.order = append(f.order, file.path)
	}
	f.picks[file.path][kind]++
	if f.env.Used != nil {
		f.env.Used(file.path)
	}
}

// shelfNames are what stands in each kind of library: one, and several.
var shelfNames = [shelves][2]string{meshShelf: {"mesh", "meshes"}, materialShelf: {"material", "materials"}, textureShelf: {"texture", "textures"}}

// report says which files were used.
func (f *finder) report() {
	for _, path := range f.order {
		var parts []string
		for kind, n := range f.picks[path] {
			if n > 0 {
				parts = append(parts, schema.Counted(n, shelfNames[kind][0], shelfNames[kind][1]))
			}
		}
		f.env.Diagnostics.Notef("library-found", f.env.Name, "%s from %s", strings.Join(parts, ", "), path)
	}
}

// places says where was looked.
func (f *finder) places() string {
	var names []string
	for _, t := range f.tiers {
		if !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
	}
	return strings.Join(names, ", ")
}

// mesh takes a mesh from the files around.
func (f *finder) mesh(crc uint32) *Mesh {
	if file := f.find(meshShelf, crc); file != nil {
		f.took(file, meshShelf)
		return file.lib.meshes[crc]
	}
	return nil
}

// material takes a material, and lets its textures come from the same file.
func (f *finder) material(crc uint32) *material {
	file := f.find(materialShelf, crc)
	if file == nil {
		return nil
	}
	f.took(file, materialShelf)
	m := file.lib.materials[crc]
	for _, name := range texturesNamed(m.m) {
		f.share(file, freelancer.FLCRC(name))
	}
	return m
}

// texture takes a texture and, of an animated one, its frames.
func (f *finder) texture(crc uint32) *storedTexture {
	file := f.find(textureShelf, crc)
	if file == nil {
		return nil
	}
	f.share(file, crc)
	return f.lib.textures[crc]
}

// share takes over a texture of a file, with its frames, where it has it and the model has none of that name.
func (f *finder) share(file *foundFile, crc uint32) {
	t := file.lib.textures[crc]
	if t == nil || f.lib.textures[crc] != nil {
		return
	}
	f.lib.textures[crc] = t
	f.took(file, textureShelf)
	for _, frame := range framesOf(t.t) {
		f.share(file, freelancer.FLCRC(frame))
	}
}

// framesOf returns the names of the textures that an animated one shows, in turns.
func framesOf(t *freelancer.TextureEntry) (list []string) {
	if t.Animation == nil {
		return nil
	}
	for _, frame := range t.Animation.Frames {
		list = append(list, fmt.Sprintf("%s_%d", t.Name, frame.Texture))
	}
	return list
}
