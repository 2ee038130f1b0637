package worktree

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// Draft is what somebody has changed of an archive, or of one file, and has not saved: a patch that grows change by change.
// It lies in a folder beside the original, and is there again after the program was killed:
//
//	.usher-desk/NAME/steps.json   what was done, in its order: the truth
//	.usher-desk/NAME/patch/       the patch that follows from it, with the files of each step in a folder of its number
//	.usher-desk/NAME/now/         the original with the patch put onto it, made anew after each step
//
// One run at a time has it. Several goroutines may use it.
type Draft struct {
	loader engine.Loader
	base   string
	folder *disk.Folder
	lock   *disk.Lock

	mu        sync.Mutex
	journal   draftJournal
	made      int    // how often now was made
	now       string // the original with the changes; empty where there are none
	last      string // what now was before, which somebody may still be about to read
	conflicts []Conflict
	patch     *Manifest // as it was written last
}

// draftJournal is what steps.json holds.
type draftJournal struct {
	Usher   string          `json:"usher"`
	Archive ManifestArchive `json:"archive"` // the original, as the first step found it
	At      int             `json:"at"`      // the steps before it are done, the others were taken back
	Saved   int             `json:"saved"`   // At, when it was saved last
	Next    int             `json:"next"`    // number of the next step
	Steps   []Step          `json:"steps"`
}

// The names in the folder of a draft.
const (
	draftMark  = "unsaved changes"
	draftSteps = "steps.json"
	draftPatch = "patch"
	draftNow   = "now"
)

// Drafted is an entry of the patch, and the step that it came with.
type Drafted struct {
	ManifestEntry
	Step int `json:"step"`
}

// Step is one thing that somebody did.
type Step struct {
	Number int       `json:"number"`
	Verb   string    `json:"verb"`           // "replace", "edit", "add", "remove", "rename" or "undo"
	Entry  string    `json:"entry"`          // empty for the whole file
	To     string    `json:"to,omitempty"`   // the new path of a renamed entry
	File   string    `json:"file,omitempty"` // what was put there, as its user calls it
	What   string    `json:"what,omitempty"` // what was edited in place, in words
	Told   []string  `json:"told,omitempty"` // losses and warnings
	Out    []Drafted `json:"out,omitempty"`  // what the step took out of the patch
	In     []Drafted `json:"in,omitempty"`   // and what it put there
}

// ErrForeign is the error of a file that somebody else has changed since the first change of its draft.
var ErrForeign = errors.New("was changed by another program since: your changes are for what it was")

// draftDir is the folder of the draft of a file.
func draftDir(base string) string {
	return filepath.Join(filepath.Dir(base), disk.DraftName, filepath.Base(base))
}

// HasDraft reports whether there are changes of a file that were not saved.
func HasDraft(base string) bool {
	_, err := os.Lstat(filepath.Join(draftDir(base), draftSteps))
	return err == nil
}

// OpenDraft opens the draft of a file, and makes one where there is none. While another run has it, the error wraps
// [disk.ErrInUse].
func OpenDraft(ctx context.Context, l engine.Loader, base string) (*Draft, error) {
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, err
	}
	dir := draftDir(base)
	for _, p := range []string{filepath.Dir(dir), dir} {
		if info, err := os.Lstat(p); err == nil && !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder: unsaved changes are kept there", p)
		}
	}
	folder, err := disk.Open(dir, true)
	if err != nil {
		return nil, fmt.Errorf("unsaved changes of %s cannot be kept beside it: %w", filepath.Base(base), disk.PlainError(err))
	}
	d := &Draft{loader: l, base: base, folder: folder, journal: draftJournal{Usher: draftMark, Next: 1}}
	if d.lock, err = folder.Lock("desk"); err != nil {
		folder.Close()
		return nil, err
	}
	if err = d.load(ctx); err != nil {
		d.lock.Release()
		folder.Close()
		return nil, err
	}
	return d, nil
}

// load reads what an earlier run has left.
func (d *Draft) load(ctx context.Context) error {
	_ = os.RemoveAll(d.folder.Path(draftNow))
	b, err := d.folder.ReadFile(draftSteps)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	d.journal = draftJournal{}
	j := &d.journal
	if err := json.Unmarshal(b, j); err != nil || !j.valid() {
		return fmt.Errorf("%s: not the unsaved changes of %s", d.folder.Path(draftSteps), filepath.Base(d.base))
	}
	for _, s := range j.Steps {
		j.Next = max(j.Next, s.Number+1)
	}
	if len(j.current()) > 0 && j.Archive.CodePage != d.loader.Options.CodePage {
		return j.Archive.otherPage(filepath.Base(d.base))
	}
	_, err = d.settle(ctx)
	return err
}

// valid reports whether a journal can be one of ours: it may come from a stranger.
func (j *draftJournal) valid() bool {
	if j.Usher != draftMark || j.At < 0 || j.At > len(j.Steps) {
		return false
	}
	for _, s := range j.Steps {
		for _, e := range s.In {
			needs := e.Action == actionChange || e.Action == actionAdd
			if !needs && e.Action != actionRemove && e.Action != actionRename || needs && len(e.Files) == 0 {
				return false
			}
		}
	}
	return true
}

// Close gives the draft free. One without changes goes.
func (d *Draft) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = os.RemoveAll(d.folder.Path(draftNow)) // best effort: the next run does it
	if d.journal.At == 0 {
		_ = os.RemoveAll(d.folder.Path(draftPatch))
		_ = os.Remove(d.folder.Path(draftSteps))
	}
	d.lock.Release()
	d.folder.Close()
	if d.journal.At == 0 {
		if os.Remove(draftDir(d.base)) == nil {
			_ = os.Remove(filepath.Dir(draftDir(d.base))) // only when no other file has one
		}
	}
}

// Base returns the path of the original.
func (d *Draft) Base() string { return d.base }

// Now returns the path of the original with all changes; that of the original where there are none.
func (d *Draft) Now() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now == "" {
		return d.base
	}
	return d.now
}

// Beside says which files that the original refers to are read elsewhere, since they have changes of their own which are not saved.
func (d *Draft) Beside(files find.Instead) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.loader = d.loader.Instead(files)
}

// DraftState is what there is to know of a draft.
type DraftState struct {
	Steps     []Step     // those of which something is in the patch, the first first
	Entries   []Drafted  // of the patch
	Conflicts []Conflict // changes that do not fit the original any more
	Undo      *Step      // what Undo takes back; nil for nothing
	Redo      *Step      // what Redo does again; nil for nothing
	Saved     bool       // nothing was done since it was saved
	Foreign   bool       // somebody else has changed the original
}

// State describes the draft.
func (d *Draft) State() (s DraftState) {
	d.mu.Lock()
	defer d.mu.Unlock()
	j := &d.journal
	s.Entries, s.Conflicts = j.current(), slices.Clone(d.conflicts)
	for _, step := range j.Steps[:j.At] {
		if slices.ContainsFunc(s.Entries, func(e Drafted) bool { return e.Step == step.Number }) {
			s.Steps = append(s.Steps, step)
		}
	}
	if j.At > 0 {
		s.Undo = &j.Steps[j.At-1]
	}
	if j.At < len(j.Steps) {
		s.Redo = &j.Steps[j.At]
	}
	s.Saved = j.At == j.Saved || len(s.Entries) == 0
	s.Foreign = len(j.Steps) > 0 && d.foreign() != nil
	return s
}

// draftKey tells what an entry of a patch is about: a renamed entry may be changed as well.
func draftKey(e *ManifestEntry) string {
	if e.Action == actionRename {
		return "\x00" + e.From
	}
	return e.Path
}

// current returns the entries of the patch that follow from the steps that are done.
func (j *draftJournal) current() (list []Drafted) {
	for _, s := range j.Steps[:j.At] {
		for _, out := range s.Out {
			list = slices.DeleteFunc(list, func(e Drafted) bool { return draftKey(&e.ManifestEntry) == draftKey(&out.ManifestEntry) })
		}
		list = append(list, s.In...)
	}
	return list
}

// foreign returns ErrForeign when the original is no longer what the steps are for.
func (d *Draft) foreign() error {
	info, err := disk.Stat(d.base)
	if err != nil {
		return fmt.Errorf("%s: %w", d.base, disk.PlainError(err))
	}
	is, err := d.journal.Archive.Compare(d.base, info, disk.Always)
	if err == nil && is == disk.Different {
		err = fmt.Errorf("%s %w", filepath.Base(d.base), ErrForeign)
	}
	return err
}

// open opens the original, to put the patch onto it.
func (d *Draft) open(told *schema.Diagnostics) (x *packing, done func(), err error) {
	l := d.loader.Sharing()
	l.Reads = new(find.Reads)
	dir := d.folder.Path(draftPatch)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, disk.PlainError(err)
	}
	below, err := disk.OpenBelow(dir)
	if err != nil {
		return nil, nil, disk.PlainError(err)
	}
	base, err := store.OpenAny(d.base, l.From, l.Env(d.base, told))
	if err != nil {
		below.Close()
		return nil, nil, fmt.Errorf("%s: %w", filepath.Base(d.base), err)
	}
	l.Reads.Confine(below)
	x = &packing{
		Packing: &Packing{Loader: l}, dir: dir, folder: disk.Dry(dir, true), below: below, base: base, diagnostics: told,
		done: new(Packed), encoded: map[string]bool{}, manifest: new(Manifest),
	}
	return x, func() { base.Close(); below.Close() }, nil
}

// settle writes the patch that follows from the steps, and what it makes of the original.
func (d *Draft) settle(ctx context.Context) ([]schema.Diagnostic, error) {
	entries := d.journal.current()
	if len(entries) == 0 {
		d.conflicts = nil
		d.follow("")
		return nil, d.save()
	}
	told := new(schema.Diagnostics)
	x, done, err := d.open(told)
	if err != nil {
		return nil, err
	}
	defer done()
	archive := d.journal.Archive
	archive.Time = 0 // as in any patch
	m := &Manifest{Usher: patchMark, Archive: archive}
	for _, e := range entries {
		m.Entries = append(m.Entries, e.ManifestEntry)
	}
	x.manifest.Entries = slices.Clone(m.Entries) // what comes out is noted there
	out := d.folder.Path(filepath.Join(draftNow, fmt.Sprint(d.made+1), filepath.Base(d.base)))
	if err := batch.Guarded(func() error { return x.draw(ctx, out) }); err != nil {
		return nil, err
	}
	d.made++
	d.conflicts = x.done.Conflicts
	if err := d.describe(out, m); err != nil {
		return nil, err
	}
	d.patch = m
	d.follow(out)
	return told.All(), errors.Join(m.save(d.folder, draftPatch+"/"), d.save())
}

// draw puts the patch onto the original and writes that to the file out.
func (x *packing) draw(ctx context.Context, out string) (err error) {
	if _, err := x.apply(ctx); err != nil {
		return err
	}
	if err := x.refused(); err != nil {
		return err
	}
	if x.out, err = store.OpenArchiveOutput(out, false, "desk"); err != nil {
		return err
	}
	defer x.out.Close()
	return x.write(ctx, out)
}

// follow makes out what the draft has become, and removes what it was before the last time.
func (d *Draft) follow(out string) {
	if d.last != "" {
		_ = os.RemoveAll(filepath.Dir(d.last)) // Windows keeps what somebody still reads; closing removes it
	}
	d.last, d.now = d.now, out
}

// describe notes in the manifest what its entries have become in the file at path.
func (d *Draft) describe(path string, m *Manifest) error {
	l := d.loader.InPlaceOf(d.base)
	a, err := store.OpenAny(path, l.From, l.Env(path, nil))
	if err != nil {
		return fmt.Errorf("%s cannot be read with the changes: %w", filepath.Base(d.base), err)
	}
	defer a.Close()
	for i := range m.Entries {
		e := &m.Entries[i]
		name := e.Path
		if e.Action == actionRemove {
			continue
		}
		if to := renamedTo(m, e); to != "" {
			name = to
		}
		n, err := a.Find(name)
		if d.conflicting(e.Path) {
			continue
		}
		if err != nil {
			return d.calledOtherwise(a, name)
		}
		payload, err := a.Portable(n)
		if err != nil {
			return schema.In(name, err)
		}
		after, err := stateOf(a, n)
		if err != nil {
			return schema.In(name, err)
		}
		if e.Action == actionRename && e.Before != after && !changes(m, e.From) {
			return fmt.Errorf("%s cannot be called %s: what it holds would be stored otherwise there", e.From, e.Path)
		}
		is := a.Entries()[n]
		e.After, e.Size, e.Kind, e.Title = after, int64(len(payload)), is.Kind.String(), is.Title
		if e.Format == "" && e.Action == actionAdd && is.Format != nil && !strings.HasSuffix(e.Files[0].Name, rawExtension) {
			e.Format = is.Format.Name
		}
	}
	return nil
}

// conflicting reports whether an entry of the patch does not fit the original, which is told.
func (d *Draft) conflicting(path string) bool {
	return slices.ContainsFunc(d.conflicts, func(c Conflict) bool { return c.Entry == path })
}

// calledOtherwise is the error of a new path that the archive does not give an entry: it has its own names.
func (d *Draft) calledOtherwise(a *store.Archive, name string) error {
	was, err := store.OpenAny(d.base, d.loader.From, d.loader.Env(d.base, nil))
	if err != nil {
		return err
	}
	defer was.Close()
	for _, e := range a.Entries() {
		if _, err := was.Find(e.Path); err != nil {
			return fmt.Errorf("the archive calls %s %s: use that as its path", name, e.Path)
		}
	}
	return fmt.Errorf("the archive has no place for %s", name)
}

// changes reports whether a patch has another content for an entry.
func changes(m *Manifest, path string) bool {
	return slices.ContainsFunc(m.Entries, func(e ManifestEntry) bool { return e.Action == actionChange && e.Path == path })
}

// renamedTo returns the path that a changed entry has after it was renamed as well; empty where it was not.
func renamedTo(m *Manifest, e *ManifestEntry) string {
	for i := range m.Entries {
		if r := &m.Entries[i]; r.Action == actionRename && r.From == e.Path && e.Action == actionChange {
			return r.Path
		}
	}
	return ""
}

// save writes the journal.
func (d *Draft) save() error {
	b, err := json.MarshalIndent(&d.journal, "", " ")
	if err != nil {
		return err
	}
	return d.folder.Write(draftSteps, append(b, '\n'))
}
