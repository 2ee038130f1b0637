package ultimate3d

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// skeleton makes a node of each bone and hangs the meshes on them (reference sections 6 and 8.2).
func (l *lifter) skeleton() error {
	parent, order := l.m.Parents()
	frames, fixed := l.m.BoneFrames(0), l.m.FixedFrames()
	l.bones = make([]*asset.Node, len(l.m.Bones))
	for i, b := range l.m.Bones {
		payload, err := bonePayload(b, l.m.Layout)
		if err != nil {
			return err
		}
		n := asset.NewNode(b.Name)
		n.Kind = asset.Bone
		n.Transform = transformOf(b.Pose(frames[i]))
		n.Native = native(boneFields(b).Values(), payload)
		scene.SetShown(n.Native, keyBone, float64(i))
		l.bones[i] = n
		if fixed[i] {
			if len(b.Scaling) > 1 || len(b.Translation) > 1 || len(b.Rotation) > 1 {
				l.d.Notef("fixed-frame", fmt.Sprintf("bone %d", i), "%q always shows frame %g; its keys are kept, but do not move it", b.Name, frames[i])
			}
			continue
		}
		for _, c := range l.clips {
			c.Channels = append(c.Channels, l.channels(n, b, c)...)
		}
	}
	for _, i := range order {
		above := l.root
		if parent[i] >= 0 {
			above = l.bones[parent[i]]
		}
		above.Children = append(above.Children, l.bones[i])
	}
	if l.m.Skinned() {
		return l.skinned()
	}
	return l.attached()
}

func transformOf(p ultimate3d.Pose) asset.Transform {
	return asset.Transform{
		Translation: narrow3(mirror3(p.Translation)),
		Rotation:    narrow4(mirrorQuat(p.Rotation)),
		Scale:       narrow3(p.Scaling),
	}
}

// skinned places the one mesh that follows all bones.
func (l *lifter) skinned() error {
	l.skin = &asset.Skin{Name: l.scene.Name, Joints: l.bones, Root: l.root, InverseBind: make([][16]float32, len(l.bones))}
	for i, b := range l.m.Bones {
		l.skin.InverseBind[i] = scene.NarrowMatrix(mirrorMatrix(ultimate3d.IdentityMatrix))
		if len(b.Attachments) > 0 {
			l.skin.InverseBind[i] = scene.NarrowMatrix(mirrorMatrix(l.m.Transformation(i, 0, l.columns)))
		}
	}
	l.scene.Skins = []*asset.Skin{l.skin}
	n, err := l.place(0, -1, false, false, asset.Identity)
	if err != nil {
		return err
	}
	l.scene.Roots = append(l.scene.Roots, n) // its place means nothing, and editors drop it where it hangs below others
	return nil
}

// attached hangs rigid meshes on their bones.
func (l *lifter) attached() error {
	world := l.m.BoneToWorld(0)
	seen := make([]bool, l.m.MeshesPerFrame)
	for i, b := range l.m.Bones {
		for k, a := range b.Attachments {
			t := l.m.Transformation(i, k, l.columns)
			mirrored := t.Mul(world[i]).Determinant() < 0
			transform := asset.Identity
			if m := scene.NarrowMatrix(mirrorMatrix(t)); m != scene.NarrowMatrix(mgl64.Ident4()) {
				transform.Matrix = &m
			}
			n, err := l.place(int(a.Mesh), -1, mirrored, false, transform)
			if err != nil {
				return err
			}
			for _, level := range append([]*asset.Node{n}, n.LODs...) {
				scene.SetShown(level.Native, keyBone, float64(i))
				scene.SetShown(level.Native, keyAttachment, float64(k))
			}
			l.bones[i].Children = append(l.bones[i].Children, n)
			seen[a.Mesh] = true
		}
	}
	for mesh, ok := range seen {
		if ok {
			continue
		}
		l.d.Warnf("unattached-mesh", fmt.Sprintf("mesh %d", mesh), "no bone carries this mesh; the engine never draws it")
		n, err := l.place(mesh, -1, false, false, asset.Identity)
		if err != nil {
			return err
		}
		l.scene.Detached = append(l.scene.Detached, n)
	}
	return nil
}

// channels returns the moving properties of a bone within a clip: those with at least two keys.
func (l *lifter) channels(n *asset.Node, b *ultimate3d.Bone, c clip) (list []*asset.Channel) {
	if keys := ultimate3d.SortedKeys(b.Translation); len(keys) > 1 {
		list = append(list, vectorChannel(n, asset.Translation, keys, c, l.fps))
	}
	if keys := ultimate3d.SortedRotations(b.Rotation); len(keys) > 1 {
		list = append(list, rotationChannel(n, keys, c, l.fps, &l.resampled))
	}
	if keys := ultimate3d.SortedKeys(b.Scaling); len(keys) > 1 {
		list = append(list, vectorChannel(n, asset.Scale, keys, c, l.fps))
	}
	return list
}

// frames returns the frames at which a clip needs a value: those of the keys, and its ends.
func (c clip) frames(keys int, at func(int) uint16) []float64 {
	var list []float64
	if c.cut || at(0) > 0 {
		list = append(list, c.first)
	}
	for i := range keys {
		if f := float64(at(i)); f >= c.first && (!c.cut || f <= c.last) {
			list = append(list, f)
		}
	}
	if c.cut {
		list = append(list, c.last)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func vectorChannel(n *asset.Node, path asset.Path, keys []ultimate3d.VectorKey, c clip, fps float64) *asset.Channel {
	channel := &asset.Channel{Node: n, Path: path}
	none := [3]float64{}
	for _, f := range c.frames(len(keys), func(i int) uint16 { return keys[i].Frame }) {
		v := narrow3(ultimate3d.VectorAt(keys, f, none))
		if path == asset.Translation {
			v = mirror3(v)
		}
		channel.Times = append(channel.Times, float32((f-c.first)/fps))
		channel.Values = append(channel.Values, v[:]...)
	}
	return channel
}

// maxResampled bounds the keys that a model gains by resampling: two keys can span 65,535 frames.
const maxResampled = 1 << 22

// rotationChannel writes rotations for glTF, which takes the shorter arc between two keys. Where the engine takes the
// longer one, and where it extrapolates, each frame has a key.
func rotationChannel(n *asset.Node, keys []ultimate3d.RotationKey, c clip, fps float64, resampled *int) *asset.Channel {
	channel := &asset.Channel{Node: n, Path: asset.Rotation}
	var last [4]float64
	add := func(f float64) {
		q := mirrorQuat(ultimate3d.RotationAt(keys, f))
		if q[0]*last[0]+q[1]*last[1]+q[2]*last[2]+q[3]*last[3] < 0 {
			for k := range q {
				q[k] = -q[k]
			}
		}
		last = q
		v := narrow4(q)
		channel.Times = append(channel.Times, float32((f-c.first)/fps))
		channel.Values = append(channel.Values, v[:]...)
	}
	frames := c.frames(len(keys), func(i int) uint16 { return keys[i].Frame })
	for i, f := range frames {
		if i > 0 && longArc(keys, frames[i-1]) && *resampled < maxResampled {
			for between := math.Floor(frames[i-1]) + 1; between < f; between++ {
				add(between)
				*resampled++
			}
		}
		add(f)
	}
	return channel
}

// longArc reports whether the segment that begins at or around a frame turns by more than half a turn, or lies before the
// first key.
func longArc(keys []ultimate3d.RotationKey, frame float64) bool {
	if frame < float64(keys[0].Frame) {
		return true
	}
	next := sort.Search(len(keys), func(i int) bool { return float64(keys[i].Frame) > frame })
	if next == len(keys) {
		return false
	}
	a, b := keys[next-1].Value, keys[next].Value
	return a[0]*b[0]+a[1]*b[1]+a[2]*b[2]+a[3]*b[3] < 0
}
