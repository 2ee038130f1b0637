package render

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Camera is a camera in a scene: metres, Y up.
type Camera struct {
	Eye         [3]float64
	Direction   Direction
	FieldOfView float64 // vertical, radians; 0 is 30°
}

// Direction is the direction in which a camera stands, in radians. Azimuth 0 is in front of a model that faces +Z, and
// grows towards +X. Elevation grows upwards.
type Direction struct{ Azimuth, Elevation float64 }

// ThreeQuarter is the direction that shows three sides of a model: from the front, above, and the right of the picture.
var ThreeQuarter = Direction{Azimuth: 35 * math.Pi / 180, Elevation: 25 * math.Pi / 180}

// fieldOfView is that of the cameras that Model chooses: narrow, so that things keep their proportions.
const fieldOfView = 30 * math.Pi / 180

// behind is the direction from the other side.
func (d Direction) behind() Direction { return Direction{d.Azimuth + math.Pi, d.Elevation} }

// below is the direction from under the ground.
func (d Direction) below() Direction { return Direction{d.Azimuth, -d.Elevation} }

// axes returns the rotation from the scene's axes to the camera's: x right, y up, z towards the camera.
func (d Direction) axes() mgl64.Mat4 {
	return mgl64.HomogRotate3DX(d.Elevation).Mul4(mgl64.HomogRotate3DY(-d.Azimuth))
}

// fit finds the nearest camera of a direction that sees every point it is shown. For a point (x, y, z) along the axes of
// the camera and a camera at (X, Y, Z), x lies in the picture when |x − X| ≤ t·(Z − z), t being half of the width at
// distance 1: so the largest t·z + x and t·z − x of all points say where the camera is.
type fit struct {
	t            [2]float64 // half of the picture's width and height at distance 1
	plus, minus  [2]float64
	nearest, far float64 // the largest and smallest z
	any          bool
}

func newFit(width, height int) fit {
	t := math.Tan(fieldOfView / 2)
	inf := math.Inf(-1)
	return fit{
		t:    [2]float64{t * float64(width) / float64(height), t},
		plus: [2]float64{inf, inf}, minus: [2]float64{inf, inf}, nearest: inf, far: -inf,
	}
}

func (f *fit) add(p vec) {
	z := float64(p[2])
	for k := range 2 {
		x := float64(p[k])
		f.plus[k] = max(f.plus[k], f.t[k]*z+x)
		f.minus[k] = max(f.minus[k], f.t[k]*z-x)
	}
	f.nearest, f.far = max(f.nearest, z), min(f.far, z)
	f.any = true
}

// margin is the share of the picture's size that stays free around a model.
const margin = 0.04

// eye returns where the camera stands, along its own axes.
func (f *fit) eye() mgl64.Vec3 {
	if !f.any {
		return mgl64.Vec3{0, 0, 1}
	}
	at := mgl64.Vec3{(f.plus[0] - f.minus[0]) / 2, (f.plus[1] - f.minus[1]) / 2}
	z := max((f.plus[0]+f.minus[0])/(2*f.t[0]), (f.plus[1]+f.minus[1])/(2*f.t[1]))
	middle := (f.nearest + f.far) / 2
	z = middle + (z-middle)*(1+2*margin)
	at[2] = max(z, f.nearest+max(1e-3*(f.nearest-f.far), 1e-6)) // a single point
	return at
}
