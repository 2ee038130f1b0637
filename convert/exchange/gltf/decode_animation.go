package gltf

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func (d *decoder) readSkins() error {
	_, u := split(d.sceneExtras())
	for i, g := range d.doc.Skins {
		path := fmt.Sprintf("skins/%d", i)
		s := &asset.Skin{Name: g.Name}
		foreign, u := split(g.Extras)
		s.Extras, s.Native = foreign, d.unpack(path, u)
		if len(g.Joints) > 1<<16 {
			return pathError(path+"/joints", schema.ErrLimit, "%d joints", len(g.Joints))
		}
		seen := map[int]bool{}
		for _, j := range g.Joints {
			if err := refer(path+"/joints", j, len(d.nodes)); err != nil {
				return err
			}
			if seen[j] {
				return pathError(path+"/joints", schema.ErrMismatch, "node %d is a joint twice", j)
			}
			seen[j] = true
			s.Joints = append(s.Joints, d.nodes[j])
		}
		if g.Skeleton != nil {
			if err := refer(path+"/skeleton", *g.Skeleton, len(d.nodes)); err != nil {
				return err
			}
			s.Root = d.nodes[*g.Skeleton]
		}
		if g.InverseBindMatrices != nil {
			m, err := d.mat4(path+"/inverseBindMatrices", *g.InverseBindMatrices)
			if err != nil {
				return err
			}
			if len(m) < len(s.Joints) {
				return pathError(path+"/inverseBindMatrices", schema.ErrMismatch, "%d matrices for %d joints", len(m), len(s.Joints))
			}
			s.InverseBind = m[:len(s.Joints):len(s.Joints)]
		}
		d.skins = append(d.skins, s)
	}
	for i, g := range d.doc.Nodes {
		k := index(d.own[i], "skin")
		if g.Skin != nil {
			k = *g.Skin
			if err := refer(fmt.Sprintf("nodes/%d/skin", i), k, len(d.skins)); err != nil {
				return err
			}
		}
		if k < 0 || k >= len(d.skins) {
			continue
		}
		d.nodes[i].Skin = d.skins[k]
		if r := d.child(d.own[i], "skinRecord"); r != nil {
			d.skins[k].Native = d.unpack(fmt.Sprintf("nodes/%d", i), r)
			if name := text(d.child(r, keyAsset), "name"); name != "" {
				d.skins[k].Name = name // Blender calls it like the armature
			}
		}
		if err := d.checkJoints(fmt.Sprintf("nodes/%d/skin", i), d.nodes[i]); err != nil {
			return err
		}
	}
	d.s.Skins = d.skins
	textures := d.child(d.child(u, keyAsset), "textures")
	for name := range textures {
		d.virtualTexture("scenes", d.child(textures, name))
	}
	d.s.Textures = interleave(d.images, d.virtual)
	return nil
}

// checkJoints holds the joints of a mesh against the skin of its node.
func (d *decoder) checkJoints(path string, n *asset.Node) error {
	if n.Mesh == nil {
		return nil
	}
	most, known := d.maxJoint[n.Mesh]
	if !known {
		for _, p := range n.Mesh.Primitives {
			for _, set := range p.Joints {
				for _, j := range set {
					most = max(most, j[0], j[1], j[2], j[3])
				}
			}
		}
		d.maxJoint[n.Mesh] = most
	}
	if int(most) >= len(n.Skin.Joints) {
		return pathError(path, schema.ErrRange, "the mesh has joint %d, the skin has %d", most, len(n.Skin.Joints))
	}
	return nil
}

func (d *decoder) readAnimations() error {
	_, u := split(d.sceneExtras())
	records := d.child(d.child(u, keyAsset), "animations")
	used, hollow := map[string]bool{}, map[*asset.Animation]bool{}
	empties := map[int]*asset.Animation{}
	for _, key := range keysOf(records) {
		r := d.child(records, key)
		own := d.child(r, keyAsset)
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && own["empty"] != nil {
			a := &asset.Animation{Name: text(own, "name"), Native: d.unpack("scenes", r), Extras: d.keptExtras(own)}
			empties[i], used[key], hollow[a] = a, true, true
		}
	}
	var all []*asset.Animation
	for i, g := range d.doc.Animations {
		path := fmt.Sprintf("animations/%d", i)
		a := &asset.Animation{Name: g.Name}
		foreign, u := split(g.Extras)
		a.Extras, a.Native = foreign, d.unpack(path, u)
		for k, c := range g.Channels {
			if err := d.channel(fmt.Sprintf("%s/channels/%d", path, k), g, c, a); err != nil {
				return err
			}
		}
		all = append(all, a)
	}
	d.s.Animations = interleave(all, empties)
	inPlace := d.animationsInPlace(records)
	named := map[string][]string{}
	for _, key := range keysOf(records) {
		if !used[key] {
			name := text(d.child(d.child(records, key), keyAsset), "name")
			named[name] = append(named[name], key)
		}
	}
	for i, a := range d.s.Animations {
		key := strconv.Itoa(i)
		if hollow[a] {
			continue
		}
		if !inPlace {
			key = ""
			if keys := named[a.Name]; len(keys) > 0 {
				key, named[a.Name] = keys[0], keys[1:]
			}
		}
		if r := d.child(records, key); r != nil {
			a.Native = d.unpack("scenes", r)
		}
	}
	if len(d.s.Animations) == len(records) {
		d.renamedAnimations(records, named, hollow)
	}
	return nil
}

// renamedAnimations gives an animation the record with its number if no animation has the name in that record any longer:
// somebody renamed it.
func (d *decoder) renamedAnimations(records record, left map[string][]string, hollow map[*asset.Animation]bool) {
	for i, a := range d.s.Animations {
		key := strconv.Itoa(i)
		r := d.child(records, key)
		if r == nil || a.Native != nil || hollow[a] {
			continue
		}
		if name := text(d.child(r, keyAsset), "name"); slices.Contains(left[name], key) {
			a.Native = d.unpack("scenes", r)
		}
	}
}

// animationsInPlace reports whether all records still have the numbers of their animations. An editor may have added or
// removed some; names find them then.
func (d *decoder) animationsInPlace(records record) bool {
	for key := range records {
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i >= len(d.s.Animations) || d.s.Animations[i].Name != text(d.child(d.child(records, key), keyAsset), "name") {
			return false
		}
	}
	return true
}

func (d *decoder) channel(path string, g *gltf.Animation, c *gltf.AnimationChannel, a *asset.Animation) error {
	var pointer struct {
		Pointer string `json:"pointer"`
	}
	if ok, _ := d.extension(path+"/target", c.Target.Extensions, extPointer, &pointer); ok {
		d.diag.Lossf("animation-pointer", path, "an animation of %q is left out (%s)", pointer.Pointer, extPointer)
		return nil
	}
	if c.Target.Node == nil {
		d.diag.Lossf("channel-without-node", path, "an animation of %q is left out", c.Target.Path)
		return nil
	}
	if err := refer(path+"/target/node", *c.Target.Node, len(d.nodes)); err != nil {
		return err
	}
	p := slices.Index(targetPaths[:], c.Target.Path)
	if p < 0 {
		d.diag.Lossf("unknown-path", path, "an animation of %q is left out", c.Target.Path)
		return nil
	}
	if err := refer(path+"/sampler", c.Sampler, len(g.Samplers)); err != nil {
		return err
	}
	s := g.Samplers[c.Sampler]
	x := &asset.Channel{Node: d.nodes[*c.Target.Node], Path: asset.Path(p)}
	x.Interpolation = asset.Interpolation(slices.Index(interpolations[:], s.Interpolation))
	var err error
	if x.Times, err = d.scalars(path+"/input", s.Input); err != nil {
		return err
	}
	if x.Values, err = d.scalars(path+"/output", s.Output); err != nil {
		return err
	}
	width := [...]int{3, 4, 3, 0}[p]
	if x.Path == asset.MorphWeights {
		if m := x.Node.Mesh; m != nil && len(m.Primitives) > 0 {
			width = len(m.Primitives[0].Targets)
		}
	}
	keys := len(x.Times)
	if x.Interpolation == asset.CubicKeys {
		keys *= 3
	}
	if len(x.Values) != keys*width {
		return pathError(path+"/output", schema.ErrMismatch, "%d values for %d keys of %d", len(x.Values), len(x.Times), width)
	}
	if i := d.firstBadTime(s.Input, x.Times); i >= 0 {
		d.diag.Lossf("times-not-ascending", path, "time %v at key %d: the channel is left out", x.Times[i], i)
		return nil
	}
	if k := d.firstOdd(s.Output, x.Values); k >= 0 {
		d.diag.Lossf("values-not-finite", path, "value %v in accessor %d: the channel is left out", x.Values[k], s.Output)
		return nil
	}
	a.Channels = append(a.Channels, x)
	return nil
}

// firstBadTime returns the first key whose time is not after the one before it, −1 when all are. Many channels share
// their times, which are looked at once.
func (d *decoder) firstBadTime(accessor int, times []float32) int {
	key := cacheKey{accessor, "bad time"}
	if i, ok := d.cache[key].(int); ok {
		return i
	}
	bad := -1
	for i, t := range times {
		if notFinite(t) || t < 0 || i > 0 && t <= times[i-1] {
			bad = i
			break
		}
	}
	d.cache[key] = bad
	return bad
}
