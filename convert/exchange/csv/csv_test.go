package csv_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/exchange/csv"
)

func utf16LE(s string) []byte {
	var b bytes.Buffer
	b.WriteString("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		_ = binary.Write(&b, binary.LittleEndian, u) // cannot fail
	}
	return b.Bytes()
}

// TestDialects: one table as spreadsheets of several countries write it.
func TestDialects(t *testing.T) {
	want := &csv.Table{Columns: []string{"slot", "text", "x"}, Rows: [][]string{{"1", "a;b,c\nd\t\"e\"", ""}, {"2", "", "ü"}}, Lines: []int{2, 3}}
	const row = "1,\"a;b,c\nd\t\"\"e\"\"\",\n2,,ü\n"
	plain := "slot,text,x\n" + row
	with := func(c string) string {
		return "slot" + c + "text" + c + "x\n1" + c + "\"a;b,c\nd\t\"\"e\"\"\"" + c + "\n2" + c + c + "ü\n"
	}
	for name, c := range map[string]struct {
		b        []byte
		encoding string
	}{
		"comma":         {[]byte(plain), "utf-8"},
		"mark":          {[]byte("\ufeff" + plain), "utf-8"},
		"crlf":          {[]byte(strings.ReplaceAll(plain, "\n", "\r\n")), "utf-8"},
		"semicolon":     {[]byte("\ufeff" + with(";")), "utf-8"},
		"tab":           {[]byte(with("\t")), "utf-8"},
		"said":          {[]byte("sep=;\r\n" + with(";")), "utf-8"},
		"unicode text":  {utf16LE(strings.ReplaceAll(with("\t"), "\n", "\r\n")), "utf-16"},
		"old":           {bytes.ReplaceAll([]byte(with(";")), []byte("ü"), []byte{0xFC}), "windows-1252"},
		"old mac":       {[]byte(strings.ReplaceAll(plain, "\n", "\r")), "utf-8"},
		"blank rows":    {[]byte(with(";") + ";;\r\n;;\r\n\r\n"), "utf-8"},
		"wider":         {[]byte("slot,text,x,,\n" + strings.ReplaceAll(row, "ü", "ü,,,")), "utf-8"},
		"quoted header": {[]byte("\"slot\";\"text\";\"x\"\n" + strings.SplitAfterN(with(";"), "\n", 2)[1]), "utf-8"},
	} {
		got, err := csv.Decode(c.b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want.Encoding = c.encoding
		for i := range got.Rows { // line ends in cells are as the file has them
			got.Rows[i][1] = strings.ReplaceAll(got.Rows[i][1], "\r\n", "\n")
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Rows that lack cells are filled up; those that have too many, and files that are none, are refused by line.
func TestRagged(t *testing.T) {
	got, err := csv.Decode([]byte("a,b,c\n1\n2,3\n"))
	if err != nil || !cmp.Equal(got.Rows, [][]string{{"1", "", ""}, {"2", "3", ""}}) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = csv.Decode([]byte("a,b\r\n1,\"x\r\ny\"\r\n\r\n,\r\n2,\"\"\"\"\r\n"))
	if err != nil || !cmp.Equal(got.Rows, [][]string{{"1", "x\r\ny"}, {"2", `"`}}) || !cmp.Equal(got.Lines, []int{2, 5}) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, c := range [][2]string{
		{"a,b\n1,2\n1,2,3\n", "line 3: 3 cells"}, {"", "empty"}, {"a,b\n1,\"2\n", "line 2"}, {"a,b\n1,2\"3\n", "line 2"},
		{"a,b\n\"x\ny\",2\n\n1,2,3\n\"1\"2,3\n", "line 4: 3 cells, and the first line names 2 columns\nline 5: "},
	} {
		if _, err := csv.Decode([]byte(c[0])); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%q: %v, want %q", c[0], err, c[1])
		}
	}
}

// TestSmall: what little there is of a table says how it is written.
func TestSmall(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns []string
		rows    [][]string
	}{
		{"a;b\n1;2\n", []string{"a", "b"}, [][]string{{"1", "2"}}}, {"a\tb\n1\t2", []string{"a", "b"}, [][]string{{"1", "2"}}}, {"a\nb\n", []string{"a"}, [][]string{{"b"}}}, {"a\nb", []string{"a"}, [][]string{{"b"}}},
		{"a,b;c\n1,2\n", []string{"a", "b;c"}, [][]string{{"1", "2"}}}, {"a,b;c;d\n1;2\n", []string{"a,b", "c", "d"}, [][]string{{"1", "2", ""}}}, {"\"a;b;c\",d\n1,2\n", []string{"a;b;c", "d"}, [][]string{{"1", "2"}}},
		{"\"a;b\",\"c;d\",\"e;f\"\n1,2,3\n", []string{"a;b", "c;d", "e;f"}, [][]string{{"1", "2", "3"}}},
		{"sep=x y,b\n1,2\n", []string{"sep=x y", "b"}, [][]string{{"1", "2"}}}, {"sep=|\na|b\n1|2,3\n", []string{"a", "b"}, [][]string{{"1", "2,3"}}}, {"sep=\n1\n", []string{"sep="}, [][]string{{"1"}}},
		{"a,b\r\n1\r,2\r\n", []string{"a", "b"}, [][]string{{"1\r", "2"}}}, {"a,b\n1,2\r", []string{"a", "b"}, [][]string{{"1", "2"}}}, {"a,b\n\"1\"\r\n\"2\",\"3\"", []string{"a", "b"}, [][]string{{"1", ""}, {"2", "3"}}},
		{"\xfe\xff\x00a\x00,\x20\xac\x00\n\x001", []string{"a", "€"}, [][]string{{"1", ""}}}, {"a\n\xe9\x80\n", []string{"a"}, [][]string{{"é€"}}},
	} {
		got, err := csv.Decode([]byte(c.text))
		if err != nil || !cmp.Equal(got.Columns, c.columns) || !cmp.Equal(got.Rows, c.rows) {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("slot,text\n1,a\n"))
	f.Add([]byte("sep=;\r\n\"slot\";text\r\n1;\"a;\"\"\"\r\n;\r\n"))
	f.Add(utf16LE("slot\ttext\n1\ta\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := csv.Decode(b)
		if err != nil {
			return
		}
		if len(x.Lines) != len(x.Rows) {
			t.Fatalf("%d lines of %d rows", len(x.Lines), len(x.Rows))
		}
		for _, row := range x.Rows {
			if len(row) != len(x.Columns) {
				t.Fatalf("%d cells in %d columns", len(row), len(x.Columns))
			}
		}
	})
}
