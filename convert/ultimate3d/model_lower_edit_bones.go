package ultimate3d

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// editMaterials takes over the materials with their edits, and appends new ones.
func (r *modelEdit) editMaterials() error {
	r.lowerer.materials = map[*asset.Material]int{}
	for i := range r.m.Materials {
		m, err := r.material(r.materials[i])
		if err != nil {
			return err
		}
		r.m.Materials[i] = m
		r.lowerer.materials[r.materials[i]] = i
	}
	for _, a := range r.s.Materials {
		if _, known := r.lowerer.materials[a]; known {
			continue
		}
		m, err := r.material(a)
		if err != nil {
			return err
		}
		r.lowerer.materials[a] = len(r.m.Materials)
		r.m.Materials = append(r.m.Materials, m)
	}
	if r.undressed() {
		m, err := r.material(nil)
		if err != nil {
			return err
		}
		r.lowerer.materials[nil] = len(r.m.Materials)
		r.m.Materials = append(r.m.Materials, m)
	}
	r.blend()
	return nil
}

// undressed reports whether an editor took the material off triangles: all of a model have one.
func (r *modelEdit) undressed() bool {
	return slices.ContainsFunc(r.list, func(s *shown) bool {
		return slices.ContainsFunc(s.mesh.Primitives, func(p *asset.Primitive) bool {
			return p.Material == nil && p.Mode == asset.Triangles && len(p.Positions) > 0
		})
	})
}

// blend turns the model's alpha blending on where an editor made a material half-transparent: without it the engine hides
// what is not opaque.
func (r *modelEdit) blend() {
	if r.m.AlphaBlending.True() {
		return
	}
	for i, a := range r.materials {
		if a.Alpha == asset.Blend && a.BaseColor[3] < 1 && i < len(r.was.Materials) && r.was.Materials[i].BaseColor[3] == 1 {
			r.m.AlphaBlending = ultimate3d.True
			r.d.Warnf("alpha-blending", fmt.Sprintf("material %q", a.Name), "half-transparent materials need the alpha blending of the model, which is on now")
			return
		}
	}
}

// editBones takes over what bones show otherwise than before. It returns why the bones cannot be kept.
func (r *modelEdit) editBones() string {
	for i, n := range r.bones {
		b, was := r.m.Bones[i], r.wasBones[i]
		if b.Parent = ultimate3d.RootParent; r.boneAbove(n) >= 0 {
			b.Parent = uint16(r.boneAbove(n))
		}
		if scene.Renamed(b.Name, n.Name) {
			b.Name = n.Name
		}
		r.editKeys(b, n, was)
		if r.err = boneFields(b).Take(ultimate3d.FormatName, "bone "+b.Name, n.Native); r.err != nil {
			return ""
		}
	}
	r.tellRests()
	if r.m.Skinned() {
		return r.editSkin()
	}
	for _, s := range r.list {
		for _, n := range s.nodes {
			if why := r.editAttachment(n); why != "" {
				return why
			}
		}
	}
	return ""
}

// tellRests notes bones that an editor poses otherwise at rest, where their keys decide how they stand.
func (r *modelEdit) tellRests() {
	frames := r.m.BoneFrames(0)
	for i, n := range r.bones {
		stands := asset.Node{Transform: transformOf(r.m.Bones[i].Pose(frames[i]))}
		for path := asset.Translation; path <= asset.Scale; path++ {
			now := scene.Rest(n, path)
			if !scene.SameValue(path, scene.Rest(r.wasBones[i], path), now, r.size) && !scene.SameValue(path, scene.Rest(&stands, path), now, r.size) {
				note(&r.told.rests, n.Name)
			}
		}
	}
}

// editAttachment takes over where a mesh hangs. Models without bones have no place for a transform: their vertices
// take it in, see locate.
func (r *modelEdit) editAttachment(n *asset.Node) string {
	if len(r.m.Bones) == 0 {
		return ""
	}
	v := ours(n.Native)
	bone, k := number(v, keyBone), number(v, keyAttachment)
	if bone < 0 || number(v, keyLevel) > 0 {
		return "" // not attached, or a lower level of detail, which has no place of its own
	}
	if r.boneAbove(n) != bone || bone >= len(r.m.Bones) || k < 0 || k >= len(r.m.Bones[bone].Attachments) {
		return fmt.Sprintf("mesh %q hangs on another bone", n.Name)
	}
	a := &r.m.Bones[bone].Attachments[k]
	was := mirrorMatrix(r.m.Transformation(bone, k, r.columns))
	now := scene.Matrix(&n.Transform)
	if r.unmoved(was, now) {
		return ""
	}
	a.Transformation = storedMatrix(now)
	if r.columns {
		a.Transformation = transposed(a.Transformation)
	}
	return ""
}

// unmoved reports whether a transform is the stored one. A stored one that holds what is no number comes back as something
// else: it stays.
func (r *modelEdit) unmoved(was, now mgl64.Mat4) bool {
	for _, x := range was {
		if x-x != 0 {
			return true
		}
	}
	return scene.SamePlace(was, now, r.size)
}

func transposed(m [16]float32) (t [16]float32) {
	for i := range m {
		t[i] = m[i%4*4+i/4]
	}
	return t
}

// editSkin takes over inverse bind matrices.
func (r *modelEdit) editSkin() string {
	skin := r.list[0].nodes[0].Skin
	if skin == nil || len(skin.InverseBind) != len(skin.Joints) {
		return "the mesh has no skin any more"
	}
	for _, s := range r.list {
		for _, n := range s.nodes {
			if n.Skin != skin {
				return "the levels of detail have different skins"
			}
		}
	}
	// Editors give joints another order, and leave out those that no vertex follows.
	r.joints = make([]int, len(skin.Joints))
	for i, j := range skin.Joints {
		bone, ok := r.number[j]
		if !ok && r.followed(i) {
			return fmt.Sprintf("joint %q is no bone", j.Name)
		} else if !ok {
			r.joints[i] = -1 // see foreignNodes
			continue
		}
		r.joints[i] = bone
		was := mirrorMatrix(r.m.Transformation(bone, 0, r.columns))
		if now := scene.InverseBind(skin, i); !r.unmoved(was, now) {
			t := storedMatrix(now)
			if r.columns {
				t = transposed(t)
			}
			r.m.Bones[bone].Attachments[0].Transformation = t
		}
	}
	return ""
}

// followed reports whether a vertex follows joint i of the skin.
func (r *modelEdit) followed(i int) bool {
	return slices.ContainsFunc(r.list, func(s *shown) bool {
		return slices.ContainsFunc(s.nodes, func(n *asset.Node) bool { return usedJoints(n)[i] })
	})
}
