//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/testdata/corpus"
)

// program runs usher in a folder, and returns what it said; a run that takes too long is an error of its own.
func program(t *testing.T, dir string, args ...string) (said string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Args, cmd.Dir = append([]string{"usher"}, args...), dir
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return string(out), fmt.Errorf("it hangs: %w", ctx.Err())
	}
	return string(out), err
}

// impostors are what may stand in the place of a control file. The second one leads to a file outside.
var impostors = []struct {
	name string
	make func(at, inside, outside string) error
}{
	{"link inside", func(at, inside, _ string) error { return os.Symlink(inside, at) }},
	{"link outside", func(at, _, outside string) error { return os.Symlink(outside, at) }},
	{"dangling link", func(at, _, outside string) error { return os.Symlink(outside+"-none", at) }},
	{"link to a device", func(at, _, _ string) error { return os.Symlink("/dev/zero", at) }},
	{"link to a folder", func(at, _, outside string) error { return os.Symlink(filepath.Dir(outside), at) }},
	{"pipe", func(at, _, _ string) error { return syscall.Mkfifo(at, 0o666) }},
	{"folder", func(at, _, _ string) error {
		if err := os.Mkdir(at, 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(at, "Walls.Board.png"), []byte("precious"), 0o666)
	}},
}

// TestControlFiles puts something else into the place of every control file, before every verb that reads or makes it: it is
// refused by its name, at once, and nothing outside of the folder is touched.
func TestControlFiles(t *testing.T) {
	lock := func(name string) string { return fmt.Sprintf(".usher-lock-%016x", xxhash.Sum64String(name)) }
	own := []string{"x/.usher-lock", "x/.usher-unpack-journal", "x/usher.json", "x/usher.json.new", "x/.usherignore"}
	lists := own[1:]
	into := []string{"o/.usher-lock", "o/.usher-unpack-journal", "o/usher.json"}
	cases, template := 0, unpackedEdit(t)
	for line, names := range map[string][]string{
		"pack x -o out.utx":                                    append(own, lock("out.utx")),
		"pack x -o a.utx --force":                              append(own, lock("a.utx")),
		"pack x -o a.utx --dry-run --force":                    lists,
		"pack x -o out.utx --watch":                            own,
		"pack x/Walls.Board.png --base a.utx -o a.utx --force": {lock("a.utx")},
		"unpack a.utx -o o":                                    into,
		"unpack a.utx -o o --force":                            into,
		"unpack a.utx -o new":                                  {".usher-unfinished-new"},
		"convert a.utx -o o/":                                  {"o/.usher-lock", "o/usher-batch.json", "o/.usher-batch-journal"},
		"convert a.utx -o o/ --force":                          {"o/.usher-lock", "o/usher-batch.json", "o/.usher-batch-journal"},
		"diff a.utx x":                                         lists,
	} {
		for _, name := range names {
			for _, what := range impostors {
				cases++
				t.Run(line+"/"+name+"/"+what.name, func(t *testing.T) {
					t.Parallel()
					tryImpostor(t, template, strings.Fields(line), name, what.make)
				})
			}
		}
	}
	t.Logf("%d cases", cases)
}

// unpackedEdit makes a folder with an archive, what was unpacked of it with an edit, and something outside.
func unpackedEdit(t *testing.T) (root string) {
	root = t.TempDir()
	dir := filepath.Join(root, "work")
	for _, p := range []string{dir, filepath.Join(dir, "o"), filepath.Join(root, "outside")} {
		if err := os.Mkdir(p, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	archive := corpus.Bytes(t, corpus.Testdata(t, "unreal", "pictures.utx"))
	for p, b := range map[string][]byte{filepath.Join(dir, "a.utx"): archive, filepath.Join(root, "outside", "Walls.Board.png"): []byte("precious")} {
		if err := os.WriteFile(p, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if said, err := program(t, dir, "unpack", "a.utx", "-o", "x", "-q"); err != nil {
		t.Fatal(said, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x", "Walls.Holes.png"), corpus.Bytes(t, filepath.Join(dir, "x", "Walls.Board.png")), 0o666); err != nil {
		t.Fatal(err)
	}
	return root
}

func tryImpostor(t *testing.T, template string, line []string, name string, put func(at, inside, outside string) error) {
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	dir, outside := filepath.Join(root, "work"), filepath.Join(root, "outside", "Walls.Board.png")
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.Remove(at); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := put(at, "Walls.Board.png", outside); err != nil {
		t.Fatal(err)
	}
	before := contents(t, root)
	said, err := program(t, dir, line...)
	if _, refused := err.(*exec.ExitError); !refused || !strings.Contains(said, filepath.Base(name)) {
		t.Errorf("%v: %s", err, said)
	}
	if strings.Contains(said, "goroutine ") || strings.Count(said, filepath.Base(name)) > 2 {
		t.Errorf("it says: %s", said)
	}
	after := contents(t, root)
	maps.DeleteFunc(after, func(p, _ string) bool { // what a batch has made before it came to its record
		_, known := before[p]
		return !known && strings.HasPrefix(p, filepath.Join("work", "o")+string(filepath.Separator))
	})
	if !maps.Equal(before, after) {
		t.Errorf("files changed:\n%v\n%v", before, after)
	}
}

// contents returns what is below a folder: contents of files, modes of all else.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		all[rel] = d.Type().String()
		if d.Type().IsRegular() {
			b, err := os.ReadFile(p)
			all[rel] = fmt.Sprintf("%x", xxhash.Sum64(bytes.TrimSpace(b)))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
