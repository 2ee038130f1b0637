package unreal

import (
	"maps"
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// checkKeys refuses keys that mean nothing, and names the nearest one that does.
func checkKeys(m map[string]any, path string, known ...string) error {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(known, key) {
			return checkNear(path, key, known...)
		}
	}
	return nil
}

// checkValues refuses values of a companion that mean nothing to the format that it names.
func checkValues(n *asset.Native, name string, known ...string) error {
	if n == nil || n.Format != name {
		return nil
	}
	return checkKeys(n.Values, "Native.Values", known...)
}

// checkNear returns the error for a word that means nothing, with the nearest one of those that do.
func checkNear(field, word string, known ...string) error {
	if near := schema.Nearest(word, known); near != "" {
		return schema.Errorf(objectName, schema.ErrValue, field, "there is no %q; did you mean %q?", word, near)
	}
	return schema.Errorf(objectName, schema.ErrValue, field, "there is no %q", word)
}
