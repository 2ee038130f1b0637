package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

var update = flag.Bool("update", false, "write the files of testdata anew")

// TestTestdata makes the files of testdata/freelancer: what lies there is what is made.
func TestTestdata(t *testing.T) {
	crate := ship()
	hull := crate.Roots[0]
	crate.Roots, crate.Animations, hull.Children = []*asset.Node{hull}, nil, hull.Children[1:]
	model := func(name string, s *asset.Scene) []byte {
		env := &format.Env{Name: name, Options: format.Options{Effort: media.Best}}
		return lowerIn(t, byName(t, strings.TrimPrefix(filepath.Ext(name), ".")), s, env)
	}
	for name, b := range map[string][]byte{
		"ship.cmp":    model("ship.cmp", ship()),
		"crate.3db":   model("crate.3db", crate),
		"parts.vms":   model("parts.vms", ship()),
		"figure.dfm":  lowerIn(t, byName(t, "dfm"), arm(), &format.Env{Name: "figure.dfm", Options: format.Options{Effort: media.Best, Animation: "*"}}),
		"walk.anm":    encodings(t),
		"voice.utf":   voiceBank(t),
		"mp3.utf":     mp3Line(t),
		"tiles.txm":   tiles(t),
		"escape.utf":  escaping(t),
		"gunship.sur": hullFile(t),
		"older.sur":   olderHulls(t),
		"heron.ini":   compiled(t),
		"tails.ini":   tails(t),
		"shared.cmp":  sharedMesh(t, nil),
		"crane.cmp":   crane(t),
		"hull.mat":    libraryOf(t, ship()),
		"fire.ale":    effects(t),
	} {
		path := corpus.Testdata(t, "freelancer", name)
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		corpus.SameBytes(t, name, b, corpus.Bytes(t, path))
	}
}

// hullFile has hulls of parts and of a hardpoint, and flat ones.
func hullFile(t *testing.T) []byte {
	s := gunship()
	_, n := where(s)
	flat := hullNode("wing.1$hull", [3]float32{0, 0, 2}, [3]float32{1, 0, 3})
	flat.Mesh.Primitives[0].Indices = flat.Mesh.Primitives[0].Indices[12:18]
	n["wing"].Children = append(n["wing"].Children, flat)
	listMeshes(s)
	return lower(t, byName(t, "sur"), "gunship.sur", s, nil)
}

// olderHulls is of the layout without a version: a part with a surface, and one with hulls that have their own points.
func olderHulls(t *testing.T) []byte {
	s, err := read.Sur(hullFile(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	old := &freelancer.OldSur{Min: s.Parts[0].Min, Max: s.Parts[0].Max}
	for i, name := range [...]string{"Root", "turret"} {
		x := s.Parts[i].Surface
		for k := range x.Hulls {
			if x.Hulls[k].Kind == freelancer.TerminalHull {
				x.Hulls[k].ID = freelancer.Hash(i + 1)
			}
		}
		for k := range x.Points {
			x.Points[k].ID = freelancer.Hash(i + 1)
		}
		p := freelancer.OldSurPart{Name: name, Surfaces: []*freelancer.Surface{x}}
		if i > 0 {
			p = freelancer.OldSurPart{Name: name, Ledges: []freelancer.SurLedge{{Hull: x.Hulls[0], Points: x.Points}}}
		}
		old.Parts = append(old.Parts, p)
	}
	b, err := write.Sur(&freelancer.Sur{Old: old})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// libraryOf has the materials and textures of a scene.
func libraryOf(t *testing.T, s *asset.Scene) []byte {
	env := &format.Env{Name: "hull.cmp", Options: format.Options{Effort: media.Best}}
	model, err := read.UTF(lowerIn(t, byName(t, "cmp"), s, env), nil)
	if err != nil {
		t.Fatal(err)
	}
	tree := freelancer.NewTree()
	tree.Root.Add(model.Root.Child(freelancer.MaterialLibrary))
	tree.Root.Add(model.Root.Child(freelancer.TextureLibrary))
	return treeBytes(t, tree)
}

// effects has an effect of two nodes, and a property of every kind.
func effects(t *testing.T) []byte {
	one, half := int32(1), float32(0.5)
	curve := freelancer.CurveAnimation{Easing: 1, Curves: []freelancer.Curve{{Wrap: 0x11, Keys: [][4]float32{{0, 1, 2, 3}, {1, 4, 5, 6}}}}}
	b, err := write.ALE(&freelancer.ALE{
		Tree: freelancer.NewTree(),
		Effects: &freelancer.EffectLibrary{Version: 1.1, Effects: []freelancer.Effect{{
			Name: freelancer.ALEString{Value: "fire"}, Bounds: &[4]float32{1, 2, 3, 4}, Instances: []freelancer.EffectInstance{{Flags: 1, Parent: freelancer.NoParent, ID: 1}, {Node: freelancer.CreateID("spark"), Parent: 1, ID: 2}}, Pairs: []freelancer.EffectPair{{Source: 1, Target: 2}},
		}}},
		Nodes: &freelancer.NodeLibrary{Version: 1.1, Nodes: []freelancer.EffectNode{{
			Type: freelancer.ALEString{Value: "FxNode"}, Properties: []freelancer.EffectProperty{
				{Name: "Node_Name", Type: freelancer.EffectText, Text: &freelancer.ALEString{Value: "spark"}},
				{Name: "BasicApp_FlipTexU", Type: freelancer.EffectBool, Bool: true},
				{Hash: 1, Type: freelancer.EffectInt, Int: &one},
				{Hash: 2, Type: freelancer.EffectFloat, Float: &half},
				{Hash: 3, Type: freelancer.EffectBlend, Blend: &[2]uint32{5, 2}},
				{Hash: 5, Type: freelancer.EffectTransform, Transform: &freelancer.NodeTransform{Flags: 0x80050304, Curves: []freelancer.CurveAnimation{curve, {}, {}, {}, {}, {}, {}, {}, {}}}},
				{Hash: 6, Type: freelancer.EffectFloatAnim, Floats: &freelancer.FloatAnimation{Lists: []freelancer.FloatKeys{{Keys: [][2]float32{{0, 1}, {1, 3}}}}}},
				{Hash: 8, Type: freelancer.EffectColorAnim, Colors: &freelancer.ColorAnimation{Lists: []freelancer.ColorKeys{{Keys: [][4]float32{{0, 1, 0.5, 0.25}}}}}},
				{Hash: 9, Type: freelancer.EffectCurveAnim, Curves: &curve},
			},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func treeBytes(t *testing.T, tree *freelancer.Tree) []byte {
	t.Helper()
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// voiceBank holds two lines of tones.
func voiceBank(t *testing.T) []byte {
	tree := freelancer.NewTree()
	for i, name := range [...]string{"rmb_yes", "rmb_no"} {
		s := &asset.Sound{Rate: 11025, Channels: 1, Bits: 16}
		for k := range 400 {
			s.PCM = binary.LittleEndian.AppendUint16(s.PCM, uint16(int16(8000*math.Sin(float64(k)*float64(i+1)/20))))
		}
		var b bytes.Buffer
		if err := wav.Encode(&b, s); err != nil {
			t.Fatal(err)
		}
		write.VoiceLine(tree.Root, freelancer.CreateID(name), b.Bytes())
	}
	return treeBytes(t, tree)
}

// mp3Line is a voice bank with a line as the game has them.
func mp3Line(t *testing.T) []byte {
	stream := corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3"))
	le := binary.LittleEndian
	format := []byte{0x55, 0, 1, 0}
	format = le.AppendUint32(le.AppendUint32(format, 11025), 2000)
	format = append(format, 1, 0, 0, 0, 12, 0, 1, 0, 2, 0, 0, 0, 0x68, 0, 1, 0, 0x71, 5)
	tree := freelancer.NewTree()
	b, err := write.Wave(&freelancer.Wave{Chunks: []freelancer.WaveChunk{{ID: "fmt ", Data: format}, {ID: "fact", Data: le.AppendUint32(nil, 11025)}, {ID: "data", Data: stream}}})
	if err != nil {
		t.Fatal(err)
	}
	write.VoiceLine(tree.Root, freelancer.CreateID("li01"), b)
	return treeBytes(t, tree)
}

// tga returns a Targa of 24 bits, the lowest row first.
func tga(size int, color func(x, y int) [3]byte) []byte {
	b := []byte{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(size), byte(size >> 8), byte(size), byte(size >> 8), 24, 0}
	for y := size - 1; y >= 0; y-- {
		for x := range size {
			c := color(x, y)
			b = append(b, c[2], c[1], c[0])
		}
	}
	return b
}

// tiles holds two textures of three levels each.
func tiles(t *testing.T) []byte {
	tree := freelancer.NewTree()
	library := tree.Root.Dir("Texture library")
	for i, name := range [...]string{"red.tga", "green.tga"} {
		dir := library.Dir(name)
		for level, leaf := range [...]string{"MIP0", "MIP1", "MIP2"} {
			dir.Set(leaf, tga(8>>level, func(x, y int) (c [3]byte) {
				c[i], c[2] = 200, byte(255*y>>(3-level))
				return c
			}))
		}
	}
	return treeBytes(t, tree)
}

// escaping has names that would lead out of a folder.
func escaping(t *testing.T) []byte {
	tree := freelancer.NewTree()
	for _, name := range [...]string{`..\..\up`, `../up`, `C:\x`, `..`, `.`, `CON`, `/root`, `a:b`} {
		tree.Root.Add(freelancer.NewLeaf(name, []byte(name)))
	}
	dir := freelancer.NewDir("..")
	dir.Add(freelancer.NewLeaf("out", []byte("out")))
	tree.Root.Add(freelancer.NewDir("folder", dir))
	return treeBytes(t, tree)
}
