package freelancer

import (
	"strings"
	"sync"
)

// LeafKind is the type of a leaf's payload.
type LeafKind uint8

// The kinds.
const (
	OpaqueLeaf LeafKind = iota
	MeshLeaf
	RefLeaf
	WireLeaf
	JointsLeaf
	EffectsLeaf
	NodesLeaf
	TextLeaf
	FloatsLeaf
	IntsLeaf
	ShortsLeaf
	DDSLeaf
	TGALeaf
	WaveLeaf
)

// leafKinds are the names that mean the same everywhere, in lower case.
var leafKinds = sync.OnceValue(func() map[string]LeafKind {
	m := map[string]LeafKind{"vmeshdata": MeshLeaf, "vmeshref": RefLeaf, "vwiredata": WireLeaf, "mips": DDSLeaf, "mipu": DDSLeaf, "cube": DDSLeaf}
	for kind, names := range map[LeafKind]string{
		TextLeaf: "object name|file name|parent name|child name|exporter version|material_name",
		FloatsLeaf: "orientation|position|axis|min|max|switch2|fovx|fovy|znear|zfar|madeltas|makeys|root height|radius|fractions|" +
			"edge_angles|points|bone_weight_chain|vertex_normals|uv0|uv1|uv_plane_distance|bone_x_to_u_scale|bone_y_to_v_scale|" +
			"min_du|max_du|min_dv|max_dv|uv_default_list|bone to root|scale|fps",
		IntsLeaf: "index|material count|texture count|frame count|count|macount|maflags|sides|point_indices|uv0_indices|" +
			"uv1_indices|point_bone_first|point_bone_count|bone_id_chain|uv_bone_id|uv_vertex_count|uv_vertex_id",
		ShortsLeaf: "tristrip_indices|face_indices|edge_indices",
	} {
		for _, n := range strings.Split(names, "|") {
			m[n] = kind
		}
	}
	return m
})

// KindOf returns the type of the leaf n, judging by its name and those of its directory parent and of library, the
// directory of parent. library may be nil.
func KindOf(n, parent, library *Node) LeafKind {
	if n.IsDir() || n.Data == nil && !n.InFile() {
		return OpaqueLeaf
	}
	name := strings.ToLower(n.Name)
	switch {
	case parent == nil:
		return OpaqueLeaf
	case SameName(parent.Name, "Cons"):
		if _, ok := JointKindOf(n.Name); ok {
			return JointsLeaf
		}
		return OpaqueLeaf
	case SameName(n.Name, EffectLibraryName) && SameName(parent.Name, EffectLibraryName):
		return EffectsLeaf
	case SameName(n.Name, NodeLibraryName) && SameName(parent.Name, NodeLibraryName):
		return NodesLeaf
	case library != nil && SameName(library.Name, MaterialLibrary):
		switch PropertyKindOf(name) {
		case TextProperty:
			return TextLeaf
		case FloatProperty:
			return FloatsLeaf
		case WordProperty:
			return IntsLeaf
		}
		return OpaqueLeaf
	case SameName(parent.Name, "Sphere") && len(name) == 2 && name[0] == 'm' && name[1] >= '0' && name[1] <= '9',
		SameName(parent.Name, "Skeleton") && name == "name":
		return TextLeaf
	}
	if _, ok := MipLevel(n.Name); ok {
		return TGALeaf
	}
	if _, ok := ParseVoiceName(n.Name); ok {
		return WaveLeaf
	}
	return leafKinds()[name]
}
