package freelancer

import (
	"slices"

	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// VoiceLine puts a WAV file into a voice bank under an ID: it takes the place of a line that is there, or goes where
// the ascending order wants it.
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

// Wave writes a WAV file from its chunks; the fields that describe the format come from the fmt chunk.
func Wave(v *freelancer.Wave) ([]byte, error) {
	w := write.NewBuffer("wav", 0)
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
