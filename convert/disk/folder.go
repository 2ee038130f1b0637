package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// ErrExists is the error for an output that exists and must not be overwritten.
var ErrExists = errors.New("exists already")

// Folder is an output folder. No name can lead out of it, whatever links it contains. Several goroutines may use it.
type Folder struct {
	dir   string
	force bool
	sure  bool // every file is on the disk before it gets its name
	*place
	*opened
}

// place is where the folder is. What all views of it share.
type place struct {
	at     string // dir, or what it is called until Settle
	staged bool   // it is not called dir yet
}

// opened is what the views of a folder share; nil in a dry run.
type opened struct {
	root *os.Root
	self *os.File // the folder itself
	made []string // the folders that Open has made, the innermost first
	room *Folder  // that it has; nil for none

	mu        sync.Mutex
	temporary *temporaries // nil before the first file
	fresh     bool         // new files were made that are not yet known to be on the disk
	changed   map[string]bool
	left      map[string]bool // the names of files that a killed run has finished and told nobody of
	own       map[string]bool // the names of all files, where the run has made the folder; else nil
}

// Open opens the folder dir for output. It creates the folder if needed; Close removes it again if it is empty. With force,
// existing files may be overwritten. Open removes unfinished files of runs that have ended, and undoes acts that they
// began.
func Open(dir string, force bool) (*Folder, error) {
	if err := fault("mkdir", dir); err != nil {
		return nil, err
	}
	made := missingFolders(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		removeEmpty(made)
		return nil, err
	}
	f, err := openAt(dir, place{at: dir}, force, len(made) > 0)
	if err != nil {
		removeEmpty(made)
		return nil, err
	}
	f.made = made
	return f, nil
}

// missingFolders returns dir and the folders above it that are not there, the innermost first.
func missingFolders(dir string) (list []string) {
	for at := filepath.Clean(dir); isMissing(at); at = filepath.Dir(at) {
		list = append(list, at)
	}
	return list
}

// removeEmpty removes folders as long as they are empty.
func removeEmpty(folders []string) {
	for _, p := range folders {
		if fault("remove", p) != nil || os.Remove(p) != nil {
			return
		}
	}
}

// openAt opens the folder dir where it is. A made one holds nothing yet.
func openAt(dir string, where place, force, made bool) (*Folder, error) {
	root, err := os.OpenRoot(where.at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, plain(err))
	}
	self, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("%s: %w", dir, plain(err))
	}
	f := &Folder{dir: dir, force: force, place: &where, opened: &opened{root: root, self: self, changed: map[string]bool{}, left: map[string]bool{}}}
	if made || where.staged {
		f.own = map[string]bool{}
	}
	if !made {
		f.sweep()
	}
	return f, nil
}

// Dry returns a Folder that nothing is written to. The folder need not exist.
func Dry(dir string, force bool) *Folder {
	where := place{at: dir}
	if staged := stagedPath(dir); isMissing(dir) && checkStaged(staged) == nil {
		where = place{staged, true}
	}
	return &Folder{dir: dir, force: force, place: &where}
}

// Close closes the folder. Files that were prepared and not committed are removed.
func (f *Folder) Close() error {
	if f.opened == nil {
		return nil
	}
	if f.room != nil {
		f.room.Close() // else it cannot be removed on Windows; a second time when all is well
	}
	f.temporary.remove()
	f.self.Close()
	err := f.root.Close()
	if f.staged && fault("remove", f.at) == nil {
		_ = os.Remove(f.at) // only when there is nothing in it
	}
	removeEmpty(f.made)
	return err
}

// Forced returns the same folder with permission to overwrite.
func (f *Folder) Forced() *Folder {
	own := *f
	own.force = true
	return &own
}

// Durable returns the same folder for files that must survive a power failure: each is on disk before it gets its name.
func (f *Folder) Durable() *Folder {
	own := *f
	own.sure = true
	return &own
}

// Path returns the path of a file of the folder as a user would type it.
func (f *Folder) Path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// Place returns the present path of a file of the folder. It differs from Path if the folder still has a temporary name.
func (f *Folder) Place(name string) string { return filepath.Join(f.at, filepath.FromSlash(name)) }

// Stat describes a file of the folder.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	if err := fault("stat", name); err != nil {
		return nil, err
	}
	if f.opened == nil {
		return os.Stat(f.Place(name))
	}
	return f.root.Stat(filepath.FromSlash(name))
}

// Remove removes a file of the folder. If there is none, that is not an error.
func (f *Folder) Remove(name string) error {
	err := fault("remove", name)
	if err == nil {
		err = removeFrom(f.root, filepath.FromSlash(name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Rename renames a file of the folder and replaces whatever has the new name.
func (f *Folder) Rename(from, to string) error {
	err := fault("rename", to)
	if err == nil {
		err = f.root.Rename(filepath.FromSlash(from), filepath.FromSlash(to))
	}
	if err != nil {
		return &fs.PathError{Op: "rename", Path: f.Path(from), Err: plainLink(err)}
	}
	f.noteCommitted(to, true)
	return nil
}

func plainLink(err error) error {
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return plain(err)
}

// lstat describes what stands under a name, in a dry run as well.
func (f *Folder) lstat(name string) (fs.FileInfo, error) {
	if err := fault("stat", name); err != nil {
		return nil, err
	}
	if f.opened == nil {
		return os.Lstat(f.Place(name))
	}
	return f.root.Lstat(filepath.FromSlash(name))
}

// Check returns an error that wraps ErrExists if the file exists and must not be overwritten. It returns another error if
// the file cannot be overwritten, because it is not a regular file.
func (f *Folder) Check(name string) error {
	_, err := f.replaced(name)
	return err
}

// replaced describes the file that name is to replace; nil when there is none.
func (f *Folder) replaced(name string) (fs.FileInfo, error) {
	if f.staged && (f.opened == nil || f.unused(name)) || f.unused(name) || f.missing(name) {
		return nil, fault("stat", name)
	}
	info, err := f.lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", f.Path(name), plain(err))
	case !f.force && (f.opened == nil || !f.left[name]):
		return nil, fmt.Errorf("%s %w", f.Path(name), ErrExists)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder: a file cannot take its place", f.Path(name))
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a symbolic link: remove it, or name the file that it leads to", f.Path(name))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file: it is not overwritten", f.Path(name))
	}
	return info, nil
}

// unused reports whether a name is a new one in a folder that was made by Open: none but ours are there, and where somebody
// else is at work as well, nothing of theirs is overwritten without force.
func (f *Folder) unused(name string) bool {
	if f.opened == nil || f.force && !f.staged || strings.Contains(name, "/") && !f.staged {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.own != nil && !f.own[name]
}

// Write writes one file; name is relative, with slashes.
func (f *Folder) Write(name string, content []byte) error {
	return f.Create(name, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Create writes one file through fill and makes sure that it is on disk. If fill fails, nothing is left of the file.
func (f *Folder) Create(name string, fill func(io.Writer) error) error {
	p, err := f.Durable().Prepare(name, fill)
	if err != nil {
		return err
	}
	var act Act
	act.Add(p)
	return act.Commit()
}

// Sync returns when all committed files are on disk and would survive a power failure.
func (f *Folder) Sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fresh {
		if err := flush(f.dir, f.syncAll); err != nil {
			return fmt.Errorf("%s: %w", f.dir, plain(err))
		}
		f.fresh = false
	}
	for _, dir := range slices.Sorted(maps.Keys(f.changed)) {
		if err := f.syncFolder(dir); err != nil {
			return fmt.Errorf("%s: %w", f.Path(dir), plain(err))
		}
	}
	clear(f.changed)
	return nil
}

func (f *Folder) syncFolder(dir string) error {
	return flush(dir, func() error {
		file, err := f.root.Open(filepath.FromSlash(dir))
		if err != nil {
			return err
		}
		defer file.Close()
		return syncDirectory(file)
	})
}

// noteCommitted notes what Sync has to do for a file that got its name.
func (f *Folder) noteCommitted(name string, synced bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fresh = f.fresh || !synced
	f.changed[path.Dir(name)] = true
	if f.own != nil {
		f.own[name] = true
	}
}

// named returns an error of a temporary file as one of the file that it was to become.
func (f *Folder) named(name string, err error) error {
	var of *fs.PathError
	if errors.As(err, &of) && strings.Contains(filepath.ToSlash(of.Path), temporaryPrefix) {
		return &fs.PathError{Op: "write", Path: f.Path(name), Err: of.Err}
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return &fs.PathError{Op: "write", Path: f.Path(name), Err: link.Err}
	}
	return err
}

// plain drops the system call and path that the caller names anyway.
func plain(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
