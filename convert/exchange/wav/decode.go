package wav

import (
	"bytes"
	"slices"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Decode reads a WAV file. The samples alias b. Samples with unused bits, such as 12 bits in two bytes, are taken as whole
// bytes.
//
// It fails with ErrBadMagic if b is not a WAV file, ErrTruncated if b ends inside the header, ErrMismatch if the format or
// the samples are missing, and ErrValue for an invalid format. Truncated samples are read up to the end of b.
func Decode(b []byte) (*asset.Sound, error) {
	r, err := read.RIFF(b, nil)
	if err != nil {
		return nil, err
	}
	if r.Form != media.ID("WAVE") {
		return nil, &schema.FormatError{Format: name, Offset: 8, Field: "form", Class: schema.ErrBadMagic, Msg: "found " + r.Form.String() + ", expected WAVE"}
	}
	format, data := r.Find("fmt"), r.Find("data")
	if format == nil || data == nil {
		return nil, schema.Errorf(name, schema.ErrMismatch, "chunks", "a WAV file needs both fmt and data")
	}
	f, err := read.WaveFormat(format.Data)
	if err != nil {
		return nil, err
	}
	s := &asset.Sound{Rate: int(f.Rate), Channels: int(f.Channels)}
	if err := samples(s, f); err != nil {
		return nil, err
	}
	if s.Bits == 0 {
		s.Stored = &asset.Stored{Encoding: Encoding, Data: b}
		return s, nil
	}
	s.PCM = data.Data
	extras(s, r)
	return s, nil
}

// Missing returns the number of bytes by which the samples of a WAV file are shorter than it claims, as in one that was cut off.
// It is 0 for what programs claim that write to a pipe, and do not know the size beforehand.
func Missing(b []byte) int {
	const unknown = 0x7FFFF000 // or more
	r, err := read.RIFF(b, nil)
	if err != nil {
		return 0
	}
	data := r.Find("data")
	if data == nil || data.Size == nil || *data.Size >= unknown {
		return 0
	}
	return int(*data.Size) - len(data.Data)
}

// samples sets Bits and Float, or leaves Bits 0 for a codec that is not decoded.
func samples(s *asset.Sound, f *media.WaveFormat) error {
	if f.Channels == 0 || f.Rate == 0 {
		return schema.Errorf(name, schema.ErrValue, "fmt", "%d channels, %d frames a second", f.Channels, f.Rate)
	}
	codec := f.Codec()
	if codec != media.WavePCM && codec != media.WaveFloat {
		return nil
	}
	s.Float = codec == media.WaveFloat
	s.Bits = (int(f.Bits) + 7) / 8 * 8
	if frame := int(f.BlockAlign); frame > 0 && frame%s.Channels == 0 {
		s.Bits = 8 * frame / s.Channels // a container may be wider than its sample
	}
	if _, err := formatOf(s); err != nil {
		return err
	}
	return nil
}

// extras takes over loops, positions and all chunks that are more than those.
func extras(s *asset.Sound, r *media.RIFF) {
	for i := range r.Chunks {
		c := &r.Chunks[i]
		switch c.ID {
		case media.ID("fmt"), media.ID("data"), media.ID("fact"):
		default:
			s.Chunks = append(s.Chunks, asset.Chunk{ID: string(c.ID[:]), Data: c.Data})
		}
	}
	s.Loops = loops(kept(s, "smpl"))
	s.Cues = cues(kept(s, "cue "))
	label(s.Cues, kept(s, "LIST"))

	// What Encode would make of loops and positions alone need not be kept.
	made, err := markers(&asset.Sound{Rate: s.Rate, Loops: s.Loops, Cues: s.Cues})
	if err != nil {
		return
	}
	for _, m := range made {
		s.Chunks = slices.DeleteFunc(s.Chunks, func(c asset.Chunk) bool {
			return isMarker(c) && c.ID == m.ID.String() && bytes.Equal(c.Data, m.Data)
		})
	}
	if len(s.Chunks) == 0 {
		s.Chunks = nil
	}
}
