package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/compare"
)

// handleOpen takes a file that somebody has dropped onto the page. A page is not told where such a file lies: where the
// folder that is shown has the very file, that is meant, and else it gets a copy.
func (d *desk) handleOpen(w http.ResponseWriter, r *http.Request) {
	root, ok := d.viewer.tree.get(d.viewer.rootID(0))
	if !ok || root.place != folder {
		fail(w, http.StatusUnprocessableEntity, errors.New("the desk was started with files: start it with a folder to open others in it"))
		return
	}
	name := disk.SafeName(filepath.Base(filepath.ToSlash(sentName(r))))
	if err := take(root.path, name, r.Body); err != nil {
		fail(w, http.StatusUnprocessableEntity, fmt.Errorf("%s: %w", name, disk.PlainError(err)))
		return
	}
	answer(w, map[string]int{"node": d.found(r.Context(), &root, name)})
}

// handleFound looks for what has come into the folder, and answers with the node of what is named there: a file, a folder, or
// an entry; −1 for none.
func (d *desk) handleFound(w http.ResponseWriter, r *http.Request) {
	v := d.viewer
	root, _ := v.tree.get(v.rootID(0))
	path, inside, err := engine.ParseOperand(filepath.Join(root.path, sentName(r)))
	if err == nil {
		path, err = filepath.Rel(root.path, path)
	}
	if err != nil {
		answer(w, map[string]int{"node": -1}) // somebody has closed it
		return
	}
	rel := filepath.ToSlash(path)
	node := d.found(r.Context(), &root, rel)
	go d.find(context.WithoutCancel(r.Context()))
	if inside != "" && node >= 0 {
		v.open(node, whole)
		node = v.nodeAt(root.root, rel, inside)
	}
	answer(w, map[string]int{"node": node})
}

// found looks into the folder of an operand anew, and returns the node of what is called so there; −1 where there is none.
func (d *desk) found(ctx context.Context, root *node, rel string) int {
	v := d.viewer
	v.refresh()
	v.scanRoot(ctx, root.id)
	return v.nodeAt(root.root, rel, "")
}

// handleClose takes a file or a folder off a desk that has copies of its own, with all changes that are not saved.
func (d *desk) handleClose(w http.ResponseWriter, r *http.Request) {
	v := d.viewer
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	if n.rel == "" || n.place == entry || n.place == group {
		fail(w, http.StatusUnprocessableEntity, fmt.Errorf("%s is no file of its own: it stays", n.name))
		return
	}
	v.archives.closeAll()
	err := d.drop(r.Context(), draftPath(n.path))
	if err == nil {
		err = os.RemoveAll(n.path)
	}
	root, _ := v.tree.get(v.rootID(0))
	d.found(r.Context(), &root, "")
	if err != nil {
		fail(w, status(err), disk.PlainError(err))
		return
	}
	answer(w, struct{}{})
}

// drop throws away what was changed of a file, or of the files below a folder, and not saved.
func (d *desk) drop(ctx context.Context, path string) (err error) {
	for _, p := range d.paths() {
		if p != path && !strings.HasPrefix(p, path+string(filepath.Separator)) {
			continue
		}
		if x := d.known(p); x != nil {
			err = errors.Join(err, x.Clear(ctx))
			x.Close()
		}
		d.mu.Lock()
		delete(d.drafts, p)
		delete(d.now, p)
		delete(d.trouble, p)
		d.mu.Unlock()
	}
	d.viewer.hub.tell("desk", nil)
	return err
}

// errAnother is the error of a file that would replace another one.
var errAnother = errors.New("there is another file of that name: rename one of the two")

// take writes a file into a folder, unless it is there already.
func take(dir, name string, content io.Reader) error {
	folder, err := disk.Open(dir, false)
	if err != nil {
		return err
	}
	defer folder.Close()
	there, err := os.Open(filepath.Join(dir, name))
	if err == nil {
		defer there.Close()
		same, err := compare.EqualStreams(there, content)
		if err == nil && !same {
			err = errAnother
		}
		return err
	}
	return folder.Create(name, func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	})
}
