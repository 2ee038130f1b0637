package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// shelf holds files by their names.
type shelf map[string][]byte

func (s shelf) Find(names ...string) ([]byte, string, error) {
	for _, n := range names {
		if b, ok := s[n]; ok {
			return b, n, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// stored returns the bytes of a package.
func stored(t *testing.T, f *File) []byte {
	t.Helper()
	var w bytes.Buffer
	if err := write.Package(&w, f.Package); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// ramp returns n colours of that red.
func ramp(red uint8, n int) []asset.RGBA {
	list := make([]asset.RGBA, n)
	for i := range list {
		list[i] = asset.RGBA{red, uint8(i), 7, 9}
	}
	return list
}

// textured adds a texture with a palette to a package.
func textured(t *testing.T, f *File, outer unreal.Ref, name string, palette unreal.Ref) (*unreal.Texture, unreal.Ref) {
	t.Helper()
	f.AddName("None")
	o := &unreal.Texture{}
	r := f.AddExport(f.AddClass("Engine", "Texture"), outer, name, unreal.ResourceFlags)
	o.Context = f.Context(int(r - 1))
	o.Set("Palette", unreal.ObjectProperty, int32(palette))
	if err := f.Put(r, o); err != nil {
		t.Fatal(err)
	}
	return o, r
}

// TestResolve: an import is what the package of that name has at that path, or at least under that name; nothing otherwise.
func TestResolve(t *testing.T) {
	lib := Scratch()
	group := lib.AddExport(lib.AddClass("Core", "Package"), 0, "Doors", unreal.ResourceFlags)
	lib.AddName("None")
	if err := lib.Put(group, new(unreal.Object)); err != nil {
		t.Fatal(err)
	}
	_, door := textured(t, lib, group, "Oak", lib.addPalette(group, ramp(1, 256)))
	_, wall := textured(t, lib, 0, "Wall", lib.addPalette(0, ramp(2, 256)))
	f := Scratch()
	texture := func(outer unreal.Ref, name string) unreal.Ref { return f.AddImport("Engine", "Texture", outer, name) }
	pkg, none := f.AddImport("Core", "Package", 0, "Castle"), f.AddImport("Core", "Package", 0, "Nowhere")
	doors := f.AddImport("Core", "Package", pkg, "Doors")
	own := f.AddExport(f.AddClass("Engine", "Texture"), 0, "Own", 0)
	f = New(f.Package, &format.Env{Files: shelf{"Castle.u": stored(t, lib), "Nowhere.utx": []byte("no package")}})
	for name, c := range map[string]struct {
		r    unreal.Ref
		want unreal.Ref // in the library
	}{
		"in its group": {texture(doors, "Oak"), door}, "without its group": {texture(pkg, "Oak"), door}, "in another group": {texture(doors, "Wall"), wall},
		"not there": {texture(pkg, "Elm"), 0}, "of another class": {f.AddImport("Engine", "Palette", pkg, "Oak"), 0},
		"in a damaged package": {texture(none, "Oak"), 0}, "in none": {texture(f.AddImport("Core", "Package", 0, "Gone"), "Oak"), 0},
		"the package itself": {pkg, 0}, "nothing": {0, 0}, "beyond the table": {-1000, 0},
	} {
		for range 2 { // what was looked for is known then
			other, i := f.Resolve(c.r)
			if (other == nil) != (c.want == 0) || c.want != 0 && (i != int(c.want-1) || other == f || other != f.Other("CASTLE")) {
				t.Errorf("%s: %d, at hand %v", name, i, other != nil)
			}
		}
	}
	if other, i := f.Resolve(own); other != f || i != int(own-1) {
		t.Errorf("its own: %d", i)
	}
	if Scratch().Other("Castle") != nil || New(f.Package, new(format.Env)).Other("Castle") != nil {
		t.Error("a package is found nowhere")
	}
	d := new(schema.Diagnostics)
	f.Env.Diagnostics = d
	o := &unreal.Texture{}
	o.Context = f.Context(int(own - 1))
	o.Set("Palette", unreal.ObjectProperty, int32(f.AddImport("Engine", "Palette", pkg, "Palette2")))
	if colors, err := f.Palette(o); err != nil || len(colors) != 256 || colors[3] != [4]uint8{2, 3, 7, 255} || len(d.All()) != 0 {
		t.Errorf("the palette of another package: %v, %v", err, d.All())
	}
	o.Set("Palette", unreal.ObjectProperty, int32(f.AddImport("Engine", "Palette", none, "P")))
	if colors, err := f.Palette(o); err != nil || len(colors) != 256 || colors[77] != [4]uint8{77, 77, 77, 255} || !d.Has("palette-missing") {
		t.Errorf("a palette that is not at hand: %v, %v", err, d.All())
	}
	o.Set("Palette", unreal.ObjectProperty, int32(texture(pkg, "Wall")))
	if _, err := f.Palette(o); err == nil {
		t.Error("a texture is taken for a palette")
	}
}

// TestSetPalette: a palette of one texture alone gets its new colours; one of several stays, and the texture gets its own.
func TestSetPalette(t *testing.T) {
	f := Scratch()
	group := f.AddExport(f.AddClass("Core", "Package"), 0, "Doors", unreal.ResourceFlags)
	shared := f.addPalette(group, ramp(1, 256))
	one, _ := textured(t, f, group, "One", shared)
	two, _ := textured(t, f, 0, "Two", shared)
	colors := func(o *unreal.Texture) (r unreal.Ref, red, green, alpha uint8, n int) {
		t.Helper()
		all, err := f.Palette(o)
		if err != nil {
			t.Fatal(err)
		}
		return o.Ref("Palette"), all[5][0], all[5][1], all[5][3], len(all)
	}
	d := new(schema.Diagnostics)
	if err := f.SetPalette(one, ramp(50, 256), d); err != nil || !d.Has("shared-palette") {
		t.Fatal(err, d.All())
	}
	r, red, green, alpha, n := colors(one)
	if r == shared || red != 50 || green != 5 || alpha != 255 || n != 256 || f.Outer(r) != group || f.ObjectName(r) != "Palette2" {
		t.Errorf("its own: %d %q, red %d, green %d, alpha %d, %d colours", r, f.ObjectName(r), red, green, alpha, n)
	}
	if r, red, _, _, _ := colors(two); r != shared || red != 1 {
		t.Errorf("the other's: %d, red %d", r, red)
	}
	d = new(schema.Diagnostics)
	for i, o := range []*unreal.Texture{two, one} { // each has one of its own now
		was := o.Ref("Palette")
		if err := f.SetPalette(o, ramp(uint8(60+i), 8), d); err != nil || len(d.All()) != 0 {
			t.Fatal(err, d.All())
		}
		all, _ := f.Palette(o)
		if r, red, green, _, n := colors(o); r != was || red != uint8(60+i) || green != 5 || n != 256 || all[8][0] == red {
			t.Errorf("%d: red %d, green %d, %d colours, the ninth %v", r, red, green, n, all[8])
		}
	}
	bare, _ := textured(t, f, group, "Bare", 0)
	if err := f.SetPalette(bare, ramp(70, 2), d); err != nil || len(d.All()) != 0 {
		t.Fatal(err, d.All())
	}
	if r, red, _, _, n := colors(bare); f.Outer(r) != 0 || red != 0 || n != 256 {
		t.Errorf("of one that had none: in %d, the sixth red %d, %d colours", f.Outer(r), red, n)
	}
	broken := f.addPalette(group, ramp(1, 256))
	f.Exports[broken-1].Data = []byte{0x7F}
	if one, _ := textured(t, f, group, "Broken", broken); f.SetPalette(one, ramp(1, 1), d) == nil {
		t.Error("a palette that cannot be read has new colours")
	}
	wrong, _ := textured(t, f, group, "Wrong", f.FindExport("Doors.One", "Texture"))
	if err := f.SetPalette(wrong, ramp(1, 1), d); err == nil {
		t.Error("a texture is no palette")
	}
}

// TestNewPalette: a new texture gets a palette of its own, whatever others have its colours; one that was added for it, and that
// nothing uses, is taken once.
func TestNewPalette(t *testing.T) {
	f := Scratch()
	all := map[unreal.Ref]bool{}
	own := func(what string, red uint8) {
		t.Helper()
		r := f.NewPalette(ramp(red, 256))
		if all[r] {
			t.Errorf("%s shares palette %d", what, r)
		}
		all[r] = true
	}
	settled := func() {
		t.Helper()
		r := unreal.Ref(len(f.Exports))
		_, made := textured(t, f, 0, fmt.Sprintf("Texture%d", r), r)
		if err := f.Settle(made); err != nil {
			t.Fatal(err)
		}
	}
	own("the first", 1)
	own("one beside it, which has no texture yet", 1)
	settled()
	own("one after a texture with its colours", 1)
	settled()
	own("another colour", 2)
	settled()
	own("one after that", 2)
	idle := f.addPalette(0, ramp(3, 256))
	if r := f.NewPalette(ramp(3, 256)); r != idle {
		t.Errorf("palette %d is made, and %d was there for it", r, idle)
	}
	all[idle] = true
	own("one after it was taken", 3)
	other := f.addPalette(0, ramp(4, 256))
	if r := f.NewPalette(ramp(5, 256)); r == other {
		t.Error("a palette of other colours is taken")
	}
}

// TestSettle: what was made for an object goes into its group, under names of its own; what was there before stays.
func TestSettle(t *testing.T) {
	f := Scratch()
	var placed []string
	f.Placed = func(i int) error { placed = append(placed, f.ObjectName(unreal.Ref(i+1))); return nil }
	group := f.AddExport(f.AddClass("Core", "Package"), 0, "Doors", unreal.ResourceFlags)
	old := f.addPalette(0, ramp(1, 256))
	_, kept := textured(t, f, group, "Kept", old)
	fresh := f.NewPalette(ramp(2, 256))
	_, made := textured(t, f, group, "Made", fresh)
	_, loose := textured(t, f, 0, "Loose", f.NewPalette(ramp(3, 256)))
	placed = nil
	for _, r := range []unreal.Ref{kept, made, made, loose} {
		if err := f.Settle(r); err != nil {
			t.Fatal(err)
		}
	}
	if f.Outer(old) != 0 || f.Outer(fresh) != group || !slices.Equal(placed, []string{f.ObjectName(fresh)}) || len(f.parts) != 0 {
		t.Errorf("palettes in %d and %d, placed %q, %d parts left", f.Outer(old), f.Outer(fresh), placed, len(f.parts))
	}
	if r, ok := f.FindRef("Palette'Doors." + f.ObjectName(fresh) + "'"); !ok || r != fresh {
		t.Errorf("it is not found in its group: %d", r)
	}
}

// TestFreeName: a name that nobody in the group has, of objects of the same class where one is asked for.
func TestFreeName(t *testing.T) {
	f := Scratch()
	texture, sound := f.AddClass("Engine", "Texture"), f.AddClass("Engine", "Sound")
	group := f.AddExport(f.AddClass("Core", "Package"), 0, "Doors", 0)
	oak := f.AddExport(texture, group, "Oak", 0)
	f.AddExport(sound, group, "Oak2", 0)
	elm := f.AddExport(texture, group, "Elm", 0)
	long := strings.Repeat("x", unreal.MaxName)
	for _, c := range []struct {
		outer unreal.Ref
		name  string
		r     unreal.Ref
		want  string
	}{
		{group, "Ash", 0, "Ash"}, {group, "OAK", 0, "OAK3"}, {group, "Oak", elm, "Oak2"}, {group, "Oak", oak, "Oak"}, {0, "Oak", 0, "Oak"}, {group, long, 0, long[4:]},
	} {
		if got := f.FreeName(c.outer, c.name, c.r); got != c.want {
			t.Errorf("%s in %d for %d: %s, want %s", c.name, c.outer, c.r, got, c.want)
		}
	}
}
