package gltf

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// tower is a model with everything that can be hidden: a skinned part with two levels, one of which wears a material and
// a texture of its own and moves; lines, a hull, a mount and a hardpoint.
func tower() *asset.Scene {
	native := func(id float64) *asset.Native { return &asset.Native{Format: "fl", Values: map[string]any{"id": id}} }
	s := skinScene(true)
	s.Native = &asset.Native{Format: "fl", Payload: []byte("tree")}
	hull, far := asset.NewMaterial("hull"), asset.NewMaterial("far")
	picture := virtualTextures().Textures[0]
	far.BaseColorTexture = &asset.TextureRef{Texture: picture}
	s.Materials, s.Textures = append(s.Materials, hull, far), append(s.Textures, picture)
	part := asset.NewNode("part")
	part.Transform.Translation, part.Native = [3]float32{1, 2, 3}, native(1)
	add := func(name string, kind asset.NodeKind, id float64, m *asset.Material) *asset.Node {
		n := asset.NewNode(name)
		p := quad()
		p.Material = m
		n.Kind, n.Native, n.Mesh = kind, native(id), &asset.Mesh{Name: name, Primitives: []*asset.Primitive{p}}
		s.Meshes = append(s.Meshes, n.Mesh)
		return n
	}
	part.Mesh = add("part", asset.Plain, 1, hull).Mesh
	for i, m := range []*asset.Material{hull, far} {
		l := add("part"+"$lod"+string(rune('1'+i)), asset.Plain, float64(2+i), m)
		l.Transform = part.Transform
		part.LODs = append(part.LODs, l)
	}
	point := asset.NewNode("HpGun")
	point.Kind = asset.Hardpoint
	part.Children = []*asset.Node{add("part$wire", asset.Wire, 4, nil), point, add("part$hull", asset.Hull, 5, hull), add("part_mount", asset.Mount, 6, hull)}
	s.Roots = append(s.Roots, part)
	s.Animations = append(s.Animations, &asset.Animation{Name: "sway", Channels: []*asset.Channel{
		{Node: part.LODs[1], Path: asset.Scale, Times: []float32{0, 1}, Values: []float32{1, 1, 1, 2, 2, 2}},
		{Node: point, Path: asset.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}},
	}})
	return s
}

func namesIn(t *testing.T, b []byte) string {
	var list []string
	edited(t, b, func(doc map[string]any) {
		each(doc, func(_ string, _ int, o map[string]any) {
			if name, _ := o["name"].(string); strings.HasPrefix(name, "part") || name == "HpGun" {
				list = append(list, name)
			}
		}, "nodes")
	})
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestHide(t *testing.T) {
	for name, c := range map[string]struct {
		show Show
		want string
	}{
		"usual":       {ShowHardpoints, "HpGun part"},
		"nothing":     {0, "part"},
		"levels":      {ShowLevels | ShowHardpoints, "HpGun part part$lod1 part$lod2"},
		"wires":       {ShowWires, "part part$wire"},
		"mounts":      {ShowMounts, "part part_mount"},
		"hulls":       {ShowHulls, "part part$hull"},
		"all of them": {ShowAll, "HpGun part part$hull part$lod1 part$lod2 part$wire part_mount"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			s := tower()
			if err := Encode(&b, s, Options{Show: &c.show}); err != nil {
				t.Fatal(err)
			}
			if got := namesIn(t, b.Bytes()); got != c.want {
				t.Errorf("it shows %s, want %s", got, c.want)
			}
			var d schema.Diagnostics
			back, err := Decode(b.Bytes(), nil, &d)
			if err != nil {
				t.Fatal(err)
			}
			sortChannels(s)
			sortChannels(back)
			slices.SortFunc(back.Textures, func(a, b *asset.Texture) int { return strings.Compare(a.Name, b.Name) })
			slices.SortFunc(s.Textures, func(a, b *asset.Texture) int { return strings.Compare(a.Name, b.Name) })
			if x := diff(s, back); x != "" {
				t.Errorf("(-want +got):\n%s", x)
			}
			if len(d.All()) > 0 {
				t.Error(d.All())
			}
		})
	}
}

// TestHullsOfHardpoints: what lies at a hardpoint is shown where hulls are, and hidden with it where they are not.
func TestHullsOfHardpoints(t *testing.T) {
	for show, want := range map[Show]string{ShowHulls: "HpGun part part$gun part$hull", ShowWires: "part part$wire", ShowHardpoints: "HpGun part"} {
		s := tower()
		p := quad()
		p.Material = s.Materials[0]
		hull := asset.NewNode("part$gun")
		hull.Kind, hull.Mesh = asset.Hull, &asset.Mesh{Name: hull.Name, Primitives: []*asset.Primitive{p}}
		hull.Native = &asset.Native{Format: "fl", Values: map[string]any{"id": 7.0}}
		s.Meshes = append(s.Meshes, hull.Mesh)
		point := s.Roots[len(s.Roots)-1].Children[1]
		point.Children = append(point.Children, hull)
		var b bytes.Buffer
		if err := Encode(&b, s, Options{Show: &show}); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, b.Bytes()); got != want {
			t.Errorf("%v shows %s, want %s", show, got, want)
		}
	}
}

func sortChannels(s *asset.Scene) {
	for _, a := range s.Animations {
		slices.SortFunc(a.Channels, func(x, y *asset.Channel) int { return strings.Compare(x.Node.Name, y.Node.Name) })
	}
}

func TestKeptFollows(t *testing.T) {
	whole := encode(t, tower(), nil)
	part := func(s *asset.Scene) *asset.Node { return s.Roots[len(s.Roots)-1] }
	node := func(doc map[string]any, name string) (out map[string]any) {
		each(doc, func(_ string, _ int, o map[string]any) {
			if o["name"] == name {
				out = o
			}
		}, "nodes")
		return out
	}
	for name, c := range map[string]struct {
		edit func(doc map[string]any)
		hold func(t *testing.T, s *asset.Scene, d *schema.Diagnostics)
	}{
		"moved": {func(doc map[string]any) { node(doc, "part")["translation"] = []any{9, 8, 7} }, func(t *testing.T, s *asset.Scene, _ *schema.Diagnostics) {
			for _, l := range part(s).LODs {
				if l.Transform.Translation != [3]float32{9, 8, 7} {
					t.Errorf("%s is at %v", l.Name, l.Transform.Translation)
				}
			}
		}},
		"material renamed": {func(doc map[string]any) {
			each(doc, func(_ string, _ int, o map[string]any) { o["name"] = "new " + o["name"].(string) }, "materials")
		}, func(t *testing.T, s *asset.Scene, _ *schema.Diagnostics) {
			if m := part(s).LODs[0].Mesh.Primitives[0].Material; m != part(s).Mesh.Primitives[0].Material {
				t.Errorf("level 1 wears %q", m.Name)
			}
			if m := part(s).LODs[1].Mesh.Primitives[0].Material; m.Name != "far" || m.BaseColorTexture == nil {
				t.Errorf("level 2 wears %q", m.Name)
			}
		}},
		"animation deleted": {func(doc map[string]any) { delete(doc, "animations") }, func(t *testing.T, s *asset.Scene, _ *schema.Diagnostics) {
			if len(s.Animations) > 0 && len(s.Animations[0].Channels) > 0 {
				t.Errorf("%d animations", len(s.Animations))
			}
		}},
		"shape edited": {func(doc map[string]any) {
			list := doc["accessors"].([]any)
			i := int(doc["meshes"].([]any)[int(node(doc, "part")["mesh"].(float64))].(map[string]any)["primitives"].([]any)[0].(map[string]any)["indices"].(float64))
			list[i].(map[string]any)["count"] = 3.0
		}, func(t *testing.T, _ *asset.Scene, d *schema.Diagnostics) {
			if len(d.All()) != 1 || !strings.Contains(d.All()[0].String(), `part: warning: its shape was edited, and its lower levels of detail (1 to 2) still show the old one`) {
				t.Error(d.All())
			}
		}},
		"damaged": {func(doc map[string]any) {
			own := node(doc, "part")["extras"].(map[string]any)["usher"].(map[string]any)["asset"].(map[string]any)
			own["kept"].(map[string]any)["payload"] = "AAAA"
		}, func(t *testing.T, s *asset.Scene, d *schema.Diagnostics) {
			if !d.Has("bad-kept") || len(part(s).LODs) > 0 {
				t.Error(d.All())
			}
		}},
		"scene's extras gone": {func(doc map[string]any) {
			delete(doc["scenes"].([]any)[0].(map[string]any), "extras")
		}, func(t *testing.T, s *asset.Scene, d *schema.Diagnostics) {
			if m := part(s).LODs[1].Mesh.Primitives[0].Material; m.Name != "far" || !m.Unseen || !d.Has("bad-kept") {
				t.Errorf("level 2 wears %q (unseen: %t), %v", m.Name, m.Unseen, d.All())
			}
		}},
		"damaged looks": {func(doc map[string]any) {
			u := doc["scenes"].([]any)[0].(map[string]any)["extras"].(map[string]any)["usher"].(map[string]any)
			u["asset"].(map[string]any)["kept"].(map[string]any)["payload"] = "AAAA"
		}, func(t *testing.T, s *asset.Scene, d *schema.Diagnostics) {
			if m := part(s).LODs[1].Mesh.Primitives[0].Material; m.Name != "far" || !m.Unseen || !d.Has("bad-kept") {
				t.Errorf("level 2 wears %q (unseen: %t), %v", m.Name, m.Unseen, d.All())
			}
		}},
		"part copied": {func(doc map[string]any) {
			list := doc["nodes"].([]any)
			twin := map[string]any{}
			for k, v := range node(doc, "part") {
				twin[k] = v
			}
			delete(twin, "children")
			twin["name"], twin["translation"] = "twin", []any{5, 5, 5}
			doc["nodes"] = append(list, twin)
			scene := doc["scenes"].([]any)[0].(map[string]any)
			scene["nodes"] = append(scene["nodes"].([]any), len(list))
		}, func(t *testing.T, s *asset.Scene, _ *schema.Diagnostics) {
			a, b := s.Roots[len(s.Roots)-2], part(s)
			if b.Name != "twin" || len(b.LODs) != 2 || b.LODs[0].Mesh != a.LODs[0].Mesh || b.LODs[0].Transform.Translation != [3]float32{5, 5, 5} {
				t.Errorf("%s has %d levels", b.Name, len(b.LODs))
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var d schema.Diagnostics
			s, err := Decode(edited(t, whole, c.edit), nil, &d)
			if err != nil {
				t.Fatal(err)
			}
			c.hold(t, s, &d)
		})
	}
}

// TestKeptJoints: an editor gives joints another order.
func TestKeptJoints(t *testing.T) {
	s := skinScene(true)
	s.Native = &asset.Native{Format: "fl"}
	var owner *asset.Node
	s.Walk(func(n, _ *asset.Node) {
		if n.Skin != nil {
			owner = n
		}
	})
	level := asset.NewNode("far")
	level.Transform = owner.Transform
	level.Skin = owner.Skin
	p := *owner.Mesh.Primitives[0]
	level.Mesh = &asset.Mesh{Name: "far", Primitives: []*asset.Primitive{&p}}
	s.Meshes = append(s.Meshes, level.Mesh)
	owner.LODs = []*asset.Node{level}
	want := owner.Skin.Joints[p.Joints[0][0][0]].Name
	b := edited(t, encode(t, s, nil), func(doc map[string]any) {
		each(doc, func(_ string, _ int, o map[string]any) { slices.Reverse(o["joints"].([]any)) }, "skins")
	})
	back, err := Decode(b, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	back.Walk(func(n, _ *asset.Node) {
		if n.Name == "far" {
			found = true
			if got := n.Skin.Joints[n.Mesh.Primitives[0].Joints[0][0][0]].Name; got != want {
				t.Errorf("joint %q, want %q", got, want)
			}
		}
	})
	if !found {
		t.Error("no level")
	}
}

// TestKeptMemory: what is hidden counts as a part of the file.
func TestKeptMemory(t *testing.T) {
	inner := glb(document(`"nodes":[`+strings.Repeat(`{},`, 50000)+`{}]`), nil)
	r, err := pack(&asset.Native{Payload: inner}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kept := r[keyPayload].(string)
	nodes := strings.Repeat(`{"extras":{"usher":{"asset":{"kept":{"payload":"`+kept+`","places":[0]}}}}},`, 40)
	d := new(schema.Diagnostics)
	if _, err := Decode(glb(document(`"nodes":[`+strings.TrimSuffix(nodes, ",")+`]`), nil), nil, d); err != nil || !d.Has("bad-kept") {
		t.Errorf("%v, %v", err, d.All())
	}
}

// TestKeptLooksOnce: what several hidden shapes wear is in the file once.
func TestKeptLooksOnce(t *testing.T) {
	size := func(parts int) int {
		s := tower()
		pix := make([]byte, 4*64*64)
		for i, x := 0, uint32(1); i < len(pix); i++ { // nothing that compresses
			x = x*1664525 + 1013904223
			pix[i] = byte(x >> 24)
		}
		far := s.Materials[len(s.Materials)-1]
		far.BaseColorTexture.Texture.Frames = []asset.Frame{{Mips: []asset.Image{{Width: 64, Height: 64, Format: asset.RGBA8, Pix: pix}}}}
		last := s.Roots[len(s.Roots)-1]
		for range parts {
			p := quad()
			p.Material = far
			level := asset.NewNode("far")
			level.Mesh = &asset.Mesh{Name: "far", Primitives: []*asset.Primitive{p}}
			n := asset.NewNode("part")
			n.Mesh, n.LODs = last.Mesh, []*asset.Node{level}
			s.Meshes, s.Roots = append(s.Meshes, level.Mesh), append(s.Roots, n)
		}
		return len(encode(t, s, nil))
	}
	const part = 4 << 10 // the picture alone has 16 kB
	if one, many := size(1), size(9); many > one+8*part {
		t.Errorf("9 parts take %d bytes, one %d", many, one)
	}
}
