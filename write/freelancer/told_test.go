package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// TestTold holds what is said of odd trees, and of effects that are kept as bytes, which come back as they were.
func TestTold(t *testing.T) {
	raw := func(name string) *freelancer.Tree {
		tree := freelancer.NewTree()
		tree.Root.Dir(name).Set(name, []byte{0, 0, 128, 63, 255, 255, 255, 255}) // 2³²-1 effects, or nodes
		return tree
	}
	for _, c := range []struct {
		name string
		tree *freelancer.Tree
		want string
	}{
		{"names that are alike", &freelancer.Tree{Root: freelancer.NewDir(`\`, freelancer.NewLeaf("Gun", nil), freelancer.NewLeaf("gUN", nil))},
			`duplicate-name: a second entry called "gUN"`},
		{"no name", &freelancer.Tree{Root: freelancer.NewDir(`\`, freelancer.NewLeaf("", nil))}, "empty-name: "},
		{"effects", raw(freelancer.EffectLibraryName), "kept-raw: kept as bytes: "},
		{"nodes", raw(freelancer.NodeLibraryName), "kept-raw: kept as bytes: "},
	} {
		b := mustWrite(t, c.tree)
		d := new(schema.Diagnostics)
		a, err := read.ALE(b, d)
		if err != nil || !slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return strings.HasPrefix(x.Code+": "+x.Msg, c.want) }) {
			t.Errorf("%s: %v, %v; want %s", c.name, err, d.All(), c.want)
			continue
		}
		if again, err := write.ALE(a); err != nil || !bytes.Equal(again, b) || a.Effects != nil || a.Nodes != nil {
			t.Errorf("%s: %v, %+v; other bytes: %v", c.name, err, a, !bytes.Equal(again, b))
		}
	}
}

// A payload that is longer than the file says how much is left.
func TestPayloadTooLong(t *testing.T) {
	b := mustWrite(t, sample())
	h := mustRead(t, b).Header
	binary.LittleEndian.PutUint32(b[freelancer.HeaderSize+44*2+24:], 1000)
	at := binary.LittleEndian.Uint32(b[freelancer.HeaderSize+44*2+16:])
	_, err := read.UTF(b, nil)
	if want := fmt.Sprintf("needs 1000 bytes, %d left", len(b)-int(h.DataOffset+at)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// One line is a voice already; no line is none.
func TestFewVoiceLines(t *testing.T) {
	root := freelancer.NewDir(`\`)
	if lines := read.VoiceLines(root, nil); lines != nil {
		t.Errorf("no lines: %v", lines)
	}
	write.VoiceLine(root, 0x30, madeWave)
	if lines := read.VoiceLines(root, nil); len(lines) != 1 || lines[0].ID != 0x30 || lines[0].Node != root.Children[0] {
		t.Errorf("a line: %v", lines)
	}
}

// The layout of vertices names every attribute that they have (reference section 5.2).
func TestVertexLayout(t *testing.T) {
	for fvf, want := range map[freelancer.FVF]string{
		freelancer.NewFVF(0, 0):                                            "position:3f32",
		freelancer.NewFVF(freelancer.FVFNormal, 1):                         "position:3f32 normal:3f32 uv:2f32",
		freelancer.NewFVF(freelancer.FVFDiffuse|freelancer.FVFSpecular, 2): "position:3f32 diffuse:4u8 specular:4u8 uv:2f32 uv:2f32",
		freelancer.NewFVF(freelancer.FVFPointSize, 0):                      "position:3f32 point-size:f32",
	} {
		m := &freelancer.VMesh{Type: 1, Primitive: freelancer.TriangleList, FVF: fvf, Positions: make([][3]float32, 1)}
		if fvf&freelancer.FVFNormal != 0 {
			m.Normals = make([][3]float32, 1)
		}
		if fvf&freelancer.FVFPointSize != 0 {
			m.PointSizes = make([]float32, 1)
		}
		if fvf&freelancer.FVFDiffuse != 0 {
			m.Diffuse = make([]uint32, 1)
		}
		if fvf&freelancer.FVFSpecular != 0 {
			m.Specular = make([]uint32, 1)
		}
		for range fvf.Sets() {
			m.TexCoords = append(m.TexCoords, make([][2]float32, 1))
		}
		b, err := write.VMesh(m)
		if err != nil {
			t.Fatal(err)
		}
		trace := new(schema.Trace)
		trace.Place(b, 0)
		d := new(schema.Diagnostics)
		d.Record(trace)
		if _, err := read.VMesh(b, d); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(trace.Spans, func(s schema.Span) bool { return s.Layout == want }) {
			t.Errorf("0x%x: no span has the layout %q: %+v", uint32(fvf), want, trace.Spans)
		}
	}
}

// A planet with fewer materials loses the leaves of the others, and with more it gets some (reference section 10).
func TestSphereMaterials(t *testing.T) {
	n := freelancer.NewDir("Sphere", freelancer.NewLeaf("Name", []byte("kept")))
	for _, materials := range [][]string{{"a", "b", "c"}, {"a"}, {"x", "", "z", "q"}, nil} {
		if err := write.SphereModel(n, &freelancer.SphereModel{Radius: 5, Sides: int32(len(materials)), Materials: materials}); err != nil {
			t.Fatal(err)
		}
		s, err := read.SphereModel(n, nil)
		if err != nil || !slices.Equal(s.Materials, materials) || s.Radius != 5 || len(n.Children) != 3+len(materials) {
			t.Errorf("%q: %+v, %d leaves, %v", materials, s, len(n.Children), err)
		}
	}
	many := make([]string, 1<<16) // in time that grows as their number
	for i := range many {
		many[i] = fmt.Sprint("m", i)
	}
	if err := write.SphereModel(n, &freelancer.SphereModel{Materials: many}); err != nil || len(n.Children) != 3+len(many) || n.Child("M65535") == nil {
		t.Errorf("%v, %d leaves", err, len(n.Children))
	}
}

// A payload whose place is not within the file any more, which takes an edited JSON, is laid elsewhere.
func TestKeptBehindTheEnd(t *testing.T) {
	tree := mustRead(t, mustWrite(t, sample()))
	tree.Layout.Size = int(tree.Header.DataOffset) + 10
	again := mustRead(t, mustWrite(t, tree))
	for path, want := range map[string]string{"directory/first": "1234567", "directory/second": "12", "third": "123456789012"} {
		if got := again.Root.Find(path); got == nil || string(got.Data) != want {
			t.Errorf("%s: %+v, want %s", path, got, want)
		}
	}
}
