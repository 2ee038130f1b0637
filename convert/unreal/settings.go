package unreal

import (
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// derived are the properties of a texture that follow from its picture.
var derived = []string{"palette", "ubits", "vbits", "usize", "vsize", "uclamp", "vclamp", "mipzero", "maxcolor", "internaltime",
	"bmasked", "format", "bhascomp", "compformat"}

// settingsOf returns the properties of a texture that are settings: surface flags, animation, details, sounds. Their
// form is that of records: a list of {Name, Type, Struct, Index, Value}.
func settingsOf(p *unreal.Package, o *unreal.Object) []any {
	list := []any{}
	for i := range o.Properties {
		q := &o.Properties[i]
		if slices.Contains(derived, strings.ToLower(p.Name(q.Name))) {
			continue
		}
		r := describeProperty(p, q)
		entry := map[string]any{"Name": r.Name, "Type": r.Type, "Value": r.Value}
		if r.Struct != "" {
			entry["Struct"] = r.Struct
		}
		if r.Index != 0 {
			entry["Index"] = float64(r.Index)
		}
		list = append(list, entry)
	}
	return list
}

// applySettings brings the settings of a texture in line with a list; nil leaves them as they are. Those of a new texture,
// which has no class yet, may be of another package, whose objects this one does not have: such a setting is lost.
func (a *archive) applySettings(o *unreal.Object, class unreal.Ref, value any, d *schema.Diagnostics) error {
	if value == nil || pack.SameValue(value, settingsOf(a.Package, o)) {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		return badSettings()
	}
	old := o.Properties
	was := make([]RecordProperty, len(old))
	var kept []unreal.Property
	for i := range old {
		was[i] = describeProperty(a.Package, &old[i])
		if slices.Contains(derived, strings.ToLower(was[i].Name)) {
			kept = append(kept, old[i])
		}
	}
	var now []string
	for n, v := range list {
		r, err := settingOf(v)
		if err != nil {
			return err
		}
		if slices.Contains(derived, strings.ToLower(r.Name)) {
			continue // it follows from the picture
		}
		if text, ok := r.Value.(string); ok && class == 0 && r.Type == unreal.ObjectProperty.String() {
			if _, ok := a.FindRef(text); !ok {
				d.Lossf("setting", r.Name, "%v is not in this package", r.Value)
				continue
			}
		}
		q, err := a.property(r, old, was, n)
		if err != nil {
			return err
		}
		kept, now = append(kept, q), append(now, r.Name)
	}
	if class == 0 {
		class = a.AddClass("Engine", "Texture")
	}
	a.checkNames(class, o.Path, recordNames(was), now)
	o.Properties = kept
	return nil
}

func badSettings() error {
	return schema.Errorf(textureName, schema.ErrValue, "properties", "expected a list of {Name, Type, Value}")
}

// settingOf reads one entry of the list.
func settingOf(v any) (*RecordProperty, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, badSettings()
	}
	if err := pack.CheckKeys(m, "properties", "Name", "Type", "Struct", "Index", "Value"); err != nil {
		return nil, err
	}
	r := &RecordProperty{Value: m["Value"]}
	r.Name, _ = m["Name"].(string)
	r.Type, _ = m["Type"].(string)
	r.Struct, _ = m["Struct"].(string)
	if v, there := m["Index"]; there {
		x, ok := pack.Whole32(v)
		if !ok || x < 0 || x >= 1<<30 {
			return nil, schema.Errorf(textureName, schema.ErrValue, "properties", "%s: index %v is not from 0 to %d", r.Name, v, 1<<30-1)
		}
		r.Index = int(x)
	}
	if r.Name == "" || r.Type == "" || r.Value == nil {
		return nil, badSettings()
	}
	return r, nil
}
