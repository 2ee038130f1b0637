package interchange

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Item is one input after reading: a schema value if it came from a native format or JSON, an asset if it came from another
// interchange file.
type Item struct {
	Format *format.Format // of Value
	Value  any
	Asset  asset.Asset
	Env    *format.Env

	Plain    bool      // it is exported for viewing only, without sidecars
	Document bool      // Value was read from JSON
	Size     int64     // size of the payload of an archive's entry
	From     io.Closer // source that Value or Asset may still read from; nil if there is none
}

// Close releases the source of the item. Call it after the export.
func (it *Item) Close() {
	if it.From != nil {
		it.From.Close() // was only read from
	}
}

// Lift returns the item as an asset.
func (it *Item) Lift() (asset.Asset, error) {
	if a := asset.Given(it.Asset); a != nil {
		return a, nil
	}
	if it.Format == nil {
		return nil, errors.New("there is nothing to convert")
	}
	if it.Format.Lift == nil {
		if f := formats.ByName(it.Format.Beside); f != nil {
			return nil, fmt.Errorf("%s alone has no form other than JSON: convert the %s file that it lies beside", it.Format.Name, f.Extensions[0])
		}
		return nil, fmt.Errorf("%s has no form other than JSON", it.Format.Name)
	}
	a, err := it.Format.Lift(it.Value, it.Env)
	if s, ok := a.(*asset.Scene); ok && err == nil && s.Native != nil && it.misnamed() {
		scene.SetShown(s.Native, keyExtension, it.OwnExtension())
	}
	return a, err
}

// keyExtension is under which a scene remembers the extension of its file, where that is another format's.
const keyExtension = "extension"

// misnamed reports whether the item is a file with the extension of another format: people call compounds .3db.
func (it *Item) misnamed() bool {
	ext := it.OwnExtension()
	return it.Env != nil && it.Env.Archive == nil && !formats.HasExtension(it.Format, ext) && len(formats.ByExtension(ext)) > 0
}

// OwnExtension returns the extension of the file that the item was made from, in lower case; "" if unknown.
func (it *Item) OwnExtension() string {
	if it.Format != nil && it.Env != nil {
		return strings.ToLower(path.Ext(it.Env.Name))
	}
	return scene.ShownText(NativeOf(it.Asset), keyExtension)
}

// NativeFormat returns the native format that the item was made from: its own, the one in its asset's Native, or that of the
// original that the user names. It is nil if the item does not come from a native format.
func (it *Item) NativeFormat() *format.Format {
	if it.Format != nil {
		return it.Format
	}
	if n := NativeOf(it.Asset); n != nil {
		return formats.ByName(n.Format)
	}
	if s, ok := it.Asset.(*asset.Scene); ok {
		for _, n := range s.Roots {
			if n.Native != nil && formats.ByName(n.Native.Format) != nil {
				return formats.ByName(n.Native.Format)
			}
		}
	}
	if it.Env == nil {
		return nil
	}
	if o, ok := it.Env.Original.(*Original); ok && o != nil {
		return o.format()
	}
	return nil
}

// Seen returns the item in the form that people see it in: see [format.Format.Seen].
func (it *Item) Seen() *Item {
	f := it.Format.Seen()
	if f == it.Format || it.Asset != nil {
		return it
	}
	other := *it
	other.Format = f
	return &other
}

// Moves returns the item with all frames of what moves.
func (it *Item) Moves() *Item {
	if it.Env == nil {
		return it
	}
	other, env := *it, *it.Env
	env.Moving, other.Env = true, &env
	return &other
}

// ViewedIn returns the item in the view of its format that an interchange file can hold. That is the item itself if no
// other view is needed.
func (it *Item) ViewedIn(x *Interchange) *Item {
	if it.Format == nil || x.Carries(it.Format) {
		return it
	}
	for _, v := range it.Format.Views {
		if x.Carries(v) {
			other := *it
			other.Format = v
			return &other
		}
	}
	return it
}
