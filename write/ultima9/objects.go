package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Fixed writes fixed.N (reference section 9) from its heap; changed objects are put into the heap with a [HeapEditor].
// ErrMismatch means a list of objects that is not what the heap holds.
func Fixed(x *ultima9.ObjectFile) ([]byte, error) { return checkedFile(x, ultima9.Fixed) }

// Nonfixed writes nonfixed.N, as Fixed does.
func Nonfixed(x *ultima9.ObjectFile) ([]byte, error) { return checkedFile(x, ultima9.Nonfixed) }

// Heap writes a file of either kind from its heap, whatever became of the list of objects.
func Heap(x *ultima9.ObjectFile) ([]byte, error) { return objectFile(x, x.Kind) }

func checkedFile(x *ultima9.ObjectFile, kind ultima9.ObjectKind) ([]byte, error) {
	b, err := objectFile(x, kind)
	if err != nil {
		return nil, err
	}
	return b, checkView(x)
}

func objectFile(x *ultima9.ObjectFile, kind ultima9.ObjectKind) ([]byte, error) {
	w := write.NewBuffer("u9-"+kind.String(), 40+4*len(x.First)+len(x.Heap)+len(x.Trailing))
	if x.Kind != kind || len(x.Leading) != kind.Leading() {
		w.Failf(schema.ErrMismatch, "kind", "a %s file with %d leading words cannot be written as %s", x.Kind, len(x.Leading), kind)
	}
	if uint64(len(x.First)) != uint64(x.Width)*uint64(x.Height) {
		w.Failf(schema.ErrMismatch, "squares", "%d squares for %d x %d", len(x.First), x.Width, x.Height)
	}
	w.U32s(x.Leading)
	w.Count32(len(x.Heap), "heap size")
	w.U32(x.Unknown0C)
	w.U32(x.Width)
	w.U32(x.Height)
	w.U32(uint32(kind))
	w.U32s(x.First)
	w.U32(x.FreePage)
	w.Bytes(x.Heap)
	w.Bytes(x.Trailing)
	return w.Finish()
}
