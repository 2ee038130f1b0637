package ultima9

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// ShadeTable writes shade.tbl. Source of these three: reference section 11.9.
func ShadeTable(x *ultima9.ShadeTable) ([]byte, error) {
	w := write.NewBuffer("u9-shade", len(x.Palette)+len(x.Shades)*256+len(x.Trailing))
	w.Bytes(x.Palette)
	for i := range x.Shades {
		w.Bytes(x.Shades[i][:])
	}
	w.Bytes(x.Trailing)
	return w.Finish()
}

// GreyTable writes shadegry.tbl.
func GreyTable(x *ultima9.GreyTable) ([]byte, error) {
	w := write.NewBuffer("u9-shadegry", 320+len(x.Trailing))
	for i := range x.Ramps {
		w.Bytes(x.Ramps[i][:])
	}
	w.Bytes(x.Map[:])
	w.Bytes(x.Trailing)
	return w.Finish()
}

// ColourCube writes rgbccube.dat or yiqccube.dat. It fails with ErrValue for a node with neither indices nor eight
// children.
func ColourCube(x *ultima9.ColourCube) ([]byte, error) {
	w := write.NewBuffer("u9-colourcube", 2*ultima9.PaletteSize)
	w.Bytes(x.Palette)
	colourNode(w, &x.Root, 0)
	w.Bytes(x.Trailing)
	return w.Finish()
}

func colourNode(w *write.Buffer, n *ultima9.ColourNode, depth int) {
	w.Count32(len(n.Indices), "count")
	w.Bytes(n.Indices)
	if len(n.Indices) > 0 {
		if len(n.Children) > 0 {
			w.NoPlace("children", "a node with indices")
		}
		return
	}
	if len(n.Children) != 8 || depth == ultima9.ColourDepth {
		w.Failf(schema.ErrValue, "children", "a node without indices has %d children at depth %d; 8 expected, at most %d deep", len(n.Children), depth, ultima9.ColourDepth)
		return
	}
	for i := range n.Children {
		colourNode(w, &n.Children[i], depth+1)
	}
}
