package unreal_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestUZ: the files of the corpus decode to the package that they hold, and the encoder makes the same bytes of it.
func TestUZ(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	want := corpus.Bytes(t, filepath.Join(dir, "XC_Orb.utx"))
	for name, signature := range map[string]int32{"XC_Orb.1234.utx.uz": 1234, "XC_Orb.5678.utx.uz": 5678} {
		b := corpus.Bytes(t, filepath.Join(dir, "uz", name))
		x, err := read.UZ(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if x.Signature != signature || x.Name.Text != "XC_Orb.utx" {
			t.Errorf("%s: signature %d, name %q", name, x.Signature, x.Name.Text)
		}
		corpus.SameBytes(t, name+" decoded", x.Data, want)
		x.Coded = nil
		again, err := write.UZ(x)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, name, again, b)
	}
}

// uzInputs are contents that try the stages: runs of every length, long runs, repeats, noise, more than a block.
func uzInputs() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(r.UintN(256))
	}
	var lengths []byte
	for n := range 600 {
		lengths = append(lengths, bytes.Repeat([]byte{byte(n % 3)}, n%300)...)
	}
	return map[string][]byte{
		"empty": {}, "one": {7}, "zeros": make([]byte, 1000), "five": bytes.Repeat([]byte{9}, 5), "255": bytes.Repeat([]byte{1}, 255), "256": bytes.Repeat([]byte{1}, 256),
		"260": bytes.Repeat([]byte{0xFF}, 260), "noise": noise, "lengths": lengths, "text": bytes.Repeat([]byte("banana bandana "), 900),
		"blocks": append(bytes.Repeat(noise, 60), 1, 2, 3),
	}
}

func TestUZRoundTrip(t *testing.T) {
	for name, data := range uzInputs() {
		for _, signature := range []int32{1234, 5678} {
			b, err := write.UZ(&unreal.UZ{Signature: signature, Name: unreal.Str{Text: "x.u"}, Data: data})
			if err != nil {
				t.Fatal(err)
			}
			x, err := read.UZ(b, nil)
			if err != nil {
				t.Errorf("%s, %d: %v", name, signature, err)
				continue
			}
			if !bytes.Equal(x.Data, data) {
				t.Errorf("%s, %d: %d bytes, want %d", name, signature, len(x.Data), len(data))
			}
		}
	}
}

// slowSort sorts suffixes by comparing them; the end is greater than any byte.
func slowSort(b []byte) []int32 {
	order := make([]int32, len(b)+1)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int {
		for x < int32(len(b)) && y < int32(len(b)) {
			if b[x] != b[y] {
				return int(b[x]) - int(b[y])
			}
			x, y = x+1, y+1
		}
		return int(x - y) // the shorter one, which is further behind, comes later
	})
	return order
}

// TestSuffixes compares the fast sort with the obvious one.
func TestSuffixes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 200 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.UintN(1 + uint(n%5)))
		}
		if got := write.Suffixes(b); !slices.Equal(got, slowSort(b)) {
			t.Fatalf("%v: %v, want %v", b, got, slowSort(b))
		}
	}
}

// TestUZMalformed: cut and senseless files are refused with their class.
func TestUZMalformed(t *testing.T) {
	good, err := write.UZ(&unreal.UZ{Signature: 1234, Name: unreal.Str{Text: "x.u"}, Data: []byte("some text, and some more text")})
	if err != nil {
		t.Fatal(err)
	}
	for n := range good {
		if _, err := read.UZ(good[:n], nil); schema.Class(err) == nil {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
	head := good[:9] // signature and name
	with := func(codes ...byte) []byte { return append(slices.Clone(head), codes...) }
	for name, c := range map[string]struct {
		b     []byte
		class error
	}{
		"signature":     {append([]byte{1, 2, 3, 4}, good[4:]...), schema.ErrBadMagic},
		"negative":      {with(0xFF, 0xFF, 0xFF, 0xFF, 0), schema.ErrCount},
		"too many":      {with(0xFF, 0xFF, 0, 0, 0x05, 0x08, 0x00, 0x00), schema.ErrCount},
		"without bits":  {with(0xFF, 0xFF, 0xFF, 0x7F, 0, 0), schema.ErrCount},
		"endless tree":  {with(append([]byte{1, 0, 0, 0}, bytes.Repeat([]byte{0xFF}, 200)...)...), schema.ErrLimit},
		"block of none": {with(3, 0, 0, 0, 0, 0), schema.ErrTruncated},
	} {
		if _, err := read.UZ(c.b, nil); schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %v", name, err, c.class)
		}
	}
}

func FuzzUZ(f *testing.F) {
	for _, data := range uzInputs() {
		if len(data) > 20000 {
			continue
		}
		b, err := write.UZ(&unreal.UZ{Signature: 5678, Name: unreal.Str{Text: "x.u"}, Data: data})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := read.UZ(b, nil)
		if err != nil {
			if schema.Class(err) == nil {
				t.Fatalf("an error without a class: %v", err)
			}
			return
		}
		again, err := write.UZ(x)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%d bytes come back as %d, %v", len(b), len(again), err)
		}
		if len(x.Data) > 1<<16 {
			return
		}
		x.Coded = nil
		if again, err = write.UZ(x); err != nil {
			t.Fatal(err)
		}
		if y, err := read.UZ(again, nil); err != nil || !bytes.Equal(y.Data, x.Data) {
			t.Fatalf("encoded anew: %v", err)
		}
	})
}

func BenchmarkUZ(b *testing.B) {
	data := uzInputs()["blocks"]
	coded, err := write.UZ(&unreal.UZ{Signature: 1234, Data: data})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := read.UZ(coded, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := write.UZ(&unreal.UZ{Signature: 1234, Data: data}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
