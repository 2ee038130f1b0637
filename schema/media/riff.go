package media

import (
	"encoding/hex"
	"fmt"
)

// FourCC is a chunk identifier.
type FourCC [4]byte

// ID makes a FourCC of the first four characters of s, padded with blanks.
func ID(s string) FourCC {
	id := FourCC{' ', ' ', ' ', ' '}
	copy(id[:], s)
	return id
}

func (id FourCC) printable() bool {
	for _, c := range id {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// String returns the four characters, or eight hexadecimal digits after "0x" when one of them is not printable.
func (id FourCC) String() string {
	if id.printable() {
		return string(id[:])
	}
	return "0x" + hex.EncodeToString(id[:])
}

// MarshalText implements encoding.TextMarshaler.
func (id FourCC) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (id *FourCC) UnmarshalText(b []byte) error {
	if len(b) == 10 && string(b[:2]) == "0x" {
		_, err := hex.Decode(id[:], b[2:])
		return err
	}
	if len(b) != 4 {
		return fmt.Errorf("%q is not a chunk identifier of four characters", b)
	}
	copy(id[:], b)
	return nil
}

// RIFF is a container of chunks, such as a WAV file. It keeps irregularities of the file: wrong sizes, padding, trailing
// bytes.
type RIFF struct {
	Form     FourCC  // type of the content: "WAVE"
	Size     *uint32 // as stored, if that is not the length of form and chunks
	Chunks   []Chunk
	Trailing []byte // what follows the last chunk, inside or after the container
}

// Chunk is one part of a container.
type Chunk struct {
	ID    FourCC
	Size  *uint32 // as stored, if that is not the length of Data, as in a truncated chunk
	Data  []byte
	Pad   uint8 `unwritten:"data of even length have none"` // value of the byte after Data of odd length, usually 0
	NoPad bool  `unwritten:"data of even length have none"` // that byte is missing
}

// Find returns the first chunk with an identifier, or nil.
func (r *RIFF) Find(id string) *Chunk {
	for i := range r.Chunks {
		if r.Chunks[i].ID == ID(id) {
			return &r.Chunks[i]
		}
	}
	return nil
}

// Len returns the size in bytes of the chunk with its header and padding.
func (c *Chunk) Len() int {
	n := 8 + len(c.Data)
	if c.Padded() {
		n++
	}
	return n
}

// Padded reports whether a byte of padding follows the data.
func (c *Chunk) Padded() bool { return len(c.Data)%2 != 0 && !c.NoPad }

// ContentSize returns the size that should stand in the header of the container.
func (r *RIFF) ContentSize() int {
	n := 4
	for i := range r.Chunks {
		n += r.Chunks[i].Len()
	}
	return n
}

// Codecs of WAV files.
const (
	WavePCM        = 0x0001
	WaveMSADPCM    = 0x0002
	WaveFloat      = 0x0003
	WaveALaw       = 0x0006 // G.711
	WaveMuLaw      = 0x0007 // G.711
	WaveIMAADPCM   = 0x0011
	WaveGSM        = 0x0031 // GSM 6.10
	WaveMPEG       = 0x0050 // MPEG audio, layers 1 and 2
	WaveMP3        = 0x0055
	WaveExtensible = 0xFFFE
)

// WaveFormat is the chunk "fmt " of a WAV file.
type WaveFormat struct {
	Tag            uint16 // codec
	Channels       uint16
	Rate           uint32 // frames a second
	BytesPerSecond uint32
	BlockAlign     uint16 // bytes of a frame
	Bits           uint16 // of a sample
	Extension      []byte // what follows, with its leading size field
}

// Codec returns the codec: Tag, or the codec in the extension if Tag is WaveExtensible.
func (f *WaveFormat) Codec() uint16 {
	if f.Tag == WaveExtensible && len(f.Extension) >= 24 {
		return uint16(f.Extension[8]) | uint16(f.Extension[9])<<8
	}
	return f.Tag
}
