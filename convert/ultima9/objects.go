package ultima9

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	write "github.com/usher-assets/usher/write/ultima9"
)

func objectFacts(x *ultima9.ObjectFile) []format.Fact {
	objects, contained, properties := 0, 0, 0
	x.Walk(func(o, container *ultima9.Object) {
		objects++
		properties += len(o.Properties)
		if container != nil {
			contained++
		}
	})
	facts := []format.Fact{{Name: "squares", Value: fmt.Sprintf("%d x %d", x.Width, x.Height)}, {Name: "objects", Value: objects}}
	if x.Kind == ultima9.Nonfixed {
		facts = append(facts, format.Fact{Name: "contained", Value: contained}, format.Fact{Name: "properties", Value: properties})
	}
	return facts
}

// writeObjects writes an object file whose list of objects may have been edited: what differs from the heap is put into
// it by the game's rules. Objects keep their offsets while they stay in their square and their container; an object
// without an offset is new; one that is missing is removed, and all that it holds with it.
func writeObjects(x *ultima9.ObjectFile) ([]byte, error) {
	b, err := write.Heap(x)
	if err != nil {
		return nil, err
	}
	stored, err := world.ReadObjects(b, x.Kind)
	if err != nil {
		return nil, err
	}
	m := &merger{file: stored, old: map[uint32]placed{}, seen: map[uint32]bool{}}
	stored.Walk(func(o, container *ultima9.Object) { m.old[o.Offset] = placed{o, container} })
	if err := m.compare(x.Objects, nil); err != nil {
		return nil, err
	}
	if len(m.changes) == 0 && len(m.additions) == 0 && len(m.seen) == len(m.old) {
		return b, nil
	}
	if err := m.apply(); err != nil {
		return nil, err
	}
	return write.Heap(stored)
}

// placed is an object and what it lies in.
type placed struct{ object, container *ultima9.Object }

// merger finds out what was done to a list of objects, and does it to the heap.
type merger struct {
	file      *ultima9.ObjectFile
	old       map[uint32]placed
	seen      map[uint32]bool // offsets that stay
	changes   []change
	additions []placed // the container is one of the heap
}

// change is an object that stays in its square and container.
type change struct {
	was, is   *ultima9.Object
	contained bool
}

// compare walks the edited list. container is the stored object that it lies in.
func (m *merger) compare(list []*ultima9.Object, container *ultima9.Object) error {
	for _, o := range list {
		if o == nil {
			return m.errorf(schema.ErrValue, "an object that is null")
		}
		if o.Offset == 0 {
			m.additions = append(m.additions, placed{fresh(o), container})
			continue
		}
		was, ok := m.old[o.Offset]
		switch {
		case !ok:
			return m.errorf(schema.ErrRange, "the heap has no object at 0x%x; a new one has the offset 0", o.Offset)
		case m.seen[o.Offset]:
			return m.errorf(schema.ErrMismatch, "the object at 0x%x is listed twice", o.Offset)
		case was.container != container || was.object.Square != o.Square && container == nil:
			// It moves to other cells. What it holds goes along, as it is listed now.
			m.additions = append(m.additions, placed{fresh(o), container})
			continue
		}
		m.seen[o.Offset] = true
		if err := m.derived(was, o); err != nil {
			return err
		}
		if !sameFields(was.object, o) || !slices.Equal(world.PlainProperties(was.object), world.PlainProperties(o)) {
			m.changes = append(m.changes, change{was.object, o, container != nil})
		}
		if err := m.compare(o.Contents, was.object); err != nil {
			return err
		}
	}
	return nil
}

// derived refuses what follows from the rest of an object that stays where it is, and so cannot be set.
func (m *merger) derived(was placed, o *ultima9.Object) error {
	switch old := was.object; {
	case o.Unlinked != old.Unlinked:
		return m.errorf(schema.ErrMismatch, "Unlinked of the object at 0x%x follows from the lists of its square: %v", o.Offset, old.Unlinked)
	case was.container != nil && o.Square != old.Square:
		return m.errorf(schema.ErrMismatch, "Square of the object at 0x%x, which lies in another one, is that of its container: %d, %d", o.Offset, old.Square[0], old.Square[1])
	}
	for _, p := range o.Properties {
		if world.IsContents(p) && !slices.Contains(was.object.Properties, p) {
			return m.errorf(schema.ErrMismatch, "the property %d of the object at 0x%x leads to its Contents, and cannot be set to %d", p.Type, o.Offset, p.Value)
		}
	}
	return nil
}

func (m *merger) errorf(class error, msg string, args ...any) error {
	return schema.Errorf("u9-"+m.file.Kind.String(), class, "objects", msg, args...)
}

// fresh returns a copy of an object that is to be put into new cells.
func fresh(o *ultima9.Object) *ultima9.Object {
	c := *o
	c.Offset, c.Unlinked = 0, false
	c.Flags &^= ultima9.ObjectContained
	c.Properties = slices.Clone(o.Properties)
	if len(o.Contents) > 0 && !slices.ContainsFunc(o.Properties, world.IsContents) {
		c.Properties = append(c.Properties, ultima9.Property{Type: ultima9.PropertyContents})
	}
	c.Contents = make([]*ultima9.Object, len(o.Contents))
	for i, inside := range o.Contents {
		c.Contents[i] = fresh(inside)
	}
	return &c
}

// apply edits the heap: changes first, then removals, then additions.
func (m *merger) apply() error {
	e := write.EditHeap(m.file)
	for _, c := range m.changes {
		if err := e.Set(c.was, c.is, c.contained); err != nil {
			return err
		}
		if m.file.Kind == ultima9.Nonfixed {
			if err := m.properties(e, c); err != nil {
				return err
			}
		}
	}
	if err := m.remove(e); err != nil {
		return err
	}
	for _, a := range m.additions {
		if _, err := e.Add(a.object, a.container); err != nil {
			return err
		}
	}
	return nil
}

// properties puts the edited properties of an object into its chain. The reference to the contents stays where it is
// listed; when it is not, it goes to the end.
func (m *merger) properties(e *write.HeapEditor, c change) error {
	properties := slices.Clone(c.is.Properties)
	if slices.ContainsFunc(c.was.Properties, world.IsContents) && !slices.ContainsFunc(properties, world.IsContents) {
		properties = append(properties, ultima9.Property{Type: ultima9.PropertyContents})
	}
	if slices.Equal(world.PlainProperties(c.was), world.PlainProperties(c.is)) {
		return nil
	}
	return e.SetProperties(c.was, properties)
}

// remove takes out what is no longer listed, in the order of the heap; what lies in a removed object goes with it.
func (m *merger) remove(e *write.HeapEditor) error {
	var gone []placed
	for offset, p := range m.old {
		if !m.seen[offset] && (p.container == nil || m.seen[p.container.Offset]) {
			gone = append(gone, p)
		}
	}
	slices.SortFunc(gone, func(a, b placed) int { return cmp.Compare(a.object.Offset, b.object.Offset) })
	for _, p := range gone {
		if err := e.Remove(p.object, p.container); err != nil {
			return err
		}
	}
	return nil
}

func sameFields(a, b *ultima9.Object) bool {
	return a.X == b.X && a.Y == b.Y && a.Z == b.Z && a.Type == b.Type && a.Rotation == b.Rotation && a.Flags == b.Flags && a.Model == b.Model && a.Link == b.Link
}
