package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
)

// noise returns bytes that nothing else has.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func deltaOf(t testing.TB, have, want []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteDelta(&out, bytes.NewReader(have), int64(len(have)), bytes.NewReader(want), int64(len(want))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func applied(delta, have []byte, size int) ([]byte, error) {
	var out bytes.Buffer
	err := ApplyDelta(&out, bytes.NewReader(delta), bytes.NewReader(have), int64(len(have)), int64(size))
	return out.Bytes(), err
}

// TestDelta: whatever became of a file, the delta gives it back, and holds little more than what is new.
func TestDelta(t *testing.T) {
	a := noise(1, 1<<20)
	zeros := make([]byte, 300<<10)
	for _, c := range []struct {
		name       string
		have, want []byte
		most       int
	}{
		{"nothing of nothing", nil, nil, 1},
		{"nothing of something", a, nil, 1},
		{"something of nothing", nil, a[:5000], 5010},
		{"the same", a, a, 10},
		{"one byte", a, slices.Concat(a[:1000], []byte{^a[1000]}, a[1001:]), 20},
		{"the last byte", a, slices.Concat(a[:len(a)-1], []byte{^a[len(a)-1]}), 20},
		{"many bytes", a, everyOther(a, 10_000), 2000},
		{"cut off", a, a[:777_777], 20},
		{"longer", a[:777_777], a, 1<<20 - 777_777 + 200},
		{"a piece new, of another size", a, slices.Concat(a[:500_000], noise(2, 3000), a[510_000:]), deltaLoose + deltaChunk + 20_000},
		{"a large piece new, of another size", a, slices.Concat(a[:300_000], noise(2, 100_000), a[310_000:]), 100_000 + deltaChunk + 20_000},
		{"halves swapped", a, slices.Concat(a[1<<19:], a[:1<<19]), deltaLoose + 2*deltaChunk},
		{"zeros in the middle", slices.Concat(a[:1000], zeros, a[1000:]), slices.Concat(a[:1000], zeros[:100_001], a[1000:]), deltaLoose + 2*deltaChunk},
		{"all zeros", zeros, zeros[:100], 10},
		{"all other", a, noise(3, 200_000), 200_100},
		{"short", []byte("abc"), []byte("abd"), 10},
	} {
		d := deltaOf(t, c.have, c.want)
		if got, err := applied(d, c.have, len(c.want)); err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %v, %d bytes, want %d", c.name, err, len(got), len(c.want))
		}
		if len(d) > c.most {
			t.Errorf("%s: %d bytes, want at most %d", c.name, len(d), c.most)
		}
	}
}

func everyOther(b []byte, step int) []byte {
	b = bytes.Clone(b)
	for i := step / 2; i < len(b); i += step {
		b[i] ^= 0xFF
	}
	return b
}

// TestDeltaDamaged: one that is cut off, or for another file, is refused or gives other bytes, which a hash tells; it
// reaches for nothing that is not there, and makes no more than was asked for.
func TestDeltaDamaged(t *testing.T) {
	a := noise(1, 10_000)
	b := slices.Concat(a[:2000], noise(2, 300), a[2100:])
	d := deltaOf(t, a, b)
	for n := range len(d) {
		if _, err := applied(d[:n], a, len(b)); !errors.Is(err, ErrDelta) {
			t.Fatalf("%d of %d bytes: %v", n, len(d), err)
		}
		bad := bytes.Clone(d)
		bad[n] ^= 0x80
		if got, err := applied(bad, a, len(b)); err == nil && len(got) > len(b) {
			t.Errorf("byte %d: %d bytes, want at most %d", n, len(got), len(b))
		}
	}
	for _, have := range [][]byte{nil, a[:100]} {
		if _, err := applied(d, have, len(b)); !errors.Is(err, ErrDelta) {
			t.Errorf("of %d bytes: %v", len(have), err)
		}
	}
	for _, size := range []int{0, len(b) - 1} {
		if _, err := applied(d, a, size); !errors.Is(err, ErrDelta) {
			t.Errorf("size %d: %v", size, err)
		}
	}
}

// FuzzDelta: a delta gives its file back, and none that anybody made does harm.
func FuzzDelta(f *testing.F) {
	f.Add([]byte("abcdefgh"), []byte("abcxefgh"))
	f.Add(noise(1, 300), noise(1, 400))
	f.Fuzz(func(t *testing.T, have, want []byte) {
		have, want = bytes.Repeat(have, 30), slices.Concat(want, bytes.Repeat(have, 29), want)
		got, err := applied(deltaOf(t, have, want), have, len(want))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v, %d bytes, want %d", err, len(got), len(want))
		}
		_ = ApplyDelta(io.Discard, bytes.NewReader(want), bytes.NewReader(have), int64(len(have)), 1<<20)
	})
}

func BenchmarkDelta(b *testing.B) {
	have := noise(1, 64<<20)
	for _, new := range []int{0, 1 << 10, 1 << 20} {
		want := slices.Concat(have[:10<<20], noise(2, new), have[10<<20:])
		b.Run(fmt.Sprint(new), func(b *testing.B) {
			b.SetBytes(int64(len(want)))
			for range b.N {
				if err := WriteDelta(io.Discard, bytes.NewReader(have), int64(len(have)), bytes.NewReader(want), int64(len(want))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
