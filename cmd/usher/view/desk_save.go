package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

// saving is what the page says of how changes are to be saved.
type saving struct {
	Name  string `json:"name"`  // in the folder of the original; empty for NAME.new.EXT, or NAME.patch
	Over  bool   `json:"over"`  // over the original
	Force bool   `json:"force"` // somebody has said that what is there may be replaced
}

// Saved is what came of it.
type Saved struct {
	Path  string   `json:"path"`
	Size  int64    `json:"size,omitempty"`
	Told  []string `json:"told"`
	Undo  bool     `json:"undo,omitempty"`  // it was written over something that can be brought back
	Exist bool     `json:"exist,omitempty"` // nothing was written: there is a file of that name
}

// errOtherFolder is the error of a name that leads elsewhere.
var errOtherFolder = errors.New("it is saved beside the original: name a file, and no folder")

// out returns the file, or the folder, that is written for the original at path.
func (s *saving) out(path, usual string) (string, error) {
	switch {
	case s.Over:
		return path, nil
	case s.Name == "":
		return filepath.Join(filepath.Dir(path), usual), nil
	case s.Name != filepath.Base(s.Name) || s.Name != disk.SafeName(s.Name) || disk.IsTemporary(s.Name) || disk.IsLock(s.Name):
		return "", fmt.Errorf("%q: %w", s.Name, errOtherFolder)
	}
	return filepath.Join(filepath.Dir(path), s.Name), nil
}

// asked reads what the page says, and returns the draft that it is about.
func (d *desk) asked(r *http.Request, n *node) (s saving, x *worktree.Draft, err error) {
	if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
		return s, nil, fmt.Errorf("how it is to be saved: %w", err)
	}
	if x = d.known(draftPath(n.path)); x == nil {
		return s, nil, fmt.Errorf("%s has no changes", n.name)
	}
	return s, x, nil
}

// handleSave writes a file with its changes.
func (d *desk) handleSave(w http.ResponseWriter, r *http.Request) {
	n, ok := d.viewer.node(w, r)
	if !ok {
		return
	}
	s, x, err := d.asked(r, &n)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	done, err := d.save(r.Context(), &s, x)
	if err != nil {
		fail(w, status(err), deskError(err, n.name))
		return
	}
	d.follow(x)
	answer(w, done)
}

func (d *desk) save(ctx context.Context, s *saving, x *worktree.Draft) (*Saved, error) {
	out, err := s.out(x.Base(), newName(x.Base()))
	if err != nil {
		return nil, err
	}
	done := &Saved{Path: out, Told: []string{}}
	_, err = os.Lstat(out)
	if done.Undo = err == nil; done.Undo && !s.Force {
		done.Exist = true
		return done, nil
	}
	told := new(schema.Diagnostics)
	d.viewer.archives.closeAll() // Windows replaces no file that is open
	packed, err := x.Save(ctx, out, s.Force, told)
	if err != nil {
		return nil, err
	}
	done.Size = packed.Size
	for _, t := range told.All() {
		if t.Severity != schema.Note {
			done.Told = append(done.Told, fmt.Sprintf("%s: %s", t.Severity, t.Msg))
		}
	}
	return done, nil
}

// handleSavePatch writes the changes as a patch, beside the original.
func (d *desk) handleSavePatch(w http.ResponseWriter, r *http.Request) {
	n, ok := d.viewer.node(w, r)
	if !ok {
		return
	}
	s, x, err := d.asked(r, &n)
	s.Over = false
	var out string
	if err == nil {
		out, err = s.out(draftPath(n.path), filepath.Base(n.path)+".patch")
	}
	if err == nil {
		err = x.SavePatch(out)
	}
	if err != nil {
		fail(w, status(err), err)
		return
	}
	answer(w, Saved{Path: out, Told: []string{}})
}

// handleRestore brings back what a file was before it was saved over.
func (d *desk) handleRestore(w http.ResponseWriter, r *http.Request) {
	n, ok := d.viewer.node(w, r)
	if !ok {
		return
	}
	x := d.known(draftPath(n.path))
	if x != nil && len(x.State().Entries) > 0 {
		fail(w, http.StatusConflict, fmt.Errorf("%s has changes that are not saved: save them, or take them back, first", n.name))
		return
	}
	d.viewer.archives.closeAll()
	job := worktree.Undoing{}
	done, err := job.Run(r.Context(), n.path)
	if err == nil && x != nil {
		err = x.Clear(r.Context()) // what was taken back is of another file
	}
	if err != nil {
		fail(w, status(err), err)
		return
	}
	answer(w, Saved{Path: n.path, Size: done.Before.Size, Told: []string{}})
}
