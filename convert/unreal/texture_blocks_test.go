package unreal

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	blockcode "github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/unreal"
	encode "github.com/usher-assets/usher/write/media"
	write "github.com/usher-assets/usher/write/unreal"
)

// textured is a package with one texture, made from a picture with options.
func textured(t testing.TB, x *asset.Texture, opt format.Options) *archive {
	t.Helper()
	v, _ := Create(&format.Env{Name: "Made.utx"})
	a := v.(*archive)
	f := a.newLeaf(format.Texture)
	o, err := f.Lower(x, &format.Env{Archive: a, Options: opt})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Write(o)
	if err == nil {
		err = a.Add("Picture", b, f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, "Made.utx", written(t, a))
}

func textureOf(t testing.TB, a *archive, path string) *unreal.Texture {
	t.Helper()
	o, err := a.Object(entry(t, a, path))
	if err != nil {
		t.Fatal(err)
	}
	return o.(*unreal.Texture)
}

// liftedWith lifts the texture Picture with options.
func liftedWith(t testing.TB, a *archive, opt format.Options) *asset.Texture {
	t.Helper()
	i := entry(t, a, "Picture")
	x, err := formatOf(a, i).Lift(textureOf(t, a, "Picture"), &format.Env{Archive: a, Options: opt})
	if err != nil {
		t.Fatal(err)
	}
	return x.(*asset.Texture)
}

// loweredWith puts a picture into a copy of the package with options.
func loweredWith(t testing.TB, a *archive, x *asset.Texture, opt format.Options) (*archive, *schema.Diagnostics) {
	t.Helper()
	a = openBytes(t, "Made.utx", written(t, a))
	i := entry(t, a, "Picture")
	d := new(schema.Diagnostics)
	o, err := formatOf(a, i).Lower(x, &format.Env{Archive: a, Options: opt, Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.Object(o.(unreal.AnyObject))
	if err == nil {
		err = a.Replace(i, b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, "Made.utx", written(t, a)), d
}

// departure is the root of the mean squared difference of two pictures, transparent pixels aside.
func departure(a, b *asset.Texture) float64 {
	p, q := texture.Pixels(a), texture.Pixels(b)
	if len(p) != len(q) {
		return math.Inf(1)
	}
	sum, n := 0.0, 0
	for i := range p {
		if (p[i][3] < 128) != (q[i][3] < 128) {
			return math.Inf(1)
		}
		if p[i][3] < 128 {
			continue
		}
		for k := range 3 {
			d := float64(p[i][k]) - float64(q[i][k])
			sum, n = sum+d*d, n+1
		}
	}
	return math.Sqrt(sum / float64(max(n, 1)))
}

// TestNewCompressed: a new texture gets both lists with full chains where blocks are asked for, and the properties where
// the engine has them.
func TestNewCompressed(t *testing.T) {
	for _, c := range []struct {
		encoding string
		holes    bool
		want     unreal.Compression
		order    string
	}{
		{"", false, 0, "Palette UBits VBits USize VSize UClamp VClamp MipZero MaxColor"},
		{"p8", true, 0, "bMasked Palette UBits VBits USize VSize UClamp VClamp MipZero MaxColor"},
		{"bc1", false, unreal.BC1, "bHasComp CompFormat Palette UBits VBits USize VSize UClamp VClamp MipZero MaxColor"},
		{"bc3", true, unreal.BC3, "bMasked bHasComp CompFormat Palette UBits VBits USize VSize UClamp VClamp MipZero MaxColor"},
		{"bc1", true, unreal.BC1, "bMasked bHasComp CompFormat Palette UBits VBits USize VSize UClamp VClamp MipZero MaxColor"},
	} {
		x := colourful(32, 8, c.holes)
		a := textured(t, x, format.Options{Unreal: format.UnrealOptions{TextureEncoding: c.encoding}})
		o := textureOf(t, a, "Picture")
		var order []string
		for _, q := range o.Properties {
			order = append(order, a.Name(q.Name))
		}
		if got := strings.Join(order, " "); got != c.order {
			t.Errorf("%s: properties %s, want %s", c.encoding, got, c.order)
		}
		if o.HasComp != (c.want != 0) || listFormat(o, "CompFormat") != c.want || len(o.Mips) != 6 || c.want != 0 && len(o.Compressed) != 6 {
			t.Errorf("%s: format %d, %d mips, %d compressed", c.encoding, listFormat(o, "CompFormat"), len(o.Mips), len(o.Compressed))
			continue
		}
		for i, m := range o.Compressed {
			blocks := max(1, (m.USize+3)/4) * max(1, (m.VSize+3)/4)
			if len(m.Pixels) != int(blocks)*c.want.BlockSize() || m.USize != o.Mips[i].USize || m.VSize != o.Mips[i].VSize {
				t.Errorf("%s: mip %d of %d x %d has %d bytes", c.encoding, i, m.USize, m.VSize, len(m.Pixels))
			}
		}
		for _, mips := range []string{"", "comp", "base"} {
			if d := departure(liftedWith(t, a, format.Options{Unreal: format.UnrealOptions{Mips: mips}}), x); !(d < 12) {
				t.Errorf("%s, %s: %.1f off", c.encoding, mips, d)
			}
		}
	}
}

// listFormat returns the format of a list, by the name of its property; 0 for P8.
func listFormat(o *unreal.Texture, property string) unreal.Compression {
	return unreal.Compression(o.Number(property, 0))
}

// withLarger gives a texture a second list of twice the size, as the second CD of the game has them.
func withLarger(t testing.TB, a *archive, x *asset.Texture, kind unreal.Compression, count int) *archive {
	t.Helper()
	i := entry(t, a, "Picture")
	o := textureOf(t, a, "Picture")
	full, err := picture.RGBA(x.Base(), x.Palette)
	if err != nil {
		t.Fatal(err)
	}
	encode := map[unreal.Compression]func(pix []byte, width, height int, effort blockcode.Effort) ([]byte, error){
		unreal.BC1: encode.BC1, unreal.BC2: encode.BC2, unreal.BC3: encode.BC3,
	}[kind]
	o.Compressed = nil
	for m := &full; len(o.Compressed) < count; m = picture.Half(m) {
		b, err := encode(m.Pix, m.Width, m.Height, 0)
		if err != nil {
			t.Fatal(err)
		}
		o.Compressed = append(o.Compressed, unreal.Mip{Pixels: b, USize: uint32(m.Width), VSize: uint32(m.Height),
			UBits: uint8(bits.Len(uint(m.Width)) - 1), VBits: uint8(bits.Len(uint(m.Height)) - 1)})
	}
	o.HasComp = true
	o.Set("bHasComp", unreal.BoolProperty, 1)
	o.Set("CompFormat", unreal.ByteProperty, int32(kind))
	b, err := write.Object(o)
	if err == nil {
		err = a.Replace(i, b)
	}
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, "Made.utx", written(t, a))
}

// TestEditedLists: an edit of either list goes into both, each in its size, format and number of mips; what was not
// edited stays as it is stored.
func TestEditedLists(t *testing.T) {
	for _, masked := range []bool{false, true} {
		large := colourful(32, 32, masked)
		full := *large.Base()
		small := &asset.Texture{Name: "Small", Frames: []asset.Frame{{Mips: []asset.Image{*picture.Half(&full)}}}}
		if masked { // a row of holes in the small one too
			for x := range 16 {
				small.Base().Pix[4*x+3] = 0
			}
		}
		for _, kind := range []unreal.Compression{unreal.BC1, unreal.BC2, unreal.BC3} {
			a := withLarger(t, textured(t, small, format.Options{}), large, kind, 3)
			was := textureOf(t, a, "Picture")
			x := liftedWith(t, a, format.Options{})
			if x.Base().Width != 32 || x.Native.Values[listKey] != listComp {
				t.Fatalf("%d texels wide", x.Base().Width)
			}
			if y := liftedWith(t, a, format.Options{Unreal: format.UnrealOptions{Mips: "base"}}); y.Base().Width != 16 || y.Native.Values[listKey] != nil {
				t.Fatalf("the first list is %d texels wide", y.Base().Width)
			}
			if b, d := loweredWith(t, a, x, format.Options{}); !bytes.Equal(written(t, b), written(t, a)) || len(d.All()) > 0 {
				t.Error("an unedited picture changes the texture")
			}
			// Paint the lower right corner, 8 × 8 texels.
			pix := slices.Clone(x.Base().Pix)
			for y := 24; y < 32; y++ {
				for k := 24; k < 32; k++ {
					copy(pix[4*(y*32+k):], []byte{255, 255, 255, 255})
				}
			}
			x.Frames[0].Mips[0].Pix, x.Frames[0].Mips[0].Stored = pix, nil
			b, _ := loweredWith(t, a, x, format.Options{})
			now := textureOf(t, b, "Picture")
			if listFormat(now, "CompFormat") != kind || len(now.Compressed) != 3 || len(now.Mips) != len(was.Mips) || now.Mips[0].USize != 16 || now.Number("USize", 0) != 16 {
				t.Fatalf("format %d, %d and %d mips, %d texels", listFormat(now, "CompFormat"), len(now.Mips), len(now.Compressed), now.Mips[0].USize)
			}
			same := 0
			for at := 0; at < len(now.Compressed[0].Pixels); at += kind.BlockSize() {
				if bytes.Equal(now.Compressed[0].Pixels[at:at+kind.BlockSize()], was.Compressed[0].Pixels[at:at+kind.BlockSize()]) {
					same++
				}
			}
			if same != 60 {
				t.Errorf("format %d: %d of 64 blocks are as they were, want 60", kind, same)
			}
			base := liftedWith(t, b, format.Options{Unreal: format.UnrealOptions{Mips: "base"}})
			if p := texture.Pixels(base)[15*16+15]; p != (asset.RGBA{255, 255, 255, 255}) {
				t.Errorf("the corner of the first list is %v", p)
			}
			if d := departure(liftedWith(t, b, format.Options{}), x); !(d < 12) {
				t.Errorf("format %d: %.1f off", kind, d)
			}
		}
	}
}

// TestEditedBase: an edit of the first list reaches a second one of the same size, whose alpha stays.
func TestEditedBase(t *testing.T) {
	x := colourful(16, 16, false)
	a := textured(t, x, format.Options{})
	soft := colourful(16, 16, false)
	for i := 3; i < len(soft.Base().Pix); i += 4 {
		soft.Base().Pix[i] = byte(200 - i/8)
	}
	a = withLarger(t, a, soft, unreal.BC3, 5)
	y := liftedWith(t, a, format.Options{})
	if y.Base().Format != asset.Indexed8 {
		t.Fatal("of two lists of one size the second is shown")
	}
	alpha := func(a *archive) (list []byte) {
		for _, p := range texture.Pixels(liftedWith(t, a, format.Options{Unreal: format.UnrealOptions{Mips: "comp"}})) {
			list = append(list, p[3])
		}
		return list
	}
	before := alpha(a)
	pix := slices.Clone(y.Base().Pix)
	pix[255] = pix[0]
	y.Frames[0].Mips[0].Pix = pix
	b, _ := loweredWith(t, a, y, format.Options{})
	now, was := textureOf(t, b, "Picture"), textureOf(t, a, "Picture")
	if n := len(now.Compressed[0].Pixels) - 16; !bytes.Equal(now.Compressed[0].Pixels[:n], was.Compressed[0].Pixels[:n]) || bytes.Equal(now.Compressed[0].Pixels, was.Compressed[0].Pixels) {
		t.Error("other blocks than the last one changed, or none")
	}
	if after := alpha(b); !bytes.Equal(after[:240], before[:240]) || after[255] == 255 {
		t.Errorf("alpha %v, was %v", after[240:], before[240:])
	}
	// The list goes only where that is asked for.
	b, _ = loweredWith(t, a, y, format.Options{Unreal: format.UnrealOptions{TextureEncoding: "p8"}})
	if o := textureOf(t, b, "Picture"); o.HasComp || o.Property("bHasComp", 0) != nil || o.Property("CompFormat", 0) != nil {
		t.Error("--encoding p8 keeps the compressed list")
	}
	b, d := loweredWith(t, a, y, format.Options{Unreal: format.UnrealOptions{TextureEncoding: "bc1"}})
	if o := textureOf(t, b, "Picture"); listFormat(o, "CompFormat") != unreal.BC1 || len(o.Compressed) != 5 {
		t.Errorf("format %d, %d mips", listFormat(o, "CompFormat"), len(o.Compressed))
	}
	if list := d.All(); len(list) != 1 || list[0].Code != "alpha" {
		t.Errorf("told %v, where the alpha of the list does not go into the new one", list)
	}
}

// TestBlocksInFirstList: a texture whose first list is blocks keeps that format.
func TestBlocksInFirstList(t *testing.T) {
	a := textured(t, colourful(16, 16, false), format.Options{Unreal: format.UnrealOptions{TextureEncoding: "bc1"}})
	i := entry(t, a, "Picture")
	o := textureOf(t, a, "Picture")
	o.Mips, o.Compressed, o.HasComp = o.Compressed, nil, false
	o.Unset("bHasComp")
	o.Unset("CompFormat")
	o.Set("Format", unreal.ByteProperty, int32(unreal.BC1))
	b, err := write.Object(o)
	if err == nil {
		err = a.Replace(i, b)
	}
	if err != nil {
		t.Fatal(err)
	}
	a = openBytes(t, "Made.utx", written(t, a))
	x := liftedWith(t, a, format.Options{})
	if d := departure(x, colourful(16, 16, false)); !(d < 12) {
		t.Errorf("%.1f off", d)
	}
	pix := slices.Clone(x.Base().Pix)
	copy(pix, []byte{0, 0, 255, 255})
	x.Frames[0].Mips[0].Pix = pix
	c, _ := loweredWith(t, a, x, format.Options{})
	now, was := textureOf(t, c, "Picture"), textureOf(t, a, "Picture")
	if listFormat(now, "Format") != unreal.BC1 || len(now.Mips) != 5 || now.HasComp {
		t.Errorf("format %d, %d mips", listFormat(now, "Format"), len(now.Mips))
	}
	if p, q := now.Mips[0].Pixels, was.Mips[0].Pixels; bytes.Equal(p[:8], q[:8]) || !bytes.Equal(p[8:], q[8:]) {
		t.Error("other blocks than the first one changed, or none")
	}
}

// TestResize: pictures with other sides are refused, or scaled with a note where that is asked for.
func TestResize(t *testing.T) {
	v, _ := Create(&format.Env{Name: "Made.utx"})
	a := v.(*archive)
	f := a.newLeaf(format.Texture)
	if _, err := f.Lower(colourful(12, 5, false), &format.Env{}); schema.Class(err) != schema.ErrValue {
		t.Errorf("refused with %v", err)
	}
	d := new(schema.Diagnostics)
	o, err := f.Lower(colourful(12, 5, true), &format.Env{Options: format.Options{Unreal: format.UnrealOptions{Resize: "pow2"}}, Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	if x := o.(*unreal.Texture); x.Mips[0].USize != 8 || x.Mips[0].VSize != 4 || !x.Bool("bMasked") {
		t.Errorf("%d x %d", x.Mips[0].USize, x.Mips[0].VSize)
	}
	if list := d.All(); len(list) == 0 || list[0].Msg != "12 x 5 pixels became 8 x 4" {
		t.Errorf("%v", list)
	}
}

// TestDither: a ramp of more colours than the palette has comes nearer to itself in the mean of its neighbourhoods.
func TestDither(t *testing.T) {
	m := asset.NewImage(256, 64, asset.RGBA8)
	for i := range 256 * 64 {
		copy(m.Pix[4*i:], []byte{byte(i), byte(i >> 8 * 4), 128, 255})
	}
	x := &asset.Texture{Name: "Ramp", Frames: []asset.Frame{{Mips: []asset.Image{m}}}}
	blurred := func(opt format.Options) float64 {
		y := liftedWith(t, textured(t, x, opt), format.Options{})
		p, _ := picture.RGBA(y.Base(), y.Palette)
		q := *x.Base()
		sum := 0.0
		a, b := picture.Half(picture.Half(&p)), picture.Half(picture.Half(&q))
		for i := range a.Pix {
			e := float64(a.Pix[i]) - float64(b.Pix[i])
			sum += e * e
		}
		return sum
	}
	if plain, dithered := blurred(format.Options{}), blurred(format.Options{Dither: true}); !(dithered < plain/2) {
		t.Errorf("squared error %.0f dithered, %.0f not", dithered, plain)
	}
	if y := liftedWith(t, textured(t, checkerboard(8, 8), format.Options{Dither: true}), format.Options{}); !texture.Same(y, checkerboard(8, 8)) {
		t.Error("a picture of few colours is dithered")
	}
}

// TestAlphaIsNamed: what a texture does not hold of a picture's alpha is told of, new or edited, masked or not; blocks
// with alpha hold it.
func TestAlphaIsNamed(t *testing.T) {
	const none, masked, plain, blocks = "", "pixels of a masked texture are seen or not", "the texture is not masked", "bc1 knows seen and unseen pixels only"
	for _, c := range []struct {
		was, is  uint8 // alpha of one pixel
		encoding string
		want     string
	}{
		{255, 255, "", none},
		{255, 0, "", plain},
		{255, 200, "", plain},
		{0, 0, "", none},
		{0, 255, "", none},
		{0, 200, "", masked},
		{0, 60, "", masked},
		{0, 200, "bc3", none},
		{0, 200, "bc1", blocks},
		{255, 0, "bc1", none},
		{255, 60, "bc1", blocks},
	} {
		draw := func(alpha uint8) *asset.Texture {
			pix := bytes.Repeat([]byte{10, 20, 30, 255}, 64)
			pix[3] = alpha
			return &asset.Texture{Name: "Picture", Frames: []asset.Frame{{Mips: []asset.Image{{Width: 8, Height: 8, Pix: pix}}}}}
		}
		opt := format.Options{Unreal: format.UnrealOptions{TextureEncoding: c.encoding}}
		a := textured(t, draw(c.was), opt)
		x := liftedWith(t, a, opt)
		x.Palette, x.Frames = nil, draw(c.is).Frames
		b, d := loweredWith(t, a, x, opt)
		if alpha := texture.Pixels(liftedWith(t, b, format.Options{Unreal: format.UnrealOptions{Mips: "comp"}}))[0][3]; c.encoding == "bc3" && alpha != c.is {
			t.Errorf("alpha %d became %d in blocks that hold it", c.is, alpha)
		}
		got := ""
		for _, said := range d.All() {
			if said.Code == "alpha" {
				got += said.Msg
			}
		}
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("alpha %d became %d, %q: %q", c.was, c.is, c.encoding, got)
		}
	}
}
