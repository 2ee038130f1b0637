package convert_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/write"
)

// The toy format of CONTRIBUTING.md, in one file. What stands there is the same text; a test holds that.

// ToySign is a road sign: "SIGN", a flag that nobody knows, and lines of text with their lengths before them.
type ToySign struct {
	Unknown4 uint16 // at 0x4; kept
	Lines    []string
}

// ReadToySign decodes a sign.
func ReadToySign(b []byte, d *schema.Diagnostics) (*ToySign, error) {
	c := read.NewCursor("toy", b, d)
	c.Magic("SIGN", "magic")
	s := &ToySign{Unknown4: c.U16("unknown")}
	for range c.Count(uint64(c.U16("line count")), 1, "line count") { // a line has a byte at least: its length
		s.Lines = append(s.Lines, string(c.Bytes(int(c.U8("length")), "line")))
	}
	if c.Left() > 0 {
		c.Failf(schema.ErrMismatch, "end", "%d bytes more than its lines have", c.Left())
	}
	return s, c.Err()
}

// WriteToySign encodes a sign. For what ReadToySign returned it returns the same bytes.
func WriteToySign(s *ToySign) ([]byte, error) {
	w := write.NewBuffer("toy", 64)
	w.Raw("SIGN")
	w.U16(s.Unknown4)
	w.Count16(len(s.Lines), "line count")
	for _, line := range s.Lines {
		w.Count8(len(line), "length")
		w.Raw(line)
	}
	return w.Finish()
}

// Toy has the functions of the format, typed.
var Toy = format.Functions[ToySign, *asset.Text]{Read: ReadToySign, Write: WriteToySign, Lift: liftToy, Lower: lowerToy}

var toyFormat = format.Of(format.Format{
	Name: "toy", Family: "toys", Title: "road sign", Kind: format.Text, Extensions: []string{".sign"},
	Probe: func(in *format.Input) format.Confidence {
		if strings.HasPrefix(string(in.Head), "SIGN") {
			return format.Magic
		}
		return format.No
	},
}, Toy)

func liftToy(s *ToySign, env *format.Env) (*asset.Text, error) {
	stored, err := WriteToySign(s) // what text cannot hold rides along
	if err != nil {
		return nil, err
	}
	return &asset.Text{Body: strings.Join(s.Lines, "\n"), Extension: ".txt", Native: &asset.Native{Format: "toy", Payload: stored}}, nil
}

func lowerToy(t *asset.Text, env *format.Env) (*ToySign, error) {
	s := new(ToySign)
	if t.Native != nil && t.Native.Format == "toy" { // it was one: what nobody could edit is as it was
		was, err := ReadToySign(t.Native.Payload, nil)
		if err != nil {
			return nil, err
		}
		s = was
	}
	s.Lines = strings.Split(t.Body, "\n")
	return s, nil
}

// TestToy holds that the toy format does what CONTRIBUTING.md promises of it: it is recognised, comes back byte for byte,
// is edited as text, and refuses what is wrong with it.
func TestToy(t *testing.T) {
	all := formats.All
	defer func() { formats.All = all }()
	formats.All = append(all[:len(all):len(all)], toyFormat)

	stored := []byte("SIGN\x07\x00\x02\x00\x05Mayen\x03A61")
	s, err := Toy.Read(stored, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Toy.Write(s)
	if err != nil || string(again) != string(stored) {
		t.Errorf("%q, %v", again, err)
	}
	for n := range stored {
		if _, err := Toy.Read(stored[:n], nil); schema.Class(err) == nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := Toy.Read(append(stored, 0), nil); !errors.Is(err, schema.ErrMismatch) {
		t.Errorf("a byte too many: %v", err)
	}

	dir := t.TempDir()
	file := filepath.Join(dir, "mayen.sign")
	if err := os.WriteFile(file, stored, 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(in, out string) {
		t.Helper()
		c := batch.Conversion{Out: filepath.Join(dir, out)}
		if err := c.Run(context.Background(), []string{filepath.Join(dir, in)}, func(r batch.Result) {
			if r.Err != nil {
				t.Error(r.Err)
			}
		}); err != nil {
			t.Error(err)
		}
	}
	run("mayen.sign", "sign.txt")
	text := filepath.Join(dir, "sign.txt")
	if err := os.WriteFile(text, []byte("Mayen\nA48"), 0o666); err != nil {
		t.Fatal(err)
	}
	run("sign.txt", "edited.sign")
	if got := corpus.Bytes(t, filepath.Join(dir, "edited.sign")); string(got) != "SIGN\x07\x00\x02\x00\x05Mayen\x03A48" {
		t.Errorf("%q", got)
	}
}

// TestToyIsShown holds that CONTRIBUTING.md shows what is tested here.
func TestToyIsShown(t *testing.T) {
	code := string(corpus.Bytes(t, "toy_test.go")) + string(corpus.Bytes(t, "toy_model_test.go"))
	blocks := strings.Split(string(corpus.Bytes(t, filepath.Join(corpus.Root(t), "CONTRIBUTING.md"))), "```go\n")[1:]
	if len(blocks) < 9 {
		t.Fatalf("%d blocks", len(blocks))
	}
	for _, b := range blocks {
		b, _, _ = strings.Cut(b, "```")
		if !strings.Contains(code, b) {
			t.Errorf("not in toy_test.go or toy_model_test.go:\n%s", b)
		}
	}
}
