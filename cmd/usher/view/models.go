package view

import (
	"bytes"
	"path/filepath"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/schema"
)

// model is a model as a GLB, with all that it has beside its best level of detail.
func (v *Viewer) model(n *node, _ query) (blob, error) {
	b, err := v.export(n, "glb", true)
	b.mime = "model/gltf-binary"
	return b, err
}

// export converts a node and returns the first of the files that come of it; the others are extra.
func (v *Viewer) export(n *node, ext string, plain bool) (b blob, err error) {
	err = v.withItem(n, new(schema.Diagnostics), func(it *convert.Item) error {
		it.Plain, it.Env.Plain = plain, plain && ext != "glb" // a model without what only its way back needs has no hulls
		if plain {                                            // the page chooses what it shows
			it.Env.Options.GLTF.Levels, it.Env.Options.GLTF.Show = "all", []string{"all"}
		}
		t, err := convert.ParseTarget(ext, it)
		if err != nil {
			return err
		}
		files, err := it.Export(t, stem(n))
		if err != nil {
			return err
		}
		var all []convert.File
		for _, f := range files {
			var out bytes.Buffer
			if f.Content == nil {
				if _, err := f.WriteTo(&out); err != nil {
					return err
				}
				f.Content = out.Bytes()
			}
			all = append(all, f)
		}
		b = blob{content: all[0].Content, mime: "application/octet-stream", extra: all}
		return nil
	})
	return b, err
}

// extension returns the extension of a path on disk.
func extension(path string) string { return filepath.Ext(path) }
