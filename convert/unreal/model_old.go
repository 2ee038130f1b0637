package unreal

import (
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// joined returns a model with its vectors, points, nodes, surfs, verts and zones. Before version 62 these are objects of
// their own, that the model names (reference section 19).
func (a *archive) joined(m *unreal.Model) (*unreal.Model, error) {
	if m.Old == nil {
		return m, nil
	}
	whole := *m
	var err error
	vectors, points := part[unreal.Vectors](a, m, m.Old.Vectors, "vectors", &err), part[unreal.Vectors](a, m, m.Old.Points, "points", &err)
	nodes, surfs := part[unreal.BspNodes](a, m, m.Old.Nodes, "nodes", &err), part[unreal.BspSurfs](a, m, m.Old.Surfs, "surfs", &err)
	verts := part[unreal.Verts](a, m, m.Old.Verts, "verts", &err)
	if err != nil {
		return nil, err
	}
	whole.Vectors, whole.Points = vectors.Vectors, points.Vectors
	whole.Nodes, whole.Zones = nodes.Nodes, nodes.Zones
	whole.Surfs = surfs.Surfs
	whole.Verts, whole.SharedSides = verts.Verts, verts.SharedSides
	return &whole, nil
}

// part returns one of the objects of an old model; an empty one where the model names none. The first error is kept.
func part[T any](a *archive, m *unreal.Model, r unreal.Ref, field string, err *error) *T {
	if r == 0 || *err != nil {
		return new(T)
	}
	if r < 0 || !a.Valid(r) {
		*err = schema.Errorf(modelName, schema.ErrRange, field, "%s: %s is not in this package", m.Path, a.RefText(r))
		return nil
	}
	var x *T
	if x, *err = pack.As[T](a.File, int(r-1)); *err == nil && x == nil {
		*err = schema.Errorf(modelName, schema.ErrMismatch, field, "%s: %s holds no %s", m.Path, a.RefText(r), field)
	}
	return x
}
