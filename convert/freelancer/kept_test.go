package freelancer_test

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestHardpointPlaceKept: a hardpoint whose stored rotation is no exact one, as tools leave them, keeps it whatever else of it is
// edited, and loses it only where it is turned or moved.
func TestHardpointPlaceKept(t *testing.T) {
	fm := byName(t, "cmp")
	x, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
	if err != nil {
		t.Fatal(err)
	}
	x.Root.Walk(func(path string, n *freelancer.Node) bool {
		if strings.HasSuffix(path, "HpWeapon01/Orientation") {
			n.Data = slices.Clone(n.Data)
			for i, v := range []float32{0.6, 0.00001, 0.80001, 0, 1.00002, 0, -0.80001, 0, 0.6} {
				binary.LittleEndian.PutUint32(n.Data[4*i:], math.Float32bits(v))
			}
		}
		return true
	})
	before, err := write.UTF(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		edit   func(n *asset.Node)
		leaves []string
	}{
		{"nothing", func(*asset.Node) {}, nil},
		{"a limit", func(n *asset.Node) { n.Extras["max"] = 80.0 }, []string{"HpWeapon01/Max"}},
		{"the axis", func(n *asset.Node) { n.Extras["axis"] = []any{1.0, 0.0, 0.0} }, []string{"HpWeapon01/Axis"}},
		{"its place", func(n *asset.Node) { n.Transform.Translation[0] += 2 }, []string{"HpWeapon01/Position", "HpWeapon01/Orientation"}},
	} {
		s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", before, nil), nil))
		_, n := where(s)
		c.edit(n["HpWeapon01"])
		onlyChanged(t, before, lower(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), nil), c.leaves...)
	}
}

// TestListedHardpoints: a collision file lists hardpoints that have no hull too. One that moves to another part leaves the list of
// its own, and one that stays is in it.
func TestListedHardpoints(t *testing.T) {
	fm := byName(t, "cmp")
	model, sur, _ := lowerBoth(t, fm, "ship.cmp", gunship(), format.Options{}, nil)
	sur.Parts[0].Hardpoints = append(sur.Parts[0].Hardpoints, hash("HpEngine01"))
	slices.Sort(sur.Parts[0].Hardpoints)
	file, err := write.Sur(sur)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		edit  func(n map[string]*asset.Node)
		there bool
	}{
		{"it is turned", func(n map[string]*asset.Node) { n["HpEngine01"].Transform.Rotation = [4]float32{0, 1, 0, 0} }, true},
		{"the part is moved", func(n map[string]*asset.Node) { n["wing"].Transform.Translation[1] = 2 }, true},
		{"it hangs on the wing", func(n map[string]*asset.Node) {
			for _, p := range n {
				p.Children = slices.DeleteFunc(p.Children, func(c *asset.Node) bool { return c == n["HpEngine01"] })
			}
			n["wing"].Children = append(n["wing"].Children, n["HpEngine01"])
		}, false},
	} {
		s := fromGLB(t, glb(t, liftWith(t, fm, model, &format.Env{Name: "ship.cmp", Files: memory{"ship.sur": file}}), nil))
		_, n := where(s)
		c.edit(n)
		_, now, _ := lowerBoth(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), format.Options{}, nil)
		if there := slices.Contains(now.Parts[0].Hardpoints, hash("HpEngine01")); there != c.there || !slices.Contains(now.Parts[0].Hardpoints, hash("HpMount")) {
			t.Errorf("%s: the root lists %v", c.name, now.Parts[0].Hardpoints)
		}
	}
}

// TestHardpointsRefused: what hardpoints cannot be taken from is an error with its name, in models of every kind.
func TestHardpointsRefused(t *testing.T) {
	for _, c := range []struct{ from, want string }{
		{"name,kind\nHpA,wheel\n", `--hardpoints-from from: it is no model, and no table of hardpoints: `}, {"UTF \x01", "--hardpoints-from from: "}, {"", "the table is empty"},
	} {
		b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
		if after, err := withHardpoints(t, "ship.cmp", b, c.from, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %d bytes, %v", c.from, len(after), err)
		}
	}
}
