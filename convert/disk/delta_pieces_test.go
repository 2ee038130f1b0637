package disk

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// pieces tells a delta in words: "=10@5" is a piece of ten bytes at 5, "+3" are three bytes.
func pieces(t *testing.T, delta []byte) string {
	t.Helper()
	r := bufio.NewReader(bytes.NewReader(delta))
	var list []string
	for {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case n == 0:
			if rest, _ := io.ReadAll(r); len(rest) > 0 {
				t.Fatalf("%d bytes behind the end", len(rest))
			}
			return strings.Join(list, " ")
		case n&1 == 0:
			at, _ := binary.ReadUvarint(r)
			list = append(list, fmt.Sprintf("=%d@%d", n>>1, at))
		default:
			_, _ = io.CopyN(io.Discard, r, int64(n>>1))
			list = append(list, fmt.Sprintf("+%d", n>>1))
		}
	}
}

// other returns bytes of which at some places none is as it was.
func other(b []byte, places ...int) []byte {
	b = bytes.Clone(b)
	for _, at := range places {
		b[at] ^= 0xFF
	}
	return b
}

// TestDeltaPieces: what is worth a piece is one, and begins and ends where the files are alike.
func TestDeltaPieces(t *testing.T) {
	a, x := noise(1, 1<<20), noise(2, 400_000)
	shifted := func(new, from int) []byte { return slices.Concat(a[:1000], x[:new], a[from:400_000]) }
	for _, c := range []struct {
		name       string
		have, want []byte
		pieces     string
	}{
		{"nothing", a, nil, ""},
		{"the same", a[:100], a[:100], "=100@0"},
		{"the beginning", a[:100], a[:99], "=99@0"},
		{"more", a[:100], a[:101], "=100@0 +1"},
		{"a short end", a[:100], a[:31], "=31@0"},
		{"least that is worth a piece", a[:100], other(a[:100], 32), "=32@0 +1 =67@33"},
		{"less than that", a[:100], other(a[:100], 31), "+32 =68@32"},
		{"less than that at the end", a[:100], other(a[:100], 80), "=80@0 +20"},
		{"just enough at the end", a[:100], other(a[:100], 67), "=67@0 +1 =32@68"},
		{"pieces in the middle", a[:200], other(a[:200], 50, 82, 115), "=50@0 +33 =32@83 +1 =84@116"},
		{"a chunk", a[:deltaChunk], other(a[:deltaChunk], deltaChunk-1), "=65535@0 +1"},
		{"more than a chunk", a[:deltaChunk+1], a[:deltaChunk+1], "=65537@0"},
		{"many chunks", a, other(a, 1<<19), "=524288@0 +1 =524287@524289"},
		{"all other", a[:200_000], x[:200_000], "+65536 +65536 +65536 +3392"},
		{"other up to a chunk", a[:200_000], slices.Concat(x[:deltaChunk], a[deltaChunk:200_000]), "+65536 =134464@65536"},
		{"found elsewhere", a, shifted(3000, 2000), fmt.Sprintf("=1000@0 +65536 +%d =%d@%d", 65536, 399_000+2_000-65536*2, 1000+65536*2-2000)},
		{"found further back", a, slices.Concat(x[:200_000], a[100_000:300_000]), "+65536 +65536 +65536 +3392 =200000@100000"},
		{"found at its beginning", slices.Concat(a[:100_000]), slices.Concat(x[:140_000], a[:100_000]), "+65536 +65536 +8928 =100000@0"},
		{"found by its last window", a[:4096+64], slices.Concat(x[:140_000], a[100:4096+64]), "+65536 +65536 +8928 =4060@100"},
		{"found first where it stands twice", slices.Concat(a[:8192], a[:8192]), slices.Concat(x[:140_000], a[:4000]), "+65536 +65536 +8928 =4000@0"},
		{"a window and no more", a[:64], slices.Concat(x[:131072], a[:64]), "+65536 +65536 =64@0"},
		{"one byte again and again is not found", make([]byte, 8192), slices.Concat(x[:131072], make([]byte, 100)), "+65536 +65536 +100"},
		{"no window in it", a[:4096+63], slices.Concat(x[:140_000], a[100:4096+63]), "+65536 +65536 +12987"},
	} {
		d := deltaOf(t, c.have, c.want)
		if got, err := applied(d, c.have, len(c.want)); err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
		if got := pieces(t, d); got != c.pieces {
			t.Errorf("%s: %s, want %s", c.name, got, c.pieces)
		}
	}
}

// failing is a file that fails from a place on.
type failing struct {
	*bytes.Reader
	from int64
}

var errFailing = errors.New("failing")

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > f.from {
		return 0, errFailing
	}
	return f.Reader.ReadAt(b, at)
}

// TestDeltaFails: what cannot be read or written is an error, wherever it is.
func TestDeltaFails(t *testing.T) {
	a := noise(1, 300_000)
	b := slices.Concat(noise(2, 140_000), a[:160_000])
	whole := int64(1) << 40
	for _, from := range []int64{0, 1000, 70_000, 139_000, 200_000, 299_000} {
		for have, want := range map[int64]int64{from: whole, whole: from} {
			err := WriteDelta(io.Discard, failing{bytes.NewReader(a), have}, int64(len(a)), failing{bytes.NewReader(b), want}, int64(len(b)))
			if !errors.Is(err, errFailing) {
				t.Errorf("from %d, %d on: %v", have, want, err)
			}
		}
	}
	d := deltaOf(t, a, b)
	for most := range 5 {
		if err := WriteDelta(&full{left: most * 50_000}, bytes.NewReader(a), int64(len(a)), bytes.NewReader(b), int64(len(b))); (err == errFailing) != (most < 3) {
			t.Errorf("writing %d bytes: %v", most*50_000, err)
		}
	}
	for most := range 7 {
		if err := ApplyDelta(&full{left: most * 50_000}, bytes.NewReader(d), bytes.NewReader(a), int64(len(a)), int64(len(b))); (err == errFailing) != (most < 6) {
			t.Errorf("making %d bytes: %v", most*50_000, err)
		}
	}
	if err := ApplyDelta(io.Discard, bytes.NewReader(d), failing{bytes.NewReader(a), 100_000}, int64(len(a)), int64(len(b))); !errors.Is(err, errFailing) {
		t.Error(err)
	}
}

// full is a disk that takes so many bytes.
type full struct{ left int }

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFailing
	}
	return len(b), nil
}

// TestApplyDeltaBounds: a piece is in the file, and what is made has room.
func TestApplyDeltaBounds(t *testing.T) {
	have := []byte("0123456789")
	numbers := func(list ...uint64) (b []byte) {
		for _, n := range list {
			b = binary.AppendUvarint(b, n)
		}
		return b
	}
	for _, c := range []struct {
		name  string
		delta []byte
		size  int
		want  string // "-" for an error
	}{
		{"nothing", numbers(0), 0, ""}, {"all", numbers(20, 0, 0), 10, "0123456789"}, {"the last byte", numbers(2, 9, 0), 1, "9"}, {"bytes", append(numbers(3), 'x', 0), 1, "x"},
		{"a byte too many", numbers(22, 0, 0), 11, "-"}, {"behind the end", numbers(2, 10, 0), 1, "-"}, {"far behind the end", numbers(2, 1<<63, 0), 1, "-"}, {"no room", numbers(4, 0, 0), 1, "-"}, {"no room for more", numbers(2, 0, 2, 0, 0), 1, "-"},
		{"a piece of nothing", numbers(1, 0), 1, "-"}, {"without an end", numbers(2, 0), 1, "-"}, {"bytes that are not there", numbers(5), 2, "-"}, {"half a number", []byte{0x80}, 1, "-"}, {"a piece without a place", numbers(2), 1, "-"},
		{"the largest number", numbers(1<<64-1, 0), 10, "-"}, {"what follows", append(numbers(2, 3, 0), 2, 2), 1, "3"},
	} {
		got, err := applied(c.delta, have, c.size)
		if (err != nil) != (c.want == "-") || err != nil && !errors.Is(err, ErrDelta) || err == nil && string(got) != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
	var out bytes.Buffer
	for count, want := range map[uint64]bool{1: true, 2: false} { // what has come to be behind the end is not its own
		if err := ApplyDelta(&out, bytes.NewReader(numbers(count<<1, 4, 0)), bytes.NewReader(have), 5, 10); (err == nil) != want {
			t.Errorf("%d bytes at the end: %v", count, err)
		}
	}
}
