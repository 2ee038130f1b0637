package gltf

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// longData is a scene whose lists of every kind are longer than what is converted at once.
func longData() *asset.Scene {
	const n = 20000
	p, q := &asset.Primitive{}, &asset.Primitive{Mode: asset.Points}
	small := []asset.Attribute{{Name: "_A", Components: 3, Type: asset.Uint8}, {Name: "_B", Components: 3, Type: asset.Uint16}}
	p.Joints, p.Weights = make([][][4]uint16, 1), make([][][4]float32, 1)
	for i := range n {
		x := float32(i)
		p.Positions = append(p.Positions, [3]float32{x, -x, 0.5 * x})
		p.Normals = append(p.Normals, [3]float32{0, float32(i & 1), float32(1 - i&1)})
		p.Colors = append(p.Colors, [4]float32{float32(i%256) / 255, 1, 0, float32(i/256%256) / 255})
		q.Colors = append(q.Colors, [4]float32{float32(60000-i) / 65535, 1, float32(i) / 65535, 1})
		p.Joints[0] = append(p.Joints[0], [4]uint16{uint16(i % 300), uint16(1 + (i+1)%299)})
		p.Weights[0] = append(p.Weights[0], [4]float32{1, 0})
		for k := range 3 {
			small[0].Values, small[1].Values = append(small[0].Values, float32((i+k)%256)), append(small[1].Values, float32(i+k))
		}
	}
	for i := range p.Joints[0] {
		p.Joints[0][i][1] = 0 // no joint without a weight
	}
	p.Custom, q.Positions = small, p.Positions
	for i := range uint32(3 * n) {
		p.Indices = append(p.Indices, (i*7)%n)
	}
	large := &asset.Primitive{Positions: make([][3]float32, 70000)}
	for i := range uint32(30000) {
		large.Indices = append(large.Indices, 69999-i)
	}
	s := scene(mesh("long", p), mesh("points", q), mesh("large", large))
	skin := &asset.Skin{}
	for range 300 {
		skin.Joints = append(skin.Joints, bone("j"))
	}
	root := bone("root", skin.Joints...)
	root.Kind = asset.Plain
	s.Roots[0].Skin, s.Skins, s.Roots = skin, []*asset.Skin{skin}, append(s.Roots, root)
	return s
}

// TestLongData: lists that are longer than what is converted at once come back, and are written as they are on machines that keep
// numbers otherwise in memory.
func TestLongData(t *testing.T) {
	was := littleEndian
	defer func() { littleEndian = was }()
	s := longData()
	want := encode(t, s, nil)
	for _, littleEndian = range []bool{was, false} {
		if got := encode(t, s, nil); !bytes.Equal(got, want) {
			t.Errorf("numbers in memory as in the file %t: other bytes", littleEndian)
		}
		back := decode(t, want)
		for i, m := range s.Meshes {
			p, q := m.Primitives[0], back.Meshes[i].Primitives[0]
			same := slices.Equal(p.Positions, q.Positions) && slices.Equal(p.Normals, q.Normals) && slices.Equal(p.Colors, q.Colors) && slices.Equal(p.Indices, q.Indices) &&
				slices.EqualFunc(p.Joints, q.Joints, slices.Equal[[][4]uint16]) && slices.EqualFunc(p.Weights, q.Weights, slices.Equal[[][4]float32]) &&
				slices.EqualFunc(p.Custom, q.Custom, func(a, b asset.Attribute) bool {
					return a.Name == b.Name && a.Type == b.Type && slices.Equal(a.Values, b.Values)
				})
			if !same {
				t.Errorf("numbers in memory as in the file %t: mesh %q is another one", littleEndian, m.Name)
			}
		}
	}
}

// TestExtent: the least and the greatest value of each component.
func TestExtent(t *testing.T) {
	for _, c := range []struct {
		comps     int
		v         []float32
		low, high []float64
	}{
		{1, []float32{3, -1, 2}, []float64{-1}, []float64{3}},
		{2, []float32{3, -1, 2, 5, 1, 0}, []float64{1, -1}, []float64{3, 5}},
		{3, []float32{1, 2, 3}, []float64{1, 2, 3}, []float64{1, 2, 3}},
		{3, []float32{1, 2, 3, 0, 4, 3, 2, 1, 9, 1, 1, 1}, []float64{0, 1, 1}, []float64{2, 4, 9}},
		{4, []float32{1, 2, 3, 4, 4, 3, 2, 1}, []float64{1, 2, 2, 1}, []float64{4, 3, 3, 4}},
	} {
		if low, high := extent(c.v, c.comps); !slices.Equal(low, c.low) || !slices.Equal(high, c.high) {
			t.Errorf("%v of %d: %v to %v, want %v to %v", c.v, c.comps, low, high, c.low, c.high)
		}
	}
}

type half struct{}

func (half) Write(b []byte) (int, error) { return len(b) / 2, nil }

// TestShortWrite: a writer that takes less than it is given, and says nothing, is told.
func TestShortWrite(t *testing.T) {
	if err := Encode(half{}, nodes(), Options{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("%v, want %v", err, io.ErrShortWrite)
	}
}
