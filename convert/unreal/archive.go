package unreal

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// archive is a package seen as an archive: an entry for each export, in the order of the table.
type archive struct {
	// mu guards the package: conversions of several entries run at the same time, and an edit may add names, imports
	// and palettes.
	mu      sync.RWMutex
	p       *unreal.Package
	env     *format.Env
	entries []format.Entry
	paths   pathSet // taken ones, as claim makes them
	classes map[unreal.Ref]*class
	imports []*class            // the classes that are imports, by their number
	fresh   map[unreal.Ref]bool // palettes and animations that were added for an object that has no place yet
	users   map[unreal.Ref]int  // textures by their palette; nil until it is asked for
	others  libraries

	// What Remove took out, and what is left of the entries then.
	gone    map[int]bool
	removed bool
	visible []format.Entry
	exports []int       // their exports
	refs    *references // who refers to whom; nil until somebody asks, and after a change
}

// Open reads the tables of a package.
func Open(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	a, err := open(r, size, env)
	if err != nil {
		return nil, err
	}
	return a, nil
}

func open(r io.ReaderAt, size int64, env *format.Env) (*archive, error) {
	p, err := read.Package(r, size, diagnostics(env))
	if err != nil {
		return nil, err
	}
	a := newArchive(p, env)
	p.KeepGUID = env != nil && env.Options.KeepGUID
	for i := range p.Imports {
		if err := p.CheckOuters(unreal.Ref(-i - 1)); err != nil {
			return nil, err
		}
	}
	if err := a.list(); err != nil {
		return nil, err
	}
	return a, nil
}

// DefaultVersion is the version of new packages.
const DefaultVersion = 69

// Create returns an empty package, of version 69 unless the user asks for another one.
func Create(env *format.Env) (format.ArchiveFile, error) {
	p := &unreal.Package{Version: DefaultVersion, Flags: 1}
	if env != nil && env.Options.PackageVersion != 0 {
		v := env.Options.PackageVersion
		if v < unreal.MinVersion || v > unreal.MaxVersion {
			return nil, schema.Errorf(unreal.Format, schema.ErrValue, "version", "%d: packages have versions %d to %d", v, unreal.MinVersion, unreal.MaxVersion)
		}
		p.Version = uint16(v)
	}
	p.AddName("None")
	return newArchive(p, env), nil
}

func newArchive(p *unreal.Package, env *format.Env) *archive {
	n := len(p.Exports)
	a := &archive{
		p: p, env: env, entries: make([]format.Entry, n), fresh: map[unreal.Ref]bool{},
		paths: newPathSet(n), classes: map[unreal.Ref]*class{}, imports: make([]*class, len(p.Imports)),
	}
	a.others.env = env
	return a
}

func diagnostics(env *format.Env) *schema.Diagnostics {
	if env == nil {
		return nil
	}
	return env.Diagnostics
}

// Entries returns an entry for each export.
func (a *archive) Entries() []format.Entry {
	a.mu.RLock()
	defer a.mu.RUnlock()
	if len(a.gone) > 0 {
		return a.visible
	}
	return a.entries
}

// Payload returns the serial data of an export.
func (a *archive) Payload(i int) ([]byte, error) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	i, err := a.export(i)
	if err != nil {
		return nil, err
	}
	return a.payload(i)
}

func (a *archive) payload(i int) ([]byte, error) {
	if i < 0 || i >= len(a.p.Exports) {
		return nil, schema.Errorf(unreal.Format, schema.ErrRange, "entry", "%d of %d", i, len(a.p.Exports))
	}
	return a.p.Payload(i)
}

// object decodes an export.
func (a *archive) object(i int) (unreal.AnyObject, error) {
	b, err := a.payload(i)
	if err != nil {
		return nil, err
	}
	return read.Object(b, a.p.Context(i), nil)
}

// Replace sets the serial data of an export. Absolute positions in it are corrected when the package is written.
func (a *archive) Replace(i int, payload []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, err := a.export(i)
	if err != nil {
		return err
	}
	return a.replace(i, payload)
}

func (a *archive) replace(i int, payload []byte) error {
	stored, err := a.payload(i)
	if err != nil {
		return err
	}
	if bytes.Equal(stored, payload) {
		return nil
	}
	if err := read.Replace(a.p, i, payload, diagnostics(a.env)); err != nil {
		return err
	}
	defer a.refresh()
	a.refs = nil
	if i < len(a.entries) {
		a.entries[i].Size, a.entries[i].Offset = int64(len(payload)), -1
	}
	return nil
}

// Add makes an export. Its path is that of the object: groups and name, separated by dots or slashes; groups that are
// missing are made. The class follows from the format.
func (a *archive) Add(path string, payload []byte, hint *format.Format) error {
	if hint != nil && hint.Name == moduleName {
		hint = a.bind(musicFormat, -1)
		var err error
		if payload, err = musicOf(hint, payload, a.env); err != nil {
			return err
		}
	}
	if hint != nil && (hint.Name == meshDataName || hint.Name == meshAnivName) {
		return schema.Errorf(unreal.Format, schema.ErrUnsupported, path, "make a model of the pair first: usher convert NAME_d.3d -o NAME.glb")
	}
	if hint == nil || addedClasses[hint.Name] == "" {
		return schema.Errorf(unreal.Format, schema.ErrUnsupported, path, "only textures, sounds, music, texts and meshes can be added")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	names := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == '/' })
	if len(names) == 0 {
		return schema.Errorf(unreal.Format, schema.ErrValue, "path", "%q names no object", path)
	}
	for _, n := range names {
		if err := checkName(n); err != nil {
			return err
		}
	}
	pkg, class, _ := strings.Cut(addedClasses[hint.Name], ".")
	switch {
	case hint.Name == meshName && a.isSkeletal(payload):
		class = "SkeletalMesh"
	case hint.Name == textureName && a.isFont(payload):
		class = "Font"
	}
	if a.p.FindExport(strings.Join(names, "."), class) != 0 {
		return schema.Errorf(unreal.Format, schema.ErrMismatch, "path", "there is a %s %s already", class, strings.Join(names, "."))
	}
	outer := a.group(names[:len(names)-1])
	flags := uint32(unreal.ResourceFlags)
	if class == "TextBuffer" {
		flags = unreal.TextBufferFlag
	}
	r := a.p.AddExport(a.p.AddClass(pkg, class), outer, names[len(names)-1], flags)
	if err := a.addEntry(r, payload); err != nil {
		a.p.Exports = a.p.Exports[:len(a.p.Exports)-1]
		return err
	}
	return a.settle(r)
}

// isSkeletal tells which kind of mesh a payload is: only that of a skeletal one reads as such.
func (a *archive) isSkeletal(payload []byte) bool {
	_, err := read.SkeletalMesh(payload, &unreal.Context{Package: a.p, Class: "SkeletalMesh", Offset: -1}, nil)
	return err == nil
}

// isFont tells whether the payload of a picture is that of a font: it reads as one, and not as a texture.
func (a *archive) isFont(payload []byte) bool {
	context := func(class string) *unreal.Context { return &unreal.Context{Package: a.p, Class: class, Offset: -1} }
	if t, err := read.Texture(payload, context("Texture"), nil); err == nil && len(t.Tail) == 0 {
		return false
	}
	f, err := read.Font(payload, context("Font"), nil)
	return err == nil && len(f.Tail) == 0
}

// addedClasses are the classes of new objects by the format that hints at them.
var addedClasses = map[string]string{
	textureName: "Engine.Texture", soundName: "Engine.Sound", musicName: "Engine.Music", textName: "Core.TextBuffer",
	meshName: "Engine.LodMesh",
}

// maxName is the longest object name that the engine takes.
const maxName = 63

// checkName refuses names that the engine or its tools do not take (reference section 14).
func checkName(name string) error {
	for _, r := range name {
		if !(r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_' || r == '-') {
			return schema.Errorf(unreal.Format, schema.ErrValue, "name", "%q: names consist of letters, digits, \"_\" and \"-\"", name)
		}
	}
	if len(name) > maxName {
		return schema.Errorf(unreal.Format, schema.ErrValue, "name", "%q is longer than %d characters", name, maxName)
	}
	return nil
}

// group returns the group with these names, which it makes where it is missing.
func (a *archive) group(names []string) unreal.Ref {
	outer := unreal.Ref(0)
	for n := range names {
		r := a.p.FindExport(strings.Join(names[:n+1], "."), "Package")
		if r == 0 {
			r = a.p.AddExport(a.p.AddClass("Core", "Package"), outer, names[n], unreal.PrivateFlags)
			b, err := noProperties(a.p)
			if err == nil {
				err = a.addEntry(r, b)
			}
			if err != nil {
				return outer
			}
		}
		outer = r
	}
	return outer
}

// addEntry gives a new export its payload and its entry.
func (a *archive) addEntry(r unreal.Ref, payload []byte) error {
	if err := read.Replace(a.p, int(r-1), payload, diagnostics(a.env)); err != nil {
		return err
	}
	a.refs = nil
	a.entries = append(a.entries, make([]format.Entry, len(a.p.Exports)-len(a.entries))...)
	return a.setEntry(int(r - 1))
}

// settle moves what was made for the new object r into its group: the palette of a texture, and, called like it, the
// Animation of a mesh and the pages of a font.
func (a *archive) settle(r unreal.Ref) error {
	o, err := a.object(int(r - 1))
	if err != nil {
		return err
	}
	own := a.p.ObjectName(r)
	switch o := o.(type) {
	case *unreal.SkeletalMesh:
		return a.follow(o.Animation, r, own+"Anim")
	case *unreal.Font:
		for n, p := range o.Pages {
			if !a.fresh[p.Texture] {
				continue
			}
			if err := a.follow(p.Texture, r, own+"Page"+strconv.Itoa(n)); err != nil {
				return err
			}
			if err := a.settle(p.Texture); err != nil {
				return err
			}
		}
	}
	return a.follow(o.Base().Ref("Palette"), r, "")
}

// follow moves a new object into the group of the one that it was made for, under a name of its own.
func (a *archive) follow(part, r unreal.Ref, name string) error {
	if !a.fresh[part] {
		return nil
	}
	delete(a.fresh, part)
	outer := a.p.Exports[r-1].Outer
	e := &a.p.Exports[part-1]
	if name == "" && outer == 0 {
		return nil
	}
	e.Outer = outer
	if name != "" {
		e.Name = a.p.AddName(a.freeName(outer, name, part))
	}
	return a.setEntry(int(part - 1))
}

// freeName returns a name that no other object of the class of r has in a group; of any class, where r is 0.
func (a *archive) freeName(outer unreal.Ref, name string, r unreal.Ref) string {
	name = name[:min(len(name), maxName-4)]
	free := name
	for n := 2; ; n++ {
		taken := slices.ContainsFunc(indices(len(a.p.Exports)), func(i int) bool {
			e := &a.p.Exports[i]
			return unreal.Ref(i+1) != r && e.Outer == outer && (r == 0 || e.Class == a.p.Exports[r-1].Class) && strings.EqualFold(a.p.Name(e.Name), free)
		})
		if !taken {
			return free
		}
		free = name + strconv.Itoa(n)
	}
}

// WriteTo writes the package.
func (a *archive) WriteTo(w io.Writer) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.dropRemoved(); err != nil {
		return 0, err
	}
	if a.edited() {
		if err := read.Relocations(a.p, diagnostics(a.env)); err != nil {
			return 0, err
		}
	}
	n := &counter{w: w}
	err := write.Package(n, a.p)
	return n.n, err
}

func (a *archive) edited() bool {
	if len(a.p.Names) != a.p.StoredNames || len(a.p.Exports) != a.p.StoredExports || len(a.p.Imports) != a.p.StoredImports {
		return true
	}
	for i := range a.p.Exports {
		if a.p.Exports[i].Data != nil {
			return true
		}
	}
	return false
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Facts describes the package.
func (a *archive) Facts() []format.Fact {
	a.mu.RLock()
	defer a.mu.RUnlock()
	p := a.p
	facts := []format.Fact{{Name: "version", Value: int(p.Version)}}
	if p.Licensee != 0 {
		facts = append(facts, format.Fact{Name: "licensee", Value: int(p.Licensee)})
	}
	facts = append(facts,
		format.Fact{Name: "flags", Value: unreal.FlagNames(p.Flags, unreal.PackageFlags)},
		format.Fact{Name: "GUID", Value: unreal.GUIDText(p.GUID)},
		format.Fact{Name: "names", Value: len(p.Names)},
		format.Fact{Name: "imports", Value: len(p.Imports)},
		format.Fact{Name: "exports", Value: len(p.Exports)},
	)
	if len(p.Generations) > 1 {
		facts = append(facts, format.Fact{Name: "generations", Value: len(p.Generations)})
	}
	if n := len(a.gone); n > 0 {
		facts = append(facts, format.Fact{Name: "removed exports", Value: n})
	}
	if len(p.Heritage) > 1 {
		facts = append(facts, format.Fact{Name: "heritage", Value: len(p.Heritage)})
	}
	var packages []string
	for i, m := range p.Imports {
		if m.Outer == 0 {
			packages = append(packages, p.ObjectName(unreal.Ref(-i-1)))
		}
	}
	return append(facts, format.Fact{Name: "needs packages", Value: packages})
}

// Leaf returns the format in which the package stores new objects of a kind.
func (a *archive) Leaf(kind format.Kind) *format.Format {
	switch kind {
	case format.Texture:
		return a.bind(textureFormat, -1)
	case format.Sound:
		return a.bind(soundFormat, -1)
	case format.Text:
		return a.bind(textFormat, -1)
	case format.Model:
		return a.bind(meshFormat, -1)
	}
	return nil
}
