package ultimate3d

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// newModel is a model that is made anew of what a scene shows (reference section 9).
type newModel struct {
	*lowerer
	m      *ultimate3d.Model
	nodes  []*asset.Node // of the scene, parents first, without levels of detail
	above  map[*asset.Node]*asset.Node
	clips  []newClip
	moving map[*asset.Node]bool // nodes whose place is animated
	still  *scene.Motion        // nothing moves
	size   float64              // of the scene
	levels int
	shapes map[instance][]placed  // what is on bones
	parts  [][][]*ultimate3d.Mesh // the meshes to be: by level, then frame
	shown  []int                  // triangles of each level of detail
}

// newClip is an animation and the frames that it gets.
type newClip struct {
	*asset.Animation
	*scene.Motion
	first, last int
}

// lowerNew makes the model, in the simplest of four forms that shows everything: meshes as they are, frames, bones with
// meshes on them, or one mesh that follows bones.
func (l *lowerer) lowerNew() (*ultimate3d.Model, error) {
	b := &newModel{lowerer: l, m: &ultimate3d.Model{Version: 1, AlphaBlending: ultimate3d.True, CelShadingColor: [4]float32{0, 0, 0, 1}},
		above: map[*asset.Node]*asset.Node{}, moving: map[*asset.Node]bool{}, still: scene.MotionOf(nil), size: scene.Size(l.s), levels: 1, shapes: map[instance][]placed{}}
	if err := b.header(); err != nil {
		return nil, err
	}
	b.collect()
	for _, n := range b.nodes {
		if n.Mesh != nil && 1+len(n.LODs) < b.levels {
			note(&b.told.alone, n.Name)
		}
		if n.Mesh == nil && slices.ContainsFunc(n.LODs, func(l *asset.Node) bool { return l.Mesh != nil }) {
			note(&b.told.hollow, n.Name)
		}
	}
	if err := b.chooseClips(); err != nil {
		return nil, err
	}
	if err := b.lowerMaterials(); err != nil {
		return nil, err
	}
	skinned, morphing := b.uses()
	rigid := !skinned && !morphing && (len(b.moving) > 0 || l.env.Options.Ultimate3D.KeepNodes)
	if !rigid {
		scene.TellEmpties(scene.Empties(l.s, nil), l.d)
	}
	var err error
	switch {
	case skinned && morphing && !l.env.Options.Ultimate3D.BakeSkin:
		err = schema.Hinted(fail(schema.ErrUnsupported, "a skin and animated morph targets together: the engine has one or the other"), ", --bake-skin makes frames of both")
	case morphing:
		err = b.frames()
	case skinned:
		err = b.skinned()
	case rigid:
		err = b.rigid() // its bones are all nodes
	default:
		b.clips = nil
		err = b.frames()
	}
	if err != nil {
		return nil, err
	}
	b.finish()
	return b.m, nil
}

func fail(class error, msg string, args ...any) error {
	return schema.Errorf(ultimate3d.FormatName, class, "", msg, args...)
}

// header takes over what a scene that was lifted from a model still says of the whole.
func (b *newModel) header() error {
	n := ours(b.s.Native)
	if n == nil || len(n.Payload) == 0 {
		return nil
	}
	var was ultimate3d.Model
	if _, err := headerOf(&was, n.Payload); err != nil {
		return nil
	}
	if err := cmp.Or(editHeader(&was, n), editLevels(&was, n)); err != nil {
		return err
	}
	b.m.CelShadingStrength, b.m.CelShadingColor, b.m.AlphaBlending = was.CelShadingStrength, was.CelShadingColor, was.AlphaBlending
	b.m.LODDistancesSq = was.LODDistancesSq
	return nil
}

// collect lists the nodes.
func (b *newModel) collect() {
	var walk func(n, parent *asset.Node)
	walk = func(n, parent *asset.Node) {
		b.nodes = append(b.nodes, n)
		b.above[n] = parent
		b.levels = max(b.levels, 1+len(n.LODs))
		for _, l := range n.LODs {
			b.above[l] = parent
		}
		for _, c := range n.Children {
			walk(c, n)
		}
	}
	for _, n := range b.s.Roots {
		walk(n, nil)
	}
}

// chooseClips lays the animations one behind the other, or takes the one that the user wants.
func (b *newModel) chooseClips() error {
	first := 0
	for _, a := range b.s.Animations {
		if want := b.env.Options.Animation; want != "" && a.Name != want {
			continue
		}
		c := newClip{Animation: a, Motion: scene.MotionOf(a), first: first, last: first}
		for _, n := range c.Nodes {
			for _, x := range c.Motion.Channels[n] {
				if x == nil {
					continue
				}
				end := math.Ceil(float64(x.Times[len(x.Times)-1])*b.fps - 0.01)
				if end > maxKeyFrame {
					return fail(schema.ErrLimit, "animation %q has %g frames, keys reach to 65,535", a.Name, end)
				}
				c.last = max(c.last, first+int(end))
				if x.Path != asset.MorphWeights && !scene.Still(c.Curve(n, x.Path), b.size) {
					b.moving[n] = true
				}
			}
		}
		if len(c.Nodes) == 0 {
			continue
		}
		if c.last > maxKeyFrame {
			return schema.Hinted(fail(schema.ErrLimit, "the animations have %d frames one behind the other, keys reach to 65,535", c.last), "; --animation picks one")
		}
		b.clips = append(b.clips, c)
		first = c.last + 1
	}
	if want := b.env.Options.Animation; want != "" && len(b.clips) == 0 {
		return fail(schema.ErrValue, "there is no animation %q", want)
	}
	if len(b.clips) > 1 {
		for _, c := range b.clips {
			b.d.Notef("clip", "", "animation %q: frames %d to %d", c.Name, c.first, c.last)
		}
	}
	return nil
}

// uses reports whether anything follows a skin, and whether morph targets are animated.
func (b *newModel) uses() (skinned, morphing bool) {
	for _, n := range b.nodes {
		if n.Mesh == nil {
			continue
		}
		skinned = skinned || n.Skin != nil && hasJoints(n.Mesh)
		for _, c := range b.clips {
			morphing = morphing || targetsOf(n.Mesh) > 0 && !scene.Still(c.Curve(n, asset.MorphWeights), b.size)
		}
	}
	for _, n := range b.nodes {
		if n.Mesh != nil && targetsOf(n.Mesh) > 0 && !morphing {
			b.d.Lossf("morph-targets", n.Name, "morph targets that no animation moves are left out; the shape is taken as it stands")
		}
	}
	return skinned, morphing
}

func hasJoints(m *asset.Mesh) bool {
	return slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return len(p.Joints) > 0 })
}

func targetsOf(m *asset.Mesh) (n int) {
	for _, p := range m.Primitives {
		n = max(n, len(p.Targets))
	}
	return n
}

func (b *newModel) lowerMaterials() error {
	b.materials = map[*asset.Material]int{}
	names := map[string]int{}
	add := func(a *asset.Material) error {
		m, err := b.material(a)
		if err != nil {
			return err
		}
		m.Name = b.name(m.Name, "material", names)
		b.materials[a] = len(b.m.Materials)
		b.m.Materials = append(b.m.Materials, m)
		return nil
	}
	for _, a := range b.s.Materials {
		if err := add(a); err != nil {
			return err
		}
	}
	bare := len(b.m.Materials) == 0
	for _, m := range b.s.Meshes {
		bare = bare || slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return p.Material == nil })
	}
	if bare {
		return add(nil)
	}
	return nil
}

// name returns a name that the format can hold and that is not taken: the engine looks bones and materials up by name.
// For each one taken is the number that another one of that name is to try.
func (b *newModel) name(s, kind string, taken map[string]int) string {
	plain := plainText(s)
	if plain == "" {
		plain = kind
	}
	if taken == nil {
		return plain
	}
	unique := plain
	if i := taken[plain]; i > 0 {
		for taken[unique] > 0 {
			unique = fmt.Sprintf("%s_%d", plain, i)
			i++
		}
		taken[plain] = i
		b.d.Notef("name-twice", kind, "%q is there twice; one becomes %q", plain, unique)
	}
	taken[unique] = 2
	return unique
}

// world returns where a node is at a time of an animation.
func (b *newModel) world(n *asset.Node, m *scene.Motion, t float64) mgl64.Mat4 {
	return m.World(n, b.above, t)
}

// level returns the node that shows a level of detail; the lowest that there is stands in for those below.
func level(n *asset.Node, i int) *asset.Node {
	if i == 0 || len(n.LODs) == 0 {
		return n
	}
	return n.LODs[min(i, len(n.LODs))-1]
}

// finish fills in what follows from the meshes.
func (b *newModel) finish() {
	m := b.m
	m.LODs = uint16(b.levels)
	if len(b.s.Meshes) > 0 && b.levels > 1 {
		b.distances()
	} else {
		m.LODDistancesSq = nil
	}
	if len(m.Meshes) == 0 {
		for range b.levels {
			m.Meshes = append(m.Meshes, newMesh("empty"))
		}
		m.MeshesPerFrame = 1
		if len(m.Bones) == 0 {
			m.Frames = 1
		}
	}
	m.LODLevels = nil
	for k := 1; k < b.levels; k++ {
		share := float32(1)
		if len(b.shown) > k && b.shown[0] > 0 { // the first level may show nothing
			share = float32(b.shown[k]) / float32(b.shown[0])
		}
		m.LODLevels = append(m.LODLevels, min(share, 0.999)) // a mesh with less than 1 belongs to the one before
	}
	for i, mesh := range m.Meshes {
		if k := i % b.levels; k > 0 {
			mesh.LOD = m.LODLevels[k-1]
		}
	}
}

// distances gives levels of detail the distances from which they are used.
func (b *newModel) distances() {
	asked := b.env.Options.LODDistances
	if len(asked) == 0 && len(b.m.LODDistancesSq) == b.levels-1 {
		return
	}
	b.m.LODDistancesSq = nil
	next := 20.0
	for k := range b.levels - 1 {
		if k < len(asked) {
			next = asked[k]
		}
		b.m.LODDistancesSq = append(b.m.LODDistancesSq, float32(min(next*next, math.MaxFloat32)))
		next *= 2
	}
	if len(asked) < b.levels-1 {
		b.d.Hint(", --lod-distances sets them").Warnf("lod-distances", "", "nothing says at which distances levels of detail are used; they are guessed")
	}
}
