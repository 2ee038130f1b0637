package png

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

const name = "png"

// Options selects which picture of a texture is written, and how. The zero value is the first frame at full size, encoded
// fast.
type Options struct {
	Frame int
	Mip   int
	Face  int  // of a cube map: +X −X +Y −Y +Z −Z
	Small bool // take several times as long for a file that is a few per cent smaller

	TrueColour bool // write RGBA8 only as RGB or RGBA, for readers that support nothing else
}

// Colour types of the header.
const (
	typeGray      = 0
	typeRGB       = 2
	typeIndexed   = 3
	typeGrayAlpha = 4
	typeRGBA      = 6
)

// Encode writes one picture of a texture.
//
//   - RGBA8 is written in the shortest form that has the same pixels: grey, a palette of at most 256 colours, or RGB, each
//     with alpha only if needed. [Decode] may therefore return another pixel format, with the same pixels.
//   - Indexed8 keeps its indices and its palette, including alpha, unused and duplicate entries. It takes 1, 2, 4 or 8 bits
//     a pixel, as the palette needs. If an index lies past the palette's end, the palette is extended with opaque black.
//   - Gray8 and Gray16 stay grey, with fewer bits if those hold the same values.
//
// It fails with ErrRange if there is no such frame, level or face, with ErrValue if size and pixels of the picture disagree
// or indices lack a palette, and with ErrLimit above schema.DefaultLimits.
func Encode(w io.Writer, t *asset.Texture, o Options) error {
	m, err := pick(t, o)
	if err != nil {
		return err
	}
	return Image(w, m, t.Palette, o)
}

// Check returns the error that Encode would return for the same arguments, write errors aside.
func Check(t *asset.Texture, o Options) error {
	m, err := pick(t, o)
	if err != nil {
		return err
	}
	return check(m, t.Palette)
}

func pick(t *asset.Texture, o Options) (*asset.Image, error) {
	if t == nil {
		return nil, schema.Errorf(name, schema.ErrValue, "", "there is no picture")
	}
	if o.Frame < 0 || o.Frame >= len(t.Frames) {
		return nil, schema.Errorf(name, schema.ErrRange, "frame", "frame %d of %d", o.Frame, len(t.Frames))
	}
	f := &t.Frames[o.Frame]
	if o.Face != 0 {
		if o.Face < 0 || o.Face > len(f.Faces) || o.Mip != 0 {
			return nil, schema.Errorf(name, schema.ErrRange, "face", "face %d, level %d: there are %d faces of one level", o.Face, o.Mip, len(f.Faces)+1)
		}
		return &f.Faces[o.Face-1], nil
	}
	if o.Mip < 0 || o.Mip >= len(f.Mips) {
		return nil, schema.Errorf(name, schema.ErrRange, "mip", "level %d of %d", o.Mip, len(f.Mips))
	}
	return &f.Mips[o.Mip], nil
}

// Image writes one image, using palette if it is Indexed8. It ignores the options that select a picture. See [Encode].
func Image(w io.Writer, m *asset.Image, palette []asset.RGBA, o Options) error {
	if err := check(m, palette); err != nil {
		return err
	}
	written := m
	switch {
	case m.Format == asset.Indexed8:
		palette = covering(palette, m.Pix)
	case m.Format == asset.RGBA8 && !o.TrueColour:
		s := shorters.Get().(*shorter)
		defer shorters.Put(s)
		written, palette = s.reduce(m)
	}
	l := layoutOf(written, len(palette), o.TrueColour)
	l.stored = m.Format == asset.Indexed8
	l.mixed = l.stored && l.depth == 8 && mixed(palette)
	out := outputs.Get().(*bufio.Writer)
	defer outputs.Put(out)
	out.Reset(w)
	defer out.Reset(nil)
	c := chunks{w: out}
	c.bytes([]byte("\x89PNG\r\n\x1a\n"))
	c.header(l)
	if written.Format != m.Format {
		c.chunk(markRGBA, nil)
	}
	if l.colour == typeIndexed {
		c.palette(palette)
	}
	d := data{&c, chunkBuffers.Get().(*chunkBuffer)}
	defer chunkBuffers.Put(d.buffer)
	if err := d.rows(l, o.Small); err != nil {
		return err
	}
	c.chunk("IEND", nil)
	if c.err != nil {
		return c.err
	}
	return out.Flush()
}

// outputs collect the chunks: most pictures are written by one call.
var outputs = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 1<<16) }}

func check(m *asset.Image, palette []asset.RGBA) error {
	if m == nil {
		return schema.Errorf(name, schema.ErrValue, "", "there is no picture")
	}
	if err := schema.DefaultLimits.Picture(name, m.Width, m.Height, m.Format.Bytes()); err != nil {
		return err
	}
	if want := m.Width * m.Height * m.Format.Bytes(); len(m.Pix) != want {
		return schema.Errorf(name, schema.ErrValue, "pixels", "%d x %d pixels need %d bytes, found %d", m.Width, m.Height, want, len(m.Pix))
	}
	if m.Format == asset.Indexed8 && (len(palette) == 0 || len(palette) > 256) {
		return schema.Errorf(name, schema.ErrValue, "palette", "%d colours, expected 1 to 256", len(palette))
	}
	return nil
}

// covering returns the palette with as many entries as the indices need.
func covering(palette []asset.RGBA, indices []byte) []asset.RGBA {
	if len(palette) == 256 {
		return palette
	}
	top := byte(0)
	for _, i := range indices {
		top = max(top, i)
	}
	if int(top) < len(palette) {
		return palette
	}
	palette = slices.Clone(palette)
	for len(palette) <= int(top) {
		palette = append(palette, asset.RGBA{0, 0, 0, 255})
	}
	return palette
}

// chunks writes the parts of a file and latches the first error.
type chunks struct {
	w   io.Writer
	err error
}

func (c *chunks) bytes(b []byte) {
	if c.err == nil {
		_, c.err = c.w.Write(b)
	}
}

func (c *chunks) chunk(id string, data []byte) {
	var head [8]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(data)))
	copy(head[4:], id)
	sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, data)
	c.bytes(head[:])
	c.bytes(data)
	c.bytes(binary.BigEndian.AppendUint32(nil, sum))
}

func (c *chunks) header(l *layout) {
	b := binary.BigEndian.AppendUint32(nil, uint32(l.width))
	b = binary.BigEndian.AppendUint32(b, uint32(l.height))
	c.chunk("IHDR", append(b, byte(l.depth), l.colour, 0, 0, 0))
}

// palette writes the colours, and their alpha up to the last one that is not opaque.
func (c *chunks) palette(palette []asset.RGBA) {
	var colours, alpha []byte
	opaque := 0
	for i, p := range palette {
		colours = append(colours, p[0], p[1], p[2])
		alpha = append(alpha, p[3])
		if p[3] != 255 {
			opaque = i + 1
		}
	}
	c.chunk("PLTE", colours)
	if opaque > 0 {
		c.chunk("tRNS", alpha[:opaque])
	}
}

// chunkBuffer collects compressed pixels until there are enough of them for a chunk.
type chunkBuffer struct {
	n int
	b [1 << 16]byte
}

var chunkBuffers = sync.Pool{New: func() any { return new(chunkBuffer) }}

// data writes the compressed pixels in chunks of a bounded size, so that a file need not be held in memory.
type data struct {
	*chunks
	buffer *chunkBuffer
}

func (d data) rows(l *layout, small bool) error {
	d.buffer.n = 0
	if err := l.compress(d, small); err != nil {
		return err
	}
	return d.flush()
}

// Write implements io.Writer for the deflate writer.
func (d data) Write(b []byte) (int, error) {
	total := len(b)
	for len(b) > 0 {
		n := copy(d.buffer.b[d.buffer.n:], b)
		d.buffer.n += n
		b = b[n:]
		if d.buffer.n == len(d.buffer.b) {
			if err := d.flush(); err != nil {
				return 0, err
			}
		}
	}
	return total, nil
}

func (d data) flush() error {
	if d.buffer.n > 0 {
		d.chunk("IDAT", d.buffer.b[:d.buffer.n])
	}
	d.buffer.n = 0
	return d.err
}
