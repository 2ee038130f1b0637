package view

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// noTime is the modification time of what has an entity tag instead.
var noTime time.Time

// Facts is everything known of a node.
type Facts struct {
	Row
	Trail       []Step       `json:"trail"` // from the operand to the node
	Source      string       `json:"source"`
	FormatTitle string       `json:"formatTitle,omitempty"`
	Class       string       `json:"class,omitempty"`
	Facts       []Fact       `json:"facts"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Failure     string       `json:"failure,omitempty"` // why it cannot be read; empty if it can
	Views       []string     `json:"views"`             // the most informative one first
	Commands    Commands     `json:"commands"`
	Saves       []Save       `json:"saves"`
	Picture     *PictureInfo `json:"picture,omitempty"`
	Tag         string       `json:"tag"`
}

// Step is an ancestor of a node.
type Step struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// Fact is one line of "usher info".
type Fact struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Diagnostic is one message about a node.
type Diagnostic struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Path     string `json:"path,omitempty"`
	Offset   int64  `json:"offset"` // −1 if unknown
	Message  string `json:"message"`
}

// Commands are the commands that do in a terminal what each view shows.
type Commands map[string]string

// Save is a file that the node can be saved as.
type Save struct {
	As    string `json:"as"`
	Label string `json:"label"`
	Name  string `json:"name"`
}

// PictureInfo describes the pictures of a texture.
type PictureInfo struct {
	Frames  []FrameInfo `json:"frames"`
	FPS     float32     `json:"fps"`
	Palette []string    `json:"palette,omitempty"` // #rrggbbaa
	Alpha   string      `json:"alpha"`
}

// FrameInfo is a frame of a texture.
type FrameInfo struct {
	Name  string   `json:"name,omitempty"`
	Mips  [][2]int `json:"mips"`
	Faces int      `json:"faces,omitempty"` // besides the first
}

func (v *Viewer) handleNode(w http.ResponseWriter, r *http.Request) {
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	release, err := v.acquire(r.Context())
	if err != nil {
		return // nobody waits any more
	}
	f := v.facts(&n)
	release()
	answer(w, f)
}

// facts finds out what a node is.
func (v *Viewer) facts(n *node) *Facts {
	f := &Facts{Source: v.shownSource(n), Class: n.class, Commands: Commands{}, Facts: []Fact{}, Diagnostics: []Diagnostic{}, Tag: v.tag(n), Saves: []Save{}}
	if n.place == archive {
		v.open(n.id, whole)
	}
	v.tree.mu.RLock()
	f.Row = v.tree.row(line{n.id, 0}, false)
	for at := n.id; at >= 0; at = v.tree.nodes[at].parent {
		f.Trail = append([]Step{{at, v.tree.nodes[at].name}}, f.Trail...)
	}
	v.tree.mu.RUnlock()
	f.Commands["facts"] = v.command("info", "-v", f.Source)
	switch n.place {
	case folder, group:
		f.Views = []string{"grid"}
		f.Commands["grid"] = v.command("sheet", v.shownPath(n), "-o", "sheet.png")
		return f
	case archive:
		f.Views = []string{"grid", "hex"}
		f.Commands["grid"] = v.command("sheet", v.shownPath(n), "-o", stem(n)+".png")
		f.Commands["unpack"] = v.command("unpack", v.shownPath(n), "-o", stem(n))
		f.sheet(v, n)
	}
	switch {
	case n.leaf() && n.format == "" && v.config.Loader.From == nil: // nothing knows it
		if v.plainText(n) {
			f.Views = append(f.Views, "text")
			f.Commands["text"] = f.Commands["facts"]
		}
	default:
		v.describe(n, f)
		if n.leaf() {
			v.look(n, f)
		}
	}
	f.raw(v, n)
	v.tree.mu.Lock()
	if own := v.tree.nodes[n.id]; own.odd != len(f.Diagnostics) {
		own.odd = len(f.Diagnostics)
	}
	v.tree.mu.Unlock()
	return f
}

// sheet adds the table that an archive of lines is shown as, before all else.
func (f *Facts) sheet(v *Viewer, n *node) {
	if x := v.sheet(n); x != nil && x.Shown == ".csv" {
		f.Views = append([]string{"table"}, f.Views...)
		f.Commands["table"] = v.command("convert", f.Source, "-o", stem(n)+x.Shown)
		f.Saves = append(f.Saves, Save{"csv", "csv", stem(n) + x.Shown}, Save{translations, translations, stem(n) + "." + translations})
	}
}

// describe fills in what "info" tells.
func (v *Viewer) describe(n *node, f *Facts) {
	src, l := v.source(n)
	_, err := confined(n)
	var d *engine.Description
	if err == nil {
		err = batch.Guarded(func() (err error) { d, err = l.Describe(src); return err })
	}
	if d != nil {
		f.FormatTitle, f.Size = d.Title, d.Size
		for _, x := range d.Facts {
			f.Facts = append(f.Facts, Fact(x))
		}
		for _, x := range d.Diagnostics {
			f.Diagnostics = append(f.Diagnostics, newDiagnostic(x))
		}
	}
	if err != nil {
		f.Failure = plain(err)
	}
}

func newDiagnostic(d schema.Diagnostic) Diagnostic {
	return Diagnostic{d.Severity.String(), d.Code, d.Path, d.Offset, d.Msg}
}

// raw adds the view of the stored bytes, which everything has.
func (f *Facts) raw(v *Viewer, n *node) {
	if n.place != archive {
		f.Views = append(f.Views, "hex")
	}
	if n.place == entry {
		f.Commands["hex"] = v.command("explain", f.Source)
		f.Saves = append(f.Saves, Save{"stored", "stored bytes", stem(n) + ".bin"})
		return
	}
	f.Commands["hex"] = v.command("explain", f.Source)
	f.Saves = append(f.Saves, Save{"stored", "the file", stem(n) + extension(n.path)})
}

// look finds out how a leaf is looked at.
func (v *Viewer) look(n *node, f *Facts) {
	err := v.withItem(n, func(it *interchange.Item) error {
		own := it
		it = it.Seen()
		kind := kindOf(it)
		f.Kind = kind.String()
		liftable := it.Asset != nil || it.Format.Lift != nil
		if name := shows(kind); name != "" && liftable {
			switch err := v.lookAs(n, name, it, f); {
			case errors.Is(err, errOther):
				f.save(v, n, name, it)
			case err != nil && f.Failure == "":
				f.Failure = plain(err)
			case err == nil:
				f.Views = append(f.Views, name)
				f.save(v, n, name, it)
			}
		}
		if v.desk != nil && it.Format != nil && slices.ContainsFunc(it.Format.Views, func(x *format.Format) bool { return kind == format.Model && x.Kind == format.Table }) {
			f.Views = append(f.Views, "numbers")
			f.Commands["numbers"] = v.command("convert", f.Source, "-o", stem(n)+".csv")
		}
		f.fields(v, n, own)
		return nil
	})
	if err != nil && f.Failure == "" {
		f.Failure = plain(err)
	}
}

// lookAs tries what a view will ask for, and keeps it: what cannot be made is not offered.
func (v *Viewer) lookAs(n *node, view string, it *interchange.Item, f *Facts) error {
	if view != "picture" {
		m := map[string]string{"model": "model", "sound": "peaks", "table": "table", "text": "text"}[view]
		_, err := v.made(m, makers[m], n, nil)
		return err
	}
	it.Env.Plain, it.Env.Moving = true, true
	a, err := it.Lift()
	if err != nil {
		return err
	}
	t, ok := a.(*asset.Texture)
	if !ok || t.Base() == nil {
		return errOther
	}
	f.Picture = newPictureInfo(t)
	return nil
}

// save adds what a view's content is converted to.
func (f *Facts) save(v *Viewer, n *node, name string, it *interchange.Item) {
	exts := map[string][]string{"model": {"glb"}, "picture": {"png"}, "sound": {"wav"}, "table": {"csv"}, "text": {"txt"}}[name]
	if name == "text" && it.Format != nil && it.Format.Shown != "" {
		exts = []string{it.Format.Shown[1:]}
	}
	if name == "picture" && f.Picture != nil && len(f.Picture.Frames) > 1 && f.Picture.FPS > 0 {
		exts = append(exts, "apng")
	}
	for _, ext := range exts {
		target := stem(n) + "." + ext
		same := n.place == file && target == filepath.Base(n.path)
		if same && it.Format != nil && it.Format.Shown != "" { // compiled, and called as its text is
			target = stem(n) + ".txt." + ext
		} else if same {
			f.Commands[name] = f.Commands["facts"] // it is that already, and saved as the file
			continue
		}
		if _, err := engine.ParseTarget(ext, it); err != nil {
			continue
		}
		if f.Commands[name] == "" {
			f.Commands[name] = v.command("convert", f.Source, "-o", target)
		}
		f.Saves = append(f.Saves, Save{ext, ext, target})
	}
}

// fields adds the view of all fields, of what has any.
func (f *Facts) fields(v *Viewer, n *node, it *interchange.Item) {
	if it.Value == nil || it.Format == nil || it.Format.New == nil {
		return
	}
	f.Views = append(f.Views, "fields")
	f.Commands["fields"] = v.command("convert", f.Source, "-o", stem(n)+".json")
	f.Saves = append(f.Saves, Save{"json", "JSON", stem(n) + ".json"})
}

var alphaNames = [...]string{asset.Opaque: "opaque", asset.Mask: "mask", asset.Blend: "blend"}

func newPictureInfo(t *asset.Texture) *PictureInfo {
	p := &PictureInfo{FPS: t.FPS}
	if int(t.Alpha) < len(alphaNames) {
		p.Alpha = alphaNames[t.Alpha]
	}
	for i := range t.Frames {
		x := FrameInfo{Name: t.Frames[i].Name, Faces: len(t.Frames[i].Faces)}
		for _, m := range t.Frames[i].Mips {
			x.Mips = append(x.Mips, [2]int{m.Width, m.Height})
		}
		p.Frames = append(p.Frames, x)
	}
	for _, c := range t.Palette {
		p.Palette = append(p.Palette, fmt.Sprintf("#%02x%02x%02x%02x", c[0], c[1], c[2], c[3]))
	}
	return p
}
