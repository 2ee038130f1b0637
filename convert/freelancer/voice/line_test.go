package voice

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// frames returns a stream of frames with that header and nothing in them.
func frames(n int, header string, size int) []byte {
	return bytes.Repeat(append([]byte(header), make([]byte, size-4)...), n)
}

// TestWrapped: what the WAV file around a stream says of it: its rate in bytes, as the game has it where it is nearly that,
// and how many samples are heard.
func TestWrapped(t *testing.T) {
	const (
		usual  = "\xff\xf3\x40\xc0" // 22,050 Hz, mono, 32,000 bits a second: 104 bytes a frame of 576 samples
		richer = "\xff\xf3\x50\xc0" // 40,000 bits: 130 bytes
		low    = "\xff\xe3\x20\xc0" // 11,025 Hz, 16,000 bits: 104 bytes
		stereo = "\xff\xf3\x40\x00"
		high   = "\xff\xfb\x90\xc0" // 44,100 Hz, 128,000 bits: 417 bytes of 1,152 samples
	)
	for _, c := range []struct {
		name    string
		stream  []byte
		samples int
		want    string // channels, rate, bytes a second, samples, trim
		told    bool
	}{
		{"usual", frames(20, usual, 104), 0, "1 22050 4000 9792 1209", false},
		{"of a known length", frames(20, usual, 104), 5000, "1 22050 4000 5000 1209", false},
		{"as long as it can be", frames(20, usual, 104), 99999, "1 22050 4000 10311 1209", false},
		{"a sample", frames(20, usual, 104), 1, "1 22050 4000 1 1209", false},
		{"of three frames", frames(3, usual, 104), 0, "1 22050 4000 0 1209", false},
		{"of two frames", frames(2, usual, 104), 700, "1 22050 4000 0 1209", false},
		{"told by LAME", corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone22.mp3")), 0, "1 22050 4000 22050 1209", false},
		{"low, told by LAME", corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3")), 0, "1 11025 2000 11025 1235", false},
		{"low, of frames of two sizes", bytes.Repeat(append(frames(1, low, 104), frames(1, "\xff\xe3\x30\xc0", 156)...), 10), 0, "1 11025 2500 9792 1235", false},
		{"richer", frames(20, richer, 130), 0, "1 22050 4977 9792 1209", false},
		{"low", frames(20, low, 104), 0, "1 11025 1991 9792 1235", false},
		{"low and long", frames(20, low, 104), 99999, "1 11025 1991 10285 1235", false},
		{"stereo", frames(20, stereo, 104), 0, "2 22050 4000 9792 1209", true},
		{"high", frames(20, high, 417), 0, "1 44100 15963 19584 1209", true},
	} {
		var d schema.Diagnostics
		w, err := WrapMP3(c.stream, c.samples, &d)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		le, form := binary.LittleEndian, w.Chunk("fmt ")
		got := fmt.Sprint(le.Uint16(form[2:]), le.Uint32(form[4:]), le.Uint32(form[8:]), le.Uint32(w.Chunk("fact")), le.Uint32(w.Chunk("trim")))
		if rest := hex.EncodeToString(form[12:]); rest != "0200"+"0000"+"0c00"+"0100"+"02000000"+"0100"+"0100"+"7105" || !bytes.Equal(w.Extra, form[16:]) {
			t.Errorf("%s: the format ends with %s", c.name, rest)
		}
		x, _ := wav.Frames(c.stream)
		if got != c.want || d.Has("voice-form") != c.told || !bytes.Equal(w.Chunk("data"), x.Stream) {
			t.Errorf("%s: %s, told %v, want %s", c.name, got, d.All(), c.want)
		}
		if fields := fmt.Sprint(w.Channels, w.Rate, w.ByteRate, le.Uint32(w.Chunk("fact")), le.Uint32(w.Chunk("trim"))); fields != got || w.Codec != freelancer.WaveMP3 || w.BlockAlign != 2 {
			t.Errorf("%s: the fields say %+v", c.name, w)
		}
	}
}

// plain returns a line of samples.
func plain(bits, rate int) *asset.Sound {
	s := &asset.Sound{Rate: rate, Channels: 1, Bits: bits}
	for i := range 100 * bits / 8 {
		s.PCM = append(s.PCM, byte(i))
	}
	return s
}

// TestLineOfSamples: a line that is not MP3 keeps its file as long as its sound is the same; each other sound is written.
func TestLineOfSamples(t *testing.T) {
	var b bytes.Buffer
	if err := wav.Encode(&b, plain(16, 11025)); err != nil {
		t.Fatal(err)
	}
	stored := append(bytes.Clone(b.Bytes()), "note\x02\x00\x00\x00hi"...) // a chunk that nothing needs
	binary.LittleEndian.PutUint32(stored[4:], uint32(len(stored)-8))
	x, err := read.Wave(stored, nil)
	if err != nil {
		t.Fatal(err)
	}
	line, err := liftLine(x, nil)
	if err != nil || line.Stored == nil || line.Stored.Encoding != wav.Encoding || !bytes.Equal(line.Stored.Data, stored) || !bytes.Equal(line.Native.Payload, stored) {
		t.Fatalf("%+v, %v", line, err)
	}
	for name, c := range map[string]struct {
		edit func(s *asset.Sound)
		same bool
	}{
		"nothing":        {func(*asset.Sound) {}, true},
		"its file gone":  {func(s *asset.Sound) { s.Stored = nil }, true},
		"another rate":   {func(s *asset.Sound) { s.Rate = 22050 }, false},
		"two channels":   {func(s *asset.Sound) { s.Channels = 2 }, false},
		"eight bits":     {func(s *asset.Sound) { s.Bits = 8 }, false},
		"another sample": {func(s *asset.Sound) { s.PCM = bytes.Clone(s.PCM); s.PCM[7]++ }, false},
		"a sample less":  {func(s *asset.Sound) { s.PCM = s.PCM[:len(s.PCM)-2] }, false},
		"silent":         {func(s *asset.Sound) { s.PCM = nil; s.Stored = nil }, false},
	} {
		s := *line
		c.edit(&s)
		w, err := lowerLine(&s, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if b, err := write.Wave(w); err != nil || bytes.Equal(b, stored) != c.same || string(w.Chunk("note")) != "hi" {
			t.Errorf("%s: the file is kept: %v, %v; the note says %q", name, !c.same, err, w.Chunk("note"))
		}
		if int(w.Rate) != s.Rate || int(w.Channels) != s.Channels || !bytes.Equal(w.Chunk("data"), s.PCM) {
			t.Errorf("%s: %d channels at %d Hz, %d bytes, want %d at %d, %d", name, w.Channels, w.Rate, len(w.Chunk("data")), s.Channels, s.Rate, len(s.PCM))
		}
	}
}

// TestLineOfMP3: a line in MP3 keeps its file as long as its stream is the same; another stream is wrapped anew.
func TestLineOfMP3(t *testing.T) {
	x, err := WrapMP3(corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone22.mp3")), 12345, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.Wave(x)
	if err != nil {
		t.Fatal(err)
	}
	other := corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3"))
	for name, c := range map[string]struct {
		edit func(s *asset.Sound)
		rate uint32
		fact uint32
	}{
		"nothing":             {func(*asset.Sound) {}, 22050, 12345},
		"another MP3":         {func(s *asset.Sound) { s.Stored = &asset.Stored{Encoding: wav.EncodingMP3, Data: other} }, 11025, 11025},
		"its WAV file, moved": {func(s *asset.Sound) { s.Native = nil }, 22050, 12345},
	} {
		line, err := liftLine(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		c.edit(line)
		w, err := lowerLine(line, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if fact := binary.LittleEndian.Uint32(w.Chunk("fact")); w.Rate != c.rate || fact != c.fact {
			t.Errorf("%s: %d Hz, %d samples, want %d, %d", name, w.Rate, fact, c.rate, c.fact)
		}
		if now, err := write.Wave(w); err != nil || bytes.Equal(now, b) != (c.rate == 22050) {
			t.Errorf("%s: the file is kept: %v, %v", name, c.rate != 22050, err)
		}
	}
}

// TestLineDecoded: a line of which somebody took the samples keeps its MP3 as long as they are the same.
func TestLineDecoded(t *testing.T) {
	x, err := WrapMP3(corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone22.mp3")), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edit  func(pcm []byte) []byte
		codec uint16
	}{
		"nothing":        {func(pcm []byte) []byte { return pcm }, freelancer.WaveMP3},
		"another sample": {func(pcm []byte) []byte { pcm[9]++; return pcm }, freelancer.WavePCM},
		"a sample more":  {func(pcm []byte) []byte { return append(pcm, 1, 2) }, freelancer.WavePCM},
	} {
		line, err := liftLine(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		samples, err := mp3.Decoded(line)
		if err != nil || len(samples.PCM) == 0 {
			t.Fatalf("%d bytes, %v", len(samples.PCM), err)
		}
		given := *samples
		given.PCM, given.Stored, given.Native = c.edit(bytes.Clone(samples.PCM)), nil, line.Native
		var d schema.Diagnostics
		w, err := lowerLine(&given, &format.Env{Decode: mp3.Decoded, Diagnostics: &d})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if plain := c.codec == freelancer.WavePCM; w.Codec != c.codec || d.Has("voice-pcm") != plain || plain && !bytes.Equal(w.Chunk("data"), given.PCM) {
			t.Errorf("%s: codec %d, want %d; told %v", name, w.Codec, c.codec, d.All())
		}
	}
}

// TestEncoder: samples go through the program that encodes them, where that is asked for; what it complains of is said in a line.
func TestEncoder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the encoder of this test is a script of a Unix shell")
	}
	bin := t.TempDir()
	program := func(script string) {
		if err := os.WriteFile(filepath.Join(bin, "lame"), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	stream := corpus.Testdata(t, "sounds", "tone22.mp3")
	program("/bin/cat >" + filepath.Join(bin, "in") + "\n/bin/cat '" + stream + "'\n")
	var d schema.Diagnostics
	env := &format.Env{Diagnostics: &d}
	env.Options.Encoding = wav.EncodingMP3
	line := plain(16, 11025)
	w, err := lowerLine(line, env)
	if err != nil {
		t.Fatal(err)
	}
	if fact := binary.LittleEndian.Uint32(w.Chunk("fact")); fact != 200 || w.Codec != freelancer.WaveMP3 || !d.Has("voice-encoded") || d.Has("voice-pcm") {
		t.Errorf("%d samples, codec %d; told %v", fact, w.Codec, d.All())
	}
	given, err := wav.Decode(corpus.Bytes(t, filepath.Join(bin, "in")))
	if padded, _ := paddedLine(line); err != nil || !bytes.Equal(given.PCM, padded.PCM) || given.Rate != 11025 {
		t.Errorf("the program was given %d bytes at %d Hz, %v", len(given.PCM), given.Rate, err)
	}
	program("echo first >&2\necho second >&2\nexit 3\n")
	if _, err := lowerLine(line, env); schema.Class(err) != schema.ErrUnsupported || !strings.HasSuffix(err.Error(), "exit status 3 first") {
		t.Errorf("a program that fails: %v", err)
	}
	env.Options.Encoding = ""
	if w, err := lowerLine(line, env); err != nil || w.Codec != freelancer.WavePCM || !d.Has("voice-pcm") {
		t.Errorf("codec %d, %v; told %v", w.Codec, err, d.All())
	}
}

// TestLineID: the lines that files belong to by their names.
func TestLineID(t *testing.T) {
	id := freelancer.CreateID
	for name, want := range map[string]uint32{
		"hello": id("hello"), "0x0000000A": id("0x0000000A"), "0x0000000A_": 10, "0x0000000a_hello": 10, "0x0000000A-hello": id("0x0000000A-hello"),
		"a_hello_or_so": id("a_hello_or_so"), "0123456789_x": id("0123456789_x"), "": id(""),
	} {
		if got := LineID(name); got != want {
			t.Errorf("%q is 0x%08X, want 0x%08X", name, got, want)
		}
	}
}

// TestHashes: a list of names by the hashes that models use; none where there is no list.
func TestHashes(t *testing.T) {
	env := &format.Env{Files: oneFile{"a.txt", []byte("Wing\n# no\n, ,\n0x0000000A engine more\n0x0000000B\n")}}
	if got := Hashes(env); got != nil {
		t.Errorf("without a list: %v", got)
	}
	env.Options.Freelancer.Names = "b.txt"
	if got := Hashes(env); got != nil {
		t.Errorf("a list that is not there: %v", got)
	}
	env.Options.Freelancer.Names = "a.txt"
	want := map[uint32]string{freelancer.FLCRC("wing"): "Wing", freelancer.FLCRC("engine"): "engine", freelancer.FLCRC("0x0000000B"): "0x0000000B"}
	if got := Hashes(env); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPaddedLine: the silence around a line, in its own rate and size of samples.
func TestPaddedLine(t *testing.T) {
	for _, c := range []struct {
		bits, rate             int
		before, behind, length int // in samples, the last at 22,050 Hz
		silence                byte
	}{
		{16, 22050, 104, 1785, 100, 0},
		{8, 22050, 104, 1785, 100, 128},
		{16, 11025, 52, 893, 200, 0},
		{8, 44100, 208, 3570, 50, 128},
	} {
		s := plain(c.bits, c.rate)
		s.Native, s.Stored = &asset.Native{}, &asset.Stored{}
		p, samples := paddedLine(s)
		size := c.bits / 8
		quiet := func(n int) []byte { return bytes.Repeat([]byte{c.silence}, n*size) }
		if want := bytes.Join([][]byte{quiet(c.before), s.PCM, quiet(c.behind)}, nil); !bytes.Equal(p.PCM, want) || samples != c.length || p.Native != nil || p.Stored != nil {
			t.Errorf("%d bits at %d Hz: %d bytes, %d samples; want %d, %d", c.bits, c.rate, len(p.PCM), samples, len(want), c.length)
		}
	}
}
