package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// TextTable writes text.dat (reference section 10.5). Items stay in the buckets that hold them.
func TextTable(t *ultima9.TextTable) ([]byte, error) {
	w := write.NewBuffer("u9-textdat", 4+4*len(t.Buckets))
	w.Count32(len(t.Buckets), "bucket count")
	for _, items := range t.Buckets {
		w.Count32(len(items), "item count")
		for _, x := range items {
			w.U32(x.Bucket)
			w.U32(x.CRC)
			w.U32(x.Slot)
		}
	}
	w.Bytes(t.Trailing)
	return w.Finish()
}
