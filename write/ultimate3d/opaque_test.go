package ultimate3d_test

import (
	"bytes"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/made"
	write "github.com/usher-assets/usher/write/ultimate3d"
)

// TestOpaqueMaterial has a first material that cannot be decoded from its textures on: the next material is found behind
// it. Of several places that look like one, the first counts behind which nothing is left over; else the first at all.
func TestOpaqueMaterial(t *testing.T) {
	m, err := read.U3D(corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "ball.u3d")), nil)
	if err != nil || len(m.Bones) > 0 {
		t.Fatalf("%v, %d bones", err, len(m.Bones))
	}
	second := *m.Materials[0]
	second.Name = "second"
	chunk, err := write.MaterialChunk(&second)
	if err != nil {
		t.Fatal(err)
	}
	noTexture := []byte{1, 99, 0, 0, 0} // used, of a type that there is not
	for _, tt := range []struct {
		name     string
		between  []byte // behind the certain part of the first material, before the second one
		trailing []byte
		want     int // how many of these bytes are the first one's
	}{
		{"at once", noTexture, nil, 5},
		{"the name alone is none", append(noTexture[:5:5], ultimate3d.MaterialMagic...), nil, 5 + len(ultimate3d.MaterialMagic)},
		{"the first leaves something over", append(noTexture[:5:5], chunk...), nil, 5 + len(chunk)},
		{"something is left over", noTexture, []byte("left"), 5},
		{"all leave something over", append(noTexture[:5:5], chunk...), []byte("left"), 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := *m.Materials[0]
			first.Opaque, first.ExportResources, first.Undecoded = true, 1, tt.between
			first.Effect, first.EffectUsed, first.Textures = nil, 0, [8]*ultimate3d.Texture{}
			x := *m
			x.Materials = []*ultimate3d.Material{&first, &second}
			x.Trailing = tt.trailing
			b, err := write.U3D(&x)
			if err != nil {
				t.Fatal(err)
			}
			got, err := read.U3D(b, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Materials) != 2 || !got.Materials[0].Opaque || got.Materials[1].Name != "second" {
				t.Fatalf("%d materials", len(got.Materials))
			}
			if n := len(got.Materials[0].Undecoded); n != tt.want {
				t.Errorf("%d bytes are not decoded, want %d", n, tt.want)
			}
			if again, err := write.U3D(got); err != nil || !bytes.Equal(again, b) {
				t.Errorf("written as other bytes (%v)", err)
			}
		})
	}
}

// TestOpaqueAmongMany has a place that looks like the next material and is none: the search goes on behind it.
func TestOpaqueAmongMany(t *testing.T) {
	m := madeModels()["plain"]
	m.Materials = []*ultimate3d.Material{opaqueMaterial("a"), smallMaterial("b"), smallMaterial("c")}
	chunk, err := write.MaterialChunk(m.Materials[1])
	if err != nil {
		t.Fatal(err)
	}
	half := chunk[:len(chunk)/2]
	m.Materials[0].Undecoded = append(m.Materials[0].Undecoded, half...)
	want := len(m.Materials[0].Undecoded)
	b, err := write.U3D(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := read.U3D(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Materials) != 3 || got.Materials[1].Name != "b" || len(got.Materials[0].Undecoded) != want {
		t.Errorf("%d materials, %d bytes of the first are not decoded, want %d", len(got.Materials), len(got.Materials[0].Undecoded), want)
	}
}

func opaqueMaterial(name string) *ultimate3d.Material {
	m := smallMaterial(name)
	m.Opaque, m.ExportResources, m.Undecoded = true, 1, []byte{1, 99, 0, 0, 0}
	m.Textures = [8]*ultimate3d.Texture{}
	return m
}

// TestImplausible has values in a last material that make no sense, and something left behind it: all of it is kept as bytes.
func TestImplausible(t *testing.T) {
	for name, edit := range map[string]func(m *ultimate3d.Material){
		"":                          func(m *ultimate3d.Material) {},
		"used":                      func(m *ultimate3d.Material) { m.Textures[0].Used = 2 },
		"identifier":                func(m *ultimate3d.Material) { m.Textures[0].Identifier = "a\x1f" },
		"file name":                 func(m *ultimate3d.Material) { m.Textures[1].File = "\x1f" },
		"face file name":            func(m *ultimate3d.Material) { m.Textures[2].FaceFiles[5] = "\x01" },
		"effect used":               func(m *ultimate3d.Material) { m.EffectUsed = 2 },
		"shaders embedded":          func(m *ultimate3d.Material) { m.Effect.Embedded = 2 },
		"shaders embedded or not":   func(m *ultimate3d.Material) { m.Effect.Embedded = 1 - m.Effect.Embedded },
		"name of the vertex shader": func(m *ultimate3d.Material) { m.Effect.VertexShader = "\x1f" },
		"name of the pixel shader":  func(m *ultimate3d.Material) { m.Effect.PixelShader = "\x1f" },
	} {
		for _, inside := range []bool{false, true} {
			x := madeMaterial(inside)
			edit(x)
			if x.Effect.Embedded.True() && x.Effect.VertexCode == nil {
				x.Effect.VertexCode, x.Effect.PixelCode = []uint32{1}, []uint32{2}
			} else if !x.Effect.Embedded.True() {
				x.Effect.VertexCode, x.Effect.PixelCode = nil, nil
			}
			m := madeModels()["plain"]
			m.Materials, m.Trailing = []*ultimate3d.Material{smallMaterial("a"), x}, []byte("left")
			b, err := write.U3D(m)
			if inside && strings.Contains(name, "file name") { // the file is in the model
				if schema.Class(err) != schema.ErrMismatch {
					t.Errorf("%q: %v", name, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := read.U3D(b, nil)
			if err != nil {
				t.Fatal(err)
			}
			plain := name == ""
			if last := got.Materials[1]; last.Opaque == plain || plain != (string(got.Trailing) == "left") {
				t.Errorf("%q, inside %v: opaque %v, %q left", name, inside, last.Opaque, got.Trailing)
			}
		}
	}
}

// TestManyAttempts has places that look like the next material and are none, as many as are tried, and one more.
func TestManyAttempts(t *testing.T) {
	fake, err := write.MaterialChunk(&ultimate3d.Material{})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{255, 256} {
		m := madeModels()["plain"]
		m.Materials[0] = opaqueMaterial("a")
		m.Materials[0].Undecoded = append(m.Materials[0].Undecoded, bytes.Repeat(append(fake, '!'), n)...)
		m.Bones = []*ultimate3d.Bone{madeBone(ultimate3d.EngineKeys)}
		m.Bones[0].Parent, m.Layout = ultimate3d.RootParent, ultimate3d.EngineKeys
		made.Each(m, func(a *ultimate3d.Attachment) { a.Mesh = 0 })
		b, err := write.U3D(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read.U3D(b, nil); (err == nil) != (n < 256) {
			t.Errorf("%d places: %v", n, err)
		}
	}
}
