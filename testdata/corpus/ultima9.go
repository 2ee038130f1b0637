package corpus

import (
	"encoding/binary"
	"path/filepath"
	"testing"
)

// Slot is a used slot of an Ultima IX FLX file.
type Slot struct {
	Number  int
	Payload []byte
}

// Slots takes an FLX file apart, for tests of the records inside. It is an independent reading of the directory and
// skips slots that point outside the file.
func Slots(t testing.TB, path string) []Slot {
	t.Helper()
	b := Bytes(t, path)
	var slots []Slot
	for i := range int(binary.LittleEndian.Uint32(b[0x50:])) {
		offset := uint64(binary.LittleEndian.Uint32(b[0x80+8*i:]))
		length := uint64(binary.LittleEndian.Uint32(b[0x84+8*i:]))
		if offset != 0 && length != 0 && offset+length <= uint64(len(b)) {
			slots = append(slots, Slot{i, b[offset : offset+length]})
		}
	}
	return slots
}

// Malformed is a row of a family's list of damaged files.
type Malformed struct {
	File   string
	Format string
	Expect string
	Also   []string `json:"also_accepted"`
	Scope  string
	Path   string `json:"-"`
}

// Damaged returns the damaged Ultima IX files of the given formats.
func Damaged(t testing.TB, formats ...string) []Malformed {
	t.Helper()
	dir := filepath.Join(Folder(t, "ultima9"), "synthetic")
	var all, some []Malformed
	JSON(t, filepath.Join(dir, "malformed", "expected.json"), &all)
	for _, m := range all {
		for _, f := range formats {
			if m.Format == f {
				m.Path = filepath.Join(dir, filepath.FromSlash(m.File))
				some = append(some, m)
			}
		}
	}
	if len(some) == 0 {
		t.Fatalf("no damaged files of %v", formats)
	}
	return some
}
