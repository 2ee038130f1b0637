package view

import (
	"bytes"
	"cmp"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
)

// model is a model as a GLB, with all that it has beside its best level of detail. An animation is shown on the model
// that is named.
func (v *Viewer) model(n *node, q query) (b blob, err error) {
	use := func(it *interchange.Item) error {
		it.Plain, it.Env.Options.GLTF.Levels, it.Env.Options.GLTF.Show = true, "all", []string{"all"} // the page chooses
		b, err = exported(it, "glb", stem(n))
		return err
	}
	if player, ok := v.player(q); ok {
		l := *v.loader.Load()
		l.Options.Model = player.source()
		err = v.withLoader(&l, n, use)
	} else {
		err = v.withItem(n, use)
	}
	b.mime = "model/gltf-binary"
	return b, err
}

// player returns the model that is to play an animation.
func (v *Viewer) player(q query) (n node, ok bool) {
	n, ok = v.tree.get(q.number("player", -1, 1<<30, -1))
	if _, err := confined(&n); err != nil {
		return n, false
	}
	return n, ok && n.kind == format.Model
}

// mostPlayers is how many models the page offers for an animation.
const mostPlayers = 200

// Players lists the models that an animation may belong to, those of its own folder first.
type Players struct {
	Models []Step `json:"models"`
	Here   int    `json:"here"` // of its own folder
}

func (v *Viewer) handlePlayers(w http.ResponseWriter, r *http.Request) {
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	family, dir := familyOf(n.format), filepath.Dir(n.path)
	list := v.leaves(func(x *node) bool {
		return x.kind == format.Model && !x.partOf && !x.isMap && familyOf(x.format) == family
	})
	far := func(x *node) bool { return filepath.Dir(x.path) != dir }
	slices.SortStableFunc(list, func(a, b node) int { return cmp.Compare(btoi(far(&a)), btoi(far(&b))) })
	out := Players{Models: []Step{}}
	for i := range list[:min(len(list), mostPlayers)] {
		out.Models = append(out.Models, Step{list[i].id, v.shownSource(&list[i])})
		out.Here += 1 - btoi(far(&list[i]))
	}
	answer(w, out)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// export converts a node and returns the first of the files that come of it; the others are extra.
func (v *Viewer) export(n *node, ext string, plain bool) (b blob, err error) {
	if f := v.whole(n, ext); f != nil {
		return v.exportSheet(n, f, ext)
	}
	err = v.withItem(n, func(it *interchange.Item) error {
		it.Plain, it.Env.Plain = plain, plain // a model without what only its way back needs has no hulls
		b, err = exported(it, ext, stem(n))
		return err
	})
	return b, err
}

// sheet returns the format of an archive that is shown as one file, such as a table of its lines; nil for others.
func (v *Viewer) sheet(n *node) *format.Format {
	f := formats.ByName(n.format)
	if n.place != archive || f == nil || !batch.ShownWhole(f, batch.Selection{}) {
		return nil
	}
	return f
}

// whole returns the format of an archive that becomes one file with an extension; nil for others.
func (v *Viewer) whole(n *node, ext string) *format.Format {
	if f := v.sheet(n); f != nil && (f.Shown == "."+ext || ext == translations) {
		return f
	}
	return nil
}

// translations is the extension of files for translators.
const translations = "po"

// exportSheet makes that file, or another one of all that is in the archive.
func (v *Viewer) exportSheet(n *node, f *format.Format, ext string) (b blob, err error) {
	if _, err := confined(n); err != nil {
		return b, err
	}
	src, l := v.source(n)
	files, err := (&batch.Conversion{Loader: l}).Sheet(src.Path, stem(n)+"."+ext, f)
	if err != nil {
		return b, err
	}
	return blob{content: files[0].Content, mime: "application/octet-stream", extra: files}, nil
}

// exported is an item as the files of an export.
func exported(it *interchange.Item, ext, stem string) (b blob, err error) {
	t, err := engine.ParseTarget(ext, it)
	if err != nil {
		return b, err
	}
	files, err := engine.Export(it, t, stem)
	if err != nil {
		return b, err
	}
	for i := range files {
		if files[i].Content != nil {
			continue
		}
		var out bytes.Buffer
		if _, err := files[i].WriteTo(&out); err != nil {
			return b, err
		}
		files[i].Content = out.Bytes()
	}
	return blob{content: files[0].Content, mime: "application/octet-stream", extra: files}, nil
}

// extension returns the extension of a path on disk.
func extension(path string) string { return filepath.Ext(path) }
