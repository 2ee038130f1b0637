package unreal

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/seams"
	write "github.com/usher-assets/usher/write/unreal"
)

// tent is a Mesh of two materials: a square of one, and two triangles of the other on two of its edges.
func tent(t testing.TB) *archive {
	t.Helper()
	x, _ := Create(&format.Env{Name: "Tents.u"})
	a := x.(*archive)
	o := &unreal.Mesh{VertexBytes: 4, FrameVerts: 5, AnimFrames: 2, Scale: [3]float32{0.5, 0.5, 1}, Triangles: []unreal.Triangle{
		{Vertices: [3]uint16{0, 1, 2}, UV: [3][2]uint8{{0, 0}, {255, 0}, {255, 255}}},
		{Vertices: [3]uint16{0, 2, 3}, UV: [3][2]uint8{{0, 0}, {255, 255}, {0, 255}}},
		{Vertices: [3]uint16{0, 4, 1}, UV: [3][2]uint8{{0, 0}, {128, 128}, {255, 0}}, Texture: 1, Flags: unreal.PolyTwoSided},
		{Vertices: [3]uint16{2, 4, 3}, UV: [3][2]uint8{{255, 255}, {128, 128}, {0, 255}}, Texture: 1, Flags: unreal.PolyTwoSided},
	}, Vertices: [][3]int16{{0, 0, 0}, {100, 0, 0}, {100, 100, 0}, {0, 100, 0}, {50, 50, 80}, {0, 0, 0}, {100, 0, 0}, {100, 100, 0}, {0, 100, 0}, {50, 50, 90}}}
	o.Context, o.End = &unreal.Context{Package: a.Package, Class: "Mesh", Path: "Tent"}, a.AddName("None")
	walls := a.AddImport("Core", "Package", a.AddImport("Core", "Package", 0, "pictures"), "Walls")
	o.Textures = []unreal.Ref{a.AddImport("Engine", "Texture", walls, "Board"), a.AddImport("Engine", "Texture", walls, "Holes")}
	for f := range int(o.AnimFrames) {
		box, sphere := boundOf(o.Vertices[f*int(o.FrameVerts):][:o.FrameVerts])
		o.Boxes, o.Spheres = append(o.Boxes, box), append(o.Spheres, sphere)
		o.Primitive = unreal.Primitive{Box: box, Sphere: sphere} // the last frame is the largest
	}
	o.Primitive2 = o.Primitive
	b, err := write.Object(o)
	if err == nil {
		err = a.Fill(a.AddExport(a.AddClass("Engine", "Mesh"), 0, "Tent", unreal.ResourceFlags), b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestSeams: an edit of a single corner arrives at that corner and nowhere else, however an editor writes the mesh; of
// normals, which no mesh holds, and of coordinates beyond the edge of a texture is told that they do not.
func TestSeams(t *testing.T) {
	for _, c := range []struct {
		path   string
		source []byte
	}{
		{"Tent", written(t, tent(t))},
		{"Pyramid", written(t, made(t, 69))},
		{"Pyramid", written(t, made(t, 61))},
		{"Beasts.Worm", written(t, wormPackage(t))},
	} {
		t.Run(c.path, func(t *testing.T) { testSeams(t, c.source, c.path, 6) })
	}
	t.Run("corpus", func(t *testing.T) {
		if testing.Short() {
			t.Skip("takes seconds")
		}
		for _, e := range valid(t) {
			t.Run(e.File, func(t *testing.T) {
				b := corpus.Bytes(t, e.Path)
				if len(b) > 1<<20 {
					return
				}
				done := map[string]bool{}
				for _, x := range openBytes(t, e.File, b).Entries() {
					if !done[x.Class] && (x.Class == "Mesh" || x.Class == "LodMesh" || x.Class == "SkeletalMesh") {
						testSeams(t, b, x.Path, 1)
						done[x.Class] = true
					}
				}
			})
		}
	})
}

func testSeams(t *testing.T, source []byte, path string, corners int) {
	a := openBytes(t, "Seams.u", source)
	lifted := lifted(t, a, path).(*asset.Scene)
	if len(lifted.Meshes) == 0 {
		return
	}
	var glb bytes.Buffer
	if err := gltf.Encode(&glb, lifted, gltf.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, form := range seams.Forms {
		for _, e := range seams.Edits {
			seams.Corners(lifted.Meshes[0], corners, func(p, tri, k int) { testSeam(t, source, path, glb.Bytes(), form, e, p, tri, k) })
		}
	}
}

func testSeam(t *testing.T, source []byte, path string, glb []byte, form seams.Form, e seams.Edit, p, tri, k int) {
	t.Helper()
	s, err := gltf.Decode(glb, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	mesh := s.Meshes[0]
	seams.Reform(mesh, form)
	if !e.Apply(mesh, p, tri, k) || e.Normal && seams.Thin(mesh, p, tri) {
		return
	}
	d := new(schema.Diagnostics)
	a, err := open(bytes.NewReader(source), int64(len(source)), &format.Env{Name: "Seams.u", Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	got := lifted(t, replaced(t, a, path, through(t, s)), path).(*asset.Scene)
	limits := seams.Limits{Position: 1e-3, TexCoord: 5e-3} // a byte holds 256ths, and 255 for 1
	if diff := seams.Difference(mesh, got.Meshes[0], limits); diff != "" && !(e.Beyond && d.Has("texture-repeats")) {
		t.Errorf("%s: %s, %s, corner %d of triangle %d of primitive %d: %s\n%v", path, form.Name, e.Name, k, tri, p, diff, d.All())
	}
	if d.Has("normals") != e.Normal {
		t.Errorf("%s: %s, %s, corner %d of triangle %d of primitive %d: told of normals: %v: %v", path, form.Name, e.Name, k, tri, p, d.Has("normals"), d.All())
	}
}

// TestSourceSeams: the same of the pair of source files.
func TestSourceSeams(t *testing.T) {
	files := folder{}
	for _, name := range []string{"rock_d.3d", "rock_a.3d"} {
		files[name] = corpus.Bytes(t, corpus.Testdata(t, "unreal", name))
	}
	lift := func(f folder) *asset.Scene {
		v, err := mesh.DataFormat.Read(f["rock_d.3d"], nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := mesh.DataFormat.Lift(v, &format.Env{Name: "rock_d.3d", Files: f})
		if err != nil {
			t.Fatal(err)
		}
		return x.(*asset.Scene)
	}
	for _, form := range seams.Forms {
		for _, e := range seams.Edits {
			seams.Corners(lift(files).Meshes[0], 6, func(p, tri, k int) {
				s := through(t, lift(files)).(*asset.Scene)
				seams.Reform(s.Meshes[0], form)
				if !e.Apply(s.Meshes[0], p, tri, k) {
					return
				}
				d, got := new(schema.Diagnostics), folder{}
				v, err := mesh.DataFormat.Lower(through(t, s), &format.Env{Diagnostics: d, Emit: func(_ string, b []byte) error {
					got["rock_a.3d"] = b
					return nil
				}})
				if err == nil {
					got["rock_d.3d"], err = mesh.DataFormat.Write(v)
				}
				if err != nil {
					t.Fatal(err)
				}
				limits := seams.Limits{Position: 1e-3, TexCoord: 5e-3}
				if diff := seams.Difference(s.Meshes[0], lift(got).Meshes[0], limits); diff != "" && !(e.Beyond && d.Has("texture-repeats")) {
					t.Errorf("%s, %s, corner %d of triangle %d of primitive %d: %s\n%v", form.Name, e.Name, k, tri, p, diff, d.All())
				}
				if d.Has("normals") != e.Normal {
					t.Errorf("%s, %s, corner %d of triangle %d of primitive %d: %v", form.Name, e.Name, k, tri, p, d.All())
				}
			})
		}
	}
}

// TestBrushSeams: of normals and colours of a brush, which has none, is told, and that an edited one loses its textures.
func TestBrushSeams(t *testing.T) {
	v, err := t3dFormat.Read(corpus.Bytes(t, corpus.Testdata(t, "unreal", "pyramid.t3d")), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		told string
		edit func(p *asset.Primitive)
	}{
		{"", func(*asset.Primitive) {}},
		{"normals", func(p *asset.Primitive) { p.Normals[0] = [3]float32{p.Normals[0][1], p.Normals[0][2], p.Normals[0][0]} }},
		{"brush-plain", func(p *asset.Primitive) { p.TexCoords[0][0][0] += 0.25 }},
		{"vertex-colours", func(p *asset.Primitive) { p.Colors = make([][4]float32, len(p.Positions)) }},
	} {
		x, err := t3dFormat.Lift(v, &format.Env{Name: "pyramid.t3d"})
		if err != nil {
			t.Fatal(err)
		}
		s := through(t, x).(*asset.Scene)
		c.edit(s.Meshes[0].Primitives[0])
		d := new(schema.Diagnostics)
		if _, err := t3dFormat.Lower(through(t, s), &format.Env{Diagnostics: d}); err != nil {
			t.Fatal(err)
		}
		for _, code := range []string{"normals", "vertex-colours", "brush-plain"} {
			if d.Has(code) != (code == c.told) {
				t.Errorf("told %v, want %q", d.All(), c.told)
			}
		}
	}
}
