package ultima9

import (
	"slices"

	"github.com/usher-assets/usher/schema"
)

// TextTable is text.dat: the hash table that leads from a spoken line to its slot in text.flx (reference section 10.5).
type TextTable struct {
	Buckets  [][]TextItem
	Trailing []byte `json:",omitempty"`
}

// TextItem is one line of the table.
type TextItem struct {
	Bucket uint32 // the bucket's number again
	CRC    uint32
	Slot   uint32 // of text.flx
}

// TextKey returns the key of a spoken line. Speaker is "UI" or the name of an NPC.
func TextKey(speaker, line string) string { return speaker + " : " + line }

// FileKey returns the key of a file marker, a text that names a source file and "BEGIN FILE".
func FileKey(text string) string { return "C:" + text }

// NewTextTable returns an empty table.
func NewTextTable(buckets int) *TextTable { return &TextTable{Buckets: make([][]TextItem, buckets)} }

// keyBytes returns the bytes of a key, which are Latin-1.
func keyBytes(key string) ([]byte, error) {
	b := make([]byte, 0, len(key))
	for _, r := range key {
		if r > 0xFF {
			return nil, schema.Errorf("u9-textdat", schema.ErrValue, "key", "%q holds %q, which Latin-1 lacks", key, r)
		}
		b = append(b, byte(r))
	}
	return b, nil
}

// Item returns the item of a key. It fails with ErrValue for a character that Latin-1 lacks and for a table without
// buckets.
func (t *TextTable) Item(key string, slot uint32) (TextItem, error) {
	b, err := keyBytes(key)
	if err != nil {
		return TextItem{}, err
	}
	if len(t.Buckets) == 0 {
		return TextItem{}, schema.Errorf("u9-textdat", schema.ErrValue, "bucket count", "the table has no buckets")
	}
	var h uint64
	for _, c := range b {
		h = (64*h + uint64(c)) % uint64(len(t.Buckets))
	}
	return TextItem{uint32(h), textCRC(b), slot}, nil
}

// Find returns the slot of a key.
func (t *TextTable) Find(key string) (slot uint32, ok bool) {
	want, err := t.Item(key, 0)
	if err != nil {
		return 0, false
	}
	for _, x := range t.Buckets[want.Bucket] {
		if x.CRC == want.CRC {
			return x.Slot, true
		}
	}
	return 0, false
}

// Add appends a key to its bucket.
func (t *TextTable) Add(key string, slot uint32) error {
	x, err := t.Item(key, slot)
	if err != nil {
		return err
	}
	t.Buckets[x.Bucket] = append(t.Buckets[x.Bucket], x)
	return nil
}

// Rehash moves a changed line: its item leaves the old key's bucket and goes to the end of the new key's. It fails with
// ErrRange when the table does not hold the old key with this slot.
func (t *TextTable) Rehash(oldKey, newKey string, slot uint32) error {
	was, err := t.Item(oldKey, slot)
	if err != nil {
		return err
	}
	is, err := t.Item(newKey, slot)
	if err != nil {
		return err
	}
	for i, x := range t.Buckets[was.Bucket] {
		if x.CRC == was.CRC && x.Slot == slot {
			t.Buckets[was.Bucket] = slices.Delete(t.Buckets[was.Bucket], i, i+1)
			t.Buckets[is.Bucket] = append(t.Buckets[is.Bucket], is)
			return nil
		}
	}
	return schema.Errorf("u9-textdat", schema.ErrRange, "key", "the table has no %q at slot %d", oldKey, slot)
}

var crcTable = func() (t [256]uint32) {
	for i := range t {
		c := uint32(i) << 24
		for range 8 {
			if c&0x80000000 != 0 {
				c = c<<1 ^ 0x04C11DB7
			} else {
				c <<= 1
			}
		}
		t[i] = c
	}
	return t
}()

// textCRC is the unreflected CRC-32 over a key and its terminating zero.
func textCRC(key []byte) uint32 {
	c := ^uint32(0)
	for _, b := range key {
		c = c<<8 ^ crcTable[byte(c>>24)^b]
	}
	c = c<<8 ^ crcTable[byte(c>>24)]
	return ^c
}
