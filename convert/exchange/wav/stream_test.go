package wav

import (
	"bytes"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// mpeg is the header of a frame of layer 3, as the standard lays it out.
type mpeg struct {
	version      int // 3 is MPEG 1, 2 is MPEG 2, 0 is 2.5
	rate, bits   int // their indices
	padded, mono bool
	checksum     bool
}

func (m mpeg) bytes() []byte {
	b := []byte{0xFF, 0xE0 | byte(m.version<<3) | 1<<1 | 1, byte(m.bits<<4 | m.rate<<2), 0x40}
	if m.checksum {
		b[1] &^= 1
	}
	if m.padded {
		b[2] |= 2
	}
	if m.mono {
		b[3] = 0xC0
	}
	return b
}

// frame returns a frame of a size with nothing in it.
func (m mpeg) frame(size int) []byte { return append(m.bytes(), make([]byte, size-4)...) }

// TestFrames: frames are found behind a tag, are as long as the standard has it, and end where something else begins.
func TestFrames(t *testing.T) {
	cd := mpeg{version: 3, bits: 9}
	for _, c := range []struct {
		what                    string
		of                      mpeg
		size                    int
		rate, channels, samples int
	}{
		{"128 kbit/s, 44,100 Hz", cd, 417, 44100, 2, 1152},
		{"padded", mpeg{version: 3, bits: 9, padded: true}, 418, 44100, 2, 1152},
		{"the least, 48,000 Hz", mpeg{version: 3, bits: 1, rate: 1, mono: true}, 96, 48000, 1, 1152},
		{"the most, 32,000 Hz", mpeg{version: 3, bits: 14, rate: 2}, 1440, 32000, 2, 1152},
		{"MPEG 2, 22,050 Hz", mpeg{version: 2, bits: 8}, 208, 22050, 2, 576},
		{"MPEG 2, 24,000 Hz, most", mpeg{version: 2, bits: 14, rate: 1}, 480, 24000, 2, 576},
		{"MPEG 2, 16,000 Hz, least", mpeg{version: 2, bits: 1, rate: 2, mono: true}, 36, 16000, 1, 576},
		{"MPEG 2.5, 11,025 Hz", mpeg{version: 0, bits: 7, padded: true}, 366, 11025, 2, 576},
		{"MPEG 2.5, 8,000 Hz", mpeg{version: 0, bits: 3, rate: 2, mono: true}, 216, 8000, 1, 576},
	} {
		one := c.of.frame(c.size)
		two := append(slices.Clone(one), one...)
		for what, b := range map[string][]byte{
			"bare": two, "behind something": append([]byte("\xFF\x00\xFFabc"), two...), "before a tag": append(slices.Clone(two), "TAG and more than four bytes"...),
			"before frames of another rate": append(slices.Clone(two), mpeg{version: c.of.version, bits: 5, rate: (c.of.rate + 1) % 3}.frame(1500)...),
			"before a part of a frame":      append(slices.Clone(two), one[:c.size-1]...),
		} {
			x, ok := Frames(b)
			if !ok || x.Rate != c.rate || x.Channels != c.channels || x.Samples != c.samples || x.Frames != 2 || x.Silence != 0 || !bytes.Equal(x.Stream, two) {
				t.Errorf("%s, %s: %d Hz, %d channels, %d samples, %d frames, silence %d, %d bytes, want %d", c.what, what, x.Rate, x.Channels, x.Samples, x.Frames, x.Silence, len(x.Stream), len(two))
			}
		}
	}
	for what, b := range map[string][]byte{
		"nothing": nil, "three bytes": cd.bytes()[:3], "a frame cut short": cd.frame(417)[:416], "no sync": {0xFF, 0xDB, 0x90, 0x40},
		"MPEG 1.5": mpeg{version: 1, bits: 9}.frame(417), "a free rate": mpeg{version: 3}.frame(417), "no rate": mpeg{version: 3, bits: 15}.frame(417),
		"no frequency": mpeg{version: 3, bits: 9, rate: 3}.frame(417), "layer 2": append([]byte{0xFF, 0xFD}, cd.frame(417)[2:]...), "layer 1": append([]byte{0xFF, 0xFF}, cd.frame(417)[2:]...),
	} {
		if x, ok := Frames(b); ok {
			t.Errorf("%s: %+v", what, x)
		}
		if _, _, _, ok := MPEG1Like(b); ok && what != "a frame cut short" {
			t.Errorf("%s is MPEG", what)
		}
	}
}

// TestFramesBehindTag: the tag of titles in front is as long as its four times seven bits say.
func TestFramesBehindTag(t *testing.T) {
	one := mpeg{version: 3, bits: 9}.frame(417)
	for _, c := range []struct {
		size string
		long int
	}{
		{"\x00\x00\x00\x00", 0}, {"\x00\x00\x00\x7F", 127}, {"\x00\x00\x01\x10", 144}, {"\x00\x01\x02\x03", 1<<14 + 2<<7 + 3}, {"\x01\x00\x00\x05", 1<<21 + 5},
		{"\x80\x80\x81\x90", 144},
	} {
		tag := append([]byte("ID3\x04\x00\x00"+c.size), make([]byte, c.long)...)
		if c.long > 20 {
			copy(tag[len(tag)-12:], mpeg{version: 2, bits: 8}.bytes()) // of the tag's picture, say
		}
		if x, ok := Frames(append(tag, one...)); !ok || x.Frames != 1 || x.Rate != 44100 || !bytes.Equal(x.Stream, one) {
			t.Errorf("a tag of %d bytes: %d frames, %d Hz, %t", c.long, x.Frames, x.Rate, ok)
		}
	}
	if x, ok := Frames([]byte("ID3\x04\x00\x00\x00\x00\x7F\x7F" + "short")); ok {
		t.Errorf("a tag longer than the file: %+v", x)
	}
}

// TestFramesSilence: a first frame that only describes the others is none of them, and says how much silence there is.
func TestFramesSilence(t *testing.T) {
	tag := func(name string, flags byte, encoder string) []byte {
		b := append([]byte(name), 0, 0, 0, flags)
		for bit, size := range []int{4, 4, 100, 4} {
			if flags>>bit&1 != 0 {
				b = append(b, bytes.Repeat([]byte{0xAA}, size)...)
			}
		}
		return append(append(b, encoder...), append(make([]byte, 17), 0x24, 0x14, 0x51, 0)...) // 577 = 0x241 and 1105 = 0x451
	}
	for _, c := range []struct {
		what    string
		of      mpeg
		at      int
		tag     []byte
		silence int
		frames  int
	}{
		{"MPEG 1, stereo", mpeg{version: 3, bits: 9}, 36, tag("Xing", 15, "LAME"), 1682, 1},
		{"MPEG 1, mono", mpeg{version: 3, bits: 9, mono: true}, 21, tag("Info", 15, "Lavc"), 1682, 1},
		{"MPEG 2, stereo", mpeg{version: 2, bits: 12}, 21, tag("Info", 11, "Lavf"), 1682, 1},
		{"MPEG 2, mono", mpeg{version: 2, bits: 12, mono: true}, 13, tag("Xing", 4, "LAME"), 1682, 1},
		{"no table", mpeg{version: 3, bits: 9}, 36, tag("Info", 1, "LAME"), 1682, 1},
		{"nothing but a name", mpeg{version: 3, bits: 9}, 36, tag("Info", 0, "LAME"), 1682, 1},
		{"of another encoder", mpeg{version: 3, bits: 9}, 36, tag("Xing", 15, "Gogo"), 0, 1},
		{"elsewhere", mpeg{version: 3, bits: 9}, 21, tag("Xing", 15, "LAME"), 0, 2},
		{"of another name", mpeg{version: 3, bits: 9}, 36, tag("VBRI", 15, "LAME"), 0, 2},
	} {
		h, _ := headerAt(c.of.bytes(), 0)
		plain := c.of.frame(h.frameSize())
		first := slices.Clone(plain)
		copy(first[c.at:], c.tag)
		x, ok := Frames(append(first, plain...))
		if !ok || x.Frames != c.frames || x.Silence != c.silence || len(x.Stream) != c.frames*len(plain) {
			t.Errorf("%s: %d frames, silence %d, %d bytes", c.what, x.Frames, x.Silence, len(x.Stream))
		}
		if x, ok := Frames(first); c.frames == 1 && ok {
			t.Errorf("%s: nothing but the description: %+v", c.what, x)
		}
	}
}

// part is what a frame of MPEG 2 holds: how many bytes before it are its own, and how many bits each channel has.
type part struct {
	need   int
	bits   []int
	filler byte
}

// side makes the side information: the bits of a channel are the first of its 63.
func (p part) side(mono bool) []byte {
	size, private := 17, 2
	if mono {
		size, private = 9, 1
	}
	b := make([]byte, size)
	b[0] = byte(p.need)
	for ch, n := range p.bits {
		for k := range 12 {
			at := 8 + private + 63*ch + k
			b[at/8] |= byte(n>>(11-k)&1) << (7 - at%8)
		}
	}
	return b
}

// TestDressed: each frame gets all of its bits, those that stood in earlier ones too, and the least bit rate with room for them.
func TestDressed(t *testing.T) {
	for _, c := range []struct {
		what  string
		of    mpeg
		as    mpeg // in what it is, but for the bit rate
		parts []part
		bits  []int // the indices of the bit rates
		main  []int // bytes that belong to the frames
	}{
		{"mono, 24 bytes a frame", mpeg{version: 2, bits: 1, rate: 1, mono: true}, mpeg{version: 2, rate: 1, mono: true},
			[]part{{0, []int{40}, 'a'}, {6, []int{96}, 'b'}, {3, []int{9}, 'c'}, {0, []int{81}, 'd'}, {12, []int{0}, 'e'}}, []int{1, 2, 1, 1, 1}, []int{5, 12, 2, 11, 0}},
		{"more than there is is silence", mpeg{version: 2, bits: 1, rate: 1, mono: true}, mpeg{version: 2, rate: 1, mono: true},
			[]part{{1, []int{8}, 'a'}, {0, []int{89}, 'b'}, {23, []int{8}, 'c'}, {22, []int{33 * 8}, 'd'}}, []int{1, 1, 1, 2}, []int{-1, -1, -1, 33}},
		{"stereo, with a checksum", mpeg{version: 2, bits: 4, rate: 2, checksum: true}, mpeg{version: 2, rate: 2},
			[]part{{0, []int{100, 200}, 'a'}, {100, []int{1000, 608}, 'b'}}, []int{2, 7}, []int{38, 201}},
		{"MPEG 2.5 of 12,000 Hz", mpeg{version: 0, bits: 2, rate: 1, padded: true}, mpeg{version: 2, rate: 2},
			[]part{{0, []int{8, 8}, 'a'}, {50, []int{400, 120}, 'b'}}, []int{1, 3}, []int{2, 65}},
	} {
		header, _ := headerAt(c.of.bytes(), 0)
		head := 4
		if c.of.checksum {
			head = 6
		}
		var stream, all, want []byte
		for i, p := range c.parts {
			side := p.side(c.of.mono)
			f := append(append(c.of.bytes(), make([]byte, head-4)...), side...)
			before := len(all)
			for k := len(f); k < header.size(); k++ {
				all = append(all, p.filler+byte(k%16)<<3)
			}
			stream = append(append(stream, f...), all[before:]...)

			as := c.as
			as.bits = c.bits[i]
			out, _ := headerAt(as.bytes(), 0)
			w := as.bytes()
			if c.main[i] < 0 {
				w = append(w, make([]byte, len(side))...)
			} else {
				side[0] = 0
				w = append(append(w, side...), all[before-p.need:][:c.main[i]]...)
			}
			want = append(append(want, w...), make([]byte, out.size()-len(w))...)
		}
		got, rate, channels, ok := MPEG1Like(append([]byte("tag"), stream...))
		if !ok || rate != header.rate() || channels != header.channels() || !bytes.Equal(got, want) {
			t.Errorf("%s: %d Hz, %d channels, %t\n% x, want\n% x", c.what, rate, channels, ok, got, want)
		}
	}
}

// TestDressedReservoir: no frame reaches back further than 255 bytes, and that far.
func TestDressedReservoir(t *testing.T) {
	m := mpeg{version: 2, bits: 8, rate: 1, mono: true} // 192 bytes, 179 of data
	var stream []byte
	for i, p := range []part{{0, []int{8}, 0}, {0, []int{8}, 0}, {255, []int{255 * 8}, 0}} {
		data := bytes.Repeat([]byte{byte(i + 1)}, 179)
		data[0] = 0x80
		stream = append(append(append(stream, m.bytes()...), p.side(true)...), data...)
	}
	got, _, _, _ := MPEG1Like(stream)
	last := got[2*24+13:]
	if want := append(bytes.Repeat([]byte{1}, 76), append([]byte{0x80}, bytes.Repeat([]byte{2}, 178)...)...); !bytes.HasPrefix(last, want) {
		t.Errorf("% x", last)
	}
	if b := (mpeg{version: 3, bits: 9}).frame(417); !bytes.Equal(first(MPEG1Like(b)), b) {
		t.Error("MPEG 1 changed")
	}
	if b := (mpeg{version: 0, bits: 9, rate: 2}).frame(720); !bytes.Equal(first(MPEG1Like(b)), b) {
		t.Error("8,000 Hz changed")
	}
}

func first(b []byte, _, _ int, _ bool) []byte { return b }

// TestStream: a stream is the data of a WAV file that says so, or the whole of a bare one.
func TestStream(t *testing.T) {
	const form, pcm = "\x55\x00\x01\x00\x44\xAC\x00\x00\x80\x3E\x00\x00\x01\x00\x00\x00", "\x01\x00\x01\x00\x44\xAC\x00\x00\x44\xAC\x00\x00\x01\x00\x08\x00"
	for _, c := range []struct {
		what   string
		stored *asset.Stored
		stream string
		ok     bool
	}{
		{"nothing stored", nil, "", false},
		{"bare", &asset.Stored{Encoding: EncodingMP3, Data: []byte("frames")}, "frames", true},
		{"of another kind", &asset.Stored{Encoding: "ogg", Data: []byte("frames")}, "", false},
		{"in a WAV file", &asset.Stored{Encoding: Encoding, Data: build(t, chunk("fmt ", form), chunk("data", "frames"))}, "frames", true},
		{"PCM", &asset.Stored{Encoding: Encoding, Data: build(t, chunk("fmt ", pcm), chunk("data", "frames"))}, "", false},
		{"no format", &asset.Stored{Encoding: Encoding, Data: build(t, chunk("data", "frames"))}, "", false},
		{"a short format", &asset.Stored{Encoding: Encoding, Data: build(t, chunk("fmt ", form[:8]), chunk("data", "frames"))}, "", false},
		{"no data", &asset.Stored{Encoding: Encoding, Data: build(t, chunk("fmt ", form))}, "", false},
		{"no WAV file", &asset.Stored{Encoding: Encoding, Data: []byte("RIFF")}, "", false},
	} {
		got, ok := Stream(&asset.Sound{Stored: c.stored})
		if ok != c.ok || ok && string(got) != c.stream {
			t.Errorf("%s: %q, %t", c.what, got, ok)
		}
		name := CodecName(&asset.Sound{Stored: c.stored})
		if want := map[string]string{"in a WAV file": "MP3", "PCM": "PCM"}[c.what]; name != want {
			t.Errorf("%s: codec %q, want %q", c.what, name, want)
		}
	}
	if _, ok := Stream(nil); ok {
		t.Error("no sound has a stream")
	}
	vox := build(t, chunk("fmt ", "\x0A\x01"+form[2:]), chunk("data", "x"))
	for _, c := range []struct {
		s    *asset.Sound
		name string
	}{
		{nil, ""}, {&asset.Sound{Stored: &asset.Stored{Encoding: Encoding, Data: vox}}, "codec 0x010A"},
		{&asset.Sound{PCM: []byte{1}, Stored: &asset.Stored{Encoding: Encoding, Data: vox}}, ""}, {&asset.Sound{Stored: &asset.Stored{Encoding: "x", Data: vox}}, ""},
	} {
		if got := CodecName(c.s); got != c.name {
			t.Errorf("codec %q, want %q", got, c.name)
		}
	}
}
