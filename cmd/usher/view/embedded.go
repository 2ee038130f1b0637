//go:build !js

package view

import (
	"embed"
	"io/fs"
)

//go:embed page
var embedded embed.FS

// page is what the browser loads first.
var page = func() fs.FS {
	f, err := fs.Sub(embedded, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	return f
}()
