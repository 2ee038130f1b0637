// Package source writes the source of classes as the engine's own exporter does: the script text, and the defaults of the
// class behind it (reference section 30).
package source

import (
	"math"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Line is a line of the defaults of a class.
type Line struct {
	Key, Value string
	Guessed    bool // a package that declares it is not at hand: with it the line may say it in other words
}

// Defaults returns the defaults of a class as its source says them, and the names of those that source cannot say. Values
// that are those of the class above are left out, as the engine does.
func Defaults(f *pack.File, export int, c *unreal.Class) (lines []Line, unsaid []string) {
	line, several, left := ancestorsOf(f, c), severals(c.Properties), maxValues
	for i := range c.Properties {
		q := &c.Properties[i]
		decl, known := f.Declared(unreal.Ref(export+1), f.Name(q.Name))
		v, guessed, ok := decode(f, q, decl, &left)
		key := key(f, q, decl, several)
		if !ok {
			unsaid = append(unsaid, key)
			continue
		}
		text := v.whole()
		if known {
			was := above(line, f.Name(q.Name), q.Index, decl, &left)
			if v.equal(was) {
				continue
			}
			text = v.against(was)
		}
		lines = append(lines, Line{key, text, guessed || !known})
	}
	return lines, unsaid
}

// key returns the name of a property, with the number of its element where there are several.
func key(f *pack.File, q *unreal.Property, decl pack.Declared, several map[unreal.NameIndex]bool) string {
	many := q.Index > 0
	if p := decl.Property(); p != nil {
		many = many || p.ArrayDim != 1
	} else {
		many = many || several[q.Name]
	}
	if many {
		return f.Name(q.Name) + "(" + strconv.Itoa(int(q.Index)) + ")"
	}
	return f.Name(q.Name)
}

// severals returns the names of which a later element is stored.
func severals(list []unreal.Property) map[unreal.NameIndex]bool {
	names := map[unreal.NameIndex]bool{}
	for i := range list {
		if list[i].Index > 0 {
			names[list[i].Name] = true
		}
	}
	return names
}

// ancestor is a class above another one, with its defaults by their names in small letters.
type ancestor struct {
	owner    *pack.File
	class    *unreal.Class
	defaults map[element]*unreal.Property
}

type element struct {
	name  string
	index int32
}

// ancestorsOf returns a class and those above it, as far as they are at hand.
func ancestorsOf(f *pack.File, c *unreal.Class) (line []ancestor) {
	for range schema.DefaultLimits.Depth {
		if c == nil {
			break
		}
		a := ancestor{f, c, map[element]*unreal.Property{}}
		for i := range c.Properties {
			q := &c.Properties[i]
			a.defaults[element{strings.ToLower(f.Name(q.Name)), q.Index}] = q // of two the last counts, as in the engine
		}
		line = append(line, a)
		f, c = f.Class(c.Super)
	}
	return line
}

// above returns the value that a property of the first class has in the others, up to the one that declares it; nil where
// it has none.
func above(line []ancestor, name string, index int32, decl pack.Declared, left *int) *value {
	declaring := decl.Class()
	for i, a := range line {
		if q := a.defaults[element{strings.ToLower(name), index}]; q != nil && i > 0 {
			if v, _, ok := decode(a.owner, q, decl, left); ok {
				return &v
			}
			return nil
		}
		if a.owner == decl.Owner && a.class.Path == declaring {
			return nil
		}
	}
	return nil
}

// decode reads the value of a tagged property. What it has of values in structs goes off what is left.
func decode(f *pack.File, q *unreal.Property, decl pack.Declared, left *int) (v value, guessed, ok bool) {
	d := &decoder{owner: f, Cursor: read.NewCursor(unreal.Format, q.Value, nil), left: left}
	v = d.tagged(q, decl)
	return v, d.guessed, !d.unknown && d.Err() == nil && d.Left() == 0
}

func (d *decoder) tagged(q *unreal.Property, decl pack.Declared) value {
	if q.Value == nil {
		return d.numeric(q, decl)
	}
	switch q.Type {
	case unreal.StrProperty:
		return quoted(d.str())
	case unreal.StringProperty:
		return quoted(strings.TrimRight(schema.DecodeWindows1252(d.Rest()), "\x00"))
	case unreal.VectorProperty:
		return d.known("Vector")
	case unreal.RotatorProperty:
		return d.known("Rotator")
	case unreal.StructProperty:
		if decl.Property() == nil || decl.Property().Class != "StructProperty" {
			return d.known(d.owner.Name(q.Struct))
		}
		return d.structOf(decl)
	case unreal.ArrayProperty:
		if decl.Property() != nil && decl.Property().Class == "ArrayProperty" {
			return d.arrayOf(decl)
		}
	}
	return d.fail()
}

// numeric reads a value that is one number.
func (d *decoder) numeric(q *unreal.Property, decl pack.Declared) value {
	switch q.Type {
	case unreal.ByteProperty:
		return d.byte(decl, q.Number)
	case unreal.IntProperty:
		return number(int64(q.Number))
	case unreal.BoolProperty:
		return boolean(q.Number != 0)
	case unreal.FloatProperty:
		return floating(math.Float32frombits(uint32(q.Number)))
	case unreal.ObjectProperty, unreal.ClassProperty:
		return d.object(unreal.Ref(q.Number))
	case unreal.NameProperty:
		return d.name(q.Number)
	}
	return d.fail()
}
