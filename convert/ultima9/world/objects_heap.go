package world

import (
	"slices"

	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// ReadObjects reads an object file of either kind.
func ReadObjects(b []byte, kind ultima9.ObjectKind) (*ultima9.ObjectFile, error) {
	if kind == ultima9.Nonfixed {
		return read.Nonfixed(b, nil)
	}
	return read.Fixed(b, nil)
}

// PlainProperties returns properties without the reference to the contents, which follows from Contents.
func PlainProperties(o *ultima9.Object) []ultima9.Property {
	return slices.DeleteFunc(slices.Clone(o.Properties), IsContents)
}

// IsContents reports whether a property is the reference to an object's contents.
func IsContents(p ultima9.Property) bool { return p.Type == ultima9.PropertyContents }
