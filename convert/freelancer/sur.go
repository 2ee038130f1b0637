package freelancer

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/hull"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// surFormat is that of collision files, which are no UTF trees.
func surFormat() format.Format {
	return format.Of(format.Format{
		Name: "sur", Family: family, Title: "Freelancer collision hulls", Kind: format.Model, Extensions: []string{".sur"},
		Within: modelExtensions,
		Probe:  probeSur, Document: surDocument,
	}, Hulls)
}

// Hulls holds the typed functions for one format: Freelancer collision hulls.
var Hulls = format.Functions[freelancer.Sur, *asset.Scene]{Read: read.Sur, Write: write.Sur, Facts: hullFacts, Lift: liftSur, Lower: lowerSur}

// probeSur knows the usual layout by its signature and version. The older one has a box and a name with its tag.
func probeSur(in *format.Input) format.Confidence {
	switch {
	case bytes.HasPrefix(in.Head, []byte(freelancer.SurMagic+"\x00\x00\x00\x40")):
		return format.Certain
	case bytes.HasPrefix(in.Head, []byte(freelancer.SurMagic)):
		return format.Plausible
	case read.OldSurBegins(in.Head):
		return format.Structural
	}
	return format.No
}

// liftSur makes a scene of a collision file: the parts of the model beside it, where they are, with their hulls. Without
// a model, the parts go by their hashes.
func liftSur(s *freelancer.Sur, env *format.Env) (*asset.Scene, error) {
	env = env.Given()
	b, err := write.Sur(s)
	if err != nil {
		return nil, err
	}
	m := modelBeside(env)
	if m == nil || len(m.parts) == 0 {
		m = hullModel(s, env)
	}
	m.scene.Meshes, m.scene.Materials, m.scene.Textures, m.scene.Animations, m.scene.Skins = nil, nil, nil, nil, nil
	m.liftHulls(s)
	var strays []string
	for i, p := range m.hullOwners {
		if p == nil {
			strays = append(strays, strconv.Itoa(i))
		} else {
			scene.SetShown(p.node.Native, "sur", float64(i))
		}
	}
	for _, p := range m.parts {
		x := p.node
		x.Mesh, x.LODs, x.Camera = nil, nil, nil
		x.Children = slices.DeleteFunc(x.Children, func(n *asset.Node) bool {
			isPart := slices.ContainsFunc(m.parts, func(q *part) bool { return q.node == n })
			return !isPart && !isHull(n) && !slices.ContainsFunc(n.Children, isHull)
		})
		on := ""
		if p.parent != nil {
			on = p.parent.name
			scene.SetShown(x.Native, "joint", x.Extras["construct"])
		}
		remember(x, on)
		delete(x.Native.Values, "switch2")
		for _, c := range x.Children {
			if rig.IsHardpoint(c) && c.Native != nil {
				remember(c, p.name)
			}
		}
	}
	var shown []string
	for _, x := range m.shownHulls {
		shown = append(shown, x.ID)
	}
	m.scene.Native = &asset.Native{Format: "sur", Payload: b, Values: scene.ForReading(map[string]any{"hulls": strings.Join(shown, " "), "strays": strings.Join(strays, " "), "shows": shownParts(m.scene)})}
	return m.scene, nil
}

func quatOf(m mgl64.Mat4) []float32 {
	q := scene.NarrowTurn(space.Quat(space.Rigid(m).Mat3()))
	return q[:]
}

// modelExtensions are those of the models that collision files lie beside.
var modelExtensions = []string{".cmp", ".3db"}

// modelBeside lifts the model that a collision file belongs to, which has its name; nil when there is none.
func modelBeside(env *format.Env) *model {
	stem := stemOf(env.Name)
	if stem == "" {
		return nil
	}
	var names []string
	for _, ext := range modelExtensions {
		names = append(names, stem+ext)
	}
	b, path, err := env.Find(names...)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var t *freelancer.Tree
	if err == nil {
		t, err = read.UTF(b, nil)
	}
	var m *model
	if err == nil {
		quiet := format.Env{Name: env.Name}
		m, err = newModel(kindOfTree(t.Root), t, &quiet)
	}
	if err != nil {
		env.Diagnostics.Warnf("model-unusable", path, "the parts are called by their hashes: %v", err)
		return nil
	}
	m.env, m.d = env, env.Diagnostics
	return m
}

// hullModel stands for a model that is not at hand: its parts lie side by side.
func hullModel(s *freelancer.Sur, env *format.Env) *model {
	m := &model{env: env, d: env.Diagnostics, scene: &asset.Scene{Name: stemOf(env.Name)}, ids: map[string]bool{}}
	for _, x := range hull.PartsOf(s) {
		name := x.ID.String()
		switch {
		case x.Part == nil && x.Name != "":
			name = x.Name
		case x.Part == nil || x.ID == 0 || uint32(x.ID) == freelancer.FLCRC("Root"):
			name = "Root"
		}
		p := &part{name: name, node: asset.NewNode(name), crc: x.ID}
		m.id(p.node, "part:"+name)
		m.parts = append(m.parts, p)
		m.scene.Roots = append(m.scene.Roots, p.node)
	}
	return m
}

// lowerSur makes a collision file of a scene: of one that was made from such a file, or of any with hulls.
func lowerSur(s *asset.Scene, env *format.Env) (*freelancer.Sur, error) {
	env = env.Given()
	if s.Native != nil && s.Native.Format == "sur" {
		if old := carriedHulls(s, env.Diagnostics); old != nil {
			return lowerOwnSur(s, old, env)
		}
	}
	if onlyHulls(s) {
		return lowerOwnSur(s, nil, env)
	}
	name := "cmp"
	if s.Native != nil && s.Native.Format == "3db" {
		name = "3db"
	}
	e, _, err := lowerTree(name, s, env)
	if err != nil {
		return nil, err
	}
	x, err := e.collision()
	if x == nil && err == nil {
		err = schema.Errorf("sur", schema.ErrUnsupported, "", "the scene has no hulls, which are meshes whose names end in %s", hull.Suffix)
		err = schema.Hinted(err, ": --hulls makes them of the parts' shapes")
	}
	return x, err
}

// onlyHulls reports whether a scene shows nothing else, so that its nodes are what they are called after.
func onlyHulls(s *asset.Scene) bool {
	hulls, others := 0, 0
	s.Walk(func(n, _ *asset.Node) {
		switch {
		case isHull(n):
			hulls++
		case n.Mesh != nil && !rig.Ignored(n):
			others++
		}
	})
	return hulls > 0 && others == 0
}

// ownSur finds the parts of a scene that was made from a collision file.
type ownSur struct {
	*hull.Editor
	s        *asset.Scene
	parentOf map[*asset.Node]*asset.Node
	partOf   map[*asset.Node]*hull.Part
	seen     map[string]*asset.Node // by id
	size     float64                // of the scene
}

func lowerOwnSur(s *asset.Scene, old *freelancer.Sur, env *format.Env) (*freelancer.Sur, error) {
	o := &ownSur{s: s, size: scene.Size(s), parentOf: map[*asset.Node]*asset.Node{}, partOf: map[*asset.Node]*hull.Part{}, seen: map[string]*asset.Node{}}
	if old == nil {
		o.Editor = hull.NewEditor(env.Diagnostics, nil, nil, nil)
		env.Diagnostics.Warnf("hulls-made-anew", s.Name, "the scene carries no .sur file: one is made of its hulls, with the parts called as their nodes are")
	} else {
		o.Editor = hull.NewEditor(env.Diagnostics, old, hull.PartsOf(old), shownIn(s, old))
	}
	if err := tellLost("sur", s, env.Diagnostics); err != nil {
		return nil, err
	}
	o.reportOthers()
	if old != nil {
		o.reportLooks()
	}
	s.Walk(func(n, parent *asset.Node) {
		o.parentOf[n] = parent
		if id := rig.ID(n); id != "" && o.seen[id] == nil {
			o.seen[id] = n
		}
	})
	o.undoCopyNames()
	s.Walk(func(n, _ *asset.Node) {
		if o.isPart(n) {
			o.addPart(n)
		}
	})
	var strays string
	if old != nil {
		strays = scene.ShownText(s.Native, "strays")
	}
	for _, text := range strings.Fields(strays) {
		if i, err := strconv.Atoi(text); err == nil && i >= 0 && i < len(o.Stored) {
			o.Stray(i)
		}
	}
	s.Walk(func(n, _ *asset.Node) {
		if rig.IsHardpoint(n) && o.partAbove(n) != nil {
			o.partAbove(n).Hardpoints[n.Name] = true
		}
	})
	o.addHulls()
	o.reportMoved()
	o.reportBare()
	o.reportModel()
	x, err := o.File()
	if x == nil && err == nil {
		x = &freelancer.Sur{Version: freelancer.SurVersion}
		env.Diagnostics.Warnf("hulls-removed", "", "the scene has no hulls any more: nothing would hit the model")
	}
	return x, err
}

// addHulls gives the parts their hulls.
func (o *ownSur) addHulls() {
	var alone, misplaced scene.Tally
	o.s.Walk(func(n, above *asset.Node) {
		if rig.ID(n) != "" && above != nil && isHull(above) {
			misplaced.Add(n.Name)
		}
		if !isHull(n) {
			return
		}
		id := rig.ID(n)
		if o.seen[id] != n {
			id = ""
		}
		p := o.partAbove(n)
		if p == nil {
			p = o.PartOf(id) // it was taken off its part, where it stands all the same
		}
		if p == nil {
			alone.Add(n.Name)
			return
		}
		crc := o.Add(p, n, hardpointAbove(n, o.parentOf, o.partOf), mesh.Soup(n.Mesh, o.frame(p).Inv().Mul4(space.World(n, o.parentOf))), id)
		if id != "" && n.Extras[hull.Owner] == nil && o.partOf[above] == p && p.HasHardpoint(crc) {
			misplaced.Add(n.Name) // its name gives it to a hardpoint
		}
	})
	alone.Tell(o.Diagnostics, "hull-alone", "", "the hull", "hulls", "is left out: it hangs on no part, and the hulls of a .sur file belong to parts")
	misplaced.Tell(o.Diagnostics, "hull-parent", "", "the new parent of", "new parents of parts, hardpoints and hulls",
		"is left out: nothing hangs on a hull, and a hull that is called after a hardpoint of its part is that hardpoint's")
}

// shownIn returns the hulls that a scene showed when it was made.
func shownIn(s *asset.Scene, old *freelancer.Sur) (list []hull.Shown) {
	text := scene.ShownText(s.Native, "hulls")
	parts := hull.PartsOf(old)
	for _, id := range strings.Fields(text) {
		steps := strings.Split(strings.TrimPrefix(id, "hull:"), ":")
		if len(steps) != 2 {
			continue
		}
		i, err := strconv.Atoi(steps[0])
		k, err2 := strconv.Atoi(steps[1])
		if err == nil && err2 == nil && i >= 0 && i < len(parts) && k >= 0 && k < len(parts[i].Hulls) {
			list = append(list, hull.Shown{Part: i, Hull: k, ID: id})
		}
	}
	return list
}

// isPart reports whether a node stands for a part: it was one, or it holds a hull and is nothing else.
func (o *ownSur) isPart(n *asset.Node) bool {
	if id := rig.ID(n); strings.HasPrefix(id, "part:") {
		return true
	}
	return !isHull(n) && !rig.IsHardpoint(n) && !rig.Ignored(n) && slices.ContainsFunc(n.Children, func(c *asset.Node) bool {
		return isHull(c) || rig.IsHardpoint(c) && slices.ContainsFunc(c.Children, isHull)
	})
}

func (o *ownSur) addPart(n *asset.Node) {
	p := hull.NewPart(n.Name)
	p.ID = freelancer.Hash(freelancer.FLCRC(n.Name))
	if id, ok := freelancer.ParseHash(n.Name); ok {
		p.ID = id
	}
	p.Parent = o.partAbove(n)
	p.Fixed = p.Parent != nil && n.Extras["construct"] == rig.Constructs[freelancer.Fix]
	if p.Parent != nil {
		p.Place = o.frame(p.Parent).Inv().Mul4(space.Rigid(space.World(n, o.parentOf)))
	}
	if was, ok := strings.CutPrefix(rig.ID(n), "part:"); ok && o.seen[rig.ID(n)] == n {
		p.Rejoined = p.Parent != nil && scene.Shown(n.Native, "joint") != nil && scene.Shown(n.Native, "joint") != n.Extras["construct"]
		p.Still = !p.Rejoined && o.still(n, p)
		if i := scene.ShownWhole(n.Native, "sur", -1); i >= 0 && i < len(o.Stored) {
			p.Stored = i
			o.Name(p, was == n.Name)
		}
	}
	o.partOf[n] = p
	o.Parts = append(o.Parts, p)
}

// still reports whether a part is where it was when the scene was made.
func (o *ownSur) still(n *asset.Node, p *hull.Part) bool {
	if p.Parent == nil {
		return scene.ShownText(n.Native, "on") == ""
	}
	return o.stands(n, p.Parent, o.frame(p.Parent))
}

// stands reports whether a node is where it was in the frame of a part, or of nothing, when the scene was made.
func (o *ownSur) stands(n *asset.Node, on *hull.Part, frame mgl64.Mat4) bool {
	name := ""
	if on != nil {
		name = on.Name
	}
	at, turn := rig.Numbers(rig.Values(n.Native), "place"), rig.Numbers(rig.Values(n.Native), "turn")
	if !strings.EqualFold(scene.ShownText(n.Native, "on"), name) || len(at) != 3 || len(turn) != 4 {
		return false
	}
	was, now := asset.Identity, space.Transform(frame.Inv().Mul4(space.Rigid(space.World(n, o.parentOf))))
	was.Translation, was.Rotation = [3]float32(scene.Narrow(at)), [4]float32(scene.Narrow(turn))
	return scene.SameTransform(&was, &now, o.size) // editors compute it of places in the world
}

func (o *ownSur) partAbove(n *asset.Node) *hull.Part {
	for n = o.parentOf[n]; n != nil; n = o.parentOf[n] {
		if p := o.partOf[n]; p != nil {
			return p
		}
	}
	return nil
}

// frame returns where the hulls of a part have their origin. Those of one that hangs on nothing have the model's, so that they
// take all that is done to it.
func (o *ownSur) frame(p *hull.Part) mgl64.Mat4 {
	if p.Parent == nil {
		return mgl64.Ident4()
	}
	return o.place(p)
}

// place returns where a part is in the world, and the world itself for none.
func (o *ownSur) place(p *hull.Part) mgl64.Mat4 {
	for n, q := range o.partOf {
		if p == q {
			return space.Rigid(space.World(n, o.parentOf))
		}
	}
	return mgl64.Ident4()
}

// placed reports whether a node is a part's own, which knows where it stood.
func (o *ownSur) placed(n *asset.Node) bool {
	return o.seen[rig.ID(n)] == n && rig.Numbers(rig.Values(n.Native), "place") != nil
}

// reportLooks reports colours that somebody gave to hulls, which are shown in one that is not theirs.
func (o *ownSur) reportLooks() {
	look := newHullLook()
	var materials, bare, inside []string
	o.s.Walk(func(n, _ *asset.Node) {
		if !isHull(n) {
			return
		}
		if rig.ID(n) != "" && n.Native.Values[inward] == nil && volume(n.Mesh) < 0 {
			inside = append(inside, n.Name)
		}
		for _, p := range n.Mesh.Primitives {
			if p.Material == nil && rig.ID(n) != "" && !slices.Contains(bare, n.Name) {
				bare = append(bare, n.Name)
			}
			if m := p.Material; m != nil && (scene.Renamed(look.Name, m.Name) || !scene.SameLook(look, m)) && !slices.Contains(materials, m.Name) {
				materials = append(materials, m.Name)
			}
		}
	})
	tell := func(names []string, code, text string) {
		if len(names) > 0 {
			o.Diagnostics.Lossf(code, names[0], text, len(names))
		}
	}
	tell(materials, "material-left-out", "a .sur file holds no materials: %d of the scene are left out, of which this is the first")
	tell(inside, "hull-facing", "the triangles of %d hulls, of which this is the first, face inwards: those of a .sur file face outwards always")
	tell(bare, "material-left-out", "a .sur file holds no materials: %d hulls, of which this is the first, wear the one that shows them apart")
}

// volume returns the volume of a closed mesh. It is negative if triangles face inwards, and 0 for a flat mesh, such as
// triangles with two sides, one of which editors drop.
func volume(m *asset.Mesh) (sum float64) {
	triangles := mesh.Soup(m, mgl64.Ident4())
	var middle mgl64.Vec3
	for _, t := range triangles {
		for _, v := range t {
			middle = middle.Add(scene.Wide3(v).Mul(1 / float64(3*len(triangles))))
		}
	}
	far := 0.0
	for _, t := range triangles {
		a, b, c := scene.Wide3(t[0]).Sub(middle), scene.Wide3(t[1]).Sub(middle), scene.Wide3(t[2]).Sub(middle)
		far = max(far, a.Len(), b.Len(), c.Len())
		sum += a.Dot(b.Cross(c))
	}
	if math.Abs(sum) < 1e-6*far*far*far {
		return 0
	}
	return sum
}

// reportOthers reports what a collision file does not hold.
func (o *ownSur) reportOthers() {
	var names []string
	o.s.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil && !isHull(n) && !rig.Ignored(n) {
			names = append(names, n.Name)
		}
	})
	if len(names) > 0 {
		o.Diagnostics.Lossf("meshes-left-out", names[0], "%d meshes are no hulls (%s): the name of a hull ends in %s", len(names), strings.Join(names[:min(3, len(names))], ", "), hull.Suffix)
	}
}
