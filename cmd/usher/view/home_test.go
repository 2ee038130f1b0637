package view

import (
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestStart: who named nothing is told of every family, with all of its extensions, on the first screen alone.
func TestStart(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "ultimate3d"))
	var home Home
	getJSON(t, v, "/api/home/0", &home)
	if home.Worlds != nil {
		t.Error("who named something is told what usher does")
	}
	v.config.Start = true
	getJSON(t, v, "/api/home/0", &home)
	told := map[string]bool{}
	for _, w := range home.Worlds {
		if told[w.Name] || w.Name == "" {
			t.Errorf("%q is told of twice, or has no name", w.Name)
		}
		told[w.Name] = true
		for _, ext := range w.Extensions {
			told[w.Name+ext] = true
		}
	}
	for i := range formats.All {
		f := &formats.All[i]
		for _, ext := range f.Extensions {
			if name := familyTitles[f.Family]; ext != ".*" && !told[name+ext] {
				t.Errorf("%s: nothing tells of %s", name, ext)
			}
		}
	}
}

// TestByClass: which lists of entries are grouped.
func TestByClass(t *testing.T) {
	for _, tt := range []struct {
		name string
		list []format.Entry
		want bool
	}{
		{"none", nil, false},
		{"two classes", []format.Entry{{Path: "A", Class: "Light"}, {Path: "B", Class: "Brush"}}, true},
		{"one class", []format.Entry{{Path: "A", Class: "Light"}, {Path: "B", Class: "Light"}}, false},
		{"one without", []format.Entry{{Path: "A", Class: "Light"}, {Path: "B"}}, false},
		{"folders", []format.Entry{{Path: "A/B", Class: "Light"}, {Path: "B", Class: "Brush"}}, false},
		{"each like its class", []format.Entry{{Path: "A", Class: "A"}, {Path: "B", Class: "B"}}, false},
		{"one like its class", []format.Entry{{Path: "A", Class: "Light"}, {Path: "B", Class: "Brush"}, {Path: "Armor2", Class: "Armor2"}}, true},
	} {
		if got := byClass(tt.list); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
