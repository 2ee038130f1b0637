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
				got += d.Text()
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

// TestNamelessInText: an actor whose line says no class or no name is told of; cameras of the editor are left out without a word.
func TestNamelessInText(t *testing.T) {
	for line, want := range map[string]bool{"Begin Actor Class=Light": true, "Begin Actor Name=New": true, "Begin Actor Class=Light Name=New": false, "Begin Actor Class=Camera": false, "Begin Actor Class=Camera Name=Camera7": false} {
		a := hall(t, 69)
		a.Env.Diagnostics = new(schema.Diagnostics)
		if err := a.addText([]byte(textOf(t, a) + line + "\nEnd Actor\n")); err != nil || a.Env.Diagnostics.Has("t3d-nameless") != want {
			t.Errorf("%s: %v, %v", line, a.Env.Diagnostics.All(), err)
		}
	}
}

// TestTwiceInText: an actor that the text has twice is told of, whether the level has it or not.
func TestTwiceInText(t *testing.T) {
	whole := textOf(t, hall(t, 69))
	for _, actor := range regexp.MustCompile(`(?s)Begin Actor Class=(\w+) Name=(\w+)\r\n.*?\r\nEnd Actor\r\n`).FindAllStringSubmatch(whole, -1) {
		fresh := strings.ReplaceAll(actor[0], "Name="+actor[2], "Name="+actor[2]+"b")
		for text, want := range map[string]string{
			whole: "", strings.Replace(whole, actor[0], actor[0]+actor[0], 1): actor[2],
			strings.Replace(whole, actor[0], actor[0]+fresh, 1): "", strings.Replace(whole, actor[0], actor[0]+fresh+fresh, 1): actor[2] + "b",
		} {
			if actor[1] == "LevelInfo" && text != whole && want == "" { // there is one, whatever its name
				want = actor[2] + "b"
			}
			a := hall(t, 69)
			a.Env.Diagnostics = new(schema.Diagnostics)
			if err := a.addText([]byte(text)); err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, d := range a.Env.Diagnostics.All() {
				if d.Code == "t3d-twice" {
					_, got, _ = strings.Cut(d.Msg, `"`)
					got, _, _ = strings.Cut(got, `"`)
				}
			}
			if got != want {
				t.Errorf("%s: told of %q, want %q: %v", actor[2], got, want, a.Env.Diagnostics.All())
			}
		}
	}
}

// TestMovedPaths: every actor of the text is moved, and put in again under another name: the game's paths are told of where
// it is one of their points, and of no other.
func TestMovedPaths(t *testing.T) {
	whole := textOf(t, hall(t, 69))
	points := 0
	for _, actor := range regexp.MustCompile(`(?s)Begin Actor Class=(\w+) Name=(\w+)\r\n.*?\r\nEnd Actor\r\n`).FindAllStringSubmatch(whole, -1) {
		moved := regexp.MustCompile(`(?m)^( *Location=\(.*)$`).ReplaceAllString(actor[0], "    Location=(X=1.000000,Y=2.000000,Z=3.000000)\r")
		copied := strings.ReplaceAll(actor[0], "Name="+actor[2], "Name="+actor[2]+"b")
		for what, text := range map[string]string{
			"as it was": whole,
			"moved":     strings.Replace(whole, actor[0], moved, 1),
			"copied":    strings.Replace(whole, actor[0], actor[0]+copied, 1),
		} {
			a := hall(t, 69)
			a.Env.Diagnostics = new(schema.Diagnostics)
			if err := a.addText([]byte(text)); err != nil {
				t.Fatal(err)
			}
			point := actor[1] == "PlayerStart" || actor[1] == "PathNode"
			if told := a.Env.Diagnostics.Has("paths"); told != (point && text != whole) {
				t.Errorf("%s, %s: told %v: %v", actor[2], what, told, a.Env.Diagnostics.All())
			}
			if point {
				points++
			}
		}
	}
	if points == 0 {
		t.Error("there is no point of a path")
	}
}
