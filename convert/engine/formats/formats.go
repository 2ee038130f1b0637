package formats

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

// All lists the native formats that usher knows, by family. There is no registration: a new format is added to its family's
// list.
var All = slices.Concat(freelancer.Formats, ultimate3d.Formats, unreal.Formats, ultima9.Formats)

// ByName returns the format with the given name, or nil.
func ByName(name string) *format.Format {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// ByExtension returns the formats that use an extension (with its dot, any case), in the order of the list.
func ByExtension(ext string) []*format.Format {
	var found []*format.Format
	for i := range All {
		if HasExtension(&All[i], ext) {
			found = append(found, &All[i])
		}
	}
	return found
}

// HasExtension reports whether a format uses an extension (with its dot, any case).
func HasExtension(f *format.Format, ext string) bool {
	ext = strings.ToLower(ext)
	return slices.Contains(f.Extensions, ext) || Numeric(ext) && slices.Contains(f.Extensions, ".*")
}

// Numeric reports whether an extension is a number, as in "terrain.9".
func Numeric(ext string) bool {
	return len(ext) > 1 && strings.Trim(ext[1:], "0123456789") == ""
}

// Stem returns a file name without its last extension. A number is not an extension here: it distinguishes the files of one
// map from those of another, as in terrain.5.
func Stem(name string) string {
	ext := path.Ext(name)
	if Numeric(ext) {
		return name
	}
	return strings.TrimSuffix(name, ext)
}

// OfMap returns the format of a file that is named for its content and has a number as extension, such as "terrain.9". A
// scene may hold several such files of a map. It is nil for other names.
func OfMap(stem, ext string) *format.Format {
	if !Numeric(ext) {
		return nil
	}
	for _, f := range ByExtension("." + stem) {
		if f.Lower != nil && HasExtension(f, ext) {
			return f
		}
	}
	return nil
}
