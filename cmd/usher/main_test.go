package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// What looks only, and what may leave something behind: a file, or standard input in one.
func TestLooks(t *testing.T) {
	for line, want := range map[string]bool{
		"usher": false, "usher version": true, "usher ls a.flx:1": true, "usher info --json a.u3d": true, "usher explain a.pal": true,
		"usher info -": false, "usher ls -:1": false, "usher info --files-from -": false, "usher cat a.flx 1": false,
		"usher unpack a.flx -o ls": false, "usher help ls": false,
	} {
		if got := looks(strings.Fields(line)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
	for _, c := range newApp(verbs, nil, nil, nil).Commands {
		writes := slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), "output") })
		if writes && slices.Contains(looking, c.Name) {
			t.Errorf("%s writes files", c.Name)
		}
	}
}
