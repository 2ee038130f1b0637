package unreal

import (
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Model writes a BSP tree (reference sections 12.1 and 19).
func Model(m *unreal.Model) ([]byte, error) {
	w := objectWriter(&m.Object, 512+len(m.LightBits)+64*len(m.Nodes)+24*len(m.Surfs)+4*len(m.Verts)+12*len(m.Points))
	w.base(&m.Object)
	w.primitive(m.Primitive)
	if (m.Old != nil) != (w.version < unreal.LazyVersion) {
		w.Failf(schema.ErrMismatch, "Old", "the form of old models is that of versions before %d, and this is %d", unreal.LazyVersion, w.version)
	}
	if old := m.Old; old != nil {
		for _, r := range []unreal.Ref{old.Vectors, old.Points, old.Nodes, old.Surfs, old.Verts} {
			w.Ref(r)
		}
	} else {
		w.vectors(m.Vectors)
		w.vectors(m.Points)
		w.Index(int32(len(m.Nodes)))
		w.nodes(m.Nodes)
		w.Index(int32(len(m.Surfs)))
		w.surfs(m.Surfs)
		w.Index(int32(len(m.Verts)))
		w.verts(m.Verts)
		w.I32(m.SharedSides)
		w.I32(int32(len(m.Zones)))
		w.zones(m.Zones)
	}
	w.Ref(m.Polys)
	w.lightMaps(m.LightMaps)
	w.Index(int32(len(m.LightBits)))
	w.Bytes(m.LightBits)
	w.boxes(m.Bounds)
	w.Index(int32(len(m.LeafHulls)))
	w.i32s(m.LeafHulls)
	w.Index(int32(len(m.Leaves)))
	for _, l := range m.Leaves {
		w.Index(l.Zone)
		w.Index(l.Permeating)
		w.Index(l.Volumetric)
		w.U64(l.Visible)
	}
	w.refs(m.Lights)
	if w.version < unreal.LazyVersion {
		w.Index(m.OldTail[0])
		w.Index(m.OldTail[1])
	} else if m.OldTail != [2]int32{} {
		w.NoPlace("OldTail", "version %d", w.version)
	}
	w.I32(m.RootOutside)
	w.I32(m.Linked)
	return w.finish(&m.Object)
}

func (w *writer) lightMaps(all []unreal.LightMap) {
	w.Index(int32(len(all)))
	for i := range all {
		l := &all[i]
		w.I32(l.Offset)
		w.Floats(l.Pan[:]...)
		w.Index(l.UClamp)
		w.Index(l.VClamp)
		w.Floats(l.UScale, l.VScale)
		w.I32(l.Light)
	}
}

func (w *writer) nodes(all []unreal.BspNode) {
	for i := range all {
		n := &all[i]
		w.Floats(n.Plane[:]...)
		w.U64(n.ZoneMask)
		w.U8(n.Flags)
		for _, v := range [...]int32{n.VertPool, n.Surf, n.Back, n.Front, n.Coplanar, n.Bound, n.RenderBound, n.Zones[0], n.Zones[1]} {
			w.Index(v)
		}
		w.U8(n.Count)
		w.I32(n.Leaves[0])
		w.I32(n.Leaves[1])
	}
}

func (w *writer) surfs(all []unreal.BspSurf) {
	for i := range all {
		s := &all[i]
		w.Ref(s.Texture)
		w.U32(s.Flags)
		for _, v := range [...]int32{s.Base, s.Normal, s.TextureU, s.TextureV, s.LightMap, s.BrushPoly} {
			w.Index(v)
		}
		w.I16(s.PanU)
		w.I16(s.PanV)
		w.Ref(s.Actor)
	}
}

func (w *writer) verts(all []unreal.BspVert) {
	for _, v := range all {
		w.Index(v.Point)
		w.Index(v.Side)
	}
}

func (w *writer) zones(all []unreal.Zone) {
	for _, z := range all {
		w.Ref(z.Actor)
		w.U64(z.Connectivity)
		w.U64(z.Visibility)
	}
}

// array appends count and capacity of the arrays that are objects of their own.
func (w *writer) array(n int, capacity int32) {
	w.I32(int32(n))
	w.I32(capacity)
}

// The parts of models before LazyVersion.

func vectorsObject(v *unreal.Vectors) ([]byte, error) {
	w := objectWriter(&v.Object, 64+12*len(v.Vectors))
	w.base(&v.Object)
	w.array(len(v.Vectors), v.Capacity)
	w.Vec3s(v.Vectors)
	return w.finish(&v.Object)
}

func bspNodes(o *unreal.BspNodes) ([]byte, error) {
	w := objectWriter(&o.Object, 64+64*len(o.Nodes))
	w.base(&o.Object)
	w.array(len(o.Nodes), o.Capacity)
	w.nodes(o.Nodes)
	w.Index(int32(len(o.Zones)))
	w.zones(o.Zones)
	return w.finish(&o.Object)
}

func bspSurfs(o *unreal.BspSurfs) ([]byte, error) {
	w := objectWriter(&o.Object, 64+24*len(o.Surfs))
	w.base(&o.Object)
	w.array(len(o.Surfs), o.Capacity)
	w.surfs(o.Surfs)
	return w.finish(&o.Object)
}

func verts(o *unreal.Verts) ([]byte, error) {
	w := objectWriter(&o.Object, 64+4*len(o.Verts))
	w.base(&o.Object)
	w.array(len(o.Verts), o.Capacity)
	w.verts(o.Verts)
	w.Index(o.SharedSides)
	return w.finish(&o.Object)
}
