package unreal

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Add adds an export. Its path is that of the object: groups and name, separated by dots or slashes. Missing groups are
// created. The class follows from the format.
func (a *archive) Add(path string, payload []byte, hint *format.Format) error {
	if hint != nil && hint.Name == moduleName {
		hint = a.bind(musicFormat, -1)
		var err error
		if payload, err = musicOf(hint, payload, a.Env); err != nil {
			return err
		}
	}
	if hint != nil && (hint.Name == mesh.DataFormat.Name || hint.Name == mesh.AnivFormat.Name) {
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
	if hint.Name == textName && len(names) == 2 && strings.EqualFold(names[0], sourceFolder) {
		names = names[1:] // it lies in the folder for sources, and in no group
	}
	for _, n := range names {
		if err := unreal.CheckName(n); err != nil {
			return err
		}
	}
	if hint.Name == mesh.PSKFormat.Name || hint.Name == mesh.PSAFormat.Name {
		var err error
		if payload, err = mesh.OfActorX(a.File, hint, payload, strings.Join(names, ".")); err != nil {
			return err
		}
	}
	pkg, class, _ := strings.Cut(addedClasses[hint.Name], ".")
	switch {
	case hint.Name == meshName:
		class = a.meshClass(payload)
	case hint.Name == textureName && a.isFont(payload):
		class = "Font"
	}
	if a.FindExport(strings.Join(names, "."), class) != 0 {
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
	r := a.AddExport(a.AddClass(pkg, class), outer, names[len(names)-1], flags)
	if err := a.Fill(r, payload); err != nil {
		a.Exports = a.Exports[:len(a.Exports)-1]
		return err
	}
	a.noteAdded(path, r)
	return a.Settle(r)
}

// meshClass returns the class of a mesh: the one as which its payload reads whole.
func (a *archive) meshClass(payload []byte) string {
	for _, class := range []string{"SkeletalMesh", "Mesh"} {
		o, err := read.Object(payload, &unreal.Context{Package: a.Package, Class: class}, nil)
		if err == nil && len(o.Base().Tail) == 0 {
			return class
		}
	}
	return "LodMesh"
}

// isFont reports whether the payload of a picture is that of a font: it reads as one, and not as a texture.
func (a *archive) isFont(payload []byte) bool {
	context := func(class string) *unreal.Context {
		return &unreal.Context{Package: a.Package, Class: class, Offset: -1}
	}
	if t, err := read.Texture(payload, context("Texture"), nil); err == nil && len(t.Tail) == 0 {
		return false
	}
	f, err := read.Font(payload, context("Font"), nil)
	return err == nil && len(f.Tail) == 0
}

// addedClasses are the classes of new objects by the format that hints at them.
var addedClasses = map[string]string{
	textureName: "Engine.Texture", soundName: "Engine.Sound", musicName: "Engine.Music", textName: "Core.TextBuffer",
	meshName: "Engine.LodMesh", mesh.PSKFormat.Name: "Engine.SkeletalMesh", mesh.PSAFormat.Name: "Engine.Animation",
}

// group returns the group with these names, which it makes where it is missing.
func (a *archive) group(names []string) (unreal.Ref, error) {
	outer := unreal.Ref(0)
	for n := range names {
		r := a.FindExport(strings.Join(names[:n+1], "."), "Package")
		if r == 0 {
			r = a.AddExport(a.AddClass("Core", "Package"), outer, names[n], unreal.PrivateFlags)
			b, err := noProperties(a.Package)
			if err == nil {
				err = a.Fill(r, b)
			}
			if err != nil {
				return 0, err
			}
		}
		outer = r
	}
	return outer, nil
}
