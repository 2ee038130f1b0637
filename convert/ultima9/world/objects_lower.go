package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/look"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// LowerObjects applies the objects of a scene to the file that the scene was made from. A node that was moved, turned or
// scaled changes its object. A copied node makes a new object, as does a node without a mark that is named "type_NUMBER".
// An object whose node was deleted is removed with everything that it contains.
func LowerObjects(a *asset.Scene, env *format.Env, kind ultima9.ObjectKind) (*ultima9.ObjectFile, error) {
	l := &objectLowerer{env: env, kind: kind, stored: map[uint32]*ultima9.Object{}, seen: map[uint32]bool{}, told: map[string]bool{}, sums: map[*asset.Mesh]bool{}}
	part := mapPart(a, "u9-"+kind.String())
	if err := scene.Lost(part, &mapRoom, env.Told()); err != nil {
		return nil, err
	}
	var root *asset.Native
	a.Walk(func(n, _ *asset.Node) {
		if root == nil && n.Native != nil && n.Native.Format == "u9-"+kind.String() && len(n.Native.Payload) > 0 {
			root = n.Native
		}
	})
	if root == nil {
		return nil, schema.Errorf("u9-"+kind.String(), schema.ErrUnsupported, "", "the scene does not hold the %s objects of a map: it was not made from one, or was exported without Custom Properties (in Blender tick Include › Custom Properties)", kind)
	}
	var err error
	if l.file, err = ReadObjects(root.Payload, kind); err != nil {
		return nil, err
	}
	all := l.file.Objects
	for _, o := range all {
		l.stored[o.Offset] = o
	}
	l.file.Objects = nil
	for _, m := range a.Meshes {
		l.marked = l.marked || m.Native != nil && m.Native.Format == shapeName
	}
	scene.WalkWorld(a.Roots, mgl64.Ident4(), func(n *asset.Node, world mgl64.Mat4, inside bool) bool {
		if n.Native == root {
			return true
		}
		if inside && l.err == nil {
			l.node(n, model.ToRawMatrix.Mul4(world))
		}
		return inside && !isObject(n) // limbs below an object are no objects
	}, false)
	if l.err != nil {
		return l.file, l.err
	}
	if b := keptBox(root); b.set {
		for _, o := range all {
			if !b.holds(o) && !l.seen[o.Offset] {
				l.seen[o.Offset] = true
				l.file.Objects = append(l.file.Objects, o)
			}
		}
	}
	look.TellMap(part, &scene.Capabilities{Target: mapRoom.Target, Looks: look.Room}, env.Told())
	l.tellRest(a, root)
	return l.file, nil
}

func isObject(n *asset.Node) bool { return n.Native != nil && n.Native.Format == objectName }

type objectLowerer struct {
	env    *format.Env
	kind   ultima9.ObjectKind
	file   *ultima9.ObjectFile
	stored map[uint32]*ultima9.Object
	seen   map[uint32]bool
	err    error

	marked     bool                 // the meshes tell what they were
	sums       map[*asset.Mesh]bool // which are as they were
	told       map[string]bool      // pieces of models that are not as they were
	shapes     int
	firstShape [2]string // of objects that are one mesh, of limbs
	firstWhat  string
	names      scene.Renames
}

// mapRoom is what a map can hold of a scene: places of objects. The rest are references.
var mapRoom = scene.Capabilities{Target: "a map of Ultima IX", Format: objectName, Bare: true, Empty: true, Levels: math.MaxInt32, Coverage: true}

// typePattern finds the type in the name of a node that somebody made.
var typePattern = format.Pattern(`^type_(\d{1,4})\b`)

// node makes the object of a node.
func (l *objectLowerer) node(n *asset.Node, raw mgl64.Mat4) {
	o := &ultima9.Object{Rotation: [4]int16{0, 0, 0, 32767}, Flags: ultima9.ObjectPresent}
	if l.kind == ultima9.Nonfixed {
		o.Flags |= ultima9.EntityFlags
	}
	switch {
	case isObject(n):
		offset := uint32(scene.ShownWhole(n.Native, "offset", 0))
		if was := l.stored[offset]; was != nil {
			*o = *was
			if l.seen[offset] { // a copy; what the object holds is not copied
				o.Offset, o.Unlinked, o.Contents = 0, false, nil
				o.Properties = PlainProperties(was)
			}
			l.seen[offset] = true
		}
		l.values(o, n)
		l.object(n, offset)
	default:
		m := typePattern().FindStringSubmatch(n.Name)
		if m == nil {
			if n.Mesh != nil || len(n.Children) == 0 {
				l.env.Told().Lossf("unknown-object", n.Name, "the node is no object: it has neither a mark of one nor a name like type_12")
			}
			return
		}
		number, _ := strconv.ParseUint(m[1], 10, 16)
		o.Type = uint16(number)
	}
	l.place(o, n.Name, raw)
	DoubtObject(l.kind, l.stored[o.Offset], o, n.Name, l.env.Told())
	l.file.Objects = append(l.file.Objects, o)
}

// object looks at the name of an object's node, and at the shapes that it shows.
func (l *objectLowerer) object(n *asset.Node, offset uint32) {
	ending := fmt.Sprintf("_%s_%x", l.kind, offset)
	if name, _ := scene.Uncopied(n.Name); name != "" && len(name) < 55 && !strings.HasSuffix(name, ending) { // editors cut longer ones
		l.names.Check("object"+ending, n.Name)
	}
	l.tellShape(n, mgl64.Ident4(), 0)
	var below func(n *asset.Node, at mgl64.Mat4, depth int)
	below = func(n *asset.Node, at mgl64.Mat4, depth int) {
		for _, c := range n.Children {
			if isObject(c) {
				continue
			}
			here := at.Mul4(scene.Matrix(&c.Transform))
			l.tellShape(c, here, depth)
			below(c, here, depth+1)
		}
	}
	below(n, mgl64.Ident4(), 1)
}

// values takes over the fields that a person may have changed.
func (l *objectLowerer) values(o *ultima9.Object, n *asset.Node) {
	if err := objectFields(o, l.kind).Take(objectName, n.Name, n.Native); err != nil {
		l.err = cmp.Or(l.err, err)
		return
	}
	v, there := n.Native.Values["properties"]
	if l.kind == ultima9.Fixed || !there && len(PlainProperties(o)) > 0 && l.stored[o.Offset] != nil {
		return
	}
	pairs, ok := v.([]any)
	if there && !ok {
		l.fail(schema.ErrValue, "properties", "%v is no list of pairs of type and value", v)
		return
	}
	var list []ultima9.Property
	for _, p := range pairs {
		pair, _ := p.([]any)
		if len(pair) != 2 {
			l.fail(schema.ErrValue, "properties", "%v is no pair of type and value", p)
			return
		}
		kind, ok1 := scene.Integer(pair[0])
		value, ok2 := scene.Integer(pair[1])
		if !ok1 || !ok2 || kind < 0 || kind > math.MaxUint8 || int64(value) < math.MinInt32 || int64(value) > math.MaxUint32 {
			l.fail(schema.ErrValue, "properties", "%v is no pair of type and value", p)
			return
		}
		list = append(list, ultima9.Property{Type: ultima9.PropertyType(kind), Value: uint32(value)})
	}
	if !slices.Equal(list, PlainProperties(o)) {
		o.Properties = list
	}
}

func (l *objectLowerer) fail(class error, field, msg string, args ...any) {
	if l.err == nil {
		l.err = schema.Errorf("u9-"+l.kind.String(), class, field, msg, args...)
	}
}

// place takes position, rotation and scale from a transform in raw units, where they are not the object's own.
func (l *objectLowerer) place(o *ultima9.Object, name string, raw mgl64.Mat4) {
	pose, exact := scene.Decompose(raw)
	t := pose.Transform()
	if !exact {
		l.env.Told().Lossf("skewed-object", name, "the object is skewed, which cannot be stored")
	}
	for _, v := range append(t.Rotation[:], t.Scale[:]...) {
		if !(math.Abs(float64(v)) <= math.MaxFloat32) {
			l.fail(schema.ErrValue, name, "the node's transform is no number")
			return
		}
	}
	l.position(o, name, t.Translation)
	was := objectTransform(o)
	if !turnsAlike(t.Rotation, was.Rotation) {
		for k, v := range t.Rotation {
			o.Rotation[k] = int16(math.Round(float64(v) * 32767))
		}
	}
	for k, v := range t.Scale {
		if math.Abs(float64(v-was.Scale[k])) > 1e-3*math.Abs(float64(was.Scale[k])) {
			l.scale(o, name, t.Scale)
			return
		}
	}
}

// turnsAlike reports whether two quaternions of any length turn the same way, within about a thousandth of a radian.
func turnsAlike(a, b [4]float32) bool {
	dot, aa, bb := 0.0, 0.0, 0.0
	for k := range a {
		x, y := float64(a[k]), float64(b[k])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	return dot*dot >= (1-2e-7)*aa*bb
}

// position moves an object whose place, in whole raw units, is another one.
func (l *objectLowerer) position(o *ultima9.Object, name string, place [3]float32) {
	var at [3]int32
	for k, v := range place {
		if !(math.Abs(float64(v)) < 1<<24) {
			l.fail(schema.ErrRange, name, "the object is %v metres away", v/ultima9.RawPerMetre)
			return
		}
		at[k] = int32(math.Round(float64(v)))
	}
	x, y, z := o.World()
	if o.Offset != 0 && at == [3]int32{x, y, z} {
		return
	}
	column, row := at[0]>>12, at[1]>>12
	if column < 0 || row < 0 || uint32(column) >= l.file.Width || uint32(row) >= l.file.Height {
		l.fail(schema.ErrRange, name, "the object lies outside the map of %d x %d squares", l.file.Width, l.file.Height)
		return
	}
	if at[2] != int32(int16(at[2])) {
		l.fail(schema.ErrRange, name, "a height of %d units cannot be stored", at[2])
		return
	}
	o.Square = [2]uint32{uint32(column), uint32(row)}
	o.X, o.Y, o.Z = at[0]&(ultima9.SquareSize-1), at[1]&(ultima9.SquareSize-1), int16(at[2])
}

// PlaceObject moves an object of a file to a position in raw units. name identifies it in an error.
func PlaceObject(x *ultima9.ObjectFile, o *ultima9.Object, name string, place [3]float32) error {
	l := &objectLowerer{kind: x.Kind, file: x}
	l.position(o, name, place)
	return l.err
}

// scale puts another size into the properties.
func (l *objectLowerer) scale(o *ultima9.Object, name string, scale [3]float32) {
	if l.kind == ultima9.Fixed {
		l.env.Told().Lossf("fixed-scale", name, "fixed objects have no size of their own")
		return
	}
	o.Properties = slices.Clone(o.Properties)
	percent := [3]uint32{}
	for k, v := range scale {
		if math.Abs(float64(v)) > math.MaxInt32/100 {
			l.fail(schema.ErrRange, name, "a size of %g times cannot be stored", v)
			return
		}
		percent[k] = uint32(int32(math.Round(float64(v) * 100)))
	}
	axes := slices.ContainsFunc(o.Properties, func(p ultima9.Property) bool {
		return p.Type >= ultima9.PropertyScaleX && p.Type <= ultima9.PropertyScaleZ
	})
	if percent[0] == percent[1] && percent[1] == percent[2] && !axes {
		setProperty(o, ultima9.PropertyScale, percent[0])
		return
	}
	for k, v := range percent {
		setProperty(o, ultima9.PropertyScaleX+ultima9.PropertyType(k), v)
	}
}

func setProperty(o *ultima9.Object, kind ultima9.PropertyType, value uint32) {
	for i := range o.Properties {
		if o.Properties[i].Type == kind {
			o.Properties[i].Value = value
			return
		}
	}
	o.Properties = append(o.Properties, ultima9.Property{Type: kind, Value: value})
}
