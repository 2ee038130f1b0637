package ultima9

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// plain is a picture of one colour with a dot in the corner.
func plain(w, h int, red byte) asset.Frame {
	m := asset.NewImage(w, h, asset.RGBA8)
	for i := range w * h {
		copy(m.Pix[4*i:], []byte{red, 128, 64, 255})
	}
	m.Pix[0] ^= 0x80
	return asset.Frame{Mips: []asset.Image{m}}
}

// game writes archives of textures into a folder, beside ankh.pal: for each slot the colours of its frames.
func game(t *testing.T, archives map[string]map[int][]byte) string {
	t.Helper()
	dir := t.TempDir()
	u9.Must(t, os.WriteFile(filepath.Join(dir, "ankh.pal"), corpus.Bytes(t, corpus.Testdata(t, "ultima9", "ankh.pal")), 0o644))
	for name, slots := range archives {
		a := ultima9.NewArchive(40)
		for slot, reds := range slots {
			x := &asset.Texture{}
			for _, red := range reds {
				x.Frames = append(x.Frames, plain(16, 8, red))
			}
			env := &format.Env{Name: name, Files: u9.Folders{dir}}
			u9.Must(t, a.Replace(slot, u9.Do(write.Texture(u9.Do(Texture.Lower(x, env))(t)))(t)))
		}
		var out bytes.Buffer
		u9.Must(t, write.FLX(&out, a))
		u9.Must(t, os.WriteFile(filepath.Join(dir, name), out.Bytes(), 0o644))
	}
	return dir
}

// TestEmptySlotsAreInOtherArchives: a slot that the best archive leaves empty is looked up in the next ones.
func TestEmptySlotsAreInOtherArchives(t *testing.T) {
	dir := game(t, map[string]map[int][]byte{"bitmapC.flx": {1: {10}}, "bitmap16.flx": {1: {90}, 2: {90}}, "bitmapsh.flx": {1: {200}, 2: {200}, 3: {200}}})
	env := &format.Env{Name: "sappear.flx", Files: u9.Folders{dir}, Diagnostics: new(schema.Diagnostics)}
	l := look.NewLifter(&asset.Scene{}, env)
	for slot, want := range map[uint16]byte{1: 10, 2: 90, 3: 200} {
		x := l.Ground(look.Picture{Slot: slot}).BaseColorTexture.Texture
		if x.Base() == nil {
			t.Errorf("texture %d has no picture: %v", slot, env.Diagnostics.All())
			continue
		}
		pix := u9.Do(texture.ToRGBA(x.Base(), x.Palette))(t)
		if d := int(pix[4*20]) - int(want); d < -60 || d > 60 {
			t.Errorf("texture %d is of another archive: red %d, want about %d", slot, pix[4*20], want)
		}
	}
	if env.Diagnostics.Has("texture-missing") {
		t.Errorf("said %v", env.Diagnostics.All())
	}
	if l.Ground(look.Picture{Slot: 4}).BaseColorTexture.Texture.Base() != nil || !env.Diagnostics.Has("texture-missing") {
		t.Error("texture 4 is there")
	}
}

// TestDepthsFollow: of a texture in all archives one frame is edited; in the others just that frame changes.
func TestDepthsFollow(t *testing.T) {
	reds := map[int][]byte{1: {10, 20, 30}, 2: {40}, 3: {50}}
	dir := game(t, map[string]map[int][]byte{"bitmapC.flx": {1: reds[1], 3: reds[3]}, "bitmap16.flx": reds, "bitmapsh.flx": reds})
	for _, name := range beside.TextureNames {
		open := func(name string) *flxFile {
			env := &format.Env{Name: name, Files: u9.Folders{dir}, Diagnostics: new(schema.Diagnostics), Options: format.Options{Ultima9: format.Ultima9Options{AllDepths: true}}}
			return openFile(t, filepath.Join(dir, name), env).(*flxFile)
		}
		f := open(name)
		i := f.index(1)
		stored := u9.Do(f.Payload(i))(t)
		a := u9.Do(Texture.Lift(u9.Do(read.Texture(stored, nil))(t), f.textureEnv(1)))(t)
		a.Frames[1] = plain(16, 8, 250)
		u9.Must(t, f.Replace(i, u9.Do(write.Texture(u9.Do(Texture.Lower(a, f.textureEnv(1)))(t)))(t)))
		u9.Must(t, f.Remove(f.index(3)))
		u9.Must(t, f.Add("9", u9.Do(write.Texture(u9.Do(Texture.Lower(&asset.Texture{Frames: []asset.Frame{plain(4, 4, 77)}}, f.textureEnv(9)))(t)))(t), nil))
		var others []string
		for _, p := range f.partners() {
			if beside.InfoArchive(p) != "" {
				others = append(others, p)
			}
		}
		if len(others) != 2 || slices.Contains(others, name) {
			t.Errorf("%s: partners %v", name, others)
		}
		for _, p := range others {
			other := open(p)
			if changed := u9.Do(f.updatePartner(p, other))(t); fmt.Sprint(changed) != "[1 3 9]" {
				t.Errorf("%s: changed %v of %s", name, changed, p)
			}
			before := u9.Do(read.Texture(u9.Do(other.archive.Stored(1))(t), nil))(t)
			after := u9.Do(read.Texture(u9.Do(other.Payload(other.index(1)))(t), nil))(t)
			for k := range after.Frames {
				if same := bytes.Equal(before.Frames[k].Levels[0], after.Frames[k].Levels[0]); same != (k != 1) {
					t.Errorf("%s: frame %d of %s: same %v", name, k, p, same)
				}
			}
			if kind, _ := after.Format(1); kind != u9.Do(before.Format(1))(t) {
				t.Errorf("%s: %s holds %v now", name, p, kind)
			}
			if other.archive.Used(3) || !other.archive.Used(9) || other.archive.Used(2) != (p != "bitmapC.flx") {
				t.Errorf("%s: slots of %s: %v", name, p, other.Entries())
			}
		}
	}
}

// Without the option the others stay, and are named.
func TestDepthsAreTold(t *testing.T) {
	dir := game(t, map[string]map[int][]byte{"bitmapC.flx": {1: {1}}, "bitmap16.flx": {1: {1}, 2: {2}}, "bitmapsh.flx": {2: {1}}})
	for slot, want := range map[int]bool{1: true, 2: true} {
		env := &format.Env{Name: "bitmap16.flx", Files: u9.Folders{dir}, Diagnostics: new(schema.Diagnostics)}
		f := openFile(t, filepath.Join(dir, "bitmap16.flx"), env).(*flxFile)
		b := bytes.Clone(u9.Do(f.Payload(f.index(slot)))(t))
		b[len(b)-1] ^= 1
		u9.Must(t, f.Replace(f.index(slot), b))
		if p := f.partners(); !slices.Equal(p, []string{"sdInfo16.flx"}) || env.Diagnostics.Has("other-depths") != want {
			t.Errorf("slot %d: %v, said %v", slot, p, env.Diagnostics.All())
		}
	}
}

// With the option, it is said where there are no others.
func TestNoDepths(t *testing.T) {
	for _, c := range []struct {
		archives map[string]map[int][]byte
		want     bool
	}{
		{map[string]map[int][]byte{"bitmap16.flx": {1: {1}}}, true},
		{map[string]map[int][]byte{"bitmap16.flx": {1: {1}}, "bitmapC.flx": {1: {1}}}, false},
	} {
		dir := game(t, c.archives)
		env := &format.Env{Name: "bitmap16.flx", Files: u9.Folders{dir}, Diagnostics: new(schema.Diagnostics), Options: format.Options{Ultima9: format.Ultima9Options{AllDepths: true}}}
		f := openFile(t, filepath.Join(dir, "bitmap16.flx"), env).(*flxFile)
		b := bytes.Clone(u9.Do(f.Payload(f.index(1)))(t))
		b[len(b)-1] ^= 1
		u9.Must(t, f.Replace(f.index(1), b))
		f.partners()
		if env.Diagnostics.Has("no-depths") != c.want {
			t.Errorf("%d archives: %v", len(c.archives), env.Diagnostics.All())
		}
	}
}

// TestModelsWithoutPictures: what has only a colour wears white, one picture for all models of a folder and not that of another.
func TestModelsWithoutPictures(t *testing.T) {
	dir := game(t, map[string]map[int][]byte{"bitmap16.flx": {0: {7}, 1: {1}}})
	env := &format.Env{Name: "sappear.flx", Files: u9.Folders{dir}, Diagnostics: new(schema.Diagnostics)}
	f := openFile(t, corpus.Testdata(t, "ultima9", "sappear.flx"), env).(*flxFile)
	own := *env
	own.Archive, own.Turn = f, func() {}
	wood := asset.NewMaterial("wood")
	wood.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "wood", Frames: []asset.Frame{plain(16, 16, 100)}}}
	red, green := asset.NewMaterial("red"), asset.NewMaterial("green")
	red.BaseColor, green.BaseColor = [4]float32{1, 0, 0, 1}, [4]float32{0, 1, 0, 1}
	first, second := look.NewLowerer(&asset.Scene{}, &own), look.NewLowerer(&asset.Scene{}, &own)
	for i, c := range []struct {
		r    *look.Lowerer
		m    *asset.Material
		want uint16
	}{{first, wood, 2}, {first, red, 3}, {first, green, 3}, {second, red, 3}, {second, wood, 2}, {second, nil, 3}} {
		if got := u9.Do(c.r.Material(c.m))(t).Texture; got != c.want {
			t.Errorf("%d: texture %d, want %d", i, got, c.want)
		}
	}
	white := f.brought.Textures[1].Texture.Base()
	if len(f.brought.Textures) != 2 || !bytes.Equal(white.Pix, bytes.Repeat([]byte{0xFF}, len(white.Pix))) {
		t.Errorf("%d pictures; the second is % x", len(f.brought.Textures), white.Pix)
	}
}

// TestModelsBringTextures: two models of one folder, three pictures of which two are the same, one of them known already.
func TestModelsBringTextures(t *testing.T) {
	dir := game(t, map[string]map[int][]byte{"bitmapC.flx": {1: {1}}, "bitmap16.flx": {1: {1}, 2: {2}}, "bitmapsh.flx": {0: {9}}})
	env := &format.Env{Name: "sappear.flx", Files: u9.Folders{dir}, Diagnostics: new(schema.Diagnostics)}
	f := openFile(t, corpus.Testdata(t, "ultima9", "sappear.flx"), env).(*flxFile)
	u9.Must(t, f.Replace(0, u9.Do(f.Payload(0))(t))) // an edit
	own := *env
	own.Archive, own.Turn = f, func() {}
	wear := func(r *look.Lowerer, name string, x asset.Frame) uint16 {
		m := asset.NewMaterial(name)
		m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: name, Frames: []asset.Frame{x}}}
		return u9.Do(r.Material(m))(t).Texture
	}
	first, second := look.NewLowerer(&asset.Scene{}, &own), look.NewLowerer(&asset.Scene{}, &own)
	for i, c := range []struct {
		r    *look.Lowerer
		name string
		x    asset.Frame
		want uint16
	}{
		{first, "wood", plain(16, 16, 100), 3}, {first, "stone", plain(8, 16, 30), 4}, {second, "wood", plain(16, 16, 100), 3},
		{second, "known", plain(16, 8, 1), 1}, {second, "texture_2", plain(16, 8, 2), 2}, {second, "iron", plain(8, 8, 200), 5},
	} {
		if got := wear(c.r, c.name, c.x); got != c.want {
			t.Errorf("%d: %s is texture %d, want %d", i, c.name, got, c.want)
		}
	}
	want := []string{"bitmapC.flx", "sdInfoC.flx", "bitmap16.flx", "sdInfo16.flx", "bitmapsh.flx", "sdInfo.flx"}
	if got := f.partners(); !slices.Equal(got, want) {
		t.Errorf("partners %v, want %v", got, want)
	}
	for _, name := range beside.TextureNames {
		penv := &format.Env{Name: name, Files: u9.Folders{dir}}
		other := openFile(t, filepath.Join(dir, name), penv).(*flxFile)
		if changed := u9.Do(f.updatePartner(name, other))(t); fmt.Sprint(changed) != "[3 4 5]" {
			t.Errorf("%s: %v", name, changed)
		}
		infos := u9.Do(createFLX(&format.Env{Name: beside.InfoArchive(name)}))(t)
		if changed := u9.Do(f.updatePartner(beside.InfoArchive(name), infos))(t); fmt.Sprint(changed) != "[3 4 5]" {
			t.Errorf("%s: %v", beside.InfoArchive(name), changed)
		}
		set := u9.Do(read.Texture(u9.Do(other.Payload(other.index(3)))(t), nil))(t)
		info := u9.Do(read.SDInfo(u9.Do(infos.Payload(0))(t), nil))(t)
		if set.MaxWidth != 16 || set.Mips != 2 || info.MaxWidth != 16 || info.Mips != uint16(set.Mips) {
			t.Errorf("%s: %d pixels, %d levels; its record says %d, %d", name, set.MaxWidth, set.Mips, info.MaxWidth, info.Mips)
		}
		if kind := u9.Do(set.Format(0))(t); kind != map[string]ultima9.PixelFormat{"bitmapC.flx": ultima9.BC1, "bitmap16.flx": ultima9.RGB565, "bitmapsh.flx": ultima9.P8}[name] {
			t.Errorf("%s: %v", name, kind)
		}
	}
	if !env.Diagnostics.Has("texture-new") || len(f.brought.Textures) != 3 {
		t.Errorf("said %v, brought %d", env.Diagnostics.All(), len(f.brought.Textures))
	}
}
