package texture

import (
	"bytes"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// swatches are the colours of the one palette that there is.
type swatches struct{ colors [][4]uint8 }

func (s *swatches) Palette(*unreal.Texture) ([][4]uint8, error) { return s.colors, nil }

func (s *swatches) SetPalette(_ *unreal.Texture, colors []asset.RGBA, _ *schema.Diagnostics) error {
	s.NewPalette(colors)
	return nil
}

func (s *swatches) NewPalette(colors []asset.RGBA) unreal.Ref {
	s.colors = nil
	for _, c := range colors {
		s.colors = append(s.colors, c)
	}
	return 1
}

// painter stores pictures with an encoding.
func painter(encoding string) *Painter {
	return &Painter{new(swatches), &unreal.Package{}, format.Options{Unreal: format.UnrealOptions{TextureEncoding: encoding}}, new(schema.Diagnostics)}
}

// board is a picture of four even quarters.
func board(width, height int, quarters [4]asset.RGBA) *asset.Texture {
	m := asset.NewImage(width, height, asset.RGBA8)
	for i := range width * height {
		c := quarters[i/width*2/height*2+i%width*2/width]
		copy(m.Pix[4*i:], c[:])
	}
	return &asset.Texture{Name: "Board", Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
}

// quarters returns the colours of a board.
func quarters(x *asset.Texture) (list [4]asset.RGBA) {
	m, pix := x.Base(), Pixels(x)
	for i := range list {
		list[i] = pix[(i/2*2+1)*m.Height/4*m.Width+(i%2*2+1)*m.Width/4]
	}
	return list
}

// even reports whether a picture shows even quarters in all its pixels, but for what blocks make of them.
func even(x *asset.Texture, of [4]asset.RGBA) bool {
	m := x.Base()
	a, b := Pixels(x), Pixels(board(m.Width, m.Height, of))
	for i := range a {
		if !near([4]asset.RGBA{a[i]}, [4]asset.RGBA{b[i]}) {
			return false
		}
	}
	return true
}

// near reports whether colours are the same but for what blocks make of them.
func near(a, b [4]asset.RGBA) bool {
	for i := range a {
		for k := range a[i] {
			if d := int(a[i][k]) - int(b[i][k]); a[i][3] > 0 && (d < -8 || d > 8) || k == 3 && d != 0 {
				return false
			}
		}
	}
	return true
}

var (
	red, green, blue, white = asset.RGBA{255, 0, 0, 255}, asset.RGBA{0, 255, 0, 255}, asset.RGBA{0, 0, 255, 255}, asset.RGBA{255, 255, 255, 255}
	first                   = [4]asset.RGBA{red, green, blue, white}
	second                  = [4]asset.RGBA{white, red, green, blue}
)

// listed gives a texture a second list.
func listed(t *testing.T, o *unreal.Texture, x *asset.Texture, kind unreal.Compression) {
	t.Helper()
	m, err := full(x)
	if err == nil {
		o.Compressed, err = encodeMips(m, nil, kind, 32, nil, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	o.HasComp = true
	o.Set("bHasComp", unreal.BoolProperty, 1)
	o.Set("CompFormat", unreal.ByteProperty, int32(kind))
}

// TestReencoded: a picture that nobody edited goes into the lists that are asked for, and the alpha that a compressed one alone
// has goes along.
func TestReencoded(t *testing.T) {
	soft := [4]asset.RGBA{{255, 0, 0, 255}, {0, 255, 0, 170}, {0, 0, 255, 68}, {255, 255, 255, 0}}
	hard := [4]asset.RGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {}, {}} // of blocks with one bit of alpha
	for _, c := range []struct {
		kind     unreal.Compression // 0 for no second list
		encoding string
		of       unreal.Compression
		want     [4]asset.RGBA // what the second list shows
		told     bool
	}{
		{0, "", 0, first, false}, {0, "p8", 0, first, false}, {0, "bc1", unreal.BC1, first, false}, {0, "bc3", unreal.BC3, first, false},
		{unreal.BC3, "", unreal.BC3, soft, false}, {unreal.BC3, "p8", 0, first, false},
		{unreal.BC3, "bc1", unreal.BC1, hard, true}, {unreal.BC3, "bc3", unreal.BC3, soft, false},
		{unreal.BC2, "bc1", unreal.BC1, hard, true}, {unreal.BC2, "bc3", unreal.BC3, soft, false},
		{unreal.BC1, "bc1", unreal.BC1, hard, false}, {unreal.BC1, "bc3", unreal.BC3, hard, false},
		{9, "bc3", unreal.BC3, first, false}, {9, "p8", 0, first, false}, {9, "", 0, second, false}, // of a format that nobody can show
	} {
		p := painter("")
		o, err := p.New(board(16, 16, first))
		if err != nil {
			t.Fatal(err)
		}
		if c.kind == 9 {
			o.HasComp, o.Compressed = true, make([]unreal.Mip, 5)
			o.Compressed[0] = unreal.Mip{Pixels: make([]byte, 128), USize: 16, VSize: 16}
			o.Set("CompFormat", unreal.ByteProperty, 9)
		} else if c.kind != 0 {
			listed(t, o, board(16, 16, soft), c.kind)
		}
		p.Options.Unreal.TextureEncoding = c.encoding
		edited := first
		if c.want == second {
			edited = second
		}
		given := board(16, 16, edited)
		if err := p.Edit(o, given, false); err != nil {
			t.Fatal(err)
		}
		if quarters(given) != edited {
			t.Errorf("%d, %q: the picture that was given is %v", c.kind, c.encoding, quarters(given))
		}
		if p.Diagnostics.Has("compressed-dropped") != (edited == second) {
			t.Errorf("%d, %q: %v", c.kind, c.encoding, p.Diagnostics.All())
		}
		if o.HasComp != (c.of != 0) || compFormat(o) != c.of || len(o.Mips) != 5 || c.of != 0 && len(o.Compressed) != 5 {
			t.Errorf("%d, %q: format %d, %d and %d mips", c.kind, c.encoding, compFormat(o), len(o.Mips), len(o.Compressed))
			continue
		}
		x, err := ListPicture(p.Palettes, o, c.of != 0)
		if err != nil || !near(c.want, quarters(x)) || p.Diagnostics.Has("alpha") != c.told {
			t.Errorf("%d, %q: %v, %v, %v", c.kind, c.encoding, quarters(x), err, p.Diagnostics.All())
		}
	}
}

// TestKeepAlpha: an opaque picture and the one before it get the alpha of the list that the first cannot show, so that what was not
// edited is seen to be so; one with alpha of its own keeps that.
func TestKeepAlpha(t *testing.T) {
	soft, clear := [4]asset.RGBA{{255, 0, 0, 255}, {0, 255, 0, 170}, {0, 0, 255, 68}, {255, 255, 255, 0}}, [4]asset.RGBA{red, green, blue, {}}
	for _, c := range []struct {
		name       string
		is, was    [4]asset.RGBA
		side       int // of the picture before
		masked     bool
		kept, both bool
	}{
		{"opaque", second, first, 16, false, true, true}, {"another size before", second, first, 8, false, true, false}, {"with alpha", clear, first, 16, false, false, false},
		{"with alpha before", first, clear, 16, false, false, false}, {"masked", second, first, 16, true, false, false},
	} {
		p := painter("")
		o, err := p.New(board(16, 16, first))
		if err != nil {
			t.Fatal(err)
		}
		listed(t, o, board(16, 16, soft), unreal.BC3)
		if c.masked {
			o.Set("bMasked", unreal.BoolProperty, 1)
		}
		m, before := board(16, 16, c.is).Base(), board(c.side, c.side, c.was).Base()
		keepAlpha(m, before, o)
		is, was := Pixels(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{*m}}}}), Pixels(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{*before}}}})
		if kept, both := is[12][3] == 170, was[c.side*3/4][3] == 170; kept != c.kept || both != c.both {
			t.Errorf("%s: kept %v, before it %v", c.name, kept, both)
		}
	}
}

// TestKeptBlocks: where the first list was not edited the second keeps what it shows, whatever that is, byte for byte.
func TestKeptBlocks(t *testing.T) {
	p := painter("")
	o, err := p.New(board(16, 16, first))
	if err != nil {
		t.Fatal(err)
	}
	listed(t, o, board(16, 16, second), unreal.BC1)
	was := o.Compressed[0].Pixels
	if err := p.Edit(o, board(16, 16, [4]asset.RGBA{red, green, blue, red}), false); err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		edited := i%4 >= 2 && i/4 >= 2
		if same := bytes.Equal(o.Compressed[0].Pixels[8*i:8*i+8], was[8*i:8*i+8]); same == edited {
			t.Errorf("block %d is as it was: %v", i, same)
		}
	}
	if x, err := ListPicture(p.Palettes, o, true); err != nil || !even(x, [4]asset.RGBA{white, red, green, red}) {
		t.Errorf("%v, %v", quarters(x), err)
	}
}

// TestListsOfTwoSizes: an edit of one list reaches the other one, which keeps its size where it is the smaller one.
func TestListsOfTwoSizes(t *testing.T) {
	for _, c := range []struct {
		base, comp, want [2]int // want is the size of the list that was not edited
		own, told        bool
		edit             [2]int // the size of the picture, if that is another one
	}{
		{[2]int{16, 16}, [2]int{32, 32}, [2]int{16, 16}, true, false, [2]int{}},
		{[2]int{16, 16}, [2]int{32, 16}, [2]int{16, 16}, true, false, [2]int{}},
		{[2]int{16, 16}, [2]int{16, 32}, [2]int{16, 16}, true, false, [2]int{}},
		{[2]int{8, 16}, [2]int{32, 32}, [2]int{8, 16}, true, false, [2]int{}},
		{[2]int{16, 8}, [2]int{32, 32}, [2]int{16, 8}, true, false, [2]int{}},
		{[2]int{16, 16}, [2]int{16, 16}, [2]int{16, 16}, true, false, [2]int{}},
		{[2]int{16, 16}, [2]int{8, 8}, [2]int{8, 8}, true, false, [2]int{}},
		{[2]int{16, 16}, [2]int{32, 32}, [2]int{16, 16}, false, true, [2]int{}},
		{[2]int{16, 16}, [2]int{32, 16}, [2]int{16, 16}, false, true, [2]int{}},
		{[2]int{16, 16}, [2]int{16, 32}, [2]int{16, 16}, false, true, [2]int{}},
		{[2]int{16, 16}, [2]int{16, 16}, [2]int{16, 16}, false, false, [2]int{}},
		{[2]int{16, 16}, [2]int{8, 8}, [2]int{16, 16}, false, false, [2]int{}},
		{[2]int{16, 16}, [2]int{32, 32}, [2]int{32, 32}, false, false, [2]int{32, 32}},
		{[2]int{16, 16}, [2]int{16, 16}, [2]int{8, 8}, false, true, [2]int{8, 8}},
		{[2]int{16, 16}, [2]int{16, 32}, [2]int{16, 32}, false, false, [2]int{16, 32}},
		{[2]int{16, 16}, [2]int{32, 16}, [2]int{32, 16}, false, false, [2]int{32, 16}},
		{[2]int{16, 16}, [2]int{32, 32}, [2]int{32, 32}, true, false, [2]int{64, 64}},
	} {
		for _, encoding := range []string{"", "bc3"} {
			p := painter("")
			o, err := p.New(board(c.base[0], c.base[1], first))
			if err != nil {
				t.Fatal(err)
			}
			listed(t, o, board(c.comp[0], c.comp[1], first), unreal.BC1)
			p.Options.Unreal.TextureEncoding = encoding
			edited := c.base
			if c.own {
				edited = c.comp
			}
			if c.edit != [2]int{} {
				edited = c.edit
			}
			if err := p.Edit(o, board(edited[0], edited[1], second), c.own); err != nil {
				t.Fatal(err)
			}
			for comp, size := range map[bool][2]int{c.own: edited, !c.own: c.want} {
				x, err := ListPicture(p.Palettes, o, comp)
				if err != nil {
					t.Fatal(err)
				}
				if m := x.Base(); [2]int{m.Width, m.Height} != size || !even(x, second) {
					t.Errorf("%v: %d x %d, %v", c, m.Width, m.Height, quarters(x))
				}
			}
			for _, m := range slices.Concat(o.Mips, o.Compressed) {
				if m.USize != 1<<m.UBits || m.VSize != 1<<m.VBits {
					t.Errorf("%v: %d x %d pixels are %d x %d bits", c, m.USize, m.VSize, m.UBits, m.VBits)
				}
			}
			if got := p.Diagnostics.Has("smaller-list"); got != c.told {
				t.Errorf("%v, %q: told %v", c, encoding, p.Diagnostics.All())
			}
		}
	}
}

// TestSummary: the engine shows a texture that is far away in its mean colour. It is that of the picture, in whatever list.
func TestSummary(t *testing.T) {
	x := board(16, 8, [4]asset.RGBA{{255, 0, 8, 255}, {0, 0, 16, 255}, {0, 0, 24, 255}, {0, 60, 32, 255}})
	for _, kind := range []unreal.Compression{0, unreal.BC1, unreal.BC3} {
		p := painter("")
		o, err := p.New(board(16, 8, first))
		if err != nil {
			t.Fatal(err)
		}
		if kind != 0 {
			listed(t, o, board(16, 8, first), kind)
			o.Mips, o.Compressed, o.HasComp = o.Compressed, nil, false
			o.Set("Format", unreal.ByteProperty, int32(kind))
		}
		if err := p.Edit(o, x, false); err != nil {
			t.Fatal(err)
		}
		mean, most := o.Property("MipZero", 0).Value, o.Property("MaxColor", 0).Value
		if !bytes.Equal(mean, []byte{63, 15, 20, 0}) || !bytes.Equal(most, []byte{255, 60, 32, 255}) || baseFormat(o) != kind {
			t.Errorf("%d: mean %v, greatest %v", kind, mean, most)
		}
	}
}

// TestPainted: pictures are stored with the colours that a texture has where those are enough, and otherwise with their own.
func TestPainted(t *testing.T) {
	indexed := func(palette []asset.RGBA, pix ...byte) *asset.Texture {
		return onePicture(asset.Indexed8, palette, pix...)
	}
	hole := asset.RGBA{9, 8, 7, 0}
	for _, c := range []struct {
		name    string
		was, is *asset.Texture
		indices []byte
		colors  []asset.RGBA // the first of them
		masked  bool
	}{
		{"other indices", indexed([]asset.RGBA{red, green}, 0, 1), indexed([]asset.RGBA{red, green}, 1, 1), []byte{1, 1}, []asset.RGBA{red, green}, false},
		{"without what is not used", indexed([]asset.RGBA{red, green}, 0, 1), indexed([]asset.RGBA{red}, 0, 0), []byte{0, 0}, []asset.RGBA{red, green}, false},
		{"a colour more", indexed([]asset.RGBA{red, green}, 0, 1), indexed([]asset.RGBA{red, green, blue}, 2, 1), []byte{2, 1}, []asset.RGBA{red, green, blue}, false},
		{"a colour more that nothing shows", indexed([]asset.RGBA{red, green}, 0, 1), indexed([]asset.RGBA{red, green, blue}, 1, 1), []byte{1, 1}, []asset.RGBA{red, green}, false},
		{"another order", indexed([]asset.RGBA{red, green}, 0, 1), indexed([]asset.RGBA{green, red}, 0, 0), []byte{1, 1}, []asset.RGBA{red, green}, false},
		{"true colours", indexed([]asset.RGBA{red, green}, 0, 1), onePicture(asset.RGBA8, nil, append(green[:], red[:]...)...), []byte{1, 0}, []asset.RGBA{red, green}, false},
		{"a hole elsewhere", indexed([]asset.RGBA{hole, green}, 0, 1), indexed([]asset.RGBA{hole, green}, 1, 0), []byte{1, 0}, []asset.RGBA{hole, green}, true},
		{"no hole any more", indexed([]asset.RGBA{hole, green}, 0, 1), indexed([]asset.RGBA{green, red}, 0, 1), []byte{1, 2}, []asset.RGBA{hole, green, red}, true},
		{"a hole of none before", indexed([]asset.RGBA{red, green}, 0, 1), indexed([]asset.RGBA{hole, green}, 0, 1), []byte{0, 1}, []asset.RGBA{hole, green}, false},
	} {
		p := painter("")
		o, err := p.New(c.was)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Edit(o, c.is, false); err != nil {
			t.Fatal(err)
		}
		colors := p.Palettes.(*swatches).colors
		same := len(colors) >= len(c.colors) && o.Bool("bMasked") == c.masked
		for i, k := range c.indices {
			same = same && o.Mips[0].Pixels[i] == k
		}
		for i := range c.colors {
			same = same && [3]uint8(colors[i][:3]) == [3]uint8(c.colors[i][:3])
		}
		if !same {
			t.Errorf("%s: %v of %v", c.name, o.Mips[0].Pixels, colors[:min(len(colors), 4)])
		}
	}
}

// TestPaintBare: a texture whose pixels somebody took out gets those of a picture.
func TestPaintBare(t *testing.T) {
	for _, encoding := range []string{"", "bc1"} {
		p := painter(encoding)
		o, err := p.New(board(8, 8, first))
		if err != nil {
			t.Fatal(err)
		}
		o.Mips, o.Compressed = []unreal.Mip{{USize: 8, VSize: 8}}, nil
		if err := p.Edit(o, board(8, 8, second), false); err != nil {
			t.Fatal(err)
		}
		x, err := Picture(p.Palettes, o)
		if err != nil || !near(second, quarters(x)) {
			t.Errorf("%q: %v", encoding, err)
		}
	}
}

// TestFit: a picture whose pixels are not all there is refused, and not scaled.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		width, height, bytes int
		resize               string
		want                 [2]int // none where it is refused
	}{
		{4, 2, 8, "", [2]int{4, 2}}, {4, 2, 7, "pow2", [2]int{}}, {3, 2, 6, "", [2]int{}}, {3, 2, 6, "pow2", [2]int{2, 2}},
		{3, 2, 5, "pow2", [2]int{}}, {7, 1, 7, "pow2", [2]int{8, 1}}, {1, 7, 7, "pow2", [2]int{1, 8}}, {0, 2, 0, "pow2", [2]int{}}, {2, 0, 0, "pow2", [2]int{}},
	} {
		p := painter("")
		p.Options.Unreal.Resize = c.resize
		x := &asset.Texture{Palette: []asset.RGBA{red}, Frames: []asset.Frame{{Mips: []asset.Image{{Width: c.width, Height: c.height, Format: asset.Indexed8, Pix: make([]byte, c.bytes)}}}}}
		got, err := p.Fit(x)
		var size [2]int
		if err == nil {
			size = [2]int{got.Base().Width, got.Base().Height}
		}
		if size != c.want || err == nil && Pixels(got)[0] != red || p.Diagnostics.Has("resized") != (err == nil && got != x) {
			t.Errorf("%+v: %v, %v", c, size, err)
		}
	}
}

// TestSmaller: a picture becomes as much smaller as one list is than the other, and a pixel is the least.
func TestSmaller(t *testing.T) {
	for _, c := range [][4]int{{32, 16, 16, 1}, {32, 32, 1, 16}, {4, 4, 1, 1}, {16, 16, 16, 16}, {8, 8, 16, 16}} { // the larger list and the smaller one
		large, small := unreal.Mip{USize: uint32(c[0]), VSize: uint32(c[1])}, unreal.Mip{USize: uint32(c[2]), VSize: uint32(c[3])}
		x, err := smaller(board(32, 32, first), &large, &small)
		want := [2]int{max(32*min(c[2], c[0])/c[0], 1), max(32*min(c[3], c[1])/c[1], 1)}
		if got := x.Base(); err != nil || [2]int{got.Width, got.Height} != want {
			t.Errorf("%v: %d x %d, want %v", c, got.Width, got.Height, want)
		}
	}
	x, err := smaller(board(2, 2, first), &unreal.Mip{USize: 32, VSize: 16}, &unreal.Mip{USize: 1, VSize: 1})
	if err != nil || x.Base().Width != 1 || x.Base().Height != 1 {
		t.Errorf("of a picture that is small already: %v, %v", x, err)
	}
	long := onePicture(asset.Indexed8, []asset.RGBA{red}, make([]byte, 17)...)
	long.Base().Width, long.Base().Height = 4, 4
	p := painter("")
	o, err := p.New(board(2, 2, first))
	if err != nil {
		t.Fatal(err)
	}
	if listed(t, o, board(4, 4, first), unreal.BC1); p.Edit(o, long, true) == nil {
		t.Error("a picture of more bytes than pixels is taken")
	}
	for _, side := range []int{1, 2, 4} { // the engine stores no logarithm of 1
		o, err := p.New(board(side, 1, [4]asset.RGBA{}))
		if err != nil || (o.Property("UBits", 0) == nil) != (side == 1) || o.Property("VBits", 0) != nil {
			t.Errorf("%d x 1: %v, %v", side, o.Properties, err)
		}
	}
	for alpha, want := range map[uint8]bool{255: false, 128: false, 127: true, 0: true} {
		if o, err := p.New(board(4, 4, [4]asset.RGBA{red, red, red, {9, 9, 9, alpha}})); err != nil || o.Bool("bMasked") != want {
			t.Errorf("alpha %d: masked %v, %v", alpha, o.Bool("bMasked"), err)
		}
	}
	if err := CheckSides(&asset.Image{Width: 4, Height: 4, Pix: make([]byte, 63)}); schema.Class(err) != schema.ErrMismatch {
		t.Errorf("a byte less than pixels have: %v", err)
	}
}

// TestShownList: of two lists the larger one is shown, the first of two equal ones, or the one that the user names; one without
// pixels never.
func TestShownList(t *testing.T) {
	list := func(u, v uint32) []unreal.Mip { return []unreal.Mip{{Pixels: make([]byte, 8), USize: u, VSize: v}} }
	bare := []unreal.Mip{{USize: 64, VSize: 64}}
	for _, c := range []struct {
		base, comp []unreal.Mip
		mips       string
		want       bool
	}{
		{list(8, 8), nil, "comp", false}, {list(8, 8), bare, "comp", false}, {nil, list(4, 4), "base", true}, {bare, list(4, 4), "", true},
		{list(8, 8), list(8, 8), "", false}, {list(8, 8), list(16, 8), "", true}, {list(8, 8), list(8, 16), "", true}, {list(8, 8), list(4, 8), "", false},
		{list(8, 8), list(4, 4), "comp", true}, {list(8, 8), list(16, 16), "base", false}, {list(8, 8), list(1<<16, 1<<16), "", true}, {nil, nil, "", false},
	} {
		o := &unreal.Texture{Mips: c.base, Compressed: c.comp}
		if got := ShowsCompressed(o, nil); c.mips == "" && got != c.want {
			t.Errorf("%v, %v without options: %v", c.base, c.comp, got)
		}
		if got := ShowsCompressed(o, &format.Env{Options: format.Options{Unreal: format.UnrealOptions{Mips: c.mips}}}); got != c.want {
			t.Errorf("%v, %v, %q: %v", c.base, c.comp, c.mips, got)
		}
	}
}

// TestExactly: colours are exact where each pixel that is seen has its own, and where what is not seen shows nothing.
func TestExactly(t *testing.T) {
	hole := asset.RGBA{1, 2, 3, 0}
	for _, c := range []struct {
		pixel, entry asset.RGBA
		want         bool
	}{
		{red, red, true}, {red, green, false}, {hole, hole, true}, {hole, asset.RGBA{9, 9, 9, 0}, true}, {hole, red, false}, {red, hole, false}, {hole, asset.RGBA{1, 2, 3, 255}, true},
		{asset.RGBA{255, 0, 0, 127}, hole, true}, {asset.RGBA{255, 0, 0, 128}, hole, false}, {asset.RGBA{255, 0, 0, 128}, red, true},
	} {
		if got := exactly([]asset.RGBA{red, c.pixel}, []byte{0, 1}, []asset.RGBA{red, c.entry}); got != c.want {
			t.Errorf("%v as %v: %v", c.pixel, c.entry, got)
		}
	}
	if indices, palette := quantize([]asset.RGBA{red, blue}, append(slices.Repeat([]asset.RGBA{green}, 256), red), false, 0); !exactly([]asset.RGBA{red, blue}, indices, palette) {
		t.Error("a palette that is too long does not take two colours")
	}
	var many []asset.RGBA // as many as there is room for
	for i := range 256 {
		many = append(many, asset.RGBA{uint8(i), uint8(i * 7), uint8(i / 3), 255})
	}
	if indices, palette := quantize(many, nil, false, 16); !exactly(many, indices, palette) {
		t.Error("256 colours do not fit")
	}
}

// TestListsOfPixels: a list ends where its pixels do, and one that no picture could be is refused.
func TestListsOfPixels(t *testing.T) {
	p := painter("")
	o, err := p.New(board(8, 8, first))
	if err != nil {
		t.Fatal(err)
	}
	o.Mips[2].Pixels = nil
	if x, err := ListPicture(p.Palettes, o, false); err != nil || len(x.Frames[0].Mips) != 2 {
		t.Errorf("two mips with pixels: %v", err)
	}
	for _, kind := range []unreal.Compression{0, unreal.BC1} {
		for _, size := range [][2]uint32{{1 << 20, 8}, {8, 1 << 20}, {0, 8}} {
			o.Mips[0].USize, o.Mips[0].VSize = size[0], size[1]
			o.Set("Format", unreal.ByteProperty, int32(kind))
			if x, err := ListPicture(p.Palettes, o, false); err == nil {
				t.Errorf("format %d: %v of 64 bytes: %d mips", kind, size, len(x.Frames[0].Mips))
			}
		}
	}
	x := onePicture(asset.Indexed8, []asset.RGBA{red}, 0, 0, 0)
	x.Base().Width = 2
	if _, err := painter("bc1").New(x); err == nil {
		t.Error("a picture of more bytes than pixels is taken")
	}
}

// TestPaletteTooLong: an index is a byte, so that colours from the 257th on are none.
func TestPaletteTooLong(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 256: 256, 257: 256, 300: 256} {
		got := visiblePalette(slices.Repeat([][4]uint8{{1, 2, 3, 4}}, n), true)
		if len(got) != want || n > 0 && got[0] != (asset.RGBA{1, 2, 3, 0}) || n > 1 && got[want-1] != (asset.RGBA{1, 2, 3, 255}) {
			t.Errorf("%d of %d colours", len(got), n)
		}
	}
}
