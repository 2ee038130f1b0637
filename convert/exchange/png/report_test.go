package png

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	stdpng "image/png"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// withChunk puts a chunk behind the header of a PNG file.
func withChunk(b []byte, kind string, data []byte) []byte {
	const header = 33
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	chunk = append(append(chunk, kind...), data...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return append(append(bytes.Clone(b[:header]), chunk...), b[header:]...)
}

func TestReport(t *testing.T) {
	file := func(m image.Image) []byte {
		var b bytes.Buffer
		if err := stdpng.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	square := image.Rect(0, 0, 2, 2)
	usual := file(image.NewNRGBA(square))
	word := func(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }
	for name, c := range map[string]struct {
		b    []byte
		code string
	}{
		"usual":              {usual, ""},
		"16 bits":            {file(image.NewNRGBA64(square)), "png-depth"},
		"16 bits of grey":    {file(image.NewGray16(square)), ""},
		"grey, clear":        {withChunk(file(image.NewGray16(square)), "tRNS", []byte{0, 0}), "png-depth"},
		"usual gamma":        {withChunk(usual, "gAMA", word(45455)), ""},
		"gamma of 1":         {withChunk(usual, "gAMA", word(100000)), "png-gamma"},
		"sRGB all the same":  {withChunk(withChunk(usual, "gAMA", word(100000)), "sRGB", []byte{0}), ""},
		"sRGB profile":       {withChunk(usual, "iCCP", []byte("sRGB IEC61966-2.1\x00\x00")), ""},
		"wide profile":       {withChunk(usual, "iCCP", []byte("Display P3\x00\x00")), "png-profile"},
		"animation":          {withChunk(usual, "acTL", append(word(3), word(0)...)), "png-frames"},
		"animation of one":   {withChunk(usual, "acTL", append(word(1), word(0)...)), ""},
		"cut in the chunk":   {withChunk(usual, "acTL", append(word(3), word(0)...))[:45], ""},
		"cut in the header":  {usual[:20], ""},
		"chunk that is long": {append(bytes.Clone(usual[:33]), 0xFF, 0xFF, 0xFF, 0xFF, 'g', 'A', 'M', 'A', 0, 0, 0, 0), ""},
	} {
		var d schema.Diagnostics
		Report(c.b, "", &d)
		if all := d.All(); (c.code == "") != (len(all) == 0) || len(all) > 0 && all[0].Code != c.code {
			t.Errorf("%s: %v, want %q", name, all, c.code)
		}
	}
}
