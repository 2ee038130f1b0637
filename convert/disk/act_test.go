package disk_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/testdata/faults"
)

// act writes files in one act, the first of which is the main one.
func act(dir string, force bool, files map[string]string, order ...string) error {
	out, err := disk.Open(dir, force)
	if err != nil {
		return err
	}
	defer out.Close()
	var a disk.Act
	defer a.Discard()
	for _, name := range order {
		p, err := out.Durable().Prepare(name, func(w io.Writer) error { _, err := io.WriteString(w, files[name]); return err })
		if err != nil {
			return err
		}
		a.Add(p)
	}
	return a.Commit()
}

// room writes files in a room.
func room(dir string, force bool, files map[string]string, order ...string) error {
	out, err := disk.Open(dir, force)
	if err != nil {
		return err
	}
	defer out.Close()
	r, err := out.Room()
	if err != nil {
		return err
	}
	for _, name := range order {
		if err := r.Put(name, []byte(files[name])); err != nil {
			return err
		}
	}
	return r.Commit(order[0])
}

// files returns what is in a folder, but for what is unfinished; empty folders end with a slash.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, p) // it is below
		if err != nil || d.IsDir() {
			if err == nil && disk.IsTemporary(d.Name()) {
				return fs.SkipDir
			}
			if inside, _ := os.ReadDir(p); len(inside) == 0 && rel != "." {
				all[filepath.ToSlash(rel)+"/"] = ""
			}
			return err
		}
		b, err := os.ReadFile(p)
		all[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var order = []string{"w.gltf", "w.bin", "tex/one.png", "tex/deep/two.png"}

// An act is done or not at every step at which it may be stopped: at once where it ends with an error, and for the next run
// in the folder where it is killed.
func TestActFaults(t *testing.T) {
	now := map[string]string{}
	for _, name := range order {
		now[name] = "new " + name
	}
	for name, write := range map[string]func(string, bool, map[string]string, ...string) error{"act": act, "room": room} {
		for _, before := range []map[string]string{{}, {"w.gltf": "old"}, {"w.gltf": "old", "w.bin": "old", "tex/one.png": "old", "other": "old"}, {"tex/one.png": "old"}} {
			after := maps.Clone(before)
			maps.Copy(after, now)
			force := len(before) > 0
			t.Run(fmt.Sprint(name, " over ", len(before)), func(t *testing.T) {
				mayBe := func(t *testing.T, what, dir string, states ...map[string]string) {
					t.Helper()
					is := files(t, dir)
					for _, s := range states {
						if maps.Equal(is, s) {
							return
						}
					}
					t.Errorf("%s: %v", what, is)
				}
				c := faults.Case{Name: "case",
					Prepare: func(t *testing.T, dir string) {
						for name, text := range before {
							p := filepath.Join(dir, filepath.FromSlash(name))
							if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
								t.Fatal(err)
							}
						}
					},
					Do: func(dir string) error {
						err := write(dir, force, now, order...)
						if errors.Is(err, disk.ErrExists) && maps.Equal(files(t, dir), after) { // it was done, and somebody has seen it
							return nil
						}
						return err
					},
					Whole: func(t *testing.T, dir string) {
						out, err := disk.Open(dir, false) // the next run in the folder, about something else
						if err != nil {
							t.Fatal(err)
						}
						mayBe(t, "after another run", dir, before, after)
						if err := out.Close(); err != nil {
							t.Error(err)
						}
					},
					Done: func(t *testing.T, dir string) { mayBe(t, "in the end", dir, after) },
				}
				c.Try(t)
			})
		}
	}
}

// A run that is killed when all files have their names has told nobody of it: the same one may write them once more, also
// without leave to overwrite.
func TestActToldNobody(t *testing.T) {
	dir := t.TempDir()
	now := map[string]string{"w.gltf": "new", "w.bin": "new"}
	killed := false
	err := faults.Watch(func(step, path string) error {
		if killed = killed || step == "sync" && path == "." && len(files(t, dir)) == 2; killed {
			return faults.ErrKilled
		}
		return nil
	}, func() error { return act(dir, false, now, "w.gltf", "w.bin") })
	if err == nil || !maps.Equal(files(t, dir), now) {
		t.Fatalf("not killed with all files there: %v, %v", err, files(t, dir))
	}
	if err := act(dir, false, now, "w.gltf", "w.bin"); err != nil {
		t.Errorf("the same again: %v", err)
	}
	if err := act(dir, false, now, "w.gltf", "w.bin"); !errors.Is(err, disk.ErrExists) {
		t.Errorf("and again: %v", err)
	}
}

// Where what was replaced cannot be put back either, the error says so, and the next run puts it back.
func TestActTakesBackLater(t *testing.T) {
	dir := t.TempDir()
	was, now := map[string]string{"w.gltf": "old", "w.bin": "old"}, map[string]string{"w.gltf": "new", "w.bin": "new"}
	for name, text := range was {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("broken")
	failing := false
	err := faults.Watch(func(step, path string) error {
		if failing = failing || step == "rename" && path == "w.gltf"; failing && step == "rename" {
			return broken
		}
		return nil
	}, func() error { return act(dir, true, now, "w.gltf", "w.bin") })
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "the next run in this folder does it") || files(t, dir)["w.bin"] != "new" {
		t.Fatalf("%v; %v", err, files(t, dir))
	}
	out, err := disk.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if is := files(t, dir); !maps.Equal(is, was) {
		t.Errorf("%v, want %v", is, was)
	}
}

// All acts of a run that could not take them back are taken back by the next.
func TestActsTakenBackLater(t *testing.T) {
	dir := t.TempDir()
	was := map[string]string{"a": "old", "b": "old", "c": "old", "d": "old"}
	for name, text := range was {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	first, err := disk.Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for _, pair := range [][]string{{"a", "b"}, {"c", "d"}} {
		var a disk.Act
		for _, name := range pair {
			p, err := first.Durable().Prepare(name, func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err })
			if err != nil {
				t.Fatal(err)
			}
			a.Add(p)
		}
		failing := false
		err := faults.Watch(func(step, path string) error {
			if failing = failing || step == "rename" && path == pair[0]; failing && step == "rename" {
				return broken
			}
			return nil
		}, a.Commit)
		if !errors.Is(err, broken) {
			t.Fatal(pair, err)
		}
	}
	first.Close()
	out, err := disk.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if is := files(t, dir); !maps.Equal(is, was) {
		t.Errorf("%v, want %v", is, was)
	}
}

// What a killed run has begun is taken back, but nothing that somebody has made since.
func TestActLeavesOthersAlone(t *testing.T) {
	now := map[string]string{"w.gltf": "new", "w.bin": "new", "w.png": "new"}
	for _, c := range []struct {
		name  string
		force bool
		meant func(dir string) error // what somebody does before the next run
		want  map[string]string
	}{
		{"nothing", true, func(string) error { return nil }, map[string]string{"w.gltf": "old", "w.bin": "old"}},
		{"a companion edited", true, func(dir string) error { return os.WriteFile(filepath.Join(dir, "w.bin"), []byte("mine"), 0o666) }, map[string]string{"w.gltf": "old", "w.bin": "mine"}},
		{"the main file made", true, func(dir string) error { return os.WriteFile(filepath.Join(dir, "w.gltf"), []byte("mine"), 0o666) }, map[string]string{"w.gltf": "mine", "w.bin": "new", "w.png": "new"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"w.gltf", "w.bin"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			killed := false
			err := faults.Watch(func(step, path string) error {
				if killed = killed || step == "rename" && path == "w.gltf"; killed {
					return faults.ErrKilled
				}
				return nil
			}, func() error { return act(dir, true, now, "w.gltf", "w.bin", "w.png") })
			if err == nil || files(t, dir)["w.bin"] != "new" {
				t.Fatalf("%v: not killed before the main file has its name: %v", err, files(t, dir))
			}
			if err := c.meant(dir); err != nil {
				t.Fatal(err)
			}
			out, err := disk.Open(dir, false)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			if is := files(t, dir); !maps.Equal(is, c.want) {
				t.Errorf("%v, want %v", is, c.want)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".usher*")); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// A note that a stranger has written does nothing outside of its folder, and nothing to files that no act has made.
func TestActNotesOfStrangers(t *testing.T) {
	for _, note := range []string{
		`{"files":[{"name":"../victim","new":{"size":6,"time":0}}]}`,
		`{"files":[{"name":"none","new":{"size":1,"time":1}},{"name":"mine","new":{"size":4,"time":1}}]}`,
		`{"files":[{"name":"none","new":{"size":1,"time":1}},{"name":"new","new":{"size":1,"time":1},"old":{"size":1,"time":1},"kept":"../../victim"}]}`,
		`{"files":[{"name":"none","new":{"size":1,"time":1}}],"folders":["../empty","/tmp","."]}`,
		`{"files":[]}`, `null`, `[]`, `{`, ``,
	} {
		root := t.TempDir()
		dir := filepath.Join(root, "dir")
		for _, p := range []string{dir, filepath.Join(dir, ".usher-000000000000"), filepath.Join(root, "empty")} {
			if err := os.Mkdir(p, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		for p, text := range map[string]string{filepath.Join(root, "victim"): "victim", filepath.Join(dir, "mine"): "mine", filepath.Join(dir, ".usher-000000000000", "acts"): note + "\n"} {
			if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out, err := disk.Open(dir, true)
		if err != nil {
			t.Fatal(err)
		}
		out.Close()
		if is := files(t, root); !maps.Equal(is, map[string]string{"victim": "victim", "dir/mine": "mine", "empty/": ""}) {
			t.Errorf("%s: %v", note, is)
		}
	}
}

// A file of which one may not be overwritten keeps the others from being written.
func TestActExists(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.bin"), []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(string, bool, map[string]string, ...string) error{"act": act, "room": room} {
		err := write(dir, false, map[string]string{}, "w.gltf", "w.bin")
		if !errors.Is(err, disk.ErrExists) || !strings.Contains(err.Error(), "w.bin") || len(files(t, dir)) != 1 {
			t.Errorf("%s: %v, %v", name, err, files(t, dir))
		}
	}
}
