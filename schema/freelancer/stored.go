package freelancer

import (
	"io"
	"slices"

	"github.com/usher-assets/usher/schema"
)

// InFile reports whether the payload is still in the file, and not in memory.
func (n *Node) InFile() bool {
	return n != nil && n.Data == nil && n.Slot != nil && n.Slot.Stored != nil
}

// Length returns the size of the payload, in memory or in the file.
func (n *Node) Length() int {
	if n.InFile() {
		return int(n.Slot.Stored.Size())
	}
	return len(n.Data)
}

// Payload returns the payload. If it is in the file, each call reads it again. ErrTruncated means that the file has become
// shorter.
func (n *Node) Payload() ([]byte, error) {
	if !n.InFile() {
		return n.Data, nil
	}
	b := make([]byte, n.Slot.Stored.Size())
	return b, readStored(n.Slot.Stored, b, 0, n.Name)
}

// Load reads the payloads of the node and of everything below it into memory, as if the file had been read as a whole.
// Payloads that share bytes in the file share them in memory too. A nil node has none.
func (n *Node) Load() error {
	if n == nil {
		return nil
	}
	bySource := map[io.ReaderAt][]stored{}
	n.Walk(func(_ string, n *Node) bool {
		if n.InFile() {
			r, at, size := n.Slot.Stored.Outer()
			bySource[r] = append(bySource[r], stored{n, at, at + size})
		}
		return true
	})
	for r, list := range bySource {
		slices.SortFunc(list, func(a, b stored) int { return int(a.from - b.from) })
		for len(list) > 0 {
			run, end := 1, list[0].to // those that overlap
			for run < len(list) && list[run].from < end {
				end = max(end, list[run].to)
				run++
			}
			b, from := make([]byte, end-list[0].from), list[0].from
			if err := readStored(r, b, from, list[0].node.Name); err != nil {
				return err
			}
			for _, s := range list[:run] {
				s.node.Data = b[s.from-from : s.to-from : s.to-from]
				s.node.Slot.Data = s.node.Data
			}
			list = list[run:]
		}
	}
	return nil
}

// stored is a node and where its payload lies.
type stored struct {
	node     *Node
	from, to int64
}

func readStored(r io.ReaderAt, b []byte, at int64, name string) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		return schema.Errorf(Format, schema.ErrTruncated, name, "%d of the payload's %d bytes are gone from the file", len(b)-n, len(b))
	}
	return err
}
