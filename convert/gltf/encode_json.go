package gltf

import (
	"bytes"
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
	pieces, err := e.pieces()
	if err != nil {
		return nil, schema.Errorf(formatName, schema.ErrValue, "json", "%v", err)
	}
	for _, a := range e.asides {
		mark := []byte(`"` + a.mark + `"`)
		found := -1
		for i, b := range pieces {
			n := bytes.Count(b, []byte(a.mark))
			if n > 1 || n == 1 && (found >= 0 || !bytes.Contains(b, mark)) { // something else has such a name
				return e.inline()
			}
			if n == 1 {
				found = i
			}
		}
		if found < 0 {
			return e.inline()
		}
		b := pieces[found]
		at := bytes.Index(b, mark) + 1
		pieces = slices.Replace(pieces, found, found+1, b[:at], []byte(a.text), b[at+len(a.mark):])
	}
	return pieces, nil
}

// pieces returns the JSON of the document with the marks of what was set aside.
func (e *encoder) pieces() ([][]byte, error) {
	nodes := e.doc.Nodes
	if len(nodes) <= manyNodes {
		b, err := json.Marshal(e.doc)
		return [][]byte{b}, err
	}
	const usual = 320 // bytes of a node
	out := make([]byte, 0, usual*len(nodes))
	out = append(out, `{"nodes":[`...)
	for i, n := range nodes {
		b, err := json.Marshal(n)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, b...)
	}
	out = append(out, `],`...)
	bare := *e.doc
	bare.Nodes = nil
	b, err := json.Marshal(&bare)
	if err != nil {
		return nil, err
	}
	return [][]byte{out, b[1:]}, nil
}

// inline puts the payloads back and returns the JSON in one piece.
func (e *encoder) inline() ([][]byte, error) {
	for _, a := range e.asides {
		a.in[keyPayload] = a.text
	}
	e.asides = nil
	return e.text()
}
