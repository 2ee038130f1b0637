package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a parsed and type-checked package.
type pkg struct {
	dir   string // from the root, with slashes
	name  string
	set   *token.FileSet
	files []*source
	info  *types.Info
	types *types.Package
}

// source is a file of a package.
type source struct {
	path string
	text []byte
	tree *ast.File
}

// mutant is a change of one file.
type mutant struct {
	file  *source
	line  int
	what  string
	rank  int                // in the tree
	alone []edit             // the change itself
	guard func(k int) []edit // the change under switch k; nil where nothing can be switched
}

// edit replaces the bytes from at to end. A closing one belongs behind what ends there, outermost last.
type edit struct {
	at, end int
	text    string
	closing bool
}

func load(dir string) (*pkg, error) {
	exports, files, err := list(dir)
	if err != nil {
		return nil, err
	}
	p := &pkg{dir: dir, set: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	var trees []*ast.File
	for _, name := range files {
		s := &source{path: dir + "/" + name}
		if s.text, err = os.ReadFile(s.path); err != nil {
			return nil, err
		}
		if s.tree, err = parser.ParseFile(p.set, s.path, s.text, parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		p.files, trees, p.name = append(p.files, s), append(trees, s.tree), s.tree.Name.Name
	}
	config := types.Config{Importer: importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	p.types, err = config.Check(dir, p.set, trees, p.info)
	return p, err
}

// list asks Go for the compiled packages that a package needs, and for its files.
func list(dir string) (exports map[string]string, files []string, err error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export,GoFiles", "./"+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list %s: %w", dir, err)
	}
	exports = map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export string
			GoFiles            []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return exports, files, nil
		} else if err != nil {
			return nil, nil, err
		}
		exports[p.ImportPath], files = p.Export, p.GoFiles // the package itself is the last one
	}
}

// others are what operators are exchanged for.
var others = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
}

// mutants returns every change of the package that the tool knows, or those of some lines.
func (p *pkg) mutants(lines map[string]bool) (all []mutant) {
	for _, s := range p.files {
		for _, m := range p.mutantsOf(s) {
			if lines == nil || lines[fmt.Sprintf("%s:%d", s.path, m.line)] {
				all = append(all, m)
			}
		}
	}
	return all
}

func (p *pkg) mutantsOf(s *source) (found []mutant) {
	offset := func(pos token.Pos) int { return p.set.Position(pos).Offset }
	add := func(n ast.Node, what string, alone []edit, guard func(k int) []edit) {
		found = append(found, mutant{s, p.set.Position(n.Pos()).Line, what, len(found), alone, guard})
	}
	around := func(n ast.Node, before, behind string) []edit {
		from, to := offset(n.Pos()), offset(n.End())
		return []edit{{from, from, before, false}, {to, to, behind, true}}
	}
	passed := map[ast.Node]bool{} // capacities and constants
	constant := 0
	var stack []ast.Node
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if n == nil {
			if d, ok := stack[len(stack)-1].(*ast.GenDecl); ok && d.Tok == token.CONST {
				constant--
			}
			stack = stack[:len(stack)-1]
			return true
		}
		if d, ok := n.(*ast.GenDecl); passed[n] || ok && d.Tok == token.IMPORT {
			return false
		} else if ok && d.Tok == token.CONST {
			constant++
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.CallExpr:
			if c := capacity(n); c != nil {
				passed[c] = true
			}
		case *ast.BinaryExpr:
			other, ok := others[n.Op]
			if !ok || p.isString(n) && n.Op == token.ADD {
				break
			}
			op := offset(n.OpPos)
			mark := edit{op, op + len(n.Op.String()), ",", false}
			guard := func(k int) []edit {
				return append(around(n, fmt.Sprintf("func(x %s, y %s) %s { if mutantOn == %d { return x %v y }; return x %v y }(",
					p.typeOf(s, n.X, n.Y), p.typeOf(s, n.Y, n.X), p.typeOf(s, n, nil), k, other, n.Op), ")"), mark)
			}
			if n.Op == token.LAND || n.Op == token.LOR {
				guard = func(k int) []edit {
					return append(around(n, fmt.Sprintf("mutantLogic(%d, %v, ", k, n.Op == token.LAND), ")"),
						append(around(n.Y, "func() bool { return ", " }"), mark)...)
				}
			}
			if constant > 0 {
				guard = nil
			}
			add(n, fmt.Sprintf("%v becomes %v", n.Op, other), []edit{{op, mark.end, other.String(), false}}, guard)
		case *ast.IfStmt:
			for _, always := range []string{"true", "false"} {
				alone := around(n.Cond, "(", ") || true")
				if always == "false" {
					alone = around(n.Cond, "(", ") && false")
				}
				add(n, "the condition is always "+always, alone,
					func(k int) []edit { return around(n.Cond, fmt.Sprintf("mutantIf(%d, %s, ", k, always), ")") })
			}
		case *ast.BasicLit:
			if n.Kind != token.INT || len(n.Value) >= 10 {
				break
			}
			guard := func(k int) []edit {
				return around(n, fmt.Sprintf("(%s)(mutantInt(%d, ", p.typeOf(s, n, nil), k), "))")
			}
			if _, array := stack[len(stack)-2].(*ast.ArrayType); array || constant > 0 {
				guard = nil
			}
			add(n, n.Value+" becomes one more", around(n, "(", "+1)"), guard)
		case *ast.BlockStmt:
			for _, stmt := range n.List {
				if removable(stmt) {
					from, to := offset(stmt.Pos()), offset(stmt.End())
					add(stmt, "the statement is gone", []edit{{from, to, strings.Repeat("\n", bytes.Count(s.text[from:to], []byte("\n"))), false}},
						func(k int) []edit { return around(stmt, fmt.Sprintf("if mutantOn != %d { ", k), " }") })
				}
			}
		}
		return true
	})
	return found
}

func removable(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.ExprStmt, *ast.IncDecStmt:
		return true
	case *ast.AssignStmt:
		return stmt.Tok != token.DEFINE
	}
	return false
}

func (p *pkg) isString(e ast.Expr) bool {
	b, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// typeOf returns the type of an expression as the file would write it; nil has that of what it is compared with.
func (p *pkg) typeOf(s *source, e, other ast.Expr) string {
	t := types.Default(p.info.TypeOf(e))
	if t == types.Typ[types.UntypedNil] && other != nil {
		t = p.info.TypeOf(other)
	}
	return types.TypeString(t, func(q *types.Package) string {
		if q == p.types {
			return ""
		}
		for _, spec := range s.tree.Imports {
			if spec.Path.Value == `"`+q.Path()+`"` && spec.Name != nil {
				return spec.Name.Name
			}
		}
		return q.Name()
	})
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

// apply makes the edits, which are in the order of the tree: what is around another comes before it.
func apply(text []byte, edits []edit) []byte {
	type ranked struct {
		edit
		rank int
	}
	all := make([]ranked, len(edits))
	for i, e := range edits {
		all[i] = ranked{e, i}
		if e.closing {
			all[i].rank = -i - 1
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank))
	})
	var out []byte
	from := 0
	for _, e := range all {
		out = append(append(out, text[from:e.at]...), e.text...)
		from = e.end
	}
	return append(out, text[from:]...)
}

// switches is the file that has what the guards call.
func (p *pkg) switches() (path string, text string) {
	return filepath.Join(p.dir, "mutant_switches.go"), "package " + p.name + `

import (
	"os"
	"strconv"
)

var mutantOn, _ = strconv.Atoi(os.Getenv("USHER_MUTANT"))

func mutantIf(k int, always, was bool) bool {
	if mutantOn == k {
		return always
	}
	return was
}

func mutantInt(k, was int) int {
	if mutantOn == k {
		return was + 1
	}
	return was
}

func mutantLogic(k int, and, x bool, y func() bool) bool {
	if and != (mutantOn == k) {
		return x && y()
	}
	return x || y()
}
`
}
