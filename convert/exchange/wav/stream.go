package wav

import (
	"bytes"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
)

// EncodingMP3 is the Stored.Encoding of a bare MP3 stream.
const EncodingMP3 = "mp3"

// Stream returns the MP3 stream of a sound that is stored as MP3, bare or in a WAV file; ok is false for other sounds.
func Stream(s *asset.Sound) (stream []byte, ok bool) {
	if s == nil || s.Stored == nil {
		return nil, false
	}
	switch s.Stored.Encoding {
	case EncodingMP3:
		return s.Stored.Data, true
	case Encoding:
		r, err := read.RIFF(s.Stored.Data, nil)
		if err != nil {
			return nil, false
		}
		format, data := r.Find("fmt"), r.Find("data")
		if format == nil || data == nil {
			return nil, false
		}
		f, err := read.WaveFormat(format.Data)
		return data.Data, err == nil && f.Codec() == media.WaveMP3
	}
	return nil, false
}

// MPEG1Like returns an MP3 stream in a form that simple decoders can read, with its rate and its number of channels. MPEG 1
// streams are returned unchanged. In streams of lower rates, each frame gets all of its own bits, so that no frame depends
// on an earlier one. ok is false if there is no frame.
func MPEG1Like(stream []byte) (plain []byte, rate, channels int, ok bool) {
	h, ok := firstFrame(stream)
	if !ok {
		return nil, 0, 0, false
	}
	if h.version() != 3 && h.rate() != 8000 {
		stream = dressed(stream)
	}
	return stream, h.rate(), h.channels(), true
}

// frameHeader is the first four bytes of an MPEG frame, the first one highest.
type frameHeader uint32

func (h frameHeader) version() int { return int(h>>19) & 3 } // 0 is 2.5, 2 is 2, 3 is 1
func (h frameHeader) rate() int {
	return [3]int{44100, 48000, 32000}[h>>10&3] >> [4]int{2, 0, 1, 0}[h.version()]
}

func (h frameHeader) channels() int {
	if h>>6&3 == 3 {
		return 1
	}
	return 2
}

// lowRates are the bit rates of MPEG 2 and 2.5, in kilobits a second, by their index.
var lowRates = [15]int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}

// size returns the bytes of a frame of MPEG 2 or 2.5.
func (h frameHeader) size() int { return 72000*lowRates[h>>12&15]/h.rate() + int(h>>9&1) }

// headerAt reads a header of layer 3 of any version.
func headerAt(b []byte, i int) (frameHeader, bool) {
	if len(b)-i < 4 {
		return 0, false
	}
	h := frameHeader(b[i])<<24 | frameHeader(b[i+1])<<16 | frameHeader(b[i+2])<<8 | frameHeader(b[i+3])
	ok := h>>21 == 0x7FF && h>>17&3 == 1 && h.version() != 1 && h>>12&15 != 0 && h>>12&15 != 15 && h>>10&3 != 3
	return h, ok
}

func firstFrame(b []byte) (frameHeader, bool) {
	for i := range b {
		if b[i] == 0xFF {
			if h, ok := headerAt(b, i); ok {
				return h, true
			}
		}
	}
	return 0, false
}

// dressed makes a stream of MPEG 2 and 2.5 one that the library can decode: it loses its way where a frame of MPEG 2 has
// bits in earlier ones, and does not know 2.5. So each frame gets all of its bits, and a bit rate that has room for them.
// Of 11,025 and 12,000 Hz, 2.5 differs from MPEG 2 at 16,000 Hz in nothing but the header: the bands are the same.
func dressed(b []byte) []byte {
	var out, reservoir []byte
	for i := 0; i+4 <= len(b); {
		h, ok := headerAt(b, i)
		if !ok || h.version() == 3 {
			i++
			continue
		}
		size := h.size()
		head, side := 4, 17
		if h.channels() == 1 {
			side = 9
		}
		if h>>16&1 == 0 {
			head = 6 // with a checksum
		}
		if size < head+side || i+size > len(b) {
			break
		}
		info, data := bytes.Clone(b[i+head:i+head+side]), b[i+head+side:i+size]
		i += size
		out = appendFrame(out, h, info, reservoir, data)
		reservoir = append(reservoir, data...)
		reservoir = reservoir[max(0, len(reservoir)-255):]
	}
	return out
}

// appendFrame appends a frame with all of its bits: the last ones of the reservoir that its side information asks for,
// and its data. A frame that lacks some becomes silence.
func appendFrame(out []byte, h frameHeader, info, reservoir, data []byte) []byte {
	need := int(info[0]) // bytes of the reservoir
	bits := 0
	for ch := range h.channels() {
		at := 8 + h.channels() + 63*ch // after the start of the data and the private bits
		bits += bitsAt(info, at, 12)
	}
	main := (bits + 7) / 8
	if need > len(reservoir) || main > need+len(data) {
		clear(info)
		main, need = 0, 0
	}
	info[0] = 0
	if h.version() == 0 {
		h = h&^(3<<19|3<<10) | 2<<19 | 2<<10 // MPEG 2 at 16,000 Hz
	}
	for index := 1; index < len(lowRates); index++ {
		h = h&^(15<<12|1<<9) | frameHeader(index)<<12 | 1<<16 // no padding, no checksum
		if h.size() < 4+len(info)+main {
			continue
		}
		start := len(out)
		out = append(out, byte(h>>24), byte(h>>16), byte(h>>8), byte(h))
		out = append(out, info...)
		out = append(out, reservoir[len(reservoir)-need:][:min(need, main)]...)
		out = append(out, data[:max(0, main-need)]...)
		return append(out, make([]byte, h.size()-(len(out)-start))...)
	}
	return out
}

func bitsAt(b []byte, at, n int) (v int) {
	for k := at; k < at+n; k++ {
		v = v<<1 | int(b[k/8]>>(7-k%8)&1)
	}
	return v
}
