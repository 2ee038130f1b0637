package engine

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// originalAt returns the original at a place: FILE or ARCHIVE:ENTRY.
func (l *Loader) originalAt(operand string) *interchange.Original {
	return interchange.NewOriginal(func() (asset.Asset, *format.Format, error) {
		p, entry, err := ParseOperand(operand)
		if err != nil {
			return nil, nil, fmt.Errorf("--base: %w", err)
		}
		own := Loader{Options: l.Options, Folders: l.Folders, listings: l.listings, Reads: l.Reads}
		own.Options.Base = ""
		it, err := own.Load(Source{Path: p, Entry: entry}, nil)
		if errors.Is(err, errArchive) {
			return nil, nil, fmt.Errorf("--base: %s: %w, or put the file into it with \"usher pack FILE --base ARCHIVE -o NEW\"", filepath.Base(p), err)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("--base: %w", schema.In(filepath.Base(p), err))
		}
		a, err := it.Lift()
		if err != nil {
			return nil, nil, fmt.Errorf("--base: %w", schema.In(filepath.Base(p), err))
		}
		return a, it.NativeFormat(), nil
	})
}

// LowerOnto encodes an edited item in the format of its original. If the original is known, it supplies what the item
// cannot express.
func LowerOnto(f *format.Format, o *interchange.Original, it *interchange.Item, env *format.Env) ([]byte, error) {
	if f == nil || it == nil {
		return nil, errNothing
	}
	env = env.Given()
	if it.Format != nil && it.Format.Name == f.Name { // JSON says everything
		if env.Turn != nil { // it may add to the tables that the entries share
			env.Turn()
		}
		if f.Write == nil {
			return nil, interchange.Unbound(f)
		}
		return f.Encode(it.Value)
	}
	if f.Lower == nil || f.Write == nil {
		if f.Seen() != f {
			return nil, schema.Errorf(f.Name, schema.ErrUnsupported, "", "its picture is computed from values, and cannot be edited: edit those, as JSON")
		}
		return nil, schema.Errorf(f.Name, schema.ErrUnsupported, "", "it cannot be made from other formats")
	}
	edited, err := it.Lift()
	if err == nil {
		err = asset.Check(edited)
	}
	if err != nil {
		return nil, err
	}
	if o != nil {
		if err := o.Complete(edited); err != nil {
			return nil, err
		}
	}
	v, err := Lower(f, edited, env)
	if err != nil {
		return nil, err
	}
	return f.Encode(v)
}

// errNothing is the error of a call without what it is about.
var errNothing = errors.New("there is nothing to make, or no format to make it in")
