//go:build js && wasm

package main

import (
	"archive/zip"
	"net/http"
	"os"
)

// handleOut answers with a file that the desk has saved, or with a folder as a ZIP, for the page to hand out.
func handleOut(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Query().Get("path")
	info, err := os.Stat(path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	if !info.IsDir() {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeFile(w, r, path)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	z := zip.NewWriter(w)
	if z.AddFS(os.DirFS(path)) == nil { // else it has no end, and nobody takes it for a whole one
		_ = z.Close() // nobody waits any more
	}
}
