package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// TestAddOnZip holds that the zip has both manifests of Blender, the same version in them, and the same bytes twice.
func TestAddOnZip(t *testing.T) {
	content, err := zipAddOn()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := zipAddOn(); !bytes.Equal(content, again) {
		t.Error("two zips differ")
	}
	r, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]string{}
	for _, f := range r.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(from); err != nil {
			t.Fatal(err)
		}
		text[f.Name] = b.String()
	}
	for _, name := range []string{"usher_io/__init__.py", "usher_io/program.py", "usher_io/scenes.py", "usher_io/blender_manifest.toml"} {
		if text[name] == "" {
			t.Errorf("no %s", name)
		}
	}
	if !strings.Contains(text["usher_io/blender_manifest.toml"], `version = "0.1.0"`) || !strings.Contains(text["usher_io/__init__.py"], `"version": (0, 1, 0)`) {
		t.Error("the manifests are of two versions")
	}
	for _, key := range []string{"tagline", "files"} { // Blender's check of extensions takes no more
		_, value, _ := strings.Cut(text["usher_io/blender_manifest.toml"], "\n"+key+` = "`)
		value, _, _ = strings.Cut(value, `"`)
		if n := len(value); n == 0 || n > 64 || strings.ContainsAny(value[n-1:], ".,:;!?") {
			t.Errorf("%s = %q: one to 64 characters without punctuation behind them", key, value)
		}
	}
}

// TestBlenderAddOn installs the add-on in Blender and tries it on models of all four families.
func TestBlenderAddOn(t *testing.T) {
	blender := corpus.Blender(t)
	dir, home := flatTestdata(t), t.TempDir()
	content, err := zipAddOn()
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(home, "usher-blender.zip")
	if err := os.WriteFile(archive, content, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(blender, "--background", "--factory-startup", "--python-exit-code", "1",
		"--python", corpus.Testdata(t, "blender", "addon.py"), "--", archive, dir)
	cmd.Env = append(os.Environ(), "BLENDER_USER_RESOURCES="+home, "BLENDER_USER_CONFIG="+home, "BLENDER_USER_SCRIPTS="+home, "HOME="+home, "USHER=")
	out, err := cmd.CombinedOutput()
	cases := 0
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "case ") {
			cases++
			t.Log(strings.TrimSpace(line))
		}
	}
	if err != nil || cases < 20 || slices.Contains(strings.Fields(string(out)), "FAILED:") {
		t.Errorf("%d cases, %v\n%s", cases, err, out)
	}
}
