package ultima9

import "github.com/usher-assets/usher/schema"

// SoundHeaderSize is the length of a sound record before its data.
const SoundHeaderSize = 0x3C

// SoundEncoding is how the samples of a sound are stored.
type SoundEncoding uint32

// The encodings (reference sections 12.2 to 12.4).
const (
	SoundPCM       SoundEncoding = iota // signed 16-bit little-endian, channels interleaved
	SoundEAXA                           // EA-XA ADPCM
	SoundMicroTalk                      // EA MicroTalk, mono
)

var soundEncodingNames = schema.EnumNames[SoundEncoding]{SoundPCM: "pcm", SoundEAXA: "eaxa", SoundMicroTalk: "microtalk"}

// String returns the encoding's name.
func (e SoundEncoding) String() string { return soundEncodingNames.Text(e) }

// MarshalText implements encoding.TextMarshaler.
func (e SoundEncoding) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *SoundEncoding) UnmarshalText(b []byte) error { return soundEncodingNames.Parse(b, e) }

// Sound is a record of music.flx, sfx.flx or speech.flx (reference section 12.1).
type Sound struct {
	ID          uint32    // slot of the record
	Description FixedText // 36 bytes
	Rate        uint32    // frames a second
	Bits        uint32    // 16
	Channels    uint32    // 1 or 2
	Encoding    SoundEncoding
	Data        []byte // samples as Encoding says
}

// SoundDescriptionSize is the length of Sound.Description on disk.
const SoundDescriptionSize = 36
