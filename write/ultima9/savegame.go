package ultima9

import (
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Savegame writes u9gameN.sav (reference section 13.1).
func Savegame(x *ultima9.Savegame) ([]byte, error) {
	size := 128 + len(x.Picture) + len(x.Processes) + len(x.Diary) + len(x.Trailing)
	for _, m := range x.Maps {
		size += 8 + len(m.Data)
	}
	w := write.NewBuffer("u9-savegame", size)
	w.Raw(ultima9.SaveMagic)
	countedText(w, x.Label, "label")
	countedText(w, x.Description, "description")
	w.Floats(x.Position[:]...)
	w.Floats(x.Orientation[:]...)
	w.Floats(x.YawPitchRoll[:]...)
	w.I32(x.Map)
	w.I32(x.Time)
	w.I32(x.Day)
	member(w, x.Picture, "picture")
	member(w, x.Processes, "processes")
	member(w, x.Diary, "diary")
	for _, m := range x.Maps {
		if m.Number == -1 {
			w.Failf(schema.ErrValue, "map number", "−1 ends the list of maps")
		}
		w.I32(m.Number)
		member(w, m.Data, "map")
	}
	w.I32(-1)
	w.Bytes(x.Trailing)
	return w.Finish()
}

func member(w *write.Buffer, b []byte, field string) {
	w.Count32(len(b), field+" length")
	w.Bytes(b)
}

// StartFile writes start.dat.
func StartFile(x *ultima9.StartFile) ([]byte, error) {
	w := write.NewBuffer("u9-start", 10)
	w.Raw(ultima9.StartMagic)
	w.I32(x.Slot)
	w.Bytes(x.Trailing)
	return w.Finish()
}

// SavePicture writes the picture of a savegame (reference section 13.2).
func SavePicture(x *ultima9.SavePicture) ([]byte, error) {
	w := write.NewBuffer("u9-savepicture", ultima9.SavePictureSize+4*len(x.Rows)+len(x.Pixels))
	if uint64(len(x.Rows)) != uint64(x.Height) || uint64(len(x.Pixels)) != uint64(x.Width)*uint64(x.Height) {
		w.Failf(schema.ErrMismatch, "size", "%d rows and %d pixels for %d x %d", len(x.Rows), len(x.Pixels), x.Width, x.Height)
	}
	w.Bytes(x.Header[:])
	w.U32(uint32(x.Flags))
	w.U32(x.Width)
	w.U32(x.Height)
	w.U32(x.AnchorX)
	w.U32(x.AnchorY)
	w.U32s(x.Rows)
	w.Bytes(x.Pixels)
	return w.Finish()
}

// Diary writes the diary of a savegame (reference section 13.4).
func Diary(x *ultima9.Diary) ([]byte, error) {
	w := write.NewBuffer("u9-diary", 1024)
	if len(x.Entries) == 1 && x.Entries[0] == "" {
		w.Failf(schema.ErrValue, "entries", "a single entry that is empty is none")
	}
	w.Text(strings.Join(x.Entries, ultima9.DiaryMark), "diary")
	return w.Finish()
}
