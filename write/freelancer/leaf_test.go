package freelancer_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/freelancer"
)

// eachLeaf calls f for every leaf of a tree with what it holds.
func eachLeaf(root *freelancer.Node, f func(path string, n *freelancer.Node, kind freelancer.LeafKind)) {
	var walk func(path string, n, parent *freelancer.Node)
	walk = func(path string, n, parent *freelancer.Node) {
		for _, c := range n.Children {
			if c.IsDir() {
				walk(path+"/"+c.Name, c, n)
				continue
			}
			f(path+"/"+c.Name, c, freelancer.KindOf(c, n, parent))
		}
	}
	walk("", root, nil)
}

func TestLeaves(t *testing.T) {
	count := map[freelancer.LeafKind]int{}
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		eachLeaf(mustRead(t, b).Root, func(path string, n *freelancer.Node, kind freelancer.LeafKind) {
			count[kind]++
			v, err := read.Leaf(kind, n, nil)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return
			}
			if v == nil || reflect.ValueOf(v).IsNil() {
				return
			}
			out, err := write.Leaf(v)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return
			}
			corpus.SameBytes(t, path, out, n.Data)

			if text, err := json.Marshal(v); err == nil { // a NaN among the values has no JSON
				back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
				if err := json.Unmarshal(text, back); err != nil {
					t.Errorf("%s: %v", path, err)
				} else if out, err = write.Leaf(back); err != nil {
					t.Errorf("%s: %v", path, err)
				} else {
					corpus.SameBytes(t, path+" by way of JSON", out, n.Data)
				}
			}
			for cut := 0; cut < len(n.Data); cut += 1 + len(n.Data)/40 {
				short := *n
				short.Data = n.Data[:cut:cut]
				if v, err := read.Leaf(kind, &short, nil); err == nil {
					out, err := write.Leaf(v)
					if err != nil {
						t.Errorf("%s cut to %d bytes: %v", path, cut, err)
					}
					corpus.SameBytes(t, path+" cut", out, short.Data)
				} else if schema.Class(err) == nil {
					t.Errorf("%s cut to %d bytes: error without a class: %v", path, cut, err)
				}
			}
		})
	})
	for kind := freelancer.OpaqueLeaf; kind <= freelancer.WaveLeaf; kind++ {
		if count[kind] == 0 {
			t.Errorf("no leaf of kind %d", kind)
		}
	}
	t.Log(count)
}

// TestViews reads everything that spans several leaves and writes it back: nothing may change.
func TestViews(t *testing.T) {
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		tree := mustRead(t, b)
		rewriteViews(t, tree.Root)
		corpus.SameBytes(t, e.File, mustWrite(t, tree), b)
	})
}

func rewriteViews(t *testing.T, root *freelancer.Node) {
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if c, err := read.Compound(root, nil); err != nil || c != nil {
		check(err)
		check(write.Compound(root, c))
	}
	if x, err := read.Deformable(root, nil); err != nil || x != nil {
		check(err)
		check(write.Deformable(root, x))
	}
	scripts, err := read.Scripts(root, nil)
	check(err)
	for _, s := range scripts {
		check(write.Script(root, s))
	}
	anims, err := read.MaterialAnims(root, nil)
	check(err)
	for _, a := range anims {
		write.MaterialAnim(root, a)
	}
	materials, err := read.Materials(root, nil)
	check(err)
	check(write.Materials(root, materials))
	textures, err := read.Textures(root, nil)
	check(err)
	for _, x := range textures {
		check(write.Texture(root, x))
	}
	root.Walk(func(_ string, n *freelancer.Node) bool {
		hardpoints, err := read.Hardpoints(n)
		check(err)
		for _, h := range hardpoints {
			write.Hardpoint(n, h)
		}
		for _, c := range n.Children {
			switch {
			case !c.IsDir():
			case freelancer.SameName(c.Name, "MultiLevel"):
				m, err := read.MultiLevel(c)
				check(err)
				write.MultiLevel(c, m)
			case freelancer.SameName(c.Name, "Sphere"):
				s, err := read.SphereModel(c, nil)
				check(err)
				check(write.SphereModel(c, s))
			case freelancer.SameName(c.Name, "Camera"):
				x, err := read.Camera(c)
				check(err)
				write.Camera(c, x)
			}
		}
		return true
	})
	for _, l := range read.VoiceLines(root, nil) {
		write.VoiceLine(root, l.ID, l.Node.Data)
	}
}

// TestViewsAfresh writes what was read into an empty tree, and expects to read the same there.
func TestViewsAfresh(t *testing.T) {
	noNodes := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Node" || p.Last().String() == ".Leaves" }, cmp.Ignore())
	same := func(t *testing.T, what string, got, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got, noNodes); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	files(t, func(t *testing.T, e corpus.Entry, b []byte) {
		root, fresh := mustRead(t, b).Root, freelancer.NewTree().Root
		if c, _ := read.Compound(root, nil); c != nil {
			for _, p := range c.Parts {
				p.Node = nil
			}
			if err := write.Compound(fresh, c); err != nil {
				t.Fatal(err)
			}
			got, err := read.Compound(fresh, nil)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "compound", got, c)
		}
		if x, _ := read.Deformable(root, nil); x != nil {
			for _, m := range x.Meshes {
				m.Node, m.Geometry.Node = nil, nil
				for _, g := range m.Groups {
					g.Node = nil
				}
			}
			for _, b := range x.Bones {
				b.Node = nil
			}
			if err := write.Deformable(fresh, x); err != nil {
				t.Fatal(err)
			}
			got, err := read.Deformable(fresh, nil)
			if err != nil {
				t.Fatal(err)
			}
			same(t, "deformable", got, x)
		}
		scripts, _ := read.Scripts(root, nil)
		for _, s := range scripts {
			s.Node = nil
			for _, m := range s.Maps {
				m.Node = nil
			}
			if err := write.Script(fresh, s); err != nil {
				t.Fatal(err)
			}
		}
		got, err := read.Scripts(fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "scripts", got, scripts)
		materials, _ := read.Materials(root, nil)
		for _, m := range materials {
			m.Node = nil
		}
		if err := write.Materials(fresh, materials); err != nil {
			t.Fatal(err)
		}
		again, err := read.Materials(fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range materials { // opaque properties are not written
			kept := m.Properties[:0]
			for _, p := range m.Properties {
				if p.Kind != freelancer.OpaqueProperty {
					kept = append(kept, p)
				}
			}
			m.Properties = kept
		}
		same(t, "materials", again, materials)
		hardpoints, _ := read.Hardpoints(root)
		part := freelancer.NewDir("part")
		for _, h := range hardpoints {
			h.Node = nil
			write.Hardpoint(part, h)
		}
		hs, err := read.Hardpoints(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(hs) == len(hardpoints) && len(hs) > 0 && !strings.Contains(e.Columns["exercises"], "Revolute") {
			same(t, "hardpoints", hs, hardpoints)
		}
	})
}

func TestLeavesMalformed(t *testing.T) {
	mesh, err := write.VMesh(&freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: freelancer.NewFVF(freelancer.FVFNormal, 1),
		Groups: []freelancer.MeshGroup{{IndexCount: 3, VertexEnd: 2}}, Indices: []uint16{0, 1, 2},
		Positions: make([][3]float32, 3), Normals: make([][3]float32, 3), TexCoords: [][][2]float32{make([][2]float32, 3)}})
	if err != nil {
		t.Fatal(err)
	}
	set := func(b []byte, at int, v ...byte) []byte {
		c := append([]byte(nil), b...)
		copy(c[at:], v)
		return c
	}
	for _, c := range []struct {
		name  string
		class error
		do    func() error
	}{
		{"no mesh", schema.ErrTruncated, func() error { _, err := read.VMesh(nil, nil); return err }},
		{"groups", schema.ErrCount, func() error { _, err := read.VMesh(set(mesh, 8, 255, 255), nil); return err }},
		{"indices", schema.ErrCount, func() error { _, err := read.VMesh(set(mesh, 10, 255, 255), nil); return err }},
		{"vertices", schema.ErrCount, func() error { _, err := read.VMesh(set(mesh, 14, 255, 255), nil); return err }},
		{"fvf without position", schema.ErrUnsupported, func() error { _, err := read.VMesh(set(mesh, 12, 0x10, 0), nil); return err }},
		{"fvf with weights", schema.ErrUnsupported, func() error { _, err := read.VMesh(set(mesh, 12, 0x06, 0), nil); return err }},
		{"fvf with 9 sets", schema.ErrUnsupported, func() error { _, err := read.VMesh(set(mesh, 12, 0x02, 9), nil); return err }},
		{"ref", schema.ErrTruncated, func() error { _, err := read.VMeshRef(make([]byte, 59), nil); return err }},
		{"wire", schema.ErrCount, func() error {
			_, err := read.VWire([]byte{16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0}, nil)
			return err
		}},
		{"channel header", schema.ErrTruncated, func() error { _, err := read.Channel(make([]byte, 11), nil, nil); return err }},
		{"channel frames", schema.ErrCount, func() error {
			_, err := read.Channel([]byte{255, 255, 255, 255, 0, 0, 128, 191, 1, 0, 0, 0}, make([]byte, 80), nil)
			return err
		}},
		{"effects", schema.ErrCount, func() error {
			_, err := read.EffectLibrary([]byte{0, 0, 128, 63, 255, 255, 255, 255}, nil)
			return err
		}},
		{"node property", schema.ErrUnsupported, func() error {
			_, err := read.NodeLibrary([]byte{0, 0, 128, 63, 1, 0, 0, 0, 0, 0, 0x77, 0, 1, 2, 3, 4}, nil)
			return err
		}},
		{"node without end", schema.ErrTruncated, func() error {
			_, err := read.NodeLibrary([]byte{0, 0, 128, 63, 1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 4}, nil)
			return err
		}},
		{"wave", schema.ErrBadMagic, func() error { _, err := read.Wave([]byte("RIFX\x00\x00\x00\x00WAVE"), nil); return err }},
		{"wave chunk", schema.ErrTruncated, func() error {
			_, err := read.Wave([]byte("RIFF\x0c\x00\x00\x00WAVEfmt \x40\x00\x00\x00"), nil)
			return err
		}},
		{"wave without fmt", schema.ErrTruncated, func() error { _, err := read.Wave([]byte("RIFF\x04\x00\x00\x00WAVE"), nil); return err }},
		{"hardpoint", schema.ErrTruncated, func() error {
			_, err := read.Hardpoint(freelancer.NewDir("Hp", freelancer.NewLeaf("Position", make([]byte, 11))), false)
			return err
		}},
		{"frame rects", schema.ErrCount, func() error {
			_, err := read.Texture(freelancer.NewDir("t", freelancer.NewLeaf("Frame count", []byte{9, 0, 0, 0}), freelancer.NewLeaf("Frame rects", make([]byte, 20))), nil)
			return err
		}},
		{"mesh of odd lengths", schema.ErrMismatch, func() error {
			_, err := write.VMesh(&freelancer.VMesh{FVF: freelancer.NewFVF(freelancer.FVFNormal, 0), Positions: make([][3]float32, 2)})
			return err
		}},
		{"mesh too large", schema.ErrRange, func() error {
			_, err := write.VMesh(&freelancer.VMesh{FVF: freelancer.NewFVF(0, 0), Positions: make([][3]float32, 65536)})
			return err
		}},
		{"long part name", schema.ErrRange, func() error {
			_, err := write.Joints(&freelancer.Joints{List: []freelancer.Joint{{Parent: freelancer.PartName{Name: strings.Repeat("x", 65)}}}})
			return err
		}},
		{"clashing materials", schema.ErrValue, func() error {
			return write.Materials(freelancer.NewDir(`\`), []*freelancer.Material{{Name: "a"}, {Name: "A"}})
		}},
	} {
		if err := c.do(); !errors.Is(err, c.class) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.class)
		}
	}
}
