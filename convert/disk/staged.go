package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// stagedPrefix and the name of a folder are what that is called until Settle. Inside, files are written straight under
// their names, without a step for each that gives it to them: nobody takes a file of such a folder for whole.
const stagedPrefix = temporaryPrefix + "unfinished-"

// stagedPath returns what a folder is called until it gets its name.
func stagedPath(dir string) string {
	dir = filepath.Clean(dir)
	return filepath.Join(filepath.Dir(dir), stagedPrefix+filepath.Base(dir))
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Claim opens the folder dir for output like Open, and locks it for a run of the command. A new folder is made under a
// temporary name until Settle. If an earlier run was killed, its folder with the temporary name is used again.
func Claim(dir string, force bool, command string) (*Folder, *Lock, error) {
	for {
		f, err := openOrStage(dir, force)
		if err != nil {
			return nil, nil, err
		}
		l, err := f.Lock(command)
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		if !f.staged || isMissing(dir) {
			if !f.staged {
				dropStaged(dir, command)
			}
			return f, l, nil
		}
		l.Release() // what was staged has got its name meanwhile
		f.Close()
	}
}

// Staged reports whether the folder still has a temporary name.
func (f *Folder) Staged() bool { return f.staged }

func openOrStage(dir string, force bool) (*Folder, error) {
	if closeFirst || !isMissing(dir) { // a folder cannot be renamed while something in it is open
		return Open(dir, force)
	}
	at := stagedPath(dir)
	if err := fault("mkdir", at); err != nil {
		return nil, err
	}
	above := missingFolders(filepath.Dir(at))
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		removeEmpty(above)
		return nil, err
	}
	err := os.Mkdir(at, 0o777)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return Open(dir, force) // such as a name that is too long with what comes before it
	}
	made := err == nil
	if !made {
		err = checkStaged(at)
	}
	var f *Folder
	if err == nil {
		f, err = openAt(dir, place{at, true}, force, made)
	}
	if err != nil {
		return nil, err
	}
	f.made = above
	return f, nil
}

// checkStaged refuses what is called like a folder that has not its name yet, and is none that a run has made: a link would
// lead somewhere else, and what is in a folder without the lock of a run is somebody's own.
func checkStaged(at string) error {
	info, err := os.Lstat(at)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder, and usher would keep an unfinished one there; take it away", at)
	}
	inside, err := readSome(at)
	if err != nil {
		return err
	}
	if len(inside) > 0 && isMissing(filepath.Join(at, LockName)) {
		return fmt.Errorf("%s holds files that no run of usher has left; take it away", at)
	}
	return nil
}

// readSome returns some of the names in a folder.
func readSome(dir string) ([]string, error) {
	list, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	names, err := list.Readdirnames(3)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, err
}

// dropStaged removes what a killed run has left of a folder that has come to be otherwise.
func dropStaged(dir, command string) {
	at := stagedPath(dir)
	if isMissing(at) {
		return
	}
	if checkStaged(at) != nil {
		return // somebody else's
	}
	f, err := openAt(dir, place{at: at}, true, false)
	if err != nil {
		return
	}
	defer f.Close()
	l, err := f.Lock(command)
	if err != nil {
		return // somebody is at work on it
	}
	defer l.Release()
	if fault("remove", at) == nil {
		os.RemoveAll(at) // best effort: it is in nobody's way
	}
}

// Settle gives a staged folder its final name, even if the run failed; its manifest says whether it is complete. Close
// removes an empty folder.
func (f *Folder) Settle() error {
	if f.opened == nil || !f.staged {
		return nil
	}
	holds, err := f.holdsFiles()
	if err == nil && !holds {
		return nil
	}
	if err == nil {
		err = fault("rename", f.dir)
	}
	if err == nil {
		err = os.Rename(f.at, f.dir)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.dir, plainLink(err))
	}
	f.at, f.staged = f.dir, false
	return f.syncParent()
}

// holdsFiles reports whether there is anything in the folder but what ends with the run.
func (f *Folder) holdsFiles() (bool, error) {
	list, err := f.root.Open(".")
	if err != nil {
		return false, err
	}
	defer list.Close()
	names, err := list.Readdirnames(3)
	for _, name := range names {
		if name != LockName && !isTemporaries(name) {
			return true, nil
		}
	}
	if len(names) < 3 { // io.EOF, where it is empty
		err = nil
	}
	return len(names) == 3, err
}

func (f *Folder) syncParent() error {
	parent := filepath.Dir(filepath.Clean(f.dir))
	return flush(parent, func() error {
		file, err := os.Open(parent)
		if err != nil {
			return nil // one may be allowed to write to a folder that one may not list
		}
		defer file.Close()
		return syncDirectory(file)
	})
}

// createStaged makes a file of a folder that has not its name yet. What a killed run has left there is replaced.
func createStaged[F any](f *Folder, name string, open func(name string) (F, error)) (file F, err error) {
	if err := fault("create", name); err != nil {
		return file, &fs.PathError{Op: "open", Path: f.Path(name), Err: err}
	}
	file, err = open(name)
	if err == nil {
		return file, nil
	}
	if errors.Is(err, fs.ErrExist) && f.root.Remove(filepath.FromSlash(name)) == nil {
		file, err = open(name)
	}
	if parent := filepath.Dir(filepath.FromSlash(name)); errors.Is(err, fs.ErrNotExist) && parent != "." {
		if err = f.root.MkdirAll(parent, 0o777); err == nil {
			file, err = open(name)
		}
	}
	return file, err
}

func (f *Folder) openStaged(name string) (*os.File, error) {
	if !strings.Contains(name, "/") {
		return openIn(f.self, f.root, name, 0o666)
	}
	return f.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}
