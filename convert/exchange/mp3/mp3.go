// Package mp3 decodes MP3 streams, both bare and in WAV files. It is a package of its own so that programs that never
// decode MP3 do not include the decoder.
package mp3

import (
	"bytes"
	"io"

	codec "github.com/hajimehoshi/go-mp3"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Decoded returns a sound as 16-bit samples if it is stored as MP3, bare or in a WAV file, or in a codec that [wav.Decoded]
// decodes. Any other sound is returned unchanged.
//
// It fails with ErrUnsupported for streams of 8,000 Hz, and with ErrValue for data that is not an MP3 stream.
func Decoded(s *asset.Sound) (*asset.Sound, error) {
	if s == nil || len(s.PCM) > 0 || s.Stored == nil {
		return s, nil
	}
	stream, ok := wav.Stream(s)
	if !ok {
		return wav.Decoded(s)
	}
	out := *s
	out.Stored = nil
	if err := decodeMP3(&out, stream); err != nil {
		return nil, err
	}
	return &out, nil
}

// decodeMP3 fills in the samples of a stream, mono ones with one channel.
func decodeMP3(s *asset.Sound, stream []byte) (err error) {
	defer func() { // the library trusts its input
		if r := recover(); r != nil {
			err = schema.Errorf(wav.EncodingMP3, schema.ErrValue, "stream", "it cannot be decoded: %v", r)
		}
	}()
	plain, rate, channels, ok := wav.MPEG1Like(stream)
	if !ok {
		return schema.Errorf(wav.EncodingMP3, schema.ErrValue, "stream", "there is no frame of MPEG layer 3")
	}
	s.Rate, s.Channels, s.Bits = rate, channels, 16
	if s.Rate == 8000 {
		return schema.Errorf(wav.EncodingMP3, schema.ErrUnsupported, "stream", "MPEG 2.5 of 8,000 Hz cannot be decoded")
	}
	d, err := codec.NewDecoder(bytes.NewReader(plain))
	if err != nil {
		return schema.Errorf(wav.EncodingMP3, schema.ErrValue, "stream", "%v", err)
	}
	pcm, _ := io.ReadAll(d) // the first frame was read already; what comes before one that is broken is kept
	if s.Channels == 1 {    // the library makes everything stereo
		mono := pcm[:len(pcm)/4*2]
		for i := range len(mono) / 2 {
			copy(mono[2*i:2*i+2], pcm[4*i:])
		}
		pcm = mono
	}
	s.PCM = pcm
	return nil
}
