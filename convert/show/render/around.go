package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Around returns n cameras in a ring around a scene, from [ThreeQuarter] on. All are as far from its middle, so that the
// pictures of a turning model have one size, and each sees all of it.
func Around(s *asset.Scene, show scene.Show, n int) ([]Camera, error) {
	st, err := newStage(s, show, ThreeQuarter.axes())
	if err != nil {
		return nil, err
	}
	middle, err := st.middle()
	if err != nil {
		return nil, err
	}
	at := mgl64.TransformNormal(middle, st.turned.Inv()).Add(st.origin)
	cameras, away := make([]Camera, n), 1e-6
	for i := range cameras {
		d := ThreeQuarter
		d.Azimuth += 2 * math.Pi * float64(i) / float64(n)
		cameras[i] = Camera{Eye: at, Direction: d, FieldOfView: fieldOfView}
		near, err := st.away(middle, d.axes().Mul4(st.turned.Inv()))
		if err != nil {
			return nil, err
		}
		away = max(away, near)
	}
	for i := range cameras {
		back := mgl64.TransformNormal(mgl64.Vec3{0, 0, away * (1 + 2*margin)}, cameras[i].Direction.axes().Inv())
		cameras[i].Eye = at.Add(back)
	}
	return cameras, nil
}

// middle returns the middle of the box around all that is drawn, along the axes of the stage.
func (st *stage) middle() (mgl64.Vec3, error) {
	low, high := mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	err := st.points(func(p mgl64.Vec3) {
		for k := range p {
			low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
		}
	})
	if err != nil || low[0] > high[0] {
		return mgl64.Vec3{}, err
	}
	return low.Add(high).Mul(0.5), nil
}

// away returns how far from the middle a camera stands that sees all of it; turn leads from the stage's axes to its own.
func (st *stage) away(middle mgl64.Vec3, turn mgl64.Mat4) (far float64, err error) {
	t := math.Tan(fieldOfView / 2)
	err = st.points(func(p mgl64.Vec3) {
		q := mgl64.TransformNormal(p.Sub(middle), turn)
		far = max(far, q[2]+max(math.Abs(q[0]), math.Abs(q[1]))/t)
	})
	return far, err
}

// points calls f for each corner of what is drawn.
func (st *stage) points(f func(mgl64.Vec3)) error {
	return st.each(func(s *piece) error {
		if s.hidden() {
			return nil
		}
		for i := range s.corners() {
			if v := s.corner(i); v < len(s.positions) && s.positions[v].finite() {
				p := s.positions[v]
				f(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])})
			}
		}
		return nil
	})
}
