package scene

import (
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// sheet returns a sheet of n × n squares.
func sheet(n int) *asset.Primitive {
	p := &asset.Primitive{TexCoords: make([][][2]float32, 1)}
	for y := range n + 1 {
		for x := range n + 1 {
			p.Positions = append(p.Positions, [3]float32{float32(x), float32(y), float32(x * y)})
			p.Normals = append(p.Normals, [3]float32{0, 0, 1})
			p.TexCoords[0] = append(p.TexCoords[0], [2]float32{float32(x), float32(y)})
		}
	}
	for y := range uint32(n) {
		for x := range uint32(n) {
			a := y*uint32(n+1) + x
			b := a + uint32(n) + 1
			p.Indices = append(p.Indices, a, a+1, b, b, a+1, b+1)
		}
	}
	return p
}

// split gives every corner of every triangle a vertex of its own, the last triangle first.
func split(p *asset.Primitive) *asset.Primitive {
	out := &asset.Primitive{TexCoords: make([][][2]float32, 1), Indices: []uint32{}}
	for i := len(p.Indices) - 3; i >= 0; i -= 3 {
		for _, v := range p.Indices[i : i+3] {
			out.Indices = append(out.Indices, uint32(len(out.Positions)))
			out.Positions, out.Normals = append(out.Positions, p.Positions[v]), append(out.Normals, p.Normals[v])
			out.TexCoords[0] = append(out.TexCoords[0], p.TexCoords[0][v])
			if p.Colors != nil {
				out.Colors = append(out.Colors, p.Colors[v])
			}
		}
	}
	return out
}

// twin returns p with a copy of its vertex v, moved a little, which the triangles from number first on use in its place.
func twin(p *asset.Primitive, v uint32, first int, by float32) *asset.Primitive {
	at := p.Positions[v]
	at[0] += by
	p.Positions, p.Normals, p.TexCoords[0] = append(p.Positions, at), append(p.Normals, p.Normals[v]), append(p.TexCoords[0], p.TexCoords[0][v])
	for i := 3 * first; i < len(p.Indices); i++ {
		if p.Indices[i] == v {
			p.Indices[i] = uint32(len(p.Positions) - 1)
		}
	}
	return p
}

func TestMatch(t *testing.T) {
	withFlat := sheet(3)
	withFlat.Indices = append(withFlat.Indices, 0, 0, 5, 1, 2, 1)
	withCopy := sheet(3)
	withCopy.Indices = append(withCopy.Indices, withCopy.Indices[:3]...)
	moved := split(sheet(3))
	for i, p := range moved.Positions {
		if p == [3]float32{1, 1, 1} {
			moved.Positions[i][2] = 4
		}
	}
	fewer := split(sheet(3))
	fewer.Indices = fewer.Indices[3:]
	wrong := split(sheet(3))
	wrong.Normals[4] = [3]float32{0, 1, 0}
	void := split(sheet(3))
	void.Normals[4] = [3]float32{0, 0.1, 0}
	for _, c := range []struct {
		name           string
		a, b           *asset.Primitive
		complete, same bool
	}{
		{"itself", sheet(3), sheet(3), true, true},
		{"split and in another order", sheet(3), split(sheet(3)), true, true},
		{"vertices in one place, up to the tolerance", twin(sheet(3), 5, 8, 1e-7), split(twin(sheet(3), 5, 8, 1e-7)), true, true},
		{"flat triangles dropped", withFlat, split(sheet(3)), true, true},
		{"a second copy dropped", withCopy, split(sheet(3)), true, true},
		{"a vertex moved", sheet(3), moved, true, false},
		{"a triangle gone", sheet(3), fewer, false, false},
		{"a triangle more", fewer, split(sheet(3)), false, false},
		{"another normal", sheet(3), wrong, true, false},
		{"a normal that says nothing", sheet(3), void, true, true},
	} {
		if m := Match(c.a, c.b, EditorTolerance); m.Complete != c.complete || m.Same != c.same {
			t.Errorf("%s: complete %v, same %v; want %v, %v", c.name, m.Complete, m.Same, c.complete, c.same)
		}
	}
}

// TestMatchColors: vertices that differ in colour alone find their own again.
func TestMatchColors(t *testing.T) {
	a := twin(sheet(3), 5, 8, 0)
	a.Colors = make([][4]float32, len(a.Positions))
	for i := range a.Colors {
		a.Colors[i] = [4]float32{float32(i) / float32(len(a.Colors)), 0, 0, 1}
	}
	b := split(a)
	m := Match(a, b, EditorTolerance)
	if !m.Same {
		t.Error("not the same")
	}
	for i, v := range m.Vertices {
		if v < 0 || a.Colors[v] != b.Colors[i] {
			t.Errorf("vertex %d is taken for %d, which has another colour", i, v)
		}
	}
}

// BenchmarkMatch compares a surface with what an editor makes of it; bytes are those of its positions, normals and
// texture coordinates.
func BenchmarkMatch(b *testing.B) {
	a := sheet(100)
	s := split(a)
	b.SetBytes(int64(32 * len(s.Positions)))
	b.ReportAllocs()
	for b.Loop() {
		if !Match(a, s, EditorTolerance).Same {
			b.Fatal("not the same")
		}
	}
}
