package ultima9_test

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// TestFLXDead: bytes that edits leave behind are counted, shared ones once, and a compact file has none.
func TestFLXDead(t *testing.T) {
	a := ultima9.NewArchive(4)
	for i, b := range []string{"first", "second", "third"} {
		if err := a.Replace(i, []byte(b)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(a *ultima9.Archive, want int64) []byte {
		t.Helper()
		var out bytes.Buffer
		if err := write.FLX(&out, a); err != nil {
			t.Fatal(err)
		}
		dead, size, err := write.FLXDead(a)
		if err != nil || dead != want || size != int64(out.Len()) {
			t.Errorf("%d of %d bytes are dead, %v; want %d of %d", dead, size, err, want, out.Len())
		}
		return out.Bytes()
	}
	again := func(b []byte) *ultima9.Archive {
		t.Helper()
		a, err := read.FLX(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	b := check(a, 0)
	a = again(b)
	_ = a.Replace(0, []byte("f1rst"))         // in place
	_ = a.Replace(1, []byte("longer second")) // to the end: 6 bytes stay behind
	_ = a.Remove(2)                           // 5 more
	a = again(check(a, 11))
	check(a, 11)
	if err := a.Grow(5); err != nil { // the directory takes 8 bytes, of which 5 are those of the first payload
		t.Fatal(err)
	}
	check(a, 11+5-8)
	a = again(b)
	a.Slots[3] = a.Slots[0] // shared
	check(a, 0)
	a.Compact = true
	check(a, 0)
	a = again(append(bytes.Clone(b), "tail"...))
	check(a, 4)
	a.Compact = true
	check(a, 0)
}
