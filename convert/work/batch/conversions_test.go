package batch_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
)

// yard is a folder with files of several kinds in "in".
func yard(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, from := range map[string][2]string{
		"in/bell.snd": {"ultima9", "bell.snd"}, "in/models.flx": {"ultima9", "models.flx"}, "in/small.picture": {"ultima9", "small.picture"}, "in/worm.u": {"unreal", "worm.u"}, "in/sounds.uax": {"unreal", "sounds.uax"},
		"in/deep/box.cmp": {"freelancer", "ship.cmp"}, "in/deep/box.3db": {"freelancer", "crate.3db"}, "in/typename.flx": {"ultima9", "typename.flx"},
		"more/hall.unr": {"unreal", "hall.unr"}, "more/tiles.txm": {"freelancer", "tiles.txm"}, "more/escape.utf": {"freelancer", "escape.utf"},
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, corpus.Bytes(t, corpus.Testdata(t, from[0], from[1])), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"in/notes.nothing": "words", "there.png": "a file", "folder/x": "y", "in/broken.cmp": "UTF \x00\x01\x00\x00broken"} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// outcome runs a conversion in the yard and tells its results, its error, and the files that it made.
func outcome(t *testing.T, dir string, c batch.Conversion, operands string) string {
	t.Helper()
	t.Chdir(dir)
	before := map[string]bool{}
	list := func(visit func(name string)) {
		err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != batch.RecordName && !strings.HasSuffix(p, interchange.SidecarExtension) {
				visit(filepath.ToSlash(p))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	list(func(name string) { before[name] = true })
	var told []string
	err := c.Run(context.Background(), strings.Fields(operands), func(r batch.Result) {
		text := filepath.ToSlash(r.Source) + " " + string(r.Status)
		if r.Err != nil {
			if reason := r.Err.Error(); errors.Is(r.Err, fs.ErrNotExist) && !strings.Contains(reason, "entry") {
				text += " (not there)"
			} else {
				text += " (" + reason + ")"
			}
		}
		if r.Status == batch.Done && r.Format == "" && strings.HasPrefix(text, "in/") && !strings.Contains(text, ",") { // what is stored is of one
			text += " (of no format)"
		}
		told = append(told, text)
	})
	if err != nil {
		told = append(told, "error: "+err.Error())
	}
	var made []string
	list(func(name string) {
		if !before[name] {
			made = append(made, name)
		}
	})
	slices.Sort(made)
	return strings.TrimSpace(strings.Join(told, "\n") + "\n-> " + strings.Join(made, " "))
}

// TestConversions: what becomes of operands, where it goes and what it is called.
func TestConversions(t *testing.T) {
	for _, c := range []struct {
		operands string
		c        batch.Conversion
		want     string
	}{
		{"in/bell.snd", batch.Conversion{Out: "x.wav"}, "in/bell.snd done\n-> x.wav"},
		{"in/bell.snd", batch.Conversion{Out: "x.wav", DryRun: true}, "in/bell.snd planned\n->"},
		{"in/bell.snd", batch.Conversion{Out: "new/"}, "in/bell.snd done\n-> new/bell.wav"},
		{"in/bell.snd", batch.Conversion{Out: "new"}, "in/bell.snd done\n-> new/bell.wav"},
		{"in/bell.snd", batch.Conversion{Out: "folder"}, "in/bell.snd done\n-> folder/bell.wav"},
		{"in/bell.snd", batch.Conversion{}, "in/bell.snd done\n-> bell.wav"},
		{"in/bell.snd", batch.Conversion{Out: "there.png"}, "in/bell.snd failed (u9-sound holds a sound, which does not go into PNG)\n->"},
		{"in/bell.snd", batch.Conversion{Out: "there.png", To: "wav"}, "in/bell.snd failed (there.png exists already)\n->"},
		{"in/bell.snd", batch.Conversion{Out: "there.png", To: "wav", Force: true}, "in/bell.snd done\n->"},
		{"in/bell.snd", batch.Conversion{Out: "x.png"}, "in/bell.snd failed (u9-sound holds a sound, which does not go into PNG)\n->"},
		{"in/bell.snd", batch.Conversion{Out: "new", Selection: batch.Selection{Kinds: []format.Kind{format.Texture}}}, "error: nothing matched\n->"},
		{"in/none.snd", batch.Conversion{Out: "new"}, "in/none.snd failed (not there)\n->"},
		{"in/notes.nothing", batch.Conversion{Out: "new"}, "in/notes.nothing failed (not recognised; --from FORMAT reads it as one of those that \"usher formats\" lists)\n->"},
		{"in/broken.cmp", batch.Conversion{Out: "new"}, "in/broken.cmp failed (utf+0x4: version: found 0x100, expected 0x101)\n->"},
		{"in/models.flx", batch.Conversion{Out: "new"}, "in/models.flx:0 done\nin/models.flx:2 done\n-> new/0.glb new/2.glb"},
		{"in/models.flx", batch.Conversion{Out: "new", DryRun: true}, "in/models.flx:0 planned\nin/models.flx:2 planned\n->"},
		{"in/models.flx:0", batch.Conversion{Out: "new"}, "in/models.flx:0 done\n-> new/models_0.glb"},
		{"in/models.flx:0", batch.Conversion{Out: "x.glb"}, "in/models.flx:0 done\n-> x.glb"},
		{"in/models.flx:[0-1]", batch.Conversion{Out: "new"}, "in/models.flx:0 done\n-> new/0.glb"},
		{"in/models.flx:[5-7]", batch.Conversion{Out: "new"}, "in/models.flx:[5-7] failed (no entry of in/models.flx matches \"[5-7]\"; \"usher ls\" lists them)\n->"},
		{"in/models.flx:[5-7] in/bell.snd", batch.Conversion{Out: "new"}, "in/models.flx:[5-7] failed (no entry of in/models.flx matches \"[5-7]\"; \"usher ls\" lists them)\nin/bell.snd done\n-> new/bell.wav"},
		{"in/models.flx:* in/bell.snd", batch.Conversion{Out: "new"}, "in/models.flx:0 done\nin/models.flx:2 done\nin/bell.snd done\n-> new/bell.wav new/models/0.glb new/models/2.glb"},
		{"in/models.flx:9", batch.Conversion{Out: "new"}, "in/models.flx:9 failed (no entry \"9\" in in/models.flx; \"usher ls\" lists them)\n->"},
		{"in/models.flx in/sounds.uax", batch.Conversion{Out: "new"}, "in/models.flx:0 done\nin/models.flx:2 done\nin/sounds.uax:Beep done\n-> new/models/0.glb new/models/2.glb new/sounds/Beep.wav"},
		{"in/models.flx in/sounds.uax", batch.Conversion{Out: "new", To: "wav"}, "in/sounds.uax:Beep done\n-> new/sounds/Beep.wav"},
		{"in/worm.u", batch.Conversion{Out: "x.glb"}, "error: x.glb would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"in/sounds.uax", batch.Conversion{Out: "x.glb"}, "error: x.glb would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"in/models.flx", batch.Conversion{Out: "x.json"}, "error: x.json would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"in/models.flx", batch.Conversion{Out: "new", To: "json"}, "in/models.flx:0 done\nin/models.flx:2 done\n-> new/0.json new/2.json"},
		{"in/typename.flx", batch.Conversion{Out: "x.csv"}, "in/typename.flx done\n-> x.csv"},
		{"in/models.flx", batch.Conversion{Out: "x.csv"}, "in/models.flx failed (0: it is no flat table, so that the archive cannot become one)\n->"},
		{"in/deep", batch.Conversion{Out: "new"}, "in/deep/box.3db done\nin/deep/box.cmp done\n-> new/box.cmp.glb new/box.glb"},
		{"in/deep", batch.Conversion{Out: "new", Selection: batch.Selection{Exclude: []string{"*.3db"}}}, "in/deep/box.cmp done\n-> new/box.glb"},
		{"in/deep in/bell.snd", batch.Conversion{Out: "new"}, "in/deep/box.3db done\nin/deep/box.cmp done\nin/bell.snd done\n-> new/bell.wav new/box.cmp.glb new/box.glb"},
		{"in", batch.Conversion{Out: "new", Selection: batch.Selection{Kinds: []format.Kind{format.Sound}}}, "in/bell.snd done\nin/sounds.uax:Beep done\n-> new/bell.wav new/sounds/Beep.wav"},
		{"in", batch.Conversion{Out: "new", To: "png"}, "in/bell.snd skipped\nin/broken.cmp failed (utf+0x4: version: found 0x100, expected 0x101)\nin/deep/box.3db skipped\nin/deep/box.cmp skipped\nin/small.picture done\nin/worm.u:Scales done\n-> new/small.png new/worm/Scales.png"},
		{"in/deep in/none", batch.Conversion{Out: "new"}, "in/deep/box.3db done\nin/deep/box.cmp done\nin/none failed (not there)\n-> new/box.cmp.glb new/box.glb"},
		{"in/deep", batch.Conversion{Out: "there.png"}, "error: there.png is a file; several inputs need a folder\n->"},
		{"in/deep", batch.Conversion{Out: "new.png"}, "error: new.png would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"in/deep", batch.Conversion{Out: "new.flx"}, "error: new.flx would be an archive: make it with \"usher pack in/deep -o new.flx\"; end its name with / if it is to be a folder\n->"},
		{"in/deep in/bell.snd", batch.Conversion{Out: "new.flx"}, "error: new.flx would be an archive: put the files into a folder, and make it with \"usher pack FOLDER -o new.flx\"; end its name with / if it is to be a folder\n->"},
		{"in/bell.snd in/small.picture", batch.Conversion{Out: "new", Selection: batch.Selection{Include: []string{"["}}}, "error: malformed pattern \"[\"\n->"},
		{"in/typename.flx in/bell.snd", batch.Conversion{Out: "x.csv"}, "error: x.csv would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"in/typename.flx: in/bell.snd", batch.Conversion{Out: "new"}, "in/typename.flx: failed (not there)\nin/bell.snd done\n-> new/bell.wav"},
		{"more/escape.utf", batch.Conversion{Out: "x.csv"}, "more/escape.utf failed (..\\..\\up: it is no flat table, so that the archive cannot become one)\n->"},
		{"more/hall.unr", batch.Conversion{Out: "x.glb"}, "more/hall.unr:MyLevel done\n-> x.glb"},
		{"more/hall.unr", batch.Conversion{Out: "x.u3d"}, "more/hall.unr:MyLevel done\n-> Wall.png x.u3d"},
		{"more/hall.unr", batch.Conversion{Out: "x.png"}, "error: x.png would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"more/hall.unr", batch.Conversion{Out: "x.flx"}, "error: x.flx would be an archive: put the files into a folder, and make it with \"usher pack FOLDER -o x.flx\"; end its name with / if it is to be a folder\n->"},
		{"more/tiles.txm", batch.Conversion{Out: "x.json"}, "more/tiles.txm done\n-> x.json"},
		{"more/tiles.txm", batch.Conversion{Out: "new", To: "json"}, "more/tiles.txm done\n-> new/tiles.json"},
		{"more/tiles.txm", batch.Conversion{Out: "new", To: "json", Selection: batch.Selection{Exclude: []string{"*/red.tga/*"}}}, "more/tiles.txm:Texture library/green.tga/MIP0 done\n-> new/Texture library/green.tga/MIP0_green.tga.json"},
		{"more/tiles.txm", batch.Conversion{Out: "x.json", Selection: batch.Selection{Include: []string{"*/red.tga/*"}}}, "error: x.json would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"more/tiles.txm", batch.Conversion{Out: "x.json", Selection: batch.Selection{Kinds: []format.Kind{format.Texture}}}, "error: x.json would be a file, and several inputs need a folder; end its name with / if it is to be one\n->"},
		{"in/deep/box.cmp in/deep/box.3db", batch.Conversion{Out: "x.mat"}, "in/deep/box.cmp, in/deep/box.3db done\n-> x.mat"},
	} {
		t.Run(fmt.Sprint(c.operands, " ", c.c.Out, " ", c.c.To), func(t *testing.T) {
			if got := outcome(t, yard(t), c.c, c.operands); got != c.want {
				t.Errorf("%s\nwant\n%s", got, c.want)
			}
		})
	}
}
