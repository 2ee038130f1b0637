package unreal

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

func paths(a *archive) (list []string) {
	for _, e := range a.Entries() {
		list = append(list, e.Path)
	}
	return list
}

// payloads returns the stored bytes of all entries by path, with the positions in them relative to their start.
func payloads(t testing.TB, a *archive) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for i, e := range a.Entries() {
		b, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		k, err := a.export(i)
		if err != nil {
			t.Fatal(err)
		}
		all[e.Path] = relative(t, a, k, b)
	}
	return all
}

func TestRemove(t *testing.T) {
	for _, version := range []uint16{61, 62, 69} {
		a := openBytes(t, "Made.u", written(t, made(t, version)))
		before, size := payloads(t, a), a.Size
		palette := unreal.Ref(0)
		o, err := a.Object(entry(t, a, "Walls.Holes"))
		if err != nil {
			t.Fatal(err)
		}
		palette = o.Base().Ref("Palette")
		path, _ := a.Path(palette)
		if err := a.Remove(entry(t, a, path)); schema.Class(err) != schema.ErrUnsupported || !strings.Contains(err.Error(), "Texture'Walls.Holes' needs it") {
			t.Errorf("the palette of a texture: %v", err)
		}
		if err := a.Remove(entry(t, a, "Walls")); schema.Class(err) != schema.ErrUnsupported {
			t.Errorf("a group that holds something: %v", err)
		}
		if err := a.Remove(len(a.Entries())); schema.Class(err) != schema.ErrRange {
			t.Errorf("no entry: %v", err)
		}
		for _, gone := range []string{"Walls.Holes", path, "Song"} {
			if err := a.Remove(entry(t, a, gone)); err != nil {
				t.Fatal(err)
			}
			delete(before, gone)
		}
		rows := len(a.Exports)
		b := written(t, a)
		n := openBytes(t, "Made.u", b)
		if got, want := paths(n), paths(a); !slices.Equal(got, want) || slices.Contains(got, "Walls.Holes") || slices.Contains(got, "Song") {
			t.Errorf("entries %q, want %q", got, want)
		}
		if len(n.Exports) >= rows || int64(len(b)) >= size-2000 {
			t.Errorf("%d exports, had %d; %d bytes, had %d", len(n.Exports), rows, len(b), size)
		}
		for path, b := range payloads(t, n) {
			if !bytes.Equal(b, before[path]) {
				t.Errorf("%s changed", path)
			}
		}
		for i := range n.Entries() {
			back(t, n, i, map[string]int{})
		}
		if again := written(t, n); !bytes.Equal(again, b) {
			t.Error("a package with an empty slot changes by being written")
		}
		// What was removed can be added again.
		add(t, n, "Walls/Holes", colourful(16, 16, true), format.Texture)
		n = openBytes(t, "Made.u", written(t, n))
		if !texture.Same(lifted(t, n, "Walls.Holes").(*asset.Texture), colourful(16, 16, true)) {
			t.Error("the new picture is not the one that was added")
		}
	}
}

// Nothing of a level or a class goes while something needs it.
func TestRemoveUsed(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	for _, c := range []struct{ file, path, user string }{
		{"1HH-TestBox.unr", "MyLevel.LevelInfo0", "needs it"},
		{"CTF-1on1-Joust.unr", "Brush10", "needs it, as the editor built it: take it out there, and rebuild"},
		{"NBDeco.u", "NBDeco", ""},
	} {
		a := openBytes(t, c.file, corpus.Bytes(t, dir+"/"+c.file))
		if c.user == "" {
			checkUsers(t, a)
			continue
		}
		i := slices.IndexFunc(a.Entries(), func(e format.Entry) bool { return strings.HasSuffix(c.path, e.Path) })
		if i < 0 {
			t.Fatalf("no %s in %v", c.path, paths(a))
		}
		if err := a.Remove(i); schema.Class(err) != schema.ErrUnsupported || !strings.Contains(err.Error(), c.user) {
			t.Errorf("%s: %v", c.path, err)
		}
	}
}

// checkUsers: a class and its functions need each other, and go only together.
func checkUsers(t *testing.T, a *archive) {
	t.Helper()
	all := paths(a)
	if err := a.removeAll(indices(len(all) - 1)); schema.Class(err) != schema.ErrUnsupported || len(a.Entries()) != len(all) {
		t.Errorf("all but one: %v, %d of %d left", err, len(a.Entries()), len(all))
	}
	if err := a.removeAll(indices(len(all))); err != nil {
		t.Fatal(err)
	}
	n := openBytes(t, "left.u", written(t, a))
	if len(n.Entries()) != 0 || len(n.Exports) != 0 || n.Size > 3000 {
		t.Errorf("left %q in %d bytes", paths(n), n.Size)
	}
}

func TestMayRefer(t *testing.T) {
	d := new(schema.Diagnostics)
	b := corpus.Bytes(t, corpus.Folder(t, "unreal")+"/synthetic/syn_props.u")
	a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: "syn_props.u", Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	for i := len(a.Entries()) - 1; i >= 0; i-- {
		if a.Remove(i) == nil && i > len(a.Entries()) {
			t.Error("the entry is still there")
		}
	}
	openBytes(t, "syn_props.u", written(t, a))
}
