//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this program runs in a browser: \"make web\" compiles it, and puts the page beside it")
	os.Exit(2)
}
