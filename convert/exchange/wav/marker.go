package wav

import (
	"bytes"
	"encoding/binary"
	"slices"

	read "github.com/usher-assets/usher/read/media"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	write "github.com/usher-assets/usher/write/media"
)

// The chunks of loops and positions hold more than an asset.Sound does. Decode keeps such a chunk in Sound.Chunks
// when it is not what Encode would make; Encode writes it again as long as it says the same as the sound's Loops and
// Cues, and else makes it anew, with the header that it had.

const (
	samplerHeader = 36
	samplerLoop   = 24
	cuePoint      = 24
)

func isMarker(c asset.Chunk) bool {
	return c.ID == "smpl" || c.ID == "cue " || c.ID == "LIST" && bytes.HasPrefix(c.Data, []byte("adtl"))
}

// kept returns the stored form of a marker chunk.
func kept(s *asset.Sound, id string) []byte {
	for _, c := range s.Chunks {
		if c.ID == id && isMarker(c) {
			return c.Data
		}
	}
	return nil
}

// markers returns the chunks of loops, positions and labels.
func markers(s *asset.Sound) (list []media.Chunk, err error) {
	add := func(id string, old, made []byte, same bool) {
		if old != nil && same {
			made = old
		}
		if made != nil {
			list = append(list, media.Chunk{ID: media.ID(id), Data: made})
		}
	}
	old := kept(s, "smpl")
	add("smpl", old, sampler(s, old), slices.Equal(loops(old), s.Loops))

	old = kept(s, "cue ")
	bare := withoutLabels(s.Cues)
	add("cue ", old, cueChunk(s.Cues), slices.Equal(cues(old), bare))

	old = kept(s, "LIST")
	label(bare, old)
	made, err := labels(s.Cues, old)
	add("LIST", old, made, slices.Equal(bare, s.Cues))
	return list, err
}

func withoutLabels(list []asset.Cue) []asset.Cue {
	out := make([]asset.Cue, len(list))
	for i, c := range list {
		out[i] = asset.Cue{ID: c.ID, Frame: c.Frame}
	}
	return out
}

// sampler makes "smpl" from the loops, on the header of an old one; nil without loops.
func sampler(s *asset.Sound, old []byte) []byte {
	if len(s.Loops) == 0 {
		return nil
	}
	const middleC = 60
	b := u32s(0, 0, uint32(1e9/max(s.Rate, 1)), middleC, 0, 0, 0, 0, 0)
	if len(old) >= samplerHeader {
		copy(b[:28], old)
	}
	binary.LittleEndian.PutUint32(b[28:], uint32(len(s.Loops)))
	for i, l := range s.Loops {
		b = append(b, u32s(uint32(i), l.Type, l.Start, l.End, 0, l.Count)...)
	}
	return b
}

// loops reads "smpl", as many loops as it holds.
func loops(b []byte) (list []asset.Loop) {
	if len(b) < samplerHeader {
		return nil
	}
	n := binary.LittleEndian.Uint32(b[28:])
	for b = b[samplerHeader:]; n > 0 && len(b) >= samplerLoop; b, n = b[samplerLoop:], n-1 {
		list = append(list, asset.Loop{
			Type:  binary.LittleEndian.Uint32(b[4:]),
			Start: binary.LittleEndian.Uint32(b[8:]),
			End:   binary.LittleEndian.Uint32(b[12:]),
			Count: binary.LittleEndian.Uint32(b[20:]),
		})
	}
	return list
}

// cueChunk makes "cue "; nil without positions.
func cueChunk(list []asset.Cue) []byte {
	if len(list) == 0 {
		return nil
	}
	data := binary.LittleEndian.Uint32([]byte("data"))
	b := u32s(uint32(len(list)))
	for _, c := range list {
		b = append(b, u32s(c.ID, c.Frame, data, 0, 0, c.Frame)...)
	}
	return b
}

// cues reads "cue ", as many positions as it holds.
func cues(b []byte) (list []asset.Cue) {
	if len(b) < 4 {
		return nil
	}
	n := binary.LittleEndian.Uint32(b)
	for b = b[4:]; n > 0 && len(b) >= cuePoint; b, n = b[cuePoint:], n-1 {
		list = append(list, asset.Cue{ID: binary.LittleEndian.Uint32(b), Frame: binary.LittleEndian.Uint32(b[20:])})
	}
	return list
}

// labels makes "LIST adtl" from the labels of the positions; other parts of an old one are kept. It is nil when there
// is nothing to hold.
func labels(list []asset.Cue, old []byte) ([]byte, error) {
	var parts []media.Chunk
	for _, c := range list {
		if c.Label == "" {
			continue
		}
		text, ok := schema.EncodeWindows1252(c.Label)
		if !ok {
			return nil, schema.Errorf(name, schema.ErrValue, "label", "%q holds a character that Windows-1252 lacks", c.Label)
		}
		parts = append(parts, media.Chunk{ID: media.ID("labl"), Data: append(append(u32s(c.ID), text...), 0)})
	}
	if len(old) >= 4 {
		stored, _ := read.Chunks(old[4:])
		for _, c := range stored {
			if c.ID != media.ID("labl") {
				parts = append(parts, c)
			}
		}
	}
	if len(parts) == 0 {
		return nil, nil
	}
	b, err := write.Chunks(parts)
	return append([]byte("adtl"), b...), err
}

// label sets the labels of the positions from "LIST adtl".
func label(list []asset.Cue, adtl []byte) {
	if len(adtl) < 4 {
		return
	}
	text := map[uint32]string{}
	parts, _ := read.Chunks(adtl[4:])
	for _, c := range parts {
		if c.ID == media.ID("labl") && len(c.Data) > 4 {
			s, _, _ := bytes.Cut(c.Data[4:], []byte{0})
			text[binary.LittleEndian.Uint32(c.Data)] = schema.DecodeWindows1252(s)
		}
	}
	for i := range list {
		list[i].Label = text[list[i].ID]
	}
}

func u32s(v ...uint32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}
