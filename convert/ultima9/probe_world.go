package ultima9

import (
	"bytes"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// probeLimit is how much of a record the probes read that have to follow its lists.
const probeLimit = 1 << 16

// sized makes a probe for records without anything but a length.
func sized(least, most int64) func(in *format.Input) format.Confidence {
	return func(in *format.Input) format.Confidence {
		if in.Size < least || in.Size > most {
			return format.No
		}
		return format.Plausible
	}
}

// whole returns all bytes of an input, when they are few.
func whole(in *format.Input) ([]byte, bool) {
	if int64(len(in.Head)) >= in.Size {
		return in.Head[:in.Size], true
	}
	if in.At == nil || in.Size > probeLimit {
		return nil, false
	}
	b := make([]byte, in.Size)
	_, err := in.At.ReadAt(b, 0)
	return b, err == nil
}

// reads makes a probe out of a reader: a record that begins as begins says, is read without an error and satisfies sure
// is of the format. One that is too long to be read for a probe only begins so.
func reads[T any](begins func(head []byte) bool, read func(b []byte) (*T, error), sure func(x *T) bool) func(in *format.Input) format.Confidence {
	return func(in *format.Input) format.Confidence {
		if !begins(in.Head) {
			return format.No
		}
		b, ok := whole(in)
		if !ok {
			return format.Plausible
		}
		x, err := read(b)
		if err != nil || !sure(x) {
			return format.No
		}
		return format.Structural
	}
}

// exactly makes a probe out of the reader of records that have one length only.
func exactly[T any](size int64, read func(b []byte, d *schema.Diagnostics) (*T, error), sure func(x *T) bool) func(in *format.Input) format.Confidence {
	return func(in *format.Input) format.Confidence {
		if in.Size != size || int64(len(in.Head)) < size {
			return format.No
		}
		x, err := read(in.Head[:size], nil)
		if err != nil || !sure(x) {
			return format.No
		}
		return format.Structural
	}
}

// isName reports whether a text field holds a name, see printable.
func isName(t ultima9.FixedText) bool {
	return t.Text != "" && !t.Unterminated && !hasControls(t.Text)
}

func hasControls(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' })
}

// named raises the confidence of a probe for files with one of the names that the game has for them.
func named(probe func(in *format.Input) format.Confidence, names ...string) func(in *format.Input) format.Confidence {
	return func(in *format.Input) format.Confidence {
		c := probe(in)
		if c == format.No {
			return c
		}
		for _, name := range names {
			if strings.HasPrefix(strings.ToLower(in.Name), name) {
				return max(c, format.Structural) + 1
			}
		}
		return c
	}
}

// printable reports whether a text field holds a name: at least one character, none of them a control character.
func printable(field []byte) bool {
	n := bytes.IndexByte(field, 0)
	if n <= 0 {
		return false
	}
	for _, c := range field[:n] {
		if c < ' ' {
			return false
		}
	}
	return true
}

func probeSound(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < ultima9.SoundHeaderSize {
		return format.No
	}
	whole := int64(le.Uint32(b[0x28:])) == in.Size-ultima9.SoundHeaderSize
	rate, bits, channels, encoding := le.Uint32(b[0x2C:]), le.Uint32(b[0x30:]), le.Uint32(b[0x34:]), le.Uint32(b[0x38:])
	usual := rate >= 1000 && rate <= 192000 && bits == 16 && (channels == 1 || channels == 2) && encoding <= 2
	switch {
	case whole && usual:
		return format.Magic
	case usual: // one that was cut off: its reader says so
		return format.Structural
	case whole:
		return format.Plausible
	}
	return format.No
}

var probeSoundCategory = exactly(40, read.SoundCategory, func(x *ultima9.SoundCategory) bool {
	return isName(x.Name) && x.Count == 0
})

var probeSoundEnvironment = exactly(80, read.SoundEnvironment, func(x *ultima9.SoundEnvironment) bool {
	return isName(x.Name) && x.Profile <= 25
})

// probeSoundTemplate knows records of some hundred bytes: one that is too long to be read is none, but begins with a name as
// the list of characters does.
func probeSoundTemplate(in *format.Input) format.Confidence {
	if in.Size > probeLimit {
		return format.No
	}
	return readsSoundTemplate(in)
}

var readsSoundTemplate = reads(
	func(b []byte) bool { return len(b) >= ultima9.SoundTemplateSize && printable(b[4:37]) },
	func(b []byte) (*ultima9.SoundTemplate, error) { return read.SoundTemplate(b, nil) },
	func(x *ultima9.SoundTemplate) bool {
		return len(x.Trailing) == 0 && x.Name.Text != "" && !x.Name.Unterminated
	})

var probeSpace = reads(
	func(b []byte) bool {
		return len(b) >= 0x38 && printable(b[:ultima9.SpaceNameSize]) && le.Uint32(b[0x20:]) < 1000
	},
	func(b []byte) (*ultima9.Space, error) { return read.Space(b, nil) },
	func(x *ultima9.Space) bool { return len(x.Trailing) == 0 })

var probeTreeData = reads(
	func(b []byte) bool {
		if len(b) < 44 || le.Uint32(b) != 0 {
			return false
		}
		nodes := 8 + 4*int64(le.Uint32(b[4:]))
		return nodes+4 > int64(len(b)) || le.Uint32(b[nodes:]) > 0
	},
	func(b []byte) (*ultima9.TreeData, error) { return read.TreeData(b, nil) },
	func(x *ultima9.TreeData) bool { return len(x.Trailing) == 0 && len(x.Nodes) > 0 })

func probeBook(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < 8 {
		return format.No
	}
	title := int64(le.Uint32(b))
	if title > 4096 || 4+title+4 > int64(len(b)) {
		return format.No
	}
	body := int64(le.Uint32(b[4+title:]))
	if 8+title+body != in.Size || title+body == 0 || !writing(b[4:4+title]) || !writing(b[8+title:]) {
		return format.No
	}
	if title > 0 && b[4+title-1] == 0 {
		return format.Magic
	}
	return format.Structural
}

// writing reports whether b can be a text of 8 bits: nothing below a blank but breaks, tabs and what ends it.
func writing(b []byte) bool {
	b = bytes.TrimRight(b, "\x00")
	return !bytes.ContainsFunc(b, func(c rune) bool { return c < ' ' && c != '\n' && c != '\r' && c != '\t' })
}

// probeText looks for UTF-16: a zero at the end, or mostly Latin letters.
func probeText(in *format.Input) format.Confidence {
	b := in.Head[:min(len(in.Head), 512)&^1]
	if in.Size%2 != 0 || len(b) == 0 {
		return format.No
	}
	latin, marks, n := 0, 0, 0
	for ; n < len(b)/2; n++ {
		c := le.Uint16(b[2*n:])
		if c == 0 {
			break
		}
		switch {
		case c >= ' ' && c < 0x250 || c == '\n' || c == '\r' || c == '\t':
			latin++
		case c >= 0x2010 && c < 0x2030:
			marks++
		}
	}
	if latin+marks < n {
		return format.No
	}
	// Bytes of ordinary files look like a few units of text before a zero, or like a run of daggers.
	if n >= 2 && latin > 2*marks && int64(2*n+2) >= in.Size/4 {
		return format.Structural
	}
	return format.Plausible
}

func probeTextTable(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < 8 {
		return format.No
	}
	buckets := int64(le.Uint32(b))
	if buckets == 0 || 4+4*buckets > in.Size || (in.Size-4-4*buckets)%12 != 0 {
		return format.No
	}
	at := 4
	for i := uint32(0); int64(i) < buckets && at+4 <= len(b); i++ {
		n := int64(le.Uint32(b[at:]))
		at += 4
		if int64(at)+12*n > in.Size {
			return format.No
		}
		for ; n > 0 && at+12 <= len(b); n-- {
			if le.Uint32(b[at:]) != i {
				return format.No
			}
			at += 12
		}
		if n > 0 {
			return format.Structural // lines up to the end of what is at hand
		}
	}
	if at+4 <= len(b) && int64(at) != in.Size {
		return format.Plausible // many a file begins with zeros
	}
	return format.Structural
}

func probeNPCs(in *format.Input) format.Confidence {
	if in.Size == 0 || in.Size%ultima9.NPCSize != 0 || len(in.Head) < ultima9.NPCSize {
		return format.No
	}
	x, err := read.NPCs(in.Head[:len(in.Head)-len(in.Head)%ultima9.NPCSize], nil)
	if err != nil || slices.ContainsFunc(x.Records, func(n ultima9.NPC) bool { return n.Gender > 1 }) {
		return format.No
	}
	return format.Plausible
}

func probeActivity(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < 8 || int64(le.Uint32(b[4:])) != in.Size-8 || int64(le.Uint32(b)) > in.Size/25 {
		return format.No
	}
	return format.Structural
}

func probeTrigger(in *format.Input) format.Confidence {
	if in.Size == 0 || in.Size%ultima9.TriggerStepSize != 0 {
		return format.No
	}
	x, err := read.Trigger(in.Head[:len(in.Head)-len(in.Head)%ultima9.TriggerStepSize], nil)
	if err != nil || len(x.Steps) == 0 || x.Steps[len(x.Steps)-1].Opcode != ultima9.EndOpcode {
		return format.No
	}
	return format.Plausible
}

func probeHighway(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < 12 {
		return format.No
	}
	points, routes := int64(le.Uint32(b)), int64(le.Uint32(b[4:]))
	at := 8 + ultima9.HighwayPointSize*points
	if at+4 > in.Size {
		return format.No
	}
	size := make([]byte, 4)
	if at+4 <= int64(len(b)) {
		copy(size, b[at:])
	} else if in.At == nil {
		return format.No
	} else if _, err := in.At.ReadAt(size, at); err != nil {
		return format.No
	}
	block := int64(le.Uint32(size))
	if at+4+block != in.Size || ultima9.HighwayRouteSize*routes > block || points == 0 && routes > 0 {
		return format.No
	}
	return format.Structural
}

var probeArea = reads(
	func(b []byte) bool { return len(b) >= 40 && le.Uint32(b) == ultima9.AreaKind },
	func(b []byte) (*ultima9.Area, error) { return read.Area(b, nil) },
	func(x *ultima9.Area) bool {
		return x.Flags <= ultima9.AreaTrigger|ultima9.AreaEncounter && len(x.Trailing) == 0
	})

// probeTerrain compares the tables with the size.
func probeTerrain(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < ultima9.TerrainHeaderSize {
		return format.No
	}
	w, h, chunks := int64(le.Uint32(b)), int64(le.Uint32(b[4:])), int64(le.Uint32(b[0x94:]))
	if w%ultima9.TileSide != 0 || h%ultima9.TileSide != 0 || w > 1<<16 || h > 1<<16 || chunks > ultima9.MaxChunks || (w == 0) != (h == 0) || chunks == 0 && w > 0 {
		return format.No
	}
	need := ultima9.TerrainHeaderSize + 2*(w/ultima9.TileSide)*(h/ultima9.TileSide) + 4*ultima9.ChunkPoints*chunks
	if need > in.Size {
		return format.No
	}
	if need == in.Size && w > 0 {
		return format.Magic
	}
	return format.Structural
}

// probeObjects compares the header with the size.
func probeObjects(kind ultima9.ObjectKind) func(in *format.Input) format.Confidence {
	return func(in *format.Input) format.Confidence {
		b := in.Head
		at := 4 * kind.Leading()
		if len(b) < at+24 {
			return format.No
		}
		for _, c := range b[:at] {
			if c != 0 {
				return format.No
			}
		}
		size, mark := int64(le.Uint32(b[at:])), le.Uint32(b[at+4:])
		w, h, k := int64(le.Uint32(b[at+8:])), int64(le.Uint32(b[at+12:])), le.Uint32(b[at+16:])
		if size%ultima9.PageSize != 0 || w > 1<<12 || h > 1<<12 || k != uint32(kind) || int64(at)+24+4*w*h+size > in.Size {
			return format.No
		}
		if mark == ultima9.HeapUnknown {
			return format.Magic
		}
		return format.Structural
	}
}

func probeMagic(magic string) func(in *format.Input) format.Confidence {
	return func(in *format.Input) format.Confidence {
		if bytes.HasPrefix(in.Head, []byte(magic)) {
			return format.Certain
		}
		return format.No
	}
}

// probeStart tells a start.dat from a savegame whose signature is wrong in one character.
func probeStart(in *format.Input) format.Confidence {
	c := probeMagic(ultima9.StartMagic)(in)
	if in.Size > ultima9.StartFileMost {
		c = min(c, format.Plausible) // its reader says what is wrong
	}
	return c
}

func probeSavePicture(in *format.Input) format.Confidence {
	b := in.Head
	if len(b) < ultima9.SavePictureSize {
		return format.No
	}
	w, h := int64(le.Uint32(b[0x14:])), int64(le.Uint32(b[0x18:]))
	if w == 0 || h == 0 || w > 1<<14 || h > 1<<14 || ultima9.SavePictureSize+4*h+w*h != in.Size {
		return format.No
	}
	return format.Structural
}
