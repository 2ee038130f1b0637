package edits

import (
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// places compares nodes without shapes, by their names.
func (c *comparison) places(what string, want, got []Place, turns bool) {
	at := map[string][]int{}
	for i, p := range got {
		at[plain(p.Name)] = append(at[plain(p.Name)], i)
	}
	gone := Difference{What: what + " gone", Of: len(want), Error: math.Inf(1)}
	var rest, moving [2]Difference // places and turns
	for k, unit := range []string{"", " turned °"} {
		rest[k] = Difference{What: what + unit, Of: len(want)}
		moving[k] = Difference{What: what + " in animations" + unit, Of: len(want)}
	}
	var renamed []Place
	for _, p := range want {
		list := at[plain(p.Name)]
		if len(list) == 0 {
			renamed = append(renamed, p)
			continue
		}
		best, by := math.Inf(1), 0
		for k, i := range list {
			if d, _ := apart(p.At, got[i].At); d < best {
				best, by = d, k
			}
		}
		q := got[list[by]]
		at[plain(p.Name)] = slices.Delete(slices.Clone(list), by, by+1)
		if !c.placed(&rest, p, p.At, q.At, turns, 0, 1) {
			c.placed(&moving, p, p.At, q.At, turns, 1, len(p.At))
		}
	}
	more := Difference{What: what + " too many", Of: len(want), Error: math.Inf(1)}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		for _, i := range at[name] {
			k := slices.IndexFunc(renamed, func(p Place) bool { // some formats have no names
				d, turned := apart(p.At, got[i].At)
				return d <= c.near && (!turns || turned <= c.l.Angle)
			})
			if k >= 0 {
				renamed = slices.Delete(renamed, k, k+1)
				continue
			}
			more.Count++
			more.Names = append(more.Names, name)
		}
	}
	for _, p := range renamed {
		gone.Count++
		gone.Names = append(gone.Names, p.Name)
	}
	if what == "pivots" {
		more.Count = 0 // a part that has become a joint
	}
	for _, d := range []Difference{gone, rest[0], rest[1], moving[0], moving[1], more} {
		c.add(d)
	}
}

// placed notes a node that is elsewhere or turned otherwise at some of the samples, and reports whether it is.
func (c *comparison) placed(d *[2]Difference, p Place, want, got []mgl64.Mat4, turns bool, from, to int) bool {
	var worst [2]float64
	var off [2]bool
	for s := from; s < min(to, len(want), len(got)); s++ {
		far, angle := apart(want[s:s+1], got[s:s+1])
		worst[0], worst[1] = max(worst[0], far/c.want.Size), max(worst[1], angle)
		for k, is := range [2]bool{far > c.limit(s), turns && angle > c.l.Angle+c.l.drift(s).Angle} {
			if is {
				off[k] = true
				d[k].Names = append(d[k].Names, c.clip(s)...)
			}
		}
	}
	for k, by := range worst {
		if off[k] {
			d[k].Count++
			d[k].Error = max(d[k].Error, by)
			d[k].Names = append(d[k].Names, p.Name)
		}
	}
	return off[0] || off[1]
}

// apart returns the largest distance of two places and the largest angle, in degrees, between their axes at the times
// where the first of them is a plain turn.
func apart(a, b []mgl64.Mat4) (far, angle float64) {
	for s := range min(len(a), len(b)) {
		far = max(far, a[s].Col(3).Sub(b[s].Col(3)).Len())
		m, n := a[s].Mat3(), b[s].Mat3()
		if !rigid(m) || n.Det() <= 0 {
			continue
		}
		for k := range 3 {
			x, y := m.Col(k).Normalize(), n.Col(k).Normalize()
			angle = max(angle, mgl64.RadToDeg(math.Atan2(x.Cross(y).Len(), x.Dot(y))))
		}
	}
	return far, angle
}

// looks compares lights and cameras that both pictures have, by their names.
func (c *comparison) looks() {
	for _, what := range []struct {
		name      string
		want, got []Place
	}{{"lights of another look", c.want.Lights, c.got.Lights}, {"cameras of another look", c.want.Points, c.got.Points}} {
		d := Difference{What: what.name, Of: len(what.want)}
		for _, p := range what.want {
			same := slices.IndexFunc(what.got, func(q Place) bool { return plain(q.Name) == plain(p.Name) })
			if same < 0 {
				same = slices.IndexFunc(what.got, func(q Place) bool { far, _ := apart(p.At[:1], q.At[:1]); return far <= c.near })
			}
			if same >= 0 && !p.Look.Same(what.got[same].Look) {
				d.Count++
				d.Names = append(d.Names, p.Name)
			}
		}
		c.add(d)
	}
}

// rigid reports whether a matrix turns and scales evenly.
func rigid(m mgl64.Mat3) bool {
	s := math.Cbrt(m.Det())
	if !(s > 1e-12) {
		return false
	}
	for i := range 3 {
		for j := range 3 {
			want := 0.0
			if i == j {
				want = s * s
			}
			if math.Abs(m.Col(i).Dot(m.Col(j))-want) > 1e-3*s*s {
				return false
			}
		}
	}
	return true
}

// moves compares animated nodes that both pictures have.
func (c *comparison) moves() {
	at := map[string][]Place{}
	for _, p := range c.got.Moves {
		at[plain(p.Name)] = append(at[plain(p.Name)], p)
	}
	count, hung := map[string]int{}, len(c.want.Shown)+len(c.want.Wires) > 0
	for _, p := range c.want.Moves {
		count[plain(p.Name)]++
	}
	var want, got []Place
	for _, p := range c.want.Moves {
		if len(at[plain(p.Name)]) == 1 && count[plain(p.Name)] == 1 {
			q := at[plain(p.Name)][0]
			if hung {
				p, q = motion(p), motion(q)
			}
			want, got = append(want, p), append(got, q)
		} else if !hung {
			want = append(want, p)
		}
	}
	c.places("animated nodes", want, got, true)
}

// motion returns how a node turns from where it rests: a format may have baked the rest itself into what hangs on it.
func motion(p Place) Place {
	m := Place{Name: p.Name}
	for _, at := range p.At {
		turn := at.Mul4(p.At[0].Inv()).Mat3().Mat4()
		m.At = append(m.At, turn)
	}
	return m
}
