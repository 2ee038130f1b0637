package freelancer_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
)

// TestShaderEdited changes what a material looks like: its shader gains and loses the inputs for that, and keeps others.
func TestShaderEdited(t *testing.T) {
	fm := byName(t, "cmp")
	shine := func(m *asset.Material) { m.Emissive = [3]float32{0, 1, 0} }
	double := func(m *asset.Material) { m.DoubleSided = !m.DoubleSided }
	blend := func(m *asset.Material) { m.Alpha = asset.Blend }
	solid := func(m *asset.Material) { m.Alpha = asset.Opaque }
	for _, c := range []struct {
		was  string
		edit func(m *asset.Material)
		want string
		loss string
	}{
		{"DcDt", func(*asset.Material) {}, "DcDt", ""},
		{"DcDt", shine, "DcDtEc", ""},
		{"DcDt", blend, "DcDtOcOt", ""},
		{"DcDt", func(m *asset.Material) { m.EmissiveTexture, m.Emissive = m.BaseColorTexture, [3]float32{1, 1, 1} }, "DcDtEt", ""},
		{"DcDt", func(m *asset.Material) { m.EmissiveTexture = m.BaseColorTexture }, "DcDtEt", "material-property"},
		{"DcDt", func(m *asset.Material) { m.Emissive, m.EmissiveStrength = [3]float32{1, 1, 1}, 4 }, "DcDtEc", "material-property"},
		{"DcDt", func(m *asset.Material) { m.Alpha = asset.Mask }, "DcDt", "material-property"},
		{"DcDt", func(m *asset.Material) { m.Roughness = 0.3 }, "DcDt", "material-property"},
		{"DcDt", func(m *asset.Material) { m.Roughness = 0.9999 }, "DcDt", ""},
		{"DcDt", func(m *asset.Material) { m.BaseColorTexture.Filter = asset.Nearest }, "DcDt", "material-property"},
		{"DcDtBt", double, "DcDtBtTwo", ""},
		{"DcDtBtOcOtTwo", solid, "DcDtBtTwo", ""},
		{"DcDtEcOcOtTwo", double, "DcDtEcOcOt", ""},
		{"Nebula", shine, "Nebula", "material-type"},
		{"DcDt", func(m *asset.Material) { m.Metallic = 1 }, "DcDt", "material-property"},
	} {
		tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
		if err != nil {
			t.Fatal(err)
		}
		tree.Root.Find("Material library/steel").Set("Type", []byte(c.was+"\x00"))
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", treeBytes(t, tree), nil), nil))
		_, n := where(s)
		c.edit(n["wing"].Mesh.Primitives[0].Material)
		d := new(schema.Diagnostics)
		after, err := read.UTF(lower(t, fm, "ship.cmp", s, d), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimRight(string(after.Root.Find("Material library/steel/Type").Data), "\x00")
		if got != c.want || (c.loss == "") != (len(d.All()) == 0) || c.loss != "" && !d.Has(c.loss) {
			t.Errorf("%s became %s, want %s; %v", c.was, got, c.want, d.All())
		}
	}
}

// TestTextureMotionEdited gives a material a motion of its texture, changes it, and gets both back.
func TestTextureMotionEdited(t *testing.T) {
	fm := byName(t, "cmp")
	b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	for _, c := range []struct{ rows, want []any }{
		{[]any{10.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, []any{10.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
		{nil, []any{10.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
		{
			[]any{1.0, 0.25, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
			[]any{1.0, 0.25, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
		},
		{[]any{1.0, 2.0}, []any{1.0, 0.25, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
	} {
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil))
		_, n := where(s)
		if c.rows != nil {
			n["wing"].Mesh.Primitives[0].Material.Native.Values["textureAnimation"] = c.rows
		}
		d := new(schema.Diagnostics)
		b = lower(t, fm, "ship.cmp", s, d)
		_, n = where(lift(t, fm, "ship.cmp", b, nil))
		if got := n["wing"].Mesh.Primitives[0].Material.Native.Values["textureAnimation"]; !reflect.DeepEqual(got, any(c.want)) {
			t.Errorf("%v became %v, want %v", c.rows, got, c.want)
		}
		if d.Has("texture-animation") != (len(c.rows)%9 != 0) {
			t.Errorf("%v: %v", c.rows, d.All())
		}
	}
}

// TestUnknownJointKind: a kind of joint that nobody knows is told of.
func TestUnknownJointKind(t *testing.T) {
	fm := byName(t, "cmp")
	s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil), nil))
	_, n := where(s)
	n["turret"].Extras["construct"] = "banana"
	d := new(schema.Diagnostics)
	if lower(t, fm, "ship.cmp", s, d); !d.Has("joint-kind") || len(d.All()) != 1 {
		t.Errorf("%v", d.All())
	}
}
