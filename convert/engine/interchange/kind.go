package interchange

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// KindOf returns the kind of format that holds an asset.
func KindOf(a asset.Asset) format.Kind {
	switch a.(type) {
	case *asset.Scene:
		return format.Model
	case *asset.Texture:
		return format.Texture
	case *asset.Sound:
		return format.Sound
	case *asset.Table:
		return format.Table
	case *asset.Text:
		return format.Text
	}
	return format.Raw
}

// NativeOf returns the Native of an asset, or nil.
func NativeOf(a asset.Asset) *asset.Native {
	a = asset.Given(a)
	switch a := a.(type) {
	case *asset.Scene:
		return a.Native
	case *asset.Texture:
		return a.Native
	case *asset.Sound:
		return a.Native
	case *asset.Table:
		return a.Native
	case *asset.Text:
		return a.Native
	}
	return nil
}
