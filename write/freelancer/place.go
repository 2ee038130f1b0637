package freelancer

import (
	"slices"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// rename gives the directory of a value the value's name.
func rename(n *freelancer.Node, field, name string) error {
	if name == "" {
		return schema.Errorf(freelancer.Format, schema.ErrValue, field, "%q has no name any more, which its directory needs", n.Name)
	}
	n.Name = name
	return nil
}

// keep removes the children of a directory that are one of a list's values, as its reader sees it, and that the list does
// not have any more.
func keep[T any](dir *freelancer.Node, list []T, nodeOf func(T) *freelancer.Node, isOne func(*freelancer.Node) bool) {
	if dir == nil {
		return
	}
	kept := make(map[*freelancer.Node]bool, len(list))
	for _, v := range list {
		kept[nodeOf(v)] = true
	}
	gone := func(n *freelancer.Node) bool { return !kept[n] && isOne(n) }
	if slices.ContainsFunc(dir.Children, gone) {
		dir.Children = slices.DeleteFunc(slices.Clone(dir.Children), gone)
	}
}

// noHoles refuses a list with nil among its values.
func noHoles[T any](field string, list []*T) error {
	if i := slices.Index(list, nil); i >= 0 {
		return schema.Errorf(freelancer.Format, schema.ErrValue, field, "element %d is nil", i)
	}
	return nil
}
