package unreal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// named writes a package of empty objects in a group, all of them with the same name.
func named(t testing.TB, group, name string, objects int) []byte {
	t.Helper()
	p := &unreal.Package{Version: 69, Flags: 1}
	p.AddName("None")
	outer := p.AddExport(p.AddClass("Core", "Package"), 0, group, 0)
	class := p.AddClass("Engine", "Light")
	for range objects {
		p.AddExport(class, outer, name, 0)
	}
	var w bytes.Buffer
	if err := write.Package(&w, p); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// TestPaths: paths stay apart where objects share a name, whatever their case.
func TestPaths(t *testing.T) {
	a := openBytes(t, "p.u", named(t, "Été", "Lamp", 3))
	for i, want := range []string{"Été", "Été.Lamp", "Été.Lamp@Light", "Été.Lamp@Light@3"} {
		if got := a.Entries()[i].Path; got != want {
			t.Errorf("path %d is %q, want %q", i, got, want)
		}
	}
	if a.claim("éTÉ.lAMP") {
		t.Error("a path that differs in case only is free")
	}
}

// TestLongPaths: a long name that many objects bear does not take memory without end.
func TestLongPaths(t *testing.T) {
	b := named(t, strings.Repeat("g", 50_000), "x", 5000)
	if _, err := open(bytes.NewReader(b), int64(len(b)), nil); schema.Class(err) != schema.ErrLimit {
		t.Errorf("%v, want %v", err, schema.ErrLimit)
	}
}
