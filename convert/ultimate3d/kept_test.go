package ultimate3d

import (
	"errors"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestKeptValues: a value that its field can hold arrives, as JSON or an editor writes it; any other is refused with the
// field, the value and what it can hold.
func TestKeptValues(t *testing.T) {
	m := mustRead(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "windmill.u3d")))
	for _, c := range []struct {
		where, key string
		value      any
		want       string // what the value is then, or what the error says
	}{
		{"material", "colorOp", []any{-5.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, "colorOp[0]: -5 is no whole number from 0 to 4294967295"},
		{"material", "colorOp", []any{7.0, true, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, ""},
		{"material", "colorOp", []any{1.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, "colorOp[0]: 1.5 is no whole number"},
		{"material", "colorOp", []any{1.0}, "no list of 8 numbers"},
		{"material", "specularPower", 1e300, "specularPower: 1e+300 is no number from"},
		{"material", "specularPower", "much", `specularPower: "much" is no number`},
		{"material", "specularPower", 7.5, ""},
		{"bone", "boneFrame", "x", `boneFrame: "x" is no number`},
		{"bone", "passOnBoneFrame", false, ""},
		{"scene", "frames", 0.0, "header: frames: 0 is no whole number from 1 to 4294967295"},
		{"scene", "frames", 5e9, "frames: 5000000000 is no whole number from 0"},
		{"scene", "alphaBlending", 0.0, ""},
	} {
		s := throughGLB(t, lift(t, m, format.Options{}))
		var n *asset.Native
		switch c.where {
		case "material":
			n = s.Materials[0].Native
		case "scene":
			n = s.Native
		case "bone":
			s.Walk(func(x *asset.Node, _ *asset.Node) {
				if n == nil && x.Kind == asset.Bone {
					n = x.Native
				}
			})
		}
		if _, known := n.Values[c.key]; !known {
			t.Fatalf("%s has no %s", c.where, c.key)
		}
		n.Values[c.key] = c.value
		got, err := Lower(throughGLB(t, s), nil)
		if c.want != "" {
			if !errors.Is(err, schema.ErrValue) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %s = %v: %v, want %q", c.where, c.key, c.value, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s = %v: %v", c.where, c.key, c.value, err)
			continue
		}
		again := lift(t, got, format.Options{})
		var now map[string]any
		switch c.where {
		case "material":
			now = again.Materials[0].Native.Values
		case "scene":
			now = again.Native.Values
		case "bone":
			now = boneFields(got.Bones[0]).Values()
		}
		if !scene.SameKept(now[c.key], c.value) {
			t.Errorf("%s %s = %v came back as %v", c.where, c.key, c.value, now[c.key])
		}
	}
}
