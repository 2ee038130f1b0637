package convert_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// typedFlags are the messages that name a flag and are no hint: they are for those alone who typed it, or another flag, or who
// convert many files at once.
var typedFlags = map[string]string{
	"%s is a file: --reverse takes":         "typed",
	"%s is no patch: --reverse takes":       "typed",
	"a %s has one layout only: --compact":   "typed",
	"MicroTalk is mono: %d channels":        "--strict was typed",
	"the game does not play them: %s":       "--strict was typed",
	"an INI file cannot hold such a name":   "--ini was typed",
	"the records of --ini go into a file":   "typed",
	"the files of %s were made with":        "the flag that made them is what has to be typed again",
	"%s is of a patch: \"usher pack FOLDER": "packing a folder",
	"%d files that were made of others":     "many files at once",
	"it is a symbolic link that leads out":  "many files at once",
	"%w; --follow-links packs what it":      "packing a folder",
	"AVIF pictures are not decoded here":    "a flag of another program",
}

// TestFlagsAreHints: a message that names a flag of the command line names it in a hint, which the page leaves out.
func TestFlagsAreHints(t *testing.T) {
	flag := regexp.MustCompile(`(^|[ (])--[a-z]`)
	met := map[string]bool{}
	for _, dir := range []string{"convert", "read", "schema", "write"} {
		err := filepath.WalkDir(filepath.Join(corpus.Root(t), dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, p, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				for _, text := range said(n) {
					if !flag.MatchString(text) || strings.HasPrefix(text, "--") {
						continue
					}
					if start := known(text); start != "" {
						met[start] = true
					} else {
						t.Errorf("%s: %q names a flag, and is no hint", files.Position(n.Pos()), text)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for start := range typedFlags {
		if !met[start] {
			t.Errorf("no message begins with %q any more", start)
		}
	}
}

// known returns the key of a message in typedFlags, or "".
func known(text string) string {
	for start := range typedFlags {
		if strings.HasPrefix(text, start) {
			return start
		}
	}
	return ""
}

// said returns the texts that a call makes an error or a message of.
func said(n ast.Node) (texts []string) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	name := ""
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}
	switch name {
	case "Hint", "Hinted", "MustCompile", "Sprintf":
		return nil
	}
	for _, arg := range call.Args {
		if text, ok := arg.(*ast.BasicLit); ok && text.Kind == token.STRING {
			if s, err := strconv.Unquote(text.Value); err == nil {
				texts = append(texts, s)
			}
		}
	}
	return texts
}
