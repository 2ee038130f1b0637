package unreal

import (
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// declared returns the names of the properties that a class and those above it declare (reference section 13), and
// whether the line of classes could be followed to its end: classes of packages that are not at hand are unknown.
func declared(pkg *pack.File, class unreal.Ref) (names []string, whole bool) {
	for range schema.DefaultLimits.Depth {
		if class == 0 {
			return names, true
		}
		at, c := pkg.Class(class)
		if c == nil {
			return names, false
		}
		list, ok := declaredBy(at, c)
		if names = append(names, list...); !ok {
			return names, false
		}
		pkg, class = at, c.Super
	}
	return names, false
}

// declaredBy returns the names of the properties that a class declares itself: they are on the list of its children.
func declaredBy(pkg *pack.File, c *unreal.Class) (names []string, whole bool) {
	list, whole := pkg.Children(c.Children)
	for _, d := range list {
		if d.Property() != nil {
			names = append(names, d.Name())
		}
	}
	return names, whole
}

// propertyNames is what an archive knows of the names of properties.
type propertyNames struct {
	used  []string            // those that its objects have; nil until somebody asks
	types map[string][]string // their types, by the name in small letters
	told  map[string]bool     // what was warned of, by class and name
}

// usedNames returns the names of the properties that the objects of the package have.
func (a *archive) usedNames() []string {
	if a.names.used == nil {
		set := map[string]bool{}
		a.names.types = map[string][]string{}
		for i := range a.Exports {
			o, err := a.Object(i)
			if err != nil {
				continue
			}
			for n := range o.Base().Properties {
				q := &o.Base().Properties[n]
				name := a.Name(q.Name)
				set[name] = true
				if key := strings.ToLower(name); !slices.Contains(a.names.types[key], q.Type.String()) {
					a.names.types[key] = append(a.names.types[key], q.Type.String())
				}
			}
		}
		a.names.used = slices.AppendSeq([]string{}, maps.Keys(set))
		slices.Sort(a.names.used)
	}
	return a.names.used
}

// usedTypes returns the types that a property has in the objects of the package.
func (a *archive) usedTypes(name string) []string {
	a.usedNames()
	return a.names.types[strings.ToLower(name)]
}

// checkNames reports properties that were added to an object under names that its class does not have: the game leaves
// them out in silence. Where the class is not at hand, what the package's other objects have says what was meant.
func (a *archive) checkNames(class unreal.Ref, path string, was, now []string) {
	var added []string
	for _, n := range now {
		if !slices.ContainsFunc(was, func(k string) bool { return strings.EqualFold(k, n) }) && !slices.Contains(added, n) {
			added = append(added, n)
		}
	}
	if len(added) == 0 {
		return
	}
	known, whole := declared(a.File, class)
	if !whole {
		known = slices.Concat(known, a.usedNames(), engineNames)
	}
	for _, n := range added {
		if slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, n) }) {
			continue
		}
		key := strings.ToLower(a.ObjectName(class) + "." + n)
		if a.names.told[key] {
			continue
		}
		a.names.told[key] = true
		hint := ""
		if near := schema.Nearest(n, slices.Values(known)); near != "" {
			hint = "; did you mean " + near + "?"
		}
		if whole {
			a.Env.Told().Warnf("property-unknown", path, "the class %s has no property %s%s", a.ObjectName(class), n, hint)
		} else {
			a.Env.Told().Warnf("property-unknown", path, "nothing at hand has a property %s, nor is the class %s%s", n, a.ObjectName(class), hint)
		}
	}
}

func recordNames(list []RecordProperty) (names []string) {
	for i := range list {
		names = append(names, list[i].Name)
	}
	return names
}

func propertyNamesOf(p *unreal.Package, list []unreal.Property) (names []string) {
	for i := range list {
		names = append(names, p.Name(list[i].Name))
	}
	return names
}
