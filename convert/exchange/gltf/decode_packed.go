package gltf

import (
	"fmt"
	"slices"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
)

// packings are the names of the extension that packs buffer views, both with one layout.
var packings = [...]string{extMeshoptEXT, extMeshoptKHR}

// packs reports whether any view of the file is packed.
func (d *decoder) packs() bool {
	return slices.ContainsFunc(d.doc.BufferViews, func(v *gltf.BufferView) bool {
		return v.Extensions[extMeshoptEXT] != nil || v.Extensions[extMeshoptKHR] != nil
	})
}

// standIn reports whether a buffer only stands for what its views unpack to: it has no bytes, or some that are for readers
// who know nothing of the packing.
func (d *decoder) standIn(path string, g *gltf.Buffer, packs bool) (bool, error) {
	for _, name := range packings {
		var x struct {
			Fallback bool `json:"fallback"`
		}
		if _, err := d.extension(path, g.Extensions, name, &x); err != nil || x.Fallback {
			return x.Fallback, err
		}
	}
	return packs && g.URI == "", nil
}

// unpacked returns what a packed view holds; ok is false when the view is not packed, or when it cannot be unpacked and
// has its bytes as they are, too.
func (d *decoder) unpacked(i int) (b []byte, ok bool, err error) {
	if b, ok := d.views[i]; ok {
		return b, true, nil
	}
	v := d.doc.BufferViews[i]
	at := fmt.Sprintf("bufferViews/%d", i)
	for _, name := range packings {
		var p packedView
		if ok, err := d.extension(at, v.Extensions, name, &p); err != nil || !ok {
			if err != nil {
				return nil, false, err
			}
			continue
		}
		b, err := d.unpackView(at+"/extensions/"+name, &p, v.ByteLength)
		if err == nil {
			d.views[i] = b
			return b, true, nil
		}
		if err := d.unlessPlain(at, v, name, err); err != nil {
			return nil, false, err
		}
	}
	return nil, false, nil
}

// unlessPlain excuses that a view cannot be unpacked where its buffer has the bytes as they are.
func (d *decoder) unlessPlain(at string, v *gltf.BufferView, name string, err error) error {
	if v.Buffer >= 0 && v.Buffer < len(d.buffers) && (d.buffers[v.Buffer].present() || d.doc.Buffers[v.Buffer].URI != "") {
		return d.excuse(at, name, err)
	}
	return err
}

func (d *decoder) unpackView(path string, p *packedView, want int) ([]byte, error) {
	if err := refer(path+"/buffer", p.Buffer, len(d.buffers)); err != nil {
		return nil, err
	}
	src, err := d.slice(path, p.Buffer, p.ByteOffset, p.ByteLength)
	if err != nil {
		return nil, err
	}
	if err := p.check(len(src)); err != nil {
		return nil, schema.In(path, err)
	}
	if size := p.Count * p.ByteStride; size != want {
		return nil, pathError(path, schema.ErrMismatch, "%d elements of %d bytes in a view of %d", p.Count, p.ByteStride, want)
	}
	if err := d.spend(path, int64(want)); err != nil {
		return nil, err
	}
	b, err := p.unpack(src)
	return b, schema.In(path, err)
}
