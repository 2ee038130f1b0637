package rig

import (
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Number returns a property that is a number.
func Number(x map[string]any, name string) (float64, bool) { return number(x[name]) }

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	}
	return 0, false
}

// Numbers returns a property that is a list of numbers, or a single one.
func Numbers(x map[string]any, name string) []float64 { return numbers(x[name]) }

func numbers(v any) (out []float64) {
	if x, ok := number(v); ok {
		return []float64{x}
	}
	items, _ := v.([]any)
	for _, e := range items {
		x, ok := number(e)
		if !ok {
			return nil
		}
		out = append(out, x)
	}
	return out
}

// vec3 returns a property of three numbers.
func vec3(x map[string]any, name string) (v [3]float32, ok bool) {
	n := Numbers(x, name)
	if len(n) != 3 {
		return v, false
	}
	return [3]float32(scene.Narrow(n)), true
}

// SameExtras reports whether properties have the values in base, with numbers compared within what an editor changes.
func SameExtras(base, edited map[string]any) bool { return len(Untaken(edited, base)) == 0 }

// Untaken returns the properties that say something else than what was made of them: values of another kind than they are to
// have, and words that nobody knows. An editor that drops properties does not mean them to be gone.
func Untaken(asked, made map[string]any) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if v, there := asked[name]; there && !agree(made[name], v) {
			names = append(names, name)
		}
	}
	return names
}

// agree reports whether two values of a property are the same. Editors round numbers, and have numbers for truths.
func agree(v, w any) bool {
	if is, ok := v.(bool); ok {
		says, said := truth(w)
		return said && says == is
	}
	a, b := numbers(v), numbers(w)
	if a == nil || b == nil {
		return reflect.DeepEqual(v, w)
	}
	return slices.EqualFunc(a, b, func(x, y float64) bool { return !(math.Abs(x-y) > 1e-5*max(1, math.Abs(x))) })
}

// Flag returns a boolean property, and whether the node has it.
func Flag(n *asset.Node, property string) (yes, said bool) { return truth(n.Extras[property]) }

func truth(v any) (yes, said bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case float64:
		return v != 0, true
	case string:
		return v == "true", true
	}
	return false, false
}

// Ignored reports whether a node is excluded from export.
func Ignored(n *asset.Node) bool {
	switch v := n.Extras["export_ignore"].(type) {
	case bool:
		return v
	case float64:
		return v != 0
	}
	return false
}

// Finite returns a list for JSON, or nil if it is empty or not finite.
func Finite(v []float32) []any {
	if len(v) == 0 || slices.ContainsFunc(v, func(x float32) bool { return x-x != 0 }) {
		return nil
	}
	return scene.List(v)
}

// Native returns the Native of a node, material or texture: values of the file that it was lifted from. The scene carries
// the file itself.
func Native(values map[string]any) *asset.Native {
	return &asset.Native{Format: freelancer.Format, Values: values}
}

// Values returns the values of a [Native], including read-only ones; nil for what comes from elsewhere.
func Values(n *asset.Native) map[string]any {
	if n == nil || n.Format != freelancer.Format {
		return nil
	}
	shown, ok := n.Values[scene.ReadOnly].(map[string]any)
	if !ok {
		return n.Values
	}
	all := maps.Clone(n.Values)
	delete(all, scene.ReadOnly)
	maps.Copy(all, shown)
	return all
}

// ID returns the name that identifies a node after an edit.
func ID(n *asset.Node) string {
	id, _ := Values(n.Native)["id"].(string)
	return id
}
