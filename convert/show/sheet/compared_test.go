package sheet

import (
	"bytes"
	"image"
	"reflect"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// TestHeat: what is the same is a dark grey of what is there, a quarter as bright; what differs goes from red to white.
func TestHeat(t *testing.T) {
	picture := func(pix ...uint8) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, len(pix)/4, 1))
		copy(m.Pix, pix)
		return m
	}
	a := picture(120, 120, 120, 255, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255)
	b := picture(120, 120, 120, 255, 0, 0, 0, 0, 0, 10, 0, 255, 100, 0, 0, 255, 255, 255, 255, 255, 0, 0, 1, 255)
	want := picture(30, 30, 30, 255, 0, 0, 0, 255, 116, 0, 0, 255, 255, 45, 0, 255, 255, 255, 253, 255, 98, 0, 0, 255)
	if got := heat(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got.Pix, want.Pix)
	}
	if heat(nil, b) != nil || heat(a, nil) != nil || heat(a, picture(0, 0, 0, 0)) != nil {
		t.Error("there is heat of what cannot be compared")
	}
}

// TestCompared: two models are drawn with one camera, so that what was moved is elsewhere; what has no picture has none.
func TestCompared(t *testing.T) {
	model := func(x float32) *interchange.Item {
		p := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2, 0, 2, 1}}
		m := &asset.Mesh{Primitives: []*asset.Primitive{p}}
		n := &asset.Node{Mesh: m, Transform: asset.Identity}
		n.Transform.Translation[0] = x
		return &interchange.Item{Asset: &asset.Scene{Meshes: []*asset.Mesh{m}, Roots: []*asset.Node{n}}, Env: new(format.Env)}
	}
	texture := func(red byte) *interchange.Item {
		m := asset.NewImage(1, 1, asset.RGBA8)
		copy(m.Pix, []byte{red, 0, 0, 255})
		return &interchange.Item{Asset: &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, Env: new(format.Env)}
	}
	bare := &interchange.Item{Asset: new(asset.Text), Env: new(format.Env)}
	for _, c := range []struct {
		what                        string
		a, b                        *interchange.Item
		before, after, heat, differ bool
	}{
		{"the same model", model(0), model(0), true, true, true, false}, {"a model that was moved", model(0), model(3), true, true, true, true}, {"the same picture", texture(9), texture(9), true, true, true, false}, {"another picture", texture(9), texture(200), true, true, true, true},
		{"nothing before", bare, texture(9), false, true, false, false}, {"nothing behind", texture(9), bare, true, false, false, false}, {"a model and a picture", model(0), texture(9), true, true, true, true},
		{"it came", nil, texture(9), false, true, false, false}, {"it went", model(0), nil, true, false, false, false},
	} {
		p := Compared(32)(c.a, c.b)
		if p == nil || (p.Before != nil) != c.before || (p.After != nil) != c.after || c.what != "a model and a picture" && (p.Heat != nil) != c.heat {
			t.Errorf("%s: %+v", c.what, p)
			continue
		}
		if p.Heat != nil && !bytes.Equal(p.Before.Pix, p.After.Pix) != c.differ {
			t.Errorf("%s: different %t", c.what, !c.differ)
		}
	}
	if p := Compared(32)(bare, bare); p != nil {
		t.Errorf("two texts: %+v", p)
	}
	for _, c := range []struct {
		what          string
		a, b          *interchange.Item
		before, after bool
	}{
		{"models", model(0), model(3), true, true}, {"it came", nil, model(0), false, true}, {"it went", model(0), nil, true, false},
		{"a picture became a model", texture(9), model(0), false, true}, {"pictures", texture(9), texture(8), false, false}, {"nothing", nil, nil, false, false},
	} {
		rows := Turned(c.a, c.b, 16, 6)
		for i, want := range [2]bool{c.before, c.after} {
			if (rows[i] != nil) != want || want && rows[i].Rect != image.Rect(0, 0, 6*16, 16) {
				t.Errorf("%s: row %d: %v", c.what, i, rows[i])
			}
		}
	}
}

// TestTurned: a row has a square of each side, with the model on every one.
func TestTurned(t *testing.T) {
	p := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Indices: []uint32{0, 1, 2, 0, 2, 1, 0, 1, 3, 0, 3, 1}}
	m := &asset.Mesh{Primitives: []*asset.Primitive{p}}
	model := &interchange.Item{Asset: &asset.Scene{Meshes: []*asset.Mesh{m}, Roots: []*asset.Node{{Mesh: m, Transform: asset.Identity}}}, Env: new(format.Env)}
	const size, sides = 24, 3
	rows := Turned(model, &interchange.Item{Asset: new(asset.Text), Env: new(format.Env)}, size, sides)
	if rows[0] == nil || rows[0].Rect != image.Rect(0, 0, sides*size, size) || rows[1] != nil {
		t.Fatalf("%v", rows)
	}
	for i := range sides {
		colours := map[any]bool{}
		for x := range size {
			for y := range size {
				colours[rows[0].NRGBAAt(i*size+x, y)] = true
			}
		}
		if len(colours) < 2 {
			t.Errorf("nothing is on side %d", i)
		}
	}
}
