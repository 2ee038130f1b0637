package ultimate3d

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// TestTextureNames: where a picture is looked for, likeliest first.
func TestTextureNames(t *testing.T) {
	for _, c := range []struct{ identifier, file, want string }{
		{"", "", ""},
		{" ", "", ""},
		{"a.png", "", "a.png textures/a.png a.png a.jpg a.jpeg a.bmp a.tga a.dds textures/a.png textures/a.jpg textures/a.jpeg textures/a.bmp textures/a.tga textures/a.dds"},
		{`D:\art\a`, "", "art/a textures/a art/a.png art/a.jpg art/a.jpeg art/a.bmp art/a.tga art/a.dds textures/a.png textures/a.jpg textures/a.jpeg textures/a.bmp textures/a.tga textures/a.dds"},
	} {
		if got := strings.Join(textureNames(&ultimate3d.Texture{Identifier: c.identifier, File: c.file}), " "); got != c.want {
			t.Errorf("%q, %q: %s, want %s", c.identifier, c.file, got, c.want)
		}
	}
	if got := textureNames(&ultimate3d.Texture{Identifier: "a.png", File: "/b/c.bmp"}); len(got) != 2+2*13 || got[0] != "a.png" || got[1] != "b/c.bmp" || got[15] != "textures/c.bmp" {
		t.Errorf("of two names %q", got)
	}
	if got := textureNames(&ultimate3d.Texture{Identifier: "a:"}); got[0] != "a:" {
		t.Errorf("of what is no drive %q", got)
	}
}

// TestAlphaOf: without blending the engine hides what is not opaque; with it the model is blended where a picture or a colour
// says so.
func TestAlphaOf(t *testing.T) {
	for _, c := range []struct {
		picture  asset.AlphaMode
		pictured bool
		alpha    float32
		blending bool
		want     asset.AlphaMode
	}{
		{asset.Opaque, false, 1, false, asset.Opaque},
		{asset.Opaque, false, 1, true, asset.Opaque},
		{asset.Opaque, false, 0.5, false, asset.Opaque},
		{asset.Opaque, false, 0.5, true, asset.Blend},
		{asset.Opaque, true, 1, true, asset.Opaque},
		{asset.Blend, true, 1, true, asset.Blend},
		{asset.Blend, true, 1, false, asset.Mask},
		{asset.Mask, true, 0.5, false, asset.Mask},
	} {
		a := asset.NewMaterial("m")
		if a.BaseColor[3] = c.alpha; c.pictured {
			a.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Alpha: c.picture}}
		}
		if got := alphaOf(a, c.blending); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestShine: a Blinn-Phong exponent goes to glTF's roughness and back.
func TestShine(t *testing.T) {
	for _, c := range []struct{ power, roughness float64 }{{0, 1}, {-1, 1}, {math.NaN(), 1}, {30, 0.5}, {3.0625, 0.79280}} {
		if got := roughness(float32(c.power)); math.Abs(float64(got)-c.roughness) > 1e-4 {
			t.Errorf("the roughness of %v is %v, want %v", c.power, got, c.roughness)
		}
	}
	for _, c := range []struct{ roughness, power float64 }{{1, 0}, {0.5, 30}, {2, 0}, {0.02, 12499998}, {0.001, 12499998}} {
		if got := power(float32(c.roughness)); math.Abs(float64(got)-c.power) > 1e-4*max(1, c.power) {
			t.Errorf("the power of %v is %v, want %v", c.roughness, got, c.power)
		}
	}
	if got := [...]float32{clamp01(-1), clamp01(2), clamp01(0.25), clamp01(float32(math.NaN()))}; got != [...]float32{0, 1, 0.25, 0} {
		t.Errorf("held between 0 and 1: %v", got)
	}
}

// TestTexCoordSet: the low half of an index is the set, of which there are eight; the high half says how the engine makes one.
func TestTexCoordSet(t *testing.T) {
	for _, c := range []struct {
		index     ultimate3d.TexCoordIndex
		set       int
		generated bool
	}{{0, 0, false}, {7, 7, false}, {8, 0, false}, {0x10002, 2, true}, {0xFFFF, 0, false}} {
		if set, generated := texCoordSet(c.index); set != c.set || generated != c.generated {
			t.Errorf("%#x: %d, %v", uint32(c.index), set, generated)
		}
	}
}

// pixel is a picture file of one colour.
func pixel(t testing.TB, r uint8) []byte {
	t.Helper()
	img := asset.NewImage(1, 1, asset.RGBA8)
	copy(img.Pix, []byte{r, 0, 0, 255})
	var b bytes.Buffer
	must(t, png.Encode(&b, &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{img}}}}, png.Options{}))
	return b.Bytes()
}

type filesOf func(names ...string) ([]byte, string, error)

func (f filesOf) Find(names ...string) ([]byte, string, error) { return f(names...) }

// TestPictures: which picture a material shows, how often it is read, and what is told where there is none.
func TestPictures(t *testing.T) {
	red, blue := pixel(t, 255), pixel(t, 1)
	image := func(identifier string, content []byte) *ultimate3d.Texture {
		return &ultimate3d.Texture{Used: 1, Identifier: identifier, Content: content, Width: 1, Height: 1}
	}
	for _, c := range []struct {
		name     string
		embedded ultimate3d.Bool
		textures []*ultimate3d.Texture // of the first stage of each material
		set      ultimate3d.TexCoordIndex
		want     string // the picture that each material shows
		count    int    // of pictures in the scene
		told     string
	}{
		{"in the file", 1, []*ultimate3d.Texture{image("a.png", red)}, 0, "a", 1, ""},
		{"the same twice", 1, []*ultimate3d.Texture{image("a.png", red), image("b.png", red)}, 0, "a a", 1, ""},
		{"two", 1, []*ultimate3d.Texture{image("a.png", red), image("b.png", blue)}, 0, "a b", 2, ""},
		{"of one byte", 1, []*ultimate3d.Texture{image("a.png", red[:1])}, 0, "-", 0, "texture-unreadable"},
		{"none, twice", 1, []*ultimate3d.Texture{image("a.png", nil), image("a.png", nil)}, 0, "- -", 0, "texture-missing"},
		{"beside the file", 0, []*ultimate3d.Texture{image("wall.png", nil), image("WALL.PNG", nil)}, 0, "wall wall", 1, ""},
		{"not beside the file", 0, []*ultimate3d.Texture{image("floor.png", nil), image("floor.png", nil)}, 0, "- -", 0, "texture-missing"},
		{"coordinates that the engine makes", 1, []*ultimate3d.Texture{image("a.png", red)}, 0x10000, "-", 1, "generated-coordinates"},
		{"a height map", 1, []*ultimate3d.Texture{{Used: 1, Type: ultimate3d.HeightTexture, Identifier: "h.png", Content: red}}, 0, "-", 0, "texture-stage"},
	} {
		m := smallModel()
		m.Materials = nil
		for i, x := range c.textures {
			m.Materials = append(m.Materials, &ultimate3d.Material{Name: fmt.Sprint(i), ExportResources: c.embedded, Textures: [8]*ultimate3d.Texture{x},
				TexCoordSet: [8]ultimate3d.TexCoordIndex{c.set}})
		}
		d, read := new(schema.Diagnostics), 0
		s, err := Lift(m, &format.Env{Diagnostics: d, Files: filesOf(func(names ...string) ([]byte, string, error) {
			if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, "wall.png") }); i >= 0 {
				read++
				return red, "wall.png", nil
			}
			return nil, "", errors.New("not there")
		})})
		must(t, err)
		var got []string
		for _, a := range s.Materials {
			if a.BaseColorTexture == nil {
				got = append(got, "-")
			} else {
				got = append(got, a.BaseColorTexture.Texture.Name)
			}
		}
		if strings.Join(got, " ") != c.want || len(s.Textures) != c.count || codesOf(d) != c.told || read > 1 {
			t.Errorf("%s: %v of %d pictures, read %d times, told %q, want %s of %d, %q", c.name, got, len(s.Textures), read, codesOf(d), c.want, c.count, c.told)
		}
	}
}

// TestPictureMark: a picture is the same where its file or what it shows is.
func TestPictureMark(t *testing.T) {
	texture := func(r uint8, file string) *asset.Texture {
		img := asset.NewImage(1, 2, asset.RGBA8)
		img.Pix[0] = r
		x := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{img}}}}
		if file != "" {
			x.File = &asset.Stored{Encoding: "png", Data: []byte(file)}
		}
		return x
	}
	wide := texture(1, "")
	wide.Frames[0].Mips[0].Width, wide.Frames[0].Mips[0].Height = 2, 1
	for _, c := range []struct {
		name string
		now  *asset.Texture
		was  *asset.Texture
		is   bool
	}{
		{"the same file", texture(1, "x"), texture(2, "x"), true},
		{"the same pixels", texture(1, "x"), texture(1, "y"), true},
		{"the same pixels without a file", texture(1, ""), texture(1, "y"), true},
		{"another one", texture(1, "x"), texture(2, "y"), false},
		{"neither has a file", texture(1, ""), texture(2, ""), false},
		{"another shape", wide, texture(1, ""), false},
		{"no picture", &asset.Texture{}, &asset.Texture{}, false},
	} {
		if got := samePicture(c.now, pictureMark(c.was)); got != c.is {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestTextureIdentifier: a new texture is named as its file will be.
func TestTextureIdentifier(t *testing.T) {
	for _, c := range []struct{ uri, name, want string }{
		{"", "stone", "stone"}, {`art\wall.png`, "stone", "wall.png"}, {"a/b?c.png", "", "b_c.png"}, {"", "", "texture.png"},
		{"", "a\tb c", "a_b c"}, {"", `<>:"/\|?*`, "_________"}, {".", "", "texture.png"},
	} {
		if got := textureIdentifier(&asset.Texture{URI: c.uri, Name: c.name}); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.uri, c.name, got, c.want)
		}
	}
}

// TestEmit: two pictures of one name get files of their own, and one picture gets one.
func TestEmit(t *testing.T) {
	var written []string
	d := new(schema.Diagnostics)
	l := &lowerer{d: d, env: &format.Env{Diagnostics: d, Taken: func(name string, b []byte) bool { return name == "roof.png" && string(b) != "r" },
		Emit: func(name string, _ []byte) error { written = append(written, name); return nil }}}
	for _, c := range []struct{ name, content, want string }{
		{"wall.png", "1", "wall.png"}, {"WALL.png", "1", "WALL.png"}, {"wall.png", "2", "wall_2.png"}, {"wall.png", "3", "wall_3.png"}, {"wall.png", "2", "wall_2.png"},
		{"roof.png", "r", "roof.png"}, {"art/roof.png", "q", "art/roof_2.png"},
	} {
		if got, err := l.emit(c.name, []byte(c.content)); err != nil || got != c.want {
			t.Errorf("%s %s: %q, %v, want %q", c.name, c.content, got, err, c.want)
		}
	}
	if got := strings.Join(written, " "); got != "wall.png wall_2.png wall_3.png roof.png roof_2.png" {
		t.Errorf("written: %s", got)
	}
	if got, err := l.emit("none.png", nil); got != "none.png" || err != nil || len(written) != 5 {
		t.Errorf("without a picture %q, %v", got, err)
	}
	l.env = &format.Env{Diagnostics: d}
	if got, err := l.emit("floor.png", []byte("f")); got != "floor.png" || err != nil || codesOf(d) != "texture-not-written" {
		t.Errorf("with nobody to take it %q, %v, told %s", got, err, codesOf(d))
	}
}

// TestEmbedded: a stored material takes its picture into the file where that is all that it has.
func TestEmbedded(t *testing.T) {
	red := pixel(t, 255)
	for _, c := range []struct {
		name   string
		change func(m *ultimate3d.Material)
		told   string
	}{
		{"one picture", func(*ultimate3d.Material) {}, ""},
		{"a second picture", func(m *ultimate3d.Material) {
			m.Textures[3] = &ultimate3d.Texture{Used: 1, Identifier: "b.png", File: "b.png"}
		}, "not-embedded"},
		{"a shader", func(m *ultimate3d.Material) { m.EffectUsed, m.Effect = ultimate3d.True, &ultimate3d.Effect{} }, "not-embedded"},
	} {
		m := smallModel()
		m.Materials[0].Textures[0] = &ultimate3d.Texture{Used: 1, Identifier: "a.png", File: "a.png", Width: 1, Height: 1}
		c.change(m.Materials[0])
		s, err := Lift(mustRead(t, mustWrite(t, m)), &format.Env{Files: filesOf(func(...string) ([]byte, string, error) { return red, "a.png", nil })})
		must(t, err)
		for _, embed := range []bool{false, true} {
			d := new(schema.Diagnostics)
			env := &format.Env{Diagnostics: d, Emit: func(name string, _ []byte) error { t.Errorf("%s: %s is written", c.name, name); return nil }}
			env.Options.Ultimate3D.Embed = embed
			x := lower(t, throughGLB(t, s), env).Materials[0]
			told := ""
			if embed {
				told = c.told
			}
			in := embed && told == ""
			if x.ExportResources.True() != in || (len(x.Textures[0].Content) > 0) != in || (x.Textures[0].File == "") != in || codesOf(d) != told {
				t.Errorf("%s, embed %v: %+v, told %q", c.name, embed, x.Textures[0], codesOf(d))
			}
		}
	}
}

// TestSetTexture: the file that a material's picture becomes, and what the material says of it.
func TestSetTexture(t *testing.T) {
	picture := func(w, h int, encoding, uri string) *asset.Texture {
		x := &asset.Texture{Name: "n", URI: uri}
		if w > 0 {
			x.Frames = []asset.Frame{{Mips: []asset.Image{asset.NewImage(w, h, asset.RGBA8)}}}
		}
		if encoding != "" {
			x.File = &asset.Stored{Encoding: encoding, Data: []byte(encoding)}
		}
		return x
	}
	for _, c := range []struct {
		texture       *asset.Texture
		old           *ultimate3d.Texture
		name          string
		width, height uint16
		file          string // what is written begins so
		told          string
	}{
		{picture(3, 2, "", ""), nil, "n.png", 3, 2, "\x89PNG", ""},
		{picture(3, 2, "bmp", "art/x.bmp"), nil, "x.bmp", 3, 2, "bmp", ""},
		{picture(3, 2, "tga", "x.png"), nil, "x.tga", 3, 2, "tga", ""},
		{picture(3, 2, "jpeg", "x.jpeg"), nil, "x.jpeg", 3, 2, "jpeg", ""},
		{picture(3, 2, "jpeg", "x"), nil, "x.jpg", 3, 2, "jpeg", ""},
		{picture(3, 2, "webp", "x.webp"), nil, "x.png", 3, 2, "\x89PNG", ""},
		{picture(65536, 1, "png", "x.png"), nil, "x.png", 65535, 1, "png", ""},
		{picture(1, 65536, "png", "x.png"), nil, "x.png", 1, 65535, "png", ""},
		{picture(0, 0, "", "x.dds"), nil, "x.dds", 0, 0, "", "texture-missing"},
		{picture(3, 2, "dds", "x.dds"), &ultimate3d.Texture{Identifier: "old.DDS", Used: 7}, "old.DDS", 3, 2, "dds", ""},
		{picture(3, 2, "dds", "x.dds"), &ultimate3d.Texture{Identifier: "old.dds", Type: ultimate3d.CubeTexture}, "x.dds", 3, 2, "dds", ""},
	} {
		var written string
		d := new(schema.Diagnostics)
		l := &lowerer{d: d, env: &format.Env{Diagnostics: d, Emit: func(name string, b []byte) error { written = name + " " + string(b); return nil }}}
		m := &ultimate3d.Material{Textures: [8]*ultimate3d.Texture{c.old}}
		must(t, l.setTexture(m, c.texture, "here"))
		x := m.Textures[0]
		if x.Identifier != c.name || x.File != c.name || x.Width != c.width || x.Height != c.height || x.Content != nil || codesOf(d) != c.told ||
			c.file == "" && written != "" || c.file != "" && !strings.HasPrefix(written, c.name+" "+c.file) {
			t.Errorf("%s: %+v, written %.20q, told %q", c.name, x, written, codesOf(d))
		}
		if used := ultimate3d.True; c.old != nil && c.old.Type == ultimate3d.ImageTexture && x.Used != 7 || (c.old == nil || c.old.Used == 0) && x.Used != used {
			t.Errorf("%s is used: %v", c.name, x.Used)
		}
	}
}
