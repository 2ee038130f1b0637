package worktree

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/format"
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
			r.err = batch.Guarded(func() error { return x.replace(e.Path, r.after) })
		}
		if r.err != nil {
			x.fail(e.Path, r.err, fileNames(e)...)
			continue
		}
		x.encoded[e.Path] = true
		if same {
			x.done.Unchanged++
			continue
		}
		x.note(Change{e.Path, "replaced", fileNames(e), int64(len(r.before)), int64(len(r.after))})
	}
	return nil
}

// replace puts a payload into the archive. The entry before it may have taken others out: what counts is its path.
func (x *packing) replace(path string, payload []byte) error {
	i, err := x.base.Find(path)
	if err != nil {
		return err
	}
	before := len(x.base.Entries())
	err = x.base.Replace(i, payload)
	if len(x.base.Entries()) != before {
		x.base.Reindex()
	}
	return err
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
	it, err := x.load(e, d)
	if err != nil {
		return r, err
	}
	env := x.Loader.Env(x.base.Path, d)
	env.Turn = turn
	if !x.base.Single() {
		env.Archive, env.Entry = x.base.ArchiveFile, e.Path
	}
	if r.after, err = lowerOnto(f, r.before, it, env); err == nil {
		err = cmp.Or(convert.Unread(it.Env), convert.Unread(env))
	}
	return r, err
}

// inEntry names a file and its entry, for what is said of them.
func inEntry(file, entry string) string { return fmt.Sprintf("%s (entry %s)", file, entry) }

// load reads the files of an entry. Further ones of a texture are its other pictures; a model reads those that it names.
func (x *packing) load(e ManifestEntry, d *schema.Diagnostics) (*convert.Item, error) {
	first, err := x.loadFile(e.Files[0].Name, d)
	if err != nil {
		return nil, err
	}
	t, ok := first.Asset.(*asset.Texture)
	if !ok || len(t.Frames) > 1 || len(t.Frames[0].Faces) > 0 { // a sidecar has named all pictures
		return first, nil
	}
	for _, f := range e.Files[1:] {
		it, err := x.loadFile(f.Name, d)
		if err != nil {
			return nil, err
		}
		if err := convert.AddPicture(t, it, f.Name); err != nil {
			return nil, err
		}
	}
	return first, nil
}

func (x *packing) loadFile(name string, d *schema.Diagnostics) (*convert.Item, error) {
	local, err := localName(name)
	if err != nil {
		return nil, err
	}
	return x.Loader.LoadEdited(filepath.Join(x.dir, local), d)
}

// lowerOnto encodes an edited item in format f. What the item cannot say is taken from the stored payload.
func lowerOnto(f *format.Format, stored []byte, it *convert.Item, env *format.Env) ([]byte, error) {
	if it.Format != nil && it.Format.Name == f.Name { // JSON says everything
		if env.Turn != nil { // it may add to the tables that the entries share
			env.Turn()
		}
		return f.Write(it.Value)
	}
	if f.Lower == nil {
		return nil, fmt.Errorf("%s cannot be made from other formats", f.Name)
	}
	edited, err := it.Lift()
	if err != nil {
		return nil, err
	}
	if n := convert.NativeOf(edited); n == nil || len(n.Payload) == 0 {
		v, err := f.Read(stored, nil)
		if err != nil {
			return nil, err
		}
		original, err := f.Lift(v, env)
		if err != nil {
			return nil, err
		}
		if o := convert.NativeOf(original); n != nil && o != nil && n.Format == o.Format {
			complete(n, o)
		} else {
			inherit(edited, original)
		}
	}
	v, err := convert.Lower(f, edited, env)
	if err != nil {
		return nil, err
	}
	return f.Write(v)
}

// complete gives what somebody wrote into a sidecar the rest of what is stored.
func complete(n, original *asset.Native) {
	n.Payload = original.Payload
	values := maps.Clone(original.Values)
	if values == nil {
		values = map[string]any{}
	}
	maps.Copy(values, n.Values)
	n.Values = values
}

// inherit gives an asset from an interchange file what only the original knows.
func inherit(a, original asset.Asset) {
	switch a := a.(type) {
	case *asset.Scene:
		if o, ok := original.(*asset.Scene); ok {
			a.Native = o.Native
		}
	case *asset.Texture:
		if o, ok := original.(*asset.Texture); ok {
			a.Name, a.Alpha, a.FPS, a.URI, a.Extras, a.Native = o.Name, o.Alpha, o.FPS, o.URI, o.Extras, o.Native
		}
	case *asset.Sound:
		if o, ok := original.(*asset.Sound); ok {
			a.Name, a.Extras, a.Native = o.Name, o.Extras, o.Native
		}
	case *asset.Table:
		if o, ok := original.(*asset.Table); ok {
			a.Name, a.Native = o.Name, o.Native
		}
	case *asset.Text:
		if o, ok := original.(*asset.Text); ok {
			a.Name, a.Native = o.Name, o.Native
		}
	}
}
