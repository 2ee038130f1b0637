package view

import (
	"archive/zip"
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"path"

	"github.com/usher-assets/usher/convert/format"
)

// saved are the extensions that a node is saved with, beside its stored bytes.
var saved = map[string]bool{"glb": true, "png": true, "apng": true, "wav": true, "csv": true, translations: true, "txt": true, "ini": true, "md": true, "uc": true, "json": true}

// handleSave answers with a file to keep: what "convert" makes of the node, or its stored bytes. Where that is several
// files, they come as a ZIP. No browser shows such an answer itself.
func (v *Viewer) handleSave(w http.ResponseWriter, r *http.Request) {
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	as := r.PathValue("as")
	if as == "stored" {
		name := stem(&n) + ".bin"
		if n.place != entry {
			name = stem(&n) + extension(n.path)
		}
		attach(w, name)
		v.handleBytes(w, r)
		return
	}
	if !saved[as] {
		fail(w, http.StatusNotFound, fmt.Errorf("nothing is saved as %q", as))
		return
	}
	release, err := v.acquire(r.Context())
	if err != nil {
		return // nobody waits any more
	}
	b, name, err := v.save(&n, as)
	release()
	if err != nil {
		fail(w, status(err), err)
		return
	}
	attach(w, name)
	b.tag = v.tag(&n)
	serve(w, r, b)
}

// save returns a node as a file, and what that is called.
func (v *Viewer) save(n *node, ext string) (b blob, name string, err error) {
	if b, err = v.export(n, ext, ext != "glb" && ext != "json"); err != nil {
		return b, "", err
	}
	files := b.extra.([]format.File)
	b.extra = nil
	if len(files) == 1 {
		return b, path.Base(files[0].Name), nil
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.Create(f.Name)
		if err != nil {
			return b, "", err
		}
		if _, err := w.Write(f.Content); err != nil {
			return b, "", err
		}
	}
	if err := z.Close(); err != nil {
		return b, "", err
	}
	return blob{content: out.Bytes(), mime: "application/zip"}, stem(n) + ".zip", nil
}

func attach(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
}
