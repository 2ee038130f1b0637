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
