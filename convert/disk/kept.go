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
	"slices"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"
)

// What a run overwrites is kept beside it: for each file, in a folder of its name, numbered records. Each holds what makes
// the file before of the file after, which is little where they are alike, and the hashes of both. So the records of a
// file lead back, one by one, to what it was before the first run. A record is on the disk before the file is replaced. One
// whose file never came is of no use, and does no harm: its hash is that of no file.

// KeptName is the folder of the records.
const KeptName = ".usher-undo"

// Kept is one record.
type Kept struct {
	Before Stamp     `json:"before"`
	After  Stamp     `json:"after"`
	When   time.Time `json:"when"`

	number int
}

// keptMark is what a record calls itself.
const keptMark = "what was overwritten"

type keptHead struct {
	Usher string `json:"usher"`
	Kept
}

func keptFolder(name string) string { return path.Join(KeptName, name) }

func (k Kept) name(of string) string { return path.Join(keptFolder(of), strconv.Itoa(k.number)) }

// is reports whether a file is the one of a stamp, whenever it was written.
func (s Stamp) is(other Stamp) bool { return s.Size == other.Size && s.Hash == other.Hash }

// Keep keeps what the file that is about to be replaced has, and its successor has not. It returns nil when nothing is
// replaced by something else.
func (p *Pending) Keep() (*Kept, error) {
	f := p.folder
	old, err := f.root.Open(p.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer old.Close()
	next, err := f.temporary.root.Open(p.temporary)
	if err != nil {
		return nil, err
	}
	defer next.Close()
	k := &Kept{When: time.Now().UTC().Truncate(time.Second)}
	if k.Before, err = StampOf(old); err != nil {
		return nil, err
	}
	if k.After, err = StampOf(next); err != nil || k.Before.is(k.After) {
		return nil, err
	}
	if err := f.clearKept(p.name, k); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path(KeptName), plain(err))
	}
	record, err := f.Durable().Prepare(k.name(p.name), func(w io.Writer) error {
		head, err := json.Marshal(keptHead{keptMark, *k})
		if err == nil {
			_, err = w.Write(append(head, '\n'))
		}
		if err != nil {
			return err
		}
		return WriteDelta(w, next, k.After.Size, old, k.Before.Size)
	})
	if err != nil {
		return nil, err
	}
	if err := record.Commit(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.changed["."], f.changed[KeptName] = true, true // they may be new
	f.mu.Unlock()
	return k, f.Sync()
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
		if !slices.Contains(unused, old) {
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

// Forget removes the record of a file that does not come.
func (p *Pending) Forget(k *Kept) {
	if k != nil {
		_ = p.folder.forget(p.name, []Kept{*k}) // best effort: it does no harm
	}
}

func (f *Folder) forget(name string, list []Kept) error {
	for _, k := range slices.Backward(list) {
		if err := f.Remove(k.name(name)); err != nil {
			return err
		}
	}
	for _, dir := range [...]string{keptFolder(name), KeptName} { // only when there is nothing in them
		if fault("remove", dir) == nil {
			_ = removeFrom(f.root, dir)
		}
	}
	return nil
}

// Kept returns the records of a file, the first one first. What is no record is passed over.
func (f *Folder) Kept(name string) (list []Kept, err error) {
	for _, dir := range [...]string{KeptName, keptFolder(name)} {
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
	r := bufio.NewReaderSize(file, 4096)
	line, err := r.ReadSlice('\n')
	var head keptHead
	if errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull) || err == nil && (json.Unmarshal(line, &head) != nil || head.Usher != keptMark) {
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

// Errors of Undo.
var (
	ErrNothingKept = errors.New("nothing of it is kept: no run has overwritten it here")
	ErrChanged     = errors.New("it is not what the last run over it wrote")
)

// Undo brings back what a file was before the last run over it, byte for byte, and returns the record that led there, and
// how many are left to go back further. The bytes are known to be right before the file is replaced. A dry one only tells.
func (f *Folder) Undo(name string, dry bool) (k Kept, left int, err error) {
	list, err := f.Kept(name)
	if err != nil {
		return k, 0, err
	}
	if len(list) == 0 {
		return k, 0, ErrNothingKept
	}
	now, err := f.root.Open(name)
	if err != nil {
		return k, 0, err
	}
	defer now.Close()
	is, err := StampOf(now)
	if err != nil {
		return k, 0, err
	}
	last := len(list) - 1 // the last one that knows the file as it is
	for last >= 0 && !list[last].After.is(is) && !list[last].Before.is(is) {
		last--
	}
	if last < 0 {
		k = list[len(list)-1]
		return k, 0, fmt.Errorf("%w (%d bytes, %s): another program has changed it since", ErrChanged, k.After.Size, k.When.Local().Format(time.DateTime))
	}
	k, left = list[last], stepsBack(list[:last], list[last].Before)
	if k.Before.is(is) { // a killed run has brought it back, or never replaced it
		if !dry {
			err = f.forget(name, list[last:])
		}
		return k, left, err
	}
	if dry {
		return k, left, f.writeBefore(io.Discard, name, k, now)
	}
	p, err := f.Forced().Durable().Prepare(name, func(w io.Writer) error { return f.writeBefore(w, name, k, now) })
	if err != nil {
		return k, left, err
	}
	if err := f.sameStill(name, now, is); err != nil {
		p.Discard()
		return k, left, err
	}
	now.Close() // Windows does not replace an open file
	if err := p.Commit(); err != nil {
		return k, left, err
	}
	if err := f.Sync(); err != nil {
		return k, left, err
	}
	return k, left, f.forget(name, list[last:])
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
