package unreal

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// t3dReader lays the actors of T3D text into a level (reference section 23): one whose name and class the level has takes
// the properties of the text, others are new. Whatever the text cannot say of a property that is there stays.
type t3dReader struct {
	a       *archive
	d       *schema.Diagnostics
	level   *unreal.Level
	info    unreal.Ref            // the LevelInfo; 0 in a level that had no actors
	refs    map[string]unreal.Ref // of the text's own objects, "class'name'" in lower case
	types   map[string]RecordProperty
	missing map[string]bool // textures
	met     map[unreal.Ref]bool
	rebuild bool // brushes are new or others

	classes, values, strays, shaped, staying, twice, nameless, paths scene.Tally
}

// textActor is an actor of the text.
type textActor struct {
	class, name string
	lines       []unreal.T3DItem
	brush       *unreal.T3DItem
	ref         unreal.Ref
	isNew       bool
	model       unreal.Ref // of a new brush
	polys       unreal.Ref
}

// layIn lays text into a level, which the caller writes.
func (a *archive) layIn(l *unreal.Level, text []byte, env *format.Env) error {
	t, err := read.T3D(text, nil)
	if err != nil {
		return err
	}
	x := &t3dReader{a: a, d: env.Told(), level: l, info: firstActor(l), refs: map[string]unreal.Ref{}, missing: map[string]bool{}, met: map[unreal.Ref]bool{}}
	actors := x.collect(t.Items, nil)
	if len(actors) == 0 {
		return schema.Errorf(t3dName, schema.ErrUnsupported, "", "it holds no actors: text of a brush alone goes into its Polys, under the name of that file")
	}
	for i := range actors {
		if err := x.prepare(&actors[i]); err != nil {
			return err
		}
	}
	for i := range actors {
		if actors[i].ref == 0 {
			continue
		}
		if err := x.fill(&actors[i]); err != nil {
			return fmt.Errorf("actor %s: %w", actors[i].name, err)
		}
	}
	l.Capacity = max(l.Capacity, int32(len(l.Actors)))
	x.findStaying(actors)
	x.tell()
	return nil
}

// findStaying finds the actors of the level that the text of a whole level does not have: somebody cut them out. A text without
// the LevelInfo is a part of a level, which adds to what is there.
func (x *t3dReader) findStaying(actors []textActor) {
	in := map[unreal.Ref]bool{}
	whole := false
	for i := range actors {
		in[actors[i].ref] = true
		whole = whole || strings.EqualFold(actors[i].class, "LevelInfo")
	}
	if !whole {
		return
	}
	for _, r := range x.level.Actors {
		if r > 0 && !in[r] && !strings.EqualFold(x.a.ClassName(r), "Camera") {
			x.staying.Add(x.a.ObjectName(r))
		}
	}
}

func (x *t3dReader) tell() {
	path := x.level.Path
	x.nameless.Tell(x.d, "t3d-nameless", path, "actor", "actors", "is left out: the line does not say its class and its name")
	x.twice.Tell(x.d, "t3d-twice", path, "actor", "actors", "is more than once in the text, and is what the last one says: give each a name of its own")
	x.staying.Tell(x.d.Hint(": its own file, removed with --prune, takes it out"), "t3d-stays", path, "actor", "actors", "is not in the text of the whole level, and stays")
	x.classes.Tell(x.d, "t3d-class", path, "actor", "actors", "is left out: the package does not import its class; import it by adding one as JSON, with the package of the class")
	x.values.Tell(x.d, "t3d-value", path, "property", "properties", "is left out: its value is of a kind that cannot be told")
	x.strays.Tell(x.d, "t3d-reference", path, "property", "properties", "is left out: it names an object of the text's own level that is not in it")
	x.shaped.Tell(x.d, "t3d-shape", path, "shape", "shapes", "is not changed: it was built by the editor, which alone can build it again")
	tellPaths(x.paths, path, x.d)
	if len(x.missing) > 0 {
		names := slices.Sorted(maps.Keys(x.missing))
		x.d.Warnf("texture-missing", path, "the package neither holds nor imports %d textures of brushes (%s): their polygons have none", len(names), strings.Join(names[:min(len(names), 5)], ", "))
	}
	if x.rebuild {
		x.d.Warnf("rebuild", path, "brushes are new or changed: the game draws the old world until the map is rebuilt in the editor")
	}
}

// collect returns the actors of the text, in its order.
func (x *t3dReader) collect(items []unreal.T3DItem, all []textActor) []textActor {
	for i := range items {
		words := strings.Fields(items[i].Line)
		if len(words) < 2 || !strings.EqualFold(words[0], "begin") {
			continue
		}
		switch strings.ToLower(words[1]) {
		case "map", "level":
			all = x.collect(items[i].Items, all)
		case "actor":
			y := textActor{lines: items[i].Items}
			for _, w := range words[2:] {
				switch key, value, _ := strings.Cut(w, "="); strings.ToLower(key) {
				case "class":
					y.class = pack.LastName(value)
				case "name":
					y.name = value
				}
			}
			for k := range y.lines {
				if w := strings.Fields(strings.ToLower(y.lines[k].Line)); len(w) > 1 && w[0] == "begin" && w[1] == "brush" {
					y.brush = &y.lines[k]
				}
			}
			switch {
			case strings.EqualFold(y.class, "Camera"):
			case y.class == "" || y.name == "":
				x.nameless.Add(strings.TrimSpace(items[i].Line))
			default:
				all = append(all, y)
			}
		}
	}
	return all
}

// prepare finds the export of an actor, or makes one, so that the others can name it.
func (x *t3dReader) prepare(y *textActor) error {
	key := func(class, name string) string { return strings.ToLower(class + "'" + name + "'") }
	for _, r := range x.level.Actors {
		if r > 0 && strings.EqualFold(x.a.ClassName(r), y.class) && (strings.EqualFold(x.a.ObjectName(r), y.name) || strings.EqualFold(y.class, "LevelInfo")) {
			y.ref = r
			x.refs[key(y.class, y.name)] = r
			if x.met[r] {
				x.twice.Add(y.name)
			}
			x.met[r] = true
			return x.prepareBrush(y)
		}
	}
	class, err := x.a.classNamed(y.class)
	if err != nil {
		if pkg := actorClasses[strings.ToLower(y.class)]; pkg {
			class, err = x.a.AddClass("Engine", y.class), nil
		}
	}
	if err != nil {
		x.classes.Add(y.name + " of class " + y.class)
		return nil
	}
	if err := unreal.CheckName(y.name); err != nil {
		return err
	}
	outer := unreal.Ref(0)
	if x.info > 0 {
		outer = x.a.Exports[x.info-1].Outer
	}
	flags := uint32(unreal.ActorFlags)
	if strings.EqualFold(y.class, "Brush") {
		flags = brushFlags
	}
	y.isNew = true
	y.ref = x.a.AddExport(class, outer, x.a.FreeName(outer, y.name, 0), flags)
	if err := x.vacant(y.ref); err != nil {
		return err
	}
	x.refs[key(y.class, y.name)] = y.ref
	x.level.Actors = append(x.level.Actors, y.ref)
	x.met[y.ref] = true
	return x.prepareBrush(y)
}

// The flags of brushes and their shapes: for the editor alone (reference section 1.7).
const (
	brushFlags = 0x02340001
	shapeFlags = 0x00340001
)

// actorClasses are classes of Engine that maps are made of.
var actorClasses = map[string]bool{"light": true, "playerstart": true, "brush": true, "mover": true, "zoneinfo": true, "pathnode": true, "trigger": true,
	"counter": true, "dispatcher": true, "keypoint": true, "ambientsound": true, "triggerlight": true, "spotlight": true, "teleporter": true, "skyzoneinfo": true,
	"waterzone": true, "specialevent": true, "decoration": true, "blockall": true, "blockplayer": true, "interpolationpoint": true, "liftcenter": true, "liftexit": true}

// vacant gives a new export a payload that reads, until it gets its own.
func (x *t3dReader) vacant(r unreal.Ref) error {
	o := &unreal.Object{End: x.a.AddName("None")}
	if e := &x.a.Exports[r-1]; e.Flags&unreal.HasStack != 0 {
		o.Frame = newFrame(e.Class)
	}
	return x.a.Put(r, o)
}

// prepareBrush finds or makes the Model and Polys of an actor's brush.
func (x *t3dReader) prepareBrush(y *textActor) error {
	if y.brush == nil {
		return nil
	}
	name := ""
	for _, w := range strings.Fields(y.brush.Line) {
		if key, value, _ := strings.Cut(w, "="); strings.EqualFold(key, "name") {
			name = value
		}
	}
	if !y.isNew {
		o, err := x.a.Object(int(y.ref - 1))
		if err != nil {
			return err
		}
		if y.model = o.Base().Ref("Brush"); y.model > 0 {
			x.refs[strings.ToLower("Model'"+name+"'")] = y.model
			return nil
		}
	}
	if unreal.CheckName(name) != nil || name == "" {
		name = "Model"
	}
	outer := x.a.Exports[y.ref-1].Outer
	flags := uint32(shapeFlags)
	if !strings.EqualFold(y.class, "Brush") {
		flags = unreal.LoadFlags | unreal.Transactional
	}
	m := &unreal.Model{RootOutside: 1, Linked: 1, LightBits: []byte{}}
	export := func(class, name string) unreal.Ref {
		return x.a.AddExport(x.a.AddClass("Engine", class), outer, x.a.FreeName(outer, name, 0), flags)
	}
	put := func(r unreal.Ref, o unreal.AnyObject) error {
		o.Base().End = x.a.AddName("None")
		return x.a.Put(r, o)
	}
	y.model, y.polys = export("Model", name), export("Polys", "Polys")
	m.Polys = y.polys
	var err error
	if x.a.Version < unreal.LazyVersion {
		m.Old = &unreal.OldModel{Vectors: export("Vectors", "Vectors"), Points: export("Vectors", "Vectors"), Nodes: export("BspNodes", "BspNodes"),
			Surfs: export("BspSurfs", "BspSurfs"), Verts: export("Verts", "Verts")}
		for _, part := range []struct {
			r unreal.Ref
			o unreal.AnyObject
		}{{m.Old.Vectors, &unreal.Vectors{}}, {m.Old.Points, &unreal.Vectors{}}, {m.Old.Nodes, &unreal.BspNodes{}}, {m.Old.Surfs, &unreal.BspSurfs{}}, {m.Old.Verts, &unreal.Verts{}}} {
			if err == nil {
				err = put(part.r, part.o)
			}
		}
	}
	polygons, err2 := x.polygons(y)
	for _, e := range []error{err, err2} {
		if e != nil {
			return e
		}
	}
	m.Primitive = boundsOf(polygons)
	x.refs[strings.ToLower("Model'"+name+"'")] = y.model
	if err := put(y.model, m); err != nil {
		return err
	}
	x.rebuild = true
	return put(y.polys, &unreal.Polys{Polys: polygons, Capacity: int32(len(polygons))})
}

// boundsOf returns box and sphere of the polygons of a brush.
func boundsOf(polygons []unreal.Poly) (p unreal.Primitive) {
	var points [][3]float32
	for i := range polygons {
		points = append(points, polygons[i].Vertices...)
	}
	if len(points) == 0 {
		return p
	}
	p.Box = unreal.Box{Min: points[0], Max: points[0], Valid: 1}
	for _, v := range points {
		for k := range v {
			p.Box.Min[k], p.Box.Max[k] = min(p.Box.Min[k], v[k]), max(p.Box.Max[k], v[k])
		}
	}
	far := 0.0
	for k := range p.Sphere.Center {
		p.Sphere.Center[k] = (p.Box.Min[k] + p.Box.Max[k]) / 2
	}
	for _, v := range points {
		far = max(far, scene.Wide3(v).Sub(scene.Wide3(p.Sphere.Center)).Len())
	}
	p.Sphere.Radius = float32(far)
	return p
}

// polygons returns the polygons of an actor's brush.
func (x *t3dReader) polygons(y *textActor) ([]unreal.Poly, error) {
	list, err := x.a.polysOf([]unreal.T3DItem{*y.brush}, x.texture)
	for i := range list {
		list[i].Actor = y.ref
	}
	return list, err
}

// texture returns a texture by its name or its full path, or 0 if there is none.
func (x *t3dReader) texture(name string) unreal.Ref {
	if name == "" || strings.EqualFold(name, "None") {
		return 0
	}
	if r := x.a.textureAtHand(name); r != 0 {
		return r
	}
	if strings.Contains(name, ".") {
		if r, err := x.a.named("Texture'"+name+"'", "Texture"); err == nil {
			return r
		}
	}
	x.missing[name] = true
	return 0
}

// fill gives an actor the properties of the text.
func (x *t3dReader) fill(y *textActor) error {
	o, err := x.a.Object(int(y.ref - 1))
	if err != nil {
		return err
	}
	base := o.Base()
	old := map[string]unreal.Property{} // by key
	var silent []unreal.Property        // what text cannot say
	var before []string
	for i := range base.Properties {
		q := &base.Properties[i]
		if text, ok := x.a.propertyText(q); ok {
			key := strings.ToLower(x.a.Name(q.Name)) + "(" + strconv.Itoa(int(q.Index)) + ")"
			old[key] = *q
			before = append(before, key+text)
		} else {
			silent = append(silent, *q)
		}
	}
	var now []unreal.Property
	var after []string
	has := map[string]bool{}
	for i := range y.lines {
		if y.lines[i].Items != nil || y.lines[i].End != "" {
			continue
		}
		name, index, value, ok := t3d.CutProperty(y.lines[i].Line)
		if !ok || strings.EqualFold(name, "Name") {
			continue
		}
		has[strings.ToLower(name)] = true
		key := strings.ToLower(name) + "(" + strconv.Itoa(index) + ")"
		if q, there := old[key]; there {
			if text, _ := x.a.propertyText(&q); text == value {
				now, after = append(now, q), append(after, key+text)
				continue
			}
		}
		q, ok := x.property(name, index, value)
		if !ok {
			if q, there := old[key]; there {
				now = append(now, q)
			}
			continue
		}
		now, after = append(now, q), append(after, key+value)
	}
	x.a.checkNames(x.a.Exports[y.ref-1].Class, base.Path, propertyNamesOf(x.a.Package, base.Properties), propertyNamesOf(x.a.Package, now))
	if x.a.guides(base, y.ref) && (y.isNew || x.a.placeOf(base.Properties) != x.a.placeOf(now)) {
		x.paths.Add(y.name)
	}
	if y.isNew {
		now = x.usual(y, now, has)
	} else if slices.Equal(before, after) {
		return x.reshape(y)
	}
	base.Properties = append(now, silent...)
	if err := x.a.Store(int(y.ref-1), o); err != nil {
		return err
	}
	return x.reshape(y)
}

// placeOf returns the text of the place of an actor with these properties.
func (a *archive) placeOf(list []unreal.Property) string {
	for i := range list {
		if strings.EqualFold(a.Name(list[i].Name), "Location") {
			text, _ := a.propertyText(&list[i])
			return text
		}
	}
	return ""
}

// usual adds what every actor stores: its level and its tag.
func (x *t3dReader) usual(y *textActor, list []unreal.Property, has map[string]bool) []unreal.Property {
	o := &unreal.Object{Context: &unreal.Context{Package: x.a.Package}}
	if !has["level"] && x.info > 0 {
		o.Set("Level", unreal.ObjectProperty, int32(x.info))
	}
	if !has["tag"] {
		o.Set("Tag", unreal.NameProperty, int32(x.a.AddName(y.class)))
	}
	if !has["brush"] && y.model > 0 {
		o.Set("Brush", unreal.ObjectProperty, int32(y.model))
	}
	return append(o.Properties, list...)
}

// reshape gives the brush of an actor that was there the polygons of the text.
func (x *t3dReader) reshape(y *textActor) error {
	if y.isNew || y.brush == nil {
		return nil
	}
	m, err := pack.As[unreal.Model](x.a.File, int(y.model-1))
	if m == nil || m.Polys <= 0 {
		return err
	}
	polys, err := pack.As[unreal.Polys](x.a.File, int(m.Polys-1))
	if polys == nil {
		return err
	}
	stored, err := read.T3D([]byte(t3d.BrushText(polys)), nil)
	if err != nil {
		return err
	}
	was, err := t3d.Polygons(stored.Items, nil)
	if err != nil {
		return err
	}
	is, err := t3d.Polygons([]unreal.T3DItem{*y.brush}, nil)
	if err != nil || reflect.DeepEqual(was, is) {
		return err
	}
	if len(m.Nodes) > 0 && !strings.EqualFold(y.class, "Brush") {
		x.shaped.Add(y.name)
		return nil
	}
	list, err := x.polygons(y)
	if err != nil {
		return err
	}
	setPolys(polys, list)
	x.rebuild = true
	return x.a.Store(int(m.Polys-1), polys)
}
