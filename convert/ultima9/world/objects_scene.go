package world

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// objectName is Native.Format of an object's node.
const objectName = "u9-object"

// LiftObjects turns the objects of a map into a scene. Below a root node that converts raw units to metres, there is a node
// for each object, which shows the object's model if sappear.flx and types.dat are found. Objects inside others are not
// shown; they stay in the file that rides with the root. With Options.Ultima9.Region, the scene includes the other files of
// the map.
func LiftObjects(x *ultima9.ObjectFile, env *format.Env) (*asset.Scene, error) {
	s := &asset.Scene{Name: env.EntryName(x.Kind.String())}
	r := newRegion(s, env)
	if err := r.objects(x); err != nil {
		return nil, err
	}
	if env == nil || !env.Options.Ultima9.Region {
		if len(s.Meshes) == 0 && len(s.Roots) == 1 { // programs that leave out nodes without a shape would leave out all
			s.Native = scene.Spare(s.Roots[0].Native)
		}
		return s, nil
	}
	number := filepath.Ext(env.Name)
	if number == "" && strings.HasPrefix(env.Entry, SaveMap) {
		number = "." + strings.TrimPrefix(env.Entry, SaveMap)
	}
	return s, r.others(x.Kind, number)
}

// region makes the nodes of a map's files. Models, materials and textures are made once.
type region struct {
	scene  *asset.Scene
	env    *format.Env
	looks  *look.Lifter
	types  []ultima9.Type
	names  []*ultima9.TypeName
	models map[uint16]*asset.Mesh // prototypes; nil for models that cannot be shown
	file   *ultima9.Archive
	path   string
}

func newRegion(s *asset.Scene, env *format.Env) *region {
	r := &region{scene: s, env: env, looks: look.NewLifter(s, env), models: map[uint16]*asset.Mesh{}}
	r.looks.ForReading = true
	if b, path, err := env.Find("types.dat", "static/types.dat", "../static/types.dat"); err == nil {
		if t, err := read.Types(b, nil); err == nil {
			r.types = t.Records
		} else {
			env.Told().Warnf("types", path, "%v", err)
		}
	}
	r.names = beside.TypeNames(env)
	if at, size, path, err := env.FindAt("sappear.flx", "static/sappear.flx", "../static/sappear.flx"); err == nil {
		if r.file, err = read.FLX(at, size, nil); err != nil {
			env.Told().Warnf("models", path, "%v", err)
		}
		r.path = path
	}
	if r.file == nil {
		env.Told().Notef("no-models", "", "sappear.flx was not found: objects are places without a shape")
	}
	return r
}

// others adds the remaining files of the map. Files that are not there are passed over.
func (r *region) others(kind ultima9.ObjectKind, number string) error {
	find := func(name string) ([]byte, string) {
		b, path, err := r.env.Find(name+number, "static/"+name+number, "runtime/"+name+number, "../static/"+name+number, "../runtime/"+name+number)
		if err != nil {
			r.env.Diagnostics.Warnf("no-"+name, "", "%s%s was not found: the map is shown without it", name, number)
			return nil, ""
		}
		return b, path
	}
	if err := r.ground(find); err != nil {
		return err
	}
	other := ultima9.Nonfixed
	if kind == ultima9.Nonfixed {
		other = ultima9.Fixed
	}
	if r.env.Options.Ultima9.NoObjects {
		return nil
	}
	if b, path := find(other.String()); b != nil {
		x, err := ReadObjects(b, other)
		if err != nil {
			return schema.In(path, err)
		}
		return r.objects(x)
	}
	return nil
}

// ground adds the terrain.
func (r *region) ground(find func(name string) ([]byte, string)) error {
	if r.env.Options.Ultima9.NoGround {
		return nil
	}
	b, path := find("terrain")
	if b == nil {
		return nil
	}
	t, err := read.Terrain(b, r.env.Diagnostics)
	if err != nil {
		return schema.In(path, err)
	}
	n, err := terrainNode(t, r.scene, r.looks, b)
	if err != nil {
		return err
	}
	r.scene.Roots = append(r.scene.Roots, n)
	return nil
}

// objects adds an object file.
func (r *region) objects(x *ultima9.ObjectFile) error {
	if r.env != nil && r.env.Options.Ultima9.NoObjects {
		return nil
	}
	payload, err := write.Heap(x)
	if err != nil {
		return err
	}
	root := asset.NewNode("u9_" + x.Kind.String())
	root.Transform = model.RootTransform
	root.Native = &asset.Native{Format: "u9-" + x.Kind.String(), Payload: payload, Values: scene.ForReading(map[string]any{"squares": []any{int(x.Width), int(x.Height)}})}
	scene.Call(root)
	box := mapBoxOf(r.env)
	box.keep(root.Native)
	for _, o := range x.Objects {
		if box.holds(o) {
			root.Children = append(root.Children, r.node(o, x.Kind))
		}
	}
	r.scene.Roots = append(r.scene.Roots, root)
	return nil
}

// modelOf returns the slot of the model that shows an object.
func (r *region) modelOf(o *ultima9.Object, kind ultima9.ObjectKind) uint16 {
	if kind == ultima9.Nonfixed {
		return o.Model
	}
	if int(o.Type) < len(r.types) {
		return r.types[o.Type].Model
	}
	return 0
}

// node makes the node of an object (reference section 9.6).
func (r *region) node(o *ultima9.Object, kind ultima9.ObjectKind) *asset.Node {
	name := fmt.Sprintf("type_%d", o.Type)
	if int(o.Type) < len(r.names) && r.names[o.Type] != nil && r.names[o.Type].Name != nil && *r.names[o.Type].Name != "" {
		name = *r.names[o.Type].Name
	}
	n := asset.NewNode(fmt.Sprintf("%s_%s_%x", name, kind, o.Offset))
	n.Kind = asset.Marker
	n.Transform = objectTransform(o)
	n.Native = &asset.Native{Format: objectName, Values: objectValues(o, kind)}
	if model := r.modelOf(o, kind); model != 0 || kind == ultima9.Nonfixed { // model 0 is a debug cube, which fixed objects do not show
		r.show(n, model)
	}
	return n
}

// objectTransform places an object in raw units.
func objectTransform(o *ultima9.Object) asset.Transform {
	x, y, z := o.World()
	t := asset.Transform{Translation: [3]float32{float32(x), float32(y), float32(z)}}
	for k, v := range o.Rotation {
		t.Rotation[k] = float32(v) / 32767
	}
	t.Rotation = model.UnitQuaternion(t.Rotation)
	for k, v := range o.Scale() {
		t.Scale[k] = float32(v)
	}
	return t
}

// objectFields are those of an object that a person may edit.
func objectFields(o *ultima9.Object, kind ultima9.ObjectKind) scene.Fields {
	shown := map[string]any{"offset": int(o.Offset)}
	if len(o.Contents) > 0 {
		shown["contents"] = len(o.Contents)
	}
	f := scene.Fields{"type": &o.Type, "flags": &o.Flags, scene.ReadOnly: shown}
	if kind == ultima9.Nonfixed {
		f["model"], f["link"] = &o.Model, &o.Link
	}
	return f
}

func objectValues(o *ultima9.Object, kind ultima9.ObjectKind) map[string]any {
	v := objectFields(o, kind).Values()
	if kind == ultima9.Fixed {
		return v
	}
	list := []any{}
	for _, p := range o.Properties {
		if p.Type != ultima9.PropertyContents {
			list = append(list, []any{int(p.Type), int(p.Value)})
		}
	}
	if len(list) > 0 {
		v["properties"] = list
	}
	return v
}

// show gives a node the shape of a model.
func (r *region) show(n *asset.Node, model uint16) { n.Mesh = r.prototype(model) }

// prototype makes the shape of a model: its limbs at the highest level of detail, as far as they can be seen, as one mesh,
// so that an object is one node. It is nil for what cannot be seen.
func (r *region) prototype(model uint16) *asset.Mesh {
	if m, known := r.models[model]; known {
		return m
	}
	r.models[model] = nil
	if r.file == nil || !r.file.Used(int(model)) {
		return nil
	}
	m, err := r.model(model)
	if err != nil {
		r.env.Told().Warnf("model", fmt.Sprintf("%s:%d", r.path, model), "%v", err)
		return nil
	}
	if len(m.Primitives) == 0 {
		return nil
	}
	keepShape(m, mgl64.Ident4(), 0)
	r.scene.Meshes = append(r.scene.Meshes, m)
	r.models[model] = m
	return m
}

func (r *region) model(number uint16) (*asset.Mesh, error) {
	b, err := r.file.Payload(int(number))
	if err != nil {
		return nil, err
	}
	m, err := read.Sappear(b, nil)
	if err != nil {
		return nil, err
	}
	parents, err := m.Parents()
	if err != nil {
		return nil, err
	}
	out := &asset.Mesh{Name: fmt.Sprintf("model_%d", number)}
	byMaterial := map[*asset.Material]*asset.Primitive{}
	for i := range m.Limbs {
		limb := &m.Limbs[i]
		if len(limb.LODs) == 0 || limb.LODs[0].Empty() {
			continue
		}
		at := mgl64.Ident4()
		for k, depth := i, 0; k >= 0 && depth <= len(parents); k, depth = parents[k], depth+1 {
			t := model.LimbTransform(&m.Limbs[k])
			at = scene.Matrix(&t).Mul4(at)
		}
		pieces, lod := model.Primitives(&limb.LODs[0]), &limb.LODs[0]
		for _, mat := range lod.Materials {
			if mat.FaceCount == 0 {
				continue
			}
			p := pieces[0]
			pieces = pieces[1:]
			moveTo(p, at)
			p.Material = r.looks.Material(mat)
			if known := byMaterial[p.Material]; known != nil {
				join(known, p)
				continue
			}
			byMaterial[p.Material] = p
			out.Primitives = append(out.Primitives, p)
		}
	}
	return out, nil
}

// moveTo brings a piece of a limb to its place in the model. A mirrored one is turned inside out.
func moveTo(p *asset.Primitive, at mgl64.Mat4) {
	if at == mgl64.Ident4() {
		return
	}
	for i, v := range p.Positions {
		p.Positions[i] = scene.Narrow3(mgl64.TransformCoordinate(scene.Wide3(v), at))
	}
	turn := at.Mat3()
	if turn.Det() < 0 {
		for i := 0; i+2 < len(p.Indices); i += 3 {
			p.Indices[i+1], p.Indices[i+2] = p.Indices[i+2], p.Indices[i+1]
		}
	}
	if normals := turn.Inv().Transpose(); turn.Det() != 0 {
		for i, v := range p.Normals {
			if n := normals.Mul3x1(scene.Wide3(v)); n.Len() > 0 {
				p.Normals[i] = scene.Narrow3(n.Normalize())
			}
		}
	}
}

// join appends a primitive to another one of the same material.
func join(to, p *asset.Primitive) {
	first := uint32(len(to.Positions))
	to.Positions, to.Normals = append(to.Positions, p.Positions...), append(to.Normals, p.Normals...)
	to.TexCoords[0] = append(to.TexCoords[0], p.TexCoords[0]...)
	for _, i := range p.Indices {
		to.Indices = append(to.Indices, first+i)
	}
}

// SaveMap is the beginning of the paths of maps in a savegame.
const SaveMap = "map/"
