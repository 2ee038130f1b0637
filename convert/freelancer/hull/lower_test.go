package hull

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

func id(name string) freelancer.Hash { return freelancer.Hash(freelancer.FLCRC(name)) }

// storedAs returns a stored part with hardpoints and hulls of some ids; those in brackets only wrap others.
func storedAs(name, hardpoints, hulls string) Stored {
	p := &freelancer.SurPart{ID: id(name), Surface: &freelancer.Surface{Points: []freelancer.SurPoint{{ID: id(name)}}}}
	for _, h := range strings.Fields(hardpoints) {
		p.Hardpoints = append(p.Hardpoints, id(h))
	}
	for _, h := range strings.Fields(hulls) {
		kind := freelancer.TerminalHull
		if strings.HasPrefix(h, "(") {
			kind = freelancer.WrappingHull
		}
		p.Surface.Hulls = append(p.Surface.Hulls, freelancer.SurHull{Kind: kind, ID: id(strings.Trim(h, "()")), Faces: []freelancer.SurFace{{}}})
	}
	return PartsOf(&freelancer.Sur{Parts: []*freelancer.SurPart{p}})[0]
}

// partOf returns a part of the scene: its name, its number in the file, and its hardpoints.
func partOf(name string, stored int, hardpoints ...string) *Part {
	p := NewPart(name)
	p.ID, p.Stored = id(name), stored
	for _, h := range hardpoints {
		p.Hardpoints[h] = true
	}
	return p
}

// called tells ids by their names.
func called(ids map[freelancer.Hash]bool, names ...string) string {
	var list []string
	for _, n := range names {
		if ids[id(n)] {
			list = append(list, n)
		}
	}
	return fmt.Sprint(len(ids), " ", strings.Join(list, " "))
}

// TestHullOwner: whose a hull is, by the node above it, its name, its properties and what it remembers.
func TestHullOwner(t *testing.T) {
	e := NewEditor(nil, nil, []Stored{storedAs("root", "HpOld HpGone", "root HpOld")}, nil)
	root, wing := partOf("root", 0, "HpGun"), partOf("Wing", -1, "HpTip")
	e.Parts = []*Part{root, wing}
	e.renew = map[freelancer.Hash]freelancer.Hash{id("HpOld"): id("HpNew"), id("fin"): id("wing")}
	crc := func(name string) *asset.Native {
		return &asset.Native{Values: map[string]any{"crc": id(name).String()}}
	}
	for _, c := range []struct {
		what      string
		p         *Part
		n         asset.Node
		hardpoint *asset.Node
		want      string
		listed    bool
	}{
		{"below a hardpoint", root, asset.Node{Name: "x"}, &asset.Node{Name: "HpX"}, "HpX", true},
		{"of the part", root, asset.Node{Name: "ROOT.0$hull"}, nil, "root", false},
		{"of its hardpoint", root, asset.Node{Name: "HpGun$hull.001"}, nil, "HpGun", true},
		{"of a hardpoint of another part", root, asset.Node{Name: "HpTip$hull"}, nil, "root", false},
		{"of the shield", wing, asset.Node{Name: freelancer.ShieldBubble + "$hull"}, nil, freelancer.ShieldBubble, true},
		{"by a hash", root, asset.Node{Name: id("other").String() + ".0$hull"}, nil, "other", false},
		{"by the hash of a stored hardpoint", root, asset.Node{Name: id("HpOld").String() + "$hull"}, nil, "HpNew", true},
		{"by such a hash, on a new part", wing, asset.Node{Name: id("HpOld").String() + "$hull"}, nil, "HpNew", false},
		{"of another part", root, asset.Node{Name: "fin$hull", Extras: map[string]any{Owner: "fin"}}, nil, "wing", false},
		{"of the hardpoint of another part", root, asset.Node{Name: "HpTip$hull", Extras: map[string]any{Owner: "wing"}}, nil, "HpTip", true},
		{"of no hardpoint of that part", root, asset.Node{Name: "HpTip$hull", Extras: map[string]any{Owner: "root"}}, nil, "root", false},
		{"of another part, by what it remembers", root, asset.Node{Name: "x", Extras: map[string]any{Owner: "wing"}, Native: crc("HpGone")}, nil, "HpGone", true},
		{"the same, of no stored hardpoint", root, asset.Node{Name: "x", Extras: map[string]any{Owner: "wing"}, Native: crc("fin")}, nil, "wing", false},
		{"the same, on a new part", wing, asset.Node{Name: "x", Extras: map[string]any{Owner: "wing"}, Native: crc("HpOld")}, nil, "HpNew", false},
		{"what it remembers alone", root, asset.Node{Name: "x", Native: crc("fin")}, nil, "root", false},
		{"it remembers nothing", root, asset.Node{Name: "x", Extras: map[string]any{Owner: "wing"}, Native: &asset.Native{}}, nil, "wing", false},
	} {
		if got, listed := e.identify(c.p, &c.n, c.hardpoint); got != id(c.want) || listed != c.listed {
			t.Errorf("%s: %v, %v, want %s %v", c.what, got, listed, c.want, c.listed)
		}
	}
	e.Gone = map[freelancer.Hash]bool{id("fin"): true}
	for name, want := range map[string]bool{"fin": true, "wing": false} {
		if e.IsGone(&asset.Node{Native: crc(name)}) != want || e.IsGone(&asset.Node{Name: name}) {
			t.Errorf("%s is gone: %v", name, !want)
		}
	}
}

// TestHullParts: which part of the scene is which of the file, under which name, and in what order they are written.
func TestHullParts(t *testing.T) {
	e := NewEditor(nil, nil, []Stored{storedAs("root", "HpA", "root"), storedAs("wing", "", "wing"), storedAs("stray", "", "stray"), {ID: 1, Name: "old"}}, []Shown{{1, 0, "w0"}, {2, 0, "s0"}, {3, 0, "o0"}})
	root, wing, old, fresh := partOf("root", 0), partOf("fin", 1), partOf("older", 3), partOf("new", -1)
	e.Parts = []*Part{fresh, wing, root, old}
	for _, p := range []*Part{wing, root, old} {
		e.Name(p, false)
	}
	if len(e.renew) != 1 || e.renew[id("wing")] != id("fin") || len(e.called) != 1 || e.called[3] != "older" {
		t.Errorf("%v, %v", e.renew, e.called)
	}
	same := partOf("Wing.001", 1)
	oldest := partOf("old", 3)
	e.Name(same, true)
	e.Name(oldest, true)
	if same.ID != id("wing") || oldest.ID != id("old") || len(e.called) != 1 {
		t.Errorf("%v, %v, %v", same.ID, oldest.ID, e.called)
	}
	e.Rename("HpA", "HPa")
	e.Rename("HpNone", "HpB")
	if len(e.renew) != 1 {
		t.Errorf("renamed without need: %v", e.renew)
	}
	if e.Rename("HpA", "HpB"); e.renew[id("HpA")] != id("HpB") {
		t.Error("a hardpoint keeps its old name")
	}
	e.Stray(2)
	e.Stray(2)
	e.Stray(1)
	stray := e.Parts[len(e.Parts)-1]
	if len(e.Parts) != 5 || stray.Stored != 2 || !stray.Still || stray.ID != id("stray") || stray.Name != "" {
		t.Errorf("%+v", stray)
	}
	if e.PartOf("w0") != wing || e.PartOf("s0") != stray || e.PartOf("x") != nil || e.PartOf("") != nil {
		t.Error("hulls are told to be of other parts")
	}
	if got := e.order(); !slices.Equal(got, []*Part{fresh, root, wing, stray, old}) {
		t.Error("a new root is not the first")
	}
	e.Parts = []*Part{root, fresh, wing}
	if got := e.order(); !slices.Equal(got, []*Part{root, wing, fresh}) {
		t.Error("new parts do not come last")
	}
	e.Parts = []*Part{wing, root}
	if got := e.order(); !slices.Equal(got, []*Part{root, wing}) {
		t.Error("stored parts are not in the order of the file")
	}
	stays := NewEditor(nil, &freelancer.Sur{Old: &freelancer.OldSur{Parts: []freelancer.OldSurPart{{Name: "old"}}}}, nil, nil)
	stays.called[0] = "new"
	if got := stays.underNewNames(); got.Old.Parts[0].Name != "new" || stays.Old.Old.Parts[0].Name != "old" {
		t.Errorf("%q is called %q", stays.Old.Old.Parts[0].Name, got.Old.Parts[0].Name)
	}
	e.Parts = []*Part{root, wing, stray, old}
	for _, c := range []struct {
		p     *Part
		node  string
		owner *Part
		hull  int
	}{{wing, "w0", wing, 0}, {root, "w0", root, -1}, {root, "s0", stray, 0}, {wing, "", wing, -1}, {wing, "none", wing, -1}} {
		c.owner.Hulls = nil
		n := asset.Node{Name: "x$hull"}
		e.Add(c.p, &n, nil, nil, c.node)
		if len(c.owner.Hulls) != 1 || c.owner.Hulls[0].Stored != c.hull || c.owner.Hulls[0].Name != n.Name {
			t.Errorf("%q on %s: %+v", c.node, c.p.Name, c.owner.Hulls)
		}
	}
}

// TestHullIDs: the ids under which hulls of a part stand in others, and which of those are nobody's any more.
func TestHullIDs(t *testing.T) {
	e := NewEditor(nil, nil, []Stored{storedAs("root", "HpGun HpBare", "root HpGun wing tip gone (wrap)"), storedAs("wing", "HpTip HpNone", "wing HpTip"), storedAs("gone", "HpLost HpTip", "gone HpLost")}, []Shown{{0, 3, "tip"}})
	root, wing := partOf("root", 0, "HpGun"), partOf("wing", 1, "HpTip")
	wing.Hulls = []PartHull{{ID: id("shown")}, {ID: id("HpTip"), Stored: -1}, {ID: id("HpX"), hardpoint: true, Stored: 0}}
	e.Parts = []*Part{root, wing}
	e.renew = map[freelancer.Hash]freelancer.Hash{id("HpTip"): id("HpEnd")}
	names := []string{"root", "wing", "tip", "gone", "wrap", "shown", "HpGun", "HpBare", "HpTip", "HpEnd", "HpNone", "HpX"}
	for p, want := range map[*Part]string{root: "2 root HpGun", wing: "5 wing shown HpTip HpEnd HpX", partOf("new", -1): "1 "} {
		if got := called(e.idsOf(p), names...); got != want {
			t.Errorf("%s: %s, want %s", p.Name, got, want)
		}
	}
	all := map[freelancer.Hash]bool{}
	for _, n := range names {
		all[id(n)] = true
	}
	for p, want := range map[*Part]string{root: "3 wing gone HpGun", wing: "1 HpEnd", partOf("new", -1): "0 "} {
		if got := called(e.copies(p, all), names...); got != want {
			t.Errorf("copies in %s: %s, want %s", p.Name, got, want)
		}
	}
	e.Gone = map[freelancer.Hash]bool{id("far"): true}
	for name, want := range map[string]bool{"gone": true, "HpLost": true, "wing": false, "root": false, "HpGun": false, "HpNone": false, "far": true, "HpTip": true} {
		if e.orphan(id(name)) != want {
			t.Errorf("%s is nobody's: %v", name, !want)
		}
	}
	wing.Hulls = []PartHull{{ID: id("HpTip"), Stored: 0}}
	if e.orphan(id("HpTip")) || e.had(id("HpX")) {
		t.Error("a hull that is there is nobody's, or one that is not is somebody's")
	}
	if !root.HasHardpoint(id("hpgun")) || root.HasHardpoint(id("HpTip")) || !wing.HasHull("HpTip") || wing.HasHull("HpEnd") {
		t.Error("hardpoints and their hulls")
	}
	if got := called(e.hardpointsOf(root), names...); got != "0 " {
		t.Errorf("listed are %s", got)
	}
	wing.Hulls[0].hardpoint, wing.Parent, wing.Fixed = true, root, true
	if got := called(e.hardpointsOf(root), names...); got != "1 HpTip" {
		t.Errorf("listed are %s", got)
	}
}

// TestWayTo: how one part hangs on another, now and when the hulls were stored.
func TestWayTo(t *testing.T) {
	root, arm, hand, other := partOf("root", 0), partOf("arm", 1), partOf("hand", 2), partOf("other", 3)
	arm.Parent, arm.Was, arm.Fixed, arm.WasFixed, arm.Still, arm.Place = root, root, true, true, true, mgl64.Translate3D(1, 0, 0)
	hand.Parent, hand.Was, hand.Fixed, hand.Still, hand.Place = arm, arm, true, false, mgl64.HomogRotate3DZ(mgl64.DegToRad(90))
	other.Parent, other.Was, other.Fixed, other.Still = root, arm, false, true
	for _, c := range []struct {
		q, p *Part
		want string
	}{
		{arm, root, "hangs true, hung true, firm true, was true, still true"}, {hand, root, "hangs true, hung true, firm true, was false, still false"}, {hand, arm, "hangs true, hung true, firm true, was false, still false"},
		{root, arm, "hangs false, hung false, firm false, was false, still false"}, {other, arm, "hangs false, hung true, firm false, was false, still false"}, {other, root, "hangs true, hung true, firm false, was false, still true"},
	} {
		w := wayTo(c.q, c.p)
		if got := fmt.Sprintf("hangs %v, hung %v, firm %v, was %v, still %v", w.hangs, w.hung, w.firm, w.wasFirm, w.still && w.hangs); got != c.want {
			t.Errorf("%s on %s: %s", c.q.Name, c.p.Name, got)
		}
	}
	if at := mgl64.TransformCoordinate(mgl64.Vec3{1, 0, 0}, wayTo(hand, root).by); at.Sub(mgl64.Vec3{1, 1, 0}).Len() > 1e-9 {
		t.Errorf("a point of the hand is at %v", at)
	}
	e := &Editor{}
	if got := e.folded(hand); !slices.Equal(got, []*Part{arm, root}) || len(e.folded(other)) > 0 || len(e.folded(root)) > 0 || !root.notFixed() || !other.notFixed() || arm.notFixed() {
		t.Errorf("it is in %d others", len(got))
	}
}

// TestReaddressed: a part that stays is written with the names of now, without hardpoints that went to another part.
func TestReaddressed(t *testing.T) {
	e := NewEditor(nil, nil, []Stored{storedAs("root", "HpGun HpBare HpStays", "root HpGun (root)")}, nil)
	root := partOf("root", 0)
	was := e.Stored[0].Part
	root.Left[id("HpGun")] = true
	if e.readdressed(was) != was || e.withoutLeft(root, was) != was || !e.left(root) {
		t.Error("a part without new names is another one, or does not tell of its hardpoint")
	}
	root.Left[id("HpBare")] = true
	if got := e.withoutLeft(root, was); !slices.Equal(got.Hardpoints, []freelancer.Hash{id("HpGun"), id("HpStays")}) || len(was.Hardpoints) != 3 {
		t.Errorf("%v", got.Hardpoints)
	}
	bare := *was
	bare.Hardpoints, bare.Chunks = []freelancer.Hash{id("HpBare")}, 3
	if got := e.withoutLeft(root, &bare); got.Hardpoints != nil || got.Chunks != 2 {
		t.Errorf("%v, %d chunks", got.Hardpoints, got.Chunks)
	}
	bare.Order = []freelancer.SurChunk{freelancer.HardpointsChunk}
	if got := e.withoutLeft(root, &bare); got.Hardpoints == nil || len(got.Hardpoints) != 0 || got.Chunks != 3 {
		t.Errorf("in an order of its own: %v, %d chunks", got.Hardpoints, got.Chunks)
	}
	e.renew = map[freelancer.Hash]freelancer.Hash{id("root"): id("body"), id("HpGun"): id("HpBig")}
	got := e.readdressed(was)
	if got.ID != id("body") || got.Hardpoints[0] != id("HpBig") || got.Hardpoints[1] != id("HpBare") || got.Surface.Hulls[0].ID != id("body") || got.Surface.Hulls[1].ID != id("HpBig") || got.Surface.Hulls[2].ID != id("root") || got.Surface.Points[0].ID != id("body") {
		t.Errorf("%+v, %+v", got, got.Surface)
	}
	if was.ID != id("root") || was.Hardpoints[0] != id("HpGun") || was.Surface.Hulls[0].ID != id("root") || was.Surface.Points[0].ID != id("root") {
		t.Error("the stored part is another one now")
	}
	if !e.hadHull(root, id("HpBig")) || e.hadHull(root, id("HpBare")) || !e.hadHull(root, id("HpGun")) {
		t.Error("which hardpoints had hulls")
	}
	if e.readdressed(&freelancer.SurPart{ID: id("root")}).ID != id("body") {
		t.Error("a part without a surface keeps its name")
	}
}

// TestSameHull: a hull is the stored one where its triangles are, in any order and from any corner, up to what editors make of
// numbers and of triangles that are back to back.
func TestSameHull(t *testing.T) {
	corners := [][3]float32{{0, 0, 0}, {10, 0, 0}, {0, 10, 0}, {0, 0, 10}}
	faces := [][3]uint16{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {1, 3, 2}} // the last is the back of the third
	surface := &freelancer.Surface{Hulls: []freelancer.SurHull{{Kind: freelancer.TerminalHull, ID: id("root")}}}
	var triangles [][3][3]float32
	for _, f := range faces {
		surface.Hulls[0].Faces = append(surface.Hulls[0].Faces, freelancer.SurFace{Points: f})
		triangles = append(triangles, [3][3]float32{corners[f[0]], corners[f[1]], corners[f[2]]})
	}
	for _, at := range corners {
		surface.Points = append(surface.Points, freelancer.SurPoint{At: at})
	}
	stored := PartsOf(&freelancer.Sur{Parts: []*freelancer.SurPart{{ID: id("root"), Surface: surface}}})
	for _, c := range []struct {
		name string
		edit func(h *PartHull)
		want bool
	}{
		{"nothing", func(*PartHull) {}, true},
		{"in another order", func(h *PartHull) { slices.Reverse(h.Triangles) }, true},
		{"from another corner", func(h *PartHull) { x := &h.Triangles[2]; *x = [3][3]float32{x[1], x[2], x[0]} }, true},
		{"turned over", func(h *PartHull) { x := &h.Triangles[1]; *x = [3][3]float32{x[1], x[0], x[2]} }, false},
		{"a little off", func(h *PartHull) { h.Triangles[1][1][0] += 1e-4 }, true},
		{"farther off", func(h *PartHull) { h.Triangles[1][1][0] += 3e-4 }, false},
		{"one less", func(h *PartHull) { h.Triangles = h.Triangles[1:] }, false},
		{"without the back", func(h *PartHull) { h.Triangles = h.Triangles[:4] }, true},
		{"without the front", func(h *PartHull) { h.Triangles = slices.Delete(h.Triangles, 2, 3) }, true},
		{"one more", func(h *PartHull) { h.Triangles = append(h.Triangles, h.Triangles[0]) }, false},
		{"one twice for another", func(h *PartHull) { h.Triangles[1] = h.Triangles[0] }, false},
		{"of another name", func(h *PartHull) { h.ID = id("wing") }, false},
	} {
		e := NewEditor(nil, nil, stored, []Shown{{0, 0, "h"}})
		p := partOf("root", 0)
		h := PartHull{ID: id("root"), Triangles: slices.Clone(triangles)}
		c.edit(&h)
		p.Hulls = []PartHull{h}
		if e.sameHull(p, &p.Hulls[0]) != c.want || e.same(p) != c.want {
			t.Errorf("%s: the same %v", c.name, !c.want)
		}
		if list := e.bodiesOf(p); list[0].stored != c.want || list[0].ID != h.ID {
			t.Errorf("%s: its faces are as stored: %v", c.name, !c.want)
		}
		p.Hulls = append(p.Hulls, PartHull{Stored: -1})
		if e.same(p) {
			t.Errorf("%s, and a new one: the same", c.name)
		}
		if p.Hulls = nil; e.same(p) {
			t.Errorf("%s: none is the same as one", c.name)
		}
		e.renew = map[freelancer.Hash]freelancer.Hash{id("root"): id("wing")}
		if h.ID == id("wing") && !e.sameHull(p, &h) {
			t.Error("under the new name of its part it is another one")
		}
	}
}

// block is a box of triangles.
func block(lo, hi float32) (list [][3][3]float32) {
	at := func(i int) (v [3]float32) {
		for k := range 3 {
			if v[k] = lo; i>>k&1 == 1 {
				v[k] = hi
			}
		}
		return v
	}
	for _, f := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		list = append(list, [3][3]float32{at(f[0]), at(f[1]), at(f[2])}, [3][3]float32{at(f[0]), at(f[2]), at(f[3])})
	}
	return list
}

// TestPartBox: the box of a part is that of its hulls, without those of hardpoints unless it has no others.
func TestPartBox(t *testing.T) {
	own, equipment := PartHull{ID: id("root"), Stored: -1, Triangles: block(-1, 1)}, PartHull{ID: id("HpGun"), Stored: -1, hardpoint: true, Triangles: block(2, 3)}
	for _, c := range []struct {
		hulls  []PartHull
		lo, hi float32
		listed int
	}{{[]PartHull{own}, -1, 1, 0}, {[]PartHull{own, equipment}, -1, 1, 1}, {[]PartHull{equipment}, 2, 3, 1}} {
		e := NewEditor(new(schema.Diagnostics), nil, nil, nil)
		p := partOf("root", -1, "HpGun")
		p.Hulls, e.Parts = c.hulls, []*Part{p, partOf("bare", -1)}
		s, err := e.File()
		if err != nil {
			t.Fatal(err)
		}
		x := s.Parts[0]
		if len(s.Parts) != 1 || x.ID != id("root") || !x.NotFixed || x.Min != [3]float32{c.lo, c.lo, c.lo} || x.Max != [3]float32{c.hi, c.hi, c.hi} || len(x.Hardpoints) != c.listed || int(x.Chunks) != 3+c.listed {
			t.Errorf("%d hulls: %+v", len(c.hulls), x)
		}
	}
}

// TestUntouched: the stored file stays as long as the scene says the same; in the older layout parts without copies may move.
func TestUntouched(t *testing.T) {
	for _, c := range []struct {
		name string
		old  bool
		edit func(e *Editor, root, wing *Part)
		want bool
	}{
		{"nothing", false, func(*Editor, *Part, *Part) {}, true}, {"nothing, of the older layout", true, func(*Editor, *Part, *Part) {}, true},
		{"a part moved", false, func(_ *Editor, _, wing *Part) { wing.Still = false }, false},
		{"a part moved, of the older layout", true, func(_ *Editor, _, wing *Part) { wing.Still = false }, true},
		{"a fixed part moved, of the older layout", true, func(_ *Editor, _, wing *Part) { wing.Still, wing.Fixed = false, true }, false},
		{"a part is gone", false, func(e *Editor, root, _ *Part) { e.Parts = []*Part{root} }, false},
		{"a part is new", false, func(e *Editor, _, _ *Part) { e.Parts = append(e.Parts, partOf("new", -1)) }, false},
		{"a new part stands still", true, func(e *Editor, _, _ *Part) { p := partOf("new", -1); p.Still = true; e.Parts = append(e.Parts, p) }, true},
		{"the first part has another id", false, func(_ *Editor, root, _ *Part) { root.ID = id("body") }, false},
		{"a part has another id", false, func(_ *Editor, _, wing *Part) { wing.ID = id("fin") }, false}, {"a part has another id, of the older layout", true, func(_ *Editor, _, wing *Part) { wing.ID = id("fin") }, true},
		{"a hull is new", false, func(_ *Editor, root, _ *Part) { root.Hulls = []PartHull{{Stored: -1}} }, false},
		{"a hardpoint has another name", false, func(e *Editor, _, _ *Part) { e.Rename("HpGun", "HpBig") }, false},
		{"a hardpoint is on another part", false, func(_ *Editor, root, _ *Part) { root.Left[id("HpGun")] = true }, false}, {"one that is not listed is", false, func(_ *Editor, root, _ *Part) { root.Left[id("HpX")] = true }, true},
	} {
		e := NewEditor(nil, &freelancer.Sur{}, []Stored{storedAs("root", "HpGun", ""), storedAs("wing", "", "")}, nil)
		if c.old {
			e.Old.Old = new(freelancer.OldSur)
			e.Stored[0].Part, e.Stored[1].Part = nil, nil
		}
		root, wing := partOf("root", 0), partOf("wing", 1)
		root.Still, wing.Still, wing.Parent = true, true, root
		e.Parts = []*Part{root, wing}
		if c.edit(e, root, wing); e.untouched() != c.want {
			t.Errorf("%s: untouched %v", c.name, !c.want)
		}
	}
}

// TestSurfaceLimits: a part has as many points as the format has numbers for, and no hull that is open.
func TestSurfaceLimits(t *testing.T) {
	many := func(n int) Body {
		b := Body{stored: true}
		for i := range n {
			b.Points = append(b.Points, [3]float32{float32(i)})
			b.Faces = append(b.Faces, freelancer.SurFace{Points: [3]uint16{uint16(i), uint16(i), uint16(i)}})
		}
		return b
	}
	for n, class := range map[int]error{freelancer.MaxPoints: nil, freelancer.MaxPoints + 1: schema.ErrLimit} {
		if s, err := newSurface([]Body{many(n)}, nil); schema.Class(err) != class || err == nil && len(s.Points) != n {
			t.Errorf("%d points: %v", n, err)
		}
	}
	e, p := NewEditor(new(schema.Diagnostics), nil, nil, nil), partOf("root", -1)
	for k := range freelancer.MaxPoints/3 + 1 { // as many flat hulls
		i := float32(k)
		p.Hulls = append(p.Hulls, PartHull{ID: p.ID, Stored: -1, Triangles: [][3][3]float32{{{i, 0, 0}, {i, 1, 0}, {i, 0, 1}}}})
	}
	e.Parts = []*Part{p}
	if s, err := e.File(); schema.Class(err) != schema.ErrLimit {
		t.Errorf("a file of too many points: %v, %v", s, err)
	}
	open := Body{Points: [][3]float32{{}, {1, 0, 0}, {0, 1, 0}}, Faces: []freelancer.SurFace{{Points: [3]uint16{0, 1, 2}}}}
	if _, err := newSurface([]Body{open}, nil); schema.Class(err) != schema.ErrLimit {
		t.Errorf("an open hull: %v", err)
	}
}

// TestHullTold: hulls of many faces, and a root without one, are told of.
func TestHullTold(t *testing.T) {
	part := func(name string, faces int, kind freelancer.HullKind) *freelancer.SurPart {
		return &freelancer.SurPart{ID: id(name), Surface: &freelancer.Surface{Hulls: []freelancer.SurHull{{Kind: kind, Faces: make([]freelancer.SurFace, faces)}}}}
	}
	for _, c := range []struct {
		parts []*freelancer.SurPart
		want  string
	}{
		{[]*freelancer.SurPart{part("root", manyFaces, freelancer.TerminalHull)}, ""}, {[]*freelancer.SurPart{part("root", manyFaces+1, freelancer.TerminalHull)}, "hull-faces"}, {[]*freelancer.SurPart{part("root", manyFaces+1, freelancer.WrappingHull)}, ""},
		{[]*freelancer.SurPart{{ID: id("root")}}, ""}, {[]*freelancer.SurPart{part("wing", 1, freelancer.TerminalHull)}, "hull-root"},
	} {
		d := new(schema.Diagnostics)
		e := &Editor{Diagnostics: d, Parts: []*Part{partOf("root", -1)}}
		e.report(&freelancer.Sur{Parts: c.parts})
		(&Editor{Diagnostics: d}).report(&freelancer.Sur{})
		got := ""
		for _, x := range d.All() {
			got += x.Code
		}
		if got != c.want {
			t.Errorf("told %v, want %s", d.All(), c.want)
		}
	}
}
