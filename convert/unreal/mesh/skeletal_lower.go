package mesh

import (
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// LowerSkeletal turns a scene into a skeletal mesh. If the scene is unedited, it returns the stored mesh, whatever the
// order of vertices. Moved vertices do not change faces and levels of detail. New faces are stored without such levels.
// Edited bones and weights replace the old ones. Motions are stored in the Animation of the mesh.
func LowerSkeletal(pkg *pack.File, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, stored, err := sceneOf(pkg, i, v, skeleton.Name, "skeletal mesh")
	if err != nil {
		return nil, err
	}
	m, ok := stored.(*unreal.SkeletalMesh)
	if !ok {
		if err := look.Audit(s, &skeletalRoom, env); err != nil {
			return nil, err
		}
		return newSkeletal(pkg, s, env)
	}
	return lowerOnto(pkg, m, s, env)
}

// lowerOnto brings a mesh in line with a scene.
func lowerOnto(pkg *pack.File, m *unreal.SkeletalMesh, s *asset.Scene, env *format.Env) (unreal.AnyObject, error) {
	if err := look.Audit(s, &skeletalRoom, env); err != nil {
		return nil, err
	}
	e := &skeletalEdit{File: pkg, mesh: m, scene: s, env: env}
	if err := e.compare(); err != nil {
		return nil, err
	}
	if err := e.apply(); err != nil {
		return nil, err
	}
	if err := e.tell(); err != nil {
		return nil, err
	}
	if err := lowerMotions(pkg, m, s, e.rig, env); err != nil {
		return nil, err
	}
	return m, e.tellScene()
}

// skeletalEdit is a skeletal mesh that a scene is held against.
type skeletalEdit struct {
	*pack.File
	mesh  *unreal.SkeletalMesh
	scene *asset.Scene
	env   *format.Env

	rig, wasRig *skeleton.Rig
	now, was    *Triangles
	number      []int // of the scene's bones in the mesh
	sameBones   bool  // by name and parent
	unedited    bool  // nothing differs
	moved       []int // bones of the scene that lie elsewhere
}

// compare collects what the scene shows, and what the mesh itself does.
func (e *skeletalEdit) compare() (err error) {
	lifted, err := skeletalScene(e.File, e.mesh, nil)
	if err != nil {
		return err
	}
	bare := look.AdoptMaterials(e.scene, lifted)
	d := e.env.Told()
	takePose(e.scene, lifted, e.mesh.Path, d)
	if e.rig, err = skeleton.RigOf(e.scene, &e.mesh.Mesh, d); err != nil {
		return err
	}
	if len(e.rig.Bones) == 0 && len(e.mesh.Bones) > 0 {
		return schema.Errorf(skeleton.Name, schema.ErrUnsupported, "bones", "%s has bones, the scene has no skin", e.mesh.Path)
	}
	if e.wasRig, err = skeleton.RigOf(lifted, &e.mesh.Mesh, nil); err != nil {
		return err
	}
	e.number, e.sameBones = e.rig.Numbers(e.wasRig)
	e.rig.Orient(e.wasRig, e.number)
	if e.now, err = gatherSkinned(e.File, e.scene, e.rig, e.mesh, e.env, false); err != nil {
		return err
	}
	if e.was, err = gatherSkinned(e.File, lifted, e.wasRig, e.mesh, nil, false); err != nil {
		return err
	}
	if bare && !e.now.Same(e.was) {
		look.TellUnkept(e.mesh.Path, d)
	}
	if e.sameBones {
		e.moved = e.rig.Moved(e.wasRig, e.number)
		e.now.renumber(e.number)
	}
	return nil
}

// takePose makes what the scene shows at rest the pose that its skins are bound in, unless that is one of its animations:
// editors save what they show.
func takePose(s, lifted *asset.Scene, path string, d *schema.Diagnostics) {
	byName := map[string]*asset.Node{}
	for _, x := range s.Skins {
		for _, j := range x.Joints {
			byName[strings.ToLower(look.Uncopied(j.Name))] = j
		}
	}
	restore.TakeRest(lifted, s, func(n *asset.Node) *asset.Node { return byName[strings.ToLower(n.Name)] }, scene.Size(lifted))
	if changed := scene.BindAtRest(s); len(changed) > 0 && len(s.Animations) > 0 {
		d.Warnf("rest-pose", path, "%q does not rest as it was bound, and is bound anew as it rests: where its vertices follow several bones, animations bend them a little otherwise",
			changed[0].Name)
	}
}

// bindNew makes the pose in which a scene from elsewhere rests the one that its skins are bound in, unless an animation
// begins so: programs save the frame that they show.
func bindNew(s *asset.Scene, path string, d *schema.Diagnostics) {
	if slices.ContainsFunc(s.Animations, func(a *asset.Animation) bool { return beginsAtRest(s, a) }) {
		return
	}
	if changed := scene.BindAtRest(s); len(changed) > 0 && len(s.Animations) > 0 {
		d.Warnf("rest-pose", path, "%q does not rest as it was bound, and is bound anew as it rests: where its vertices follow several bones, animations bend them a little otherwise",
			changed[0].Name)
	}
}

// beginsAtRest reports whether an animation that moves something begins with all of it where it rests.
func beginsAtRest(s *asset.Scene, a *asset.Animation) bool {
	size, moves := scene.Size(s), false
	for _, c := range a.Channels {
		if c.Path == asset.MorphWeights || !scene.Valid(c) {
			continue
		}
		moves = true
		if !scene.SameValue(c.Path, scene.Rest(c.Node, c.Path), scene.Key(c, 0), size) {
			return false
		}
	}
	return moves
}

// apply stores what differs.
func (e *skeletalEdit) apply() error {
	m := e.mesh
	followed := sameBox(m.Primitive.Box, skeletalBounds(m).Box) // else it was given by hand, and stays
	switch {
	case !e.sameBones:
		if err := e.setBones(); err != nil {
			return err
		}
		if err := setSkin(m, e.now, len(m.Bones), e.env.Told()); err != nil {
			return err
		}
	case !e.now.Same(e.was):
		e.moveBones()
		if updateSkin(m, e.now, e.was) {
			break
		}
		if err := setSkin(m, e.now, len(m.Bones), e.env.Told()); err != nil {
			return err
		}
	case len(e.moved) > 0:
		e.moveBones()
	default:
		e.unedited = true
		return nil
	}
	computeLocalPoints(m)
	if followed {
		setBounds(m, skeletalBounds(m))
	}
	return nil
}

// tell reports what the scene shows and the mesh does not hold.
func (e *skeletalEdit) tell() error {
	d := e.env.Told()
	is := e.was
	if !e.unedited {
		lifted, err := skeletalScene(e.File, e.mesh, nil)
		if err != nil {
			return err
		}
		r, err := skeleton.RigOf(lifted, &e.mesh.Mesh, nil)
		if err != nil {
			return err
		}
		if is, err = gatherSkinned(e.File, lifted, r, e.mesh, nil, false); err != nil {
			return err
		}
	}
	w := newVertexGrid(is.places())
	tellNormals(e.now.shaded(w), e.was.shaded(w), is.shaded(w), !e.unedited, e.mesh.Path, d)
	return nil
}

func sameBox(a, b unreal.Box) bool {
	for k := range 3 {
		size := max(1e-3, b.Max[k]-b.Min[k])
		if !space.Close(a.Min[k], b.Min[k], 1e-4*size) || !space.Close(a.Max[k], b.Max[k], 1e-4*size) {
			return false
		}
	}
	return true
}

func setBounds(m *unreal.SkeletalMesh, p unreal.Primitive) {
	m.Primitive, m.Primitive2 = p, p
	if len(m.Boxes) == 1 && len(m.Spheres) == 1 {
		m.Boxes[0], m.Spheres[0] = p.Box, p.Sphere
	}
}

// skeletalBounds computes box and sphere of a skeletal mesh: the box has twice the size of the points' own, so that
// motions stay inside.
func skeletalBounds(m *unreal.SkeletalMesh) (p unreal.Primitive) {
	if len(m.Points) == 0 {
		return p
	}
	lo, hi := m.Points[0], m.Points[0]
	for _, p := range m.Points {
		for k := range p {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	p.Box.Valid = 1
	for k := range lo {
		centre, size := (lo[k]+hi[k])/2, hi[k]-lo[k]
		p.Box.Min[k], p.Box.Max[k], p.Sphere.Center[k] = centre-size, centre+size, centre
	}
	most := float32(0)
	for _, v := range m.Points {
		most = max(most, mgl32.Vec3(v).Sub(mgl32.Vec3(p.Sphere.Center)).Len())
	}
	p.Sphere.Radius = most
	return p
}

// computeLocalPoints computes LocalPoints; those that rounding alone would change stay.
func computeLocalPoints(m *unreal.SkeletalMesh) {
	stored := m.LocalPoints
	m.LocalPoints = make([][3]float32, len(m.Weights))
	localPoints(m)
	if len(stored) != len(m.LocalPoints) {
		return
	}
	size := float32(1)
	for _, p := range m.Points {
		size = max(size, mgl32.Vec3(p).Len())
	}
	for i, p := range stored {
		q := m.LocalPoints[i]
		if space.Close(p[0], q[0], 1e-5*size) && space.Close(p[1], q[1], 1e-5*size) && space.Close(p[2], q[2], 1e-5*size) {
			m.LocalPoints[i] = p
		}
	}
}

// localPoints computes the points in the space of the bones that pull them (reference section 11.11).
func localPoints(m *unreal.SkeletalMesh) {
	if len(m.LocalPoints) != len(m.Weights) {
		return
	}
	for bone, g := range globals(m) {
		if bone >= len(m.BoneWeights) {
			break
		}
		inv := g.Inv()
		r := m.BoneWeights[bone]
		for k := int(r.First); k < int(r.First)+int(r.Count); k++ {
			p := space.Skeletal.Point(m.Points[m.Weights[k].Point])
			m.LocalPoints[k] = space.Skeletal.Back(scene.Narrow3(mgl64.TransformCoordinate(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}, inv)))
		}
	}
}

// tellScene reports what the scene has and the mesh and its motions do not show.
func (e *skeletalEdit) tellScene() error {
	is, err := skeletalScene(e.File, e.mesh, nil)
	if err != nil {
		return err
	}
	look.TellEdits(e.scene, is, &skeletalRoom, e.mesh.Path, e.env.Told())
	return nil
}
