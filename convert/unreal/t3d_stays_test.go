package unreal

import (
	"regexp"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestStayingActors: an actor that somebody cut out of the text of a whole level stays, and is named; a text without the
// LevelInfo is a part, which cuts nothing.
func TestStayingActors(t *testing.T) {
	whole := textOf(t, hall(t, 69))
	actors := regexp.MustCompile(`(?s)Begin Actor Class=(\w+) Name=(\w+)\r\n.*?\r\nEnd Actor\r\n`).FindAllStringSubmatch(whole, -1)
	if len(actors) < 3 {
		t.Fatalf("%d actors", len(actors))
	}
	for _, cut := range actors {
		a := hall(t, 69)
		a.Env.Diagnostics = new(schema.Diagnostics)
		if err := a.addText([]byte(strings.Replace(whole, cut[0], "", 1))); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range a.Env.Diagnostics.All() {
			if d.Code == "t3d-stays" {
				got += d.Msg
			}
		}
		want := `actor "` + cut[2] + `" is not in the text of the whole level, and stays: its own file, removed with --prune, takes it out`
		if cut[1] == "LevelInfo" {
			want = ""
		}
		if got != want {
			t.Errorf("without %s: %q", cut[2], got)
		}
	}
}
