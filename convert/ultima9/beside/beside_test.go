package beside

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// TestRecord: the record of a slot of the first archive at hand, and what is wrong where there is none.
func TestRecord(t *testing.T) {
	env := &format.Env{Files: u9.Held{"npc.flx": u9.FLX(t, map[int][]byte{0: []byte("none"), 2: []byte("two")}), "short.flx": []byte("FLX?")}}
	for _, c := range []struct {
		name  string
		slot  int
		names []string
		want  string
		err   error
		at    string
	}{
		{"first", 0, []string{"npc.flx"}, "none", nil, ""},
		{"another name", 2, []string{"runtime/npc.flx", "npc.flx"}, "two", nil, ""},
		{"no such file", 2, []string{"runtime/npc.flx"}, "", fs.ErrNotExist, ""},
		{"no archive", 0, []string{"short.flx", "npc.flx"}, "", schema.ErrTruncated, "game/short.flx"},
		{"no such slot", 8, []string{"npc.flx"}, "", schema.ErrRange, "game/npc.flx:8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := Record(env, c.slot, c.names...)
			if string(b) != c.want || !errors.Is(err, c.err) {
				t.Fatalf("%q, %v; want %q, %v", b, err, c.want, c.err)
			}
			if c.at != "" && !strings.Contains(err.Error(), c.at) {
				t.Errorf("%v does not say where: %s", err, c.at)
			}
		})
	}
}

// TestSlots: new files say their slot first, and may go on with a title; entries have the number alone.
func TestSlots(t *testing.T) {
	for _, c := range []struct {
		path        string
		file, entry int // −1: none
	}{
		{"0", 0, 0}, {"12", 12, 12}, {"12_ankh", 12, -1}, {"2147483647", 2147483647, 2147483647}, {"2147483648", -1, 2147483648},
		{"", -1, -1}, {"ankh", -1, -1}, {"-1", -1, -1}, {"_12", -1, -1}, {"12 ankh", -1, -1},
	} {
		for what, x := range map[string]struct {
			parse func(string) (int, error)
			want  int
		}{"file": {SlotOf, c.file}, "entry": {ParseSlot, c.entry}} {
			n, err := x.parse(c.path)
			if (err == nil) != (x.want >= 0) || err == nil && n != x.want || err != nil && !errors.Is(err, schema.ErrValue) {
				t.Errorf("%s %q: %d, %v; want %d", what, c.path, n, err, x.want)
			}
		}
	}
}

// TestTypeNames: the names of typename.flx by slot, in the characters of the code page.
func TestTypeNames(t *testing.T) {
	name := func(s string) []byte { return u9.Do(write.TypeName(&ultima9.TypeName{Name: &s}))(t) }
	bare := u9.Do(write.TypeName(&ultima9.TypeName{}))(t)
	b := u9.FLX(t, map[int][]byte{1: name("ankh"), 3: name("schädel"), 4: {1}, 5: bare})
	for _, c := range []struct {
		name string
		env  *format.Env
		want []string // of slots 1 and 3; nil: no names
	}{
		{"at hand", &format.Env{Files: u9.Held{"typename.flx": b}}, []string{"ankh", "schädel"}},
		{"another page", &format.Env{Files: u9.Held{"typename.flx": b}, Options: format.Options{CodePage: "windows-1251"}}, []string{"ankh", "schдdel"}},
		{"no such page", &format.Env{Files: u9.Held{"typename.flx": b}, Options: format.Options{CodePage: "?"}}, nil},
		{"none", &format.Env{Files: u9.Held{}}, nil},
		{"no archive", &format.Env{Files: u9.Held{"typename.flx": b[:20]}}, nil},
	} {
		list := TypeNames(c.env)
		if c.want == nil {
			if list != nil {
				t.Errorf("%s: %v", c.name, list)
			}
			continue
		}
		if len(list) != 8 || list[0] != nil || list[1] == nil || list[3] == nil || *list[1].Name != c.want[0] || *list[3].Name != c.want[1] || list[4] != nil || list[5] == nil || list[5].Name != nil {
			t.Errorf("%s: %v", c.name, list)
		}
	}
}

// TestTextureArchives: the archives of textures at hand, the one that was named first, each once.
func TestTextureArchives(t *testing.T) {
	b := u9.FLX(t, map[int][]byte{1: []byte("one")})
	for _, c := range []struct {
		name, named string
		files       u9.Held
		want        []string // as they were found
		told        bool
	}{
		{"none", "", u9.Held{}, nil, false},
		{"the best first", "", u9.Held{"bitmapsh.flx": b, "bitmap16.flx": b, "bitmapC.flx": b}, []string{"bitmapC.flx", "bitmap16.flx", "bitmapsh.flx"}, false},
		{"one that is damaged", "", u9.Held{"bitmapsh.flx": b, "bitmap16.flx": b[:9]}, []string{"bitmapsh.flx"}, true},
		{"a file", "mine.flx", u9.Held{"mine.flx": b, "bitmap16.flx": b}, []string{"mine.flx", "bitmap16.flx"}, false},
		{"one of them", "bitmap16.flx", u9.Held{"bitmap16.flx": b, "bitmapC.flx": b}, []string{"bitmap16.flx", "bitmapC.flx"}, false},
		{"a folder", "mod", u9.Held{"mod/bitmap16.flx": b, "bitmap16.flx": b}, []string{"mod/bitmap16.flx", "bitmap16.flx"}, false},
	} {
		var d schema.Diagnostics
		var got []string
		for _, a := range TextureArchives(&format.Env{Files: c.files, Diagnostics: &d, Options: format.Options{Textures: c.named}}) {
			got = append(got, a.Name)
			if a.Path != "game/"+a.Name {
				t.Errorf("%s: %s lies at %s", c.name, a.Name, a.Path)
			}
		}
		if !slices.Equal(got, c.want) || d.Has("textures") != c.told {
			t.Errorf("%s: %q, told %v; want %q, %v", c.name, got, d.All(), c.want, c.told)
		}
	}
	if list := TextureArchives(nil); list != nil {
		t.Errorf("of nothing: %v", list)
	}
}

// TestOtherDepths: what goes with an archive of textures.
func TestOtherDepths(t *testing.T) {
	for _, c := range []struct {
		name, info string
		others     []string
	}{
		{"bitmap16.flx", "sdInfo16.flx", []string{"bitmapC.flx", "bitmapsh.flx"}},
		{"BitmapC.FLX", "sdInfoC.flx", []string{"bitmap16.flx", "bitmapsh.flx"}},
		{"bitmapsh.flx", "sdInfo.flx", []string{"bitmapC.flx", "bitmap16.flx"}},
		{"Texture8.9", "", []string{"texture16.9"}},
		{"texture16.12", "", []string{"texture8.12"}},
		{"sappear.flx", "", nil},
	} {
		if info, others := InfoArchive(c.name), OtherDepths(c.name); info != c.info || !slices.Equal(others, c.others) {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, info, others, c.info, c.others)
		}
	}
}

// TestFind: the slot of a record with the same bytes.
func TestFind(t *testing.T) {
	record := func(first, last byte) []byte {
		b := make([]byte, ultima9.TextureHeaderSize+4)
		b[0], b[len(b)-1] = first, last
		return b
	}
	b := u9.FLX(t, map[int][]byte{1: record(1, 1), 2: record(1, 2), 5: record(2, 2), 6: append(record(1, 3), 0)})
	list := TextureArchives(&format.Env{Files: u9.Held{"bitmap16.flx": b}})
	for _, c := range []struct {
		record []byte
		slot   int // 0: none
	}{
		{record(1, 1), 1}, {record(1, 2), 2}, {record(2, 2), 5}, {append(record(1, 3), 0), 6},
		{record(1, 3), 0}, {record(3, 1), 0}, {append(record(1, 1), 0), 0},
	} {
		if slot, ok := list[0].Find(c.record); ok != (c.slot > 0) || slot != c.slot {
			t.Errorf("%v: slot %d, %v; want %d", c.record, slot, ok, c.slot)
		}
	}
}
