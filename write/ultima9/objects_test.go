package ultima9_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// readObjects reads an object file by its name.
func readObjects(name string, b []byte, d *schema.Diagnostics) (*ultima9.ObjectFile, error) {
	if strings.HasPrefix(filepath.Base(name), "nonfixed") {
		return read.Nonfixed(b, d)
	}
	return read.Fixed(b, d)
}

func objectsOf(t testing.TB, b []byte, kind ultima9.ObjectKind) *ultima9.ObjectFile {
	t.Helper()
	x, err := readObjects(kind.String(), b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestObjectValues(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic/objects")
	for _, name := range []string{"fixed.2", "fixed.7", "fixed.9", "nonfixed.2", "nonfixed.7", "nonfixed.9"} {
		type object struct {
			Offset            uint32
			X, Y              int32
			Z                 int16
			Type, Model, Link uint16
			Rotation          [4]int16 `json:"rotation_xyzw"`
			Flags             uint32
			Properties        [][2]uint32
			Linked            bool
			Container         *uint32
			World             [3]int32
		}
		var want struct {
			Width, Height uint32
			HeapSize      int `json:"heap_size"`
			Trailing      int
			Count         int `json:"object_count"`
			Squares       []struct {
				Square  [2]uint32
				Objects []object
			}
		}
		corpus.JSON(t, filepath.Join(dir, name+".json"), &want)
		d := &schema.Diagnostics{}
		x, err := readObjects(name, corpus.Bytes(t, filepath.Join(dir, name)), d)
		if err != nil {
			t.Error(name, err)
			continue
		}
		for _, w := range d.All() {
			if w.Severity == schema.Warning {
				t.Errorf("%s: %v", name, w)
			}
		}
		if x.Width != want.Width || x.Height != want.Height || len(x.Heap) != want.HeapSize || len(x.Trailing) != want.Trailing {
			t.Errorf("%s: %d x %d, heap %d, trailing %d", name, x.Width, x.Height, len(x.Heap), len(x.Trailing))
		}
		got := map[uint32]*ultima9.Object{}
		containers := map[uint32]*ultima9.Object{}
		x.Walk(func(o, container *ultima9.Object) { got[o.Offset], containers[o.Offset] = o, container })
		expected := 0
		for _, square := range want.Squares {
			for _, w := range square.Objects {
				expected++
				o := got[w.Offset]
				if o == nil {
					t.Errorf("%s: no object at %d", name, w.Offset)
					continue
				}
				wx, wy, wz := o.World()
				g := object{o.Offset, o.X, o.Y, o.Z, o.Type, o.Model, o.Link, o.Rotation, uint32(o.Flags), [][2]uint32{}, !o.Unlinked, nil, [3]int32{wx, wy, wz}}
				for _, p := range o.Properties {
					g.Properties = append(g.Properties, [2]uint32{uint32(p.Type), p.Value})
				}
				if c := containers[o.Offset]; c != nil {
					g.Container, g.Linked = &c.Offset, false
				}
				if gs, ws := describe(g), describe(w); gs != ws || o.Square != square.Square {
					t.Errorf("%s: square %v\n got %s\nwant %s", name, o.Square, gs, ws)
				}
			}
		}
		if len(got) != expected {
			t.Errorf("%s: %d objects, want %d", name, len(got), expected)
		}
	}
}

// describe prints a value with pointers followed and empty slices alike.
func describe(v any) string {
	s := fmt.Sprintf("%+v", v)
	if i := strings.Index(s, "Container:0x"); i >= 0 {
		s = s[:i] + "Container:set" + s[i+strings.Index(s[i:], " "):]
	}
	return s
}

func TestRealNonfixed(t *testing.T) {
	path := filepath.Join(corpus.Folder(t, "ultima9"), "real/nonfixed.22")
	var facts struct {
		Dump    digest
		Objects int `json:"object_count"`
		Records int `json:"live_properties"`
	}
	corpus.JSON(t, path+".facts.json", &facts)
	x := objectsOf(t, corpus.Bytes(t, path), ultima9.Nonfixed)
	var d dump
	n := 0
	for _, o := range x.Objects {
		if len(o.Contents) > 0 {
			t.Error("a container")
		}
		wx, wy, wz := o.World()
		var p []string
		for _, q := range o.Properties {
			p = append(p, fmt.Sprintf("%d=%d", q.Type, q.Value))
		}
		linked := 1
		if o.Unlinked {
			linked = 0
		}
		d.line(o.Offset, wx, wy, wz, o.Type, o.Rotation[0], o.Rotation[1], o.Rotation[2], o.Rotation[3], uint32(o.Flags), o.Model, o.Link, linked, quoted(strings.Join(p, " ")))
		n++
	}
	if n != facts.Objects {
		t.Errorf("%d objects, want %d", n, facts.Objects)
	}
	d.check(t, "nonfixed.22", facts.Dump)
}

// find returns an object and its container by offset.
func find(t testing.TB, x *ultima9.ObjectFile, offset uint32) (found, in *ultima9.Object) {
	t.Helper()
	x.Walk(func(o, container *ultima9.Object) {
		if o.Offset == offset {
			found, in = o, container
		}
	})
	if found == nil {
		t.Fatalf("no object at 0x%x", offset)
	}
	return found, in
}

func TestObjectEdits(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic")
	var edit struct {
		Input string
		Ops   []struct {
			Op     string
			Offset uint32
			X, Y   int32
			Z      int16
			Square [2]uint32
			Entity struct {
				X, Y        int32
				Z           int16
				Type        uint16
				Rot         [4]int16
				Flags       uint32
				Model, Link uint16
			}
			Expected uint32 `json:"expected_offset"`
		}
		After []string
	}
	corpus.JSON(t, filepath.Join(dir, "edits/nonfixed.ops.json"), &edit)
	b := corpus.Bytes(t, filepath.Join(dir, edit.Input))
	for i, op := range edit.Ops {
		x := objectsOf(t, b, ultima9.Nonfixed)
		stored := *x // the editor takes the objects from x
		e := write.EditHeap(x)
		var err error
		switch op.Op {
		case "move":
			o, _ := find(t, &stored, op.Offset)
			moved := *o
			moved.X, moved.Y, moved.Z = op.X, op.Y, op.Z
			err = e.Set(o, &moved, false)
		case "delete":
			err = e.Remove(find(t, &stored, op.Offset))
		case "add":
			n := op.Entity
			var at uint32
			at, err = e.Add(&ultima9.Object{Square: op.Square, X: n.X, Y: n.Y, Z: n.Z, Type: n.Type, Rotation: n.Rot, Flags: ultima9.ObjectFlags(n.Flags), Model: n.Model, Link: n.Link}, nil)
			if at != op.Expected {
				t.Errorf("added at %d, want %d", at, op.Expected)
			}
		}
		if err != nil {
			t.Fatal(i, err)
		}
		got, err := write.Nonfixed(x)
		if err != nil {
			t.Fatal(i, err)
		}
		b = corpus.Bytes(t, filepath.Join(dir, edit.After[i]))
		corpus.SameBytes(t, edit.After[i], got, b)
	}
}
