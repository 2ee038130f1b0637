package media_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/damage"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/media"
)

// TestOutcomes holds what becomes of damaged pictures and sounds, of random bits in every decoder, and of random pixels and
// samples in every encoder.
func TestOutcomes(t *testing.T) {
	table := damage.Open(t, "outcomes", "media.tsv")
	for name, x := range tgaPictures() {
		damage.Codec(t, table, "tga "+name, x, write.TGA, read.TGA)
		damagedPixels(t, table, "tga "+name, x, write.TGA, func(b []byte) (any, error) {
			x, err := read.TGA(b, nil)
			if err != nil {
				return nil, err
			}
			pix, err := read.TGAPixels(x)
			return []any{pix, read.TGACrossesRows(x)}, err
		})
	}
	for name, x := range pcxPictures() {
		damage.Codec(t, table, "pcx "+name, x, write.PCX, read.PCX)
		damagedPixels(t, table, "pcx "+name, x, write.PCX, func(b []byte) (any, error) {
			x, err := read.PCX(b, nil)
			if err != nil {
				return nil, err
			}
			return read.PCXPixels(x)
		})
	}
	for name, x := range ddsPictures() {
		damage.Codec(t, table, "dds "+name, x, write.DDS, read.DDS)
	}
	damage.Codec(t, table, "riff", madeRIFF(), write.RIFF, read.RIFF)
	table.Run(t, "chunks", func(t *testing.T, add func(what, outcome string)) {
		b, err := write.Chunks(madeRIFF().Chunks)
		if err != nil {
			t.Fatal(err)
		}
		damage.Bytes(b, func(b []byte) string {
			list, rest := read.Chunks(b)
			return fmt.Sprintf("read %016x", damage.Fingerprint([]any{list, rest}))
		}, add)
	})
	for _, left := range []int{14, 16, 20} {
		table.Run(t, fmt.Sprint("format of ", left), func(t *testing.T, add func(what, outcome string)) {
			damage.Bytes(noise(1, left), damage.Payload(func(b []byte, _ *schema.Diagnostics) (*media.WaveFormat, error) { return read.WaveFormat(b) }, write.WaveFormat), add)
		})
	}
	table.Run(t, "sounds", randomSounds)
	table.Run(t, "blocks", randomBlocks)
	table.Run(t, "runs", randomRuns)
	table.Run(t, "pixels", randomPixels)
}

// damagedPixels holds the pixels of damaged pictures.
func damagedPixels[T any](t *testing.T, table *damage.Table, name string, x *T, write func(*T) ([]byte, error), pixels func([]byte) (any, error)) {
	b, err := write(x)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	table.Run(t, name+" pixels", func(t *testing.T, add func(what, outcome string)) {
		outcome := func(b []byte) string { return result(pixels(b)) }
		damage.Bytes(b, outcome, add)
		damage.Near(b, outcome, add)
	})
}

// result is the outcome of what returns a value.
func result(v any, err error) string {
	if err != nil {
		return damage.Refusal(err) + " " + err.Error()
	}
	return fmt.Sprintf("read %016x", damage.Fingerprint(v))
}

// noise returns n random bytes, the same ones for each number.
func noise(number uint64, n int) []byte {
	r := rand.New(rand.NewPCG(number, 0))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func tgaPictures() map[string]*media.TGA {
	all := map[string]*media.TGA{}
	add := func(name string, kind, bits uint8, pixels []byte, edit func(x *media.TGA)) {
		x := &media.TGA{ImageType: kind, Width: 3, Height: 2, X: 1, Y: 2, Bits: bits, Descriptor: media.TGAFromTop, Pixels: pixels}
		edit(x)
		all[name] = x
	}
	none := func(x *media.TGA) {}
	for _, bits := range []uint8{15, 16, 24, 32} {
		size := int(bits+7) / 8
		add(fmt.Sprint("colour ", bits), media.TGAColour, bits, noise(uint64(bits), 6*size), none)
		add(fmt.Sprint("colour runs ", bits), media.TGAColour|media.TGARuns, bits, write.TGARuns(append(make([]byte, 4*size), noise(2, 2*size)...), size, 3, bits == 24), none)
		add(fmt.Sprint("indexed ", bits), media.TGAIndexed, 8, noise(3, 6), func(x *media.TGA) {
			x.MapType, x.MapFirst, x.MapLength, x.MapBits, x.Map = 1, 1, 2, bits, noise(4, 2*size)
		})
	}
	add("grey", media.TGAGray, 8, noise(5, 6), func(x *media.TGA) { x.ID, x.Trailing = []byte("id"), []byte("left") })
	add("grey runs", media.TGAGray|media.TGARuns, 8, []byte{0x84, 1, 0, 2}, none)
	add("long runs", media.TGAGray|media.TGARuns, 8, append([]byte{0xFF, 1, 0x7F}, noise(6, 128)...), func(x *media.TGA) { x.Width, x.Height = 128, 2 })
	return all
}

func pcxPictures() map[string]*media.PCX {
	plain := func(edit func(x *media.PCX)) *media.PCX {
		x := &media.PCX{}
		made.Fill(x, "Data", "Map")
		x.Version, x.Encoding, x.Bits, x.Planes, x.BytesPerLine = 3, 0, 8, 1, 4
		x.XMin, x.YMin, x.XMax, x.YMax = 1, 2, 3, 4
		x.Data = noise(1, 12)
		edit(x)
		return x
	}
	return map[string]*media.PCX{
		"plain":  plain(func(x *media.PCX) {}),
		"planes": plain(func(x *media.PCX) { x.Planes, x.Data = 3, noise(2, 36) }),
		"runs":   plain(func(x *media.PCX) { x.Encoding, x.Data = 1, []byte{1, 0xC1, 0xC1, 0xC3, 7, 0xC6, 9, 5, 0xC0, 4} }),
		"map": plain(func(x *media.PCX) {
			x.Version, x.Map = 5, (*[768]byte)(noise(3, 768))
		}),
		"map alone": plain(func(x *media.PCX) {
			x.Version, x.Data, x.Map = 5, nil, (*[768]byte)(noise(3, 768))
		}),
	}
}

func ddsPictures() map[string]*media.DDS {
	all := map[string]*media.DDS{}
	add := func(name string, edit func(x *media.DDS)) {
		x := &media.DDS{}
		made.Fill(x, "Levels", "Trailing")
		x.HeaderSize, x.Width, x.Height, x.MipCount, x.Format.Size, x.Format.Flags, x.Caps2 = 124, 6, 5, 2, 32, media.DDSRGB, 0
		x.Format.Bits = 8
		edit(x)
		faces := 1
		if x.Caps2 != 0 {
			faces = 6
		}
		for range faces {
			for mip := range 2 {
				x.Levels = append(x.Levels, noise(uint64(mip), x.LevelBytes(mip)))
			}
		}
		all[name] = x
	}
	for _, bits := range []uint32{8, 16, 24, 32} {
		add(fmt.Sprint(bits, " bits"), func(x *media.DDS) { x.Format.Bits = bits })
	}
	for _, code := range []string{"DXT1", "DXT2", "DXT3", "DXT4", "DXT5"} {
		add(code, func(x *media.DDS) { x.Format.Flags, x.Format.FourCC = media.DDSFourCC, media.ID(code) })
	}
	add("cube", func(x *media.DDS) { x.Caps2 = media.DDSCube | media.DDSFaces })
	add("trailing", func(x *media.DDS) { x.Trailing = []byte("left") })
	return all
}

func madeRIFF() *media.RIFF {
	return &media.RIFF{Form: media.ID("WAVE"), Chunks: []media.Chunk{
		{ID: media.ID("fmt"), Data: noise(1, 18)},
		{ID: media.ID("odd"), Data: []byte("abc"), Pad: 5},
		{ID: media.ID("bare"), Data: []byte("x"), NoPad: true},
		{ID: media.ID("data"), Data: noise(2, 9)},
	}, Trailing: []byte("left")}
}

// randomSounds decodes random bits, and encodes random steps.
func randomSounds(t *testing.T, add func(what, outcome string)) {
	for i := range uint64(40) {
		for channels := 1; channels <= 2; channels++ {
			b := noise(i, media.EAXABlock*channels*3)
			for at := 0; at < len(b) && i < 36; at += media.EAXABlock * channels { // predictors that there are
				b[at] &= []byte{0x3F, 0x33}[channels-1]
			}
			add(fmt.Sprintf("ea-xa %d, %d", i, channels), result(read.EAXA(b, channels)))
		}
		b := append(binary.LittleEndian.AppendUint32(nil, 1500), noise(i, 300+int(i))...) // ends within the last frames
		b[4] = byte(i)                                                                    // reduced, threshold, least gain
		if i%4 < 2 {
			b[5] &^= 0x7E // gains that stay low
		}
		add(fmt.Sprint("microtalk ", i), result(read.MicroTalk(b)))
	}
	for i := range 3 {
		pcm := steps(uint64(i), 600)
		for channels := 1; channels <= 2; channels++ {
			add(fmt.Sprintf("ea-xa of %d, %d", i, channels), damage.Written(write.EAXA(pcm, channels)))
		}
		for _, bits := range []int{0, 16000, 40000} {
			add(fmt.Sprintf("microtalk of %d, %d", i, bits), damage.Written(write.MicroTalk(pcm, 22050, bits)))
		}
	}
}

// steps are samples that go up and down at random.
func steps(number uint64, n int) (pcm []byte) {
	r, v := rand.New(rand.NewPCG(number, 1)), 0
	for range n {
		v = min(max(v+r.IntN(4001)-2000, -30000), 30000)
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(v)))
	}
	return pcm
}

// randomBlocks decodes random blocks, and encodes random pixels of few colours and of many.
func randomBlocks(t *testing.T, add func(what, outcome string)) {
	sizes := [][2]int{{4, 4}, {16, 8}, {1, 1}, {5, 3}, {3, 9}, {0, 4}}
	for _, codec := range []struct {
		name  string
		size  int
		read  func(src []byte, width, height int) ([]byte, error)
		write func(pix []byte, width, height int, effort media.Effort) ([]byte, error)
	}{{"bc1", media.BC1Block, read.BC1, write.BC1}, {"bc2", media.BC2Block, read.BC2, write.BC2}, {"bc3", media.BC3Block, read.BC3, write.BC3}} {
		var lines []string
		for i, size := range sizes {
			n := (size[0] + 3) / 4 * ((size[1] + 3) / 4) * codec.size
			for more := -1; more <= 1; more++ {
				lines = append(lines, result(codec.read(noise(uint64(i), max(n+more, 0)), size[0], size[1])))
			}
		}
		add(codec.name, fmt.Sprintf("read %016x", damage.Fingerprint(lines)))
		lines = nil
		for i, size := range sizes {
			for _, effort := range []media.Effort{media.Quick, media.Best} {
				for _, mask := range []byte{0xFF, 0x80, 0x0F, 0} {
					pix := noise(uint64(i), 4*size[0]*size[1])
					for k := range pix {
						if pix[k] &= mask; mask != 0xFF && k%4 == 3 && pix[k] != 0 {
							pix[k] = 0xFF
						}
					}
					lines = append(lines, damage.Written(codec.write(pix, size[0], size[1], effort)))
				}
			}
		}
		add(codec.name+" written", fmt.Sprintf("written %016x", damage.Fingerprint(lines)))
	}
}

// randomRuns packs random pixels into runs, in rows of some widths, and takes pixels of too few of them.
func randomRuns(t *testing.T, add func(what, outcome string)) {
	for size := 1; size <= 4; size++ {
		for _, width := range []int{1, 2, 7, 300} {
			var lines []any
			for i := range uint64(8) {
				pixels := make([]byte, 0, 600*size)
				for _, v := range noise(i, 600/width*width) {
					for range size {
						pixels = append(pixels, v>>(i&7))
					}
				}
				lines = append(lines, write.TGARuns(pixels, size, width, i%2 == 0))
			}
			add(fmt.Sprintf("%d, %d", size, width), fmt.Sprintf("written %016x", damage.Fingerprint(lines)))
		}
	}
	for _, width := range []uint16{1, 128, 129, 300} {
		for n := range 5 {
			x := &media.TGA{ImageType: media.TGAGray | media.TGARuns, Width: width, Height: 1, Bits: 8, Pixels: []byte{0xFF, 1, 0xFF, 2}[:n]}
			add(fmt.Sprintf("%d pixels of %d bytes", width, n), result(read.TGAPixels(x)))
		}
	}
}

// randomPixels packs and unpacks random pixels in every layout, with room for fewer, as many and more than there are.
func randomPixels(t *testing.T, add func(what, outcome string)) {
	type codec struct {
		name string
		do   func(dst, src []byte) int
	}
	for _, c := range []codec{
		{"565", read.RGB565}, {"1555", read.ARGB1555}, {"x1555", read.XRGB1555}, {"4444", read.ARGB4444},
		{"888", read.RGB888}, {"bgr 888", read.BGR888}, {"rgbx", read.RGBX8888}, {"bgra", read.BGRA8888}, {"bgrx", read.BGRX8888},
		{"565 written", write.RGB565}, {"1555 written", write.ARGB1555}, {"x1555 written", write.XRGB1555}, {"4444 written", write.ARGB4444},
		{"888 written", write.RGB888}, {"bgr 888 written", write.BGR888}, {"rgbx written", write.RGBX8888}, {"bgra written", write.BGRA8888}, {"bgrx written", write.BGRX8888},
	} {
		for _, room := range []int{0, 1, 3, 4, 120, 400, 401} {
			dst := make([]byte, room)
			n := c.do(dst, noise(uint64(room), 202))
			add(fmt.Sprint(c.name, " into ", room), fmt.Sprintf("%d %016x", n, damage.Fingerprint(dst)))
		}
	}
}
