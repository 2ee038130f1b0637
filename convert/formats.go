package convert

import (
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9"
	"github.com/usher-assets/usher/convert/ultimate3d"
)

// Formats is every native format that usher knows, family by family. There is no registration: whoever adds a format
// adds it to its family's list.
var Formats = slices.Concat(ultima9.Formats, ultimate3d.Formats)

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

// extensionBonus is what a matching extension adds to a probe's confidence: less than any probe's own answer, so that
// content decides and the name only breaks ties and helps the unsure.
const extensionBonus = 10

// Sniff returns the format of an input: the one whose probe is surest of the content; among equals the one that uses
// the extension. When no probe recognises the content the first format that uses the extension is returned, so that
// its reader can say what is wrong; nil when there is none either.
func Sniff(in *format.Input) *format.Format {
	ext := path.Ext(in.Name)
	var best *format.Format
	bestScore := 0
	for i := range Formats {
		f := &Formats[i]
		score := 0
		if f.Probe != nil {
			score = int(f.Probe(in))
		}
		if hasExtension(f, ext) {
			score += extensionBonus
		}
		if score > bestScore {
			best, bestScore = f, score
		}
	}
	return best
}
