package gltf

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/restore"
	verbs "github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// regain puts back what was hidden below nodes, see hide. What an editor did to a node is done to it as well, since it
// is in the node's space.
func (d *decoder) regain() {
	if d.outer != nil {
		return // what is hidden hides nothing
	}
	d.numberJoints()
	known := &regained{meshes: map[int]*asset.Mesh{}, materials: map[int]*asset.Material{}, looks: d.regainLooks(), gone: map[string]bool{}}
	for i, own := range d.own {
		n, r := d.nodes[i], d.child(own, keyKept)
		if n == nil || r == nil {
			continue
		}
		path := fmt.Sprintf("nodes/%d", i)
		if err := d.regainBelow(n, r, known); err != nil {
			d.diag.Warnf("bad-kept", path, "what is kept of %q and not shown cannot be read, and is left out: %v", n.Name, err)
		}
	}
	d.s.Meshes, d.s.Materials = interleave(d.s.Meshes, known.meshes), interleave(d.s.Materials, known.materials)
}

// small reads a scene that is kept as a file of its own.
func (d *decoder) small(r record) (*asset.Scene, error) {
	b, err := d.inflate(text(r, keyPayload))
	if err != nil {
		return nil, err
	}
	if err := d.spend("kept", int64(len(b))); err != nil {
		return nil, err
	}
	inner := newDecoder(nil, nil)
	inner.outer = d
	return decodeWith(b, inner, nil)
}

// numberJoints finds the numbers by which what is hidden knows joints.
func (d *decoder) numberJoints() {
	for i, own := range d.own {
		if k := index(own, keyNumber); k >= 0 && d.nodes[i] != nil {
			d.numberOf[d.nodes[i]] = k + 1
		}
	}
}

// regained is what nodes hide, by the number that it has in the scene; several may hide the same.
type regained struct {
	meshes    map[int]*asset.Mesh
	materials map[int]*asset.Material
	looks     map[int]*asset.Material // those that ride with the scene, and that nothing wears yet
	gone      map[string]bool         // names of those that should, and of which one is told
}

// regainBelow puts back what was hidden below one node.
func (d *decoder) regainBelow(n *asset.Node, r record, known *regained) error {
	s, err := d.small(r)
	if err != nil {
		return err
	}
	places := wholeNumbers(r, "places")
	if len(places) != len(s.Roots) {
		return schema.Errorf(formatName, schema.ErrMismatch, "places", "%d for %d nodes", len(places), len(s.Roots))
	}
	if err := d.regainSkins(n, s, wholeNumbers(r, "skins")); err != nil {
		return err
	}
	if r[keyLent] != nil {
		known.lend(d, n, s, wholeNumbers(r, "materials"))
	}
	d.regainMaterials(s, wholeNumbers(r, "materials"), known)
	d.regainMeshes(n, s, wholeNumbers(r, "meshes"), known)
	d.regainAnimations(s, wholeNumbers(r, "animations"))
	levels := 0
	for i, x := range s.Roots {
		if at := places[i]; at >= 0 {
			n.Children = slices.Insert(n.Children, min(at, len(n.Children)), x)
			continue
		}
		levels++
		follow(x, n, numbers(r, "was"))
		n.LODs = append(n.LODs, x)
	}
	if was := numbers(r, "shape"); levels > 0 && !restore.SameMesh(was, n.Mesh) {
		d.diag.Hint(": --levels all shows them").Warnf("levels-old-shape", n.Name, "its shape was edited, and its lower levels of detail (%s) still show the old one", counting(levels))
	}
	return nil
}

// counting names the levels from 1 on.
func counting(n int) string {
	if n == 1 {
		return "1"
	}
	return fmt.Sprintf("1 to %d", n)
}

// wholeNumbers returns a list of whole numbers.
func wholeNumbers(r record, key string) (list []int) {
	for _, x := range numbers(r, key) {
		list = append(list, int(max(min(x, math.MaxInt32), math.MinInt32)))
	}
	return list
}

// follow moves a level of detail, which stands beside its owner, as that was moved.
func follow(level, owner *asset.Node, was []float32) {
	now := matrixOf(&owner.Transform)
	if len(was) != 16 || slices.Equal(was, now[:]) {
		return
	}
	before := wide([16]float32(was))
	if nearMatrix(now[:], was) {
		return
	}
	if m := matrixOf(&level.Transform); nearMatrix(m[:], was) {
		level.Transform = owner.Transform
	} else if invertible(before) {
		level.Transform = transformOf(wide(now).Mul4(before.Inv()).Mul4(wide(m)))
	}
}

// nearMatrix reports whether two matrices are the same but for what editors make of them.
func nearMatrix(a, b []float32) bool {
	size := float32(0)
	for _, x := range b {
		size = max(size, x, -x)
	}
	for k := range a {
		if x := a[k] - b[k]; !(x <= 1e-5*size && x >= -1e-5*size) {
			return false
		}
	}
	return true
}

// regainSkins gives nodes the skins of the file around them.
func (d *decoder) regainSkins(owner *asset.Node, s *asset.Scene, skins []int) (err error) {
	i, done := 0, map[*[4]uint16]bool{}
	s.Walk(func(n, _ *asset.Node) {
		at := -1
		if i < len(skins) {
			at = skins[i]
		}
		i++
		names, _ := s.Extras[strconv.Itoa(at)].([]any)
		numbers, _ := s.Extras[jointNumbers(at)].([]any)
		switch {
		case at == skinOfOwner:
			n.Skin = owner.Skin
		case at >= 0:
			n.Skin = d.skinOf(at, names, numbers)
		}
		if n.Skin != nil && n.Mesh != nil && err == nil {
			if err = d.renumberJoints(n, names, numbers, done); err == nil {
				err = d.checkJoints("kept", n)
			}
		}
	})
	return err
}

// skinOf returns the skin that has joints, the one with a number before others; nil when there is none.
func (d *decoder) skinOf(at int, names, numbers []any) *asset.Skin {
	list := d.s.Skins
	if at < len(list) {
		list = append([]*asset.Skin{list[at]}, list...)
	}
	for _, s := range list {
		if d.jointPlaces(s, names, numbers, nil) {
			return s
		}
	}
	return nil
}

// jointPlaces finds the joints of a skin that have these numbers or, where editors dropped them, these names, and puts their
// places into a list that may be nil. It reports whether all of them are there.
func (d *decoder) jointPlaces(s *asset.Skin, names, numbers []any, places []uint16) bool {
	for i, name := range names {
		name, _ := name.(string)
		number := -1
		if i < len(numbers) {
			if x, ok := numbers[i].(float64); ok {
				number = int(x)
			}
		}
		at := d.jointPlace(s, i, name, number)
		if at < 0 {
			return false
		}
		if places != nil {
			places[i] = uint16(at)
		}
	}
	return true
}

// jointPlace returns the place of a joint in a skin; i is the one that it had. It is -1 for a joint that is gone.
func (d *decoder) jointPlace(s *asset.Skin, i int, name string, number int) int {
	if i < len(s.Joints) && s.Joints[i].Name == name {
		return i
	}
	for _, is := range []func(j *asset.Node) bool{
		func(j *asset.Node) bool { return number >= 0 && d.numberOf[j] == number+1 },
		func(j *asset.Node) bool { return j.Name == name },
		func(j *asset.Node) bool { return verbs.NameKey(j.Name) == verbs.NameKey(name) },
	} {
		if k := slices.IndexFunc(s.Joints, is); k >= 0 {
			return k
		}
	}
	return -1
}

// renumberJoints gives the vertices of a node the joints of its skin that have the names which they had: editors give
// joints another order. done holds what primitives share and has them already.
func (d *decoder) renumberJoints(n *asset.Node, names, numbers []any, done map[*[4]uint16]bool) error {
	to, same := make([]uint16, len(names)), true
	if !d.jointPlaces(n.Skin, names, numbers, to) {
		return schema.Errorf(formatName, schema.ErrMismatch, "joints", "a joint that it follows is not there any more")
	}
	for i, at := range to {
		same = same && int(at) == i
	}
	if same {
		return nil
	}
	for _, p := range n.Mesh.Primitives {
		for _, set := range p.Joints {
			if len(set) == 0 || done[&set[0]] {
				continue
			}
			done[&set[0]] = true
			for v := range set {
				for k, j := range set[v] {
					if int(j) < len(to) {
						set[v][k] = to[j]
					}
				}
			}
		}
	}
	return nil
}

// regainMeshes puts meshes into the scene's list, once those that several nodes hide.
func (d *decoder) regainMeshes(owner *asset.Node, s *asset.Scene, at []int, known *regained) {
	to := map[*asset.Mesh]*asset.Mesh{}
	for i, m := range s.Meshes {
		switch {
		case i >= len(at):
		case at[i] < 0 && owner.Mesh != nil:
			to[m] = owner.Mesh
			continue
		case at[i] >= 0:
			if x := known.meshes[at[i]]; x != nil && x.Name == m.Name && restore.SameMesh(restore.Signature(x), m) {
				to[m] = x
				continue
			} else if x == nil {
				known.meshes[at[i]] = m
				continue
			}
		}
		d.s.Meshes = append(d.s.Meshes, m)
	}
	s.Walk(func(n, _ *asset.Node) {
		if x := to[n.Mesh]; x != nil {
			n.Mesh = x
		}
	})
}

// regainAnimations lets animations move what was hidden.
func (d *decoder) regainAnimations(s *asset.Scene, at []int) {
	for i, a := range s.Animations {
		var k int
		if i < len(at) && at[i] >= 0 && at[i] < len(d.s.Animations) && strings.EqualFold(d.s.Animations[at[i]].Name, a.Name) {
			k = at[i]
		} else {
			k = slices.IndexFunc(d.s.Animations, func(x *asset.Animation) bool { return x.Name == a.Name })
		}
		if k < 0 {
			if len(d.s.Animations) == 0 {
				continue // all of them were taken out
			}
			d.diag.Lossf("animation-hidden", a.Name, "the animation is not in the scene any more under its name, and what is not shown moves in it no more")
			continue
		}
		d.s.Animations[k].Channels = append(d.s.Animations[k].Channels, a.Channels...)
	}
}
