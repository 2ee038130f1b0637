package mp3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/corpus"
)

// inWAV puts an MP3 stream into a WAV file.
func inWAV(stream []byte, rate uint32) []byte {
	le := binary.LittleEndian
	format := le.AppendUint16(nil, media.WaveMP3)
	format = le.AppendUint16(format, 1)
	format = le.AppendUint32(le.AppendUint32(format, rate), 2500)
	format = append(format, 1, 0, 0, 0, 12, 0, 1, 0, 2, 0, 0, 0, 0x82, 0, 1, 0, 0x71, 5)
	b := append([]byte("RIFF\x00\x00\x00\x00WAVEfmt "), le.AppendUint32(nil, uint32(len(format)))...)
	b = append(append(b, format...), "data"...)
	b = append(le.AppendUint32(b, uint32(len(stream))), stream...)
	le.PutUint32(b[4:], uint32(len(b)-8))
	return b
}

// TestDecoded decodes a second of a tone of 440 Hz, as bare streams and in WAV files: it has that pitch, its loudness,
// and its length but for what the codec puts before and behind it.
func TestDecoded(t *testing.T) {
	for _, c := range []struct {
		file string
		rate int
	}{{"tone11.mp3", 11025}, {"tone22.mp3", 22050}} {
		stream := corpus.Bytes(t, corpus.Testdata(t, "sounds", c.file))
		inside, err := wav.Decode(inWAV(stream, uint32(c.rate)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*asset.Sound{{Stored: &asset.Stored{Encoding: wav.EncodingMP3, Data: stream}}, inside} {
			got, err := Decoded(s)
			if err != nil {
				t.Fatalf("%s: %v", c.file, err)
			}
			if got.Rate != c.rate || got.Channels != 1 || got.Bits != 16 || got.Stored != nil {
				t.Fatalf("%s: %d Hz, %d channels, %d bits", c.file, got.Rate, got.Channels, got.Bits)
			}
			if over := got.Frames() - c.rate; over < 0 || over > 4*1152 {
				t.Errorf("%s: %d frames", c.file, got.Frames())
			}
			crossings, power, n := 0, 0.0, 0
			was := int16(0)
			for i := c.rate / 4; i < c.rate*3/4; i++ { // the middle half second
				v := int16(binary.LittleEndian.Uint16(got.PCM[2*i:]))
				if was < 0 && v >= 0 {
					crossings++
				}
				was = v
				power += float64(v) * float64(v)
				n++
			}
			rms := math.Sqrt(power / float64(n))
			if crossings < 219 || crossings > 221 || rms < 2600 || rms > 3200 { // a sine of an eighth of the range has 2,896
				t.Errorf("%s: %d waves in half a second, %.0f loud", c.file, crossings, rms)
			}
		}
	}
}

// TestDecodedNothing: sounds that are no MP3 stay as they are; broken streams are refused.
func TestDecodedNothing(t *testing.T) {
	pcm := &asset.Sound{Rate: 8000, Channels: 1, Bits: 8, PCM: []byte{1, 2, 3}}
	module := &asset.Sound{Stored: &asset.Stored{Encoding: "xm", Data: []byte("Extended Module")}}
	both := &asset.Sound{Rate: 8000, Channels: 1, Bits: 8, PCM: []byte{1, 2, 3}, Stored: &asset.Stored{Encoding: wav.EncodingMP3}}
	for _, s := range []*asset.Sound{pcm, module, both, {Rate: 8000}, nil} {
		if got, err := Decoded(s); got != s || err != nil {
			t.Errorf("%v became %v, %v", s, got, err)
		}
	}
	stream := corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3"))
	low := bytes.Clone(stream)
	for i := 0; i+4 <= len(low); i++ {
		if low[i] == 0xFF && low[i+1]&^1 == 0xE2 { // MPEG 2.5, layer 3
			low[i+2] = low[i+2]&^0x0C | 0x08
		}
	}
	for name, x := range map[string]struct {
		b    []byte
		want string
	}{
		"nothing":  {nil, "there is no frame of MPEG layer 3"},
		"noise":    {bytes.Repeat([]byte{0x55}, 1000), "there is no frame of MPEG layer 3"},
		"8,000 Hz": {low, "MPEG 2.5 of 8,000 Hz cannot be decoded"},
		"a cut":    {stream[:100], "EOF"},
	} {
		if _, err := decodedStream(x.b); schema.Class(err) == nil || err.Error() != "mp3: stream: "+x.want {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
}

func decodedStream(b []byte) (*asset.Sound, error) {
	return Decoded(&asset.Sound{Stored: &asset.Stored{Encoding: wav.EncodingMP3, Data: b}})
}

// TestDecodedPart: of a stream that ends or breaks in a frame, what is before it is kept.
func TestDecodedPart(t *testing.T) {
	stream := corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3"))
	broken := bytes.Clone(stream[:600])
	broken[259] = 0xFF // in the second frame
	for name, x := range map[string]struct {
		b    []byte
		size int
	}{"one frame": {stream[:300], 1152}, "four": {stream[:600], 4608}, "a broken one": {broken, 1152}} {
		if got, err := decodedStream(x.b); err != nil || len(got.PCM) != x.size {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestDecodedStereo: three silent frames of two channels.
func TestDecodedStereo(t *testing.T) {
	frame := append([]byte{0xFF, 0xFB, 0x90, 0}, make([]byte, 413)...)
	got, err := decodedStream(bytes.Repeat(frame, 3))
	if err != nil || got.Rate != 44100 || got.Channels != 2 || got.Bits != 16 || !bytes.Equal(got.PCM, make([]byte, 3*1152*4)) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestDecodedPanics: where the decoder gives up in a way of its own, that is an error.
func TestDecodedPanics(t *testing.T) {
	stream := corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3"))[:600]
	r := rand.New(rand.NewSource(1))
	for range 1000 {
		b := bytes.Clone(stream)
		for range 1 + r.Intn(20) {
			b[r.Intn(len(b))] = byte(r.Intn(256))
		}
		s, err := decodedStream(b)
		if err == nil && s.PCM == nil {
			t.Fatal("neither samples nor an error")
		}
		if err != nil && strings.HasPrefix(err.Error(), "mp3: stream: it cannot be decoded: ") && errors.Is(err, schema.ErrValue) {
			return
		}
	}
	t.Error("no stream was too much for the decoder")
}

// FuzzDecoded: whatever the stream, there is an error or whole samples.
func FuzzDecoded(f *testing.F) {
	for _, name := range []string{"tone11.mp3", "tone22.mp3"} {
		f.Add(corpus.Bytes(f, corpus.Testdata(f, "sounds", name)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decoded(&asset.Sound{Stored: &asset.Stored{Encoding: wav.EncodingMP3, Data: b}})
		if err == nil && len(s.PCM)%(2*s.Channels) != 0 {
			t.Errorf("%d bytes of %d channels", len(s.PCM), s.Channels)
		}
	})
}
