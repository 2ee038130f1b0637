package worktree_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
)

// painted writes a model of one triangle with a picture that no archive has.
func painted(t *testing.T, path string, shade byte) {
	t.Helper()
	pix := bytes.Repeat([]byte{shade, 0, 0, 255}, 16)
	m := asset.NewMaterial("paint")
	m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "paint", Frames: []asset.Frame{{Mips: []asset.Image{{Width: 4, Height: 4, Pix: pix}}}}}}
	mesh := &asset.Mesh{Name: "triangle", Primitives: []*asset.Primitive{{
		Mode: asset.Triangles, Material: m, Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2},
		Normals: [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, TexCoords: [][][2]float32{{{0, 0}, {1, 0}, {0, 1}}},
	}}}
	n := asset.NewNode("triangle")
	n.Mesh = mesh
	s := &asset.Scene{Name: "triangle", Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{mesh}, Materials: []*asset.Material{m}, Textures: []*asset.Texture{m.BaseColorTexture.Texture}}
	var b bytes.Buffer
	if err := gltf.Encode(&b, s, gltf.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestPackTextureSlots packs models with new pictures, some in the place of others and some as new entries: each picture
// gets a slot of its own, in the order of the entries.
func TestPackTextureSlots(t *testing.T) {
	archive := corpus.Testdata(t, "ultima9", "sappear.flx")
	dir := unpack(t, archive, worktree.Unpacking{})
	models, err := filepath.Glob(filepath.Join(dir, "*.glb"))
	if err != nil || len(models) == 0 {
		t.Fatal("no models", err)
	}
	models = append(models, filepath.Join(dir, "900.glb"), filepath.Join(dir, "901.glb"), filepath.Join(dir, "902.glb"))
	for i, path := range models {
		painted(t, path, byte(40+i))
	}
	for range 3 {
		_, out, err := pack(t, dir, worktree.Packing{})
		if err != nil {
			t.Fatal(err)
		}
		a := openFLX(t, out)
		defer a.Close()
		var slots []int
		for i, e := range a.Entries() {
			if !slices.ContainsFunc(models, func(p string) bool { return strings.HasPrefix(filepath.Base(p), e.Path) }) {
				continue
			}
			b, err := a.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			m, err := read.Sappear(b, nil)
			if err != nil {
				t.Fatal(err)
			}
			slots = append(slots, int(m.Limbs[0].LODs[0].Materials[0].Texture))
		}
		if want := slices.Clone(slots); len(slots) != len(models) || !slices.IsSorted(slots) || len(slices.Compact(want)) != len(models) {
			t.Errorf("the pictures of %d models have the slots %v", len(models), slots)
		}
	}
}
