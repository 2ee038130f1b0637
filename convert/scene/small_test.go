package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/schema/asset"
)

// TestClean: what is no number becomes 0, and the rest stays.
func TestClean(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	v := []float32{1, nan, inf, -inf, -2, 0}
	if isFinite(v...) || isFinite(1, nan) || isFinite(inf) || !isFinite(1, -2, 0) || !isFinite() {
		t.Error("finite or not")
	}
	if clean(v); !slices.Equal(v, []float32{1, 0, 0, 0, -2, 0}) {
		t.Errorf("%v", v)
	}
}

// TestSamePicture: pictures are the same when their files are, or their pixels and how they are used.
func TestSamePicture(t *testing.T) {
	use := func(change func(r *asset.TextureRef)) *asset.TextureRef {
		m := asset.NewImage(2, 1, asset.Indexed8)
		r := &asset.TextureRef{Texture: &asset.Texture{Palette: []asset.RGBA{{1, 2, 3, 4}, {}}, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}}
		change(r)
		return r
	}
	set := func(m asset.Image) func(r *asset.TextureRef) {
		return func(r *asset.TextureRef) { r.Texture.Frames[0].Mips[0] = m }
	}
	nothing := func(*asset.TextureRef) {}
	file := func(b byte) func(r *asset.TextureRef) {
		return func(r *asset.TextureRef) { r.Texture.File = &asset.Stored{Data: []byte{b}} }
	}
	for _, c := range []struct {
		name string
		a, b *asset.TextureRef
		want bool
	}{
		{"equal", use(nothing), use(nothing), true},
		{"none", nil, nil, true},
		{"none and one", nil, use(nothing), false},
		{"one and none", use(nothing), &asset.TextureRef{}, false},
		{"wrapping along x", use(nothing), use(func(r *asset.TextureRef) { r.WrapS++ }), false},
		{"wrapping along y", use(nothing), use(func(r *asset.TextureRef) { r.WrapT++ }), false},
		{"coordinates", use(nothing), use(func(r *asset.TextureRef) { r.TexCoord++ }), false},
		{"a colour", use(nothing), use(func(r *asset.TextureRef) { r.Texture.Palette[1][0] = 9 }), false},
		{"a pixel", use(nothing), use(func(r *asset.TextureRef) { r.Texture.Frames[0].Mips[0].Pix[1] = 1 }), false},
		{"shape", use(nothing), use(set(asset.NewImage(1, 2, asset.Indexed8))), false},
		{"no pixels", use(nothing), use(func(r *asset.TextureRef) { r.Texture.Frames = nil }), false},
		{"files", use(file(1)), use(file(1)), true},
		{"other files", use(file(1)), use(file(2)), false},
		{"a file and pixels", use(file(1)), use(nothing), true},
	} {
		if samePicture(c.a, c.b) != c.want || samePicture(c.b, c.a) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}

// TestTint: a difference of colours within the tolerance is none; beyond, it counts in tolerances.
func TestTint(t *testing.T) {
	m := &matcher{tol: Tolerance{Color: 0.25}, a: &asset.Primitive{Colors: [][4]float32{{0.5, 0, 0, 1}}}, b: &asset.Primitive{Colors: [][4]float32{{0.5, 0, 0, 1}, {0.5, 0.25, 0, 1}, {0.5, 0, 0.75, 0.5}, {-0.5, 0, 0, 1}}}}
	for b, want := range []float64{0, 0, 3, 4, 0} {
		if got := m.tint(0, b); got != want {
			t.Errorf("to %d: %v, want %v", b, got, want)
		}
	}
	if got := m.tint(1, 0); got != 0 {
		t.Errorf("of a vertex without a colour: %v", got)
	}
}

// TestUses holds that every place of a texture is one of its uses, each once.
func TestUses(t *testing.T) {
	ref := func(name string) *asset.TextureRef { return &asset.TextureRef{Texture: &asset.Texture{Name: name}} }
	m := &asset.Material{BaseColorTexture: ref("base"), EmissiveTexture: ref("emissive"), NormalTexture: ref("normal"), OcclusionTexture: ref("occlusion"), LightTexture: ref("light"),
		MetalRoughTexture: ref("metal"), Specular: &asset.Specular{Texture: ref("specular"), ColorTexture: ref("tinted")}}
	var names []string
	for _, r := range references(m) {
		names = append(names, r.Texture.Name)
	}
	equal(t, "uses", names, []string{"base", "emissive", "normal", "occlusion", "light", "metal", "specular", "tinted"})
}

// TestClasses holds that vertices are alike where the first of them is near, not where a chain leads from one to the other.
func TestClasses(t *testing.T) {
	p := &asset.Primitive{Positions: [][3]float32{{}, {0.8, 0, 0}, {1.6, 0, 0}, {0.4, 0, 0}}}
	m := &matcher{a: p, b: p, reach: 1, source: filled(4)}
	equal(t, "classes", m.classes(), []int{0, 0, 2, 0})
}

// TestTurned: keys of a rotation between two transforms are what the matrices make of them, mirrored ones too.
func TestTurned(t *testing.T) {
	turn := func(angle, x, y, z float64) mgl64.Mat4 {
		return mgl64.HomogRotate3D(angle, mgl64.Vec3{x, y, z}.Normalize())
	}
	key := mgl64.QuatRotate(0.7, mgl64.Vec3{1, 2, -3}.Normalize())
	c := &asset.Channel{Path: asset.Rotation, Times: []float32{0}, Values: []float32{float32(key.V[0]), float32(key.V[1]), float32(key.V[2]), float32(key.W)}}
	for _, side := range []float64{1, -1} {
		before := turn(0.4, 0, 1, 1).Mul4(mgl64.Scale3D(side, 1, 1))
		after := turn(-1.1, 2, 1, 0).Mul4(mgl64.Scale3D(side, 1, 1))
		want, _ := Decompose(before.Mul4(key.Mat4()).Mul4(after))
		v := turned(c, before, after).Values
		got := mgl64.Quat{W: float64(v[3]), V: mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}}
		if math.Abs(got.Dot(want.Turn)) < 1-1e-6 {
			t.Errorf("side %v: %v, want %v", side, got, want.Turn)
		}
	}
}
