package view

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/batch"
)

// Exported counts the contents of static pages.
type Exported struct {
	Nodes int   // that are shown
	Bytes int64 // of all files
}

// Export writes static pages: index.html, and in the folder data the pictures, models and sounds. They need no server. They
// contain no paths of this machine, and stored bytes only if the configuration allows it. What cannot be shown is left out,
// and passed to failed.
func (v *Viewer) Export(ctx context.Context, out string, force bool, failed func(source string, err error)) (Exported, error) {
	folder, err := disk.Open(out, force)
	if err != nil {
		return Exported{}, err
	}
	defer folder.Close()
	if err := checkSite(out, folder, force); err != nil {
		return Exported{}, err
	}
	v.away = true
	v.Scan(ctx)
	v.OpenAll(ctx)
	l := *v.loader.Load()
	l.Detail = false // it tells where files lie
	v.loader.Store(&l)
	room, err := folder.Room()
	if err != nil {
		return Exported{}, err
	}
	s, wrong := &site{Viewer: v, folder: room.Folder}, 0
	err = batch.Run(ctx, batch.Session{}, s.tasks(), func(p pageOf) bool {
		var unwritten *unwrittenError
		switch {
		case errors.As(p.err, &unwritten):
			s.unwritten = unwritten
		case p.err != nil:
			wrong++
			failed(p.node.source(), p.err)
		case p.shown:
			s.shown = append(s.shown, p.node.id)
			s.done.Bytes += p.bytes
		}
		return s.unwritten == nil
	})
	if err == nil && s.unwritten != nil {
		err = s.unwritten
	}
	switch {
	case err != nil || len(s.shown) > 0:
	case wrong > 0:
		err = fmt.Errorf("%s: nothing is written: none of %d assets can be shown", out, wrong)
	default:
		err = formats.ErrNothing
	}
	if err == nil {
		err = s.index()
	}
	if err == nil {
		err = room.Commit("index.html")
	}
	s.done.Nodes = len(s.shown)
	return s.done, err
}

// checkSite refuses a folder that is somebody's: pages go into one that is empty. With force, they go anywhere.
func checkSite(out string, folder *disk.Folder, force bool) error {
	if err := folder.Check("index.html"); err != nil || force {
		return err
	}
	inside, err := disk.ReadDir(out)
	if err != nil {
		return err
	}
	for _, x := range inside {
		if !disk.IsTemporary(x.Name()) {
			return fmt.Errorf("%s is not empty (%s), and pages want a folder of their own; --force writes into it", out, x.Name())
		}
	}
	return nil
}

// site is one export.
type site struct {
	*Viewer
	folder *disk.Folder
	shown  []int
	done   Exported

	unwritten *unwrittenError // ends the export
}

// unwrittenError is the error of a page that could not be written: the fault is not with what it shows.
type unwrittenError struct{ error }

func (e *unwrittenError) Unwrap() error { return e.error }

// pageOf is what became of one node.
type pageOf struct {
	node  node
	shown bool
	bytes int64
	err   error
}

func (s *site) tasks() iter.Seq[batch.Task[pageOf]] {
	s.tree.mu.RLock()
	var all []node
	for _, n := range s.tree.nodes {
		if n.leaf() && !n.gone {
			all = append(all, *n)
		}
	}
	s.tree.mu.RUnlock()
	return func(yield func(batch.Task[pageOf]) bool) {
		for _, n := range all {
			if !yield(batch.Task[pageOf]{Size: n.size, Do: func(context.Context) pageOf { return s.node(n) }}) {
				return
			}
		}
	}
}

// node writes the files of one node.
func (s *site) node(n node) (p pageOf) {
	p.node = n
	f := s.facts(&n)
	bare := !s.config.Stored || n.size > mostWhole
	f.Views = slices.DeleteFunc(f.Views, func(v string) bool { return v == "fields" || v == "hex" && bare })
	if len(f.Views) == 0 { // nothing to see, or nothing that can be read
		if f.Failure != "" && n.format != "" {
			p.err = fmt.Errorf("%s", f.Failure)
		}
		return p
	}
	p.shown = true
	w := &pageWriter{site: s, n: &n, values: map[string]any{}}
	if !s.config.Stored {
		f.Saves = slices.DeleteFunc(f.Saves, func(x Save) bool { return x.As == "stored" || x.As == "json" })
	}
	for i := range f.Saves {
		f.Saves[i].Name = w.save(f.Saves[i])
	}
	f.Saves = slices.DeleteFunc(f.Saves, func(x Save) bool { return x.Name == "" })
	w.values["node"] = f
	w.view(f)
	text, err := w.script("node", "camera", "peaks", "table", "text", "model")
	if err == nil {
		err = w.err
	}
	if err == nil && slices.Contains(f.Views, "hex") {
		err = w.hex()
	}
	if err == nil {
		err = w.write("node.js", text)
	}
	p.bytes, p.err = w.bytes, err
	return p
}

// pageWriter writes the files of one node.
type pageWriter struct {
	*site
	n      *node
	values map[string]any // what the page asks for as JSON or bytes, by its kind
	bytes  int64
	err    error
}

func (w *pageWriter) write(name string, content []byte) error {
	w.bytes += int64(len(content))
	if err := w.folder.Put(fmt.Sprintf("data/%d/%s", w.n.id, name), content); err != nil {
		return &unwrittenError{err}
	}
	return nil
}

// put writes what a maker makes.
func (w *pageWriter) put(name string, m maker, q query) {
	b, err := w.made(name, m, w.n, q)
	if err == nil {
		err = w.write(name+".png", b.content)
	}
	if w.err == nil {
		w.err = err
	}
}

// hex writes the stored bytes with their fields: a script of its own, since few look at them.
func (w *pageWriter) hex() error {
	b, err := w.all()
	if err != nil {
		return err
	}
	spans, err := w.spans(w.n, 0, w.n.size)
	if err != nil {
		spans = Spans{Spans: []Span{}} // what cannot be read has bytes as well
	}
	w.values["bytes"], w.values["spans"] = base64.StdEncoding.EncodeToString(b), spans
	text, err := w.script("bytes", "spans")
	if err != nil {
		return err
	}
	return w.write("bytes.js", text)
}

// all returns the stored bytes.
func (w *pageWriter) all() ([]byte, error) {
	c, err := w.stored(w.n)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return io.ReadAll(c)
}

// save writes a file to keep, and returns its name.
func (w *pageWriter) save(x Save) string {
	b, name, err := blob{}, x.Name, error(nil)
	if x.As == "stored" {
		name = inert(w.n, name)
		b.content, err = w.all()
	} else {
		b, name, err = w.Viewer.save(w.n, x.As)
	}
	if err == nil {
		name = disk.SafeName(name)
		err = w.write(name, b.content)
	}
	if err != nil {
		if w.err == nil {
			w.err = err
		}
		return ""
	}
	return name
}

// inert returns a name under which no web server takes the stored bytes of a node for a page or a script of its own: a
// stranger may have made them.
func inert(n *node, name string) string {
	if formats.ByName(n.format) != nil || path.Ext(name) == ".bin" {
		return name
	}
	return name + ".bin"
}

// view writes what the views of a node need.
func (w *pageWriter) view(f *Facts) {
	take := func(what string, m maker) blob {
		b, err := w.made(what, m, w.n, nil)
		if w.err == nil {
			w.err = err
		}
		return b
	}
	take2 := func(what string, m maker) { w.values[what] = json.RawMessage(take(what, m).content) }
	switch f.Views[0] {
	case "picture":
		w.put("thumb", (*Viewer).thumbOrSign, query{"size": {"128"}})
		for i, frame := range f.Picture.Frames {
			for face := range 1 + frame.Faces {
				b, err := w.image(w.n, query{"frame": {fmt.Sprint(i)}, "face": {fmt.Sprint(face)}})
				if err == nil {
					err = w.write(fmt.Sprintf("image-%d-%d.png", i, face), b.content)
				}
				if w.err == nil {
					w.err = err
				}
			}
		}
	case "model":
		w.put("thumb", (*Viewer).thumbOrSign, query{"size": {"128"}})
		w.poster()
		take2("camera", (*Viewer).camera)
		w.values["model"] = base64.StdEncoding.EncodeToString(take("model", (*Viewer).model).content)
	case "sound":
		w.put("thumb", (*Viewer).thumbOrSign, query{"size": {"128"}})
		take2("peaks", (*Viewer).peaks)
		if b := take("sound", (*Viewer).sound); w.err == nil {
			w.err = w.write("sound.wav", b.content)
		}
	case "table":
		take2("table", (*Viewer).table)
	case "text":
		w.values["text"] = base64.StdEncoding.EncodeToString(take("text", (*Viewer).text).content)
	}
}

func (w *pageWriter) poster() {
	b, err := w.made("thumb", (*Viewer).thumbOrSign, w.n, query{"size": {fmt.Sprint(posterSize)}})
	if err == nil {
		err = w.write("poster.png", b.content)
	}
	if w.err == nil {
		w.err = err
	}
}

// script is what the page loads of a node. Pages opened from disk may load scripts, and nothing else.
func (w *pageWriter) script(kinds ...string) ([]byte, error) {
	var out bytes.Buffer
	for _, what := range kinds {
		if value, ok := w.values[what]; ok {
			b, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&out, "usherGot(%q, %s);\n", fmt.Sprintf("api/%s/%d", what, w.n.id), b)
		}
	}
	return out.Bytes(), nil
}

// siteRow is a line of the tree, with the one that it is in.
type siteRow struct {
	Row
	Parent int    `json:"parent"`
	Family string `json:"family"`
	PartOf bool   `json:"partOf,omitempty"`
	Folded string `json:"folded"`
}

// index writes the tree and the page itself.
func (s *site) index() error {
	s.tree.mu.RLock()
	wanted := map[int]bool{}
	for _, id := range s.shown {
		for at := id; at >= 0 && !wanted[at]; at = s.tree.nodes[at].parent {
			wanted[at] = true
		}
	}
	rows := []siteRow{}
	for id, n := range s.tree.nodes {
		if wanted[id] {
			r := siteRow{s.tree.row(line{id, 0}, false), n.parent, cmp.Or(familyTitles[familyOf(n.format)], familyOf(n.format)), n.partOf, n.folded}
			r.Error = ""
			rows = append(rows, r)
		}
	}
	s.tree.mu.RUnlock()
	for _, r := range rows {
		if r.Place == placeNames[folder] || r.Place == placeNames[group] || r.Place == placeNames[archive] {
			if err := s.inner(r.ID); err != nil {
				return err
			}
		}
	}
	b, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	script, err := bundle(page, "static.js", "main.js")
	if err != nil {
		return err
	}
	html, err := fs.ReadFile(page, "index.html")
	if err != nil {
		return err
	}
	const module = `<script type="module" src="main.js"></script>`
	if !bytes.Contains(html, []byte(module)) {
		return fmt.Errorf("the page does not load its script")
	}
	html = bytes.Replace(html, []byte(module), []byte(`<script src="data/list.js" defer></script>`+"\n"+`<script src="usher.js" defer></script>`), 1)
	files := map[string][]byte{"data/list.js": fmt.Appendf(nil, "var usherRows = %s;\n", b), "usher.js": []byte(script), "index.html": html}
	for _, name := range []string{"style.css", "icon.svg"} {
		if files[name], err = fs.ReadFile(page, name); err != nil {
			return err
		}
	}
	for name, content := range files {
		s.done.Bytes += int64(len(content))
		if err := s.folder.Put(name, content); err != nil {
			return err
		}
	}
	return nil
}

// inner writes the facts of a node that holds others.
func (s *site) inner(id int) error {
	n, ok := s.tree.get(id)
	if !ok {
		return nil
	}
	f := s.facts(&n)
	f.Views, f.Saves = []string{"grid"}, []Save{}
	w := &pageWriter{site: s, n: &n, values: map[string]any{"node": f}}
	text, err := w.script("node")
	if err != nil {
		return err
	}
	s.done.Bytes += int64(len(text))
	return w.write("node.js", text)
}

// shownPath is the path of a node as the page tells it: away from this machine, below the name of what was shown.
func (v *Viewer) shownPath(n *node) string {
	if !v.away {
		return n.path
	}
	root, ok := v.tree.get(v.rootID(n.root))
	if !ok || n.rel == "" {
		return path.Base(n.slashed())
	}
	return path.Join(path.Base(root.slashed()), n.rel)
}
