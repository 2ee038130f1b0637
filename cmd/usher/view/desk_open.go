package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/disk"
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

// handleFound looks for what has come into the folder, and answers with the node of a file of it that is named, or of a folder.
func (d *desk) handleFound(w http.ResponseWriter, r *http.Request) {
	root, _ := d.viewer.tree.get(d.viewer.rootID(0))
	node := d.found(r.Context(), &root, sentName(r))
	d.find(r.Context())
	answer(w, map[string]int{"node": node})
}

// found looks into the folder of an operand anew, and returns the node of what is called so there; −1 where there is none.
func (d *desk) found(ctx context.Context, root *node, name string) int {
	v := d.viewer
	v.refresh()
	v.scanRoot(ctx, root.id)
	return v.nodeAt(root.root, name, "")
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
