package main

import (
	"os"
	"path/filepath"
)

// dropped returns the command line for files that somebody drags onto the program: what convert does, into the folder of
// the first of them. It is nil for any other command line. Alone says that nobody else has the console open, as a shell has.
func dropped(args []string, alone bool) []string {
	if len(args) < 2 || !alone {
		return nil
	}
	for _, path := range args[1:] {
		if !filepath.IsAbs(path) {
			return nil
		}
		if _, err := os.Stat(path); err != nil {
			return nil
		}
	}
	return append([]string{args[0], "convert", "-o", filepath.Dir(args[1]) + string(filepath.Separator), "--"}, args[1:]...)
}
