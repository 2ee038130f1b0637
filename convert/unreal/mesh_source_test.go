package unreal

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// folder is a set of files by lower-case name.
type folder map[string][]byte

func (f folder) Find(names ...string) ([]byte, string, error) {
	for _, n := range names {
		if b, ok := f[strings.ToLower(n)]; ok {
			return b, n, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// The pair of source files of a vertex mesh goes to a scene and back: the same bytes; edited, the two files say so.
func TestMeshSources(t *testing.T) {
	data := &unreal.MeshData{Vertices: 4, Polys: []unreal.SourcePoly{
		{Vertices: [3]uint16{0, 1, 2}, Type: 1, Color: 7, UV: [3][2]uint8{{0, 0}, {255, 0}, {0, 255}}},
		{Vertices: [3]uint16{0, 2, 3}, Type: 18, Texture: 1, UV: [3][2]uint8{{1, 2}, {3, 4}, {5, 6}}},
	}}
	aniv := &unreal.MeshAniv{VertexBytes: 4, FrameBytes: 16, Frames: [][][3]int16{
		{{0, 0, 0}, {100, 0, 0}, {0, 100, 0}, {0, 0, 100}},
		{{0, 0, 0}, {100, 0, 0}, {0, 100, 0}, {0, 0, 200}},
	}}
	b, err := write.MeshData(data)
	if err != nil {
		t.Fatal(err)
	}
	a, err := write.MeshAniv(aniv)
	if err != nil {
		t.Fatal(err)
	}
	env := &format.Env{Name: "Rock_d.3d", Files: folder{"rock_a.3d": a}}
	v, err := mesh.DataFormat.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := mesh.DataFormat.Lift(v, env)
	if err != nil {
		t.Fatal(err)
	}
	s := through(t, x).(*asset.Scene)
	if len(s.Meshes[0].Primitives) != 2 || len(s.Meshes[0].Primitives[0].Targets) != 1 {
		t.Fatalf("%d primitives", len(s.Meshes[0].Primitives))
	}
	lower := func() (data, frames []byte) {
		env := &format.Env{Emit: func(name string, b []byte) error { frames = b; return nil }}
		y, err := mesh.DataFormat.Lower(s, env)
		if err != nil {
			t.Fatal(err)
		}
		if data, err = mesh.DataFormat.Write(y); err != nil {
			t.Fatal(err)
		}
		return data, frames
	}
	gotData, gotFrames := lower()
	corpus.SameBytes(t, "data", gotData, b)
	corpus.SameBytes(t, "frames", gotFrames, a)
	s.Meshes[0].Primitives[1].Targets[0].Positions[0][1] += 3
	gotData, gotFrames = lower()
	if len(gotData) != len(b) || bytes.Equal(gotFrames, a) || gotFrames[0] != 2 {
		t.Errorf("edited: %d bytes of data, frames %x", len(gotData), gotFrames)
	}
	if _, err := mesh.DataFormat.Lift(v, &format.Env{Name: "Rock_d.3d", Files: folder{"rock_a.3d": a[:3]}}); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("with frames that are cut off: %v", err)
	}
	if _, err := mesh.DataFormat.Lift(v, &format.Env{Name: "Alone_d.3d"}); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("without frames: %v", err)
	}
	if mesh.DataFormat.Probe(&format.Input{Name: "Rock_d.3d", Head: b, Size: int64(len(b))}) != format.Structural ||
		mesh.AnivFormat.Probe(&format.Input{Name: "Rock_a.3d", Head: a, Size: int64(len(a))}) != format.Structural {
		t.Error("the pair is not known")
	}
}

// A brush goes to T3D text, is edited there, and comes back.
func TestBrushText(t *testing.T) {
	brushText(t, gallery(t, 69))
	t.Run("corpus", func(t *testing.T) {
		brushText(t, openBytes(t, "box.unr", corpus.Bytes(t, corpus.Folder(t, "unreal")+"/1HH-TestBox.unr")))
	})
	if _, err := t3dFormat.Lift(&unreal.T3D{Items: []unreal.T3DItem{{Line: "Begin Polygon", Items: []unreal.T3DItem{{Line: "Vertex 1,2"}}}}}, &format.Env{}); schema.Class(err) != schema.ErrValue {
		t.Errorf("half a vertex: %v", err)
	}
	// Any scene becomes a brush of triangles.
	v, err := t3dFormat.Lower(pyramid(), &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	polys, err := t3d.Polygons(v.(*unreal.T3D).Items, nil)
	if err != nil || len(polys) != 4 {
		t.Errorf("%d polygons, %v", len(polys), err)
	}
}

// brushText takes the polygons of the last brush of a package through text.
func brushText(t *testing.T, a *archive) {
	t.Helper()
	path := ""
	for _, e := range a.Entries() {
		if e.Class == "Polys" {
			if o, err := a.Object(entry(t, a, e.Path)); err == nil && len(o.(*unreal.Polys).Polys) > 0 {
				path = e.Path
			}
		}
	}
	s := lifted(t, a, path).(*asset.Scene)
	v, err := t3dFormat.Lower(s, &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := t3dFormat.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	if probeT3D(&format.Input{Head: b}) != format.Magic || !strings.Contains(string(b), "\r\n         Vertex   +") {
		t.Fatalf("text %.300q", b)
	}
	old, _ := a.Object(entry(t, a, path))
	edited := strings.Replace(string(b), "Begin Polygon", "Begin Polygon Item=Roof", 1)
	v, err = t3dFormat.Read([]byte(edited), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := t3dFormat.Lift(v, &format.Env{Name: "brush.t3d"})
	if err != nil {
		t.Fatal(err)
	}
	if len(x.(*asset.Scene).Meshes) != 1 {
		t.Errorf("the brush has no shape")
	}
	again, err := t3dFormat.Lower(through(t, x).(*asset.Scene), &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := t3dFormat.Write(again)
	corpus.SameBytes(t, "text there and back", got, []byte(edited))
	n := replaced(t, a, path, x)
	o, err := n.Object(entry(t, n, path))
	if err != nil {
		t.Fatal(err)
	}
	p, q := o.(*unreal.Polys).Polys, old.(*unreal.Polys).Polys
	if len(p) != len(q) || n.Name(p[0].Item) != "Roof" || p[0].Flags != q[0].Flags || !slices.Equal(p[0].Vertices, q[0].Vertices) {
		t.Errorf("first polygon %+v, was %+v", p[0], q[0])
	}
}

// A mesh finds its skin in another package beside it.
func TestOtherPackages(t *testing.T) {
	skins, err := Create(&format.Env{Name: "Skins0.utx"})
	if err != nil {
		t.Fatal(err)
	}
	add(t, skins.(*archive), "Group/Jskin", checkerboard(16, 16), format.Texture)
	b := corpus.Bytes(t, corpus.Folder(t, "unreal")+"/synthetic/syn_mesh_v66.u")
	for _, c := range []struct {
		files format.Files
		want  bool
	}{{nil, false}, {folder{"skins0.utx": written(t, skins)}, true}, {folder{"skins0.utx": []byte("damaged")}, false}} {
		a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "m.u", Files: c.files})
		if err != nil {
			t.Fatal(err)
		}
		s := lifted(t, a, "Thing0").(*asset.Scene)
		if got := len(s.Textures) == 1; got != c.want {
			t.Errorf("%v: %d textures", c.files != nil, len(s.Textures))
		}
		back(t, a, 0, map[string]int{})
	}
}

// FuzzLift: nothing that a package holds may bring a conversion down, and what was not edited comes back.
func FuzzLift(f *testing.F) {
	for _, version := range []uint16{60, 65, 69} {
		f.Add(written(f, made(f, version)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := open(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			return
		}
		for i, e := range a.Entries() {
			payload, err := a.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			e.Format = formatOf(a, i)
			v, err := e.Format.Read(payload, nil)
			if err != nil || e.Format.Lift == nil {
				continue
			}
			x, err := e.Format.Lift(v, &format.Env{})
			if err != nil {
				continue
			}
			y, err := e.Format.Lower(x, &format.Env{})
			if err != nil {
				continue
			}
			if got, err := e.Format.Write(y); err != nil || !bytes.Equal(got, payload) {
				t.Fatalf("%s %s: %x became %x, %v", e.Class, e.Path, payload, got, err)
			}
		}
	})
}

func BenchmarkLift(b *testing.B) {
	for _, name := range []string{"BTmv.utx", "Endemia.u", "DM-Flux.unr"} {
		b.Run(name, func(b *testing.B) {
			data := corpus.Bytes(b, corpus.Folder(b, "unreal")+"/"+name)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				a := openBytes(b, name, data)
				for i, e := range a.Entries() {
					if e.Format.Lift == nil {
						continue
					}
					p, _ := a.Payload(i)
					e.Format = formatOf(a, i)
					v, err := e.Format.Read(p, nil)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := e.Format.Lift(v, &format.Env{}); err != nil && schema.Class(err) != schema.ErrUnsupported {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkListing(b *testing.B) {
	data := corpus.Bytes(b, corpus.Folder(b, "unreal")+"/SiegeIV_0032beta9.u")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		openBytes(b, "x.u", data)
	}
}

// The script beside a pair has its sequences: they are animations of the scene, and edits of those are edits of its lines.
func TestMeshScript(t *testing.T) {
	const script = "class Rock extends Actor;\n#exec MESH IMPORT MESH=Rock ANIVFILE=Rock_a.3d DATAFILE=Rock_d.3d\n" +
		"#exec MESH SEQUENCE MESH=Rock SEQ=All STARTFRAME=0 NUMFRAMES=2\n#exec MESH SEQUENCE MESH=Rock SEQ=Spin STARTFRAME=0 NUMFRAMES=2 RATE=10\n" +
		"#exec MESHMAP SCALE MESHMAP=Rock X=2 Y=2 Z=2\n"
	data, frames := corpus.Bytes(t, corpus.Testdata(t, "unreal", "rock_d.3d")), corpus.Bytes(t, corpus.Testdata(t, "unreal", "rock_a.3d"))
	for _, c := range []struct {
		what string
		edit func(s *asset.Scene)
		want string // the script
		grow int    // more frames
	}{
		{"nothing", func(*asset.Scene) {}, script, 0},
		{"a place", func(s *asset.Scene) { s.Roots[0].Children[0].Mesh.Primitives[0].Positions[0][1] += 3 }, script, 0},
		{"a slower animation", func(s *asset.Scene) { s.Animations[1].Channels[0].Times[1] = 0.5 }, strings.Replace(script, "RATE=10", "RATE=2", 1), 0},
		{"a new animation", func(s *asset.Scene) {
			x := *s.Animations[1]
			x.Name, x.Channels = "Still", []*asset.Channel{{Node: x.Channels[0].Node, Path: asset.MorphWeights, Times: []float32{0}, Values: []float32{1}}}
			s.Animations = append(s.Animations, &x)
		}, strings.Replace(script, "RATE=10\n", "RATE=10\n#exec MESH SEQUENCE MESH=Rock SEQ=Still STARTFRAME=1 NUMFRAMES=1 RATE=30\n", 1), 0},
		{"a blended animation", func(s *asset.Scene) {
			s.Animations[1].Channels[0].Values = []float32{0.5, 0.25}
		}, strings.NewReplacer("NUMFRAMES=2\n", "NUMFRAMES=4 RATE=30\n", "STARTFRAME=0 NUMFRAMES=2 RATE=10", "STARTFRAME=2 NUMFRAMES=2 RATE=10").Replace(script), 2},
	} {
		v, err := mesh.DataFormat.Read(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := mesh.DataFormat.Lift(v, &format.Env{Name: "Rock_d.3d", Files: folder{"rock_a.3d": frames, "rock.uc": []byte(script)}})
		if err != nil {
			t.Fatal(err)
		}
		s := through(t, x).(*asset.Scene)
		if len(s.Animations) != 2 || s.Animations[1].Name != "Spin" {
			t.Fatalf("%d animations", len(s.Animations))
		}
		c.edit(s)
		made := folder{}
		if _, err := mesh.DataFormat.Lower(s, &format.Env{Emit: func(name string, b []byte) error { made[strings.ToLower(name)] = b; return nil }}); err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := string(made["rock.uc"]); got != c.want {
			t.Errorf("%s: %s", c.what, got)
		}
		if got := len(made["rock_a.3d"]); c.what != "a place" && got != len(frames)+c.grow*(len(frames)-4)/2 {
			t.Errorf("%s: %d bytes of frames, %d before", c.what, got, len(frames))
		}
		if c.what != "a place" && !bytes.HasPrefix(made["rock_a.3d"][4:], frames[4:]) {
			t.Errorf("%s: other frames", c.what)
		}
	}
}

// TestPlacedSources: a mesh of a package becomes a pair with the numbers that it has, which its script places; wherever somebody put
// it, and whatever is above it, the pair and its script show the same.
func TestPlacedSources(t *testing.T) {
	f := pack.Scratch()
	m := &unreal.Mesh{VertexBytes: 4, FrameVerts: 4, AnimFrames: 2, Vertices: [][3]int16{{}, {100, 0, 0}, {0, 100, 0}, {0, 0, 100}, {}, {100, 0, 0}, {0, 100, 0}, {0, 0, 200}},
		Triangles: []unreal.Triangle{{Vertices: [3]uint16{0, 1, 2}, UV: [3][2]uint8{{0, 0}, {255, 0}, {0, 255}}}, {Vertices: [3]uint16{0, 2, 3}}},
		Scale:     [3]float32{0.5, 0.25, 2}, Origin: [3]float32{10, -20, 30}, RotOrigin: [3]int32{300, -16384, 77}}
	m.Context = &unreal.Context{Package: f.Package, Path: "Rock", Class: "Mesh"}
	m.Sequences = []unreal.Sequence{{Name: f.AddName("All"), Group: f.AddName("None"), Frames: 2, Rate: 10}}
	for _, c := range []struct {
		name     string
		edit     func(root, n *asset.Node)
		rescaled bool
	}{
		{"as it was", func(_, _ *asset.Node) {}, false},
		{"elsewhere", func(_, n *asset.Node) { n.Transform.Translation = [3]float32{5, 6, 7} }, false},
		{"larger", func(_, n *asset.Node) { n.Transform.Scale[1] *= 3 }, false},
		{"turned", func(_, n *asset.Node) { n.Transform.Rotation = [4]float32{0.5, 0.5, 0.5, 0.5} }, false},
		{"moved with what is above it", func(root, _ *asset.Node) { root.Transform.Translation[0] = 2 }, true},
		{"larger with what is above it", func(root, _ *asset.Node) { root.Transform.Scale = [3]float32{0.05, 0.05, 0.05} }, true},
		{"turned with what is above it", func(root, _ *asset.Node) { root.Transform.Rotation = [4]float32{0, 0.6, 0, 0.8} }, true},
	} {
		x, err := mesh.Lift(f, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := through(t, x).(*asset.Scene)
		c.edit(s.Roots[0], space.Shown(s)[0].Node)
		want := corners(s, s.Animations[0], 0.1)
		made, d := folder{}, new(schema.Diagnostics)
		data, err := MeshData.Lower(s, &format.Env{Diagnostics: d, Emit: func(name string, b []byte) error { made[strings.ToLower(name)] = b; return nil }})
		if err != nil {
			t.Fatal(err)
		}
		aniv, err := read.MeshAniv(made["rock_a.3d"], int(data.Vertices), nil)
		if err != nil || d.Has("mesh-rescaled") != c.rescaled || !c.rescaled && !slices.Equal(slices.Concat(aniv.Frames...), m.Vertices) {
			t.Errorf("%s: %v, %v, %v", c.name, aniv, err, d.All())
			continue
		}
		again, err := MeshData.Lift(data, &format.Env{Name: "Rock_d.3d", Files: made})
		if err != nil {
			t.Fatal(err)
		}
		got := corners(again, again.Animations[0], 0.1)
		for i := range want {
			if len(got) != len(want) || got[i].Sub(want[i]).Len() > 0.01 {
				t.Errorf("%s: corner %d of %d is at %v, want %v", c.name, i, len(got), got[i], want[i])
				break
			}
		}
	}
}

// TestWeaponTriangle: the triangle that holds a weapon is in no scene, so a pair of .3d files made of one says that it has none.
func TestWeaponTriangle(t *testing.T) {
	a := made(t, 69)
	add(t, a, "Man", pyramid(), format.Model)
	i := entry(t, a, "Man")
	for _, held := range []bool{false, true} {
		o, err := a.Object(i)
		if err != nil {
			t.Fatal(err)
		}
		if m := o.(*unreal.LodMesh); held {
			m.SpecialFaces = []unreal.Face{{Wedges: [3]uint16{0, 1, 2}}}
		}
		s, err := mesh.Lift(a.File, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := new(schema.Diagnostics)
		if _, err := MeshData.Lower(through(t, s).(*asset.Scene), &format.Env{Diagnostics: d}); err != nil {
			t.Fatal(err)
		}
		if d.Has("special-faces") != held {
			t.Errorf("held %v: told of %v", held, d.All())
		}
	}
}
