package ultima9_test

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"pgregory.net/rapid"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// fuzz holds that a record which can be read is written back as the same bytes.
func fuzz(f *testing.F, name string, seeds ...[]byte) {
	for _, b := range seeds {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := codecs[name](b)
		if err == nil {
			corpus.SameBytes(t, name, got, b)
		}
	})
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// tinyTexture has two frames of 4 x 2 pixels with one mip level.
func tinyTexture() []byte {
	frame := func(flags ultima9.FrameFlags) ultima9.TextureFrame {
		return ultima9.TextureFrame{Flags: flags, Width: 4, Height: 2, Rows: []uint32{28, 36},
			Levels: [][]byte{bytes.Repeat([]byte{1}, 16), {2, 2, 3, 3}}}
	}
	t := &ultima9.TextureSet{Mips: 1, Frames: []ultima9.TextureFrame{frame(0x60000400), frame(0x2F81F400)}}
	t.Describe()
	return must(write.Texture(t))
}

// tinyMesh has two limbs, the first with a triangle, the second empty.
func tinyMesh() []byte {
	lod := ultima9.LOD{
		Flags: 4, MaxFaces: 1, Faces: make([]ultima9.Face, 1), Vertices: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
		Materials: []ultima9.Material{{Texture: 7, FaceCount: 1}}, Sorted: [4][]int16{{-1, 0, -1}, {-1, 0, -1}, {-1, 0, -1}, {-1, 0, -1}},
	}
	for k := range lod.Faces[0].Corners {
		lod.Faces[0].Corners[k] = ultima9.Corner{Vertex: uint32(k), VertexOffset: uint32(12 * k)}
	}
	lod.Layout()
	m := &ultima9.Mesh{LODs: 1, Limbs: []ultima9.Limb{{ID: 1, Parent: 1, LODs: []ultima9.LOD{lod}}, {ID: 2, Parent: 1, LODs: make([]ultima9.LOD, 1)}}}
	m.Layout()
	return must(write.Sappear(m))
}

func tinyAnim() []byte {
	return must(write.Anim(&ultima9.Anim{ID: 3, End: 1, FrameCount: 2, FPS: 30, Interval: 33, Source: "walk.lws", Registry: []int32{1, 99},
		Parts:  []ultima9.AnimPart{{ID: 1, Name: "PELVIS", Frames: make([]ultima9.AnimFrame, 2)}},
		Events: []ultima9.AnimEvent{{Time: 66, Type: ultima9.EventEnd}}}))
}

func FuzzPalette(f *testing.F)  { fuzz(f, "palette", make([]byte, 1030)) }
func FuzzTexture(f *testing.F)  { fuzz(f, "texture", tinyTexture()) }
func FuzzSDInfo(f *testing.F)   { fuzz(f, "sdinfo", make([]byte, 48)) }
func FuzzSappear(f *testing.F)  { fuzz(f, "mesh", tinyMesh()) }
func FuzzAnim(f *testing.F)     { fuzz(f, "anim", tinyAnim()) }
func FuzzTypeName(f *testing.F) { fuzz(f, "typename", []byte("\x00\x00\x00\x00\x81\x1Btorch\x00")) }
func FuzzRegistry(f *testing.F) { fuzz(f, "registry", []byte("// c\r\n\r\n1 PELVIS\r\n2\tTORSO\n")) }

// FuzzTypes changes a part of a file whose size is fixed, and the size, since whole files of that size are too large to try many.
func FuzzTypes(f *testing.F) {
	whole := make([]byte, ultima9.TypesFileSize)
	f.Add(uint32(0), []byte{1, 2, 3, 4, 5, 6, 7, 8}, int16(0))
	f.Add(uint32(8), bytes.Repeat([]byte{0xFF}, ultima9.TypeSize), int16(0))
	f.Add(uint32(8), []byte{}, int16(-1))
	f.Fuzz(func(t *testing.T, at uint32, part []byte, more int16) {
		b := append(bytes.Clone(whole), make([]byte, max(0, int(more)))...)
		b = b[:len(b)+min(0, int(more))]
		copy(b[at%uint32(len(b)):], part)
		got, err := codecs["types"](b)
		if err == nil {
			corpus.SameBytes(t, "types", got, b)
		}
		if err == nil && len(b) < len(whole) {
			t.Errorf("%d bytes of %d are read", len(b), len(whole))
		}
	})
}

// Damage of any kind neither panics nor changes what is read and written again.
func TestDamage(t *testing.T) {
	for name, seed := range map[string][]byte{"texture": tinyTexture(), "mesh": tinyMesh(), "anim": tinyAnim()} {
		if got := must(codecs[name](seed)); !bytes.Equal(got, seed) {
			t.Fatalf("%s: the seed does not come back", name)
		}
		rapid.Check(t, func(t *rapid.T) {
			b := bytes.Clone(seed)
			for range rapid.IntRange(1, 4).Draw(t, "changes") {
				at := rapid.IntRange(0, len(b)-1).Draw(t, "at")
				b[at] = rapid.SampledFrom([]byte{0, 1, 2, 4, 0x7C, 0x7F, 0x80, 0xFF}).Draw(t, "byte")
			}
			got, err := codecs[name](b)
			if err == nil && !bytes.Equal(got, b) {
				t.Fatalf("%s: written otherwise than read", name)
			}
		})
	}
}

func benchmark(b *testing.B, f func(), bytes int) {
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		f()
	}
}

// largeMesh is a limb with a grid of faces, some 160 KB.
func largeMesh() []byte {
	const side = 25
	lod := ultima9.LOD{Flags: 4}
	for y := range side {
		for x := range side {
			lod.Vertices = append(lod.Vertices, [3]float32{float32(x), float32(y), float32(x * y % 7)})
		}
	}
	for i := range side*side - side - 1 {
		var f ultima9.Face
		for k, v := range [3]int{i, i + 1, i + side} {
			f.Corners[k] = ultima9.Corner{Vertex: uint32(v), VertexOffset: uint32(12 * v)}
		}
		lod.Faces = append(lod.Faces, f, f)
	}
	lod.Materials = []ultima9.Material{{FaceCount: uint16(len(lod.Faces))}}
	for i := range lod.Sorted {
		lod.Sorted[i] = make([]int16, len(lod.Faces)+2)
	}
	lod.Layout()
	m := &ultima9.Mesh{LODs: 1, Limbs: []ultima9.Limb{{LODs: []ultima9.LOD{lod}}}}
	m.Layout()
	return must(write.Sappear(m))
}

func BenchmarkSappear(b *testing.B) {
	data := largeMesh()
	m, err := read.Sappear(data, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) { benchmark(b, func() { _, _ = read.Sappear(data, nil) }, len(data)) })
	b.Run("write", func(b *testing.B) { benchmark(b, func() { _, _ = write.Sappear(m) }, len(data)) })
}

func BenchmarkAnim(b *testing.B) {
	a := &ultima9.Anim{End: 99, FrameCount: 100}
	for i := range 30 {
		a.Parts = append(a.Parts, ultima9.AnimPart{ID: int32(i), Frames: make([]ultima9.AnimFrame, 100)})
	}
	data := must(write.Anim(a))
	b.Run("read", func(b *testing.B) { benchmark(b, func() { _, _ = read.Anim(data, nil) }, len(data)) })
	b.Run("write", func(b *testing.B) { benchmark(b, func() { _, _ = write.Anim(a) }, len(data)) })
}

func BenchmarkTexture(b *testing.B) {
	t := &ultima9.TextureSet{Frames: []ultima9.TextureFrame{{Flags: 0x60000400, Width: 256, Height: 256, Rows: make([]uint32, 256), Levels: [][]byte{make([]byte, 2<<16)}}}}
	data := must(write.Texture(t))
	b.Run("read", func(b *testing.B) { benchmark(b, func() { _, _ = read.Texture(data, nil) }, len(data)) })
	b.Run("write", func(b *testing.B) { benchmark(b, func() { _, _ = write.Texture(t) }, len(data)) })
}
