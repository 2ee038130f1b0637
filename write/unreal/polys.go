package unreal

import "github.com/usher-assets/usher/schema/unreal"

// Polys writes the polygons of a brush (reference section 12.2).
func Polys(o *unreal.Polys) ([]byte, error) {
	w := objectWriter(&o.Object, 64+128*len(o.Polys))
	w.base(&o.Object)
	w.array(len(o.Polys), o.Capacity)
	for i := range o.Polys {
		p := &o.Polys[i]
		w.Index(int32(len(p.Vertices)))
		w.Vec3s([][3]float32{p.Base, p.Normal, p.TextureU, p.TextureV})
		w.Vec3s(p.Vertices)
		w.U32(p.Flags)
		w.Ref(p.Actor)
		w.Ref(p.Texture)
		w.Name(p.Item)
		w.Index(p.Link)
		w.Index(p.BrushPoly)
		w.I16(p.PanU)
		w.I16(p.PanV)
	}
	return w.finish(&o.Object)
}
