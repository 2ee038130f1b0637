package worktree

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// replaceAll encodes all edited entries, on all cores, and then puts them into the archive in their order. Of files that
// cannot be encoded it tells all at once: whoever has to mend ten wants to know of ten.
func (x *packing) replaceAll(ctx context.Context, changed []ManifestEntry) error {
	payloads, turns := make([]replacement, len(changed)), newTurns(len(changed))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for n, e := range changed {
		group.Go(func() error {
			defer turns.done(n)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r := &payloads[n]
			r.err = batch.Guarded(func() (err error) {
				*r, err = x.encode(e, func() { turns.wait(n) })
				return err
			})
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	x.base.Reindex() // entries may have been added along with others
	for n, e := range changed {
		r := payloads[n]
		same := r.err == nil && bytes.Equal(r.before, r.after)
		if r.err == nil && !same {
			r.err = batch.Guarded(func() error {
				now, err := x.replace(e.Path, r.after)
				if err == nil && now.Path != e.Path {
					x.left = append(x.left, e.Path)
					e = x.moved(e, now)
				}
				return err
			})
		}
		if r.err != nil {
			x.fail(e.Path, r.err, fileNames(e)...)
			continue
		}
		x.encoded[e.Path] = true
		for k := range x.manifest.Entries {
			if m := &x.manifest.Entries[k]; r.format != "" && m.Path == e.Path {
				m.Format = r.format
			}
		}
		if same {
			x.done.Unchanged++
			continue
		}
		x.note(newChange(e.Path, "replaced", fileNames(e), len(r.before), r.after))
	}
	return nil
}

// moved makes the manifest follow an entry whose new payload has given it another place.
func (x *packing) moved(e ManifestEntry, now format.Entry) ManifestEntry {
	for i := range x.manifest.Entries {
		if m := &x.manifest.Entries[i]; m.Path == e.Path {
			described := newManifestEntry(now, now.Format)
			described.Files = m.Files
			*m, e = described, described
			break
		}
	}
	return e
}

// replace puts a payload into the archive and returns the entry that it is then. The entry before it may have taken others
// out: what counts is its path, which the new payload may change.
func (x *packing) replace(path string, payload []byte) (now format.Entry, err error) {
	i, err := x.base.Find(path)
	if err != nil {
		return now, err
	}
	now = x.base.Entries()[i]
	before := len(x.base.Entries())
	err = x.base.Replace(i, payload)
	if len(x.base.Entries()) != before {
		x.base.Reindex()
		return now, err
	}
	return x.base.Entries()[i], err
}

// turns lets workers that were started in order wait for those before them.
type turns []chan struct{}

func newTurns(n int) turns {
	t := make(turns, n)
	for i := range t {
		t[i] = make(chan struct{})
	}
	return t
}

func (t turns) done(n int) { close(t[n]) }

func (t turns) wait(n int) {
	for _, c := range t[:n] {
		<-c
	}
}

// replacement is the payload of an entry before and after an edit.
type replacement struct {
	entry         int
	before, after []byte
	format        string // that it has now, where that is another one
	err           error
}

// encode turns the edited files of an entry into a payload. Turn waits for the entries before it.
func (x *packing) encode(e ManifestEntry, turn func()) (r replacement, err error) {
	if r.entry, err = x.base.Find(e.Path); err != nil {
		return r, err
	}
	if r.before, err = x.base.Payload(r.entry); err != nil {
		return r, err
	}
	if e.Format == "" {
		local, err := localName(e.Files[0].Name)
		if err != nil {
			return r, err
		}
		r.after, err = x.Loader.ReadFile(filepath.Join(x.dir, local))
		return r, err
	}
	f := x.base.Entries()[r.entry].Format.Of(r.entry, r.before)
	if f == nil || f.Name != e.Format {
		return r, fmt.Errorf("the entry is no %s", e.Format)
	}
	d := x.diagnostics.In(inEntry(e.Files[0].Name, e.Path))
	env := x.Loader.Env(x.base.Path, d)
	env.Turn = turn
	if !x.base.Single() {
		env.Archive, env.Entry = x.base.ArchiveFile, e.Path
	}
	original := interchange.OriginalOf(f, r.before, env)
	it, err := x.load(e, original, d)
	if err != nil {
		return r, err
	}
	r.after, err = engine.LowerOnto(f, original, it, env)
	if usual := x.base.Entries()[r.entry].Format; errors.Is(err, schema.ErrUnsupported) && usual.Name != f.Name && usual.Lower != nil {
		if after, again := lowerNew(usual, it, env); again == nil { // the layout that such entries have elsewhere will do
			d.Lossf("other-layout", "", "the entry becomes a %s: %v", usual.Name, err)
			r.after, r.format, err = after, usual.Name, nil
		}
	}
	if err == nil {
		err = cmp.Or(find.Unread(it.Env), find.Unread(env))
	}
	return r, err
}

// inEntry names a file and its entry, for what is said of them.
func inEntry(file, entry string) string { return fmt.Sprintf("%s (entry %s)", file, entry) }

// lowerNew encodes an item in format f, as if nothing were stored.
func lowerNew(f *format.Format, it *interchange.Item, env *format.Env) ([]byte, error) {
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	v, err := engine.Lower(f, a, env)
	if err != nil {
		return nil, err
	}
	return f.Encode(v)
}

// load reads the files of an entry. Further ones of a texture are its other pictures; a model reads those that it names.
func (x *packing) load(e ManifestEntry, original *interchange.Original, d *schema.Diagnostics) (*interchange.Item, error) {
	first, err := x.loadFile(e.Files[0].Name, original, d)
	if err != nil {
		return nil, err
	}
	t, ok := first.Asset.(*asset.Texture)
	if !ok || len(t.Frames) > 1 || len(t.Frames[0].Faces) > 0 { // a sidecar has named all pictures
		return first, nil
	}
	for _, f := range e.Files[1:] {
		if interchange.IsSidecar(f.Name) {
			continue
		}
		it, err := x.loadFile(f.Name, nil, d)
		if err != nil {
			return nil, err
		}
		if err := interchange.AddPicture(t, it, f.Name); err != nil {
			return nil, err
		}
	}
	return first, nil
}

func (x *packing) loadFile(name string, original *interchange.Original, d *schema.Diagnostics) (*interchange.Item, error) {
	local, err := localName(name)
	if err != nil {
		return nil, err
	}
	l := x.Loader
	l.Base = original
	return l.LoadEdited(filepath.Join(x.dir, local), d)
}
