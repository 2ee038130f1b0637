package wav

import (
	"encoding/binary"
	"fmt"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// Sound editors save WAV files in a few codecs that are simple to decode: G.711 (A-law and μ-law) and the two kinds of
// ADPCM, of Microsoft and of the IMA.

// codecNames are what the codecs of WAV files are called.
var codecNames = map[uint16]string{
	media.WavePCM: "PCM", media.WaveFloat: "float", media.WaveMSADPCM: "MS ADPCM", media.WaveIMAADPCM: "IMA ADPCM", media.WaveALaw: "A-law",
	media.WaveMuLaw: "μ-law", media.WaveGSM: "GSM 6.10", media.WaveMPEG: "MPEG audio", media.WaveMP3: "MP3",
}

// CodecName returns the name of the codec if a sound has no samples and is stored as a WAV file. It is empty for other
// sounds.
func CodecName(s *asset.Sound) string {
	_, format, _, ok := coded(s)
	if !ok {
		return ""
	}
	if n := codecNames[format.Codec()]; n != "" {
		return n
	}
	return fmt.Sprintf("codec 0x%04X", format.Codec())
}

// coded returns what a sound without samples is stored as, where that is a WAV file.
func coded(s *asset.Sound) (r *media.RIFF, format *media.WaveFormat, data []byte, ok bool) {
	if s == nil || len(s.PCM) > 0 || s.Stored == nil || s.Stored.Encoding != Encoding {
		return nil, nil, nil, false
	}
	r, err := read.RIFF(s.Stored.Data, nil)
	if err != nil {
		return nil, nil, nil, false
	}
	head, body := r.Find("fmt"), r.Find("data")
	if head == nil || body == nil {
		return nil, nil, nil, false
	}
	format, err = read.WaveFormat(head.Data)
	return r, format, body.Data, err == nil
}

// Decoded returns a sound as 16-bit samples with its loops and positions, if its stored form is a WAV file of G.711 or
// ADPCM. Any other sound is returned unchanged. It fails with ErrValue if the header of the WAV file is invalid.
func Decoded(s *asset.Sound) (*asset.Sound, error) {
	r, f, data, ok := coded(s)
	if !ok {
		return s, nil
	}
	decode := map[uint16]func([]byte, *media.WaveFormat) ([]int16, error){
		media.WaveALaw: aLaw, media.WaveMuLaw: muLaw, media.WaveIMAADPCM: imaADPCM, media.WaveMSADPCM: msADPCM,
	}[f.Codec()]
	if decode == nil {
		return s, nil
	}
	if f.Channels == 0 || f.Rate == 0 {
		return nil, schema.Errorf(name, schema.ErrValue, "fmt", "%d channels, %d frames a second", f.Channels, f.Rate)
	}
	samples, err := decode(data, f)
	if err != nil {
		return nil, err
	}
	if fact := r.Find("fact"); fact != nil && len(fact.Data) >= 4 { // the last block is filled up
		if n := uint64(binary.LittleEndian.Uint32(fact.Data)) * uint64(f.Channels); n > 0 && n < uint64(len(samples)) {
			samples = samples[:n]
		}
	}
	out := *s
	out.Rate, out.Channels, out.Bits, out.Stored = int(f.Rate), int(f.Channels), 16, nil
	out.PCM = make([]byte, 0, 2*len(samples))
	for _, x := range samples {
		out.PCM = binary.LittleEndian.AppendUint16(out.PCM, uint16(x))
	}
	extras(&out, r)
	return &out, nil
}

// aLaw expands G.711 A-law: a sign, an exponent and four bits, with every other bit inverted.
func aLaw(b []byte, _ *media.WaveFormat) ([]int16, error) {
	return expanded(b, func(c byte) int {
		c ^= 0x55
		x := int(c&0x0F)<<4 + 8
		if e := c >> 4 & 7; e > 0 {
			x = (x + 0x100) << (e - 1)
		}
		if c&0x80 == 0 {
			return -x
		}
		return x
	}), nil
}

// muLaw expands G.711 μ-law: a sign, an exponent and four bits, all of them inverted.
func muLaw(b []byte, _ *media.WaveFormat) ([]int16, error) {
	const bias = 0x84
	return expanded(b, func(c byte) int {
		c = ^c
		x := (int(c&0x0F)<<3+bias)<<(c>>4&7) - bias
		if c&0x80 != 0 {
			return -x
		}
		return x
	}), nil
}

func expanded(b []byte, of func(byte) int) []int16 {
	var table [256]int16
	for i := range table {
		table[i] = int16(of(byte(i)))
	}
	out := make([]int16, len(b))
	for i, c := range b {
		out[i] = table[c]
	}
	return out
}

// blocksOf returns the size of a block in bytes, and of its header, which has headerSize bytes a channel.
func blocksOf(f *media.WaveFormat, headerSize int) (size, header int, err error) {
	size, header = int(f.BlockAlign), headerSize*int(f.Channels)
	if f.Channels > 2 || size <= header {
		return 0, 0, schema.Errorf(name, schema.ErrValue, "fmt", "blocks of %d bytes for %d channels of %s", size, f.Channels, codecNames[f.Codec()])
	}
	return size, header, nil
}

// clamp16 returns the nearest 16-bit sample.
func clamp16(x int) int { return max(-32768, min(32767, x)) }

// imaSteps are the quantiser's steps, and imaMoves by how many a code moves on.
var (
	imaSteps = [89]int{
		7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130, 143, 157,
		173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707,
		1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635,
		13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
	}
	imaMoves = [8]int{-1, -1, -1, -1, 2, 4, 6, 8}
)

// imaADPCM decodes blocks that begin with a sample and a step for each channel; then each channel has four bytes, eight
// codes from the low bits on, in turn.
func imaADPCM(b []byte, f *media.WaveFormat) ([]int16, error) {
	size, header, err := blocksOf(f, 4)
	if err != nil {
		return nil, err
	}
	channels := int(f.Channels)
	var out []int16
	for ; len(b) > header; b = b[min(size, len(b)):] {
		block := b[:min(size, len(b))]
		groups := (len(block) - header) / (4 * channels)
		first := len(out)
		out = append(out, make([]int16, channels*(1+8*groups))...)
		for c := range channels {
			x, step := int(int16(binary.LittleEndian.Uint16(block[4*c:]))), min(int(block[4*c+2]), len(imaSteps)-1)
			out[first+c] = int16(x)
			for n := range 8 * groups {
				code := int(block[header+(n/8*channels+c)*4+n%8/2]) >> (n % 2 * 4) & 15
				s := imaSteps[step]
				move := s >> 3
				for bit := range 3 {
					if code>>(2-bit)&1 != 0 {
						move += s >> bit
					}
				}
				if code&8 != 0 {
					move = -move
				}
				x = clamp16(x + move)
				step = max(0, min(len(imaSteps)-1, step+imaMoves[code&7]))
				out[first+(n+1)*channels+c] = int16(x)
			}
		}
	}
	return out, nil
}

// msScales are by what a code of MS ADPCM multiplies the step, in 256ths, and msCoefficients the seven standard pairs that
// predict a sample from the two before it, in 256ths.
var (
	msScales       = [16]int{230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230}
	msCoefficients = [][2]int{{256, 0}, {512, -256}, {0, 0}, {192, 64}, {240, 0}, {460, -208}, {392, -232}}
)

// msADPCM decodes blocks that begin with a predictor, a step and two samples for each channel; codes follow from the high
// bits on, the channels in turn.
func msADPCM(b []byte, f *media.WaveFormat) ([]int16, error) {
	size, header, err := blocksOf(f, 7)
	if err != nil {
		return nil, err
	}
	coefficients := msCoefficients
	if e := f.Extension; len(e) >= 6 { // its size, samples of a block, the number of pairs, the pairs
		if n := int(binary.LittleEndian.Uint16(e[4:])); n > 0 && 6+4*n <= len(e) {
			coefficients = make([][2]int, n)
			for i := range coefficients {
				for k := range 2 {
					coefficients[i][k] = int(int16(binary.LittleEndian.Uint16(e[6+4*i+2*k:])))
				}
			}
		}
	}
	channels := int(f.Channels)
	var out []int16
	for ; len(b) >= header; b = b[min(size, len(b)):] {
		block := b[:min(size, len(b))]
		word := func(i, c int) int { return int(int16(binary.LittleEndian.Uint16(block[channels+2*(i*channels+c):]))) }
		var pair [2][2]int
		var step, last, before [2]int
		for c := range channels {
			if k := int(block[c]); k >= len(coefficients) {
				return nil, schema.Errorf(name, schema.ErrValue, "data", "predictor %d of %d", k, len(coefficients))
			} else {
				pair[c] = coefficients[k]
			}
			step[c], last[c], before[c] = word(0, c), word(1, c), word(2, c)
		}
		for c := range channels {
			out = append(out, int16(before[c]))
		}
		for c := range channels {
			out = append(out, int16(last[c]))
		}
		for n := range 2 * (len(block) - header) {
			c := n % channels
			code := int(block[header+n/2]) >> (4 - n%2*4) & 15
			x := (last[c]*pair[c][0] + before[c]*pair[c][1]) >> 8
			x = clamp16(x + (code^8-8)*step[c])
			before[c], last[c] = last[c], x
			step[c] = min(max(16, msScales[code]*step[c]>>8), 1<<24) // no step of an honest file comes near
			out = append(out, int16(x))
		}
	}
	return out, nil
}
