package ultima9_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"pgregory.net/rapid"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func openFLX(t testing.TB, b []byte) *ultima9.Archive {
	t.Helper()
	a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func flxBytes(t testing.TB, a *ultima9.Archive) []byte {
	t.Helper()
	var w bytes.Buffer
	if err := write.FLX(&w, a); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// corpusFLX returns the paths of every well-formed archive of the corpus, whatever its records are.
func corpusFLX(t testing.TB) []string {
	var list []string
	for _, e := range corpus.Manifest(t, "ultima9") {
		if strings.Contains(e.File, "/malformed/") {
			continue
		}
		f, err := os.Open(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		head := make([]byte, 128)
		n, _ := f.Read(head)
		f.Close()
		if n == 128 && head[0x54] == 2 && head[0x55]|head[0x56]|head[0x57] == 0 && (head[0] == ' ' || head[0] == 0) && head[0x6c] == 0 && head[0x4c] == 0 {
			list = append(list, e.Path)
		}
	}
	return list
}

func TestFLXCorpusRoundTrip(t *testing.T) {
	files := corpusFLX(t)
	if len(files) < 30 {
		t.Fatalf("only %d archives found", len(files))
	}
	for _, path := range files {
		b := corpus.Bytes(t, path)
		corpus.SameBytes(t, path, flxBytes(t, openFLX(t, b)), b)
	}
	t.Logf("%d archives", len(files))
}

func TestFLXEdits(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic")
	var ops struct {
		Input string
		Ops   []struct {
			Slot int
			Data *string `json:"data_hex"`
		}
		Patch, Compact string
		Grown          struct {
			Slot    int `json:"add_slot"`
			Data    string
			Compact string
		}
	}
	corpus.JSON(t, filepath.Join(dir, "edits", "flx_gaps.ops.json"), &ops)
	a := openFLX(t, corpus.Bytes(t, filepath.Join(dir, ops.Input)))
	for _, op := range ops.Ops {
		if op.Data == nil {
			must(t, a.Remove(op.Slot))
			continue
		}
		b, err := hex.DecodeString(*op.Data)
		must(t, err)
		must(t, a.Replace(op.Slot, b))
	}
	want := func(name string) {
		t.Helper()
		corpus.SameBytes(t, name, flxBytes(t, a), corpus.Bytes(t, filepath.Join(dir, name)))
	}
	want(ops.Patch)
	a.Compact = true
	want(ops.Compact)
	must(t, a.Grow(ops.Grown.Slot+1))
	must(t, a.Replace(ops.Grown.Slot, []byte(ops.Grown.Data)))
	want(ops.Grown.Compact)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// smallArchive has five slots in compact layout: "one", empty, "three", "four!", empty.
func smallArchive(t testing.TB) []byte {
	a := ultima9.NewArchive(5)
	for slot, s := range map[int]string{0: "one", 2: "three", 3: "four!"} {
		must(t, a.Replace(slot, []byte(s)))
	}
	return flxBytes(t, a)
}

func payload(t testing.TB, a *ultima9.Archive, slot int) string {
	t.Helper()
	b, err := a.Payload(slot)
	must(t, err)
	return string(b)
}

func TestFLXNewHeader(t *testing.T) {
	b := smallArchive(t)
	want := append(bytes.Repeat([]byte{' '}, 76), 0, 0, 0, 0, 5, 0, 0, 0, 2, 0, 0, 0, 181, 0, 0, 0, 181, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0)
	want = append(want, make([]byte, 20)...)
	want = append(want, 168, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 171, 0, 0, 0, 5, 0, 0, 0, 176, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	want = append(want, "onethreefour!"...)
	corpus.SameBytes(t, "new archive", b, want)
}

// Growing in patch mode moves only what the longer directory overwrites; the rest stays where it was.
func TestFLXGrowInPlace(t *testing.T) {
	a := openFLX(t, smallArchive(t))
	must(t, a.Grow(6)) // 8 bytes more: "one" and "three" lie in their way, "four!" does not
	must(t, a.Replace(5, []byte("new")))
	b := openFLX(t, flxBytes(t, a))
	if b.Slots[3].Offset != 176 {
		t.Errorf("slot 3 moved to %d", b.Slots[3].Offset)
	}
	for slot, want := range map[int]string{0: "one", 2: "three", 3: "four!", 5: "new"} {
		if got := payload(t, b, slot); got != want {
			t.Errorf("slot %d: %q, want %q", slot, got, want)
		}
	}
	if int64(b.Size) != b.SourceSize || b.Size2 != b.Size {
		t.Errorf("sizes %d, %d of %d", b.Size, b.Size2, b.SourceSize)
	}
}

// Payloads that share bytes are never overwritten in place: the other owner would change with them.
func TestFLXSharedPayload(t *testing.T) {
	b := smallArchive(t)
	b[0x80+8], b[0x80+12] = 171, 3 // slot 1 = "thr" of slot 2
	a := openFLX(t, b)
	must(t, a.Replace(2, []byte("THREE")))
	got := openFLX(t, flxBytes(t, a))
	if payload(t, got, 1) != "thr" || payload(t, got, 2) != "THREE" {
		t.Errorf("slots 1 and 2 are %q and %q", payload(t, got, 1), payload(t, got, 2))
	}
}

func TestFLXEditErrors(t *testing.T) {
	a := openFLX(t, smallArchive(t))
	for _, c := range []struct {
		what  string
		err   error
		class error
	}{
		{"replace past the end", a.Replace(5, []byte{1}), schema.ErrRange},
		{"replace by nothing", a.Replace(0, nil), schema.ErrValue},
		{"remove past the end", a.Remove(-1), schema.ErrRange},
		{"grow without end", a.Grow(1 << 30), schema.ErrLimit},
	} {
		if schema.Class(c.err) != c.class {
			t.Errorf("%s: %v, want %v", c.what, c.err, c.class)
		}
	}
	if _, err := a.Payload(1); schema.Class(err) != schema.ErrRange {
		t.Errorf("empty slot: %v", err)
	}
	must(t, a.Replace(1, []byte("x")))
	must(t, a.Remove(1))
	corpus.SameBytes(t, "an edit taken back", flxBytes(t, a), smallArchive(t))
}

// Whatever is done to an archive, in either mode, reading it back gives what was put in.
func TestFLXProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "slots")
		want := map[int]string{}
		a := ultima9.NewArchive(n)
		edit := func(a *ultima9.Archive, n int) {
			for i := range rapid.IntRange(0, 8).Draw(t, "edits") {
				if n == 0 {
					return
				}
				slot := rapid.IntRange(0, n-1).Draw(t, "slot")
				if rapid.IntRange(0, 3).Draw(t, "op") == 0 {
					_ = a.Remove(slot)
					delete(want, slot)
					continue
				}
				b := rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, fmt.Sprint("payload ", i))
				_ = a.Replace(slot, b)
				want[slot] = string(b)
			}
		}
		edit(a, n)
		var w bytes.Buffer
		if err := write.FLX(&w, a); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			b := w.Bytes()
			a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range a.Len() {
				got, _ := a.Payload(i)
				if string(got) != want[i] {
					t.Fatalf("slot %d is %q, want %q", i, got, want[i])
				}
			}
			n = a.Len() + rapid.IntRange(0, 3).Draw(t, "grow")
			_ = a.Grow(n)
			edit(a, n)
			a.Compact = rapid.Bool().Draw(t, "compact")
			w = bytes.Buffer{}
			if err := write.FLX(&w, a); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzFLX(f *testing.F) {
	f.Add(smallArchive(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			return
		}
		corpus.SameBytes(t, "archive", flxBytes(t, a), b)
		for i := range min(a.Len(), 100) {
			_, _ = a.Payload(i)
		}
	})
}

// bigArchive is an archive of 10,000 slots and some 5 MB.
func bigArchive(b *testing.B) []byte {
	a := ultima9.NewArchive(10000)
	for i := range 10000 {
		must(b, a.Replace(i, bytes.Repeat([]byte{byte(i)}, 500)))
	}
	return flxBytes(b, a)
}

// The directory alone is read: the bytes per second are those of the directory.
func BenchmarkFLXList(b *testing.B) {
	data := bigArchive(b)
	b.SetBytes(128 + 8*10000)
	b.ReportAllocs()
	for b.Loop() {
		openFLX(b, data)
	}
}

func BenchmarkFLXRead(b *testing.B) {
	a := openFLX(b, bigArchive(b))
	b.SetBytes(500 * 10000)
	b.ReportAllocs()
	for b.Loop() {
		for i := range a.Len() {
			if _, err := a.Payload(i); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkFLXWrite(b *testing.B) {
	data := bigArchive(b)
	a := openFLX(b, data)
	must(b, a.Replace(17, []byte("edited")))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	w := bytes.NewBuffer(make([]byte, 0, len(data)+100))
	for b.Loop() {
		w.Reset()
		if err := write.FLX(w, a); err != nil {
			b.Fatal(err)
		}
	}
}
