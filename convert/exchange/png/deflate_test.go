package png

import (
	"bytes"
	"compress/zlib"
	"image/color"
	stdpng "image/png"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/pictures"
)

func packed(p *packer, b []byte) []byte {
	p.start()
	p.Write(b)
	return bytes.Clone(p.pack())
}

func unpacked(t *testing.T, b []byte) []byte {
	t.Helper()
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// noise returns n bytes of so many values; so many of four are followed by a copy of what came before.
func noise(n, values, copied int) []byte {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(values)))
	b := make([]byte, 0, n+longest)
	for len(b) < n {
		if len(b) > 0 && rng.IntN(4) < copied {
			from := rng.IntN(len(b))
			b = append(b, b[from:min(from+rng.IntN(300), len(b))]...)
		}
		b = append(b, byte(rng.IntN(values)))
	}
	return b[:n]
}

func TestPacker(t *testing.T) {
	p := new(packer)
	for _, n := range []int{1, 2, 3, 4, 5, 8, 11, 12, 64, 1000, blockSize, blockSize + 1, 65535, 65536, 70000, room} {
		for _, values := range []int{1, 2, 17, 256} {
			for copied := range 4 {
				b := noise(n, values, copied)
				got := packed(p, b)
				if !bytes.Equal(unpacked(t, got), b) {
					t.Fatalf("%d bytes of %d values, %d of 4 copied: differ", n, values, copied)
				}
				if most := n + 16 + 6*(n/blockSize+1); len(got) > most {
					t.Errorf("%d bytes of %d values became %d", n, values, len(got))
				}
				if again := packed(new(packer), b); !bytes.Equal(again, got) {
					t.Errorf("%d bytes of %d values: what was packed before made a difference", n, values)
				}
			}
		}
	}
}

// Grain finds no matches that pay: what is left is the entropy, and the codes.
func TestGrainTakesItsEntropy(t *testing.T) {
	const n = 40000
	got := len(packed(new(packer), noise(n, 16, 0)))
	if most := n/2 + n/40; got > most {
		t.Errorf("%d bytes of 4 bits became %d, want %d at most", n, got, most)
	}
}

func TestPackerMeasures(t *testing.T) {
	p := new(packer)
	for _, values := range []int{2, 17, 200} {
		b := noise(20000, values, 2)
		p.start()
		p.Write(b)
		if size, got := p.measure(), len(p.pack()); size > got || got > size+16 {
			t.Errorf("%d values: measured %d, packed %d", values, size, got)
		}
	}
}

// Codes are complete, none is too long, and rare symbols have the longer ones.
func TestHuffmanCodes(t *testing.T) {
	fibonacci := []uint32{1, 1}
	for len(fibonacci) < 30 { // the tree of these is as deep as a tree can be
		fibonacci = append(fibonacci, fibonacci[len(fibonacci)-1]+fibonacci[len(fibonacci)-2])
	}
	for _, c := range []struct {
		name   string
		counts []uint32
		limit  int
	}{
		{"fibonacci", fibonacci, maxCodeBits},
		{"fibonacci of lengths", fibonacci[:19], maxLengthBits},
		{"all alike", slices.Repeat([]uint32{3}, literalSymbols), maxCodeBits},
		{"two", []uint32{0, 5, 0, 1}, maxCodeBits},
	} {
		var h huffman
		h.build(c.counts, c.limit)
		room := 0
		for s, n := range c.counts {
			length := int(h.lengths[s])
			if (n > 0) != (length > 0) || length > c.limit {
				t.Errorf("%s: symbol %d, which comes %d times, has %d bits", c.name, s, n, length)
			}
			if length > 0 {
				room += 1 << (c.limit - length)
			}
			for other, m := range c.counts {
				if n > m && m > 0 && length > int(h.lengths[other]) {
					t.Errorf("%s: symbol %d has a longer code than the rarer %d", c.name, s, other)
				}
			}
		}
		if room != 1<<c.limit {
			t.Errorf("%s: the codes take %d of %d", c.name, room, 1<<c.limit)
		}
	}
}

// A symbol that is alone has a code of one bit, as decoders want it.
func TestHuffmanOfOne(t *testing.T) {
	var h huffman
	h.build([]uint32{0, 0, 9}, maxCodeBits)
	if h.lengths[2] != 1 || h.codes[2] != 0 || h.lengths[0] != 0 {
		t.Errorf("%v", h.lengths[:3])
	}
}

// Small pictures of some colours are no larger, all kinds together, than the standard library's, and all programs see the same in them.
func TestSmallPicturesAreSmall(t *testing.T) {
	for _, size := range []int{16, 32, 64, 128, 256} {
		var ours, others int
		for _, k := range pictures.Kinds {
			indices, colours := pictures.Indexed(k.RGBA(size), true)
			palette := make([]asset.RGBA, len(colours))
			for i, c := range colours {
				palette[i] = c
			}
			pix := rgba(len(indices), func(i int) [4]byte { return palette[indices[i]] })
			b := encode(t, picture(size, size, asset.RGBA8, pix, nil), Options{})
			sameColours(t, b, pix)
			var standardSize bytes.Buffer
			if err := stdpng.Encode(&standardSize, standard(picture(size, size, asset.Indexed8, indices, palette))); err != nil {
				t.Fatal(err)
			}
			ours, others = ours+len(b), others+standardSize.Len()
		}
		if ours > others {
			t.Errorf("%d: %d bytes, the standard library's %d", size, ours, others)
		}
	}
}

func sameColours(t *testing.T, file, pix []byte) {
	t.Helper()
	m, err := stdpng.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	width := m.Bounds().Dx()
	for i := 0; i < len(pix); i += 4 {
		seen := color.NRGBAModel.Convert(m.At(i/4%width, i/4/width)).(color.NRGBA)
		if want := [4]byte(pix[i:]); want != [4]byte{seen.R, seen.G, seen.B, seen.A} && want[3] != 0 {
			t.Fatalf("another program sees %v in pixel %d, want %v", seen, i/4, want)
		}
	}
}

func FuzzPacker(f *testing.F) {
	for _, n := range []int{1, 13, 700} {
		f.Add(noise(n, 3, 2), uint8(n))
		f.Add(noise(n, 256, 1), uint8(n))
	}
	p := new(packer)
	f.Fuzz(func(t *testing.T, b []byte, often uint8) {
		b = bytes.Repeat(b, 1+int(often)) // so that matches are far away, and blocks full
		if len(b) == 0 || len(b) > packable {
			return
		}
		if got := packed(p, b); !bytes.Equal(unpacked(t, got), b) {
			t.Error("differs")
		}
	})
}

// The standard library sees the pixels that were given.
func FuzzEncode(f *testing.F) {
	for _, k := range pictures.Kinds {
		f.Add(k.RGBA(16), uint16(16), uint8(0))
		f.Add(k.RGBA(16), uint16(5), uint8(0x7F))
	}
	f.Fuzz(func(t *testing.T, pix []byte, width uint16, mask uint8) {
		w := int(width)
		if w == 0 || len(pix) < 4*w || len(pix) > 1<<18 {
			return
		}
		h := len(pix) / 4 / w
		pix = bytes.Clone(pix[:4*w*h])
		for i := range pix {
			pix[i] |= mask // few colours where it is large
		}
		sameColours(t, encode(t, picture(w, h, asset.RGBA8, pix, nil), Options{}), pix)
	})
}
