package rows_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/rows"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// shelf is a table of boxes and what is in them: "house" is one value, "colour" one of each box.
func shelf() *asset.Table {
	return &asset.Table{
		Columns: []string{"house", "box", "colour", "thing", "weight"},
		Keys:    []string{"box", "thing"}, Held: []int{0, 1, 1, 2, 2},
		Rows: [][]any{
			{"hall", int64(1), "red", int64(1), int64(10)},
			{"hall", int64(1), "red", int64(2), int64(20)},
			{"hall", int64(2), "blue", nil, nil},
			{"hall", int64(3), "grey", int64(1), int64(30)},
		},
	}
}

// merge merges lines of comma-separated cells, the first of which names the columns.
func merge(t *testing.T, stored *asset.Table, text string, prune bool, d *schema.Diagnostics) (*rows.Merged, error) {
	t.Helper()
	lines := strings.Split(text, "\n")
	edited := &asset.Table{Columns: strings.Split(lines[0], ",")}
	for i, line := range lines[1:] {
		var cells []any
		for _, c := range strings.Split(line, ",") {
			cells = append(cells, c)
		}
		edited.Rows, edited.Lines = append(edited.Rows, cells), append(edited.Lines, i+2)
	}
	return rows.Merge(edited, stored, prune, d)
}

// lines returns rows as lines, with what each was made from.
func lines(t *asset.Table) (list []string) {
	for i, cells := range t.Rows {
		var texts []string
		for _, c := range cells {
			texts = append(texts, rows.Text(c))
		}
		list = append(list, fmt.Sprint(strings.Join(texts, ","), " ", t.From[i]))
	}
	return list
}

const (
	heads = "house,box,colour,thing,weight\n"
	all   = heads + "hall,1,red,1,10\nhall,1,red,2,20\nhall,2,blue,,\nhall,3,grey,1,30"
)

var unchanged = []string{"hall,1,red,1,10 0", "hall,1,red,2,20 1", "hall,2,blue,, 2", "hall,3,grey,1,30 3"}

// TestMerge: what a table says, and what it does not say, of the rows that are stored.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name, text string
		prune      bool
		want       []string
		missing    int
		same       bool
	}{
		{"unchanged", all, false, unchanged, 0, true},
		{"sorted", heads + "hall,3,grey,1,30\nhall,2,blue,,\nhall,1,red,2,20\nhall,1,red,1,10", false, unchanged, 0, true},
		{"columns in another order", "weight, Thing ,colour,BOX,house\n10,1,red,1,hall\n20,2,red,1,hall\n,,blue,2,hall\n30,1,grey,3,hall", false,
			[]string{"10,1,red,1,hall 0", "20,2,red,1,hall 1", ",,blue,2,hall 2", "30,1,grey,3,hall 3"}, 0, true},
		{"as a spreadsheet writes numbers", heads + "hall,1.0,red,1,10\nhall,1,red,\" 2\",20\nhall,2,blue,0,0\nhall,3,grey,\"1\",30", false, nil, 0, false},
		{"rows missing", heads + "hall,1,red,2,21", false, []string{"hall,1,red,1,10 0", "hall,1,red,2,21 1", "hall,2,blue,, 2", "hall,3,grey,1,30 3"}, 3, false},
		{"rows missing, pruned", heads + "hall,1,red,2,21", true, []string{"hall,1,red,2,21 1"}, 3, false},
		{"columns missing", "box,thing,weight\n3,1,31", false, []string{"1,1,10 0", "1,2,20 1", "2,, 2", "3,1,31 3"}, 3, false},
		{"the edited copy of a box counts", heads + "hall,1,red,1,10\nhall,1,green,2,20\nhall,2,blue,,\nhall,3,grey,1,30", false,
			[]string{"hall,1,green,1,10 0", "hall,1,green,2,20 1", "hall,2,blue,, 2", "hall,3,grey,1,30 3"}, 0, false},
		{"the edited copy of the house counts, in rows that are missing too", heads + "barn,3,grey,1,30", false,
			[]string{"barn,1,red,1,10 0", "barn,1,red,2,20 1", "barn,2,blue,, 2", "barn,3,grey,1,30 3"}, 3, false},
		{"copies that agree", strings.ReplaceAll(all, "hall", "barn"), false,
			[]string{"barn,1,red,1,10 0", "barn,1,red,2,20 1", "barn,2,blue,, 2", "barn,3,grey,1,30 3"}, 0, false},
		{"new things and boxes", all + "\n,1,,3,5\nhall,9,pink,1,6\n,1,,,7\nhall,9,pink,2,8", false,
			[]string{"hall,1,red,1,10 0", "hall,1,red,2,20 1", "hall,1,red,3,5 -1", "hall,1,red,,7 -1", "hall,2,blue,, 2", "hall,3,grey,1,30 3", "hall,9,pink,1,6 -1", "hall,9,pink,2,8 -1"}, 0, false},
		{"by order, as before there was a column of things", "house,box,colour,weight\nhall,1,red,10\nhall,1,red,22\nhall,2,blue,0\nhall,3,grey,30", false,
			[]string{"hall,1,red,10,1 0", "hall,1,red,22,2 1", "hall,2,blue,, 2", "hall,3,grey,30,1 3"}, 0, false},
		{"by order, pruned", "house,box,colour,weight\nhall,1,red,10", true, []string{"hall,1,red,10,1 0"}, 3, false},
	} {
		m, err := merge(t, shelf(), c.text, c.prune, nil)
		if c.want == nil { // quotes are csv's
			m, err = merge(t, shelf(), strings.ReplaceAll(c.text, `"`, ""), c.prune, nil)
			c.want, c.same = unchanged, true
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := lines(m.Table); strings.Join(got, "\n") != strings.Join(c.want, "\n") || len(m.Missing) != c.missing || m.Same() != c.same {
			t.Errorf("%s: %d missing, same %v\n%s", c.name, len(m.Missing), m.Same(), strings.Join(got, "\n"))
		}
	}
}

// TestMergeFaults: everything that is wrong is said at once, with its line and column.
func TestMergeFaults(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a row twice", all + "\nhall,1,red,2,20", []string{"line 6: box, thing: 1, 2 stands in line 3 already"}},
		{"a new row twice", all + "\nhall,4,red,2,20\nhall,4,red,2,20", []string{"line 7: box, thing: 4, 2 stands in line 6 already"}},
		{"a column twice", "house,box,thing,House\nhall,1,1,hall", []string{"line 1: house: the column is there twice"}},
		{"two values of a box", strings.Replace(strings.Replace(all, "red,1", "green,1", 1), "red,2", "pink,2", 1), []string{"line 3: colour: pink, and green in line 2: the rows share one value"}},
		{"two values of the house", strings.Replace(strings.Replace(all, "hall", "barn", 1), "hall,3", "shed,3", 1), []string{"line 5: house: shed, and barn in line 2: the rows share one value"}},
		{"a new row of another house", all + "\nbarn,1,red,3,1\nshed,1,red,4,1", []string{"line 7: house: shed, and barn in line 6: the rows share one value"}},
		{"no numbers", strings.NewReplacer("10", "ten", "30", "1.5").Replace(all), []string{`line 2: weight: "ten" is no whole number`, `line 5: weight: "1.5" is no whole number`}},
		{"nothing known, in one column", "kiste\n1", []string{"line 1: no column is known of kiste: they are house, box, colour, thing, weight"}},
		{"keys alone known", "kiste,box,thing\n1,1,1", []string{"line 1: no column is known of kiste: they are house, box, colour, thing, weight"}},
		{"nothing known", "kiste,ding\n1,1", []string{"line 1: no column is known of kiste, ding: they are house, box, colour, thing, weight"}},
		{"rows missing without a key", "house,box,weight\nhall,1,10", []string{`line 1: there are 1 rows of 4, and no column "thing"`}},
	} {
		_, err := merge(t, shelf(), c.text, false, nil)
		if err == nil {
			t.Errorf("%s: it is taken", c.name)
			continue
		}
		got := strings.Split(err.Error(), "\n")
		if len(got) != len(c.want) || schema.Class(err) != schema.ErrValue {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.want[i]) {
				t.Errorf("%s: %q, want %q", c.name, got[i], c.want[i])
			}
		}
	}
	d := new(schema.Diagnostics)
	m, err := merge(t, shelf(), "box,thing,weight,remark\n1,1,11,mine", false, d)
	if err != nil || !d.Has("unknown-column") || strings.Join(m.Table.Columns, ",") != "box,thing,weight" || lines(m.Table)[0] != "1,1,11 0" {
		t.Errorf("a column of one's own: %v, %v", err, d.All())
	}
}

// TestMergeOrders: rows without their keys are taken as they stand, and what is new belongs to the row before it.
func TestMergeOrders(t *testing.T) {
	boxes := func(rows ...[]any) *asset.Table {
		return &asset.Table{Columns: []string{"box", "colour", "thing"}, Keys: []string{"box", "thing"}, Held: []int{1, 1, 2}, Rows: rows}
	}
	one := []any{int64(7), "red", int64(1)}
	for _, c := range []struct {
		name   string
		stored *asset.Table
		text   string
		want   []string
	}{
		{"one more", boxes(one), "colour\nred\nred", []string{"red,7,1 0", "red,7, -1"}},
		{"two more", boxes(one), "box,colour\n7,red\n,red\n8,blue", []string{"7,red,1 0", ",red, -1", "8,blue, -1"}},
		{"the first of all", boxes(), "colour\nred", []string{"red,, -1"}},
		{"another box", boxes(one, []any{int64(8), "blue", int64(1)}), "box,colour\n9,red\n8,blue", []string{"9,red, 0", "8,blue,1 1"}},
		{"a new thing in another colour", boxes(one, []any{int64(8), "blue", int64(1)}), "box,colour,thing\n7,red,1\n7,pink,2\n8,blue,1", []string{"7,pink,1 0", "7,pink,2 -1", "8,blue,1 1"}},
		{"a box in the colour of another", boxes(one, []any{int64(8), "blue", int64(1)}), "box,colour,thing\n7,blue,1\n8,blue,1", []string{"7,blue,1 0", "8,blue,1 1"}},
	} {
		m, err := merge(t, c.stored, c.text, false, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := lines(m.Table); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s", c.name, strings.Join(got, "\n"))
		}
	}
}

// TestMergeNested: what is new goes to what holds it, however deep; a key is the text that is stored, if that is no number.
func TestMergeNested(t *testing.T) {
	stored := &asset.Table{Columns: []string{"a", "b", "c"}, Keys: []string{"a", "b", "c"}, Rows: [][]any{{"007", int64(1), int64(1)}, {"007", int64(2), int64(1)}, {"x", int64(1), int64(1)}}}
	if m, err := merge(t, shelf(), all+"\nhall,1,red,3,", false, nil); err != nil || m.Table.Rows[2][4] != nil || m.Table.Rows[2][2] != "red" {
		t.Errorf("a new row without a weight: %v, %v", m, err)
	}
	m, err := merge(t, stored, "a,b,c\n007,1,1\n007, 2.0,1\nx,1,1\nx,2,1\n7,1,1\n007,1,2\nx,1,2\n007,3,1\n007,2,2", false, nil)
	want := "007,1,1 0\n007,1,2 -1\n007,2,1 1\n007,2,2 -1\n007,3,1 -1\nx,1,1 2\nx,1,2 -1\nx,2,1 -1\n7,1,1 -1"
	if err != nil || strings.Join(lines(m.Table), "\n") != want {
		t.Errorf("%v, %v", m, err)
	}
}

// TestPlace: a row stands in its line where that is known.
func TestPlace(t *testing.T) {
	for i, want := range []string{"line 5", "row 2", "line 1", "row 4"} {
		if got := rows.Place(&asset.Table{Lines: []int{5, 0, 1}}, i); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
}

// TestVerifyEmpty: a cell that was emptied has to be empty, but for a key, which the record gives itself.
func TestVerifyEmpty(t *testing.T) {
	want := &asset.Table{Columns: []string{"id", "name", "remark"}, Keys: []string{"id"}, Rows: [][]any{{"", "", "mine"}}}
	for name, c := range map[string]string{"": "<nil>", "left": `row 1: name: "" would become "left"`} {
		if err := rows.Verify(want, &asset.Table{Columns: []string{"id", "name"}, Rows: [][]any{{int64(7), name}}}); fmt.Sprint(err) != c {
			t.Errorf("%q: %v, want %s", name, err, c)
		}
	}
}

// Keys that are stored several times are told apart by what else the rows say, and else by their order.
func TestMergeKeysTwice(t *testing.T) {
	stored := func() *asset.Table {
		return &asset.Table{Columns: []string{"id", "name"}, Keys: []string{"id"}, Rows: [][]any{{int64(1), "head"}, {int64(1), "skull"}, {int64(2), "neck"}}}
	}
	for text, want := range map[string]string{
		"id,name\n1,skull\n2,neck\n1,head": "1,head 0\n1,skull 1\n2,neck 2",
		"id,name\n1,skull\n2,neck\n1,Kopf": "1,Kopf 0\n1,skull 1\n2,neck 2",
		"id,name\n1,Kopf\n2,neck\n1,skull": "1,Kopf 0\n1,skull 1\n2,neck 2",
		"id,name\n1,head\n2,neck\n1,Hirn":  "1,head 0\n1,Hirn 1\n2,neck 2",
		"id,name\n1,skull":                 "1,head 0\n1,skull 1\n2,neck 2",
	} {
		m, err := merge(t, stored(), text, false, nil)
		if err != nil || strings.Join(lines(m.Table), "\n") != want {
			t.Errorf("%q: %v, %v", text, m, err)
		}
	}
	if _, err := merge(t, stored(), "id,name\n1,a\n1,b\n1,c", false, nil); err == nil || !strings.HasPrefix(err.Error(), "line 4: id: 1 stands in line 2 already") {
		t.Error(err)
	}
	swapped := &asset.Table{Columns: []string{"name", "id"}, Keys: []string{"id"}, Rows: [][]any{{"head", int64(1)}, {"skull", int64(1)}}}
	if m, err := merge(t, swapped, "name,id\nskull,1\nhead,1", false, nil); err != nil || !m.Same() {
		t.Errorf("told apart by the first column: %v, %v", m, err)
	}
	one := &asset.Table{Columns: []string{"x"}, Rows: [][]any{{int64(1)}}}
	if _, err := merge(t, one, "x\n1\n2", false, nil); err == nil || !strings.HasPrefix(err.Error(), "line 3: a second row, where one is all there is: line 2") {
		t.Error(err)
	}
}

// TestVerify: what does not arrive is named by its line and column, empty cells ask for nothing.
func TestVerify(t *testing.T) {
	want := &asset.Table{Columns: []string{"id", "name", "mark"}, Keys: []string{"id"}, Rows: [][]any{{int64(1), "a\nb", nil}, {"2", "c", "0.1"}}, Lines: []int{2, 4}}
	for _, c := range []struct {
		got  [][]any
		want string
	}{
		{[][]any{{int64(1), "a\r\nb", int64(7)}, {int64(2), "c", float64(float32(0.1))}}, ""},
		{[][]any{{int64(1), "a\nb", nil}, {int64(2), "C", 0.1}}, `line 4: name: "c" would become "C"`},
		{[][]any{{int64(1), "a\nb", nil}, {int64(3), "c", 0.1}}, `line 4: id: "2" would become "3"`},
		{[][]any{{int64(1), "a\nb", nil}}, "table: rows: 2 rows would become 1"},
	} {
		err := rows.Verify(want, &asset.Table{Columns: want.Columns, Rows: c.got})
		for _, cells := range c.got { // the columns stand elsewhere in the record
			cells[0], cells[2] = cells[2], cells[0]
		}
		if other := rows.Verify(want, &asset.Table{Columns: []string{"mark", "name", "id"}, Rows: c.got}); fmt.Sprint(other) != fmt.Sprint(err) {
			t.Errorf("%v: %v in another order, and %v", c.got, other, err)
		}
		if text := fmt.Sprint(err); (err == nil) != (c.want == "") || err != nil && text != c.want {
			t.Errorf("%v: %v", c.got, err)
		}
	}
}
