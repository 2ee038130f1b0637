package ultima9

import (
	"fmt"
	"math/bits"

	"github.com/usher-assets/usher/schema"
)

// Sizes of a texture set (reference sections 4.1, 4.2).
const (
	TextureHeaderSize = 0x10
	FrameEntrySize    = 8
	FrameHeaderSize   = 0x14
)

// StorageFlags says how the frames of a set are stored. All values but 0 and StorageBC1 are unknown.
type StorageFlags uint16

// StorageBC1 marks a set whose frames are BC1 blocks.
const StorageBC1 = 1

var storageBits = schema.Bits[StorageFlags]{schema.Flag(0, "bc1")}

// String returns the flags in words.
func (f StorageFlags) String() string { return storageBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f StorageFlags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *StorageFlags) UnmarshalText(b []byte) error { return storageBits.Parse(b, f) }

// TextureSet is a record of a bitmap archive: one picture or the frames of an animation or font.
type TextureSet struct {
	MaxWidth   uint16 // of all frames
	Mips       uint8  // stored levels below the base image
	Reserved03 uint8
	MaxHeight  uint16
	Storage    StorageFlags
	Playback   Playback
	Frames     []TextureFrame
	Gaps       []Gap // bytes that belong to no frame
}

// TextureFrame is one picture with its mip levels.
type TextureFrame struct {
	Offset  uint32 // from the start of the record; if 0, the writer puts it after the frame before
	Flags   FrameFlags
	Width   uint32
	Height  uint32
	AnchorX uint32 // of fonts and cursors
	AnchorY uint32
	Rows    []uint32 // row offsets, one a row; unreliable
	Levels  [][]byte // stored pixels, the base image first
}

// Playback is the word that says how the frames of a set are shown (reference section 4.1).
type Playback uint32

var playbackBits = schema.Bits[Playback]{
	schema.Number(0, 3, "mode"),
	schema.Flag(3, "backwards"),
	schema.Number(4, 8, "fps"),
	schema.Number(12, 4, "log2-width"),
	schema.Number(16, 4, "log2-height"),
	schema.Number(20, 4, "first"),
	schema.Number(24, 8, "last"),
}

// String returns the word in words.
func (p Playback) String() string { return playbackBits.Text(p) }

// MarshalText implements encoding.TextMarshaler.
func (p Playback) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Playback) UnmarshalText(b []byte) error { return playbackBits.Parse(b, p) }

// PlaybackFields are the fields of a [Playback] word.
type PlaybackFields struct {
	Mode        uint8 // 0 … 7
	Reverse     bool
	FPS         uint8
	Log2Width   uint8 // 0 … 15
	Log2Height  uint8
	First, Last uint8 // default frames; First 0 … 15
}

// Fields splits the word into its fields.
func (p Playback) Fields() PlaybackFields {
	return PlaybackFields{
		Mode: uint8(p & 7), Reverse: p>>3&1 != 0, FPS: uint8(p >> 4),
		Log2Width: uint8(p >> 12 & 15), Log2Height: uint8(p >> 16 & 15),
		First: uint8(p >> 20 & 15), Last: uint8(p >> 24),
	}
}

// Word combines the fields into a word.
func (f PlaybackFields) Word() Playback {
	p := Playback(f.Mode&7) | Playback(f.FPS)<<4 | Playback(f.Log2Width&15)<<12 | Playback(f.Log2Height&15)<<16 |
		Playback(f.First&15)<<20 | Playback(f.Last)<<24
	if f.Reverse {
		p |= 1 << 3
	}
	return p
}

// FrameFlags is the first word of a frame (reference section 4.3).
type FrameFlags uint32

// The flags that are single bits.
const (
	FlagWide       FrameFlags = 1 << 10 // two bytes a pixel
	FlagEditorOnly FrameFlags = 1 << 11
	FlagRLE        FrameFlags = 1 << 28 // run-length encoded; never seen
	FlagContiguous FrameFlags = 1 << 29 // rows follow each other
	FlagNoKey      FrameFlags = 1 << 30 // colour-key test disabled
)

var frameBits = schema.Bits[FrameFlags]{
	schema.Number(0, 8, "colour"),
	schema.Choice(8, 3, "format", map[uint32]string{0: "p8", 2: "ai44", 3: "a8", 4: "rgb565", 5: "argb1555", 6: "ai88"}),
	schema.Flag(11, "editor-only"),
	schema.Number(12, 16, "key"),
	schema.Flag(28, "rle"),
	schema.Flag(29, "contiguous"),
	schema.Flag(30, "no-key"),
}

// String returns the flags in words.
func (f FrameFlags) String() string { return frameBits.Text(f) }

// MarshalText implements encoding.TextMarshaler.
func (f FrameFlags) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (f *FrameFlags) UnmarshalText(b []byte) error { return frameBits.Parse(b, f) }

// DefaultKey is the colour key that new RGB565 frames get: full red and blue.
const DefaultKey = 0xF81F

// Code returns the pixel format code, bits 8 and 9.
func (f FrameFlags) Code() uint8 { return uint8(f >> 8 & 3) }

// Key returns the 16-bit colour key.
func (f FrameFlags) Key() uint16 { return uint16(f >> 12) }

// WithKey returns the flags with another colour key and with colour keying on.
func (f FrameFlags) WithKey(key uint16) FrameFlags {
	return f&^(0xFFFF<<12)&^FlagNoKey | FrameFlags(key)<<12
}

// Keyed reports whether pixels of the key's colour are transparent.
func (f FrameFlags) Keyed() bool { return f&FlagNoKey == 0 }

// Format returns the pixel format of a frame in a set without compression; ok is false for meaningless combinations of
// flags.
func (f FrameFlags) Format() (format PixelFormat, ok bool) {
	format = [2][4]PixelFormat{{P8, 0, AI44, A8}, {RGB565, ARGB1555, AI88, 0}}[f>>10&1][f.Code()]
	return format, format != 0
}

// PixelFormat is the layout of the pixels of a frame.
type PixelFormat uint8

// The pixel formats.
const (
	P8       PixelFormat = iota + 1 // index into ankh.pal
	RGB565                          // blue in the low bits
	ARGB1555                        // blue in the low bits
	AI44                            // alpha in the high nibble, intensity in the low one
	AI88                            // first byte intensity, second alpha
	A8                              // coverage
	BC1                             // blocks of 4 x 4 pixels
)

var pixelFormatNames = [...]string{"unknown", "p8", "rgb565", "argb1555", "ai44", "ai88", "a8", "bc1"}

// String returns the name of the format in lower case.
func (f PixelFormat) String() string {
	if int(f) < len(pixelFormatNames) {
		return pixelFormatNames[f]
	}
	return fmt.Sprintf("pixel format %d", uint8(f))
}

// ParsePixelFormat returns the format with a name that String returns.
func ParsePixelFormat(name string) (PixelFormat, bool) {
	for i, n := range pixelFormatNames {
		if i > 0 && n == name {
			return PixelFormat(i), true
		}
	}
	return 0, false
}

// Flags returns the flags for a new frame in this format, without a colour key.
func (f PixelFormat) Flags() FrameFlags {
	return FlagContiguous | FlagNoKey | [...]FrameFlags{0, 0, 0x400, 0x500, 0x200, 0x600, 0x300, 0x400}[f]
}

// Size returns the size of w x h pixels in bytes.
func (f PixelFormat) Size(w, h uint64) uint64 {
	switch f {
	case BC1:
		return 8 * ((w + 3) / 4) * ((h + 3) / 4)
	case RGB565, ARGB1555, AI88:
		return 2 * w * h
	}
	return w * h
}

// Format returns the pixel format of frame i. If the flags of a later frame are damaged (meaningless, or in contradiction
// to the size of the pixels), it is the format of the first frame.
func (t *TextureSet) Format(i int) (PixelFormat, error) {
	format, err := t.ownFormat(i)
	if i == 0 || t.Storage != 0 {
		return format, err
	}
	f := &t.Frames[i]
	if err == nil && (len(f.Levels) == 0 || format.Size(uint64(f.Width), uint64(f.Height)) == uint64(len(f.Levels[0]))) {
		return format, nil
	}
	first, firstErr := t.ownFormat(0)
	if firstErr != nil || len(f.Levels) == 0 {
		return format, err
	}
	return first, nil
}

func (t *TextureSet) ownFormat(i int) (PixelFormat, error) {
	switch {
	case t.Storage == StorageBC1:
		return BC1, nil
	case t.Storage != 0:
		return 0, schema.Errorf("u9-texture", schema.ErrUnsupported, "storage flags", "0x%04x, known are 0 and 1", uint16(t.Storage))
	case t.Frames[i].Flags&FlagRLE != 0:
		return 0, schema.Errorf("u9-texture", schema.ErrUnsupported, "frame flags", "frame %d is run-length encoded", i)
	}
	format, ok := t.Frames[i].Flags.Format()
	if !ok {
		return 0, schema.Errorf("u9-texture", schema.ErrUnsupported, "frame flags", "frame %d has pixel code %d with %d bytes a pixel",
			i, t.Frames[i].Flags.Code(), 1+t.Frames[i].Flags>>10&1)
	}
	return format, nil
}

// LevelSize returns the width and height of mip level k of a frame.
func (f *TextureFrame) LevelSize(k int) (w, h int) {
	return int(max(1, f.Width>>k)), int(max(1, f.Height>>k))
}

// Length returns the size of the frame in its record, in bytes.
func (f *TextureFrame) Length() int {
	n := FrameHeaderSize + 4*len(f.Rows)
	for _, level := range f.Levels {
		n += len(level)
	}
	return n
}

// Describe sets the fields of the header that depend on the frames: the largest sizes and their logarithms.
func (t *TextureSet) Describe() {
	var w, h uint32
	for _, f := range t.Frames {
		w, h = max(w, f.Width), max(h, f.Height)
	}
	t.MaxWidth, t.MaxHeight = uint16(min(w, 0xFFFF)), uint16(min(h, 0xFFFF))
	p := t.Playback.Fields()
	p.Log2Width, p.Log2Height = log2(w), log2(h)
	t.Playback = p.Word()
}

// log2 returns the floor of the binary logarithm; 0 for 0.
func log2(n uint32) uint8 { return uint8(max(bits.Len32(n), 1) - 1) }
