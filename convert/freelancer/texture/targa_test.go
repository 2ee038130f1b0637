package texture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	media "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	pixels "github.com/usher-assets/usher/schema/media"
	encode "github.com/usher-assets/usher/write/media"
)

// TestTargas: what Targas of all kinds show, row by row from the top, and that they show an edit, in their kind as long as that can.
func TestTargas(t *testing.T) {
	colors := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}
	x := func(kind, bits, descriptor uint8, pix ...byte) *pixels.TGA {
		return &pixels.TGA{ImageType: kind, Width: 3, Height: 2, Bits: bits, Descriptor: descriptor, Pixels: pix}
	}
	indexed := func(bits, mapBits uint8, first uint16, colors []byte, pix ...byte) *pixels.TGA {
		m := x(pixels.TGAIndexed, bits, pixels.TGAFromTop, pix...)
		m.MapType, m.MapBits, m.MapFirst, m.MapLength, m.Map = 1, mapBits, first, uint16(len(colors)*8/int(mapBits)), colors
		return m
	}
	deep := []byte{1, 2, 3, 0, 1, 2, 3, 255, 4, 5, 6, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	red, clear := []byte{255, 0, 0, 255}, []byte{255, 0, 0, 0}
	for _, c := range []struct {
		name  string
		t     *pixels.TGA
		want  string // colours and alpha of the six pixels
		edit  []byte // of the second pixel
		kind  uint8  // and bits, of the edited one
		bits  uint8
		mapOf uint8
	}{
		{"from below", x(pixels.TGAColour, 24, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19), "0d0c0bff 100f0eff 131211ff 030201ff 060504ff 090807ff", red, pixels.TGAColour, 24, 0},
		{"from the top, from the right", x(pixels.TGAColour, 24, pixels.TGAFromTop|pixels.TGAFromRight, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19), "090807ff 060504ff 030201ff 131211ff 100f0eff 0d0c0bff", red, pixels.TGAColour, 24, 0},
		{"gains alpha", x(pixels.TGAColour, 24, pixels.TGAFromTop, bytes.Repeat([]byte{9}, 18)...), "090909ff 090909ff 090909ff 090909ff 090909ff 090909ff", clear, pixels.TGAColour, 32, 0},
		{"32 bits", x(pixels.TGAColour, 32, pixels.TGAFromTop, deep...), "03020100 030201ff 06050409 00000000 00000000 00000000", red, pixels.TGAColour, 32, 0},
		{"16 bits", x(pixels.TGAColour, 16, pixels.TGAFromTop, 0x1f, 0x80, 0xe0, 0x03, 0, 0x7c, 0, 0, 0, 0, 0, 0), "0000ffff 00ff00ff ff0000ff 000000ff 000000ff 000000ff", red, pixels.TGAColour, 16, 0},
		{"grey", x(pixels.TGAGray, 8, pixels.TGAFromTop, 1, 2, 3, 4, 5, 6), "010101ff 020202ff 030303ff 040404ff 050505ff 060606ff", []byte{9, 9, 9, 255}, pixels.TGAGray, 8, 0},
		{"grey, with a colour", x(pixels.TGAGray, 8, pixels.TGAFromTop, 1, 2, 3, 4, 5, 6), "010101ff 020202ff 030303ff 040404ff 050505ff 060606ff", []byte{9, 9, 8, 255}, pixels.TGAColour, 24, 0},
		{"grey, with a hole", x(pixels.TGAGray, 8, pixels.TGAFromTop, 1, 2, 3, 4, 5, 6), "010101ff 020202ff 030303ff 040404ff 050505ff 060606ff", []byte{9, 9, 9, 128}, pixels.TGAColour, 32, 0},
		{"a palette", indexed(8, 24, 0, colors, 0, 1, 2, 2, 1, 9), "030201ff 060504ff 090807ff 090807ff 060504ff 00000000", red, pixels.TGAIndexed, 8, 32},
		{"a palette from a number on", indexed(8, 24, 5, colors, 5, 6, 7, 7, 6, 5), "030201ff 060504ff 090807ff 090807ff 060504ff 030201ff", red, pixels.TGAIndexed, 8, 24},
		{"a palette up to the last number", indexed(8, 24, 254, colors, 254, 255, 0, 253, 255, 254), "030201ff 060504ff 00000000 00000000 060504ff 030201ff", clear, pixels.TGAIndexed, 8, 32},
		{"a palette with alpha", indexed(8, 32, 0, []byte{1, 2, 3, 4, 5, 6, 7, 255}, 0, 1, 1, 1, 1, 1), "03020104 070605ff 070605ff 070605ff 070605ff 070605ff", red, pixels.TGAIndexed, 8, 32},
		{"a palette of 16 bits", indexed(8, 16, 0, []byte{0x1f, 0, 0, 0x7c}, 0, 1, 1, 1, 1, 1), "0000ffff ff0000ff ff0000ff ff0000ff ff0000ff ff0000ff", []byte{1, 2, 3, 255}, pixels.TGAIndexed, 8, 24},
	} {
		b, err := encode.TGA(c.t)
		if err != nil {
			t.Fatal(err)
		}
		m := targa(b)
		if m == nil {
			t.Errorf("%s: cannot be read", c.name)
			continue
		}
		got := fmt.Sprintf("%x %x %x %x %x %x", m.Pix[:4], m.Pix[4:8], m.Pix[8:12], m.Pix[12:16], m.Pix[16:20], m.Pix[20:])
		if got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
		copy(m.Pix[4:], c.edit)
		out, err := encodeTGA(b, m)
		if err != nil {
			t.Fatal(err)
		}
		now := targa(out)
		if now == nil || !bytes.Equal(now.Pix, m.Pix) || out[2] != c.kind || out[16] != c.bits || out[7] != c.mapOf {
			t.Errorf("%s: edited it is of kind %d, %d and %d bits: %v", c.name, out[2], out[16], out[7], now)
		}
	}
	many := asset.NewImage(17, 16, asset.RGBA8) // more colours than a palette has
	for i := range 17 * 16 {
		copy(many.Pix[4*i:], []byte{byte(i), byte(i >> 8), 7, 255})
	}
	like, err := encode.TGA(indexed(8, 24, 0, colors, 0, 1, 2, 2, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	for n, kind := range map[int]uint8{256: pixels.TGAIndexed, 257: pixels.TGAColour} {
		m := clone(&many)
		for i := n; i < 17*16; i++ {
			copy(m.Pix[4*i:], m.Pix[:4])
		}
		if out, err := encodeTGA(like, m); err != nil || out[2] != kind || !bytes.Equal(targa(out).Pix, m.Pix) || n > 256 && !bytes.Equal(out[3:8], make([]byte, 5)) {
			t.Errorf("%d colours: %v", n, err)
		}
	}
	short, err := encode.TGA(&pixels.TGA{ImageType: pixels.TGAGray | pixels.TGARuns, Width: 4, Height: 1, Bits: 8, Pixels: []byte{129, 7}})
	if err != nil || targa(short) != nil {
		t.Errorf("runs that are too short show something: %v", err)
	}
	if _, err := SmallerTGA(short, nil, freelancer.NewLeaf("MIP1", nil)); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("a smaller level of runs that are too short: %v", err)
	}
	for i := range 18 { // of a header
		a := make([]byte, 18)
		b := bytes.Clone(a)
		if b[i] = 1; sameKind(a, b) != (i != 2 && i != 7 && i != 16 && i != 17) {
			t.Errorf("byte %d tells pixels apart: %v", i, !sameKind(a, b))
		}
	}
}

// TestPictureKinds: what a new picture is stored as, and what is refused.
func TestPictureKinds(t *testing.T) {
	m := func(w, h int, alpha byte) *asset.Image {
		x := asset.NewImage(w, h, asset.RGBA8)
		for i := range w * h {
			x.Pix[4*i+3] = 255
		}
		x.Pix[3] = alpha
		return &x
	}
	for _, c := range []struct {
		m           *asset.Image
		asked, want string
	}{
		{m(32, 16, 255), "", KindTGA}, {m(64, 8, 255), "", kindDXT1}, {m(8, 64, 0), "", kindDXT5}, {m(64, 64, 128), "", kindDXT5}, {m(8, 8, 255), kindDXT3, kindDXT3}, {m(64, 64, 255), "png", kindDXT1},
	} {
		if got := NewKind(c.m, c.asked); got != c.want {
			t.Errorf("%d x %d, asked %q: %s", c.m.Width, c.m.Height, c.asked, got)
		}
	}
	for kind, want := range map[string]string{kindDXT1: kindDXT1, kindDXT5: kindDXT5, kindRGBA: kindRGBA} {
		b, err := newDDS(m(16, 8, 255), kind, 0)
		if err != nil || storedKind(b) != want {
			t.Errorf("%s: %s, %v", kind, storedKind(b), err)
		}
		if pitch := binary.LittleEndian.Uint32(b[20:]); pitch != map[string]uint32{kindDXT1: 64, kindDXT5: 128, kindRGBA: 64}[kind] {
			t.Errorf("%s: %d bytes a row, or in all", kind, pitch)
		}
		if icon := AsTarga(b, ""); (icon != nil) != (kind == kindRGBA) || icon != nil && (icon.Width != 16 || icon.Height != 8) {
			t.Errorf("%s as a Targa: %v", kind, icon)
		}
		if AsTarga(b, kindDXT1) != nil {
			t.Errorf("%s becomes a Targa unasked", kind)
		}
	}
	if _, err := newDDS(m(4, 4, 255), KindTGA, 0); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("a Targa as a DDS file: %v", err)
	}
	large, err := newDDS(m(64, 4, 255), kindRGBA, 0)
	if err != nil || AsTarga(large, "") != nil || AsTarga(large, KindTGA) == nil || AsTarga(large[:130], "") != nil || storedKind([]byte("x")) != "" {
		t.Errorf("which files become Targas: %v", err)
	}
	leaves, err := Targas(m(2048, 1, 255))
	if err != nil || len(leaves) != mostLevels || leaves[9].Name != "MIP9" {
		t.Errorf("%d levels, %v", len(leaves), err)
	}
	if leaves, err := TargasOf(leaves[7].Data); err != nil || len(leaves) != 5 || targa(leaves[4].Data).Width != 1 {
		t.Errorf("%d levels of 16 pixels, %v", len(leaves), err)
	}
	if _, err := TargasOf([]byte("x")); err == nil {
		t.Error("levels of what is no Targa")
	}
	for _, f := range []struct {
		f     *format.Format
		value any
	}{{DDS, (*pixels.DDS)(nil)}, {DDS, (*pixels.TGA)(nil)}, {TGA, "text"}, {TGA, nil}} {
		if _, err := f.f.Write(f.value); schema.Class(err) != schema.ErrUnsupported {
			t.Errorf("%T as %s: %v", f.value, f.f.Name, err)
		}
	}
	if err := Update(&freelancer.TextureEntry{Form: freelancer.CubeTexture}, m(4, 4, 255), "", 0, nil); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("one picture for a cube: %v", err)
	}
}

// TestFit: a picture of the size of the one that it replaces stays, others become powers of two; and what a library of one is called.
func TestFit(t *testing.T) {
	for _, c := range [][4]int{{6, 6, 6, 6}, {6, 6, 6, 8}, {6, 6, 8, 6}, {8, 4, 4, 8}} {
		m := asset.NewImage(c[0], c[1], asset.RGBA8)
		got := Fit(&m, c[2], c[3])
		if same := c[0] == c[2] && c[1] == c[3]; same && got != &m || !same && (got.Width&(got.Width-1) != 0 || got.Height&(got.Height-1) != 0) {
			t.Errorf("%v: %d x %d", c, got.Width, got.Height)
		}
	}
	for _, c := range []struct{ name, file, asked, want string }{{"wood", "x.png", "", "wood.tga"}, {"", "bark.png", kindDXT1, "bark.dds"}, {"wood.bmp", "x.png", "", "wood.bmp"}} {
		m := asset.NewImage(4, 4, asset.RGBA8)
		tree, err := NewLibrary(&asset.Texture{Name: c.name, Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, &format.Env{Name: c.file, Options: format.Options{Encoding: c.asked}})
		if err != nil || tree.Root.Child(freelancer.TextureLibrary).Children[0].Name != c.want {
			t.Errorf("%q of %q: %v", c.name, c.file, err)
		}
	}
	rows := func(format string, v any) *asset.Native {
		return &asset.Native{Format: format, Values: map[string]any{"textureRows": v}}
	}
	for _, c := range []struct {
		native *asset.Native
		option string
		want   bool
	}{
		{nil, StoredRows, true}, {nil, "", false}, {rows("cmp", StoredRows), "", true}, {rows("cmp", "upright"), StoredRows, false}, {rows("cmp", nil), StoredRows, false}, {rows("", nil), StoredRows, true}, {rows("", nil), "", false},
	} {
		if got := RowsStored(&asset.Scene{Native: c.native}, c.option); got != c.want {
			t.Errorf("%+v, %q: %v", c.native, c.option, got)
		}
	}
}

// TestRicherKind: a picture that gains alpha is stored in a kind that has it.
func TestRicherKind(t *testing.T) {
	m := func(alpha byte) *asset.Image {
		x := asset.NewImage(1, 1, asset.RGBA8)
		x.Pix[3] = alpha
		return &x
	}
	dxt := pixels.DDSFormat{Flags: pixels.DDSFourCC, FourCC: [4]byte{'D', 'X', 'T', '1'}}
	dxt5 := pixels.DDSFormat{Flags: pixels.DDSFourCC, FourCC: [4]byte{'D', 'X', 'T', '5'}}
	rgb := pixels.DDSFormat{Flags: pixels.DDSRGB, Bits: 32}
	rgba := pixels.DDSFormat{Flags: pixels.DDSRGB | pixels.DDSAlphaPixels, Bits: 32, Alpha: 0xFF000000}
	bit, unsaid, unmasked := rgba, rgba, rgba
	bit.Alpha, unsaid.Flags, unmasked.Alpha = 1, pixels.DDSRGB, 0
	for i, c := range []struct {
		f           *pixels.DDSFormat
		before, now *asset.Image
		want        string
	}{
		{&dxt, m(255), m(255), ""}, {&dxt, m(255), m(0), kindDXT5}, {&dxt, m(0), m(0), ""}, {&dxt, m(0), m(9), kindDXT5}, {&dxt, nil, m(0), kindDXT5}, {&dxt5, m(255), m(9), ""},
		{&rgb, m(255), m(9), kindRGBA}, {&rgb, m(255), m(255), ""}, {&rgba, m(255), m(9), ""}, {&bit, m(255), m(0), ""}, {&unsaid, m(255), m(9), kindRGBA}, {&unmasked, m(255), m(0), kindRGBA},
	} {
		if got := richerKind(c.f, c.before, c.now); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
}

// TestPitch: a picture of another size says how long its rows are, or how large it is, where the one before did.
func TestPitch(t *testing.T) {
	m := asset.NewImage(8, 8, asset.RGBA8)
	for i := range 64 {
		m.Pix[4*i+3] = 255
	}
	for _, c := range []struct {
		kind   string
		was    uint32
		pitch  uint32
		levels int
	}{{kindDXT1, 8, 32, 4}, {kindDXT1, 0, 0, 4}, {kindRGBA, 16, 32, 4}, {kindRGBA, 0, 0, 4}} {
		small := asset.NewImage(4, 4, asset.RGBA8)
		b, err := newDDS(&small, c.kind, 0)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(b[20:], c.was)
		if b, err = encodeDDS(b, 0, &m); err != nil {
			t.Fatal(err)
		}
		if x, err := media.DDS(b, nil); err != nil || x.Pitch != c.pitch || x.Width != 8 || len(x.Levels) != c.levels {
			t.Errorf("%s of %d: %+v, %v", c.kind, c.was, x, err)
		}
	}
}

// TestFingerprints: GLBs carry the fingerprint of a picture, so that it stays what it is: that of its size and of what it shows.
func TestFingerprints(t *testing.T) {
	m := asset.Image{Width: 3, Height: 1, Pix: []byte{1, 2, 3, 255, 4, 5, 6, 0, 7, 8, 9, 1}}
	shown := func(list ...asset.Image) *asset.Texture { return &asset.Texture{Frames: []asset.Frame{{Mips: list}}} }
	want := fmt.Sprintf("3x1:%08x", crc32.ChecksumIEEE([]byte{1, 2, 3, 255, 0, 0, 0, 0, 7, 8, 9, 1}))
	if got := Fingerprint(shown(m)); got != want || Fingerprint(shown()) != "" {
		t.Errorf("%s, want %s", got, want)
	}
	cube := shown(m)
	cube.Frames[0].Faces = []asset.Image{{}, m, {Width: 1}, {Height: 1}}
	if got := fingerprints(cube); len(got) != 2 || got[0] != want || got[1] != want || len(fingerprints(shown())) > 0 {
		t.Errorf("of a cube %v", got)
	}
	none := &asset.Texture{Native: &asset.Native{Format: "fltga"}}
	none.Native.Payload, _ = encode.TGA(&pixels.TGA{ImageType: pixels.TGAGray, Width: 1, Height: 1, Bits: 8, Pixels: []byte{1}})
	if _, err := TGA.Lower(none, &format.Env{}); schema.Class(err) != schema.ErrValue {
		t.Errorf("without a picture: %v", err)
	}
	for _, f := range []*format.Format{DDS, TGA} {
		if _, err := f.Lower(&asset.Texture{Native: &asset.Native{Format: f.Name, Payload: []byte("x")}}, &format.Env{}); schema.Class(err) != schema.ErrTruncated {
			t.Errorf("%s of a damaged file: %v", f.Name, err)
		}
	}
	for asked, want := range map[string]string{kindDXT5: kindDXT5, KindTGA: "", "png": "", "": ""} {
		if got := askedKind("fldds", shown(m), &format.Env{Options: format.Options{Encoding: asked}}); got != want {
			t.Errorf("asked for %q: %q", asked, got)
		}
	}
	if got := askedKind("fldds", cube, &format.Env{Options: format.Options{Encoding: kindDXT5}}); got != "" {
		t.Errorf("of a cube: %q", got)
	}
}

// holder is an archive that has room for Targas.
type holder struct{ format.ArchiveFile }

func (holder) HoldsTargas(string) bool { return true }

// TestKindAsked: a stored picture becomes one of another kind where that is asked for and it was edited, or all are to; and in sizes
// that the game knows.
func TestKindAsked(t *testing.T) {
	m := plain(64, 64)
	b, err := newDDS(m, kindDXT1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		asked    string
		reencode bool
		edited   *asset.Image
		want     string // kind and size
		told     string
	}{
		{"", false, nil, "dxt1 64 64", ""}, {kindDXT5, false, nil, "dxt1 64 64", ""}, {kindDXT5, true, nil, "dxt5 64 64", ""}, {kindDXT1, true, nil, "dxt1 64 64", ""}, {kindDXT5, false, plain(32, 64), "dxt5 32 64", ""},
		{"", false, plain(33, 64), "dxt1 32 64", "texture-scaled"}, {KindTGA, false, plain(33, 64), "tga 32 64", "texture-scaled"}, {KindTGA, true, nil, "tga 64 64", ""}, {KindTGA, false, nil, "dxt1 64 64", ""},
	} {
		x := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{*m}}}, Native: &asset.Native{Format: "fldds", Payload: b}}
		if c.edited != nil {
			x.Frames[0].Mips[0] = *c.edited
		}
		d := new(schema.Diagnostics)
		v, err := DDS.Lower(x, &format.Env{Archive: holder{}, Diagnostics: d, Options: format.Options{Encoding: c.asked, Reencode: c.reencode}})
		got := ""
		switch v := v.(type) {
		case *pixels.DDS:
			got = fmt.Sprintln(strings.ToLower(v.Format.FourCC.String()), v.Width, v.Height)
		case *pixels.TGA:
			got = fmt.Sprintln("tga", v.Width, v.Height)
		}
		told := ""
		for _, x := range d.All() {
			told += x.Code
		}
		if strings.TrimSpace(got) != c.want || err != nil || told != c.told {
			t.Errorf("asked for %q, %v: %s, %v, told %v, want %s", c.asked, c.reencode, got, err, d.All(), c.want)
		}
	}
	cube, faces := &pixels.DDS{HeaderSize: 124, Flags: 0x1007, Width: 4, Height: 4, Caps: 0x1008, Caps2: 0xFE00, Format: pixels.DDSFormat{Size: 32, Flags: pixels.DDSRGB, Bits: 8, Red: 0xE0, Green: 0x1C, Blue: 3}}, asset.Frame{Mips: []asset.Image{*plain(4, 4)}}
	for range 6 {
		cube.Levels = append(cube.Levels, make([]byte, 16))
	}
	for _, side := range []int{4, 8, 4, 4, 4} {
		faces.Faces = append(faces.Faces, *plain(side, side))
	}
	if b, err = encode.DDS(cube); err != nil {
		t.Fatal(err)
	}
	if b, err = encodeFaces(b, &asset.Texture{Frames: []asset.Frame{faces}}, 0); err != nil || len(b) != 128+6*16 || !bytes.Equal(b[128:], bytes.Repeat([]byte{0xFF}, 6*16)) {
		t.Errorf("a cube with a large face: %d bytes, %v", len(b), err)
	}
}

// plain returns a white picture.
func plain(w, h int) *asset.Image {
	return &asset.Image{Width: w, Height: h, Pix: bytes.Repeat([]byte{255}, 4*w*h)}
}

// TestLevelOfDDS: what kinds of pixels show, of which DXT4 is as DXT5 and light alone is grey.
func TestLevelOfDDS(t *testing.T) {
	block := []byte{255, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0}
	for name, same := range map[string]string{"DXT2": "DXT3", "DXT4": "DXT5"} {
		var shown []asset.Image
		for _, n := range []string{name, same} {
			f := pixels.DDSFormat{Flags: pixels.DDSFourCC, FourCC: [4]byte([]byte(n))}
			m, err := ddsLevel(&f, block, 4, 4)
			again, wrong := encodeLevel(&f, clone(plain(4, 4)), 0)
			if err != nil || wrong != nil || len(again) != 16 {
				t.Fatal(err, wrong)
			}
			shown = append(shown, m, asset.Image{Pix: again})
		}
		if !bytes.Equal(shown[0].Pix, shown[2].Pix) || !bytes.Equal(shown[1].Pix, shown[3].Pix) {
			t.Errorf("%s is not as %s", name, same)
		}
	}
	if got := unmask([]byte{0x40, 0xff}, 2, &pixels.DDSFormat{Flags: pixels.DDSLuminance, Bits: 8, Red: 0xff}); !bytes.Equal(got, []byte{0x40, 0x40, 0x40, 255, 255, 255, 255, 255}) {
		t.Errorf("light is %v", got)
	}
	b, err := newDDS(plain(1, 1), kindRGBA, 0)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := Lift(&freelancer.TextureEntry{Form: freelancer.DDSTexture, Leaves: []*freelancer.Node{freelancer.NewLeaf("MIPS", b)}}, nil); err != nil || len(m.Frames[0].Mips) != 1 || !bytes.Equal(m.Base().Pix, []byte{255, 255, 255, 255}) {
		t.Errorf("one pixel is %+v, %v", m, err)
	}
	sets := [][][2]float32{{{0, 0.25}}}
	s := &asset.Scene{Meshes: []*asset.Mesh{{Primitives: []*asset.Primitive{{TexCoords: sets}, {TexCoords: sets}, {TexCoords: [][][2]float32{sets[0], nil}}}}}}
	TurnRows(s)
	for i, p := range s.Meshes[0].Primitives {
		if p.TexCoords[0][0] != [2]float32{0, 0.75} {
			t.Errorf("primitive %d has %v", i, p.TexCoords)
		}
	}
}

// TestReplaceEntry: a texture that is stored in another kind loses the leaves of the old one, and tells where alpha goes.
func TestReplaceEntry(t *testing.T) {
	x := asset.NewImage(8, 8, asset.RGBA8) // all of it is a hole
	for kind, want := range map[string]string{kindDXT1: "note MIPS", kindRGBA: "note MIPS", KindTGA: "note MIP0 MIP1 MIP2 MIP3"} {
		dir := freelancer.NewDir("a.tga", freelancer.NewLeaf("note", nil), freelancer.NewLeaf("MIP0", nil), freelancer.NewLeaf("MIP1", nil))
		e := &freelancer.TextureEntry{Name: "a.tga", Node: dir, Form: freelancer.TGATexture, Leaves: dir.Children[1:3:3]}
		d := new(schema.Diagnostics)
		if err := Update(e, &x, kind, 0, d); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range dir.Children {
			got += " " + n.Name
		}
		if got != " "+want || len(e.Leaves) != len(dir.Children)-1 || (e.Form == freelancer.TGATexture) != (kind == KindTGA) || len(d.All()) > 0 {
			t.Errorf("%s: %s, told %v", kind, got, d.All())
		}
	}
	dir := freelancer.NewDir("a.tga", freelancer.NewLeaf("MIP0", nil))
	e := &freelancer.TextureEntry{Node: dir, Form: freelancer.TGATexture, Leaves: dir.Children[:1:1]}
	if err := replaceEntry(e, &x, "png", 0); schema.Class(err) != schema.ErrUnsupported || len(dir.Children) != 1 {
		t.Errorf("of a kind that there is not: %v, left are %d leaves", err, len(dir.Children))
	}
	e.Node = nil // a texture that no library has yet
	if err := replaceEntry(e, &x, kindRGBA, 0); err != nil || e.Form != freelancer.DDSTexture || len(e.Leaves) != 1 {
		t.Errorf("without a library: %v", err)
	}
	half := clone(&x)
	d := new(schema.Diagnostics)
	half.Pix[3] = 100
	if err := Update(e, half, kindDXT1, 0, d); err != nil || d.Count("texture-alpha") != 1 {
		t.Errorf("with less alpha: told %v, %v", d.All(), err)
	}
	for kind, told := range map[string]bool{kindDXT1: true, kindDXT5: false} {
		d := new(schema.Diagnostics)
		if _, err := New("a", half, kind, 0, d); err != nil || d.Has("texture-alpha") != told {
			t.Errorf("%s: told %v, %v", kind, d.All(), err)
		}
	}
}
