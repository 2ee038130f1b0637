package ultima9

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// A header that is wrong is refused before a slot is read, and each class by itself.
func TestFLXHeader(t *testing.T) {
	const slots = 2
	good := make([]byte, ultima9.FLXHeaderSize+slots*ultima9.FLXSlotSize)
	binary.LittleEndian.PutUint32(good[0x50:], slots)
	binary.LittleEndian.PutUint32(good[0x54:], ultima9.FLXVersion)
	if a, err := FLX(bytes.NewReader(good), int64(len(good)), nil); err != nil || len(a.Slots) != slots {
		t.Fatalf("a good one: %v, %v", a, err)
	}
	for _, tt := range []struct {
		name  string
		at    int
		value uint32
		class error
	}{
		{"one slot too many", 0x50, slots + 1, schema.ErrCount}, {"far too many slots", 0x50, 1<<32 - 1, schema.ErrCount},
		{"another version", 0x54, ultima9.FLXVersion + 1, schema.ErrBadMagic},
	} {
		b := bytes.Clone(good)
		binary.LittleEndian.PutUint32(b[tt.at:], tt.value)
		if a, err := FLX(bytes.NewReader(b), int64(len(b)), nil); !errors.Is(err, tt.class) {
			t.Errorf("%s: %v, %v; want %v", tt.name, a, err, tt.class)
		}
	}
	if _, err := FLX(bytes.NewReader(good[:0x60]), 0x60, nil); err == nil {
		t.Error("a header that ends early is read")
	}
}
