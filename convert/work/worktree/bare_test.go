package worktree_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// serverPackage writes a package whose sound, music and one of whose textures have lost their content.
func serverPackage(t *testing.T) string {
	t.Helper()
	a, err := store.OpenArchive(corpus.Testdata(t, "unreal", "made69.u"), nil, new(engine.Loader).Env("made69.u", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, path := range []string{"Beep", "Song", "Walls.Board"} {
		i, err := a.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		f := a.Entries()[i].Format.Of(i, payload)
		v, err := f.Read(payload, nil)
		if err != nil {
			t.Fatal(err)
		}
		switch o := v.(type) {
		case *unreal.Sound:
			o.Data = nil
		case *unreal.Music:
			o.Data = nil
		case *unreal.Texture:
			o.Mips = nil
		}
		if payload, err = f.Write(v); err != nil {
			t.Fatal(err)
		}
		if err := a.Replace(i, payload); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "server.u")
	if _, err := store.WriteArchive(context.Background(), a, out, false, false); err != nil {
		t.Fatal(err)
	}
	return out
}

// what sums up results: sources, statuses and messages.
func what(r batch.Result) string {
	text := []string{filepath.Base(r.Source), string(r.Status)}
	for _, d := range r.Diagnostics {
		if d.Severity != schema.Note {
			text = append(text, d.Msg)
		}
	}
	return strings.Join(text, ": ")
}

// Of packages for servers one message tells what has no content; no empty file is made, and nothing fails.
func TestBarePackage(t *testing.T) {
	const told = "server.u: opened: 1 texture without pixels, 2 sounds without samples, as packages for servers are"
	archive := serverPackage(t)
	for verb, run := range map[string]func(dir string, emit func(batch.Result)) error{
		"convert": func(dir string, emit func(batch.Result)) error {
			c := batch.Conversion{Out: dir}
			return c.Run(context.Background(), []string{archive}, emit)
		},
		"unpack": func(dir string, emit func(batch.Result)) error {
			u := worktree.Unpacking{}
			return u.Run(context.Background(), archive, dir, emit)
		},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		var said []string
		if err := run(dir, func(r batch.Result) {
			if r.Err != nil || r.Status == batch.Bare {
				t.Errorf("%s: %s: %v", verb, r.Source, r.Err)
			}
			if r.Status == batch.Opened {
				said = append(said, what(r))
			}
		}); err != nil {
			t.Error(err)
		}
		if !slices.Equal(said, []string{told}) {
			t.Errorf("%s: %q", verb, said)
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Size() == 0 {
				t.Errorf("%s: %s has %d bytes, %v", verb, f.Name(), info.Size(), err)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "Beep.bin")); (err == nil) != (verb == "unpack") {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

// What is laid into the place of content that was taken out becomes that of the entry, which keeps all else; while the
// stored bytes lie there as well, it is refused.
func TestFillBare(t *testing.T) {
	archive, whole := serverPackage(t), unpack(t, corpus.Testdata(t, "unreal", "made69.u"), worktree.Unpacking{})
	for _, c := range []struct{ entry, file string }{{"Beep", "Beep.wav"}, {"Song", "Song.mod"}, {"Walls.Board", "Walls.Board.png"}} {
		dir := unpack(t, archive, worktree.Unpacking{})
		b, err := os.ReadFile(filepath.Join(whole, c.file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, c.file), b, 0o666); err != nil {
			t.Fatal(err)
		}
		if p, _, err := pack(t, dir, worktree.Packing{}); err == nil {
			t.Errorf("%s beside its stored bytes: %v", c.file, p)
		}
		if err := os.Remove(filepath.Join(dir, c.entry+".bin")); err != nil {
			t.Fatal(err)
		}
		_, out, err := pack(t, dir, worktree.Packing{})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		again := unpack(t, out, worktree.Unpacking{})
		if got, err := os.ReadFile(filepath.Join(again, c.file)); err != nil || c.entry != "Walls.Board" && string(got) != string(b) {
			t.Errorf("%s: %d bytes came back, %v", c.file, len(got), err)
		}
	}
}
