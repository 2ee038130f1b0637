package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// together puts the modules of the page and of the site into one folder, as "make web" does.
func together(t *testing.T) (dir string, names []string) {
	t.Helper()
	dir = t.TempDir()
	for _, from := range []string{"../view/page", "site"} {
		files, err := fs.Glob(os.DirFS(from), "*.js")
		if err != nil || len(files) < 5 {
			t.Fatal(files, err)
		}
		for _, name := range files {
			b, err := os.ReadFile(filepath.Join(from, name))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				t.Errorf("%s is in both folders", name)
			}
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		names = append(names, files...)
	}
	return dir, names
}

// TestModules: the modules of the site are small and checked, and take nothing from elsewhere.
func TestModules(t *testing.T) {
	files, err := filepath.Glob("site/*.js")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if n := strings.Count(text, "\n"); n > 300 {
			t.Errorf("%s has %d lines", name, n)
		}
		if !strings.HasPrefix(text, "// @ts-check\n") && filepath.Base(name) != "service.js" { // whose types are of another world
			t.Errorf("%s is not checked", name)
		}
		for _, bad := range []string{"innerHTML", "eval(", "new Function", "http://", "https://"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}

// TestPolicy: the page and its worker may ask the same server for files, and nobody else for anything.
func TestPolicy(t *testing.T) {
	policies := regexp.MustCompile(`default-src 'none'[^"]*`)
	var found []string
	for _, name := range []string{"index.sed", "site/service.js"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, policies.FindString(string(b)))
	}
	if found[0] == "" || found[0] != found[1] {
		t.Errorf("the page has %q, what the worker gets %q", found[0], found[1])
	}
	for part := range strings.SplitSeq(found[0], ";") {
		for _, source := range strings.Fields(part)[1:] {
			if !strings.Contains("'none' 'self' 'wasm-unsafe-eval' blob: data:", source) {
				t.Errorf("%s allows %s", part, source)
			}
		}
	}
}

// TestTypes: the types in the comments of the modules are right.
func TestTypes(t *testing.T) {
	tsc := corpus.Testdata(t, "browser", "node_modules", ".bin", "tsc")
	if _, err := exec.LookPath(tsc); err != nil {
		if tsc, err = exec.LookPath("tsc"); err != nil {
			t.Skip("no TypeScript: run npm ci in testdata/browser to check the types of the page")
		}
	}
	dir, _ := together(t)
	if err := os.WriteFile(filepath.Join(dir, "wasm_exec.js"), []byte("// @ts-nocheck\n"), 0o666); err != nil { // Go's own
		t.Fatal(err)
	}
	args := []string{"--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler",
		"--lib", "es2023,dom,dom.iterable,dom.asynciterable", "boot.js", "worker.js"}
	cmd := exec.Command(tsc, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFiles: the files of the page are as those of a real system, call by call.
func TestFiles(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node: the files of the page are not tried")
	}
	dir, _ := together(t)
	b, err := os.ReadFile("files_test.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"files_test.mjs": b, "package.json": []byte(`{"type": "module"}`)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, seed := range []string{"1", "7", "42"} {
		out, err := exec.Command(node, filepath.Join(dir, "files_test.mjs"), "6000", seed).CombinedOutput()
		if err != nil {
			t.Errorf("seed %s: %v\n%s", seed, err, out)
		}
		t.Logf("%s", out)
	}
}
