package main

import "github.com/bmatcuk/doublestar/v4"

// globOptions are those of patterns of files, which have no case here.
var globOptions = []doublestar.GlobOption{doublestar.WithCaseInsensitive()}
