package convert_test

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	goprinter "go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// unpromised is what the documents of packages say that serve the command line alone.
const unpromised = "promises nothing to other programs"

// TestAPI: what other programs can use is what testdata/api.txt lists. Who takes a line away breaks somebody's program;
// who adds one has to keep it. "make api" writes the list.
func TestAPI(t *testing.T) {
	root := corpus.Root(t)
	var now []string
	for _, row := range []string{"schema", "read", "write", "convert"} {
		err := filepath.WalkDir(filepath.Join(root, row), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			if d.Name() == "testdata" {
				return fs.SkipDir
			}
			lines, err := exported(dir)
			name, _ := filepath.Rel(root, dir)
			for _, line := range lines {
				now = append(now, filepath.ToSlash(name)+": "+line)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(now)
	list := filepath.Join(root, "testdata", "api.txt")
	if os.Getenv("USHER_UPDATE") != "" {
		if err := os.WriteFile(list, []byte(strings.Join(now, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	was := strings.Split(strings.TrimSpace(string(corpus.Bytes(t, list))), "\n")
	for _, line := range was {
		if _, there := slices.BinarySearch(now, line); !there {
			t.Errorf("gone or changed, which breaks those who use it: %s", line)
		}
	}
	for _, line := range now {
		if _, there := slices.BinarySearch(was, line); !there {
			t.Errorf("new or changed (\"make api\" lists it): %s", line)
		}
	}
}

// exported lists what the package of a folder exports on Linux, one line for each constant, variable, function, type,
// field and method.
func exported(dir string) (lines []string, err error) {
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", false
	p, err := context.ImportDir(dir, 0)
	if _, none := err.(*build.NoGoError); none {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if f.Doc != nil && strings.Contains(strings.Join(strings.Fields(f.Doc.Text()), " "), unpromised) {
			return nil, nil
		}
		for _, d := range f.Decls {
			lines = append(lines, declared(d)...)
		}
	}
	return lines, nil
}

func declared(d ast.Decl) (lines []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if !d.Name.IsExported() || d.Recv != nil && !ast.IsExported(receiver(d.Recv.List[0].Type)) {
			return nil
		}
		return []string{printed(&ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type})}
	case *ast.GenDecl:
		var kind ast.Expr // of constants, which those below share
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				lines = append(lines, declaredType(s)...)
			case *ast.ValueSpec:
				if s.Type != nil || len(s.Values) > 0 {
					kind = s.Type
				}
				for _, n := range s.Names {
					if n.IsExported() {
						lines = append(lines, strings.TrimSpace(d.Tok.String()+" "+n.Name+" "+printed(kind)))
					}
				}
			}
		}
	}
	return lines
}

func declaredType(s *ast.TypeSpec) (lines []string) {
	if !s.Name.IsExported() {
		return nil
	}
	head := "type " + s.Name.Name
	if s.TypeParams != nil {
		var names []string
		for _, f := range s.TypeParams.List {
			for _, n := range f.Names {
				names = append(names, n.Name+" "+printed(f.Type))
			}
		}
		head += "[" + strings.Join(names, ", ") + "]"
	}
	if s.Assign.IsValid() {
		head += " ="
	}
	list, kind := (*ast.FieldList)(nil), ""
	switch x := s.Type.(type) {
	case *ast.StructType:
		list, kind = x.Fields, "struct"
	case *ast.InterfaceType:
		list, kind = x.Methods, "interface"
	default:
		return []string{head + " " + printed(s.Type)}
	}
	lines = []string{head + " " + kind}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			lines = append(lines, head+" "+kind+", "+printed(f.Type))
		}
		for _, n := range f.Names {
			if n.IsExported() {
				lines = append(lines, head+" "+kind+", "+n.Name+" "+printed(f.Type))
			}
		}
	}
	return lines
}

// receiver returns the name of the type that a method is of.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// printed returns a piece of a program in one line, without comments.
func printed(node any) string {
	if x, ok := node.(ast.Expr); ok && x == nil || node == nil {
		return ""
	}
	var b bytes.Buffer
	if err := (&goprinter.Config{}).Fprint(&b, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
