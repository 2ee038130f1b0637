package unreal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// roomMap is a map of one triangle, as versions before 62 store it: the parts of the model are objects of their own.
// The last surf has the least size, 16 bytes.
func roomMap(t testing.TB, version uint16) *archive {
	t.Helper()
	x, _ := Create(&format.Env{Name: "Room.unr"})
	a := x.(*archive)
	if a.Version = version; version == 60 || version == 63 { // in many packages the first name is another one than None
		a.Names[0].Text = "First"
	}
	const flags = unreal.LoadFlags | unreal.Transactional
	export := func(class, name string) unreal.Ref {
		return a.AddExport(a.AddClass("Engine", class), 0, name, flags)
	}
	add(t, a, "Wall", checkerboard(8, 4), format.Texture)
	wall := a.FindExport("Wall", "Texture")
	level := export("Level", "MyLevel")
	info := export("LevelInfo", "LevelInfo0")
	model := export("Model", "Model0")
	m := &unreal.Model{LightBits: []byte{}, RootOutside: 1}
	surfs := []unreal.BspSurf{{Texture: wall, TextureU: 1, TextureV: 2, LightMap: -1, PanU: 3}}
	if version < unreal.LazyVersion {
		m.Old = &unreal.OldModel{Vectors: export("Vectors", "Vectors0"), Points: export("Vectors", "Vectors1"), Nodes: export("BspNodes", "BspNodes0"),
			Surfs: export("BspSurfs", "BspSurfs0"), Verts: export("Verts", "Verts0")}
	}
	m.Vectors = [][3]float32{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}
	m.Points = [][3]float32{{0, 0, 0}, {128, 0, 0}, {0, 64, 0}}
	m.Nodes = []unreal.BspNode{{Plane: [4]float32{0, 0, 1, 0}, Count: 3, Back: -1, Front: -1, Coplanar: -1, Bound: -1, RenderBound: -1, ZoneMask: 1<<63 | 1, Leaves: [2]int32{-1, -1}}}
	m.Surfs = surfs
	m.Verts = []unreal.BspVert{{Point: 0, Side: -1}, {Point: 1, Side: -1}, {Point: 2, Side: -1}}
	m.SharedSides = 4
	m.Zones = []unreal.Zone{{Actor: info, Connectivity: 1, Visibility: ^uint64(0)}}
	if old := m.Old; old != nil {
		put(t, a, old.Vectors, &unreal.Vectors{Vectors: m.Vectors, Capacity: 3})
		put(t, a, old.Points, &unreal.Vectors{Vectors: m.Points, Capacity: 3})
		put(t, a, old.Nodes, &unreal.BspNodes{Nodes: m.Nodes, Zones: m.Zones, Capacity: 1})
		put(t, a, old.Surfs, &unreal.BspSurfs{Surfs: surfs, Capacity: 1})
		put(t, a, old.Verts, &unreal.Verts{Verts: m.Verts, SharedSides: 4, Capacity: 3})
	}
	put(t, a, model, m)
	url := unreal.URL{Protocol: unreal.Str{Text: "unreal"}, Map: unreal.Str{Text: "Index.unr"}, Port: 7777, Valid: 1}
	put(t, a, level, &unreal.Level{Actors: []unreal.Ref{info}, Capacity: 4, URL: url, Model: model})
	o := &unreal.Object{}
	o.Context = a.Context(int(info - 1))
	o.Properties = []unreal.Property{{Name: a.AddName("Title"), Type: unreal.StringProperty, Value: []byte("Room\x00")}}
	put(t, a, info, o)
	return a
}

// TestOldWorld: the world of a map is the same scene whether its parts are objects of their own or not, and every object
// of it comes back byte for byte.
func TestOldWorld(t *testing.T) {
	var want *asset.Primitive
	for _, version := range []uint16{69, 61, 60} {
		a := openBytes(t, "Room.unr", written(t, roomMap(t, version)))
		s := lifted(t, a, "MyLevel").(*asset.Scene)
		p := s.Meshes[0].Primitives[0]
		if want == nil {
			want = p
		}
		if len(p.Positions) != 3 || p.Positions[1] != want.Positions[1] || p.TexCoords[0][1] != [2]float32{131. / 8, 0} || p.Material.BaseColorTexture == nil {
			t.Errorf("version %d: %v, %v", version, p.Positions, p.TexCoords)
		}
		for i := range a.Entries() {
			back(t, a, i, map[string]int{})
		}
	}
}

// TestOldLevelEnd: version 60 has no travel info, version 61 two bytes, later ones a count.
func TestOldLevelEnd(t *testing.T) {
	for version, tail := range map[uint16]int{60: 0, 61: 2, 62: 1, 69: 1} {
		a := openBytes(t, "Room.unr", written(t, roomMap(t, version)))
		o, err := a.Object(entry(t, a, "MyLevel"))
		if err != nil {
			t.Fatal(err)
		}
		l := o.(*unreal.Level)
		b, _ := write.Level(l)
		// The 17 references, each one byte, stand before the end.
		if got := len(l.Tail); got != 0 || !bytes.HasSuffix(b, make([]byte, 17+tail)) || len(b) < 17+tail || b[len(b)-18-tail] != 0 {
			t.Errorf("version %d: %d bytes behind the level", version, got)
		}
		x := *l
		x.Travel = [][2]unreal.Str{{{Text: "a"}, {Text: "b"}}}
		if again, err := write.Level(&x); (err == nil) != (version > 60) || err == nil && len(again) != len(b)+6 {
			t.Errorf("version %d: travel info %d bytes, %v", version, len(again)-len(b), err)
		}
	}
}

// TestOldParts: the parts of an old model are edited in their records, and the world follows.
func TestOldParts(t *testing.T) {
	a := openBytes(t, "Room.unr", written(t, roomMap(t, 61)))
	edit := func(path string, change func(native map[string]any)) error {
		t.Helper()
		i := entry(t, a, path)
		b, _ := a.Payload(i)
		f := formatOf(a, i)
		v, err := f.Read(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := throughJSON(t, f, v).(*Record)
		change(r.Native)
		if b, err = f.Write(r); err != nil {
			return err
		}
		return a.Replace(i, b)
	}
	check := func(err error, want string) {
		t.Helper()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	check(edit("Vectors1", func(n map[string]any) { n["Vectors"].([]any)[1] = []any{256., 0., 0.} }), "")
	check(edit("Vectors1", func(n map[string]any) {
		for range 3 {
			n["Vectors"] = append(n["Vectors"].([]any), []any{1., 2., 3.})
		}
	}), "")
	check(edit("BspSurfs0", func(n map[string]any) { n["Surfs"].([]any)[0].(map[string]any)["PanU"] = 8. }), "")
	check(edit("BspSurfs0", func(n map[string]any) { n["Surfs"].([]any)[0].(map[string]any)["PanU"] = 40000. }), "PanU")
	check(edit("BspSurfs0", func(n map[string]any) { n["Surfs"].([]any)[0].(map[string]any)["Pan"] = 8. }), `no "Pan"`)
	check(edit("BspSurfs0", func(n map[string]any) { delete(n["Surfs"].([]any)[0].(map[string]any), "Base") }), `lacks "Base"`)
	check(edit("BspSurfs0", func(n map[string]any) { n["Surfs"].([]any)[0].(map[string]any)["Texture"] = "Texture'Nowhere'" }), "Nowhere")
	check(edit("BspNodes0", func(n map[string]any) { n["Nodes"].([]any)[0].(map[string]any)["ZoneMask"] = "0000000000000007" }), "")
	check(edit("BspNodes0", func(n map[string]any) { n["Nodes"].([]any)[0].(map[string]any)["ZoneMask"] = 7. }), "ZoneMask")
	check(edit("Verts0", func(n map[string]any) { n["SharedSides"] = 5.5 }), "SharedSides")

	a = openBytes(t, "Room.unr", written(t, a))
	p := lifted(t, a, "MyLevel").(*asset.Scene).Meshes[0].Primitives[0]
	if p.Positions[1][2] != 256 || p.TexCoords[0][1] != [2]float32{264. / 8, 0} {
		t.Errorf("the world has %v, %v", p.Positions, p.TexCoords[0])
	}
	o, err := a.Object(entry(t, a, "Vectors1"))
	if v := o.(*unreal.Vectors); err != nil || len(v.Vectors) != 6 || v.Capacity != 6 {
		t.Errorf("%d vectors, capacity %d", len(v.Vectors), v.Capacity)
	}
	if o, _ := a.Object(entry(t, a, "BspNodes0")); o.(*unreal.BspNodes).Nodes[0].ZoneMask != 7 {
		t.Error("the zone mask is not the new one")
	}
	// A model whose parts are missing, or are something else, is refused.
	o, _ = a.Object(entry(t, a, "Model0"))
	m := o.(*unreal.Model)
	for name, c := range map[string]struct {
		change func(*unreal.OldModel)
		class  error
	}{
		"import": {func(o *unreal.OldModel) { o.Surfs = -1 }, schema.ErrRange},
		"other":  {func(o *unreal.OldModel) { o.Surfs = o.Verts }, schema.ErrMismatch},
	} {
		bad, old := *m, *m.Old
		c.change(&old)
		bad.Old = &old
		if _, err := a.joined(&bad); schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %v", name, err, c.class)
		}
	}
}

// TestOldText: the text of a property of type 7 can be read and edited.
func TestOldText(t *testing.T) {
	a := openBytes(t, "Room.unr", written(t, roomMap(t, 61)))
	i := entry(t, a, "LevelInfo0")
	b, _ := a.Payload(i)
	f := formatOf(a, i)
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := v.(*Record)
	if r.Properties[0].Value != "Room" {
		t.Fatalf("the title is %v", r.Properties[0].Value)
	}
	r.Properties[0].Value = "Größer"
	if b, err = f.Write(r); err != nil || !bytes.Contains(b, []byte("Gr\xf6\xdfer\x00")) {
		t.Errorf("%q, %v", b, err)
	}
	for _, text := range []string{"a\x00b", "日本"} {
		r.Properties[0].Value = text
		if _, err := f.Write(r); schema.Class(err) != schema.ErrValue {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestHoles: rows without an object are no entries, stay where they are, and nothing is put in their place.
func TestHoles(t *testing.T) {
	x := made(t, 69)
	x.Exports = append(x.Exports, unreal.Export{Name: x.AddName("None")}, unreal.Export{Name: x.AddName("None")})
	b := written(t, x)
	a := openBytes(t, "Made.u", b)
	if len(a.Entries()) != len(a.Exports)-2 || a.empty != 2 {
		t.Fatalf("%d entries of %d exports, %d empty", len(a.Entries()), len(a.Exports), a.empty)
	}
	if got := written(t, a); !bytes.Equal(got, b) {
		t.Error("the holes do not come back")
	}
	n := len(a.Exports)
	add(t, a, "More", &asset.Text{Body: "more"}, format.Text)
	if r := a.FindExport("More", "TextBuffer"); int(r) != n+1 {
		t.Errorf("the new object is export %d, behind %d", r, n)
	}
	if err := a.Remove(entry(t, a, "More")); err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "Made.u", written(t, a))
	if len(a.Exports) != n || !a.File.Empty(n-1) || a.empty != 2 {
		t.Errorf("%d exports, %d empty; there were %d", len(a.Exports), a.empty, n)
	}
}

// dialect is a package of a licensee: a picture, and a script and a mesh that nobody can read.
func dialect(t testing.TB, licensee uint16) []byte {
	t.Helper()
	x, _ := Create(&format.Env{Name: "Dialect.u"})
	a := x.(*archive)
	a.Version, a.Licensee = 68, licensee
	add(t, a, "Wall", checkerboard(8, 4), format.Texture)
	for class, payload := range map[string]string{"Core.Function": "\x00\x01\x02\x03", "Engine.LodMesh": "\x00garbage"} {
		pkg, name, _ := strings.Cut(class, ".")
		r := a.AddExport(a.AddClass(pkg, name), 0, name+"0", unreal.PrivateFlags)
		a.Exports[r-1].Data, a.Exports[r-1].Movable = []byte(payload), true
	}
	var w bytes.Buffer
	if err := write.Rebuild(&w, a.Package); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// TestDialect: what a licensee changed is kept, stays at its offset when something else is edited, and does not stop
// the rest. In a package of the games themselves the same bytes are refused.
func TestDialect(t *testing.T) {
	for _, licensee := range []uint16{2, 77} {
		b := dialect(t, licensee)
		d := new(schema.Diagnostics)
		a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Dialect.u", Diagnostics: d})
		if err != nil {
			t.Fatal(err)
		}
		if list := d.All(); len(list) != 1 || strings.Contains(list[0].Msg, "Duke Nukem Forever") != (licensee == 2) {
			t.Errorf("%v", list)
		}
		for _, e := range a.Entries() {
			i := entry(t, a, e.Path)
			payload, _ := a.Payload(i)
			f := e.Format.Of(i, payload)
			if e.Class != "Texture" && e.Class != "Palette" && f.Name != objectName {
				t.Errorf("%s is read as %s", e.Path, f.Name)
			}
			v, err := f.Read(payload, nil)
			if err != nil {
				t.Fatalf("%s: %v", e.Path, err)
			}
			if got, err := f.Write(v); err != nil || !bytes.Equal(got, payload) {
				t.Errorf("%s: %x, %v", e.Path, got, err)
			}
			if r, ok := v.(*Record); ok && e.Class == "LodMesh" {
				r.Properties = []RecordProperty{{Name: "Group", Type: "Name", Value: "None"}}
				if _, err := f.Write(r); schema.Class(err) != schema.ErrUnsupported {
					t.Errorf("%s: edited: %v", e.Path, err)
				}
			}
		}
		add(t, a, "More", checkerboard(4, 4), format.Texture)
		again := openBytes(t, "Dialect.u", written(t, a))
		for i := range a.Exports[:a.StoredExports] {
			was, now := a.Exports[i], again.Exports[i]
			if name := a.ClassName(unreal.Ref(i + 1)); (name == "Function" || name == "LodMesh") && (was.Offset != now.Offset || was.Size != now.Size) {
				t.Errorf("%s was moved from 0x%x to 0x%x", name, was.Offset, now.Offset)
			}
		}
	}
	a := openBytes(t, "Dialect.u", dialect(t, 0))
	if _, err := a.Object(entry(t, a, "LodMesh0")); err == nil {
		t.Error("garbage is read as a mesh")
	}
}

// TestStrayCode: a function whose tokens do not add up to the size in its header is kept, with a warning.
func TestStrayCode(t *testing.T) {
	x, _ := Create(&format.Env{Name: "Beta.u"})
	a := x.(*archive)
	a.Version = 61
	r := a.AddExport(a.AddClass("Core", "Function"), 0, "Stray", unreal.PrivateFlags)
	f := &unreal.Function{}
	f.FriendlyName, f.ScriptSize, f.Code = a.AddName("Stray"), 3, []byte{0x04, 0x1D, 0, 0, 0, 0, 0x53}
	put(t, a, r, f)
	b := written(t, a)
	d := new(schema.Diagnostics)
	x, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Beta.u", Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	a = x.(*archive)
	payload, _ := a.Payload(0)
	v, err := formatOf(a, 0).Read(payload, d)
	if err != nil {
		t.Fatal(err)
	}
	if list := d.All(); len(list) != 1 || list[0].Severity != schema.Warning || list[0].Code != "opaque-object" {
		t.Errorf("%v", list)
	}
	if got, err := formatOf(a, 0).Write(v); err != nil || !bytes.Equal(got, payload) {
		t.Errorf("%x, %v", got, err)
	}
}
