package media

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// EAXA decodes EA-XA ADPCM version 1 with one or two channels to interleaved 16-bit little-endian samples. A partial
// last block is dropped. Source: Ultima IX reference section 12.3.
func EAXA(data []byte, channels int) ([]byte, error) {
	switch channels {
	case 1:
		return eaxaMono(data)
	case 2:
		return eaxaStereo(data)
	}
	return nil, schema.Errorf("ea-xa", schema.ErrUnsupported, "channels", "%d channels, 1 or 2 expected", channels)
}

// eaxaState predicts the samples of one channel; it continues over the blocks.
type eaxaState struct {
	k1, k2 int32 // weights of s1 and s2 in this block
	s1, s2 int32 // previous sample, the one before it
	shift  uint  // left shift of a nibble that stands in bits 28 … 31, from the right
}

// begin sets the predictor and shift of the next block. A nibble in the top four bits of an int32 moves right by
// 8 + shift to arrive at the scale of the weights.
func (s *eaxaState) begin(index, shift byte) bool {
	if index >= media.EAXAPredictors {
		return false
	}
	s.k1, s.k2 = media.EAXACoefficients[index][0], media.EAXACoefficients[index][1]
	s.shift = 8 + uint(shift)
	return true
}

// next decodes the nibble in the top four bits of v; the bits below are zero.
func (s *eaxaState) next(v uint32) uint16 {
	x := (int32(v)>>(s.shift&31) + s.k1*s.s1 + s.k2*s.s2 + 128) >> 8
	if x != int32(int16(x)) {
		x = math.MaxInt16 ^ x>>31
	}
	s.s2, s.s1 = s.s1, x
	return uint16(x)
}

func eaxaMono(data []byte) ([]byte, error) {
	blocks := len(data) / media.EAXABlock
	pcm := make([]byte, blocks*media.EAXASamples*2)
	var s eaxaState
	for i := range blocks {
		block := data[i*media.EAXABlock:][:media.EAXABlock]
		if !s.begin(block[0]>>4, block[0]&15) {
			return nil, eaxaIndex(i*media.EAXABlock, block[0]>>4)
		}
		out := pcm[i*media.EAXASamples*2:][:media.EAXASamples*2]
		for _, b := range block[1:] {
			v := uint32(b) << 24
			hi := s.next(v & 0xF0000000)
			lo := s.next(v << 4)
			binary.LittleEndian.PutUint32(out, uint32(hi)|uint32(lo)<<16)
			out = out[4:]
		}
	}
	return pcm, nil
}

func eaxaStereo(data []byte) ([]byte, error) {
	const size = 2 * media.EAXABlock
	blocks := len(data) / size
	pcm := make([]byte, blocks*media.EAXASamples*4)
	var left, right eaxaState
	for i := range blocks {
		block := data[i*size:][:size]
		if !left.begin(block[0]>>4, block[1]>>4) {
			return nil, eaxaIndex(i*size, block[0]>>4)
		}
		if !right.begin(block[0]&15, block[1]&15) {
			return nil, eaxaIndex(i*size, block[0]&15)
		}
		out := pcm[i*media.EAXASamples*4:][:media.EAXASamples*4]
		for _, b := range block[2:] {
			v := uint32(b) << 24
			l := left.next(v & 0xF0000000)
			r := right.next(v << 4)
			binary.LittleEndian.PutUint32(out, uint32(l)|uint32(r)<<16)
			out = out[4:]
		}
	}
	return pcm, nil
}

func eaxaIndex(offset int, index byte) error {
	msg := fmt.Sprintf("%d, at most %d", index, media.EAXAPredictors-1)
	return &schema.FormatError{Format: "ea-xa", Offset: int64(offset), Field: "coefficient index", Class: schema.ErrValue, Msg: msg}
}
