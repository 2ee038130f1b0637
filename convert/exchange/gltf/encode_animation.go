package gltf

import (
	"fmt"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func (e *encoder) buildSkins() {
	for _, n := range e.list {
		if n.Skin != nil && !slices.Contains(e.s.Skins, n.Skin) {
			e.failf(fmt.Sprintf("nodes/%d", e.nodes[n]), schema.ErrRange, "skin", "%q is not in the scene's list", n.Skin.Name)
			return
		}
	}
	for i, s := range e.s.Skins {
		path := fmt.Sprintf("skins/%d", i)
		if len(s.Joints) == 0 {
			e.failf(path, schema.ErrValue, "joints", "a skin without joints")
			return
		}
		if _, twice := e.skins[s]; twice {
			e.failf(path, schema.ErrMismatch, "", "%q is listed twice", s.Name)
			return
		}
		e.skins[s] = i
		e.doc.Skins = append(e.doc.Skins, e.skin(path, s))
	}
}

func (e *encoder) skin(path string, s *asset.Skin) *gltf.Skin {
	g := &gltf.Skin{Name: s.Name, Extras: e.join(path, s.Extras, nil)}
	seen := map[*asset.Node]bool{}
	for _, j := range s.Joints {
		i, ok := e.nodes[j]
		if !ok {
			e.failf(path, schema.ErrRange, "joints", "a joint is not in the scene")
			return g
		}
		if seen[j] {
			e.failf(path, schema.ErrMismatch, "joints", "%q is a joint twice", j.Name)
			return g
		}
		seen[j] = true
		g.Joints = append(g.Joints, i)
	}
	if s.Root != nil {
		if e.above(s.Root, s.Joints) {
			g.Skeleton = gltf.Index(e.nodes[s.Root])
		} else {
			e.o.Diagnostics.Lossf("skin-root", path, "%q is not above all joints", s.Root.Name)
		}
	}
	if s.InverseBind != nil {
		if len(s.InverseBind) != len(s.Joints) {
			e.failf(path, schema.ErrMismatch, "inverseBindMatrices", "%d matrices for %d joints", len(s.InverseBind), len(s.Joints))
			return g
		}
		i := e.once(accessorKey{&s.InverseBind[0], len(s.InverseBind), "matrix"}, func() int {
			v := e.finiteData(path+"/inverseBindMatrices", flat16(s.InverseBind))
			return e.floatAccessor(e.affine(path, v), 16, 0, false)
		})
		g.InverseBindMatrices = &i
	}
	return g
}

// affine returns matrices whose last row is 0 0 0 1.
func (e *encoder) affine(path string, v []float32) []float32 {
	good := func(m []float32) bool { return m[3] == 0 && m[7] == 0 && m[11] == 0 && m[15] == 1 }
	for i := 0; i < len(v); i += 16 {
		if good(v[i : i+16]) {
			continue
		}
		v = slices.Clone(v)
		for k := i; k < len(v); k += 16 {
			v[k+3], v[k+7], v[k+11], v[k+15] = 0, 0, 0, 1
		}
		e.o.Diagnostics.Warnf("matrix-not-affine", path, "the last row of inverse bind matrices is set to 0 0 0 1")
		return v
	}
	return v
}

// above reports whether root is each joint or a parent of it.
func (e *encoder) above(root *asset.Node, joints []*asset.Node) bool {
	for _, j := range joints {
		for j != nil && j != root {
			j = e.parents[j]
		}
		if j == nil {
			return false
		}
	}
	return true
}

// attachSkinRecord puts what rides along of a skin on the first node that has it.
func (e *encoder) attachSkinRecord(g *gltf.Node, s *asset.Skin) {
	if s.Native == nil && s.Name == "" || e.told[s] || e.o.Slim {
		return
	}
	e.told[s] = true
	u, err := pack(s.Native, record{"name": s.Name})
	e.fail(err)
	all, _ := g.Extras.(record)
	if all == nil {
		all = record{}
		g.Extras = all
	}
	ourOwn, _ := all[ours].(record)
	if ourOwn == nil {
		ourOwn = record{}
		all[ours] = ourOwn
	}
	own, _ := ourOwn[keyAsset].(record)
	if own == nil {
		own = record{}
		ourOwn[keyAsset] = own
	}
	own["skinRecord"] = u
}

var interpolations = [...]gltf.Interpolation{
	asset.LinearKeys: gltf.InterpolationLinear, asset.StepKeys: gltf.InterpolationStep, asset.CubicKeys: gltf.InterpolationCubicSpline,
}

var targetPaths = [...]gltf.TRSProperty{
	asset.Translation: gltf.TRSTranslation, asset.Rotation: gltf.TRSRotation, asset.Scale: gltf.TRSScale, asset.MorphWeights: gltf.TRSWeights,
}

func (e *encoder) buildAnimations() {
	for i, s := range e.s.Skins { // those that no node carries
		if s.Native != nil && !e.told[s] {
			e.doc.Skins[i].Extras = e.extras(fmt.Sprintf("skins/%d", i), s.Extras, s.Native, nil)
		}
	}
	for i, a := range e.s.Animations {
		path := fmt.Sprintf("animations/%d", len(e.doc.Animations))
		g := &gltf.Animation{Name: a.Name, Extras: e.join(path, a.Extras, nil)}
		type target struct {
			node *asset.Node
			path asset.Path
		}
		seen := map[target]bool{}
		for k, c := range a.Channels {
			at := fmt.Sprintf("%s/channels/%d", path, k)
			if seen[target{c.Node, c.Path}] {
				e.o.Diagnostics.Lossf("channel-twice", at, "a second channel for the same property")
				continue
			}
			seen[target{c.Node, c.Path}] = true
			e.channel(at, c, g)
			if e.err != nil {
				return
			}
		}
		own := record{"name": a.Name}
		if len(g.Channels) == 0 {
			own["empty"] = 1
			e.keepExtras(path, own, a.Extras)
		}
		u, err := pack(a.Native, own)
		e.fail(err)
		if a.Native != nil || len(g.Channels) == 0 {
			e.put("animations", i, u)
		}
		if len(g.Channels) > 0 {
			e.doc.Animations = append(e.doc.Animations, g)
		}
	}
}

func (e *encoder) channel(path string, c *asset.Channel, g *gltf.Animation) {
	node, ok := e.nodes[c.Node]
	if !ok {
		e.failf(path, schema.ErrRange, "target", "the node is not in the scene")
		return
	}
	if int(c.Path) >= len(targetPaths) || int(c.Interpolation) >= len(interpolations) {
		e.failf(path, schema.ErrValue, "target", "path %d, interpolation %d", c.Path, c.Interpolation)
		return
	}
	if len(c.Times) == 0 {
		e.o.Diagnostics.Lossf("channel-empty", path, "a channel without keys")
		return
	}
	width := [...]int{3, 4, 3, 0}[c.Path]
	if c.Path == asset.MorphWeights {
		if c.Node.Mesh == nil || e.meshes[c.Node.Mesh] < 0 || e.meshInfo[c.Node.Mesh].targets == 0 {
			e.o.Diagnostics.Lossf("channel-without-targets", path, "weights of a node without morph targets")
			return
		}
		width = e.meshInfo[c.Node.Mesh].targets
		if other, ok := e.shapes[c.Node]; ok {
			node = other
		}
	}
	values, interpolation := c.Values, c.Interpolation
	keys := len(c.Times)
	if interpolation == asset.CubicKeys {
		keys *= 3
	}
	if len(values) != keys*width {
		e.failf(path, schema.ErrMismatch, "output", "%d values for %d keys of %d", len(values), len(c.Times), width)
		return
	}
	for i, t := range c.Times {
		if notFinite(t) || t < 0 || i > 0 && t <= c.Times[i-1] {
			e.failf(path, schema.ErrValue, "input", "time %v at key %d: times ascend from 0", t, i)
			return
		}
	}
	if interpolation == asset.CubicKeys && len(c.Times) == 1 {
		e.o.Diagnostics.Lossf("cubic-single", path, "glTF allows no single cubic key: its tangents are left out")
		values, interpolation = values[width:2*width], asset.StepKeys
	}
	s := &gltf.AnimationSampler{Interpolation: interpolations[interpolation]}
	s.Input = e.once(accessorKey{&c.Times[0], len(c.Times), "times"}, func() int { return e.timesAccessor(c.Times) })
	values = e.finiteData(path, values)
	if c.Path == asset.Rotation {
		values = e.unitKeys(path, values, interpolation == asset.CubicKeys)
	}
	s.Output = e.once(accessorKey{&values[0], len(values), fmt.Sprint("keys", min(width, 5))}, func() int {
		comps := width
		if c.Path == asset.MorphWeights {
			comps = 1
		}
		return e.floatAccessor(values, comps, 0, false)
	})
	g.Channels = append(g.Channels, &gltf.AnimationChannel{Sampler: len(g.Samplers), Target: gltf.AnimationChannelTarget{Node: &node, Path: targetPaths[c.Path]}})
	g.Samplers = append(g.Samplers, s)
}

// timesAccessor shares times that are equal, since formats tend to store them for each channel.
func (e *encoder) timesAccessor(t []float32) int {
	key := timesKey{len(t), t[0], t[len(t)-1]}
	for _, known := range e.times[key] {
		if slices.Equal(known.times, t) {
			return known.accessor
		}
	}
	i := e.floatAccessor(t, 1, 0, true)
	if e.times == nil {
		e.times = map[timesKey][]timesEntry{}
	}
	e.times[key] = append(e.times[key], timesEntry{t, i})
	return i
}

type timesKey struct {
	n           int
	first, last float32
}

type timesEntry struct {
	times    []float32
	accessor int
}

// unitKeys mends rotations; of cubic keys the tangents stay as they are.
func (e *encoder) unitKeys(path string, v []float32, cubic bool) []float32 {
	from, step := 0, 4
	if cubic {
		from, step = 4, 12
	}
	mended := 0
	for i := from; i+4 <= len(v); i += step {
		q := [4]float32(v[i : i+4])
		if !mendQuaternion(q[:]) {
			continue
		}
		if mended == 0 {
			v = slices.Clone(v)
		}
		mended++
		copy(v[i:], q[:])
	}
	if mended > 0 {
		e.o.Diagnostics.Warnf("rotation-not-unit", path, "%d rotations are brought to unit length", mended)
	}
	return v
}
