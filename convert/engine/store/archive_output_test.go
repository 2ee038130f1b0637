package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// copied opens a copy of a file of testdata/ultima9 in a folder.
func copied(t *testing.T, dir, name string) *Archive {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, corpus.Bytes(t, corpus.Testdata(t, "ultima9", name)), 0o666); err != nil {
		t.Fatal(err)
	}
	a, err := OpenAny(path, nil, new(format.Env))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// names are those of the files in a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

// TestArchiveWithPartners: an archive and its partners get their names together; where one may not be written none is.
func TestArchiveWithPartners(t *testing.T) {
	for _, c := range []struct {
		what  string
		there string // a file that is there already
		force bool
		moved bool // somebody changes a partner meanwhile, which is to be replaced
		want  string
		err   string
	}{
		{"new", "", false, false, "new.flx part.txt", ""}, {"the archive is there", "new.flx", false, false, "new.flx", "new.flx exists"}, {"a partner is there", "part.txt", false, false, "part.txt", "part.txt exists already"}, {"both may be replaced", "part.txt", true, false, ".usher-undo new.flx part.txt", ""},
		{"a partner was changed", "", true, true, "", "was changed by somebody else meanwhile"},
	} {
		from, out := t.TempDir(), t.TempDir()
		a, p := copied(t, from, "anim.flx"), copied(t, from, "registry.txt")
		partner := &Partner{Archive: p, Out: filepath.Join(out, "part.txt")}
		if c.moved {
			partner.Out = p.Path
			out = from
		}
		if c.there != "" {
			if err := os.WriteFile(filepath.Join(out, c.there), []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		main := filepath.Join(out, "new.flx")
		sizes, planned := PlanArchive(a, []*Partner{partner}, main, c.force)
		err := func() error {
			o, err := OpenArchiveOutput(main, c.force, "test")
			if err != nil {
				return err
			}
			defer o.Close()
			if err := o.Prepare(context.Background(), a, []*Partner{partner}, true); err != nil {
				return err
			}
			content := corpus.Bytes(t, a.Path)
			if !slices.Equal(o.Sizes, sizes) || o.Sizes[0] != a.Size || o.Sizes[1] != p.Size || o.Stamp.Size != a.Size || o.Stamp.Hash != disk.HashText(xxhash.Sum64(content)) {
				t.Errorf("%s: %v, %+v, planned %v", c.what, o.Sizes, o.Stamp, sizes)
			}
			if c.moved {
				p.Size++ // as if it had been another file when it was opened
			}
			return o.Commit()
		}()
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) || (planned != nil) != (c.err != "" && !c.moved) {
			t.Errorf("%s: %v, planned %v, want %s", c.what, err, planned, c.err)
		}
		if strings.Contains(c.err, "already") && !strings.Contains(err.Error(), "has to change with "+main) {
			t.Errorf("%s: %v", c.what, err)
		}
		if got := names(t, out); !c.moved && got != c.want || c.moved && got != "anim.flx registry.txt" {
			t.Errorf("%s: there is %s, want %s", c.what, got, c.want)
		}
		if o, err := OpenArchiveOutput(main, true, "test"); err != nil {
			t.Errorf("%s: the next run: %v", c.what, err)
		} else {
			o.Close()
		}
	}
	if _, err := PlanArchive(nil, nil, "x", false); !errors.Is(err, errNoArchive) {
		t.Errorf("%v", err)
	}
	if _, err := PlanArchive(copied(t, t.TempDir(), "anim.flx"), []*Partner{nil}, "x", false); !errors.Is(err, errNoArchive) {
		t.Errorf("%v", err)
	}
	new(ArchiveOutput).Close()
	ClosePartners([]*Partner{nil, {}})
}

// TestWriteArchive: an archive is written as it is, or only planned; a run that was told to stop leaves nothing.
func TestWriteArchive(t *testing.T) {
	dir := t.TempDir()
	a := copied(t, dir, "anim.flx")
	out := filepath.Join(t.TempDir(), "b.flx")
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		what       string
		ctx        context.Context
		force, dry bool
		ok, there  bool
	}{
		{"stopped", stopped, false, false, false, false}, {"planned", context.Background(), false, true, true, false}, {"written", context.Background(), false, false, true, true}, {"again", context.Background(), false, false, false, true}, {"planned again", context.Background(), false, true, false, true}, {"forced", context.Background(), true, false, true, true},
	} {
		size, err := WriteArchive(c.ctx, a, out, c.force, c.dry)
		if (err == nil) != c.ok || c.ok && size != a.Size {
			t.Errorf("%s: %d bytes, %v", c.what, size, err)
		}
		b, err := os.ReadFile(out)
		if c.there != (err == nil) || c.there && !bytes.Equal(b, corpus.Bytes(t, a.Path)) {
			t.Errorf("%s: %d bytes are there, %v", c.what, len(b), err)
		}
	}
}

// TestOpenAny: a file that is no archive is one of itself; what nobody knows, or is not there, is an error.
func TestOpenAny(t *testing.T) {
	dir := t.TempDir()
	a := copied(t, dir, "registry.txt")
	content := corpus.Bytes(t, a.Path)
	e := a.Entries()
	if !a.Single() || len(e) != 1 || e[0].Path != "registry.txt" || e[0].Size != int64(len(content)) || e[0].Format != formats.ByName("u9-registry") || a.Size != int64(len(content)) || a.Facts() != nil {
		t.Errorf("%+v", e)
	}
	if i, err := a.Find("registry.txt"); i != 0 || err != nil {
		t.Errorf("%d, %v", i, err)
	}
	if err := a.Add("x", nil, nil); !errors.Is(err, errSingle) || !strings.HasPrefix(err.Error(), "x: ") {
		t.Errorf("%v", err)
	}
	if err := a.Remove(0); !errors.Is(err, errSingle) {
		t.Errorf("%v", err)
	}
	var b bytes.Buffer
	if n, err := a.WriteTo(&b); n != a.Size || err != nil || !bytes.Equal(b.Bytes(), content) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if err := a.Replace(0, []byte("new")); err != nil || a.Entries()[0].Size != 3 {
		t.Errorf("%v", err)
	}
	if got, err := a.Payload(0); string(got) != "new" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if copied(t, dir, "anim.flx").Single() {
		t.Error("an archive is but a file")
	}
	unknown := filepath.Join(dir, "a.xyz")
	if err := os.WriteFile(unknown, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{unknown, filepath.Join(dir, "none")} {
		if _, err := OpenAny(path, nil, new(format.Env)); err == nil {
			t.Errorf("%s is opened", path)
		}
		if _, err := OpenArchive(path, nil, new(format.Env)); err == nil {
			t.Errorf("%s is opened as an archive", path)
		}
	}
	if _, err := OpenArchive(a.Path, nil, &format.Env{Name: "registry.txt"}); err == nil || err.Error() != "u9-registry is not an archive" {
		t.Errorf("%v", err)
	}
}

// TestFind: an entry has its path, or its title where no path is called so; what is not there is named with the nearest.
func TestFind(t *testing.T) {
	entries := []format.Entry{{Path: "1", Title: "bell"}, {Path: "bell"}, {Path: "3", Title: "hammer"}, {Path: "4", Title: "hammer"}, {Path: ""}}
	a := &Archive{ArchiveFile: listing(entries), Path: "a.flx"}
	for path, want := range map[string]int{"1": 0, "bell": 1, "3": 2, "hammer": 2, "4": 3, "": 4} {
		if i, err := a.Find(path); i != want || err != nil {
			t.Errorf("%q is %d, %v, want %d", path, i, err, want)
		}
	}
	for path, want := range map[string]string{"hamer": `no entry "hamer" in a.flx; the nearest is "hammer"`, "something": `no entry "something" in a.flx; "usher ls" lists them`} {
		if i, err := a.Find(path); i != 0 || err == nil || err.Error() != want || !errors.Is(err, formats.ErrNothing) {
			t.Errorf("%q: %d, %v", path, i, err)
		}
	}
	entries[2].Path = "new"
	if _, err := a.Find("new"); err == nil {
		t.Error("the entries are listed each time")
	}
	a.Reindex()
	if i, err := a.Find("new"); i != 2 || err != nil {
		t.Errorf("a new one: %d, %v", i, err)
	}
	for e, want := range map[format.Entry]string{{Path: "a/b"}: "a/b", {Path: "42", Title: "Iron/Door"}: "42_" + disk.SafeName("Iron/Door")} {
		if got := EntryStem(e); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// listing is an archive of which only the entries are known.
type listing []format.Entry

func (l listing) Entries() []format.Entry                { return l }
func (listing) Payload(int) ([]byte, error)              { return nil, nil }
func (listing) Replace(int, []byte) error                { return nil }
func (listing) Add(string, []byte, *format.Format) error { return nil }
func (listing) Remove(int) error                         { return nil }
func (listing) WriteTo(io.Writer) (int64, error)         { return 0, nil }
func (listing) Facts() []format.Fact                     { return nil }
func (listing) Abilities() format.Abilities              { return format.Abilities{} }

// TestUnmoved: an archive is as it was opened, or somebody has changed it, in size, time or as another file of that name.
func TestUnmoved(t *testing.T) {
	for what, change := range map[string]func(path string) error{
		"": func(string) error { return nil }, "larger": func(p string) error { return os.WriteFile(p, make([]byte, 99999), 0o666) }, "later": func(p string) error {
			info, err := os.Stat(p)
			return errors.Join(err, os.Chtimes(p, info.ModTime().Add(1e9), info.ModTime().Add(1e9)))
		}, "gone": os.Remove, "another": func(p string) error {
			info, err := os.Stat(p)
			b, err2 := os.ReadFile(p)
			return errors.Join(err, err2, os.WriteFile(p+".new", b, 0o666), os.Chtimes(p+".new", info.ModTime(), info.ModTime()), os.Rename(p+".new", p))
		},
	} {
		a := copied(t, t.TempDir(), "anim.flx")
		if err := change(a.Path); err != nil {
			t.Fatal(err)
		}
		if err := a.Unmoved(); (err == nil) != (what == "") {
			t.Errorf("%s: %v", what, err)
		}
		if err := a.UnmovedAt(filepath.Join(t.TempDir(), "other")); err != nil {
			t.Errorf("%s, written elsewhere: %v", what, err)
		}
		if err := a.UnmovedAt(a.Path); (err == nil) != (what == "" || what == "gone") {
			t.Errorf("%s, to be replaced: %v", what, err)
		}
	}
	memory := &Archive{ArchiveFile: listing(nil)}
	if err := errors.Join(memory.Unmoved(), memory.Close()); err != nil {
		t.Errorf("in memory: %v", err)
	}
}
