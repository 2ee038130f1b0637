package unreal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// checkerboard is an indexed picture with four colours.
func checkerboard(width, height int) *asset.Texture {
	m := asset.NewImage(width, height, asset.Indexed8)
	for i := range m.Pix {
		m.Pix[i] = byte((i%width/2 + i/width/2) % 4)
	}
	return &asset.Texture{Name: "Board", Palette: []asset.RGBA{{10, 20, 30, 255}, {200, 0, 0, 255}, {0, 200, 0, 255}, {250, 240, 230, 255}},
		Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

// colourful is a true-colour picture with more than 256 colours; its first row is transparent where holes is set.
func colourful(width, height int, holes bool) *asset.Texture {
	m := asset.NewImage(width, height, asset.RGBA8)
	for i := range width * height {
		x, y := i%width, i/width
		copy(m.Pix[4*i:], []byte{byte(x * 255 / width), byte(y * 255 / height), byte((x ^ y) * 3), 255})
		if holes && y == 0 {
			m.Pix[4*i+3] = 0
		}
	}
	return &asset.Texture{Name: "Colourful", Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

func beep() *asset.Sound {
	s := &asset.Sound{Name: "Beep", Rate: 22050, Channels: 1, Bits: 16}
	for i := range 441 {
		s.PCM = binary.LittleEndian.AppendUint16(s.PCM, uint16(int16(8000*math.Sin(float64(i)/7))))
	}
	return s
}

// pyramid is a scene of four triangles with two frames and a textured material.
func pyramid() *asset.Scene {
	p := &asset.Primitive{
		Positions: [][3]float32{{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, {0, 2, 0}},
		TexCoords: [][][2]float32{{{0, 0}, {0.5, 0}, {0.25, 0.5}, {0.75, 0.75}}},
		Targets:   []asset.Target{{Positions: [][3]float32{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}}}},
		Indices:   []uint32{0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0},
		Material:  asset.NewMaterial("Stone"),
	}
	board := checkerboard(8, 8)
	board.Name = "Brick"
	p.Material.BaseColorTexture = &asset.TextureRef{Texture: board}
	p.Material.DoubleSided = true
	n := asset.NewNode("Pyramid")
	n.Mesh = &asset.Mesh{Name: "Pyramid", Primitives: []*asset.Primitive{p}}
	return &asset.Scene{Name: "Pyramid", Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{p.Material}, Textures: []*asset.Texture{board},
		Animations: []*asset.Animation{{Name: "Grow", Channels: []*asset.Channel{{Node: n, Path: asset.MorphWeights, Times: []float32{0, 0.5}, Values: []float32{0, 1}}}}}}
}

// module is the smallest file that says it is a ProTracker module.
func module() []byte {
	b := make([]byte, 1084+1024)
	copy(b[1080:], "M.K.")
	b[950] = 1
	return b
}

// add puts an asset into an archive as "usher pack" does.
func add(t testing.TB, a *archive, path string, v asset.Asset, kind format.Kind) {
	t.Helper()
	f := a.newLeaf(kind)
	x, err := f.Lower(v, &format.Env{Archive: a, Diagnostics: a.Env.Given().Diagnostics})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	b, err := f.Write(x)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := a.Add(path, b, f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// made returns a new package with one of everything that can be added.
func made(t testing.TB, version uint16) *archive {
	t.Helper()
	x, err := Create(&format.Env{Name: "Made.u"})
	if err != nil {
		t.Fatal(err)
	}
	a := x.(*archive)
	a.Version = version
	add(t, a, "Walls/Board", checkerboard(8, 4), format.Texture)
	add(t, a, "Walls.Holes", colourful(16, 16, true), format.Texture)
	add(t, a, "Beep", beep(), format.Sound)
	add(t, a, "Notes", &asset.Text{Body: "class Notes;\r\n// ä €\r\n"}, format.Text)
	add(t, a, "Pyramid", pyramid(), format.Model)
	f := a.bind(musicFormat, -1)
	m, err := f.Lower(&asset.Sound{Stored: &asset.Stored{Encoding: "mod", Data: module()}}, &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Write(m)
	if err == nil {
		err = a.Add("Song", b, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// entry returns the number of an entry.
func entry(t testing.TB, a *archive, path string) int {
	t.Helper()
	for i, e := range a.Entries() {
		if e.Path == path {
			return i
		}
	}
	t.Fatalf("no entry %q", path)
	return 0
}

func lifted(t testing.TB, a *archive, path string) asset.Asset {
	t.Helper()
	i := entry(t, a, path)
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	f := formatOf(a, i)
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := f.Lift(v, &format.Env{Archive: a, Entry: path})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// replaced lowers an edited asset onto an entry and returns the package as it reads after being written.
func replaced(t testing.TB, a *archive, path string, v asset.Asset) *archive {
	t.Helper()
	i := entry(t, a, path)
	f := formatOf(a, i)
	x, err := f.Lower(v, &format.Env{Archive: a, Entry: path, Diagnostics: a.Env.Given().Diagnostics})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	b, err := f.Write(x)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := a.Replace(i, b); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return openBytes(t, a.Env.Name, written(t, a))
}

func TestCreate(t *testing.T) {
	for version := uint16(unreal.MinVersion); version <= unreal.MaxVersion; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			b := written(t, made(t, version))
			a := openBytes(t, "Made.u", b)
			corpus.SameBytes(t, "again", written(t, a), b)
			for i := range a.entries {
				back(t, a, i, map[string]int{})
			}
			board := lifted(t, a, "Walls.Board").(*asset.Texture)
			if got, want := texture.Pixels(board), texture.Pixels(checkerboard(8, 4)); !slices.Equal(got, want) || len(board.Frames[0].Mips) != 4 {
				t.Errorf("the picture changed, or has %d mips", len(board.Frames[0].Mips))
			}
			if got := lifted(t, a, "Beep").(*asset.Sound); !bytes.Equal(got.PCM, beep().PCM) || got.Rate != 22050 {
				t.Errorf("the sound has %d bytes at %d", len(got.PCM), got.Rate)
			}
			if got := lifted(t, a, "Song").(*asset.Sound); got.Stored.Encoding != "mod" || !bytes.Equal(got.Stored.Data, module()) {
				t.Errorf("the module became %s of %d bytes", got.Stored.Encoding, len(got.Stored.Data))
			}
			if got := lifted(t, a, "Notes").(*asset.Text); got.Body != "class Notes;\r\n// ä €\r\n" {
				t.Errorf("text %q", got.Body)
			}
			checkRules(t, a.Package)
		})
	}
}

func TestOptions(t *testing.T) {
	env := &format.Env{Options: format.Options{Unreal: format.UnrealOptions{PackageVersion: 61, KeepGUID: true}}}
	x, err := Create(env)
	if err != nil || x.(*archive).Version != 61 {
		t.Fatalf("%v, %v", x, err)
	}
	if _, err := Create(&format.Env{Options: format.Options{Unreal: format.UnrealOptions{PackageVersion: 100}}}); schema.Class(err) != schema.ErrValue {
		t.Errorf("version 100: %v", err)
	}
	b := written(t, made(t, 69))
	for _, keep := range []bool{false, true} {
		a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Made.u", Options: format.Options{Unreal: format.UnrealOptions{KeepGUID: keep}}})
		if err != nil {
			t.Fatal(err)
		}
		n := replaced(t, a, "Notes", &asset.Text{Body: "other"})
		if same := n.GUID == a.GUID; same != keep {
			t.Errorf("keep %v: same GUID %v", keep, same)
		}
	}
}

// checkRules holds a new package against section 14 of the reference.
func checkRules(t *testing.T, p *unreal.Package) {
	t.Helper()
	if !strings.EqualFold(p.Names[0].Text, "None") || p.Flags != 1 || p.Licensee != 0 {
		t.Errorf("first name %q, flags %x, licensee %d", p.Names[0].Text, p.Flags, p.Licensee)
	}
	for _, n := range p.Names {
		if n.Flags != 0x00070010 {
			t.Errorf("name %q has flags %08x", n.Text, n.Flags)
		}
	}
	var got []string
	for i, m := range p.Imports {
		path, err := p.Path(unreal.Ref(-i - 1))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Name(m.ClassPackage)+"."+p.Name(m.ClassName)+" "+path)
	}
	slices.Sort(got)
	want := []string{"Core.Class Core.Package", "Core.Class Core.TextBuffer", "Core.Class Engine.LodMesh", "Core.Class Engine.Music", "Core.Class Engine.Palette",
		"Core.Class Engine.Sound", "Core.Class Engine.Texture", "Core.Package Core", "Core.Package Engine"}
	if !slices.Equal(got, want) {
		t.Errorf("imports %q, want %q", got, want)
	}
	flags := map[string]uint32{"Texture": 0x000F0004, "Sound": 0x000F0004, "Music": 0x000F0004, "LodMesh": 0x000F0004, "Palette": 0x00070004, "Package": 0x00070004, "TextBuffer": 0x00340000}
	for i, e := range p.Exports {
		if class := p.ClassName(unreal.Ref(i + 1)); e.Flags != flags[class] {
			t.Errorf("%s: flags %08x, want %08x", class, e.Flags, flags[class])
		}
	}
}

func TestCreatedMesh(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 69)))
	o, err := a.Object(entry(t, a, "Pyramid"))
	if err != nil {
		t.Fatal(err)
	}
	m := o.(*unreal.LodMesh)
	if m.FrameVerts != 4 || m.AnimFrames != 2 || len(m.Faces) != 4 || len(m.Boxes) != 2 || m.Materials[0].Flags != unreal.PolyTwoSided {
		t.Errorf("%d vertices, %d frames, %d faces, %d boxes, materials %v", m.FrameVerts, m.AnimFrames, len(m.Faces), len(m.Boxes), m.Materials)
	}
	if len(m.Sequences) != 2 || a.Name(m.Sequences[1].Name) != "Grow" || m.Sequences[1].Rate != 2 || m.Sequences[1].Frames != 2 {
		t.Errorf("sequences %+v", m.Sequences)
	}
	if got := a.RefText(m.Textures[0]); got != "Texture'Brick'" {
		t.Errorf("texture %s", got)
	}
	s := lifted(t, a, "Pyramid").(*asset.Scene)
	want := pyramid().Meshes[0].Primitives[0]
	n := space.Shown(s)[0]
	for f, target := range []*asset.Target{nil, &want.Targets[0]} {
		for _, p := range want.Positions {
			if target != nil && p[1] == 2 {
				p[1] = 3
			}
			if !holds(n, f, p) {
				t.Errorf("frame %d lacks %v", f, p)
			}
		}
	}
	// Every face points outwards: away from the middle.
	g := n.Node.Mesh.Primitives[0]
	for i := 0; i < len(g.Indices); i += 3 {
		a, b, c := globalPoint(n, g.Positions[g.Indices[i]]), globalPoint(n, g.Positions[g.Indices[i+1]]), globalPoint(n, g.Positions[g.Indices[i+2]])
		if !outwards(a, b, c, [3]float32{0, 0.5, 0}) {
			t.Errorf("face %d is turned inside out", i/3)
		}
	}
}

func holds(n space.Placed, frame int, want [3]float32) bool {
	p := n.Node.Mesh.Primitives[0]
	for i, v := range p.Positions {
		if frame > 0 {
			d := p.Targets[frame-1].Positions[i]
			v = [3]float32{v[0] + d[0], v[1] + d[1], v[2] + d[2]}
		}
		v = globalPoint(n, v)
		if space.Close(v[0], want[0], 0.01) && space.Close(v[1], want[1], 0.01) && space.Close(v[2], want[2], 0.01) {
			return true
		}
	}
	return false
}

func outwards(a, b, c, middle [3]float32) bool {
	var u, v, w [3]float32
	for k := range 3 {
		u[k], v[k], w[k] = b[k]-a[k], c[k]-a[k], a[k]-middle[k]
	}
	n := [3]float32{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
	return n[0]*w[0]+n[1]*w[1]+n[2]*w[2] > 0
}

// A mesh goes from one package into a new one with its skin and sequences.
func TestMeshToNewPackage(t *testing.T) {
	s := through(t, lifted(t, openBytes(t, "Made.u", written(t, made(t, 69))), "Pyramid")).(*asset.Scene)
	x, err := Create(&format.Env{Name: "New.u"})
	if err != nil {
		t.Fatal(err)
	}
	add(t, x.(*archive), "Props/Copy", s, format.Model)
	a := openBytes(t, "New.u", written(t, x))
	o, err := a.Object(entry(t, a, "Props.Copy"))
	if err != nil {
		t.Fatal(err)
	}
	m := o.(*unreal.LodMesh)
	if len(m.Faces) != 4 || len(m.Sequences) != 2 || m.Sequences[1].Rate != 2 || a.RefText(m.Textures[0]) != "Texture'Brick'" {
		t.Errorf("%d faces, sequences %+v, textures %v", len(m.Faces), m.Sequences, m.Textures)
	}
	want := lifted(t, openBytes(t, "Made.u", written(t, made(t, 69))), "Brick").(*asset.Texture)
	if !texture.Same(lifted(t, a, "Brick").(*asset.Texture), want) {
		t.Error("the skin is not the same")
	}
}

// globalPoint places a point of a node in the scene.
func globalPoint(n space.Placed, v [3]float32) [3]float32 {
	return scene.Narrow3(mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, n.World))
}
