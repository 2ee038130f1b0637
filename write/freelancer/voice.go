package freelancer

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// VoiceLine stores a WAV file in a voice bank under an ID. It replaces a line with this ID, or inserts one in ascending
// order.
func VoiceLine(root *freelancer.Node, id uint32, wave []byte) *freelancer.Node {
	at := len(root.Children)
	for i, n := range root.Children {
		have, ok := freelancer.ParseVoiceName(n.Name)
		if ok && have == id {
			n.Data = wave
			return n
		}
		if ok && have > id && i < at {
			at = i
		}
	}
	n := freelancer.NewLeaf(freelancer.VoiceName(id), wave)
	root.Children = slices.Insert(root.Children, at, n)
	return n
}

// Wave writes a WAV file from its chunks. It fails if the fields for the format contradict the fmt chunk.
func Wave(v *freelancer.Wave) ([]byte, error) {
	w := write.NewBuffer("wav", 0)
	sameFormat(w, v)
	w.Raw("RIFF")
	size := w.Reserve32()
	w.Raw("WAVE")
	for _, c := range v.Chunks {
		w.FixedText(c.ID, 4, "chunk")
		w.Count32(len(c.Data), c.ID)
		w.Bytes(c.Data)
		w.Bytes(c.Pad)
	}
	w.Bytes(v.Tail)
	w.Patch32(size, w.Len()-8+int(v.Excess), "riff size")
	return w.Finish()
}

// sameFormat refuses fields that say anything else than the fmt chunk, which is what is written. Where all of them are
// empty they say nothing.
func sameFormat(w *write.Buffer, v *freelancer.Wave) {
	const size = 16
	chunk := v.Chunk("fmt ")
	said := v.Codec != 0 || v.Channels != 0 || v.Rate != 0 || v.ByteRate != 0 || v.BlockAlign != 0 || v.BitsPerSample != 0 || len(v.Extra) > 0
	if len(chunk) < size || !said {
		return
	}
	short := func(at int) uint32 { return uint32(binary.LittleEndian.Uint16(chunk[at:])) }
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(chunk[at:]) }
	for _, x := range [...]struct {
		name         string
		said, stored uint32
	}{
		{"Codec", uint32(v.Codec), short(0)}, {"Channels", uint32(v.Channels), short(2)}, {"Rate", v.Rate, word(4)},
		{"ByteRate", v.ByteRate, word(8)}, {"BlockAlign", uint32(v.BlockAlign), short(12)}, {"BitsPerSample", uint32(v.BitsPerSample), short(14)},
	} {
		if x.said != x.stored {
			w.Failf(schema.ErrMismatch, x.name, "%d, and %d in the fmt chunk, which is what counts", x.said, x.stored)
		}
	}
	if !bytes.Equal(v.Extra, chunk[size:]) {
		w.Failf(schema.ErrMismatch, "Extra", "%d bytes, and others in the fmt chunk, which is what counts", len(v.Extra))
	}
}
