package freelancer

import (
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// VoiceLines returns the lines of a voice bank in stored order. It returns nil if the tree is not a voice bank, which means
// that an entry of the root is a directory or has another kind of name. It warns if the lines are not in ascending order.
func VoiceLines(root *freelancer.Node, d *schema.Diagnostics) []freelancer.VoiceLine {
	root = given(root)
	lines := make([]freelancer.VoiceLine, 0, len(root.Children))
	for i, n := range root.Children {
		id, ok := freelancer.ParseVoiceName(n.Name)
		if !ok || n.IsDir() {
			return nil
		}
		if i > 0 && lines[i-1].ID >= id {
			d.Warnf("voice-order", n.Name, "lines must be in ascending order")
		}
		lines = append(lines, freelancer.VoiceLine{ID: id, Node: n})
	}
	if len(lines) == 0 {
		return nil
	}
	return lines
}

// chunkData returns the n bytes of a chunk. Those of "fmt " are read later.
func chunkData(c *read.Cursor, id string, n int) []byte {
	switch id {
	case "fmt ":
		return c.Part(n, id)
	case "data":
		return c.Data(n, "samples", id)
	}
	return c.Bytes(n, id)
}

// Wave reads the WAV file of a line.
func Wave(b []byte, d *schema.Diagnostics) (*freelancer.Wave, error) {
	c := read.NewCursor("wav", b, d)
	c.Magic("RIFF", "riff")
	size := c.U32("riff size")
	c.Magic("WAVE", "form")
	if c.Err() == nil && int64(size)+8 != int64(len(b)) {
		d.WarnAtf("riff-size", "", 4, "the size is %d, the file has %d bytes", size, len(b)-8)
	}
	w := &freelancer.Wave{Excess: int64(size) + 8 - int64(len(b))}
	for c.Err() == nil && c.Left() >= 8 {
		k := freelancer.WaveChunk{ID: c.Text(4, "chunk")}
		n := c.U32("chunk size")
		k.Data = chunkData(c, k.ID, c.Extent(uint64(n), 1, k.ID))
		if n%2 == 1 && c.Left() > 0 {
			k.Pad = c.Bytes(1, "pad")
		}
		w.Chunks = append(w.Chunks, k)
	}
	w.Tail = rest(c)
	if c.Err() != nil {
		return nil, c.Err()
	}
	f := read.NewCursorAt("wav", "fmt", w.Chunk("fmt "), -1, d)
	w.Codec, w.Channels, w.Rate, w.ByteRate = f.U16("codec"), f.U16("channels"), f.U32("rate"), f.U32("byte rate")
	w.BlockAlign, w.BitsPerSample = f.U16("block align"), f.U16("bits per sample")
	w.Extra = rest(f)
	return w, f.Err()
}
