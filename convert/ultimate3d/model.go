package ultimate3d

import (
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// DefaultFPS is the frame rate if the user does not choose one. Files only store frame numbers; a Game Maker room runs at
// 30 steps a second (reference section 4).
const DefaultFPS = 30

// maxMorphFrames bounds animations of whole meshes that become morph targets, since their weights grow with its square.
const maxMorphFrames = 2048

// Lift turns a model into a scene (reference sections 4 and 8). It mirrors x and makes a node for each bone and each mesh.
// Levels of detail become levels of their mesh's node, frames become morph targets, and keys get times in seconds.
func Lift(m *ultimate3d.Model, env *format.Env) (*asset.Scene, error) {
	env = env.Given()
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(env.Name, `\`, "/")), path.Ext(env.Name))
	if name == "" || name == "." {
		name = "model"
	}
	l := &lifter{
		m: m, env: env, d: env.Diagnostics, fps: env.Options.Ultimate3D.FPS, columns: m.ColumnMatrices(),
		scene: &asset.Scene{Name: name}, root: asset.NewNode(name),
		vertices: map[int]*asset.Primitive{}, meshes: map[meshKey]*asset.Mesh{}, textures: map[string]*asset.Texture{},
	}
	if !(l.fps > 0) {
		l.fps = DefaultFPS
	}
	l.root.Native = native(scene.ForReading(map[string]any{keyRoot: 1.0}), nil)
	scene.Call(l.root)
	l.scene.Roots = []*asset.Node{l.root}
	header, err := headerPayload(m)
	if err != nil {
		return nil, err
	}
	l.scene.Native = native(headerValues(m), header)
	scene.SetShown(l.scene.Native, keyFPS, l.fps)
	l.clips = l.chooseClips()
	l.sets = occurringSets(m)
	if err := l.materials(); err != nil {
		return nil, err
	}
	if len(m.Bones) > 0 {
		err = l.skeleton()
	} else {
		err = l.frames()
	}
	if err != nil {
		return nil, err
	}
	for _, c := range l.clips {
		if len(c.Channels) > 0 {
			l.scene.Animations = append(l.scene.Animations, c.Animation)
		}
	}
	return l.scene, nil
}

type lifter struct {
	m        *ultimate3d.Model
	env      *format.Env
	d        *schema.Diagnostics
	fps      float64
	columns  bool // the matrices are for column vectors
	scene    *asset.Scene
	root     *asset.Node
	bones    []*asset.Node
	skin     *asset.Skin
	clips    []clip
	vertices map[int]*asset.Primitive // vertex data by chunk
	meshes   map[meshKey]*asset.Mesh
	textures map[string]*asset.Texture

	sets      []int // the stored texture coordinate sets that occur, ascending: glTF's sets 0, 1, …
	resampled int   // rotation keys that were added
}

// clip is an animation and the frames it shows.
type clip struct {
	*asset.Animation
	first, last float64
	cut         bool // the user asked for this range; else everything is shown
}

func (l *lifter) chooseClips() []clip {
	last := float64(l.m.Frames - 1)
	if len(l.env.Options.Ultimate3D.Clips) == 0 {
		return []clip{l.clip("all", 0, last, false)}
	}
	var clips []clip
	for _, c := range l.env.Options.Ultimate3D.Clips {
		if c.First < 0 || c.Last < c.First || float64(c.Last) > last {
			l.d.Warnf("clip-range", "", "clip %q: frames %d to %d are not within the model's 0 to %d; it is left out", c.Name, c.First, c.Last, l.m.Frames-1)
			continue
		}
		clips = append(clips, l.clip(c.Name, float64(c.First), float64(c.Last), true))
	}
	return clips
}

func (l *lifter) clip(name string, first, last float64, cut bool) clip {
	a := &asset.Animation{Name: name, Native: native(scene.ForReading(map[string]any{keyFirst: first, keyLast: last}), nil)}
	if cut {
		scene.SetShown(a.Native, keyCut, 1.0)
	}
	return clip{a, first, last, cut}
}

// meshKey names one asset mesh: a mesh number at a level of detail, as seen by instances that are mirrored or not, and
// the frame when each frame has its own.
type meshKey struct {
	mesh, level, frame int
	mirrored           bool
}

// values is how a node says which mesh it shows.
func (k meshKey) values() map[string]any {
	v := map[string]any{keyMesh: float64(k.mesh), keyLevel: float64(k.level)}
	if k.frame >= 0 {
		v[keyFrame] = float64(k.frame)
	}
	if k.mirrored {
		v[keyMirrored] = 1.0
	}
	return scene.ForReading(v)
}

// place makes the node of a mesh with its levels of detail.
func (l *lifter) place(mesh, frame int, mirrored, morph bool, transform asset.Transform) (*asset.Node, error) {
	var first *asset.Node
	for level := range int(l.m.LODs) {
		chunk := l.m.MeshIndex(max(frame, 0), mesh, level)
		key := meshKey{mesh, level, frame, mirrored}
		shape, payload, err := l.mesh(key, morph)
		if err != nil {
			return nil, err
		}
		n := asset.NewNode(l.m.Meshes[chunk].Name)
		n.Transform, n.Mesh = transform, shape
		n.Native = native(key.values(), payload)
		if l.m.Meshes[chunk].StoredWeights != 0 {
			n.Skin = l.skin
		}
		if first == nil {
			first = n
		} else {
			first.LODs = append(first.LODs, n)
		}
	}
	return first, nil
}

// frames places the meshes of a model without bones: as they are, as morph targets, or frame by frame.
func (l *lifter) frames() error {
	for mesh := range int(l.m.MeshesPerFrame) {
		if l.m.Frames == 1 || l.morphs(mesh) {
			n, err := l.place(mesh, -1, false, l.m.Frames > 1, asset.Identity)
			if err != nil {
				return err
			}
			l.root.Children = append(l.root.Children, n)
			l.weights(n)
			continue
		}
		l.d.Warnf("frame-nodes", fmt.Sprintf("mesh %d", mesh), "the frames differ in more than positions; each becomes a node, shown by its scale")
		for frame := range int(l.m.Frames) {
			n, err := l.place(mesh, frame, false, false, asset.Identity)
			if err != nil {
				return err
			}
			l.root.Children = append(l.root.Children, n)
			l.show(n, frame)
		}
	}
	return nil
}

// morphs reports whether the frames of a mesh, at every level of detail, can be morph targets: they differ in positions
// and normals only. With tweening the engine uses the triangles and texture coordinates of frame 0 whatever the others
// have.
func (l *lifter) morphs(mesh int) bool {
	if l.m.Frames > maxMorphFrames {
		return false
	}
	for level := range int(l.m.LODs) {
		base := l.m.MeshIndex(0, mesh, level)
		for frame := 1; frame < int(l.m.Frames); frame++ {
			if !l.alike(base, l.m.MeshIndex(frame, mesh, level)) {
				return false
			}
		}
	}
	return true
}

func (l *lifter) alike(a, b int) bool {
	x, y := l.m.Meshes[a], l.m.Meshes[b]
	if len(x.Positions) != len(y.Positions) || x.TriangleCount() != y.TriangleCount() || x.TexCoordDimensions != y.TexCoordDimensions {
		return false
	}
	if l.m.VertexTweening.True() {
		return true
	}
	t, tm := l.m.TrianglesOf(a)
	u, um := l.m.TrianglesOf(b)
	for i := range t {
		if t[i] != u[i] || tm[i] != um[i] {
			return false
		}
	}
	for k := range 8 {
		s, _ := l.m.TexCoordsOf(a, k)
		r, _ := l.m.TexCoordsOf(b, k)
		if len(s) != len(r) {
			return false
		}
		for i := range s {
			if s[i] != r[i] && !(s[i] != s[i] && r[i] != r[i]) {
				return false
			}
		}
	}
	return true
}

// weights animates the morph targets of a node: at each frame the one of that frame is full, none at frame 0.
func (l *lifter) weights(n *asset.Node) {
	if l.m.Frames == 1 {
		return
	}
	interpolation := asset.StepKeys
	if l.m.VertexTweening.True() {
		interpolation = asset.LinearKeys
	}
	targets := int(l.m.Frames) - 1
	for _, level := range append([]*asset.Node{n}, n.LODs...) {
		if len(level.Mesh.Primitives) == 0 {
			continue
		}
		for _, c := range l.clips {
			channel := &asset.Channel{Node: level, Path: asset.MorphWeights, Interpolation: interpolation}
			for f := int(c.first); f <= int(c.last); f++ {
				channel.Times = append(channel.Times, l.time(float64(f)-c.first))
				key := make([]float32, targets)
				if f > 0 {
					key[f-1] = 1
				}
				channel.Values = append(channel.Values, key...)
			}
			c.Channels = append(c.Channels, channel)
		}
	}
}

// show makes a node visible in one frame only.
func (l *lifter) show(n *asset.Node, frame int) {
	for _, level := range append([]*asset.Node{n}, n.LODs...) {
		if frame > 0 {
			level.Transform.Scale = [3]float32{}
		}
		for _, c := range l.clips {
			channel := &asset.Channel{Node: level, Path: asset.Scale, Interpolation: asset.StepKeys}
			key := func(f, size float32) {
				channel.Times = append(channel.Times, l.time(float64(f)-c.first))
				channel.Values = append(channel.Values, size, size, size)
			}
			if f := float64(frame); f < c.first || f > c.last {
				key(float32(c.first), 0)
			} else {
				if f > c.first {
					key(float32(c.first), 0)
				}
				key(float32(f), 1)
				if f < c.last {
					key(float32(f+1), 0)
				}
			}
			c.Channels = append(c.Channels, channel)
		}
	}
}

func (l *lifter) time(frames float64) float32 { return float32(frames / l.fps) }
