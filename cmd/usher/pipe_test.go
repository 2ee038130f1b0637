package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// printing are command lines that print to standard output, by verb, for files of testdata and the folder x, which is
// made of one of them.
var printing = map[string]string{
	"info":       "info ultima9/bitmap16.flx",
	"ls":         "ls ultima9/bitmap16.flx",
	"cat":        "cat ultima9/bitmap16.flx 1",
	"convert":    "convert --json ultima9/bitmap16.flx -o pictures/",
	"unpack":     "unpack --json ultima9/bitmap16.flx -o y",
	"pack":       "pack --json x -o y.flx",
	"verify":     "verify --json ultima9/bitmap16.flx",
	"check":      "check games/mod --install games/game",
	"undo":       "undo --json over/over.flx",
	"diff":       "diff x ultima9/bitmap16.flx",
	"text":       "text ultima9/bitmap16.flx",
	"git-setup":  "git-setup --dry-run",
	"explain":    "explain ultima9/ankh.pal",
	"sheet":      "sheet ultima9/bitmap16.flx -o sheet.png --json",
	"view":       "view --no-browser ultima9/ankh.pal",
	"desk":       "desk --no-browser ultima9/ankh.pal",
	"formats":    "formats",
	"blender":    "blender -o usher-blender.zip",
	"completion": "completion bash",
	"man":        "man",
	"version":    "version",
}

// A run whose standard output nobody reads any more ends without a word, and leaves nothing but what it was asked for.
func TestClosedPipe(t *testing.T) {
	lines := []string{
		"help", "info --json -", "convert ultima9/bitmap16.flx:1 -o -",
		"ls .", "ls -l ultima9 x", "info ultima9/bitmap16.flx ultima9/ankh.pal", "info --json .", "verify .", "verify --json . x",
		"diff ultima9 x", "diff --json x ultima9", "formats --schema u9-book", "convert ultima9 -o new --json",
	}
	for _, c := range newApp(verbs, nil, nil, nil).Commands {
		if printing[c.Name] == "" {
			t.Errorf("%s: no command line", c.Name)
		}
		lines = append(lines, printing[c.Name])
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			dir, temporary := editedFolder(t), t.TempDir()
			if strings.HasPrefix(line, "git-setup") {
				if _, err := exec.LookPath("git"); err != nil {
					t.Skip("git is not installed")
				}
				if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			if strings.HasPrefix(line, "check") {
				if err := os.CopyFS(filepath.Join(dir, "games"), os.DirFS(corpus.Testdata(t, "check"))); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("usher", strings.Fields(line)...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+temporary, "TMP="+temporary)
			cmd.Stdin = bytes.NewReader(corpus.Bytes(t, filepath.Join(dir, "ultima9", "bitmap16.flx")))
			var told bytes.Buffer
			cmd.Stderr = &told
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			cmd.Stdout = w
			err = cmd.Run()
			w.Close()
			want := exitClosedPipe
			if strings.HasPrefix(line, "blender") { // it prints nothing there
				want = exitOK
			}
			said := told.String() // of what it was at before
			if status := cmd.ProcessState.ExitCode(); status != want || strings.Contains(said, "usher:") || strings.Contains(said, "pipe") {
				t.Errorf("status %d (%v), want %d, and it says %q", status, err, want, said)
			}
			for _, p := range []string{filepath.Join(temporary, "*"), filepath.Join(dir, ".usher*"), filepath.Join(dir, "*", ".usher*")} {
				left, _ := filepath.Glob(p)
				left = slices.DeleteFunc(left, func(p string) bool { return filepath.Base(p) == ".usher-undo" }) // it is to stay
				if len(left) > 0 {
					t.Errorf("left: %q", left)
				}
			}
		})
	}
}

// editedFolder returns a folder with files of testdata, and with the folder x of an archive in which a file was edited.
func editedFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bitmap16.flx", "ankh.pal"} {
		p := filepath.Join(dir, "ultima9", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, corpus.Bytes(t, corpus.Testdata(t, "ultima9", name)), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	x := filepath.Join(dir, "x")
	args := []string{"usher", "unpack", "--raw", "-q", filepath.Join(dir, "ultima9", "bitmap16.flx"), "-o", x}
	if code := run(t.Context(), args, nil, io.Discard, io.Discard); code != exitOK {
		t.Fatalf("unpack: status %d", code)
	}
	if err := os.WriteFile(filepath.Join(x, "1.bin"), []byte("edited"), 0o666); err != nil {
		t.Fatal(err)
	}
	over := filepath.Join(dir, "over", "over.flx")
	if err := errors.Join(os.Mkdir(filepath.Dir(over), 0o777), os.WriteFile(over, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"usher", "pack", "-q", "--force", x, "-o", over}, nil, io.Discard, io.Discard); code != exitOK {
		t.Fatalf("pack: status %d", code)
	}
	return dir
}

// Nor does it go on where nobody reads what it says of failures.
func TestClosedStandardError(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	cmd := exec.Command("usher", "verify", "none", "neither")
	cmd.Stderr = w
	_ = cmd.Run() // the status tells
	w.Close()
	if status := cmd.ProcessState.ExitCode(); status != exitClosedPipe {
		t.Errorf("status %d", status)
	}
}
