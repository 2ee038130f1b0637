package mesh

import (
	"maps"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// A data file names 256 textures.
func TestSourceTextures(t *testing.T) {
	for texture, want := range map[int32]error{255: nil, 256: schema.ErrLimit, -1: schema.ErrLimit} {
		m := &unreal.Mesh{VertexBytes: 4, Triangles: []unreal.Triangle{{Texture: texture}}}
		if _, _, err := sourcesOf(m, &format.Env{}, "many"); schema.Class(err) != want {
			t.Errorf("texture %d: %v", texture, err)
		}
	}
}

// A pair of files is known by the sizes that its heads give, and otherwise by its names.
func TestProbeSources(t *testing.T) {
	head := func(n uint16) []byte { return []byte{byte(n), byte(n >> 8), 8, 1} }
	for _, c := range []struct {
		name        string
		n           uint16
		size        int64
		data, frame format.Confidence
	}{
		{"rock_d.3d", 2, 48 + 16*2, format.Structural, format.No}, {"Rock.3D", 2, 48 + 16*2, format.Structural, format.No},
		{"rock_d.3d", 300, 48 + 16*300, format.Structural, format.No}, {"rock_d.3d", 300, 48 + 16*44, format.Plausible, format.No},
		{"rock.3d", 3, 48 + 16*2, format.No, format.No}, {"rock.bin", 2, 48 + 16*2, format.No, format.No},
		{"rock_a.3d", 2, 4 + 2*264, format.No, format.Structural}, {"Rock_A.3D", 300, 4 + 300*264, format.No, format.Structural},
		{"rock_a.3d", 2, 4 + 2*8, format.No, format.Plausible}, {"rock_a.bin", 2, 4 + 2*264, format.No, format.No},
	} {
		in := &format.Input{Name: c.name, Head: head(c.n), Size: c.size}
		if data, frame := probeMeshData(in), probeMeshAniv(in); data != c.data || frame != c.frame {
			t.Errorf("%s of %d bytes: %v, %v", c.name, c.size, data, frame)
		}
		if in.Head = in.Head[:3]; probeMeshData(in) != format.No || probeMeshAniv(in) != format.No {
			t.Errorf("%s of 3 bytes is known", c.name)
		}
	}
}

// Only whole numbers in the packed range, which is 11, 11 and 10 bits, go into a file of frames as they are.
func TestWhole(t *testing.T) {
	for _, c := range []struct {
		at   [3]float32
		want bool
	}{
		{[3]float32{0, 0, 0}, true}, {[3]float32{1023, -1024, 511}, true}, {[3]float32{1.005, -2.995, 0}, true}, {[3]float32{0, 0, -512}, true},
		{[3]float32{1024, 0, 0}, false}, {[3]float32{0, -1025, 0}, false}, {[3]float32{0, 0, 512}, false}, {[3]float32{40000, 0, 0}, false},
		{[3]float32{0.5, 0, 0}, false}, {[3]float32{0, 1.02, 0}, false}, {[3]float32{0, 0, -0.02}, false},
	} {
		g := &geometry{corners: []movingCorner{{at: [][3]float32{{}, {}}}, {at: [][3]float32{{}, c.at}}}}
		if got := g.whole(); got != c.want {
			t.Errorf("%v: %v", c.at, got)
		}
	}
}

// A normal has the length 1 however small its triangles are, and one of no triangles points up.
func TestSmallNormals(t *testing.T) {
	for _, size := range []float32{1e-4, 1, 1e4} {
		x := &shape{corners: []corner{{vertex: 0}, {vertex: 1}, {vertex: 2}, {vertex: 3}}, faces: []face{{corners: [3]int{0, 1, 2}}}}
		got := x.normals([][3]float32{{}, {0, 0, size}, {0, size, 0}, {size, size, size}}, [3]float32{1, 1, 1})
		for i, want := range [][3]float32{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}} {
			for k := range want {
				if !space.Close(got[i][k], want[k], 1e-6) {
					t.Errorf("size %g, corner %d: %v, want %v", size, i, got[i], want)
					break
				}
			}
		}
	}
}

// A reduced mesh has its vertices elsewhere in each frame.
func TestVertexOfFrame(t *testing.T) {
	lod := &unreal.LodMesh{Remap: []uint16{0, 4, 2}, OldFrameVerts: 5}
	lod.FrameVerts = 3
	for frame, want := range []int{4, 9, 14} {
		if got := (&shape{mesh: &lod.Mesh, lod: lod}).at(1, frame); got != want {
			t.Errorf("frame %d: %d, want %d", frame, got, want)
		}
		if got := (&shape{mesh: &lod.Mesh}).at(1, frame); got != 3*frame+1 {
			t.Errorf("frame %d of a whole one: %d", frame, got)
		}
	}
	p := &asset.Primitive{Positions: make([][3]float32, 3), Indices: []uint32{0, 1, 3}}
	if _, err := trianglesOf(p, 0, 0, false); schema.Class(err) != schema.ErrRange {
		t.Errorf("a corner that is not there: %v", err)
	}
	g := &geometry{loses: true, faces: []face{{corners: [3]int{0, 1, 2}}}}
	of := func(c int) shade { return shade{normal: [][3]float32{restore.NoNormal, {1, 0, 0}, {1, 0, 0}}[c]} }
	if list := g.shadedBy([]int{0, 1, 2}, of); list[0].shades[0].normal == restore.NoNormal {
		t.Error("a normal that a program lost is taken for one")
	}
}

// A pair whose files do not fit is refused, and more frames come with what stands behind the vertices of the last one.
func TestSourceMesh(t *testing.T) {
	frame := [][3]int16{{}, {1}, {0, 1}, {7, 7, 7}}
	data := func() *unreal.MeshData {
		return &unreal.MeshData{Vertices: 3, Polys: []unreal.SourcePoly{{Vertices: [3]uint16{0, 1, 2}, Type: 1, Texture: 3}}}
	}
	for want, edit := range map[error]func(x *sources){
		nil:                func(*sources) {},
		schema.ErrMismatch: func(x *sources) { x.aniv.Frames = [][][3]int16{frame[:2]} },
		schema.ErrRange:    func(x *sources) { x.data.Polys[0].Vertices[2] = 3 },
	} {
		x := &sources{data: data(), aniv: &unreal.MeshAniv{VertexBytes: 4, Frames: [][][3]int16{frame}}}
		edit(x)
		_, o, err := sourceMesh("rock", x, nil)
		if schema.Class(err) != want || err == nil && (len(o.Vertices) != 3 || len(o.Triangles) != 1 || o.Triangles[0].Texture != 3 || o.AnimFrames != 1 || o.FrameVerts != 3) {
			t.Errorf("%v: %v", want, err)
		}
	}
	o := &unreal.Mesh{FrameVerts: 3, AnimFrames: 3, Vertices: [][3]int16{{}, {1}, {0, 1}, {9}, {8}, {7}, {6}, {5}, {4}}}
	x := grown(&unreal.MeshAniv{Frames: [][][3]int16{frame}, Padding: [][]byte{{1, 2}}, Pad: []uint16{1, 2, 3, 4}}, o)
	if len(x.Frames) != 3 || !slices.Equal(x.Frames[1], [][3]int16{{9}, {8}, {7}, {7, 7, 7}}) || !slices.Equal(x.Frames[2], [][3]int16{{6}, {5}, {4}, {7, 7, 7}}) || len(x.Padding) != 3 || len(x.Pad) != 12 || x.Pad[3] != 4 || x.Pad[4] != 0 {
		t.Errorf("%+v", x)
	}
	emit := func(string, []byte) error { return nil }
	for output, want := range map[string]error{"rock_a": schema.ErrUnsupported, "rock_d": nil, "rock": nil} {
		if err := emitSources(&format.Env{Emit: emit, Output: output}, "rock", &unreal.MeshAniv{VertexBytes: 4}, nil); schema.Class(err) != want {
			t.Errorf("%s: %v", output, err)
		}
	}
}

// A triangle that names a vertex which is not there is left out, which is told.
func TestStrayTriangle(t *testing.T) {
	_, o := emptyMesh("rock")
	o.FrameVerts, o.AnimFrames, o.Vertices = 3, 1, [][3]int16{{}, {1}, {0, 1}}
	o.Triangles = []unreal.Triangle{{Vertices: [3]uint16{0, 1, 2}}, {Vertices: [3]uint16{0, 1, 3}}, {Vertices: [3]uint16{0, 3, 1}}, {Vertices: [3]uint16{3, 0, 1}}}
	d := new(schema.Diagnostics)
	if x, err := meshShape(o, d); err != nil || len(x.faces) != 1 || len(d.All()) != 3 || !d.Has("vertex-range") {
		t.Errorf("%v, %v", err, d.All())
	}
	o.Triangles, o.AnimFrames = nil, -1
	if _, err := meshShape(o, nil); schema.Class(err) != schema.ErrCount {
		t.Errorf("less than no frames: %v", err)
	}
	d = new(schema.Diagnostics)
	if err := emitSources(&format.Env{Diagnostics: d}, "rock", &unreal.MeshAniv{VertexBytes: 4}, nil); err != nil || !d.Has("frames") {
		t.Errorf("frames that go nowhere: %v, %v", err, d.All())
	}
}

// A script names the textures of a mesh that it has, and those that materials show in their places.
func TestSkinsOf(t *testing.T) {
	pkg, o := emptyMesh("rock")
	brick := pkg.AddImport("Engine", "Texture", pkg.AddImport("Core", "Package", 0, "Walls"), "Brick")
	o.Textures = []unreal.Ref{0, brick, brick}
	shows := func(number any, name string) *asset.Material {
		m := asset.NewMaterial("m")
		m.Native = &asset.Native{Values: scene.ForReading(map[string]any{"textureIndex": number})}
		m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: name}}
		return m
	}
	bare, plain := shows(1.0, "Tile"), shows(1.0, "Tile")
	bare.Native, plain.BaseColorTexture = nil, nil
	s := &asset.Scene{Materials: []*asset.Material{bare, plain, shows(2.0, "Moss"), shows(5.0, "Sky"), shows(1.0, ""), shows("1", "Rust")}}
	if got, want := skinsOf(pkg, o, s), map[int32]string{1: "Brick", 2: "Moss", 5: "Sky"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The commands of a script for a mesh of a package place it as it was.
func TestPlacingCommands(t *testing.T) {
	for _, c := range []struct {
		m             unreal.Mesh
		scale, origin string
	}{
		{unreal.Mesh{Scale: [3]float32{0.5, 0.25, 1}, Origin: [3]float32{10, -20, 30}, RotOrigin: [3]int32{0, -16384, 0}},
			"#exec MESHMAP SCALE MESHMAP=m X=0.5 Y=0.25 Z=1", "#exec MESH ORIGIN MESH=m X=10 Y=-20 Z=30 PITCH=0 YAW=-64 ROLL=0"},
		{unreal.Mesh{Scale: [3]float32{1, 1, 2}, RotOrigin: [3]int32{4096, 8192, -2048}},
			"#exec MESHMAP SCALE MESHMAP=m X=1 Y=1 Z=2", "#exec MESH ORIGIN MESH=m X=0 Y=0 Z=0 PITCH=16 YAW=32 ROLL=-8"},
	} {
		var got unreal.Mesh
		place(&got, space.Vertex.Placement(&c.m))
		if scale, origin := scaleCommand("m", &got), originCommand("m", &got); scale != c.scale || origin != c.origin {
			t.Errorf("%q, %q, want %q, %q", scale, origin, c.scale, c.origin)
		}
	}
	s := &asset.Scene{Roots: []*asset.Node{asset.NewNode("a"), asset.NewNode("b")}}
	if _, placed := unplaced(s); placed != nil {
		t.Error("an empty scene has a placement")
	}
}

// Texture coordinates of a Mesh stand in its triangles: one corner may take the old coordinate of another of its vertex.
func TestEditMeshCoordinates(t *testing.T) {
	a, b, c := [2]uint8{1, 1}, [2]uint8{2, 2}, [2]uint8{3, 3}
	m := &unreal.Mesh{FrameVerts: 4, AnimFrames: 1, VertexBytes: 8, Vertices: [][3]int16{{}, {1}, {0, 1}, {0, 0, 1}}, Triangles: []unreal.Triangle{
		{Vertices: [3]uint16{0, 1, 2}, UV: [3][2]uint8{a, c, c}},
		{Vertices: [3]uint16{0, 2, 3}, UV: [3][2]uint8{b, c, c}},
	}}
	x, err := meshShape(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	mesh := func(edit map[corner][2]uint8) *geometry {
		g := &geometry{frames: 1, faces: x.faces, materials: x.materials}
		for _, c := range x.corners {
			v := m.Vertices[c.vertex]
			uv, ok := edit[c]
			if !ok {
				uv = c.uv
			}
			g.corners = append(g.corners, movingCorner{at: [][3]float32{{float32(v[0]), float32(v[1]), float32(v[2])}}, uv: [2]float32{float32(uv[0]) / 256, float32(uv[1]) / 256}})
		}
		return g
	}
	if !x.lowerEdited(mesh(map[corner][2]uint8{{0, a}: b, {0, b}: c}), mesh(nil)) {
		t.Fatal("the faces are said to differ")
	}
	if m.Triangles[0].UV != [3][2]uint8{b, c, c} || m.Triangles[1].UV != [3][2]uint8{c, c, c} {
		t.Errorf("%v", m.Triangles)
	}
}

// Numbers of a sequence that a mesh cannot store are refused, not cut.
func TestSequenceNumbers(t *testing.T) {
	pkg := pack.Scratch()
	for _, start := range []any{0.5, 1e12, -1e12, "0"} {
		list := []any{map[string]any{"name": "Run", "group": "None", "start": start, "frames": 1.0, "rate": 30.0}}
		if _, err := ReadSequences(pkg, list); schema.Class(err) != schema.ErrValue {
			t.Errorf("start %v: %v", start, err)
		}
	}
	notify := func(v any) []any {
		return []any{map[string]any{"name": "Run", "group": "None", "start": 0.0, "frames": 1.0, "rate": 30.0, "notifies": v}}
	}
	for _, bad := range []any{"Run", []any{"Run"}, notify("Step"), notify([]any{"Step"}), notify([]any{map[string]any{"time": 0.5}}), notify([]any{map[string]any{"time": "0", "function": "Step"}})} {
		if _, err := ReadSequences(pkg, bad); schema.Class(err) != schema.ErrValue {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if got, err := ReadSequences(pkg, notify([]any{map[string]any{"time": 0.5, "function": "Step"}})); err != nil || len(got[0].Notifies) != 1 || got[0].Notifies[0].Time != 0.5 || pkg.Name(got[0].Notifies[0].Function) != "Step" {
		t.Errorf("%+v, %v", got, err)
	}
	list := []any{map[string]any{"name": "Run", "group": "None", "start": 2.0, "frames": 3.0, "rate": 30.0}}
	if got, err := ReadSequences(pkg, list); err != nil || got[0].Start != 2 || got[0].Frames != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Texture coordinates beyond a byte.
func TestFaceUV(t *testing.T) {
	for _, c := range []struct {
		in    [3]float32
		want  [3]uint8
		exact bool
	}{
		{[3]float32{0, 0.5, 1}, [3]uint8{0, 128, 255}, true},
		{[3]float32{1, 1.5, 2}, [3]uint8{0, 128, 255}, true},
		{[3]float32{-0.5, -0.25, -1}, [3]uint8{128, 192, 0}, true},
		{[3]float32{1, 1, 1}, [3]uint8{255, 255, 255}, true},
		{[3]float32{0.9, 0.95, 0.99}, [3]uint8{230, 243, 253}, true},
		{[3]float32{-1e-5, 0.25, 255.0 / 256}, [3]uint8{0, 64, 255}, true},
		{[3]float32{0, 1, 2}, [3]uint8{0, 255, 255}, false},
	} {
		uv, exact := faceUV([2]float32{c.in[0]}, [2]float32{c.in[1]}, [2]float32{c.in[2]})
		if got := [3]uint8{uv[0][0], uv[1][0], uv[2][0]}; got != c.want || exact != c.exact {
			t.Errorf("%v: %v, exact %v", c.in, got, exact)
		}
	}
}

// The rotation of a bone is stored as it was read.
func TestStoredRotation(t *testing.T) {
	for _, root := range []bool{false, true} {
		if q := storedRotation(rotationOf([4]float32{1, 2, 3, 4}, root), root); q != [4]float32{1, 2, 3, 4} {
			t.Errorf("root %v: rotation %v", root, q)
		}
	}
}

// Corners become one vertex where they go the same way and are shaded alike: hard edges and shells that lie on each other
// keep a vertex each.
func TestWeld(t *testing.T) {
	up, side, down := [3]float32{0, 0, 1}, [3]float32{1, 0, 0}, [3]float32{0, 0, -1}
	at := func(x float32, normal [3]float32) *movingCorner {
		return &movingCorner{at: [][3]float32{{x, 0, 0}, {x, 1, 0}}, shade: shade{normal: normal}}
	}
	for _, c := range []struct {
		name    string
		corners []*movingCorner
		want    []int
	}{
		{"alike", []*movingCorner{at(1, up), at(1, up)}, []int{0, 0}},
		{"as editors round", []*movingCorner{at(1, up), at(1, [3]float32{0.01, 0, 0.9999})}, []int{0, 0}},
		{"a hard edge", []*movingCorner{at(1, up), at(1, side), at(1, up)}, []int{0, 1, 0}},
		{"two shells", []*movingCorner{at(1, up), at(1, down)}, []int{0, 1}},
		{"two places", []*movingCorner{at(1, up), at(2, up)}, []int{0, 1}},
		{"another way", []*movingCorner{at(1, up), {at: [][3]float32{{1, 0, 0}, {1, 9, 0}}, shade: shade{normal: up}}}, []int{0, 1}},
		{"without normals", []*movingCorner{at(1, [3]float32{}), at(1, [3]float32{})}, []int{0, 0}},
	} {
		w := &welder{at: map[string][]int{}}
		var got []int
		for _, x := range c.corners {
			v, _ := w.vertex(x.key(), x.shade)
			got = append(got, v)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
