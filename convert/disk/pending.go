package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Pending is a completely written file that still has a temporary name.
type Pending struct {
	Size int64 // of the file
	Time int64 // modification time, nanoseconds since 1970

	folder    *Folder
	name      string
	temporary string
	info      fs.FileInfo // of the whole file
	old       bool        // it takes the place of another file
	synced    bool
	over      bool // it has its name, or is gone
}

// Prepare writes a file through fill under a temporary name. If that fails, nothing is left of it. If the file is to
// replace another one, it gets that file's mode and owner, and is on disk when Prepare returns.
func (f *Folder) Prepare(name string, fill func(io.Writer) error) (*Pending, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, &fs.PathError{Op: "write", Path: f.Path(name), Err: errors.New("the name leads out of the folder")}
	}
	old, err := f.replaced(name)
	if err != nil {
		return nil, err
	}
	return f.prepare(name, old, fill)
}

func (f *Folder) prepare(name string, old fs.FileInfo, fill func(io.Writer) error) (*Pending, error) {
	var out *os.File
	var temporary string // stays empty for a file that is written under its name
	var err error
	if f.staged && !f.sure && old == nil {
		out, err = createStaged(f, name, f.openStaged)
	} else {
		out, temporary, err = f.create(old)
	}
	if err != nil {
		return nil, f.named(name, err)
	}
	p := &Pending{folder: f, name: name, temporary: temporary, old: old != nil, synced: f.sure || old != nil}
	if err := p.fill(out, old, fill); err != nil {
		p.Discard()
		return nil, f.named(name, err)
	}
	return p, nil
}

func (p *Pending) fill(out *os.File, old fs.FileInfo, fill func(io.Writer) error) (err error) {
	if old != nil {
		err = keepMode(out, old)
	}
	if err == nil {
		err = fill(faulty(out, p.folder.Path(p.name)))
	}
	if err == nil && p.synced {
		err = flush(p.name, out.Sync)
	}
	if err == nil {
		err = p.describe(out)
	}
	closing := out.Close()
	if err == nil {
		err = fault("close", p.name)
	}
	if err == nil {
		err = closing
	}
	return err
}

func (p *Pending) describe(out *os.File) error {
	info, err := out.Stat()
	if err == nil {
		p.info, p.Size, p.Time = info, info.Size(), info.ModTime().UnixNano()
	}
	return err
}

// PrepareContent is Prepare for content in memory. In a folder that still has a temporary name it takes as few steps as
// possible, because thousands of files are made there.
func (f *Folder) PrepareContent(name string, content []byte) (*Pending, error) {
	if !f.staged || f.sure || strings.Contains(name, "/") || !filepath.IsLocal(name) || !f.unused(name) {
		return f.Prepare(name, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
	}
	out, err := createStaged(f, name, f.newFile)
	if err != nil {
		return nil, &fs.PathError{Op: "write", Path: f.Path(name), Err: plain(err)}
	}
	p := &Pending{folder: f, name: name}
	if err := p.put(out, content); err != nil {
		p.Discard()
		return nil, &fs.PathError{Op: "write", Path: f.Path(name), Err: plain(err)}
	}
	return p, nil
}

func (p *Pending) put(out newFile, content []byte) error {
	err := fault("write", p.name)
	if err != nil {
		content = content[:len(content)/2] // a full disk takes what still fits
	}
	if _, writing := out.Write(content); err == nil {
		err = writing
	}
	if err == nil {
		p.Size, p.Time, err = out.describe()
	}
	closing := out.Close()
	if err == nil {
		err = fault("close", p.name)
	}
	if err == nil {
		err = closing
	}
	return err
}

// keepMode gives a new file the mode of the one that it replaces, and its owner where that is allowed.
func keepMode(out *os.File, old fs.FileInfo) error {
	keepOwner(out, old) // best effort: not everybody may give files away
	if err := out.Chmod(old.Mode().Perm()); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

// Commit gives the file its final name.
func (p *Pending) Commit() error {
	f := p.folder
	if p.temporary == "" {
		p.over = true
		f.noteCommitted(p.name, p.synced)
		return nil
	}
	err := p.rename()
	if parent := path.Dir(p.name); parent != "." && errors.Is(err, fs.ErrNotExist) {
		if err = f.root.MkdirAll(filepath.FromSlash(parent), 0o777); err == nil {
			err = p.rename()
		}
	}
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s %w", f.Path(p.name), ErrExists)
	}
	if err != nil {
		p.Discard()
		return f.named(p.name, inUse(err))
	}
	p.over = true
	f.noteCommitted(p.name, p.synced)
	return nil
}

func (p *Pending) rename() error {
	f := p.folder
	if err := fault("rename", p.name); err != nil {
		return &os.LinkError{Op: "rename", Old: p.temporary, New: p.name, Err: err}
	}
	if !strings.Contains(p.name, "/") {
		return f.renameFlat(p.temporary, p.name, p.replaces())
	}
	if !p.replaces() {
		if _, err := f.root.Lstat(filepath.FromSlash(p.name)); err == nil {
			return fs.ErrExist
		}
	}
	return f.root.Rename(path.Join(f.temporary.name, p.temporary), filepath.FromSlash(p.name))
}

// replaces reports whether the file may take the place of another one.
func (p *Pending) replaces() bool { return p.folder.force || p.folder.opened.left[p.name] }

// Discard removes the file. After Commit it does nothing.
func (p *Pending) Discard() {
	if p == nil || p.over {
		return
	}
	p.over = true
	if p.temporary == "" {
		_ = p.folder.Remove(p.name) // best effort: the next run replaces it
		return
	}
	if fault("remove", p.temporary) == nil {
		_ = removeFrom(p.folder.temporary.root, p.temporary) // best effort: the next run removes it
	}
}

// faulty returns a file as a writer that asks for faults. Without them it is the file itself, which copies faster.
func faulty(out *os.File, path string) io.Writer {
	if Fault == nil {
		return out
	}
	return &faultyWriter{out, path}
}

type faultyWriter struct {
	out  *os.File
	path string
}

func (w *faultyWriter) Write(b []byte) (int, error) {
	if err := fault("write", w.path); err != nil {
		n, _ := w.out.Write(b[:len(b)/2]) // a full disk takes what still fits
		return n, err
	}
	return w.out.Write(b)
}
