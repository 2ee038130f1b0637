package ultimate3d

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
)

var update = flag.Bool("update", false, "write the models of testdata anew")

// sculptor makes meshes out of quads, in the space of the files: y up, fronts clockwise.
type sculptor struct{ *ultimate3d.Mesh }

func sculpt(name string) sculptor {
	m := newMesh(name)
	m.TexCoordDimensions[0] = 2
	return sculptor{m}
}

func (s sculptor) vertex(p, n [3]float64, u, v float64) uint16 {
	s.Positions = append(s.Positions, narrow3(p))
	normal, _ := ultimate3d.NormalOf(narrow3(n))
	s.Normals = append(s.Normals, normal)
	s.TexCoords[0] = append(s.TexCoords[0], float32(u), float32(v))
	return uint16(len(s.Positions) - 1)
}

func (s sculptor) triangle(material int, a, b, c uint16) {
	s.Triangles = append(s.Triangles, [3]uint16{a, b, c})
	s.TriangleMaterials = append(s.TriangleMaterials, uint16(material))
}

// uvRect is a part of a texture.
type uvRect struct{ u0, v0, u1, v1 float64 }

// quad adds a flat face. Its corners go clockwise as seen from the front, from the top left corner of the texture.
func (s sculptor) quad(material int, a, b, c, d [3]float64, r uvRect) {
	n := scene.Wide3(unit(narrow3(cross(narrow3(a), narrow3(b), narrow3(c)))))
	i := s.vertex(a, n, r.u0, r.v0)
	s.vertex(b, n, r.u1, r.v0)
	s.vertex(c, n, r.u1, r.v1)
	s.vertex(d, n, r.u0, r.v1)
	s.triangle(material, i, i+1, i+2)
	s.triangle(material, i, i+2, i+3)
}

// box adds a box between two corners, turned by the angle around z and then moved.
func (s sculptor) box(material int, low, high, at [3]float64, angle float64, r uvRect) {
	sin, cos := math.Sincos(angle)
	p := func(x, y, z int) [3]float64 {
		v := low
		for k, top := range [3]int{x, y, z} {
			if top == 1 {
				v[k] = high[k]
			}
		}
		return [3]float64{cos*v[0] - sin*v[1] + at[0], sin*v[0] + cos*v[1] + at[1], v[2] + at[2]}
	}
	s.quad(material, p(0, 1, 0), p(1, 1, 0), p(1, 0, 0), p(0, 0, 0), r)
	s.quad(material, p(1, 1, 1), p(0, 1, 1), p(0, 0, 1), p(1, 0, 1), r)
	s.quad(material, p(0, 1, 1), p(0, 1, 0), p(0, 0, 0), p(0, 0, 1), r)
	s.quad(material, p(1, 1, 0), p(1, 1, 1), p(1, 0, 1), p(1, 0, 0), r)
	s.quad(material, p(0, 1, 1), p(1, 1, 1), p(1, 1, 0), p(0, 1, 0), r)
	s.quad(material, p(0, 0, 0), p(1, 0, 0), p(1, 0, 1), p(0, 0, 1), r)
}

// turned adds a surface of revolution around y: a profile of radius and height, from the bottom up, seen from outside.
func (s sculptor) turned(material, sides int, profile [][2]float64, r uvRect) {
	first := len(s.Positions)
	for i, ring := range profile {
		low, high := profile[max(i-1, 0)], profile[min(i+1, len(profile)-1)]
		slope := [2]float64{high[1] - low[1], low[0] - high[0]} // outwards, up
		for k := range sides + 1 {
			t := float64(k) / float64(sides)
			sin, cos := math.Sincos(2 * math.Pi * t)
			v := float64(i) / float64(len(profile)-1)
			s.vertex([3]float64{ring[0] * sin, ring[1], ring[0] * cos}, [3]float64{slope[0] * sin, slope[1], slope[0] * cos},
				r.u0+(r.u1-r.u0)*t, r.v1+(r.v0-r.v1)*v)
		}
	}
	for i := range len(profile) - 1 {
		for k := range sides {
			a := uint16(first + i*(sides+1) + k)
			c := a + uint16(sides) + 1
			s.triangle(material, a, a+1, c+1)
			s.triangle(material, a, c+1, c)
		}
	}
}

// noise is a repeatable number in 0 … 1.
func noise(x, y int) float64 {
	h := uint32(x)*374761393 + uint32(y)*668265263
	h = (h ^ h>>13) * 1274126177
	return float64((h^h>>16)&0xFFFF) / 0xFFFF
}

// paint makes a paletted picture: f returns a brightness in 0 … 1 and one of four tints.
func paint(t testing.TB, size int, tints [4][3]float64, f func(x, y int) (light float64, tint int)) []byte {
	t.Helper()
	texture := &asset.Texture{}
	for _, c := range tints {
		for k := range 16 {
			light := 0.45 + 0.55*float64(k)/15
			texture.Palette = append(texture.Palette, asset.RGBA{uint8(c[0] * light * 255), uint8(c[1] * light * 255), uint8(c[2] * light * 255), 255})
		}
	}
	img := asset.NewImage(size, size, asset.Indexed8)
	for y := range size {
		for x := range size {
			light, tint := f(x, y)
			img.Pix[y*size+x] = uint8(16*tint + min(max(int(light*16), 0), 15))
		}
	}
	texture.Frames = []asset.Frame{{Mips: []asset.Image{img}}}
	var b bytes.Buffer
	must(t, png.Encode(&b, texture, png.Options{}))
	return b.Bytes()
}

// masonry shows courses of stone with mortar between them.
func masonry(t testing.TB) []byte {
	tints := [4][3]float64{{0.86, 0.80, 0.70}, {0.80, 0.72, 0.62}, {0.90, 0.86, 0.78}, {0.62, 0.58, 0.53}}
	return paint(t, 128, tints, func(x, y int) (float64, int) {
		const height, width = 16, 32
		course := y / height
		stone := (x + course%2*width/2) % 128 / width
		dx, dy := (x+course%2*width/2)%width, y%height
		if dx < 2 || dy < 2 {
			return 0.35 + 0.2*noise(x, y), 3
		}
		shade := 0.7 + 0.25*noise(stone, course)
		if dx < 3 || dy < 3 {
			shade += 0.08
		}
		if dx > width-2 || dy > height-2 {
			shade -= 0.15
		}
		return shade - 0.12*noise(x/2, y/2), int(noise(course, stone+7) * 2.99)
	})
}

// The parts of the picture of wood and canvas.
var (
	planks   = uvRect{0.02, 0, 0.48, 1}
	shingles = uvRect{0.02, 0, 0.48, 1}
	canvas   = uvRect{0.53, 0.02, 0.97, 0.98}
)

// timber shows planks on its left half and canvas on its right.
func timber(t testing.TB) []byte {
	tints := [4][3]float64{{0.62, 0.40, 0.22}, {0.55, 0.34, 0.18}, {0.97, 0.94, 0.86}, {0.30, 0.18, 0.10}}
	return paint(t, 128, tints, func(x, y int) (float64, int) {
		if x >= 64 {
			light := 0.85 - 0.08*noise(x, y)
			if (x+y)%2 == 0 {
				light -= 0.04
			}
			if y%32 < 2 || (x-64)%32 < 1 {
				light -= 0.2
			}
			return light, 2
		}
		plank := x / 16
		if x%16 == 0 {
			return 0.2, 3
		}
		grain := noise(x, (y+plank*37)/12)
		return 0.75 - 0.3*grain - 0.1*noise(x, y), int(noise(plank, 3) * 1.99)
	})
}

func solid(name, texture string, content []byte) *ultimate3d.Material {
	return &ultimate3d.Material{
		Name: name, Diffuse: [4]float32{1, 1, 1, 1}, Ambient: [4]float32{1, 1, 1, 1}, Specular: [4]float32{0, 0, 0, 1}, Emissive: [4]float32{0, 0, 0, 1},
		ColorOp: [8]ultimate3d.ColorOp{5, 1, 1, 1, 1, 1, 1, 1}, ExportResources: ultimate3d.True,
		Textures: [8]*ultimate3d.Texture{{Used: 1, Identifier: texture, Width: 128, Height: 128, Content: content}},
	}
}

func attach(mesh int, x, y, z float32) []ultimate3d.Attachment {
	return []ultimate3d.Attachment{{Mesh: uint16(mesh), Transformation: [16]float32{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}}}
}

// windmill is a model with a skeleton: a tower, a cap that looks into the wind, and sails that turn.
func windmill(t testing.TB) *ultimate3d.Model {
	const stone, wood = 0, 1
	tower := sculpt("tower")
	tower.turned(stone, 20, [][2]float64{{2.75, 0}, {2.75, 0.45}}, uvRect{0, 0, 5, 0.3})
	tower.turned(stone, 20, [][2]float64{{2.75, 0.45}, {2.3, 0.46}}, uvRect{0, 0, 5, 0.2})
	tower.turned(stone, 20, [][2]float64{{2.3, 0.45}, {2.02, 1.9}, {1.78, 3.3}, {1.55, 4.7}, {1.4, 6}}, uvRect{0, 0, 5, 4})
	door := func(low, high float64, width, y, z float64) {
		tower.box(wood, [3]float64{-width, low, z - 0.3}, [3]float64{width, high, z}, [3]float64{0, y, 0}, 0, planks)
	}
	door(0, 1.5, 0.5, 0.45, 2.36)
	door(0, 0.65, 0.27, 4.15, 1.72)
	tower.turned(wood, 20, [][2]float64{{2.0, 2.35}, {2.9, 2.55}, {2.9, 2.65}, {1.9, 2.66}}, uvRect{0.02, 0, 0.48, 1})
	for k := range 20 {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / 20)
		tower.box(wood, [3]float64{-0.05, 0, -0.05}, [3]float64{0.05, 0.7, 0.05}, [3]float64{2.78 * sin, 2.65, 2.78 * cos}, 0, uvRect{0.02, 0, 0.1, 0.5})
	}
	rail := [][2]float64{{2.72, 3.33}, {2.84, 3.33}, {2.84, 3.43}, {2.72, 3.43}, {2.72, 3.33}}
	for k := range 4 {
		tower.turned(wood, 20, rail[k:k+2], uvRect{0.02, 0, 0.48, 0.1})
	}

	roof := sculpt("cap")
	roof.turned(wood, 20, [][2]float64{{1.35, -0.05}, {1.62, -0.05}, {1.62, 0.12}}, uvRect{0.02, 0, 0.48, 0.3})
	roof.turned(wood, 20, [][2]float64{{1.62, 0.12}, {1.58, 0.6}, {1.38, 1.1}, {1.0, 1.55}, {0.5, 1.85}, {0.001, 1.95}}, uvRect{0, 0, 3, 1}.within(shingles))
	roof.box(wood, [3]float64{-0.16, -0.16, 0}, [3]float64{0.16, 0.16, 1.5}, [3]float64{0, 0.65, 1.0}, math.Pi/4, planks)

	sails := sculpt("sails")
	sails.box(wood, [3]float64{-0.24, -0.24, -0.12}, [3]float64{0.24, 0.24, 0.2}, [3]float64{}, math.Pi/4, planks)
	for k := range 4 {
		angle := math.Pi/4 + float64(k)*math.Pi/2
		sails.box(wood, [3]float64{-0.07, 0, -0.07}, [3]float64{0.07, 4.1, 0.07}, [3]float64{}, angle, uvRect{0.02, 0, 0.2, 1})
		for rung := range 7 {
			y := 0.9 + 0.5*float64(rung)
			sails.box(wood, [3]float64{-0.16, y, -0.03}, [3]float64{0.86, y + 0.05, 0.03}, [3]float64{}, angle, uvRect{0.02, 0, 0.1, 0.4})
		}
		sails.box(wood, [3]float64{0.8, 0.9, -0.03}, [3]float64{0.86, 3.95, 0.03}, [3]float64{}, angle, uvRect{0.02, 0, 0.1, 1})
		sails.box(wood, [3]float64{0.07, 0.95, 0.035}, [3]float64{0.8, 3.9, 0.045}, [3]float64{}, angle, canvas)
	}

	m := &ultimate3d.Model{
		Version: 1, MeshesPerFrame: 3, LODs: 1, Frames: 121, AlphaBlending: ultimate3d.True, CelShadingColor: [4]float32{0, 0, 0, 1},
		Meshes:    []*ultimate3d.Mesh{tower.Mesh, roof.Mesh, sails.Mesh},
		Materials: []*ultimate3d.Material{solid("masonry", "masonry.png", masonry(t)), solid("timber", "timber.png", timber(t))},
		Bones: []*ultimate3d.Bone{
			{Name: "windmill", Parent: ultimate3d.RootParent, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True, Attachments: attach(0, 0, 0, 0)},
			{Name: "cap", Parent: 0, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True, Attachments: attach(1, 0, 0, 0),
				Translation: []ultimate3d.VectorKey{{Value: [3]float32{0, 6, 0}}}},
			{Name: "sails", Parent: 1, BoneFrame: -1, PassOnBoneFrame: ultimate3d.True, Attachments: attach(2, 0, 0, 0),
				Translation: []ultimate3d.VectorKey{{Value: [3]float32{0, 0.65, 2.55}}}},
		},
	}
	for k := range 5 {
		sin, cos := math.Sincos(math.Pi / 8 * math.Sin(math.Pi/2*float64(k)) / 2)
		m.Bones[1].Rotation = append(m.Bones[1].Rotation, ultimate3d.RotationKey{Frame: uint16(30 * k), Value: [4]float32{0, float32(sin), 0, float32(cos)}})
		sin, cos = math.Sincos(math.Pi / 4 * float64(k))
		m.Bones[2].Rotation = append(m.Bones[2].Rotation, ultimate3d.RotationKey{Frame: uint16(30 * k), Value: [4]float32{0, 0, float32(sin), float32(cos)}})
	}
	return m
}

// within maps a part of a texture into another.
func (r uvRect) within(o uvRect) uvRect {
	f := func(t float64) float64 { return o.u0 + (o.u1-o.u0)*t }
	return uvRect{f(0), r.v0, f(1), r.v1}
}

// reed bends with four bones a vertex.
func reed(testing.TB) *ultimate3d.Model {
	s := sculpt("reed")
	var profile [][2]float64
	for i := range 13 {
		profile = append(profile, [2]float64{0.2 * (1 - float64(i)/14), float64(i) / 4})
	}
	s.turned(0, 6, profile, uvRect{0, 0, 1, 1})
	m := &ultimate3d.Model{
		Version: 1, MeshesPerFrame: 1, LODs: 1, Frames: 31, AlphaBlending: ultimate3d.True, Meshes: []*ultimate3d.Mesh{s.Mesh},
		Materials: []*ultimate3d.Material{{Name: "green", Diffuse: [4]float32{0.3, 0.6, 0.2, 1}, ColorOp: [8]ultimate3d.ColorOp{3, 1, 1, 1, 1, 1, 1, 1}}},
	}
	s.StoredWeights = 3
	s.Weights, s.WeightBones = make([]float32, 3*len(s.Positions)), make([][4]uint8, len(s.Positions))
	for v, p := range s.Positions {
		var list []influence
		sum := float32(0)
		for b := range 4 {
			if w := 1 - float32(math.Abs(float64(p[1])-float64(b)*0.75)); w > 0 {
				list = append(list, influence{b, w})
				sum += w
			}
		}
		for i := range list {
			list[i].weight /= sum
		}
		setInfluences(s.Mesh, v, list)
	}
	for b := range 4 {
		bone := &ultimate3d.Bone{Name: string(rune('a' + b)), Parent: uint16(b - 1), BoneFrame: -1, PassOnBoneFrame: ultimate3d.True, Attachments: attach(0, 0, -0.75*float32(b), 0)}
		if b > 0 {
			bone.Translation = []ultimate3d.VectorKey{{Value: [3]float32{0, 0.75, 0}}}
		} else {
			bone.Parent = ultimate3d.RootParent
		}
		for k := range 3 {
			sin, cos := math.Sincos(0.2 * float64(k%2))
			bone.Rotation = append(bone.Rotation, ultimate3d.RotationKey{Frame: uint16(15 * k), Value: [4]float32{0, 0, float32(sin), float32(cos)}})
		}
		m.Bones = append(m.Bones, bone)
	}
	return m
}

// flagModel waves: frames of one mesh, with tweening, that share triangles and texture coordinates.
func flagModel(testing.TB) *ultimate3d.Model {
	const columns, rows, frames = 8, 5, 6
	m := &ultimate3d.Model{
		Version: 1, MeshesPerFrame: 1, LODs: 1, Frames: frames, VertexTweening: ultimate3d.True,
		Materials: []*ultimate3d.Material{{Name: "cloth", Diffuse: [4]float32{0.8, 0.1, 0.1, 1}, ColorOp: [8]ultimate3d.ColorOp{3, 1, 1, 1, 1, 1, 1, 1}}},
	}
	for f := range frames {
		s := sculpt("flag")
		s.Frame = uint16(f)
		for y := range rows {
			for x := range columns {
				phase := 2 * math.Pi * (float64(x)/columns - float64(f)/frames)
				lean := 0.15 * math.Cos(phase) * float64(x) / columns
				s.vertex([3]float64{float64(x) / 4, float64(y) / 4, 0.15 * math.Sin(phase) * float64(x) / columns}, [3]float64{lean, 0, -1}, float64(x)/(columns-1), 1-float64(y)/(rows-1))
			}
		}
		if f > 0 {
			s.TextureCoordinatesOwned, s.TrianglesOwned, s.TexCoords = 0, 0, [8][]float32{}
			s.SharedTriangles = uint16(len(m.Meshes[0].Triangles))
			m.Meshes = append(m.Meshes, s.Mesh)
			continue
		}
		for y := range rows - 1 {
			for x := range columns - 1 {
				a := uint16(y*columns + x)
				s.triangle(0, a, a+columns, a+columns+1)
				s.triangle(0, a, a+columns+1, a+1)
			}
		}
		m.Meshes = append(m.Meshes, s.Mesh)
	}
	return m
}

// ball has three levels of detail.
func ball(testing.TB) *ultimate3d.Model {
	m := &ultimate3d.Model{
		Version: 1, MeshesPerFrame: 1, LODs: 3, Frames: 1, LODLevels: []float32{0.25, 0.0625}, LODDistancesSq: []float32{400, 2500},
		Materials: []*ultimate3d.Material{{Name: "blue", Diffuse: [4]float32{0.2, 0.4, 0.9, 1}, Specular: [4]float32{1, 1, 1, 1}, SpecularPower: 40, ColorOp: [8]ultimate3d.ColorOp{3, 1, 1, 1, 1, 1, 1, 1}}},
	}
	for k, sides := range []int{24, 12, 6} {
		s := sculpt("ball")
		var profile [][2]float64
		for i := range sides/2 + 1 {
			sin, cos := math.Sincos(math.Pi * float64(i) / float64(sides/2))
			profile = append(profile, [2]float64{sin, -cos})
		}
		s.turned(0, sides, profile, uvRect{0, 0, 1, 1})
		if k > 0 {
			s.LOD = m.LODLevels[k-1]
		}
		m.Meshes = append(m.Meshes, s.Mesh)
	}
	return m
}

var samples = map[string]func(testing.TB) *ultimate3d.Model{"windmill": windmill, "reed": reed, "flag": flagModel, "ball": ball}

// TestSamples holds the models of testdata against what makes them. They must be sound: no oddity to report, and every
// normal on the side of its triangle's front.
func TestSamples(t *testing.T) {
	for name, f := range samples {
		m := f(t)
		path := filepath.Join(corpus.Testdata(t, "ultimate3d"), name+".u3d")
		if *update {
			must(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must(t, os.WriteFile(path, mustWrite(t, m), 0o666))
		}
		if runtime.GOARCH == "amd64" { // elsewhere sines differ in their last bits
			corpus.SameBytes(t, name, corpus.Bytes(t, path), mustWrite(t, m))
		}
		for i := range m.Meshes {
			s := shapeOf(m, i)
			for _, v := range s.triangles {
				n := cross(s.positions[v[0]], s.positions[v[1]], s.positions[v[2]])
				if flat := unit(narrow3(n)); n[0]*n[0]+n[1]*n[1]+n[2]*n[2] > 1e-12 && dot(flat, s.normals[v[0]]) < 0.1 {
					t.Fatalf("%s: mesh %d, triangle %v faces %v, its normal is %v", name, i, v, flat, s.normals[v[0]])
				}
			}
		}
	}
}
