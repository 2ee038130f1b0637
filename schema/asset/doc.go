// Package asset is the model between all formats. Every format is lifted to an [Asset] and lowered from one; interchange
// files (glTF, PNG, WAV, CSV and text) are written from assets and read into them. The model is shaped like glTF 2.0, the
// richest of these, but does not depend on it.
//
// Conventions of every scene: right-handed, +Y up, metres; texture coordinates with v down from the top row; colours
// linear; triangles counter-clockwise seen from their front; quaternions x, y, z, w; matrices column-major.
//
// Objects refer to each other by pointer. The slices of a [Scene] give them an order, because several formats store and
// address them by number.
package asset

// Asset is a *Scene, *Texture, *Sound, *Table or *Text.
type Asset interface{ isAsset() }

func (*Scene) isAsset()   {}
func (*Texture) isAsset() {}
func (*Sound) isAsset()   {}
func (*Table) isAsset()   {}
func (*Text) isAsset()    {}

// Native is what only the source format can express of an object. Interchange files carry it along, so that converting back
// returns the same bytes. Data that an edit contradicts is ignored: lowering lifts the payload again, compares the result
// with the asset, and takes the asset's data where they differ.
type Native struct {
	Format  string         // name of the format that wrote it and understands it
	Values  map[string]any // readable values in JSON types; small, and a person may edit them
	Payload []byte         // the object's stored bytes, or another form that its family chose
}

// Stored is an encoded form of pixels or samples, kept untouched until somebody edits them.
type Stored struct {
	Encoding string // codec name: "bc1", "rgb565", "eaxa", "png" …
	Data     []byte
}

// Given returns a, or nil if a is a nil pointer.
func Given(a Asset) Asset {
	none := false
	switch a := a.(type) {
	case *Scene:
		none = a == nil
	case *Texture:
		none = a == nil
	case *Sound:
		none = a == nil
	case *Table:
		none = a == nil
	case *Text:
		none = a == nil
	}
	if none {
		return nil
	}
	return a
}
