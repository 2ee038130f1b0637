package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/testdata/corpus"
)

// TestLinks: a texture knows the models that wear it, and they know it.
func TestLinks(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "unreal"))
	wearers := 0
	for _, r := range allRows(t, v) {
		if r.Kind != "texture" {
			continue
		}
		var l Links
		for start := time.Now(); ; {
			getJSON(t, v, fmt.Sprintf("/api/links/%d", r.ID), &l)
			if !l.Busy || time.Since(start) > time.Minute {
				break
			}
			time.Sleep(time.Millisecond)
		}
		for _, m := range l.UsedBy {
			wearers++
			var back Links
			getJSON(t, v, fmt.Sprintf("/api/links/%d", m.ID), &back)
			found := false
			for _, x := range back.Uses {
				found = found || x.ID == r.ID
			}
			if !found {
				t.Errorf("%s is worn by %s, which does not know it: %v", r.Name, m.Name, back.Uses)
			}
		}
		t.Logf("%s: %v", r.Name, l.UsedBy)
	}
	if wearers == 0 {
		t.Error("no texture is worn")
	}
	if got := strings.Join(linkNames(`Textures\Walls.Brick.tga`, "12", "a"), " "); got != "textures/walls.brick.tga walls.brick.tga walls.brick" {
		t.Errorf("names %q", got)
	}
}
