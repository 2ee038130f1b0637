package download

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// uz2 is the head of a file of Unreal Engine 2: the sizes of its first chunk, and two bytes of zlib.
func uz2(packed, size uint32, zlib ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, packed)
	return append(binary.LittleEndian.AppendUint32(b, size), zlib...)
}

// A file of Unreal Engine 2 is known by the sizes of its first chunk and the head that zlib gives it, and refused by its name.
func TestUZ2(t *testing.T) {
	for _, c := range []struct {
		what string
		head []byte
		want bool
	}{
		{"usual", uz2(20000, 32768, 0x78, 0x9c), true},
		{"hardly packed", uz2(32832, 32768, 0x78, 0x01), true},
		{"larger than that", uz2(32833, 32768, 0x78, 0x01), false},
		{"one byte", uz2(3, 1, 0x78, 0xda), true},
		{"nothing packed", uz2(2, 1, 0x78, 0xda), false},
		{"of nothing", uz2(20, 0, 0x78, 0x9c), false},
		{"a larger chunk", uz2(20, 32769, 0x78, 0x9c), false},
		{"another method", uz2(20, 100, 0x77, 0x9c), false},
		{"a wrong check", uz2(20, 100, 0x78, 0x9d), false},
		{"too short", uz2(20, 100, 0x78), false},
	} {
		sure := format.No
		if c.want {
			sure = format.Magic
		}
		if got := probeUZ(&format.Input{Name: "Map.UZ2", Head: c.head, Size: int64(len(c.head))}); got != sure {
			t.Errorf("%s: %v, want %v", c.what, got, sure)
		}
		if got := probeUZ(&format.Input{Name: "map.bin", Head: c.head, Size: int64(len(c.head))}); got != format.No {
			t.Errorf("%s: %v under another name", c.what, got)
		}
		_, err := openUZ(bytes.NewReader(c.head), int64(len(c.head)), nil)
		if err == nil || (schema.Class(err) == schema.ErrUnsupported) != c.want {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// A compressed file is known by its signature, a name and something after it, whatever it is called; it is refused without a name, and
// where its codes are cut off.
func TestProbeUZ(t *testing.T) {
	whole := corpus.Bytes(t, corpus.Testdata(t, "unreal", "beep.uz"))
	codes := whole[4+1+len("Beep.uax\x00"):]
	head := func(signature uint32, name string) []byte {
		return append(binary.LittleEndian.AppendUint32(nil, signature), name...)
	}
	for _, c := range []struct {
		name string
		b    []byte
		want format.Confidence
		open error
	}{
		{"beep.uz", whole, format.Certain, nil},
		{"beep.bin", whole, format.Certain, nil},
		{"of the second kind", append(head(unreal.UZ5678, "\x02A\x00"), codes...), format.Certain, schema.ErrTruncated},
		{"cut off", whole[:len(whole)-300], format.Certain, schema.ErrTruncated},
		{"without codes", head(unreal.UZ1234, "\x02A\x00"), format.No, schema.ErrTruncated},
		{"without a name", append(head(unreal.UZ1234, "\x00"), codes...), format.No, schema.ErrValue},
		{"of another signature", append(head(1235, "\x02A\x00"), codes...), format.No, schema.ErrBadMagic},
		{"of nothing", nil, format.No, schema.ErrTruncated},
	} {
		if got := probeUZ(&format.Input{Name: c.name, Head: c.b, Size: int64(len(c.b))}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if _, err := openUZ(bytes.NewReader(c.b), int64(len(c.b)), nil); schema.Class(err) != c.open && (c.open == nil || err == nil || c.want == format.No) {
			t.Errorf("%s: %v, want %v", c.name, err, c.open)
		}
	}
}

// The file in a compressed one is replaced by others alone: the same bytes leave the stored ones as they are.
func TestReplaceInUZ(t *testing.T) {
	stored := corpus.Bytes(t, corpus.Testdata(t, "unreal", "beep.uz"))
	open := func(b []byte) format.ArchiveFile {
		a, err := openUZ(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	write := func(a format.ArchiveFile) []byte {
		var w bytes.Buffer
		if n, err := a.WriteTo(&w); err != nil || n != int64(w.Len()) {
			t.Fatalf("%d of %d bytes: %v", n, w.Len(), err)
		}
		return w.Bytes()
	}
	a := open(stored)
	payload, err := a.Payload(0)
	if err != nil || len(payload) != 1113 || a.Entries()[0].Path != "Beep.uax" {
		t.Fatalf("%d bytes of %v: %v", len(payload), a.Entries(), err)
	}
	if err := a.Replace(0, bytes.Clone(payload)); err != nil || !bytes.Equal(write(a), stored) {
		t.Errorf("the same bytes: %v, or others were written", err)
	}
	if err := a.Replace(0, []byte("another")); err != nil || a.Entries()[0].Size != 7 {
		t.Errorf("of another: %v, %d bytes", err, a.Entries()[0].Size)
	}
	if got, err := open(write(a)).Payload(0); err != nil || string(got) != "another" {
		t.Errorf("%q came back: %v", got, err)
	}
	for _, i := range []int{-1, 1} {
		if err := a.Replace(i, nil); schema.Class(err) != schema.ErrRange {
			t.Errorf("entry %d: %v", i, err)
		}
	}
	fresh, _ := createUZ(nil)
	if _, err := fresh.WriteTo(io.Discard); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("an empty one: %v", err)
	}
	if _, err := fresh.Payload(0); schema.Class(err) != schema.ErrRange {
		t.Errorf("a file of an empty one: %v", err)
	}
	if err := fresh.Add("Maps/Hall.unr", []byte("hall"), nil); err != nil || fresh.Entries()[0].Path != "Hall.unr" {
		t.Errorf("%v: %v", fresh.Entries(), err)
	}
	if err := fresh.Add("Other.unr", nil, nil); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("a second file: %v", err)
	}
}

// unreadable is a file whose bytes cannot be read.
type unreadable struct{}

func (unreadable) ReadAt([]byte, int64) (int, error) { return 0, errors.New("broken") }

// An installer is known by its last bytes, whether they are at hand or have to be read.
func TestProbeUMOD(t *testing.T) {
	b := corpus.Bytes(t, corpus.Testdata(t, "unreal", "beep.umod"))
	size := int64(len(b))
	for what, c := range map[string]struct {
		in   format.Input
		want format.Confidence
	}{
		"at hand":             {format.Input{Head: b, Size: size}, format.Certain},
		"to be read":          {format.Input{Head: b[:10], Size: size, At: bytes.NewReader(b)}, format.Certain},
		"partly at hand":      {format.Input{Head: b[:len(b)-1], Size: size}, format.No},
		"unreadable":          {format.Input{Head: b, Size: size, At: unreadable{}}, format.No},
		"longer than it is":   {format.Input{Head: b, Size: size + 9, At: bytes.NewReader(append(bytes.Clone(b), make([]byte, 9)...))}, format.No},
		"shorter than an end": {format.Input{Head: b[:19], Size: 19}, format.No},
		"nothing but an end":  {format.Input{Head: b[len(b)-unreal.UMODTrailer:], Size: unreal.UMODTrailer}, format.Certain},
	} {
		if got := probeUMOD(&c.in); got != c.want {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

// Files go into an installer under their paths, and never out of the game's folder; those of a setup are marked.
func TestFilesOfUMOD(t *testing.T) {
	a, _ := createUMOD(nil)
	for _, c := range []struct {
		path  string
		class error
		flags uint32
	}{
		{"System/Manifest.ini", nil, unreal.UMODManifest}, {"System/manifest.int", nil, unreal.UMODManifest}, {"Maps/Hall.unr", nil, 0}, {"maps/HALL.unr", schema.ErrMismatch, 0},
		{"", schema.ErrValue, 0}, {"/etc/x", schema.ErrValue, 0}, {"C:/x", schema.ErrValue, 0}, {"Maps/../../x", schema.ErrValue, 0}, {"Maps/..x", nil, 0},
	} {
		if err := a.Add(c.path, []byte(c.path), nil); schema.Class(err) != c.class {
			t.Errorf("%q: %v", c.path, err)
		}
		files := a.(*umodArchive).x.Files
		if f := files[len(files)-1]; c.class == nil && f.Flags != c.flags {
			t.Errorf("%q: flags %d, want %d", c.path, f.Flags, c.flags)
		}
	}
	if err := a.Remove(1); err != nil {
		t.Fatal(err)
	}
	var w bytes.Buffer
	if n, err := a.WriteTo(&w); err != nil || n != int64(w.Len()) {
		t.Fatal(n, err)
	}
	again, err := openUMOD(bytes.NewReader(w.Bytes()), int64(w.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	list := "System/Manifest.ini\r\n[Setup]\r\nGroup=FilesGroup\r\n\r\n[FilesGroup]\r\nFile=(Src=Maps\\Hall.unr,Size=13)\r\nFile=(Src=Maps\\..x,Size=8)\r\n"
	for i, want := range []string{"System/Manifest.ini", "Maps/Hall.unr", "Maps/..x"} {
		b, err := again.Payload(i)
		text := want
		if i == 0 { // what was put in does not list the others
			text = list
		}
		if e := again.Entries()[i]; err != nil || string(b) != text || e.Path != want || e.Size != int64(len(text)) {
			t.Errorf("file %d is %q, %v: %v", i, b, e, err)
		}
	}
	if facts := again.Facts(); facts[1].Value != 3 {
		t.Errorf("%v", facts)
	}
	for _, i := range []int{-1, 3} {
		if _, err := again.Payload(i); schema.Class(err) != schema.ErrRange {
			t.Errorf("file %d: %v", i, err)
		}
		if err := again.Remove(i); schema.Class(err) != schema.ErrRange {
			t.Errorf("file %d goes: %v", i, err)
		}
	}
	full := errors.New("full")
	again.Abilities().SpoolTo(func() (*os.File, error) { return nil, full })
	before := len(again.Entries())
	if err := again.Add("Maps/Large.unr", make([]byte, 1<<24), nil); err != nil && !errors.Is(err, full) || err != nil && len(again.Entries()) != before {
		t.Errorf("where nothing can be put aside: %v, %d entries", err, len(again.Entries()))
	}
}
