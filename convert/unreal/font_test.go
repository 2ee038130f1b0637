package unreal

import (
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// letters is a font of so many pages: a picture for each, and the places of three characters.
func letters(pages int) *asset.Texture {
	t := &asset.Texture{Name: "Letters", Alpha: asset.Mask}
	var places []any
	for n := range pages {
		m := trueColor(checkerboard(16, 16))
		clear(m.Pix[:64]) // the first row is transparent
		m.Pix[200+4*n] ^= 0x55
		t.Frames = append(t.Frames, asset.Frame{Mips: []asset.Image{m}})
		places = append(places, []any{[]any{0.0, 1.0, 5.0, 8.0}, []any{5.0, 1.0, 4.0, 8.0}, []any{9.0, float64(n), 7.0, 8.0}, []any{0.0, 9.0, 1.0, 1.0}})
	}
	t.Native = &asset.Native{Format: fontName, Values: map[string]any{"pages": places}}
	return t
}

func TestNewFont(t *testing.T) {
	for _, c := range []struct {
		version uint16
		pages   int
	}{{69, 2}, {64, 1}, {61, 1}} {
		x, _ := Create(&format.Env{Name: "Fonts.utx"})
		a := x.(*archive)
		a.Version = c.version
		add(t, a, "Big/Letters", letters(c.pages), format.Texture)
		b := written(t, a)
		a = openBytes(t, "Fonts.utx", b)
		o, err := a.Object(entry(t, a, "Big.Letters"))
		if err != nil {
			t.Fatal(err)
		}
		f := o.(*unreal.Font)
		if c.version < 64 {
			if len(f.Characters) != 4 || len(f.Mips) != 5 || f.Characters[1] != (unreal.Char{StartU: 5, StartV: 1, USize: 4, VSize: 8}) {
				t.Errorf("version %d: %d mips, characters %v", c.version, len(f.Mips), f.Characters)
			}
		} else if len(f.Pages) != c.pages || f.CharactersOnPage != 4 || a.RefText(f.Pages[c.pages-1].Texture) != "Texture'Big.LettersPage"+string(rune('0'+c.pages-1))+"'" {
			t.Errorf("version %d: %+v, %v", c.version, f, paths(a))
		}
		for _, path := range paths(a) {
			if !strings.HasPrefix(path, "Big") {
				t.Errorf("%s is not in the group", path)
			}
		}
		got := lifted(t, a, "Big.Letters").(*asset.Texture)
		want := letters(c.pages)
		for n := range want.Frames {
			x, y := *got, *want
			x.Frames, y.Frames = got.Frames[n:n+1], want.Frames[n:n+1]
			if !slices.Equal(texture.Pixels(&x), texture.Pixels(&y)) {
				t.Errorf("version %d: page %d is another picture", c.version, n)
			}
		}
		for i := range a.Entries() {
			back(t, a, i, map[string]int{})
		}
	}
}

func TestFontRefusals(t *testing.T) {
	for _, c := range []struct {
		name    string
		version uint16
		edit    func(t *asset.Texture)
		want    error
	}{
		{"no places", 69, func(t *asset.Texture) { t.Native.Values["pages"] = nil }, schema.ErrValue},
		{"a page less", 69, func(t *asset.Texture) { t.Frames = t.Frames[:1] }, schema.ErrValue},
		{"a half texel", 69, func(t *asset.Texture) { t.Native.Values["pages"].([]any)[0].([]any)[0].([]any)[0] = 0.5 }, schema.ErrValue},
		{"outside", 69, func(t *asset.Texture) { t.Native.Values["pages"].([]any)[0].([]any)[0].([]any)[0] = 12.0 }, schema.ErrRange},
		{"sides of 15", 69, func(t *asset.Texture) { t.Frames[0].Mips[0] = trueColor(checkerboard(16, 15)) }, schema.ErrValue},
		{"no list", 69, func(t *asset.Texture) { t.Native.Values["pages"] = 7.0 }, schema.ErrValue},
		{"a page that is none", 69, func(t *asset.Texture) { t.Native.Values["pages"] = []any{7.0, []any{}} }, schema.ErrValue},
		{"a place that is none", 69, func(t *asset.Texture) { t.Native.Values["pages"].([]any)[1].([]any)[0] = 7.0 }, schema.ErrValue},
		{"three numbers", 69, func(t *asset.Texture) { t.Native.Values["pages"].([]any)[1].([]any)[0] = []any{1.0, 1.0, 1.0} }, schema.ErrValue},
		{"old, two pages", 61, func(*asset.Texture) {}, schema.ErrUnsupported},
	} {
		x, _ := Create(&format.Env{Name: "Fonts.utx"})
		a := x.(*archive)
		a.Version = c.version
		v := letters(2)
		c.edit(v)
		if _, err := a.newLeaf(format.Texture).Lower(v, &format.Env{}); schema.Class(err) != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// Settings of a texture come with it, and from a file beside a picture.
func TestTextureSettings(t *testing.T) {
	x, _ := Create(&format.Env{Name: "Set.utx"})
	a := x.(*archive)
	v := checkerboard(8, 8)
	v.Native = &asset.Native{Format: textureName, Values: map[string]any{"properties": []any{
		map[string]any{"Name": "bTwoSided", "Type": "Bool", "Value": true},
		map[string]any{"Name": "MaxFrameRate", "Type": "Float", "Value": 12.5},
		map[string]any{"Name": "USize", "Type": "Int", "Value": 3.0},
		map[string]any{"Name": "AnimNext", "Type": "Object", "Value": "Texture'Nowhere'"},
	}}}
	add(t, a, "Board", v, format.Texture)
	a = openBytes(t, "Set.utx", written(t, a))
	get := func(a *archive) *unreal.Texture {
		o, err := a.Object(entry(t, a, "Board"))
		if err != nil {
			t.Fatal(err)
		}
		return o.(*unreal.Texture)
	}
	if o := get(a); !o.Bool("bTwoSided") || o.Number("USize", 0) != 8 || o.Property("MaxFrameRate", 0) == nil || o.Property("AnimNext", 0) != nil {
		t.Errorf("properties %+v", o.Properties)
	}
	w := through(t, lifted(t, a, "Board")).(*asset.Texture)
	list := w.Native.Values["properties"].([]any)
	if len(list) != 2 {
		t.Fatalf("settings %v", list)
	}
	w.Native.Values["properties"] = append(list[1:], map[string]any{"Name": "AnimNext", "Type": "Object", "Value": "Texture'Board'"})
	a.Env.Diagnostics = nil
	n := replaced(t, a, "Board", w)
	if o := get(n); o.Bool("bTwoSided") || o.Property("MaxFrameRate", 0) == nil || o.Ref("AnimNext") != unreal.Ref(entry(t, n, "Board")+1) || len(o.Mips) != 4 {
		t.Errorf("after an edit: %+v", o.Properties)
	}
	w.Native.Values["properties"] = "all"
	if _, err := formatOf(n, entry(t, n, "Board")).Lower(w, &format.Env{}); schema.Class(err) != schema.ErrValue {
		t.Errorf("no list: %v", err)
	}
}

// TestNewFontCount: the engine ends over a number of characters on a page that is no power of two, and the codes of
// characters on later pages follow from it.
func TestNewFontCount(t *testing.T) {
	for _, c := range []struct {
		pages   []int // characters of each
		said    any   // charactersOnPage
		want    int32
		refused string
	}{
		{[]int{4}, nil, 4, ""},
		{[]int{3}, nil, 4, ""},
		{[]int{0}, nil, 1, ""},
		{[]int{4, 3}, nil, 4, ""},
		{[]int{3, 4}, nil, 0, "page 0 has 3 characters"},
		{[]int{3, 3}, nil, 0, "page 0 has 3 characters"},
		{[]int{3, 3}, 4.0, 4, ""},
		{[]int{3, 3}, 8.0, 8, ""},
		{[]int{3, 3}, 3.0, 0, "3 is no power of two"},
	} {
		x, _ := Create(&format.Env{Name: "Fonts.utx"})
		a := x.(*archive)
		font := letters(len(c.pages))
		for i, n := range c.pages {
			all := font.Native.Values["pages"].([]any)
			all[i] = all[i].([]any)[:n]
		}
		if c.said != nil {
			font.Native.Values["charactersOnPage"] = c.said
		}
		o, err := a.newFont(a.Painter(&format.Env{}), font)
		switch {
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%v, %v: %v, want %q", c.pages, c.said, err, c.refused)
		case c.refused == "" && err != nil:
			t.Errorf("%v, %v: %v", c.pages, c.said, err)
		case err == nil && o.(*unreal.Font).CharactersOnPage != c.want:
			t.Errorf("%v, %v: %d on a page, want %d", c.pages, c.said, o.(*unreal.Font).CharactersOnPage, c.want)
		}
	}
}

// TestOldFontRepainted: the picture of a font from before version 64 is its own, and takes an edit; newer ones refuse it.
func TestOldFontRepainted(t *testing.T) {
	for _, c := range []struct {
		version       uint16
		width, height int
		taken         bool
	}{{61, 16, 16, true}, {61, 32, 8, true}, {61, 15, 16, false}, {69, 16, 16, false}} {
		x, _ := Create(&format.Env{Name: "Fonts.utx"})
		a := x.(*archive)
		a.Version = c.version
		add(t, a, "Letters", letters(1), format.Texture)
		a = openBytes(t, "Fonts.utx", written(t, a))
		v := lifted(t, a, "Letters").(*asset.Texture)
		picture := trueColor(checkerboard(c.width, c.height))
		v.Palette, v.Frames = nil, []asset.Frame{{Mips: []asset.Image{picture}}}
		i := entry(t, a, "Letters")
		o, err := formatOf(a, i).Lower(v, &format.Env{Archive: a})
		if (err == nil) != c.taken {
			t.Errorf("%+v: %v", c, err)
		}
		if err != nil {
			continue
		}
		b, err := formatOf(a, i).Write(o)
		if err == nil {
			err = a.Replace(i, b)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := lifted(t, openBytes(t, "Fonts.utx", written(t, a)), "Letters").(*asset.Texture)
		if got.Base().Width != c.width || got.Base().Height != c.height || texture.Pixels(got)[5] != texture.Pixels(v)[5] {
			t.Errorf("%+v: the picture is one of %d x %d", c, got.Base().Width, got.Base().Height)
		}
	}
}
