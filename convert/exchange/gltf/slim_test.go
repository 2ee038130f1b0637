package gltf

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// TestSlim: a slim file shows the same, and holds nothing that only usher reads.
func TestSlim(t *testing.T) {
	kept := func() *asset.Native {
		return &asset.Native{Format: "x", Values: map[string]any{"a": 1.0}, Payload: bytes.Repeat([]byte("payload"), 100)}
	}
	p := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2}, Material: asset.NewMaterial("m"),
		Custom: []asset.Attribute{{Name: "_X", Components: 1, Values: []float32{1, 2, 3}}}}
	p.Material.Native = kept()
	n, hull := asset.NewNode("n"), asset.NewNode("hull")
	n.Mesh, n.Native, n.Extras = &asset.Mesh{Name: "mesh", Primitives: []*asset.Primitive{p}, Native: kept()}, kept(), map[string]any{"prop": 1.0}
	hull.Mesh, hull.Kind, hull.Native = &asset.Mesh{Name: "hull", Primitives: []*asset.Primitive{{Positions: p.Positions}}}, asset.Hull, kept()
	n.Children = []*asset.Node{hull}
	s := &asset.Scene{Name: "s", Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh, hull.Mesh}, Materials: []*asset.Material{p.Material}, Native: kept()}
	var full, slim bytes.Buffer
	if err := Encode(&full, s, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := Encode(&slim, s, Options{Slim: true}); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"extras", "payload", "_X", "hull", "e-20"} {
		if bytes.Contains(slim.Bytes(), []byte(word)) {
			t.Errorf("a slim file holds %q: %s", word, slim.Bytes())
		}
		if word != "e-20" && word != "hull" && !bytes.Contains(full.Bytes(), []byte(word)) {
			t.Errorf("a full file has no %q", word)
		}
	}
	var d schema.Diagnostics
	back, err := Decode(slim.Bytes(), nil, &d)
	if !d.Has("slim") || back.Generator != "" {
		t.Errorf("nothing says that there is no way back: %v, made by %q", d.All(), back.Generator)
	}
	d = schema.Diagnostics{}
	if _, err := DecodeOnto(slim.Bytes(), nil, func() (*asset.Scene, error) { return s, nil }, &d); err != nil || d.Has("slim") {
		t.Errorf("with the original at hand: %v, %v", err, d.All())
	}
	if err != nil || back.Stripped || back.Native != nil || len(back.Roots) != 1 || back.Roots[0].Mesh == nil || len(back.Roots[0].Children) != 0 {
		t.Errorf("%v, %+v", err, back)
	}
}
