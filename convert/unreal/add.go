package unreal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

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
	if hint != nil && hint.Name == objectName {
		return a.addRecord(path, payload, hint)
	}
	if hint != nil && hint.Name == t3dName {
		return a.addText(payload)
	}
	if hint == nil || addedClasses[hint.Name] == "" {
		return schema.Errorf(unreal.Format, schema.ErrUnsupported, path, "only textures, sounds, music, texts, meshes and objects as JSON can be added")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	names := objectNames(path)
	if len(names) == 0 {
		return schema.Errorf(unreal.Format, schema.ErrValue, "path", "%q names no object", path)
	}
	for _, n := range names {
		if err := unreal.CheckName(n); err != nil {
			return err
		}
	}
	if hint.Name == pskName || hint.Name == psaName {
		var err error
		if payload, err = a.ofActorX(hint, payload, strings.Join(names, ".")); err != nil {
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
	outer, err := a.group(names[:len(names)-1])
	if err != nil {
		return err
	}
	flags := uint32(unreal.ResourceFlags)
	if class == "TextBuffer" {
		flags = unreal.TextBufferFlag
	}
	r := a.p.AddExport(a.p.AddClass(pkg, class), outer, names[len(names)-1], flags)
	if err := a.addEntry(r, payload); err != nil {
		a.p.Exports = a.p.Exports[:len(a.p.Exports)-1]
		return err
	}
	a.noteAdded(path, r)
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
	meshName: "Engine.LodMesh", pskName: "Engine.SkeletalMesh", psaName: "Engine.Animation",
}

// group returns the group with these names, which it makes where it is missing.
func (a *archive) group(names []string) (unreal.Ref, error) {
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
				return 0, err
			}
		}
		outer = r
	}
	return outer, nil
}

// addEntry gives a new export its payload and its entry.
func (a *archive) addEntry(r unreal.Ref, payload []byte) error {
	if err := read.Replace(a.p, int(r-1), payload, a.env.Told()); err != nil {
		return err
	}
	a.refs, a.listed = nil, nil
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
	a.refTexts = refIndex{}
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
	name = name[:min(len(name), unreal.MaxName-4)]
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
