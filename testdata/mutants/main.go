// Command mutants tests the tests: it changes one small thing in the code, runs the tests without the corpus, and reports
// what no test noticed. The working copy is left alone.
//
//	go run ./testdata/mutants -tests './write/freelancer,./convert=TestDamage' ./read/freelancer
//	go run ./testdata/mutants -n 40 -tests ./convert/... ./write/unreal
//	go run ./testdata/mutants -at read/unreal/font.go:54 -tests ./convert/unreal
//
// Some mutants are equivalent: they change nothing that anybody could see. Whoever reads the list decides.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// mutant is a change of one file.
type mutant struct {
	file string
	line int
	what string
	do   func() (undo func())
}

func main() {
	n := flag.Int("n", 0, "try `N` mutants, chosen at random; 0 tries all")
	seed := flag.Uint64("seed", 1, "of the choice")
	at := flag.String("at", "", "try those of one place only: `FILE:LINE`")
	tests := flag.String("tests", "", "`PACKAGES` whose tests are to notice beside the mutated one's, with commas between them; PACKAGE=REGEXP runs those of that name only")
	limit := flag.Duration("limit", 3*time.Minute, "a mutant that takes longer has been noticed")
	flag.Parse()
	if flag.NArg() == 0 && *at == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Args(), *at, *n, *seed, newTrial(*tests, *limit)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(packages []string, at string, n int, seed uint64, t *trial) error {
	var files []string
	if at != "" {
		file, _, _ := strings.Cut(at, ":")
		files = []string{file}
	}
	for _, p := range packages {
		found, err := filepath.Glob(filepath.Join(p, "*.go"))
		if err != nil {
			return err
		}
		for _, f := range found {
			if !strings.HasSuffix(f, "_test.go") {
				files = append(files, f)
			}
		}
	}
	type where struct {
		mutant
		source *source
	}
	var all []where
	for _, f := range files {
		s, err := parse(f)
		if err != nil {
			return err
		}
		for _, m := range s.mutants() {
			if place := fmt.Sprintf("%s:%d", filepath.ToSlash(m.file), m.line); at == "" || place == at {
				all = append(all, where{m, s})
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	if n > 0 && n < len(all) {
		all = all[:n]
	}
	killed, survived := 0, 0
	for _, m := range all {
		undo := m.do()
		text, err := m.source.text()
		undo()
		if err != nil {
			return err
		}
		switch result, err := t.try(m.file, text); {
		case err != nil:
			return err
		case result == noticed:
			killed++
		case result == unnoticed:
			survived++
			fmt.Printf("survived  %s:%d: %s\n", m.file, m.line, m.what)
		}
	}
	fmt.Printf("%d mutants, %d killed, %d survived\n", killed+survived, killed, survived)
	if survived > 0 {
		os.Exit(1)
	}
	return nil
}

// source is a parsed file.
type source struct {
	path string
	set  *token.FileSet
	tree *ast.File
}

func parse(path string) (*source, error) {
	s := &source{path: path, set: token.NewFileSet()}
	var err error
	s.tree, err = parser.ParseFile(s.set, path, nil, parser.ParseComments)
	return s, err
}

func (s *source) text() ([]byte, error) {
	var b bytes.Buffer
	err := format.Node(&b, s.set, s.tree)
	return b.Bytes(), err
}

// others are what operators are exchanged for.
var others = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
}

// mutants returns every change of the file that the tool knows.
func (s *source) mutants() (list []mutant) {
	add := func(n ast.Node, what string, do func() func()) {
		list = append(list, mutant{s.path, s.set.Position(n.Pos()).Line, what, do})
	}
	capacities := map[ast.Node]bool{}
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if capacities[n] {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			if c := capacity(n); c != nil {
				capacities[c] = true
			}
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		case *ast.BinaryExpr:
			if other, ok := others[n.Op]; ok {
				was := n.Op
				add(n, fmt.Sprintf("%v becomes %v", was, other), func() func() { n.Op = other; return func() { n.Op = was } })
			}
		case *ast.IfStmt:
			was := n.Cond
			for _, constant := range []string{"true", "false"} {
				cond := &ast.BinaryExpr{X: &ast.ParenExpr{X: was}, Op: token.LOR, Y: ast.NewIdent("true")}
				if constant == "false" {
					cond = &ast.BinaryExpr{X: &ast.ParenExpr{X: was}, Op: token.LAND, Y: ast.NewIdent("false")}
				}
				add(n, "the condition is always "+constant, func() func() { n.Cond = cond; return func() { n.Cond = was } })
			}
		case *ast.BasicLit:
			if n.Kind == token.INT && len(n.Value) < 10 {
				was := n.Value
				add(n, was+" becomes one more", func() func() { n.Value = "(" + was + "+1)"; return func() { n.Value = was } })
			}
		case *ast.BlockStmt:
			for i, stmt := range n.List {
				switch stmt := stmt.(type) {
				case *ast.ExprStmt, *ast.IncDecStmt:
				case *ast.AssignStmt:
					if stmt.Tok == token.DEFINE {
						continue
					}
				default:
					continue
				}
				was := n.List[i]
				add(was, "the statement is gone", func() func() {
					n.List[i] = &ast.EmptyStmt{Semicolon: was.Pos()}
					return func() { n.List[i] = was }
				})
			}
		}
		return true
	})
	return list
}

// capacity returns the argument of a call that says how much is to be allocated, which nobody sees.
func capacity(call *ast.CallExpr) ast.Expr {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	switch {
	case name == "make" && len(call.Args) == 3, name == "NewBuffer", name == "objectWriter", name == "newWriter":
		return call.Args[len(call.Args)-1]
	}
	return nil
}

// trial runs tests on mutants.
type trial struct {
	tests []string
	limit time.Duration
}

func newTrial(tests string, limit time.Duration) *trial {
	t := &trial{limit: limit}
	if tests != "" {
		t.tests = strings.Split(tests, ",")
	}
	return t
}

// outcomes of a trial
const (
	impossible = iota // it does not compile
	noticed
	unnoticed
)

func (t *trial) try(file string, text []byte) (int, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	whole, err := filepath.Abs(file)
	if err != nil {
		return 0, err
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": {whole: changed}})
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(changed, text, 0o666); err != nil {
		return 0, err
	}
	if err := os.WriteFile(overlay, b, 0o666); err != nil {
		return 0, err
	}
	own := "./" + filepath.ToSlash(filepath.Dir(filepath.Clean(file)))
	if exec.Command("go", "build", "-overlay", overlay, own).Run() != nil {
		return impossible, nil
	}
	for _, tests := range append([]string{own}, t.tests...) {
		if t.notices(tests, overlay, dir) {
			return noticed, nil
		}
	}
	return unnoticed, nil
}

// notices tells whether tests of a package fail with the overlay, without the corpus.
func (t *trial) notices(tests, overlay, dir string) bool {
	ctx, stop := context.WithTimeout(context.Background(), t.limit)
	defer stop()
	name, only, _ := strings.Cut(tests, "=")
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-failfast", "-vet=off", "-run", only, name)
	cmd.Env = append(os.Environ(), "USHER_CORPUS="+filepath.Join(dir, "nothing"))
	return cmd.Run() != nil
}
