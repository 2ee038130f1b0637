package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Polys reads the polygons of a brush (reference section 12.2).
func Polys(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Polys, error) {
	return decode(b, x, d, polys)
}

func polys(r *reader, o *unreal.Polys) {
	r.base(&o.Object)
	var n int
	n, o.Capacity = r.array(62, "polys")
	o.Polys = listOf(r, n, "poly", func(p *unreal.Poly) {
		n := r.Len(12, "vertices")
		p.Base, p.Normal = r.Vec3("base"), r.Vec3("normal")
		p.TextureU, p.TextureV = r.Vec3("textureU"), r.Vec3("textureV")
		p.Vertices = r.Vec3s(n, "vertices")
		p.Flags = r.U32("poly flags")
		p.Actor, p.Texture, p.Item = r.Ref("actor"), r.Ref("texture"), r.Name("item")
		p.Link, p.BrushPoly = r.Index("link"), r.Index("brush polygon")
		p.PanU, p.PanV = r.I16("panU"), r.I16("panV")
	})
}
