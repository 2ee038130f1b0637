package unreal

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/t3d"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/unreal"
)

// levelInto writes a level as the text that the editor imports: all actors with their properties, brushes with their
// polygons (reference section 23). An asset holds less of it.
func (a *archive) levelInto(v any, target string, env *format.Env) (any, bool, error) {
	l, ok := v.(*unreal.Level)
	if !ok || target != t3dName {
		return nil, false, nil
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	w := t3dWriter{a: a}
	w.line(0, "Begin Map")
	for _, r := range l.Actors {
		if r <= 0 || strings.EqualFold(a.ClassName(r), "Camera") { // a view of the editor
			continue
		}
		if err := w.actor(r); err != nil {
			return nil, false, err
		}
	}
	w.line(0, "End Map")
	w.lost.Tell(env.Told(), "t3d-property", l.Path, "property", "properties", "is left out: its value has a form that text cannot say")
	t, err := read.T3D([]byte(w.text.String()), nil)
	return t, true, err
}

type t3dWriter struct {
	a    *archive
	text strings.Builder
	lost scene.Tally
}

func (w *t3dWriter) line(indent int, format string, args ...any) {
	w.text.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteString("\r\n")
}

func (w *t3dWriter) actor(r unreal.Ref) error {
	o, err := w.a.Object(int(r - 1))
	if err != nil {
		return err
	}
	p := w.a.Package
	name := p.ObjectName(r)
	w.line(0, "Begin Actor Class=%s Name=%s", p.ClassName(r), name)
	base := o.Base()
	for i := range base.Properties {
		q := &base.Properties[i]
		text, ok := w.a.propertyText(q)
		if !ok {
			w.lost.Add(p.Name(q.Name) + " of " + name)
			continue
		}
		if q.Type == unreal.ObjectProperty && strings.EqualFold(p.Name(q.Name), "Brush") {
			if err := w.brush(unreal.Ref(q.Number)); err != nil {
				return err
			}
		}
		w.line(4, "%s=%s", propertyKey(p, base, q), text)
	}
	w.line(4, "Name=%s", name)
	w.line(0, "End Actor")
	return nil
}

// brush writes the polygons of a Model before the property that names it, as the editor wants them.
func (w *t3dWriter) brush(model unreal.Ref) error {
	if model <= 0 {
		return nil
	}
	o, err := w.a.Object(int(model - 1))
	if err != nil {
		return err
	}
	polys := &unreal.Polys{}
	polys.Context = o.Base().Context
	if m, ok := o.(*unreal.Model); ok && m.Polys > 0 {
		if o, err = w.a.Object(int(m.Polys - 1)); err != nil {
			return err
		}
		if x, ok := o.(*unreal.Polys); ok {
			polys.Polys = x.Polys
		}
	}
	polys.Path = w.a.ObjectName(model)
	for line := range strings.Lines(t3d.BrushText(polys)) {
		w.text.WriteString("    ")
		w.text.WriteString(line)
	}
	return nil
}

// arrays are properties with several elements, which have a number even where only the first is stored.
var arrays = map[string]bool{"paths": true, "upstreampaths": true, "prunedpaths": true, "visnoreachpaths": true, "aiprofile": true,
	"keypos": true, "keyrot": true, "multiskins": true, "outevents": true, "outdelays": true, "zoneterminal": true}

// propertyKey is the name of a property in text, with the number of its element.
func propertyKey(p *unreal.Package, o *unreal.Object, q *unreal.Property) string {
	name := p.Name(q.Name)
	several := q.Index > 0 || arrays[strings.ToLower(name)]
	for i := range o.Properties {
		several = several || o.Properties[i].Name == q.Name && o.Properties[i].Index > 0
	}
	if several {
		return fmt.Sprintf("%s(%d)", name, q.Index)
	}
	return name
}

// enums are the words of byte properties of Engine's actors, by the property.
var enums = map[string][]string{
	"csgoper":           {"CSG_Active", "CSG_Add", "CSG_Subtract", "CSG_Intersect", "CSG_Deintersect"},
	"lighttype":         {"LT_None", "LT_Steady", "LT_Pulse", "LT_Blink", "LT_Flicker", "LT_Strobe", "LT_BackdropLight", "LT_SubtlePulse", "LT_TexturePaletteOnce", "LT_TexturePaletteLoop"},
	"lighteffect":       {"LE_None", "LE_TorchWaver", "LE_FireWaver", "LE_WateryShimmer", "LE_Searchlight", "LE_SlowWave", "LE_FastWave", "LE_CloudCast", "LE_StaticSpot", "LE_Shock", "LE_Disco", "LE_Warp", "LE_Spotlight", "LE_NonIncidence", "LE_Shell", "LE_OmniBumpMap", "LE_Interference", "LE_Cylinder", "LE_Rotor", "LE_Unused"},
	"physics":           {"PHYS_None", "PHYS_Walking", "PHYS_Falling", "PHYS_Swimming", "PHYS_Flying", "PHYS_Rotating", "PHYS_Projectile", "PHYS_Rolling", "PHYS_Interpolating", "PHYS_MovingBrush", "PHYS_Spider", "PHYS_Trailer"},
	"drawtype":          {"DT_None", "DT_Sprite", "DT_Mesh", "DT_Brush", "DT_RopeSprite", "DT_VerticalSprite", "DT_Terraform", "DT_SpriteAnimOnce"},
	"style":             {"STY_None", "STY_Normal", "STY_Masked", "STY_Translucent", "STY_Modulated"},
	"role":              roles,
	"remoterole":        roles,
	"moverencroachtype": {"ME_StopWhenEncroach", "ME_ReturnWhenEncroach", "ME_CrushWhenEncroach", "ME_IgnoreWhenEncroach"},
	"moverglidetype":    {"MV_MoveByTime", "MV_GlideByTime"},
	"bumptype":          {"BT_PlayerBump", "BT_PawnBump", "BT_AnyBump"},
	"sheeraxis":         {"SHEER_None", "SHEER_XY", "SHEER_XZ", "SHEER_YX", "SHEER_YZ", "SHEER_ZX", "SHEER_ZY"},
}

var roles = []string{"ROLE_None", "ROLE_DumbProxy", "ROLE_SimulatedProxy", "ROLE_AutonomousProxy", "ROLE_Authority"}

// byteText returns a byte as the word of its enumeration, where that is known.
func byteText(name string, n int32) string {
	if words := enums[strings.ToLower(name)]; n >= 0 && int(n) < len(words) {
		return words[n]
	}
	return strconv.Itoa(int(n))
}

// propertyText returns a value as T3D text; false if T3D cannot express it.
func (a *archive) propertyText(q *unreal.Property) (string, bool) {
	name := a.Name(q.Name)
	v := readValue(a.Package, q)
	switch q.Type {
	case unreal.ByteProperty:
		return byteText(name, q.Number), q.Value == nil
	case unreal.IntProperty:
		return strconv.Itoa(int(q.Number)), q.Value == nil
	case unreal.BoolProperty:
		if q.Number != 0 {
			return "True", true
		}
		return "False", true
	case unreal.FloatProperty:
		x := math.Float32frombits(uint32(q.Number))
		return t3d.Decimal(x), q.Value == nil && x-x == 0
	case unreal.ObjectProperty, unreal.ClassProperty:
		return a.objectText(unreal.Ref(q.Number)), a.Valid(unreal.Ref(q.Number))
	case unreal.NameProperty:
		text, ok := v.(string)
		return text, ok
	case unreal.StrProperty, unreal.StringProperty:
		text, ok := v.(string)
		return `"` + text + `"`, ok && !strings.ContainsAny(text, "\"\r\n")
	case unreal.StructProperty, unreal.VectorProperty, unreal.RotatorProperty:
		m, ok := v.(map[string]any)
		if !ok || m["hex"] != nil {
			return "", false
		}
		return structText(structName(a.Package, q), m, a)
	}
	return "", false
}

// levelPrefix is the package of a level's own objects, as the editor calls it.
const levelPrefix = "MyLevel."

// objectText names an object: those of the level with the level's package, others with theirs.
func (a *archive) objectText(r unreal.Ref) string {
	if r == 0 {
		return "None"
	}
	path, err := a.Path(r)
	if err != nil {
		path = a.ObjectName(r)
	}
	if r > 0 && !strings.HasPrefix(strings.ToLower(path), strings.ToLower(levelPrefix)) && !strings.EqualFold(path+".", levelPrefix) {
		path = levelPrefix + path
	}
	return a.ClassName(r) + "'" + path + "'"
}

// structText returns a struct with the members that are not as usual.
func structText(name string, m map[string]any, a *archive) (string, bool) {
	if name == regionName {
		var parts []string
		if zone, _ := m["Zone"].(string); zone != "None" {
			r, ok := a.FindRef(zone)
			if !ok {
				return "", false
			}
			parts = append(parts, "Zone="+a.objectText(r))
		}
		for _, key := range []string{"iLeaf", "ZoneNumber"} {
			if n, _ := m[key].(int64); n != 0 {
				parts = append(parts, fmt.Sprintf("%s=%d", key, n))
			}
		}
		return "(" + strings.Join(parts, ",") + ")", true
	}
	usual := 0.0
	if name == "Scale" {
		usual = 1
	}
	var parts, scale []string
	for _, f := range pack.Structs[name] {
		x, ok := pack.Number(m[f.Name])
		if !ok {
			return "", false
		}
		text := strconv.Itoa(int(x))
		if f.Kind == 'f' {
			text = t3d.Decimal(float32(x))
		}
		inner := name == "Scale" && len(f.Name) == 1
		switch {
		case inner && x != usual:
			scale = append(scale, f.Name+"="+text)
		case inner || x == 0:
		case f.Name == "SheerAxis":
			parts = append(parts, "SheerAxis="+byteText("SheerAxis", int32(x)))
		default:
			parts = append(parts, f.Name+"="+text)
		}
	}
	if scale != nil {
		parts = append([]string{"Scale=(" + strings.Join(scale, ",") + ")"}, parts...)
	}
	return "(" + strings.Join(parts, ",") + ")", pack.Structs[name] != nil
}
