package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Highway writes highway.dat (reference section 11.4).
func Highway(x *ultima9.Highway) ([]byte, error) {
	w := write.NewBuffer("u9-highway", 12+ultima9.HighwayPointSize*len(x.Points)+32*len(x.Routes))
	w.Count32(len(x.Points), "points")
	w.Count32(len(x.Routes), "routes")
	w.Records(&x.Points)
	size := w.Reserve32()
	start := w.Len()
	for _, r := range x.Routes {
		w.U16(r.Start)
		w.U16(r.End)
		w.Count16(len(r.Path), "path length")
		w.U16(r.Distance)
		w.U16(r.Unknown08)
		w.U16s(r.Path)
	}
	w.Patch32(size, w.Len()-start, "route block size")
	w.Bytes(x.Trailing)
	return w.Finish()
}
