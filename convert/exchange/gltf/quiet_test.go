package gltf

import (
	"fmt"
	"testing"

	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// TestQuietColour: a material whose picture is not at hand is shown in a colour of its name, which is no edit: neither with
// usher's records nor without them. A colour that somebody gave it is one.
func TestQuietColour(t *testing.T) {
	white, grey, red := [4]float32{1, 1, 1, 1}, [4]float32{0.5, 0.5, 0.5, 0.25}, [4]float32{1, 0, 0, 1}
	for _, c := range []struct {
		name          string
		colour        [4]float32
		absent, blank bool // of files that are not at hand; with a texture that has no picture
		quiet         bool
	}{
		{"at hand", white, false, false, false},
		{"absent", white, true, false, true},
		{"picture absent", white, false, true, true},
		{"grey", grey, true, false, true},
		{"red", red, true, true, false},
	} {
		s := twins()
		m := s.Materials[0]
		m.Name, m.BaseColor, m.Absent, m.BaseColorTexture = c.name, c.colour, c.absent, nil
		if c.blank {
			x := &asset.Texture{Name: "x"}
			m.BaseColorTexture, s.Textures = &asset.TextureRef{Texture: x}, append(s.Textures, x)
		}
		factor := func(doc map[string]any) map[string]any {
			return doc["materials"].([]any)[0].(map[string]any)["pbrMetallicRoughness"].(map[string]any)
		}
		paint := func(doc map[string]any) { factor(doc)["baseColorFactor"] = []any{0.0, 0.5, 0.0, 1.0} }
		rename := func(doc map[string]any) { doc["materials"].([]any)[0].(map[string]any)["name"] = "another" }
		copied := func(doc map[string]any) { doc["materials"].([]any)[0].(map[string]any)["name"] = c.name + ".001" }
		plain := c.colour
		if c.quiet { // nothing says then that it was grey
			plain = [4]float32{1, 1, 1, c.colour[3]}
		}
		whole := encode(t, s, nil)
		edited(t, whole, func(doc map[string]any) {
			list, told := factor(doc)["baseColorFactor"].([]any)
			if now := told && fmt.Sprint(list[:3]) != fmt.Sprint(c.colour[:3]); now != c.quiet {
				t.Errorf("%s: shown as %v", c.name, list)
			}
		})
		for _, e := range []struct {
			name  string
			edits []func(map[string]any)
			want  [4]float32
		}{
			{"untouched", nil, c.colour},
			{"renamed", []func(map[string]any){rename}, c.colour},
			{"painted", []func(map[string]any){paint}, [4]float32{0, 0.5, 0, 1}},
			{"bare", []func(map[string]any){bareOf}, plain},
			{"bare copy", []func(map[string]any){bareOf, copied}, plain},
			{"bare, painted", []func(map[string]any){bareOf, paint}, [4]float32{0, 0.5, 0, 1}},
		} {
			b := edited(t, whole, func(doc map[string]any) {
				for _, f := range e.edits {
					f(doc)
				}
			})
			back, err := Decode(b, nil, nil)
			if err != nil || back.Materials[0].BaseColor != e.want {
				t.Errorf("%s, %s: %v, want %v (%v)", c.name, e.name, back.Materials[0].BaseColor, e.want, err)
			}
		}
	}
	if a, b := verbs.QuietColour("hull"), verbs.QuietColour("wing"); a == b || a != verbs.QuietColour("HULL.001") {
		t.Errorf("%v, %v", a, b)
	}
}

// TestOwnColour: the colour of a material that is shown in a quiet one, by its record or by its name, unless somebody painted it.
func TestOwnColour(t *testing.T) {
	quiet := verbs.QuietColour("hull")
	shown, red := [4]float32{quiet[0], quiet[1], quiet[2], 0.5}, [4]float32{1, 0, 0, 0.5}
	record := map[string]any{keyQuiet: []any{float64(quiet[0]), float64(quiet[1]), float64(quiet[2]), 0.1, 0.2, 0.3}}
	for _, c := range []struct {
		name   string
		colour [4]float32
		bare   bool
		record map[string]any
		ref    *asset.TextureRef
		want   [4]float32
	}{
		{"hull", shown, false, record, nil, [4]float32{0.1, 0.2, 0.3, 0.5}}, {"x", shown, false, record, nil, [4]float32{0.1, 0.2, 0.3, 0.5}}, {"hull", red, false, record, nil, red}, {"hull", shown, false, nil, nil, shown},
		{"hull", shown, true, nil, nil, [4]float32{1, 1, 1, 0.5}}, {"hull.001", shown, true, nil, nil, [4]float32{1, 1, 1, 0.5}}, {"x", shown, true, nil, nil, shown}, {"hull", red, true, nil, nil, red},
		{"hull", shown, true, nil, &asset.TextureRef{Texture: &asset.Texture{}}, [4]float32{1, 1, 1, 0.5}}, {"hull", shown, true, nil, &asset.TextureRef{Texture: picture8("x")}, shown},
		{"hull", shown, false, map[string]any{keyQuiet: []any{1.0, 2.0}}, nil, shown},
	} {
		m := asset.NewMaterial(c.name)
		m.BaseColor, m.BaseColorTexture = c.colour, c.ref
		if got := ownColour(m, c.bare, c.record); got != c.want {
			t.Errorf("%s in %v, bare %t, with %v: %v, want %v", c.name, c.colour, c.bare, c.record, got, c.want)
		}
	}
	for colour, want := range map[[3]float32]bool{{1, 1, 1}: true, {0.5, 0.5, 0.5}: true, {0.5, 0.5, 1}: false, {1, 0.5, 0.5}: false, {0.5, 1, 0.5}: false} {
		for _, e := range []*encoder{{made: true}, {}, {made: true, o: Options{whole: true}}} {
			m := asset.NewMaterial("hull")
			m.Absent = true
			copy(m.BaseColor[:], colour[:])
			if is := e.shownColour(m, map[string]any{}) != m.BaseColor; is != (want && e.made && !e.o.whole) {
				t.Errorf("%v is shown in a quiet colour: %t", colour, is)
			}
		}
	}
}
