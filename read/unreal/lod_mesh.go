package unreal

import (
	"encoding/binary"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// LodMesh reads a mesh with levels of detail (reference section 11.3).
func LodMesh(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.LodMesh, error) {
	return decode(b, x, d, lodMesh)
}

func lodMesh(r *reader, m *unreal.LodMesh) {
	mesh(r, &m.Mesh)
	m.CollapsePoints = r.u16s("CollapsePointThus")
	m.FaceLevels = r.u16s("FaceLevel")
	m.Faces = r.faces("faces")
	m.CollapseWedges = r.u16s("CollapseWedgeThus")
	m.Wedges = r.wedges()
	m.Materials = list(r, 8, "materials", func(x *unreal.MeshMaterial) {
		*x = unreal.MeshMaterial{Flags: r.U32("poly flags"), Texture: r.I32("texture index")}
	})
	m.SpecialFaces = r.faces("special faces")
	m.ModelVerts, m.SpecialVerts = r.U32("ModelVerts"), r.U32("SpecialVerts")
	m.ScaleMax, m.Hysteresis, m.Strength = r.F32("MeshScaleMax"), r.F32("Hysteresis"), r.F32("Strength")
	m.MinVerts, m.Morph, m.ZDisplace = r.I32("MinVerts"), r.F32("Morph"), r.F32("ZDisplace")
	m.Remap = r.u16s("RemapAnimVerts")
	m.OldFrameVerts = r.U32("OldFrameVerts")
}

func (r *reader) faces(field string) []unreal.Face {
	n := r.Len(8, field)
	b := r.Elements(n, 8, "wedges:3u16 material:u16", field)
	if r.Err() != nil || n == 0 {
		return nil
	}
	all := make([]unreal.Face, n)
	for i := range all {
		e := b[8*i : 8*i+8]
		all[i] = unreal.Face{
			Wedges:   [3]uint16{binary.LittleEndian.Uint16(e), binary.LittleEndian.Uint16(e[2:]), binary.LittleEndian.Uint16(e[4:])},
			Material: binary.LittleEndian.Uint16(e[6:]),
		}
	}
	return all
}

func (r *reader) wedges() []unreal.Wedge {
	n := r.Len(4, "wedges")
	b := r.Elements(n, 4, "vertex:u16 U:u8 V:u8", "wedges")
	if r.Err() != nil || n == 0 {
		return nil
	}
	all := make([]unreal.Wedge, n)
	for i := range all {
		e := b[4*i : 4*i+4]
		all[i] = unreal.Wedge{Vertex: binary.LittleEndian.Uint16(e), UV: [2]uint8{e[2], e[3]}}
	}
	return all
}
