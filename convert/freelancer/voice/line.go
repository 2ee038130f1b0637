package voice

import (
	"bytes"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// played is what the game plays beside MP3: the few lines of its banks that are none (reference section 19.4).
var played = wav.Policy{Bits: []int{8, 16}, Channels: 2}

// Line is the format of a voice line. The WAV file in it, mostly MP3, is read and written unchanged.
var Line = format.Of(format.Format{
	Name: waveFormat, Family: "freelancer", Title: "Freelancer voice line, a WAV file", Kind: format.Sound, Probe: format.Never,
}, format.Functions[freelancer.Wave, *asset.Sound]{Read: read.Wave, Write: write.Wave, Lift: liftLine, Lower: lowerLine})

func liftLine(x *freelancer.Wave, _ *format.Env) (*asset.Sound, error) {
	b, err := write.Wave(x)
	if err != nil {
		return nil, err
	}
	s, err := wav.Decode(b)
	if err != nil {
		return nil, err
	}
	if s.Stored == nil {
		s.Stored = &asset.Stored{Encoding: wav.Encoding, Data: b}
	}
	s.Native = &asset.Native{Format: waveFormat, Payload: b}
	return s, nil
}

func lowerLine(s *asset.Sound, env *format.Env) (*freelancer.Wave, error) {
	if s.Native != nil && s.Native.Format == waveFormat {
		if old, err := wav.Decode(s.Native.Payload); err == nil && sameSound(s, old, s.Native.Payload, env) {
			return read.Wave(s.Native.Payload, nil)
		}
	}
	if s.Stored != nil && s.Stored.Encoding == wav.EncodingMP3 {
		return WrapMP3(s.Stored.Data, 0, env.Told())
	}
	if _, ok := wav.Stream(s); ok && len(s.PCM) == 0 { // MP3 in WAV, as the game has it
		return read.Wave(s.Stored.Data, nil)
	}
	s, err := played.Fit(s, env.Samples, env != nil && env.Options.Strict, env.Told())
	if err != nil {
		return nil, err
	}
	if len(s.PCM) > 0 && env.Encoding() == wav.EncodingMP3 {
		return EncodeMP3(s, env.Told())
	}
	env.Told().Hint(": --encoding mp3 encodes it").Warnf("voice-pcm", "", "the line is not MP3, and the game may not play it")
	plain := *s
	plain.Stored = nil
	var w bytes.Buffer
	if err := wav.Encode(&w, &plain); err != nil {
		return nil, err
	}
	return read.Wave(w.Bytes(), nil)
}

// sameSound compares a sound with a stored one: the samples where both have them, else the files.
func sameSound(s, old *asset.Sound, file []byte, env *format.Env) bool {
	if len(s.PCM) > 0 {
		if plain, err := env.Samples(old); err == nil {
			old = plain // the person asked for the samples
		}
	}
	if len(s.PCM) == 0 || len(old.PCM) == 0 {
		return len(s.PCM) == len(old.PCM) && s.Stored != nil && bytes.Equal(s.Stored.Data, file)
	}
	return s.Rate == old.Rate && s.Channels == old.Channels && s.Bits == old.Bits && s.Float == old.Float && bytes.Equal(s.PCM, old.PCM)
}
