package batch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/work/batch"
)

// TestConversionsAgain: what was made stays as long as it is of the same input, options and files; what was made of
// something else is not overwritten without leave.
func TestConversionsAgain(t *testing.T) {
	dir := yard(t)
	sounds := batch.Conversion{Out: "new", Session: batch.Session{Workers: 1}}
	run := func(name string, c batch.Conversion, operands, want string) {
		t.Helper()
		if got := outcome(t, dir, c, operands); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	const both = "in/bell.snd in/small.picture"
	run("at first", sounds, both, "in/bell.snd done\nin/small.picture done\n-> new/bell.wav new/small.png")
	run("again", sounds, both, "in/bell.snd current\nin/small.picture current\n->")
	dry := sounds
	dry.DryRun = true
	run("dry", dry, both, "in/bell.snd current\nin/small.picture current\n->")
	forced := sounds
	forced.Force = true
	run("with force", forced, both, "in/bell.snd done\nin/small.picture done\n->")
	if err := os.Remove(filepath.Join(dir, "new", "bell.wav")); err != nil {
		t.Fatal(err)
	}
	run("one is gone", sounds, both, "in/bell.snd done\nin/small.picture current\n-> new/bell.wav")
	other := sounds
	other.Loader.Options.Prune = true
	exists := filepath.Join("new", "small.png") + " exists already, and was made of something else; --force makes it anew"
	b, err := os.ReadFile(filepath.Join(dir, "in", "small.picture"))
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 0xFF
	if err := os.WriteFile(filepath.Join(dir, "in", "small.picture"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	run("another input", sounds, both, "in/bell.snd current\nin/small.picture failed ("+exists+")\n->")
	run("another input, dry", dry, both, "in/bell.snd current\nin/small.picture failed ("+exists+")\n->")
	run("another input, with force", forced, both, "in/bell.snd done\nin/small.picture done\n->")
	run("and again", sounds, both, "in/bell.snd current\nin/small.picture current\n->")
}

// TestConversionsFrom: an input is what somebody says it is; a folder of interchange files goes the way back, unless files
// of a game are in it too.
func TestConversionsFrom(t *testing.T) {
	dir := yard(t)
	as := batch.Conversion{Out: "as"}
	as.Loader.From = formats.ByName("cmp")
	if got := outcome(t, dir, as, "in/bell.snd"); !strings.HasPrefix(got, "in/bell.snd failed (utf") {
		t.Errorf("a sound as a model: %s", got)
	}
	if got, want := outcome(t, dir, batch.Conversion{Out: "work"}, "in/bell.snd in/deep"), "in/bell.snd done\nin/deep/box.3db done\nin/deep/box.cmp done\n-> work/bell.wav work/box.cmp.glb work/box.glb"; got != want {
		t.Errorf("there: %s", got)
	}
	got := outcome(t, dir, batch.Conversion{Out: "back"}, "work")
	if want := "work/bell.wav done\nwork/box.cmp.glb done\nwork/box.glb done\n-> back/bell.snd back/box.3db back/box.cmp"; got != want && got != strings.Replace(want, "back/box.3db back/box.cmp", "back/box.3db back/box.cmp.cmp", 1) {
		t.Errorf("back: %s", got)
	}
	if err := os.Link(filepath.Join(dir, "in", "bell.snd"), filepath.Join(dir, "work", "other.snd")); err != nil {
		t.Fatal(err)
	}
	if got, want := outcome(t, dir, batch.Conversion{Out: "both"}, "work"), "work/other.snd done\nwork opened\n-> both/other.wav"; got != want {
		t.Errorf("beside a file of a game: %s", got)
	}
	whole := batch.Conversion{Out: "x.json"}
	if got, want := outcome(t, dir, whole, "in/deep/box.cmp"), "in/deep/box.cmp done\n-> x.json"; got != want {
		t.Errorf("a model: %s", got)
	}
}
