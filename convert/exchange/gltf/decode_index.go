package gltf

import (
	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// indices reads the indices of a primitive, and makes lists of strips, fans and loops.
func (d *decoder) indices(path string, g *gltf.Primitive, p *asset.Primitive) error {
	n := len(p.Positions)
	if g.Indices != nil {
		v, err := d.indexList(path+"/indices", *g.Indices)
		if err != nil {
			return err
		}
		key := cacheKey{*g.Indices, "greatest"}
		most, known := d.cache[key].(uint32)
		if !known {
			most = greatest(v)
			d.cache[key] = most
		}
		if int64(most) >= int64(n) {
			return pathError(path+"/indices", schema.ErrRange, "index %d, there are %d vertices", most, n)
		}
		p.Indices = v
	}
	var size int
	switch g.Mode {
	case gltf.PrimitivePoints:
		p.Mode = asset.Points
		return nil
	case gltf.PrimitiveLines, gltf.PrimitiveLineLoop, gltf.PrimitiveLineStrip:
		p.Mode, size = asset.Lines, 2
	case gltf.PrimitiveTriangles, gltf.PrimitiveTriangleStrip, gltf.PrimitiveTriangleFan:
		p.Mode, size = asset.Triangles, 3
	}
	count := n
	if p.Indices != nil {
		count = len(p.Indices)
	}
	if g.Mode == gltf.PrimitiveLines || g.Mode == gltf.PrimitiveTriangles {
		if count%size == 0 {
			return nil
		}
		d.diag.Warnf("incomplete-primitive", path, "%d indices are no whole number of %s", count, modeNames[p.Mode])
	}
	if err := d.spend(path, 4*int64(size)*int64(count)); err != nil {
		return err
	}
	at := func(i int) uint32 {
		if p.Indices == nil {
			return uint32(i)
		}
		return p.Indices[i]
	}
	p.Indices = expand(g.Mode, count, at)
	return nil
}

// expand turns strips, fans and loops into lists, and cuts lists to whole primitives.
func expand(mode gltf.PrimitiveMode, n int, at func(i int) uint32) []uint32 {
	out := []uint32{}
	switch mode {
	case gltf.PrimitiveLines:
		for i := range n &^ 1 {
			out = append(out, at(i))
		}
	case gltf.PrimitiveTriangles:
		for i := range n - n%3 {
			out = append(out, at(i))
		}
	case gltf.PrimitiveLineStrip, gltf.PrimitiveLineLoop:
		for i := 0; i+1 < n; i++ {
			out = append(out, at(i), at(i+1))
		}
		if mode == gltf.PrimitiveLineLoop && n > 1 {
			out = append(out, at(n-1), at(0))
		}
	case gltf.PrimitiveTriangleStrip:
		for i := 0; i+2 < n; i++ {
			// Every second triangle is turned, so that all keep their front.
			out = append(out, at(i), at(i+1+i%2), at(i+2-i%2))
		}
	case gltf.PrimitiveTriangleFan:
		for i := 1; i+1 < n; i++ {
			out = append(out, at(i), at(i+1), at(0))
		}
	}
	return out
}

func (d *decoder) indexList(path string, i int) ([]uint32, error) {
	key := cacheKey{i, "indices"}
	if v, ok := d.cache[key].([]uint32); ok {
		return v, nil
	}
	e, err := d.locate(path, i, -1)
	if err != nil {
		return nil, err
	}
	if e.comps != 1 {
		return nil, pathError(path, schema.ErrMismatch, "type %s", d.doc.Accessors[i].Type)
	}
	if err := d.spend(path, 4*int64(e.count)); err != nil {
		return nil, err
	}
	var v []uint32
	if e.plain(gltf.ComponentUint) {
		var most uint32
		known := false
		v = copyLooking(e.data, e.count, func(v []uint32) { most, known = greatestOf(v), true })
		if known {
			d.cache[cacheKey{i, "greatest"}] = most
		}
	}
	if v == nil {
		if v, err = e.uints(); err != nil {
			return nil, err
		}
	}
	d.cache[key] = v
	return v, nil
}
