package gltf

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// maxInline is the size up to which a payload goes through the JSON encoder, which copies what it writes several times.
const maxInline = 1 << 20

// aside is a payload for which the document has a mark that is replaced when the file is written.
type aside struct {
	in   record
	text string
	mark string
}

// setAside takes a large payload out of a record until the document is written.
func (e *encoder) setAside(u record) {
	text, _ := u[keyPayload].(string)
	if len(text) <= maxInline || e.stem != "" {
		return
	}
	a := aside{u, text, fmt.Sprintf("usher payload %d of %d bytes", len(e.asides), len(text))}
	u[keyPayload] = a.mark
	e.asides = append(e.asides, a)
}

// text returns the JSON of the document in pieces that follow each other.
func (e *encoder) text() ([][]byte, error) {
	b, err := json.Marshal(e.doc)
	if err != nil {
		return nil, schema.Errorf(formatName, schema.ErrValue, "json", "%v", err)
	}
	at := func(a aside) int { return bytes.Index(b, []byte(`"`+a.mark+`"`)) }
	for _, a := range e.asides {
		if bytes.Count(b, []byte(a.mark)) != 1 || at(a) < 0 { // something else has such a name
			return e.inline()
		}
	}
	slices.SortFunc(e.asides, func(x, y aside) int { return cmp.Compare(at(x), at(y)) })
	var pieces [][]byte
	from := 0
	for _, a := range e.asides {
		k := at(a) + 1
		pieces = append(pieces, b[from:k], []byte(a.text))
		from = k + len(a.mark)
	}
	return append(pieces, b[from:]), nil
}

// inline puts the payloads back and returns the JSON in one piece.
func (e *encoder) inline() ([][]byte, error) {
	for _, a := range e.asides {
		a.in[keyPayload] = a.text
	}
	e.asides = nil
	return e.text()
}
