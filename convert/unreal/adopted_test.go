package unreal

import (
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// eachMesh calls f with each mesh of packages.
func eachMesh(t *testing.T, files map[string][]byte, f func(t *testing.T, open func() *archive, path string)) {
	for name, b := range files {
		a := openBytes(t, name, b)
		for i, e := range a.Entries() {
			if of := formatOf(a, i); of.Name == mesh.Name || of.Name == skeleton.Name {
				t.Run(name+" "+e.Path, func(t *testing.T) { f(t, func() *archive { return openBytes(t, name, b) }, e.Path) })
			}
		}
	}
}

// payload returns the stored bytes of a mesh, without what a copy has of its own: its Animation, and the textures that only a class
// puts on the original.
func payload(t *testing.T, a *archive, path, original string) []byte {
	t.Helper()
	o, err := a.Object(entry(t, a, path))
	if err != nil {
		t.Fatal(err)
	}
	was, err := a.Object(entry(t, a, original))
	if err != nil {
		t.Fatal(err)
	}
	o.Base().Offset = 0
	if m, ok := o.(*unreal.SkeletalMesh); ok {
		m.Animation = 0
	}
	for i, r := range texturesOf(was) {
		if r == 0 {
			texturesOf(o)[i] = 0
		}
	}
	b, err := write.Object(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func texturesOf(o unreal.AnyObject) []unreal.Ref {
	switch o := o.(type) {
	case *unreal.Mesh:
		return o.Textures
	case *unreal.LodMesh:
		return o.Textures
	}
	return o.(*unreal.SkeletalMesh).Textures
}

// TestCopiedMesh: a copy of a mesh is the mesh: in its own package, and from another one back into its own.
func TestCopiedMesh(t *testing.T) {
	files := map[string][]byte{}
	for _, name := range []string{"made61.u", "made65.u", "made69.u", "linked.u", "tent.u", "worm.u"} {
		files[name] = corpus.Bytes(t, corpus.Testdata(t, "unreal", name))
	}
	eachMesh(t, files, func(t *testing.T, open func() *archive, path string) {
		a := open()
		want := payload(t, a, path, path)
		s := through(t, lifted(t, a, path)).(*asset.Scene)
		add(t, a, "Copied", s, format.Model)
		corpus.SameBytes(t, "in its own package", payload(t, a, "Copied", path), want)

		x, err := Create(&format.Env{Name: "New.u", Options: format.Options{Unreal: format.UnrealOptions{PackageVersion: int(a.Version)}}})
		if err != nil {
			t.Fatal(err)
		}
		add(t, x.(*archive), "Copied", through(t, s).(*asset.Scene), format.Model)
		if strings.HasPrefix(path, "Tent") || a.Env.Name == "linked.u" {
			return // its textures are of a third package, and the copy has its own
		}
		other := openBytes(t, "New.u", written(t, x))
		a = open()
		add(t, a, "Copied", through(t, lifted(t, other, "Copied")).(*asset.Scene), format.Model)
		corpus.SameBytes(t, "there and back", payload(t, a, "Copied", path), want)
	})
}

// TestCopiedMeshesOfTheCorpus: the same of meshes that other tools have made.
func TestCopiedMeshesOfTheCorpus(t *testing.T) {
	files := map[string][]byte{}
	for _, e := range valid(t) {
		if strings.HasSuffix(e.File, ".u") {
			files[e.File] = corpus.Bytes(t, e.Path)
		}
	}
	eachMesh(t, files, func(t *testing.T, open func() *archive, path string) {
		a := open()
		want := payload(t, a, path, path)
		add(t, a, "Copied", through(t, lifted(t, a, path)).(*asset.Scene), format.Model)
		corpus.SameBytes(t, "in its own package", payload(t, a, "Copied", path), want)
	})
}

// TestForeignSymbols: with words that another package cannot use, a copy is made of what the scene shows. None of them harms.
func TestForeignSymbols(t *testing.T) {
	for name, edit := range map[string]func(words map[string]any){
		"as they are":        func(words map[string]any) {},
		"none at all":        func(words map[string]any) { clear(words) },
		"of another version": func(words map[string]any) { words["version"] = 61.0 },
		"of another game":    func(words map[string]any) { words["licensee"] = 2.0 },
		"a name less": func(words map[string]any) {
			names := words["names"].(map[string]any)
			for n, text := range names {
				if text == "All" {
					delete(names, n)
				}
			}
		},
		"no name":            func(words map[string]any) { words["names"].(map[string]any)["1"] = "no\x00name" },
		"no text":            func(words map[string]any) { words["names"].(map[string]any)["1"] = 1.0 },
		"no number":          func(words map[string]any) { words["names"].(map[string]any)["x"] = "x" },
		"below zero":         func(words map[string]any) { words["names"].(map[string]any)["-1"] = "x" },
		"a huge number":      func(words map[string]any) { words["names"].(map[string]any)["2000000000"] = "x" },
		"an object less":     func(words map[string]any) { clear(words["objects"].(map[string]any)) },
		"a huge object":      func(words map[string]any) { words["objects"].(map[string]any)["2000000000"] = "x" },
		"a huge import":      func(words map[string]any) { words["objects"].(map[string]any)["-2000000000"] = "x" },
		"an object of what?": func(words map[string]any) { words["objects"].(map[string]any)["-1"] = 7.0 },
	} {
		a := openBytes(t, "Made.u", written(t, made(t, 69)))
		was, err := a.Object(entry(t, a, "Pyramid"))
		if err != nil {
			t.Fatal(err)
		}
		old := was.(*unreal.LodMesh)
		old.Strength = 0.25 // no scene shows it
		if err := a.Store(entry(t, a, "Pyramid"), old); err != nil {
			t.Fatal(err)
		}
		s := lifted(t, a, "Pyramid").(*asset.Scene)
		words := scene.Shown(s.Native, "symbols").(map[string]any)
		edit(words)
		add(t, a, "Copied", s, format.Model)
		o, err := a.Object(entry(t, a, "Copied"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := o.(*unreal.LodMesh)
		if len(m.Faces) != 4 || len(m.Sequences) != 2 || !slices.Equal(m.Textures, old.Textures) || m.Package.Name(m.Sequences[1].Name) != "Grow" {
			t.Errorf("%s: %d faces, sequences %+v, textures %v", name, len(m.Faces), m.Sequences, m.Textures)
		}
		if taken := m.Strength == old.Strength; taken != (name == "as they are") {
			t.Errorf("%s: the stored bytes were taken: %v", name, taken)
		}
	}
}

// TestForeignBytes: damaged bytes of a mesh of another package are refused, or a copy is made that can be read.
func TestForeignBytes(t *testing.T) {
	for _, c := range []struct{ file, path string }{{"made69.u", "Pyramid"}, {"worm.u", "Beasts.Worm"}, {"tent.u", "Tent"}} {
		b := corpus.Bytes(t, corpus.Testdata(t, "unreal", c.file))
		s := through(t, lifted(t, openBytes(t, c.file, b), c.path)).(*asset.Scene)
		stored := s.Native.Payload
		for i := 0; i < len(stored); i += 1 + len(stored)/400 {
			s := through(t, s).(*asset.Scene)
			s.Native.Payload = slices.Clone(stored)
			s.Native.Payload[i] ^= 0xFF
			a := openBytes(t, c.file, b)
			f := a.newLeaf(format.Model)
			v, err := f.Lower(s, &format.Env{Archive: a})
			if err != nil {
				continue
			}
			payload, err := f.Write(v)
			if err != nil {
				continue
			}
			if err := a.Add("Copied", payload, f); err != nil {
				continue
			}
			lifted(t, openBytes(t, c.file, written(t, a)), "Copied")
		}
	}
}
