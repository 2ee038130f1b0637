package gltf

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// packedVector is one of testdata/gltf/meshopt.json, which meshopt.mjs beside it made with the extension's own encoder.
type packedVector struct {
	Name, Mode, Filter string
	Count, Stride      int
	Packed             []byte
	SHA256             string // of what it holds
	Bytes              []byte // instead, where a filter may round either way
}

func packedVectors(t testing.TB) []packedVector {
	b, err := os.ReadFile("../../../testdata/gltf/meshopt.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []packedVector
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func (v *packedVector) view() *packedView {
	return &packedView{ByteLength: len(v.Packed), ByteStride: v.Stride, Count: v.Count, Mode: v.Mode, Filter: v.Filter}
}

func unpackVector(v *packedVector, src []byte) ([]byte, error) {
	if err := v.view().check(len(src)); err != nil {
		return nil, err
	}
	return v.view().unpack(src)
}

func TestMeshopt(t *testing.T) {
	for _, v := range packedVectors(t) {
		got, err := unpackVector(&v, v.Packed)
		if err != nil {
			t.Errorf("%s %s: %v", v.Mode, v.Name, err)
			continue
		}
		if sum := sha256.Sum256(got); v.SHA256 != "" && hex.EncodeToString(sum[:]) != v.SHA256 {
			t.Errorf("%s %s: other bytes", v.Mode, v.Name)
		}
		if v.Bytes != nil && !nearBytes(got, v.Bytes, v.Stride/4) {
			t.Errorf("%s %s: %x, want %x", v.Filter, v.Name, got, v.Bytes)
		}
	}
}

// nearBytes reports whether integers of so many bytes differ by one at most.
func nearBytes(a, b []byte, size int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i += size {
		d := int16(int8(a[i]) - int8(b[i]))
		if size == 2 {
			d = int16(binary.LittleEndian.Uint16(a[i:]) - binary.LittleEndian.Uint16(b[i:]))
		}
		if d < -1 || d > 1 {
			return false
		}
	}
	return true
}

// TestMeshoptDamaged cuts every vector at every length and appends to it: an error each time, never a panic.
func TestMeshoptDamaged(t *testing.T) {
	for _, v := range packedVectors(t) {
		step := max(1, len(v.Packed)/64)
		for n := 0; n < len(v.Packed); n += step {
			if _, err := unpackVector(&v, v.Packed[:n]); err == nil && v.Mode != modeAttributes {
				t.Errorf("%s %s: %d of %d bytes: no error", v.Mode, v.Name, n, len(v.Packed))
			}
		}
		longer := append(bytes.Clone(v.Packed[:1]), append([]byte{0x55}, v.Packed[1:]...)...)
		if _, err := unpackVector(&v, longer); err == nil && v.Mode == modeTriangles {
			t.Errorf("%s %s: a byte more: no error", v.Mode, v.Name)
		}
		other := bytes.Clone(v.Packed)
		other[0] ^= 0x04
		if _, err := unpackVector(&v, other); schema.Class(err) != schema.ErrUnsupported {
			t.Errorf("%s %s: of another version: %v", v.Mode, v.Name, err)
		}
	}
}

// TestMeshoptLayout holds the rules of the extension for its object.
func TestMeshoptLayout(t *testing.T) {
	for _, c := range []struct {
		v     packedView
		src   int
		class error
	}{
		{packedView{Mode: modeAttributes, ByteStride: 4, Count: 16}, 100, nil},
		{packedView{Mode: modeAttributes, ByteStride: 4, Count: 256}, 6, nil},
		{packedView{Mode: modeAttributes, ByteStride: 4, Count: 256}, 5, schema.ErrCount},
		{packedView{Mode: modeAttributes, ByteStride: 4, Count: 257}, 7, nil},
		{packedView{Mode: modeAttributes, ByteStride: 4, Count: 257}, 6, schema.ErrCount},
		{packedView{Mode: modeAttributes, ByteStride: 64, Count: 129}, 97, nil},
		{packedView{Mode: modeAttributes, ByteStride: 64, Count: 129}, 96, schema.ErrCount},
		{packedView{Mode: modeAttributes, ByteStride: 256, Count: 32}, 321, nil},
		{packedView{Mode: modeAttributes, ByteStride: 256, Count: 33}, 384, schema.ErrCount},
		{packedView{Mode: modeAttributes, ByteStride: 6, Count: 16}, 100, schema.ErrValue},
		{packedView{Mode: modeAttributes, ByteStride: 0, Count: 16}, 100, schema.ErrValue},
		{packedView{Mode: modeAttributes, ByteStride: 260, Count: 16}, 1000, schema.ErrValue},
		{packedView{Mode: modeAttributes, ByteStride: 4, Count: -1}, 100, schema.ErrCount},
		{packedView{Mode: modeAttributes, ByteStride: 4, Count: 1 << 30}, 100, schema.ErrCount},
		{packedView{Mode: modeAttributes, ByteStride: 12, Filter: filterOctahedral, Count: 1}, 100, schema.ErrValue},
		{packedView{Mode: modeAttributes, ByteStride: 4, Filter: filterQuaternion, Count: 1}, 100, schema.ErrValue},
		{packedView{Mode: modeAttributes, ByteStride: 4, Filter: "WAVELET", Count: 1}, 100, schema.ErrUnsupported},
		{packedView{Mode: modeTriangles, ByteStride: 2, Count: 30}, 100, nil},
		{packedView{Mode: modeTriangles, ByteStride: 4, Count: 30}, 27, nil},
		{packedView{Mode: modeTriangles, ByteStride: 4, Count: 30}, 26, schema.ErrCount},
		{packedView{Mode: modeIndices, ByteStride: 2, Count: 0}, 5, nil},
		{packedView{Mode: modeIndices, ByteStride: 2, Count: 0}, 4, schema.ErrCount},
		{packedView{Mode: modeTriangles, ByteStride: 2, Count: 31}, 100, schema.ErrCount},
		{packedView{Mode: modeTriangles, ByteStride: 2, Count: 300}, 100, schema.ErrCount},
		{packedView{Mode: modeTriangles, ByteStride: 1, Count: 30}, 100, schema.ErrValue},
		{packedView{Mode: modeIndices, ByteStride: 4, Count: 95}, 100, nil},
		{packedView{Mode: modeIndices, ByteStride: 4, Count: 96}, 100, schema.ErrCount},
		{packedView{Mode: modeIndices, ByteStride: 4, Count: 9, Filter: filterColor}, 100, schema.ErrValue},
		{packedView{Mode: "POINTS", ByteStride: 4, Count: 9}, 100, schema.ErrUnsupported},
	} {
		if err := c.v.check(c.src); schema.Class(err) != c.class {
			t.Errorf("%+v of %d bytes: %v, want %v", c.v, c.src, err, c.class)
		}
	}
}

func FuzzMeshopt(f *testing.F) {
	for i, v := range packedVectors(f) {
		if i%5 == 0 && len(v.Packed) < 1000 {
			f.Add(v.Packed, v.Mode, v.Filter, v.Count, v.Stride)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, mode, filter string, count, stride int) {
		v := packedView{ByteLength: len(b), ByteStride: stride, Count: count, Mode: mode, Filter: filter}
		if v.check(len(b)) != nil {
			return
		}
		if n := count * stride; n > 1024*len(b)+1<<16 {
			t.Fatalf("%d bytes from %d", n, len(b))
		}
		if out, err := v.unpack(b); err == nil && len(out) != count*stride {
			t.Errorf("%d bytes, want %d", len(out), count*stride)
		}
	})
}

func BenchmarkMeshopt(b *testing.B) {
	for _, v := range packedVectors(b) {
		if v.Count*v.Stride < 2400 || v.Filter != filterNone {
			continue
		}
		b.Run(v.Mode+" "+v.Name, func(b *testing.B) {
			b.SetBytes(int64(v.Count * v.Stride))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := unpackVector(&v, v.Packed); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
