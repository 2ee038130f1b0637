package unreal_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// installer is a small one: a manifest and two files, one of them empty.
func installer(t testing.TB) []byte {
	t.Helper()
	content := []byte("[Setup]\r\nProduct=X\r\nPACKAGE")
	str := func(s string) unreal.Str { return unreal.Str{Text: s} }
	b, err := write.UMOD(&unreal.UMOD{Version: unreal.UMODVersion, Fresh: true, Content: content, Files: []unreal.UMODFile{
		{Path: str(`System\Manifest.ini`), Size: 20, Flags: unreal.UMODManifest},
		{Path: str(`System\X.u`), Offset: 20, Size: 7},
		{Path: str(`Maps\None.unr`), Offset: 27},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every byte of an installer is read and written back, and every way to break it is refused with its class.
func TestUMOD(t *testing.T) {
	b := installer(t)
	d := &schema.Diagnostics{}
	x, err := read.UMOD(b, d)
	if err != nil || len(d.All()) > 0 {
		t.Fatal(err, d.All())
	}
	if len(x.Files) != 3 || x.Files[1].Path.Text != `System\X.u` || string(x.Content[x.Files[1].Offset:][:x.Files[1].Size]) != "PACKAGE" || x.Files[0].Flags != unreal.UMODManifest {
		t.Errorf("%+v", x.Files)
	}
	if again, err := write.UMOD(x); err != nil || !bytes.Equal(again, b) {
		t.Errorf("%d bytes come back as %d, %v", len(b), len(again), err)
	}
	for n := range b {
		if _, err := read.UMOD(b[:n], nil); err == nil || schema.Class(err) == nil {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
	end := len(b) - unreal.UMODTrailer
	directory := int(binary.LittleEndian.Uint32(b[end+4:]))
	put := func(at int, v uint32) []byte {
		c := slices.Clone(b)
		binary.LittleEndian.PutUint32(c[at:], v)
		return c
	}
	first := directory + 1 + 1 + len(`System\Manifest.ini`) + 1 // count, length, path, its zero
	for name, c := range map[string]struct {
		b     []byte
		class error
	}{
		"magic":             {put(end, 1), schema.ErrBadMagic},
		"directory behind":  {put(end+4, uint32(end+1)), schema.ErrRange},
		"size":              {put(end+8, uint32(len(b)+1)), schema.ErrTruncated},
		"version":           {put(end+12, 2), schema.ErrUnsupported},
		"a file outside":    {put(first, 28), schema.ErrRange},
		"a huge file":       {put(first+4, 1<<32-1), schema.ErrRange},
		"too many files":    {append(slices.Clone(b[:directory]), append([]byte{0x7F, 0x7F}, b[directory+2:]...)...), schema.ErrCount},
		"negative count":    {append(slices.Clone(b[:directory]), append([]byte{0x81}, b[directory+1:]...)...), schema.ErrCount},
		"nothing":           {nil, schema.ErrTruncated},
		"a trailer alone":   {b[end:], schema.ErrTruncated},
		"text in its place": {[]byte(strings.Repeat("installer ", 10)), schema.ErrBadMagic},
	} {
		if _, err := read.UMOD(c.b, nil); schema.Class(err) != c.class {
			t.Errorf("%s: %v, want %v", name, err, c.class)
		}
	}
	if _, err := read.UMOD(put(0, 7), d); err != nil || !d.Has("check-sum") {
		t.Errorf("another check sum: %v, %v", err, d.All())
	}
}

// FuzzUMOD: whatever is read as an installer is written back as it was.
func FuzzUMOD(f *testing.F) {
	b := installer(f)
	f.Add(b)
	f.Add(b[len(b)-unreal.UMODTrailer:])
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := read.UMOD(b, nil)
		if err != nil {
			if schema.Class(err) == nil {
				t.Fatalf("an error without a class: %v", err)
			}
			return
		}
		if again, err := write.UMOD(x); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%d bytes come back as %d, %v", len(b), len(again), err)
		}
	})
}
