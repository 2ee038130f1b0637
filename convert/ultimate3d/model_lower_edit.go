package ultimate3d

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// modelEdit is a scene held against the model that it was lifted from.
type modelEdit struct {
	*lowerer
	m *ultimate3d.Model
	// What the scene shows, by what it was lifted from.
	materials map[int]*asset.Material
	bones     []*asset.Node       // nil for one whose node a program left out
	ends      map[int][]byte      // payloads of bones that programs leave out which leave out what shows nothing
	number    map[*asset.Node]int // of bones
	shapes    map[meshKey]*shown
	list      []*shown // shapes in the order of the nodes
	above     map[*asset.Node]*asset.Node
	owner     map[*asset.Node]*asset.Node        // of lower levels of detail
	motions   map[*asset.Animation]*scene.Motion // of the scene and of the model lifted again
	was       *asset.Scene                       // the model lifted again
	wasBones  []*asset.Node
	wasMeshes map[meshKey]*asset.Mesh
	columns   bool    // the matrices are for column vectors
	joints    []int   // bone of each joint of the skin
	behind    int     // the first frame behind the original's animation
	size      float64 // of the scene
	err       error   // what makes the scene impossible
}

// shown is an asset mesh and the nodes that show it.
type shown struct {
	key     meshKey
	mesh    *asset.Mesh
	nodes   []*asset.Node
	renamed bool
}

// lowerEdited returns the model that the scene was lifted from, with all edits; nil when the scene is from elsewhere, or no
// longer has the same parts.
func (l *lowerer) lowerEdited() (*ultimate3d.Model, error) {
	n := ours(l.s.Native)
	if n == nil || len(n.Payload) == 0 {
		return nil, nil
	}
	r := &modelEdit{lowerer: l, m: &ultimate3d.Model{}, materials: map[int]*asset.Material{}, number: map[*asset.Node]int{}, shapes: map[meshKey]*shown{},
		above: map[*asset.Node]*asset.Node{}, owner: map[*asset.Node]*asset.Node{}, motions: map[*asset.Animation]*scene.Motion{}, size: scene.Size(l.s)}
	var err error
	if r.ends, err = headerOf(r.m, n.Payload); err != nil {
		l.d.Warnf("bad-payload", "", "what was kept of the original cannot be read: %v", err)
		return nil, nil
	}
	if r.err = editLevels(r.m, n); r.err != nil {
		return nil, r.err
	}
	why := r.collect()
	if why == "" {
		why = r.compare()
	}
	if why != "" {
		l.d.Notef("rebuilt", "", "%s: the model is built anew from what the scene shows", why)
		return nil, nil
	}
	return r.m, r.err
}

// collect finds the original's parts in the scene. It returns what keeps the original from being taken.
func (r *modelEdit) collect() string {
	for _, a := range r.s.Materials {
		i := number(a.Native, keyMaterial)
		if _, twice := r.materials[i]; i < 0 || twice {
			continue // a new one
		}
		m := r.materialOf(a.Native, "material "+a.Name)
		if m == nil {
			continue
		}
		r.materials[i] = a
		for len(r.m.Materials) <= i && i < 65535 {
			r.m.Materials = append(r.m.Materials, nil)
		}
		if i < len(r.m.Materials) {
			r.m.Materials[i] = m
		}
	}
	if len(r.m.Materials) == 0 || slices.Contains(r.m.Materials, nil) {
		return "a material is missing"
	}
	bones := map[int]*asset.Node{}
	var why string
	r.relate()
	r.s.Walk(func(n, _ *asset.Node) {
		if i := number(n.Native, keyBone); i >= 0 && n.Mesh == nil && len(n.Native.Payload) > 0 {
			if bones[i] != nil {
				why = "a bone is there twice"
			}
			bones[i] = n
		}
	})
	if why != "" {
		return why
	}
	if why := r.collectBones(bones); why != "" {
		return why
	}
	if why := r.collectMeshes(); why != "" {
		return why
	}
	if err := r.m.Check(nil, nil); err != nil {
		return fmt.Sprintf("the kept parts do not fit together (%v)", err)
	}
	return ""
}

// relate notes what each node hangs on, and whose lower level of detail it is.
func (r *modelEdit) relate() {
	r.s.Walk(func(n, parent *asset.Node) {
		r.above[n] = parent
		for _, x := range n.LODs {
			r.owner[x] = n
		}
	})
}

// collectBones reads the bones in their order. One that a program may have left out ([scene.DropsUnused]) has no node.
func (r *modelEdit) collectBones(nodes map[int]*asset.Node) (why string) {
	kept := map[int]*asset.Native{}
	for i, n := range nodes {
		kept[i] = n.Native
	}
	if restore.Does(r.s, restore.DropsUnused) {
		for i, payload := range r.ends {
			if kept[i] == nil {
				kept[i] = native(nil, payload)
			}
		}
	}
	for i := range len(kept) {
		if kept[i] == nil {
			return "a bone is missing"
		}
		name := ""
		if n := nodes[i]; n != nil {
			r.number[n], name = i, n.Name
		}
		b := r.boneOf(kept[i], "bone "+name)
		if b == nil {
			return "a bone cannot be read"
		}
		r.bones = append(r.bones, nodes[i])
		r.m.Bones = append(r.m.Bones, b)
	}
	return ""
}

// refill puts back what a program left out.
func (r *modelEdit) refill() (why string) {
	if !restore.Does(r.s, restore.DropsUnused) {
		return ""
	}
	restore.Refill(r.was, r.s, r.d)
	r.relate()
	r.s.Walk(func(n, _ *asset.Node) {
		if i := number(n.Native, keyBone); n.Mesh == nil && i >= 0 && i < len(r.bones) && r.bones[i] == nil {
			r.bones[i], r.number[n] = n, i
		}
	})
	if slices.Contains(r.bones, nil) {
		return "a bone is missing"
	}
	return ""
}

// meshNative returns what a scene keeps of the mesh that a node shows: on the node; on the mesh in files of before.
func meshNative(n *asset.Node) *asset.Native {
	if v := ours(n.Mesh.Native); v != nil && len(v.Payload) > 0 {
		return v
	}
	if number(n.Native, keyMesh) >= 0 {
		return ours(n.Native)
	}
	return nil
}

func keyOf(v *asset.Native) meshKey {
	return meshKey{number(v, keyMesh), number(v, keyLevel), number(v, keyFrame), number(v, keyMirrored) > 0}
}

// collectMeshes reads the chunks of all meshes that the scene shows.
func (r *modelEdit) collectMeshes() (why string) {
	stored, number := r.storedMeshes()
	chunks := map[meshKey][]*ultimate3d.Mesh{}
	meshes, levels := 0, len(r.m.LODLevels)+1
	r.s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil || why != "" {
			return
		}
		key := keyOf(meshNative(n))
		if key.mesh < 0 || key.level < 0 || key.level >= len(number) {
			why = fmt.Sprintf("mesh %q is new", n.Mesh.Name)
			return
		}
		kept := stored[key]
		key.level = number[key.level]
		s := r.shapes[key]
		if s == nil {
			list := r.meshesOf(kept, "mesh "+n.Mesh.Name)
			if len(list) == 0 {
				why = fmt.Sprintf("mesh %q is new, or the node that kept it is gone", n.Mesh.Name)
				return
			}
			s = &shown{key: key, mesh: n.Mesh}
			r.shapes[key] = s
			r.list = append(r.list, s)
			chunks[meshKey{key.mesh, key.level, key.frame, false}] = list
			meshes = max(meshes, key.mesh+1)
		} else if s.mesh != n.Mesh {
			why = fmt.Sprintf("mesh %q is there twice", n.Mesh.Name)
			return
		}
		s.nodes = append(s.nodes, n)
	})
	if why != "" {
		return why
	}
	if meshes == 0 || meshes > 65535 {
		return "a mesh is missing"
	}
	r.m.MeshesPerFrame, r.m.LODs = uint16(meshes), uint16(levels)
	return r.placeChunks(chunks)
}

// storedMeshes returns what the scene keeps of each mesh, on any of the nodes that show it: editors change their order. The
// numbers are those that the levels of detail have without the ones of which nothing is left.
func (r *modelEdit) storedMeshes() (stored map[meshKey]*asset.Native, number []int) {
	stored = map[meshKey]*asset.Native{}
	left := make([]bool, len(r.m.LODLevels)+1)
	r.s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			return
		}
		v := meshNative(n)
		key := keyOf(v)
		if key.level >= 0 && key.level < len(left) {
			left[key.level] = true
		}
		if v != nil && len(v.Payload) > 0 && stored[key] == nil {
			stored[key] = v
		}
	})
	return stored, r.dropLevels(left)
}

// placeChunks puts the chunks of meshes where the file has them.
func (r *modelEdit) placeChunks(chunks map[meshKey][]*ultimate3d.Mesh) (why string) {
	if r.m.MeshCount() > 65535 {
		return "a mesh is missing"
	}
	r.m.Meshes = make([]*ultimate3d.Mesh, r.m.MeshCount())
	for key, list := range chunks {
		first := max(key.frame, 0)
		if len(r.m.Bones) > 0 {
			first = 0
		}
		for f, chunk := range list {
			i := r.m.MeshIndex(first+f, key.mesh, key.level)
			if len(r.m.Bones) == 0 && first+f >= int(r.m.Frames) || i >= len(r.m.Meshes) || r.m.Meshes[i] != nil {
				return "the meshes do not fit together"
			}
			r.m.Meshes[i] = chunk
		}
	}
	if slices.Contains(r.m.Meshes, nil) {
		return "a mesh is missing"
	}
	return ""
}

// dropLevels takes the levels of detail out of the header of which nothing is left in the scene, and returns the numbers
// that the others have then.
func (r *modelEdit) dropLevels(left []bool) (number []int) {
	number = make([]int, len(left))
	next := 0
	for level, there := range left {
		if number[level] = next; there || level == 0 {
			next++
			continue
		}
		r.m.LODLevels, r.m.LODDistancesSq = slices.Delete(r.m.LODLevels, next-1, next), slices.Delete(r.m.LODDistancesSq, next-1, next)
		r.d.Warnf("level-gone", "", "nothing of level of detail %d is in the scene any more: the model is stored without it", level)
	}
	return number
}

// compare lifts the original again and takes over what the scene shows otherwise.
func (r *modelEdit) compare() string {
	options := format.Ultimate3DOptions{FPS: r.fps}
	for _, a := range r.s.Animations {
		v := ours(a.Native)
		first, last := number(v, keyFirst), number(v, keyLast)
		if number(v, keyCut) > 0 && first >= 0 && last >= first {
			options.Clips = append(options.Clips, format.Clip{Name: a.Name, First: first, Last: last})
		}
	}
	if len(r.m.Materials) > 0 {
		options.AmbientFirst = number(r.materials[0].Native, keyAmbientFirst) > 0
	}
	var err error
	if r.was, err = Lift(r.m, &format.Env{Name: r.s.Name, Options: format.Options{Ultimate3D: options}}); err != nil {
		return err.Error()
	}
	if why := r.refill(); why != "" {
		return why
	}
	r.tellAnimations()
	r.tellNames()
	r.wasMeshes = map[meshKey]*asset.Mesh{}
	r.wasBones = make([]*asset.Node, len(r.m.Bones))
	nodes := map[meshKey][]*asset.Node{}
	r.was.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			if i := number(n.Native, keyBone); i >= 0 {
				r.wasBones[i] = n
			}
			return
		}
		key := keyOf(n.Native)
		r.wasMeshes[key] = n.Mesh
		nodes[key] = append(nodes[key], n)
	})
	for _, s := range r.list {
		if len(s.nodes) != len(nodes[s.key]) {
			return fmt.Sprintf("mesh %q is shown %d times, once it was %d", s.mesh.Name, len(s.nodes), len(nodes[s.key]))
		}
	}
	if len(r.list) != len(nodes) {
		return "meshes were added or removed"
	}
	if why := r.foreignNodes(); why != "" {
		return why
	}
	r.columns, r.behind = r.m.ColumnMatrices(), int(r.m.Frames)
	shown := *r.m
	if why := r.editFrames(nodes); why != "" {
		return why
	}
	if why := r.editBones(); why != "" || r.err != nil {
		return why
	}
	if r.err = r.editMaterials(); r.err != nil {
		return ""
	}
	if why := r.editMeshes(); why != "" {
		return why
	}
	r.err = r.editHeader(shown)
	return ""
}

// editHeader takes over what a person changed among the fields of the header, which were shown as they are in that model. What
// else was edited may want others: keys that reach further more frames, half-transparent materials blending.
func (r *modelEdit) editHeader(shown ultimate3d.Model) error {
	now := shown
	err := editHeader(&now, r.s.Native)
	r.m.CelShadingStrength, r.m.CelShadingColor = now.CelShadingStrength, now.CelShadingColor
	if now.Frames != shown.Frames {
		r.m.Frames = now.Frames
	}
	if now.AlphaBlending != shown.AlphaBlending {
		r.m.AlphaBlending = now.AlphaBlending
	}
	if now.VertexTweening != shown.VertexTweening {
		r.m.VertexTweening = now.VertexTweening
	} else {
		r.editTweening()
	}
	return err
}

// tellNames reports a new name of the node that stands for the file.
func (r *modelEdit) tellNames() {
	var names scene.Renames
	names.CheckCalled(r.s, ultimate3d.FormatName)
	names.Tell(r.d, "a .u3d file names its bones and meshes, and not the model")
}

// tellAnimations reports animations that were renamed, added or deleted: a file has a single one, without a name.
func (r *modelEdit) tellAnimations() {
	like := func(all []*asset.Animation, name string) bool {
		return slices.ContainsFunc(all, func(x *asset.Animation) bool { return !scene.Renamed(x.Name, name) || !scene.Renamed(name, x.Name) })
	}
	for _, x := range r.s.Animations {
		if len(x.Channels) > 0 && !like(r.was.Animations, x.Name) {
			r.d.Lossf("animation-name", "", "a .u3d file has one animation, without a name: %q is some frames of it", x.Name)
		}
	}
	for _, x := range r.was.Animations {
		if len(r.s.Animations) == 0 {
			r.d.Warnf("animation-stays", "", "animation %q is not in the scene any more, and stays", x.Name)
		}
	}
}

// editFrames looks at the animation of meshes, which their frames are: another one needs other frames.
func (r *modelEdit) editFrames(nodes map[meshKey][]*asset.Node) string {
	for _, s := range r.list {
		for i, n := range s.nodes {
			if len(r.m.Bones) > 0 {
				continue
			}
			for _, path := range []asset.Path{asset.MorphWeights, asset.Translation, asset.Rotation, asset.Scale} {
				for _, span := range r.spans(n, nodes[s.key][i], path) {
					v := span.visible
					if v == nil && span.kept != nil && path == asset.MorphWeights {
						note(&r.told.stays, n.Name)
					}
					if v == nil || span.kept == nil && scene.Constant(scene.CurveOf(n, path, v), r.size) {
						continue
					}
					if span.kept == nil || !r.compareTo(span, n, nodes[s.key][i], path).Unedited() {
						return fmt.Sprintf("the animation of mesh %q has changed", n.Name)
					}
				}
			}
		}
	}
	return ""
}

// editTweening takes over whether shapes blend between frames or jump from one to the next, which a model says of all.
func (r *modelEdit) editTweening() {
	steps, lines := 0, 0
	for _, a := range r.s.Animations {
		for _, c := range a.Channels {
			switch {
			case c.Path != asset.MorphWeights || !scene.Valid(c) || len(c.Times) < 2:
			case c.Interpolation == asset.StepKeys:
				steps++
			default:
				lines++
			}
		}
	}
	if len(r.m.Bones) > 0 || r.m.Frames < 2 || steps+lines == 0 {
		return
	}
	tweening := r.m.VertexTweening.True()
	switch {
	case tweening && steps > 0 && lines > 0:
		r.d.Lossf("tweening", "", "%d of the animations of shapes jump from frame to frame and %d do not: a .u3d file says one for all, and goes on blending", steps, lines)
	case tweening && steps > 0:
		r.m.VertexTweening = ultimate3d.False
	case !tweening && lines > 0:
		r.m.VertexTweening = ultimate3d.True
	}
}

// foreignNodes looks at nodes that are neither bones nor show a mesh: the file's own root, and what editors add. They
// must not move anything.
func (r *modelEdit) foreignNodes() (why string) {
	r.s.Walk(func(n, _ *asset.Node) {
		if why != "" || n.Mesh != nil || r.isBone(n) {
			return
		}
		moves := !scene.SamePlace(mgl64.Ident4(), scene.Matrix(&n.Transform), r.size)
		switch end := len(n.Children) == 0 && r.newJoint(n); {
		case end && r.env.Options.Ultimate3D.KeepNodes:
			why = fmt.Sprintf("bone %q was added", n.Name)
		case end:
			r.d.Hint(": --keep-nodes keeps it").Lossf("node", n.Name, "no vertex follows the new bone, and it is left out")
		case moves && len(n.Children) > 0 && len(r.m.Bones) > 0: // vertices take what bones cannot
			why = fmt.Sprintf("node %q moves what is below it", n.Name)
		case n.Camera == nil && len(n.Children) == 0 && number(n.Native, keyRoot) < 0:
			r.d.Lossf("node", n.Name, "the node has no place in the model and is left out")
		}
	})
	for _, a := range r.s.Animations {
		for _, c := range a.Channels {
			if why == "" && scene.Valid(c) && c.Path != asset.MorphWeights && c.Node.Mesh == nil && !r.isBone(c.Node) && !scene.Constant(scene.CurveOf(c.Node, c.Path, c), r.size) {
				why = fmt.Sprintf("node %q is animated", c.Node.Name)
			}
		}
	}
	return why
}

// newJoint reports whether a node that is no bone of the original is a joint of a skin. Where vertices follow one the mesh
// says so by itself.
func (r *modelEdit) newJoint(n *asset.Node) bool {
	return slices.ContainsFunc(r.s.Skins, func(s *asset.Skin) bool { return slices.Contains(s.Joints, n) })
}

func (r *modelEdit) isBone(n *asset.Node) bool {
	_, ok := r.number[n]
	return ok
}

// boneAbove returns the number of the bone that a node hangs on, -1 for none.
func (r *modelEdit) boneAbove(n *asset.Node) int {
	for p := r.above[n]; p != nil; p = r.above[p] {
		if i, ok := r.number[p]; ok {
			return i
		}
	}
	return -1
}
