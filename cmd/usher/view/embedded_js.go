package view

import (
	"embed"
	"io/fs"
)

// page is empty where the program runs in a browser: the page has loaded its files before.
var page fs.FS = embed.FS{}
