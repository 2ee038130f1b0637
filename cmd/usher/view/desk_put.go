package view

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/work/worktree"
)

// The most that the page sends: a file to put somewhere, and what it says of it.
const (
	mostSent  = 1 << 30
	mostAsked = 4 << 20
)

// act is what the page does with a draft. It returns the step that came of it, if one did.
type act func(d *desk, x *worktree.Draft, n *node, r *http.Request) (*worktree.Step, error)

// acts are what the page can do, by the last part of the address.
var acts = map[string]act{
	"add":    (*desk).add,
	"edit":   (*desk).edit,
	"cells":  (*desk).cells,
	"remove": (*desk).remove,
	"rename": (*desk).rename,
	"undo":   (*desk).undo,
	"redo":   (*desk).redo,
	"rebase": (*desk).rebase,
	"clear":  (*desk).clear,
}

// handleAct lets the page do something with the file of a node, and shows what came of it.
func (d *desk) handleAct(do act) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, ok := d.viewer.node(w, r)
		if !ok {
			return
		}
		s, err := d.act(do, &n, r)
		if err != nil {
			fail(w, status(err), deskError(err, filepath.Base(n.path)))
			return
		}
		done := acted{Told: []string{}}
		if s != nil {
			done.add(d, &n, s)
		}
		answer(w, done)
	}
}

// acted is what came of an act: the last step, and what was said of all.
type acted struct {
	Change string       `json:"change,omitempty"`
	Told   []string     `json:"told"`
	Shared []deskShared `json:"shared,omitempty"` // nothing was done: it is to be said first where these go
}

func (a *acted) add(d *desk, n *node, s *worktree.Step) {
	a.Change, a.Told = fmt.Sprintf("%d.%d", d.viewer.fileOf(draftPath(n.path)), s.Number), append(a.Told, s.Told...)
}

func (d *desk) act(do act, n *node, r *http.Request) (*worktree.Step, error) {
	if n.was || n.place == folder {
		return nil, fmt.Errorf("%s cannot be changed", n.name)
	}
	x, err := d.draft(r.Context(), n)
	if err != nil {
		return nil, err
	}
	s, err := do(d, x, n, r)
	d.follow(x)
	return s, err
}

// inside returns the entry that a node stands for; empty for a whole file.
func inside(n *node) string {
	if n.place == entry {
		return n.entry
	}
	return ""
}

func (d *desk) edit(x *worktree.Draft, n *node, r *http.Request) (*worktree.Step, error) {
	return x.Edit(r.Context(), inside(n), sentName(r), "", r.Body)
}

func (d *desk) add(x *worktree.Draft, _ *node, r *http.Request) (*worktree.Step, error) {
	return x.Add(r.Context(), r.URL.Query().Get("path"), sentName(r), r.Body)
}

func (d *desk) remove(x *worktree.Draft, n *node, r *http.Request) (*worktree.Step, error) {
	if n.place != entry {
		return nil, fmt.Errorf("%s is no entry of an archive: it stays", n.name)
	}
	return x.Remove(r.Context(), n.entry)
}

func (d *desk) rename(x *worktree.Draft, n *node, r *http.Request) (*worktree.Step, error) {
	if n.place != entry {
		return nil, fmt.Errorf("%s is no entry of an archive: it keeps its name", n.name)
	}
	return x.Rename(r.Context(), n.entry, r.URL.Query().Get("to"))
}

func (d *desk) undo(x *worktree.Draft, _ *node, r *http.Request) (*worktree.Step, error) {
	_, number, _ := strings.Cut(r.URL.Query().Get("change"), ".")
	i, err := strconv.Atoi(number)
	if err != nil && number != "" {
		return nil, fmt.Errorf("there is no change %q", number)
	}
	return nil, x.Undo(r.Context(), i)
}

// sentName is what a file that was sent is called.
func sentName(r *http.Request) string {
	if name := r.URL.Query().Get("name"); name != "" {
		return name
	}
	return "edited.bin"
}

func (d *desk) redo(x *worktree.Draft, _ *node, r *http.Request) (*worktree.Step, error) {
	return nil, x.Redo(r.Context())
}

func (d *desk) rebase(x *worktree.Draft, _ *node, r *http.Request) (*worktree.Step, error) {
	return nil, x.Rebase(r.Context())
}

func (d *desk) clear(x *worktree.Draft, _ *node, r *http.Request) (*worktree.Step, error) {
	return nil, x.Clear(r.Context())
}

// cell is an edited cell of a table.
type cell struct {
	Row    int    `json:"row"` // without the line that names the columns
	Column int    `json:"column"`
	Value  string `json:"value"`
}

// cells makes a table of what was edited in some cells, as it is exported, and puts that back.
func (d *desk) cells(x *worktree.Draft, n *node, r *http.Request) (*worktree.Step, error) {
	var list []cell
	if err := json.NewDecoder(r.Body).Decode(&list); err != nil {
		return nil, fmt.Errorf("cells: %w", err)
	}
	lines, err := d.viewer.lines(n)
	if err != nil {
		return nil, err
	}
	var what []string
	for _, c := range list {
		if c.Row < 0 || c.Row+1 >= len(lines) || c.Column < 0 || c.Column >= len(lines[c.Row+1]) {
			return nil, fmt.Errorf("the table has no cell %d, %d", c.Row, c.Column)
		}
		was := &lines[c.Row+1][c.Column]
		what = append(what, fmt.Sprintf("%s in row %d, %s → %s", lines[0][min(c.Column, len(lines[0])-1)], c.Row+1, briefly(*was), briefly(c.Value)))
		*was = c.Value
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(lines); err != nil {
		return nil, err
	}
	return x.Edit(r.Context(), inside(n), stem(n)+".csv", strings.Join(what, "; "), &out)
}

// briefly returns a value to be read in a line with others.
func briefly(value string) string {
	const most = 40
	if r := []rune(value); len(r) > most {
		value = string(r[:most]) + "…"
	}
	if value == "" {
		return "nothing"
	}
	return value
}

// lines returns a node as the lines of a table; the first one names the columns.
func (v *Viewer) lines(n *node) ([][]string, error) {
	b, err := v.export(n, "csv", false)
	if err != nil {
		return nil, err
	}
	in := csv.NewReader(bytes.NewReader(b.content))
	in.FieldsPerRecord = -1
	lines, err := in.ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, fmt.Errorf("%s is no table", n.name)
	}
	return lines, nil
}
