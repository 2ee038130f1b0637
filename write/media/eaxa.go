package media

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
)

// EAXA encodes interleaved 16-bit little-endian samples of one or two channels as EA-XA ADPCM version 1. The last block is
// filled up with the last sample, so the decoded clip is up to 27 frames longer. For each block it takes the predictor and
// shift with the smallest squared error. Source: Ultima IX reference section 12.3.
func EAXA(pcm []byte, channels int) ([]byte, error) {
	if channels != 1 && channels != 2 {
		return nil, schema.Errorf("ea-xa", schema.ErrUnsupported, "channels", "%d channels, 1 or 2 expected", channels)
	}
	frame := 2 * channels
	if len(pcm)%frame != 0 {
		return nil, schema.Errorf("ea-xa", schema.ErrMismatch, "samples", "%d bytes are no whole number of %d-byte frames", len(pcm), frame)
	}
	frames := len(pcm) / frame
	blocks := (frames + media.EAXASamples - 1) / media.EAXASamples
	data := make([]byte, blocks*media.EAXABlock*channels)
	var state [2]eaxaState
	var in [media.EAXASamples]int32
	for i := range blocks {
		block := data[i*media.EAXABlock*channels:][:media.EAXABlock*channels]
		for c := range channels {
			for n := range in {
				at := min(i*media.EAXASamples+n, frames-1)
				in[n] = int32(int16(binary.LittleEndian.Uint16(pcm[at*frame+2*c:])))
			}
			best := state[c].encode(&in)
			if channels == 1 {
				best.packMono(block)
			} else {
				best.packStereo(block, c)
			}
		}
	}
	return data, nil
}

// eaxaState is the decoder's memory of one channel.
type eaxaState struct{ s1, s2 int32 }

// eaxaChoice is one way to encode a block.
type eaxaChoice struct {
	index, shift byte
	nibbles      [media.EAXASamples]byte
	after        eaxaState
	err          int64 // sum of squared differences
}

// encode finds the best choice for a block and moves the state behind it. A trial ends as soon as it is worse than the
// best one so far; trying the likely shift first makes nearly all of them short.
func (s *eaxaState) encode(in *[media.EAXASamples]int32) eaxaChoice {
	best := eaxaChoice{err: math.MaxInt64}
	var trial eaxaChoice
	for index := range byte(media.EAXAPredictors) {
		likely := s.likelyShift(in, index)
		for i := range media.EAXAMaxShift + 1 {
			shift := i
			if i == 0 {
				shift = likely
			} else if i <= likely {
				shift = i - 1
			}
			trial.index, trial.shift = index, byte(shift)
			if s.try(in, &trial, best.err) {
				best = trial
			}
		}
	}
	*s = best.after
	return best
}

// likelyShift returns the largest shift whose nibbles reach the differences from an ideal prediction.
func (s *eaxaState) likelyShift(in *[media.EAXASamples]int32, index byte) int {
	k1, k2 := media.EAXACoefficients[index][0], media.EAXACoefficients[index][1]
	s1, s2 := s.s1, s.s2
	var reach int32
	for _, x := range in {
		d := x - (k1*s1+k2*s2)>>8
		reach = max(reach, d, -d)
		s2, s1 = s1, x
	}
	shift := media.EAXAMaxShift
	for shift > 0 && 7<<(12-shift) < reach {
		shift--
	}
	return shift
}

// try encodes a block with the trial's predictor and shift; false means that it is no better than limit.
func (s *eaxaState) try(in *[media.EAXASamples]int32, trial *eaxaChoice, limit int64) bool {
	k1, k2 := media.EAXACoefficients[trial.index][0], media.EAXACoefficients[trial.index][1]
	s1, s2 := s.s1, s.s2
	scale := 20 - uint(trial.shift)
	half := int32(1) << (scale - 1)
	var err int64
	for n, x := range in {
		predicted := k1*s1 + k2*s2
		nibble := min(max((x<<8-predicted+half)>>scale, -8), 7)
		y := (nibble<<scale + predicted + 128) >> 8
		y = min(max(y, math.MinInt16), math.MaxInt16)
		d := int64(x - y)
		err += d * d
		if err >= limit {
			return false
		}
		trial.nibbles[n] = byte(nibble & 15)
		s2, s1 = s1, y
	}
	trial.err, trial.after = err, eaxaState{s1, s2}
	return true
}

func (c *eaxaChoice) packMono(block []byte) {
	block[0] = c.index<<4 | c.shift
	for i := range block[1:] {
		block[1+i] = c.nibbles[2*i]<<4 | c.nibbles[2*i+1]
	}
}

// packStereo sets the nibbles of one channel: 0 left, high, 1 right, low.
func (c *eaxaChoice) packStereo(block []byte, channel int) {
	shift := 4 * uint(1-channel)
	block[0] |= c.index << shift
	block[1] |= c.shift << shift
	for i, n := range c.nibbles {
		block[2+i] |= n << shift
	}
}
