package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Model reads a BSP tree (reference sections 12.1 and 19).
func Model(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.Model, error) {
	return decode(b, x, d, model)
}

func model(r *reader, m *unreal.Model) {
	r.base(&m.Object)
	m.Primitive = r.primitive()
	if r.version < unreal.LazyVersion {
		m.Old = &unreal.OldModel{Vectors: r.Ref("vectors"), Points: r.Ref("points"), Nodes: r.Ref("nodes"), Surfs: r.Ref("surfs"), Verts: r.Ref("verts")}
	} else {
		m.Vectors, m.Points = r.vectors("vectors"), r.vectors("points")
		m.Nodes = list(r, 43, "nodes", r.node)
		m.Surfs = list(r, minSurf, "surfs", r.surf)
		m.Verts = list(r, 2, "verts", r.vert)
		m.SharedSides = r.I32("shared sides")
		m.Zones = r.zones(r.I32("zone count"))
	}
	m.Polys = r.Ref("polys")
	m.LightMaps = list(r, 30, "light maps", func(l *unreal.LightMap) {
		l.Offset, l.Pan = r.I32("data offset"), r.Vec3("pan")
		l.UClamp, l.VClamp = r.Index("UClamp"), r.Index("VClamp")
		l.UScale, l.VScale = r.F32("UScale"), r.F32("VScale")
		l.Light = r.I32("first light")
	})
	m.LightBits = r.Data(r.Len(1, "light bits"), "light bits", "light bits")
	m.Bounds = list(r, 25, "bounds", func(b *unreal.Box) { *b = r.box() })
	m.LeafHulls = r.i32s(r.Len(4, "leaf hulls"), "leaf hulls")
	m.Leaves = list(r, 11, "leaves", func(l *unreal.Leaf) {
		*l = unreal.Leaf{Zone: r.Index("zone"), Permeating: r.Index("permeating"), Volumetric: r.Index("volumetric"), Visible: r.U64("visible zones")}
	})
	m.Lights = r.refs("lights")
	if r.version < unreal.LazyVersion {
		m.OldTail = [2]int32{r.Index("old tail"), r.Index("old tail")}
	}
	m.RootOutside, m.Linked = r.I32("RootOutside"), r.I32("Linked")
}

func (r *reader) node(n *unreal.BspNode) {
	n.Plane, n.ZoneMask, n.Flags = r.Vec4("plane"), r.U64("zone mask"), r.U8("flags")
	n.VertPool, n.Surf = r.Index("vertex pool"), r.Index("surf")
	n.Back, n.Front, n.Coplanar = r.Index("back"), r.Index("front"), r.Index("plane")
	n.Bound, n.RenderBound = r.Index("collision bound"), r.Index("render bound")
	n.Zones = [2]int32{r.Index("zone 0"), r.Index("zone 1")}
	n.Count = r.U8("vertex count")
	n.Leaves = [2]int32{r.I32("leaf 0"), r.I32("leaf 1")}
}

// minSurf is the size of a surf whose indices all have one byte.
const minSurf = 16

func (r *reader) surf(s *unreal.BspSurf) {
	s.Texture, s.Flags = r.Ref("texture"), r.U32("poly flags")
	s.Base, s.Normal = r.Index("base point"), r.Index("normal")
	s.TextureU, s.TextureV = r.Index("textureU"), r.Index("textureV")
	s.LightMap, s.BrushPoly = r.Index("light map"), r.Index("brush polygon")
	s.PanU, s.PanV = r.I16("panU"), r.I16("panV")
	s.Actor = r.Ref("actor")
}

func (r *reader) vert(v *unreal.BspVert) {
	*v = unreal.BspVert{Point: r.Index("point"), Side: r.Index("side")}
}

func (r *reader) zones(count int32) []unreal.Zone {
	n := r.signedCount(count, 17, "zone count")
	return listOf(r, n, "zone", func(z *unreal.Zone) {
		*z = unreal.Zone{Actor: r.Ref("zone actor"), Connectivity: r.U64("connectivity"), Visibility: r.U64("visibility")}
	})
}

// signedCount checks a count that is stored as a plain integer.
func (r *reader) signedCount(count int32, size int, field string) int {
	if count < 0 {
		r.Failf(schema.ErrCount, field, "count %d is negative", count)
		return 0
	}
	return r.Count(uint64(count), size, field)
}

// array reads count and capacity of the arrays that are objects of their own.
func (r *reader) array(size int, field string) (n int, capacity int32) {
	count := r.I32(field + " count")
	capacity = r.I32(field + " capacity")
	return r.signedCount(count, size, field+" count"), capacity
}

// The parts of models before LazyVersion.

func vectorsObject(r *reader, v *unreal.Vectors) {
	r.base(&v.Object)
	var n int
	n, v.Capacity = r.array(12, "vectors")
	v.Vectors = r.Vec3s(n, "vectors")
}

func bspNodes(r *reader, o *unreal.BspNodes) {
	r.base(&o.Object)
	var n int
	n, o.Capacity = r.array(43, "nodes")
	o.Nodes = listOf(r, n, "node", r.node)
	o.Zones = r.zones(r.Index("zone count"))
}

func bspSurfs(r *reader, o *unreal.BspSurfs) {
	r.base(&o.Object)
	var n int
	n, o.Capacity = r.array(minSurf, "surfs")
	o.Surfs = listOf(r, n, "surf", r.surf)
}

func verts(r *reader, o *unreal.Verts) {
	r.base(&o.Object)
	var n int
	n, o.Capacity = r.array(2, "verts")
	o.Verts = listOf(r, n, "vert", r.vert)
	o.SharedSides = r.Index("shared sides")
}
