package unreal

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestLightMapCoordinates: every corner of every lit surface of the corpus lies on its light map without being moved
// there.
func TestLightMapCoordinates(t *testing.T) {
	corners := 0
	for _, e := range valid(t) {
		a := openBytes(t, e.File, corpus.Bytes(t, e.Path))
		for i := range a.Exports {
			if a.Layout(i) != "Model" {
				continue
			}
			o, err := a.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			m := o.(*unreal.Model)
			polygons, err := bspPolygons(m)
			if err != nil {
				t.Fatal(err)
			}
			maps := newAtlas([]*unreal.Model{m}, nil)
			if maps == nil {
				continue
			}
			for n := range polygons {
				corners += onMap(t, e.File, maps.models[m.Path], &polygons[n])
			}
		}
	}
	if corners < 10000 {
		t.Errorf("only %d corners of lit surfaces", corners)
	}
}

func onMap(t *testing.T, file string, m *mapped, q *polygon) int {
	if q.light < 0 || m.places[q.light].width == 0 {
		return 0
	}
	l := &m.LightMaps[q.light]
	for _, p := range q.points {
		d := mgl32.Vec3(p).Sub(mgl32.Vec3(q.base))
		s := (d.Dot(mgl32.Vec3(q.axisU)) - l.Pan[0]) / l.UScale
		u := (d.Dot(mgl32.Vec3(q.axisV)) - l.Pan[1]) / l.VScale
		if s < -0.1 || u < -0.1 || s > float32(l.UClamp)-0.9 || u > float32(l.VClamp)-0.9 {
			t.Errorf("%s: (%v, %v) is outside the light map of %d x %d", file, s, u, l.UClamp, l.VClamp)
		}
	}
	return len(q.points)
}

func TestLightMaps(t *testing.T) {
	m := &unreal.Model{
		// Two lights on 3 x 2 texels: rows of one byte, the lowest bit first.
		LightBits: []byte{0xEE, 0b001, 0b111, 0b011, 0b000},
		LightMaps: []unreal.LightMap{{Offset: 1, UClamp: 3, VClamp: 2, UScale: 1, VScale: 1, Light: 1}, {UClamp: 9, VClamp: 9, Light: -1}},
		Lights:    []unreal.Ref{0, 5, 6, 0},
	}
	m.Context = &unreal.Context{}
	a := newAtlas([]*unreal.Model{m}, nil)
	places := a.models[m.Path].places
	p, img := places[0], a.shadows.Base()
	want := [2][3]uint8{{255, 127, 0}, {127, 127, 127}}
	for y := range want {
		for x := range want[y] {
			if got := img.Pix[(p.y+y)*img.Width+p.x+x]; got != want[y][x] {
				t.Errorf("texel %d, %d: %d, want %d", x, y, got, want[y][x])
			}
		}
	}
	if img.Pix[0] != 255 || img.Pix[img.Width] != 255 || places[1].width != 0 {
		t.Errorf("white texels %d, %d, unlit map %v", img.Pix[0], img.Pix[img.Width], places[1])
	}
	m.LightMaps[0].Offset = 2
	if newAtlas([]*unreal.Model{m}, nil) != nil {
		t.Error("bits beyond the end are taken")
	}
	// One light on 10 texels: rows of two bytes.
	m.LightBits, m.LightMaps = []byte{0b10000001, 0b10}, []unreal.LightMap{{UClamp: 10, VClamp: 1, UScale: 1, VScale: 1, Light: 2}}
	a = newAtlas([]*unreal.Model{m}, nil)
	p, img = a.models[m.Path].places[0], a.shadows.Base()
	for x, want := range []uint8{255, 0, 0, 0, 0, 0, 0, 255, 0, 255} {
		if got := img.Pix[p.y*img.Width+p.x+x]; got != want {
			t.Errorf("texel %d of ten: %d, want %d", x, got, want)
		}
	}
}
