package worktree

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// step plans a step by plan, does it, and takes it back when it does not come out.
func (d *Draft) step(ctx context.Context, plan func(x *packing, s *Step) error) (*Step, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.begin(); err != nil {
		return nil, err
	}
	s := &Step{Number: d.journal.Next}
	told := new(schema.Diagnostics)
	x, done, err := d.open(told)
	if err != nil {
		return nil, err
	}
	err = batch.Guarded(func() error { return plan(x, s) })
	done()
	if err != nil {
		d.dropFiles(*s)
		return nil, plainFailure(err)
	}
	for i := range s.In {
		if s.In[i].Step == 0 {
			s.In[i].Step = s.Number
		}
	}
	return s, d.push(ctx, s)
}

// begin makes sure that the original is what the steps are for. The first step says what that is.
func (d *Draft) begin() error {
	if len(d.journal.Steps) > 0 {
		return d.foreign()
	}
	stamp, err := disk.NewStamp(d.base)
	if err != nil {
		return fmt.Errorf("%s: %w", d.base, disk.PlainError(err))
	}
	f, _ := interchange.SniffFile(d.base)
	if d.loader.From != nil {
		f = d.loader.From
	}
	if f == nil {
		return interchange.Unknown(d.base)
	}
	d.journal.Archive = ManifestArchive{Path: filepath.Base(d.base), Format: f.Name, Stamp: stamp, CodePage: d.loader.Options.CodePage}
	return nil
}

// push does a step. What was taken back before it is gone.
func (d *Draft) push(ctx context.Context, s *Step) error {
	j := &d.journal
	was := *j
	j.Steps = append(slices.Clone(j.Steps[:j.At]), *s)
	j.At, j.Next = len(j.Steps), s.Number+1
	if j.Saved >= j.At {
		j.Saved = -1
	}
	told, err := d.settle(ctx)
	if err == nil {
		err = d.ownConflict(s)
	}
	if err == nil && d.idle(s) {
		err = ErrIdle
	}
	if err != nil {
		*j = was
		j.Next = s.Number + 1 // what is in its folder is nobody's
		d.dropFiles(*s)
		_, again := d.settle(context.WithoutCancel(ctx))
		return errors.Join(plainFailure(err), again)
	}
	for _, old := range was.Steps[was.At:] {
		d.dropFiles(old)
	}
	last := &j.Steps[j.At-1]
	last.Told = append(last.Told, toldOf(told, s.Number)...)
	*s = *last
	return d.save()
}

// ErrIdle is the error of a step after which everything is as before.
var ErrIdle = errors.New("it is what is there already")

// idle reports whether a step has changed an entry to what it was.
func (d *Draft) idle(s *Step) bool {
	if len(s.In) != 1 || len(s.Out) > 0 || s.In[0].Action != actionChange {
		return false
	}
	return slices.ContainsFunc(d.patch.Entries, func(e ManifestEntry) bool {
		return e.Action == actionChange && e.Path == s.In[0].Path && e.After == e.Before
	})
}

// ownConflict returns an error when a step is about an entry that it does not fit.
func (d *Draft) ownConflict(s *Step) error {
	for _, c := range d.conflicts {
		if slices.ContainsFunc(s.In, func(e Drafted) bool { return e.Path == c.Entry && e.Step == s.Number }) {
			return fmt.Errorf("%s: %s", c.Entry, c.Reason)
		}
	}
	return nil
}

// dropFiles removes the files of a step that nothing leads to any more.
func (d *Draft) dropFiles(s Step) {
	for _, e := range s.In {
		for _, f := range e.Files {
			if e.Step == s.Number || e.Step == 0 {
				_ = d.folder.Remove(draftPatch + "/" + f.Name) // best effort: it does no harm
			}
		}
	}
}

// plainFailure is what failed without the name that the file has in the draft.
func plainFailure(err error) error {
	var failed FailedError
	if !errors.As(err, &failed) {
		return err
	}
	var all []error
	for _, f := range failed {
		all = append(all, f.Err)
	}
	return errors.Join(all...)
}

// toldOf returns what was said of the files of a step that somebody has to know.
func toldOf(list []schema.Diagnostic, number int) (lines []string) {
	for _, x := range list {
		if x.Severity == schema.Note || !strings.HasPrefix(x.Path, fmt.Sprint(number, "/")) {
			continue
		}
		line := fmt.Sprintf("%s: %s", x.Severity, x.Msg)
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// keep writes a file of a step into the patch, and returns its name there.
func (d *Draft) keep(s *Step, name string, content io.Reader) (string, error) {
	s.File = path.Base(filepath.ToSlash(name))
	kept := fmt.Sprintf("%d/%s", s.Number, disk.SafeName(s.File))
	return kept, d.folder.Create(draftPatch+"/"+kept, func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	})
}

// Put makes an entry, or with an empty path the whole file, of a file that somebody has edited, as "pack" does.
func (d *Draft) Put(ctx context.Context, entry, name string, content io.Reader) (*Step, error) {
	return d.put(ctx, &Step{Verb: "replace", Entry: entry}, name, content, "")
}

// Edit is Put for what was edited in place: the file is nobody's, and only its extension counts. What says in words what was
// edited, where that is known.
func (d *Draft) Edit(ctx context.Context, entry, name, what string, content io.Reader) (*Step, error) {
	return d.put(ctx, &Step{Verb: "edit", Entry: entry, What: what}, name, content, "")
}

// put is Put; shared is as in [Draft.PutShared].
func (d *Draft) put(ctx context.Context, as *Step, name string, content io.Reader, shared string) (*Step, error) {
	return d.step(ctx, func(x *packing, s *Step) error {
		entry := as.Entry
		s.Verb, s.Entry, s.What = as.Verb, entry, as.What
		kept, err := d.keep(s, name, content)
		if err != nil {
			return err
		}
		if entry == "" && !x.base.Single() {
			return d.planWhole(ctx, x, s, kept, shared)
		}
		if entry == "" {
			entry = x.base.Entries()[0].Path
		}
		return d.planPut(x, s, entry, kept)
	})
}

// planPut plans that a file becomes an entry that is there.
func (d *Draft) planPut(x *packing, s *Step, entry, kept string) error {
	list := d.journal.current()
	files := []ManifestFile{{Name: kept}}
	if e := findDrafted(list, entry, actionAdd); e != nil {
		now := e.ManifestEntry
		now.Files, now.Format, now.After = files, "", ""
		s.Out, s.In = []Drafted{*e}, []Drafted{{ManifestEntry: now}}
		return nil
	}
	if r := findDrafted(list, entry, actionRename); r != nil {
		if x.base.Abilities().Rename == nil {
			return fmt.Errorf("%s is a new name: save the change, or take it back, before you replace what it holds", entry)
		}
		entry = r.From
	}
	n, err := x.base.Find(entry)
	if err != nil {
		return err
	}
	e := x.base.Entries()[n]
	if known := interchange.ByExtension(path.Ext(kept)); e.Format == nil && known != nil && !x.base.Abilities().Files {
		return fmt.Errorf("nobody knows what %s holds: only its bytes can be replaced, by a %s file", e.Path, rawExtension)
	}
	x.manifest = new(Manifest)
	if err := x.planPut(n, kept); err != nil {
		return err
	}
	now := x.manifest.Entries[0]
	if now.Before, err = beforeOf(x, n); err != nil {
		return err
	}
	now.Action, now.Title = actionChange, ""
	s.In = []Drafted{{ManifestEntry: now}}
	s.Out = outOf(list, &now)
	return nil
}

// beforeOf returns the hash that a patch has of an entry of the original.
func beforeOf(x *packing, n int) (string, error) {
	hash, err := stateOf(x.base, n)
	if err != nil {
		return "", schema.In(x.base.Entries()[n].Path, err)
	}
	return hash, nil
}

// outOf returns the entries of the patch that another one takes the place of.
func outOf(list []Drafted, now *ManifestEntry) (out []Drafted) {
	for _, e := range list {
		if draftKey(&e.ManifestEntry) == draftKey(now) {
			out = append(out, e)
		}
	}
	return out
}

// findDrafted returns the entry of the patch with that path and action; nil for none.
func findDrafted(list []Drafted, path, action string) *Drafted {
	i := slices.IndexFunc(list, func(e Drafted) bool { return e.Path == path && e.Action == action })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// planWhole plans that the whole file, which has entries, is made of one that was edited: a GLB of a model. What it makes
// of the entries goes into the patch.
func (d *Draft) planWhole(ctx context.Context, x *packing, s *Step, kept, shared string) error {
	made := filepath.Join(draftNow, "made")
	defer d.removeBelow(made)
	l, operand := d.loader, filepath.Join(x.dir, filepath.FromSlash(kept))
	l.Options.Base = cmp.Or(d.now, d.base)
	if strings.EqualFold(path.Ext(kept), ".csv") && x.base.Format.Kind == format.Model { // its hardpoints
		l.Options.Freelancer.HardpointsFrom, operand = operand, l.Options.Base
		l.Options.Base = ""
	}
	asked := shared == askShared
	if !asked {
		l.Options.Freelancer.Shared = shared
	}
	var others SharedError
	out := d.folder.Path(filepath.Join(made, filepath.Base(d.base)))
	l.Reads = new(find.Reads)
	job := batch.Conversion{Loader: l.InPlaceOf(d.base), Out: out}
	var err error
	run := job.Run(ctx, []string{operand}, func(r batch.Result) {
		err = errors.Join(err, r.Err)
		for _, t := range r.Diagnostics {
			others.add(&t)
			if t.Severity != schema.Note && t.Code != schema.LeftShared {
				s.Told = append(s.Told, fmt.Sprintf("%s: %s", t.Severity, t.Msg))
			}
		}
		for _, o := range r.Outputs {
			if filepath.Base(o.Path) != filepath.Base(out) && !d.beside(o.Path) {
				s.Told = append(s.Told, fmt.Sprintf("%s: %s beside it would change as well, and is left as it is", schema.Loss, filepath.Base(o.Path)))
			}
		}
	})
	if err = errors.Join(err, run); err != nil {
		if fault := new(schema.FormatError); l.Options.Freelancer.HardpointsFrom != "" && errors.As(err, &fault) {
			return fault // nobody has named that file
		}
		return err
	}
	if asked && len(others) > 0 {
		return others
	}
	patch := d.folder.Path(filepath.Join(made, "patch"))
	p := Patching{Loader: d.loader.InPlaceOf(d.base)}
	done, err := p.Run(ctx, d.base, out, patch, new(schema.Diagnostics))
	if errors.Is(err, ErrSame) {
		return ErrIdle
	}
	if err != nil {
		return err
	}
	return d.adopt(s, done.Entries, patch, kept)
}

// beside reports whether a file that was made is the one that lies beside the original.
func (d *Draft) beside(made string) bool {
	a, _, err1 := disk.ReadFile(made)
	b, _, err2 := disk.ReadFile(filepath.Join(filepath.Dir(d.base), filepath.Base(made)))
	return err1 == nil && err2 == nil && bytes.Equal(a, b)
}

// adopt takes the entries of a patch over into the draft. Their files get names of the step.
func (d *Draft) adopt(s *Step, entries []ManifestEntry, patch, kept string) error {
	list := d.journal.current()
	for _, e := range entries {
		e.Files = slices.Clone(e.Files)
		for i := range e.Files {
			f := &e.Files[i]
			b, _, err := disk.ReadFile(filepath.Join(patch, filepath.FromSlash(f.Name)))
			if err != nil {
				return disk.PlainError(err)
			}
			f.Name = fmt.Sprintf("%d/%s", s.Number, f.Name)
			if err := d.folder.Write(draftPatch+"/"+f.Name, b); err != nil {
				return err
			}
		}
		s.Out = append(s.Out, outOf(list, &e)...)
		s.In = append(s.In, Drafted{ManifestEntry: e})
	}
	return d.folder.Remove(draftPatch + "/" + kept) // what it is made of says all
}

// Add makes a new entry of a file.
func (d *Draft) Add(ctx context.Context, entry, name string, content io.Reader) (*Step, error) {
	return d.step(ctx, func(x *packing, s *Step) error {
		s.Verb, s.Entry = "add", entry
		if x.base.Single() {
			return errors.New("it is one file, and holds no entries")
		}
		if entry == "" {
			return errors.New("a new entry wants a path")
		}
		kept, err := d.keep(s, name, content)
		if err != nil {
			return err
		}
		list := d.journal.current()
		if gone := findDrafted(list, entry, actionRemove); gone != nil { // it comes back with another content
			if err := d.planPut(x, s, entry, kept); err != nil {
				return err
			}
			s.Out = []Drafted{*gone}
			return nil
		}
		now := ManifestEntry{Path: entry, Kind: format.Raw.String(), Action: actionAdd, Files: []ManifestFile{{Name: kept}}}
		if findDrafted(list, entry, actionAdd) != nil {
			return fmt.Errorf("%s: %s", entry, anotherEntry)
		}
		s.In = []Drafted{{ManifestEntry: now}}
		return nil
	})
}

// Remove takes an entry out.
func (d *Draft) Remove(ctx context.Context, entry string) (*Step, error) {
	return d.step(ctx, func(x *packing, s *Step) error {
		s.Verb, s.Entry = "remove", entry
		list := d.journal.current()
		if e := findDrafted(list, entry, actionAdd); e != nil {
			s.Out = []Drafted{*e}
			return nil
		}
		if r := findDrafted(list, entry, actionRename); r != nil {
			s.Out, entry = []Drafted{*r}, r.From
		}
		n, err := x.base.Find(entry)
		if err != nil {
			return err
		}
		e := newManifestEntry(x.base.Entries()[n], nil)
		e.Action, e.Title = actionRemove, ""
		if e.Before, err = beforeOf(x, n); err != nil {
			return err
		}
		s.Out = append(s.Out, outOf(list, &e)...)
		s.In = []Drafted{{ManifestEntry: e}}
		return nil
	})
}

// Rename gives an entry another path.
func (d *Draft) Rename(ctx context.Context, entry, to string) (*Step, error) {
	return d.step(ctx, func(x *packing, s *Step) error {
		s.Verb, s.Entry, s.To = "rename", entry, to
		if to == "" || to == entry {
			return errors.New("a renamed entry wants another path")
		}
		list := d.journal.current()
		if e := findDrafted(list, entry, actionAdd); e != nil {
			now := e.ManifestEntry
			now.Path, now.After = to, ""
			s.Out, s.In = []Drafted{*e}, []Drafted{{now, 0}}
			return nil
		}
		if r := findDrafted(list, entry, actionRename); r != nil {
			s.Out, entry = []Drafted{*r}, r.From
		}
		if entry == to {
			return nil // it is called again as it was
		}
		if findDrafted(list, entry, actionChange) != nil && x.base.Abilities().Rename == nil {
			return fmt.Errorf("%s holds something else already: save that, or take it back, before you rename it", entry)
		}
		n, err := x.base.Find(entry)
		if err != nil {
			return err
		}
		e := newManifestEntry(x.base.Entries()[n], nil)
		e.Action, e.Title, e.From, e.Path = actionRename, "", entry, to
		if e.Before, err = beforeOf(x, n); err != nil {
			return err
		}
		s.In = []Drafted{{ManifestEntry: e}}
		return nil
	})
}

// Undo takes the last step back; with the number of an earlier one, what that has done and is still there.
func (d *Draft) Undo(ctx context.Context, number int) error {
	if number == 0 {
		return d.move(ctx, -1)
	}
	_, err := d.step(ctx, func(_ *packing, s *Step) error {
		i := slices.IndexFunc(d.journal.Steps[:d.journal.At], func(x Step) bool { return x.Number == number })
		if i < 0 {
			return formats.ErrNothing
		}
		of := d.journal.Steps[i]
		s.Verb, s.Entry, s.File = "undo", of.Entry, of.File
		for _, e := range d.journal.current() {
			if e.Step == number {
				s.Out = append(s.Out, e)
			}
		}
		if len(s.Out) == 0 {
			return formats.ErrNothing
		}
		s.In = slices.Clone(of.Out)
		return nil
	})
	return err
}

// Redo does again what Undo has taken back last.
func (d *Draft) Redo(ctx context.Context) error { return d.move(ctx, 1) }

// move goes a step back or forth.
func (d *Draft) move(ctx context.Context, by int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	j := &d.journal
	was := j.At
	if j.At+by < 0 || j.At+by > len(j.Steps) {
		return formats.ErrNothing
	}
	j.At += by
	_, err := d.settle(ctx)
	if err != nil {
		j.At = was
		_, again := d.settle(context.WithoutCancel(ctx))
		err = errors.Join(plainFailure(err), again)
	}
	return err
}
