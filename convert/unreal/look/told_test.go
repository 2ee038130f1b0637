package look

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// shape returns a node that shows a triangle with sets of texture coordinates and a material.
func shape(name string, m *asset.Material, sets ...[][2]float32) *asset.Node {
	n := asset.NewNode(name)
	n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{}, {1}, {0, 1}}, TexCoords: sets, Material: m}}}
	return n
}

// TestAudit: what a scene has and the engine has not is told, and nothing else is.
func TestAudit(t *testing.T) {
	mapped, unmapped := [][2]float32{{0, 0}, {1, 0}, {0, 1}}, [][2]float32{{}, {}, {}}
	dark, unlit, lit := asset.NewMaterial("dark"), asset.NewMaterial("unlit"), asset.NewMaterial("lit")
	unlit.Unlit, lit.OcclusionTexture = true, &asset.TextureRef{Texture: &asset.Texture{}}
	for name, c := range map[string]struct {
		node *asset.Node
		made bool // by usher
		sets int  // of texture coordinates that the target has
		told bool
	}{
		"one set":                                  {shape("a", dark, mapped), true, 2, false},
		"a second set without a light map":         {shape("a", dark, mapped, mapped), true, 2, true},
		"a second set without a material":          {shape("a", nil, mapped, mapped), true, 2, true},
		"a second set that says nothing":           {shape("a", dark, mapped, unmapped), true, 2, false},
		"a second set of a light map":              {shape("a", lit, mapped, mapped), true, 2, false},
		"a second set of what light does not meet": {shape("a", unlit, mapped, mapped), true, 2, false},
		"no set any more":                          {shape("a", dark), true, 2, true},
		"no set from elsewhere":                    {shape("a", dark), false, 2, false},
	} {
		s := &asset.Scene{Roots: []*asset.Node{c.node}, Meshes: []*asset.Mesh{c.node.Mesh}}
		if c.made {
			s.Native = &asset.Native{Format: Name}
		}
		d := new(schema.Diagnostics)
		TellUnmapped(s, d)
		tellUnlit(s, &scene.Capabilities{Target: "a level", TexCoords: c.sets}, d)
		if got := d.Has("texture-coordinates"); got != c.told {
			t.Errorf("%s: %v", name, d.All())
		}
	}
}

// TestTellParents: brushes stand side by side. Who stands below another one now is told of, and not who always did, or whom an
// editor copied.
func TestTellParents(t *testing.T) {
	below := func(parent, child *asset.Node) *asset.Scene {
		parent.Children = []*asset.Node{child}
		return &asset.Scene{Roots: []*asset.Node{parent}}
	}
	was := below(asset.NewNode("root"), shape("brush", nil))
	for name, c := range map[string]struct {
		now  *asset.Scene
		told bool
	}{
		"as it was":                     {below(asset.NewNode("root"), shape("brush", nil)), false},
		"below another brush":           {below(shape("other", nil), shape("brush", nil)), true},
		"a copy below another brush":    {below(shape("other", nil), shape("brush.001", nil)), true},
		"below a node without a shape":  {below(asset.NewNode("other"), shape("brush", nil)), false},
		"something below another brush": {below(shape("other", nil), asset.NewNode("brush")), false},
		"a new brush":                   {below(shape("other", nil), shape("new", nil)), false},
	} {
		d := new(schema.Diagnostics)
		TellParents(c.now, was, "level", d)
		if got := d.Has("parent"); got != c.told {
			t.Errorf("%s: %v", name, d.All())
		}
	}
}

// TestTellAnimations: animations that the result lacks, sequences that the scene lacks, and cubic keys.
func TestTellAnimations(t *testing.T) {
	n := asset.NewNode("bone")
	moving := func(name string, how asset.Interpolation, values ...float32) *asset.Animation {
		return &asset.Animation{Name: name, Channels: []*asset.Channel{{Node: n, Path: asset.Translation, Interpolation: how, Times: []float32{0, 1}, Values: values}}}
	}
	walk := moving("Walk", asset.LinearKeys, 0, 0, 0, 1, 0, 0)
	straight := moving("Walk", asset.CubicKeys, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0)
	bent := moving("Walk", asset.CubicKeys, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 9, 0, 1, 0, 0, 0, 0, 0)
	for name, c := range map[string]struct {
		now, is []*asset.Animation
		want    string
	}{
		"the same":             {[]*asset.Animation{walk}, []*asset.Animation{walk}, ""},
		"one more":             {[]*asset.Animation{walk, moving("Run", asset.LinearKeys, 0, 0, 0, 1, 0, 0)}, []*asset.Animation{walk}, "animation"},
		"one more, without":    {[]*asset.Animation{walk, {Name: "Run"}}, []*asset.Animation{walk}, ""},
		"one less":             {nil, []*asset.Animation{walk}, "animation-stays"},
		"as editors number it": {[]*asset.Animation{{Name: "Walk.001"}}, []*asset.Animation{walk}, ""},
		"cubic and straight":   {[]*asset.Animation{straight}, []*asset.Animation{walk}, ""},
		"cubic and bent":       {[]*asset.Animation{bent}, []*asset.Animation{walk}, "animation-cubic"},
	} {
		d := new(schema.Diagnostics)
		TellAnimations(&asset.Scene{Roots: []*asset.Node{n}, Animations: c.now}, &asset.Scene{Animations: c.is}, "mesh", d)
		if c.want == "" && len(d.All()) > 0 || c.want != "" && (len(d.All()) != 1 || !d.Has(c.want)) {
			t.Errorf("%s: %v, want %q", name, d.All(), c.want)
		}
	}
}

// TestAuditWhole: what was kept and is gone is told where the size of the root says that usher made the scene; values of materials
// that do not fit are refused; and second sets of texture coordinates are of interest to levels alone.
func TestAuditWhole(t *testing.T) {
	mapped := [][2]float32{{0, 0}, {1, 0}, {0, 1}}
	root := func(x, y, z float32) func(*asset.Scene) {
		return func(s *asset.Scene) { s.Roots[0].Transform.Scale = [3]float32{x, y, z} }
	}
	const metre = 1 / float32(space.UnitsPerMetre)
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene)
		sets int
		told []string
		fits bool
	}{
		{"as it was", root(metre, metre, metre), 1, nil, true},
		{"without what was kept", func(s *asset.Scene) { root(metre, metre, metre)(s); s.Native = nil }, 1, []string{restore.NoExtras}, true},
		{"without what was kept, rounded", func(s *asset.Scene) { root(metre, metre*1.00001, metre*0.99999)(s); s.Native = nil }, 1, []string{restore.NoExtras}, true},
		{"of another size", func(s *asset.Scene) { root(1, 1, 1)(s); s.Native = nil }, 1, nil, true},
		{"of two sizes", func(s *asset.Scene) { root(metre, 1, metre)(s); s.Native = nil }, 1, nil, true},
		{"of three sizes", func(s *asset.Scene) { root(1, metre, metre)(s); s.Native = nil }, 1, nil, true},
		{"of two other sizes", func(s *asset.Scene) { root(metre, metre, 1)(s); s.Native = nil }, 1, nil, true},
		{"of a node that has kept its own", func(s *asset.Scene) {
			root(metre, metre, metre)(s)
			s.Native, s.Roots[0].Native = nil, &asset.Native{Format: Name}
		}, 1, nil, true},
		{"a second set of a mesh", func(s *asset.Scene) { second(s, mapped) }, 1, []string{"texture-coordinates"}, true},
		{"a second set in a level", func(s *asset.Scene) { second(s, mapped) }, 2, []string{"texture-coordinates"}, true},
		{"flags that do not fit", func(s *asset.Scene) {
			s.Materials[0].Native = &asset.Native{Format: Name, Values: map[string]any{"polyFlags": "all"}}
		}, 1, nil, false},
		{"flags of another material that do not fit", func(s *asset.Scene) {
			s.Materials[0].Native = &asset.Native{Format: Name, Values: map[string]any{"polyFlags": 8.0}}
			s.Materials = append(s.Materials, &asset.Material{Native: &asset.Native{Format: Name, Values: map[string]any{"polyFlags": -1.0}}})
		}, 1, nil, false},
	} {
		m := asset.NewMaterial("wall")
		n := shape("a", m, mapped)
		s := &asset.Scene{Roots: []*asset.Node{n}, Meshes: []*asset.Mesh{n.Mesh}, Materials: []*asset.Material{m}, Native: &asset.Native{Format: Name}}
		c.edit(s)
		env := &format.Env{Diagnostics: new(schema.Diagnostics)}
		err := Audit(s, &scene.Capabilities{Target: "a mesh", TexCoords: c.sets, Looks: Looks}, env)
		var told []string
		for _, d := range env.Diagnostics.All() {
			told = append(told, d.Code)
		}
		if !slices.Equal(told, c.told) || (err == nil) != c.fits {
			t.Errorf("%s: %v, %v", c.name, env.Diagnostics.All(), err)
		}
	}
}

// second gives a shape a second set of texture coordinates.
func second(s *asset.Scene, set [][2]float32) {
	p := s.Roots[0].Mesh.Primitives[0]
	p.TexCoords = append(p.TexCoords, set)
}

// TestAdoptMaterials: a material that has lost what was kept takes that of the stored one of its name, of several the one that
// looks like it, and the first of those.
func TestAdoptMaterials(t *testing.T) {
	named := func(name string, number float64, edit func(m *asset.Material)) *asset.Material {
		m := asset.NewMaterial(name)
		if number != 0 {
			m.Native = &asset.Native{Format: Name, Values: map[string]any{"polyFlags": number}}
		}
		if edit != nil {
			edit(m)
		}
		return m
	}
	two, unlit, clear := func(m *asset.Material) { m.DoubleSided = true }, func(m *asset.Material) { m.Unlit = true }, func(m *asset.Material) { m.Alpha = asset.Blend }
	stored := &asset.Scene{Materials: []*asset.Material{named("door", 9, nil), named("wall", 1, two), named("wall", 2, nil), named("wall", 3, unlit), named("wall", 4, clear), named("wall", 5, nil)}}
	for _, c := range []struct {
		name string
		m    *asset.Material
		want float64 // 0 for none
		bare bool
	}{
		{"that has kept its own", named("wall", 7, nil), 7, false},
		{"that looks like none", named("wall", 0, func(m *asset.Material) { two(m); unlit(m) }), 1, true},
		{"plain", named("wall", 0, nil), 2, true},
		{"of two sides", named("wall", 0, two), 1, true},
		{"unlit", named("wall", 0, unlit), 3, true},
		{"see-through", named("wall", 0, clear), 4, true},
		{"with a number of an editor", named("wall.002", 0, clear), 4, true},
		{"of another name", named("roof", 0, nil), 0, true},
	} {
		bare := AdoptMaterials(&asset.Scene{Materials: []*asset.Material{c.m}}, stored)
		got := 0.0
		if c.m.Native != nil {
			got, _ = scene.Number(c.m.Native.Values["polyFlags"])
		}
		if got != c.want || bare != c.bare {
			t.Errorf("%s: that of %v, bare %v", c.name, got, bare)
		}
	}
}

// TestTellParts: names of shapes that the one mesh does not bear are told of, but not what an editor makes of the old ones.
func TestTellParts(t *testing.T) {
	was := &asset.Scene{Roots: []*asset.Node{shape("body", nil), shape("body", nil), asset.NewNode("root [1]")}}
	for name, want := range map[string]bool{"body": false, "body.001": false, "root [1]": false, "root_1": false, "head": true, "head.001": true, "bodyguard": true} {
		d := new(schema.Diagnostics)
		tellParts(&asset.Scene{Roots: []*asset.Node{shape(name, nil), asset.NewNode("elsewhere")}}, was, "mesh", d)
		if d.Has("node-name") != want {
			t.Errorf("%s: %v", name, d.All())
		}
	}
}

// TestSameFrames: a sequence shows what an animation does where each shape that has frames shows them; what an animation says of the
// frames of a shape without any, nobody sees.
func TestSameFrames(t *testing.T) {
	framed := func(count int) *asset.Node {
		n := shape("a", nil)
		n.Mesh.Primitives[0].Targets = make([]asset.Target, count)
		n.Mesh.Weights = make([]float32, count)
		return n
	}
	blends := func(n *asset.Node, values ...float32) *asset.Channel {
		return &asset.Channel{Node: n, Path: asset.MorphWeights, Times: []float32{0, 1}, Values: values}
	}
	whole, twin, few, none := framed(2), framed(2), framed(1), framed(0)
	stored := &asset.Animation{Channels: []*asset.Channel{blends(framed(2), 0, 0, 1, 0)}}
	for _, c := range []struct {
		name     string
		other    *asset.Node
		channels []*asset.Channel
		want     bool
	}{
		{"alone", none, []*asset.Channel{blends(whole, 0, 0, 1, 0)}, true},
		{"at rest", none, nil, false},
		{"beside one that does the same", twin, []*asset.Channel{blends(whole, 0, 0, 1, 0), blends(twin, 0, 0, 1, 0)}, true},
		{"beside one that does something else", twin, []*asset.Channel{blends(whole, 0, 0, 1, 0), blends(twin, 0, 0, 0, 1)}, false},
		{"beside one that is at rest", twin, []*asset.Channel{blends(whole, 0, 0, 1, 0)}, false},
		{"beside one of the first frame alone", few, []*asset.Channel{blends(whole, 0, 0, 1, 0), blends(few, 0, 1)}, true},
		{"beside one without frames that is to blend some", none, []*asset.Channel{blends(whole, 0, 0, 1, 0), blends(none, 0, 0, 0, 1)}, true},
	} {
		shapes := space.Shown(&asset.Scene{Roots: []*asset.Node{whole, c.other}})
		if got := sameFrames(&asset.Animation{Channels: c.channels}, stored, shapes, 3); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestMorphChannel: frames are blended by as many weights as there are frames behind the first; nothing else of that many numbers is
// a channel of weights.
func TestMorphChannel(t *testing.T) {
	channel := func(path asset.Path, keys, width int) *asset.Channel {
		return &asset.Channel{Path: path, Times: make([]float32, keys), Values: make([]float32, keys*width)}
	}
	moves, blends, none := channel(asset.Translation, 2, 3), channel(asset.MorphWeights, 2, 3), channel(asset.MorphWeights, 0, 0)
	for _, c := range []struct {
		channels []*asset.Channel
		frames   int
		want     *asset.Channel
	}{
		{[]*asset.Channel{moves, blends}, 4, blends}, {[]*asset.Channel{blends}, 3, nil}, {[]*asset.Channel{blends}, 5, nil}, {[]*asset.Channel{moves}, 4, nil}, {[]*asset.Channel{none}, 1, nil}, {nil, 1, nil},
	} {
		if got := MorphChannel(&asset.Animation{Channels: c.channels}, c.frames); got != c.want {
			t.Errorf("of %d channels and %d frames: %v", len(c.channels), c.frames, got)
		}
	}
}

// TestPictured: a material whose picture is not at hand looks as it would with the one that the scene shows, so that this alone is no
// edit.
func TestPictured(t *testing.T) {
	shown := func(alpha asset.AlphaMode) *asset.Material {
		m := asset.NewMaterial("wall")
		m.BaseColorTexture = &asset.TextureRef{Texture: &asset.Texture{Alpha: alpha}}
		return m
	}
	stored := func(flags uint32) *asset.Material {
		m := asset.NewMaterial("wall")
		m.Native = &asset.Native{Format: Name, Values: map[string]any{"polyFlags": float64(flags)}}
		applyFlags(m, flags)
		return m
	}
	own, empty, bare := shown(asset.Opaque), asset.NewMaterial("wall"), asset.NewMaterial("wall")
	empty.BaseColorTexture = new(asset.TextureRef)
	for _, c := range []struct {
		name        string
		stored, now *asset.Material
		same        bool // it is the stored one
		alpha       asset.AlphaMode
		filter      asset.Filter
	}{
		{"its own picture", own, shown(asset.Mask), true, asset.Opaque, asset.Unset},
		{"no picture", bare, asset.NewMaterial("wall"), true, asset.Opaque, asset.Unset},
		{"an empty one", bare, empty, true, asset.Opaque, asset.Unset},
		{"a picture", stored(0), shown(asset.Opaque), false, asset.Opaque, asset.Unset},
		{"a rough one", stored(unreal.PolyNoSmooth), shown(asset.Opaque), false, asset.Opaque, asset.Nearest},
		{"one with holes", stored(0), shown(asset.Mask), false, asset.Mask, asset.Unset},
		{"one with holes, see-through", stored(unreal.PolyTranslucent), shown(asset.Mask), false, asset.Blend, asset.Unset},
	} {
		was := c.stored.Alpha
		got := pictured(c.stored, c.now)
		if (got == c.stored) != c.same || got.Alpha != c.alpha || c.stored.Alpha != was || !c.same && (got.BaseColorTexture == nil || got.BaseColorTexture.Texture != c.now.BaseColorTexture.Texture || got.BaseColorTexture.Filter != c.filter) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
