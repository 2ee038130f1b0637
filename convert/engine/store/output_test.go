package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

var errTorn = errors.New("torn")

// contents are files of an asset: one that is at hand, and one that is made while it is written.
func contents(err error) []format.File {
	return []format.File{{Name: "a", Content: []byte("first")}, {Name: "sub/b", Stream: func(w io.Writer) error {
		_, err1 := w.Write([]byte("sec"))
		_, err2 := w.Write([]byte("ond"))
		return errors.Join(err1, err2, err)
	}}}
}

// TestWriteFiles: the files of an asset are written together, and stamped; where one cannot be, or may not, none is.
func TestWriteFiles(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		what  string
		ctx   context.Context
		files []format.File
		there string
		force bool
		err   error
	}{
		{"new", context.Background(), contents(nil), "", false, nil}, {"one alone", context.Background(), contents(nil)[:1], "", false, nil}, {"torn", context.Background(), contents(errTorn), "", false, errTorn}, {"stopped", stopped, contents(nil), "", false, context.Canceled}, {"stopped while it is made", stopped, contents(nil)[1:], "", false, context.Canceled},
		{"stopped, with nothing to write", stopped, nil, "", false, context.Canceled}, {"there already", context.Background(), contents(nil), "a", false, os.ErrExist}, {"replaced", context.Background(), contents(nil), "a", true, nil},
	} {
		dir := t.TempDir()
		if c.there != "" {
			if err := os.WriteFile(filepath.Join(dir, c.there), []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out, err := disk.Open(dir, c.force)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		planned, planErr := Plan(out, c.files)
		list, err := WriteFiles(c.ctx, out, c.files)
		if c.err != os.ErrExist && !errors.Is(err, c.err) || (err != nil) != (c.err != nil) {
			t.Errorf("%s: %v, want %v", c.what, err, c.err)
		}
		if ok := c.err == nil || c.err == context.Canceled; (planErr == nil) != ok || c.err == nil && !slices.Equal(planned, list) {
			t.Errorf("%s: planned %v, %v, written %v", c.what, planned, planErr, list)
		}
		if c.err != nil {
			if b, _ := os.ReadFile(filepath.Join(dir, "a")); c.there == "" && b != nil || c.there != "" && string(b) != "old" {
				t.Errorf("%s: %q is there", c.what, b)
			}
			continue
		}
		for i, want := range []string{"first", "second"}[:len(c.files)] {
			path := filepath.Join(dir, filepath.FromSlash(c.files[i].Name))
			if b, err := os.ReadFile(path); string(b) != want || err != nil || list[i].Path != path || list[i].Size != int64(len(want)) {
				t.Errorf("%s: %q, %v, %+v", c.what, b, err, list[i])
			}
		}
	}
	for _, write := range []func() error{
		func() error { _, err := Plan(nil, nil); return err }, func() error { _, err := PrepareFiles(context.Background(), nil, nil); return err }, func() error { _, err := WriteFiles(context.Background(), nil, nil); return err },
	} {
		if err := write(); !errors.Is(err, errNoFolder) {
			t.Errorf("nowhere: %v", err)
		}
	}
}

// TestPrepared: what is prepared has its stamps, those of what the files will be, and no name yet.
func TestPrepared(t *testing.T) {
	dir := t.TempDir()
	out, err := disk.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := PrepareFiles(context.Background(), out, contents(nil))
	if err != nil || len(w.Stamps) != 2 || len(w.Outputs) != 2 {
		t.Fatal(w, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("it has its name already")
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "sub/b"} {
		_, s, err := disk.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || s != w.Stamps[i] {
			t.Errorf("%s: %+v, want %+v, %v", name, w.Stamps[i], s, err)
		}
	}
}

// TestStamp: the stamp of an archive is that of its file, whether it was hashed while its entries were read, before, or not at all.
func TestStamp(t *testing.T) {
	path := corpus.Testdata(t, "ultima9", "bitmap16.flx")
	_, want, err := disk.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, read := range map[string]func(a *Archive){
		"not read": func(*Archive) {}, "read on the way": func(a *Archive) {
			a.HashOnTheWay()
			l, payloads := a.BorrowAll([]int{0, 1})
			l.Release()
			if at, _ := a.hashed.from.Seek(0, io.SeekCurrent); len(payloads) != 2 || at == 0 {
				t.Errorf("%d payloads, hashed up to %d", len(payloads), at)
			}
		}, "to be read": func(a *Archive) { a.HashOnTheWay() },
	} {
		a, err := OpenArchive(path, nil, &format.Env{Name: "bitmap16.flx", Files: find.NewFiles(filepath.Dir(path))})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		read(a)
		if s, err := a.Stamp(); s != want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", what, s, err, want)
		}
		if s := a.Unhashed(); s.Hash != "" || s.Size != want.Size || s.Time != want.Time {
			t.Errorf("%s: %+v", what, s)
		}
	}
	b := corpus.Bytes(t, path)
	a, err := OpenArchiveAt(bytes.NewReader(b), int64(len(b)), nil, &format.Env{Name: "bitmap16.flx"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := a.Stamp(); s.Hash != disk.HashText(xxhash.Sum64(b)) || s.Size != int64(len(b)) || err != nil {
		t.Errorf("in memory: %+v, %v", s, err)
	}
}

// TestBorrow: an entry is read into memory that is used again, as it is read without.
func TestBorrow(t *testing.T) {
	path := corpus.Testdata(t, "ultima9", "bitmap16.flx")
	a, err := OpenArchive(path, nil, &format.Env{Name: "bitmap16.flx", Files: find.NewFiles(filepath.Dir(path))})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i := range a.Entries() {
		want, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		l, err := a.Borrow(i)
		if err != nil || !bytes.Equal(l.Payload, want) || a.able.PayloadInto != nil && cap(l.buffer) < len(want) {
			t.Errorf("entry %d: %d bytes, want %d, %v", i, len(l.Payload), len(want), err)
		}
		l.Release()
		if l.Payload != nil {
			t.Error("what was given back is still held")
		}
	}
	whole := &Archive{ArchiveFile: listing(nil)}
	if l, err := whole.Borrow(0); l.Payload != nil || err != nil {
		t.Errorf("%v, %v", l, err)
	}
	(*Loan)(nil).Release()
}
