package wav

import (
	"io"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
)

const name = "wav"

// Encoding is the Stored.Encoding of a sound whose stored form is a whole WAV file with another codec than PCM.
const Encoding = "wav"

// Encode writes a sound as a WAV file: format, samples, loops, positions, then the other chunks in order. If a sound has no
// samples and its stored form is a WAV file, Encode writes that file.
//
// It fails with ErrValue if WAV does not support the rate, the channels or the bits, or if a label has characters outside
// Windows-1252, and with ErrLimit if the file would exceed 4 GB.
func Encode(w io.Writer, s *asset.Sound) error {
	if s == nil {
		return schema.Errorf(name, schema.ErrValue, "", "there is no sound")
	}
	if len(s.PCM) == 0 && s.Stored != nil && s.Stored.Encoding == Encoding {
		_, err := w.Write(s.Stored.Data)
		return err
	}
	format, err := formatOf(s)
	if err != nil {
		return err
	}
	before := []media.Chunk{{ID: media.ID("fmt"), Data: format}}
	if s.Float {
		before = append(before, media.Chunk{ID: media.ID("fact"), Data: u32s(uint32(s.Frames()))})
	}
	after, err := markers(s)
	if err != nil {
		return err
	}
	return file(w, before, s.PCM, append(after, others(s)...))
}

func formatOf(s *asset.Sound) ([]byte, error) {
	pcm := !s.Float && (s.Bits == 8 || s.Bits == 16 || s.Bits == 24 || s.Bits == 32)
	float := s.Float && (s.Bits == 32 || s.Bits == 64)
	if !pcm && !float {
		return nil, schema.Errorf(name, schema.ErrValue, "bits", "%d bits a sample, float %t", s.Bits, s.Float)
	}
	frame := s.Channels * s.Bits / 8
	if s.Channels < 1 || frame > math.MaxUint16 {
		return nil, schema.Errorf(name, schema.ErrValue, "channels", "%d channels", s.Channels)
	}
	if s.Rate < 1 || int64(s.Rate)*int64(frame) > math.MaxUint32 {
		return nil, schema.Errorf(name, schema.ErrValue, "rate", "%d frames of %d bytes a second", s.Rate, frame)
	}
	f := &media.WaveFormat{
		Tag:            media.WavePCM,
		Channels:       uint16(s.Channels),
		Rate:           uint32(s.Rate),
		BytesPerSecond: uint32(s.Rate * frame),
		BlockAlign:     uint16(frame),
		Bits:           uint16(s.Bits),
	}
	if s.Float {
		f.Tag, f.Extension = media.WaveFloat, []byte{0, 0}
	}
	return write.WaveFormat(f)
}

// others returns the chunks that Encode does not make itself: those of loops, positions and labels but the first.
func others(s *asset.Sound) (list []media.Chunk) {
	seen := map[string]bool{}
	for _, c := range s.Chunks {
		if isMarker(c) && !seen[c.ID] {
			seen[c.ID] = true
			continue
		}
		list = append(list, media.Chunk{ID: media.ID(c.ID), Data: c.Data})
	}
	return list
}

// file writes the container around the samples, which are not copied.
func file(w io.Writer, before []media.Chunk, pcm []byte, after []media.Chunk) error {
	samples := media.Chunk{ID: media.ID("data"), Data: pcm}
	shell := media.RIFF{Form: media.ID("WAVE"), Chunks: append(append(before, samples), after...)}
	size := int64(shell.ContentSize())
	if size > math.MaxUint32-8 {
		return schema.Errorf(name, schema.ErrLimit, "size", "%d bytes do not fit into a WAV file", size)
	}
	// The container is written without samples but with its final sizes, and then parted where they belong.
	sizes := [2]uint32{uint32(size), uint32(len(pcm))}
	shell.Size = &sizes[0]
	data := &shell.Chunks[len(before)]
	data.Data, data.Size = nil, &sizes[1]
	b, err := write.RIFF(&shell)
	if err != nil {
		return err
	}
	at := 12
	for i := range shell.Chunks[:len(before)+1] {
		at += shell.Chunks[i].Len()
	}
	tail := b[at:]
	if len(pcm)%2 != 0 {
		tail = append([]byte{0}, tail...)
	}
	for _, part := range [][]byte{b[:at], pcm, tail} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
