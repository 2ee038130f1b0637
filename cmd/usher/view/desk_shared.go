package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/worktree"
)

// deskShared is something that a file changes which was put onto a model, and that lies in a file of several models.
type deskShared struct {
	Name    string `json:"name"`
	Library string `json:"library"` // what it is called
	Node    int    `json:"node"`    // of the library; -1 where it is not open
	Words   string `json:"words"`
}

// handlePut puts a file onto a node. Where that changes what other models use as well, the page is asked where it goes, and sends the
// file again with the answer.
func (d *desk) handlePut(w http.ResponseWriter, r *http.Request) {
	n, ok := d.viewer.node(w, r)
	if !ok {
		return
	}
	done, err := d.put(&n, r)
	var others worktree.SharedError
	if errors.As(err, &others) {
		done, err = acted{Told: []string{}, Shared: d.shared(others)}, nil
	}
	if err != nil {
		fail(w, status(err), deskError(err, filepath.Base(n.path)))
		return
	}
	answer(w, done)
}

func (d *desk) put(n *node, r *http.Request) (acted, error) {
	if r.URL.Query().Get("shared") == format.SharedThere {
		return d.putThere(n, r)
	}
	done := acted{Told: []string{}}
	s, err := d.act(putting(r.Body), n, r)
	if err == nil {
		done.add(d, n, s)
	}
	return done, err
}

// putting returns the act that puts a file onto a node, with the answer of a request.
func putting(content io.Reader) act {
	return func(_ *desk, x *worktree.Draft, n *node, r *http.Request) (*worktree.Step, error) {
		return x.PutShared(r.Context(), inside(n), sentName(r), content, r.URL.Query().Get("shared"))
	}
}

// shared says where things lie.
func (d *desk) shared(list worktree.SharedError) (out []deskShared) {
	for _, x := range list {
		out = append(out, deskShared{x.Name, filepath.Base(x.Library), d.viewer.fileOf(draftPath(x.Library)), x.Msg})
	}
	return out
}

// putThere puts a file onto a model and onto the libraries whose things it changes: onto all of them, or none.
func (d *desk) putThere(n *node, r *http.Request) (done acted, err error) {
	file, err := spooled(r.Body)
	if err != nil {
		return done, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	onto, err := d.librariesIn(r.URL.Query()["onto"])
	if err != nil {
		return done, err
	}
	done.Told = []string{}
	var took []*node
	for _, x := range append(onto, n) {
		if _, err = file.Seek(0, io.SeekStart); err != nil {
			break
		}
		var s *worktree.Step
		if s, err = d.act(putting(file), x, r); err == nil {
			took = append(took, x)
			done.add(d, x, s)
		} else if !errors.Is(err, worktree.ErrIdle) {
			break
		}
	}
	if errors.Is(err, worktree.ErrIdle) && len(took) > 0 {
		err = nil // the libraries have all of it
	}
	if err != nil {
		err = errors.Join(err, d.takeBack(took, r))
	}
	return done, err
}

// takeBack undoes the last step of some files.
func (d *desk) takeBack(list []*node, r *http.Request) (err error) {
	r = r.WithContext(context.WithoutCancel(r.Context()))
	for _, n := range list {
		_, bad := d.act(func(_ *desk, x *worktree.Draft, _ *node, r *http.Request) (*worktree.Step, error) {
			return nil, x.Undo(r.Context(), 0)
		}, n, r)
		err = errors.Join(err, bad)
	}
	return err
}

// librariesIn returns the nodes of libraries that the page names, each once.
func (d *desk) librariesIn(ids []string) (list []*node, err error) {
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		var number int
		if _, err := fmt.Sscan(id, &number); err != nil {
			return nil, fmt.Errorf("there is no node %q", id)
		}
		n, ok := d.viewer.tree.get(number)
		if !ok || n.place == entry {
			return nil, fmt.Errorf("the file of %q is not open", id)
		}
		list = append(list, &n)
	}
	if len(list) == 0 {
		return nil, errors.New("no library is named")
	}
	return list, nil
}

// spooled writes what was sent into a file, since it is read several times.
func spooled(content io.Reader) (*os.File, error) {
	file, err := os.CreateTemp("", "usher-put-")
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(file, content); err != nil {
		file.Close()
		os.Remove(file.Name())
		return nil, err
	}
	return file, nil
}
