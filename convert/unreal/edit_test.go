package unreal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/wav"
	read "github.com/usher-assets/usher/read/unreal"
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
	f := a.Leaf(kind)
	x, err := f.Lower(v, &format.Env{Archive: a})
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
	a.p.Version = version
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
	f := a.Entries()[i].Format
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
	f := a.Entries()[i].Format
	x, err := f.Lower(v, &format.Env{Archive: a, Entry: path, Diagnostics: a.env.Diagnostics})
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
	return openBytes(t, a.env.Name, written(t, a))
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
			if got, want := pixels(board), pixels(checkerboard(8, 4)); !slices.Equal(got, want) || len(board.Frames[0].Mips) != 4 {
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
			checkRules(t, a.p)
		})
	}
}

func TestOptions(t *testing.T) {
	env := &format.Env{Options: format.Options{PackageVersion: 61, KeepGUID: true}}
	x, err := Create(env)
	if err != nil || x.(*archive).p.Version != 61 {
		t.Fatalf("%v, %v", x, err)
	}
	if _, err := Create(&format.Env{Options: format.Options{PackageVersion: 100}}); schema.Class(err) != schema.ErrValue {
		t.Errorf("version 100: %v", err)
	}
	b := written(t, made(t, 69))
	for _, keep := range []bool{false, true} {
		a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "Made.u", Options: format.Options{KeepGUID: keep}})
		if err != nil {
			t.Fatal(err)
		}
		n := replaced(t, a, "Notes", &asset.Text{Body: "other"})
		if same := n.p.GUID == a.p.GUID; same != keep {
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
	o, err := a.object(entry(t, a, "Pyramid"))
	if err != nil {
		t.Fatal(err)
	}
	m := o.(*unreal.LodMesh)
	if m.FrameVerts != 4 || m.AnimFrames != 2 || len(m.Faces) != 4 || len(m.Boxes) != 2 || m.Materials[0].Flags != unreal.PolyTwoSided {
		t.Errorf("%d vertices, %d frames, %d faces, %d boxes, materials %v", m.FrameVerts, m.AnimFrames, len(m.Faces), len(m.Boxes), m.Materials)
	}
	if len(m.Sequences) != 2 || a.p.Name(m.Sequences[1].Name) != "Grow" || m.Sequences[1].Rate != 2 || m.Sequences[1].Frames != 2 {
		t.Errorf("sequences %+v", m.Sequences)
	}
	if got := refText(a.p, m.Textures[0]); got != "Texture'Brick'" {
		t.Errorf("texture %s", got)
	}
	s := lifted(t, a, "Pyramid").(*asset.Scene)
	want := pyramid().Meshes[0].Primitives[0]
	n := shownNodes(s)[0]
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
	g := n.node.Mesh.Primitives[0]
	for i := 0; i < len(g.Indices); i += 3 {
		a, b, c := globalPoint(n, g.Positions[g.Indices[i]]), globalPoint(n, g.Positions[g.Indices[i+1]]), globalPoint(n, g.Positions[g.Indices[i+2]])
		if !outwards(a, b, c, [3]float32{0, 0.5, 0}) {
			t.Errorf("face %d is turned inside out", i/3)
		}
	}
}

func holds(n placedNode, frame int, want [3]float32) bool {
	p := n.node.Mesh.Primitives[0]
	for i, v := range p.Positions {
		if frame > 0 {
			d := p.Targets[frame-1].Positions[i]
			v = [3]float32{v[0] + d[0], v[1] + d[1], v[2] + d[2]}
		}
		v = globalPoint(n, v)
		if close(v[0], want[0], 0.01) && close(v[1], want[1], 0.01) && close(v[2], want[2], 0.01) {
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
	o, err := a.object(entry(t, a, "Props.Copy"))
	if err != nil {
		t.Fatal(err)
	}
	m := o.(*unreal.LodMesh)
	if len(m.Faces) != 4 || len(m.Sequences) != 2 || m.Sequences[1].Rate != 2 || refText(a.p, m.Textures[0]) != "Texture'Brick'" {
		t.Errorf("%d faces, sequences %+v, textures %v", len(m.Faces), m.Sequences, m.Textures)
	}
	want := lifted(t, openBytes(t, "Made.u", written(t, made(t, 69))), "Brick").(*asset.Texture)
	if !samePicture(lifted(t, a, "Brick").(*asset.Texture), want) {
		t.Error("the skin is not the same")
	}
}

// An edited mesh keeps what it can: moved vertices leave the faces alone, new faces make a new mesh.
func TestEditMesh(t *testing.T) {
	source := written(t, made(t, 69))
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene)
		want func(m, old *unreal.LodMesh) bool
	}{
		{"vertices in another order", shuffle, func(m, old *unreal.LodMesh) bool { return slices.Equal(m.Vertices, old.Vertices) }},
		{"a vertex moved", func(s *asset.Scene) {
			for i := range s.Meshes[0].Primitives[0].Positions {
				if p := &s.Meshes[0].Primitives[0].Positions[i]; p[1] > 0 {
					p[1] -= 5
				}
			}
		}, func(m, old *unreal.LodMesh) bool {
			return slices.Equal(m.Faces, old.Faces) && !slices.Equal(m.Vertices, old.Vertices) && m.Boxes[0].Max[2] == old.Boxes[0].Max[2]-5
		}},
		{"a texture coordinate", func(s *asset.Scene) {
			s.Meshes[0].Primitives[0].TexCoords[0][0][0] = 200.0 / 256
		}, func(m, old *unreal.LodMesh) bool {
			return slices.Equal(m.Faces, old.Faces) && m.Wedges[0].UV[0] == 200 && slices.Equal(m.Vertices, old.Vertices)
		}},
		{"a face less", func(s *asset.Scene) {
			p := s.Meshes[0].Primitives[0]
			p.Indices = p.Indices[:9]
		}, func(m, old *unreal.LodMesh) bool { return len(m.Faces) == 3 && m.AnimFrames == 2 }},
		{"one-sided and translucent", func(s *asset.Scene) {
			m := s.Meshes[0].Primitives[0].Material
			m.DoubleSided, m.Alpha = false, asset.Blend
		}, func(m, old *unreal.LodMesh) bool { return m.Materials[0].Flags == unreal.PolyTranslucent }},
		{"a sequence renamed and faster", func(s *asset.Scene) {
			v := s.Native.Values["sequences"].([]any)[1].(map[string]any)
			v["name"], v["rate"] = "Rise", 20.0
		}, func(m, old *unreal.LodMesh) bool {
			return m.Package.Name(m.Sequences[1].Name) == "Rise" && m.Sequences[1].Rate == 20 && slices.Equal(m.Faces, old.Faces)
		}},
		{"a new sequence", func(s *asset.Scene) {
			x := *s.Animations[0]
			c := *x.Channels[0]
			x.Name, x.Native, x.Channels = "Still", nil, []*asset.Channel{&c}
			c.Times, c.Values = []float32{0}, []float32{1}
			s.Animations = append(s.Animations, &x)
		}, func(m, old *unreal.LodMesh) bool {
			return len(m.Sequences) == 3 && m.Sequences[2].Start == 1 && m.Sequences[2].Frames == 1
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := openBytes(t, "Made.u", source)
			old, _ := a.object(entry(t, a, "Pyramid"))
			s := through(t, lifted(t, a, "Pyramid")).(*asset.Scene)
			c.edit(s)
			a = replaced(t, a, "Pyramid", s)
			o, err := a.object(entry(t, a, "Pyramid"))
			if err != nil {
				t.Fatal(err)
			}
			m := o.(*unreal.LodMesh)
			if !c.want(m, old.(*unreal.LodMesh)) {
				t.Errorf("vertices %v, faces %v, wedges %v, materials %v, sequences %+v", m.Vertices, m.Faces, m.Wedges, m.Materials, m.Sequences)
			}
			back(t, a, entry(t, a, "Pyramid"), map[string]int{})
		})
	}
}

// shuffle turns the vertices around and splits one of them, as editors do.
func shuffle(s *asset.Scene) {
	p := s.Meshes[0].Primitives[0]
	n := uint32(len(p.Positions))
	slices.Reverse(p.Positions)
	p.Positions = append(p.Positions, p.Positions[0])
	slices.Reverse(p.TexCoords[0])
	p.TexCoords[0] = append(p.TexCoords[0], p.TexCoords[0][0])
	p.Normals = nil
	for i := range p.Targets {
		slices.Reverse(p.Targets[i].Positions)
		p.Targets[i] = asset.Target{Positions: append(p.Targets[i].Positions, p.Targets[i].Positions[0])}
	}
	for i := range p.Indices {
		if p.Indices[i] = n - 1 - p.Indices[i]; p.Indices[i] == 0 && i > 5 {
			p.Indices[i] = n
		}
	}
	p.Indices = append(p.Indices[3:], p.Indices[:3]...)
}

func TestEditTexture(t *testing.T) {
	source := written(t, made(t, 69))
	exports := len(openBytes(t, "Made.u", source).entries)
	for _, c := range []struct {
		name string
		path string
		edit func(x *asset.Texture)
		want func(a *archive, x *unreal.Texture) bool
	}{
		{"a colour of the palette", "Walls.Board", func(x *asset.Texture) { x.Base().Pix[0] = 3 }, func(a *archive, x *unreal.Texture) bool {
			return x.Mips[0].Pixels[0] == 3 && len(a.entries) == exports
		}},
		{"true colour, nothing edited", "Walls.Board", func(x *asset.Texture) {
			m := trueColor(x)
			x.Frames[0].Mips, x.Palette = []asset.Image{m}, nil
		}, func(a *archive, x *unreal.Texture) bool { return x.Mips[0].Pixels[2] == 1 && len(a.entries) == exports }},
		{"true colour, a new colour", "Walls.Board", func(x *asset.Texture) {
			m := trueColor(x)
			copy(m.Pix, []byte{1, 2, 3, 255})
			x.Frames[0].Mips, x.Palette = []asset.Image{m}, nil
		}, func(a *archive, x *unreal.Texture) bool {
			pal, _ := a.palette(x)
			return pal[x.Mips[0].Pixels[0]] == [4]uint8{1, 2, 3, 255} && pal[1] == [4]uint8{200, 0, 0, 255} && len(a.entries) == exports
		}},
		{"a colour of the palette itself", "Walls.Board", func(x *asset.Texture) { x.Palette[1] = asset.RGBA{9, 9, 9, 255} }, func(a *archive, x *unreal.Texture) bool {
			pal, _ := a.palette(x)
			return slices.Contains(pal, [4]uint8{9, 9, 9, 255}) && x.Mips[0].USize == 8
		}},
		{"larger", "Walls.Board", func(x *asset.Texture) { *x.Base() = *checkerboard(64, 32).Base() }, func(a *archive, x *unreal.Texture) bool {
			return len(x.Mips) == 7 && x.Mips[0].USize == 64 && x.Number("USize", 0) == 64 && x.Number("UBits", 0) == 6 && x.Number("VClamp", 0) == 32
		}},
		{"a hole", "Walls.Holes", func(x *asset.Texture) { x.Base().Pix[200] = 0 }, func(a *archive, x *unreal.Texture) bool {
			return x.Mips[0].Pixels[200] == 0 && x.Bool("bMasked")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := openBytes(t, "Made.u", source)
			x := through(t, lifted(t, a, c.path)).(*asset.Texture)
			c.edit(x)
			a = replaced(t, a, c.path, x)
			o, err := a.object(entry(t, a, c.path))
			if err != nil {
				t.Fatal(err)
			}
			if y := o.(*unreal.Texture); !c.want(a, y) {
				t.Errorf("mips %d, size %d x %d, first pixels %v", len(y.Mips), y.Mips[0].USize, y.Mips[0].VSize, y.Mips[0].Pixels[:8])
			}
			if !samePicture(lifted(t, a, c.path).(*asset.Texture), x) {
				t.Error("the picture is not what was put in")
			}
		})
	}
}

// A palette that several textures share stays as it is: the edited one gets its own.
func TestSharedPalette(t *testing.T) {
	b := corpus.Bytes(t, corpus.Folder(t, "unreal")+"/synthetic/syn_textures.utx")
	d := new(schema.Diagnostics)
	a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "syn_textures.utx", Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	second := pixels(lifted(t, a, "Second").(*asset.Texture))
	x := lifted(t, a, "First").(*asset.Texture)
	m := trueColor(x)
	fresh := asset.RGBA{1, 2, 3, 255}
	for slices.Contains(x.Palette, fresh) {
		fresh[0]++
	}
	copy(m.Pix, fresh[:])
	x.Frames[0].Mips, x.Palette = []asset.Image{m}, nil
	n := replaced(t, a, "First", x)
	if !d.Has("shared-palette") {
		t.Errorf("no warning: %v", d.All())
	}
	if !slices.Equal(pixels(lifted(t, n, "Second").(*asset.Texture)), second) || !samePicture(lifted(t, n, "First").(*asset.Texture), x) {
		t.Error("a picture is not what it should be")
	}
	if len(n.entries) != len(a.entries) || n.p.ObjectName(unreal.Ref(len(n.entries))) != "Palette1" {
		t.Errorf("%d entries, the last one %s", len(n.entries), n.p.ObjectName(unreal.Ref(len(n.entries))))
	}
}

// The compressed copy of an edited picture goes, since the game would show it.
func TestEditCompressed(t *testing.T) {
	b := corpus.Bytes(t, corpus.Folder(t, "unreal")+"/synthetic/syn_textures.utx")
	a := openBytes(t, "syn_textures.utx", b)
	x := lifted(t, a, "Comp1").(*asset.Texture)
	pix := slices.Clone(x.Base().Pix)
	pix[0] ^= 1
	x.Frames[0].Mips[0].Pix = pix
	a = replaced(t, a, "Comp1", x)
	o, err := a.object(entry(t, a, "Comp1"))
	if err != nil {
		t.Fatal(err)
	}
	y := o.(*unreal.Texture)
	if y.HasComp || y.Property("bHasComp", 0) != nil || y.Property("CompFormat", 0) != nil || len(y.Mips) != 5 || y.Mips[0].Pixels[0] != pix[0] {
		t.Errorf("compressed %v, %d mips", y.HasComp, len(y.Mips))
	}
}

func TestEditSound(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 63)))
	s := lifted(t, a, "Beep").(*asset.Sound)
	s.PCM = append(slices.Clone(s.PCM), s.PCM...)
	a = replaced(t, a, "Beep", s)
	o, err := a.object(entry(t, a, "Beep"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := wav.Decode(o.(*unreal.Sound).Data)
	if err != nil || !bytes.Equal(got.PCM, s.PCM) {
		t.Errorf("%d bytes of samples, want %d; %v", len(got.PCM), len(s.PCM), err)
	}
	back(t, a, entry(t, a, "Pyramid"), map[string]int{})
}

func TestEditRecord(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	a := openBytes(t, "box.unr", corpus.Bytes(t, dir+"/1HH-TestBox.unr"))
	i := entry(t, a, "Light0")
	f := a.Entries()[i].Format
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := throughJSON(t, f, v).(*Record)
	n := slices.IndexFunc(r.Properties, func(p RecordProperty) bool { return p.Name == "Location" })
	if n < 0 {
		t.Fatalf("no Location in %+v", r.Properties)
	}
	r.Properties[n].Value.(map[string]any)["Z"] = 321.5
	r.Properties = append(r.Properties, RecordProperty{Name: "LightBrightness", Type: "Byte", Value: int64(200)},
		RecordProperty{Name: "bHidden", Type: "Bool", Value: false}, RecordProperty{Name: "Tag", Type: "Name", Value: "Brand_New"},
		RecordProperty{Name: "Region", Type: "Str", Value: "text"}, RecordProperty{Name: "Owner", Type: "Object", Value: refText(a.p, 1)})
	if b, err = f.Write(r); err != nil {
		t.Fatal(err)
	}
	if err := a.Replace(i, b); err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "box.unr", written(t, a))
	o, err := a.object(i)
	if err != nil {
		t.Fatal(err)
	}
	base := o.Base()
	if z := property3(base, "Location", [3]float32{})[2]; z != 321.5 {
		t.Errorf("Z %v", z)
	}
	if base.Number("LightBrightness", 0) != 200 || base.Ref("Owner") != 1 || a.p.Name(unreal.NameIndex(base.Properties[len(base.Properties)-3].Number)) != "Brand_New" {
		t.Errorf("properties %+v", base.Properties)
	}
	r.Class = "Other"
	if _, err := f.Write(r); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("another class: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 69)))
	lower := func(path string, v asset.Asset) error {
		_, err := a.Entries()[entry(t, a, path)].Format.Lower(v, &format.Env{})
		return err
	}
	odd := checkerboard(8, 8)
	odd.Frames[0].Mips[0] = asset.NewImage(10, 8, asset.RGBA8)
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"side of 10", lower("Walls.Board", odd), schema.ErrValue},
		{"sound as texture", lower("Walls.Board", beep()), schema.ErrUnsupported},
		{"text as sound", lower("Beep", &asset.Text{}), schema.ErrUnsupported},
		{"samples as music", lower("Song", beep()), schema.ErrUnsupported},
		{"no module", lower("Song", &asset.Sound{Stored: &asset.Stored{Data: []byte("hello")}}), schema.ErrBadMagic},
		{"remove", a.Remove(0), schema.ErrUnsupported},
		{"bad name", a.Add("a b", nil, &textureFormat), schema.ErrValue},
		{"long name", a.Add(strings.Repeat("x", 64), nil, &textureFormat), schema.ErrValue},
		{"raw", a.Add("x", nil, nil), schema.ErrUnsupported},
		{"twice", a.Add("Walls/Board", nil, &textureFormat), schema.ErrMismatch},
	} {
		if schema.Class(c.err) != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	if got := len(a.Entries()); got != len(a.p.Exports) {
		t.Errorf("%d entries for %d exports", got, len(a.p.Exports))
	}
}

// TestMalformed: files whose geometry alone is broken read, but do not convert.
func TestMalformed(t *testing.T) {
	a := openBytes(t, "mesh_wedge.u", corpus.Bytes(t, corpus.Folder(t, "unreal")+"/malformed/mesh_wedge.u"))
	i := entry(t, a, "Bad")
	b, _ := a.Payload(i)
	v, err := a.Entries()[i].Format.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Entries()[i].Format.Lift(v, &format.Env{}); schema.Class(err) != schema.ErrRange {
		t.Errorf("%v, want %v", err, schema.ErrRange)
	}
	for _, name := range []string{"outer_cycle.u", "import_cycle.u"} {
		b := corpus.Bytes(t, corpus.Folder(t, "unreal")+"/malformed/"+name)
		if _, err := Open(bytes.NewReader(b), int64(len(b)), nil); schema.Class(err) != schema.ErrCycle {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProbe(t *testing.T) {
	for _, c := range []struct {
		name string
		head []byte
		want format.Confidence
	}{
		{"a.u", written(t, made(t, 69)), format.Certain},
		{"a.u", []byte("hello"), format.No},
	} {
		if got := probePackage(&format.Input{Name: c.name, Head: c.head}); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if read.IsPackage(nil); probeModule(&format.Input{Head: module()}) != format.Magic {
		t.Error("a module is not known")
	}
}
