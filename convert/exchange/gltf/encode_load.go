package gltf

import (
	"maps"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// loaded writes a primitive whose data are made when they are needed. They are made twice, once to learn their sizes and
// bounds, which stand at the beginning of the file, and once to be written; in between nothing of them is kept. So the
// memory that a file takes follows its largest primitive, not all of them.
func (e *encoder) loaded(path string, p *asset.Primitive, info *meshInfo) (*gltf.Primitive, record) {
	whole, err := p.Whole()
	if err != nil {
		e.fail(schema.In(path, err))
		return nil, nil
	}
	lasting := e.lasting(path, p, len(whole.Positions))
	e.bin.align()
	first, before := len(e.bin.parts), e.bin.size
	shared := e.shared
	e.shared = maps.Clone(lasting) // data that are made anew each time cannot be shared
	g, own := e.primitive(path, whole, info)
	e.shared = shared
	size := e.bin.size - before
	e.bin.parts = append(e.bin.parts[:first], part{size, func(s *sink) {
		if s.err != nil {
			return
		}
		again, err := p.Whole()
		if err != nil {
			s.err = schema.In(path, err)
			return
		}
		x := &encoder{s: e.s, doc: &gltf.Document{}, shared: maps.Clone(lasting), materials: e.materials, images: e.images}
		if x.primitive(path, again, &meshInfo{}); x.err != nil || x.bin.size != size {
			s.err = schema.In(path, schema.Errorf(formatName, schema.ErrMismatch, "data", "they differ from those made before"))
			return
		}
		x.bin.writeTo(s)
	}})
	return g, own
}

// lasting writes what a primitive holds without being loaded, once for all that share it, and returns the accessors.
func (e *encoder) lasting(path string, p *asset.Primitive, vertices int) map[accessorKey]int {
	made := map[accessorKey]int{}
	for _, t := range p.TexCoords {
		if len(t) > 0 {
			key := accessorKey{&t[0], len(t), "texcoord"}
			made[key] = e.texCoords(path+"/TEXCOORD", t)
		}
	}
	if n := len(p.Indices); n > 0 {
		made[accessorKey{&p.Indices[0], n, "indices"}] = *e.indices(path, p.Indices, vertices)
	}
	return made
}
