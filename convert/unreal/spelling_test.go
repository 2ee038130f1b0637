package unreal

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// openedAs reads a package of testdata as an archive.
func openedAs(t *testing.T, name string, d *schema.Diagnostics) *archive {
	t.Helper()
	b := corpus.Bytes(t, corpus.Testdata(t, "unreal", name))
	a, err := Open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: name, Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	return a.(*archive)
}

// TestSpelling: a name in another case is taken over where it is that of one object alone, and told of elsewhere.
func TestSpelling(t *testing.T) {
	for _, c := range []struct {
		file, from, to string
		now            string // what it is called then
		names          int    // that the table has more
	}{
		{"made69.u", "Beep", "BEEP", "BEEP", 0},
		{"made69.u", "Beep", "beep", "beep", 0},
		{"made69.u", "Beep", "Horn", "Horn", 1},
		{"made69.u", "Walls.Board", "Walls.BOARD", "Walls.BOARD", 0},
		{"made69.u", "Walls.Board", "WALLS.BOARD", "Walls.BOARD", 0}, // others lie in the group
		{"made69.u", "Walls", "WALLS", "WALLS", 0},
		{"made69.u", "Beep", "texture", "Texture", 0}, // which a class is called
		{"made69.u", "Beep", "PALETTE", "Palette", 0}, // which a property is called
		{"made69.u", "Beep", "bOARD", "Board", 0},
		{"hall.unr", "Light0", "LIGHT0", "LIGHT0", 0},
	} {
		d := new(schema.Diagnostics)
		a := openedAs(t, c.file, d)
		names := len(a.Names)
		i := indexOf(a, c.from)
		if err := a.rename(i, c.to); err != nil {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
			continue
		}
		var w bytes.Buffer
		if _, err := a.WriteTo(&w); err != nil {
			t.Fatal(err)
		}
		again, err := Open(bytes.NewReader(w.Bytes()), int64(w.Len()), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := again.(*archive)
		if now := got.Entries()[i].Path; now != c.now || len(got.Names)-names != c.names || a.renamed()[c.from] != c.now {
			t.Errorf("%s to %s: it is %s, with %d names more; %v", c.from, c.to, now, len(got.Names)-names, a.renamed())
		}
		told := strings.Contains(diagnosed(d), "spelling-kept")
		if told != (c.now != c.to) {
			t.Errorf("%s to %s: said %s", c.from, c.to, diagnosed(d))
		}
		for k, n := range a.Names { // nothing else is spelled otherwise
			if k < names && !strings.EqualFold(n.Text, c.to) && !strings.EqualFold(n.Text, c.from) && n != got.Names[k] {
				t.Errorf("%s to %s: %q became %q", c.from, c.to, n.Text, got.Names[k].Text)
			}
		}
	}
}

func indexOf(a *archive, path string) int {
	for i, e := range a.Entries() {
		if e.Path == path {
			return i
		}
	}
	return -1
}

func diagnosed(d *schema.Diagnostics) string {
	var b strings.Builder
	for _, x := range d.All() {
		b.WriteString(x.String() + "\n")
	}
	return b.String()
}

// TestScriptClass: which texts are the source of a class.
func TestScriptClass(t *testing.T) {
	x, err := Create(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := x.(*archive)
	text := a.AddClass("Core", "TextBuffer")
	mine := a.AddExport(0, 0, "Mine", 0)
	of := a.AddExport(text, mine, "scripttext", 0)
	for r, want := range map[unreal.Ref]int{
		of: int(mine - 1), mine: -1, 0: -1, 100: -1, a.AddExport(text, mine, "Other", 0): -1, a.AddExport(text, 0, "ScriptText", 0): -1,
		a.AddExport(text, of, "ScriptText", 0): -1, a.AddExport(text, 1000, "ScriptText", 0): -1, a.AddExport(text, text, "ScriptText", 0): -1,
	} {
		if got := a.scriptClass(int(r - 1)); got != want {
			t.Errorf("export %d: the source of %d, want %d", r-1, got, want)
		}
	}
}

// TestSetEntry: what lies in itself is an error, and shows nothing.
func TestSetEntry(t *testing.T) {
	x, err := Create(nil)
	if err != nil {
		t.Fatal(err)
	}
	a := x.(*archive)
	r := a.AddExport(0, 1, "Mine", 0)
	if err := a.setEntry(int(r - 1)); !errors.Is(err, schema.ErrCycle) || a.entries[r-1].Path != "" {
		t.Errorf("%v: %+v", err, a.entries[r-1])
	}
}

// TestNoLevel: a new level cannot be made, nor one of what is no scene.
func TestNoLevel(t *testing.T) {
	a := openedAs(t, "hall.unr", nil)
	i := a.lead()
	for _, err := range []error{
		func() error { _, err := lowerLevel(a, -1, &asset.Scene{}, a.Env); return err }(),
		func() error { _, err := lowerLevel(a, i, &asset.Text{}, a.Env); return err }(),
	} {
		if !errors.Is(err, schema.ErrUnsupported) || !strings.Contains(err.Error(), "a new level needs the editor") {
			t.Errorf("%v", err)
		}
	}
	if _, err := lowerLevel(a, i, &asset.Scene{}, a.Env); err == nil || !strings.Contains(err.Error(), "was not made from this level") {
		t.Errorf("a scene of another level: %v", err)
	}
}

// TestHexBytes: bytes of a value stand under one key.
func TestHexBytes(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string // empty where it is none
	}{
		{map[string]any{"hex": "0a7F"}, "\x0a\x7f"}, {map[string]any{"hex": "0a", "x": 1.0}, ""}, {map[string]any{}, ""}, {map[string]any{"hex": 1.0}, ""},
		{map[string]any{"hex": "0"}, ""}, {map[string]any{"x": "0a"}, ""}, {"0a", ""}, {nil, ""},
	} {
		if b, ok := hexBytes(c.value); string(b) != c.want && ok || ok != (c.want != "") {
			t.Errorf("%v: % x, %v", c.value, b, ok)
		}
	}
}
