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
	last  int // line of it
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
	seen := map[string]int{} // what a line has twice gets a number
	add := func(n ast.Node, what string, alone []edit, guard func(k int) []edit) {
		line := p.set.Position(n.Pos()).Line
		place := fmt.Sprint(line, what)
		if seen[place]++; seen[place] > 1 {
			what += fmt.Sprintf(" (%d)", seen[place])
		}
		found = append(found, mutant{s, line, p.set.Position(n.End()).Line, what, len(found), alone, guard})
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
			kind := p.typeOf(s, p.settled(stack))
			signature := fmt.Sprintf("func(x %s, y %s) %s", p.operand(s, stack, n.X), p.operand(s, stack, n.Y), kind)
			guard := func(k int) []edit {
				return append(around(n, fmt.Sprintf("%s { if mutantIs(%d) { return x %v y }; return x %v y }(", signature, k, other, n.Op), ")"), mark)
			}
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				guard = func(k int) []edit {
					return append(around(n, fmt.Sprintf("%s { return (%s)(mutantIf(%d, x %v y, x %v y)) }(", signature, kind, k, other, n.Op), ")"), mark)
				}
			case token.EQL, token.NEQ: // what is compared has no type that is good for every comparison: slices, functions
				guard = func(k int) []edit {
					return around(n, fmt.Sprintf("%s(mutantNot(%d, ", kind, k), "))")
				}
			case token.LAND, token.LOR:
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
			kind := p.typeOf(s, p.settled(stack))
			guard := func(k int) []edit { return around(n, fmt.Sprintf("(%s)(mutantInt(%d, ", kind, k), "))") }
			if _, array := stack[len(stack)-2].(*ast.ArrayType); array || constant > 0 {
				guard = nil
			}
			add(n, n.Value+" becomes one more", around(n, "(", "+1)"), guard)
		case *ast.BlockStmt:
			for _, stmt := range n.List {
				if removable(stmt) {
					from, to := offset(stmt.Pos()), offset(stmt.End())
					add(stmt, "the statement is gone", []edit{{from, to, strings.Repeat("\n", bytes.Count(s.text[from:to], []byte("\n"))), false}},
						func(k int) []edit { return around(stmt, fmt.Sprintf("if !mutantIs(%d) { ", k), " }") })
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

// settled returns the expression that says of which type the last one of the stack is: a constant without one takes that of
// the constant which it is a part of.
func (p *pkg) settled(stack []ast.Node) ast.Expr {
	e := stack[len(stack)-1].(ast.Expr)
	for i := len(stack) - 2; i >= 0 && p.untyped(e); i-- {
		switch parent := stack[i].(type) {
		case *ast.ParenExpr:
			e = parent
		case *ast.UnaryExpr:
			e = parent
		case *ast.BinaryExpr:
			if shift(parent) && parent.Y == e {
				return e
			}
			e = parent
		default:
			return e
		}
	}
	return e
}

// operand returns the type that an operand of the last expression of the stack needs in a function.
func (p *pkg) operand(s *source, stack []ast.Node, e ast.Expr) string {
	n := stack[len(stack)-1].(*ast.BinaryExpr)
	switch {
	case !p.untyped(e), shift(n) && e == n.Y:
		return p.typeOf(s, e)
	case n.Op == token.LSS, n.Op == token.LEQ, n.Op == token.GTR, n.Op == token.GEQ:
		if e == n.X {
			e = n.Y
		} else {
			e = n.X
		}
		return p.typeOf(s, e)
	}
	return p.typeOf(s, p.settled(stack))
}

func (p *pkg) untyped(e ast.Expr) bool {
	b, ok := p.info.TypeOf(e).(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func shift(n *ast.BinaryExpr) bool { return n.Op == token.SHL || n.Op == token.SHR }

// typeOf returns the type of an expression as the file would write it.
func (p *pkg) typeOf(s *source, e ast.Expr) string {
	t := types.Default(p.info.TypeOf(e))
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

// switches is the file that has what the guards call. USHER_MUTANT is the switch that is on, or a file that is told of those
// which would have made a difference.
func (p *pkg) switches() (path string, text string) {
	return filepath.Join(p.dir, "mutant_switches.go"), "package " + p.name + `

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

var (
	mutantOn, mutantFile = func() (on int, file *os.File) {
		name := os.Getenv("USHER_MUTANT")
		on, err := strconv.Atoi(name)
		if err != nil && name != "" {
			file, _ = os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		}
		return on, file
	}()
	mutantsSeen sync.Map
)

func mutantSeen(k int) {
	if mutantFile == nil {
		return
	}
	if _, known := mutantsSeen.LoadOrStore(k, true); !known {
		fmt.Fprintln(mutantFile, k)
	}
}

func mutantIs(k int) bool {
	mutantSeen(k)
	return mutantOn == k
}

func mutantIf(k int, other, was bool) bool {
	if other != was {
		mutantSeen(k)
	}
	if mutantOn == k {
		return other
	}
	return was
}

func mutantNot(k int, was bool) bool { return was != mutantIs(k) }

func mutantInt(k, was int) int {
	if mutantIs(k) {
		return was + 1
	}
	return was
}

func mutantLogic(k int, and, x bool, y func() bool) bool {
	if mutantOn == k {
		and = !and
	}
	was := x
	if x == and {
		was = y()
	}
	if x != and || was != x { // where y is not asked for, it might be either
		mutantSeen(k)
	}
	return was
}
`
}
