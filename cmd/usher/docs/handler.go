package docs

import (
	"bytes"
	"context"
	"net/http"
	"path"
	"sync"
	"time"
)

// policy lets the pages have their own looks, and nothing else.
const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// Handler answers with the files of a site without examples, by their names alone. They are made when somebody asks for the first.
func Handler() http.Handler {
	all := sync.OnceValues(func() (map[string][]byte, error) {
		references, pages, _, err := new(Site).pages(context.Background())
		if err != nil {
			return nil, err
		}
		list := map[string][]byte{}
		return list, files(references, pages, func(name string, content []byte) error { list[name] = content; return nil })
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		list, err := all()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		name := path.Base(r.URL.Path)
		content, ok := list[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	})
}
