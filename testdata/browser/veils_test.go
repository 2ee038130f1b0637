package browser

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// glass is a primitive of panes, one behind the other at these places, in the order given.
func glass(name string, panes map[float32][4]float32, order ...float32) *asset.Primitive {
	m := asset.NewMaterial(name)
	m.Alpha, m.DoubleSided, m.Unlit = asset.Blend, true, true
	p := &asset.Primitive{Material: m}
	for _, z := range order {
		n := uint32(len(p.Positions))
		p.Positions = append(p.Positions, [3]float32{-1, -1, z}, [3]float32{1, -1, z}, [3]float32{1, 1, z}, [3]float32{-1, 1, z})
		for range 4 {
			p.Normals = append(p.Normals, [3]float32{0, 0, 1})
			p.Colors = append(p.Colors, panes[z])
		}
		p.Indices = append(p.Indices, n, n+1, n+2, n, n+2, n+3)
	}
	return p
}

// TestVeils: translucent triangles are drawn from the farthest to the nearest, in whichever order and primitive they
// stand, and from whichever side, and mixed as light; what is marked as hidden is not drawn.
func TestVeils(t *testing.T) {
	red, green, blue, white := [4]float32{1, 0, 0, 0.6}, [4]float32{0, 1, 0, 0.6}, [4]float32{0, 0, 1, 0.6}, [4]float32{1, 1, 1, 0.6}
	panes := map[float32][4]float32{-0.9: red, -0.3: green, 0.3: blue, 0.9: white}
	scenes := map[string][]*asset.Primitive{
		"ordered.glb":    {glass("one", panes, -0.9, -0.3, 0.3, 0.9)},
		"one.glb":        {glass("one", panes, 0.9, 0.3, -0.3, -0.9)},
		"interwoven.glb": {glass("near", panes, 0.9, -0.3), glass("far", panes, -0.9, 0.3)},
		"indexless.glb":  {glass("one", panes, 0.9, 0.3, -0.3, -0.9)},
	}
	dir := t.TempDir()
	for name, primitives := range scenes {
		n := asset.NewNode("panes")
		n.Mesh = &asset.Mesh{Name: "panes", Primitives: primitives}
		lid := asset.NewNode("lid")
		lid.Hidden = true
		lid.Mesh = &asset.Mesh{Name: "lid", Primitives: []*asset.Primitive{glass("lid", map[float32][4]float32{1.2: {0, 0, 0, 1}}, 1.2)}}
		s := &asset.Scene{Name: name, Roots: []*asset.Node{n, lid}}
		s.Meshes = []*asset.Mesh{n.Mesh, lid.Mesh}
		for _, m := range s.Meshes {
			for _, p := range m.Primitives {
				s.Materials = append(s.Materials, p.Material)
				if name == "indexless.glb" {
					var flat asset.Primitive
					for _, i := range p.Indices {
						flat.Positions, flat.Normals, flat.Colors = append(flat.Positions, p.Positions[i]), append(flat.Normals, p.Normals[i]), append(flat.Colors, p.Colors[i])
					}
					p.Positions, p.Normals, p.Colors, p.Indices = flat.Positions, flat.Normals, flat.Colors, nil
				}
			}
		}
		var b bytes.Buffer
		if err := gltf.Encode(&b, s, gltf.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, view.Config{Operands: []string{dir}})
	var ordered *image.NRGBA
	for _, name := range []string{"ordered.glb", "one.glb", "interwoven.glb", "indexless.glb"} {
		p.goTo(fmt.Sprintf("#n=%d", p.find(name)))
		p.ready(name)
		now := p.drawn()
		if ordered == nil {
			ordered = now
		}
		want, _ := expected(t, filepath.Join(dir, name))
		same, shape := agree(now, ordered), agree(now, want)
		if same.both < 1 || same.colour > 0.1 || shape.both < 0.97 || shape.colour > 2 {
			keep(t, "page "+name+".png", now)
			keep(t, "library "+name+".png", want)
			t.Errorf("%s: %.1f from what is in order, %.3f in common with the library's picture, colours %.1f apart", name, same.colour, shape.both, shape.colour)
		}
	}
	p.calm()
}

// TestMixes: surfaces whose colours are light, or change the light behind them, look on the page as the library draws
// them, with something behind them and without.
func TestMixes(t *testing.T) {
	dir := t.TempDir()
	for _, mix := range []scene.Mix{scene.Add, scene.Screen, scene.Modulate} {
		for _, bare := range []bool{false, true} {
			name := fmt.Sprintf("%s %v.glb", mix, bare)
			panes := glass("panes", map[float32][4]float32{0.1: {0.6, 0.1, 0.02, 0.7}, 0.6: {0.05, 0.3, 0.4, 1}}, 0.6, 0.1)
			panes.Material.Native = &asset.Native{Format: "some"}
			scene.SetMix(panes.Material, mix)
			white := asset.NewImage(1, 1, asset.RGBA8)
			copy(white.Pix, []byte{255, 255, 255, 255})
			panes.Material.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "white", Frames: []asset.Frame{{Mips: []asset.Image{white}}}}}
			panes.TexCoords = [][][2]float32{make([][2]float32, len(panes.Positions))}
			wall := glass("wall", map[float32][4]float32{-0.5: {0.3, 0.25, 0.2, 1}}, -0.5)
			wall.Material.Alpha = asset.Opaque
			n := asset.NewNode("panes")
			n.Mesh = &asset.Mesh{Name: "panes", Primitives: []*asset.Primitive{panes}}
			if !bare {
				n.Mesh.Primitives = append(n.Mesh.Primitives, wall)
			}
			s := &asset.Scene{Name: name, Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Textures: []*asset.Texture{panes.Material.BaseColorTexture.Texture}}
			for _, p := range n.Mesh.Primitives {
				s.Materials = append(s.Materials, p.Material)
			}
			var b bytes.Buffer
			if err := gltf.Encode(&b, s, gltf.Options{}); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := open(t, view.Config{Operands: []string{dir}})
	for _, l := range p.leaves() {
		p.goTo(fmt.Sprintf("#n=%d", l.ID))
		p.ready(l.Name)
		now := p.drawn()
		want, _ := expected(t, filepath.Join(dir, l.Name))
		if x := agree(now, want); x.both < 0.97 || x.colour > 2 {
			keep(t, "page "+l.Name+".png", now)
			keep(t, "library "+l.Name+".png", want)
			t.Errorf("%s: %.3f in common with the library's picture, colours %.1f apart", l.Name, x.both, x.colour)
		}
	}
	p.calm()
}

// TestLit: surfaces under a picture of light, and backdrops through which a turned sky is seen, look on the page as the library
// draws them.
func TestLit(t *testing.T) {
	dir := t.TempDir()
	backdrop := glass("backdrop", map[float32][4]float32{-0.6: {1, 1, 1, 1}}, -0.6)
	backdrop.Material.Native = &asset.Native{Format: "some"}
	scene.SetMix(backdrop.Material, scene.Backdrop)
	wall := glass("wall", map[float32][4]float32{0: {0.6, 0.3, 0.5, 1}}, 0)
	wall.Material.Alpha, wall.Material.Unlit = asset.Opaque, false
	light := asset.NewImage(2, 2, asset.RGBA8)
	copy(light.Pix, []byte{0, 0, 0, 255, 128, 128, 128, 255, 255, 128, 0, 255, 255, 255, 255, 255})
	wall.Material.LightTexture = &asset.TextureRef{Texture: &asset.Texture{Name: "light", Frames: []asset.Frame{{Mips: []asset.Image{light}}}}, TexCoord: 1, WrapS: asset.Clamp, WrapT: asset.Clamp}
	wall.TexCoords = [][][2]float32{make([][2]float32, 4), {{0, 0}, {1, 0}, {1, 1}, {0, 1}}}
	for i := range wall.Positions {
		wall.Positions[i][0], wall.Positions[i][1] = wall.Positions[i][0]*0.4-0.5, wall.Positions[i][1]*0.4
	}
	level := asset.NewNode("level")
	level.Mesh = &asset.Mesh{Name: "level", Primitives: []*asset.Primitive{backdrop, wall}}
	sky := asset.NewNode("sky")
	sky.Native = &asset.Native{Format: "some"}
	scene.SetRole(sky, scene.Sky)
	sky.Transform.Rotation = [4]float32{0, 0.3826834, 0, 0.9238795}
	s := &asset.Scene{Name: "level", Roots: []*asset.Node{level, sky}, Meshes: []*asset.Mesh{level.Mesh}, Textures: []*asset.Texture{wall.Material.LightTexture.Texture}}
	for i, c := range [][4]float32{{0.7, 0.1, 0.1, 1}, {0.1, 0.5, 0.1, 1}, {0.1, 0.1, 0.9, 1}, {0.5, 0.5, 0.1, 1}} { // walls around it
		pane := glass("side", map[float32][4]float32{-1: c}, -1)
		pane.Material.Alpha = asset.Opaque
		n := asset.NewNode("side")
		n.Mesh = &asset.Mesh{Name: "side", Primitives: []*asset.Primitive{pane}}
		half := float64(i) * math.Pi / 4
		n.Transform.Rotation = [4]float32{0, float32(math.Sin(half)), 0, float32(math.Cos(half))}
		n.Transform.Scale = [3]float32{0.02, 0.02, 0.02} // nearer to where it is seen from than what an eye out there sees
		sky.Children, s.Meshes = append(sky.Children, n), append(s.Meshes, n.Mesh)
	}
	sky.Transform.Translation = [3]float32{0, -1.4, 0}
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			s.Materials = append(s.Materials, p.Material)
		}
	}
	var b bytes.Buffer
	if err := gltf.Encode(&b, s, gltf.Options{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "level.glb")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	p := open(t, view.Config{Operands: []string{dir}})
	p.goTo(fmt.Sprintf("#n=%d", p.find("level.glb")))
	p.ready("level.glb")
	want, _ := expected(t, file)
	now := p.drawn()
	// In water all is seen darker, and greener.
	eval[any](p, `(() => { const { stage } = usher.shown, { world, nodes } = stage.scene, e = stage.camera.eye();
		world.tints.push({ node: nodes[0], tint: { low: e.map((x) => x - 1), high: e.map((x) => x + 1), fog: [0, 0.25, 0], scale: 0.5 } }); return null; })()`)
	if a, b := now.NRGBAAt(size/2, size/3), p.drawn().NRGBAAt(size/2, size/3); !near(int(b.R), int(a.R)/2) || !near(int(b.G), int(a.G)/2+64) {
		t.Errorf("%v is %v in a zone of half the light and a green fog", a, b)
	}
	if shape := agree(now, want); shape.both < 0.97 || shape.colour > 3 {
		keep(t, "page level.png", now)
		keep(t, "library level.png", want)
		t.Errorf("%.3f in common with the library's picture, colours %.1f apart", shape.both, shape.colour)
	}
	p.calm()
}

func near(a, b int) bool { return a-b <= 2 && b-a <= 2 }
