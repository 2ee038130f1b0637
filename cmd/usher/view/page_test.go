package view

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// modules returns the modules of the page by their names.
func modules(t *testing.T) map[string]string {
	t.Helper()
	names, err := fs.Glob(page, "*.js")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d modules, %v", len(names), err)
	}
	list := map[string]string{}
	for _, name := range names {
		b, err := fs.ReadFile(page, name)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = string(b)
	}
	return list
}

// mostLines is how long a module may be.
const mostLines = 300

// TestModules: the page is what its rules say: small modules, checked types, nothing from elsewhere, no string that is
// read as markup or code.
func TestModules(t *testing.T) {
	for name, text := range modules(t) {
		if n := strings.Count(text, "\n"); n > mostLines {
			t.Errorf("%s has %d lines", name, n)
		}
		if !strings.HasPrefix(text, "// @ts-check\n") {
			t.Errorf("%s is not checked", name)
		}
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http://", "https://", "//cdn", "import("} {
			if bad == "import(" { // types name modules so
				text = regexp.MustCompile(`import\('\./[a-z]+\.js'\)\.`).ReplaceAllString(text, "")
			}
			if strings.Contains(text, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
	for _, name := range []string{"index.html", "style.css"} {
		b, err := fs.ReadFile(page, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"http:", "https:", "style=", "onclick", "@import"} {
			if strings.Contains(string(b), bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
	}
}

// declared is what a module has at its top.
var declared = regexp.MustCompile(`(?m)^(?:export )?(?:async )?(?:function|class|const|let|var) (?:([A-Za-z_$][\w$]*)|\{([^}]*)\})`)

// TestBundle: the modules make one script: each comes once, behind what it uses, and their names are different.
func TestBundle(t *testing.T) {
	text, err := bundle(page, "static.js", "main.js")
	if err != nil {
		t.Fatal(err)
	}
	owner := map[string]string{}
	for name, module := range modules(t) {
		if strings.Count(text, "\n// "+name+"\n") != 1 {
			t.Errorf("%s is not there once", name)
		}
		for _, m := range declared.FindAllStringSubmatch(module, -1) {
			if other := owner[m[1]]; m[1] != "" && other != "" {
				t.Errorf("%s and %s both have %s", name, other, m[1])
			}
			owner[m[1]] = name
		}
	}
	if len(owner) < 60 {
		t.Errorf("only %d names are found", len(owner))
	}
	for _, bad := range []string{"\nimport ", "\nexport "} {
		if strings.Contains(text, bad) {
			t.Errorf("the script has %q", bad)
		}
	}
	if strings.Index(text, "// dom.js") > strings.Index(text, "// tree.js") || strings.Index(text, "// static.js") > strings.Index(text, "// main.js") {
		t.Error("a module stands before what it uses")
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
	files, err := filepath.Glob(filepath.Join("page", "*.js"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable"}
	if out, err := exec.Command(tsc, slices.Concat(args, files)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
