package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Sound writes a record of music.flx, sfx.flx or speech.flx. Source: reference section 12.1.
func Sound(s *ultima9.Sound) ([]byte, error) {
	w := write.NewBuffer("u9-sound", ultima9.SoundHeaderSize+len(s.Data))
	w.U32(s.ID)
	fixedText(w, s.Description, ultima9.SoundDescriptionSize, "description")
	w.Count32(len(s.Data), "data length")
	w.U32(s.Rate)
	w.U32(s.Bits)
	w.U32(s.Channels)
	w.U32(uint32(s.Encoding))
	w.Bytes(s.Data)
	return w.Finish()
}
