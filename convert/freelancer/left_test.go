package freelancer

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// oneFile is the only file beside a model.
type oneFile struct {
	name string
	b    []byte
}

func (f oneFile) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if name == f.name {
			return f.b, name, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// TestLibraryLeft: what a library beside has, and the one that takes its place has not, is told; nothing else is.
func TestLibraryLeft(t *testing.T) {
	leaf := func(name string) *freelancer.Node { return freelancer.NewLeaf(name, []byte{1}) }
	dir := freelancer.NewDir
	made := &freelancer.Tree{Root: dir("\\", dir("Material library", dir("paint")), dir("Texture library", dir("wood.tga")))}
	for name, c := range map[string]struct {
		old  *freelancer.Node
		want string // empty where nothing is told
	}{
		"the same":            {dir("\\", dir("Material library", dir("Paint")), dir("Texture library", dir("WOOD.TGA"))), ""},
		"less":                {dir("\\", dir("Material library")), ""},
		"a material more":     {dir("\\", dir("Material library", dir("paint"), dir("steel"))), "it has 1 materials"},
		"two textures more":   {dir("\\", dir("Texture library", dir("a.tga"), dir("wood.tga"), dir("b.tga"))), "it has 2 materials"},
		"of each one":         {dir("\\", dir("Material library", dir("steel")), dir("Texture library", dir("a.tga"))), "it has 2 materials"},
		"a count of its own":  {dir("\\", dir("Material library", leaf("Material count"), dir("paint"))), ""},
		"another directory":   {dir("\\", dir("VMeshLibrary", dir("steel"))), ""},
		"textures that alone": {dir("\\", dir("Texture library", dir("paint"))), "it has 1 materials"},
	} {
		b, err := write.UTF(&freelancer.Tree{Root: c.old})
		if err != nil {
			t.Fatal(err)
		}
		d := new(schema.Diagnostics)
		env := &format.Env{Name: "ship.glb", Output: "ship", Files: oneFile{"ship.mat", b}, Diagnostics: d}
		if tellLeft("mat", made, env); d.Has("library-left") != (c.want != "") || c.want != "" && !strings.Contains(d.All()[0].Msg, c.want) {
			t.Errorf("%s: told %v", name, d.All())
		}
		for _, none := range []*format.Env{nil, {Name: "ship.glb", Files: env.Files, Diagnostics: d}, {Name: "ship.glb", Output: "other", Files: env.Files, Diagnostics: d}} {
			before := len(d.All())
			if tellLeft("mat", made, none); len(d.All()) != before {
				t.Errorf("%s: told %v without a library beside", name, d.All())
			}
		}
	}
}
