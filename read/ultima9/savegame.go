package ultima9

import (
	"strings"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// Savegame reads u9gameN.sav (reference section 13.1). Its members are not decoded.
func Savegame(b []byte, d *schema.Diagnostics) (*ultima9.Savegame, error) {
	c := read.NewCursor("u9-savegame", b, d)
	c.Magic(ultima9.SaveMagic, "signature")
	x := &ultima9.Savegame{
		Label:        countedText(c, "label"),
		Description:  countedText(c, "description"),
		Position:     c.Vec3("position"),
		Orientation:  c.Vec4("orientation"),
		YawPitchRoll: c.Vec3("yaw, pitch, roll"),
		Map:          c.I32("map"),
		Time:         c.I32("time"),
		Day:          c.I32("day"),
		Picture:      member(c, "picture"),
		Processes:    member(c, "processes"),
		Diary:        member(c, "diary"),
	}
	for c.Err() == nil {
		m := ultima9.SavedMap{Number: c.I32("map number")}
		if m.Number == -1 {
			break
		}
		m.Data = member(c, "map")
		x.Maps = append(x.Maps, m)
	}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

// member reads bytes with their length before them.
func member(c *read.Cursor, field string) []byte {
	return c.Part(c.Extent(uint64(c.U32(field+" length")), 1, field), field)
}

// StartFile reads start.dat. It fails with ErrBadMagic for a file as large as a savegame, since the two signatures differ
// in one character only.
func StartFile(b []byte, d *schema.Diagnostics) (*ultima9.StartFile, error) {
	c := read.NewCursor("u9-start", b, d)
	if len(b) > ultima9.StartFileMost {
		c.Failf(schema.ErrBadMagic, "signature", "%d bytes are no start.dat, which has 10: a savegame begins with %q", len(b), ultima9.SaveMagic)
	}
	c.Magic(ultima9.StartMagic, "signature")
	x := &ultima9.StartFile{Slot: c.I32("slot")}
	x.Trailing = trailing(c, d)
	return done(x, c)
}

// pictureHeader is the layout of a picture's header, which is that of a texture set.
const pictureHeader = "maximum-width:u16 mips:u8 reserved:u8 maximum-height:u16 storage:u16 frames:u32 playback:u32"

// SavePicture reads the picture of a savegame (reference section 13.2). It fails with ErrMismatch if the length does not
// fit width and height.
func SavePicture(b []byte, d *schema.Diagnostics) (*ultima9.SavePicture, error) {
	c := read.NewCursor("u9-savepicture", b, d)
	x := &ultima9.SavePicture{}
	copy(x.Header[:], c.Elements(1, len(x.Header), pictureHeader, "header"))
	x.Flags = read.Named(c, ultima9.FrameFlags(c.U32("flags")))
	x.Width = c.U32("width")
	x.Height = c.U32("height")
	x.AnchorX = c.U32("anchor x")
	x.AnchorY = c.U32("anchor y")
	w, h := uint64(x.Width), uint64(x.Height)
	if c.Err() == nil && (w == 0 || h == 0 || h > uint64(len(b)) || w > uint64(len(b)) || ultima9.SavePictureSize+4*h+w*h != uint64(len(b))) {
		c.FailAtf(0x14, schema.ErrMismatch, "size", "%d x %d pixels in %d bytes", w, h, len(b))
	}
	x.Rows = c.U32s(int(h), "rows")
	x.Pixels = c.Data(c.Left(), "pixels", "pixels")
	return done(x, c)
}

// Processes reads the known part of a savegame's processes (reference section 13.3).
func Processes(b []byte, d *schema.Diagnostics) (*ultima9.Processes, error) {
	c := read.NewCursor("u9-processes", b, d)
	x := &ultima9.Processes{}
	if len(b) >= ultima9.ProcessNPCs {
		d.Trace().NoteBytes(b[:ultima9.ProcessNPCs], ultima9.ProcessNPCs/4, schema.LayoutU32, "", "variables")
	}
	c.Seek(ultima9.ProcessNPCs, "npcs")
	c.Records(&x.NPCs, c.Extent(ultima9.ProcessNPCCount, ultima9.NPCSize, "npcs"), "npc")
	c.Seek(ultima9.ProcessReferences+4, "object references")
	n := uint64(c.U32("reference count"))
	x.FreeHead = c.U32("free head")
	c.Records(&x.References, c.Count(n, 12, "object references"), "reference")
	return done(x, c)
}

// Diary reads the diary of a savegame (reference section 13.4).
func Diary(b []byte, d *schema.Diagnostics) (*ultima9.Diary, error) {
	d.Trace().NoteBytes(b, 1, schema.LayoutText, "", "entries")
	if len(b) == 0 {
		return new(ultima9.Diary), nil
	}
	return &ultima9.Diary{Entries: strings.Split(schema.DecodeWindows1252(b), ultima9.DiaryMark)}, nil
}
