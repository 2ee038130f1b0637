package view

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/convert/work/worktree"
)

// DeskState is what was changed on the page, and may be done there.
type DeskState struct {
	Writes  bool       `json:"writes"`  // whoever asks may write
	Exports string     `json:"exports"` // the folder that exports go to; empty for none
	Files   []DeskFile `json:"files"`
}

// DeskFile is a file with changes.
type DeskFile struct {
	Node      int        `json:"node"`
	Name      string     `json:"name"`
	Path      string     `json:"path"`
	New       string     `json:"new"` // what it is saved as, unless somebody says otherwise
	Saved     bool       `json:"saved"`
	Foreign   bool       `json:"foreign,omitempty"`
	Trouble   string     `json:"trouble,omitempty"`
	Undo      string     `json:"undo,omitempty"` // in words
	Redo      string     `json:"redo,omitempty"`
	Conflicts []string   `json:"conflicts,omitempty"`
	Changes   []DeskStep `json:"changes"`
}

// DeskStep is one change.
type DeskStep struct {
	ID      string      `json:"id"`
	What    string      `json:"what"`
	Status  string      `json:"status"`
	Entry   string      `json:"entry"`
	File    string      `json:"file,omitempty"`
	Node    int         `json:"node"` // of the entry, or of the file; −1 where it is gone
	Told    []string    `json:"told"`
	Entries []DeskEntry `json:"entries"`
}

// DeskEntry is an entry that a change concerns.
type DeskEntry struct {
	Path   string `json:"path"`
	From   string `json:"from,omitempty"`
	Status string `json:"status"`
	Kind   string `json:"kind"`
}

// statusOf are the actions of a patch as comparisons call them.
var statusOf = map[string]compare.Status{"change": compare.Changed, "add": compare.Added, "remove": compare.Removed, "rename": compare.Renamed}

func (d *desk) handleState(w http.ResponseWriter, r *http.Request) {
	out := DeskState{Writes: d.mayWrite(r), Exports: d.Exports, Files: []DeskFile{}}
	for _, path := range d.paths() {
		out.Files = append(out.Files, d.file(path))
	}
	answer(w, out)
}

func (d *desk) file(path string) DeskFile {
	f := DeskFile{Node: d.viewer.fileOf(path), Name: filepath.Base(path), Path: path, New: newName(path), Changes: []DeskStep{}}
	x := d.known(path)
	d.mu.Lock()
	f.Trouble = d.trouble[path]
	d.mu.Unlock()
	if x == nil {
		return f
	}
	s := x.State()
	f.Saved, f.Foreign = s.Saved, s.Foreign
	f.Undo, f.Redo = wordsOf(s.Undo), wordsOf(s.Redo)
	for _, c := range s.Conflicts {
		f.Conflicts = append(f.Conflicts, c.Entry+": "+c.Reason)
	}
	of, _ := d.viewer.tree.get(f.Node)
	for i := range s.Steps {
		f.Changes = append(f.Changes, d.stepOf(&of, &s.Steps[i], s.Entries))
	}
	return f
}

// newName is the name beside a file that its changes are saved under.
func newName(path string) string {
	name := filepath.Base(path)
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + ".new" + ext
}

// wordsOf says what a step does.
func wordsOf(s *worktree.Step) string {
	if s == nil {
		return ""
	}
	what := s.Entry
	switch {
	case s.Verb == "rename":
		return fmt.Sprintf("rename %s to %s", s.Entry, s.To)
	case what == "":
		what = "the file"
	}
	if s.What != "" {
		return fmt.Sprintf("%s %s: %s", s.Verb, what, s.What)
	}
	if s.File != "" && s.Verb != "undo" && s.Verb != "edit" {
		return fmt.Sprintf("%s %s: %s", s.Verb, what, s.File)
	}
	return s.Verb + " " + what
}

func (d *desk) stepOf(of *node, s *worktree.Step, entries []worktree.Drafted) DeskStep {
	x := DeskStep{ID: fmt.Sprintf("%d.%d", of.id, s.Number), What: wordsOf(s), Entry: s.Entry, File: s.File, Node: of.id, Told: s.Told, Entries: []DeskEntry{}}
	if x.Told == nil {
		x.Told = []string{}
	}
	for _, e := range entries {
		if e.Step != s.Number {
			continue
		}
		status := string(statusOf[e.Action])
		x.Entries = append(x.Entries, DeskEntry{Path: e.Path, From: e.From, Status: status, Kind: e.Kind})
		x.Status = status
	}
	if s.Entry != "" && len(x.Entries) > 0 {
		x.Node = d.viewer.entryAt(of.id, x.Entries[len(x.Entries)-1].Path)
	} else if s.Entry == "" {
		x.Status = string(compare.Changed)
	}
	return x
}

// change returns the file and the step that a request is about.
func (d *desk) change(id string) (n node, s DeskStep, err error) {
	file, number, _ := strings.Cut(id, ".")
	i, err1 := strconv.Atoi(file)
	_, err2 := strconv.Atoi(number)
	n, ok := d.viewer.tree.get(i)
	if err1 != nil || err2 != nil || !ok {
		return n, s, fmt.Errorf("there is no change %q", id)
	}
	f := d.file(draftPath(n.path))
	at := slices.IndexFunc(f.Changes, func(s DeskStep) bool { return s.ID == id })
	if at < 0 {
		return n, s, fmt.Errorf("the change %q is no longer there", id)
	}
	return n, f.Changes[at], nil
}

// handleChange answers with what a change does: before, after, and the difference in the terms of what it is.
func (d *desk) handleChange(w http.ResponseWriter, r *http.Request) {
	n, s, err := d.change(r.PathValue("id"))
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	release, err := d.viewer.acquire(r.Context())
	if err != nil {
		return // nobody waits any more
	}
	defer release()
	answer(w, d.compared(r, &n, &s))
}

// compared holds the file, or the entry that a change is about, against what it was.
func (d *desk) compared(r *http.Request, n *node, s *DeskStep) Change {
	v := d.viewer
	x := Change{Path: n.name, Status: s.Status, Old: -1, New: s.Node, Number: -1}
	was := ""
	if s.Entry != "" && len(s.Entries) > 0 {
		e := s.Entries[len(s.Entries)-1]
		x.Path, x.From, was = e.Path, e.From, e.Path
		if e.From != "" {
			was = e.From
		}
		x.New = v.entryAt(n.id, e.Path)
	}
	if s.Status != string(compare.Added) {
		x.Old = v.wasNode(n, was)
	}
	if s.Status == string(compare.Removed) {
		x.New = -1
	}
	for _, id := range []int{x.Old, x.New} {
		if side, ok := v.tree.get(id); ok {
			x.Kind, x.Format, x.Show = side.kind.String(), side.format, shows(side.kind)
		}
	}
	old, ok1 := v.tree.get(x.Old)
	now, ok2 := v.tree.get(x.New)
	x.OldSize, x.NewSize = old.size, now.size
	if !ok1 || !ok2 {
		return x
	}
	x.Command = v.command("diff", "-v", v.shownSource(n), newName(n.path))
	x.Heat = fmt.Sprintf("api/desk/heat/%d/%d", old.id, now.id)
	job := v.comparison()
	job.Loader = job.Loader.InPlaceOf(n.path)
	err := job.Run(r.Context(), v.operand(&old), v.operand(&now), func(e compare.Entry) { x.take(&e) })
	if err != nil {
		x.Error = plain(err)
	}
	return x
}

// take adds what a comparison tells. Of a whole file there may be many entries.
func (x *Change) take(e *compare.Entry) {
	if e.Status == compare.Same {
		return
	}
	if e.Err != nil {
		x.Error = plain(e.Err)
	}
	for _, t := range e.Details {
		if len(x.Details) == mostDetails {
			x.More++
			continue
		}
		x.Details = append(x.Details, t.String())
	}
	if x.Note == "" {
		x.Note = e.Note
	}
}

// operand is what a comparison reads for a node.
func (v *Viewer) operand(n *node) string {
	src, _ := v.source(n)
	return src.String()
}

// handleHeat answers with a picture that shows where before and after differ.
func (d *desk) handleHeat(w http.ResponseWriter, r *http.Request) {
	old, err1 := strconv.Atoi(r.PathValue("old"))
	now, err2 := strconv.Atoi(r.PathValue("new"))
	if err1 != nil || err2 != nil {
		fail(w, http.StatusNotFound, errNoHeat)
		return
	}
	d.viewer.serveHeat(w, r, old, now)
}
