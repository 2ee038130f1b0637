package gltf

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/usher-assets/usher/schema"
)

// maxInline is the size up to which a payload goes through the JSON encoder, which copies what it writes several times.
const maxInline = 1 << 9

// maxInlineOfMany is maxInline for scenes of many nodes, whose records are encoded one by one.
const maxInlineOfMany = 1 << 20

// aside is a payload for which the document has a mark that is replaced when the file is written.
type aside struct {
	in   record
	text string
	mark string
}

const markBegin = "usher payload "

// setAside takes a payload that is not small out of a record until the document is written.
func (e *encoder) setAside(u record) {
	text, _ := u[keyPayload].(string)
	limit := maxInline
	if len(e.list) > manyNodes {
		limit = maxInlineOfMany
	}
	if len(text) <= limit || e.stem != "" {
		return
	}
	a := aside{u, text, fmt.Sprintf(markBegin+"%d of %d bytes", len(e.asides), len(text))}
	u[keyPayload] = a.mark
	e.asides = append(e.asides, a)
}

// text returns the JSON of the document in pieces that follow each other.
func (e *encoder) text() ([][]byte, error) {
	if !e.o.whole { // no editor sees what is within a payload
		e.seal()
	}
	pieces, err := e.pieces()
	if err != nil {
		return nil, schema.Errorf(formatName, schema.ErrValue, "json", "%v", err)
	}
	if len(e.asides) == 0 {
		return pieces, nil
	}
	texts := make(map[string]string, len(e.asides))
	for _, a := range e.asides {
		texts[a.mark] = a.text
	}
	out := make([][]byte, 0, len(pieces)+2*len(e.asides))
	for _, b := range pieces {
		for {
			before, mark, after, found := cutMark(b)
			if !found {
				break
			}
			text, ours := texts[string(mark)]
			if !ours { // something else has such a name
				return e.inline()
			}
			delete(texts, string(mark))
			out = append(out, before, []byte(text))
			b = after
		}
		out = append(out, b)
	}
	if len(texts) > 0 {
		return e.inline()
	}
	return out, nil
}

// cutMark cuts b around the first string in it that is a mark, or begins as marks do.
func cutMark(b []byte) (before, mark, after []byte, found bool) {
	at := bytes.Index(b, []byte(`"`+markBegin))
	if at < 0 {
		return b, nil, nil, false
	}
	before, after = b[:at+1], b[at+1:]
	end := bytes.IndexByte(after, '"')
	return before, after[:end], after[end:], true
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
