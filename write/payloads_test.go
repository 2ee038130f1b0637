package write_test

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	readfl "github.com/usher-assets/usher/read/freelancer"
	readmedia "github.com/usher-assets/usher/read/media"
	readu9 "github.com/usher-assets/usher/read/ultima9"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/made"
	writefl "github.com/usher-assets/usher/write/freelancer"
	writemedia "github.com/usher-assets/usher/write/media"
	writeu9 "github.com/usher-assets/usher/write/ultima9"
	writeue "github.com/usher-assets/usher/write/unreal"
)

// payloads are the small files below a folder and what is in them, each once, the shortest first.
func payloads(t *testing.T, dir string) (list [][]byte) {
	t.Helper()
	const most, largest = 48 << 10, 4 << 20
	seen := map[string]bool{}
	add := func(b []byte) {
		if len(b) <= most && !seen[string(b)] {
			seen[string(b)] = true
			list = append(list, b)
		}
	}
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || slices.Contains([]string{".json", ".tsv", ".md", ".py", ".glb"}, filepath.Ext(p)) {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > largest {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		add(b)
		inside(b, add)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(list, func(a, b []byte) int { return cmp.Compare(len(a), len(b)) })
	return list
}

// inside calls add for what a file holds.
func inside(b []byte, add func([]byte)) {
	if tree, err := readfl.UTF(b, nil); err == nil {
		tree.Root.Walk(func(_ string, n *freelancer.Node) bool { add(n.Data); return true })
	}
	if r, err := readmedia.RIFF(b, nil); err == nil {
		for _, c := range r.Chunks {
			add(c.Data)
		}
	}
	a, err := readu9.FLX(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		return
	}
	for i := range a.Len() {
		if payload, err := a.Payload(i); err == nil {
			add(payload)
		}
	}
}

// madePayloads are payloads of a family that testdata has no files of.
func madePayloads(t *testing.T, family string) [][]byte {
	t.Helper()
	list := func(all ...func() ([]byte, error)) (list [][]byte) {
		for _, write := range all {
			b, err := write()
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, b)
		}
		return list
	}
	switch family {
	case "freelancer":
		return list(func() ([]byte, error) {
			root := freelancer.NewTree().Root
			motion, picture := filled[freelancer.MaterialAnim]("Node"), filled[freelancer.TextureEntry]("Node", "Leaves")
			picture.Form = freelancer.AnimatedTexture
			if err := cmp.Or(writefl.MaterialAnim(root, motion), writefl.Texture(root, picture)); err != nil {
				return nil, err
			}
			return writefl.UTF(&freelancer.Tree{Root: root})
		})
	case "ultima9":
		return list(func() ([]byte, error) {
			return writeu9.Types(&ultima9.Types{Active: 2, NPCs: 1, Records: make([]ultima9.Type, ultima9.TypeCount)})
		}, func() ([]byte, error) {
			const models, floats = 8000, 8000
			return writeu9.Dimensions(&ultima9.Dimensions{Spheres: make([]ultima9.DimensionSphere, models), Minima: make([]float32, floats), Maxima: make([]float32, floats)})
		})
	case "unreal":
		name := unreal.Str{Text: "Made.utx"}
		return list(func() ([]byte, error) {
			return writeue.UZ(&unreal.UZ{Signature: unreal.UZ1234, Name: name, Data: []byte("a file that is a file")})
		}, func() ([]byte, error) {
			return writeue.UMOD(&unreal.UMOD{Version: 1, Fresh: true, Content: []byte("content"), Files: []unreal.UMODFile{{Path: name, Size: 7}}})
		})
	}
	return list(func() ([]byte, error) {
		x, err := writemedia.IndexedPCX([]byte("sixteen pixels: "), 4, 4, new([768]byte))
		if err != nil {
			return nil, err
		}
		return writemedia.PCX(x)
	})
}

func filled[T any](except ...string) *T {
	v := new(T)
	made.Fill(v, except...)
	return v
}

// madeScripts has a declaration of each class.
func madeScripts(version uint16, flags uint32) (list []unreal.AnyObject) {
	p := &unreal.Package{Version: version, Names: []unreal.Name{{Text: "None"}}, Exports: make([]unreal.Export, 300)}
	for class, o := range map[string]unreal.AnyObject{
		"Class": new(unreal.Class), "Struct": new(unreal.Struct), "State": new(unreal.State), "Enum": new(unreal.Enum), "Const": new(unreal.Const),
		"Function": &unreal.Function{FuncFlags: flags}, "IntProperty": &unreal.PropertyDecl{PropFlags: flags},
		"FixedArrayProperty": &unreal.PropertyDecl{PropFlags: flags, Refs: make([]unreal.Ref, 1)},
	} {
		o.Base().Context = &unreal.Context{Package: p, Class: class}
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b unreal.AnyObject) int { return cmp.Compare(a.Base().Class, b.Base().Class) })
	return list
}
