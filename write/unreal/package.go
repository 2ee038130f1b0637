package unreal

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Package writes a package. Without edits the output is the input, byte for byte: the order of the parts, gaps, tail and
// unusual forms of indices are kept. An edit moves what follows it and corrects every absolute position (reference section
// 3). If that could break an object that usher does not know, the old bytes stay and the changed parts go to the end. An
// edited package gets a new GUID, computed from its content, unless KeepGUID is set.
func Package(w io.Writer, p *unreal.Package) error {
	l, err := plan(p)
	if err != nil {
		return err
	}
	return l.write(w)
}

// Dead returns how many unused bytes the written package will have: replaced payloads stay in place if objects must not
// move.
func Dead(p *unreal.Package) (int64, error) {
	l, err := plan(p)
	if err != nil {
		return 0, err
	}
	return l.dead, nil
}

// Rebuild writes a package in the engine's own order (header, heritage, names, object data, imports, exports) without gaps.
// All objects must be movable.
func Rebuild(w io.Writer, p *unreal.Package) error {
	l := newLayout(p)
	l.canonical()
	if err := l.settle(); err != nil {
		return err
	}
	if i := l.stuck(); i >= 0 {
		return schema.Errorf(unreal.Format, schema.ErrUnsupported, "", "%s cannot be moved: its class %s is unknown and may hold file positions",
			p.ObjectName(unreal.Ref(i+1)), p.ClassName(unreal.Ref(i+1)))
	}
	return l.write(w)
}

// identity is the part of the header that a save may change.
type identity struct {
	guid        [16]byte
	heritage    [][16]byte
	generations []unreal.Generation
}

// identityOf returns GUID and history for the file to be written (reference section 3).
func identityOf(p *unreal.Package, names, imports []byte) identity {
	id := identity{p.GUID, p.Heritage, p.Generations}
	if p.GUID != p.StoredGUID && len(p.Heritage) > 0 { // set by hand
		id.heritage = append(append([][16]byte(nil), p.Heritage[:len(p.Heritage)-1]...), p.GUID)
	}
	if !p.Edited() {
		return id
	}
	now := unreal.Generation{Exports: int32(len(p.Exports)), Names: int32(len(p.Names))}
	fresh := p.Source == nil
	if p.KeepGUID && !fresh {
		if n := len(p.Generations); n > 0 {
			id.generations = append(append([]unreal.Generation(nil), p.Generations[:n-1]...), now)
		}
		return id
	}
	if p.GUID == p.StoredGUID {
		id.guid = contentGUID(p, names, imports)
	}
	switch {
	case p.Version < unreal.GUIDVersion:
		id.heritage = append(append([][16]byte(nil), p.Heritage...), id.guid)
	case fresh || len(p.Generations) > 0:
		id.generations = []unreal.Generation{now}
	}
	return id
}

// contentGUID makes a GUID from the old one and everything that was edited, so that the same edit gives the same file.
func contentGUID(p *unreal.Package, names, imports []byte) (guid [16]byte) {
	h := sha256.New()
	h.Write(p.GUID[:])
	h.Write(names)
	h.Write(imports)
	for i := range p.Exports {
		if e := &p.Exports[i]; e.Data != nil || e.Renamed {
			_ = binary.Write(h, binary.LittleEndian, []int32{int32(i), int32(e.Class), int32(e.Outer), int32(e.Name)})
			h.Write(resting(e))
		}
	}
	for _, s := range p.Removed {
		_ = binary.Write(h, binary.LittleEndian, s)
	}
	copy(guid[:], h.Sum(nil))
	return guid
}

// resting returns a new payload with positions as if it lay at the start of the file: where they were counted from
// before says nothing of the content.
func resting(e *unreal.Export) []byte {
	if len(e.Fixups) == 0 || e.Data == nil {
		return e.Data
	}
	b := bytes.Clone(e.Data)
	for _, f := range e.Fixups {
		binary.LittleEndian.PutUint32(b[f.At:], uint32(f.End))
	}
	return b
}

// encodeHeader returns header and, before GUIDVersion, the separate heritage table.
func encodeHeader(p *unreal.Package, id identity, at func(partKind) int64) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: p}, 64+8*len(id.generations))
	w.U32(unreal.Magic)
	w.U16(p.Version)
	w.U16(p.Licensee)
	w.U32(p.Flags)
	if old := p.Version < unreal.GUIDVersion; old && len(p.Generations) > 0 || !old && len(p.Heritage) > 0 {
		w.NoPlace("history", "version %d", p.Version)
	}
	place := func(n int, kind partKind, field string) {
		w.I32(int32(n))
		offset := at(kind)
		if offset > math.MaxInt32 {
			w.Failf(schema.ErrLimit, field, "offset 0x%x is beyond 2 GB", offset)
		}
		w.I32(int32(offset))
	}
	place(len(p.Names), namePart, "name offset")
	place(len(p.Exports), exportPart, "export offset")
	place(len(p.Imports), importPart, "import offset")
	if p.Version < unreal.GUIDVersion {
		place(len(id.heritage), heritagePart, "heritage offset")
		return w.Finish()
	}
	w.Bytes(id.guid[:])
	w.I32(int32(len(id.generations)))
	for _, g := range id.generations {
		w.I32(g.Exports)
		w.I32(g.Names)
	}
	return w.Finish()
}

func encodeHeritage(id identity) []byte {
	b := make([]byte, 0, 16*len(id.heritage))
	for _, g := range id.heritage {
		b = append(b, g[:]...)
	}
	return b
}

func encodeNames(p *unreal.Package) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: p}, 24*len(p.Names))
	w.odd = p.OddNames
	for i := range p.Names {
		n := &p.Names[i]
		checkForm(w, n)
		switch {
		case p.Version < unreal.CountedVersion:
			w.CString(n.Text, "name")
		case n.Form == unreal.NameRaw:
			w.Index(int32(len(n.Stored)))
			w.Raw(n.Stored)
		case n.Form == unreal.NameRawWide:
			w.Index(int32(-len(n.Stored) / 2))
			w.Raw(n.Stored)
		case n.Form == unreal.NameWide:
			b := unreal.EncodeWide(n.Text)
			w.Index(int32(-len(b)/2 - 1))
			w.Bytes(b)
			w.U16(0)
		default:
			w.latin(n.Text, "name")
		}
		w.U32(n.Flags)
	}
	return w.Finish()
}

// checkForm refuses a name whose text is not what is stored.
func checkForm(w *writer, n *unreal.Name) {
	raw := n.Form == unreal.NameRaw || n.Form == unreal.NameRawWide
	switch {
	case w.version < unreal.CountedVersion && n.Form != unreal.NameBytes, !raw && n.Stored != "":
		w.Failf(schema.ErrMismatch, "name", "%q cannot be stored in the form %d", n.Text, n.Form)
	case raw && n.Text != strings.TrimRight(unreal.RawText([]byte(n.Stored), n.Form), "\x00"):
		w.Failf(schema.ErrMismatch, "name", "%q is not what its stored characters read as", n.Text)
	}
}

func encodeImports(p *unreal.Package) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: p}, 12*len(p.Imports))
	w.odd = p.OddImports
	for _, m := range p.Imports {
		w.Index(int32(m.ClassPackage))
		w.Index(int32(m.ClassName))
		w.I32(int32(m.Outer))
		w.Index(int32(m.Name))
	}
	return w.Finish()
}

// encodeExports returns the export table; at gives the new offset of a payload.
func encodeExports(p *unreal.Package, at []int64) ([]byte, error) {
	w := newWriter(&unreal.Context{Package: p}, 20*len(p.Exports))
	w.odd = p.OddExports
	for i := range p.Exports {
		e := &p.Exports[i]
		size := payloadSize(e)
		w.Index(int32(e.Class))
		w.Index(int32(e.Super))
		w.I32(int32(e.Outer))
		w.Index(int32(e.Name))
		w.U32(e.Flags)
		w.Index(int32(size))
		if size > 0 {
			if at[i]+size > math.MaxInt32 {
				w.Failf(schema.ErrLimit, "serial offset", "offset 0x%x is beyond 2 GB", at[i])
			}
			w.Index(int32(at[i]))
		}
	}
	return w.Finish()
}

func payloadSize(e *unreal.Export) int64 {
	if e.Data != nil {
		return int64(len(e.Data))
	}
	return int64(e.Size)
}
