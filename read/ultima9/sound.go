package ultima9

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Sound reads a record of music.flx, sfx.flx or speech.flx. The samples stay encoded, so faults in them are only found by
// decoding. Source: reference section 12.1.
func Sound(b []byte, d *schema.Diagnostics) (*ultima9.Sound, error) {
	c := read.NewCursor("u9-sound", b, d)
	s := &ultima9.Sound{
		ID:          c.U32("id"),
		Description: fixedText(c, ultima9.SoundDescriptionSize, "description"),
	}
	size := c.U32("data length")
	s.Rate = c.U32("sample rate")
	s.Bits = c.U32("bits per sample")
	s.Channels = c.U32("channels")
	s.Encoding = read.Named(c, ultima9.SoundEncoding(c.U32("encoding")))
	if c.Err() == nil && uint64(size) != uint64(c.Left()) {
		c.FailAtf(0x28, schema.ErrMismatch, "data length", "%d, the record holds %d bytes of data", size, c.Left())
	}
	s.Data = c.Data(c.Left(), "samples", "data")
	if c.Err() == nil {
		checkSound(c, s)
	}
	if s.ID > 0xFFFF {
		d.WarnAtf("sound-id", "", 0, "id %d is above 65535", s.ID)
	}
	return done(s, c)
}

func checkSound(c *read.Cursor, s *ultima9.Sound) {
	if s.Rate == 0 {
		c.FailAtf(0x2C, schema.ErrValue, "sample rate", "0")
	}
	if s.Bits != 16 {
		c.FailAtf(0x30, schema.ErrUnsupported, "bits per sample", "%d, 16 expected", s.Bits)
	}
	if s.Channels != 1 && s.Channels != 2 {
		c.FailAtf(0x34, schema.ErrValue, "channels", "%d, 1 or 2 expected", s.Channels)
	}
	if c.Err() != nil {
		return
	}
	switch s.Encoding {
	case ultima9.SoundPCM:
		if len(s.Data)%int(2*s.Channels) != 0 {
			c.FailAtf(0x28, schema.ErrMismatch, "data length", "%d bytes are no whole number of %d-byte frames", len(s.Data), 2*s.Channels)
		}
	case ultima9.SoundEAXA:
	case ultima9.SoundMicroTalk:
		if s.Channels == 2 {
			c.FailAtf(0x34, schema.ErrUnsupported, "channels", "2, MicroTalk is mono")
		}
	default:
		c.FailAtf(0x38, schema.ErrUnsupported, "encoding", "%d, 0 to 2 expected", uint32(s.Encoding))
	}
}
