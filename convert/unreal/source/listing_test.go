package source

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

var update = flag.Bool("update", false, "write testdata/code.txt")

func opened(t testing.TB, path string) *pack.File {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := pack.Open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: filepath.Base(path)})
	if err != nil {
		t.Fatal(path, err)
	}
	return f
}

// codes calls do with all byte code of a package, and its size in memory.
func codes(t testing.TB, f *pack.File, do func(path string, code []byte, size uint32)) {
	t.Helper()
	for i := range f.Exports {
		if f.Empty(i) || !unreal.Classes[f.Layout(i)].Script() {
			continue
		}
		o, err := f.Object(i)
		if err != nil {
			t.Fatal(err)
		}
		size := uint32(0)
		switch o := o.(type) {
		case *unreal.Function:
			size = o.ScriptSize
		case *unreal.State:
			size = o.ScriptSize
		case *unreal.Class:
			size = o.ScriptSize
		}
		if code := CodeOf(o); len(code) > 0 {
			do(o.Base().Path, code, size)
		}
	}
}

// TestListing holds the listing of testdata/code.u: what the game's own compiler (version 436) made of a class of ours, in
// which stands each statement, each constant and each cast of the language.
func TestListing(t *testing.T) {
	f := opened(t, "testdata/code.u")
	var all strings.Builder
	codes(t, f, func(path string, code []byte, _ uint32) {
		all.WriteString(path + "\n" + strings.Join(Listing(f, code), "\n") + "\n\n")
	})
	const golden = "testdata/code.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || all.String() != string(want) {
		t.Errorf("%v: the listing is not that of %s", err, golden)
	}
	// The casts of function Casts, in the order of the source, which is that of the tokens.
	var casts []string
	o, _ := f.Object(int(f.FindExport("UsherCode.Casts", "Function") - 1))
	tokens, _ := read.Code(CodeOf(o), &unreal.Context{Package: f.Package}, nil)
	for _, x := range tokens {
		if x.Code >= unreal.FirstCast && x.Code < unreal.FirstExtended {
			casts = append(casts, unreal.Ops[x.Code].Name)
		}
	}
	const source = "RotatorToVector ByteToInt ByteToBool ByteToFloat IntToByte IntToBool IntToFloat BoolToByte BoolToInt BoolToFloat FloatToByte FloatToInt FloatToBool " +
		"ObjectToBool NameToBool StringToByte StringToInt StringToBool StringToFloat StringToVector StringToRotator VectorToBool VectorToRotator RotatorToBool " +
		"ByteToString IntToString BoolToString FloatToString ObjectToString NameToString VectorToString RotatorToString"
	if got := strings.Join(casts, " "); got != source {
		t.Errorf("casts: %s", got)
	}
}

// checkCode holds what is true of all code that a compiler made: it is listed to its last byte, and jumps lead to tokens. It
// returns the number of jumps.
func checkCode(t testing.TB, f *pack.File, path string, code []byte, size uint32) (jumps int) {
	t.Helper()
	tokens, rest := read.Code(code, &unreal.Context{Package: f.Package}, nil)
	if len(rest) > 0 {
		t.Errorf("%s: %d bytes of %d are not listed", path, len(rest), len(code))
		return 0
	}
	at := make(map[uint32]bool, len(tokens))
	for i := range tokens {
		at[tokens[i].Offset] = true
	}
	at[size] = true
	for i := range tokens {
		for _, target := range targets(&tokens[i]) {
			if jumps++; !at[target] {
				t.Errorf("%s: %s at %04X leads to %04X, where no token is", path, unreal.Ops[tokens[i].Code].Name, tokens[i].Offset, target)
			}
		}
	}
	return jumps
}

// targets are the offsets that a token leads to.
func targets(t *unreal.Token) (list []uint32) {
	switch unreal.Ops[t.Code].Name {
	case "Jump", "JumpIfNot", "Case", "Iterator", "LabelTable":
	default:
		return nil
	}
	for _, o := range t.Operands {
		if n := o.Numbers[0]; (o.Kind == 'w' || o.Kind == 'l') && n != unreal.NoCase {
			list = append(list, n)
		}
	}
	return list
}

// TestListed lists all byte code of testdata, and of the packages in the folder that USHER_PACKAGES names.
func TestListed(t *testing.T) {
	files := []string{"testdata/code.u", "testdata/thing.u"}
	if dir := os.Getenv("USHER_PACKAGES"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "*.u"))
		files = append(files, more...)
	}
	listAll(t, files)
}

// TestListedCorpus lists all byte code of the corpus.
func TestListedCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpus.Folder(t, "unreal"), "*.u*"))
	listAll(t, files)
}

func listAll(t *testing.T, files []string) {
	count, jumps := 0, 0
	for _, path := range files {
		f := opened(t, path)
		codes(t, f, func(name string, code []byte, size uint32) {
			count++
			jumps += checkCode(t, f, path+": "+name, code, size)
		})
	}
	t.Logf("%d packages: %d functions, states and classes with %d jumps", len(files), count, jumps)
	if count < 5 {
		t.Errorf("only %d pieces of code", count)
	}
}

// TestHostileCode: code that is cut, of tokens that nobody knows, or nested without end is listed as far as it goes, and the
// rest as bytes; all bytes are accounted for.
func TestHostileCode(t *testing.T) {
	f := opened(t, "testdata/code.u")
	codes(t, f, func(path string, code []byte, _ uint32) {
		for n := range code {
			checkCut(t, f, path, code[:n])
			b := slices.Clone(code)
			for _, token := range []byte{0x00, 0x0C, 0x16, 0x1B, 0x1F, 0x34, 0x60, 0xFF} {
				b[n] = token
				checkCut(t, f, path, b)
			}
		}
	})
	if tokens, rest := read.Code([]byte{1, 1}, nil, nil); len(tokens) > 0 || len(rest) != 2 {
		t.Errorf("without a package: %v and %v", tokens, rest)
	}
	for _, c := range []struct {
		name  string
		code  []byte
		lines int
		last  string
	}{
		{"nothing", nil, 0, ""},
		{"tokens that nobody knows", []byte{0x03, 0x35, 0x37, 0x15}, 4, "0003  Token15"},
		{"an object that is not there", []byte{0x01, 0x7F, 0x7F}, 1, "0000  InstanceVariable object 8191"},
		{"a name that is not there", []byte{0x21, 0x7F, 0x7F}, 1, "0000  NameConst ''"},
		{"an expression that is missing", []byte{0x0B, 0x2D}, 2, "bytes 2d"},
		{"a text without an end", []byte{0x1F, 'a'}, 1, "bytes 1f61"},
		{"nested without end", bytes.Repeat([]byte{0x2D}, 5000), 1, ""},
		{"labels without an end", bytes.Repeat([]byte{0x0C, 1, 1, 1, 1, 1}, 100), 1, ""},
	} {
		lines := Listing(f, c.code)
		if len(lines) != c.lines || c.last != "" && lines[len(lines)-1] != c.last {
			t.Errorf("%s: %q", c.name, lines)
		}
	}
}

func checkCut(t testing.TB, f *pack.File, path string, code []byte) {
	t.Helper()
	tokens, rest := read.Code(code, &unreal.Context{Package: f.Package}, nil)
	if len(rest) > len(code) || len(tokens) > len(code) || len(code) > 0 && len(tokens) == 0 && len(rest) == 0 || !bytes.HasSuffix(code, rest) {
		t.Fatalf("%s: %d bytes give %d tokens and %d bytes", path, len(code), len(tokens), len(rest))
	}
}

func FuzzListing(f *testing.F) {
	p := opened(f, "testdata/code.u")
	codes(f, p, func(_ string, code []byte, _ uint32) { f.Add(code) })
	f.Fuzz(func(t *testing.T, b []byte) {
		checkCut(t, p, "", b)
		Listing(p, b)
	})
}
