package asset

import (
	"errors"
	"testing"

	"github.com/usher-assets/usher/schema"
)

func TestCheck(t *testing.T) {
	shape := func(change func(p *Primitive)) Asset {
		p := &Primitive{Positions: make([][3]float32, 3), Indices: []uint32{0, 1, 2}}
		change(p)
		return &Scene{Roots: []*Node{{Mesh: &Mesh{Name: "m", Primitives: []*Primitive{p}}}}}
	}
	looks := func(r *TextureRef) Asset { return &Scene{Materials: []*Material{{Name: "red", BaseColorTexture: r}}} }
	moves := func(path Path, kind Interpolation, times, values int) Asset {
		c := &Channel{Path: path, Interpolation: kind, Times: make([]float32, times), Values: make([]float32, values)}
		return &Scene{Animations: []*Animation{{Name: "run", Channels: []*Channel{c}}}}
	}
	picture := func(m ...Image) Asset { return &Texture{Name: "t", Frames: []Frame{{Mips: m}}} }
	tests := []struct {
		name string
		a    Asset
		want string
	}{
		{"nothing", nil, ""},
		{"no scene", (*Scene)(nil), ""},
		{"a text", &Text{}, ""},
		{"a triangle", shape(func(*Primitive) {}), ""},
		{"a triangle that is loaded later", shape(func(p *Primitive) { p.Positions, p.Load = nil, func() (*Primitive, error) { return p, nil } }), ""},
		{"no vertex", shape(func(p *Primitive) { p.Indices[2] = 3 }), `mesh "m", primitive 0: Indices: there is no vertex 3 of 3`},
		{"neither triangles nor lines nor points", shape(func(p *Primitive) { p.Mode = Points + 1 }), `mesh "m", primitive 0: Mode: there is no mode 3`},
		{"points", shape(func(p *Primitive) { p.Mode = Points }), ""},
		{"normals", shape(func(p *Primitive) { p.Normals = make([][3]float32, 2) }), `mesh "m", primitive 0: Positions: 3 of them, and 2 values of another attribute`},
		{"tangents", shape(func(p *Primitive) { p.Tangents = make([][4]float32, 4) }), `mesh "m", primitive 0: Positions: 3 of them, and 4 values of another attribute`},
		{"colours", shape(func(p *Primitive) { p.Colors = make([][4]float32, 1) }), `mesh "m", primitive 0: Positions: 3 of them, and 1 values of another attribute`},
		{"texture coordinates", shape(func(p *Primitive) { p.TexCoords = [][][2]float32{nil, make([][2]float32, 2)} }), `mesh "m", primitive 0: Positions: 3 of them, and 2 values of another attribute`},
		{"morph target", shape(func(p *Primitive) { p.Targets = []Target{{Normals: make([][3]float32, 2)}} }), `mesh "m", primitive 0: Positions: 3 of them, and 2 values of another attribute`},
		{"joints alone", shape(func(p *Primitive) { p.Joints = make([][][4]uint16, 1) }), `mesh "m", primitive 0: Weights: 0 sets of them, and 1 of joints`},
		{"too few weights", shape(func(p *Primitive) {
			p.Joints, p.Weights = [][][4]uint16{make([][4]uint16, 3)}, [][][4]float32{make([][4]float32, 2)}
		}), `mesh "m", primitive 0: Weights: 3 positions, 3 joints and 2 weights`},
		{"too few joints", shape(func(p *Primitive) {
			p.Joints, p.Weights = [][][4]uint16{nil}, [][][4]float32{make([][4]float32, 3)}
		}), `mesh "m", primitive 0: Weights: 3 positions, 0 joints and 3 weights`},
		{"a mesh that no node shows", &Scene{Meshes: []*Mesh{{Primitives: []*Primitive{{Indices: []uint32{0}}}}}}, `mesh "", primitive 0: Indices: there is no vertex 0 of 0`},
		{"a picture", picture(NewImage(2, 3, Gray16)), ""},
		{"a frame without", picture(), "texture: Mips: frame 0 has no picture"},
		{"pixels missing", picture(Image{Width: 2, Height: 3, Pix: make([]byte, 20)}), `texture "t", frame 0: Pix: 20 bytes for 2 × 3 pixels`},
		{"pixels in a file", &Texture{File: &Stored{}, Frames: []Frame{{Mips: []Image{{Width: 2, Height: 3}}}}}, ""},
		{"some pixels in a file", &Texture{Name: "t", File: &Stored{}, Frames: []Frame{{Mips: []Image{{Width: 2, Height: 3, Format: Gray8, Pix: make([]byte, 7)}}}}}, `texture "t", frame 0: Pix: 7 bytes for 2 × 3 pixels`},
		{"turned inside out", picture(Image{Width: -2, Height: -3, Format: Gray8, Pix: make([]byte, 6)}), `texture "t", frame 0: Pix: 6 bytes for -2 × -3 pixels`},
		{"higher than anything", picture(Image{Width: 0, Height: 1<<24 + 1}), `texture "t", frame 0: Pix: 0 bytes for 0 × 16777217 pixels`},
		{"pixels of no format", picture(Image{Width: 1, Height: 1, Format: Gray16 + 1, Pix: []byte{0}}), `texture "t", frame 0: Pix: 1 bytes for 1 × 1 pixels`},
		{"a face", &Texture{Name: "t", Frames: []Frame{{Mips: []Image{NewImage(1, 1, Gray8)}, Faces: []Image{{Width: 1, Height: 1}}}}}, `texture "t", frame 0: Pix: 0 bytes for 1 × 1 pixels`},
		{"a reference to nothing", looks(&TextureRef{}), `scene: TextureRef: the material "red" has a reference to no texture, or to no set of coordinates`},
		{"coordinates before the first", looks(&TextureRef{Texture: &Texture{}, TexCoord: -1}), `scene: TextureRef: the material "red" has a reference to no texture, or to no set of coordinates`},
		{"a broken texture of a material", looks(&TextureRef{Texture: &Texture{Frames: []Frame{{}}}}), "texture: Mips: frame 0 has no picture"},
		{"a broken texture of the scene", &Scene{Textures: []*Texture{{Frames: []Frame{{}}}}}, "texture: Mips: frame 0 has no picture"},
		{"a glossy one", &Scene{Materials: []*Material{{Name: "red", Specular: &Specular{Texture: &TextureRef{}}}}}, `scene: TextureRef: the material "red" has a reference to no texture, or to no set of coordinates`},
		{"moves", moves(Translation, LinearKeys, 2, 6), ""},
		{"does not move", moves(Translation, LinearKeys, 0, 0), ""},
		{"moves in curves", moves(Rotation, CubicKeys, 2, 24), ""},
		{"curves without tangents", moves(Rotation, CubicKeys, 2, 8), `animation "run": Values: 8 of them, and 2 times`},
		{"turns by three", moves(Rotation, LinearKeys, 2, 6), `animation "run": Values: 6 of them, and 2 times`},
		{"half a key", moves(MorphWeights, LinearKeys, 2, 5), `animation "run": Values: 5 of them, and 2 times`},
		{"moves nothing known", moves(MorphWeights+1, LinearKeys, 1, 1), `animation "run": Values: 1 of them, and 1 times`},
		{"a sound", &Sound{Channels: 1, Bits: 8, Rate: 1}, ""},
		{"fewer than no channels", &Sound{Channels: -1}, "sound: Channels: -1 channels of 0 bits at 0 a second"},
		{"a table", &Table{Columns: []string{"a", "b"}, Rows: [][]any{{1, 2}}, Keys: []string{"b"}, Held: []int{0, 1}}, ""},
		{"a short row", &Table{Columns: []string{"a", "b"}, Rows: [][]any{{1, 2}, {1}}}, "table: Rows: row 1 has 1 cells, and there are 2 columns"},
		{"a key of nothing", &Table{Keys: []string{"a"}}, `table: Keys: there is no column "a"`},
		{"held by more keys than there are", &Table{Columns: []string{"a"}, Held: []int{1}}, "table: Held: column 0 depends on 1 of 0 keys"},
		{"held by fewer than none", &Table{Columns: []string{"a"}, Held: []int{-1}}, "table: Held: column 0 depends on -1 of 0 keys"},
		{"held, and no column", &Table{Held: []int{0}}, "table: Held: column 0 depends on 0 of 0 keys"},
	}
	for _, tt := range tests {
		err := Check(tt.a)
		if got := ""; err != nil {
			if got = err.Error(); got != tt.want || !errors.Is(err, schema.ErrMismatch) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
			}
		} else if tt.want != "" {
			t.Errorf("%s: nothing, want %s", tt.name, tt.want)
		}
	}
}
