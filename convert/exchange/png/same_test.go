package png

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/pictures"
)

// samePictures are pictures of every kind that is written in a way of its own.
func samePictures() map[string]*asset.Texture {
	r := rand.New(rand.NewPCG(3, 3))
	random := func(n, values int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(values))
		}
		return b
	}
	ramp := func(n, step int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i*step + i>>7)
		}
		return b
	}
	palette := func(n int) []asset.RGBA {
		p := make([]asset.RGBA, n)
		for i := range p {
			p[i] = asset.RGBA{byte(7 * i), byte(255 - i), byte(i * i), byte(255 - i%3*(i%5)*20)}
		}
		return p
	}
	all := map[string]*asset.Texture{
		"noise":            picture(40, 30, asset.RGBA8, random(4800, 256), nil),
		"few values":       picture(64, 64, asset.Gray8, random(4096, 4), nil),
		"nothing":          picture(300, 200, asset.RGBA8, make([]byte, 240000), nil),
		"ramp":             picture(128, 96, asset.Gray8, ramp(12288, 3), nil),
		"deep ramp":        picture(64, 64, asset.Gray16, ramp(8192, 1), nil),
		"one":              picture(1, 1, asset.RGBA8, []byte{1, 2, 3, 4}, nil),
		"wide":             picture(2000, 2, asset.RGBA8, ramp(16000, 5), nil),
		"2 colours":        picture(33, 17, asset.Indexed8, random(561, 2), palette(2)),
		"4 colours":        picture(31, 17, asset.Indexed8, random(527, 4), palette(4)),
		"16 colours":       picture(30, 17, asset.Indexed8, random(510, 16), palette(16)),
		"200 colours":      picture(90, 70, asset.Indexed8, random(6300, 200), palette(200)),
		"far repetitions":  picture(256, 256, asset.Gray8, bytes.Repeat(random(32768, 256), 2), nil),
		"near repetitions": picture(256, 64, asset.Gray8, bytes.Repeat(random(64, 256), 256), nil),
	}
	for i, k := range pictures.Kinds {
		pix := k.RGBA(96)
		all[fmt.Sprintf("kind %d", i)] = picture(96, 96, asset.RGBA8, pix, nil)
		indices, colours := pictures.Indexed(pix, i%2 == 0)
		p := make([]asset.RGBA, len(colours))
		for i, c := range colours {
			p[i] = c
		}
		all[fmt.Sprintf("kind %d, indexed", i)] = picture(96, 96, asset.Indexed8, indices, p)
	}
	return all
}

// TestSameFiles: the same picture is the same file from one version to the next, so that a folder of one compares equal to a folder
// of another. Who packs better on purpose writes the new sums here: a file that grows is a loss.
func TestSameFiles(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round what is estimated otherwise")
	}
	for name, x := range samePictures() {
		var got []string
		for _, o := range []Options{{}, {Small: true}, {TrueColour: true}} {
			b := encode(t, x, o)
			got = append(got, fmt.Sprintf("%d %08x", len(b), crc32.ChecksumIEEE(b)))
		}
		if want := sameFiles[name]; [3]string(got) != want {
			t.Errorf("%q: {%q, %q, %q},", name, got[0], got[1], got[2])
		}
	}
}

// sameFiles are sizes and sums of the files: as usual, small, in true colour.
var sameFiles = map[string][3]string{
	"16 colours":       {"429 7877fc95", "429 e0330113", "429 7877fc95"},
	"2 colours":        {"204 15335472", "204 720a30fa", "204 15335472"},
	"200 colours":      {"7018 073dbf40", "7018 073dbf40", "7018 073dbf40"},
	"4 colours":        {"262 b7fe430a", "262 eb790de1", "262 b7fe430a"},
	"deep ramp":        {"348 0a8ef6b5", "364 e9c13fdc", "348 0a8ef6b5"},
	"far repetitions":  {"65877 68d3c62a", "65884 f5725043", "65877 68d3c62a"},
	"few values":       {"1225 0bc72641", "1394 a2c8e757", "1225 0bc72641"},
	"kind 0":           {"6651 51db6010", "6703 bbbc457e", "7168 9d585f6e"},
	"kind 0, indexed":  {"3505 4f71a466", "3925 83db02a8", "3505 4f71a466"},
	"kind 1":           {"1311 b5955a85", "1263 ef546e9d", "1804 57992782"},
	"kind 1, indexed":  {"1395 aaa79cf7", "1380 0f52f52b", "1395 aaa79cf7"},
	"kind 2":           {"14870 943b510d", "14781 a56ae53e", "14870 943b510d"},
	"kind 2, indexed":  {"4335 1c1c5474", "4343 c75e70a6", "4335 1c1c5474"},
	"kind 3":           {"3657 90948039", "4185 e9e71c84", "5690 13d871d2"},
	"kind 3, indexed":  {"2039 61c2d054", "2007 e4201c52", "2039 61c2d054"},
	"near repetitions": {"247 501d7ecf", "359 466b6327", "247 501d7ecf"},
	"noise":            {"4900 618c3a55", "4900 06cfe426", "4900 618c3a55"},
	"nothing":          {"265 aea66977", "196 75207b76", "502 4c84b10f"},
	"one":              {"75 7dde5131", "71 b6ca7b46", "75 7dde5131"},
	"ramp":             {"420 fb7a860a", "422 4028a836", "420 fb7a860a"},
	"wide":             {"1181 d832f9c8", "1166 bf2c2116", "167 578f31e2"},
}

// TestOver: a pixel that is seen in part is mixed with what it lies on, and both are seen the more.
func TestOver(t *testing.T) {
	for _, c := range []struct{ to, from, want [4]byte }{
		{[4]byte{10, 20, 30, 128}, [4]byte{200, 100, 0, 128}, [4]byte{137, 73, 10, 192}},
		{[4]byte{10, 20, 30, 255}, [4]byte{200, 100, 0, 51}, [4]byte{48, 36, 24, 255}},
		{[4]byte{10, 20, 30, 0}, [4]byte{200, 100, 0, 7}, [4]byte{200, 100, 0, 7}},
		{[4]byte{10, 20, 30, 9}, [4]byte{200, 100, 0, 255}, [4]byte{200, 100, 0, 255}},
		{[4]byte{10, 20, 30, 9}, [4]byte{200, 100, 0, 0}, [4]byte{10, 20, 30, 9}},
	} {
		got := c.to
		if over(got[:], c.from[:]); got != c.want {
			t.Errorf("%v over %v: %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// TestWeight: the quick sum of differences is that of one byte after the other.
func TestWeight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 40 {
		b, want := make([]byte, n), 0
		for i := range b {
			b[i] = []byte{0, 1, 127, 128, 129, 255, byte(r.IntN(256))}[r.IntN(7)]
			want += max(int(int8(b[i])), -int(int8(b[i])))
		}
		if got := weight(b); got != want {
			t.Errorf("%v: %d, want %d", b, got, want)
		}
	}
}
