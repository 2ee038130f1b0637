package unreal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// The size of the header without generations, and the smallest and largest table rows (reference sections 1 and 4).
const (
	headerSize    = 36
	maxImportSize = 5 + 5 + 4 + 5
	maxExportSize = 5 + 5 + 4 + 5 + 4 + 5 + 5
	minImportSize = 7
	minExportSize = 12
	minNameSize   = 5
)

// Package reads the tables of a package of version 60 to 69; payloads stay in r, so r must remain readable. It fails with
// ErrUnsupported for older and newer versions, ErrRange for offsets outside the file and for references and name indices
// outside their tables, and ErrCount for counts that the file cannot hold.
func Package(r io.ReaderAt, size int64, d *schema.Diagnostics) (*unreal.Package, error) {
	if err := schema.CheckSource(unreal.Format, r, size); err != nil {
		return nil, err
	}
	f := file{r, size, d}
	p := &unreal.Package{Source: r, Size: size}
	c, err := f.window("header", 0, 4096)
	if err != nil {
		return nil, err
	}
	t := header(c, f, p)
	if c.Err() != nil {
		return nil, c.Err()
	}
	if p.Version < unreal.GUIDVersion {
		if err := heritage(f, p, t); err != nil {
			return nil, err
		}
	}
	if err := names(f, p, t.names); err != nil {
		return nil, err
	}
	if err := imports(f, p, t.imports); err != nil {
		return nil, err
	}
	if err := exports(f, p, t.exports); err != nil {
		return nil, err
	}
	if err := checkReferences(p); err != nil {
		return nil, err
	}
	if p.Dialect() {
		d.Warnf("licensee", "header", "%s; scripts, and other objects of layouts that usher does not know, are kept as they are", p.LicenseeText())
	}
	p.StoredNames, p.StoredImports, p.StoredExports = len(p.Names), len(p.Imports), len(p.Exports)
	if n := len(p.Generations); n > 0 && p.Generations[n-1] != (unreal.Generation{Exports: int32(len(p.Exports)), Names: int32(len(p.Names))}) {
		d.Warnf("generation-mismatch", "header", "the last generation counts %d exports and %d names, the tables hold %d and %d",
			p.Generations[n-1].Exports, p.Generations[n-1].Names, len(p.Exports), len(p.Names))
	}
	return p, nil
}

// file is the input as a whole.
type file struct {
	r    io.ReaderAt
	size int64
	d    *schema.Diagnostics // for its trace
}

// window returns a cursor over at most n bytes from an offset that lies in the file.
func (f file) window(path string, offset, n int64) (*read.Cursor, error) {
	b, err := f.bytes(offset, min(n, f.size-offset))
	if err != nil {
		return nil, &schema.FormatError{Format: unreal.Format, Path: path, Offset: offset, Class: schema.ErrTruncated, Msg: "cannot be read: " + err.Error()}
	}
	return read.NewCursorAt(unreal.Format, path, b, offset, f.d), nil
}

// bytes reads n bytes that lie in the file.
func (f file) bytes(offset, n int64) ([]byte, error) {
	b := make([]byte, n)
	if got, err := f.r.ReadAt(b, offset); int64(got) < n {
		return nil, err
	}
	return b, nil
}

// table is the place of a table as the header gives it, at the offset at.
type table struct{ at, count, offset int64 }

type tables struct{ names, imports, exports, heritage table }

// header reads everything before the tables.
func header(c *read.Cursor, f file, p *unreal.Package) (t tables) {
	if string(c.Peek(4)) != "\xC1\x83\x2A\x9E" && c.Left() >= 4 {
		c.Failf(schema.ErrBadMagic, "magic", "found %x, expected c1832a9e", c.Peek(4))
		return t
	}
	c.U32("magic")
	p.Version = c.U16("version")
	p.Licensee = c.U16("licensee")
	if c.Err() == nil && (p.Version < unreal.MinVersion || p.Version > unreal.MaxVersion) {
		c.FailAtf(4, schema.ErrUnsupported, "version", "version %d%s; versions %d to %d are supported", p.Version, era(p.Version), unreal.MinVersion, unreal.MaxVersion)
		return t
	}
	p.Flags = c.U32("package flags")
	t.names = tableAt(c, "name")
	t.exports = tableAt(c, "export")
	t.imports = tableAt(c, "import")
	if p.Version < unreal.GUIDVersion {
		t.heritage = tableAt(c, "heritage")
	} else {
		copy(p.GUID[:], c.Elements(16, 1, schema.LayoutU8, "GUID"))
		generations(c, f, p)
	}
	t.names.check(c, f, minNameSize, "name")
	t.exports.check(c, f, minExportSize, "export")
	t.imports.check(c, f, minImportSize, "import")
	t.heritage.check(c, f, 16, "heritage")
	p.HeaderSpan = unreal.Span{Size: c.Offset()}
	p.StoredGUID = p.GUID
	return t
}

// era says what a version outside the range is.
func era(version uint16) string {
	switch {
	case version < unreal.MinVersion:
		return " is older than the retail games"
	case version >= 100 && version < 200:
		return " is of Unreal Engine 2"
	case version >= 200:
		return " is of Unreal Engine 2 or 3"
	}
	return ""
}

func tableAt(c *read.Cursor, name string) table {
	return table{c.Offset(), int64(c.I32(name + " count")), int64(c.I32(name + " offset"))}
}

// check holds count and offset against the file.
func (t table) check(c *read.Cursor, f file, size int64, name string) {
	switch {
	case t.count < 0:
		c.FailAtf(t.at, schema.ErrCount, name+" count", "%d is negative", t.count)
	case t.offset < 0 || t.offset > f.size:
		c.FailAtf(t.at+4, schema.ErrRange, name+" offset", "0x%x is outside the file of 0x%x bytes", t.offset, f.size)
	case t.count > (f.size-t.offset)/size:
		c.FailAtf(t.at, schema.ErrCount, name+" count", "%d entries of at least %d bytes do not fit into the %d bytes from 0x%x on", t.count, size, f.size-t.offset, t.offset)
	}
}

func generations(c *read.Cursor, f file, p *unreal.Package) {
	at := c.Offset()
	n := int64(c.I32("generation count"))
	if c.Err() != nil {
		return
	}
	if n < 0 || n > (f.size-c.Offset())/8 {
		c.FailAtf(at, schema.ErrCount, "generation count", "%d generations of 8 bytes do not fit into the %d bytes left", n, f.size-c.Offset())
		return
	}
	list := c
	if int64(c.Left()) < 8*n {
		more, err := f.window("header", c.Offset(), 8*n)
		if err != nil {
			c.Failf(schema.ErrTruncated, "generations", "%v", err)
			return
		}
		list = more
	}
	p.Generations = make([]unreal.Generation, n)
	for i := range p.Generations {
		list.Enter("generation", i)
		p.Generations[i] = unreal.Generation{Exports: list.I32("export count"), Names: list.I32("name count")}
		list.Leave()
	}
	if list != c {
		p.HeaderSpan.Size = list.Offset()
	}
}

func heritage(f file, p *unreal.Package, t tables) error {
	c, err := f.window("heritage", t.heritage.offset, 16*t.heritage.count)
	if err != nil {
		return err
	}
	p.Heritage = make([][16]byte, t.heritage.count)
	for i := range p.Heritage {
		copy(p.Heritage[i][:], c.Elements(16, 1, schema.LayoutU8, "GUID"))
	}
	p.HeritageSpan = unreal.Span{Offset: t.heritage.offset, Size: c.Offset() - t.heritage.offset}
	if n := len(p.Heritage); n > 0 {
		p.GUID = p.Heritage[n-1]
		p.StoredGUID = p.GUID
	}
	return c.Err()
}

// names reads the name table. Its size is known only after it was read: the window grows until it holds the table.
func names(f file, p *unreal.Package, t table) error {
	for n := 32*t.count + 256; ; n *= 4 {
		c, err := f.window("names", t.offset, n)
		if err != nil {
			return err
		}
		noted := c.Mark()
		err = nameTable(c, p, t)
		if err == nil || t.offset+n >= f.size || !errors.Is(err, schema.ErrTruncated) {
			return err
		}
		c.Rewind(noted)
	}
}

func nameTable(c *read.Cursor, p *unreal.Package, t table) error {
	r := newReader(c, &unreal.Context{Package: p})
	all := string(c.Peek(c.Left())) // one allocation: the names are parts of it
	p.Names = make([]unreal.Name, t.count)
	for i := range p.Names {
		c.Enter("name", i)
		name := &p.Names[i]
		if p.Version < unreal.CountedVersion {
			start := c.Pos()
			end := strings.IndexByte(all[start:], 0)
			if end < 0 {
				c.Failf(schema.ErrTruncated, "text", "no terminating zero in the %d bytes left", c.Left())
				return c.Err()
			}
			c.Data(end+1, schema.LayoutText, "text")
			name.Text = latin(all[start : start+end])
		} else {
			*name = countedName(r, all)
		}
		name.Flags = c.U32("flags")
		if c.Err() != nil {
			return c.Err()
		}
		c.Leave()
	}
	p.OddNames = r.odd
	p.NameSpan = unreal.Span{Offset: t.offset, Size: c.Offset() - t.offset}
	return nil
}

// countedName reads length and characters of a name; all is the whole window as a string.
func countedName(r *reader, all string) unreal.Name {
	n := r.Index("length")
	start := r.Pos()
	if n >= 0 {
		b := r.Data(int(n), schema.LayoutText, "text")
		if len(b) > 0 && bytes.IndexByte(b, 0) == len(b)-1 {
			return unreal.Name{Text: latin(all[start : start+len(b)-1])}
		}
		raw := all[start : start+len(b)]
		return unreal.Name{Text: latin(strings.TrimRight(raw, "\x00")), Form: unreal.NameRaw, Stored: raw}
	}
	b := r.Data(r.wide(n, "text"), schema.LayoutWide, "text")
	if end := len(b) - 2; end >= 0 && b[end] == 0 && b[end+1] == 0 {
		if text, exact := unreal.WideText(b[:end]); exact && !strings.Contains(text, "\x00") {
			return unreal.Name{Text: text, Form: unreal.NameWide}
		}
	}
	text, _ := unreal.WideText(b)
	return unreal.Name{Text: strings.TrimRight(text, "\x00"), Form: unreal.NameRawWide, Stored: string(b)}
}

// latin returns Windows-1252 text; plain ASCII is returned as it is, without a copy.
func latin(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return schema.DecodeWindows1252([]byte(s))
		}
	}
	return s
}

func imports(f file, p *unreal.Package, t table) error {
	c, err := f.window("imports", t.offset, maxImportSize*t.count)
	if err != nil {
		return err
	}
	r := newReader(c, &unreal.Context{Package: p})
	p.Imports = make([]unreal.Import, t.count)
	for i := range p.Imports {
		c.Enter("import", i)
		p.Imports[i] = unreal.Import{ClassPackage: r.Name("class package"), ClassName: r.Name("class name"), Outer: unreal.Ref(c.I32("outer")), Name: r.Name("object name")}
		if c.Err() != nil {
			return c.Err()
		}
		c.Leave()
	}
	p.OddImports = r.odd
	p.ImportSpan = unreal.Span{Offset: t.offset, Size: c.Offset() - t.offset}
	return nil
}

func exports(f file, p *unreal.Package, t table) error {
	c, err := f.window("exports", t.offset, maxExportSize*t.count)
	if err != nil {
		return err
	}
	r := newReader(c, &unreal.Context{Package: p})
	p.Exports = make([]unreal.Export, t.count)
	for i := range p.Exports {
		c.Enter("export", i)
		e := &p.Exports[i]
		e.Class = unreal.Ref(r.Index("class"))
		e.Super = unreal.Ref(r.Index("super"))
		e.Outer = unreal.Ref(c.I32("outer"))
		e.Name = r.Name("object name")
		e.Flags = c.U32("object flags")
		e.Size = r.Index("serial size")
		if e.Size > 0 {
			e.Offset = r.Index("serial offset")
		}
		if e.Size < 0 || e.Offset < 0 || int64(e.Offset)+int64(e.Size) > f.size {
			c.Failf(schema.ErrRange, "serial offset", "0x%x bytes from 0x%x on are outside the file of 0x%x bytes", e.Size, e.Offset, f.size)
		}
		if c.Err() != nil {
			return c.Err()
		}
		c.Leave()
	}
	p.OddExports = r.odd
	p.ExportSpan = unreal.Span{Offset: t.offset, Size: c.Offset() - t.offset}
	return nil
}

// checkReferences checks what the tables could not while they were read: references to later rows.
func checkReferences(p *unreal.Package) error {
	fail := func(table string, i int, field string, r unreal.Ref) error {
		return schema.In(table, schema.Errorf(unreal.Format, schema.ErrRange, field, "entry %d refers to %d; there are %d imports and %d exports", i, r, len(p.Imports), len(p.Exports)))
	}
	for i, m := range p.Imports {
		if !p.Valid(m.Outer) {
			return fail("imports", i, "outer", m.Outer)
		}
	}
	for i := range p.Exports {
		e := &p.Exports[i]
		if !p.Valid(e.Class) {
			return fail("exports", i, "class", e.Class)
		}
		if !p.Valid(e.Super) {
			return fail("exports", i, "super", e.Super)
		}
		if !p.Valid(e.Outer) {
			return fail("exports", i, "outer", e.Outer)
		}
	}
	return nil
}

// IsPackage reports whether a file with these first bytes claims to be a package, and of which version.
func IsPackage(head []byte) (version uint16, ok bool) {
	if len(head) < headerSize || binary.LittleEndian.Uint32(head) != unreal.Magic {
		return 0, false
	}
	return binary.LittleEndian.Uint16(head[4:]), true
}
