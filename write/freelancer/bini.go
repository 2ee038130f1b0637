package freelancer

import (
	"math"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/write"
)

// BINI writes a compiled INI file with the table of strings from [freelancer.BINI.Layout].
func BINI(x *freelancer.BINI) ([]byte, error) {
	table, offsets, err := x.Layout()
	if err != nil {
		return nil, err
	}
	w := biniWriter{Buffer: write.NewBuffer("bini", freelancer.BINIHeader+5*len(offsets)+len(table)), offsets: offsets}
	w.Raw(freelancer.BINIMagic)
	w.U32(freelancer.BINIVersion)
	at := w.Reserve32()
	for i := range x.Sections {
		w.section(&x.Sections[i], i)
	}
	w.Patch32(at, w.Len(), "strings")
	w.Bytes(table)
	return w.Finish()
}

// biniWriter writes sections.
type biniWriter struct {
	*write.Buffer
	offsets []uint32 // of the strings to come
}

// next returns the offset of the next string.
func (w *biniWriter) next() uint32 {
	offset := w.offsets[0]
	w.offsets = w.offsets[1:]
	return offset
}

func (w *biniWriter) section(s *freelancer.BINISection, i int) {
	w.name(s.Name)
	if len(s.Entries) > math.MaxUint16 {
		w.Failf(schema.ErrRange, "entries", "section %d [%s] has %d, at most %d fit", i, s.Name, len(s.Entries), math.MaxUint16)
	}
	w.U16(uint16(len(s.Entries)))
	for k := range s.Entries {
		w.entry(&s.Entries[k], s.Name)
	}
}

func (w *biniWriter) entry(e *freelancer.BINIEntry, section string) {
	w.name(e.Name)
	if len(e.Values) > math.MaxUint8 {
		w.Failf(schema.ErrRange, "values", "%s of [%s] has %d, at most %d fit", e.Name, section, len(e.Values), math.MaxUint8)
	}
	w.U8(uint8(len(e.Values)))
	for _, v := range e.Values {
		w.U8(uint8(v.Type))
		if err := v.Whole(); err != nil {
			w.Failf(schema.ErrValue, "value", "%s of [%s] has %v", e.Name, section, err)
		}
		switch v.Type {
		case freelancer.BINIInt, freelancer.BINIFloat:
			w.U32(v.Bits)
		case freelancer.BINIText:
			w.U32(w.next())
		default:
			w.Failf(schema.ErrValue, "type", "%s of [%s] has a value of type %d, known are 1 (integer), 2 (float) and 3 (text)", e.Name, section, uint8(v.Type))
		}
	}
}

// name writes the offset of the name of a section or a key.
func (w *biniWriter) name(name string) {
	offset := w.next()
	if offset > math.MaxUint16 {
		w.Failf(schema.ErrRange, "name", "the names of sections and keys are together longer than 64 KiB: %s has no offset of 16 bits", name)
	}
	w.U16(uint16(offset))
}
