package unreal

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/texture"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

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
		{"a sequence that goes there and back", func(s *asset.Scene) {
			c := s.Animations[1].Channels[0]
			c.Times, c.Values = []float32{0, 1, 2}, []float32{0, 1, 0}
		}, func(m, old *unreal.LodMesh) bool {
			top := func(f int) int16 { // of the vertex at the top
				v := m.Vertices[f*int(m.FrameVerts) : (f+1)*int(m.FrameVerts)]
				return slices.MaxFunc(v, func(a, b [3]int16) int { return int(a[2]) - int(b[2]) })[2]
			}
			q := m.Sequences[1] // 2 frames a second, as it was
			return m.AnimFrames == 7 && m.Sequences[0].Frames == 7 && q.Start == 2 && q.Frames == 5 && q.Rate == 2 && len(m.Boxes) == 7 &&
				top(2) == top(0) && top(4) == top(1) && top(3) == (top(0)+top(1)+1)/2 && top(6) == top(0) && slices.Equal(m.Vertices[:8], old.Vertices)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := openBytes(t, "Made.u", source)
			old, _ := a.Object(entry(t, a, "Pyramid"))
			s := through(t, lifted(t, a, "Pyramid")).(*asset.Scene)
			c.edit(s)
			a = replaced(t, a, "Pyramid", s)
			o, err := a.Object(entry(t, a, "Pyramid"))
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
			pal, _ := a.Palette(x)
			return pal[x.Mips[0].Pixels[0]] == [4]uint8{1, 2, 3, 255} && pal[1] == [4]uint8{200, 0, 0, 255} && len(a.entries) == exports
		}},
		{"a colour of the palette itself", "Walls.Board", func(x *asset.Texture) { x.Palette[1] = asset.RGBA{9, 9, 9, 255} }, func(a *archive, x *unreal.Texture) bool {
			pal, _ := a.Palette(x)
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
			o, err := a.Object(entry(t, a, c.path))
			if err != nil {
				t.Fatal(err)
			}
			if y := o.(*unreal.Texture); !c.want(a, y) {
				t.Errorf("mips %d, size %d x %d, first pixels %v", len(y.Mips), y.Mips[0].USize, y.Mips[0].VSize, y.Mips[0].Pixels[:8])
			}
			if !texture.Same(lifted(t, a, c.path).(*asset.Texture), x) {
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
	second := texture.Pixels(lifted(t, a, "Second").(*asset.Texture))
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
	if !slices.Equal(texture.Pixels(lifted(t, n, "Second").(*asset.Texture)), second) || !texture.Same(lifted(t, n, "First").(*asset.Texture), x) {
		t.Error("a picture is not what it should be")
	}
	if len(n.entries) != len(a.entries) || n.ObjectName(unreal.Ref(len(n.entries))) != "Palette1" {
		t.Errorf("%d entries, the last one %s", len(n.entries), n.ObjectName(unreal.Ref(len(n.entries))))
	}
}

// The compressed copy of an edited picture is made anew where the edit is, in its format and with as many mips.
func TestEditCompressed(t *testing.T) {
	b := corpus.Bytes(t, corpus.Folder(t, "unreal")+"/synthetic/syn_textures.utx")
	a := openBytes(t, "syn_textures.utx", b)
	o, err := a.Object(entry(t, a, "Comp1"))
	if err != nil {
		t.Fatal(err)
	}
	was := o.(*unreal.Texture)
	x := lifted(t, a, "Comp1").(*asset.Texture)
	pix := slices.Clone(x.Base().Pix)
	pix[0] ^= 1
	x.Frames[0].Mips[0].Pix = pix
	a = replaced(t, a, "Comp1", x)
	if o, err = a.Object(entry(t, a, "Comp1")); err != nil {
		t.Fatal(err)
	}
	y := o.(*unreal.Texture)
	if !y.HasComp || listFormat(y, "CompFormat") != listFormat(was, "CompFormat") || len(y.Compressed) != len(was.Compressed) || len(y.Mips) != 5 || y.Mips[0].Pixels[0] != pix[0] {
		t.Errorf("compressed %v, %d mips", y.HasComp, len(y.Mips))
	}
	block := listFormat(y, "CompFormat").BlockSize()
	if now, old := y.Compressed[0].Pixels, was.Compressed[0].Pixels; len(now) != len(old) || bytes.Equal(now[:block], old[:block]) || !bytes.Equal(now[block:], old[block:]) {
		t.Errorf("the blocks are %x, they were %x", now, old)
	}
}

func TestEditSound(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 63)))
	s := lifted(t, a, "Beep").(*asset.Sound)
	s.PCM = append(slices.Clone(s.PCM), s.PCM...)
	a = replaced(t, a, "Beep", s)
	o, err := a.Object(entry(t, a, "Beep"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := wav.Decode(o.(*unreal.Sound).Data)
	if err != nil || !bytes.Equal(got.PCM, s.PCM) {
		t.Errorf("%d bytes of samples, want %d; %v", len(got.PCM), len(s.PCM), err)
	}
	back(t, a, entry(t, a, "Pyramid"), map[string]int{})
}

// Samples that the game does not play are converted, which is told as a loss, or refused; the rate that the sound had may stay.
func TestSoundPolicy(t *testing.T) {
	a := openBytes(t, "Made.u", written(t, made(t, 69)))
	f := formatOf(a, entry(t, a, "Beep"))
	lower := func(s *asset.Sound, opt format.Options) (*asset.Sound, *schema.Diagnostics, error) {
		d := new(schema.Diagnostics)
		v, err := f.Lower(s, &format.Env{Options: opt, Diagnostics: d})
		if err != nil {
			return nil, d, err
		}
		out, err := wav.Decode(v.(*unreal.Sound).Data)
		return out, d, err
	}
	high := &asset.Sound{Name: "High", Rate: 48000, Channels: 1, Bits: 24, PCM: make([]byte, 4800*3)}
	out, d, err := lower(high, format.Options{})
	if err != nil || out.Rate != 44100 || out.Bits != 16 || len(d.All()) != 1 || d.All()[0].Severity != schema.Loss {
		t.Errorf("%d Hz, %d bits, %v, %v", out.Rate, out.Bits, d.All(), err)
	}
	if _, _, err := lower(high, format.Options{Strict: true}); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("strict: %v", err)
	}
	edited := lifted(t, a, "Beep").(*asset.Sound)
	edited.PCM = append(edited.PCM, 0, 0)
	if out, d, err := lower(edited, format.Options{Strict: true}); err != nil || out.Rate != edited.Rate || len(d.All()) > 0 {
		t.Errorf("%v, %v", d.All(), err)
	}
}

func TestEditRecord(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	a := openBytes(t, "box.unr", corpus.Bytes(t, dir+"/1HH-TestBox.unr"))
	i := entry(t, a, "Light0")
	f := formatOf(a, i)
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
		RecordProperty{Name: "Region", Type: "Str", Value: "text"}, RecordProperty{Name: "Owner", Type: "Object", Value: a.RefText(1)})
	if b, err = f.Write(r); err != nil {
		t.Fatal(err)
	}
	if err := a.Replace(i, b); err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "box.unr", written(t, a))
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	base := o.Base()
	if z := property3(base, "Location", [3]float32{})[2]; z != 321.5 {
		t.Errorf("Z %v", z)
	}
	if base.Number("LightBrightness", 0) != 200 || base.Ref("Owner") != 1 || a.Name(unreal.NameIndex(base.Properties[len(base.Properties)-3].Number)) != "Brand_New" {
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
		_, err := formatOf(a, entry(t, a, path)).Lower(v, &format.Env{})
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
	if got := len(a.Entries()); got != len(a.Exports) {
		t.Errorf("%d entries for %d exports", got, len(a.Exports))
	}
}

// TestMalformed: files whose geometry alone is broken read, but do not convert.
func TestMalformed(t *testing.T) {
	a := openBytes(t, "mesh_wedge.u", corpus.Bytes(t, corpus.Folder(t, "unreal")+"/malformed/mesh_wedge.u"))
	i := entry(t, a, "Bad")
	b, _ := a.Payload(i)
	v, err := formatOf(a, i).Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := formatOf(a, i).Lift(v, &format.Env{}); schema.Class(err) != schema.ErrRange {
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
