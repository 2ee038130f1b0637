package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestSelectionOfPaths: patterns are of a path or of its last part, and what is left out goes before what is taken.
func TestSelectionOfPaths(t *testing.T) {
	for _, c := range []struct {
		include, exclude []string
		path             string
		file, entry      bool // for paths of files and of entries
	}{
		{nil, nil, "a/b.png", true, true}, {[]string{"*.png"}, nil, "a/b.png", true, true}, {[]string{"a/*"}, nil, "a/b.png", true, true}, {[]string{"b/*"}, nil, "a/b.png", false, false}, {[]string{"**/*.png"}, nil, "b.png", true, true},
		{[]string{"x", "b.*"}, nil, "a/b.png", true, true}, {nil, []string{"*.png"}, "a/b.png", false, false}, {nil, []string{"a"}, "a/b.png", true, true}, {[]string{"*.png"}, []string{"a/**"}, "a/b.png", false, false}, {[]string{"b.png"}, nil, "ab.png", false, false},
		{[]string{"Skins/*"}, nil, "Skins.Red", false, true}, {[]string{"Skins/*"}, nil, "Skins.Red.Dark", false, false}, {[]string{"Skins/**"}, nil, "Skins.Red.Dark", false, true}, {nil, []string{"Skins/*"}, "Skins.Red", true, false}, {[]string{"Skins/*"}, nil, "a/Skins.Red", false, false}, {[]string{"Skins.*"}, nil, "Skins.Red", true, true},
	} {
		s := Selection{Include: c.include, Exclude: c.exclude}
		if got := s.Match(c.path); got != c.file {
			t.Errorf("%v but %v: the file %s %v", c.include, c.exclude, c.path, got)
		}
		if got := s.MatchEntry(&format.Entry{Path: c.path}); got != c.entry {
			t.Errorf("%v but %v: the entry %s %v", c.include, c.exclude, c.path, got)
		}
	}
	for _, s := range []Selection{{Include: []string{"["}}, {Exclude: []string{"a", "{"}}} {
		if err := s.Validate(); !errors.Is(err, ErrPattern) || !strings.HasPrefix(err.Error(), ErrPattern.Error()+` "`) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	if err := (Selection{Include: []string{"a*"}, Exclude: []string{"[b]"}}).Validate(); err != nil {
		t.Error(err)
	}
}

// TestSelectionOfKinds: kinds and formats are asked for by what a file or an entry is.
func TestSelectionOfKinds(t *testing.T) {
	sound, model := formats.ByName("bell"), formats.ByName("cmp")
	if sound == nil {
		sound = &format.Format{Name: "bell", Kind: format.Sound}
	}
	png, gltf := interchange.ByExtension(".png"), interchange.ByExtension(".gltf")
	for _, c := range []struct {
		s                       Selection
		sound, model, png, gltf bool
		nothing                 bool
	}{
		{Selection{}, true, true, true, true, true},
		{Selection{Kinds: []format.Kind{format.Sound}}, true, false, false, false, false},
		{Selection{Kinds: []format.Kind{format.Model, format.Texture}}, false, true, true, true, false},
		{Selection{Formats: []string{"cmp"}}, false, true, false, false, false},
		{Selection{Formats: []string{png.Name}}, false, false, true, false, false},
		{Selection{Formats: []string{"cmp", gltf.Name}, Kinds: []format.Kind{format.Model}}, false, true, false, true, false},
		{Selection{Formats: []string{"cmp", gltf.Name}, Kinds: []format.Kind{format.Sound}}, false, false, false, false, false},
	} {
		for what, got := range map[string][2]bool{
			"a sound": {c.s.MatchFile(sound, nil), c.sound}, "a model": {c.s.MatchFile(model, png), c.model}, "a picture": {c.s.MatchFile(nil, png), c.png}, "a scene": {c.s.MatchFile(nil, gltf), c.gltf}, "nothing known": {c.s.MatchFile(nil, nil), c.nothing},
			"an entry": {c.s.MatchEntry(&format.Entry{Path: "x", Kind: format.Model, Format: model}), c.model}, "a raw entry": {c.s.MatchEntry(&format.Entry{Path: "x", Kind: format.Sound}), c.sound && len(c.s.Formats) == 0},
		} {
			if got[0] != got[1] {
				t.Errorf("%+v: %s %v", c.s, what, got[0])
			}
		}
		if got := c.s.Filters(); got == c.nothing {
			t.Errorf("%+v filters: %v", c.s, got)
		}
	}
}

// TestWalk: an operand stands for a file, an entry, what a pattern matches, or what is below a folder.
func TestWalk(t *testing.T) {
	models, dir := corpus.Testdata(t, "ultima9", "models.flx"), t.TempDir()
	for _, name := range []string{"b.png", "a/z.txt", "a/b.png", ".usher-000000000000/1", ".usher-undo/a/1", "c/.hidden"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte("text"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	size := int64(len(corpus.Bytes(t, models)))
	type found struct {
		entry, rel string
		size       int64
		named      bool
		err        string
	}
	for _, c := range []struct {
		operand string
		sel     Selection
		want    []found
	}{
		{models, Selection{}, []found{{"", "models.flx", size, true, ""}}},
		{models + ":0", Selection{}, []found{{"0", "models.flx", size, true, ""}}},
		{models + ":[0-2]", Selection{}, []found{{"0", "models.flx", -1, true, ""}, {"2", "models.flx", -1, true, ""}}},
		{models + ":*", Selection{Exclude: []string{"0"}}, []found{{"2", "models.flx", -1, true, ""}}},
		{models + ":[7-9]", Selection{}, []found{{"[7-9]", "models.flx", 0, true, "no entry of "}}},
		{models + ":[7-9]", Selection{Include: []string{"0"}}, []found{{"[7-9]", "models.flx", 0, true, "no entry of "}}},
		{models + ":[", Selection{}, []found{{"[", "models.flx", 0, true, ErrPattern.Error()}}},
		{filepath.Join(dir, "none"), Selection{}, []found{{"", "", 0, true, "no such file"}}},
		{dir, Selection{}, []found{{"", "a/b.png", 4, false, ""}, {"", "a/z.txt", 4, false, ""}, {"", "b.png", 4, false, ""}, {"", "c/.hidden", 4, false, ""}}},
		{dir, Selection{Include: []string{"*.png"}}, []found{{"", "a/b.png", 4, false, ""}, {"", "b.png", 4, false, ""}}},
	} {
		var got []found
		for src, err := range Walk(context.Background(), c.operand, c.sel) {
			f := found{src.Entry, src.Rel, src.Size, src.Named, ""}
			if n := len(got); n < len(c.want) && c.want[n].size < 0 && src.Size > 0 && src.Size < size {
				f.size = -1 // that of the entry
			}
			if err != nil {
				if f.err = err.Error(); len(got) < len(c.want) && strings.HasPrefix(f.err, c.want[len(got)].err) && c.want[len(got)].err != "" {
					f.err = c.want[len(got)].err
				}
			}
			got = append(got, f)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", filepath.Base(c.operand), got, c.want)
		}
		n := 0
		for range Walk(context.Background(), c.operand, c.sel) { // whoever has enough gets no more
			n++
			break
		}
		if n != min(1, len(c.want)) {
			t.Errorf("%s: %d", c.operand, n)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	n := 0
	for range Walk(ctx, dir, Selection{}) {
		n++
		stop()
	}
	if n != 1 {
		t.Errorf("%d files after the end", n)
	}
}

// TestCount: assets are files, or the entries of archives, as far as they are selected.
func TestCount(t *testing.T) {
	dir := t.TempDir()
	models, bell := corpus.Testdata(t, "ultima9", "models.flx"), corpus.Testdata(t, "ultima9", "bell.snd")
	for name, from := range map[string]string{"m.flx": models, "bell.snd": bell} {
		if err := os.WriteFile(filepath.Join(dir, name), corpus.Bytes(t, from), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.nothing"), []byte("words"), 0o666); err != nil {
		t.Fatal(err)
	}
	flx, snd := int64(len(corpus.Bytes(t, models))), int64(len(corpus.Bytes(t, bell)))
	a, err := store.OpenAny(models, nil, new(engine.Loader).Env(models, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	both := a.Entries()[0].Size + a.Entries()[1].Size
	for _, c := range []struct {
		operands []string
		sel      Selection
		each     bool
		assets   int
		bytes    int64
	}{
		{[]string{dir}, Selection{}, false, 2, flx + snd}, {[]string{dir}, Selection{}, true, 3, both + snd}, {[]string{models}, Selection{}, true, 2, both}, {[]string{models + ":0"}, Selection{}, true, 1, flx}, {[]string{models + ":*"}, Selection{}, true, 2, both},
		{[]string{dir}, Selection{Kinds: []format.Kind{format.Sound}}, true, 1, snd}, {[]string{dir}, Selection{Kinds: []format.Kind{format.Sound}}, false, 1, snd}, {[]string{dir, filepath.Join(dir, "none")}, Selection{}, false, 3, flx + snd}, {[]string{filepath.Join(dir, "notes.nothing")}, Selection{}, false, 1, 5},
	} {
		if assets, bytes := Count(context.Background(), c.operands, c.sel, c.each); assets != c.assets || bytes != c.bytes {
			t.Errorf("%v, each %v, %+v: %d of %d bytes, want %d of %d", c.operands, c.each, c.sel, assets, bytes, c.assets, c.bytes)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if n, _ := Count(ctx, []string{models, bell}, Selection{}, true); n != 0 {
		t.Errorf("%d counted after the end", n)
	}
}
