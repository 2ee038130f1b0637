package ultima9

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// install is an installation of the game with one map.
type install struct {
	name   string
	number string
	files  u9.Folders
}

// eachInstall runs a test on our own installation and on that of the corpus, where it is present.
func eachInstall(t *testing.T, test func(t *testing.T, i install)) {
	t.Run("samples", func(t *testing.T) {
		dir := t.TempDir()
		put := func(name string, b []byte) { u9.Must(t, os.WriteFile(filepath.Join(dir, name), b, 0o644)) }
		put("types.dat", sampleTypes(t))
		put("terrain.4", u9.Do(write.Terrain(sampleGround(t)))(t))
		put("fixed.4", sampleObjects(t, ultima9.Fixed))
		put("nonfixed.4", sampleObjects(t, ultima9.Nonfixed))
		test(t, install{"samples", ".4", u9.Folders{dir, corpus.Testdata(t, "ultima9")}})
	})
	t.Run("corpus", func(t *testing.T) {
		test(t, install{"corpus", ".9", u9.Folders{u9.Synthetic(t, "install", "static"), u9.Synthetic(t, "install", "runtime")}})
	})
}

func (i install) file(t testing.TB, name string) []byte {
	t.Helper()
	b, _, err := i.files.Find(name + i.number)
	u9.Must(t, err)
	return b
}

// region is the scene of the map with all its files, after a way through a GLB.
func (i install) region(t testing.TB) (*asset.Scene, []byte) {
	t.Helper()
	env := &format.Env{Name: "fixed" + i.number, Files: i.files, Diagnostics: new(schema.Diagnostics)}
	env.Options.Ultima9.Region = true
	v := u9.Do(fixedFormat.Read(i.file(t, "fixed"), nil))(t)
	s := u9.Do(fixedFormat.Lift(v, env))(t).(*asset.Scene)
	for _, d := range env.Diagnostics.All() {
		if d.Severity == schema.Warning {
			t.Errorf("%s: %v", i.name, d)
		}
	}
	return u9.GLB(t, s)
}

// sampleTypes gives the types 1 to 3 the models of the samples.
func sampleTypes(t testing.TB) []byte {
	x := &ultima9.Types{Active: 4, Records: make([]ultima9.Type, ultima9.TypeCount)}
	x.Records[1].Model, x.Records[2].Model, x.Records[3].Model = 5, 5, 3
	return u9.Do(write.Types(x))(t)
}

// sampleGround has hills, a hole, and every picture of the samples in every turn.
func sampleGround(t testing.TB) *ultima9.Terrain {
	x := u9.Do(Heights.Lower(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(64, 32, asset.Gray16)}}}}, nil))(t)
	x.WaterLevel = 600
	u9.Must(t, x.Name.Set("Samples", ultima9.TerrainNameSize))
	grid := x.Grid()
	for i := range grid {
		px, py := i%64, i/64
		h := 200 + 60*math.Sin(float64(px)/6)*math.Cos(float64(py)/5)
		grid[i] = ultima9.MakePoint(int(h), px == 20 && py == 10, px/4%4, (px+py)%2 == 1, 0, 1+(px/8+py/8)%7)
	}
	u9.Must(t, x.SetGrid(grid))
	return x
}

// sampleObjects is two squares with ten objects; of the nonfixed ones one is a container, and two have another size.
func sampleObjects(t testing.TB, kind ultima9.ObjectKind) []byte {
	x := &ultima9.ObjectFile{Kind: kind, Leading: make([]uint32, kind.Leading()), Unknown0C: ultima9.HeapUnknown, Width: 2, Height: 1, First: make([]ultima9.PageRef, 2)}
	e := write.EditHeap(x)
	for i := range int32(10) {
		o := &ultima9.Object{Square: [2]uint32{uint32(i % 2), 0}, X: 300 + 350*i, Y: 3500 - 300*i, Z: int16(900 + 20*i), Type: uint16(1 + i%3),
			Rotation: [4]int16{0, 0, 0, 32767}, Flags: ultima9.ObjectPresent}
		if kind == ultima9.Nonfixed {
			o.Y, o.Model, o.Flags, o.Link = 4095-o.Y, uint16(3+2*(i%2)), ultima9.EntityFlags|ultima9.ObjectFlags(i&1), uint16(i)
			switch i {
			case 4:
				o.Properties = []ultima9.Property{{Type: ultima9.PropertyScale, Value: 300}, {Type: 0x80, Value: 7}}
			case 6:
				o.Contents = []*ultima9.Object{{Type: 2, Flags: ultima9.EntityFlags, Rotation: [4]int16{0, 0, 0, 32767}}}
			case 8:
				for k := range uint32(3) {
					o.Properties = append(o.Properties, ultima9.Property{Type: ultima9.PropertyScaleX + ultima9.PropertyType(k), Value: 50 + 100*k})
				}
			}
		}
		u9.Do(e.Add(o, nil))(t)
	}
	return u9.Do(write.Heap(x))(t)
}

// A map of an installation is one scene, and that scene holds the map's files to the byte.
func TestInstallRegion(t *testing.T) {
	eachInstall(t, func(t *testing.T, i install) {
		s, glb := i.region(t)
		u9.Keep(t, "region-"+i.name+".glb", glb)
		for _, f := range []*format.Format{&fixedFormat, &nonfixedFormat, &terrainFormat} {
			name := f.Name[len("u9-"):]
			corpus.SameBytes(t, name, lowered(t, f, s), i.file(t, name))
		}
		shown := 0
		s.Walk(func(n, _ *asset.Node) {
			if isObjectNode(n) && (n.Mesh != nil || len(n.Children) > 0) {
				shown++
			}
		})
		if shown < 15 {
			t.Errorf("%d objects have a shape", shown)
		}
	})
}

// objectEdit is what a person does to the objects of a map: two are moved, one of them to another square, where it is
// turned as well; one is removed and one is new.
type objectEdit struct {
	near, far, gone *ultima9.Object
	nearZ           int16
	farX, farY      int32 // in the world
	madeType        uint16
	made            [3]int32
}

// farRotation is the turn of the far object, a unit quaternion in the file's numbers.
var farRotation = [4]int16{0, 0, 19660, 26214}

func newObjectEdit(x *ultima9.ObjectFile) objectEdit {
	e := objectEdit{near: x.Objects[0], far: x.Objects[1], gone: x.Objects[2], madeType: 2, made: [3]int32{5000, 300, 950}}
	wx, wy, z := e.far.World()
	e.farX, e.farY, e.nearZ = (wx+4096)%int32(4096*x.Width), wy, e.near.Z+7
	if z == 0 {
		e.nearZ++
	}
	return e
}

// inScene does the edit by nodes.
func (e objectEdit) inScene(s *asset.Scene, name string) {
	var root *asset.Node
	s.Walk(func(n, _ *asset.Node) {
		if n.Native != nil && n.Native.Format == name {
			root = n
		}
	})
	is := func(n *asset.Node, o *ultima9.Object) bool {
		return isObjectNode(n) && uint32(scene.ShownWhole(n.Native, "offset", 0)) == o.Offset
	}
	root.Children = slices.DeleteFunc(root.Children, func(n *asset.Node) bool { return is(n, e.gone) })
	for _, n := range root.Children {
		switch at := &n.Transform.Translation; {
		case is(n, e.near):
			at[2] = float32(e.nearZ)
		case is(n, e.far):
			at[0], at[1] = float32(e.farX), float32(e.farY)
			for k, v := range farRotation {
				n.Transform.Rotation[k] = float32(v) / 32767
			}
		}
	}
	made := asset.NewNode(fmt.Sprintf("type_%d", e.madeType))
	for k, v := range e.made {
		made.Transform.Translation[k] = float32(v)
	}
	root.Children = append(root.Children, made)
}

// inJSON does the edit in a document, as a person would with a text editor.
func (e objectEdit) inJSON(t testing.TB, text []byte) []byte {
	var doc map[string]any
	d := stdjson.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	u9.Must(t, d.Decode(&doc))
	var list []any
	for _, v := range doc["Objects"].([]any) {
		o := v.(map[string]any)
		switch fmt.Sprint(o["Offset"]) {
		case fmt.Sprint(e.gone.Offset):
			continue
		case fmt.Sprint(e.near.Offset):
			o["Z"] = e.nearZ
		case fmt.Sprint(e.far.Offset):
			o["Square"], o["X"], o["Y"], o["Rotation"] = []int32{e.farX / 4096, e.farY / 4096}, e.farX%4096, e.farY%4096, farRotation
		}
		list = append(list, o)
	}
	flags := ultima9.ObjectPresent
	if e.far.Flags&ultima9.EntityFlags == ultima9.EntityFlags {
		flags |= ultima9.EntityFlags
	}
	doc["Objects"] = append(list, map[string]any{"Type": e.madeType, "Square": []int32{e.made[0] / 4096, 0}, "X": e.made[0] % 4096, "Y": e.made[1], "Z": e.made[2],
		"Rotation": []int{0, 0, 0, 32767}, "Flags": flags})
	return u9.Do(stdjson.Marshal(doc))(t)
}

// inTable does the edit in the table of the objects, as a person would with a spreadsheet.
func (e objectEdit) inTable(a *asset.Table) {
	var rows [][]any
	for _, row := range asCSV(a).Rows {
		switch row[0] {
		case fmt.Sprint(e.gone.Offset):
			continue
		case fmt.Sprint(e.near.Offset):
			row[4] = fmt.Sprint(e.nearZ)
		case fmt.Sprint(e.far.Offset):
			row[2], row[3] = fmt.Sprint(e.farX), fmt.Sprint(e.farY)
			for k, v := range farRotation {
				row[5+k] = fmt.Sprint(v)
			}
		}
		rows = append(rows, row)
	}
	a.Rows = append(rows, []any{"0", fmt.Sprint(e.madeType), fmt.Sprint(e.made[0]), fmt.Sprint(e.made[1]), fmt.Sprint(e.made[2]), "0", "0", "0", "32767", "0", "0", "0"})
}

// check holds an edited file against the one before: what was not edited is as it was, where it was.
func (e objectEdit) check(t *testing.T, name string, f *format.Format, before, after []byte) {
	t.Helper()
	was, is := objectsIn(t, f, before), objectsIn(t, f, after)
	if len(is) != len(was)-len(e.gone.Contents) {
		t.Errorf("%s: %d objects, %d before", name, len(is), len(was))
	}
	near := *e.near
	near.Z = e.nearZ
	was[near.Offset] = near
	delete(was, e.far.Offset)
	delete(was, e.gone.Offset)
	for at, o := range was {
		if g, ok := is[at]; !ok || !sameFields(&g, &o) || g.Square != o.Square || !slices.Equal(world.PlainProperties(&g), world.PlainProperties(&o)) || len(g.Contents) != len(o.Contents) {
			t.Errorf("%s: the object at 0x%x is %+v, want %+v", name, at, g, o)
		}
		delete(is, at)
	}
	moved, made := 0, 0
	for _, g := range is {
		x, y, z := g.World()
		if x == e.farX && y == e.farY && g.Type == e.far.Type && g.Rotation == farRotation && g.Model == e.far.Model && g.Link == e.far.Link &&
			g.Flags == e.far.Flags && slices.Equal(world.PlainProperties(&g), world.PlainProperties(e.far)) {
			moved++
		}
		if g.Type == e.madeType && [3]int32{x, y, z} == e.made {
			made++
		}
	}
	if moved != 1 || made != 1 {
		t.Errorf("%s: %d moved, %d made", name, moved, made)
	}
}

// Two objects moved, one added and one removed: in JSON, in a table and by nodes the same bytes come out, and nothing else is
// touched, neither in the file nor in the others of the map.
func TestInstallEdits(t *testing.T) {
	eachInstall(t, func(t *testing.T, i install) {
		for _, f := range []*format.Format{&fixedFormat, &nonfixedFormat} {
			name := f.Name[len("u9-"):]
			before := i.file(t, name)
			x := u9.Do(f.Read(before, nil))(t).(*ultima9.ObjectFile)
			edit := newObjectEdit(x)

			s, _ := i.region(t)
			edit.inScene(s, f.Name)
			s, _ = u9.GLB(t, s)
			after := lowered(t, f, s)
			edit.check(t, name+" by nodes", f, before, after)
			for _, other := range []*format.Format{&fixedFormat, &nonfixedFormat, &terrainFormat} {
				if other != f {
					corpus.SameBytes(t, other.Name, lowered(t, other, s), i.file(t, other.Name[len("u9-"):]))
				}
			}

			var text bytes.Buffer
			u9.Must(t, json.Encode(&text, x))
			v := f.New()
			u9.Must(t, json.Decode(bytes.NewReader(edit.inJSON(t, text.Bytes())), v))
			corpus.SameBytes(t, name+" in JSON", u9.Do(f.Write(v))(t), after)

			a := u9.Do(f.Views[0].Lift(u9.Do(f.Read(before, nil))(t), nil))(t).(*asset.Table)
			corpus.SameBytes(t, name+" through its table", u9.Do(f.Write(u9.Do(f.Lower(asCSV(a), nil))(t)))(t), before)
			edit.inTable(a)
			corpus.SameBytes(t, name+" in its table", u9.Do(f.Write(u9.Do(f.Lower(a, nil))(t)))(t), after)
			a.Native = nil
			if _, err := f.Lower(a, nil); schema.Class(err) != schema.ErrUnsupported {
				t.Errorf("a table alone: %v", err)
			}
		}
	})
}
