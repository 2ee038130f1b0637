package mesh

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

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
	write "github.com/usher-assets/usher/write/unreal"
)

// lowerPSK makes a mesh and hands its motions to env.Emit. A scene that did not change gives the stored file. The points
// of a mesh that comes from a package are the mesh's own: how it is placed is a matter of the import.
func lowerPSK(s *asset.Scene, env *format.Env) (*unreal.PSK, error) {
	stored, motions, err := storedActorX(s)
	if err != nil {
		return nil, err
	}
	pkg := pack.Scratch()
	var old *oldActorX
	if stored != nil {
		if old, err = liftedActorX(pkg, stored, motions, s.Name); err != nil {
			return nil, err
		}
	}
	switch {
	case old != nil:
		takePose(s, old.scene, s.Name, env.Told())
	default:
		bindNew(s, s.Name, env.Told())
	}
	bare, placed := s, false
	if old == nil { // that of a mesh of a package; a file has none, and what stands there is an edit
		bare, placed = withoutPlacement(s)
	}
	e, err := gatherPSK(pkg, bare, old, env)
	if err != nil {
		return nil, err
	}
	x := e.file()
	if old != nil {
		if e.same(old.on) {
			x = stored
			Shown(s).TellShading(Shown(old.scene), s.Name, env.Told())
		}
		keepStored(x, stored)
	}
	look.TellUnmapped(s, env.Told())
	look.TellNames(s, env.Told())
	scene.TellJumps(s.Animations, scene.Size(s), s.Name, "a .psa file", env.Told())
	if err := cmp.Or(look.Check(s), scene.Lost(s, &skeletalRoom, env.Told())); err != nil {
		return nil, err
	}
	is, err := pskScene(x, nil, s.Name, nil)
	if err != nil {
		return nil, err
	}
	look.TellMaterials(s, is, &skeletalRoom, s.Name, env.Told())
	if placed {
		env.Told().Warnf("mesh-placed", s.Name, "the file holds the mesh's own numbers, without the scale, origin and rotation that its package places it with")
	}
	return x, e.emitMotions(s, old, env)
}

// withoutPlacement returns a scene of a skeletal mesh without what the node that places it does, and whether it did
// anything.
func withoutPlacement(s *asset.Scene) (bare *asset.Scene, placed bool) {
	if len(s.Roots) == 0 || len(s.Roots[0].Children) != 1 {
		return s, false
	}
	place := s.Roots[0].Children[0]
	if place.Mesh != nil || !strings.HasSuffix(place.Name, " placement") || place.Transform == asset.Identity || place.Transform.Matrix != nil {
		return s, false
	}
	out := *s
	root, node := *s.Roots[0], *place
	node.Transform = asset.Identity
	root.Children = []*asset.Node{&node}
	out.Roots = append([]*asset.Node{&root}, s.Roots[1:]...)
	return &out, true
}

// pskEdit is a scene on its way into a PSK file.
type pskEdit struct {
	*pack.File
	mesh *unreal.SkeletalMesh // its bones
	rig  *skeleton.Rig
	g    *Triangles
	mats []*asset.Material // of g.materials
}

// gatherPSK collects what a scene shows, on bones whose axes are those of the stored files: editors turn them as they
// like.
func gatherPSK(pkg *pack.File, s *asset.Scene, old *oldActorX, env *format.Env) (*pskEdit, error) {
	env = env.Given()
	m := emptySkeletal(pkg, s.Name)
	r, err := skeleton.RigOf(s, &m.Mesh, env.Told())
	if err != nil {
		return nil, err
	}
	if len(r.Bones) == 0 {
		return nil, schema.Errorf(unreal.PSKFormat, schema.ErrUnsupported, "bones", "a scene without a skin cannot become a skinned mesh")
	}
	if old != nil {
		number, _ := r.Numbers(old.on.rig)
		for i, k := range number {
			if k >= 0 {
				r.Bones[i].Name = old.on.rig.Bones[k].Name
			}
		}
		r.Orient(old.on.rig, number)
	}
	e := &pskEdit{File: pkg, mesh: m, rig: r, g: &Triangles{}}
	known := map[*asset.Material]int{}
	for _, n := range space.Shown(s) {
		place := r.Place(n)
		for _, p := range n.Node.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				continue
			}
			if len(e.g.vertices)+len(p.Positions) > maxAnimated {
				return nil, schema.Errorf(unreal.PSKFormat, schema.ErrLimit, "vertices", "more than %d positions", maxAnimated)
			}
			if err := e.g.add(p, &place, indexOf(known, p.Material, p.Material, &e.mats)); err != nil {
				return nil, err
			}
		}
	}
	if len(e.g.faces) == 0 {
		return nil, schema.Errorf(unreal.PSKFormat, schema.ErrUnsupported, "", "a scene without triangles cannot become a mesh")
	}
	if len(e.mats) > math.MaxUint8 {
		return nil, schema.Errorf(unreal.PSKFormat, schema.ErrLimit, "materials", "%d; a face has a byte for its own", len(e.mats))
	}
	for _, k := range e.mats {
		e.g.materials = append(e.g.materials, unreal.MeshMaterial{Flags: look.FlagsOf(k), Texture: look.TextureIndex(k)})
	}
	edit := &skeletalEdit{File: pkg, mesh: m, rig: r, env: env}
	return e, edit.setBones()
}

// same reports whether two scenes have the same triangles, bindings, bones and materials.
func (e *pskEdit) same(o *pskEdit) bool {
	if len(e.mesh.Bones) != len(o.mesh.Bones) || len(e.mats) != len(o.mats) || !e.g.Same(o.g) {
		return false
	}
	for i := range e.mesh.Bones {
		a, b := &e.mesh.Bones[i], &o.mesh.Bones[i]
		if a.Name != b.Name || a.Parent != b.Parent || !skeleton.SameTurn(scene.Turn(a.Orientation), scene.Turn(b.Orientation), 1e-5) {
			return false
		}
		for k := range a.Position {
			if !space.Close(a.Position[k], b.Position[k], 1e-4*max(1, float32(math.Abs(float64(b.Position[k]))))) {
				return false
			}
		}
	}
	for i, m := range e.mats {
		if (m == nil) != (o.mats[i] == nil) || m != nil && m.Name != o.mats[i].Name {
			return false
		}
	}
	return true
}

// file makes a PSK file: points are put together where position, pulls and shading are the same, wedges where also the texture
// coordinates and the material are.
func (e *pskEdit) file() *unreal.PSK {
	x := &unreal.PSK{}
	type key struct {
		point    int
		uv       [2]float32
		material int
	}
	points, wedges := &welder{at: map[string][]int{}}, map[key]int{}
	for _, f := range e.g.faces {
		y := unreal.PSKFace{Material: uint8(f.material), Smoothing: 1}
		for k, c := range f.corners {
			v := &e.g.vertices[c]
			p, fresh := points.vertex(v.key(), v.shade)
			if fresh {
				x.Points = append(x.Points, space.Skeletal.Back(v.position))
				for _, w := range v.pulls {
					x.Weights = append(x.Weights, unreal.PSKWeight{Weight: float32(w.Weight) / math.MaxUint16, Point: int32(p), Bone: int32(w.Bone)})
				}
			}
			w := unreal.PSKWedge{Point: uint32(p), UV: v.uv, Material: uint8(f.material)}
			y.Wedges[k] = uint32(indexOf(wedges, key{p, v.uv, f.material}, w, &x.Wedges))
		}
		x.Faces = append(x.Faces, y)
	}
	for i, m := range e.mats {
		name := "material" + strconv.Itoa(i)
		if m != nil && m.Name != "" {
			name = m.Name
		}
		texture := e.g.materials[i].Texture
		if texture < 0 {
			texture = int32(i)
		}
		x.Materials = append(x.Materials, unreal.PSKMaterial{Name: unreal.NewActorXName(strings.ReplaceAll(name, " ", "_")), Texture: texture, Flags: e.g.materials[i].Flags, AuxFlags: 1, LODBias: 5})
	}
	x.Bones = e.bones()
	return x
}

func (e *pskEdit) bones() (list []unreal.ActorXBone) {
	for i := range e.mesh.Bones {
		b := &e.mesh.Bones[i]
		list = append(list, unreal.ActorXBone{Name: unreal.NewActorXName(e.Name(b.Name)), Flags: b.Flags, Children: b.Children, Parent: b.Parent,
			Orientation: b.Orientation, Position: b.Position, Length: b.Length, Size: b.Size})
	}
	return list
}

// oldActorX is what the stored files show.
type oldActorX struct {
	motions *unreal.PSA // nil for none
	scene   *asset.Scene
	shown   []*asset.Animation
	on      *pskEdit
}

func liftedActorX(pkg *pack.File, mesh *unreal.PSK, motions *unreal.PSA, name string) (*oldActorX, error) {
	was, err := pskScene(mesh, motions, name, nil)
	if err != nil {
		return nil, err
	}
	on, err := gatherPSK(pkg, was, nil, nil)
	if err != nil {
		return nil, err
	}
	return &oldActorX{motions, was, was.Animations, on}, nil
}

// find returns the stored sequence that an animation is, where nobody edited it; −1 otherwise.
func (o *oldActorX) find(name string, now []skeleton.Motion) int {
	if o == nil || o.motions == nil || len(now) != len(o.on.rig.Bones) || len(o.motions.Bones) != len(now) {
		return -1
	}
	n := -1
	for i := range o.motions.Sequences {
		if o.motions.Sequences[i].Name.Text == name {
			n = i
		}
	}
	k := slices.IndexFunc(o.shown, func(a *asset.Animation) bool { return a.Name == name })
	if n < 0 || k < 0 {
		return -1
	}
	was, err := o.on.rig.Motions(o.shown[k], nil)
	if err != nil || was == nil {
		return -1
	}
	for i := range now {
		if o.on.rig.Bones[i].Name != o.on.Name(o.on.mesh.Bones[i].Name) || !now[i].Same(&was[i], max(o.on.rig.Size(), 1)) {
			return -1
		}
	}
	return n
}

// emitMotions writes the animations of a scene as a PSA file beside the mesh: a key for each frame of each bone. What
// nobody edited stays as it is stored.
func (e *pskEdit) emitMotions(s *asset.Scene, old *oldActorX, env *format.Env) error {
	if len(s.Animations) == 0 {
		kept := old != nil && old.motions != nil && len(old.motions.Sequences) > 0
		if kept && restore.Does(s, restore.DropsUnused) && env != nil && env.Emit != nil { // they move nothing
			return emitPSA(old.motions, s, env)
		}
		if kept {
			env.Told().Warnf("motions-kept", old.motions.Sequences[0].Name.Text, "the scene has no animations at all; the .psa file beside the mesh stays as it is")
		}
		return nil
	}
	if env == nil || env.Emit == nil {
		env.Told().Lossf("motions", s.Name, "there is no place for the motions beside the mesh")
		return nil
	}
	x := &unreal.PSA{Bones: e.bones()}
	kept, size := 0, scene.Size(s)
	var between scene.Tally
	for _, m := range s.Animations {
		now, err := e.rig.Motions(m, env.Told())
		if err != nil {
			return err
		}
		if now == nil {
			env.Told().Lossf("animation", m.Name, "it moves no bone")
			continue
		}
		if n := old.find(m.Name, now); n >= 0 {
			q := old.motions.Sequences[n]
			keys := old.motions.Keys[int(q.First)*len(now):][:int(q.Frames)*len(now)]
			q.First = int32(len(x.Keys) / len(now))
			x.Sequences, x.Keys = append(x.Sequences, q), append(x.Keys, keys...)
			kept++
			continue
		}
		e.sample(x, m.Name, now)
		rate := float64(x.Sequences[len(x.Sequences)-1].Rate)
		for _, c := range m.Channels {
			if scene.Valid(c) && scene.FramesMiss(scene.CurveOf(c.Node, c.Path, c), rate, size, nil) {
				between.Add(m.Name)
				break
			}
		}
	}
	between.Tell(env.Told(), "between-frames", s.Name, "animation", "animations", "moves otherwise between its frames: a .psa file holds frames alone, as many a second as an animation has")
	if old != nil && old.motions != nil {
		e.tellGone(x, old.motions, s.Name, env.Told())
	}
	if old != nil && old.motions != nil && kept == len(old.motions.Sequences) && kept == len(x.Sequences) {
		x = old.motions
	}
	return emitPSA(x, s, env)
}

// tellGone reports motions that the file beside the mesh had and has no longer.
func (e *pskEdit) tellGone(now, was *unreal.PSA, path string, d *schema.Diagnostics) {
	for i := range was.Sequences {
		name := was.Sequences[i].Name.Text
		if !slices.ContainsFunc(now.Sequences, func(q unreal.PSASequence) bool { return q.Name.Text == name }) {
			d.Warnf("motion-gone", path, "animation %q is not in the scene any more, nor in the .psa file beside the mesh", name)
		}
	}
}

// emitPSA hands over a file of motions.
func emitPSA(x *unreal.PSA, s *asset.Scene, env *format.Env) error {
	b, err := write.PSA(x)
	if err != nil {
		return err
	}
	name := env.Output
	if name == "" {
		name = pack.CleanName(s.Name, "mesh")
	}
	return env.Emit(name+".psa", b)
}

// sample appends a motion, at the rate at which its keys stand.
func (e *pskEdit) sample(x *unreal.PSA, name string, now []skeleton.Motion) {
	rate := rateOf(now)
	frames := framesOf(lengthOf(now), rate)
	total := int32(len(x.Keys) / max(len(x.Bones), 1))
	x.Sequences = append(x.Sequences, unreal.PSASequence{Name: unreal.NewActorXName(strings.ReplaceAll(name, " ", "_")), Group: unreal.NewActorXName("None"),
		Bones: int32(len(x.Bones)), Quotum: int32(len(x.Bones)) * frames, Reduction: 1, TrackTime: float32(frames), Rate: rate, First: total, Frames: frames})
	for f := range frames {
		for b := range now {
			turn, _, place := now[b].At(float32(f) / rate)
			x.Keys = append(x.Keys, unreal.PSAKey{Position: space.Skeletal.Back(scene.Narrow3(place)), Time: 1,
				Rotation: storedRotation([4]float32{float32(turn.V[0]), float32(turn.V[1]), float32(turn.V[2]), float32(turn.W)}, b == 0)})
		}
	}
}

// rateOf returns the frames a second at which all keys of motions stand; 30 where they do not stand evenly.
func rateOf(now []skeleton.Motion) float32 {
	step := float32(math.Inf(1))
	for i := range now {
		for k := 1; k < len(now[i].Times); k++ {
			step = min(step, now[i].Times[k]-now[i].Times[k-1])
		}
	}
	rate := float32(math.Round(float64(1/step)*100) / 100)
	if !(rate >= 1) || rate > 240 {
		return skeleton.SampleRate
	}
	for i := range now {
		for _, t := range now[i].Times {
			if n := float64(t * rate); math.Abs(n-math.Round(n)) > 0.02 {
				return skeleton.SampleRate
			}
		}
	}
	return rate
}
