package gltf

import (
	"bytes"
	"fmt"
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

// TestWhatIsHidden: what a small file can hold is hidden; what is shown elsewhere, is a joint, or follows joints that nothing
// shown follows, is not.
func TestWhatIsHidden(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *asset.Scene, part *asset.Node)
		want   string
	}{
		"as it is": {func(s *asset.Scene, part *asset.Node) {}, "part"},
		"no model of a format": {func(s *asset.Scene, part *asset.Node) {
			s.Native = nil
			s.Walk(func(n, _ *asset.Node) { n.Native = nil })
			for _, x := range s.Skins {
				x.Native = nil
			}
		}, "HpGun part part$hull part$lod1 part$lod2 part$wire part_mount"},
		"a level that shows what its part shows": {func(s *asset.Scene, part *asset.Node) { part.LODs[0].Mesh = part.Mesh }, "part"},
		"a level that shows what another shows": {func(s *asset.Scene, part *asset.Node) {
			n := asset.NewNode("other")
			n.Mesh = part.LODs[1].Mesh
			s.Roots = append(s.Roots, n)
		}, "part part$lod1 part$lod2"},
		"a hull that is a joint":        {func(s *asset.Scene, part *asset.Node) { s.Skins[0].Joints[1] = part.Children[2]; s.Skins[0].Root = nil }, "part part$hull"},
		"a hull that is a joint's root": {func(s *asset.Scene, part *asset.Node) { s.Skins[0].Root = part.Children[2] }, "part part$hull"},
		"a joint below a hardpoint": {func(s *asset.Scene, part *asset.Node) {
			part.Children[1].Children = []*asset.Node{part.Children[0]}
			part.Children = part.Children[1:]
			s.Skins[0].Root = part.Children[0].Children[0]
		}, "HpGun part part$wire"},
		"a wire below a hardpoint": {func(s *asset.Scene, part *asset.Node) {
			part.Children[1].Children = []*asset.Node{part.Children[0]}
			part.Children = part.Children[1:]
		}, "part"},
		"a hull that is made when needed": {func(s *asset.Scene, part *asset.Node) {
			p := part.Children[2].Mesh.Primitives[0]
			p.Load = func() (*asset.Primitive, error) { return quad(), nil }
		}, "part part$hull"},
		"a hull with the skin of another": {func(s *asset.Scene, part *asset.Node) { part.Children[2].Skin = s.Skins[0] }, "part"},
		"a hull with a skin of its own": {func(s *asset.Scene, part *asset.Node) {
			part.Children[2].Skin = &asset.Skin{Joints: s.Skins[0].Joints}
			s.Skins = append(s.Skins, part.Children[2].Skin)
		}, "part part$hull"},
		"a skin without a mesh": {func(s *asset.Scene, part *asset.Node) { part.Children[2].Skin, part.Children[2].Mesh = s.Skins[0], nil }, "part part$hull"},
		"below what stands beside": {func(s *asset.Scene, part *asset.Node) {
			s.Roots, s.Detached = s.Roots[:1], []*asset.Node{part}
		}, "part"},
		"two skins of which one is hidden": {func(s *asset.Scene, part *asset.Node) {
			part.Skin = &asset.Skin{Joints: s.Skins[0].Joints}
			s.Skins = append(s.Skins, part.Skin)
			part.Children[2].Skin = part.Skin
		}, "part"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tower()
			c.change(s, s.Roots[len(s.Roots)-1])
			var b bytes.Buffer
			var show Show
			if err := Encode(&b, s, Options{Show: &show}); err != nil {
				t.Fatal(err)
			}
			if got := namesIn(t, b.Bytes()); got != c.want {
				t.Errorf("it shows %s, want %s", got, c.want)
			}
			back := decode(t, b.Bytes())
			if got, want := names(back.Roots)+names(back.Detached), names(s.Roots)+names(s.Detached); got != want {
				t.Errorf("it comes back as %s, want %s", got, want)
			}
		})
	}
}

// TestKeptEdited has files of what is hidden of which somebody changed something else, with what comes back and what is said.
func TestKeptEdited(t *testing.T) {
	kept := func(doc map[string]any) map[string]any {
		var own map[string]any
		each(doc, func(_ string, _ int, o map[string]any) {
			if o["name"] == "part" {
				own = o["extras"].(map[string]any)["usher"].(map[string]any)["asset"].(map[string]any)["kept"].(map[string]any)
			}
		}, "nodes")
		return own
	}
	looks := func(doc map[string]any) map[string]any {
		u := doc["scenes"].([]any)[0].(map[string]any)["extras"].(map[string]any)["usher"].(map[string]any)
		return u["asset"].(map[string]any)["kept"].(map[string]any)
	}
	animation := func(doc map[string]any, i int) map[string]any { return doc["animations"].([]any)[i].(map[string]any) }
	for name, c := range map[string]struct {
		edit func(doc map[string]any)
		want string // names, materials of levels and hulls, and the animations that move level 2
		said []string
	}{
		"untouched":                {func(doc map[string]any) {}, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; sway 1", nil},
		"too few places":           {func(doc map[string]any) { kept(doc)["places"] = []any{0.0} }, "part(HpGun)", []string{"extras-edited", `nodes/5 bad-kept: what is kept of "part" and not shown cannot be read, and is left out: gltf: places: 1 for 5 nodes`}},
		"far places":               {func(doc map[string]any) { kept(doc)["places"] = []any{9.0, 9.0, 9.0, -1.0, -2.0} }, "part(HpGun part$wire part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; sway 1", []string{"extras-edited"}},
		"no numbers of meshes":     {func(doc map[string]any) { delete(kept(doc), "meshes") }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; sway 1", []string{"extras-edited"}},
		"no numbers of materials":  {func(doc map[string]any) { delete(kept(doc), "materials") }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; sway 1", []string{"extras-edited"}},
		"no numbers of animations": {func(doc map[string]any) { delete(kept(doc), "animations") }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; sway 1", []string{"extras-edited"}},
		"looks without numbers": {func(doc map[string]any) { delete(looks(doc), "materials") }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; sway 1", []string{"extras-edited",
			"scenes bad-kept: the materials of what is not shown cannot be read, and are left out: gltf: materials: 0 numbers for 1 materials", `part bad-kept: what is kept of it and not shown wears the material "far", which stood in the scene's extras and is gone`}},
		"animations turned":        {func(doc map[string]any) { list := doc["animations"].([]any); list[0], list[1] = list[1], list[0] }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; sway 0", nil},
		"an animation in capitals": {func(doc map[string]any) { animation(doc, 1)["name"] = "SWAY" }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull; SWAY 1", nil},
		"an animation renamed":     {func(doc map[string]any) { animation(doc, 1)["name"], animation(doc, 0)["name"] = "go", "come" }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull", []string{"sway animation-hidden: the animation is not in the scene any more under its name, and what is not shown moves in it no more"}},
		"all animations gone":      {func(doc map[string]any) { delete(doc, "animations") }, "part(part$wire HpGun part$hull part_mount)[part$lod1 part$lod2]; hull far hull hull", nil},
	} {
		s := tower()
		s.Animations[0].Name, s.Animations[1].Name = "other", "sway"
		var d schema.Diagnostics
		back, err := Decode(edited(t, encode(t, s, nil), c.edit), nil, &d)
		if err != nil {
			t.Fatal(err)
		}
		part := back.Roots[len(back.Roots)-1]
		got := names([]*asset.Node{part})
		if len(part.LODs) == 2 {
			got += ";"
			for _, n := range slices.Concat(part.LODs, part.Children) {
				if n.Mesh != nil && n.Mesh.Primitives[0].Material != nil {
					got += " " + n.Mesh.Primitives[0].Material.Name
				}
			}
			for i, a := range back.Animations {
				for _, x := range a.Channels {
					if x.Node == part.LODs[1] {
						got += fmt.Sprintf("; %s %d", a.Name, i)
					}
				}
			}
		}
		list := saidBy(&d)
		for i, x := range list {
			if strings.Contains(x, " extras-edited: ") {
				list[i] = "extras-edited"
			}
		}
		if got != c.want || !slices.Equal(slices.Compact(list), c.said) {
			t.Errorf("%s: %s, want %s; said %q", name, got, c.want, list)
		}
	}
}

// TestNodesOf: how deep nodes may be, as children or as levels, and that each stands once, for any of them to be hidden.
func TestNodesOf(t *testing.T) {
	most := schema.DefaultLimits.Depth
	chain := func(n int, levels bool) *asset.Scene {
		top := asset.NewNode("top")
		for at := top; n > 0; n-- {
			next := asset.NewNode("n")
			if levels {
				at.LODs = []*asset.Node{next}
			} else {
				at.Children = []*asset.Node{next}
			}
			at = next
		}
		return &asset.Scene{Roots: []*asset.Node{top}}
	}
	twice := chain(1, false)
	twice.Detached = twice.Roots[0].Children
	for name, c := range map[string]struct {
		s     *asset.Scene
		nodes int
		sane  bool
	}{
		"none": {&asset.Scene{}, 0, true}, "deep": {chain(most, false), most + 1, true}, "too deep": {chain(most+1, false), most + 1, false}, "levels": {chain(most, true), most + 1, true}, "too many levels": {chain(most+1, true), most + 1, false},
		"nil": {&asset.Scene{Roots: []*asset.Node{nil, asset.NewNode("a")}}, 1, false}, "twice": {twice, 2, false}, "beside": {&asset.Scene{Detached: []*asset.Node{asset.NewNode("a")}}, 1, true},
	} {
		if nodes, sane := nodesOf(c.s); len(nodes) != c.nodes || sane != c.sane {
			t.Errorf("%s: %d nodes, sane %t", name, len(nodes), sane)
		}
	}
}

// TestHiddenBelowLevels: what belongs to a level that is shown is hidden as what belongs to its part is.
func TestHiddenBelowLevels(t *testing.T) {
	for show, want := range map[Show]string{ShowLevels: "part part$lod1 part$lod2", ShowLevels | ShowHulls: "part part$hull part$lod1 part$lod1$hull part$lod2", 0: "part"} {
		s := tower()
		part := s.Roots[len(s.Roots)-1]
		hull := asset.NewNode("part$lod1$hull")
		p := quad()
		p.Material = s.Materials[0]
		hull.Kind, hull.Mesh = asset.Hull, mesh(hull.Name, p)
		s.Meshes, part.LODs[0].Children = append(s.Meshes, hull.Mesh), []*asset.Node{hull}
		var b bytes.Buffer
		if err := Encode(&b, s, Options{Show: &show}); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, b.Bytes()); got != want {
			t.Errorf("%v shows %s, want %s", show, got, want)
		}
		if got, want := names(decode(t, b.Bytes()).Roots), names(s.Roots); got != want {
			t.Errorf("%v: %s comes back, want %s", show, got, want)
		}
	}
}

// TestHiddenUnlisted: a hull whose mesh or material is in no list is an error, as that of a part is.
func TestHiddenUnlisted(t *testing.T) {
	unlisted := quad()
	unlisted.Material = asset.NewMaterial("unlisted")
	for want, change := range map[string]func(s *asset.Scene, hull *asset.Node){
		"":                                      func(*asset.Scene, *asset.Node) {},
		`mesh: "other" is not in the scene's`:   func(_ *asset.Scene, hull *asset.Node) { hull.Mesh = mesh("other", quad()) },
		`mesh: "nothing" is not in the scene's`: func(_ *asset.Scene, hull *asset.Node) { hull.Mesh = mesh("nothing", nil) },
		`material: "unlisted" is not in the scen`: func(_ *asset.Scene, hull *asset.Node) { hull.Mesh.Primitives = append(hull.Mesh.Primitives, unlisted) },
	} {
		s := tower()
		change(s, s.Roots[len(s.Roots)-1].Children[2])
		if err := Encode(new(bytes.Buffer), s, Options{}); (err == nil) != (want == "") || err != nil && (schema.Class(err) != schema.ErrRange || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
