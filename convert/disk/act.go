package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
)

// Act is a set of files of one folder that get their final names together: all of them, or none. The first is the main file
// and gets its name last. So if the main file is new, all of them are.
//
// Before the first rename, the act writes a note into the run's folder of unfinished files. The note says which files are
// about to get which names, and what had these names. Replaced files are kept there until the act is over. An error undoes
// what was begun. If the run is killed, the next run that opens the folder for output undoes it, whatever that run does.
type Act struct {
	files []*Pending
	first [1]*Pending // most have one file
	kept  []func()    // each forgets what was kept of a file that is to be replaced
}

// Add adds a completely written file that still has a temporary name.
func (a *Act) Add(p *Pending) {
	if a.files == nil {
		a.files = a.first[:0]
	}
	a.files = append(a.files, p)
}

// Discard removes the files without their final names, and what was kept for them. It may be called after Commit.
func (a *Act) Discard() {
	a.forget()
	for _, p := range a.files {
		p.Discard()
	}
}

// Commit gives all files their names, the first one last. If it fails, everything is as before. Files that were prepared to
// be durable are on disk when it returns.
func (a *Act) Commit() error {
	defer a.Discard()
	err := a.commit()
	if err == nil {
		a.kept = nil
	}
	return err
}

func (a *Act) commit() error {
	switch {
	case len(a.files) == 0:
		return nil
	case len(a.files) == 1 || a.files[0].folder.staged: // a staged folder gets its own name when it is whole
		return a.commitEach()
	}
	f := a.files[0].folder
	note, err := f.beginAct(a.files)
	if err != nil {
		return err
	}
	if err := a.name(note); err != nil {
		if left := f.takeBack(f.temporary.name, note); left != nil {
			f.temporary.pending.Store(true)
			return fmt.Errorf("%w; not all of what it replaced could be put back (%w): the next run in this folder does it", err, left)
		}
		return err
	}
	for _, n := range note.Files {
		if n.Kept != "" && fault("remove", n.Kept) == nil {
			_ = f.root.Remove(path.Join(f.temporary.name, n.Kept)) // best effort: it goes with its folder
		}
	}
	return nil
}

// commitEach gives files their names where no note is needed. A single one that is new is taken back by removing it.
func (a *Act) commitEach() error {
	for _, p := range a.files {
		if err := p.Commit(); err != nil {
			return err
		}
	}
	p := a.files[0]
	if !p.folder.sure {
		return nil
	}
	err := p.folder.Sync()
	if err != nil && !p.old {
		_ = p.folder.Remove(p.name) // best effort: it is whole
	}
	return err
}

// name gives the files their names, and keeps what had them.
func (a *Act) name(note *actNote) error {
	f := a.files[0].folder
	for i, p := range slices.Backward(a.files) {
		if err := f.keep(&note.Files[i]); err != nil {
			return f.named(p.name, inUse(err))
		}
		if err := p.Commit(); err != nil {
			return err
		}
	}
	if !f.sure {
		return nil
	}
	return f.Sync()
}

// actsName is the file in a folder of unfinished files that has a line for each act.
const actsName = "acts"

// actNote is what an act writes down before it begins. Its names are never those of anything outside of the folder.
type actNote struct {
	Files   []actFile `json:"files"`             // the main one first
	Folders []string  `json:"folders,omitempty"` // that are made for them, the innermost first
}

// actFile is a file of an act.
type actFile struct {
	Name string    `json:"name"`
	New  identity  `json:"new"`            // what gets the name
	Old  *identity `json:"old,omitempty"`  // what has it; nil for nothing
	Kept string    `json:"kept,omitempty"` // what that is called among the unfinished files
}

// identity tells a file from every other one, whatever it is called.
type identity struct {
	Size int64  `json:"size"`
	Time int64  `json:"time"`
	File string `json:"file,omitempty"` // device and number, where the system tells them
}

func identityOf(info fs.FileInfo) identity {
	return identity{info.Size(), info.ModTime().UnixNano(), fileNumber(info)}
}

// identify tells what stands under a name of the folder; nil for nothing.
func (f *Folder) identify(name string) (*identity, error) {
	info, err := f.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	is := identityOf(info)
	return &is, nil
}

// beginAct writes the note of an act.
func (f *Folder) beginAct(files []*Pending) (*actNote, error) {
	t, err := f.temporaries()
	if err != nil {
		return nil, err
	}
	note := &actNote{Folders: f.missingAbove(files)}
	for _, p := range files {
		file := actFile{Name: p.name, New: identityOf(p.info)}
		if p.replaces() {
			if file.Old, err = f.identify(p.name); err != nil {
				return nil, f.named(p.name, err)
			}
		}
		if file.Old != nil {
			file.Kept = strconv.FormatUint(t.next.Add(1), 10)
		}
		note.Files = append(note.Files, file)
	}
	line, err := json.Marshal(note)
	if err == nil {
		err = f.writeNote(t, line)
	}
	return note, err
}

// missingAbove returns the folders that are made for files, the innermost first.
func (f *Folder) missingAbove(files []*Pending) (list []string) {
	known := map[string]bool{".": true}
	for _, p := range files {
		for dir := path.Dir(p.name); !known[dir]; dir = path.Dir(dir) {
			known[dir] = true
			if _, err := f.root.Lstat(filepath.FromSlash(dir)); err == nil {
				break
			}
			list = append(list, dir)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) }) // what is in a folder has a longer path
	return list
}

// writeNote appends a line to the notes, and sees to it that it is on the disk before what it announces.
func (f *Folder) writeNote(t *temporaries, line []byte) error {
	t.noting.Lock()
	defer t.noting.Unlock()
	fresh := t.acts == nil
	if fresh {
		t.acts = &Journal{folder: f, name: path.Join(t.name, actsName)}
	}
	err := t.acts.Append(line)
	if err == nil && fresh && closeFirst { // it stands for the folder, which has no lock there
		err = unlessNoLocks(lockFile(t.acts.file))
	}
	if err != nil || !f.sure {
		return err
	}
	err = flush(t.name, t.acts.file.Sync)
	if err == nil && fresh {
		err = flush(t.name, func() error { return errors.Join(syncDirectory(t.self), syncDirectory(f.self)) })
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path(t.name), plain(err))
	}
	return nil
}

// keep keeps what a new file is about to replace: under a second name where the file system can do that, so that the first
// one is never without a file.
func (f *Folder) keep(n *actFile) error {
	if n.Old == nil {
		return nil
	}
	name, kept := filepath.FromSlash(n.Name), path.Join(f.temporary.name, n.Kept)
	err := fault("link", n.Name)
	if err == nil {
		err = f.root.Link(name, kept)
	}
	if err == nil {
		return nil
	}
	if err := fault("rename", n.Name); err != nil {
		return err
	}
	return f.root.Rename(name, kept)
}

// takeBack makes everything be as it was before an act, whose kept files are in the folder temporary. What somebody else
// has put under one of its names meanwhile stays.
func (f *Folder) takeBack(temporary string, note *actNote) error {
	var all error
	for _, n := range note.Files {
		if err := f.restore(temporary, n); err != nil {
			all = errors.Join(all, err)
		}
	}
	for _, dir := range note.Folders {
		if fault("remove", dir) == nil {
			_ = removeFrom(f.root, filepath.FromSlash(dir)) // unless somebody has put something into it
		}
	}
	if all == nil && f.sure {
		all = f.Sync()
	}
	return all
}

func (f *Folder) restore(temporary string, n actFile) error {
	is, err := f.identify(n.Name)
	switch {
	case err != nil:
		return err
	case n.Old == nil && is != nil && *is == n.New:
		return f.Remove(n.Name)
	case n.Old != nil && (is == nil || *is == n.New):
		return f.Rename(path.Join(temporary, n.Kept), n.Name)
	}
	return nil
}

// recoverActs takes back the acts that a run has begun and not ended, which is dead and kept its files in the folder
// temporary. What it has ended stays; a run that makes the same again may replace it, since nobody was told that it is
// there.
func (f *Folder) recoverActs(temporary string) error {
	name := path.Join(temporary, actsName)
	info, err := f.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // there were no acts
	}
	journal, lines, err := f.OpenJournal(name)
	if err != nil {
		return err
	}
	defer journal.Close()
	for _, line := range slices.Backward(lines) {
		note := new(actNote)
		if json.Unmarshal(line, note) != nil || !note.local() {
			continue // not one of ours
		}
		if err := f.recoverAct(temporary, note); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) recoverAct(temporary string, note *actNote) error {
	main := note.Files[0]
	is, err := f.identify(main.Name)
	if err != nil {
		return err
	}
	if is == nil || main.Old != nil && *is == *main.Old { // it never got its name
		return f.Durable().takeBack(temporary, note)
	}
	var names []string
	for _, n := range note.Files {
		if is, err := f.identify(n.Name); err != nil || is == nil || *is != n.New {
			return err // somebody has changed it: it is theirs
		}
		names = append(names, n.Name)
	}
	for _, name := range names {
		f.left[name] = true
	}
	return nil
}

// local reports whether a note speaks of files of its folder alone: it may have come from a stranger.
func (n *actNote) local() bool {
	inside := func(name string) bool { return filepath.IsLocal(filepath.FromSlash(name)) }
	for _, file := range n.Files {
		if !inside(file.Name) || file.Old != nil && (!inside(file.Kept) || file.Kept != path.Base(file.Kept)) {
			return false
		}
	}
	return len(n.Files) > 0 && !slices.ContainsFunc(n.Folders, func(dir string) bool { return !inside(dir) })
}
