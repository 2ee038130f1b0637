//go:build !windows

package main

import "github.com/bmatcuk/doublestar/v4"

// globOptions are those of patterns of files.
var globOptions []doublestar.GlobOption
