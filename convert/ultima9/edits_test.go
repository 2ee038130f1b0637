package ultima9

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// soundNumber returns a sound of the corpus.
func soundNumber(t testing.TB, archive string, slot int) *ultima9.Sound {
	t.Helper()
	for _, s := range corpus.Slots(t, u9.Synthetic(t, "sound", archive+".flx")) {
		if s.Number == slot {
			return u9.Do(read.Sound(s.Payload, nil))(t)
		}
	}
	t.Fatalf("%s has no slot %d", archive, slot)
	return nil
}

// throughWAV takes a sound through a WAV file; Native rides in a file of its own.
func throughWAV(t testing.TB, a *asset.Sound) *asset.Sound {
	t.Helper()
	var b bytes.Buffer
	u9.Must(t, wav.Encode(&b, a))
	out := u9.Do(wav.Decode(b.Bytes()))(t)
	out.Name, out.Native = a.Name, a.Native
	return out
}

func TestSoundThroughWAV(t *testing.T) {
	for _, archive := range []string{"music", "sfx", "speech"} {
		for _, slot := range corpus.Slots(t, u9.Synthetic(t, "sound", archive+".flx")) {
			a := u9.Do(liftSound(u9.Do(read.Sound(slot.Payload, nil))(t), nil))(t)
			s := u9.Do(lowerSound(throughWAV(t, a), nil))(t)
			corpus.SameBytes(t, archive, u9.Do(write.Sound(s))(t), slot.Payload)
		}
	}
}

func TestSoundEdits(t *testing.T) {
	a := u9.Do(liftSound(soundNumber(t, "speech", 9), nil))(t)
	record := a.Native.Payload
	louder := bytes.Clone(a.PCM)
	for i := 0; i < len(louder); i += 2 {
		v := int16(binary.LittleEndian.Uint16(louder[i:]))
		binary.LittleEndian.PutUint16(louder[i:], uint16(v/2))
	}
	a.PCM = louder
	for _, c := range []struct {
		option string
		rate   int
		want   ultima9.SoundEncoding
		least  float64 // dB
	}{{"", 0, ultima9.SoundMicroTalk, 15}, {"microtalk", 64000, ultima9.SoundMicroTalk, 25}, {"eaxa", 0, ultima9.SoundEAXA, 20}, {"pcm", 0, ultima9.SoundPCM, 150}} {
		env := &format.Env{Options: format.Options{Encoding: c.option, BitRate: c.rate}}
		s := u9.Do(lowerSound(throughWAV(t, a), env))(t)
		if s.Encoding != c.want || s.ID != 9 || s.Rate != 22050 {
			t.Errorf("%q: %v, id %d, %d Hz", c.option, s.Encoding, s.ID, s.Rate)
		}
		pcm := u9.Do(decodeSound(u9.Do(read.Sound(u9.Do(write.Sound(s))(t), nil))(t)))(t)
		signal, noise := 0.0, 1e-9
		for i := 0; i < len(louder); i += 2 {
			x, y := float64(int16(binary.LittleEndian.Uint16(louder[i:]))), float64(int16(binary.LittleEndian.Uint16(pcm[i:])))
			signal, noise = signal+x*x, noise+(x-y)*(x-y)
		}
		if db := 10 * math.Log10(signal/noise); db < c.least {
			t.Errorf("%q at %d: %.1f dB, at least %.0f", c.option, c.rate, db, c.least)
		}
	}
	// A description that was changed by hand leaves the samples alone.
	a = u9.Do(liftSound(u9.Do(read.Sound(record, nil))(t), nil))(t)
	a.Native.Values["description"] = "renamed"
	b := u9.Do(write.Sound(u9.Do(lowerSound(a, nil))(t)))(t)
	want := bytes.Clone(record)
	copy(want[4:], "renamed\x00")
	corpus.SameBytes(t, "renamed", b, want)
}

func TestSoundFromNothing(t *testing.T) {
	float := make([]byte, 0, 80)
	for i := range 20 {
		float = binary.LittleEndian.AppendUint32(float, math.Float32bits(float32(i)/20-0.5))
	}
	s := u9.Do(lowerSound(&asset.Sound{Name: "a bell", Rate: 11025, Channels: 2, Bits: 32, Float: true, PCM: float}, &format.Env{Entry: "12"}))(t)
	if s.ID != 12 || s.Description.Text != "a bell" || s.Encoding != ultima9.SoundPCM || len(s.Data) != 40 || s.Channels != 2 {
		t.Errorf("%+v", s)
	}
	if v := int16(binary.LittleEndian.Uint16(s.Data)); v != -16384 {
		t.Errorf("the first sample is %d", v)
	}
	_, err := lowerSound(&asset.Sound{Rate: 22050, Channels: 2, Bits: 16, PCM: make([]byte, 8)}, &format.Env{Options: format.Options{Encoding: "microtalk", Strict: true}})
	if !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("stereo MicroTalk: %v", err)
	}
}

// A new sound is encoded as its neighbours in the game are, and a bit rate that cannot be had is told of.
func TestEncodingOfNewSounds(t *testing.T) {
	for _, c := range []struct {
		name     string
		channels int
		want     ultima9.SoundEncoding
	}{
		{"speech.flx", 1, ultima9.SoundMicroTalk}, {"Speech.FLX", 2, ultima9.SoundMicroTalk}, {"music.flx", 2, ultima9.SoundEAXA}, {"sfx.flx", 1, ultima9.SoundPCM}, {"speech.wav", 1, ultima9.SoundPCM},
	} {
		s := u9.Do(lowerSound(&asset.Sound{Rate: 22050, Channels: c.channels, Bits: 16, PCM: make([]byte, 400)}, &format.Env{Name: c.name}))(t)
		if s.Encoding != c.want {
			t.Errorf("%s of %d channels: %v, want %v", c.name, c.channels, s.Encoding, c.want)
		}
	}
	noise := make([]byte, 2*22050)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	for rate, want := range map[int]int{0: 0, 24000: 0, 1: 1, 1e6: 1} {
		env := &format.Env{Diagnostics: new(schema.Diagnostics), Options: format.Options{Encoding: "microtalk", BitRate: rate}}
		u9.Do(lowerSound(&asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: noise}, env))(t)
		if got := len(env.Diagnostics.All()); got != want {
			t.Errorf("%d bits a second: %v", rate, env.Diagnostics.All())
		}
	}
}

func TestDamagedSamplesAreRefused(t *testing.T) {
	classes := map[string]error{"xa_coef.flx": schema.ErrValue, "mt_nocount.flx": schema.ErrTruncated, "mt_count.flx": schema.ErrCount, "mt_escape.flx": schema.ErrValue}
	for _, m := range corpus.Damaged(t, "sound") {
		if want := classes[filepath.Base(m.File)]; want != nil {
			s := u9.Do(read.Sound(corpus.Slots(t, m.Path)[0].Payload, nil))(t)
			if _, err := liftSound(s, nil); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", m.File, err, want)
			}
		}
	}
}

func TestBookEdits(t *testing.T) {
	stored := u9.Do(read.Book(corpus.Slots(t, u9.Synthetic(t, "types/books-en.flx"))[0].Payload, nil))(t)
	a := u9.Do(liftBook(stored, nil))(t)
	a.Body = strings.ReplaceAll(a.Body, "\r\n", "\n") // an editor's line ends
	corpus.SameBytes(t, "line ends alone", u9.Do(write.Book(u9.Do(lowerBook(a, nil))(t)))(t), u9.Do(write.Book(stored))(t))
	a.Body += "`pMore.\n"
	a.Native.Values["title"] = "1: Another Tale"
	got := u9.Do(lowerBook(a, nil))(t)
	if got.Body != stored.Body+"`pMore.\r\n" || got.Title.Text != "1: Another Tale" {
		t.Errorf("%+v", got)
	}
	a.Body = "ж"
	if _, err := lowerBook(a, nil); !errors.Is(err, schema.ErrValue) {
		t.Errorf("a letter that the code page lacks: %v", err)
	}
}

func TestStoreLines(t *testing.T) {
	got := storeLines("SHOP\r\n!note\r\n#torch \"Torch\" $5\r\n#lily \"Lily\" $120\r\n")
	want := []storeLine{{Comment: "note"}, {Item: "torch", Name: "Torch", Price: "5"}, {Item: "lily", Name: "Lily", Price: "120"}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

func TestTextEdits(t *testing.T) {
	slots := corpus.Slots(t, u9.Synthetic(t, "types/text.flx"))
	record := slots[1].Payload
	a := u9.Do(liftText(u9.Do(read.Text(record, nil))(t), nil))(t)
	a.Body = "Farewell, tester, and take care.\n"
	got := u9.Do(write.Text(u9.Do(lowerText(a, nil))(t)))(t)
	want := corpus.Slots(t, u9.Synthetic(t, "edits/text.compact.flx"))[1].Payload
	corpus.SameBytes(t, "edited line", got, want)
}

func TestNPCTableEdits(t *testing.T) {
	record := corpus.Slots(t, u9.Synthetic(t, "logic/npc.flx"))[0].Payload
	a := u9.Do(npcFormat.Lift(u9.Do(npcFormat.Read(record, nil))(t), nil))(t).(*asset.Table)
	set := func(column string, v any) {
		for i, c := range a.Columns {
			if c == column {
				a.Rows[2][i] = v
				return
			}
		}
		t.Fatalf("no column %s in %v", column, a.Columns)
	}
	set("Name", "Renamed")
	set("Health", "99") // as CSV has it
	set("X", int64(-123456))
	got := u9.Do(npcFormat.Write(u9.Do(npcFormat.Lower(a, nil))(t)))(t)
	corpus.SameBytes(t, "edited character", got, corpus.Slots(t, u9.Synthetic(t, "edits/npc.new.flx"))[0].Payload)
	set("Health", int64(70000))
	if _, err := npcFormat.Lower(a, nil); !errors.Is(err, schema.ErrValue) {
		t.Errorf("health of 70000: %v", err)
	}
}

// TestObjectListEdits edits the list of an object file as a person edits its JSON.
func TestObjectListEdits(t *testing.T) {
	path := u9.Synthetic(t, "objects/nonfixed.9")
	open := func() *ultima9.ObjectFile { return u9.Do(read.Nonfixed(corpus.Bytes(t, path), nil))(t) }
	at := func(x *ultima9.ObjectFile, offset uint32) (found *ultima9.Object) {
		x.Walk(func(o, _ *ultima9.Object) {
			if o.Offset == offset {
				found = o
			}
		})
		return found
	}
	// The four edits of the corpus at once give what they give one after the other.
	x := open()
	a := at(x, 192)
	a.X, a.Y, a.Z = 657, 2182, 537
	b := at(x, 224)
	b.X, b.Y, b.Z = 277, 2445, 1075
	x.Objects = append(without(x.Objects, 256), &ultima9.Object{Square: [2]uint32{1, 1}, X: 100, Y: 4000, Z: 77, Type: 5, Rotation: [4]int16{0, 0, 0, 32767}, Flags: 4290772993, Model: 3})
	corpus.SameBytes(t, "four edits", u9.Do(writeObjects(x))(t), corpus.Bytes(t, u9.Synthetic(t, "edits/nonfixed.step4")))

	// A container goes to another square with all that it holds; a thing is taken out of one, another put in.
	x = open()
	box := at(x, 9024)
	inside := box.Contents[0]
	box.Square = [2]uint32{0, 0}
	taken := at(x, 928)
	out := at(x, 1120)
	out.Contents = without(out.Contents, 928)
	taken.X, taken.Y = 5, 6
	x.Objects = append(x.Objects, taken)
	out.Contents = append(out.Contents, &ultima9.Object{Type: 77, Flags: ultima9.EntityFlags})
	y := u9.Do(read.Nonfixed(u9.Do(writeObjects(x))(t), nil))(t)
	count := func(x *ultima9.ObjectFile) (n int) { x.Walk(func(_, _ *ultima9.Object) { n++ }); return n }
	if got, want := count(y), count(open())+1; got != want {
		t.Errorf("%d objects, want %d", got, want)
	}
	moved, free, added := 0, 0, 0
	y.Walk(func(o, container *ultima9.Object) {
		switch {
		case o.Square == [2]uint32{0, 0} && o.Type == box.Type && len(o.Contents) == len(box.Contents) && len(o.Contents[0].Contents) == len(inside.Contents):
			moved++
		case container == nil && o.X == 5 && o.Y == 6 && o.Type == taken.Type && o.Flags&ultima9.ObjectContained == 0:
			free++
		case container != nil && container.Offset == 1120 && o.Type == 77 && o.Flags&ultima9.ObjectContained != 0:
			added++
		}
	})
	if moved != 1 || free != 1 || added != 1 {
		t.Errorf("%d moved, %d taken out, %d put in", moved, free, added)
	}

	for name, spoil := range map[string]func(x *ultima9.ObjectFile){
		"unknown offset": func(x *ultima9.ObjectFile) { x.Objects[0].Offset = 64 },
		"listed twice":   func(x *ultima9.ObjectFile) { x.Objects = append(x.Objects, x.Objects[0]) },
		"no square":      func(x *ultima9.ObjectFile) { x.Objects[0].Square = [2]uint32{9, 9} },
		"null":           func(x *ultima9.ObjectFile) { x.Objects[0] = nil },
		"far away":       func(x *ultima9.ObjectFile) { x.Objects[0].X = -1 },
	} {
		x := open()
		spoil(x)
		if _, err := writeObjects(x); schema.Class(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func without(list []*ultima9.Object, offset uint32) (rest []*ultima9.Object) {
	for _, o := range list {
		if o.Offset != offset {
			rest = append(rest, o)
		}
	}
	return rest
}

// TestObjectLists edits the lists of the samples: what stays in its square and container keeps its cell, all else moves.
func TestObjectLists(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		edit       func(x *ultima9.ObjectFile)
		stays      int // of the objects of the file, in their cells
		objects    int
		check      func(x *ultima9.ObjectFile) bool
	}{
		{"nothing", "nonfixed.9", func(x *ultima9.ObjectFile) {}, 6, 6, func(x *ultima9.ObjectFile) bool { return true }},
		{"out of its container", "nonfixed.9", func(x *ultima9.ObjectFile) {
			chest := chestOf(x)
			pouch := chest.Contents[0]
			chest.Contents, pouch.X = nil, 77
			x.Objects = append(x.Objects, pouch)
		}, 3, 6, func(x *ultima9.ObjectFile) bool { return len(x.Objects) == 4 && len(chestOf(x).Contents) == 0 }},
		{"into a container", "nonfixed.9", func(x *ultima9.ObjectFile) {
			chest := chestOf(x)
			for i, o := range x.Objects {
				if o.Type == 1 {
					x.Objects = slices.Delete(x.Objects, i, i+1)
					chest.Contents = append(chest.Contents, o)
					return
				}
			}
		}, 5, 6, func(x *ultima9.ObjectFile) bool { return len(x.Objects) == 2 && len(chestOf(x).Contents) == 2 }},
		{"to another square", "fixed.9", func(x *ultima9.ObjectFile) { x.Objects[1].Square = [2]uint32{0, 0} }, 4, 5,
			func(x *ultima9.ObjectFile) bool {
				return count(x, func(o *ultima9.Object) bool { return o.Square == [2]uint32{} }) == 1
			}},
		{"within its square", "fixed.9", func(x *ultima9.ObjectFile) { x.Objects[1].X = 5 }, 5, 5,
			func(x *ultima9.ObjectFile) bool {
				return count(x, func(o *ultima9.Object) bool { return o.X == 5 }) == 1
			}},
		{"to another list", "nonfixed.9", func(x *ultima9.ObjectFile) { chestOf(x).X, chestOf(x).Y = 10, 4000 }, 6, 6,
			func(x *ultima9.ObjectFile) bool {
				chest := chestOf(x)
				head := x.Heap[x.First[0].Offset()+ultima9.PageLists+4*uint32(chest.List()):]
				return chest.X == 10 && len(chest.Contents) == 1 && binary.LittleEndian.Uint32(head) == chest.Offset
			}},
		{"the place of what a container holds", "nonfixed.9", func(x *ultima9.ObjectFile) { chestOf(x).Contents[0].X = 10 }, 6, 6,
			func(x *ultima9.ObjectFile) bool { return len(chestOf(x).Contents) == 1 }},
		{"a property more", "nonfixed.9", func(x *ultima9.ObjectFile) {
			x.Objects[0].Properties = append(x.Objects[0].Properties, ultima9.Property{Type: 0x33, Value: 9})
		}, 6, 6, func(x *ultima9.ObjectFile) bool {
			return count(x, func(o *ultima9.Object) bool {
				return slices.Contains(o.Properties, ultima9.Property{Type: 0x33, Value: 9})
			}) == 1
		}},
		{"one removed, one new", "nonfixed.9", func(x *ultima9.ObjectFile) {
			x.Objects = append(slices.DeleteFunc(x.Objects, func(o *ultima9.Object) bool { return o.Type == 3 }), &ultima9.Object{Type: 50, X: 1, Flags: ultima9.EntityFlags})
		}, 5, 6, func(x *ultima9.ObjectFile) bool {
			return count(x, func(o *ultima9.Object) bool { return o.Type == 50 }) == 1
		}},
	} {
		kind := ultima9.Nonfixed
		if tt.file == "fixed.9" {
			kind = ultima9.Fixed
		}
		b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", tt.file))
		was, x := u9.Do(world.ReadObjects(b, kind))(t), u9.Do(world.ReadObjects(b, kind))(t)
		tt.edit(x)
		out := u9.Do(writeObjects(x))(t)
		got := u9.Do(world.ReadObjects(out, kind))(t)
		d := new(schema.Diagnostics)
		if _, err := map[ultima9.ObjectKind]func([]byte, *schema.Diagnostics) (*ultima9.ObjectFile, error){ultima9.Fixed: read.Fixed, ultima9.Nonfixed: read.Nonfixed}[kind](out, d); err != nil || len(d.All()) > 0 {
			t.Errorf("%s: %v, %v", tt.name, err, d.All())
		}
		if tt.name == "nothing" {
			corpus.SameBytes(t, tt.file, out, b)
		}
		types := map[uint32]uint16{}
		was.Walk(func(o, _ *ultima9.Object) { types[o.Offset] = o.Type })
		stays := count(got, func(o *ultima9.Object) bool { k, ok := types[o.Offset]; return ok && k == o.Type })
		if n := count(got, func(*ultima9.Object) bool { return true }); stays < tt.stays || n != tt.objects || !tt.check(got) {
			t.Errorf("%s: %d objects, want %d; %d stay, want %d", tt.name, n, tt.objects, stays, tt.stays)
		}
	}
	for name, tt := range map[string]struct {
		edit  func(x *ultima9.ObjectFile)
		class error
	}{
		"unknown offset": {func(x *ultima9.ObjectFile) { x.Objects[0].Offset = 64 }, schema.ErrRange},
		"listed twice":   {func(x *ultima9.ObjectFile) { x.Objects = append(x.Objects, x.Objects[0]) }, schema.ErrMismatch},
		"no square":      {func(x *ultima9.ObjectFile) { x.Objects[0].Square = [2]uint32{9, 9} }, schema.ErrRange},
		"null":           {func(x *ultima9.ObjectFile) { x.Objects[0] = nil }, schema.ErrValue},
		"far away":       {func(x *ultima9.ObjectFile) { x.Objects[0].X = -1 }, schema.ErrRange},
	} {
		x := u9.Do(world.ReadObjects(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "nonfixed.9")), ultima9.Nonfixed))(t)
		tt.edit(x)
		if _, err := writeObjects(x); schema.Class(err) != tt.class {
			t.Errorf("%s: %v, want %v", name, err, tt.class)
		}
	}
}

// chestOf returns the object of the sample that holds others.
func chestOf(x *ultima9.ObjectFile) *ultima9.Object {
	return x.Objects[slices.IndexFunc(x.Objects, func(o *ultima9.Object) bool { return o.Type == 2 })]
}

func count(x *ultima9.ObjectFile, is func(*ultima9.Object) bool) (n int) {
	x.Walk(func(o, _ *ultima9.Object) {
		if is(o) {
			n++
		}
	})
	return n
}
