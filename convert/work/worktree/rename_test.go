package worktree_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

// A file of a package that got another name is its object under another name, where what is gone is removed: what refers
// to it follows. The patch of that says so in one line, and packed over its base the folder knows the new name.
func TestRenamedFile(t *testing.T) {
	dir := t.TempDir()
	base := filepath.Join(dir, "pictures.utx")
	b, err := os.ReadFile("../../../testdata/unreal/pictures.utx")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(base, b, 0o666); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "walls")
	unpacked(t, base, folder)
	if err := os.Rename(filepath.Join(folder, "Walls.Palette1.json"), filepath.Join(folder, "Walls.Paint.json")); err != nil {
		t.Fatal(err)
	}
	pack := func(out string, prune bool) string {
		p := worktree.Packing{Prune: prune, Force: true}
		done, err := p.Run(context.Background(), folder, out, new(schema.Diagnostics))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range done.Changes {
			list = append(list, c.Action+" "+c.Entry+" "+strings.Join(c.Files, ","))
		}
		return strings.Join(list, "; ")
	}
	if got := pack(filepath.Join(dir, "kept.utx"), false); got != "kept Walls.Palette1 Walls.Palette1.json; added Walls.Paint Walls.Paint.json" {
		t.Errorf("without --prune: %s", got)
	}
	out := filepath.Join(dir, "new.utx")
	if got := pack(out, true); got != "renamed Walls.Palette1 Walls.Paint" {
		t.Fatal(got)
	}
	throughPatch(t, "renamed", base, out)
	a, err := store.OpenAny(out, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	i, err := a.Find("Walls.Paint")
	if err != nil {
		t.Fatal(err)
	}
	was, err := store.OpenAny(base, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := was.Find("Walls.Palette1")
	if err != nil || i != k || len(a.Entries()) != len(was.Entries()) {
		t.Errorf("it is entry %d of %d, and was %d of %d: %v", i, len(a.Entries()), k, len(was.Entries()), err)
	}
	if got := pack(base, true); got != "renamed Walls.Palette1 Walls.Paint" {
		t.Errorf("over its base: %s", got)
	}
	if got := pack(base, true); got != "" {
		t.Errorf("over its base, once more: %s", got)
	}
	now, err := os.ReadFile(base)
	if err != nil {
		t.Fatal(err)
	}
	if there, err := os.ReadFile(out); err != nil || !bytes.Equal(now, there) {
		t.Errorf("over its base it is another archive than beside it: %v", err)
	}
	file := filepath.Join(folder, "Walls.Paint.json")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte("#0a141eff"), []byte("#0b141eff"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := pack(base, true); got != "replaced Walls.Paint Walls.Paint.json" {
		t.Errorf("edited under its new name: %s", got)
	}
}
