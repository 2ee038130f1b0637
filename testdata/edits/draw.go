package edits

import (
	"bytes"
	"image"
	_ "image/jpeg" // pictures inside of GLB files
	_ "image/png"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// pose is the places of all nodes and the weights of their morph targets at a time.
type pose struct {
	world   []mgl64.Mat4
	weights map[int][]float64
}

// drawing is a picture in the making.
type drawing struct {
	*Doc
	cache map[int][]float64
	poses []pose
	out   *Picture
}

// Draw makes the picture of a document at the samples of another one or of itself.
func (d *Doc) Draw(samples []Sample) *Picture {
	w := &drawing{Doc: d, cache: map[int][]float64{}, out: &Picture{Names: map[string]bool{}, Above: map[string][]string{}, Movers: map[string][]string{}}}
	w.poses = append(w.poses, w.pose(nil, 0))
	missing := map[string]bool{}
	moved := map[int]bool{}
	for _, s := range samples {
		w.out.Clips = append(w.out.Clips, s.Animation)
		a := d.animation(s)
		if a == nil && !missing[s.Animation] {
			missing[s.Animation] = true
			w.out.Missing = append(w.out.Missing, s.Animation)
		}
		w.poses = append(w.poses, w.pose(a, s.Time))
		for _, c := range objects(a["channels"]) {
			if k := ref(sub(c, "target"), "node"); k >= 0 && text(sub(c, "target"), "path") != "weights" {
				moved[k] = true
			}
		}
	}
	nodes, parents, shown := d.nodes(), d.parents(), d.shown()
	owners := d.levelOwners()
	for i, role := range d.roles() {
		n := nodes[i]
		if !shown[i] && role != Level || role == Level && owners[i] < 0 { // nothing tells where those are
			continue
		}
		name := text(n, "name")
		w.out.Names[name] = true
		for p := parents[i]; p >= 0; p = parents[p] {
			w.out.Above[name] = append(w.out.Above[name], text(nodes[p], "name"))
		}
		switch role {
		case Shape:
			w.mesh(&w.out.Shown, i)
			for p := i; p >= 0; p = parents[p] {
				if moved[p] {
					w.out.Movers[name] = append(w.out.Movers[name], text(nodes[p], "name"))
				}
			}
		case Skinned:
			w.mesh(&w.out.Shown, i)
			for _, j := range ints(w.one("skins", ref(n, "skin"))["joints"]) {
				w.out.Movers[name] = append(w.out.Movers[name], text(nodes[j], "name"))
			}
		case Level:
			w.mesh(&w.out.Levels, i)
		case Wire:
			w.mesh(&w.out.Wires, i)
		case Mount:
			w.mesh(&w.out.Mounts, i)
		case Point:
			w.out.Points = append(w.out.Points, w.place(i))
		}
		if d.lightOf(n) != nil {
			w.out.Lights = append(w.out.Lights, w.place(i))
		}
		construct := text(sub(n, "extras"), "construct")
		if construct != "" && construct != "fix" && role != Joint || text(sub(n, "extras", "usher"), "format") == "sappear-limb" {
			w.out.Pivots = append(w.out.Pivots, w.place(i))
		}
		if moved[i] {
			w.out.Moves = append(w.out.Moves, w.place(i))
		}
	}
	for _, list := range []string{"meshes", "materials", "animations"} {
		for _, o := range d.all(list) {
			w.out.Names[text(o, "name")] = true
		}
	}
	for _, a := range d.all("animations") {
		w.out.Animated = append(w.out.Animated, text(a, "name"))
	}
	for _, m := range d.all("materials") {
		w.out.Materials = append(w.out.Materials, d.material(m))
	}
	w.out.Size = w.size()
	return w.out
}

func (w *drawing) place(i int) Place {
	p := Place{Name: text(w.nodes()[i], "name")}
	p.Look, _ = w.look(w.nodes()[i])
	for _, x := range w.poses {
		p.At = append(p.At, x.world[i])
	}
	return p
}

func (w *drawing) size() float64 {
	low, high := mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	grow := func(p mgl64.Vec3) {
		for k, x := range p {
			low[k], high[k] = min(low[k], x), max(high[k], x)
		}
	}
	for _, t := range w.out.Shown {
		for _, c := range t.Corners {
			grow(c.At[0])
		}
	}
	if len(w.out.Shown) == 0 {
		for i, in := range w.shown() {
			if in {
				grow(w.poses[0].world[i].Col(3).Vec3())
			}
		}
	}
	if s := high.Sub(low).Len(); s > 1e-9 && !math.IsInf(s, 0) {
		return s
	}
	return 1
}

// animation returns the animation of a sample, nil for none.
func (d *Doc) animation(s Sample) Object {
	list := d.all("animations")
	for _, a := range list {
		if text(a, "name") == s.Animation {
			return a
		}
	}
	for _, a := range list {
		if plain(text(a, "name")) == plain(s.Animation) {
			return a
		}
	}
	if len(list) == s.Of { // its name is another
		return list[s.Number]
	}
	return nil
}

func (w *drawing) values(i int) []float64 {
	v, ok := w.cache[i]
	if !ok {
		v, _ = w.accessor(i)
		w.cache[i] = v
	}
	return v
}

func (w *drawing) pose(a Object, at float64) pose {
	p := pose{weights: map[int][]float64{}}
	nodes, meshes := w.nodes(), w.all("meshes")
	rests := map[int]*trs{}
	for i, n := range nodes {
		if m := ref(n, "mesh"); m >= 0 {
			if p.weights[i] = numbers(n["weights"]); n["weights"] == nil {
				p.weights[i] = numbers(meshes[m]["weights"])
			}
		}
	}
	samplers := objects(a["samplers"])
	for _, c := range objects(a["channels"]) {
		t := sub(c, "target")
		i := ref(t, "node")
		if i < 0 {
			continue
		}
		s := samplers[ref(c, "sampler")]
		path := text(t, "path")
		v := at1(w.values(ref(s, "input")), w.values(ref(s, "output")), text(s, "interpolation"), path == "rotation", at)
		if rests[i] == nil && path != "weights" {
			r := restOf(nodes[i])
			rests[i] = &r
		}
		switch path {
		case "translation":
			rests[i].t = mgl64.Vec3(v)
		case "rotation":
			rests[i].r = quat(v)
		case "scale":
			rests[i].s = mgl64.Vec3(v)
		case "weights":
			p.weights[i] = v
		}
	}
	locals := w.locals()
	for i, r := range rests {
		locals[i] = r.matrix()
	}
	p.world = w.worlds(locals)
	return p
}

// at1 evaluates a sampler at a time.
func at1(times, values []float64, interpolation string, turns bool, at float64) []float64 {
	cubic := interpolation == "CUBICSPLINE"
	width := len(values) / max(1, len(times))
	if cubic {
		width /= 3
	}
	key := func(k, part int) []float64 { // of a cubic key: 0 in-tangent, 1 value, 2 out-tangent
		if cubic {
			k = 3*k + part
		}
		return values[k*width : (k+1)*width]
	}
	k := 0
	for k+1 < len(times) && times[k+1] <= at {
		k++
	}
	if at <= times[0] || k+1 == len(times) || interpolation == "STEP" {
		return key(k, 1)
	}
	span := times[k+1] - times[k]
	f := (at - times[k]) / span
	a, b := key(k, 1), key(k+1, 1)
	out := make([]float64, width)
	if cubic {
		m, n := key(k, 2), key(k+1, 0)
		f2, f3 := f*f, f*f*f
		for i := range out {
			out[i] = (2*f3-3*f2+1)*a[i] + (f3-2*f2+f)*span*m[i] + (3*f2-2*f3)*b[i] + (f3-f2)*span*n[i]
		}
		return out
	}
	p, q := 1-f, f
	if turns {
		var cos float64
		for i := range a {
			cos += a[i] * b[i]
		}
		sign := 1.0
		if cos < 0 {
			sign, cos = -1, -cos
		}
		if cos < 0.9999995 {
			angle := math.Acos(min(1, cos))
			p, q = math.Sin((1-f)*angle)/math.Sin(angle), math.Sin(f*angle)/math.Sin(angle)
		}
		q *= sign
	}
	for i := range out {
		out[i] = p*a[i] + q*b[i]
	}
	return out
}

// mesh adds the triangles and lines of a node.
func (w *drawing) mesh(list *[]Triangle, i int) {
	n := w.nodes()[i]
	if ref(n, "mesh") < 0 { // a level whose mesh is gone
		return
	}
	for _, p := range objects(w.one("meshes", ref(n, "mesh"))["primitives"]) {
		mode := int(number(p, "mode", 4))
		if mode != 4 && mode != 1 { // the program writes no others
			continue
		}
		at := w.vertices(i, p)
		if at == nil {
			continue
		}
		attributes := sub(p, "attributes")
		var uv, colors, normals []float64
		if k := ref(attributes, "NORMAL"); k >= 0 {
			normals = w.values(k)
		}
		turn := mgl64.Ident3()
		if m := w.poses[0].world[i].Mat3(); ref(n, "skin") < 0 && m.Det() != 0 {
			turn = m.Inv().Transpose()
		}
		set, transform := "TEXCOORD_0", mgl64.Ident3()
		if m := ref(p, "material"); m >= 0 {
			set, transform = w.mapping(w.one("materials", m))
		}
		if k := ref(attributes, set); k >= 0 {
			uv = w.values(k)
		}
		colorWidth := 4
		if k := ref(attributes, "COLOR_0"); k >= 0 {
			colors = w.values(k)
			colorWidth = widths[text(w.one("accessors", k), "type")]
		}
		var indices []float64
		if k := ref(p, "indices"); k >= 0 {
			indices = w.values(k)
		} else {
			for k := range at {
				indices = append(indices, float64(k))
			}
		}
		flip := ref(n, "skin") < 0 && w.poses[0].world[i].Mat3().Det() < 0
		size := 3
		if mode == 1 {
			size = 2
		}
		for k := 0; k+size <= len(indices); k += size {
			t := Triangle{Node: text(n, "name"), Material: ref(p, "material"), HasUV: uv != nil, Line: mode == 1}
			for c := range t.Corners {
				v := int(indices[k+min(c, size-1)])
				x := Corner{At: at[v], Color: [4]float64{1, 1, 1, 1}}
				if uv != nil {
					m := transform.Mul3x1(mgl64.Vec3{uv[2*v], uv[2*v+1], 1})
					x.UV = [2]float64{m[0], m[1]}
				}
				if normals != nil {
					x.Normal = turn.Mul3x1(mgl64.Vec3(normals[3*v : 3*v+3]))
				}
				if colors != nil {
					copy(x.Color[:], colors[v*colorWidth:(v+1)*colorWidth])
				}
				t.Corners[c] = x
			}
			if flip && mode == 4 {
				t.Corners[1], t.Corners[2] = t.Corners[2], t.Corners[1]
			}
			*list = append(*list, t)
		}
	}
}

// mapping returns the texture coordinates that the base colour of a material uses, and how it transforms them.
func (w *drawing) mapping(m Object) (set string, transform mgl64.Mat3) {
	t := sub(m, "pbrMetallicRoughness", "baseColorTexture")
	index := number(t, "texCoord", 0)
	transform = mgl64.Ident3()
	if x := sub(t, "extensions", "KHR_texture_transform"); x != nil {
		index = number(x, "texCoord", index)
		offset, scale := numbers(x["offset"]), numbers(x["scale"])
		if len(offset) == 2 {
			transform = mgl64.Translate2D(offset[0], offset[1])
		}
		sin, cos := math.Sincos(number(x, "rotation", 0))
		transform = transform.Mul3(mgl64.Mat3{cos, -sin, 0, sin, cos, 0, 0, 0, 1})
		if len(scale) == 2 {
			transform = transform.Mul3(mgl64.Scale2D(scale[0], scale[1]))
		}
	}
	return "TEXCOORD_" + string(rune('0'+int(index))), transform
}

// vertices returns where the vertices of a primitive are in each pose.
func (w *drawing) vertices(i int, p Object) [][]mgl64.Vec3 {
	attributes, n := sub(p, "attributes"), w.nodes()[i]
	k := ref(attributes, "POSITION")
	if k < 0 {
		return nil
	}
	base := w.values(k)
	out := make([][]mgl64.Vec3, len(base)/3)
	for v := range out {
		out[v] = make([]mgl64.Vec3, len(w.poses))
	}
	var targets [][]float64
	for _, t := range objects(p["targets"]) {
		if k := ref(t, "POSITION"); k >= 0 {
			targets = append(targets, w.values(k))
		} else {
			targets = append(targets, nil)
		}
	}
	for s, pose := range w.poses {
		at := base
		for t, weight := range pose.weights[i] {
			if weight == 0 || t >= len(targets) || targets[t] == nil {
				continue
			}
			if &at[0] == &base[0] {
				at = append([]float64(nil), base...)
			}
			for k, x := range targets[t] {
				at[k] += weight * x
			}
		}
		if ref(n, "skin") >= 0 {
			w.skin(out, s, at, attributes, pose, w.one("skins", ref(n, "skin")))
			continue
		}
		m := pose.world[i]
		for v := range out {
			out[v][s] = mgl64.TransformCoordinate(mgl64.Vec3(at[3*v:3*v+3]), m)
		}
	}
	return out
}

// skin places the vertices that joints move.
func (w *drawing) skin(out [][]mgl64.Vec3, s int, at []float64, attributes Object, p pose, skin Object) {
	joints := ints(skin["joints"])
	matrices := make([]mgl64.Mat4, len(joints))
	var inverse []float64
	if k := ref(skin, "inverseBindMatrices"); k >= 0 {
		inverse = w.values(k)
	}
	for j, node := range joints {
		matrices[j] = p.world[node]
		if inverse != nil {
			matrices[j] = matrices[j].Mul4(mgl64.Mat4(inverse[16*j : 16*j+16]))
		}
	}
	for set := 0; ; set++ {
		suffix := string(rune('0' + set))
		a, b := ref(attributes, "JOINTS_"+suffix), ref(attributes, "WEIGHTS_"+suffix)
		if a < 0 || b < 0 {
			return
		}
		of, weights := w.values(a), w.values(b)
		for v := range out {
			here := mgl64.Vec3(at[3*v : 3*v+3])
			for c := range 4 {
				if weight := weights[4*v+c]; weight != 0 {
					out[v][s] = out[v][s].Add(mgl64.TransformCoordinate(here, matrices[int(of[4*v+c])]).Mul(weight))
				}
			}
		}
	}
}

func (d *Doc) material(m Object) Material {
	pbr := sub(m, "pbrMetallicRoughness")
	x := Material{Name: text(m, "name"), Color: [4]float64{1, 1, 1, 1}, Alpha: text(m, "alphaMode")}
	if c := numbers(pbr["baseColorFactor"]); len(c) == 4 {
		copy(x.Color[:], c)
	}
	if c := numbers(sub(m, "extras", "usher", "asset")["quiet"]); len(c) == 6 && near(x.Color[:3], c[:3]) {
		copy(x.Color[:], c[3:]) // shown in a colour of its name, since its picture is not at hand
	}
	if t := sub(pbr, "baseColorTexture"); t != nil {
		source := ref(d.one("textures", ref(t, "index")), "source")
		if source >= 0 {
			x.Thumb = d.thumb(d.one("images", source))
		}
	}
	return x
}

func near(a, b []float64) bool {
	for i := range b {
		if math.Abs(a[i]-b[i]) > 1e-5 {
			return false
		}
	}
	return true
}

// imageBytes returns the file of a picture that is inside of the GLB.
func (d *Doc) imageBytes(o Object) []byte {
	k := ref(o, "bufferView")
	if k < 0 {
		return nil
	}
	v := d.all("bufferViews")[k]
	at := int(number(v, "byteOffset", 0))
	return d.Bin[at : at+int(number(v, "byteLength", 0))]
}

// thumb returns a picture in 8 × 8 fields, 0 … 1.
func (d *Doc) thumb(o Object) []float64 {
	b := d.imageBytes(o)
	if b == nil {
		return nil
	}
	m, _, err := image.Decode(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	const side = 8
	out, count := make([]float64, side*side*4), make([]float64, side*side)
	box := m.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			field := (y-box.Min.Y)*side/box.Dy()*side + (x-box.Min.X)*side/box.Dx()
			r, g, b, a := m.At(x, y).RGBA()
			for k, c := range [4]uint32{r, g, b, a} {
				out[4*field+k] += float64(c) / 0xFFFF
			}
			count[field]++
		}
	}
	for i := range out {
		out[i] /= max(1, count[i/4])
	}
	return out
}
