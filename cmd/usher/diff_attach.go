package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"html/template"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

// attachment is a patch that a page has with it.
type attachment struct {
	Name    string // of the folder in the ZIP
	Command string // puts it on
	Data    template.URL
	Size    int64
	Entries int
	Whole   bool   // it has all of a file that is no archive
	Inexact bool   // put on it gives the entries, in another arrangement
	Why     string // there is none
}

// mostAttached is how large a ZIP may be to go into a page, in bytes.
const mostAttached = 32 << 20

// attachPatch makes the patch of two files, or says why there is none. Of folders and of what is the same there is none to
// speak of.
func attachPatch(ctx context.Context, l engine.Loader, old, now string) (*attachment, error) {
	if !isFile(old) || !isFile(now) {
		return nil, nil
	}
	room, err := os.MkdirTemp("", "usher-patch-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(room)
	job := worktree.Patching{Loader: l}
	done, err := job.Run(ctx, old, now, room, new(schema.Diagnostics))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, worktree.ErrSame):
		return nil, nil
	case errors.As(err, new(syscall.Errno)): // the disk, not the patch
		return nil, err
	case err != nil:
		names := strings.NewReplacer(room, "the patch", old, filepath.Base(old), now, filepath.Base(now)) // where they lie concerns nobody
		return &attachment{Why: names.Replace(err.Error())}, nil
	}
	name := strings.TrimSuffix(filepath.Base(now), filepath.Ext(now)) + "-patch"
	b, err := zipped(os.DirFS(room), name)
	if err != nil {
		return nil, err
	}
	a := &attachment{Name: name, Command: patchCommand(name, filepath.Base(old), filepath.Base(now)), Size: int64(len(b)), Entries: len(done.Entries), Whole: done.Whole, Inexact: !done.Exact}
	if len(b) <= mostAttached {
		a.Data = dataURL("application/zip", b)
	}
	return a, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// patchCommand is what puts a patch on. The result never takes the place of the original.
func patchCommand(patch, old, now string) string {
	if old == now {
		now = "patched/" + now
	}
	return "usher pack " + shellWord(patch) + " --base " + shellWord(old) + " -o " + shellWord(now)
}

// shellWord is a name as a shell takes it for one word.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r > ' ' && r < 0x7F && !strings.ContainsRune("!\"#$&'()*;<>?[\\]^`{|}~", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// zipped is a ZIP of a folder, which it calls by a name. The same files give the same bytes.
func zipped(dir fs.FS, name string) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	err := fs.WalkDir(dir, ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case disk.IsTemporary(e.Name()): // it could not be removed
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return nil
		}
		content, err := fs.ReadFile(dir, p)
		if err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: path.Join(name, p), Method: zip.Deflate})
		if err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
