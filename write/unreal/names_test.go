package unreal_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestNames has names in each form that a table of names knows, empty ones too.
func TestNames(t *testing.T) {
	names := []unreal.Name{
		{Text: "None", Flags: 1}, {Text: "", Flags: 2}, {Text: "wide Ж", Form: unreal.NameWide, Flags: 3}, {Text: "", Form: unreal.NameWide},
		{Text: "no end", Form: unreal.NameRaw, Stored: "no end"}, {Text: "two", Form: unreal.NameRaw, Stored: "two\x00\x00"}, {Text: "", Form: unreal.NameRaw},
		{Text: "w", Form: unreal.NameRawWide, Stored: "w\x00"}, {Text: "w", Form: unreal.NameRawWide, Stored: "w\x00\x00\x00\x00\x00"},
	}
	for _, version := range []uint16{64, 69} {
		var b bytes.Buffer
		if err := write.Package(&b, &unreal.Package{Version: version, Names: names}); err != nil {
			t.Fatal(err)
		}
		p, err := read.Package(bytes.NewReader(b.Bytes()), int64(b.Len()), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(names, p.Names); d != "" {
			t.Errorf("version %d: %s", version, d)
		}
	}
}

// TestMayReferMade: a reference may begin at any byte, and ends where its bytes do.
func TestMayReferMade(t *testing.T) {
	for _, tt := range []struct {
		b    []byte
		ref  unreal.Ref
		want bool
	}{
		{nil, 0, false}, {[]byte{5}, 5, true}, {[]byte{5}, 6, false}, {[]byte{9, 5}, 5, true}, {[]byte{0x85}, -5, true}, {[]byte{0x41, 2}, 129, true},
		{[]byte{9, 0x41}, 1, false}, {[]byte{9, 0x41, 0xC0}, 0, false},
	} {
		if got := read.MayRefer(tt.b, tt.ref); got != tt.want {
			t.Errorf("%x, %d: %v", tt.b, tt.ref, got)
		}
	}
}
