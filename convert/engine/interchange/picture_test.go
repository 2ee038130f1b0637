package interchange

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// coloured is a picture whose first pixel has that red, and each further one more.
func coloured(width, height int, red byte) asset.Image {
	m := asset.NewImage(width, height, asset.RGBA8)
	for i := range width * height {
		copy(m.Pix[4*i:], []byte{red + byte(i), 100, 50, 255})
	}
	return m
}

func frames(images ...asset.Image) *asset.Texture {
	t := &asset.Texture{Name: "a"}
	for _, m := range images {
		t.Frames = append(t.Frames, asset.Frame{Mips: []asset.Image{m}})
	}
	return t
}

func cube(images ...asset.Image) *asset.Texture {
	t := frames(images[0])
	t.Frames[0].Faces = images[1:]
	return t
}

// pixelsOf tells the frames and faces of a texture: size and red values of each.
func pixelsOf(t *testing.T, x *asset.Texture) string {
	t.Helper()
	var list []string
	for _, f := range x.Frames {
		text := ""
		for i := range 1 + len(f.Faces) {
			m := &f.Mips[0]
			if i > 0 {
				m = &f.Faces[i-1]
			}
			rgba, err := picture.RGBA(m, x.Palette)
			if err != nil {
				t.Fatal(err)
			}
			text += fmt.Sprintf("+%dx%d", m.Width, m.Height)
			for k := range m.Width * m.Height {
				text += fmt.Sprintf(" %d", rgba.Pix[4*k])
			}
		}
		list = append(list, text[1:])
	}
	return strings.Join(list, "; ")
}

// encodedPictures encodes a texture as pictures with some options, and returns what was told.
func encodedPictures(t *testing.T, x *asset.Texture, name string, set func(it *Item)) (inFolder, *schema.Diagnostics) {
	t.Helper()
	d := new(schema.Diagnostics)
	it := &Item{Asset: x, Env: &format.Env{Name: name, Diagnostics: d}}
	set(it)
	files, err := ByExtension(filepath.Ext(name)).Encode(it, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	f := inFolder{}
	for i := range files {
		var b bytes.Buffer
		if _, err := files[i].WriteTo(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f[files[i].Name] = b.Bytes()
	}
	return f, d
}

func asIs(*Item)       {}
func onSheet(it *Item) { it.Env.Options.Sheet = true }

// TestPicturesThereAndBack: frames and faces of a texture come back out of the files of each kind, with what the companion keeps.
func TestPicturesThereAndBack(t *testing.T) {
	one, two, three := coloured(2, 1, 10), coloured(2, 1, 20), coloured(2, 1, 30)
	long, large := coloured(3, 1, 40), coloured(1, 2, 50)
	indexed := frames(asset.NewImage(2, 1, asset.Indexed8), asset.NewImage(1, 1, asset.Indexed8))
	indexed.Palette, indexed.Frames[0].Mips[0].Pix, indexed.Frames[1].Mips[0].Pix = []asset.RGBA{{7, 0, 0, 255}, {9, 1, 2, 255}}, []byte{1, 0}, []byte{1}
	six := cube(one, two, three, coloured(2, 1, 60), coloured(2, 1, 70), coloured(2, 1, 80))
	for _, c := range []struct {
		name  string
		set   func(it *Item)
		in    *asset.Texture
		main  string
		files string
	}{
		{"a.png", asIs, frames(one), "a.png", "a.png a.usher.json"},
		{"a.png", asIs, frames(one, two, long), "a.f000.png", "a.f000.png a.f001.png a.f002.png a.usher.json"},
		{"a.png", asIs, indexed, "a.f000.png", "a.f000.png a.f001.png a.usher.json"},
		{"a.bmp", asIs, indexed, "a.f000.bmp", "a.f000.bmp a.f001.bmp a.usher.json"},
		{"a.png", asIs, six, "a.+x.png", "a.+x.png a.+y.png a.+z.png a.-x.png a.-y.png a.-z.png a.usher.json"},
		{"a.png", onSheet, frames(one), "a.png", "a.png a.usher.json"},
		{"a.png", onSheet, frames(one, long, large), "a.png", "a.png a.usher.json"},
		{"a.png", onSheet, frames(one, long, large, two, three), "a.png", "a.png a.usher.json"},
		{"a.apng", asIs, frames(one, two, three), "a.apng", "a.apng a.usher.json"},
		{"a.bmp", asIs, frames(one, long), "a.f000.bmp", "a.f000.bmp a.f001.bmp a.usher.json"},
		{"a.bmp", asIs, frames(one), "a.bmp", "a.bmp a.usher.json"},
		{"a.pcx", asIs, frames(large), "a.pcx", "a.pcx a.usher.json"},
		{"a.tga", asIs, frames(one, two), "a.f000.tga", "a.f000.tga a.f001.tga a.usher.json"},
		{"a.tga", asIs, six, "a.+x.tga", "a.+x.tga a.+y.tga a.+z.tga a.-x.tga a.-y.tga a.-z.tga a.usher.json"},
		{"a.dds", asIs, frames(one, two), "a.f000.dds", "a.f000.dds a.f001.dds a.usher.json"},
		{"a.dds", asIs, frames(one), "a.dds", "a.dds a.usher.json"},
	} {
		c.in.Native, c.in.Alpha, c.in.FPS = native(), asset.Mask, 12.5
		f, d := encodedPictures(t, c.in, c.name, c.set)
		if got := strings.Join(slices.Sorted(maps.Keys(f)), " "); got != c.files || len(d.All()) > 0 {
			t.Errorf("%s: %s, want %s; %v", c.name, got, c.files, d.All())
			continue
		}
		got, told := reread(t, f, c.main)
		back := got.(*asset.Texture)
		if pixelsOf(t, back) != pixelsOf(t, c.in) || told != "" {
			t.Errorf("%s: %s, want %s; %s", c.name, pixelsOf(t, back), pixelsOf(t, c.in), told)
		}
		if back.Name != "a" || back.Native == nil || string(back.Native.Payload) != "\x01\x02\x03" || back.Alpha != asset.Mask || back.FPS != 12.5 {
			t.Errorf("%s: %q, %+v, %v, %v", c.name, back.Name, back.Native, back.Alpha, back.FPS)
		}
	}
}

// TestSheetLayout: frames lie in cells of one size, as many in a row as in a column, from the left and then from the top.
func TestSheetLayout(t *testing.T) {
	for n, want := range map[int][3]int{2: {2, 4, 2}, 4: {2, 4, 4}, 5: {3, 6, 4}, 9: {3, 6, 6}, 10: {4, 8, 6}} {
		var images []asset.Image
		for i := range n {
			images = append(images, coloured(1+i%2, 2-i%2, byte(10*i)))
		}
		all, places, err := sheetOf(frames(images...))
		if err != nil || places.Columns != want[0] || all.Base().Width != want[1] || all.Base().Height != want[2] || places.Width != 2 || places.Height != 2 || len(places.Sizes) != n {
			t.Errorf("%d: %+v, %v", n, places, err)
			continue
		}
		for i, m := range images {
			x, y := i%want[0]*2, i/want[0]*2
			if got := all.Base().Pix[4*(y*want[1]+x)]; got != m.Pix[0] {
				t.Errorf("%d: frame %d begins with %d, want %d", n, i, got, m.Pix[0])
			}
		}
	}
	if _, _, err := sheetOf(cube(coloured(1, 1, 0), coloured(1, 1, 0))); err == nil {
		t.Error("the faces of a cube map go onto a sheet")
	}
	if _, _, err := sheetOf(&asset.Texture{Frames: make([]asset.Frame, 2)}); err == nil {
		t.Error("frames without pixels go onto a sheet")
	}
	wide := frames(asset.Image{Width: 1 << 15, Height: 1}, asset.Image{Width: 1, Height: 1 << 15})
	if _, _, err := sheetOf(wide); err == nil {
		t.Error("a sheet may be as large as it likes")
	}
	places := []struct {
		s  sheetPlaces
		ok bool
	}{
		{sheetPlaces{2, 2, 1, [][2]int{{2, 1}, {1, 1}, {2, 1}}}, true}, {sheetPlaces{4, 1, 2, [][2]int{{1, 1}, {1, 2}, {1, 2}, {1, 2}}}, true}, {sheetPlaces{1, 4, 2, [][2]int{{4, 2}}}, true}, {sheetPlaces{4, 1, 1, slices.Repeat([][2]int{{1, 1}}, 8)}, true},
		{sheetPlaces{0, 2, 1, [][2]int{{1, 1}}}, false}, {sheetPlaces{2, 0, 1, [][2]int{{1, 1}}}, false}, {sheetPlaces{2, 2, 0, [][2]int{{1, 1}}}, false}, {sheetPlaces{2, 2, 2, nil}, false}, {sheetPlaces{2, 2, 1, [][2]int{{1, 1}, {1, 1}}}, false},
		{sheetPlaces{3, 2, 2, [][2]int{{1, 1}}}, false}, {sheetPlaces{2, 2, 1, [][2]int{{0, 1}, {1, 1}, {1, 1}}}, false}, {sheetPlaces{2, 2, 1, [][2]int{{1, 0}, {1, 1}, {1, 1}}}, false}, {sheetPlaces{2, 2, 1, [][2]int{{3, 1}, {1, 1}, {1, 1}}}, false}, {sheetPlaces{2, 2, 1, [][2]int{{1, 2}, {1, 1}, {1, 1}}}, false},
	}
	for _, c := range places {
		x := frames(coloured(4, 2, 0))
		if err := c.s.cut(x); (err == nil) != c.ok || c.ok && len(x.Frames) != len(c.s.Sizes) {
			t.Errorf("%+v: %v", c.s, err)
		}
	}
}

// TestAnimatedOrNot: frames of several sizes are no animated picture; to look at they are pictures.
func TestAnimatedOrNot(t *testing.T) {
	one, two, long, tall := coloured(2, 1, 10), coloured(2, 1, 20), coloured(3, 1, 30), coloured(2, 2, 40)
	for _, c := range []struct {
		x     *asset.Texture
		files string
	}{{frames(one, two), "a.apng"}, {frames(one, long), "a.f000.png a.f001.png"}, {frames(one, tall), "a.f000.png a.f001.png"}, {cube(one, two), "a.+x.png a.-x.png"}} {
		f, _ := encodedPictures(t, c.x, "a.apng", func(it *Item) { it.Plain = true })
		if got := strings.Join(slices.Sorted(maps.Keys(f)), " "); got != c.files {
			t.Errorf("%s, want %s", got, c.files)
		}
	}
	it := &Item{Asset: frames(one, long), Env: new(format.Env)}
	if _, err := encodeAPNG(it, "a.apng"); err == nil {
		t.Error("frames of two sizes are animated")
	}
	f, _ := encodedPictures(t, frames(one, two), "a.png", func(it *Item) { it.Plain, it.Env.Options.Sheet = true, true })
	if len(f) != 2 || strings.Contains(string(f["a.usher.json"]), "Native") {
		t.Errorf("a sheet to look at: %q", slices.Collect(maps.Keys(f)))
	}
}

// TestPictureLosses: colours and depths that a picture cannot hold are told of, once for each picture.
func TestPictureLosses(t *testing.T) {
	many := asset.NewImage(32, 16, asset.RGBA8)
	for i := range 512 {
		copy(many.Pix[4*i:], []byte{byte(i), byte(i / 256), 0, 255})
	}
	grey := asset.NewImage(2, 1, asset.Gray16)
	for _, c := range []struct {
		name string
		m    asset.Image
		want string
	}{
		{"a.bmp", many, "quantized"}, {"a.pcx", many, "quantized"}, {"a.bmp", coloured(2, 2, 1), ""}, {"a.tga", many, ""}, {"a.tga", grey, "grey-depth"}, {"a.dds", grey, "grey-depth"}, {"a.bmp", grey, "grey-depth"}, {"a.png", grey, ""},
	} {
		_, d := encodedPictures(t, frames(c.m), c.name, asIs)
		if list := d.All(); len(list) > 1 || d.Has(c.want) != (c.want != "") || (c.want == "") != (len(list) == 0) {
			t.Errorf("%s: %v, want %s", c.name, list, c.want)
		}
	}
	for _, ext := range []string{".png", ".apng", ".bmp", ".tga", ".dds", ".pcx"} {
		it := &Item{Asset: new(asset.Texture), Env: new(format.Env)}
		if _, err := ByExtension(ext).Encode(it, "a"+ext); err == nil || !strings.Contains(err.Error(), "no pixels of its own") {
			t.Errorf("%s: %v", ext, err)
		}
		it.Asset = sound()
		if _, err := ByExtension(ext).Encode(it, "a"+ext); err == nil || !strings.HasPrefix(err.Error(), "a sound does not go into") {
			t.Errorf("%s: %v", ext, err)
		}
		if _, err := ByExtension(ext).Decode([]byte("no picture"), &format.Env{Diagnostics: new(schema.Diagnostics), Files: inFolder{}}); err == nil {
			t.Errorf("%s: anything is a picture", ext)
		}
	}
}

// TestPalettes: pictures of a texture share the palette of the first one; one with other colours gets them for each pixel.
func TestPalettes(t *testing.T) {
	red, blue := []asset.RGBA{{255, 0, 0, 255}, {1, 2, 3, 255}}, []asset.RGBA{{0, 0, 255, 255}, {9, 9, 9, 255}}
	indexed := func(p []asset.RGBA) *asset.Texture {
		x := frames(asset.NewImage(2, 1, asset.Indexed8))
		x.Palette, x.Frames[0].Mips[0].Pix = p, []byte{1, 0}
		return x
	}
	for _, c := range []struct {
		what     string
		palette  []asset.RGBA
		x        *asset.Texture
		format   asset.PixelFormat
		pix      string
		palette2 []asset.RGBA
	}{
		{"the same colours", red, indexed(slices.Clone(red)), asset.Indexed8, "[1 0]", red}, {"other colours", red, indexed(blue), asset.RGBA8, "[9 9 9 255 0 0 255 255]", red}, {"the first", nil, indexed(blue), asset.Indexed8, "[1 0]", blue},
		{"without a palette", red, frames(coloured(1, 1, 7)), asset.RGBA8, "[7 100 50 255]", red},
	} {
		x := &asset.Texture{Palette: c.palette}
		if m := pictureOf(x, c.x); m.Format != c.format || fmt.Sprint(m.Pix) != c.pix || !slices.Equal(x.Palette, c.palette2) {
			t.Errorf("%s: %v %v, palette %v", c.what, m.Format, m.Pix, x.Palette)
		}
	}
}

// TestAddPicture: the picture of another file becomes a frame, or a face where its name says so.
func TestAddPicture(t *testing.T) {
	x := frames(coloured(1, 1, 1))
	for _, name := range []string{"a.-x.png", "a.+y.png", "a.f001.png", "a.-z.png", "a.+x.png"} {
		if err := AddPicture(x, &Item{Asset: frames(coloured(1, 1, 2))}, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := pixelsOf(t, x); got != "1x1 1+1x1 2+1x1 2; 1x1 2+1x1 2; 1x1 2" {
		t.Errorf("%s", got)
	}
	for _, next := range []*Item{nil, {Asset: sound()}, {}, {Asset: (*asset.Texture)(nil)}} {
		if err := AddPicture(x, next, "b.png"); err == nil || err.Error() != "b.png is no picture" {
			t.Errorf("%v", err)
		}
	}
	if err := AddPicture(nil, &Item{Asset: x}, "b.png"); err == nil {
		t.Error("nothing takes a picture")
	}
	for name, want := range map[string][2]int{"a.f000.png": {0, 0}, "a.f012.BMP": {12, 0}, "a.-z.png": {-1, 5}, "a.+x.png": {-1, 0}, "a.png": {-1, 0}, "a.f01.png": {-1, 0}, "a.f001.tga": {-1, 0}, "a.fxyz.png": {-1, 0}, "a.f1000.pcx": {1000, 0}} {
		if got := [2]int{PictureFrame(name), PictureFace(name)}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestPicturesOf: the files of a texture, of whichever of them is asked; a file of no texture with several has none.
func TestPicturesOf(t *testing.T) {
	dir := t.TempDir()
	f, _ := encodedPictures(t, frames(coloured(1, 1, 1), coloured(1, 1, 2)), "a.png", asIs)
	for name, b := range f {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	of := func(name string) string {
		files, err := PicturesOf(filepath.Join(dir, name), &format.Env{Name: name, Files: f})
		if err != nil {
			return err.Error()
		}
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		return strings.Join(files, " ")
	}
	for name, want := range map[string]string{"a.f000.png": "a.f000.png a.f001.png", "a.f001.png": "a.f000.png a.f001.png", "a.f007.png": "", "b.png": ""} {
		if got := of(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if err := os.Rename(filepath.Join(dir, "a.f000.png"), filepath.Join(dir, "a.png")); err != nil {
		t.Fatal(err)
	}
	if got := of("a.png"); got != "a.png a.f001.png" {
		t.Errorf("the first under another name: %s", got)
	}
	f["a.usher.json"] = []byte("{")
	if got := of("a.png"); !strings.HasPrefix(got, "a.usher.json: ") {
		t.Errorf("a damaged companion: %s", got)
	}
}

// TestBitmaps: two letters make no bitmap; its header has to make sense.
func TestBitmaps(t *testing.T) {
	f, _ := encodedPictures(t, frames(coloured(2, 2, 1)), "a.bmp", asIs)
	whole := f["a.bmp"]
	set := func(at int, v byte) []byte {
		b := slices.Clone(whole)
		b[at] = v
		return b
	}
	for _, c := range []struct {
		what string
		b    []byte
		want bool
	}{{"one", whole, true}, {"its head", whole[:17], false}, {"another head", set(14, 11), false}, {"the oldest", set(14, 12), true}, {"the newest", set(14, 124), true}, {"none of it", set(14, 125), false}, {"pixels far off", set(13, 1), false}, {"no letters", set(0, 'X'), false}} {
		if got := isBMP(formats.NewInput("a", c.b)); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
	exact := slices.Clone(whole[:20])
	exact[10], exact[11], exact[12], exact[13] = 20, 0, 0, 0
	if !isBMP(formats.NewInput("a", exact)) || isBMP(formats.NewInput("a", exact[:19])) {
		t.Error("pixels may begin at the end of the file, and not behind it")
	}
}
