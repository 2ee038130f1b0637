package ultima9

import (
	"encoding/binary"
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Texture writes a texture set (reference section 4). Frames with an offset are written there, the others one after the
// other. It fails with ErrMismatch if a level does not have the number of pixels that its dimensions require, ErrRange if
// something does not fit, and the errors of TextureSet.Format.
func Texture(t *ultima9.TextureSet) ([]byte, error) {
	offsets, size, err := frameOffsets(t)
	if err != nil {
		return nil, err
	}
	var parts []region
	head := write.NewBuffer("u9-texture", ultima9.TextureHeaderSize+ultima9.FrameEntrySize*len(t.Frames))
	head.U16(t.MaxWidth)
	head.U8(t.Mips)
	head.U8(t.Reserved03)
	head.U16(t.MaxHeight)
	head.U16(uint16(t.Storage))
	head.Count32(len(t.Frames), "frame count")
	head.U32(uint32(t.Playback))
	for i := range t.Frames {
		head.U32(offsets[i])
		head.Count32(t.Frames[i].Length(), "length")
		f := &t.Frames[i]
		parts = append(parts, region{at: int(offsets[i]), size: f.Length(), write: func(b []byte) { writeFrame(b, f) }})
	}
	h, err := head.Finish()
	if err != nil {
		return nil, err
	}
	b := make([]byte, size)
	parts = append(parts, region{size: len(h), write: func(b []byte) { copy(b, h) }})
	return b, fill("u9-texture", b, gaps(parts, t.Gaps))
}

// frameOffsets returns where each frame goes and the size of the whole.
func frameOffsets(t *ultima9.TextureSet) (offsets []uint32, size int, err error) {
	at := ultima9.TextureHeaderSize + ultima9.FrameEntrySize*len(t.Frames)
	start, size, parts := at, at, at
	offsets = make([]uint32, len(t.Frames))
	for i := range t.Frames {
		f := &t.Frames[i]
		if err := checkLevels(t, i); err != nil {
			return nil, 0, err
		}
		if f.Offset != 0 {
			at = int(f.Offset)
		}
		offsets[i] = uint32(at)
		at += f.Length()
		if at > math.MaxUint32 || int(offsets[i]) < start {
			return nil, 0, schema.Errorf("u9-texture", schema.ErrRange, "offset", "frame %d cannot lie at 0x%x", i, offsets[i])
		}
		size, parts = max(size, at), parts+f.Length()
	}
	for _, g := range t.Gaps {
		size, parts = max(size, int(g.Offset)+len(g.Data)), parts+len(g.Data)
	}
	return offsets, size, checkSpread("u9-texture", size, parts)
}

func checkLevels(t *ultima9.TextureSet, i int) error {
	f := &t.Frames[i]
	format, err := t.Format(i)
	if err != nil {
		return err
	}
	if len(f.Levels) != 1+int(t.Mips) || uint32(len(f.Rows)) != f.Height {
		return schema.Errorf("u9-texture", schema.ErrMismatch, "levels", "frame %d has %d levels and %d rows, expected %d and %d",
			i, len(f.Levels), len(f.Rows), 1+int(t.Mips), f.Height)
	}
	for k, level := range f.Levels {
		w, h := f.LevelSize(k)
		if want := format.Size(uint64(w), uint64(h)); uint64(len(level)) != want {
			return schema.Errorf("u9-texture", schema.ErrMismatch, "levels", "level %d of frame %d has %d bytes, %d x %d pixels in %v need %d",
				k, i, len(level), w, h, format, want)
		}
	}
	return nil
}

// writeFrame fills the frame's own part of the record.
func writeFrame(b []byte, f *ultima9.TextureFrame) {
	le := binary.LittleEndian
	for i, v := range [...]uint32{uint32(f.Flags), f.Width, f.Height, f.AnchorX, f.AnchorY} {
		le.PutUint32(b[4*i:], v)
	}
	b = b[ultima9.FrameHeaderSize:]
	for i, row := range f.Rows {
		le.PutUint32(b[4*i:], row)
	}
	b = b[4*len(f.Rows):]
	for _, level := range f.Levels {
		b = b[copy(b, level):]
	}
}
