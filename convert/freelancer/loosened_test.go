package freelancer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// pose is where a key has a part: how far it is from its rest, and how it is turned about an axis, in degrees.
type pose struct {
	away, axis [3]float64
	turn       float64
}

// animated returns the model of ship() with an animation that puts a part of it into poses, a second apart.
func animated(s *asset.Scene, part string, poses []pose) *asset.Scene {
	_, nodes := where(s)
	n := nodes[part]
	move, turn := &asset.Channel{Node: n, Path: asset.Translation}, &asset.Channel{Node: n, Path: asset.Rotation}
	for i, x := range poses {
		move.Times, turn.Times = append(move.Times, float32(i)), append(turn.Times, float32(i))
		half := x.turn * math.Pi / 360
		for k := range 3 {
			move.Values = append(move.Values, n.Transform.Translation[k]+float32(x.away[k]))
			turn.Values = append(turn.Values, float32(x.axis[k]*math.Sin(half)))
		}
		turn.Values = append(turn.Values, float32(math.Cos(half)))
	}
	s.Animations = []*asset.Animation{{Name: "Sc_go", Channels: []*asset.Channel{move, turn}}}
	return s
}

// motion tells the joint that a part has, and the frames that move it.
func motion(t *testing.T, b []byte, part string) (joint, frames string) {
	t.Helper()
	_, x := compoundOf(t, b)
	for _, j := range x.Joints {
		if j.Child.Name == part {
			joint = fmt.Sprintf("%v %.2f %.2f…%.2f", j.Kind, j.Axis, j.Min[0], j.Max[0])
		}
	}
	s := scripts(t, b)["Sc_go"]
	if s == nil {
		return joint, ""
	}
	for _, m := range s.Maps {
		if m.Child == part || m.Object && m.Parent == part {
			frames = strings.ReplaceAll(fmt.Sprintf("%.2f %.2f %.2f", m.Channel.Scalars, m.Channel.Positions, m.Channel.Quaternions), "-0.00", "0.00")
		}
	}
	return joint, frames
}

// TestLoosenedJoints: a joint that holds firmly becomes the simplest one that allows what its part does; one that turns keeps turning.
func TestLoosenedJoints(t *testing.T) {
	x, y := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}
	for name, c := range map[string]struct {
		part          string
		poses         []pose
		joint, frames string
		told          string
	}{
		"turned":              {"wing", []pose{{}, {axis: x, turn: 90}, {axis: x, turn: -45}}, "Rev [1.00 0.00 0.00] -0.79…1.57", "[0.00 1.57 -0.79] [] []", "joint-loosened"},
		"turned on":           {"wing", []pose{{}, {axis: y, turn: 150}, {axis: y, turn: 210}, {axis: y, turn: 300}}, "Rev [0.00 1.00 0.00] 0.00…5.24", "[0.00 2.62 3.67 5.24] [] []", "joint-loosened"},
		"moved":               {"wing", []pose{{}, {away: [3]float64{0, 2, 0}}, {away: [3]float64{0, -1, 0}}}, "Pris [0.00 1.00 0.00] -1.00…2.00", "[0.00 2.00 -1.00] [] []", "joint-loosened"},
		"moved aslant":        {"wing", []pose{{}, {away: [3]float64{3, 4, 0}}}, "Pris [0.60 0.80 0.00] 0.00…5.00", "[0.00 5.00] [] []", "joint-loosened"},
		"moved round":         {"wing", []pose{{}, {away: x}, {away: y}}, "Loose [0.00 0.00 0.00] 0.00…0.00", "[] [[0.00 0.00 0.00] [1.00 0.00 0.00] [0.00 1.00 0.00]] [[1.00 0.00 0.00 0.00] [1.00 0.00 0.00 0.00] [1.00 0.00 0.00 0.00]]", "joint-loosened"},
		"turned about two":    {"wing", []pose{{}, {axis: x, turn: 90}, {axis: y, turn: 90}}, "Loose [0.00 0.00 0.00] 0.00…0.00", "[] [[0.00 0.00 0.00] [0.00 0.00 0.00] [0.00 0.00 0.00]] [[1.00 0.00 0.00 0.00] [0.71 0.71 0.00 0.00] [0.71 0.00 0.71 0.00]]", "joint-loosened"},
		"turned and moved":    {"wing", []pose{{}, {away: y, axis: y, turn: 90}}, "Loose [0.00 0.00 0.00] 0.00…0.00", "[] [[0.00 0.00 0.00] [0.00 1.00 0.00]] [[1.00 0.00 0.00 0.00] [0.71 0.00 0.71 0.00]]", "joint-loosened"},
		"still":               {"wing", []pose{{}, {}}, "Fix [0.00 0.00 0.00] 0.00…0.00", "", "animation-empty"},
		"a turret":            {"turret", []pose{{}, {axis: y, turn: 170}, {axis: y, turn: 190}}, "Rev [0.00 1.00 0.00] 0.00…1.57", "[0.00 2.97 3.32] [] []", ""},
		"a turret aslant":     {"turret", []pose{{}, {axis: x, turn: 30}}, "Rev [0.00 1.00 0.00] 0.00…1.57", "[0.00 0.00] [] []", "animation-joint"},
		"a turret that moves": {"turret", []pose{{}, {away: y, axis: y, turn: 90}}, "Rev [0.00 1.00 0.00] 0.00…1.57", "[0.00 1.57] [] []", "animation-place"},
	} {
		fm := byName(t, "cmp")
		stored := lower(t, fm, "ship.cmp", ship(), nil)
		d := new(schema.Diagnostics)
		b := lowerIn(t, fm, animated(lift(t, fm, "ship.cmp", stored, nil), c.part, c.poses), &format.Env{Name: "ship.cmp", Diagnostics: d})
		joint, frames := motion(t, b, c.part)
		var told []string
		for _, m := range d.All() {
			if strings.HasPrefix(m.Code, "joint") || m.Severity == schema.Loss {
				told = append(told, m.Code)
			}
		}
		if got := strings.Join(told, " "); joint != c.joint || frames != c.frames || got != c.told {
			t.Errorf("%s: joint %s, frames %s, told %s\nwant %s, frames %s, told %s", name, joint, frames, got, c.joint, c.frames, c.told)
		}
	}
}

// TestLongWayRound: between two frames a joint turns the short way while both lie within half a turn, and as far as they say otherwise.
func TestLongWayRound(t *testing.T) {
	fm := byName(t, "cmp")
	for _, c := range []struct{ from, to, middle float64 }{
		{0, 1.5, 0.75}, {-1, 1, 0}, {3, -3, math.Pi}, {0, 5, 2.5}, {5, 0, 2.5}, {-4, -5, -4.5}, {3, 3.5, 3.25}, {math.Pi, -3, math.Pi + 0.0708}, {-3, math.Pi, -3.0708},
	} {
		tree, err := read.UTF(lower(t, fm, "ship.cmp", ship(), nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := read.Scripts(tree.Root, nil)
		if err != nil || len(list) != 1 || len(list[0].Maps) != 1 {
			t.Fatalf("%d scripts, %v", len(list), err)
		}
		ch := list[0].Maps[0].Channel
		ch.Count, ch.Times, ch.Scalars = 2, []float32{0, 2}, []float32{float32(c.from), float32(c.to)}
		if err := write.Script(tree.Root, list[0]); err != nil {
			t.Fatal(err)
		}
		s := lift(t, fm, "ship.cmp", treeBytes(t, tree), nil)
		for _, x := range s.Animations[0].Channels {
			if x.Path != asset.Rotation {
				continue
			}
			at := scene.At(x, 1, nil)
			want := [2]float64{math.Sin(c.middle / 2), math.Cos(c.middle / 2)}
			same := math.Abs(at[1]*want[0] + at[3]*want[1])
			if math.Abs(at[0])+math.Abs(at[2]) > 1e-5 || same < 0.9999 {
				t.Errorf("from %v to %v: %v in the middle, want a turn by %v", c.from, c.to, at, c.middle)
			}
		}
	}
}
