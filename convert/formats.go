package convert

import (
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer"
	"github.com/usher-assets/usher/convert/ultima9"
	"github.com/usher-assets/usher/convert/ultimate3d"
	"github.com/usher-assets/usher/convert/unreal"
)

// Formats is every native format that usher knows, family by family. There is no registration: whoever adds a format
// adds it to its family's list.
var Formats = slices.Concat(freelancer.Formats, ultimate3d.Formats, unreal.Formats, ultima9.Formats)

// FormatByName returns the format of that name, or nil.
func FormatByName(name string) *format.Format {
	for i := range Formats {
		if Formats[i].Name == name {
			return &Formats[i]
		}
	}
	return nil
}

// FormatsByExtension returns the formats that use an extension (with its dot, any case), in the order of the list.
func FormatsByExtension(ext string) []*format.Format {
	var found []*format.Format
	for i := range Formats {
		if hasExtension(&Formats[i], ext) {
			found = append(found, &Formats[i])
		}
	}
	return found
}

func hasExtension(f *format.Format, ext string) bool {
	ext = strings.ToLower(ext)
	return slices.Contains(f.Extensions, ext) || numeric(ext) && slices.Contains(f.Extensions, ".*")
}

// numeric tells whether an extension is a number, as in "terrain.9".
func numeric(ext string) bool {
	return len(ext) > 1 && strings.Trim(ext[1:], "0123456789") == ""
}

// vague tells whether an extension is used by all the world, so that it alone says nothing.
func vague(ext string) bool {
	switch strings.ToLower(ext) {
	case ".dat", ".txt", ".tbl", ".bin":
		return true
	}
	return numeric(ext)
}

// Sniff returns the format of an input. Content that speaks for itself decides; where it does not, the formats that use
// the extension are left, and the surest of them is taken, so that its reader can say what is wrong with the file. nil
// means that nothing knows it.
func Sniff(in *format.Input) *format.Format {
	ext := path.Ext(in.Name)
	var best, named *format.Format
	var bestConfidence, namedConfidence format.Confidence
	for i := range Formats {
		f := &Formats[i]
		var c format.Confidence
		if f.Probe != nil {
			c = f.Probe(in)
		}
		fits := hasExtension(f, ext)
		if c > bestConfidence || c == bestConfidence && c > format.No && fits && !hasExtension(best, ext) {
			best, bestConfidence = f, c
		}
		if fits && (c > format.No || !vague(ext)) && (named == nil || c > namedConfidence) {
			named, namedConfidence = f, c
		}
	}
	if bestConfidence >= format.Structural {
		return best
	}
	return named
}
