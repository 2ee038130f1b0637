package png

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zlib"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// An animated PNG (APNG) is a PNG file with the chunks acTL, fcTL and fdAT of the PNG specification, third edition.

const (
	signature   = "\x89PNG\r\n\x1a\n"
	frameChunk  = 26 // bytes of fcTL
	mostDecoded = 256 << 20
)

// Flat returns an image as RGBA8.
type Flat func(m *asset.Image, palette []asset.RGBA) (asset.Image, error)

// EncodeAnimated writes all frames of a texture as an animated PNG in RGBA. It fails with ErrUnsupported if the frames
// differ in size.
func EncodeAnimated(w io.Writer, t *asset.Texture, flat Flat) error {
	if t == nil || t.Base() == nil {
		return schema.Errorf("apng", schema.ErrValue, "frames", "there are none")
	}
	first := t.Base()
	for i := range t.Frames {
		m := t.Frames[i].Mips
		if len(m) == 0 || m[0].Width != first.Width || m[0].Height != first.Height {
			return schema.Errorf("apng", schema.ErrUnsupported, "frames", "frame %d is not as large as the first one: the frames of an animated PNG are, make one PNG of each", i)
		}
	}
	fps := uint16(10)
	if t.FPS >= 1 && t.FPS < 1<<15 {
		fps = uint16(t.FPS)
	}
	var head [13]byte
	binary.BigEndian.PutUint32(head[:], uint32(first.Width))
	binary.BigEndian.PutUint32(head[4:], uint32(first.Height))
	head[8], head[9] = 8, typeRGBA
	out := animation{w: w}
	out.bytes([]byte(signature))
	out.chunk("IHDR", head[:])
	out.chunk("acTL", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(t.Frames))), 0))
	for i := range t.Frames {
		m, err := flat(&t.Frames[i].Mips[0], t.Palette)
		if err != nil {
			return err
		}
		data, err := rowsOf(&m)
		if err != nil {
			return err
		}
		out.frame(&m, fps)
		if i == 0 {
			out.chunk("IDAT", data)
			continue
		}
		out.chunk("fdAT", append(binary.BigEndian.AppendUint32(nil, out.next()), data...))
	}
	out.chunk("IEND", nil)
	return out.err
}

// rowsOf compresses rows that are filtered by the rows above them.
func rowsOf(m *asset.Image) ([]byte, error) {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	stride := 4 * m.Width
	row := make([]byte, 1+stride)
	for y := range m.Height {
		line := m.Pix[y*stride:][:stride]
		row[0] = 0
		copy(row[1:], line)
		if y > 0 {
			row[0] = 2
			for i, above := range m.Pix[(y-1)*stride:][:stride] {
				row[1+i] -= above
			}
		}
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

// animation writes chunks and keeps the first error.
type animation struct {
	w      io.Writer
	number uint32
	err    error
}

func (a *animation) next() uint32 {
	a.number++
	return a.number - 1
}

func (a *animation) bytes(b []byte) {
	if a.err == nil {
		_, a.err = a.w.Write(b)
	}
}

func (a *animation) chunk(kind string, data []byte) {
	a.bytes(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	a.bytes([]byte(kind))
	a.bytes(data)
	a.bytes(binary.BigEndian.AppendUint32(nil, crc32.Update(crc32.ChecksumIEEE([]byte(kind)), crc32.IEEETable, data)))
}

// frame begins a frame that covers all, and takes the place of what was there.
func (a *animation) frame(m *asset.Image, fps uint16) {
	b := binary.BigEndian.AppendUint32(nil, a.next())
	for _, v := range []int{m.Width, m.Height, 0, 0} {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, 1), fps)
	a.chunk("fcTL", append(b, 0, 0))
}

// IsAnimated reports whether a PNG file announces an animation before its pixels.
func IsAnimated(b []byte) bool {
	animated := false
	if bytes.HasPrefix(b, []byte(signature)) {
		eachChunk(b[len(signature):], func(kind string, _ []byte) bool {
			animated = kind == "acTL"
			return !animated && kind != "IDAT"
		})
	}
	return animated
}

// DecodeAnimated reads an animated PNG into a texture of RGBA frames. Each frame is the whole picture, as a viewer shows
// it. A PNG without animation gives one frame. Errors are those of [Decode], and ErrLimit if the frames would take far more
// memory than the file.
func DecodeAnimated(b []byte, flat Flat) (*asset.Texture, error) {
	if !IsAnimated(b) {
		return Decode(bytes.NewReader(b))
	}
	if err := checkSize(b); err != nil {
		return nil, err
	}
	if string(b[len(signature):len(signature)+8]) != "\x00\x00\x00\x0DIHDR" {
		return nil, schema.Errorf("apng", schema.ErrValue, "header", "the first chunk is no IHDR of 13 bytes")
	}
	p := player{file: b, flat: flat}
	eachChunk(b[len(signature):], p.chunk)
	p.flush()
	if p.err == nil && len(p.out.Frames) == 0 {
		p.err = schema.Errorf("apng", schema.ErrTruncated, "frames", "there are none")
	}
	return &p.out, p.err
}

// player puts the frames of a file together.
type player struct {
	file    []byte
	flat    Flat
	out     asset.Texture
	shared  [][]byte // chunks that all frames need: IHDR, PLTE, tRNS, whole
	control []byte   // fcTL of the frame that is being read; nil before the first
	data    []byte
	canvas  asset.Image
	err     error
}

func (p *player) chunk(kind string, data []byte) bool {
	switch kind {
	case "IHDR":
		if p.shared != nil { // its size has been checked by nobody
			p.fail("IHDR stands there twice, or not first")
			break
		}
		p.canvas = asset.NewImage(int(binary.BigEndian.Uint32(data)), int(binary.BigEndian.Uint32(data[4:])), asset.RGBA8)
		p.shared = append(p.shared, data)
	case "PLTE", "tRNS":
		p.shared = append(p.shared, append([]byte(kind), data...))
	case "fcTL":
		p.flush()
		if len(data) < frameChunk {
			p.fail("fcTL has %d bytes", len(data))
		}
		p.control = data
	case "IDAT":
		if p.control != nil { // otherwise it is a picture for viewers that know no animation
			p.data = append(p.data, data...)
		}
	case "fdAT":
		if len(data) >= 4 {
			p.data = append(p.data, data[4:]...)
		}
	}
	return p.err == nil
}

func (p *player) fail(msg string, args ...any) {
	if p.err == nil {
		p.err = schema.Errorf("apng", schema.ErrValue, "frame", msg, args...)
	}
}

// flush draws the frame that was read.
func (p *player) flush() {
	if p.control == nil || p.err != nil {
		return
	}
	c := p.control
	at := func(i int) int { return int(binary.BigEndian.Uint32(c[4+4*i:])) }
	w, h, x, y := at(0), at(1), at(2), at(3)
	if w < 1 || h < 1 || x > p.canvas.Width-w || y > p.canvas.Height-h {
		p.fail("%d x %d pixels at %d, %d lie outside of the picture", w, h, x, y)
		return
	}
	if n := int64(len(p.canvas.Pix)) * int64(len(p.out.Frames)+1); n > mostDecoded || n > 64<<20+4096*int64(len(p.file)) {
		p.err = schema.Errorf("apng", schema.ErrLimit, "frames", "%d frames take %d bytes", len(p.out.Frames)+1, n)
		return
	}
	m, err := p.still(w, h)
	if err != nil {
		p.err = err
		return
	}
	before := p.canvas.Pix
	shown := p.canvas
	shown.Pix = bytes.Clone(before)
	for row := range h {
		to, from := shown.Pix[4*((y+row)*shown.Width+x):][:4*w], m.Pix[4*row*w:][:4*w]
		if c[25] == 0 {
			copy(to, from)
			continue
		}
		for i := 0; i < len(to); i += 4 {
			over(to[i:i+4], from[i:i+4])
		}
	}
	p.out.Frames = append(p.out.Frames, asset.Frame{Mips: []asset.Image{shown}})
	if rate, scale := binary.BigEndian.Uint16(c[20:]), binary.BigEndian.Uint16(c[22:]); len(p.out.Frames) == 1 && rate > 0 {
		if scale == 0 {
			scale = 100
		}
		p.out.FPS = float32(scale) / float32(rate)
	}
	switch c[24] { // what is left for the next frame
	case 0:
		p.canvas.Pix = shown.Pix
	case 1:
		p.canvas.Pix = bytes.Clone(shown.Pix)
		for row := range h {
			clear(p.canvas.Pix[4*((y+row)*shown.Width+x):][:4*w])
		}
	}
	p.control, p.data = nil, nil
}

// still decodes the pixels of the frame that was read.
func (p *player) still(w, h int) (*asset.Image, error) {
	head := bytes.Clone(p.shared[0])
	binary.BigEndian.PutUint32(head, uint32(w))
	binary.BigEndian.PutUint32(head[4:], uint32(h))
	var file bytes.Buffer
	out := animation{w: &file}
	out.bytes([]byte(signature))
	out.chunk("IHDR", head)
	for _, c := range p.shared[1:] {
		out.chunk(string(c[:4]), c[4:])
	}
	out.chunk("IDAT", p.data)
	out.chunk("IEND", nil)
	t, err := Decode(&file)
	if err != nil {
		return nil, err
	}
	m, err := p.flat(t.Base(), t.Palette)
	return &m, err
}

// over draws a pixel with straight alpha over another one.
func over(to, from []byte) {
	a, b := int(from[3]), int(to[3])
	switch {
	case a == 255 || b == 0:
		copy(to, from)
		return
	case a == 0:
		return
	}
	sum := a*255 + b*(255-a) // of alpha, in 1 / 255
	for k := range 3 {
		to[k] = byte((int(from[k])*a*255 + int(to[k])*b*(255-a) + sum/2) / sum)
	}
	to[3] = byte((sum + 127) / 255)
}
