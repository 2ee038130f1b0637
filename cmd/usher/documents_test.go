package main

import (
	"bytes"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// documents returns the paths of the repository's documents for users, relative to its root.
func documents(t *testing.T) []string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "ARCHITECTURE.md", "convert/exchange/gltf/README.md"}
	pages, err := filepath.Glob(filepath.Join(corpus.Root(t), "docs", "*.md"))
	if err != nil || len(pages) < 4 {
		t.Fatalf("%d pages in docs, %v", len(pages), err)
	}
	for _, p := range pages {
		list = append(list, "docs/"+filepath.Base(p))
	}
	return list
}

// TestDocuments runs the shell blocks of each document one after the other, as somebody does who follows it, in one folder
// with the files of testdata. A comment "# test: COMMAND" is a step that a person would do in an editor.
func TestDocuments(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the blocks are for a POSIX shell")
	}
	for _, name := range documents(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := shellBlocks(string(corpus.Bytes(t, filepath.Join(corpus.Root(t), name))))
			dir := t.TempDir()
			if !strings.Contains(script, "mkdir try ") { // it makes its own folder
				dir = flatTestdata(t)
			}
			if err := os.Symlink(corpus.Testdata(t), filepath.Join(dir, "testdata")); err != nil {
				t.Fatal(err)
			}
			script = strings.ReplaceAll(script, "go run ./cmd/usher", "usher")
			script = strings.ReplaceAll(script, "\n# test: edit ", "\ntestedit ")
			script = strings.ReplaceAll(script, "\n# test: ", "\n")
			script = serving.ReplaceAllString(script, "timeout --preserve-status -s INT 1 $1 --no-browser || test $? = 130 ")
			if out, status := shell(t, dir, "set -e\n"+script); status != 0 {
				t.Errorf("status %d\n%s", status, out)
			}
		})
	}
}

// serving is a line that goes on until somebody ends it.
var serving = regexp.MustCompile(`(?m)^(usher desk [^#\n]*)`)

// TestDesignNamesTests: each guarantee names tests that there are.
func TestDesignNamesTests(t *testing.T) {
	root := corpus.Root(t)
	var sources strings.Builder
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, "_test.go") {
			sources.Write(corpus.Bytes(t, p))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	text := string(corpus.Bytes(t, filepath.Join(root, "docs", "design.md")))
	names := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllStringSubmatch(text, -1)
	if len(names) < 30 {
		t.Errorf("%d tests are named", len(names))
	}
	for _, name := range names {
		if !strings.Contains(sources.String(), "\nfunc "+name[1]+"(t *testing.T)") {
			t.Errorf("there is no %s", name[1])
		}
	}
}

// shellBlocks returns the lines of all shell blocks of a document.
func shellBlocks(text string) string {
	var script strings.Builder
	inside, shown := false, false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			shown, inside = !inside && strings.TrimSpace(line) == "```sh", !inside
		case shown:
			script.WriteString("\n" + strings.TrimSuffix(line, "\n"))
		}
	}
	return script.String()
}

// testEdit changes a file as a person would in an editor: a pixel of a PNG, a sample of a WAV.
func testEdit() {
	if err := editFile(os.Args[1]); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func editFile(name string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if filepath.Ext(name) != ".png" {
		b[len(b)-1] ^= 0x10
		return os.WriteFile(name, b, 0o666)
	}
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return err
	}
	at := m.Bounds().Min
	other := m.At(at.X+1, at.Y)
	if c := color.NRGBAModel.Convert(m.At(at.X, at.Y)); c == color.NRGBAModel.Convert(other) {
		other = m.At(m.Bounds().Max.X/2, m.Bounds().Max.Y/2)
	}
	m.(draw.Image).Set(at.X, at.Y, other)
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o666)
}

var inlineCommand = regexp.MustCompile("`usher ([a-z][^`]*)`")

// TestInlineCommands holds that every command that a document shows has a verb and flags that there are.
func TestInlineCommands(t *testing.T) {
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	seen := 0
	for _, name := range documents(t) {
		for _, m := range inlineCommand.FindAllStringSubmatch(string(corpus.Bytes(t, filepath.Join(corpus.Root(t), name))), -1) {
			line := strings.NewReplacer(`\|`, "|", "[-o", "-o", "]", "", "'", "").Replace(m[1])
			words := strings.Fields(line)
			if words[0] == "help" || len(words) == 1 {
				continue
			}
			seen++
			args, err := permute(app, append([]string{"usher"}, words...))
			if err != nil {
				t.Errorf("%s: usher %s: %v", name, m[1], err)
				continue
			}
			for i, arg := range args { // the values of those flags that have a known set
				f := strings.TrimLeft(arg, "-")
				if list, ok := valueWords[f]; ok && strings.HasPrefix(arg, "--") && i+1 < len(args) && args[i+1] == strings.ToLower(args[i+1]) {
					for _, word := range strings.Split(args[i+1], ",") {
						if !strings.Contains(" "+strings.Join(list(), " ")+" md csv ", " "+word+" ") {
							t.Errorf("%s: usher %s: --%s has no %q", name, m[1], f, word)
						}
					}
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("%d commands are shown", seen)
	}
}

var markdownLink = regexp.MustCompile(`\]\(([^)#:]+)\)`)

var releasedFile = regexp.MustCompile(`(?m)^      - src: "?([^"\s]+)`)

// released returns a pattern for the files that the archives of a release hold: "**" is of one folder at least.
func released(t *testing.T) *regexp.Regexp {
	var all []string
	for _, m := range releasedFile.FindAllStringSubmatch(string(corpus.Bytes(t, filepath.Join(corpus.Root(t), ".goreleaser.yaml"))), -1) {
		pattern := strings.NewReplacer(`\*\*/`, ".*/", `\*`, "[^/]*").Replace(regexp.QuoteMeta(m[1]))
		all = append(all, pattern)
	}
	return regexp.MustCompile("^(" + strings.Join(all, "|") + ")$")
}

// TestLinks holds that what the documents lead to is there, in the archives of a release as well.
func TestLinks(t *testing.T) {
	along := released(t)
	for _, name := range documents(t) {
		path := filepath.Join(corpus.Root(t), name)
		for _, m := range markdownLink.FindAllStringSubmatch(string(corpus.Bytes(t, path)), -1) {
			target := filepath.ToSlash(filepath.Join(filepath.Dir(name), m[1]))
			if _, err := fs.Stat(os.DirFS(corpus.Root(t)), target); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if along.MatchString(name) && !along.MatchString(target) {
				t.Errorf("%s leads to %s, which no archive of a release has", name, target)
			}
		}
	}
}

var yamlKey = regexp.MustCompile(`(?m)^([a-z_]+):`)

// TestKeysOnce holds that what a release is made by names each of its parts once: named twice, it is refused on the day of the
// release.
func TestKeysOnce(t *testing.T) {
	workflows, err := filepath.Glob(filepath.Join(corpus.Root(t), ".github", "*", "*.yml"))
	if err != nil || len(workflows) == 0 {
		t.Fatalf("%d workflows, %v", len(workflows), err)
	}
	for _, p := range append(workflows, filepath.Join(corpus.Root(t), ".goreleaser.yaml"), filepath.Join(corpus.Root(t), ".pre-commit-hooks.yaml")) {
		seen := map[string]bool{}
		for _, key := range yamlKey.FindAllStringSubmatch(string(corpus.Bytes(t, p)), -1) {
			if seen[key[1]] {
				t.Errorf("%s names %s twice", filepath.Base(p), key[1])
			}
			seen[key[1]] = true
		}
	}
}

// TestPictures holds that every picture of the documents is shown by one of them, and is small.
func TestPictures(t *testing.T) {
	var text strings.Builder
	for _, name := range documents(t) {
		text.Write(corpus.Bytes(t, filepath.Join(corpus.Root(t), name)))
	}
	pictures, err := filepath.Glob(filepath.Join(corpus.Root(t), "docs", "pictures", "*"))
	if err != nil || len(pictures) < 5 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	for _, p := range pictures {
		if name := filepath.Base(p); !strings.Contains(text.String(), "pictures/"+name+")") {
			t.Errorf("no document shows %s", name)
		}
		if b := corpus.Bytes(t, p); len(b) > 150_000 {
			t.Errorf("%s has %d bytes", filepath.Base(p), len(b))
		}
	}
}
