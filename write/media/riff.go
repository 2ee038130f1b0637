package media

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/write"
)

// RIFF writes a container of chunks. Sizes are computed, except those that the container and its chunks state themselves.
func RIFF(r *media.RIFF) ([]byte, error) {
	size := r.ContentSize()
	w := write.NewBuffer("riff", 8+size+len(r.Trailing))
	w.Raw("RIFF")
	putSize(w, r.Size, size)
	w.Bytes(r.Form[:])
	putChunks(w, r.Chunks)
	w.Bytes(r.Trailing)
	return w.Finish()
}

// Chunks writes the chunks inside a LIST.
func Chunks(list []media.Chunk) ([]byte, error) {
	w := write.NewBuffer("riff", 0)
	putChunks(w, list)
	return w.Finish()
}

func putChunks(w *write.Buffer, list []media.Chunk) {
	for i := range list {
		c := &list[i]
		if c.Size != nil && int64(*c.Size) > int64(len(c.Data)) && c.Padded() {
			w.Failf(schema.ErrMismatch, c.ID.String(), "a chunk that claims %d bytes and has %d ends the file, without padding (NoPad)", *c.Size, len(c.Data))
		}
		w.Bytes(c.ID[:])
		putSize(w, c.Size, len(c.Data))
		w.Bytes(c.Data)
		if c.Padded() {
			w.U8(c.Pad)
		}
	}
}

func putSize(w *write.Buffer, stored *uint32, size int) {
	if stored != nil {
		w.U32(*stored)
		return
	}
	w.Count32(size, "size")
}

// WaveFormat writes the data of a chunk "fmt ".
func WaveFormat(f *media.WaveFormat) ([]byte, error) {
	w := write.NewBuffer("wav", 16+len(f.Extension))
	w.U16(f.Tag)
	w.U16(f.Channels)
	w.U32(f.Rate)
	w.U32(f.BytesPerSecond)
	w.U16(f.BlockAlign)
	w.U16(f.Bits)
	w.Bytes(f.Extension)
	return w.Finish()
}
