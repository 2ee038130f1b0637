package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
)

func TestPermute(t *testing.T) {
	tests := []struct{ line, want string }{
		{"convert a.u3d -o b.glb", "convert -o b.glb -- a.u3d"},
		{"convert -o b.glb a.u3d --json", "convert -o b.glb --json -- a.u3d"},
		{"convert a --to=glb b", "convert --to=glb -- a b"},
		{"convert a -- -b", "convert -- a -b"},
		{"convert - --to glb", "convert --to glb -- -"},
		{"verify --include *.u3d x -j 2", "verify --include *.u3d -j 2 -- x"},
		{"convert a -j2 -oout", "convert -j 2 -o out -- a"},
		{"--version", "version"},
	}
	for _, tt := range tests {
		app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
		got, err := permute(app, append([]string{"usher"}, strings.Fields(tt.line)...))
		if want := append([]string{"usher"}, strings.Fields(tt.want)...); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", tt.line, got, err, want)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	tests := []struct{ line, want string }{
		{"convert", "needs at least one file"},
		{"convert a --nonsense", `unknown flag "--nonsense"`},
		{"convert a -o", `flag "-o" needs a value`},
		{"convert a --to nothing", "nothing known makes"},
		{"convert a --from nothing", `unknown format "nothing"`},
		{"convert a --clip walk", "NAME=FIRST-LAST"},
		{"convert a --clip walk=9-3", "NAME=FIRST-LAST"},
		{"convert a --fps 0", "positive"},
		{"convert a -j x", "-j wants a number, not \"x\""},
		{"konvert a", `unknown verb "konvert"`},
		{"-x", "the verb comes first"},
		{"ls", "needs an archive"},
		{"cat x", "needs an archive and the path"},

		{"pack x", "needs a folder and an archive"},
		{"formats x", "takes no files"},
		{"completion tcsh", `no completion for "tcsh"`},
		{"completion", "wants one of"},
	}
	for _, tt := range tests {
		var out, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"usher"}, strings.Fields(tt.line)...), nil, &out, &stderr)
		if code != exitUsage || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%s: status %d, %q, want status %d and %q", tt.line, code, stderr.String(), exitUsage, tt.want)
		}
	}
}
