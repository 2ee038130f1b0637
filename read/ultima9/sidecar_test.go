package ultima9_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func TestFLXSidecars(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "flx")
	files, _ := filepath.Glob(filepath.Join(dir, "*.flx"))
	if len(files) != 8 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		var want struct {
			Count                               int
			Size, Size2, Word60, Word64, Word68 uint32
			Comment                             uint8 `json:"comment_byte"`
			Slots                               []struct{ Slot, Offset, Length uint32 }
			Used                                int
		}
		corpus.JSON(t, path+".json", &want)
		b := corpus.Bytes(t, path)
		a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Len() != want.Count || a.Size != want.Size || a.Size2 != want.Size2 || a.Unknown60 != want.Word60 ||
			a.Unknown64 != want.Word64 || a.Unknown68 != want.Word68 || a.Comment[75] != want.Comment {
			t.Errorf("%s: header %+v", path, a)
		}
		used := 0
		for i := range a.Len() {
			if a.Used(i) {
				used++
			}
		}
		if used != want.Used || used != len(want.Slots) {
			t.Errorf("%s: %d slots used, want %d", path, used, want.Used)
		}
		for _, s := range want.Slots {
			if got := a.Slots[s.Slot]; got != (ultima9.Slot{Offset: s.Offset, Length: s.Length}) {
				t.Errorf("%s: slot %d at %v", path, s.Slot, got)
			}
		}
	}
}

// countingReader tells which bytes were asked for.
type countingReader struct {
	bytes.Reader
	n int
}

func (r *countingReader) ReadAt(b []byte, off int64) (int, error) {
	r.n += len(b)
	return r.Reader.ReadAt(b, off)
}

func TestFLXReadsDirectoryOnly(t *testing.T) {
	a := ultima9.NewArchive(10000)
	for i := range 10000 {
		if err := a.Replace(i, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
	}
	var w bytes.Buffer
	if err := write.FLX(&w, a); err != nil {
		t.Fatal(err)
	}
	r := &countingReader{Reader: *bytes.NewReader(w.Bytes())}
	if _, err := read.FLX(r, int64(w.Len()), nil); err != nil {
		t.Fatal(err)
	}
	if want := 128 + 8*10000; r.n != want {
		t.Errorf("%d bytes read, want %d", r.n, want)
	}
}

func TestPaletteSidecars(t *testing.T) {
	for _, name := range []string{"ankh.pal", "extra.pal"} {
		path := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "palette", name)
		var want struct{ Colors [][3]uint8 }
		corpus.JSON(t, path+".json", &want)
		p, err := read.Palette(corpus.Bytes(t, path), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range want.Colors {
			if [3]uint8(p.Colors[i][:3]) != c {
				t.Errorf("%s: colour %d is %v, want %v", name, i, p.Colors[i], c)
			}
		}
		if (name == "extra.pal") != (len(p.Trailing) == 7) {
			t.Errorf("%s: %d bytes behind the colours", name, len(p.Trailing))
		}
	}
}

type textureFacts struct {
	MaxWidth  uint16 `json:"max_width"`
	MaxHeight uint16 `json:"max_height"`
	Mips      uint8
	Storage   uint16
	Playback  uint32
	Anim      struct {
		Mode, Reverse, FPS, Log2w, Log2h, First, Last uint8
	}
	Frames []struct {
		Flags         uint32
		Kind          string
		Width, Height uint32
		Anchor        [2]uint32
		Levels        []struct{ Width, Height, Bytes int }
	}
}

func checkTexture(t *testing.T, what string, b []byte, want textureFacts) {
	t.Helper()
	s, err := read.Texture(b, nil)
	if err != nil {
		t.Error(what, err)
		return
	}
	if s.MaxWidth != want.MaxWidth || s.MaxHeight != want.MaxHeight || s.Mips != want.Mips || uint16(s.Storage) != want.Storage ||
		uint32(s.Playback) != want.Playback || len(s.Frames) != len(want.Frames) {
		t.Errorf("%s: header %+v, want %+v", what, s, want)
		return
	}
	p, a := s.Playback.Fields(), want.Anim
	if p != (ultima9.PlaybackFields{Mode: a.Mode, Reverse: a.Reverse != 0, FPS: a.FPS, Log2Width: a.Log2w, Log2Height: a.Log2h, First: a.First, Last: a.Last}) {
		t.Errorf("%s: playback %+v, want %+v", what, p, a)
	}
	for i, w := range want.Frames {
		f := s.Frames[i]
		format, err := s.Format(i)
		if err != nil || format.String() != strings.TrimSuffix(w.Kind, "k") {
			t.Errorf("%s: frame %d is %v (%v), want %s", what, i, format, err, w.Kind)
		}
		if strings.HasSuffix(w.Kind, "k") && !f.Flags.Keyed() {
			t.Errorf("%s: frame %d has no colour key", what, i)
		}
		if uint32(f.Flags) != w.Flags || f.Width != w.Width || f.Height != w.Height || f.AnchorX != w.Anchor[0] || f.AnchorY != w.Anchor[1] || len(f.Levels) != len(w.Levels) {
			t.Errorf("%s: frame %d is %+v, want %+v", what, i, f, w)
			continue
		}
		for k, l := range w.Levels {
			if width, height := f.LevelSize(k); width != l.Width || height != l.Height || len(f.Levels[k]) != l.Bytes {
				t.Errorf("%s: frame %d level %d is %d x %d with %d bytes, want %v", what, i, k, width, height, len(f.Levels[k]), l)
			}
		}
	}
}

func TestTextureSidecars(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "texture")
	files, _ := filepath.Glob(filepath.Join(dir, "*.tex"))
	for _, path := range files {
		var want textureFacts
		corpus.JSON(t, path+".json", &want)
		checkTexture(t, path, corpus.Bytes(t, path), want)
	}
	for _, name := range []string{"Texture8.9", "texture16.9"} {
		var want struct{ Textures []textureFacts }
		corpus.JSON(t, filepath.Join(dir, name+".json"), &want)
		b := corpus.Bytes(t, filepath.Join(dir, name))
		a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil || a.Len() != len(want.Textures) {
			t.Fatal(name, a.Len(), err)
		}
		for i := range a.Len() {
			p, err := a.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			checkTexture(t, fmt.Sprint(name, ":", i), p, want.Textures[i])
		}
	}
	if len(files) < 20 {
		t.Errorf("only %d files", len(files))
	}
}

func TestSDInfoSidecar(t *testing.T) {
	path := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "texture", "sdInfo16.flx")
	var want struct {
		Records []struct {
			Slot   int
			Dwords [12]uint32
		}
	}
	corpus.JSON(t, path+".json", &want)
	b := corpus.Bytes(t, path)
	a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want.Records {
		p, err := a.Payload(w.Slot)
		if err != nil {
			t.Fatal(err)
		}
		s, err := read.SDInfo(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := w.Dwords
		if s.Format != uint8(d[0]>>8) || s.Log2Width != uint8(d[1]) || s.Log2Height != uint8(d[1]>>8) || s.LastFrame != uint8(d[1]>>24) ||
			s.Mips != uint16(d[2]) || s.Unknown0C != d[3] || s.Width != d[5] || s.Height != d[6] || s.MaxWidth != d[9] || s.MaxHeight != d[10] ||
			s.Frames != uint16(d[11]) || s.Flag2E != uint16(d[11]>>16) {
			t.Errorf("slot %d: %+v, want %v", w.Slot, s, d)
		}
	}
	if len(want.Records) != 22 {
		t.Errorf("%d records", len(want.Records))
	}
}

func TestAnimSidecars(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "anim")
	for _, name := range []string{"walk", "one_frame", "no_parts", "scene_parts"} {
		var want struct {
			ID, Start, End int32
			FrameCount     int32 `json:"frame_count"`
			FPS            int32
			Interval       int32 `json:"interval_ms"`
			Source         string
			Registry       []int32
			Parts          []struct {
				ID     int32
				Name   string
				Frames []struct {
					Time            int32
					Rotation        [4]float32 `json:"rotation_wxyz"`
					Position, Scale [3]float32
				}
			}
			Events []struct {
				Time            int32
				Type, Parameter uint32
			}
		}
		path := filepath.Join(dir, name+".anim")
		corpus.JSON(t, path+".json", &want)
		a, err := read.Anim(corpus.Bytes(t, path), nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.ID != want.ID || a.Start != want.Start || a.End != want.End || a.FrameCount != want.FrameCount || a.FPS != want.FPS ||
			a.Interval != want.Interval || a.Source != want.Source || !slices.Equal(a.Registry, want.Registry) || len(a.Parts) != len(want.Parts) || len(a.Events) != len(want.Events) {
			t.Errorf("%s: %+v", name, a)
			continue
		}
		for i, p := range want.Parts {
			if a.Parts[i].ID != p.ID || a.Parts[i].Name != p.Name || len(a.Parts[i].Frames) != len(p.Frames) {
				t.Errorf("%s: part %d is %+v", name, i, a.Parts[i])
				continue
			}
			for k, f := range p.Frames {
				if got := a.Parts[i].Frames[k]; got != (ultima9.AnimFrame{Time: f.Time, Rotation: f.Rotation, Position: f.Position, Scale: f.Scale}) {
					t.Errorf("%s: part %d frame %d is %+v, want %+v", name, i, k, got, f)
				}
			}
		}
		for i, e := range want.Events {
			if got := a.Events[i]; got.Time != e.Time || uint32(got.Type) != e.Type || got.Parameter != e.Parameter {
				t.Errorf("%s: event %d is %+v", name, i, got)
			}
		}
	}
}

func TestRegistrySidecar(t *testing.T) {
	path := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "anim", "registry.txt")
	r, err := read.Registry(corpus.Bytes(t, path), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int32]string{1: "PELVIS", 2: "TORSO", 5: "L_ARM", 6: "L_HAND"}
	if got := r.Names(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestRegistryEdit(t *testing.T) {
	const text = "// c\r\n\r\n1 PELVIS\r\n2\tTORSO \r\n"
	r, err := read.Registry([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Lines[2].Name = "HIPS"
	r.Lines = append(r.Lines, ultima9.RegistryLine{ID: 7, Name: "TAIL"})
	b, err := write.Registry(r)
	if want := "// c\r\n\r\n1 HIPS\r\n2\tTORSO \r\n7 TAIL\r\n"; err != nil || string(b) != want {
		t.Errorf("%q (%v), want %q", b, err, want)
	}
	for text, class := range map[string]error{"x y": schema.ErrValue, "-1 A": schema.ErrValue, "1 A\n1 B": schema.ErrMismatch} {
		if _, err := read.Registry([]byte(text), nil); schema.Class(err) != class {
			t.Errorf("%q: %v, want %v", text, err, class)
		}
	}
}

// TestRegistryPlaces: a message and a trace count in the bytes of the file, where an é is one.
func TestRegistryPlaces(t *testing.T) {
	const good = "// caf\xE9\r\n1 HIP\r\n"
	for text, want := range map[string]int64{"nonsense": 0, good + "x y\r\n": 16, good + "2 KNEE\r\n1 B": 24} {
		_, err := read.Registry([]byte(text), nil)
		var e *schema.FormatError
		if !errors.As(err, &e) || e.Offset != want || e.Field != "line" {
			t.Errorf("%q: %v, want it at 0x%x", text, err, want)
		}
	}
	b, trace, d := []byte(good+"2 KNEE"), new(schema.Trace), new(schema.Diagnostics)
	trace.Place(b, 0)
	d.Record(trace)
	if _, err := read.Registry(b, d); err != nil {
		t.Fatal(err)
	}
	var got [][2]int64
	for _, s := range trace.Spans {
		got = append(got, [2]int64{s.Offset, s.Size})
	}
	if want := [][2]int64{{0, 9}, {9, 7}, {16, 6}}; !slices.Equal(got, want) {
		t.Errorf("lines at %v, want %v", got, want)
	}
}

func TestTypesSidecar(t *testing.T) {
	path := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "types", "types.dat")
	var want struct {
		Active, NPC uint32
		Records     map[string]struct {
			Pointer                  uint32
			Base, Model, Flags, Mask uint16
			Weight, Volume, Book, HP uint8
		}
	}
	corpus.JSON(t, path+".json", &want)
	types, err := read.Types(corpus.Bytes(t, path), nil)
	if err != nil || types.Active != want.Active || types.NPCs != want.NPC {
		t.Fatal(types, err)
	}
	for key, w := range want.Records {
		i, err := strconv.Atoi(key)
		if err != nil {
			t.Fatal(err)
		}
		if got := types.Records[i]; got != (ultima9.Type{Pointer: w.Pointer, Base: w.Base, Model: w.Model, Flags: ultima9.TypeFlags(w.Flags),
			Weight: w.Weight, Volume: w.Volume, Book: w.Book, HitPoints: w.HP, Mask: w.Mask}) {
			t.Errorf("record %d is %+v, want %+v", i, got, w)
		}
	}
}

func TestTypeNameSidecar(t *testing.T) {
	path := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "types", "typename.flx")
	var want struct {
		Records []struct {
			Slot int
			Text int32 `json:"text_id"`
			Icon uint16
			Name *string
		}
	}
	corpus.JSON(t, path+".json", &want)
	b := corpus.Bytes(t, path)
	a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range want.Records {
		p, err := a.Payload(w.Slot)
		if err != nil {
			t.Fatal(err)
		}
		n, err := read.TypeName(p, nil)
		if err != nil || n.Text != w.Text || n.Icon != w.Icon || (n.Name == nil) != (w.Name == nil) || n.Name != nil && *n.Name != *w.Name {
			t.Errorf("slot %d: %+v, want %+v (%v)", w.Slot, n, w, err)
		}
	}
}
