package model

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// anyFloat draws numbers as files hold them: mostly sane, sometimes none at all.
func anyFloat(wild bool) *rapid.Generator[float32] {
	return rapid.Custom(func(t *rapid.T) float32 {
		switch n := rapid.IntRange(0, 20).Draw(t, "kind"); {
		case n == 0 && wild:
			return float32(math.NaN())
		case n == 1 && wild:
			return float32(math.Inf(1))
		case n <= 4:
			return float32(math.Copysign(0, float64(n)-3))
		}
		return float32(rapid.IntRange(-2000, 2000).Draw(t, "number")) / 16
	})
}

func vec3(t *rapid.T, wild bool, what string) (v [3]float32) {
	for k := range v {
		v[k] = anyFloat(wild).Draw(t, what)
	}
	return v
}

func drawFaces(t *rapid.T, n, vertices int) []ultima9.Face {
	list := make([]ultima9.Face, n)
	for i := range list {
		f := &list[i]
		for k := range f.Corners {
			v := uint32(rapid.IntRange(0, vertices-1).Draw(t, "vertex"))
			f.Corners[k] = ultima9.Corner{Vertex: v, VertexOffset: 12 * v, Normal: vec3(t, true, "normal"), UV: [2]float32{anyFloat(true).Draw(t, "u"), anyFloat(true).Draw(t, "v")}}
		}
		f.Flags, f.RawMaterial, f.Normal = ultima9.Flags(rapid.Uint32().Draw(t, "flags")), rapid.Uint32().Draw(t, "raw"), vec3(t, false, "face normal")
		f.SizeCode = rapid.Uint16().Draw(t, "size code")
	}
	return list
}

func drawLOD(t *rapid.T) (l ultima9.LOD) {
	faces := rapid.IntRange(0, 8).Draw(t, "faces")
	for range rapid.IntRange(3, 9).Draw(t, "vertices") {
		l.Vertices = append(l.Vertices, vec3(t, true, "position"))
	}
	l.Flags, l.Reserved[1] = ultima9.Flags(rapid.Uint32().Draw(t, "flags")), rapid.Uint32().Draw(t, "reserved")
	l.Faces = drawFaces(t, faces, len(l.Vertices))
	for at := 0; at < faces; {
		n := rapid.IntRange(0, faces-at).Draw(t, "count")
		l.Materials = append(l.Materials, ultima9.Material{Texture: rapid.SampledFrom([]uint16{1, 2, 0xFFFF}).Draw(t, "texture"), Unknown02: 0xCDCD,
			Flags: ultima9.RenderFlags(rapid.Uint16().Draw(t, "render flags")), FirstFace: uint16(at), FaceCount: uint16(n), ActiveAlpha: rapid.Uint8().Draw(t, "alpha"), Timer: rapid.Uint32().Draw(t, "timer")})
		at += n
	}
	if rapid.Bool().Draw(t, "mount") {
		l.MountVertices = [][3]float32{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
		l.MountFaces = drawFaces(t, rapid.IntRange(0, 3).Draw(t, "mount faces"), 4)
	}
	sortFaces(&l)
	l.Layout()
	return l
}

func drawMesh(t *rapid.T) *ultima9.Mesh {
	m := &ultima9.Mesh{LODs: uint32(rapid.IntRange(1, 4).Draw(t, "levels")), Volume: 7, Thresholds: [4]int32{1, -2, 3, -4}}
	for i := range rapid.IntRange(1, 5).Draw(t, "limbs") {
		l := ultima9.Limb{ID: uint32(rapid.IntRange(0, 9).Draw(t, "id")), Parent: uint32(rapid.IntRange(0, 9).Draw(t, "parent")),
			Scale: vec3(t, false, "scale"), Position: vec3(t, false, "place")}
		if i == 0 || rapid.Bool().Draw(t, "unit") {
			l.Scale = [3]float32{1, 1, 1}
		}
		for k := range l.Rotation {
			l.Rotation[k] = anyFloat(false).Draw(t, "rotation")
		}
		for range m.LODs {
			lod := ultima9.LOD{}
			if rapid.IntRange(0, 2).Draw(t, "filled") > 0 {
				lod = drawLOD(t)
			}
			l.LODs = append(l.LODs, lod)
		}
		m.Limbs = append(m.Limbs, l)
	}
	if _, err := m.Parents(); err != nil {
		for i := range m.Limbs {
			m.Limbs[i].Parent = m.Limbs[i].ID
		}
	}
	m.Layout()
	return m
}

// Any record that can be written can be read, and comes back through a GLB file.
func TestSappearProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := write.Sappear(drawMesh(t))
		if err != nil {
			t.Fatal(err)
		}
		comesBack(t, b, read.Sappear, write.Sappear, liftSappear, lowerSappear)
	})
}

// comesBack takes a record through its value, the scene that it becomes, and a GLB file of that.
func comesBack[T any](t *rapid.T, b []byte, read func([]byte, *schema.Diagnostics) (T, error), write func(T) ([]byte, error),
	lift func(T, *format.Env) (*asset.Scene, error), lower func(*asset.Scene, *format.Env) (T, error)) {
	v, err := read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := write(v); err != nil || !bytes.Equal(again, b) {
		t.Fatalf("written otherwise than read (%v)", err)
	}
	s, err := lift(v, nil)
	if err != nil {
		t.Fatal(err)
	}
	var w bytes.Buffer
	if err := gltf.Encode(&w, s, gltf.Options{}); err != nil {
		t.Fatal(err)
	}
	decoded, err := gltf.Decode(w.Bytes(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*asset.Scene{s, decoded} {
		back, err := lower(x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write(back); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("another record after lifting and lowering (%v)", err)
		}
	}
}

// Any clip comes back through a GLB file.
func TestAnimProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "frames")
		a := &ultima9.Anim{Start: 5, End: int32(5 + n - 1), FrameCount: int32(n), FPS: 30, Interval: 33, Source: rapid.SampledFrom([]string{"", "a.lws", "é€"}).Draw(t, "source"),
			Registry: rapid.SliceOfN(rapid.Int32(), 0, 4).Draw(t, "registry")}
		for range rapid.IntRange(0, 4).Draw(t, "parts") {
			p := ultima9.AnimPart{ID: rapid.SampledFrom([]int32{-1, 0, 1, 2, 255, 300}).Draw(t, "part"), Name: rapid.SampledFrom([]string{"PELVIS", "hips", "x"}).Draw(t, "name")}
			time := int32(0)
			for range n {
				f := ultima9.AnimFrame{Time: time, Position: vec3(t, true, "position"), Scale: vec3(t, true, "scale")}
				for k := range f.Rotation {
					f.Rotation[k] = anyFloat(true).Draw(t, "rotation")
				}
				time += int32(rapid.IntRange(-1, 60).Draw(t, "step"))
				p.Frames = append(p.Frames, f)
			}
			a.Parts = append(a.Parts, p)
		}
		b, err := write.Anim(a)
		if err != nil {
			t.Fatal(err)
		}
		comesBack(t, b, read.Anim, write.Anim, liftAnim, lowerAnim)
	})
}

// Any texture set comes back, and its values through JSON.
func TestTextureProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &ultima9.TextureSet{Mips: uint8(rapid.IntRange(0, 3).Draw(t, "mips")), Playback: ultima9.Playback(rapid.Uint32().Draw(t, "playback")),
			MaxWidth: rapid.Uint16().Draw(t, "width"), Reserved03: rapid.Uint8().Draw(t, "reserved")}
		bc1 := rapid.Bool().Draw(t, "bc1")
		if bc1 {
			s.Storage = ultima9.StorageBC1
		}
		for range rapid.IntRange(1, 3).Draw(t, "frames") {
			kind := ultima9.PixelFormat(rapid.IntRange(int(ultima9.P8), int(ultima9.A8)).Draw(t, "format"))
			flags := kind.Flags()
			if bc1 {
				kind = ultima9.BC1
			}
			if rapid.Bool().Draw(t, "keyed") {
				flags = flags.WithKey(rapid.Uint16().Draw(t, "key"))
			}
			w, h := rapid.IntRange(1, 9).Draw(t, "w"), rapid.IntRange(1, 9).Draw(t, "h")
			f := ultima9.TextureFrame{Flags: flags, Width: uint32(w), Height: uint32(h), AnchorX: rapid.Uint32().Draw(t, "anchor"), Rows: make([]uint32, h)}
			for k := range 1 + int(s.Mips) {
				w, h := f.LevelSize(k)
				n := int(kind.Size(uint64(w), uint64(h)))
				f.Levels = append(f.Levels, rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, "pixels"))
			}
			s.Frames = append(s.Frames, f)
		}
		b, err := write.Texture(s)
		if err != nil {
			t.Fatal(err)
		}
		v, err := read.Texture(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := texture.Set.Lift(v, nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := texture.Set.Lower(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := write.Texture(back); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("another record after lifting and lowering (%v)", err)
		}
	})
}
