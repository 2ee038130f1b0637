package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// TreeData writes a record of treedat.flx (reference section 11.7).
func TreeData(x *ultima9.TreeData) ([]byte, error) {
	w := write.NewBuffer("u9-treedat", 12+4*len(x.Volumes)+36*len(x.Nodes))
	w.I32(x.Version)
	countedI32s(w, x.Volumes, "volumes")
	w.Count32(len(x.Nodes), "node count")
	w.Records(&x.Nodes)
	w.Bytes(x.Trailing)
	return w.Finish()
}

func countedI32s(w *write.Buffer, v []int32, field string) {
	w.Count32(len(v), field)
	for _, x := range v {
		w.I32(x)
	}
}
