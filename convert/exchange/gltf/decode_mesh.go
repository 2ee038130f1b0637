package gltf

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

func (d *decoder) readMeshes() error {
	for i, g := range d.doc.Meshes {
		m, err := d.mesh(fmt.Sprintf("meshes/%d", i), g)
		if err != nil {
			return err
		}
		d.meshes = append(d.meshes, m)
	}
	return nil
}

func (d *decoder) mesh(path string, g *gltf.Mesh) (*asset.Mesh, error) {
	m := &asset.Mesh{Name: g.Name}
	foreign, u := split(g.Extras)
	m.Extras, m.Native = foreign, d.unpack(path, u)
	own := d.child(u, keyAsset)
	if names, ok := foreign[targetNames].([]any); ok {
		for _, x := range names {
			m.TargetNames = append(m.TargetNames, fmt.Sprint(x))
		}
		delete(foreign, targetNames)
		if len(foreign) == 0 {
			m.Extras = nil
		}
	}
	for _, w := range g.Weights {
		m.Weights = append(m.Weights, float32(w))
	}
	records := d.child(own, "primitives")
	empties := map[int]*asset.Primitive{}
	for _, key := range keysOf(records) {
		if k, err := strconv.Atoi(key); err == nil && isEmpty(d.child(records, key)) {
			empties[k] = d.emptyPrimitive(path, d.child(records, key))
		}
	}
	var named map[string]record // records by material, when an editor joined or divided primitives
	if n := index(own, "count"); n >= 0 && n != len(empties)+len(g.Primitives) {
		named = d.recordsByMaterial(records)
	}
	k := 0 // among all, with the empty ones
	for i, gp := range g.Primitives {
		for empties[k] != nil {
			k++
		}
		r := d.child(records, strconv.Itoa(k))
		k++
		if named != nil {
			r = nil
			if m := gp.Material; m != nil && *m >= 0 && *m < len(d.materials) {
				r = named[d.materials[*m].Name]
			}
		}
		p, err := d.primitive(fmt.Sprintf("%s/primitives/%d", path, i), gp, r)
		if err != nil {
			return nil, err
		}
		if p != nil {
			m.Primitives = append(m.Primitives, p)
		}
	}
	m.Primitives = interleave(m.Primitives, empties)
	return m, nil
}

func isEmpty(r record) bool {
	own, _ := r[keyAsset].(record)
	return own["empty"] != nil
}

// keysOf returns the numbers by which a record has others, in their order.
func keysOf(records record) []string { return slices.SortedFunc(maps.Keys(records), byLength) }

// recordsByMaterial returns the first record for each material.
func (d *decoder) recordsByMaterial(records record) map[string]record {
	named := map[string]record{}
	for _, k := range keysOf(records) {
		r := d.child(records, k)
		own := d.child(r, keyAsset)
		name, ok := own["materialName"].(string)
		if ok && named[name] == nil && own["texCoords"] == nil && own["drawn"] == nil {
			named[name] = r
		}
	}
	return named
}

func (d *decoder) emptyPrimitive(path string, r record) *asset.Primitive {
	own := d.child(r, keyAsset)
	p := &asset.Primitive{Native: d.unpack(path, r)}
	p.Extras = d.keptExtras(own)
	p.Mode = asset.Mode(max(0, slices.Index(modeNames[:], text(own, "mode"))))
	if n := index(own, "targets"); n > 0 && n < 1<<12 {
		p.Targets = make([]asset.Target, n)
	}
	if k := index(own, "material"); k >= 0 {
		if k < len(d.materials) && d.materials[k].Name == text(own, "materialName") {
			p.Material = d.materials[k]
		} else {
			p.Material = d.named[text(own, "materialName")]
		}
	}
	return p
}

// meshRecord makes a mesh that glTF cannot hold from its record.
func (d *decoder) meshRecord(u record) *asset.Mesh {
	own := d.child(u, keyAsset)
	m := &asset.Mesh{Name: text(own, "name"), Native: d.unpack("nodes", u)}
	m.Extras = d.keptExtras(own)
	if w := numbers(own, "weights"); len(w) > 0 {
		m.Weights = w
	}
	if s, ok := own[targetNames].(string); ok {
		m.TargetNames = strings.Split(s, "\n")
	}
	records := d.child(own, "primitives")
	for k := 0; k < len(records); k++ {
		if r := d.child(records, strconv.Itoa(k)); r != nil {
			m.Primitives = append(m.Primitives, d.emptyPrimitive("nodes", r))
		}
	}
	return m
}

// primitive reads one primitive; it is nil when there are no positions. r is its record.
func (d *decoder) primitive(path string, g *gltf.Primitive, r record) (*asset.Primitive, error) {
	if _, drawn := g.Attributes[gltf.POSITION]; drawn && d.lazy && len(g.Targets) == 0 && len(d.doc.Skins) == 0 {
		return d.later(path, g, r)
	}
	p := &asset.Primitive{}
	own := d.child(r, keyAsset)
	foreign, u := split(g.Extras)
	p.Extras = foreign
	if p.Native = d.unpack(path, r); p.Native == nil {
		p.Native = d.unpack(path, u)
	}
	d.leaveOthers(path, g.Extensions, extVariants)
	position, ok := g.Attributes[gltf.POSITION]
	if !ok {
		d.diag.Lossf("no-positions", path, "a primitive without positions is left out")
		return nil, nil
	}
	var err error
	if err = d.checkPacked(path, g, position); err != nil {
		return nil, err
	}
	if p.Positions, err = d.places(path+"/POSITION", position, -1); err != nil {
		return nil, err
	}
	p.Step = d.stepOf(position)
	if g.Material != nil {
		if err := refer(path+"/material", *g.Material, len(d.materials)); err != nil {
			return nil, err
		}
		p.Material = d.materials[*g.Material]
	}
	sets := index(own, "texCoords")
	for _, name := range attributeOrder(g.Attributes) {
		if err := d.attribute(path+"/"+name, name, g.Attributes[name], sets, p); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.Custom, func(a, b asset.Attribute) int { return strings.Compare(a.Name, b.Name) })
	if len(p.Joints) != len(p.Weights) || slices.ContainsFunc(p.Joints, func(s [][4]uint16) bool { return s == nil }) ||
		slices.ContainsFunc(p.Weights, func(s [][4]float32) bool { return s == nil }) {
		return nil, pathError(path, schema.ErrMismatch, "%d sets of joints, %d of weights", len(p.Joints), len(p.Weights))
	}
	if err := d.targets(path, g, p); err != nil {
		return nil, err
	}
	if err := d.indices(path, g, p); err != nil {
		return nil, err
	}
	if name := text(own, "mode"); name != "" && p.Mode == asset.Points && p.Indices == nil {
		p.Mode, p.Indices = asset.Mode(max(0, slices.Index(modeNames[:], name))), []uint32{}
	}
	return p, nil
}

// attributeOrder returns attribute names in the order of their numbers: TEXCOORD_10 after TEXCOORD_9.
func attributeOrder(a gltf.PrimitiveAttributes) []string {
	return slices.SortedFunc(maps.Keys(a), byLength)
}

// byLength orders numbers with the same text before them, and other names in some way.
func byLength(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// maxSets bounds the sets of texture coordinates and joints; no program uses more than eight.
const maxSets = 256

func (d *decoder) attribute(path, name string, i, sets int, p *asset.Primitive) error {
	n := len(p.Positions)
	var err error
	base, number, _ := strings.Cut(name, "_")
	set, bad := strconv.Atoi(number)
	numbered := bad == nil && set >= 0 && set < maxSets
	switch {
	case name == gltf.POSITION:
	case name == gltf.NORMAL:
		if p.Normals, err = d.vec3(path, i, n); err == nil {
			d.mend(path, i, flat3(p.Normals))
			d.directions(i, flat3(p.Normals), 3)
		}
	case name == gltf.TANGENT:
		if p.Tangents, err = d.vec4(path, i, n); err == nil {
			d.mend(path, i, flat4(p.Tangents))
			d.directions(i, flat4(p.Tangents), 4)
		}
	case base == "TEXCOORD" && numbered:
		if sets >= 0 && set >= sets {
			return nil // written for the sake of a material, see the encoder
		}
		for len(p.TexCoords) <= set {
			p.TexCoords = append(p.TexCoords, nil)
		}
		if p.TexCoords[set], err = d.vec2(path, i, n); err == nil {
			d.mend(path, i, flat2(p.TexCoords[set]))
		}
	case name == gltf.COLOR_0:
		if p.Colors, err = d.colors(path, i, n); err == nil {
			d.mend(path, i, flat4(p.Colors))
			d.exactColours(i, p.Colors)
		}
	case base == "JOINTS" && numbered:
		for len(p.Joints) <= set {
			p.Joints = append(p.Joints, nil)
		}
		p.Joints[set], err = d.joints(path, i, n)
	case base == "WEIGHTS" && numbered:
		for len(p.Weights) <= set {
			p.Weights = append(p.Weights, nil)
		}
		if p.Weights[set], err = d.vec4(path, i, n); err == nil {
			d.mend(path, i, flat4(p.Weights[set]))
		}
	default:
		err = d.custom(path, name, i, p)
	}
	return err
}

func (d *decoder) colors(path string, i, want int) ([][4]float32, error) {
	if err := refer(path, i, len(d.doc.Accessors)); err != nil {
		return nil, err
	}
	if d.doc.Accessors[i].Type != gltf.AccessorVec3 {
		return d.vec4(path, i, want)
	}
	key := cacheKey{i, "color"}
	if v, ok := d.cache[key].([][4]float32); ok && len(v) == want {
		return v, nil
	}
	rgb, err := d.vec3(path, i, want)
	if err != nil {
		return nil, err
	}
	if err := d.spend(path, 16*int64(len(rgb))); err != nil {
		return nil, err
	}
	v := make([][4]float32, len(rgb))
	for k, c := range rgb {
		v[k] = [4]float32{c[0], c[1], c[2], 1}
	}
	d.cache[key] = v
	return v, nil
}

func (d *decoder) joints(path string, i, want int) ([][4]uint16, error) {
	key := cacheKey{i, "joints"}
	if v, ok := d.cache[key].([][4]uint16); ok && len(v) == want {
		return v, nil
	}
	e, err := d.locate(path, i, want)
	if err != nil {
		return nil, err
	}
	if d.doc.Accessors[i].Type != gltf.AccessorVec4 || e.comp == gltf.ComponentUint {
		return nil, pathError(path, schema.ErrMismatch, "type %s of %s", d.doc.Accessors[i].Type, e.comp)
	}
	if err := d.spend(path, 24*int64(e.count)); err != nil {
		return nil, err
	}
	u, err := e.uints()
	if err != nil {
		return nil, err
	}
	v := make([][4]uint16, e.count)
	for k := range v {
		for c := range 4 {
			v[k][c] = uint16(u[4*k+c])
		}
	}
	d.cache[key] = v
	return v, nil
}

// custom reads an attribute that the asset model has no field for.
func (d *decoder) custom(path, name string, i int, p *asset.Primitive) error {
	if err := refer(path, i, len(d.doc.Accessors)); err != nil {
		return err
	}
	a := d.doc.Accessors[i]
	comps := a.Type.Components()
	if comps > 4 || a.Type == gltf.AccessorMat2 || a.ComponentType == gltf.ComponentUint {
		d.diag.Lossf("unknown-attribute", path, "an attribute of type %s of %s is left out", a.Type, a.ComponentType)
		return nil
	}
	if a.Count != len(p.Positions) {
		return pathError(path, schema.ErrMismatch, "%d elements for %d vertices", a.Count, len(p.Positions))
	}
	v, err := d.scalars(path, i)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(name, "_") {
		d.diag.Warnf("unknown-attribute", path, "the attribute is kept as _%s", name)
		name = "_" + name
	}
	if slices.ContainsFunc(p.Custom, func(c asset.Attribute) bool { return c.Name == name }) {
		d.diag.Lossf("unknown-attribute", path, "two attributes are called %s", name)
		return nil
	}
	kind := asset.Float32
	switch {
	case a.Normalized:
	case a.ComponentType == gltf.ComponentUbyte:
		kind = asset.Uint8
	case a.ComponentType == gltf.ComponentUshort:
		kind = asset.Uint16
	}
	p.Custom = append(p.Custom, asset.Attribute{Name: name, Components: comps, Type: kind, Values: v})
	return nil
}

// checkPacked refuses a primitive whose vertices are packed in a way that is not known here, and have no other form.
func (d *decoder) checkPacked(path string, g *gltf.Primitive, position int) error {
	if g.Extensions[extDraco] == nil || refer(path, position, len(d.doc.Accessors)) != nil {
		return nil
	}
	if a := d.doc.Accessors[position]; a.BufferView == nil && a.Sparse == nil {
		return pathError(path, schema.ErrUnsupported, "%s is not decoded here: %s does that", extDraco, decodeCommand)
	}
	return nil
}

func (d *decoder) targets(path string, g *gltf.Primitive, p *asset.Primitive) error {
	n := len(p.Positions)
	for k, a := range g.Targets {
		var t asset.Target
		at := fmt.Sprintf("%s/targets/%d", path, k)
		for _, name := range attributeOrder(a) {
			var err error
			switch name {
			case gltf.POSITION:
				t.Positions, err = d.places(at+"/POSITION", a[name], n)
			case gltf.NORMAL:
				t.Normals, err = d.vec3(at+"/NORMAL", a[name], n)
				d.mend(at+"/NORMAL", a[name], flat3(t.Normals))
			case gltf.TANGENT:
				t.Tangents, err = d.vec3(at+"/TANGENT", a[name], n)
				d.mend(at+"/TANGENT", a[name], flat3(t.Tangents))
			default:
				d.diag.Lossf("unknown-attribute", at, "%s of a morph target is left out", name)
			}
			if err != nil {
				return err
			}
		}
		p.Targets = append(p.Targets, t)
	}
	return nil
}
