package gltf

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// pieces is a scene of primitives that are made when they are needed, with a texture set and indices that they share.
func pieces(n, vertices int, load func(i int) error) *asset.Scene {
	uv, indices := make([][2]float32, vertices), make([]uint32, 0, vertices)
	for i := range vertices {
		uv[i] = [2]float32{float32(i % 2), 1}
		if i >= 2 {
			indices = append(indices, uint32(i-2), uint32(i-1), uint32(i))
		}
	}
	m := &asset.Mesh{Name: "pieces"}
	for k := range n {
		p := &asset.Primitive{TexCoords: [][][2]float32{uv}, Indices: indices, Native: &asset.Native{Format: "piece", Values: map[string]any{"number": k}}}
		whole := *p
		p.Load = func() (*asset.Primitive, error) {
			q := whole
			q.Positions = make([][3]float32, vertices)
			for i := range q.Positions {
				q.Positions[i] = [3]float32{float32(i), float32(k), float32(i * i % 7)}
			}
			return &q, load(k)
		}
		m.Primitives = append(m.Primitives, p)
	}
	node := asset.NewNode("node")
	node.Mesh = m
	return &asset.Scene{Roots: []*asset.Node{node}, Meshes: []*asset.Mesh{m}}
}

// A scene in pieces gives the file of the same scene held whole, and comes back the same either way.
func TestPieces(t *testing.T) {
	calls := 0
	s := pieces(5, 40, func(int) error { calls++; return nil })
	var b bytes.Buffer
	if err := Encode(&b, s, Options{}); err != nil {
		t.Fatal(err)
	}
	if calls != 10 {
		t.Errorf("the pieces were made %d times, twice each is enough", calls)
	}
	if err := s.LoadAll(); err != nil {
		t.Fatal(err)
	}
	e, err := build(pieces(5, 40, func(int) error { return nil }), Options{}, "")
	if err != nil || len(e.doc.Accessors) != 5+1+1 {
		t.Errorf("%d accessors, of 5 places and what they share: %v", len(e.doc.Accessors), err)
	}
	again, err := Decode(b.Bytes(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, bin, err := splitGLB(b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := newDecoder(nil, nil)
	d.lazy = true
	lazy, err := d.decode(text, source{file: bytes.NewReader(bin), size: int64(len(bin))})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range s.Meshes[0].Primitives {
		got, later := again.Meshes[0].Primitives[k], lazy.Meshes[0].Primitives[k]
		if later.Load == nil || later.Positions != nil || later.Native == nil {
			t.Errorf("piece %d was read at once, or without its record", k)
		}
		if later, err = later.Whole(); err != nil {
			t.Fatal(err)
		}
		for _, p := range []*asset.Primitive{got, later} {
			if !reflect.DeepEqual(p.Positions, want.Positions) || !reflect.DeepEqual(p.Indices, want.Indices) || !reflect.DeepEqual(p.TexCoords, want.TexCoords) || p.Native == nil {
				t.Errorf("piece %d: %v, want %v", k, p, want)
			}
		}
	}
}

// Data that cannot be made, the first time or the second, or are others than before, end the file with an error.
func TestPiecesThatFail(t *testing.T) {
	broken := errors.New("broken")
	for call := range 4 {
		calls := 0
		s := pieces(2, 10, func(int) error {
			if calls++; calls > call {
				return broken
			}
			return nil
		})
		if err := Encode(io.Discard, s, Options{}); !errors.Is(err, broken) {
			t.Errorf("after %d calls: %v", call, err)
		}
	}
	s := pieces(1, 10, func(int) error { return nil })
	load, n := s.Meshes[0].Primitives[0].Load, 0
	s.Meshes[0].Primitives[0].Load = func() (*asset.Primitive, error) {
		p, err := load()
		if n++; n > 1 {
			p.Positions = nil
		}
		return p, err
	}
	if err := Encode(io.Discard, s, Options{}); err == nil {
		t.Error("data that differ were written")
	}
	s = pieces(2, 10, func(int) error { return nil })
	var b bytes.Buffer
	if err := Encode(&b, s, Options{}); err != nil {
		t.Fatal(err)
	}
	text, bin, _ := splitGLB(b.Bytes(), nil)
	d := newDecoder(nil, nil)
	d.lazy = true
	lazy, err := d.decode(text, source{file: bytes.NewReader(bin[:len(bin)-50]), size: int64(len(bin))})
	if err != nil {
		t.Fatal(err)
	}
	if err := lazy.LoadAll(); err == nil {
		t.Error("a file that became shorter was read")
	}
}

// TestBarePieces: a piece may share nothing with others, and has what its data have.
func TestBarePieces(t *testing.T) {
	whole := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Colors: [][4]float32{{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}}}
	p := &asset.Primitive{Load: func() (*asset.Primitive, error) { return whole, nil }}
	p.Material, p.TexCoords = asset.NewMaterial("m"), [][][2]float32{nil}
	whole.Material = p.Material
	s := scene(mesh("m", p))
	back := decode(t, encode(t, s, nil)).Meshes[0].Primitives[0]
	equal(t, "whole", []any{back.Positions, back.Colors, back.Indices, back.Material.Name}, []any{whole.Positions, whole.Colors, []uint32(nil), "m"})
}
