package mesh

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// What the targets of the engine hold of a scene.
var (
	meshRoom = scene.Capabilities{Target: "a vertex mesh", Format: Name, Morphs: true, Animations: true, Paths: [4]bool{asset.MorphWeights: true},
		Looks: look.Looks, Empty: true}
	skeletalRoom = scene.Capabilities{Target: "a skeletal mesh", Format: skeleton.Name, Skins: true, Animations: true, Empty: true,
		Paths: [4]bool{asset.Translation: true, asset.Rotation: true, asset.Scale: true}, Looks: look.Looks}
)

// Lower turns a scene into a vertex mesh. If triangles, materials and sequences are still those of the stored mesh, that is
// returned unchanged, whatever the order of vertices. If only positions and texture coordinates differ, faces and levels of
// detail are kept. Otherwise the mesh is built anew, without levels of detail (reference section 11.3). A new mesh is a
// LodMesh; one with a skin is a SkeletalMesh. One that is made of a mesh of another package is edited as that.
func Lower(pkg *pack.File, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, stored, err := sceneOf(pkg, i, v, Name, "mesh")
	if err != nil {
		return nil, err
	}
	if stored == nil && i < 0 {
		if stored, err = adopted(pkg, s, env); err != nil {
			return nil, err
		}
	}
	if m, ok := stored.(*unreal.SkeletalMesh); ok {
		return lowerOnto(pkg, m, s, env)
	}
	room := &meshRoom
	if stored == nil && skinned(s) {
		room = &skeletalRoom
	}
	if err := look.Audit(s, room, env); err != nil {
		return nil, err
	}
	switch {
	case room == &skeletalRoom:
		return newSkeletal(pkg, s, env)
	case stored == nil:
		return newMesh(pkg, s, env)
	}
	x, err := shapeOf(stored, nil)
	if err != nil {
		return nil, err
	}
	lifted, err := meshScene(pkg, stored, &format.Env{})
	if err != nil {
		return nil, err
	}
	bare := look.AdoptMaterials(s, lifted)
	g, err := gather(pkg, s, x.mesh, env, false)
	if err != nil {
		return nil, err
	}
	was, err := gather(pkg, lifted, x.mesh, nil, false)
	if err != nil {
		return nil, err
	}
	edited := !sameGeometry(g, was)
	if edited && bare {
		look.TellUnkept(x.mesh.Path, env.Told())
	}
	if edited {
		if !x.lowerEdited(g, was) || !shows(pkg, stored, x.mesh, g) {
			if err := x.lowerNew(g, env.Told()); err != nil {
				return nil, err
			}
		}
		x.bounds()
	}
	if err := lowerSequences(pkg, x.mesh, s, lifted); err != nil {
		return nil, err
	}
	shown, err := meshScene(pkg, stored, &format.Env{})
	if err != nil {
		return nil, err
	}
	look.TellEdits(s, shown, &meshRoom, x.mesh.Path, env.Told())
	is := was
	if edited {
		if is, err = gather(pkg, shown, x.mesh, nil, false); err != nil {
			return nil, err
		}
	}
	places := map[string]int{}
	tellNormals(g.shaded(places), was.shaded(places), is.shaded(places), edited, x.mesh.Path, env.Told())
	return stored, nil
}

// sceneOf returns an asset as a scene, and the object that it was made from; nil where there is none.
func sceneOf(pkg *pack.File, i int, v asset.Asset, format, kind string) (*asset.Scene, unreal.AnyObject, error) {
	s, ok := v.(*asset.Scene)
	if !ok {
		return nil, nil, schema.Errorf(format, schema.ErrUnsupported, "", "a %T cannot become a %s", v, kind)
	}
	stored, err := pkg.Original(i, format, s.Native)
	return s, stored, err
}

// shows reports whether a mesh shows the triangles of a scene: of corners that were one before, an edit may have changed
// some only.
func shows(pkg *pack.File, o unreal.AnyObject, m *unreal.Mesh, g *geometry) bool {
	s, err := meshScene(pkg, o, &format.Env{})
	if err != nil {
		return false
	}
	is, err := gather(pkg, s, m, nil, false)
	return err == nil && sameGeometry(g, is)
}

// skinned reports whether a scene shows a mesh with a skin.
func skinned(s *asset.Scene) bool {
	return slices.ContainsFunc(space.Shown(s), func(n space.Placed) bool { return n.Node.Skin != nil && len(n.Node.Skin.Joints) > 0 })
}

// geometry is the triangles of a scene in the terms of a mesh.
type geometry struct {
	frames    int
	corners   []movingCorner
	faces     []face
	materials []unreal.MeshMaterial
	textures  []unreal.Ref // the mesh's list, grown by what the materials need
	fresh     bool         // the mesh is new: the numbers that materials remember are those of another mesh
	loses     bool         // by a program that writes [restore.NoNormal] for what it loses
}

// movingCorner is a corner: its place in every frame, in mesh space, and its texture coordinate.
type movingCorner struct {
	at    [][3]float32
	uv    [2]float32
	shade shade
}

// gather collects the triangles of all nodes of a scene in the space of the mesh m, which may be fresh.
func gather(pkg *pack.File, s *asset.Scene, m *unreal.Mesh, env *format.Env, fresh bool) (*geometry, error) {
	g := &geometry{frames: 1, textures: slices.Clone(m.Textures), fresh: fresh, loses: losesNormals(s)}
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil {
			return
		}
		for _, p := range n.Mesh.Primitives {
			g.frames = max(g.frames, 1+len(p.Targets))
		}
	})
	toMesh := space.Matrix(space.Vertex.Placement(m))
	if toMesh.Det() == 0 {
		return nil, schema.Errorf(Name, schema.ErrValue, "scale", "%s is flat", m.Path)
	}
	toMesh = toMesh.Inv().Mul4(mgl64.Scale3D(space.UnitsPerMetre, space.UnitsPerMetre, space.UnitsPerMetre))
	materials := map[unreal.MeshMaterial]int{}
	total := 0
	for _, n := range space.Shown(s) {
		for _, p := range n.Node.Mesh.Primitives {
			if p.Mode != asset.Triangles {
				continue
			}
			if total += len(p.Positions) * g.frames; total > maxAnimated {
				return nil, schema.Errorf(Name, schema.ErrLimit, "vertices", "more than %d positions", maxAnimated)
			}
			k, err := materialOf(pkg, p.Material, g, m, env)
			if err != nil {
				return nil, err
			}
			if err := g.add(p, space.Near(toMesh.Mul4(n.World)), indexOf(materials, k, k, &g.materials)); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// add appends the triangles of a primitive, its vertices placed by m.
func (g *geometry) add(p *asset.Primitive, m mgl64.Mat4, material int) error {
	first := len(g.corners)
	exact := m == mgl64.Ident4()
	place := func(v [3]float32) [3]float32 {
		if !exact {
			v = scene.Narrow3(mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, m))
		}
		return space.Vertex.Back(v)
	}
	tracks := make([][3]float32, len(p.Positions)*g.frames)
	for i, v := range p.Positions {
		c := movingCorner{at: tracks[i*g.frames : (i+1)*g.frames : (i+1)*g.frames], shade: shadeOf(p, i)}
		for f := range c.at {
			w := v
			if f > 0 && f <= len(p.Targets) && i < len(p.Targets[f-1].Positions) {
				d := p.Targets[f-1].Positions[i]
				w = [3]float32{v[0] + d[0], v[1] + d[1], v[2] + d[2]}
			}
			c.at[f] = place(w)
		}
		if len(p.TexCoords) > 0 && i < len(p.TexCoords[0]) {
			c.uv = p.TexCoords[0][i]
		}
		g.corners = append(g.corners, c)
	}
	faces, err := trianglesOf(p, first, material, m.Det() < 0)
	g.faces = append(g.faces, faces...)
	return err
}

// trianglesOf returns the triangles of a primitive whose vertices are numbered from first. Their winding is that of the
// engine: the other way round than in scenes.
func trianglesOf(p *asset.Primitive, first, material int, mirrored bool) ([]face, error) {
	corners := scene.Indices(p)
	faces := make([]face, 0, len(corners)/3)
	for i := 0; i+2 < len(corners); i += 3 {
		if k := max(corners[i], corners[i+1], corners[i+2]); int64(k) >= int64(len(p.Positions)) {
			return nil, schema.Errorf(Name, schema.ErrRange, "indices", "a triangle names vertex %d of %d", k, len(p.Positions))
		}
		f := face{[3]int{first + int(corners[i]), first + int(corners[i+2]), first + int(corners[i+1])}, material}
		if mirrored {
			f.corners[1], f.corners[2] = f.corners[2], f.corners[1]
		}
		faces = append(faces, f)
	}
	return faces, nil
}

// materialOf returns flags and texture of a material. A texture that the mesh does not have yet is added to its list.
func materialOf(pkg *pack.File, m *asset.Material, g *geometry, mesh *unreal.Mesh, env *format.Env) (unreal.MeshMaterial, error) {
	k := unreal.MeshMaterial{Flags: look.FlagsOf(m)}
	if m == nil {
		return k, nil
	}
	known := false
	if m.Native != nil && !g.fresh {
		k.Texture, known = pack.Whole32(scene.Shown(m.Native, "textureIndex"))
	}
	if known {
		shown := pkg.ObjectName(look.Bare(mesh, k).Texture)
		worn, dressed := scene.Shown(m.Native, "skin").(string)
		if dressed { // what a class puts on the mesh is no texture of its own
			worn = strings.TrimSuffix(worn, "'")
			shown = worn[strings.LastIndexAny(worn, ".'")+1:]
		}
		if m.BaseColorTexture == nil || m.BaseColorTexture.Texture == nil || env == nil ||
			m.BaseColorTexture.Texture.Name == "" || m.BaseColorTexture.Texture.Name == shown {
			return k, nil
		}
		if dressed {
			env.Diagnostics.Warnf("skin-stays", mesh.Path, "the texture of %s is replaced in the mesh, but a class still puts %s on it", m.Name, shown)
		}
	}
	r, err := textureFor(pkg, m)
	if err != nil || r == 0 {
		return k, err
	}
	n := slices.Index(g.textures, r)
	if n < 0 {
		n = len(g.textures)
		g.textures = append(g.textures, r)
	}
	k.Texture = int32(n)
	return k, nil
}

// textureFor returns the texture of the package that a material names; one that is missing is added from its picture.
func textureFor(pkg *pack.File, m *asset.Material) (unreal.Ref, error) {
	if m.BaseColorTexture == nil || m.BaseColorTexture.Texture == nil {
		return 0, nil
	}
	t := m.BaseColorTexture.Texture
	name := pack.CleanName(t.Name, m.Name)
	if r := pkg.ByName(name, "Texture"); r != 0 {
		return r, nil
	}
	if t.Base() == nil {
		return 0, nil
	}
	if err := texture.CheckSides(t.Base()); err != nil {
		return 0, err
	}
	o, err := pkg.Painter(pkg.Env).New(t)
	if err != nil {
		return 0, err
	}
	r, err := pkg.AddObject("Texture", name, o)
	if err != nil {
		return 0, err
	}
	return r, pkg.Settle(r)
}

// key identifies a place by the integers that a mesh stores of it.
func (c *movingCorner) key() string {
	b := make([]byte, 0, 6*len(c.at))
	for _, v := range c.at {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint16(b, uint16(round16(x)))
		}
	}
	return string(b)
}

func round16(x float32) int16 {
	return int16(math.Round(max(-32768, min(32767, float64(x)))))
}

// bytes returns the texture coordinate in 256ths; the whole part is dropped, since textures repeat, but an edge at 1
// stays at the end.
func (c *movingCorner) bytes() (uv [2]uint8) {
	for k, x := range c.uv {
		uv[k] = uint8(min(255, max(0, math.Round(256*(float64(x)-whole(x, x, x))))))
	}
	return uv
}

// whole returns the whole part of the least of three coordinates; one that is 1 belongs to the texture before it.
func whole(a, b, c float32) float64 {
	const rounding = 1.0 / 1024
	least, most := float64(min(a, b, c)), float64(max(a, b, c))
	if !(math.Abs(least) < 1<<20) {
		return 0
	}
	if edge := math.Round(least); edge > 0 && math.Abs(least-edge) < rounding && math.Abs(most-edge) < rounding {
		return edge - 1
	}
	return math.Floor(least + rounding)
}

// faceUV returns the texture coordinates of a face in 256ths, moved by whole textures into the range that a byte holds.
// It is not exact when the face shows more than one texture's length.
func faceUV(a, b, c [2]float32) (uv [3][2]uint8, exact bool) {
	exact = true
	for k := range 2 {
		base := whole(a[k], b[k], c[k])
		for n, x := range [3]float32{a[k], b[k], c[k]} {
			f := math.Round((float64(x) - base) * 256)
			exact = exact && f <= 256
			uv[n][k] = uint8(min(255, max(0, f)))
		}
	}
	return uv, exact
}

// sameGeometry compares the triangles of a scene with those of the stored one, whatever the order of triangles and
// vertices. Of triangles that are twice the same, which editors take out, one will do.
func sameGeometry(now, was *geometry) bool {
	if now.frames != was.frames || len(now.faces) > len(was.faces) || !slices.Equal(now.textures, was.textures) {
		return false
	}
	shown, stored := map[triangleKey]int{}, map[triangleKey]int{}
	n := &numbering{map[string]int{}, map[corner]int{}}
	for _, k := range now.triangles(n) {
		shown[k]++
	}
	for _, k := range was.triangles(n) {
		if stored[k]++; shown[k] == 0 {
			return false
		}
	}
	for k, count := range shown {
		if count > stored[k] {
			return false
		}
	}
	return true
}

// triangleKey is a triangle by the numbers of its corners, the smallest first.
type triangleKey struct {
	corners  [3]int
	material unreal.MeshMaterial
}

// numbering gives the same number to corners of which a mesh stores the same.
type numbering struct {
	places  map[string]int
	corners map[corner]int
}

// triangles returns the faces by the numbers of their corners. Texture coordinates count as a face shows them: those of
// one that is moved by whole textures are the same. A face that repeats its texture has no numbers: no mesh shows it.
func (g *geometry) triangles(n *numbering) []triangleKey {
	place := g.places(n.places)
	keys := make([]triangleKey, len(g.faces))
	for i, f := range g.faces {
		uv, exact := faceUV(g.corners[f.corners[0]].uv, g.corners[f.corners[1]].uv, g.corners[f.corners[2]].uv)
		if !exact {
			keys[i].corners = [3]int{-1, -1, -1}
			continue
		}
		var c [3]int
		for k := range c {
			x := corner{place[f.corners[k]], uv[k]}
			id, ok := n.corners[x]
			if !ok {
				id = len(n.corners)
				n.corners[x] = id
			}
			c[k] = id
		}
		keys[i] = triangleKey{firstLeast(c), g.materials[f.material]}
	}
	return keys
}

// places returns the numbers of the corners' places.
func (g *geometry) places(known map[string]int) []int {
	place := make([]int, len(g.corners))
	for i := range g.corners {
		k := g.corners[i].key()
		id, ok := known[k]
		if !ok {
			id = len(known)
			known[k] = id
		}
		place[i] = id
	}
	return place
}

// shaded returns the faces by the numbers of their places.
func (g *geometry) shaded(known map[string]int) []shadedTriangle {
	return g.shadedBy(g.places(known), func(c int) shade { return g.corners[c].shade })
}
