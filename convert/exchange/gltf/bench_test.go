package gltf

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// millionTriangles is a grid of 1 M triangles with normals and texture coordinates: 28 MB.
func millionTriangles() *asset.Scene {
	const w, h = 1001, 500
	p := &asset.Primitive{}
	uv := make([][2]float32, 0, w*(h+1))
	for y := range h + 1 {
		for x := range w {
			p.Positions = append(p.Positions, [3]float32{float32(x), float32(math.Sin(float64(x + y))), float32(y)})
			p.Normals = append(p.Normals, [3]float32{0, 1, 0})
			uv = append(uv, [2]float32{float32(x) / w, float32(y) / h})
		}
	}
	for y := range uint32(h) {
		for x := range uint32(w - 1) {
			a := y*w + x
			p.Indices = append(p.Indices, a, a+w, a+1, a+1, a+w, a+w+1)
		}
	}
	p.TexCoords = [][][2]float32{uv}
	return scene(mesh("grid", p))
}

func BenchmarkWriteRaw(b *testing.B) {
	whole := encode(b, millionTriangles(), nil)
	name := filepath.Join(b.TempDir(), "raw")
	b.SetBytes(int64(len(whole)))
	b.ReportAllocs()
	for b.Loop() {
		if err := os.WriteFile(name, whole, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteGLB(b *testing.B) {
	s := millionTriangles()
	name := filepath.Join(b.TempDir(), "glb")
	b.SetBytes(int64(len(encode(b, s, nil))))
	b.ReportAllocs()
	for b.Loop() {
		f, err := os.Create(name)
		if err != nil {
			b.Fatal(err)
		}
		if err := Encode(f, s, Options{}); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadRaw(b *testing.B) { benchmarkRead(b, func([]byte) error { return nil }) }
func BenchmarkReadGLB(b *testing.B) {
	benchmarkRead(b, func(x []byte) error {
		_, err := Decode(x, nil, nil)
		return err
	})
}

func benchmarkRead(b *testing.B, f func([]byte) error) {
	var whole bytes.Buffer
	if err := Encode(&whole, millionTriangles(), Options{}); err != nil {
		b.Fatal(err)
	}
	name := filepath.Join(b.TempDir(), "glb")
	if err := os.WriteFile(name, whole.Bytes(), 0o644); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(whole.Len()))
	b.ReportAllocs()
	for b.Loop() {
		x, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		if err := f(x); err != nil {
			b.Fatal(err)
		}
	}
}
