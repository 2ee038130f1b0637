package ultima9_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// outline describes an object without its place in the heap.
func outline(o *ultima9.Object) string {
	s := fmt.Sprint(o.Square, o.X, o.Y, o.Z, o.Type, o.Rotation, o.Flags&^ultima9.ObjectContained, o.Model, o.Link)
	for _, p := range o.Properties {
		if p.Type != ultima9.PropertyContents {
			s += fmt.Sprint(p)
		}
	}
	for _, c := range o.Contents {
		s += "(" + outline(c) + ")"
	}
	return s
}

func outlines(list []*ultima9.Object) map[string]int {
	m := map[string]int{}
	for _, o := range list {
		m[outline(o)]++
	}
	return m
}

func drawObject(t *rapid.T, depth int, at *ultima9.Object) *ultima9.Object {
	o := &ultima9.Object{Flags: ultima9.EntityFlags, Type: uint16(rapid.IntRange(0, 99).Draw(t, "type")), Model: 3}
	if at != nil {
		o.Square, o.X, o.Y, o.Z = at.Square, at.X, at.Y, at.Z
	} else {
		o.Square = [2]uint32{rapid.Uint32Range(0, 1).Draw(t, "column"), 0}
		o.X, o.Y = rapid.Int32Range(0, 4095).Draw(t, "x"), rapid.Int32Range(0, 4095).Draw(t, "y")
	}
	for range rapid.IntRange(0, 7).Draw(t, "properties") {
		o.Properties = append(o.Properties, ultima9.Property{Type: ultima9.PropertyType(rapid.IntRange(0x10, 0x30).Draw(t, "kind")), Value: rapid.Uint32().Draw(t, "value")})
	}
	if depth > 0 {
		for range rapid.IntRange(0, 2).Draw(t, "contents") {
			o.Contents = append(o.Contents, drawObject(t, depth-1, o))
		}
	}
	return o
}

// TestHeapEdits adds, removes and changes objects at random and reads the heap after each step: it must hold what it
// should, and every page must add up.
func TestHeapEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := &ultima9.ObjectFile{Kind: ultima9.Nonfixed, Leading: make([]uint32, 3), Width: 2, Height: 1, First: make([]ultima9.PageRef, 2)}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			objects, want := x.Objects, outlines(x.Objects)
			e := write.EditHeap(x)
			action := rapid.IntRange(0, 3).Draw(t, "action")
			if len(objects) == 0 || action == 0 {
				o := drawObject(t, 2, nil)
				for range rapid.SampledFrom([]int{1, 1, 130}).Draw(t, "times") {
					if _, err := e.Add(o, nil); err != nil {
						t.Fatal(err)
					}
					want[outline(o)]++
				}
			} else {
				o := rapid.SampledFrom(objects).Draw(t, "object")
				want[outline(o)]--
				changed := *o
				switch action {
				case 1:
					if err := e.Remove(o, nil); err != nil {
						t.Fatal(err)
					}
				case 2:
					changed.X, changed.Type = rapid.Int32Range(0, 4095).Draw(t, "x"), 1234
					if err := e.Set(o, &changed, false); err != nil {
						t.Fatal(err)
					}
					want[outline(&changed)]++
				case 3:
					changed.Properties = drawObject(t, 0, o).Properties
					for _, p := range o.Properties {
						if p.Type == ultima9.PropertyContents {
							changed.Properties = append(changed.Properties, p)
						}
					}
					if err := e.SetProperties(o, changed.Properties); err != nil {
						t.Fatal(err)
					}
					want[outline(&changed)]++
				}
			}
			b, err := write.Nonfixed(x)
			if err != nil {
				t.Fatal(err)
			}
			d := &schema.Diagnostics{}
			if x, err = read.Nonfixed(b, d); err != nil {
				t.Fatal(err)
			}
			if all := d.All(); len(all) > 0 {
				t.Fatal(all)
			}
			got := outlines(x.Objects)
			for o, n := range want {
				if got[o] != n {
					t.Fatalf("%d of %s, want %d", got[o], o, n)
				}
			}
		}
	})
}

// TestHeapEditsOfDamagedFiles edits files that read in spite of wrong free lists: no edit may touch another object.
func TestHeapEditsOfDamagedFiles(t *testing.T) {
	clean := sample(t, "nonfixed")
	rapid.Check(t, func(t *rapid.T) {
		b := append([]byte(nil), clean...)
		start := len(b) - ultima9.PageSize
		for range rapid.IntRange(1, 6).Draw(t, "changes") {
			at := start + 4*rapid.IntRange(0, 300).Draw(t, "at")
			value := uint32(16*rapid.IntRange(0, 256).Draw(t, "value")) + rapid.SampledFrom([]uint32{0, 0, 0, 1}).Draw(t, "odd")
			b[at], b[at+1], b[at+2], b[at+3] = byte(value), byte(value>>8), 0, 0
		}
		x, err := read.Nonfixed(b, nil)
		if err != nil {
			return
		}
		objects, want := x.Objects, outlines(x.Objects)
		e := write.EditHeap(x)
		o := drawObject(t, 0, nil)
		o.Square = [2]uint32{0, 0}
		for range 3 {
			if _, err := e.Add(o, nil); err != nil {
				t.Fatal(err)
			}
			want[outline(o)]++
		}
		if len(objects) > 0 {
			gone := objects[0]
			if err := e.Remove(gone, nil); err != nil {
				t.Fatal(err)
			}
			want[outline(gone)]--
		}
		out, err := write.Nonfixed(x)
		if err != nil {
			t.Fatal(err)
		}
		y, err := read.Nonfixed(out, nil)
		if err != nil {
			return // counts that were wrong before may show now
		}
		got := outlines(y.Objects)
		for o, n := range want {
			if got[o] < n {
				t.Fatalf("%d of %s, want %d", got[o], o, n)
			}
		}
	})
}

func bigNonfixed(b *testing.B) []byte {
	x := &ultima9.ObjectFile{Kind: ultima9.Nonfixed, Leading: make([]uint32, 3), Width: 8, Height: 8, First: make([]ultima9.PageRef, 64)}
	e := write.EditHeap(x)
	for i := range uint32(20000) {
		o := &ultima9.Object{Square: [2]uint32{i % 8, i / 8 % 8}, X: int32(i * 7 % 4096), Y: int32(i * 13 % 4096), Flags: ultima9.EntityFlags}
		if i%3 == 0 {
			o.Properties = []ultima9.Property{{Type: 0x42, Value: 100}}
		}
		if _, err := e.Add(o, nil); err != nil {
			b.Fatal(err)
		}
	}
	data, err := write.Nonfixed(x)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

func BenchmarkNonfixedRead(b *testing.B) {
	data := bigNonfixed(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read.Nonfixed(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkText(b *testing.B) {
	data := sample(b, "text")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read.Text(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNPCs(b *testing.B) {
	data := make([]byte, 352*ultima9.NPCSize)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read.NPCs(data, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFixedHoldNothing: an object of a fixed file has no properties and no contents, whatever is asked for.
func TestFixedHoldNothing(t *testing.T) {
	b := sample(t, "fixed")
	x, err := read.Fixed(b, nil)
	must(t, err)
	objects := x.Objects
	e := write.EditHeap(x)
	o := objects[0]
	if err := e.SetProperties(o, []ultima9.Property{{Type: 1, Value: 2}}); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("properties: %v", err)
	}
	must(t, e.SetProperties(o, nil))
	if err := e.Remove(objects[1], o); schema.Class(err) != schema.ErrRange {
		t.Errorf("out of a fixed object: %v", err)
	}
	out, err := write.Fixed(x)
	must(t, err)
	corpus.SameBytes(t, "nothing done", out, b)
	if _, err := e.Add(&ultima9.Object{Square: o.Square}, o); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("into a fixed object: %v", err)
	}
}

// TestStrayContainer: where no list leads to a container and to what it holds, the container is found first, wherever in
// the page both lie.
func TestStrayContainer(t *testing.T) {
	x := &ultima9.ObjectFile{Kind: ultima9.Nonfixed, Leading: make([]uint32, 3), Width: 1, Height: 1, First: make([]ultima9.PageRef, 1)}
	e := write.EditHeap(x)
	add := func(o, container *ultima9.Object) *ultima9.Object {
		at, err := e.Add(o, container)
		must(t, err)
		added := *o
		added.Offset = at
		return &added
	}
	first, box := add(&ultima9.Object{Type: 7}, nil), add(&ultima9.Object{Type: 8}, nil)
	must(t, e.Remove(first, nil))
	coin := add(&ultima9.Object{Type: 9}, box)
	if coin.Offset > box.Offset {
		t.Fatalf("the coin lies at 0x%x, behind the box at 0x%x", coin.Offset, box.Offset)
	}
	clear(x.Heap[ultima9.PageLists:][:4*ultima9.ListCount])
	b, err := write.Nonfixed(x)
	must(t, err)
	got, err := read.Nonfixed(b, nil)
	must(t, err)
	if len(got.Objects) != 1 || got.Objects[0].Type != 8 || !got.Objects[0].Unlinked || len(got.Objects[0].Contents) != 1 || got.Objects[0].Contents[0].Type != 9 {
		t.Errorf("found %v", outlines(got.Objects))
	}
}
