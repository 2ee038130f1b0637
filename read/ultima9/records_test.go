package ultima9_test

import (
	"bytes"
	"fmt"
	"math"
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

// codec reads a record and writes it again.
type codec func([]byte) ([]byte, error)

func pair[T any](r func([]byte, *schema.Diagnostics) (*T, error), w func(*T) ([]byte, error)) codec {
	return func(b []byte) ([]byte, error) {
		v, err := r(b, new(schema.Diagnostics))
		if err != nil {
			return nil, err
		}
		return w(v)
	}
}

// codecs has the formats of leaves by the name that the corpus gives them.
var codecs = map[string]codec{
	"palette":      pair(read.Palette, write.Palette),
	"texture":      pair(read.Texture, write.Texture),
	"sdinfo":       pair(read.SDInfo, write.SDInfo),
	"mesh":         pair(read.Sappear, write.Sappear),
	"mesh-indexed": pair(read.Indexed, write.Indexed),
	"anim":         pair(read.Anim, write.Anim),
	"types":        pair(read.Types, write.Types),
	"typename":     pair(read.TypeName, write.TypeName),
	"registry":     pair(read.Registry, write.Registry),
}

// recordCodec tells the codec of a file of the corpus by its name, and whether it is an archive of such records.
func recordCodec(file string) (name string, archive bool) {
	base := strings.ToLower(filepath.Base(file))
	switch {
	case strings.HasSuffix(base, ".tex"):
		return "texture", false
	case strings.HasSuffix(base, ".mesh"):
		return "mesh", false
	case strings.HasSuffix(base, ".anim"):
		return "anim", false
	case strings.HasSuffix(base, ".pal"):
		return "palette", false
	case base == "types.dat" || strings.HasSuffix(base, ".types"):
		return "types", false
	case base == "registry.txt":
		return "registry", false
	case base == "anim.flx":
		return "anim", true
	case base == "sappear.flx":
		return "mesh", true
	case strings.HasPrefix(base, "bitmap") || strings.HasPrefix(base, "texture"):
		return "texture", !strings.HasSuffix(base, ".json") && !strings.HasSuffix(base, ".ops.json")
	case strings.HasPrefix(base, "sdinfo"):
		return "sdinfo", true
	case base == "typename.flx":
		return "typename", true
	}
	return "", false
}

// records calls f for every well-formed record of this package's formats, in archives and outside.
func records(t testing.TB, f func(name, what string, b []byte)) {
	t.Helper()
	n := map[string]int{}
	for _, e := range corpus.Manifest(t, "ultima9") {
		if strings.Contains(e.File, "malformed/") || strings.HasSuffix(e.File, ".json") || strings.HasSuffix(e.File, ".png") {
			continue
		}
		name, archive := recordCodec(e.File)
		if name == "" {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		if !archive {
			n[name]++
			f(name, e.File, b)
			continue
		}
		a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(e.File, err)
		}
		for i := range a.Len() {
			if !a.Used(i) {
				continue
			}
			p, err := a.Payload(i)
			if err != nil {
				t.Fatal(e.File, err)
			}
			n[name]++
			f(name, fmt.Sprintf("%s:%d", e.File, i), p)
		}
	}
	t.Logf("records: %v", n)
}

func TestRecordsRoundTrip(t *testing.T) {
	records(t, func(name, what string, b []byte) {
		got, err := codecs[name](b)
		if name == "mesh" && read.IsIndexed(b) {
			if schema.Class(err) != schema.ErrUnsupported {
				t.Errorf("%s: %v, want unsupported", what, err)
			}
			got, err = codecs["mesh-indexed"](b)
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		corpus.SameBytes(t, what, got, b)
	})
}

// classes maps the words of the reference (section 2.1) to ours.
var classes = map[string]error{
	"truncated": schema.ErrTruncated, "bad_magic": schema.ErrBadMagic, "range": schema.ErrRange, "count": schema.ErrCount,
	"cycle": schema.ErrCycle, "mismatch": schema.ErrMismatch, "unsupported": schema.ErrUnsupported, "value": schema.ErrValue,
}

func TestMalformed(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic")
	var cases []struct {
		File, Format, Expect, Scope string
		Also                        []string `json:"also_accepted"`
	}
	corpus.JSON(t, filepath.Join(dir, "malformed", "expected.json"), &cases)
	n, exact := 0, 0
	for _, c := range cases {
		if codecs[c.Format] == nil && c.Format != "flx" {
			continue
		}
		n++
		b := corpus.Bytes(t, filepath.Join(dir, c.File))
		err := readMalformed(b, c.Format, c.Scope)
		class := schema.Class(err)
		if class == classes[c.Expect] {
			exact++
			continue
		}
		accepted := slices.ContainsFunc(c.Also, func(name string) bool {
			return class != nil && class == classes[name] || err == nil && name == "accepted"
		})
		if !accepted {
			t.Errorf("%s: %v, want %s or one of %v", c.File, err, c.Expect, c.Also)
		}
	}
	if n < 45 {
		t.Errorf("only %d malformed files", n)
	}
	t.Logf("%d malformed files, %d with the first class named", n, exact)
}

// readMalformed reads a file, or only the slot that the scope names.
func readMalformed(b []byte, format, scope string) error {
	if format != "flx" && scope == "file" {
		_, err := codecs[format](b)
		return err
	}
	a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil || scope == "file" {
		return err
	}
	slot, _ := strconv.Atoi(strings.TrimPrefix(scope, "slot "))
	for i := range a.Len() {
		if i != slot && a.Used(i) {
			if _, err := a.Payload(i); err != nil {
				return fmt.Errorf("slot %d is sound, but: %w", i, err)
			}
		}
	}
	p, err := a.Payload(slot)
	if err != nil || format == "flx" {
		return err
	}
	_, err = codecs[format](p)
	return err
}

// fixedSize is where the structure of a record ends whose further bytes are kept; for all others the whole counts.
var fixedSize = map[string]int{
	"palette": ultima9.PaletteSize, "sdinfo": ultima9.SDInfoSize, "types": ultima9.TypesFileSize,
	"texture": math.MaxInt, "mesh": math.MaxInt, "anim": math.MaxInt,
}

// A record that ends early is refused, or is one that may end there: then it comes back as it is.
func TestTruncated(t *testing.T) {
	seen := map[string]int{}
	records(t, func(name, what string, b []byte) {
		if seen[name]++; seen[name] > 30 {
			return
		}
		step := max(1, len(b)/400)
		for n := 0; n < len(b); n += step {
			got, err := codecs[name](b[:n])
			if err != nil {
				if schema.Class(err) == nil {
					t.Fatalf("%s cut to %d: error without a class: %v", what, n, err)
				}
				continue
			}
			if name != "registry" && name != "typename" && n < fixedSize[name] {
				t.Errorf("%s cut to %d bytes is accepted", what, n)
			}
			corpus.SameBytes(t, what, got, b[:n])
		}
	})
}

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
	if s.MaxWidth != want.MaxWidth || s.MaxHeight != want.MaxHeight || s.Mips != want.Mips || s.Storage != want.Storage ||
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
