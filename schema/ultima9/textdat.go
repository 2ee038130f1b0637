package ultima9

import (
	"math/bits"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// TextTable is text.dat: the hash table that maps a spoken line to its slot in text.flx (reference section 10.5).
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

// TextKey returns the key of a spoken line. speaker is "UI" or the name of an NPC.
func TextKey(speaker, line string) string { return speaker + separator + line }

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

// Item returns the item of a key. It fails with ErrValue for a character outside Latin-1, and if the table has no buckets.
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

// Find returns the slot of a key; ok is false if the table does not have the key.
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

// Rehash moves the item of a changed line from the bucket of its old key to the end of the bucket of its new key. It fails
// with ErrRange if the table has no item with the old key and this slot.
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

// separator stands in a key between the speaker and the line.
const separator = " : "

// Follow returns the item of a line that changes from was to is. It first tries to find the item's key: the line as a file
// marker, or spoken by one of the speakers. If none of these gives item, known is false. The new item is then computed from
// the old one, whose two hash values reveal enough of the key. It fails with ErrValue for a character outside Latin-1, or
// if the bucket number of the old item does not allow this.
func (t *TextTable) Follow(item TextItem, was, is string, speakers []string) (moved TextItem, known bool, err error) {
	keys := [][2]string{{FileKey(was), FileKey(is)}}
	for _, s := range speakers {
		keys = append(keys, [2]string{TextKey(s, was), TextKey(s, is)})
	}
	for _, k := range keys {
		if x, err := t.Item(k[0], item.Slot); err == nil && x == item {
			moved, err = t.Item(k[1], item.Slot)
			return moved, true, err
		}
	}
	old, err := keyBytes(separator + was)
	if err != nil {
		return TextItem{}, false, err
	}
	line, err := keyBytes(separator + is)
	if err != nil {
		return TextItem{}, false, err
	}
	bucket, err := t.bucketAfter(item.Bucket, old, line)
	return TextItem{bucket, textCRCFrom(crcBefore(item.CRC, old), line), item.Slot}, false, err
}

// Speaker returns a number that is the same for all items with the same speaker.
func (t *TextTable) Speaker(item TextItem, line string) (uint32, error) {
	b, err := keyBytes(separator + line)
	if err != nil {
		return 0, err
	}
	return crcBefore(item.CRC, b), nil
}

// bucketAfter returns the bucket of a key whose end is another one. What stands before the end counts 64ⁿ times, n being
// the length of the end; that is undone for the odd part of the number of buckets, and is nothing for powers of two.
func (t *TextTable) bucketAfter(bucket uint32, was, is []byte) (uint32, error) {
	n := uint64(len(t.Buckets))
	if n == 0 || uint64(bucket) >= n {
		return 0, schema.Errorf("u9-textdat", schema.ErrRange, "bucket", "%d of %d", bucket, n)
	}
	twos := bits.TrailingZeros64(n)
	odd := n >> twos
	if min(len(was), len(is))*6 < twos {
		return 0, schema.Errorf("u9-textdat", schema.ErrValue, "bucket", "a line of %d characters does not tell its speaker in %d buckets", min(len(was), len(is))-len(separator), n)
	}
	hash := func(b []byte) (h uint64) {
		for _, c := range b {
			h = (64*h + uint64(c)) % n
		}
		return h
	}
	before := (uint64(bucket) + n - hash(was)) % n // a multiple of the power of two
	if before%(1<<twos) != 0 {
		return 0, schema.Errorf("u9-textdat", schema.ErrMismatch, "bucket", "%d is not that of the line, whoever says it", bucket)
	}
	x := before % odd
	for range max(len(is)-len(was), 0) {
		x = x * 64 % odd
	}
	half := (odd + 1) / 2
	for range 6 * max(len(was)-len(is), 0) {
		x = x * half % odd
	}
	for range twos { // the multiple of the power of two that leaves x
		x = x * half % odd
	}
	return uint32((x<<twos + hash(is)) % n), nil
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

// crcBack leads from the low byte of an entry of crcTable to its number.
var crcBack = func() (t [256]byte) {
	for i, c := range crcTable {
		t[byte(c)] = byte(i)
	}
	return t
}()

// textCRC is the unreflected CRC-32 over a key and its terminating zero.
func textCRC(key []byte) uint32 { return textCRCFrom(^uint32(0), key) }

// textCRCFrom goes on from a state with the rest of a key and its zero.
func textCRCFrom(c uint32, rest []byte) uint32 {
	for _, b := range rest {
		c = c<<8 ^ crcTable[byte(c>>24)^b]
	}
	c = c<<8 ^ crcTable[byte(c>>24)]
	return ^c
}

// crcBefore returns the state before the end of a key and its zero.
func crcBefore(crc uint32, end []byte) uint32 {
	c := ^crc
	undo := func(b byte) {
		i := crcBack[byte(c)]
		c = (c^crcTable[i])>>8 | uint32(i^b)<<24
	}
	undo(0)
	for i := len(end) - 1; i >= 0; i-- {
		undo(end[i])
	}
	return c
}
