package unreal

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// Surfaces of the built world get other textures, flags and pans without a new build: UnrealEd changes the same fields, of the
// surface and of the polygons of its brush. Where a texture lies otherwise (scaled, turned) the light maps, which go by the same
// axes, would have to be built anew.

// structure are the poly flags that the build of a world goes by.
const structure = 0x8 | 0x20 | 0x10000 | 0x4000000 | 0xF3000000 // NotSolid, Semisolid, NoMerge, Portal, and those of the editor

// wallKey is a triangle in its place, its least corner first, in sixteenths of the engine's units.
type wallKey [3][3]int32

func wallKeyOf(a, b, c [3]float32) (k wallKey) {
	for i, p := range [...][3]float32{a, b, c} {
		for n, x := range p {
			k[i][n] = int32(math.Round(float64(x) * 16))
		}
	}
	for range 2 {
		if less(k[1], k[0]) || less(k[2], k[0]) {
			k[0], k[1], k[2] = k[1], k[2], k[0]
		}
	}
	return k
}

func less(a, b [3]int32) bool {
	for n := range a {
		if a[n] != b[n] {
			return a[n] < b[n]
		}
	}
	return false
}

// repainter finds out what a scene shows on the surfaces of a model.
type repainter struct {
	e     *levelEdit
	m     *unreal.Model
	walls map[wallKey][]*polygon // those that no triangle has been found for
	faces []face
	sizes map[unreal.Ref][2]float32 // textures as the scene shows them
	skins map[look.Skin]bool        // those of the surfaces as they were
}

// face is a triangle of a scene on a polygon of the model.
type face struct {
	material *asset.Material
	on       *polygon
	points   [3][3]float32 // in the engine's space
	uv       [3][2]float32
}

// repaint gives surfaces the textures, flags and pans that the world of a scene shows. It reports whether the triangles are those
// of the level, so that nothing else is to be compared; what surfaces cannot take is counted. The materials that were lifted are
// then those of the surfaces as they are now.
func (e *levelEdit) repaint(s *asset.Scene, world *asset.Node) (known bool, err error) {
	root := e.lifted.Roots[0]
	if world == nil || world.Mesh == nil || e.level.Model <= 0 || len(root.Children) == 0 || !isGeometry(root.Children[0]) {
		return false, nil
	}
	m, err := pack.As[unreal.Model](e.a.File, int(e.level.Model-1))
	if err != nil || m == nil {
		return false, err
	}
	if m, err = e.a.joined(m); err != nil {
		return false, err
	}
	x := &repainter{e: e, m: m, walls: map[wallKey][]*polygon{}, sizes: map[unreal.Ref][2]float32{}, skins: map[look.Skin]bool{}}
	if known, err := x.find(world.Mesh); !known || err != nil {
		return false, err
	}
	painted, err := x.paint()
	if !painted || err != nil {
		return true, err
	}
	lifted, err := e.a.levelScene(e.shownAs, nil)
	if err != nil {
		return false, err
	}
	e.lifted.Materials = lifted.Materials
	look.AdoptMaterials(s, e.lifted)
	return true, nil
}

// find looks for the polygon of each triangle. It reports whether the triangles are those of the polygons.
func (x *repainter) find(mesh *asset.Mesh) (bool, error) {
	polygons, err := bspPolygons(x.m)
	if err != nil {
		return false, err
	}
	for _, m := range x.e.lifted.Materials {
		x.measure(m)
	}
	for _, p := range mesh.Primitives {
		x.measure(p.Material)
	}
	triangles := 0
	for i := range polygons {
		q := &polygons[i]
		x.skins[q.skin] = true
		triangles += max(len(q.points)-2, 0)
		for k := 2; k < len(q.points); k++ {
			key := wallKeyOf(q.points[0], q.points[k], q.points[k-1])
			x.walls[key] = append(x.walls[key], q)
		}
	}
	for _, p := range mesh.Primitives {
		if p.Mode != asset.Triangles || len(p.TexCoords) == 0 || len(p.TexCoords[0]) != len(p.Positions) || p.Material == nil {
			return false, nil
		}
		if p.Indices == nil {
			p.Indices = make([]uint32, len(p.Positions))
			for i := range p.Indices {
				p.Indices[i] = uint32(i)
			}
		}
		for i := 0; i+2 < len(p.Indices); i += 3 {
			f := face{material: p.Material}
			for k, v := range p.Indices[i : i+3] {
				f.points[k], f.uv[k] = x.place(p.Positions[v]), p.TexCoords[0][v]
			}
			key := wallKeyOf(f.points[0], f.points[1], f.points[2])
			on := x.walls[key]
			if len(on) == 0 {
				return false, nil
			}
			k := x.likeliest(on, f)
			f.on = on[k]
			x.walls[key] = slices.Delete(on, k, k+1)
			x.faces = append(x.faces, f)
		}
	}
	return len(x.faces) == triangles, nil
}

// measure notes the size of a material's texture.
func (x *repainter) measure(m *asset.Material) {
	if m == nil {
		return
	}
	if r, ok := x.texture(m); ok && scene.Used(m.BaseColorTexture) {
		if b := m.BaseColorTexture.Texture.Base(); b != nil {
			x.sizes[r] = [2]float32{float32(b.Width), float32(b.Height)}
		}
	}
}

// place returns a corner of the scene in the engine's space.
func (x *repainter) place(p [3]float32) [3]float32 {
	if x.e.frame.flat {
		q := mgl64.TransformCoordinate(mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}, upright)
		p = scene.Narrow3(q)
	}
	return space.Vertex.Back(p)
}

// likeliest returns of several polygons in one place the one that the triangle shows as it is, or else has the texture of.
func (x *repainter) likeliest(on []*polygon, f face) int {
	if len(on) == 1 {
		return 0
	}
	best := 0
	for i, q := range on {
		f.on = q
		s := &x.m.Surfs[q.surf]
		switch c, ok := x.coat(&f); {
		case ok && c == coatOf(s):
			return i
		case c.texture == s.Texture:
			best = i
		}
	}
	return best
}

// texture returns the texture that a material names, by the path that is kept in it or else by its own name.
func (x *repainter) texture(m *asset.Material) (unreal.Ref, bool) {
	if text := look.TextureText(m); text != "" {
		return x.e.a.FindRef(text)
	}
	name, _ := scene.Uncopied(m.Name)
	found := unreal.Ref(0)
	for r := range x.refs() {
		if strings.EqualFold(x.e.a.ObjectName(r), name) && strings.HasSuffix(strings.ToLower(x.e.a.ClassName(r)), "texture") {
			if found != 0 {
				return 0, false
			}
			found = r
		}
	}
	return found, found != 0
}

// refs are all objects that a package has or imports.
func (x *repainter) refs() func(func(unreal.Ref) bool) {
	return func(yield func(unreal.Ref) bool) {
		for i := range x.e.a.Exports {
			if !x.e.a.Empty(i) && !yield(unreal.Ref(i+1)) {
				return
			}
		}
		for i := range x.e.a.Imports {
			if !yield(unreal.Ref(-i - 1)) {
				return
			}
		}
	}
}

// coat is what the triangles of one surface show.
type coat struct {
	texture unreal.Ref
	flags   uint32
	pan     [2]int16
	mixed   bool // they show several things
}

func coatOf(s *unreal.BspSurf) coat {
	return coat{s.Texture, s.Flags, [2]int16{s.PanU, s.PanV}, false}
}

// paint changes the surfaces whose triangles agree. It reports whether any has changed.
func (x *repainter) paint() (painted bool, err error) {
	coats, dressed := map[int32]coat{}, map[int32]*asset.Material{}
	for i := range x.faces {
		f := &x.faces[i]
		c, ok := x.coat(f)
		was, known := coats[f.on.surf]
		c.mixed = !ok || known && was != c
		coats[f.on.surf], dressed[f.on.surf] = c, f.material
	}
	brushes := map[unreal.Ref]*unreal.Polys{}
	for i := range x.m.Surfs {
		s := &x.m.Surfs[i]
		c, ok := coats[int32(i)]
		if c.mixed {
			x.e.unpainted.Add(dressed[int32(i)].Name)
		}
		if !ok || c.mixed || c == coatOf(s) {
			continue
		}
		was := *s
		s.Texture, s.Flags, s.PanU, s.PanV = c.texture, c.flags, c.pan[0], c.pan[1]
		painted = true
		if err := x.brush(&was, s, brushes); err != nil {
			return false, err
		}
	}
	if !painted {
		return false, nil
	}
	for _, r := range slices.Sorted(maps.Keys(brushes)) {
		if err := x.e.a.Store(int(r-1), brushes[r]); err != nil {
			return false, err
		}
	}
	return true, x.store()
}

// store stores the surfaces: in old models they are an object of their own.
func (x *repainter) store() error {
	if x.m.Old == nil {
		return x.e.a.Store(int(x.e.level.Model-1), x.m)
	}
	r := x.m.Old.Surfs
	surfs, err := pack.As[unreal.BspSurfs](x.e.a.File, int(r-1))
	if err != nil {
		return err
	}
	surfs.Surfs = x.m.Surfs
	return x.e.a.Store(int(r-1), surfs)
}

// brush changes the polygons of a brush that a surface was built of as the surface was.
func (x *repainter) brush(was, s *unreal.BspSurf, brushes map[unreal.Ref]*unreal.Polys) error {
	if s.Actor <= 0 || int(s.Actor) > len(x.e.a.Exports) {
		return nil
	}
	o, err := x.e.a.Object(int(s.Actor - 1))
	if err != nil {
		return err
	}
	r := o.Base().Ref("Brush")
	if r <= 0 {
		return nil
	}
	m, err := pack.As[unreal.Model](x.e.a.File, int(r-1))
	if err != nil || m == nil || m.Polys <= 0 {
		return err
	}
	polys := brushes[m.Polys]
	if polys == nil {
		if polys, err = pack.As[unreal.Polys](x.e.a.File, int(m.Polys-1)); err != nil || polys == nil {
			return err
		}
	}
	for i := range polys.Polys {
		p := &polys.Polys[i]
		if int32(i) != s.BrushPoly && p.Link != s.BrushPoly || p.Texture != was.Texture {
			continue
		}
		p.Texture = s.Texture
		p.Flags ^= was.Flags ^ s.Flags
		p.PanU += s.PanU - was.PanU
		p.PanV += s.PanV - was.PanV
		brushes[m.Polys] = polys
	}
	return nil
}

// coat returns what a triangle shows; false for what a surface cannot have without a new build.
func (x *repainter) coat(f *face) (c coat, ok bool) {
	s := &x.m.Surfs[f.on.surf]
	if c.texture, ok = x.texture(f.material); !ok {
		return c, false
	}
	flags := look.FlagsOf(f.material)
	known := f.material.Native == nil || x.skins[look.Skin{Texture: c.texture, Index: -1, Flags: flags}]
	if !known && flags&structure != s.Flags&structure {
		return c, false // somebody asks for another structure
	}
	kept := uint32(structure)
	if c.texture == s.Texture && x.adopted(f.material) {
		kept = ^uint32(look.SeenFlags) // several materials have its name, and an editor kept no more than their look
	}
	c.flags = s.Flags&kept | flags&^kept
	measured := false
	for _, r := range []unreal.Ref{c.texture, s.Texture} { // the texture may have been exchanged under the same coordinates
		if size, known := x.sizes[r]; known {
			if c.pan, ok = x.pan(f, s, size); ok {
				return c, true
			}
			measured = true
		}
	}
	c.pan = [2]int16{s.PanU, s.PanV}
	return c, !measured && x.still(f, s)
}

// adopted reports whether a material has lost its own values, and got those of one that looks the same.
func (x *repainter) adopted(m *asset.Material) bool {
	return m.Native == nil || slices.ContainsFunc(x.e.lifted.Materials, func(c *asset.Material) bool { return c.Native == m.Native })
}

// still reports whether a texture whose size nobody knows lies where it did: sizes are powers of two.
func (x *repainter) still(f *face, s *unreal.BspSurf) bool {
	for w := float32(1); w <= 4096; w *= 2 {
		for h := float32(1); h <= 4096; h *= 2 {
			if pan, ok := x.pan(f, s, [2]float32{w, h}); ok && pan == [2]int16{s.PanU, s.PanV} {
				return true
			}
		}
	}
	return false
}

// pan returns where a texture of a size lies on a surface; false where it is scaled or turned, or moved by
// parts of texels.
func (x *repainter) pan(f *face, s *unreal.BspSurf, size [2]float32) (pan [2]int16, ok bool) {
	was := [2]int16{s.PanU, s.PanV}
	for k, axis := range [...]mgl32.Vec3{f.on.axisU, f.on.axisV} {
		var moved [3]float64
		for i, p := range f.points {
			at := mgl32.Vec3(p).Sub(f.on.base).Dot(axis) + float32(was[k])
			moved[i] = float64(f.uv[i][k]*size[k]) - float64(at)
			if math.Abs(moved[i]-moved[0]) > 0.05+1e-5*math.Abs(float64(at)) {
				return pan, false
			}
		}
		whole := math.Round(moved[0])
		if math.Abs(moved[0]-whole) > 0.05+1e-5*math.Abs(moved[0]) {
			return pan, false
		}
		if to := float64(was[k]) + whole; math.Abs(whole) >= 1 && math.Abs(to) > math.MaxInt16 {
			whole = math.Mod(whole, float64(size[k])) // a texture repeats
		}
		pan[k] = int16(float64(was[k]) + whole)
	}
	return pan, true
}
