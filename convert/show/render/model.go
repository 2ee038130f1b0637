package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Model draws what a player sees of a scene at the finest level of detail, and what the options add. Nodes are in their
// present pose, with the weights of morph targets. Without a camera, the whole model is shown from [ThreeQuarter], or from
// behind or below if nothing of it is visible from there.
//
// It fails if the size is out of range or a part of the scene cannot be loaded. A scene without meshes gives an empty
// picture with a note.
func Model(s *asset.Scene, o Options) (*Picture, error) {
	width, height, err := o.size()
	if err != nil {
		return nil, err
	}
	f := newFrame(width, height)
	defer f.release()
	views := []Direction{ThreeQuarter, ThreeQuarter.behind(), ThreeQuarter.below(), ThreeQuarter.behind().below()}
	if o.Camera != nil {
		views = []Direction{o.Camera.Direction}
	}
	var first *Picture
	for i, view := range views {
		d, err := drawView(s, &o, view, f)
		if err != nil {
			return nil, err
		}
		p := &Picture{Camera: d.camera()}
		d.describe(p)
		if f.empty() {
			if first == nil {
				first = p
				p.NRGBA = f.resolve(o.Background)
			}
			if d.corners == 0 {
				break
			}
			continue
		}
		if i > 0 {
			p.notef("%s", [...]string{"", "seen from behind", "seen from below", "seen from behind and below"}[i])
		}
		p.NRGBA = f.resolve(o.Background)
		return p, nil
	}
	if first.Notes == nil || first.Notes[0] != "no shape" {
		first.notef("nothing to be seen")
	}
	return first, nil
}

// drawing is one view of a scene.
type drawing struct {
	*stage
	frame   *frame
	lens    lens
	view    Direction
	field   float64
	eye     mgl64.Vec3 // along the camera's axes, from the stage's origin
	corners int        // that were to be drawn
	plain   bool       // something is shown in a colour of ours

	triangles, lines, points int

	fill  triangle
	veils []veil
}

// veil is a translucent triangle, kept until what is behind it has been drawn.
type veil struct {
	piece    *piece
	spots    []spot
	first    int // corner
	distance float32
}

func drawView(s *asset.Scene, o *Options, view Direction, f *frame) (*drawing, error) {
	clear(f.depth)
	clear(f.light)
	st, err := newStage(s, o.Show, view.axes())
	if err != nil {
		return nil, err
	}
	d := &drawing{stage: st, frame: f, view: view, field: fieldOfView}
	d.fill.f = f
	t := [2]float64{0, math.Tan(d.field / 2)}
	if c := o.Camera; c != nil {
		if c.FieldOfView > 0 && c.FieldOfView < math.Pi {
			d.field = c.FieldOfView
		}
		t[1] = math.Tan(d.field / 2)
		d.eye = mgl64.TransformCoordinate(mgl64.Vec3(c.Eye), st.axes)
	} else if d.eye, err = d.fit(f); err != nil {
		return nil, err
	}
	t[0] = t[1] * float64(f.width) / float64(f.height)
	d.lens = newLens(narrow(d.eye), t, f)
	if st.sky != nil {
		sky, err := d.drawSky(s, o, t)
		if err != nil {
			return nil, err
		}
		defer sky.release()
		d.fill.sky = sky.light
	}
	return d, d.all()
}

// all draws all pieces, what is translucent last.
func (d *drawing) all() error {
	if err := d.each(func(s *piece) error { d.piece(s); return nil }); err != nil {
		return err
	}
	d.drawVeils()
	return nil
}

func narrow(v mgl64.Vec3) vec { return vec{float32(v[0]), float32(v[1]), float32(v[2])} }

// drawSky draws what the camera would see from the place where the sky is built, as that is turned.
func (d *drawing) drawSky(s *asset.Scene, o *Options, t [2]float64) (*frame, error) {
	f := newFrame(d.frame.width/samples, d.frame.height/samples)
	clear(f.depth)
	clear(f.light)
	world := affineOnly(d.worlds[d.sky])
	turn := mgl64.Ident4()
	for c := range 3 {
		if v := world.Col(c).Vec3(); v.Len() > 0 {
			turn.SetCol(c, v.Normalize().Vec4(0))
		}
	}
	st, err := newStage(s, o.Show, d.turned.Mul4(turn))
	if err != nil {
		f.release()
		return nil, err
	}
	st.looks = d.looks
	there := &drawing{stage: st, frame: f}
	there.fill.f = f
	there.lens = newLens(narrow(mgl64.TransformCoordinate(world.Col(3).Vec3(), st.axes)), t, f)
	if err := there.all(); err != nil {
		f.release()
		return nil, err
	}
	return f, nil
}

// camera returns the camera of the drawing in the scene's own coordinates.
func (d *drawing) camera() Camera {
	eye := mgl64.TransformNormal(d.eye, d.turned.Inv()).Add(d.origin)
	return Camera{Eye: eye, Direction: d.view, FieldOfView: d.field}
}

// fit finds the camera that sees all that is drawn.
func (d *drawing) fit(f *frame) (mgl64.Vec3, error) {
	frustum := newFit(f.width, f.height)
	err := d.each(func(s *piece) error {
		if s.hidden() {
			return nil
		}
		used := make([]bool, len(s.positions))
		for i := range s.corners() {
			if v := s.corner(i); v < len(used) && !used[v] && s.positions[v].finite() {
				used[v] = true
				frustum.add(s.positions[v])
			}
		}
		return nil
	})
	return frustum.eye(), err
}

// hidden reports whether nothing of a piece can be seen: it is wholly transparent, or a window onto the sky.
func (s *piece) hidden() bool {
	return s.look.unseen || s.look.alpha == asset.Blend && s.look.color[3] == 0 || s.look.alpha == asset.Mask && s.look.color[3] < s.look.cutoff
}

// describe says what was drawn.
func (d *drawing) describe(p *Picture) {
	switch {
	case d.triangles > 0:
		p.factf("%s", schema.Counted(d.triangles, "triangle", "triangles"))
	case d.lines > 0:
		p.factf("%s", schema.Counted(d.lines, "line", "lines"))
	case d.points > 0:
		p.factf("%s", schema.Counted(d.points, "point", "points"))
	default:
		p.notef("no shape")
	}
	switch n := len(d.looks.missing); {
	case n > 0:
		p.notef("%s missing", schema.Counted(n, "texture", "textures"))
	case d.plain && len(d.looks.textures) == 0:
		p.notef("no texture")
	}
}

// piece draws a piece, and keeps its translucent triangles for later.
func (d *drawing) piece(s *piece) {
	n := s.corners()
	switch s.mode {
	case asset.Triangles:
		d.triangles += n / 3
	case asset.Lines:
		d.lines += n / 2
	case asset.Points:
		d.points += n
	}
	if s.hidden() && !(s.look.unseen && d.fill.sky != nil) {
		return
	}
	d.corners += n
	d.plain = d.plain || s.look.plain && s.mode == asset.Triangles
	spots := d.lens.all(s)
	switch s.mode {
	case asset.Lines:
		d.drawLines(s, spots)
		return
	case asset.Points:
		d.drawPoints(s, spots)
		return
	}
	for i := 0; i+3 <= n; i += 3 {
		a, b, c := s.corner(i), s.corner(i+1), s.corner(i+2)
		if a >= len(spots) || b >= len(spots) || c >= len(spots) {
			continue
		}
		if s.look.alpha != asset.Blend || s.look.unseen {
			d.triangle(s, spots, i)
			continue
		}
		z := s.positions[a][2] + s.positions[b][2] + s.positions[c][2]
		d.veils = append(d.veils, veil{s, spots, i, -z})
	}
}

// drawVeils draws the translucent triangles, the farthest first. They hide nothing.
func (d *drawing) drawVeils() {
	slices.SortStableFunc(d.veils, func(a, b veil) int { return cmp.Compare(b.distance, a.distance) })
	d.fill.translucent = true
	for _, v := range d.veils {
		d.triangle(v.piece, v.spots, v.first)
	}
}

// triangle draws the triangle whose first corner has the number i.
func (d *drawing) triangle(s *piece, spots []spot, i int) {
	v := [3]int{s.corner(i), s.corner(i + 1), s.corner(i + 2)}
	t := [3]spot{spots[v[0]], spots[v[1]], spots[v[2]]}
	if t[0].outside || t[1].outside || t[2].outside {
		d.clipped(s, v)
		return
	}
	area := cross(&t)
	back := (area > 0) != s.flipped // clockwise
	if area == 0 || back && !s.look.doubleSided {
		return
	}
	if d.offScreen(&t) {
		return
	}
	var values [3][valueCount]float32
	d.values(s, v, back, &values)
	p := [3]*[valueCount]float32{&values[0], &values[1], &values[2]}
	if area < 0 {
		t[1], t[2], p[1], p[2] = t[2], t[1], p[2], p[1]
	}
	d.fill.look = s.look
	d.fill.fill(&t, &p)
}

// offScreen reports whether a triangle lies beside the picture.
func (d *drawing) offScreen(t *[3]spot) bool {
	return max(t[0].x, t[1].x, t[2].x) < 0 || min(t[0].x, t[1].x, t[2].x) > int32(d.frame.width*parts) ||
		max(t[0].y, t[1].y, t[2].y) < 0 || min(t[0].y, t[1].y, t[2].y) > int32(d.frame.height*parts)
}

// clipped draws what is left of a triangle that reaches behind the camera or far out of the picture.
func (d *drawing) clipped(s *piece, v [3]int) {
	var corners [3]corner
	for k := range corners {
		corners[k].at = s.positions[v[k]].sub(d.lens.eye)
		if !corners[k].at.finite() {
			return
		}
	}
	a, b, c := corners[0].at, corners[1].at, corners[2].at
	facing := b.sub(a).cross(c.sub(a)).dot(a) // negative when its front is towards the eye
	back := (facing > 0) != s.flipped
	if back && !s.look.doubleSided {
		return
	}
	var values [3][valueCount]float32
	d.values(s, v, back, &values)
	for k := range corners {
		corners[k].values = values[k]
	}
	polygon := d.lens.clip(corners[:])
	d.fill.look = s.look
	for k := 2; k < len(polygon); k++ {
		fan := [3]*corner{&polygon[0], &polygon[k-1], &polygon[k]}
		var t [3]spot
		var p [3]*[valueCount]float32
		for n, c := range fan {
			t[n], p[n] = d.lens.project(c.at), &c.values
		}
		if t[0].outside || t[1].outside || t[2].outside {
			continue
		}
		if cross(&t) < 0 {
			t[1], t[2], p[1], p[2] = t[2], t[1], p[2], p[1]
		}
		d.fill.fill(&t, &p)
	}
}

// values computes what changes across a triangle: the light on its corners, times their colours, and their texture
// coordinates.
func (d *drawing) values(s *piece, v [3]int, back bool, out *[3][valueCount]float32) {
	k := s.look
	var plane float32
	if !k.unlit && s.normals == nil {
		a, b, c := s.positions[v[0]], s.positions[v[1]], s.positions[v[2]]
		n := b.sub(a).cross(c.sub(a)).unit()
		if back != s.flipped {
			n = n.scale(-1)
		}
		plane = light(n)
	}
	for i, at := range v {
		bright := float32(1)
		switch {
		case k.unlit:
		case s.normals == nil:
			bright = plane
		case back:
			bright = light(s.normals[at].scale(-1))
		default:
			bright = light(s.normals[at])
		}
		color := k.color
		if s.colors != nil {
			for c := range color {
				color[c] *= s.colors[at][c]
			}
		}
		if k.air && s.normals != nil {
			look := d.lens.eye.sub(s.positions[at]).unit()
			color[3] = min(color[3]*airThrough(abs(s.normals[at].dot(look)))/asset.AirShare, 1)
		}
		o := &out[i]
		o[0], o[1], o[2], o[3] = color[0]*bright, color[1]*bright, color[2]*bright, color[3]
		for t, first := range [...]int{valueBase, valueGlow, valueLight} {
			if uv := s.coords[t]; uv != nil {
				o[first], o[first+1] = uv[at][0], uv[at][1]
			}
		}
	}
}
