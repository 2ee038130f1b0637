package sculpt

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// level puts a hall into a package: its pictures, its brushes, the tree that the game draws, its lights.
type level struct {
	*pack.File
	textures map[*asset.Texture]unreal.Ref
	shapes   map[string]unreal.Ref // of brushes, by the names of their solids
	actors   []unreal.Ref
	err      error
}

func hallFiles(files map[string][]byte) error {
	p := &unreal.Package{Version: pack.DefaultVersion, Flags: 1}
	p.AddName("None")
	l := &level{File: pack.New(p, nil), textures: map[*asset.Texture]unreal.Ref{}, shapes: map[string]unreal.Ref{}}
	m := hall()
	l.pictures(m)
	top := l.AddExport(l.AddClass("Engine", "Level"), 0, "MyLevel", unreal.LoadFlags|unreal.Transactional)
	info := l.actor("LevelInfo", "LevelInfo0", vec{}, func(o *unreal.Object) {
		o.Properties = append(o.Properties, unreal.Property{Name: l.AddName("Title"), Type: unreal.StringProperty, Value: []byte("The Lantern Hall\x00")})
	})
	world := l.part("Model", "Model0", l.world(m, info))
	for i, s := range m.solids {
		l.brush(s, i)
	}
	for i, x := range m.lamps {
		l.lamp(x, i)
	}
	l.actor("PlayerStart", "PlayerStart0", vec{0, 1, 7}, func(o *unreal.Object) {
		o.SetStruct("Rotation", "Rotator", binary.LittleEndian.AppendUint64(make([]byte, 4), 32768))
	})
	l.put(top, &unreal.Level{Actors: l.actors, Capacity: int32(len(l.actors)), Model: world,
		URL: unreal.URL{Protocol: unreal.Str{Text: "unreal"}, Map: unreal.Str{Text: "Index.unr"}, Port: 7777, Valid: 1}})
	if l.err != nil {
		return l.err
	}
	var b bytes.Buffer
	err := write.Package(&b, p)
	files["lanterns.unr"] = b.Bytes()
	return err
}

func (l *level) keep(err error) {
	if l.err == nil {
		l.err = err
	}
}

func (l *level) put(r unreal.Ref, o unreal.AnyObject) { l.keep(l.Put(r, o)) }

// part adds an object that is not on the list of actors.
func (l *level) part(class, name string, o unreal.AnyObject) unreal.Ref {
	r := l.AddExport(l.AddClass("Engine", class), 0, name, unreal.LoadFlags|unreal.Transactional)
	l.put(r, o)
	return r
}

// actor adds an object to the level, with properties that f sets.
func (l *level) actor(class, name string, at vec, f func(o *unreal.Object)) unreal.Ref {
	r := l.AddExport(l.AddClass("Engine", class), 0, name, unreal.LoadFlags|unreal.Transactional)
	o := &unreal.Object{}
	o.Context = l.Context(int(r - 1))
	f(o)
	if at != (vec{}) {
		o.SetStruct("Location", "Vector", floats(toEngine(at)))
	}
	l.put(r, o)
	l.actors = append(l.actors, r)
	return r
}

func floats(v vec) (b []byte) {
	for _, x := range v.narrow() {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// toEngine leads from metres to the units and axes of the engine.
func toEngine(p vec) vec {
	v := space.Vertex.Back(p.times(space.UnitsPerMetre).narrow())
	for k := range v {
		v[k] = float32(math.Round(float64(v[k])*64) / 64)
	}
	return vec{float64(v[0]), float64(v[1]), float64(v[2])}
}

func (l *level) pictures(m *mason) {
	painter := l.Painter(&format.Env{Options: format.Options{Effort: media.Best}})
	for _, t := range m.textures {
		o, err := painter.New(t)
		l.keep(err)
		if err != nil {
			return
		}
		r, err := l.AddObject("Texture", t.Name, o)
		l.keep(err)
		l.keep(l.Settle(r))
		l.textures[t] = r
	}
}

func (l *level) lamp(x lampSpot, i int) {
	l.actor("Light", "Light"+strconv.Itoa(i), x.at, func(o *unreal.Object) {
		o.Set("LightHue", unreal.ByteProperty, int32(x.hue))
		o.Set("LightSaturation", unreal.ByteProperty, int32(x.saturation))
		o.Set("LightBrightness", unreal.ByteProperty, int32(x.brightness))
		o.Set("LightRadius", unreal.ByteProperty, int32(x.radius))
	})
}

// laid is how a picture lies on a face: in texels, by vectors of the engine.
type laid struct{ u, v vec }

// lay solves for the vectors by three corners of a face; its picture has that many pixels.
func lay(f *face, width, height int) (x laid) {
	a, b, c := f.corners[0], f.corners[1], f.corners[len(f.corners)-1]
	p, q := toEngine(b.p).minus(toEngine(a.p)), toEngine(c.p).minus(toEngine(a.p))
	n := p.cross(q)
	across, along := q.cross(n).times(1/n.dot(n)), n.cross(p).times(1/n.dot(n))
	solve := func(k int, size float64) vec {
		return across.times((b.uv[k] - a.uv[k]) * size).plus(along.times((c.uv[k] - a.uv[k]) * size))
	}
	return laid{solve(0, float64(width)), solve(1, float64(height))}
}

// wallOf turns a face, moved, into a wall of the engine, whose space is a mirror of ours.
func wallOf(f *face, at vec) (w wall) {
	for k := range f.corners {
		w.points = append(w.points, toEngine(f.corners[len(f.corners)-1-k].p.plus(at)))
	}
	for k := range w.points {
		w.normal = w.normal.minus(w.points[k].cross(w.points[(k+1)%len(w.points)]))
	}
	w.normal = w.normal.unit()
	w.offset = w.points[0].dot(w.normal)
	return w
}

func flagsOf(m *asset.Material) uint32 {
	if m.Unlit {
		return unreal.PolyUnlit
	}
	return 0
}

// world makes the tree of all that is seen.
func (l *level) world(m *mason, info unreal.Ref) *unreal.Model {
	t := &tree{&unreal.Model{LightBits: []byte{}, RootOutside: 0, Linked: 1}, map[[3]float32]int32{}, map[[3]float32]int32{}}
	var walls []wall
	for i := range m.solids {
		for k := range m.solids[i].faces {
			f := &m.solids[i].faces[k]
			if m.solids[i].does == waits || !m.solids[i].seen(f) {
				continue
			}
			w := wallOf(f, m.solids[i].at)
			w.surf = int32(len(t.Surfs))
			walls = append(walls, w)
			t.Surfs = append(t.Surfs, l.surf(t, f, &w, m.solids[i].at, int32(k)))
		}
	}
	t.grow(walls)
	t.SharedSides = 4
	t.Zones = []unreal.Zone{{Actor: info, Connectivity: 1, Visibility: math.MaxUint64}}
	t.Box, t.Sphere = around(t.Points)
	return t.Model
}

func (l *level) surf(t *tree, f *face, w *wall, at vec, poly int32) unreal.BspSurf {
	picture := f.material.BaseColorTexture.Texture
	x := lay(f, picture.Base().Width, picture.Base().Height)
	base := f.corners[0]
	pan := func(k, size int) int16 { return int16(math.Round(math.Mod(base.uv[k], 1) * float64(size))) }
	return unreal.BspSurf{
		Texture: l.textures[picture], Flags: flagsOf(f.material), Base: t.point(toEngine(base.p.plus(at))), Normal: t.vector(w.normal),
		TextureU: t.vector(x.u), TextureV: t.vector(x.v), LightMap: -1, BrushPoly: poly,
		PanU: pan(0, picture.Base().Width), PanV: pan(1, picture.Base().Height),
	}
}

func around(points [][3]float32) (b unreal.Box, s unreal.Sphere) {
	b.Min, b.Max, b.Valid = points[0], points[0], 1
	for _, p := range points {
		for k := range p {
			b.Min[k], b.Max[k] = min(b.Min[k], p[k]), max(b.Max[k], p[k])
		}
	}
	for k := range s.Center {
		s.Center[k] = (b.Min[k] + b.Max[k]) / 2
	}
	for _, p := range points {
		d := vec{float64(p[0] - s.Center[0]), float64(p[1] - s.Center[1]), float64(p[2] - s.Center[2])}
		s.Radius = max(s.Radius, float32(d.length()))
	}
	return b, s
}

// brush adds a brush that a part of the hall is made with, so that an editor can build the level again.
func (l *level) brush(s solid, i int) {
	if l.shapes[s.name] == 0 {
		l.shapes[s.name] = l.brushShape(s)
	}
	l.actor("Brush", "Brush"+strconv.Itoa(i), s.at, func(o *unreal.Object) {
		o.Set("CsgOper", unreal.ByteProperty, s.does)
		o.Set("Brush", unreal.ObjectProperty, int32(l.shapes[s.name]))
	})
}

func (l *level) brushShape(s solid) unreal.Ref {
	polys := &unreal.Polys{Capacity: int32(len(s.faces))}
	var points [][3]float32
	for k := range s.faces {
		q := l.poly(&s.faces[k], k)
		if s.does == hollows { // a brush looks outwards
			slices.Reverse(q.Vertices)
			for n := range q.Normal {
				q.Normal[n] = -q.Normal[n]
			}
		}
		polys.Polys, points = append(polys.Polys, q), append(points, q.Vertices...)
	}
	model := &unreal.Model{LightBits: []byte{}, RootOutside: 1, Linked: 1, SharedSides: 4, Polys: l.part("Polys", s.name+"Polys", polys)}
	model.Box, model.Sphere = around(points)
	return l.part("Model", s.name+"Shape", model)
}

func (l *level) poly(f *face, k int) unreal.Poly {
	picture := f.material.BaseColorTexture.Texture
	x, w := lay(f, picture.Base().Width, picture.Base().Height), wallOf(f, vec{})
	q := unreal.Poly{Base: toEngine(f.corners[0].p).narrow(), Normal: w.normal.narrow(), TextureU: x.u.narrow(), TextureV: x.v.narrow(),
		Flags: flagsOf(f.material), Texture: l.textures[picture], Item: l.AddName("None"), Link: int32(k), BrushPoly: -1}
	for _, p := range w.points {
		q.Vertices = append(q.Vertices, p.narrow())
	}
	return q
}
