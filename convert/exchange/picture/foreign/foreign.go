// Package foreign decodes all types of picture files: those of package picture, and TIFF and WebP, which no game uses. It
// is a package of its own because its decoders are large.
package foreign

import (
	"slices"

	"golang.org/x/image/tiff"

	"github.com/usher-assets/usher/convert/exchange/picture"
	"github.com/usher-assets/usher/schema/asset"
)

// Kinds are all types of picture files. Those with a signature come first.
var Kinds = slices.Insert(slices.Clone(picture.Kinds), 3,
	picture.Kind{Name: "webp", Is: isWebP, Decode: decodeWebP},
	picture.Kind{Name: "tiff", Is: picture.Prefix("II*\x00", "MM\x00*"), Decode: picture.Standard("tiff", tiff.Decode, tiff.DecodeConfig, nil)})

func isWebP(b []byte) bool {
	return len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP"
}

// DecodeImage is [picture.DecodeImage] for all types of picture files.
func DecodeImage(name string, b []byte) (*asset.Texture, error) {
	return picture.DecodeAs(Kinds, name, b)
}

// kindOf returns the name of the type of a picture file, empty when it is none.
func kindOf(b []byte) string {
	for _, k := range Kinds {
		if k.Is(b) {
			return k.Name
		}
	}
	return ""
}

// Is reports whether a file that begins with b is a picture of the named type: "png", "jpeg", "gif", "webp", "tiff", "dds",
// "bmp" or "tga".
func Is(name string, b []byte) bool { return kindOf(b) == name }
