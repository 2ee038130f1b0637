package ultima9

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// objectRow is an object of a map as a row of a table: its place is that in the world, in raw units. A row with the
// offset 0 is a new object. What an object holds, and its properties, stay with it.
type objectRow struct {
	Offset   uint32
	Type     uint16
	X, Y, Z  int32
	Rotation [4]int16 // x, y, z, w; 32767 is 1
	Flags    ultima9.ObjectFlags
	Model    uint16
	Link     uint16
}

// objectTable is the view of a map's objects as a table, for CSV.
func objectTable(kind ultima9.ObjectKind) *format.Format {
	name := "u9-" + kind.String()
	f := format.Of(format.Format{Name: name, Family: family, Title: "objects of a map", Kind: format.Table},
		format.Functions[ultima9.ObjectFile, *asset.Table]{Lift: listLifter(name, "Offset", write.Heap, objectRows)})
	return &f
}

// lowerObjectTable makes the Lower of object files: of a table, or of a scene.
func lowerObjectTable(kind ultima9.ObjectKind) func(asset.Asset, *format.Env) (*ultima9.ObjectFile, error) {
	name, reader := "u9-"+kind.String(), read.Fixed
	if kind == ultima9.Nonfixed {
		reader = read.Nonfixed
	}
	doubt := func(was, r *objectRow, place string, env *format.Env) {
		if was == nil && r.Flags == 0 {
			return // it gets those that every object has
		}
		var stored *ultima9.Object
		if was != nil {
			stored = was.object()
		}
		world.DoubtObject(kind, stored, r.object(), place, env.Told())
	}
	table := listLowerer(name, reader, objectRows, putObjectRows, doubt)
	return func(a asset.Asset, env *format.Env) (*ultima9.ObjectFile, error) {
		if s, ok := a.(*asset.Scene); ok {
			return world.LowerObjects(s, env, kind)
		}
		t, ok := a.(*asset.Table)
		if !ok {
			return nil, format.NotFrom(name, a)
		}
		if t.Native == nil || t.Native.Format != name || len(t.Native.Payload) == 0 {
			return nil, schema.Errorf(name, schema.ErrUnsupported, "", "a table of objects needs the file that it was made from")
		}
		return table(t, env)
	}
}

// doubtObjects looks at the objects of a document, which has the heap too.
func doubtObjects(x *ultima9.ObjectFile, d *schema.Diagnostics) {
	heap := *x
	heap.Objects = nil
	if b, err := write.Heap(&heap); err == nil {
		if stored, err := world.ReadObjects(b, x.Kind); err == nil {
			world.DoubtObjects(x, stored.Objects, d)
		}
	}
}

// object returns what is doubted of a row.
func (r *objectRow) object() *ultima9.Object {
	return &ultima9.Object{Type: r.Type, Rotation: r.Rotation, Flags: r.Flags}
}

func objectRows(x *ultima9.ObjectFile) []objectRow {
	rows := make([]objectRow, len(x.Objects))
	for i, o := range x.Objects {
		wx, wy, wz := o.World()
		rows[i] = objectRow{o.Offset, o.Type, wx, wy, wz, o.Rotation, o.Flags, o.Model, o.Link}
	}
	return rows
}

func putObjectRows(x *ultima9.ObjectFile, rows []objectRow) error {
	stored := map[uint32]*ultima9.Object{}
	for _, o := range x.Objects {
		stored[o.Offset] = o
	}
	x.Objects = nil
	for _, r := range rows {
		o := &ultima9.Object{Offset: r.Offset}
		if r.Offset != 0 {
			was := stored[r.Offset]
			if was == nil {
				return schema.Errorf("u9-"+x.Kind.String(), schema.ErrRange, "Offset", "the file has no object at %d; a new one has the offset 0", r.Offset)
			}
			*o = *was
		} else if r.Flags == 0 { // of which some are set on every object
			if r.Flags = ultima9.ObjectPresent; x.Kind == ultima9.Nonfixed {
				r.Flags |= ultima9.EntityFlags
			}
		}
		o.Type, o.Rotation, o.Flags, o.Model, o.Link = r.Type, r.Rotation, r.Flags, r.Model, r.Link
		if err := world.PlaceObject(x, o, "X, Y, Z", [3]float32{float32(r.X), float32(r.Y), float32(r.Z)}); err != nil {
			return err
		}
		x.Objects = append(x.Objects, o)
	}
	return nil
}

var fixedFormat = objectFormat(ultima9.Fixed, "Ultima IX fixed objects of a map")

var nonfixedFormat = objectFormat(ultima9.Nonfixed, "Ultima IX movable objects of a map")

func objectFormat(kind ultima9.ObjectKind, title string) format.Format {
	reader := read.Fixed
	if kind == ultima9.Nonfixed {
		reader = read.Nonfixed
	}
	return format.Of(format.Format{
		Name: "u9-" + kind.String(), Family: family, Title: title, Kind: format.Model, Extensions: []string{"." + kind.String(), ".*"},
		Probe: probeObjects(kind),
		// it looks at nodes alone
		Piecewise: true, Empties: format.AnyEmpty, Views: []*format.Format{objectTable(kind)},
	}, format.Functions[ultima9.ObjectFile, asset.Asset]{
		Read:  reader,
		Doubt: doubtObjects,
		Write: writeObjects,
		Facts: objectFacts,
		Lift:  func(x *ultima9.ObjectFile, env *format.Env) (asset.Asset, error) { return world.LiftObjects(x, env) },
		Lower: lowerObjectTable(kind),
	})
}
