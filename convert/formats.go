package convert

import (
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

// numeric reports whether an extension is a number, as in "terrain.9".
func numeric(ext string) bool {
	return len(ext) > 1 && strings.Trim(ext[1:], "0123456789") == ""
}
