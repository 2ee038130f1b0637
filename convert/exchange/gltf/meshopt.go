package gltf

import (
	"encoding/binary"
	"math/bits"

	"github.com/usher-assets/usher/schema"
)

// The decoder of EXT_meshopt_compression and KHR_meshopt_compression, after the text of the extensions: three modes,
// which say how bytes are packed, and filters, which turn unpacked elements into what accessors expect.

// packedView is the extension's object of a buffer view.
type packedView struct {
	Buffer     int    `json:"buffer"`
	ByteOffset int    `json:"byteOffset"`
	ByteLength int    `json:"byteLength"`
	ByteStride int    `json:"byteStride"`
	Count      int    `json:"count"`
	Mode       string `json:"mode"`
	Filter     string `json:"filter"`
}

// The modes.
const (
	modeAttributes = "ATTRIBUTES"
	modeTriangles  = "TRIANGLES"
	modeIndices    = "INDICES"
)

func packedError(class error, msg string, args ...any) error {
	if class == schema.ErrUnsupported {
		msg += "; " + decodeCommand + " unpacks it"
	}
	return schema.Errorf(formatName, class, "meshopt", msg, args...)
}

// check holds the layout of a view against the extension's rules, and its size against the src bytes that it is to come
// from: what they cannot make is refused before anything is allocated.
func (v *packedView) check(src int) error {
	stride := v.ByteStride
	if v.Count < 0 || v.Count > 1<<31 {
		return packedError(schema.ErrCount, "%d elements", v.Count)
	}
	var least int // bytes that so many elements take at least
	switch v.Mode {
	case modeAttributes:
		if stride < 4 || stride > 256 || stride%4 != 0 {
			return packedError(schema.ErrValue, "elements of %d bytes", stride)
		}
		block := blockElements(stride)
		least = 1 + stride + (v.Count+block-1)/block*(stride/4)
	case modeTriangles:
		least = 1 + v.Count/3 + len(triangleTable{})
		if v.Count%3 != 0 {
			return packedError(schema.ErrCount, "%d indices are no whole number of triangles", v.Count)
		}
	case modeIndices:
		least = 1 + v.Count + 4
	default:
		return packedError(schema.ErrUnsupported, "mode %q", v.Mode)
	}
	if v.Mode != modeAttributes {
		if stride != 2 && stride != 4 {
			return packedError(schema.ErrValue, "indices of %d bytes", stride)
		}
		if v.Filter != "" && v.Filter != filterNone {
			return packedError(schema.ErrValue, "filter %q of indices", v.Filter)
		}
	} else if err := checkFilter(v.Filter, stride); err != nil {
		return err
	}
	if src < least {
		return packedError(schema.ErrCount, "%d elements of %d bytes need %d packed ones, there are %d", v.Count, stride, least, src)
	}
	return nil
}

// unpack returns the elements of a view that was checked: count × stride bytes.
func (v *packedView) unpack(src []byte) ([]byte, error) {
	dst := make([]byte, v.Count*v.ByteStride)
	var err error
	switch v.Mode {
	case modeAttributes:
		if err = unpackAttributes(dst, src, v.ByteStride); err == nil {
			applyFilter(v.Filter, dst, v.ByteStride)
		}
	case modeTriangles:
		err = unpackTriangles(indexSink{dst, v.ByteStride}, src)
	case modeIndices:
		err = unpackIndices(indexSink{dst, v.ByteStride}, src)
	}
	return dst, err
}

// Heads of packed streams.
const (
	headAttributes0 = 0xA0
	headAttributes1 = 0xA1
	headTriangles   = 0xE1
	headIndices     = 0xD1
)

// groupSize is the number of deltas that are packed together.
const groupSize = 16

// blockElements is the number of elements of each block but the last.
func blockElements(stride int) int { return min(8192/stride&^(groupSize-1), 256) }

// lanes are the deltas of the four bytes of a channel, for the elements of a block.
type lanes [4][256]byte

// unpackAttributes fills dst with elements of stride bytes.
func unpackAttributes(dst, src []byte, stride int) error {
	tail, least := stride, 32
	version := src[0]
	switch version {
	case headAttributes0:
	case headAttributes1:
		tail, least = stride+stride/4, 24
	default:
		return packedError(schema.ErrUnsupported, "attributes begin with %#02x", version)
	}
	least = max(least, tail)
	if len(src) < 1+least {
		return packedError(schema.ErrTruncated, "%d bytes, the tail alone has %d", len(src), least)
	}
	end := src[len(src)-tail:]
	last := append([]byte(nil), end[:stride]...) // the element before the next one
	channels := end[stride:]
	for _, c := range channels {
		if c&15 > 2 || c&15 < 2 && c > 1 {
			return packedError(schema.ErrUnsupported, "channel mode %#02x", c)
		}
	}
	src = src[1 : len(src)-least]
	var deltas lanes
	for block := blockElements(stride); len(dst) > 0; {
		n := min(len(dst)/stride, block)
		var control []byte
		if version == headAttributes1 {
			if len(src) < stride/4 {
				return packedError(schema.ErrTruncated, "the attributes end early")
			}
			control, src = src[:stride/4], src[stride/4:]
		}
		for k := 0; k < stride; k += 4 {
			for lane := range deltas {
				how := controlNone
				if control != nil {
					how = int(control[k/4] >> (2 * lane) & 3)
				}
				rest, ok := unpackLane(&deltas[lane], src, n, how)
				if !ok {
					return packedError(schema.ErrTruncated, "the attributes end early")
				}
				src = rest
			}
			channel := byte(0)
			if version == headAttributes1 {
				channel = channels[k/4]
			}
			deltas.sum(dst[k:], last[k:k+4], stride, n, channel)
		}
		dst = dst[n*stride:]
	}
	if len(src) > 0 {
		return packedError(schema.ErrMismatch, "%d bytes after the attributes", len(src))
	}
	return nil
}

// How the deltas of a byte of all elements of a block are packed. The first three are with a header of two bits for
// each group, which choose among the widths.
const (
	controlLow     = 0 // version 1
	controlHigh    = 1
	controlZero    = 2
	controlLiteral = 3
	controlNone    = 4 // version 0
)

// laneWidths are the bits of a delta that the two header bits of a group stand for.
var laneWidths = [...][4]uint{controlLow: {0, 1, 2, 4}, controlHigh: {1, 2, 4, 8}, controlNone: {0, 2, 4, 8}}

// unpackLane reads n deltas and returns the bytes behind them.
func unpackLane(dst *[256]byte, src []byte, n, control int) (rest []byte, ok bool) {
	switch control {
	case controlZero:
		clear(dst[:n])
		return src, true
	case controlLiteral:
		if len(src) < n {
			return nil, false
		}
		copy(dst[:n], src)
		return src[n:], true
	}
	groups := (n + groupSize - 1) / groupSize
	if len(src) < (groups+3)/4 {
		return nil, false
	}
	heads, src := src[:(groups+3)/4], src[(groups+3)/4:]
	widths := &laneWidths[control]
	for g := range groups {
		if src, ok = unpackGroup((*[groupSize]byte)(dst[g*groupSize:]), src, widths[heads[g/4]>>(2*(g%4))&3]); !ok {
			return nil, false
		}
	}
	return src, true
}

// unpackGroup reads the deltas of a group, of so many bits each; one whose bits are all set is a byte behind them.
func unpackGroup(dst *[groupSize]byte, src []byte, bits uint) (rest []byte, ok bool) {
	size := int(bits) * groupSize / 8
	if len(src) < size {
		return nil, false
	}
	packed, rest := src[:size], src[size:]
	switch bits {
	case 0:
		*dst = [groupSize]byte{}
		return rest, true
	case 8:
		copy(dst[:], packed)
		return rest, true
	}
	const low = 1 // of one bit, the first delta is the lowest; of more, the highest
	per := 8 / bits
	sentinel := byte(1)<<bits - 1
	at := 0
	for _, b := range packed {
		for k := range per {
			shift := k
			if bits != low {
				shift = (per - 1 - k) * bits
			}
			x := b >> shift & sentinel
			if x == sentinel {
				if len(rest) == 0 {
					return nil, false
				}
				x, rest = rest[0], rest[1:]
			}
			dst[at] = x
			at++
		}
	}
	return rest, true
}

// sum turns deltas into the values of a channel. last is the channel of the element before, and becomes that of the
// last one.
func (d *lanes) sum(dst, last []byte, stride, n int, channel byte) {
	switch channel & 15 {
	case 0: // bytes
		a, b, c, e := last[0], last[1], last[2], last[3]
		for i := range n {
			a, b, c, e = a+unzigzag8(d[0][i]), b+unzigzag8(d[1][i]), c+unzigzag8(d[2][i]), e+unzigzag8(d[3][i])
			out := dst[i*stride : i*stride+4]
			out[0], out[1], out[2], out[3] = a, b, c, e
		}
		last[0], last[1], last[2], last[3] = a, b, c, e
	case 1: // words
		a, b := binary.LittleEndian.Uint16(last), binary.LittleEndian.Uint16(last[2:])
		for i := range n {
			a += unzigzag16(uint16(d[0][i]) | uint16(d[1][i])<<8)
			b += unzigzag16(uint16(d[2][i]) | uint16(d[3][i])<<8)
			binary.LittleEndian.PutUint32(dst[i*stride:], uint32(a)|uint32(b)<<16)
		}
		binary.LittleEndian.PutUint32(last, uint32(a)|uint32(b)<<16)
	case 2: // bits that differ, turned
		x, turn := binary.LittleEndian.Uint32(last), int(channel>>4)
		for i := range n {
			v := uint32(d[0][i]) | uint32(d[1][i])<<8 | uint32(d[2][i])<<16 | uint32(d[3][i])<<24
			x ^= bits.RotateLeft32(v, -turn)
			binary.LittleEndian.PutUint32(dst[i*stride:], x)
		}
		binary.LittleEndian.PutUint32(last, x)
	}
}

func unzigzag8(v byte) byte { return v>>1 ^ -(v & 1) }

func unzigzag16(v uint16) uint16 { return v>>1 ^ -(v & 1) }

func unzigzag32(v uint32) uint32 { return v>>1 ^ -(v & 1) }
