package ultima9

import (
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// sampleIndexed is a tent: two quadrilaterals of texture 8 and two triangles of texture 7 around (0,0,0) to (40,80,40),
// open below.
func sampleIndexed(t testing.TB) []byte {
	m := &ultima9.IndexedMesh{Vertices: [][3]float32{{0, 0, 0}, {40, 0, 0}, {0, 80, 0}, {40, 80, 0}, {20, 0, 40}, {20, 80, 40}}}
	face := func(texture uint32, normal [3]float32, vertices ...uint32) {
		f := ultima9.IndexedFace{Corners: [4]uint32{3: ultima9.NoCorner}, Normal: normal, Texture: texture, Color: [4]uint8{200, 200, 200, 255}}
		for k, v := range vertices {
			f.Corners[k] = uint32(len(m.Corners))
			m.Corners = append(m.Corners, ultima9.IndexedCorner{Vertex: v, Normal: normal, UV: [2]float32{float32(k / 2), float32(k % 2)}})
		}
		m.Faces = append(m.Faces, f)
	}
	const x, z = 0.894427191, 0.4472135955
	face(8, [3]float32{-x, 0, z}, 0, 2, 5, 4)
	face(7, [3]float32{0, -1, 0}, 0, 4, 1)
	face(8, [3]float32{x, 0, z}, 1, 4, 5, 3)
	face(7, [3]float32{0, 1, 0}, 2, 3, 5)
	m.CornersAt = uint32(ultima9.IndexedHeaderSize + ultima9.IndexedFaceSize*len(m.Faces))
	m.VerticesAt = m.CornersAt + uint32(ultima9.IndexedCornerSize*len(m.Corners))
	m.TrailingAt = m.VerticesAt + uint32(12*len(m.Vertices))
	m.Gaps = []ultima9.Gap{{Offset: m.TrailingAt, Data: []byte{4, 0, 0, 0}}}
	return u9.Do(write.Indexed(m))(t)
}

// sampleMixed is an archive of models in both layouts.
func sampleMixed(t testing.TB) []byte {
	a := ultima9.NewArchive(3)
	u9.Must(t, a.Replace(0, sampleBody(t)))
	u9.Must(t, a.Replace(2, sampleIndexed(t)))
	return archiveBytes(t, a)
}

func TestLiftIndexed(t *testing.T) {
	s := u9.Do(Indexed.Lift(u9.Do(read.Indexed(sampleIndexed(t), nil))(t), nil))(t)
	if len(s.Roots) != 1 || s.Roots[0].Transform != model.RootTransform {
		t.Fatalf("root %+v", s.Roots[0])
	}
	prims := s.Roots[0].Children[0].Mesh.Primitives
	if len(prims) != 2 || prims[0].Material.Name != "texture_8" || prims[1].Material.Name != "texture_7" {
		t.Fatalf("%d primitives", len(prims))
	}
	for i, want := range []int{4, 2} { // two triangles for each quadrilateral
		p := prims[i]
		if len(p.Indices) != 3*want {
			t.Errorf("primitive %d has %d indices, want %d", i, len(p.Indices), 3*want)
		}
		for k := 0; k < len(p.Indices); k += 3 {
			a, b, c := p.Positions[p.Indices[k]], p.Positions[p.Indices[k+1]], p.Positions[p.Indices[k+2]]
			var u, v [3]float32
			for j := range u {
				u[j], v[j] = b[j]-a[j], c[j]-a[j]
			}
			n := p.Normals[p.Indices[k]]
			// glTF: counter-clockwise seen from where the normal points.
			if (u[1]*v[2]-u[2]*v[1])*n[0]+(u[2]*v[0]-u[0]*v[2])*n[1]+(u[0]*v[1]-u[1]*v[0])*n[2] <= 0 {
				t.Errorf("primitive %d: the triangle at %d faces inward", i, k)
			}
		}
	}
}

// TestIndexedToSappear holds that a model of the older layout becomes one that the game reads.
func TestIndexedToSappear(t *testing.T) {
	s := u9.Do(Indexed.Lift(u9.Do(read.Indexed(sampleIndexed(t), nil))(t), nil))(t)
	m := u9.Do(Sappear.Lower(s, nil))(t)
	m = u9.Do(read.Sappear(u9.Do(write.Sappear(m))(t), nil))(t)
	lod := &m.Limbs[0].LODs[0]
	if len(m.Limbs) != 1 || len(lod.Faces) != 6 || len(lod.Vertices) != 6 || m.BoxMax != [3]float32{40, 80, 40} {
		t.Errorf("%d limbs, %d faces, %d vertices, box to %v", len(m.Limbs), len(lod.Faces), len(lod.Vertices), m.BoxMax)
	}
	var textures []uint16
	for _, x := range lod.Materials {
		textures = append(textures, x.Texture)
	}
	if len(textures) != 2 || textures[0] != 8 || textures[1] != 7 {
		t.Errorf("textures %v", textures)
	}
}

func TestIndexedVariant(t *testing.T) {
	b := sampleIndexed(t)
	if f := sappearFormat.For(b); f.Name != "u9-indexed" {
		t.Errorf("an entry of the older layout is a %s", f.Name)
	}
	if f := sappearFormat.For(sampleBody(t)); f.Name != "sappear" {
		t.Errorf("a model is a %s", f.Name)
	}
	if c := probeIndexed(input("", b)); c != format.Structural {
		t.Errorf("confidence %d", c)
	}
}
