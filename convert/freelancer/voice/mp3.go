package voice

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os/exec"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// The form of the game's own lines (reference section 19.4): 22,050 Hz, mono, 32,000 bits a second, and as many samples
// to skip at the start as encoder and decoder together are late.
const (
	voiceRate    = 22050
	voiceBits    = 32
	voiceTrim    = 1209
	lowVoiceRate = 11025
	lowVoiceTrim = 1235
	codecDelay   = 1393 // as all lines have it in their format
	lameDelay    = 1105 // of LAME's encoder and a usual decoder together
)

// WrapMP3 returns an MP3 stream as the WAV file of a line. samples is the length of the line after the trim; 0 takes it
// from the stream.
func WrapMP3(stream []byte, samples int, d *schema.Diagnostics) (*freelancer.Wave, error) {
	x, ok := wav.Frames(stream)
	if !ok {
		return nil, schema.Errorf(waveFormat, schema.ErrValue, "stream", "there is no frame of MPEG layer 3")
	}
	if x.Channels != 1 || x.Rate != voiceRate && x.Rate != lowVoiceRate {
		d.Warnf("voice-form", "", "the line has %d channels at %d Hz; the game's own are mono, of 22,050 or 11,025 Hz", x.Channels, x.Rate)
	}
	trim := voiceTrim
	if x.Rate == lowVoiceRate {
		trim = lowVoiceTrim
	}
	length := x.Frames * x.Samples
	if samples == 0 {
		samples = length - x.Silence
		if x.Silence == 0 {
			samples = length - 3*x.Samples // as the game's own have two to four frames to spare
		}
	}
	samples = max(0, min(samples, length-trim))
	le := binary.LittleEndian
	rate := uint32(math.Round(float64(len(x.Stream)) * float64(x.Rate) / float64(max(length, 1))))
	for _, usual := range [...]uint32{2500, 4000} { // a frame more or less is no other rate
		if math.Abs(float64(rate)-float64(usual)) < 0.02*float64(usual) {
			rate = usual
		}
	}
	format := le.AppendUint16(le.AppendUint16(nil, freelancer.WaveMP3), uint16(x.Channels))
	format = le.AppendUint32(le.AppendUint32(format, uint32(x.Rate)), rate)
	for _, v := range [...]uint16{2, 0, 12, 1, 2, 0, 1, 1, codecDelay} { // block align, bits, and what belongs to MP3
		format = le.AppendUint16(format, v)
	}
	return &freelancer.Wave{
		Codec: freelancer.WaveMP3, Channels: uint16(x.Channels), Rate: uint32(x.Rate), ByteRate: rate, BlockAlign: 2, Extra: format[16:],
		Chunks: []freelancer.WaveChunk{
			{ID: "fmt ", Data: format}, {ID: "fact", Data: le.AppendUint32(nil, uint32(samples))},
			{ID: "trim", Data: le.AppendUint32(nil, uint32(trim))}, {ID: "data", Data: x.Stream},
		},
	}, nil
}

const waveFormat = "flvoice"

// EncodeMP3 encodes a line with an MP3 encoder installed on this machine.
func EncodeMP3(s *asset.Sound, d *schema.Diagnostics) (*freelancer.Wave, error) {
	padded, samples := paddedLine(s)
	var in bytes.Buffer
	if err := wav.Encode(&in, padded); err != nil {
		return nil, err
	}
	program, stream, err := runEncoder(in.Bytes())
	if err != nil {
		return nil, err
	}
	d.Notef("voice-encoded", "", "encoded by %s: %d Hz, mono, %d kbit/s", program, voiceRate, voiceBits)
	return WrapMP3(stream, samples, d)
}

// paddedLine returns a sound with silence before it, so that the usual trim fits, and behind it, so that its last samples
// come out of the decoder; and how many samples it has at the rate of the game's lines.
func paddedLine(s *asset.Sound) (padded *asset.Sound, samples int) {
	plain := *s
	plain.Stored, plain.Native = nil, nil
	frame := s.Channels * s.Bits / 8
	at := func(n int) int { return (n*s.Rate + voiceRate/2) / voiceRate * frame }
	silence := byte(0)
	if s.Bits == 8 {
		silence = 128
	}
	plain.PCM = bytes.Repeat([]byte{silence}, at(voiceTrim-lameDelay))
	plain.PCM = append(plain.PCM, s.PCM...)
	plain.PCM = append(plain.PCM, bytes.Repeat([]byte{silence}, at(voiceTrim+576))...)
	return &plain, int(math.Round(float64(s.Frames()) * voiceRate / float64(s.Rate)))
}

// encoders are the programs that make MP3, the better one first. They read a WAV file and write a bare stream: no tags,
// no frame that only describes the others.
var encoders = []struct {
	name string
	args string
}{
	{"lame", fmt.Sprintf("--quiet -m m --resample 22.05 -b %d --cbr -t --noreplaygain - -", voiceBits)},
	{"ffmpeg", fmt.Sprintf("-v error -f wav -i - -ac 1 -ar %d -codec:a libmp3lame -b:a %dk -write_xing 0 -id3v2_version 0 -map_metadata -1 -f mp3 -", voiceRate, voiceBits)},
}

func runEncoder(file []byte) (program string, stream []byte, err error) {
	for _, e := range encoders {
		path, lost := exec.LookPath(e.name)
		if lost != nil {
			continue
		}
		cmd := exec.Command(path, strings.Fields(e.args)...)
		var out, complaint bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(file), &out, &complaint
		if err := cmd.Run(); err != nil {
			text, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
			return path, nil, schema.Errorf(waveFormat, schema.ErrUnsupported, "encoding", "%s failed: %v %s", path, err, text)
		}
		return path, out.Bytes(), nil
	}
	return "", nil, schema.Errorf(waveFormat, schema.ErrUnsupported, "encoding", "MP3 is encoded by another program, and neither lame nor ffmpeg is installed: install one of them, or lay .mp3 files there")
}
