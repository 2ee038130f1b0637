package ultima9

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func entryIndex(t testing.TB, f format.ArchiveFile, path string) int {
	t.Helper()
	for i, e := range f.Entries() {
		if e.Path == path {
			return i
		}
	}
	t.Fatalf("there is no entry %s", path)
	return -1
}

func TestSDInfoFollowsTextures(t *testing.T) {
	textures := openFile(t, u9.Synthetic(t, "texture", "bitmap16.flx"), nil)
	infos := openFile(t, u9.Synthetic(t, "texture", "sdInfo16.flx"), nil)
	if p := textures.Abilities().Partners(); p != nil {
		t.Errorf("partners of no edit %q", p)
	}
	info := func(slot string) *ultima9.SDInfo {
		t.Helper()
		return u9.Do(read.SDInfo(u9.Do(infos.Payload(entryIndex(t, infos, slot)))(t), nil))(t)
	}
	picture := func(w, h int) []byte {
		a := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{{Width: w, Height: h, Pix: bytes.Repeat([]byte{255}, 4*w*h)}}}}}
		return u9.Do(write.Texture(u9.Do(Texture.Lower(a, nil))(t)))(t)
	}
	before := *info("10")
	same := u9.Do(textures.Payload(entryIndex(t, textures, "5")))(t)
	u9.Must(t, textures.Replace(entryIndex(t, textures, "5"), same))
	u9.Must(t, textures.Replace(entryIndex(t, textures, "10"), picture(64, 16)))
	u9.Must(t, textures.Remove(entryIndex(t, textures, "3")))
	u9.Must(t, textures.Add("2", picture(16, 32), nil))
	if p := textures.Abilities().Partners(); !slices.Equal(p, []string{"sdInfo16.flx"}) {
		t.Errorf("partners %q", p)
	}
	changed := u9.Do(textures.Abilities().UpdatePartner("sdInfo16.flx", infos))(t)
	if fmt.Sprint(changed) != "[10 3 2]" {
		t.Errorf("changed %v", changed)
	}
	after := *info("10")
	want := before
	want.Format, want.Log2Width, want.Log2Height, want.Mips = 0, 6, 4, 2
	want.Width, want.Height, want.MaxWidth, want.MaxHeight = 64, 16, 64, 16
	if fmt.Sprint(after) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", after, want)
	}
	if fresh := info("2"); fresh.Width != 16 || fresh.Height != 32 || fresh.Frames != 1 || fresh.Unknown0C == 0 {
		t.Errorf("new record %+v", fresh)
	}
	for _, e := range infos.Entries() {
		if e.Path == "3" {
			t.Error("the record of the removed texture is still there")
		}
	}
}

// An edit of pixels alone leaves the record of a texture as it is, whatever it tells.
func TestSDInfoStays(t *testing.T) {
	textures := openFile(t, u9.Synthetic(t, "texture", "bitmap16.flx"), nil)
	infos := openFile(t, u9.Synthetic(t, "texture", "sdInfo16.flx"), nil)
	at := entryIndex(t, infos, "10")
	odd := u9.Do(read.SDInfo(u9.Do(infos.Payload(at))(t), nil))(t)
	odd.Log2Width, odd.Frames = 99, 98
	u9.Must(t, infos.Replace(at, u9.Do(write.SDInfo(odd))(t)))
	b := bytes.Clone(u9.Do(textures.Payload(entryIndex(t, textures, "10")))(t))
	b[len(b)-1] ^= 1
	u9.Must(t, textures.Replace(entryIndex(t, textures, "10"), b))
	if changed := u9.Do(textures.Abilities().UpdatePartner("sdInfo16.flx", infos))(t); changed != nil {
		t.Errorf("changed %v", changed)
	}
}

// A record that is no texture is packed as it is; the partner cannot follow, and that is told.
func TestSDInfoOfNoTexture(t *testing.T) {
	env := u9.Env(t, "bitmap16.flx")
	textures := openFile(t, u9.Synthetic(t, "texture", "bitmap16.flx"), env)
	infos := openFile(t, u9.Synthetic(t, "texture", "sdInfo16.flx"), nil)
	u9.Must(t, textures.Replace(entryIndex(t, textures, "10"), []byte("no texture")))
	if changed := u9.Do(textures.Abilities().UpdatePartner("sdInfo16.flx", infos))(t); changed != nil || !env.Diagnostics.Has("partner") {
		t.Errorf("changed %v, said %v", changed, env.Diagnostics.All())
	}
}

// Two frames of the game have damaged format bits that suit their size; the sdInfo file has the right ones.
func TestSDInfoRepairsFrames(t *testing.T) {
	archive := openFile(t, u9.Synthetic(t, "texture", "bitmap16.flx"), nil)
	b := bytes.Clone(u9.Do(archive.Payload(entryIndex(t, archive, "8")))(t)) // four frames in RGB565
	right := u9.Do(Texture.Lift(u9.Do(read.Texture(b, nil))(t), nil))(t)
	b[int(le.Uint32(b[24:]))+1] |= 1 // the second becomes ARGB1555
	set := u9.Do(read.Texture(b, nil))(t)
	env := u9.Env(t, "bitmap16.flx", "texture")
	env.Entry = "8"
	a := u9.Do(Texture.Lift(set, env))(t)
	if !env.Diagnostics.Has("frame-flags") || !bytes.Equal(u9.RGBA(t, a, 1), u9.RGBA(t, right, 1)) {
		t.Errorf("the frame is not mended: %v", env.Diagnostics.All())
	}
	if got := u9.Do(write.Texture(u9.Do(Texture.Lower(u9.ThroughPNG(t, a), env))(t)))(t); !bytes.Equal(got, b) {
		t.Error("the damaged record did not come back as it was")
	}
}

// TestSDInfoMade: what becomes of the records of edited textures, of a made archive: they follow a shape, go and come with their
// textures; one that cannot be read is an error that names it.
func TestSDInfoMade(t *testing.T) {
	of := func(w, h int) []byte {
		a := &asset.Texture{Frames: []asset.Frame{plain(w, h, 90)}}
		return u9.Do(write.Texture(u9.Do(Texture.Lower(a, nil))(t)))(t)
	}
	for _, c := range []struct {
		name    string
		edit    func(f format.ArchiveFile) error
		changed string
		want    string // of the slots: size, or what else is there
	}{
		{"pixels alone", func(f format.ArchiveFile) error {
			a := &asset.Texture{Frames: []asset.Frame{plain(16, 8, 7)}}
			return f.Replace(entryIndex(t, f, "1"), u9.Do(write.Texture(u9.Do(Texture.Lower(a, nil))(t)))(t))
		}, "[]", "1:16x8 2:3 bytes 3:16x8"},
		{"another size", func(f format.ArchiveFile) error { return f.Replace(entryIndex(t, f, "1"), of(32, 16)) }, "[1]", "1:32x16 2:3 bytes 3:16x8"},
		{"one that is gone", func(f format.ArchiveFile) error { return f.Remove(entryIndex(t, f, "3")) }, "[3]", "1:16x8 2:3 bytes"},
		{"a new one", func(f format.ArchiveFile) error { return f.Add("4", of(4, 4), nil) }, "[4]", "1:16x8 2:3 bytes 3:16x8 4:4x4"},
		{"one whose record is damaged", func(f format.ArchiveFile) error { return f.Replace(entryIndex(t, f, "2"), of(32, 16)) }, "2+0x2: unknown02", "1:16x8 2:3 bytes 3:16x8"},
		{"one whose record is damaged, pixels alone", func(f format.ArchiveFile) error { return f.Replace(entryIndex(t, f, "2"), of(16, 8)) }, "[]", "1:16x8 2:3 bytes 3:16x8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := game(t, map[string]map[int][]byte{"bitmap16.flx": {1: {90}, 2: {90}, 3: {90}}})
			textures := openFile(t, filepath.Join(dir, "bitmap16.flx"), nil)
			a := ultima9.NewArchive(40)
			for _, slot := range []int{1, 3} {
				info := new(ultima9.SDInfo)
				info.Describe(u9.Do(read.Texture(u9.Do(textures.Payload(entryIndex(t, textures, fmt.Sprint(slot))))(t), nil))(t))
				u9.Must(t, a.Replace(slot, u9.Do(write.SDInfo(info))(t)))
			}
			u9.Must(t, a.Replace(2, []byte{1, 2, 3}))
			var out bytes.Buffer
			u9.Must(t, write.FLX(&out, a))
			u9.Must(t, os.WriteFile(filepath.Join(dir, "sdInfo16.flx"), out.Bytes(), 0o644))
			infos := openFile(t, filepath.Join(dir, "sdInfo16.flx"), nil)
			u9.Must(t, c.edit(textures))
			changed, err := textures.Abilities().UpdatePartner("sdInfo16.flx", infos)
			got := fmt.Sprint(changed)
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, c.changed) {
				t.Errorf("changed %s, want %s", got, c.changed)
			}
			var list []string
			for i, e := range infos.Entries() {
				b := u9.Do(infos.Payload(i))(t)
				is := fmt.Sprint(len(b), " bytes")
				if info, err := read.SDInfo(b, nil); err == nil {
					is = fmt.Sprintf("%dx%d", info.Width, info.Height)
				}
				list = append(list, e.Path+":"+is)
			}
			slices.Sort(list)
			if got := strings.Join(list, " "); got != c.want {
				t.Errorf("there are %s, want %s", got, c.want)
			}
		})
	}
}
