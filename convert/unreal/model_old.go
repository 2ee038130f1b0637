package unreal

import (
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
	vectors, err := part[unreal.Vectors](a, m, m.Old.Vectors, "vectors")
	if err != nil {
		return nil, err
	}
	points, err := part[unreal.Vectors](a, m, m.Old.Points, "points")
	if err != nil {
		return nil, err
	}
	nodes, err := part[unreal.BspNodes](a, m, m.Old.Nodes, "nodes")
	if err != nil {
		return nil, err
	}
	surfs, err := part[unreal.BspSurfs](a, m, m.Old.Surfs, "surfs")
	if err != nil {
		return nil, err
	}
	verts, err := part[unreal.Verts](a, m, m.Old.Verts, "verts")
	if err != nil {
		return nil, err
	}
	whole.Vectors, whole.Points = vectors.Vectors, points.Vectors
	whole.Nodes, whole.Zones = nodes.Nodes, nodes.Zones
	whole.Surfs = surfs.Surfs
	whole.Verts, whole.SharedSides = verts.Verts, verts.SharedSides
	return &whole, nil
}

// part returns one of the objects of an old model; an empty one where the model names none.
func part[T any](a *archive, m *unreal.Model, r unreal.Ref, field string) (*T, error) {
	if r == 0 {
		return new(T), nil
	}
	if r < 0 || !a.Valid(r) {
		return nil, schema.Errorf(modelName, schema.ErrRange, field, "%s: %s is not in this package", m.Path, a.RefText(r))
	}
	o, err := a.Object(int(r - 1))
	if err != nil {
		return nil, err
	}
	x, ok := o.(any).(*T)
	if !ok {
		return nil, schema.Errorf(modelName, schema.ErrMismatch, field, "%s: %s holds no %s", m.Path, a.RefText(r), field)
	}
	return x, nil
}
