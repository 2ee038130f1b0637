package convert_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestOpen: files and entries by their names, and what is said of those that are not there.
func TestOpen(t *testing.T) {
	c := new(convert.Converter)
	for _, tt := range []struct {
		operand, format, kind, fails string
	}{
		{"ultimate3d/windmill.u3d", "u3d", "Scene", ""},
		{"ultima9/bitmap16.flx:3", "u9-texture", "Texture", ""},
		{"unreal/pictures.utx:Walls.Board", "unreal-texture", "Texture", ""},
		{"unreal/pictures.utx", "", "", "is an archive"},
		{"unreal/pictures.utx:Nope", "", "", "Nope"},
		{"nope.u3d", "", "", "no such file"},
	} {
		it, err := c.Open(corpus.Testdata(t, filepath.FromSlash(tt.operand)))
		if err != nil || tt.fails != "" {
			if tt.fails == "" || err == nil || !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("%s: %v, want %q", tt.operand, err, tt.fails)
			}
			continue
		}
		defer it.Close()
		f, value := it.Native()
		a, err := it.Lift()
		if f.Name != tt.format || value == nil || kindOf(a) != tt.kind || err != nil {
			t.Errorf("%s: a %s, %s, %v", tt.operand, f.Name, kindOf(a), err)
		}
	}
}

func kindOf(a asset.Asset) string {
	switch a.(type) {
	case *asset.Scene:
		return "Scene"
	case *asset.Texture:
		return "Texture"
	}
	return ""
}

// TestRecognise: names of native formats and of others.
func TestRecognise(t *testing.T) {
	for name, want := range map[string]string{"ultimate3d/windmill.u3d": "u3d", "unreal/pictures.utx": "unreal-package", "ultima9/bitmap16.flx": "flx"} {
		if got := convert.Recognise(filepath.Base(name), corpus.Bytes(t, corpus.Testdata(t, filepath.FromSlash(name)))); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := convert.Recognise("x.xyz", []byte("nothing")); got != "" {
		t.Errorf("nothing is %q", got)
	}
	if all := convert.Formats(); len(all) < 60 || convert.FormatByName(all[3].Name) != all[3] || convert.FormatByName("nope") != nil {
		t.Errorf("%d formats", len(all))
	}
}

// TestPut: an entry that came out as a PNG and goes back unedited is the same, and so is the archive; an edited one changes
// that entry alone.
func TestPut(t *testing.T) {
	c := &convert.Converter{Diagnostics: new(schema.Diagnostics)}
	path := corpus.Testdata(t, "ultima9", "bitmap16.flx")
	a, err := c.OpenArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	pngOf := func(entry string) []byte {
		it, err := a.Read(entry)
		if err != nil {
			t.Fatal(err)
		}
		files, err := it.To("png", "picture")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := files[0].WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if err := a.Put("3", "3.png", pngOf("3")); err != nil {
		t.Fatal(err)
	}
	var same bytes.Buffer
	if _, err := a.WriteTo(&same); err != nil || !bytes.Equal(same.Bytes(), corpus.Bytes(t, path)) {
		t.Errorf("an untouched picture changed the archive: %v", err)
	}
	i, _ := a.Find("3")
	was, _ := a.Payload(i)
	if err := a.Put("3", "3.png", pngOf("2")); err != nil {
		t.Fatal(err)
	}
	now, _ := a.Payload(i)
	if bytes.Equal(was, now) {
		t.Error("the edited picture did not arrive")
	}
	if err := a.Put("nope", "3.png", pngOf("2")); err == nil {
		t.Error("an entry that is not there was replaced")
	}
	if err := a.Put("3", "3.png", []byte("no picture")); err == nil {
		t.Error("no picture became one")
	}
	out := filepath.Join(t.TempDir(), "new.flx")
	if err := a.Write(context.Background(), out, false); err != nil {
		t.Fatal(err)
	}
	if name, _, err := compare.Verify(corpus.Bytes(t, out), nil, nil); name != "flx" || err != nil {
		t.Errorf("what was written is %q, %v", name, err)
	}
}

// TestNobodysItem: an item that nobody opened, and a converter that is none, end in errors.
func TestNobodysItem(t *testing.T) {
	it := new(convert.Item)
	if _, err := it.Lift(); err == nil {
		t.Error("nothing became something")
	}
	if _, err := it.To("glb", "a"); err == nil {
		t.Error("nothing became a file")
	}
	if f, v := it.Native(); f != nil || v != nil {
		t.Error("nothing has a format")
	}
	it.Close()
	if _, err := (*convert.Converter)(nil).Open("nope"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
