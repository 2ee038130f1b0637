package ultima9

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// viewOf returns what shows values of a format as a table; nil where nothing does.
func viewOf(f *format.Format) *format.Format {
	for _, v := range append([]*format.Format{f}, f.Views...) {
		if v.Kind == format.Table && v.Lift != nil && f.Lower != nil {
			return v
		}
	}
	return nil
}

// TestWordsInTables: in every column whose numbers have names, every bit and its number arrive, as words, as a number and in
// capitals, and a strange word is refused with its row, its column and the words that are known.
func TestWordsInTables(t *testing.T) {
	columns, arrived := map[string]int{}, 0
	for _, file := range []string{"woods.area", "cellar.space", "people.npc", "fixed.9", "nonfixed.9", "types.dat"} {
		b := u9.Do(write.Types(&ultima9.Types{Records: make([]ultima9.Type, ultima9.TypeCount)}))(t)
		if file != "types.dat" {
			b = corpus.Bytes(t, corpus.Testdata(t, "ultima9", file))
		}
		for i := range Formats {
			f := &Formats[i]
			view := viewOf(f)
			if view == nil || f.Probe(&format.Input{Name: file, Head: b, Size: int64(len(b)), At: strings.NewReader(string(b))}) == format.No {
				continue
			}
			v, err := f.Read(b, nil)
			if err != nil {
				continue
			}
			table := func(v any) *asset.Table { // its first rows
				a := u9.Do(view.Lift(v, nil))(t).(*asset.Table)
				a.Rows = a.Rows[:min(len(a.Rows), 8)]
				return a
			}
			stored := table(v)
			for k := range stored.Columns {
				at := slices.IndexFunc(stored.Rows, func(row []any) bool { _, ok := row[k].(rows.Named); return ok })
				if at < 0 {
					continue
				}
				named := stored.Rows[at][k].(rows.Named)
				columns[file+" "+stored.Columns[k]]++
				edited := func(text string) (*asset.Table, error) {
					a := asCSV(table(v))
					for row := range a.Rows { // some repeat what holds them
						if stored.Rows[row][k] != nil {
							a.Rows[row][k] = text
						}
					}
					m, err := rows.Merge(a, stored, false, nil)
					if err != nil {
						return nil, err
					}
					x, err := f.Lower(m.Table, nil)
					if err != nil {
						return nil, err
					}
					if view != f {
						return table(x), nil
					}
					return table(u9.Do(f.Read(u9.Do(f.Write(x))(t), nil))(t)), nil
				}
				for bit := range reflect.TypeOf(named).Bits() {
					want := reflect.New(reflect.TypeOf(named)).Elem()
					want.SetUint(1 << bit)
					words := want.Interface().(rows.Named).String()
					for _, text := range []string{words, strings.ToUpper(words[:1]) + words[1:], fmt.Sprint(want.Uint()), fmt.Sprintf("%#x", want.Uint())} {
						got, err := edited(text)
						if err != nil && text != words && text != fmt.Sprint(want.Uint()) {
							continue // names of values, such as male, are as they are
						}
						if err != nil || got.Rows[at][k] != want.Interface() {
							t.Errorf("%s: %s: %q became %v, want %v", file, stored.Columns[k], text, got, err)
							continue
						}
						arrived++
					}
				}
				if _, err := edited("strange"); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("row %d: ", at+1)+stored.Columns[k]+`: "strange" is n`) || !strings.Contains(err.Error(), " number in range") {
					t.Errorf("%s: %s: a strange word: %v", file, stored.Columns[k], err)
				}
			}
		}
	}
	t.Log(len(columns), "columns,", arrived, "values arrived")
	if len(columns) < 10 {
		t.Errorf("only %v", columns)
	}
}

// TestObjectDoubts: what the game would stumble over in an object is warned of once, in a table with its row, in a scene and in
// a document; of what was stored so nothing is said.
func TestObjectDoubts(t *testing.T) {
	b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "fixed.9"))
	for _, c := range []struct {
		name   string
		column string
		cell   any // in the table
		object func(*ultima9.Object)
		want   []string
	}{
		{"nothing", "X", nil, func(*ultima9.Object) {}, nil},
		{"flags", "Flags", "collide", func(o *ultima9.Object) { o.Flags = ultima9.ObjectCollides }, []string{"object-required"}},
		{"more flags", "Flags", "required|semitransparent", func(o *ultima9.Object) { o.Flags |= ultima9.ObjectHalfClear }, nil},
		{"type", "Type", "8192", func(o *ultima9.Object) { o.Type = 8192 }, []string{"object-type"}},
		{"last type", "Type", "8191", func(o *ultima9.Object) { o.Type = 8191 }, nil},
		{"rotation", "Rotation 4", "0", func(o *ultima9.Object) { o.Rotation = [4]int16{} }, []string{"object-rotation"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := func(way, place string, d *schema.Diagnostics) {
				var got []string
				for _, x := range d.All() {
					if strings.HasPrefix(x.Code, "object-") {
						got = append(got, x.Code)
						if !strings.Contains(x.Path, place) {
							t.Errorf("%s: it lies at %q, want %q", way, x.Path, place)
						}
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("%s: said %q, want %q", way, got, c.want)
				}
			}
			read := func() *ultima9.ObjectFile { return u9.Do(fixedFormat.Read(b, nil))(t).(*ultima9.ObjectFile) }
			view := viewOf(&fixedFormat)
			stored := u9.Do(view.Lift(read(), nil))(t).(*asset.Table)
			a := u9.Do(view.Lift(read(), nil))(t).(*asset.Table)
			if k := slices.Index(a.Columns, c.column); c.cell != nil {
				a.Rows[1][k] = c.cell
			}
			d := new(schema.Diagnostics)
			u9.Do(fixedFormat.Lower(u9.Do(rows.Merge(a, stored, false, nil))(t).Table, &format.Env{Diagnostics: d}))(t)
			said("a table", "row 2", d)

			x := read()
			c.object(x.Objects[1])
			d = new(schema.Diagnostics)
			fixedFormat.Doubt(x, d)
			said("a document", "object 2 at 0x78", d)

			if c.name == "rotation" {
				return // a scene has turns alone
			}
			s := u9.Do(fixedFormat.Lift(read(), nil))(t).(*asset.Scene)
			s.Walk(func(n, _ *asset.Node) {
				if isObjectNode(n) && scene.ShownWhole(n.Native, "offset", 0) == 0x78 {
					n.Native.Values["flags"], n.Native.Values["type"] = int64(x.Objects[1].Flags), int64(x.Objects[1].Type)
				}
			})
			d = new(schema.Diagnostics)
			u9.Do(fixedFormat.Lower(s, &format.Env{Diagnostics: d}))(t)
			said("a scene", "_78", d)
		})
	}
	bad, d := &ultima9.Object{Type: 60000}, new(schema.Diagnostics)
	if world.DoubtObject(ultima9.Fixed, bad, bad, "", d); len(d.All()) > 0 {
		t.Errorf("of what was stored so: %v", d.All())
	}
}
