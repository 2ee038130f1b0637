package gltf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// source is a binary buffer: bytes in memory, or a part of a file.
type source struct {
	b    []byte
	file io.ReaderAt
	size int64
}

func held(b []byte) source { return source{b: b, size: int64(len(b))} }

func (x source) present() bool { return x.b != nil || x.file != nil }

// cut returns the first n bytes.
func (x source) cut(n int64) source {
	x.size = n
	return x
}

// bytes returns n bytes from offset at; both are within the source.
func (x source) bytes(at int64, n int) ([]byte, error) {
	if x.file == nil {
		return x.b[at : at+int64(n)], nil
	}
	b := make([]byte, n)
	if n, err := x.file.ReadAt(b, at); n < len(b) {
		return nil, err
	}
	return b, nil
}

// largeFile is the size from which DecodeAt leaves the data of meshes in the file.
const largeFile = 64 << 20

// DecodeAt is [Decode] for a file of size bytes. It does not load the meshes of a large GLB: each primitive of the scene
// then has a Load function that reads its data from r. So r must remain readable, and faults in mesh data are reported by
// Load. Memory use is the JSON plus one primitive.
func DecodeAt(r io.ReaderAt, size int64, find func(uri string) ([]byte, error), diag *schema.Diagnostics) (*asset.Scene, error) {
	if err := schema.CheckSource(formatName, r, size); err != nil {
		return nil, err
	}
	text, bin, ok, err := splitFile(r, size)
	if err != nil {
		return nil, err
	}
	if !ok {
		b := make([]byte, size)
		if n, err := r.ReadAt(b, 0); n < len(b) {
			return nil, err
		}
		return Decode(b, find, diag)
	}
	d := newDecoder(find, diag)
	d.lazy = true
	return d.decode(text, bin)
}

// splitFile finds the two chunks of a large GLB. It is not ok with anything else, which Decode judges.
func splitFile(r io.ReaderAt, size int64) (text []byte, bin source, ok bool, err error) {
	var head [glbHeader + chunkHead]byte
	if size < largeFile {
		return nil, bin, false, nil
	}
	if _, err := r.ReadAt(head[:], 0); err != nil {
		return nil, bin, false, err
	}
	u32 := func(at int) int64 { return int64(binary.LittleEndian.Uint32(head[at:])) }
	first := u32(12)
	at := glbHeader + chunkHead + first
	if !isGLB(head[:]) || u32(4) != 2 || u32(8) != size || u32(16) != chunkJSON || at+chunkHead > size {
		return nil, bin, false, nil
	}
	text = make([]byte, first)
	if _, err := r.ReadAt(text, glbHeader+chunkHead); err != nil {
		return nil, bin, false, err
	}
	if _, err := r.ReadAt(head[:chunkHead], at); err != nil {
		return nil, bin, false, err
	}
	bin = source{file: io.NewSectionReader(r, at+chunkHead, size-at-chunkHead), size: u32(0)}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), bin, u32(4) == chunkBIN && u32(0) == size-at-chunkHead, nil
}

// later returns a primitive that is read when it is needed.
func (d *decoder) later(path string, g *gltf.Primitive, r record) (*asset.Primitive, error) {
	p := &asset.Primitive{}
	if g.Material != nil {
		if err := refer(path+"/material", *g.Material, len(d.materials)); err != nil {
			return nil, err
		}
		p.Material = d.materials[*g.Material]
	}
	d.leaveOthers(path, g.Extensions, extVariants)
	foreign, u := split(g.Extras)
	p.Extras = foreign
	if p.Native = d.unpack(path, r); p.Native == nil {
		p.Native = d.unpack(path, u)
	}
	own := *d
	own.lazy, own.diag, own.own, own.left = false, nil, nil, nil
	p.Load = func() (*asset.Primitive, error) {
		x := own
		x.cache = map[cacheKey]any{}
		whole, err := x.primitive(path, g, r)
		if err == nil && whole == nil {
			return nil, fmt.Errorf("%s: a primitive without positions", path)
		}
		return whole, err
	}
	return p, nil
}
