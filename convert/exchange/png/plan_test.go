package png

import (
	"bytes"
	"errors"
	"hash/adler32"
	stdpng "image/png"
	"io"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/pictures"
)

// unused returns a planner that no test and no picture left anything in.
func unused() *planner { return &planner{sum: adler32.New()} }

func plannedBytes(t testing.TB, p *planner, b []byte, stride int, again bool) []byte {
	t.Helper()
	var out bytes.Buffer
	p.start(&out, stride, again)
	if n, err := p.Write(b); n != len(b) || err != nil {
		t.Fatalf("wrote %d of %d: %v", n, len(b), err)
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestPlanner(t *testing.T) {
	used := unused()
	for _, n := range []int{1, 2, 7, 8, 9, 10, 63, 1000, span - 1, span, span + 1, window + longest, history, room - 1, room, room + 1, 2*room + 77} {
		for _, values := range []int{1, 2, 17, 256} {
			for copied := range 4 {
				b := noise(n, values, copied)
				again := copied%2 == 1
				got := plannedBytes(t, used, b, 1+n/7, again)
				if !bytes.Equal(unpacked(t, got), b) {
					t.Fatalf("%d bytes of %d values, %d of 4 copied: differ", n, values, copied)
				}
				if most := n + 16 + 6*(n/span+1); len(got) > most {
					t.Errorf("%d bytes of %d values became %d", n, values, len(got))
				}
				if copied == 2 && !bytes.Equal(plannedBytes(t, unused(), b, 1+n/7, again), got) {
					t.Errorf("%d bytes of %d values: what was planned before made a difference", n, values)
				}
			}
		}
	}
}

// What the prices of a span are wrong for, matches at all limits, and rows whose pixel above is too far away.
func TestPlannerOfHostileBytes(t *testing.T) {
	p := unused()
	far := noise(window, 256, 0)
	for _, c := range []struct {
		name   string
		b      []byte
		stride int
		most   int
	}{
		{"zeros, then noise", append(make([]byte, span), noise(3*span, 256, 0)...), 511, 3*span + 200},
		{"noise, then zeros", append(noise(3*span, 256, 0), make([]byte, 3*span)...), 511, 3*span + 400},
		{"zeros", make([]byte, 4*room), 1023, 2800}, // a match takes two bits at least
		{"the window twice", slices.Concat(far, far), 100, window + 600},
		{"rows of the window", slices.Repeat(far, 5), window - 1, window + 1600},
		{"rows longer than the window", slices.Repeat(append(far, 7), 3), window, 3*window + 100},
		{"rows of one byte", slices.Repeat([]byte{0, 1}, room), 1, 1400},
	} {
		got := plannedBytes(t, p, c.b, c.stride, false)
		if !bytes.Equal(unpacked(t, got), c.b) {
			t.Errorf("%s: differs", c.name)
		}
		if len(got) > c.most {
			t.Errorf("%s: %d bytes became %d, want %d at most", c.name, len(c.b), len(got), c.most)
		}
	}
}

// How the bytes come makes no difference.
func TestPlannerInPieces(t *testing.T) {
	b := noise(room+3*span, 30, 2)
	want := plannedBytes(t, unused(), b, 300, false)
	for _, piece := range []int{1, 301, span, room, room + 1} {
		var out bytes.Buffer
		p := unused()
		p.start(&out, 300, false)
		for part := range slices.Chunk(b, piece) {
			if _, err := p.Write(part); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.close(); err != nil || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("pieces of %d bytes: %d bytes, %v, want %d", piece, out.Len(), err, len(want))
		}
	}
}

// The second plan knows what symbols cost.
func TestPlanningAgainIsSmaller(t *testing.T) {
	p := unused()
	for _, k := range pictures.Kinds {
		indices, _ := pictures.Indexed(k.RGBA(128), false)
		once, again := len(plannedBytes(t, p, indices, 127, false)), len(plannedBytes(t, p, indices, 127, true))
		if again >= once {
			t.Errorf("%s: %d bytes, planned again %d", k.Name, once, again)
		}
	}
}

type failing struct{ after int }

var errFull = errors.New("full")

func (f *failing) Write(b []byte) (int, error) {
	if f.after -= len(b); f.after < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestPlannerTellsThatNothingCanBeWritten(t *testing.T) {
	b := noise(3*room, 256, 0)
	for _, after := range []int{0, room, 3 * room} {
		p := unused()
		p.start(&failing{after}, 300, false)
		_, err := io.Copy(p, bytes.NewReader(b))
		if err == nil {
			err = p.close()
		}
		if !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", after, err)
		}
	}
}

// Parts whose bytes differ have codes of their own, those that are alike share one.
func TestBlocksEndWhereBytesChange(t *testing.T) {
	low := noise(span, 16, 0)
	high := bytes.Clone(low)
	for i := range high {
		high[i] += 128
	}
	p := unused()
	alone := len(plannedBytes(t, p, low, 511, false))
	for _, c := range []struct {
		name  string
		b     []byte
		most  int
		least int
	}{
		{"unlike", slices.Concat(low, high), 2*alone + span/100, 2 * (span / 2)},
		{"alike", slices.Concat(low, noise(span, 16, 1)), 2*alone - 20, span / 2},
	} {
		if n := len(plannedBytes(t, p, c.b, 511, false)); n > c.most || n < c.least {
			t.Errorf("%s: %d bytes, want %d to %d; one part %d", c.name, n, c.least, c.most, alone)
		}
	}
	var a, b block
	a.literals[1], a.literals[2], b.literals[1], b.literals[2] = 9000, 1000, 9000, 1000
	if !a.fits(&b) {
		t.Error("the same counts do not fit")
	}
	b.literals[1], b.literals[2] = 1000, 9000
	if a.fits(&b) {
		t.Error("opposite counts fit")
	}
}

func TestMixed(t *testing.T) {
	_, random := pictures.Indexed(pictures.Stone(16), false)
	_, sorted := pictures.Indexed(pictures.Stone(16), true)
	for _, c := range []struct {
		name   string
		colour func(i int) asset.RGBA
		want   bool
	}{
		{"random", func(i int) asset.RGBA { return random[i] }, true},
		{"sorted", func(i int) asset.RGBA { return sorted[i] }, false},
		{"ramp", func(i int) asset.RGBA { return asset.RGBA{byte(i), byte(i), byte(i), 255} }, false},
		{"black", func(int) asset.RGBA { return asset.RGBA{} }, false},
		{"black and white in turn", func(i int) asset.RGBA { return asset.RGBA{255 * byte(i%2)} }, true},
	} {
		palette := make([]asset.RGBA, 256)
		for i := range palette {
			palette[i] = c.colour(i)
		}
		if got := mixed(palette); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// Paletted textures are no larger, all kinds together, than the standard library's, in whatever order their
// palette is, and all programs see the same in them.
func TestPalettedTexturesAreSmall(t *testing.T) {
	for _, size := range []int{16, 32, 64, 128, 256, 512, 1024} {
		for _, sorted := range []bool{false, true} {
			for _, o := range []Options{{}, {Small: true}} {
				if size == 1024 && (sorted || o.Small) {
					continue // they take long, and say what 512 does
				}
				var ours, others int
				for _, k := range pictures.Kinds {
					indices, colours := pictures.Indexed(k.RGBA(size), sorted)
					palette := make([]asset.RGBA, len(colours))
					for i, c := range colours {
						palette[i] = c
					}
					x := picture(size, size, asset.Indexed8, indices, palette)
					b := encode(t, x, o)
					sameColours(t, b, rgba(len(indices), func(i int) [4]byte { return palette[indices[i]] }))
					var other bytes.Buffer
					if err := stdpng.Encode(&other, standard(x)); err != nil {
						t.Fatal(err)
					}
					ours, others = ours+len(b), others+other.Len()
				}
				if ours > others {
					t.Errorf("%d, sorted %t, %+v: %d bytes, the standard library's %d", size, sorted, o, ours, others)
				}
			}
		}
	}
}

func FuzzPlanner(f *testing.F) {
	for _, n := range []int{1, 13, 700} {
		f.Add(noise(n, 3, 2), uint8(n), uint16(n))
		f.Add(noise(n, 256, 1), uint8(n), uint16(1))
	}
	p := unused()
	f.Fuzz(func(t *testing.T, b []byte, often uint8, stride uint16) {
		b = bytes.Repeat(b, 1+int(often))
		if len(b) == 0 || len(b) > 2*room {
			return
		}
		if got := plannedBytes(t, p, b, int(stride), often%2 == 0); !bytes.Equal(unpacked(t, got), b) {
			t.Error("differs")
		}
	})
}
