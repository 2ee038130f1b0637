// Command generate makes the input of benchmarks. By default that is the texture benchmark's: an Ultima IX archive of
// 300 textures of 256 to 1024 pixels a side, or with -small of 32 to 256, a third of them of few colours, and the same
// pictures as TGA files for other programs. With -entries N it is an archive of N records of random bytes, with -sound a
// WAV file of two minutes. It is run by peers.sh and growth.sh.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/exchange/wav"
	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
	codec "github.com/usher-assets/usher/write/media"
	write "github.com/usher-assets/usher/write/ultima9"
)

func main() {
	entries := flag.Int("entries", 0, "make an archive of `N` records of 4 to 24 kB instead")
	count := flag.Int("textures", 300, "make `N` textures")
	small := flag.Bool("small", false, "make them small")
	sound := flag.Bool("sound", false, "make a sound instead")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: generate [-textures N] [-small] [-entries N] [-sound] FOLDER")
		os.Exit(2)
	}
	job := func(dir string) error { return generate(dir, *count, *small) }
	switch {
	case *entries > 0:
		job = func(dir string) error { return randomRecords(dir, *entries) }
	case *sound:
		job = tones
	}
	if err := job(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(dir string, textures int, small bool) error {
	if err := os.MkdirAll(filepath.Join(dir, "tga"), 0o777); err != nil {
		return err
	}
	archive := ultima9.NewArchive(textures)
	sides := []int{256, 256, 256, 512, 512, 1024}
	if small {
		sides = []int{32, 64, 64, 128, 128, 256}
	}
	for i := range textures {
		side := sides[i%len(sides)]
		pix := paint(i, side)
		if small && i/2%3 == 0 {
			for k := range pix {
				pix[k] |= 0x3F
			}
		}
		record, pix, err := texture(pix, side, i)
		if err != nil {
			return err
		}
		if err := archive.Replace(i, record); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "tga", fmt.Sprintf("%03d.tga", i)), tga(pix, side), 0o666); err != nil {
			return err
		}
	}
	out, err := os.Create(filepath.Join(dir, "bitmap16.flx"))
	if err != nil {
		return err
	}
	if err := write.FLX(out, archive); err != nil {
		return err
	}
	return out.Close()
}

// randomRecords writes records.flx, whose records no format knows.
func randomRecords(dir string, n int) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	seed := [32]byte{1}
	bytes := rand.NewChaCha8(seed)
	rng := rand.New(bytes)
	archive := ultima9.NewArchive(n)
	for i := range n {
		record := make([]byte, 4000+rng.IntN(20001))
		bytes.Read(record)
		if err := archive.Replace(i, record); err != nil {
			return err
		}
	}
	out, err := os.Create(filepath.Join(dir, "records.flx"))
	if err != nil {
		return err
	}
	if err := write.FLX(out, archive); err != nil {
		return err
	}
	return out.Close()
}

// tones writes tones.wav: two minutes of two tones and some noise.
func tones(dir string) error {
	const rate, seconds = 44100, 120
	rng := rand.New(rand.NewPCG(1, 1))
	pcm := make([]byte, 0, 2*rate*seconds)
	for i := range rate * seconds {
		t := float64(i) / rate
		v := 9000*math.Sin(2*math.Pi*440*t) + 6000*math.Sin(2*math.Pi*667*t*(1+t/500)) + float64(rng.IntN(400))
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(v)))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(dir, "tones.wav"))
	if err != nil {
		return err
	}
	if err := wav.Encode(out, &asset.Sound{Rate: rate, Channels: 1, Bits: 16, PCM: pcm}); err != nil {
		return err
	}
	return out.Close()
}

// texture encodes a picture as RGB565 or BC1 and returns the record and the pixels that it decodes to.
func texture(pix []byte, side, i int) (record, decoded []byte, err error) {
	t := &ultima9.TextureSet{MaxWidth: uint16(side), MaxHeight: uint16(side)}
	frame := ultima9.TextureFrame{Width: uint32(side), Height: uint32(side), Rows: make([]uint32, side), Flags: ultima9.RGB565.Flags()}
	var base []byte
	if i%2 == 0 {
		base = make([]byte, side*side*2)
		codec.RGB565(base, pix)
		decoded = make([]byte, len(pix))
		read.RGB565(decoded, base)
	} else {
		t.Storage = ultima9.StorageBC1
		frame.Flags = ultima9.BC1.Flags()
		if base, err = codec.BC1(pix, side, side, media.Quick); err != nil {
			return nil, nil, err
		}
		if decoded, err = read.BC1(base, side, side); err != nil {
			return nil, nil, err
		}
	}
	frame.Levels = [][]byte{base}
	t.Frames = []ultima9.TextureFrame{frame}
	t.Describe()
	record, err = write.Texture(t)
	return record, decoded, err
}

// paint makes an opaque picture with large areas, edges and grain: bricks, panels or hills.
func paint(seed, side int) []byte {
	rng := rand.New(rand.NewPCG(uint64(seed), 1))
	pix := make([]byte, 4*side*side)
	tint := [3]int{60 + rng.IntN(160), 60 + rng.IntN(160), 60 + rng.IntN(160)}
	period := 16 << rng.IntN(3)
	for y := range side {
		for x := range side {
			level := rng.IntN(12) - 6
			switch seed % 3 {
			case 0:
				if y%period < 2 || (x+y/period*period/2)%(2*period) < 2 {
					level -= 50
				}
			case 1:
				level += x*40/side - y*40/side
				if x%(4*period) < 3 || y%(4*period) < 3 {
					level += 40
				}
			case 2:
				level += (x*x/side + y*y/side) % 64 / 2
			}
			p := pix[4*(y*side+x):]
			for c := range 3 {
				p[c] = byte(min(max(tint[c]+level, 0), 255))
			}
			p[3] = 255
		}
	}
	return pix
}

// tga returns an uncompressed 32-bit TGA, rows from the top.
func tga(pix []byte, side int) []byte {
	b := make([]byte, 18+len(pix))
	b[2], b[16], b[17] = 2, 32, 0x28
	binary.LittleEndian.PutUint16(b[12:], uint16(side))
	binary.LittleEndian.PutUint16(b[14:], uint16(side))
	for i := 0; i < len(pix); i += 4 {
		b[18+i], b[19+i], b[20+i], b[21+i] = pix[i+2], pix[i+1], pix[i], pix[i+3]
	}
	return b
}
