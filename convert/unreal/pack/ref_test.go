package pack

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/unreal"
)

// TestCleanName: the first text that has letters or digits, without what names cannot have, and no longer than they may be.
func TestCleanName(t *testing.T) {
	long := strings.Repeat("x", unreal.MaxName+1)
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"Wall"}, "Wall"}, {[]string{"A"}, "A"}, {[]string{"", "B"}, "B"}, {[]string{"a b.c"}, "abc"}, {[]string{"é", "x"}, "x"}, {[]string{"é"}, "Skin"}, {nil, "Skin"}, {[]string{long}, long[1:]}, {[]string{long[1:]}, long[1:]},
	} {
		if got := CleanName(c.names...); got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}

// TestFindRef: objects are found by class and path, whatever their case, as soon as they are there and under former names too.
func TestFindRef(t *testing.T) {
	f := Scratch()
	find := func(text string, want unreal.Ref, ok bool) {
		t.Helper()
		if r, found := f.FindRef(text); r != want || found != ok {
			t.Errorf("%s: %d, %v; want %d, %v", text, r, found, want, ok)
		}
	}
	find("", 0, true)
	find("None", 0, true)
	find("Texture'Wall'", 0, false)
	class := f.AddClass("Engine", "Texture")
	find("class'engine.texture'", class, true)
	wall := f.AddExport(class, 0, "Wall", unreal.PrivateFlags)
	find("Texture'Wall'", wall, true)
	find("texture'WALL'", wall, true)
	find("Palette'Wall'", 0, false)
	palette := f.AddClass("Engine", "Palette")
	find("Class'Engine.Palette'", palette, true)
	f.Rename(wall, 0, "Door")
	find("Texture'Door'", wall, true)
	find("Texture'Wall'", wall, true)
	again := f.AddExport(class, 0, "Wall", unreal.PrivateFlags)
	twin := f.AddExport(class, 0, "Door", unreal.PrivateFlags)
	if again == twin {
		t.Error("two exports are one")
	}
	find("Texture'Door'", wall, true) // the first of that name
}
