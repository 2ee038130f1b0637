package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/edits"
)

// beforeExit is what the program does at its end in tests.
var beforeExit = func() {}

func TestMain(m *testing.M) {
	corpus.InMemory()
	testscript.Main(m, map[string]func(){
		"usher": func() {
			if looks(os.Args) {
				ignoreClosedPipes()
			} else {
				heedClosedPipes()
			}
			code := run(context.Background(), os.Args, os.Stdin, os.Stdout, os.Stderr)
			beforeExit()
			os.Exit(code)
		},
		"testedit": testEdit,
	})
}

// TestScripts runs usher as its user would: every script of testdata/script, in an empty folder each.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 corpus.Testdata(t, "script"),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TESTDATA", corpus.Testdata(t))
			env.Setenv("USHER_MUTANT", os.Getenv("USHER_MUTANT")) // what testdata/mutants has changed is changed there too
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "wine":
				return os.Getenv("WINEPREFIX") != "" && runtime.GOOS == "windows", nil
			case "root": // whom no permission keeps out
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"status": status, "patch": patch, "cut": cut, "strip": strip, "nodes": nodes, "bom": bom, "wide": wide},
	})
}

// status runs usher and checks its exit status: status 2 convert --nonsense
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE ARG...")
	}
	err := ts.Exec("usher", args[1:]...)
	got := "0"
	if err != nil {
		got = exitStatus(err)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s (%v)", got, args[0], err)
	}
}

// bom puts a byte order mark before a file: bom FILE
func bom(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: bom FILE")
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(path, append([]byte("\ufeff"), ts.ReadFile(args[0])...), 0o666))
}

// wide writes a text with two bytes a letter: wide FILE
func wide(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: wide FILE")
	}
	b := []byte("\xff\xfe")
	for _, unit := range utf16.Encode([]rune(ts.ReadFile(args[0]))) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// patch replaces text in a file by other text of the same length: patch FILE OLD NEW
func patch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || len(args[1]) != len(args[2]) {
		ts.Fatalf("usage: patch FILE OLD NEW")
	}
	name := ts.MkAbs(args[0])
	b, err := os.ReadFile(name)
	ts.Check(err)
	if !bytes.Contains(b, []byte(args[1])) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(name, bytes.ReplaceAll(b, []byte(args[1]), []byte(args[2])), 0o666))
}

// cut copies the beginning of a file: cut FROM TO BYTES
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut FROM TO BYTES")
	}
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b[:n], 0o666))
}

// strip takes all extras out of a GLB and names another program as its maker: strip FILE
func strip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: strip FILE")
	}
	name := ts.MkAbs(args[0])
	b, err := os.ReadFile(name)
	ts.Check(err)
	doc, err := edits.Parse(b)
	ts.Check(err)
	edits.Strip(doc)
	ts.Check(os.WriteFile(name, doc.Bytes(), 0o666))
}

// nodes holds the names of the nodes of a GLB: nodes FILE NAME...
func nodes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: nodes FILE NAME...")
	}
	b, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	doc, err := edits.Parse(b)
	ts.Check(err)
	got, want := doc.Names(), args[1:]
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		ts.Fatalf("%s has the nodes %q, want %q", args[0], got, want)
	}
}

func exitStatus(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
