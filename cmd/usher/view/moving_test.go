package view

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// TestMoving: a texture that the engine computes is listed and shown as a texture that moves, with its parameters as fields; one of a
// chain moves as well, and any other does not.
func TestMoving(t *testing.T) {
	v := newViewer(t, corpus.Testdata(t, "unreal", "moving.utx"))
	frames := map[string]int{"Flame": 32, "Pool": 32, "Rings": 32, "Pond": 32, "Pane": 32, "Blink1": 3, "Bricks": 1}
	for _, r := range allRows(t, v) {
		want, asked := frames[r.Name]
		if !asked {
			continue
		}
		delete(frames, r.Name)
		var f Facts
		getJSON(t, v, fmt.Sprintf("/api/node/%d", r.ID), &f)
		computed := want == 32
		if r.Kind != "texture" || f.Kind != "texture" || !slices.Contains(f.Views, "picture") || slices.Contains(f.Views, "fields") != computed || f.Picture == nil {
			t.Errorf("%s: a %s, shown as a %s in %v", r.Name, r.Kind, f.Kind, f.Views)
			continue
		}
		if len(f.Picture.Frames) != want || (f.Picture.FPS > 0) != (want > 1) {
			t.Errorf("%s: %d frames at %v a second, want %d", r.Name, len(f.Picture.Frames), f.Picture.FPS, want)
		}
		told := slices.ContainsFunc(f.Facts, func(x Fact) bool { return x.Name == "picture" && strings.HasPrefix(fmt.Sprint(x.Value), "computed") })
		saved := slices.ContainsFunc(f.Saves, func(s Save) bool { return s.As == "apng" })
		if told != computed || saved != (want > 1) {
			t.Errorf("%s: told as computed %v, saved as an animation %v", r.Name, told, saved)
		}
		first, last := get(t, v, fmt.Sprintf("/api/image/%d?frame=0", r.ID)), get(t, v, fmt.Sprintf("/api/image/%d?frame=%d", r.ID, want-1))
		if bytes.Equal(first, last) != (want == 1) {
			t.Errorf("%s: the first and the last frame are equal: %v", r.Name, want > 1)
		}
	}
	for name := range frames {
		t.Errorf("%s is not listed", name)
	}
}
