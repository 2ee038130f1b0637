package unreal

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// partKind is what a stretch of the file holds.
type partKind uint8

const (
	headerPart partKind = iota
	heritagePart
	namePart
	importPart
	exportPart
	dataPart // payload of one export
	gapPart  // bytes that belong to nothing
	dropPart // payload of an export that was removed
)

// part is a stretch of the file, where it was and where it goes.
type part struct {
	kind  partKind
	index int // export
	old   unreal.Span
	at    int64
	size  int64
}

// layout is the plan of a file.
type layout struct {
	p      *unreal.Package
	id     identity
	parts  []part
	tables [gapPart][]byte // encoded header and tables
	at     []int64         // new offsets of the payloads
	base   bool            // append: the source is written first, with the parts over and behind it
	tidy   bool            // no stored parts overlap
	end    int64           // where the source ends when parts are appended
	dead   int64           // bytes of the source that nothing leads to any more
	room   []byte          // of copy
	err    error
}

func newLayout(p *unreal.Package) *layout {
	l := &layout{p: p, at: make([]int64, len(p.Exports))}
	l.tables[namePart], l.err = encodeNames(p)
	for i := range p.Exports {
		if e := &p.Exports[i]; p.Source == nil && e.Data == nil && e.Size > 0 {
			l.err = schema.Errorf(unreal.Format, schema.ErrValue, "Source", "the payload of %s is in a source that is not there", p.ObjectName(unreal.Ref(i+1)))
		}
	}
	if l.err == nil {
		l.tables[importPart], l.err = encodeImports(p)
	}
	l.id = identityOf(p, l.tables[namePart], l.tables[importPart])
	l.tables[heritagePart] = encodeHeritage(l.id)
	return l
}

// plan chooses how a package is written: new ones in canonical order, others with their parts where they were, and by
// appending where that would move an object that must stay.
func plan(p *unreal.Package) (*layout, error) {
	l := newLayout(p)
	if p.Source == nil {
		l.canonical()
		return l, l.settle()
	}
	if l.tidy = l.preserved(); l.tidy {
		if err := l.settle(); err != nil {
			return nil, err
		}
		if l.stuck() < 0 {
			return l, nil
		}
	}
	l.appended()
	return l, l.settle()
}

// canonical lays the parts out as the engine does.
func (l *layout) canonical() {
	l.parts = []part{{kind: headerPart}}
	if l.p.Version < unreal.GUIDVersion {
		l.parts = append(l.parts, part{kind: heritagePart})
	}
	l.parts = append(l.parts, part{kind: namePart})
	for i := range l.p.Exports {
		if payloadSize(&l.p.Exports[i]) > 0 {
			l.parts = append(l.parts, l.data(i))
		}
	}
	l.parts = append(l.parts, part{kind: importPart}, part{kind: exportPart})
}

func (l *layout) data(i int) part {
	e := &l.p.Exports[i]
	return part{kind: dataPart, index: i, size: payloadSize(e), old: unreal.Span{Offset: int64(e.Offset), Size: int64(e.Size)}}
}

// preserved lays the parts out in the order in which they were, with the gaps between them. It returns false when
// stored parts overlap, which leaves no order to keep.
func (l *layout) preserved() bool {
	p := l.p
	stored := []part{{kind: headerPart, old: p.HeaderSpan}}
	var added, late []part
	for _, t := range []part{{kind: heritagePart, old: p.HeritageSpan}, {kind: namePart, old: p.NameSpan}, {kind: importPart, old: p.ImportSpan}, {kind: exportPart, old: p.ExportSpan}} {
		switch {
		case t.old.Size > 0:
			stored = append(stored, t)
		case l.filled(t.kind): // an empty table has no place of its own
			late = append(late, t)
		}
	}
	for _, s := range p.Removed {
		stored = append(stored, part{kind: dropPart, old: s})
	}
	for i := range p.Exports {
		switch {
		case i < p.StoredExports && p.Exports[i].Size > 0:
			stored = append(stored, l.data(i))
		case payloadSize(&p.Exports[i]) > 0:
			added = append(added, l.data(i))
		}
	}
	slices.SortStableFunc(stored, func(a, b part) int {
		return int(min(max(a.old.Offset-b.old.Offset, -1), 1))
	})
	end := int64(0)
	place := 0 // of payloads that were added: behind the last payload, or behind the names
	l.parts = nil
	for _, s := range stored {
		if s.old.Offset < end {
			return false
		}
		l.gap(end, s.old.Offset)
		l.parts = append(l.parts, s)
		end = s.old.End()
		if s.kind == dataPart || s.kind == dropPart || s.kind == namePart && place <= 1 || s.kind == headerPart {
			place = len(l.parts)
		}
	}
	l.gap(end, p.Size)
	l.parts = append(slices.Insert(l.parts, place, added...), late...)
	return true
}

// filled reports whether a table has entries now.
func (l *layout) filled(kind partKind) bool {
	if kind == exportPart {
		return len(l.p.Exports) > 0
	}
	return len(l.tables[kind]) > 0
}

func (l *layout) gap(from, to int64) {
	if to > from {
		l.parts = append(l.parts, part{kind: gapPart, old: unreal.Span{Offset: from, Size: to - from}, size: to - from})
	}
}

// appended keeps the source as it is, puts what changed behind it, and rewrites the header. A payload that still fits
// where it was is written over the old one, tables that did not change stay, and those at the end give way.
func (l *layout) appended() {
	p := l.p
	l.base, l.end, l.dead = true, p.Size, 0
	l.parts = []part{{kind: headerPart}}
	var old []unreal.Span // that nothing leads to any more
	for i := range p.Exports {
		e := &p.Exports[i]
		if e.Data == nil {
			continue
		}
		if i < p.StoredExports && e.Size > 0 {
			if l.overwrites(i) {
				l.dead += int64(e.Size) - int64(len(e.Data))
			} else {
				old = append(old, unreal.Span{Offset: int64(e.Offset), Size: int64(e.Size)})
			}
		}
		if len(e.Data) > 0 {
			l.parts = append(l.parts, l.data(i))
		}
	}
	old = append(old, p.Removed...)
	tables := []movedTable{
		{heritagePart, p.HeritageSpan, l.differs(heritagePart, p.HeritageSpan)},
		{namePart, p.NameSpan, l.differs(namePart, p.NameSpan)},
		{importPart, p.ImportSpan, l.differs(importPart, p.ImportSpan)},
		{exportPart, p.ExportSpan, p.Edited() || l.exportsDiffer()},
	}
	if !slices.ContainsFunc(tables, func(t movedTable) bool { return t.changed }) {
		return
	}
	for _, t := range tables {
		if t.changed || !l.tidy {
			l.parts = append(l.parts, part{kind: t.kind})
			old = append(old, t.span)
		} else if t.kind == importPart && p.ImportSpan.End() == p.ExportSpan.Offset { // it stands between the objects and what gives way
			l.parts = append(l.parts, part{kind: t.kind})
			old = append(old, t.span)
		}
	}
	l.giveWay(old)
}

// movedTable is a table of an appended file, which goes to its end where it changed.
type movedTable struct {
	kind    partKind
	span    unreal.Span
	changed bool
}

// differs reports whether a table is not as the source has it.
func (l *layout) differs(kind partKind, span unreal.Span) bool {
	if int64(len(l.tables[kind])) != span.Size {
		return true
	}
	stored := make([]byte, span.Size)
	n, _ := l.p.Source.ReadAt(stored, span.Offset) // a source that is shorter fails when it is copied
	return !bytes.Equal(stored[:n], l.tables[kind])
}

// exportsDiffer does so for the table of exports, which stay where they are.
func (l *layout) exportsDiffer() bool {
	at := make([]int64, len(l.p.Exports))
	for i := range at {
		at[i] = int64(l.p.Exports[i].Offset)
	}
	table, err := encodeExports(l.p, at)
	if err != nil {
		l.err = err
		return false
	}
	l.tables[exportPart] = table
	return l.differs(exportPart, l.p.ExportSpan)
}

// giveWay lets what was replaced at the end of the source go.
func (l *layout) giveWay(old []unreal.Span) {
	slices.SortFunc(old, func(a, b unreal.Span) int { return int(min(max(b.Offset-a.Offset, -1), 1)) })
	for _, s := range old {
		if s.Size > 0 && s.End() == l.end && l.tidy {
			l.end = s.Offset
			continue
		}
		l.dead += s.Size
	}
}

// settle gives every part its offset. The size of the export table follows from the offsets in it, so it is encoded
// until nothing moves; offsets and sizes only grow on the way, but for odd forms of indices, which are given up when
// they keep it from ending.
func (l *layout) settle() error {
	for round := 0; l.err == nil; round++ {
		old := len(l.tables[exportPart])
		l.arrange()
		l.tables[exportPart], l.err = encodeExports(l.p, l.at)
		if l.err == nil && len(l.tables[exportPart]) == old {
			break
		}
		if round == 16 {
			without := *l.p
			without.OddExports = nil
			l.p = &without
		}
	}
	if l.err == nil {
		l.tables[headerPart], l.err = encodeHeader(l.p, l.id, l.tableOffset)
	}
	return l.err
}

func (l *layout) headerSize() int64 {
	if l.p.Version < unreal.GUIDVersion {
		return 44
	}
	return 56 + 8*int64(len(l.id.generations))
}

// arrange puts the parts one behind the other.
func (l *layout) arrange() {
	for i := range l.p.Exports {
		l.at[i] = int64(l.p.Exports[i].Offset)
	}
	at := int64(0)
	for i := range l.parts {
		q := &l.parts[i]
		switch q.kind {
		case headerPart:
			q.size = l.headerSize()
		case dataPart, gapPart, dropPart:
		default:
			q.size = int64(len(l.tables[q.kind]))
		}
		q.at = at
		if l.base && q.kind == dataPart && l.overwrites(q.index) {
			q.at = q.old.Offset
		}
		if q.kind == dataPart {
			l.at[q.index] = q.at
		}
		if q.at != at {
			continue
		}
		at += q.size
		if l.base && q.kind == headerPart {
			at = l.end
		}
	}
}

// overwrites reports whether a replaced payload goes where the old one was, when the others stay.
func (l *layout) overwrites(i int) bool {
	e := &l.p.Exports[i]
	if i >= l.p.StoredExports || e.Size == 0 {
		return false
	}
	return len(e.Data) == int(e.Size) && !e.Movable || l.tidy && e.Movable && len(e.Data) > 0 && len(e.Data) <= int(e.Size)
}

// tableOffset returns where a table goes. An empty one, and one that stays in an appended file, keeps its offset.
func (l *layout) tableOffset(kind partKind) int64 {
	for _, q := range l.parts {
		if q.kind == kind {
			return q.at
		}
	}
	switch kind {
	case heritagePart:
		return l.p.HeritageSpan.Offset
	case namePart:
		return l.p.NameSpan.Offset
	case importPart:
		return l.p.ImportSpan.Offset
	}
	return l.p.ExportSpan.Offset
}

// stuck returns an export that would move but must not, or −1.
func (l *layout) stuck() int {
	for _, q := range l.parts {
		if q.kind == dataPart && !l.p.Exports[q.index].Movable && (q.at != q.old.Offset || q.old.Size == 0) && l.p.Exports[q.index].Data == nil {
			return q.index
		}
	}
	return -1
}

// write copies and encodes the parts.
func (l *layout) write(w io.Writer) error {
	if l.base {
		return l.writeOver(w)
	}
	for _, q := range l.parts {
		if err := l.writePart(w, q); err != nil {
			return err
		}
	}
	return nil
}

// writeOver writes the source with parts over it, then the parts behind it.
func (l *layout) writeOver(w io.Writer) error {
	slices.SortStableFunc(l.parts, func(a, b part) int { return int(min(max(a.at-b.at, -1), 1)) })
	at := int64(0)
	for _, q := range l.parts {
		if q.at < at {
			return schema.Errorf(unreal.Format, schema.ErrUnsupported, "", "two edited objects share their bytes")
		}
		if err := l.copy(w, at, q.at); err != nil {
			return err
		}
		if err := l.writePart(w, q); err != nil {
			return err
		}
		at = q.at + q.size
	}
	return l.copy(w, at, max(at, l.end))
}

// copy writes a range of the source.
func (l *layout) copy(w io.Writer, from, to int64) error {
	if from >= to {
		return nil
	}
	if l.room == nil {
		l.room = make([]byte, 32<<10) // io.Copy would take as much for each of the ranges, of which most are small
	}
	n, err := io.CopyBuffer(w, io.NewSectionReader(l.p.Source, from, to-from), l.room)
	if err == nil && n < to-from {
		return schema.Errorf(unreal.Format, schema.ErrTruncated, "", "the source ends at 0x%x instead of 0x%x", from+n, to)
	}
	return err
}

func (l *layout) writePart(w io.Writer, q part) error {
	switch q.kind {
	case dropPart:
		return nil
	case gapPart:
		return l.copy(w, q.old.Offset, q.old.End())
	case dataPart:
		return l.writeData(w, q)
	}
	_, err := w.Write(l.tables[q.kind])
	return err
}

// writeData writes a payload and corrects the positions in it.
func (l *layout) writeData(w io.Writer, q part) error {
	e := &l.p.Exports[q.index]
	if e.Data == nil && (q.at == q.old.Offset || len(e.Fixups) == 0) {
		return l.copy(w, q.old.Offset, q.old.End())
	}
	b, err := l.p.Payload(q.index)
	if err != nil {
		return err
	}
	if e.Data != nil && len(e.Fixups) > 0 {
		b = bytes.Clone(b)
	}
	for _, f := range e.Fixups {
		if f.At < 0 || int(f.At) > len(b)-4 {
			return schema.Errorf(unreal.Format, schema.ErrRange, "Fixups", "a position at 0x%x of %d bytes", f.At, len(b))
		}
		binary.LittleEndian.PutUint32(b[f.At:], uint32(q.at)+uint32(f.End))
	}
	_, err = w.Write(b)
	return err
}
