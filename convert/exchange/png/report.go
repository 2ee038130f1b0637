package png

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/usher-assets/usher/schema"
)

// usualGamma is what an sRGB picture has in its gAMA chunk: 1 / 2.2 in units of 1 / 100000. Programs round it.
const usualGamma, gammaSlack = 45455, 500

// wideProfiles are what the names of colour profiles contain that are not sRGB. The profiles that programs add unasked
// mean sRGB.
var wideProfiles = []string{"P3", "Adobe RGB", "ProPhoto", "Wide Gamut", "2020"}

// Report adds a diagnostic for whatever Decode leaves out or shows differently from a viewer: the lower half of 16-bit
// colours, a gamma or colour profile, frames after the first. path names the picture in the diagnostics.
func Report(b []byte, path string, d *schema.Diagnostics) {
	const signature, header = 8, 33
	if d == nil || len(b) < header {
		return
	}
	const grey = 0
	if depth, kind := b[24], b[25]; depth == 16 && (kind != grey || hasChunk(b, "tRNS")) {
		d.Lossf("png-depth", path, "16 bits a channel become 8")
	}
	srgb := hasChunk(b, "sRGB")
	eachChunk(b[signature:], func(kind string, data []byte) bool {
		switch {
		case kind == "gAMA" && len(data) == 4 && !srgb:
			if g := int64(binary.BigEndian.Uint32(data)); g < usualGamma-gammaSlack || g > usualGamma+gammaSlack {
				d.Lossf("png-gamma", path, "its gamma of %v is left out, the colours are taken for sRGB", float64(g)/100000)
			}
		case kind == "iCCP" && !srgb:
			if profile, _, _ := strings.Cut(string(data), "\x00"); slices.ContainsFunc(wideProfiles, func(s string) bool { return strings.Contains(profile, s) }) {
				d.Lossf("png-profile", path, "its colour profile %q is left out, the colours are taken for sRGB", profile)
			}
		case kind == "acTL" && len(data) == 8:
			if n := binary.BigEndian.Uint32(data); n > 1 {
				d.Lossf("png-frames", path, "an animation of %d frames: only the first is taken", n)
			}
		}
		return kind != "IDAT"
	})
}

func hasChunk(b []byte, name string) (found bool) {
	eachChunk(b[8:], func(kind string, _ []byte) bool {
		found = found || kind == name
		return !found && kind != "IDAT"
	})
	return found
}

// eachChunk calls f for every chunk until it returns false or the bytes end.
func eachChunk(b []byte, f func(kind string, data []byte) bool) {
	for len(b) >= 12 {
		n := binary.BigEndian.Uint32(b)
		if uint64(n) > uint64(len(b)-12) || !f(string(b[4:8]), b[8:8+n]) {
			return
		}
		b = b[12+n:]
	}
}
