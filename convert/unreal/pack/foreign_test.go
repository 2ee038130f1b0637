package pack

import (
	"errors"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestWords: the words for numbers make tables that are just as large as the numbers need; what makes no sense makes none.
func TestWords(t *testing.T) {
	type values = map[string]any
	symbols := func(names, objects values) values {
		return values{"version": 69.0, "licensee": 1.0, "offset": 7.0, "names": names, "objects": objects}
	}
	for _, c := range []struct {
		name                    string
		symbols                 any
		names, exports, imports int // −1 for none at all
	}{
		{"no numbers", symbols(nil, nil), 0, 0, 0},
		{"the first name", symbols(values{"0": "None"}, nil), 1, 0, 0},
		{"names", symbols(values{"5": "a", "2": "b"}, nil), 6, 0, 0},
		{"an export and an import", symbols(nil, values{"3": "Texture'a'", "-4": "Texture'b'"}), 0, 3, 4},
		{"an export", symbols(nil, values{"3": "Texture'a'"}), 0, 3, 0},
		{"an import", symbols(nil, values{"-4": "Texture'b'"}), 0, 0, 4},
		{"objects of both tables", symbols(nil, values{"3": "a", "5": "b", "-2": "c", "-6": "d"}), 0, 5, 6},
		{"the last numbers", symbols(values{"65535": "a"}, values{"65535": "b", "-65535": "c"}), 65536, 65535, 65535},
		{"a name beyond", symbols(values{"65536": "a"}, nil), -1, 0, 0},
		{"a name below", symbols(values{"-1": "a"}, nil), -1, 0, 0},
		{"an export beyond", symbols(nil, values{"65536": "a"}), -1, 0, 0},
		{"an import beyond", symbols(nil, values{"-65536": "a"}), -1, 0, 0},
		{"a name without a number", symbols(values{"x": "a"}, nil), -1, 0, 0},
		{"a name that is no text", symbols(values{"1": 1.0}, nil), -1, 0, 0},
		{"a name that no table holds", symbols(values{"1": "a\x00"}, nil), -1, 0, 0},
		{"an object without a number", symbols(nil, values{"x": "a"}), -1, 0, 0},
		{"an object that is no text", symbols(nil, values{"1": 1.0}), -1, 0, 0},
		{"nothing", nil, -1, 0, 0},
		{"no version", values{"licensee": 1.0, "offset": 7.0}, -1, 0, 0},
		{"no licensee", values{"version": 69.0, "offset": 7.0}, -1, 0, 0},
		{"no offset", values{"version": 69.0, "licensee": 1.0}, -1, 0, 0},
	} {
		w := wordsOf(c.symbols)
		if w == nil {
			if c.names >= 0 {
				t.Errorf("%s: none", c.name)
			}
			continue
		}
		if n, e, i := len(w.pkg.Names), len(w.pkg.Exports), len(w.pkg.Imports); n != c.names || e != c.exports || i != c.imports {
			t.Errorf("%s: %d names, %d exports, %d imports", c.name, n, e, i)
		}
		if w.pkg.Version != 69 || w.pkg.Licensee != 1 || w.offset != 7 {
			t.Errorf("%s: version %d, licensee %d, at %d", c.name, w.pkg.Version, w.pkg.Licensee, w.offset)
		}
		given, _ := c.symbols.(values)["names"].(values)
		for number, text := range given {
			if !strings.Contains(number, "5") {
				continue
			}
			if last := w.pkg.Names[len(w.pkg.Names)-1].Text; last != text || w.names[unreal.NameIndex(len(w.pkg.Names)-1)] != text {
				t.Errorf("%s: the last name is %q", c.name, last)
			}
		}
	}
}

// TestPayloadRange: a number that is none of an export is refused by name.
func TestPayloadRange(t *testing.T) {
	f := Scratch()
	textured(t, f, 0, "Wall", 0)
	for export, want := range map[int]string{-1: "-1 of 1", 0: "", 1: "1 of 1", 7: "7 of 1"} {
		_, err := f.Payload(export)
		if want == "" && err != nil || want != "" && (!errors.Is(err, schema.ErrRange) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: %v", export, err)
		}
	}
}

// TestFullPath: the engine names what a package has with the package before it, which its file is called after.
func TestFullPath(t *testing.T) {
	for name, want := range map[string]string{"": "Wall", "Castle.utx": "Castle.Wall", "maps/Castle.v2.unr": "Castle.v2.Wall", `maps\Castle`: "Castle.Wall", ".utx": ".utx.Wall"} {
		f := Scratch()
		_, r := textured(t, f, 0, "Wall", 0)
		brick := f.AddImport("Engine", "Texture", f.AddImport("Core", "Package", 0, "Bricks"), "Brick")
		f.Env = &format.Env{Name: name}
		if got := f.FullPath(r); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
		if got := f.FullPath(brick); got != "Bricks.Brick" {
			t.Errorf("%q: an import is %s", name, got)
		}
	}
	f := Scratch()
	if _, r := textured(t, f, 0, "Wall", 0); f.FullPath(r) != "Wall" || f.OwnName() != "" {
		t.Errorf("without a file: %s of %q", f.FullPath(r), f.OwnName())
	}
}

// TestLayers: what a picture that moves is seen through must be at hand, a texture, and of pixels with a palette; of those that
// move themselves some are enough. What is not so is told by the name of the property.
func TestLayers(t *testing.T) {
	for _, c := range []struct {
		name          string
		glass, source func(f *File, own unreal.Ref) unreal.Ref
		want          string
		class         error
	}{
		{"both", still, still, "", nil},
		{"no glass", nothing, still, "GlassTexture: None is not at hand", schema.ErrUnsupported},
		{"no source", still, nothing, "SourceTexture: None is not at hand", schema.ErrUnsupported},
		{"glass elsewhere", absent, still, "GlassTexture: Texture'Gone.Pane' is not at hand", schema.ErrUnsupported},
		{"a palette for a glass", palette, still, "GlassTexture: Palette'Palette", schema.ErrMismatch},
		{"a source without pixels", still, empty, "SourceTexture: Texture'Empty' has no pixels of palette indices", schema.ErrUnsupported},
		{"itself for a source", still, itself, "SourceTexture: IceTexture'Ice': more than 4 textures that move are seen through each other", schema.ErrCycle},
	} {
		f := Scratch()
		o, r := textured(t, f, 0, "Ice", f.addPalette(0, ramp(1, 256)))
		f.Exports[r-1].Class = f.AddClass("Fire", "IceTexture")
		o.Context = f.Context(int(r - 1))
		o.Mips = []unreal.Mip{{USize: 8, VSize: 8, UBits: 3, VBits: 3}}
		o.Set("GlassTexture", unreal.ObjectProperty, int32(c.glass(f, r)))
		o.Set("SourceTexture", unreal.ObjectProperty, int32(c.source(f, r)))
		if err := f.Put(r, o); err != nil {
			t.Fatal(err)
		}
		shown, err := f.Compute(o, 2)
		if c.class == nil {
			if err != nil || len(shown.Frames) != 2 || shown.FPS != usualRate {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.Is(err, c.class) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	f := Scratch()
	o, _ := textured(t, f, 0, "Ice", 0)
	if _, err := f.Compute(o, 1); !errors.Is(err, schema.ErrUnsupported) || !strings.Contains(err.Error(), "has no size") {
		t.Errorf("without a size: %v", err)
	}
}

func nothing(*File, unreal.Ref) unreal.Ref { return 0 }

func itself(_ *File, own unreal.Ref) unreal.Ref { return own }

func absent(f *File, _ unreal.Ref) unreal.Ref {
	return f.AddImport("Engine", "Texture", f.AddImport("Core", "Package", 0, "Gone"), "Pane")
}

func palette(f *File, _ unreal.Ref) unreal.Ref { return f.addPalette(0, ramp(3, 256)) }

// still adds a texture with pixels, empty one without.
func still(f *File, _ unreal.Ref) unreal.Ref {
	return pixels(f, "Pane", unreal.Mip{Pixels: make([]byte, 64), USize: 8, VSize: 8, UBits: 3, VBits: 3})
}

func empty(f *File, _ unreal.Ref) unreal.Ref { return pixels(f, "Empty") }

func pixels(f *File, name string, mips ...unreal.Mip) unreal.Ref {
	o, r := &unreal.Texture{Mips: mips}, f.AddExport(f.AddClass("Engine", "Texture"), 0, name, unreal.ResourceFlags)
	o.Context = f.Context(int(r - 1))
	if err := f.Put(r, o); err != nil {
		panic(err)
	}
	return r
}

// TestSymbols: an object with properties, with a state or with bytes that nobody knows has no words: numbers lie in these unmarked.
func TestSymbols(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(o *unreal.Texture)
		want bool
	}{
		"plain":                   {func(*unreal.Texture) {}, true},
		"with properties":         {func(o *unreal.Texture) { o.Set("bMasked", unreal.BoolProperty, 1) }, false},
		"with a state":            {func(o *unreal.Texture) { o.Frame = &unreal.StateFrame{} }, false},
		"with a byte of anything": {func(o *unreal.Texture) { o.Tail = []byte{1} }, false},
	} {
		f := Scratch()
		o := &unreal.Texture{}
		o.Context = &unreal.Context{Package: f.Package}
		o.End = f.AddName("None")
		if c.edit(o); (Symbols(o) != nil) != c.want {
			t.Errorf("%s: %v", name, Symbols(o))
		}
	}
}
