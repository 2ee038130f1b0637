package compare_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/testdata/corpus"
)

func textOf(t *testing.T, path string) string {
	t.Helper()
	var b bytes.Buffer
	if err := compare.Text(context.Background(), &b, new(engine.Loader), path); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestText: lines of an archive, a tree, a value, a picture, a broken file and a strange one.
func TestText(t *testing.T) {
	dir := t.TempDir()
	save(t, corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "windmill.u3d"))[:100], dir, "broken.u3d")
	save(t, []byte("not\x00ing"), dir, "strange.xyz")
	save(t, []byte("a text\nof lines\n"), dir, "notes.md")
	for path, want := range map[string][]string{
		corpus.Testdata(t, "unreal", "pictures.utx"):  {"Unreal Engine 1 package (code, level, textures, sounds, music), ", "Walls.Board: unreal-texture, "},
		corpus.Testdata(t, "freelancer", "ship.cmp"):  {"Freelancer compound model", "parts: 4", "hull.3db/Hardpoints/Fixed/HpEngine01/Position › values: ["},
		corpus.Testdata(t, "ultimate3d", "ball.u3d"):  {"Ultimate 3D", "material 0", "\nlevels of detail: "},
		corpus.Testdata(t, "ultima9", "bitmap16.flx"): {"3: u9-texture, ", "frame 0 › width: "},
		filepath.Join(dir, "broken.u3d"):              {", 100 bytes, ", "\ncannot be read: u3d"},
		filepath.Join(dir, "notes.md"):                {"a text\nof lines\n"},
		filepath.Join(dir, "strange.xyz"):             {"unknown to usher, 7 bytes, "},
	} {
		text := textOf(t, path)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %q:\n%.2000s", filepath.Base(path), w, text)
			}
		}
		if strings.Contains(text, filepath.Dir(path)) {
			t.Errorf("%s: the text has its folder", filepath.Base(path))
		}
	}
}

// TestTextOfPayload: the bytes that a value keeps of its entry are in the hash of that, which leaves out numbers of others.
func TestTextOfPayload(t *testing.T) {
	for _, name := range []string{"pictures.utx", "hall.unr"} {
		if text := textOf(t, corpus.Testdata(t, "unreal", name)); strings.Contains(text, "› stored: ") {
			t.Errorf("%s: stored bytes have lines of their own", name)
		}
	}
}

// A file that is not there is an error, since there is nothing to say of it.
func TestTextOfNothing(t *testing.T) {
	if err := compare.Text(context.Background(), new(bytes.Buffer), new(engine.Loader), "nosuch.u3d"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestTextOfEveryFile: every file of testdata has a text that is the same under another name, and another one where a byte in
// the middle of the file is another.
func TestTextOfEveryFile(t *testing.T) {
	tried := 0
	for _, family := range corpus.Families(t) {
		files, err := filepath.Glob(corpus.Testdata(t, family, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			b := corpus.Bytes(t, path)
			if len(b) < 64 {
				continue
			}
			dir := t.TempDir()
			again := save(t, b, dir, filepath.Base(path))
			if textOf(t, path) != textOf(t, again) {
				t.Errorf("%s: another text in another folder", filepath.Base(path))
			}
			changed := bytes.Clone(b)
			changed[len(b)/2] ^= 0x10
			if tried++; textOf(t, path) == textOf(t, save(t, changed, dir, filepath.Base(path))) {
				t.Errorf("%s: another byte at %#x is in no line", filepath.Base(path), len(b)/2)
			}
		}
	}
	if tried < 50 {
		t.Errorf("only %d files", tried)
	}
}
