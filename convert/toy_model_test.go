package convert_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/write"
)

// The toy model of CONTRIBUTING.md, in one file. What stands there is the same text; a test holds that.

// ToyKite is a model: "KITE", a flag that nobody knows, and sails.
type ToyKite struct {
	Unknown4 uint16 // at 0x4; kept
	Sails    []ToySail
}

// ToySail is a part of a kite. Its points are in metres, in its own space; its faces wind anticlockwise.
type ToySail struct {
	Name   string
	Wind   uint8 // what it bears
	Place  [3]float32
	Turn   [4]float32 // unit quaternion x, y, z, w
	Points [][3]float32
	Faces  [][3]uint16
	Keys   []ToyKey // where it is, in place of Place
}

// ToyKey is a place at a time, in seconds.
type ToyKey struct {
	Time  float32
	Place [3]float32
}

// ReadToyKite decodes a kite.
func ReadToyKite(b []byte, d *schema.Diagnostics) (*ToyKite, error) {
	c := read.NewCursor("kite", b, d)
	c.Magic("KITE", "magic")
	k := &ToyKite{Unknown4: c.U16("unknown")}
	for i := range c.Count(uint64(c.U16("sail count")), 36, "sail count") {
		c.Enter("sail", i)
		s := ToySail{Name: string(c.Bytes(int(c.U8("length")), "name")), Wind: c.U8("wind"), Place: c.Vec3("place")}
		copy(s.Turn[:], c.F32s(4, "turn"))
		for range c.Count(uint64(c.U16("point count")), 12, "point count") {
			s.Points = append(s.Points, c.Vec3("point"))
		}
		for range c.Count(uint64(c.U16("face count")), 6, "face count") {
			s.Faces = append(s.Faces, [3]uint16{c.U16("corner"), c.U16("corner"), c.U16("corner")})
			if f := s.Faces[len(s.Faces)-1]; int(max(f[0], f[1], f[2])) >= len(s.Points) {
				c.Failf(schema.ErrRange, "corner", "%d, there are %d points", max(f[0], f[1], f[2]), len(s.Points))
			}
		}
		for range c.Count(uint64(c.U16("key count")), 16, "key count") {
			s.Keys = append(s.Keys, ToyKey{c.F32("time"), c.Vec3("place")})
		}
		k.Sails = append(k.Sails, s)
		c.Leave()
	}
	if c.Left() > 0 {
		c.Failf(schema.ErrMismatch, "end", "%d bytes more than its sails have", c.Left())
	}
	return k, c.Err()
}

// WriteToyKite encodes a kite. For what ReadToyKite returned it returns the same bytes.
func WriteToyKite(k *ToyKite) ([]byte, error) {
	w := write.NewBuffer("kite", 256)
	w.Raw("KITE")
	w.U16(k.Unknown4)
	w.Count16(len(k.Sails), "sail count")
	for _, s := range k.Sails {
		w.Count8(len(s.Name), "length")
		w.Raw(s.Name)
		w.U8(s.Wind)
		w.Floats(s.Place[:]...)
		w.Floats(s.Turn[:]...)
		w.Count16(len(s.Points), "point count")
		w.Vec3s(s.Points)
		w.Count16(len(s.Faces), "face count")
		for _, f := range s.Faces {
			w.U16s(f[:])
		}
		w.Count16(len(s.Keys), "key count")
		for _, key := range s.Keys {
			w.Floats(key.Time, key.Place[0], key.Place[1], key.Place[2])
		}
	}
	return w.Finish()
}

// ToyKites has the functions of the format, typed.
var ToyKites = format.Functions[ToyKite, *asset.Scene]{Read: ReadToyKite, Write: WriteToyKite, Lift: liftKite, Lower: lowerKite}

// kiteHolds is what a kite can hold of a scene. What is not in it is told when a scene has it.
var kiteHolds = scene.Capabilities{Target: "a .kite file", Format: "kite", Animations: true, Paths: [4]bool{asset.Translation: true}}

// fields are the values that a GLB shows of a sail. What stands below ReadOnly leads back to it.
func (s *ToySail) fields(number int) scene.Fields {
	return scene.Fields{"wind": &s.Wind, scene.ReadOnly: map[string]any{"sail": number}}
}

func liftKite(k *ToyKite, env *format.Env) (*asset.Scene, error) {
	stored, err := WriteToyKite(k)
	if err != nil {
		return nil, err
	}
	s := &asset.Scene{Native: &asset.Native{Format: "kite", Payload: stored}}
	flight := &asset.Animation{Name: "flight"}
	for i := range k.Sails {
		n, keys := liftSail(&k.Sails[i], i)
		s.Roots, s.Meshes = append(s.Roots, n), append(s.Meshes, n.Mesh)
		if keys != nil {
			flight.Channels = append(flight.Channels, keys)
		}
	}
	if len(flight.Channels) > 0 {
		s.Animations = []*asset.Animation{flight}
	}
	return s, nil
}

// liftSail returns the node of a sail, and what moves it, if anything does.
func liftSail(s *ToySail, number int) (*asset.Node, *asset.Channel) {
	n := asset.NewNode(s.Name)
	n.Transform.Translation, n.Transform.Rotation = s.Place, s.Turn
	n.Native = &asset.Native{Format: "kite", Values: s.fields(number).Values()}
	p := &asset.Primitive{Mode: asset.Triangles, Positions: s.Points}
	for _, f := range s.Faces {
		p.Indices = append(p.Indices, uint32(f[0]), uint32(f[1]), uint32(f[2]))
	}
	n.Mesh = &asset.Mesh{Name: s.Name, Primitives: []*asset.Primitive{p}}
	if len(s.Keys) == 0 {
		return n, nil
	}
	c := &asset.Channel{Node: n, Path: asset.Translation}
	for _, key := range s.Keys {
		c.Times, c.Values = append(c.Times, key.Time), append(c.Values, key.Place[:]...)
	}
	return n, c
}

func lowerKite(s *asset.Scene, env *format.Env) (*ToyKite, error) {
	d := env.Given().Diagnostics
	restore.Unwrap(s)                                                        // what editors put above a scene
	restore.JoinCopies(s, nil)                                               // what they make two of
	scene.Settle(s, func(*asset.Node) scene.Room { return scene.RigidRoom }) // what has no field goes into the points
	if err := scene.Lost(s, &kiteHolds, d); err != nil {                     // what has no place at all is told
		return nil, err
	}
	was := new(ToyKite)
	if s.Native != nil && s.Native.Format == "kite" { // it was one: what nobody edited is as it was
		var err error
		if was, err = ReadToyKite(s.Native.Payload, nil); err != nil {
			return nil, err
		}
	}
	k, size := &ToyKite{Unknown4: was.Unknown4}, scene.Size(s)
	var err error
	s.Walk(func(n, parent *asset.Node) {
		switch {
		case n.Mesh == nil || err != nil:
		case parent != nil:
			err = schema.Errorf("kite", schema.ErrUnsupported, "nodes", "%q stands below %q, and sails stand below nothing", n.Name, parent.Name)
		default:
			var sail ToySail
			sail, err = lowerSail(n, channelOf(s, n), was, size)
			k.Sails = append(k.Sails, sail)
		}
	})
	return k, err
}

// lowerSail returns the sail that a node shows: the one that it was made from, and what somebody edited of it.
func lowerSail(n *asset.Node, c *asset.Channel, was *ToyKite, size float64) (ToySail, error) {
	number := scene.ShownWhole(n.Native, "sail", -1)
	if number < 0 || number >= len(was.Sails) {
		return newSail(n, c), nil
	}
	s := was.Sails[number]
	stored, keys := liftSail(&s, number)
	now := newSail(n, c)
	s.Name = n.Name
	if err := s.fields(number).Take("kite", "sails/"+n.Name, n.Native); err != nil {
		return s, err
	}
	if !scene.SameTransform(&stored.Transform, &n.Transform, size) {
		s.Place, s.Turn = now.Place, now.Turn
	}
	move := scene.Compare(asset.Translation, scene.CurveOf(stored, asset.Translation, keys), scene.CurveOf(n, asset.Translation, c), size)
	if !move.Unedited() {
		s.Keys = now.Keys
	}
	surface := &asset.Primitive{Positions: now.Points, Indices: corners(now.Faces)}
	switch m := scene.Match(stored.Mesh.Primitives[0], surface, scene.EditorTolerance); {
	case m.Same:
	case m.Complete: // joined as they were: points have moved
		s.Points = slices.Clone(s.Points)
		for i, from := range m.Sources {
			if from >= 0 {
				s.Points[i] = now.Points[from]
			}
		}
	default:
		s.Points, s.Faces = now.Points, now.Faces
	}
	return s, nil
}

// newSail returns a sail that has nothing but what a node shows.
func newSail(n *asset.Node, c *asset.Channel) ToySail {
	s := ToySail{Name: n.Name, Place: n.Transform.Translation, Turn: n.Transform.Rotation}
	for _, p := range n.Mesh.Primitives {
		first, list := uint16(len(s.Points)), scene.Indices(p)
		s.Points = append(s.Points, p.Positions...)
		for i := 0; i+3 <= len(list); i += 3 {
			s.Faces = append(s.Faces, [3]uint16{first + uint16(list[i]), first + uint16(list[i+1]), first + uint16(list[i+2])})
		}
	}
	if c != nil {
		for _, t := range scene.FrameTimes(c) {
			at := scene.Narrow(scene.At(c, t, nil))
			s.Keys = append(s.Keys, ToyKey{float32(t), [3]float32(at)})
		}
	}
	return s
}

func corners(faces [][3]uint16) (list []uint32) {
	for _, f := range faces {
		list = append(list, uint32(f[0]), uint32(f[1]), uint32(f[2]))
	}
	return list
}

// channelOf returns what moves a node; nil for nothing.
func channelOf(s *asset.Scene, n *asset.Node) *asset.Channel {
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			if c.Node == n && c.Path == asset.Translation && scene.Valid(c) {
				return c
			}
		}
	}
	return nil
}

// TestToyModel holds that the toy model does what CONTRIBUTING.md promises of it: it comes back byte for byte through a GLB, an
// edit changes what it must and nothing else, and what cannot be held is refused or told.
func TestToyModel(t *testing.T) {
	triangle := [][3]float32{{0, 0, 0}, {1, 0, 0}, {0.1, 1, 0}, {1, 1, 0.3}}
	faces := [][3]uint16{{0, 1, 2}, {2, 1, 3}}
	level := [4]float32{0, 0, 0, 1}
	kite := func() *ToyKite {
		return &ToyKite{7, []ToySail{
			{"front", 3, [3]float32{0, 5, 0}, level, slices.Clone(triangle), slices.Clone(faces), nil},
			{"tail", 1, [3]float32{0, 4, -2}, level, slices.Clone(triangle), slices.Clone(faces), []ToyKey{{0, [3]float32{0, 4, -2}}, {0.7, [3]float32{0.5, 4, -2}}}},
		}}
	}
	stored, err := WriteToyKite(kite())
	if err != nil {
		t.Fatal(err)
	}
	for n := range stored {
		if _, err := ToyKites.Read(stored[:n], nil); schema.Class(err) == nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, c := range []struct {
		name string
		edit func(s *asset.Scene)
		want func(k *ToyKite)
		told string // in what is said or refused
	}{
		{"untouched", func(*asset.Scene) {}, func(*ToyKite) {}, ""},
		{"moved", func(s *asset.Scene) { s.Roots[0].Transform.Translation[1] = 6 }, func(k *ToyKite) { k.Sails[0].Place[1] = 6 }, ""},
		{"scaled", func(s *asset.Scene) { s.Roots[0].Transform.Scale = [3]float32{2, 2, 2} }, func(k *ToyKite) {
			for i := range k.Sails[0].Points {
				for axis := range 3 {
					k.Sails[0].Points[i][axis] *= 2
				}
			}
		}, ""},
		{"a point moved", func(s *asset.Scene) { s.Meshes[1].Primitives[0].Positions[3][2] = 0.5 }, func(k *ToyKite) { k.Sails[1].Points[3][2] = 0.5 }, ""},
		{"a face gone", func(s *asset.Scene) { s.Meshes[0].Primitives[0].Indices = []uint32{0, 1, 2} }, func(k *ToyKite) { k.Sails[0].Faces = faces[:1] }, ""},
		{"renamed", func(s *asset.Scene) { s.Roots[1].Name = "ribbon" }, func(k *ToyKite) { k.Sails[1].Name = "ribbon" }, ""},
		{"deleted", func(s *asset.Scene) { s.Roots = s.Roots[1:] }, func(k *ToyKite) { k.Sails = k.Sails[1:] }, ""},
		{"a key moved", func(s *asset.Scene) { s.Animations[0].Channels[0].Values[3] = 0.8 }, func(k *ToyKite) { k.Sails[1].Keys[1].Place[0] = 0.8 }, ""},
		{"a value", func(s *asset.Scene) { s.Roots[0].Native.Values["wind"] = 9 }, func(k *ToyKite) { k.Sails[0].Wind = 9 }, ""},
		{"a value out of range", func(s *asset.Scene) { s.Roots[0].Native.Values["wind"] = 300 }, nil, "wind"},
		{"below another", func(s *asset.Scene) { s.Roots, s.Roots[0].Children = s.Roots[:1], s.Roots[1:] }, nil, "below"},
		{"copied", func(s *asset.Scene) {
			n := *s.Roots[0]
			n.Name, n.Transform.Translation[0] = "front.001", 4
			s.Roots = append(s.Roots, &n)
		}, func(k *ToyKite) {
			k.Sails = append(k.Sails, k.Sails[0])
			k.Sails[2].Name, k.Sails[2].Place[0] = "front.001", 4
		}, ""},
		{"colours", func(s *asset.Scene) { s.Meshes[0].Primitives[0].Colors = make([][4]float32, 4) }, func(*ToyKite) {}, "vertex-colours"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, err := ToyKites.Read(stored, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, err := ToyKites.Lift(k, nil)
			if err != nil {
				t.Fatal(err)
			}
			c.edit(s)
			var glb bytes.Buffer
			if err := gltf.Encode(&glb, s, gltf.Options{}); err != nil {
				t.Fatal(err)
			}
			edited, err := gltf.Decode(glb.Bytes(), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			d := new(schema.Diagnostics)
			now, err := ToyKites.Lower(edited, &format.Env{Diagnostics: d})
			if c.want == nil {
				if err == nil || !strings.Contains(err.Error(), c.told) {
					t.Errorf("%v, a refusal with %q expected", err, c.told)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := kite()
			c.want(want)
			a, _ := WriteToyKite(now)
			b, _ := WriteToyKite(want)
			if !bytes.Equal(a, b) {
				t.Errorf("%+v, want %+v", now, want)
			}
			said := ""
			for _, x := range d.All() {
				said += x.Code + " "
			}
			if c.told == "" && said != "" || !strings.Contains(said, c.told) {
				t.Errorf("said: %q, want %q", said, c.told)
			}
		})
	}
}
