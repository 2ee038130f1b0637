package disk

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What a run overwrites is kept beside it: for each file, in a folder of its name, numbered records. Each holds what makes
// the file before of the file after, which is little where they are alike, and the hashes of both. So the records of a
// file lead back, one by one, to what it was before the first run. A record is on the disk before the file is replaced. One
// whose file never came is of no use, and does no harm: its hash is that of no file. Of an act, the record of each file
// names the others of its folder: they go back together.

// KeptName is the folder of the records for undo.
const KeptName = ".usher-undo"

// DraftName is the folder of what was changed of files and is not saved.
const DraftName = ".usher-desk"

// IsOwnFolder reports whether a folder of that name holds what usher keeps for itself, and none of the user's files.
func IsOwnFolder(name string) bool {
	return IsTemporary(name) || name == KeptName || name == DraftName
}

// Kept is one record: what a file was before an act.
type Kept struct {
	Before Stamp     `json:"before"`
	After  Stamp     `json:"after"`
	When   time.Time `json:"when"`
	With   []Change  `json:"with,omitempty"` // the other files of the act in the same folder

	number int
}

// Change is what an act did to a file.
type Change struct {
	Name   string `json:"name"`
	Before Stamp  `json:"before,omitzero"` // stamp of the replaced file, without a hash if there was none
	After  Stamp  `json:"after"`
}

// isNew reports whether the file was not there.
func (c Change) isNew() bool { return c.Before.Hash == "" }

// mayBe reports whether a change may be one of an act with the file of that name: a record may come from a stranger.
func (c Change) mayBe(name string) bool {
	return c.Name != name && c.Name == filepath.Base(c.Name) && filepath.IsLocal(c.Name) && !strings.HasPrefix(c.Name, ".usher")
}

// keptMark is what a record calls itself.
const keptMark = "what was overwritten"

type keptHead struct {
	Usher string `json:"usher"`
	Kept
}

// keptFolder returns the folder of a file's records, in that of the folder where the file itself lies.
func keptFolder(name string) string { return path.Join(path.Dir(name), KeptName, path.Base(name)) }

func (k Kept) name(of string) string { return path.Join(keptFolder(of), strconv.Itoa(k.number)) }

// is reports whether a file is the one of a stamp, whenever it was written.
func (s Stamp) is(other Stamp) bool { return s.Size == other.Size && s.Hash == other.Hash }

// Keep stores what is needed to undo the act: what the replaced files have and their successors do not. It is deleted if
// the act fails.
func (a *Act) Keep() error {
	var list []*keeping
	defer func() {
		for _, k := range list {
			k.close()
		}
	}()
	for _, p := range a.files {
		k, err := p.open()
		if err != nil {
			return err
		}
		list = append(list, k)
	}
	if !slices.ContainsFunc(list, func(k *keeping) bool { return k.old != nil }) {
		return nil // as a new file of any size
	}
	var changes []Change
	for _, k := range list {
		if err := k.stamp(); err != nil {
			return err
		}
		if !k.Before.is(k.After) {
			changes = append(changes, k.Change)
		}
	}
	when := time.Now().UTC().Truncate(time.Second)
	for _, k := range list {
		if k.isNew() || k.Before.is(k.After) {
			continue
		}
		if err := k.write(a, &Kept{Before: k.Before, After: k.After, When: when, With: k.beside(changes)}); err != nil {
			return err
		}
	}
	return nil
}

// beside returns the changes of an act to other files that lie beside the file: those go back with it.
func (k *keeping) beside(changes []Change) (list []Change) {
	for _, c := range changes {
		if c.Name != k.Name && path.Dir(c.Name) == path.Dir(k.Name) {
			c.Name = path.Base(c.Name)
			list = append(list, c)
		}
	}
	return list
}

// forget removes the records of files that do not get their names.
func (a *Act) forget() {
	for _, forget := range a.kept {
		forget() // best effort: they do no harm
	}
	a.kept = nil
}

// keeping is a file that is about to be replaced, and its successor.
type keeping struct {
	Change
	folder    *Folder
	old, next *os.File // old is nil where nothing is replaced
}

func (p *Pending) open() (*keeping, error) {
	k := &keeping{Change: Change{Name: p.name}, folder: p.folder}
	var err error
	if k.old, err = p.folder.root.Open(p.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if k.next, err = p.folder.temporary.root.Open(p.temporary); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

func (k *keeping) close() {
	for _, file := range [...]*os.File{k.old, k.next} {
		if file != nil {
			file.Close()
		}
	}
}

func (k *keeping) stamp() (err error) {
	if k.After, err = StampOf(k.next); err != nil || k.old == nil {
		return err
	}
	k.Before, err = StampOf(k.old)
	return err
}

// write writes the record.
func (k *keeping) write(a *Act, x *Kept) error {
	f := k.folder
	if err := f.clearKept(k.Name, x); err != nil {
		return fmt.Errorf("%s: %w", f.Path(KeptName), plain(err))
	}
	record, err := f.Durable().Prepare(x.name(k.Name), func(w io.Writer) error {
		head, err := json.Marshal(keptHead{keptMark, *x})
		if err == nil {
			_, err = w.Write(append(head, '\n'))
		}
		if err != nil {
			return err
		}
		return WriteDelta(w, k.next, x.After.Size, k.old, x.Before.Size)
	})
	if err != nil {
		return err
	}
	if err := record.Commit(); err != nil {
		return err
	}
	a.kept = append(a.kept, func() { _ = f.forget(k.Name, []Kept{*x}) })
	f.mu.Lock()
	for dir := keptFolder(k.Name); dir != "."; dir = path.Dir(dir) { // they may be new
		f.changed[path.Dir(dir)] = true
	}
	f.mu.Unlock()
	return f.Sync()
}

// clearKept makes room for a record, and gives it its number: what no file of now leads to is removed.
func (f *Folder) clearKept(name string, k *Kept) error {
	list, err := f.Kept(name)
	if err != nil {
		return err
	}
	last := lastOf(list, k.Before)
	unused := slices.Clone(list[last+1:])
	if last < 0 { // another program has changed the file: only what leads back to what is there anyway is of no use
		unused = slices.DeleteFunc(unused, func(old Kept) bool { return !old.Before.is(k.Before) })
	}
	k.number = 1
	for _, old := range list {
		if !slices.ContainsFunc(unused, func(x Kept) bool { return x.number == old.number }) {
			k.number = old.number + 1
		}
	}
	return f.forget(name, unused)
}

// lastOf returns the last record that leads back from a file; −1 when none does.
func lastOf(list []Kept, from Stamp) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].After.is(from) {
			return i
		}
	}
	return -1
}

// stepsBack counts the records that lead back from a file, one after the other.
func stepsBack(list []Kept, from Stamp) (n int) {
	for last := lastOf(list, from); last >= 0; last = lastOf(list, from) {
		from, list = list[last].Before, list[:last]
		n++
	}
	return n
}

func (f *Folder) forget(name string, list []Kept) error {
	for _, k := range slices.Backward(list) {
		if err := f.Remove(k.name(name)); err != nil {
			return err
		}
	}
	for _, dir := range [...]string{keptFolder(name), path.Dir(keptFolder(name))} { // only when there is nothing in them
		if fault("remove", dir) == nil {
			_ = removeFrom(f.root, dir)
		}
	}
	return nil
}

// Kept returns the records of a file, the oldest first. Other files in the folder of records are ignored.
func (f *Folder) Kept(name string) (list []Kept, err error) {
	for _, dir := range [...]string{path.Dir(keptFolder(name)), keptFolder(name)} {
		info, err := f.lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder", dir)
		}
	}
	dir, err := f.root.Open(keptFolder(name))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	for _, text := range names {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 {
			continue
		}
		k := Kept{number: number}
		file, _, err := f.openKept(name, &k)
		if errors.Is(err, ErrDelta) || errors.Is(err, ErrSpecial) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		file.Close()
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b Kept) int { return cmp.Compare(a.number, b.number) })
	return list, nil
}

// local reports whether a record of a file speaks of others of its folder alone.
func (k *Kept) local(name string) bool {
	return !slices.ContainsFunc(k.With, func(c Change) bool { return !c.mayBe(path.Base(name)) })
}

// openKept opens the record of that number, reads what it says of itself, and returns what is left of it.
func (f *Folder) openKept(name string, k *Kept) (file *os.File, rest io.Reader, err error) {
	local := k.name(name)
	info, err := f.lstat(local)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrSpecial
	}
	if err != nil {
		return nil, nil, err
	}
	if file, err = f.root.OpenFile(local, os.O_RDONLY|openFlags, 0); err != nil {
		return nil, nil, err
	}
	r := bufio.NewReaderSize(file, 1<<14)
	line, err := r.ReadSlice('\n')
	var head keptHead
	if errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull) || err == nil && (json.Unmarshal(line, &head) != nil || head.Usher != keptMark || !head.local(name)) {
		err = ErrDelta
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	number := k.number
	*k = head.Kept
	k.number = number
	return file, r, nil
}
