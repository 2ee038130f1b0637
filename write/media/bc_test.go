package media_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/pictures"
	write "github.com/usher-assets/usher/write/media"
	"pgregory.net/rapid"
)

type codec = func(b []byte, width, height int) ([]byte, error)

var codecs = []struct {
	name        string
	read, write codec
	block       int
	short       float64 // decibels that the colours may be below those of a slow search
}{
	{"bc1", read.BC1, with(write.BC1, media.Quick), media.BC1Block, 0.55},
	{"bc2", read.BC2, with(write.BC2, media.Quick), media.BC2Block, 0.55},
	{"bc3", read.BC3, with(write.BC3, media.Quick), media.BC3Block, 0.55},
	{"bc1 best", read.BC1, with(write.BC1, media.Best), media.BC1Block, 0.25},
	{"bc2 best", read.BC2, with(write.BC2, media.Best), media.BC2Block, 0.25},
	{"bc3 best", read.BC3, with(write.BC3, media.Best), media.BC3Block, 0.25},
}

// with is an encoder with an effort.
func with(f func([]byte, int, int, media.Effort) ([]byte, error), e media.Effort) codec {
	return func(b []byte, width, height int) ([]byte, error) { return f(b, width, height, e) }
}

func must(t testing.TB, b []byte, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func do(t testing.TB, f codec, b []byte, w, h int) []byte {
	t.Helper()
	out, err := f(b, w, h)
	return must(t, out, err)
}

// psnr compares colour alone, or alpha alone, in decibels.
func psnr(a, b []byte, alpha bool) float64 {
	var sum, n float64
	for i := range a {
		if (i%4 == 3) == alpha {
			d := float64(a[i]) - float64(b[i])
			sum, n = sum+d*d, n+1
		}
	}
	return 10 * math.Log10(255*255*n/max(sum, 1e-9))
}

func opaque(pix []byte) []byte {
	pix = bytes.Clone(pix)
	for i := 3; i < len(pix); i += 4 {
		pix[i] = 255
	}
	return pix
}

// The slow encoder tries every pair of the colours of a block as ends and then moves all six end channels, alone and
// in pairs, as long as that helps.
func slowBlock(pix []byte) int {
	best := math.MaxInt
	seen := map[[2]uint16]bool{}
	for i := 0; i < 64; i += 4 {
		for j := 0; j < i; j += 4 {
			a, b := near565(pix[i:]), near565(pix[j:])
			if a == b || seen[[2]uint16{a, b}] {
				continue
			}
			seen[[2]uint16{a, b}] = true
			best = min(best, slowDescend(pix, a, b))
		}
	}
	if best == math.MaxInt {
		c := near565(pix)
		best = slowDescend(pix, c, c)
	}
	return best
}

func near565(p []byte) uint16 {
	f := func(v byte, top int) uint16 { return uint16((int(v)*top*2 + 255) / 510) }
	return f(p[0], 31)<<11 | f(p[1], 63)<<5 | f(p[2], 31)
}

func slowDescend(pix []byte, a, b uint16) int {
	err := slowError(pix, a, b)
	for better := true; better; {
		better = false
		for _, da := range moves {
			for _, db := range moves {
				x, okX := move(a, da)
				y, okY := move(b, db)
				if !okX || !okY {
					continue
				}
				if e := slowError(pix, x, y); e < err {
					a, b, err, better = x, y, e, true
				}
			}
		}
	}
	return err
}

var moves = [][3]int{{}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 1}, {-1, -1, -1}, {1, 2, 1}, {-1, -2, -1}}

func move(c uint16, d [3]int) (uint16, bool) {
	r, g, b := int(c>>11)+d[0], int(c>>5&63)+d[1], int(c&31)+d[2]
	return uint16(r<<11 | g<<5 | b), r|b|(31-r)|(31-b)|g|(63-g) >= 0
}

func slowError(pix []byte, a, b uint16) (sum int) {
	var p [4][3]int
	wide := func(c uint16) [3]int {
		r, g, b := int(c>>11), int(c>>5&63), int(c&31)
		return [3]int{r<<3 | r>>2, g<<2 | g>>4, b<<3 | b>>2}
	}
	p[0], p[3] = wide(a), wide(b)
	for c := range 3 {
		p[1][c], p[2][c] = (2*p[0][c]+p[3][c])/3, (p[0][c]+2*p[3][c])/3
	}
	for i := 0; i < 64; i += 4 {
		least := math.MaxInt
		for _, q := range p {
			r, g, b := int(pix[i])-q[0], int(pix[i+1])-q[1], int(pix[i+2])-q[2]
			least = min(least, r*r+g*g+b*b)
		}
		sum += least
	}
	return sum
}

// slowPSNR is the decibels of the slow encoder on a picture whose sides are multiples of four.
func slowPSNR(pix []byte, w, h int) float64 {
	sum := 0
	var block [64]byte
	for y := 0; y < h; y += 4 {
		for x := 0; x < w; x += 4 {
			for row := range 4 {
				copy(block[16*row:16*row+16], pix[4*((y+row)*w+x):])
			}
			sum += slowBlock(block[:])
		}
	}
	return 10 * math.Log10(255*255*3*float64(w*h)/max(float64(sum), 1e-9))
}

// The colours of BC1 and BC3 come close to those of a search that takes a thousand times as long.
func TestColourQuality(t *testing.T) {
	const side = 64
	for _, k := range pictures.Kinds {
		pix := opaque(k.RGBA(side))
		slow := slowPSNR(pix, side, side)
		for _, c := range codecs {
			got := psnr(do(t, c.read, do(t, c.write, pix, side, side), side, side), pix, false)
			t.Logf("%s %s: %.2f dB, slow search %.2f dB", k.Name, c.name, got, slow)
			if got < slow-c.short {
				t.Errorf("%s %s: %.2f dB, more than %.2f below the %.2f of the slow search", k.Name, c.name, got, c.short, slow)
			}
		}
	}
}

// slowAlpha tries all ends in both orders.
func slowAlpha(pix []byte) int {
	best := math.MaxInt
	for a := range 256 {
		for b := range 256 {
			block := [16]byte{byte(a), byte(b)}
			codes := slowAlphas(block[0], block[1])
			sum := 0
			for i := 3; i < 64 && sum < best; i += 4 {
				least := math.MaxInt
				for _, v := range codes {
					d := int(pix[i]) - v
					least = min(least, d*d)
				}
				sum += least
			}
			best = min(best, sum)
		}
	}
	return best
}

func slowAlphas(first, second byte) (p [8]int) {
	a, b := int(first), int(second)
	p = [8]int{a, b, 7: 255}
	steps := 5
	if a > b {
		steps = 7
	}
	for i := 1; i < steps; i++ {
		p[i+1] = ((steps-i)*a + i*b) / steps
	}
	return p
}

// BC3's alpha comes close to the best of all blocks there are.
func TestAlphaQuality(t *testing.T) {
	const side = 24
	pix := pictures.Foliage(64)
	crop := make([]byte, 0, 4*side*side)
	for y := range side {
		crop = append(crop, pix[4*64*y:4*64*y+4*side]...)
	}
	sum := 0
	var block [64]byte
	for y := 0; y < side; y += 4 {
		for x := 0; x < side; x += 4 {
			for row := range 4 {
				copy(block[16*row:16*row+16], crop[4*((y+row)*side+x):])
			}
			sum += slowAlpha(block[:])
		}
	}
	best := 10 * math.Log10(255*255*side*side/float64(sum))
	for effort, short := range map[media.Effort]float64{media.Quick: 0.7, media.Best: 0.3} {
		b, err := write.BC3(crop, side, side, effort)
		got := psnr(do(t, read.BC3, must(t, b, err), side, side), crop, true)
		t.Logf("effort %d: alpha %.2f dB, best possible %.2f dB", effort, got, best)
		if got < best-short {
			t.Errorf("effort %d: alpha %.2f dB, best possible %.2f dB", effort, got, best)
		}
	}
}

// The encoders are made of integers: the same pictures give the same blocks everywhere.
func TestGolden(t *testing.T) {
	const side = 128
	golden := map[string]string{
		"stone bc1":        "d50548362400f4df",
		"stone bc2":        "ffe5f5001a7fd762",
		"stone bc3":        "46c3a4ca42252e6d",
		"hull bc1":         "46c8d363a9f02811",
		"hull bc2":         "2883882e08feb282",
		"hull bc3":         "f25d5797134f2ef5",
		"foliage bc1":      "92b7afb2a737d369",
		"foliage bc2":      "f9e26801fe7a1841",
		"foliage bc3":      "ddeaf865e5980c13",
		"skin bc1":         "7e0d7d9fe30023fd",
		"skin bc2":         "1174e3088e92190d",
		"skin bc3":         "9396c03f3c71a1b6",
		"stone bc1 best":   "118650ef02589953",
		"stone bc2 best":   "5cb350a782fa9b44",
		"stone bc3 best":   "c040bedc1ea00248",
		"hull bc1 best":    "5d73e70c43c8e3c5",
		"hull bc2 best":    "b7bf746e94e62305",
		"hull bc3 best":    "7262d49d8726be38",
		"foliage bc1 best": "17f403e4d3481fc4",
		"foliage bc2 best": "c784df0e3ba814b0",
		"foliage bc3 best": "b6ebd256f76e15c2",
		"skin bc1 best":    "ff4da437e5be9ce9",
		"skin bc2 best":    "39d35ee42a9e8332",
		"skin bc3 best":    "2dd9b1856c1958f0",
	}
	for _, k := range pictures.Kinds {
		pix := k.RGBA(side)
		for _, c := range codecs {
			sum := sha256.Sum256(do(t, c.write, pix, side, side))
			name := k.Name + " " + c.name
			if got := hex.EncodeToString(sum[:8]); got != golden[name] {
				t.Errorf("%q: %q, want %q", name, got, golden[name])
			}
		}
	}
}

// A block of one colour that some block can hold returns to it, and stays.
func TestFlatBlocksAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(codecs).Draw(t, "codec")
		stored := rapid.SliceOfN(rapid.Byte(), c.block, c.block).Draw(t, "block")
		// One index for all pixels makes it flat.
		code := byte(rapid.IntRange(0, 3).Draw(t, "code") * 0x55)
		copy(stored[c.block-4:], []byte{code, code, code, code})
		switch c.name[:3] {
		case "bc2":
			for i := 1; i < 8; i++ {
				stored[i] = stored[0]
			}
		case "bc3":
			copy(stored[2:8], make([]byte, 6))
		}
		first, err := c.read(stored, 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		again, err := c.write(first, 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		second, err := c.read(again, 4, 4)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Fatalf("% x decodes to %v, encoded as % x, which decodes to %v", stored, first[:4], again, second[:4])
		}
	})
}

// No colour is further off than the nearest that a block can hold in the worst case.
func TestEveryGrey(t *testing.T) {
	for v := range 512 {
		effort := media.Effort(v >> 8)
		v &= 255
		pix := bytes.Repeat([]byte{byte(v), byte(v), byte(v), 255}, 16)
		got := do(t, read.BC1, do(t, with(write.BC1, effort), pix, 4, 4), 4, 4)
		for c := range 4 {
			if d := int(got[c]) - int(pix[c]); d < -1 || d > 1 {
				t.Errorf("grey %d became %v", v, got[:4])
			}
		}
	}
}

func TestBC1Holes(t *testing.T) {
	for _, effort := range []media.Effort{media.Quick, media.Best} {
		testHoles(t, with(write.BC1, effort))
	}
}

func testHoles(t *testing.T, bc1 codec) {
	const side = 64
	pix := pictures.Foliage(side)
	got := do(t, read.BC1, do(t, bc1, pix, side, side), side, side)
	for i := 3; i < len(pix); i += 4 {
		if want := pix[i] >= 128; (got[i] == 255) != want || !want && got[i] != 0 {
			t.Fatalf("pixel %d: alpha %d became %d", i/4, pix[i], got[i])
		}
	}
	clear := make([]byte, 64)
	want := []byte{0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}
	if b := do(t, bc1, clear, 4, 4); !bytes.Equal(b, want) {
		t.Errorf("clear block: % x, want % x", b, want)
	}
}

// Alpha of up to two values, and of values on a ramp with 0 and 255 beside it, is exact in BC3.
func TestBC3ExactAlpha(t *testing.T) {
	cases := [][]byte{{0}, {255}, {7}, {0, 255}, {3, 200}, {0, 10, 20, 30, 40, 50, 60, 70}, {0, 255, 100, 120, 140, 160, 180, 200}}
	for _, values := range cases {
		pix := make([]byte, 64)
		for i := range 16 {
			pix[4*i+3] = values[i*5%len(values)]
		}
		for _, effort := range []media.Effort{media.Quick, media.Best} {
			got := do(t, read.BC3, do(t, with(write.BC3, effort), pix, 4, 4), 4, 4)
			for i := 3; i < 64; i += 4 {
				if got[i] != pix[i] {
					t.Errorf("effort %d: alpha %v: %d became %d", effort, values, pix[i], got[i])
					break
				}
			}
		}
	}
}

// BC2 keeps its 16 levels of alpha.
func TestBC2ExactAlpha(t *testing.T) {
	pix := make([]byte, 64)
	for i := range 16 {
		pix[4*i+3] = byte(i * 17)
	}
	if got := do(t, read.BC2, do(t, with(write.BC2, media.Quick), pix, 4, 4), 4, 4); !bytes.Equal(got, pix) {
		t.Errorf("%v, want %v", got, pix)
	}
}

// Any picture keeps its size, and what sticks out over its edge changes nothing inside.
func TestEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(codecs).Draw(t, "codec")
		w, h := rapid.IntRange(1, 9).Draw(t, "width"), rapid.IntRange(1, 9).Draw(t, "height")
		colour := rapid.SliceOfN(rapid.Byte(), 3, 3).Draw(t, "colour")
		pix := bytes.Repeat(append(colour, 255), w*h)
		b, err := c.write(pix, w, h)
		if err != nil || len(b) != media.BlocksSize(w, h, c.block) {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		got, err := c.read(b, w, h)
		if err != nil {
			t.Fatal(err)
		}
		for i := range pix {
			if d := int(got[i]) - int(pix[i]); d < -2 || d > 2 {
				t.Fatalf("%v became %v", colour, got[i&^3:i|3])
			}
		}
	})
}

func TestBCMalformed(t *testing.T) {
	for _, c := range codecs {
		for _, bad := range []struct {
			w, h, bytes int
			class       error
		}{{0, 4, 64, schema.ErrValue}, {4, 4, 63, schema.ErrTruncated}, {1 << 20, 1, 64, schema.ErrLimit}} {
			if _, err := c.write(make([]byte, bad.bytes), bad.w, bad.h); !errors.Is(err, bad.class) {
				t.Errorf("%s: %d x %d: %v, want %v", c.name, bad.w, bad.h, err, bad.class)
			}
		}
	}
}

// Whatever the pixels, encoding again what was decoded does not lose more than before.
func FuzzBC(f *testing.F) {
	f.Add(pictures.Foliage(8))
	f.Fuzz(func(t *testing.T, b []byte) {
		pix := make([]byte, 64)
		copy(pix, b)
		for _, c := range codecs {
			do(t, c.read, do(t, c.write, pix, 4, 4), 4, 4)
		}
	})
}

func BenchmarkBC(b *testing.B) {
	const side = 512
	for _, k := range pictures.Kinds {
		pix := k.RGBA(side)
		for _, c := range codecs {
			b.Run(k.Name+"/"+c.name, func(b *testing.B) {
				b.SetBytes(int64(len(pix)))
				b.ReportAllocs()
				var out []byte
				for b.Loop() {
					out, _ = c.write(pix, side, side)
				}
				b.ReportMetric(psnr(do(b, c.read, out, side, side), pix, false), "dB")
			})
		}
	}
}

// BenchmarkBCDecode counts the bytes of RGBA that come out.
func BenchmarkBCDecode(b *testing.B) {
	const side = 512
	pix := pictures.Kinds[0].RGBA(side)
	for _, c := range codecs {
		blocks := do(b, c.write, pix, side, side)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(pix)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.read(blocks, side, side); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
