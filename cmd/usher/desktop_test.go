package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// mimeTypes is what file managers are told of formats.
type mimeTypes struct {
	Types []struct {
		Name  string `xml:"type,attr"`
		Match []struct {
			Value string `xml:"value,attr"`
		} `xml:"magic>match"`
		Globs []struct {
			Pattern string `xml:"pattern,attr"`
		} `xml:"glob"`
	} `xml:"mime-type"`
}

// TestDesktop: what file managers are told of formats is true of the files of testdata, and the other files for desktops name
// the same types.
func TestDesktop(t *testing.T) {
	var known mimeTypes
	if err := xml.Unmarshal(corpus.Bytes(t, "desktop/usher.xml"), &known); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, m := range known.Types {
		all.WriteString(m.Name + ";")
		seen := 0
		for _, g := range m.Globs {
			for _, f := range glob(t, filepath.Join(corpus.Root(t), "testdata", "*", g.Pattern)) {
				seen++
				for _, x := range m.Match {
					magic, err := strconv.Unquote(`"` + x.Value + `"`)
					if err != nil {
						t.Fatal(err)
					}
					if !bytes.HasPrefix(corpus.Bytes(t, f), []byte(magic)) {
						t.Errorf("%s does not begin with %q", f, magic)
					}
				}
			}
		}
		if seen == 0 {
			t.Errorf("testdata has no %s", m.Name)
		}
	}
	for _, name := range []string{"usher.thumbnailer", "usher.desktop"} {
		if text := string(corpus.Bytes(t, "desktop/"+name)); !strings.Contains(text, "\nMimeType="+all.String()+"\n") {
			t.Errorf("%s has not the types %s", name, all.String())
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestThumbnailer runs the command that file managers are given, over a picture that is there.
func TestThumbnailer(t *testing.T) {
	var command string
	for line := range strings.Lines(string(corpus.Bytes(t, "desktop/usher.thumbnailer"))) {
		if rest, ok := strings.CutPrefix(line, "Exec="); ok {
			command = strings.TrimSpace(rest)
		}
	}
	mill, out := corpus.Testdata(t, "ultimate3d/windmill.u3d"), filepath.Join(t.TempDir(), "0f1e2d")
	if err := os.WriteFile(out, []byte("an older one"), 0o666); err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, arg := range strings.Fields(command) {
		args = append(args, strings.NewReplacer("%i", mill, "%s", "256", "%o", out).Replace(arg))
	}
	var told bytes.Buffer
	if code := run(context.Background(), args, nil, &told, &told); code != exitOK || told.Len() > 0 {
		t.Fatalf("%q: status %d, %s", args, code, told.String())
	}
	m, err := png.Decode(bytes.NewReader(corpus.Bytes(t, out)))
	if err != nil || m.Bounds().Dx() != 256 || m.Bounds().Dy() != 256 {
		t.Errorf("%v, %v", m, err)
	}
}
