package engine

import (
	"fmt"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// TestSceneParts: what a GLB holds, part by part.
func TestSceneParts(t *testing.T) {
	picture := &asset.Texture{Name: "brick", Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(4, 2, asset.RGBA8)}}}, File: &asset.Stored{Encoding: "png", Data: make([]byte, 99)}}
	m := asset.NewMaterial("wall")
	m.BaseColorTexture, m.Alpha, m.DoubleSided = &asset.TextureRef{Texture: picture}, asset.Mask, true
	p := &asset.Primitive{Positions: make([][3]float32, 4), Indices: []uint32{0, 1, 2, 0, 2, 3}, Material: m, Targets: make([]asset.Target, 1)}
	s := &asset.Scene{Meshes: []*asset.Mesh{{Name: "box", Primitives: []*asset.Primitive{p}}}, Materials: []*asset.Material{m}, Textures: []*asset.Texture{picture},
		Animations: []*asset.Animation{{Name: "spin", Channels: []*asset.Channel{{Times: []float32{0, 1.5}}}}}}
	want := []string{
		"mesh box: 1 primitive, 4 vertices, 2 triangles, 1 morph target",
		`material wall: with holes, seen from behind, colour of "brick"`,
		"texture brick: 4 x 2, png of 99 bytes, 44 bytes on a graphics card", // 4·(8 + 2 + 1)
		"animation spin: 1 channel, 2 keys, 1.5 seconds",
	}
	got := sceneParts(s, false)
	for i, f := range got {
		if text := fmt.Sprintf("%s: %v", f.Name, f.Value); i >= len(want) || text != want[i] {
			t.Errorf("%d: %s", i, text)
		}
	}
	for range 30 {
		s.Meshes = append(s.Meshes, s.Meshes[0])
	}
	if few, all := len(sceneParts(s, false)), len(sceneParts(s, true)); few != listed+1+3 || all != 31+3 {
		t.Errorf("%d and %d lines", few, all)
	}
}
