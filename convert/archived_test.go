package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
)

// TestArchived holds what every archive of testdata shows, and what it becomes when its entries are replaced, added, taken
// out and renamed.
func TestArchived(t *testing.T) {
	table := damage.Open(t, "archived.tsv")
	t.Run("archives", func(t *testing.T) {
		for family := range families {
			root := corpus.Testdata(t, family)
			err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				b := corpus.Bytes(t, p)
				if f := sniff(p, b); f != nil && f.Open != nil {
					table.Run(t, family+"/"+filepath.Base(p), (&archived{f, p, b}).edited)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// archived is an archive that is edited again and again.
type archived struct {
	f       *format.Format
	path    string
	content []byte
}

func (x *archived) open(t *testing.T, b []byte, d *schema.Diagnostics) format.ArchiveFile {
	a, err := x.f.Open(bytes.NewReader(b), int64(len(b)), new(engine.Loader).Env(x.path, d))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// archiveEdits are what is done to entry i of an archive, whose payload is at hand, and that of the entry behind it. Those
// that need an ability are nil where it is missing.
func archiveEdits(a format.ArchiveFile, i int, own, next []byte) map[string]func() error {
	able, entries := a.Abilities(), a.Entries()
	e, behind := entries[i], entries[(i+1)%len(entries)]
	dir := e.Path[:strings.LastIndexByte(e.Path, '/')+1]
	edits := map[string]func() error{
		"replaced by nothing":       func() error { return a.Replace(i, nil) },
		"replaced by half":          func() error { return a.Replace(i, own[:len(own)/2]) },
		"replaced by a longer one":  func() error { return a.Replace(i, append(slices.Clone(own), 7)) },
		"replaced by the next one":  func() error { return a.Replace(i, next) },
		"replaced by itself":        func() error { return a.Replace(i, slices.Clone(own)) },
		"removed":                   func() error { return a.Remove(i) },
		"replaced, the next gone":   func() error { return firstOf(a.Replace(i, next), a.Remove((i+1)%len(entries))) },
		"added under a new name":    func() error { return a.Add(dir+"Fresh", own, e.Format) },
		"added under its own name":  func() error { return a.Add(e.Path, own, e.Format) },
		"added under a number":      func() error { return a.Add("90", own, e.Format) },
		"added without a format":    func() error { return a.Add(dir+"Plain", own, nil) },
		"added twice":               func() error { return firstOf(a.Add(dir+"Twin", own, e.Format), a.Add(dir+"twin", next, e.Format)) },
		"no entry replaced":         func() error { return a.Replace(len(entries), own) },
		"no entry removed":          func() error { return a.Remove(-1) },
		"added, replaced, removed":  func() error { return firstOf(a.Add(dir+"Fresh", own, e.Format), a.Replace(i, next), a.Remove(i)) },
		"added where nobody may be": func() error { return a.Add("../x", own, e.Format) },
	}
	if able.Rename != nil {
		edits["renamed"] = func() error { return able.Rename(i, dir+"Renamed") }
		edits["renamed as the next one"] = func() error { return able.Rename(i, behind.Path) }
		edits["renamed and replaced"] = func() error { return firstOf(able.Rename(i, dir+"Renamed"), a.Replace(i, next)) }
	}
	if able.RemoveAll != nil {
		edits["removed with the next one"] = func() error { return able.RemoveAll([]int{i, (i + 1) % len(entries)}) }
	}
	if able.Compact != nil {
		edits["replaced and compacted"] = func() error {
			able.Compact()
			return a.Replace(i, append(slices.Clone(next), own...))
		}
	}
	return edits
}

// firstOf is the first error of some.
func firstOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// edited adds what the archive shows, and the outcome of every edit of some entries.
func (x *archived) edited(t *testing.T, add func(what, outcome string)) {
	a := x.open(t, x.content, nil)
	add("shown", "as "+shownArchive(a))
	all := make([]int, len(a.Entries()))
	for i := range all {
		all[i] = i
	}
	for _, i := range spread(all, 8) {
		own, err := a.Payload(i)
		next, err2 := a.Payload((i + 1) % len(all))
		if err := firstOf(err, err2); err != nil {
			add(fmt.Sprint(i), damage.Refusal(err))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(archiveEdits(a, i, own, next))) {
			d := new(schema.Diagnostics)
			b := x.open(t, x.content, d)
			add(fmt.Sprintf("%s %s", b.Entries()[i].Path, name), x.outcome(b, archiveEdits(b, i, own, next)[name](), d))
		}
	}
}

// outcome tells what an edited archive becomes, with the files beside it that follow, and what was said of it.
func (x *archived) outcome(a format.ArchiveFile, err error, d *schema.Diagnostics) string {
	if err != nil {
		return "refused " + err.Error()
	}
	var w bytes.Buffer
	if _, err := a.WriteTo(&w); err != nil {
		return "unwritten " + err.Error()
	}
	s := fmt.Sprintf("written %016x", damage.Fingerprint(w.Bytes()))
	if again, err := x.f.Open(bytes.NewReader(w.Bytes()), int64(w.Len()), new(engine.Loader).Env(x.path, d)); err != nil {
		s += ", unreadable " + err.Error()
	} else {
		s += ", shown as " + shownArchive(again)
	}
	if partners := a.Abilities().Partners; partners != nil {
		for _, name := range partners() {
			s += ", " + name + " " + x.partner(a, name)
		}
	}
	for _, m := range d.All() {
		s += ", told " + m.String()
	}
	return s
}

// partner tells what becomes of a file beside an edited archive.
func (x *archived) partner(a format.ArchiveFile, name string) string {
	path := filepath.Join(filepath.Dir(x.path), name)
	b, err := os.ReadFile(path)
	if err != nil {
		return "is not there"
	}
	p, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		return fmt.Sprintf("has %d bytes", len(b))
	}
	defer p.Close()
	changed, err := a.Abilities().UpdatePartner(name, p)
	if err != nil {
		return err.Error()
	}
	var w bytes.Buffer
	if _, err := p.WriteTo(&w); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q %016x", changed, damage.Fingerprint(w.Bytes()))
}

// shownArchive is all that an archive shows.
func shownArchive(a format.ArchiveFile) string {
	able := a.Abilities()
	s := fmt.Sprint(a.Facts(), able.Words())
	for i, e := range a.Entries() {
		f := "bytes"
		if e.Format != nil {
			f = e.Format.Name
		}
		s += fmt.Sprintf("; %s %q %v %s %s %d at %d", e.Path, e.Title, e.Kind, e.Class, f, e.Size, e.Offset)
		if able.Related != nil {
			s += fmt.Sprint(able.Related(i))
		}
		if able.Portable != nil {
			b, err := able.Portable(i)
			s += fmt.Sprintf(" portable %016x %v", damage.Fingerprint(b), err)
		}
	}
	if able.Lead != nil {
		s += fmt.Sprint("; lead ", able.Lead())
	}
	if able.Empty != nil {
		s += fmt.Sprint("; empty ", able.Empty())
	}
	if able.Renamed != nil {
		s += fmt.Sprint("; renamed ", able.Renamed())
	}
	if able.Dead != nil {
		dead, size, err := able.Dead()
		s += fmt.Sprint("; dead ", dead, size, err)
	}
	return s
}
