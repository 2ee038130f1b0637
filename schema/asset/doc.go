// Package asset is the intermediate model: what every format is lifted to and lowered from, and what the interchange
// files glTF, PNG, WAV, CSV and text are written from and read into. It is shaped like glTF 2.0, the richest of them,
// yet knows nothing of its file layout.
//
// Conventions of every scene: right-handed, +Y up, metres; texture coordinates with v down from the top row; colours
// linear; triangles counter-clockwise seen from their front; quaternions x, y, z, w; matrices column-major.
//
// Objects refer to each other by pointer. The slices of a [Scene] give them their order, since several formats store
// and address them by number.
package asset

// Asset is one of *Scene, *Texture, *Sound, *Table and *Text.
type Asset interface{ isAsset() }

func (*Scene) isAsset()   {}
func (*Texture) isAsset() {}
func (*Sound) isAsset()   {}
func (*Table) isAsset()   {}
func (*Text) isAsset()    {}

// Native is what only the source format knows of an object. Interchange files carry it along, so that the way back
// returns the same bytes. It is believed only where the visible data that it describes is unchanged: whoever lowers an
// asset lifts the payload again and compares; an edit wins.
type Native struct {
	Format  string         // name of the format that wrote it and understands it
	Values  map[string]any // readable residue in JSON types; small, and a person may edit it
	Payload []byte         // the object's stored bytes, or any other form that its family chose
}

// Stored is an encoded form of pixels or samples, kept untouched until somebody edits them.
type Stored struct {
	Encoding string // codec name: "bc1", "rgb565", "eaxa", "png" …
	Data     []byte
}

// Given returns an asset; nil for a pointer that is nil as well.
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
