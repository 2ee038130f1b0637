package ultima9_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// layout is one record or file layout, its types hidden.
type layout struct {
	again func(b []byte) ([]byte, error) // read and write
	json  func(b []byte) ([]byte, error) // read, to JSON, from JSON, write
	read  func(b []byte)

	outcome func(b []byte) string                                // of reading and writing
	values  func(b []byte, add func(what, outcome string)) error // of writing other values
}

func layoutOf[T any](read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error)) layout {
	return layout{
		read:    func(b []byte) { read(b, nil) },
		outcome: damage.Payload(read, write),
		values: func(b []byte, add func(what, outcome string)) error {
			x, err := read(b, nil)
			if err == nil {
				damage.Values(x, func() ([]byte, error) { return write(x) }, add)
			}
			return err
		},
		again: func(b []byte) ([]byte, error) {
			x, err := read(b, &schema.Diagnostics{})
			if err != nil {
				if x != nil {
					return nil, fmt.Errorf("a value beside the error %w", err)
				}
				return nil, err
			}
			out, err := write(x)
			if err != nil {
				return nil, fmt.Errorf("writing what was read: %v", err)
			}
			return out, nil
		},
		json: func(b []byte) ([]byte, error) {
			x, err := read(b, nil)
			if err != nil {
				return nil, err
			}
			var text bytes.Buffer
			if err := json.Encode(&text, x); err != nil {
				return nil, err
			}
			y := new(T)
			if err := json.Decode(&text, y); err != nil {
				return nil, err
			}
			return write(y)
		},
	}
}

// layouts by the format names of the corpus.
var layouts = map[string]layout{
	"sound":      layoutOf(read.Sound, write.Sound),
	"sfxassoc":   layoutOf(read.SoundLink, write.SoundLink),
	"sfxcat":     layoutOf(read.SoundCategory, write.SoundCategory),
	"sfxenv":     layoutOf(read.SoundEnvironment, write.SoundEnvironment),
	"sfxtmpl":    layoutOf(read.SoundTemplate, write.SoundTemplate),
	"books":      layoutOf(read.Book, write.Book),
	"text":       layoutOf(read.Text, write.Text),
	"textdat":    layoutOf(read.TextTable, write.TextTable),
	"npc":        layoutOf(read.NPCs, write.NPCs),
	"activity":   layoutOf(read.ActivityList, write.ActivityList),
	"triggers":   layoutOf(read.Trigger, write.Trigger),
	"highway":    layoutOf(read.Highway, write.Highway),
	"areas":      layoutOf(read.Area, write.Area),
	"spaces":     layoutOf(read.Space, write.Space),
	"treedat":    layoutOf(read.TreeData, write.TreeData),
	"dimension":  layoutOf(read.Dimensions, write.Dimensions),
	"shade":      layoutOf(read.ShadeTable, write.ShadeTable),
	"shadegry":   layoutOf(read.GreyTable, write.GreyTable),
	"colourcube": layoutOf(read.ColourCube, write.ColourCube),
	"terrain":    layoutOf(read.Terrain, write.Terrain),
	"savegame":   layoutOf(read.Savegame, write.Savegame),
	"diary":      layoutOf(read.Diary, write.Diary),
	"startdat":   layoutOf(read.StartFile, write.StartFile),
	"picture":    layoutOf(read.SavePicture, write.SavePicture),
	"fixed":      layoutOf(read.Fixed, write.Fixed),
	"nonfixed":   layoutOf(read.Nonfixed, write.Nonfixed),
}

// worldFiles are the valid files of the corpus with the layout of the file, or of the records of an archive.
var worldFiles = []struct {
	layout, file string
	records      int // of an archive
}{
	{"sound", "synthetic/sound/music.flx", 2},
	{"sound", "synthetic/sound/sfx.flx", 6},
	{"sound", "synthetic/sound/speech.flx", 8},
	{"sfxassoc", "synthetic/sound/sfxassoc.flx", 2},
	{"sfxcat", "synthetic/sound/sfxcat.flx", 2},
	{"sfxenv", "synthetic/sound/sfxenv.flx", 1},
	{"sfxtmpl", "synthetic/sound/sfxtmpl.flx", 2},
	{"books", "synthetic/types/books-en.flx", 3},
	{"books", "real/book", 460},
	{"text", "synthetic/types/text.flx", 6},
	{"text", "real/TEXT.FLX", 7656},
	{"textdat", "synthetic/types/text.dat", 0},
	{"npc", "synthetic/logic/npc.flx", 1},
	{"activity", "synthetic/logic/activity.flx", 4},
	{"activity", "real/activity.flx", 214},
	{"triggers", "synthetic/logic/triggers.flx", 16},
	{"highway", "synthetic/logic/highway.dat", 0},
	{"highway", "synthetic/logic/empty_highway.dat", 0},
	{"highway", "real/highway.dat", 0},
	{"areas", "synthetic/logic/areas.flx", 5},
	{"spaces", "synthetic/logic/spaces.flx", 3},
	{"treedat", "synthetic/logic/treedat.flx", 1},
	{"dimension", "synthetic/logic/dimension.dat", 0},
	{"terrain", "synthetic/terrain/bits.terrain", 0},
	{"terrain", "synthetic/terrain/terrain.2", 0},
	{"terrain", "synthetic/terrain/terrain.5", 0},
	{"terrain", "synthetic/terrain/terrain.9", 0},
	{"terrain", "synthetic/terrain/terrain.20", 0},
	{"terrain", "synthetic/install/static/terrain.9", 0},
	{"savegame", "synthetic/save/u9game1.sav", 0},
	{"savegame", "synthetic/save/u9game2.sav", 0},
	{"startdat", "synthetic/save/start.dat", 0},
	{"fixed", "synthetic/objects/fixed.2", 0},
	{"fixed", "synthetic/objects/fixed.7", 0},
	{"fixed", "synthetic/objects/fixed.9", 0},
	{"fixed", "synthetic/install/static/fixed.9", 0},
	{"nonfixed", "synthetic/objects/nonfixed.2", 0},
	{"nonfixed", "synthetic/objects/nonfixed.7", 0},
	{"nonfixed", "synthetic/objects/nonfixed.9", 0},
	{"nonfixed", "synthetic/install/runtime/nonfixed.9", 0},
	{"nonfixed", "synthetic/edits/nonfixed.step4", 0},
	{"nonfixed", "real/nonfixed.22", 0},
}

// worldPayloads calls f for every record of worldFiles.
func worldPayloads(t testing.TB, f func(name string, l layout, b []byte)) {
	dir := corpus.Folder(t, "ultima9")
	for _, file := range worldFiles {
		path := filepath.Join(dir, file.file)
		l := layouts[file.layout]
		if file.records == 0 {
			f(file.file, l, corpus.Bytes(t, path))
			continue
		}
		slots := corpus.Slots(t, path)
		if len(slots) != file.records {
			t.Errorf("%s: %d records, want %d", file.file, len(slots), file.records)
		}
		for _, s := range slots {
			f(fmt.Sprintf("%s/%d", file.file, s.Number), l, s.Payload)
		}
	}
}

func TestWorldRoundTrip(t *testing.T) {
	worldPayloads(t, func(name string, l layout, b []byte) {
		for kind, f := range map[string]func([]byte) ([]byte, error){"": l.again, " by way of JSON": l.json} {
			got, err := f(b)
			if err != nil {
				t.Errorf("%s%s: %v", name, kind, err)
				continue
			}
			corpus.SameBytes(t, name+kind, got, b)
		}
	})
}

// classes are the words of the corpus for the classes of errors.
var classes = map[string]error{
	"truncated": schema.ErrTruncated, "bad_magic": schema.ErrBadMagic, "range": schema.ErrRange, "count": schema.ErrCount,
	"cycle": schema.ErrCycle, "mismatch": schema.ErrMismatch, "unsupported": schema.ErrUnsupported, "value": schema.ErrValue,
}

// inSamples names the damaged sounds whose record is whole; package media refuses their samples.
var inSamples = map[string]bool{"xa_coef.flx": true, "mt_nocount.flx": true, "mt_count.flx": true, "mt_escape.flx": true}

func TestWorldRefusesDamage(t *testing.T) {
	var names []string
	for name := range layouts {
		names = append(names, name)
	}
	for _, m := range corpus.Damaged(t, names...) {
		if inSamples[filepath.Base(m.File)] {
			continue
		}
		b := corpus.Bytes(t, m.Path)
		if slot, ok := strings.CutPrefix(m.Scope, "slot "); ok {
			number, _ := strconv.Atoi(slot)
			b = nil
			for _, s := range corpus.Slots(t, m.Path) {
				if s.Number == number {
					b = s.Payload
				}
			}
			if b == nil {
				t.Errorf("%s: no slot %d", m.File, number)
				continue
			}
		}
		out, err := layouts[m.Format].again(b)
		accepted := false
		for _, word := range append(m.Also, m.Expect) {
			accepted = accepted || word == "accepted" && err == nil || err != nil && classes[word] != nil && errors.Is(err, classes[word])
		}
		if !accepted {
			t.Errorf("%s: %v, want %s %v", m.File, err, m.Expect, m.Also)
		}
		if err == nil {
			corpus.SameBytes(t, m.File, out, b)
		}
	}
}

// small returns the self-made samples of each layout.
func small(t testing.TB) map[string][]byte {
	t.Helper()
	samples := map[string][]byte{}
	for name := range layouts {
		samples[name] = sample(t, name)
	}
	return samples
}

// TestWorldTruncated cuts the samples everywhere: a reader fails, or what it read writes back as it was.
func TestWorldTruncated(t *testing.T) {
	for name, b := range small(t) {
		step := max(len(b)/4000, 1)
		for n := 0; n < len(b); n += step {
			got, err := layouts[name].again(b[:n])
			if err == nil {
				corpus.SameBytes(t, fmt.Sprintf("%s cut at %d", name, n), got, b[:n])
			} else if schema.Class(err) == nil {
				t.Errorf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

// TestWorldDamaged changes bytes of the samples at random: a reader fails with a class, or what it read writes back.
func TestWorldDamaged(t *testing.T) {
	samples := small(t)
	for name, b := range samples {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				damaged := append([]byte(nil), b...)
				for range rapid.IntRange(1, 8).Draw(t, "changes") {
					at := rapid.IntRange(0, min(len(b), 2000)-1).Draw(t, "at")
					damaged[at] = rapid.SampledFrom([]byte{0, 1, 2, 3, 5, 0x10, 0x42, 0x7F, 0x80, 0xFE, 0xFF}).Draw(t, "byte")
				}
				got, err := layouts[name].again(damaged)
				if err != nil {
					if schema.Class(err) == nil {
						t.Fatal(err)
					}
					return
				}
				if string(got) != string(damaged) {
					t.Fatalf("%d bytes written, %d read; they differ", len(got), len(damaged))
				}
			})
		})
	}
}

func TestWorldSamples(t *testing.T) {
	for name, b := range small(t) {
		got, err := layouts[name].again(b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		corpus.SameBytes(t, name, got, b)
	}
}

func fuzzLayout(f *testing.F, name string) {
	f.Add(small(f)[name])
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := layouts[name].again(b)
		if err != nil {
			if schema.Class(err) == nil {
				t.Error(err)
			}
			return
		}
		corpus.SameBytes(t, name, got, b)
	})
}

func FuzzSound(f *testing.F)            { fuzzLayout(f, "sound") }
func FuzzSoundLink(f *testing.F)        { fuzzLayout(f, "sfxassoc") }
func FuzzSoundCategory(f *testing.F)    { fuzzLayout(f, "sfxcat") }
func FuzzSoundEnvironment(f *testing.F) { fuzzLayout(f, "sfxenv") }
func FuzzSoundTemplate(f *testing.F)    { fuzzLayout(f, "sfxtmpl") }
func FuzzBook(f *testing.F)             { fuzzLayout(f, "books") }
func FuzzText(f *testing.F)             { fuzzLayout(f, "text") }
func FuzzTextTable(f *testing.F)        { fuzzLayout(f, "textdat") }
func FuzzNPCs(f *testing.F)             { fuzzLayout(f, "npc") }
func FuzzActivityList(f *testing.F)     { fuzzLayout(f, "activity") }
func FuzzTrigger(f *testing.F)          { fuzzLayout(f, "triggers") }
func FuzzHighway(f *testing.F)          { fuzzLayout(f, "highway") }
func FuzzArea(f *testing.F)             { fuzzLayout(f, "areas") }
func FuzzSpace(f *testing.F)            { fuzzLayout(f, "spaces") }
func FuzzTreeData(f *testing.F)         { fuzzLayout(f, "treedat") }
func FuzzDimensions(f *testing.F)       { fuzzLayout(f, "dimension") }
func FuzzShadeTable(f *testing.F)       { fuzzLayout(f, "shade") }
func FuzzGreyTable(f *testing.F)        { fuzzLayout(f, "shadegry") }
func FuzzColourCube(f *testing.F)       { fuzzLayout(f, "colourcube") }
func FuzzTerrain(f *testing.F)          { fuzzLayout(f, "terrain") }
func FuzzSavegame(f *testing.F)         { fuzzLayout(f, "savegame") }
func FuzzDiary(f *testing.F)            { fuzzLayout(f, "diary") }
func FuzzStartFile(f *testing.F)        { fuzzLayout(f, "startdat") }
func FuzzSavePicture(f *testing.F)      { fuzzLayout(f, "picture") }
func FuzzFixed(f *testing.F)            { fuzzLayout(f, "fixed") }
func FuzzNonfixed(f *testing.F)         { fuzzLayout(f, "nonfixed") }

// TestWorldTruncatedCorpus cuts the records of the corpus at a few places each.
func TestWorldTruncatedCorpus(t *testing.T) {
	n := 0
	worldPayloads(t, func(name string, l layout, b []byte) {
		if n++; n%7 != 0 && len(b) < 4000 {
			return // there are thousands of lines of text
		}
		for i := range 24 {
			cut := b[:len(b)*i/24]
			got, err := l.again(cut)
			if err == nil {
				corpus.SameBytes(t, name, got, cut)
			} else if schema.Class(err) == nil {
				t.Errorf("%s cut at %d: %v", name, len(cut), err)
			}
		}
	})
}

// TestWorldAllocation holds readers to 64 bytes for each of the input and 16 MB, on valid and on damaged files.
func TestWorldAllocation(t *testing.T) {
	check := func(name string, l layout, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		l.read(b)
		runtime.ReadMemStats(&after)
		if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(64*len(b)+16<<20); used > limit {
			t.Errorf("%s: %d bytes allocated for %d, at most %d", name, used, len(b), limit)
		}
	}
	n := 0
	worldPayloads(t, func(name string, l layout, b []byte) {
		if n++; n%50 == 0 || len(b) > 1000 {
			check(name, l, b)
		}
	})
	var names []string
	for name := range layouts {
		names = append(names, name)
	}
	for _, m := range corpus.Damaged(t, names...) {
		check(m.File, layouts[m.Format], corpus.Bytes(t, m.Path))
	}
}

// roundTripValue checks read(write(x)) == x for values of any content.
func roundTripValue[T any](t *testing.T, read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error)) {
	t.Run(reflect.TypeFor[T]().Name(), func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			x := rapid.Make[T]().Draw(t, "value")
			b, err := write(&x)
			if err != nil {
				t.Fatal(err)
			}
			y, err := read(b, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(&x, y, cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); d != "" {
				t.Fatal(d)
			}
		})
	})
}

func TestWorldValues(t *testing.T) {
	roundTripValue(t, read.Highway, write.Highway)
	roundTripValue(t, read.TextTable, write.TextTable)
	roundTripValue(t, read.StartFile, write.StartFile)
	roundTripValue(t, read.SoundLink, write.SoundLink)
	roundTripValue(t, read.GreyTable, write.GreyTable)
}
