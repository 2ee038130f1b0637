package freelancer_test

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// TestMaterialNumbers edits the numbers of shaders that glTF has no place for: in the file itself, in a library beside it, and
// in one that is not at hand.
func TestMaterialNumbers(t *testing.T) {
	sph, whole := byName(t, "sph"), airyPlanet(t)
	tree, err := read.UTF(whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	library := tree.Root.Child(freelancer.MaterialLibrary)
	tree.Root.Remove(library)
	apart := freelancer.NewTree()
	apart.Root.Add(library)
	bare, beside := treeBytes(t, tree), memory{"ball.mat": treeBytes(t, apart)}
	for _, c := range []struct {
		name, material, key string
		stored              []byte
		out, back           memory // what is at hand on either way
		value               any    // nil for no edit
		want                float32
		code                string // of what is told
	}{
		{"nothing", "air", "Fade", whole, nil, nil, nil, 1.1, ""},
		{"own", "air", "Fade", whole, nil, nil, 0.25, 0.25, ""},
		{"own, a whole number", "land", "flip u", whole, nil, nil, 0.0, 0, ""},
		{"of a library, nothing", "air", "Scale", bare, beside, beside, nil, -1, ""},
		{"of a library", "air", "Scale", bare, beside, beside, 1.5, 1.5, ""},
		{"of a library that is gone, nothing", "air", "Scale", bare, beside, nil, nil, -1, ""},
		{"of a library that is gone", "air", "Scale", bare, beside, nil, 1.5, 1.5, "material-copied"},
		{"of a library that is gone, a whole number", "land", "flip v", bare, beside, nil, 3.0, 3, "material-copied"},
	} {
		s := fromGLB(t, glb(t, liftWith(t, sph, c.stored, &format.Env{Name: "ball.sph", Files: c.out}), nil))
		for _, m := range s.Materials {
			if m.Name == c.material && c.value != nil {
				m.Native.Values[c.key] = c.value
			}
		}
		d := new(schema.Diagnostics)
		got := lowerWith(t, sph, fromGLB(t, glb(t, s, nil)), &format.Env{Name: "ball.sph", Files: c.back, Diagnostics: d})
		if x := corpus.Codes(d, schema.Warning); x != c.code {
			t.Errorf("%s: told %q, want %q: %v", c.name, x, c.code, d.All())
		}
		if c.value == nil && !bytes.Equal(got, c.stored) {
			t.Errorf("%s: other bytes", c.name)
		}
		if x := numberOf(t, got, c.material, c.key); x != c.want {
			t.Errorf("%s: %s is %v, want %v", c.name, c.key, x, c.want)
		}
	}
	s := fromGLB(t, glb(t, lift(t, sph, "ball.sph", whole, nil), nil))
	for _, m := range s.Materials {
		if m.Name == "air" {
			m.Native.Values["Fade"] = "much"
		}
	}
	if _, err := sph.Lower(s, &format.Env{Name: "ball.sph"}); err == nil {
		t.Error("a text is taken for a number")
	}
}

// numberOf returns a number of a material in a file; −1 where it has none.
func numberOf(t *testing.T, b []byte, material, key string) float32 {
	tree, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := read.Materials(tree.Root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		p := m.Property(key)
		switch {
		case m.Name != material || p == nil:
		case len(p.Words) > 0:
			return float32(p.Words[0])
		case len(p.Floats) > 0:
			return p.Floats[0]
		}
	}
	return -1
}
