package wav

import "encoding/binary"

// MP3Frames describes a bare MP3 stream.
type MP3Frames struct {
	Rate, Channels int
	Samples        int    // samples of one channel in a frame
	Frames         int    // number of frames with sound
	Silence        int    // samples that the encoder added before and after the sound; 0 if the stream does not say
	Stream         []byte // whole frames with sound, without tags
}

// topRates are the bit rates of MPEG 1, in kilobits a second, by their index.
var topRates = [15]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}

// Frames finds the frames of an MP3 stream and skips tags before and after them. ok is false if there are no frames.
func Frames(b []byte) (x MP3Frames, ok bool) {
	if len(b) >= 10 && string(b[:3]) == "ID3" { // its size has seven bits a byte
		size := 10 + (int(b[6]&127)<<21 | int(b[7]&127)<<14 | int(b[8]&127)<<7 | int(b[9]&127))
		b = b[min(size, len(b)):]
	}
	for i := 0; i+4 <= len(b); {
		h, good := headerAt(b, i)
		if good && ok && (h.rate() != x.Rate || h.version() != int(x.version())) {
			good = false
		}
		if !good {
			if ok {
				break // a tag behind the frames
			}
			i++
			continue
		}
		size := h.frameSize()
		if size < 4 || i+size > len(b) {
			break
		}
		if !ok {
			x.Rate, x.Channels, x.Samples, ok = h.rate(), h.channels(), h.samples(), true
			if silence, describes := lameTag(b[i:i+size], h); describes {
				x.Silence = silence
				i += size
				continue
			}
		}
		x.Frames++
		x.Stream = append(x.Stream, b[i:i+size]...)
		i += size
	}
	return x, ok && x.Frames > 0
}

// version is that of the frames, as their headers have it.
func (x *MP3Frames) version() int {
	switch {
	case x.Rate < 16000:
		return 0
	case x.Rate < 32000:
		return 2
	}
	return 3
}

func (h frameHeader) samples() int {
	if h.version() == 3 {
		return 1152
	}
	return 576
}

// frameSize returns the bytes of a frame of any version.
func (h frameHeader) frameSize() int {
	if h.version() == 3 {
		return 144000*topRates[h>>12&15]/h.rate() + int(h>>9&1)
	}
	return h.size()
}

// lameTag reports whether a frame only describes the others, and how many samples of silence it tells of.
func lameTag(frame []byte, h frameHeader) (silence int, ok bool) {
	side := 17
	switch {
	case h.version() == 3 && h.channels() == 2:
		side = 32
	case h.version() != 3 && h.channels() == 1:
		side = 9
	}
	at := 4 + side
	if len(frame) < at+8 || string(frame[at:at+4]) != "Xing" && string(frame[at:at+4]) != "Info" {
		return 0, false
	}
	flags := binary.BigEndian.Uint32(frame[at+4:])
	at += 8
	for bit, size := range [...]int{4, 4, 100, 4} {
		if flags>>bit&1 != 0 {
			at += size
		}
	}
	if len(frame) >= at+24 && (string(frame[at:at+4]) == "LAME" || string(frame[at:at+4]) == "Lavc" || string(frame[at:at+4]) == "Lavf") {
		silence = int(frame[at+21])<<4 + int(frame[at+22])>>4 + int(frame[at+22]&15)<<8 + int(frame[at+23])
	}
	return silence, true
}
