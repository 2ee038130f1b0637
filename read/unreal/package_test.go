package unreal_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	root "github.com/usher-assets/usher/read"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

func TestCompact(t *testing.T) {
	for _, c := range []struct {
		hex   string
		value int32
	}{
		{"00", 0}, {"01", 1}, {"3F", 63}, {"81", -1}, {"BF", -63}, {"4001", 64}, {"6401", 100}, {"C001", -64}, {"E401", -100},
		{"7F7F", 8191}, {"408001", 8192}, {"509C01", 10000}, {"7FFF7F", 1048575}, {"40808001", 1048576}, {"40DAC409", 10000000},
		{"7FFFFF7F", 134217727}, {"4080808001", 134217728}, {"40A8D6B907", 1000000000}, {"7FFFFFFF0F", 2147483647}, {"C080808010", -2147483648},
		{"80", 0}, {"4000", 0}, {"4180808000", 1}, // longer than needed
	} {
		b, _ := hex.DecodeString(c.hex)
		cur := root.NewCursor("unreal", b, nil)
		v, width, _ := cur.Compact("value")
		if v != c.value || width != len(b) || cur.Err() != nil {
			t.Errorf("%s: %d in %d bytes, %v; want %d in %d", c.hex, v, width, cur.Err(), c.value, len(b))
		}
	}
	for _, c := range []struct {
		hex   string
		class error
	}{
		{"", schema.ErrTruncated}, {"40", schema.ErrTruncated}, {"408080", schema.ErrTruncated}, {"4080808010", schema.ErrValue}, {"C180808010", schema.ErrValue}, {"7FFFFFFFFF", schema.ErrValue},
	} {
		b, _ := hex.DecodeString(c.hex)
		cur := root.NewCursor("unreal", b, nil)
		cur.Compact("value")
		if !errors.Is(cur.Err(), c.class) {
			t.Errorf("%q: %v, want %v", c.hex, cur.Err(), c.class)
		}
	}
}

// The example of the seed document: the tables of CTF-Face, of which the document shows header and first entries.
func TestWorkedExample(t *testing.T) {
	header, _ := hex.DecodeString("C1832A9E44000000010000004305000040000000310400002AAD0E008F000000" +
		"DBA70E00642E72689581D311A26B00E0811032D2010000003104000043050000")
	b := make([]byte, 0xEAD2A+1<<16)
	copy(b, header)
	names, _ := hex.DecodeString("054E6F6E650010040704" + "07566563746F720010040704" + "084F5554534944450010000700" +
		"0C506F696E74526567696F6E0010000700" + "07526567696F6E0010000700")
	copy(b[0x40:], names)
	at := 0x40 + len(names)
	for i := 5; i < 1347; i++ {
		at += copy(b[at:], "\x02n\x00\x10\x00\x07\x00")
	}
	imports, _ := hex.DecodeString("610A6B06000000007602" + "610A6B0600000000440E" + "610A6B06000000004112" + "610A700AFFFFFFFF0C" + "610A6B06FEFFFFFF3B")
	at = 0xEA7DB + copy(b[0xEA7DB:], imports)
	for i := 5; i < 143; i++ {
		at += copy(b[at:], "\x00\x00\x00\x00\x00\x00\x00")
	}
	exports, _ := hex.DecodeString("F80100000000006F02010007024E046BB302" + "8E00000000007903010007025001" + "79B702" + "8E00000000007C0301000702500149B902")
	at = 0xEAD2A + copy(b[0xEAD2A:], exports)
	for i := 3; i < 1073; i++ {
		at += copy(b[at:], "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	}
	b = b[:at]

	p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := unreal.GUIDText(p.GUID); got != "68722E6411D38195E0006BA2D2321081" {
		t.Errorf("GUID %s", got)
	}
	if p.Version != 68 || p.Flags != 1 || p.Generations[0] != (unreal.Generation{Exports: 1073, Names: 1347}) {
		t.Errorf("version %d, flags %d, generation %v", p.Version, p.Flags, p.Generations[0])
	}
	for i, want := range []string{"None", "Vector", "OUTSIDE", "PointRegion", "Region"} {
		if p.Names[i].Text != want {
			t.Errorf("name %d: %q, want %q", i, p.Names[i].Text, want)
		}
	}
	if p.Names[0].Flags != 0x04070410 || p.Names[2].Flags != 0x00070010 {
		t.Errorf("flags %08x, %08x", p.Names[0].Flags, p.Names[2].Flags)
	}
	for i, w := range [][4]int32{{673, 427, 0, 182}, {673, 427, 0, 900}, {673, 427, 0, 1153}, {673, 688, -1, 12}, {673, 427, -2, 59}} {
		want := unreal.Import{ClassPackage: unreal.NameIndex(w[0]), ClassName: unreal.NameIndex(w[1]), Outer: unreal.Ref(w[2]), Name: unreal.NameIndex(w[3])}
		if p.Imports[i] != want {
			t.Errorf("import %d: %v, want %v", i, p.Imports[i], want)
		}
	}
	for i, want := range []struct {
		class        unreal.Ref
		name         unreal.NameIndex
		size, offset int32
	}{{-120, 175, 270, 19691}, {-14, 249, 80, 19961}, {-14, 252, 80, 20041}} {
		e := &p.Exports[i]
		if e.Class != want.class || e.Name != want.name || e.Size != want.size || e.Offset != want.offset || e.Flags != 0x02070001 {
			t.Errorf("export %d: class %d name %d size %d offset %d flags %08x", i, e.Class, e.Name, e.Size, e.Offset, e.Flags)
		}
	}
}

var classes = map[string]error{
	"truncated": schema.ErrTruncated, "badmagic": schema.ErrBadMagic, "range": schema.ErrRange, "count": schema.ErrCount,
	"cycle": schema.ErrCycle, "mismatch": schema.ErrMismatch, "unsupported": schema.ErrUnsupported, "value": schema.ErrValue,
}

type malformed struct {
	File, Expect, Scope string
	AlsoAccepted        []string `json:"also_accepted"`
}

// accepts reports whether err is of the expected or another accepted class.
func (m malformed) accepts(err error) bool {
	for _, class := range append(m.AlsoAccepted, m.Expect) {
		if classes[class] != nil && errors.Is(err, classes[class]) {
			return true
		}
	}
	return false
}

func TestMalformed(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	var list []malformed
	corpus.JSON(t, filepath.Join(dir, "malformed", "expected.json"), &list)
	if len(list) < 40 {
		t.Fatalf("only %d malformed files", len(list))
	}
	exact := 0
	for _, m := range list {
		b := corpus.Bytes(t, filepath.Join(dir, filepath.FromSlash(m.File)))
		p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
		what, object, _ := strings.Cut(m.Scope, " ")
		if what != "file" && err != nil {
			t.Errorf("%s: %v, but its tables are sound", m.File, err)
			continue
		}
		switch what {
		case "paths":
			err = paths(p)
		case "object":
			err = readNamed(p, object)
		case "convert":
			if err := readNamed(p, object); err != nil {
				t.Errorf("%s: %v", m.File, err)
			}
			continue
		}
		if !m.accepts(err) {
			t.Errorf("%s (%s): %v, want %s", m.File, m.Scope, err, m.Expect)
		}
		if errors.Is(err, classes[m.Expect]) {
			exact++
		} else {
			t.Logf("%s: %v, %s preferred", m.File, err, m.Expect)
		}
	}
	t.Logf("%d of %d give the preferred class", exact, len(list))
}

func paths(p *unreal.Package) error {
	for r := -len(p.Imports); r <= len(p.Exports); r++ {
		if _, err := p.Path(unreal.Ref(r)); err != nil {
			return err
		}
	}
	return nil
}

func readNamed(p *unreal.Package, name string) error {
	for i := range p.Exports {
		if p.ObjectName(unreal.Ref(i+1)) != name {
			continue
		}
		b, err := p.Payload(i)
		if err != nil {
			return err
		}
		_, err = read.Object(b, p.Context(i), nil)
		return err
	}
	return fmt.Errorf("no object %q", name)
}

// facts is a sidecar of the corpus.
type facts struct {
	Version, Licensee uint16
	PackageFlags      uint32 `json:"package_flags"`
	GUID              string
	Heritage          []string
	Generations       [][2]int32
	Names, Imports    lines
	Exports, Texts    lines
	Payloads          lines
	Objects           []object
}

type lines struct {
	Lines  int
	SHA256 string
}

func (l lines) check(t *testing.T, what string, got []string) {
	t.Helper()
	if l.SHA256 == "" {
		return
	}
	h := sha256.New()
	for _, s := range got {
		io.WriteString(h, s+"\n")
	}
	if len(got) != l.Lines || hex.EncodeToString(h.Sum(nil)) != l.SHA256 {
		t.Errorf("%s: %d lines with another hash, want %d; first %q", what, len(got), l.Lines, got[:min(3, len(got))])
	}
}

func hash(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// sidecars runs f over every valid package of the corpus with its facts.
func sidecars(t *testing.T, f func(t *testing.T, p *unreal.Package, want *facts)) {
	dir := corpus.Folder(t, "unreal")
	for _, e := range corpus.Manifest(t, "unreal") {
		if e.Expected != "ok" {
			continue
		}
		want := new(facts)
		corpus.JSON(t, filepath.Join(dir, "facts", strings.ReplaceAll(e.File, "/", "_")+".json"), want)
		t.Run(e.File, func(t *testing.T) {
			b := corpus.Bytes(t, e.Path)
			p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
			if err != nil {
				t.Fatal(err)
			}
			f(t, p, want)
		})
	}
}

func path(t *testing.T, p *unreal.Package, r unreal.Ref) string {
	t.Helper()
	s, err := p.Path(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTableFacts(t *testing.T) {
	sidecars(t, func(t *testing.T, p *unreal.Package, want *facts) {
		if p.Version != want.Version || p.Licensee != want.Licensee || p.Flags != want.PackageFlags {
			t.Errorf("version %d, licensee %d, flags %x", p.Version, p.Licensee, p.Flags)
		}
		if want.GUID != "" && hex.EncodeToString(p.GUID[:]) != want.GUID {
			t.Errorf("GUID %x, want %s", p.GUID, want.GUID)
		}
		for i, h := range want.Heritage {
			if hex.EncodeToString(p.Heritage[i][:]) != h {
				t.Errorf("heritage %d: %x, want %s", i, p.Heritage[i], h)
			}
		}
		for i, g := range want.Generations {
			if p.Generations[i] != (unreal.Generation{Exports: g[0], Names: g[1]}) {
				t.Errorf("generation %d: %v, want %v", i, p.Generations[i], g)
			}
		}
		var names, imports, exports, payloads []string
		for _, n := range p.Names {
			names = append(names, fmt.Sprintf("%s\t%08x", n.Text, n.Flags))
		}
		for i, m := range p.Imports {
			imports = append(imports, fmt.Sprintf("%s\t%s.%s", path(t, p, unreal.Ref(-i-1)), p.Name(m.ClassPackage), p.Name(m.ClassName)))
		}
		for i := range p.Exports {
			e := &p.Exports[i]
			exports = append(exports, fmt.Sprintf("%s\t%s\t%s\t%08x\t%d\t%d", path(t, p, unreal.Ref(i+1)), p.ClassName(unreal.Ref(i+1)), path(t, p, e.Super), e.Flags, e.Size, e.Offset))
			b, err := p.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			payloads = append(payloads, fmt.Sprintf("%d %s", i, hash(b)))
		}
		want.Names.check(t, "names", names)
		want.Imports.check(t, "imports", imports)
		want.Exports.check(t, "exports", exports)
		want.Payloads.check(t, "payloads", payloads)
	})
}

func TestTruncatedPackages(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	for _, name := range []string{"synthetic/syn_v61.u", "synthetic/syn_v69.u", "synthetic/syn_nonminimal.u", "synthetic/syn_order_names_last.u"} {
		b := corpus.Bytes(t, filepath.Join(dir, filepath.FromSlash(name)))
		for n := range b {
			_, err := read.Package(bytes.NewReader(b[:n]), int64(n), nil)
			if schema.Class(err) == nil {
				t.Fatalf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

// countingReader counts the bytes that are asked for.
type countingReader struct {
	io.ReaderAt
	n int
}

func (c *countingReader) ReadAt(b []byte, off int64) (int, error) {
	c.n += len(b)
	return c.ReaderAt.ReadAt(b, off)
}

func TestOpeningReadsTablesOnly(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	b := corpus.Bytes(t, filepath.Join(dir, "BTmv.utx"))
	r := &countingReader{ReaderAt: bytes.NewReader(b)}
	p, err := read.Package(r, int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	tables := p.NameSpan.Size + p.ImportSpan.Size + p.ExportSpan.Size
	if limit := 16*int(tables) + 8192; r.n > limit {
		t.Errorf("read %d bytes of %d; the tables have %d", r.n, len(b), tables)
	}
}

func BenchmarkTables(b *testing.B) {
	dir := corpus.Folder(b, "unreal")
	data := corpus.Bytes(b, filepath.Join(dir, "SiegeIV_0032beta9.u"))
	p, err := read.Package(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(p.NameSpan.Size + p.ImportSpan.Size + p.ExportSpan.Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read.Package(bytes.NewReader(data), int64(len(data)), nil); err != nil {
			b.Fatal(err)
		}
	}
}
