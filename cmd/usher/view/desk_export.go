package view

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
)

// mostExported is how many nodes are exported at once.
const mostExported = 100_000

// exporting says what is exported.
type exporting struct {
	nodes []node
	as    string // an extension; "stored" for the stored bytes, empty for what each kind usually becomes
}

// newExporting reads what is to be exported: numbers of nodes with dots between them. For a folder or an archive stands
// all that is in it, as far as the kinds and the words of a search say, unless it is to become one file.
func (v *Viewer) newExporting(q query) (x exporting, err error) {
	x.as = q.text("as")
	if x.as != "" && x.as != "stored" && !saved[x.as] {
		return x, fmt.Errorf("nothing is exported as %q", x.as)
	}
	f := newFilter(q)
	f.flat, f.open = true, nil
	for s := range strings.SplitSeq(q.text("nodes"), ".") {
		id, err := strconv.Atoi(s)
		n, ok := v.tree.get(id)
		if err != nil || !ok {
			return x, v.tree.missing(s)
		}
		if n.leaf() || v.whole(&n, x.as) != nil {
			x.nodes = append(x.nodes, n)
			continue
		}
		x.nodes = append(x.nodes, v.below(&n, f)...)
	}
	if len(x.nodes) > mostExported {
		return x, fmt.Errorf("%d files are too many for once: choose a part", len(x.nodes))
	}
	return x, nil
}

// below returns the leaves below a node that a filter leaves.
func (v *Viewer) below(n *node, f filter) (list []node) {
	if n.holds {
		v.open(n.id, whole)
	}
	f.under = n.id
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	for _, l := range v.tree.lines(&f) {
		list = append(list, *v.tree.nodes[l.id])
	}
	return list
}

// files makes the files of a node. Those of several nodes may be called alike: names keeps them apart.
func (x *exporting) files(v *Viewer, n *node, names *disk.Names) ([]format.File, error) {
	as := x.as
	if as == "" {
		as = usual(n)
	}
	if as == "stored" {
		c, err := v.stored(n)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		b, err := io.ReadAll(c)
		ext := ".bin"
		if n.place != entry {
			ext = extension(n.path)
		}
		return []format.File{{Name: names.Unique(stem(n)) + ext, Content: b}}, err
	}
	b, err := v.export(n, as, as != "glb" && as != "json")
	if err != nil {
		return nil, err
	}
	files := b.extra.([]format.File)
	was, own := stem(n), names.Unique(stem(n))
	for i := range files {
		if rest, ok := strings.CutPrefix(files[i].Name, was); ok {
			files[i].Name = own + rest
		}
	}
	return files, nil
}

// usual is what a node is exported as where nobody says otherwise.
func usual(n *node) string {
	switch shows(n.kind) {
	case "model":
		return "glb"
	case "picture":
		return "png"
	case "sound":
		return "wav"
	case "table", "text":
		return "json"
	}
	return "stored"
}

// handleDownload answers with what was chosen: one file as it is, several as a ZIP, which is made as it goes. What cannot be
// exported is told in it.
func (d *desk) handleDownload(w http.ResponseWriter, r *http.Request) {
	v := d.viewer
	x, err := v.newExporting(query(r.URL.Query()))
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	var names disk.Names
	if len(x.nodes) == 1 {
		files, err := x.files(v, &x.nodes[0], &names)
		if err != nil {
			fail(w, status(err), err)
			return
		}
		if len(files) == 1 {
			attach(w, path.Base(files[0].Name))
			b := blob{content: files[0].Content, mime: "application/octet-stream", tag: v.tag(&x.nodes[0])}
			serve(w, r, b)
			return
		}
		names = disk.Names{}
	}
	attach(w, "usher.zip")
	w.Header().Set("Content-Type", "application/zip")
	z := zip.NewWriter(w)
	wrong := x.each(v, r, &names, func(files []format.File) error { return zipFiles(z, files) })
	if len(wrong) > 0 {
		_ = zipFiles(z, []format.File{{Name: names.Unique("not exported") + ".txt", Content: []byte(strings.Join(wrong, "\n") + "\n")}})
	}
	_ = z.Close() // the client has gone
}

func zipFiles(z *zip.Writer, files []format.File) error {
	for i := range files {
		w, err := z.Create(files[i].Name)
		if err != nil {
			return err
		}
		if _, err := files[i].WriteTo(w); err != nil {
			return err
		}
	}
	return nil
}

// errEnough ends an export that nobody waits for.
var errEnough = errors.New("nobody waits for it any more")

// each hands the files of each node on, and returns in words what cannot be exported. It tells the page how far it is.
func (x *exporting) each(v *Viewer, r *http.Request, names *disk.Names, take func([]format.File) error) (wrong []string) {
	for i := range x.nodes {
		n := &x.nodes[i]
		if r.Context().Err() != nil {
			return append(wrong, errEnough.Error())
		}
		files, err := x.files(v, n, names)
		if err == nil {
			err = take(files)
		}
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %v", v.shownSource(n), err))
		}
		if len(x.nodes) > 1 {
			v.hub.tell("progress", map[string]any{"what": "exporting", "done": i + 1, "total": len(x.nodes)})
		}
	}
	return wrong
}

// Exports is what came of an export into a folder.
type Exports struct {
	Folder string   `json:"folder"`
	Files  int      `json:"files"`
	Bytes  int64    `json:"bytes"`
	Wrong  []string `json:"wrong"`
}

// handleExport writes what was chosen into the folder that was named at the start. No file is replaced.
func (d *desk) handleExport(w http.ResponseWriter, r *http.Request) {
	var asked map[string]string
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || d.Exports == "" {
		fail(w, http.StatusUnprocessableEntity, errors.New("no folder for exports was named when the desk was started"))
		return
	}
	q := query{}
	for name, value := range asked {
		q[name] = []string{value}
	}
	x, err := d.viewer.newExporting(q)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, err)
		return
	}
	out, err := disk.Open(d.Exports, false)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, disk.PlainError(err))
		return
	}
	defer out.Close()
	var names disk.Names
	done := Exports{Folder: d.Exports, Wrong: []string{}}
	wrong := x.each(d.viewer, r, &names, func(files []format.File) error {
		outputs, err := store.WriteFiles(r.Context(), out, files)
		for _, o := range outputs {
			done.Files++
			done.Bytes += o.Size
		}
		return err
	})
	done.Wrong = append(done.Wrong, wrong...)
	answer(w, done)
}

// forProgram returns a node as one file, for a program to open.
func (v *Viewer) forProgram(n *node) (name string, content []byte, err error) {
	x := exporting{}
	files, err := x.files(v, n, new(disk.Names))
	if err != nil {
		return "", nil, err
	}
	var out bytes.Buffer
	if _, err := files[0].WriteTo(&out); err != nil {
		return "", nil, err
	}
	return path.Base(files[0].Name), out.Bytes(), nil
}
