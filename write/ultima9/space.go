package ultima9

import (
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// Space writes a record of spaces.flx (reference section 11.6).
func Space(x *ultima9.Space) ([]byte, error) {
	w := write.NewBuffer("u9-space", 0x38+0x28*len(x.Planes))
	fixedText(w, x.Name, ultima9.SpaceNameSize, "name")
	w.I32(x.Map)
	w.U32(planePointer(x.Planes, 0))
	w.U32(uint32(x.Audio))
	w.I32(x.DrawOrder)
	w.I16(x.Visibility)
	w.I16(x.Unknown32)
	w.I16(x.Number)
	w.U16(uint16(x.Flags))
	for i := range x.Planes {
		p := &x.Planes[i]
		w.U32(planePointer(x.Planes, i+1))
		w.Floats(p.Point[:]...)
		w.Floats(p.Normal[:]...)
		w.F32(p.W)
		w.U32(portalPointer(p.Portals, 0))
		w.I32(p.Tail)
		for j := range p.Portals {
			q := &p.Portals[j]
			w.U32(portalPointer(p.Portals, j+1))
			w.Record(q)
		}
	}
	w.Bytes(x.Trailing)
	return w.Finish()
}

// planePointer returns the word that announces plane i: 0 behind the last one, never 0 before.
func planePointer(planes []ultima9.SpacePlane, i int) uint32 {
	if i >= len(planes) {
		return 0
	}
	return max(planes[i].Pointer, 1)
}

func portalPointer(portals []ultima9.SpacePortal, i int) uint32 {
	if i >= len(portals) {
		return 0
	}
	return max(portals[i].Pointer, 1)
}
