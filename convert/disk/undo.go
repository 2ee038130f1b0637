package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cespare/xxhash/v2"
)

// Errors of Undo.
var (
	ErrNothingKept = errors.New("nothing of it is kept: no run has overwritten it here")
	ErrChanged     = errors.New("it is not what the last run over it wrote")
)

// Undo restores a file as it was before the last run that wrote it, byte for byte, together with all other files that this
// run wrote. If one of them was changed since, it restores none. It returns the record that it used, and how many earlier
// ones are left. All restored content is verified before any file is replaced. With dry, it only checks whether that is
// possible.
func (f *Folder) Undo(name string, dry bool) (k Kept, left int, err error) {
	u := &undoing{folder: f}
	defer u.close()
	if !dry {
		if err := u.lock(name); err != nil {
			return k, 0, err
		}
	}
	main, left, err := u.first(name)
	k = main.record
	if err != nil {
		return k, left, err
	}
	for _, c := range k.With {
		if !dry {
			if err := u.lock(c.Name); err != nil {
				return k, left, err
			}
		}
		if err := u.other(c); err != nil {
			return k, left, err
		}
	}
	if dry {
		return k, left, u.try()
	}
	return k, left, u.run()
}

// undoing takes back an act.
type undoing struct {
	folder *Folder
	steps  []step // the first is that of the file that was named
	locks  []*Lock
}

// step takes a file back to what it was.
type step struct {
	name   string
	now    *os.File // as it is; nil where it is as it was already
	is     Stamp
	record Kept   // what leads back; none for a file that was not there
	unused []Kept // what is of no use then
}

func (u *undoing) lock(name string) error {
	lock, err := u.folder.LockFile(name, "undo")
	if err == nil {
		u.locks = append(u.locks, lock)
	}
	return err
}

func (u *undoing) close() {
	for i := range u.steps {
		u.steps[i].close()
	}
	for _, l := range u.locks {
		l.Release()
	}
}

func (s *step) close() {
	if s.now != nil {
		s.now.Close() // a second time when all is well
	}
}

// open opens a file and says what it is.
func (u *undoing) open(name string) (s step, err error) {
	s.name = name
	if s.now, err = u.folder.root.Open(name); err != nil {
		return s, err
	}
	if s.is, err = StampOf(s.now); err != nil {
		s.close()
	}
	return s, err
}

// first finds the record that leads back from the file that was named, and how many lead further.
func (u *undoing) first(name string) (s step, left int, err error) {
	list, err := u.folder.Kept(name)
	if err != nil {
		return s, 0, err
	}
	if len(list) == 0 {
		return s, 0, ErrNothingKept
	}
	if s, err = u.open(name); err != nil {
		return s, 0, err
	}
	defer func() { u.steps = append(u.steps, s) }()
	last := len(list) - 1 // the last one that knows the file as it is
	for last >= 0 && !list[last].After.is(s.is) && !list[last].Before.is(s.is) {
		last--
	}
	if last < 0 {
		s.record = list[len(list)-1]
		return s, 0, s.changed("another program has changed it since")
	}
	s.record, s.unused = list[last], list[last:]
	if s.record.Before.is(s.is) { // a killed run has brought it back, or never replaced it
		s.done()
	}
	return s, stepsBack(list[:last], list[last].Before), nil
}

func (s *step) done() {
	s.close()
	s.now = nil
}

func (s *step) changed(why string) error {
	return fmt.Errorf("%w (%d bytes, %s): %s", ErrChanged, s.record.After.Size, s.record.When.Local().Format(time.DateTime), why)
}

// other finds what leads back from another file of the act.
func (u *undoing) other(c Change) error {
	list, err := u.folder.Kept(c.Name)
	if err != nil {
		return err
	}
	info, err := u.folder.lstat(c.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.isNew():
		return nil
	case err == nil && !info.Mode().IsRegular():
		err = ErrSpecial
	}
	var s step
	if err == nil {
		s, err = u.open(c.Name)
	}
	if err != nil {
		return fmt.Errorf("%s was written with it: %w", u.folder.Path(c.Name), plain(err))
	}
	at := len(list) - 1
	for at >= 0 && !(list[at].Before.is(c.Before) && list[at].After.is(c.After)) {
		at--
	}
	if at >= 0 {
		s.record, s.unused = list[at], list[at:]
	}
	switch {
	case !c.isNew() && c.Before.is(s.is):
		s.done()
	case !c.After.is(s.is):
		err = fmt.Errorf("%s, which was written with it, has changed since: nothing is taken back", u.folder.Path(c.Name))
		if lastOf(list, s.is) >= 0 {
			err = fmt.Errorf("%w; undo that first", err)
		}
	case !c.isNew() && at < 0:
		err = fmt.Errorf("%s was written with it, and what it was is not kept any more: nothing is taken back", u.folder.Path(c.Name))
	}
	u.steps = append(u.steps, s)
	return err
}

// try makes all that would be brought back, and writes nothing.
func (u *undoing) try() error {
	for _, s := range u.steps {
		if s.now != nil && s.record.number > 0 {
			if err := u.folder.writeBefore(io.Discard, s.name, s.record, s.now); err != nil {
				return err
			}
		}
	}
	return nil
}

// run brings the files back, all together, and forgets what led there: that of the named one last, so that a killed run
// can be ended.
func (u *undoing) run() error {
	var act Act
	defer act.Discard()
	f := u.folder.Forced().Durable()
	for _, s := range u.steps {
		if s.now == nil || s.record.number == 0 {
			continue
		}
		p, err := f.Prepare(s.name, func(w io.Writer) error { return f.writeBefore(w, s.name, s.record, s.now) })
		if err != nil {
			return err
		}
		act.Add(p)
	}
	for i := range u.steps {
		if s := &u.steps[i]; s.now != nil {
			if err := f.sameStill(s.name, s.now, s.is); err != nil {
				return f.named(s.name, err)
			}
			s.close() // Windows does not replace an open file
		}
	}
	if err := act.Commit(); err != nil {
		return err
	}
	for i := len(u.steps) - 1; i >= 0; i-- {
		if err := u.end(&u.steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// end removes a file that was not there, or what led back to what it was.
func (u *undoing) end(s *step) error {
	if s.record.number > 0 {
		return u.folder.forget(s.name, s.unused)
	}
	if s.now == nil {
		return nil
	}
	return u.folder.Remove(s.name)
}

// writeBefore writes what a file was, and fails when that is not what the record says.
func (f *Folder) writeBefore(w io.Writer, name string, k Kept, now *os.File) error {
	record, rest, err := f.openKept(name, &k)
	if err != nil {
		return err
	}
	defer record.Close()
	sum := xxhash.New()
	if err := ApplyDelta(io.MultiWriter(w, sum), rest, now, k.After.Size, k.Before.Size); err != nil && !errors.Is(err, ErrDelta) {
		return err
	} else if err != nil || HashText(sum.Sum64()) != k.Before.Hash {
		return fmt.Errorf("%s: %w", f.Path(k.name(name)), ErrDelta)
	}
	return nil
}

// sameStill returns an error when a name stands for another file than the open one, or that has changed.
func (f *Folder) sameStill(name string, open *os.File, was Stamp) error {
	a, err1 := open.Stat()
	b, err2 := f.root.Lstat(name)
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	if !os.SameFile(a, b) || b.Size() != was.Size || b.ModTime().UnixNano() != was.Time {
		return errors.New("somebody else has changed it meanwhile: it is left alone")
	}
	return nil
}
