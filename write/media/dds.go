package media

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/write"
)

// DDS writes a DirectDraw surface unchanged. It fails with ErrMismatch if the levels do not fit the header.
func DDS(x *media.DDS) ([]byte, error) {
	size := 128 + len(x.Trailing)
	for _, l := range x.Levels {
		size += len(l)
	}
	w := write.NewBuffer("dds", size)
	w.Raw("DDS ")
	w.U32(x.HeaderSize)
	w.U32(x.Flags)
	w.U32(x.Height)
	w.U32(x.Width)
	w.U32(x.Pitch)
	w.U32(x.Depth)
	w.U32(x.MipCount)
	w.U32s(x.Reserved1[:])
	f := &x.Format
	w.U32(f.Size)
	w.U32(f.Flags)
	w.Bytes(f.FourCC[:])
	w.U32s([]uint32{f.Bits, f.Red, f.Green, f.Blue, f.Alpha})
	w.U32s([]uint32{x.Caps, x.Caps2, x.Caps3, x.Caps4, x.Reserved2})
	if want := x.Faces() * x.Mips(); len(x.Levels) != want {
		w.Failf(schema.ErrMismatch, "levels", "%d levels, expected %d", len(x.Levels), want)
		return w.Finish()
	}
	for i, l := range x.Levels {
		if want := x.LevelBytes(i % x.Mips()); len(l) != want {
			w.Failf(schema.ErrMismatch, "level", "level %d has %d bytes, expected %d", i, len(l), want)
		}
		w.Bytes(l)
	}
	w.Bytes(x.Trailing)
	return w.Finish()
}
