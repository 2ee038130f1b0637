package compare

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// What is written is held against a file piece by piece, however it is cut.
func TestAgainst(t *testing.T) {
	long := strings.Repeat("0123456789", 100)
	for _, c := range []struct {
		name, wrote, file string
		want              *DifferenceError
	}{
		{"same", long, long, nil},
		{"both empty", "", "", nil},
		{"first", "abc", "xbc", &DifferenceError{Offset: 0, Got: []byte("abc"), Want: []byte("xbc")}},
		{"within", long + "abcdefghijk" + long, long + "abcdXfghijk" + long, &DifferenceError{Offset: 1004, Got: []byte("efghijk0"), Want: []byte("Xfghijk0")}},
		{"longer", long + "abc", long, &DifferenceError{Offset: 1000, Got: []byte("abc"), Want: []byte{}}},
		{"shorter", long[:990], long, &DifferenceError{Offset: 990, Want: []byte("01234567")}},
	} {
		for _, step := range []int{1, 3, 7, 16, 5000} {
			w := &against{want: bufio.NewReaderSize(strings.NewReader(c.file), 16)}
			for rest := []byte(c.wrote); len(rest) > 0; {
				n := min(step, len(rest))
				if wrote, err := w.Write(bytes.Clone(rest[:n])); wrote != n || err != nil {
					t.Fatalf("%s: %d, %v", c.name, wrote, err)
				}
				rest = rest[n:]
			}
			var got *DifferenceError
			if err := w.end(); err != nil {
				got = err.(*DifferenceError)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s, %d bytes at a time: %s", c.name, step, diff)
			}
		}
	}
}

// TestVerifyDiffers: what is written otherwise than it was read is named by field and offset, and told of in its own
// terms, as a comparison tells it: in a file, in an entry, and in an archive as a whole.
func TestVerifyDiffers(t *testing.T) {
	wrong := *formats.ByName("u9-sdinfo")
	wrong.Write = func(v any) ([]byte, error) {
		x := *v.(*ultima9.SDInfo)
		x.Width++
		return write.SDInfo(&x)
	}
	b, err := write.SDInfo(&ultima9.SDInfo{Width: 16, Height: 12})
	if err != nil {
		t.Fatal(err)
	}
	env := &format.Env{Name: "x", Diagnostics: new(schema.Diagnostics)}
	for _, c := range []struct {
		name, want string
		file       []byte
		from       *format.Format
	}{
		{"a file", "width at 0x14: wrote 110000000c000000, the file has 100000000c000000; width: 16 -> 17", b, &wrong},
		{"an entry", "0/width at 0x14: wrote 110000000c000000, the file has 100000000c000000; width: 16 -> 17", flxOf(t, b), &wrong},
	} {
		_, _, err := Verify(c.file, c.from, env)
		var d *DifferenceError
		if !errors.As(err, &d) || d.Error() != c.want {
			t.Errorf("%s: got  %v\nwant %s", c.name, err, c.want)
		}
	}
	archive := *formats.ByName("flx")
	open := archive.Open
	archive.Open = func(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
		a, err := open(r, size, env)
		return wrongArchive{a}, err
	}
	_, _, err = Verify(flxOf(t, b), &archive, env)
	if want := "version at 0x54: wrote 03000000b8000000, the file has 02000000b8000000"; err == nil || err.Error() != want {
		t.Errorf("an archive: got  %v\nwant %s", err, want)
	}
}

// wrongArchive is written with another version.
type wrongArchive struct{ format.ArchiveFile }

func (a wrongArchive) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := a.ArchiveFile.WriteTo(&b); err != nil {
		return 0, err
	}
	b.Bytes()[0x54] = 3
	n, err := w.Write(b.Bytes())
	return int64(n), err
}

// flxOf returns an archive of one record.
func flxOf(t *testing.T, record []byte) []byte {
	t.Helper()
	a := ultima9.NewArchive(0)
	var b bytes.Buffer
	if err := a.Grow(1); err != nil {
		t.Fatal(err)
	}
	if err := a.Replace(0, record); err != nil {
		t.Fatal(err)
	}
	if err := write.FLX(&b, a); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPureArchive: a model that is read as a whole and has entries as well is no pure archive.
func TestPureArchive(t *testing.T) {
	for _, c := range []struct{ family, name, want string }{
		{"ultima9", "sappear.flx", "flx"}, {"ultima9", "ankh.pal", ""}, {"freelancer", "ship.cmp", ""}, {"freelancer", "absent", ""},
	} {
		got := ""
		if f := pureArchive(corpus.Testdata(t, c.family, c.name)); f != nil {
			got = f.Name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPlanEntriesStops: a run that was ended plans no more entries, and says so.
func TestPlanEntriesStops(t *testing.T) {
	src := engine.Source{Path: corpus.Testdata(t, "ultima9", "sappear.flx")}
	plan := func(ctx context.Context, goOn bool) (jobs int, more bool) {
		more = new(Verification).planEntries(ctx, src, "", func(j batch.Job) bool {
			jobs++
			if goOn {
				j.Do(ctx) // which gives the archive back
			}
			return goOn
		})
		return jobs, more
	}
	if n, more := plan(context.Background(), true); n < 2 || !more {
		t.Errorf("%d jobs, goes on: %v", n, more)
	}
	if n, more := plan(context.Background(), false); n != 1 || more {
		t.Errorf("nobody takes more: %d jobs, goes on: %v", n, more)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if n, more := plan(ended, true); n != 0 || more {
		t.Errorf("ended: %d jobs, goes on: %v", n, more)
	}
}
