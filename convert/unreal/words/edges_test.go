package words

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// What is told of a file: how its letters are stored, its lines, and its sections, of which one that is there twice is one.
func TestFacts(t *testing.T) {
	encodings := map[string]string{"UTF-8": "UTF-8", "UTF-16": "UTF-16", "UTF-16, high byte first": "UTF-16, high byte first"}
	for name, b := range files() {
		want := encodings[name]
		if want == "" {
			want = "one byte a letter"
		}
		if got := fmt.Sprint(opened(t, b).Facts()); got != fmt.Sprintf("[{encoding %s} {lines 13} {sections 2}]", want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// traced opens a file, reads its values as explain does, and returns what was told of its bytes, a span a line.
func traced(t *testing.T, b []byte) []string {
	t.Helper()
	var trace schema.Trace
	d := new(schema.Diagnostics)
	d.Record(&trace)
	x, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Diagnostics: d})
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range x.Entries() {
		p, err := x.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		if e.Offset >= 0 {
			trace.Place(p, e.Offset)
		}
		if _, err := e.Format.Read(p, d); err != nil {
			t.Fatal(err)
		}
	}
	var list []string
	for _, s := range trace.Spans {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%d+%d %d %s %s %s", s.Offset, s.Size, s.Count, s.Layout, s.Path, s.Field)))
	}
	return list
}

// Every byte of a file is told of once, in the coding of the file.
func TestTrace(t *testing.T) {
	const text = "; x\n[P]\na=bc\nnone"
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"code page", text, []string{
			"0+3 1 text line 1 line", "3+1 1 bytes line 1 end", "4+3 1 text line 2 section", "7+1 1 bytes line 2 end",
			"8+2 1 text line 3 key", "12+1 1 bytes line 3 end", "13+4 1 text line 4 line", "10+2 1 text  value",
		}},
		{"UTF-8", "\ufeff" + text, []string{
			"0+3 1 bytes  mark", "3+3 1 utf-8 line 1 line", "6+1 1 bytes line 1 end", "7+3 1 utf-8 line 2 section", "10+1 1 bytes line 2 end",
			"11+2 1 utf-8 line 3 key", "15+1 1 bytes line 3 end", "16+4 1 utf-8 line 4 line", "13+2 1 utf-8  value",
		}},
		{"UTF-16", "\xff\xfe" + string(little.store(text)) + "?", []string{
			"0+2 1 bytes  mark", "2+6 1 wide line 1 line", "8+2 1 bytes line 1 end", "10+6 1 wide line 2 section", "16+2 1 bytes line 2 end",
			"18+4 1 wide line 3 key", "22+4 1 wide line 3 value", "26+2 1 bytes line 3 end", "28+8 1 wide line 4 line", "36+1 1 bytes  rest",
		}},
		{"UTF-16, high byte first", "\xfe\xff" + string(big.store("a=b")), []string{
			"0+2 1 bytes  mark", "2+4 1 bytes line 1 key", "6+2 1 bytes line 1 value",
		}},
	} {
		got := traced(t, []byte(c.file))
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s", c.name, strings.Join(got, "\n"))
		}
	}
}

// Letters that are not in ASCII have both of their bytes: 話 is 8A 71, and ⨀ and ഊ have the bytes of line feeds in one of
// theirs.
func TestWideLetters(t *testing.T) {
	for _, c := range []struct {
		coding coding
		file   string
		values []string
	}{
		{little, "\xff\xfea\x00=\x00q\x8a\n\x00b\x00=\x00\x00\x2a\x0a\x0d", []string{"話", "⨀ഊ"}},
		{big, "\xfe\xff\x00a\x00=\x8aq\x00\n\x00b\x00=\x2a\x00\x0d\x0a", []string{"話", "⨀ഊ"}},
		{little, "\xff\xfe=\x0a=\x00a\x00", []string{"a"}}, // the first has a byte of "=" and is none
		{big, "\xfe\xff\x0a=\x00=\x00a", []string{"a"}},
	} {
		a := opened(t, []byte(c.file))
		var values []string
		for i := range a.Entries() {
			p, _ := a.Payload(i)
			values = append(values, string(p))
		}
		if strings.Join(values, "|") != strings.Join(c.values, "|") {
			t.Errorf("%q: %q", c.file, values)
		}
		if err := a.Replace(0, []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := a.Replace(0, []byte(c.values[0])); err != nil || string(saved(t, a)) != c.file {
			t.Errorf("%q there and back is %q, %v", c.file, saved(t, a), err)
		}
	}
}

// What was replaced lies nowhere in the file, and is as long as what it was replaced by; the same value is no edit.
func TestReplaced(t *testing.T) {
	a := opened(t, []byte(hall))
	if e := a.Entries()[0]; e.Offset != int64(strings.Index(hall, "(Name=Hall.Lamp)")) || e.Size != 16 {
		t.Errorf("it lies at %d with %d bytes", e.Offset, e.Size)
	}
	was := a.Entries()[0]
	if err := a.Replace(0, []byte("(Name=Hall.Lamp)")); err != nil || a.Entries()[0] != was {
		t.Errorf("the same value: %+v, %v", a.Entries()[0], err)
	}
	if err := a.Replace(0, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if e := a.Entries()[0]; e.Offset != -1 || e.Size != 3 {
		t.Errorf("replaced, it lies at %d with %d bytes", e.Offset, e.Size)
	}
	if err := a.Add("Lamp/Bad", []byte("a\nb"), nil); schema.Class(err) != schema.ErrValue || len(a.Entries()) != 6 {
		t.Errorf("two lines are added: %v", err)
	}
	if err := a.Add("Lamp/New", []byte("v"), nil); err != nil {
		t.Fatal(err)
	}
	for _, e := range a.Entries() {
		if edited := e.Path == "Public/Object" || e.Path == "Lamp/New"; edited != (e.Offset == -1) {
			t.Errorf("%s lies at %d", e.Path, e.Offset)
		}
	}
	if err := a.Remove(1); err != nil || len(a.Entries()) != 6 || a.Entries()[1].Path != "Lamp/Title" {
		t.Errorf("one taken out leaves %v, %v", a.Entries(), err)
	}
	for _, e := range opened(t, files()["UTF-16"]).Entries() {
		if e.Offset != -1 {
			t.Errorf("%s is stored in two bytes a letter, and lies at %d as it is shown", e.Path, e.Offset)
		}
	}
}

// short is a file of which only some bytes can be read.
type short struct {
	n    int
	err  error
	from io.ReaderAt
}

func (s short) ReadAt(b []byte, at int64) (int, error) {
	n, _ := s.from.ReadAt(b[:s.n], at)
	return n, s.err
}

// A file that cannot be read whole is refused, and one that is read whole is not, whatever is said of its end.
func TestOpenShort(t *testing.T) {
	from := strings.NewReader(hall)
	for _, c := range []struct {
		n    int
		err  error
		want error
	}{
		{len(hall), nil, nil}, {len(hall), io.EOF, nil}, {len(hall) - 1, io.EOF, schema.ErrTruncated},
		{len(hall), errors.New("broken"), schema.ErrTruncated}, {3, errors.New("broken"), schema.ErrTruncated},
	} {
		_, err := open(short{c.n, c.err, from}, int64(len(hall)), nil)
		if schema.Class(err) != c.want {
			t.Errorf("%d bytes, %v: %v", c.n, c.err, err)
		}
	}
	if _, err := open(from, most+1, nil); schema.Class(err) != schema.ErrLimit {
		t.Errorf("a file that is too large: %v", err)
	}
	for size, want := range map[int64]format.Confidence{most: format.Structural, most + 1: format.No} {
		if got := probe(&format.Input{Name: "a.int", Head: []byte("[P]"), Size: size}); got != want {
			t.Errorf("%d bytes: %v", size, got)
		}
	}
	if got := probe(&format.Input{Name: "a.int", Head: []byte("\x00[P]"), Size: 4}); got != format.No {
		t.Errorf("a zero at the beginning: %v", got)
	}
}

// Of keys that are there several times each has a path of its own, also where such a path is a key itself.
func TestPaths(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"a=1\na=2\na=3\n", "/a /a@2 /a@3"},
		{"a=1\na@2=2\nA=3\n", "/a /a@2 /A@3"},
		{"a@2=1\na=2\na=3\n", "/a@2 /a /a@3"},
		{"a=1\na=2\na@2=3\na@2=4\n", "/a /a@2 /a@2@2 /a@2@3"},
		{"[S]\na=1\n[T]\na=2\n[s]\na=3", "S/a T/a s/a@2"},
		{"[open\na=1\n[S] rest\nb=2\n  [T] \n c = 3\n", "/a S/b T/c"},
		{"Caf\xe9=1\n[\x80]\nx=\x80\n", "/Café €/x"},
		{"\xef\xbb\xbf\xff=1\n", "/\ufffd"},
		{"=1\n =2\n;a=1\n//b=2\n/c=3\n", "//c"},
		{"\xff\xfea\x00=\x00\x01", "/a"},
	} {
		var paths []string
		for _, e := range opened(t, []byte(c.file)).Entries() {
			paths = append(paths, e.Path)
		}
		if got := strings.Join(paths, " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.file, got, c.want)
		}
	}
}

// A number behind a key says which of several it is, and is no part of it; what cannot be such a number is.
func TestNumberedKeys(t *testing.T) {
	for _, c := range []struct{ path, line string }{
		{"Lamp/Hint@2", "Hint=v"}, {"Lamp/Hint@32766", "Hint=v"}, {"Lamp/Hint@32767", "Hint@32767=v"}, {"Lamp/Hint@1", "Hint@1=v"},
		{"Lamp/Hint@-2", "Hint@-2=v"}, {"Lamp/@2", "@2=v"}, {"Lamp/Hint@", "Hint@=v"},
	} {
		a := opened(t, []byte(hall))
		if err := a.Add(c.path, []byte("v"), nil); err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if got, want := string(saved(t, a)), strings.Replace(hall, "Empty=\r\n", "Empty=\r\n"+c.line+"\r\n", 1); got != want {
			t.Errorf("%s: %q", c.path, got)
		}
	}
}

// What a new line becomes in files of few lines: those of no section stand before all, and lines have the ends of the file.
func TestFirstLines(t *testing.T) {
	for _, c := range []struct{ file, path, want string }{
		{"", "S/a", "[S]\r\na=v\r\n"}, {"", "a", "a=v\r\n"},
		{"\xff\xfe", "a", "\xff\xfea\x00=\x00v\x00\r\x00\n\x00"},
		{"x", "a", "x\r\na=v"}, {"x\n", "S/a", "x\n[S]\na=v\n"}, {"x\n\ny", "a", "x\n\ny\na=v"},
		{"[S]\nb=1", "a", "a=v\n[S]\nb=1"}, {"[S]\n\n[T]\n", "S/a", "[S]\na=v\n\n[T]\n"}, {"[S]\n; x\nb=1\n; y\n", "S/a", "[S]\n; x\nb=1\na=v\n; y\n"},
		{"\n", "S/a", "\n[S]\na=v\n"}, {"[S]\r", "S/a", "[S]\ra=v\r"},
		{"[S]", "S/a", "[S]\r\na=v"}, {"[S]\rb=1", "T/a", "[S]\rb=1\r[T]\ra=v"},
	} {
		a := opened(t, []byte(c.file))
		if err := a.Add(c.path, []byte("v"), nil); err != nil {
			t.Errorf("%q: %v", c.file, err)
		} else if got := string(saved(t, a)); got != c.want {
			t.Errorf("%q with %s: %q, want %q", c.file, c.path, got, c.want)
		}
	}
}

// A text that was not edited keeps its bytes, whatever ends it; one that was has those of its letters alone.
func TestKeptLine(t *testing.T) {
	f := lineFormat(single)
	stored := func(b string) *asset.Native { return &asset.Native{Format: lineName, Payload: []byte(b)} }
	for _, c := range []struct {
		name, body, want string
		native           *asset.Native
	}{
		{"untouched", "a\n", "a\n", stored("a\n")}, {"edited", "b\n", "b", stored("a\n")}, {"of another format", "a\n", "a", &asset.Native{Format: "other", Payload: []byte("a\n")}},
		{"new", "a\r\n", "a", nil}, {"a carriage return alone", "a\r", "a", nil},
	} {
		v, err := f.Lower(&asset.Text{Body: c.body, Native: c.native}, nil)
		if err != nil || string(v.(*Value).Bytes) != c.want {
			t.Errorf("%s: %q, %v", c.name, v, err)
		}
	}
	x, err := f.Lift(&Value{[]byte("Caf\xe9")}, &format.Env{Entry: "Title"})
	if err != nil {
		t.Fatal(err)
	}
	if text := x.(*asset.Text); text.Name != "line_Title" || text.Extension != ".txt" || text.Body != "Café" {
		t.Errorf("%+v", text)
	}
	if _, err := f.Lift(&Value{[]byte("a")}, &format.Env{Options: format.Options{CodePage: "nonsense"}}); err == nil {
		t.Error("there is no such page")
	}
	if b, err := f.Write(&Value{[]byte("a\nb")}); err == nil {
		t.Errorf("two lines are written: %q", b)
	}
	leaf := opened(t, []byte(hall)).Abilities().Leaf
	if f := leaf(format.Text); f == nil || f.Name != lineName || !f.SingleByte {
		t.Errorf("texts are %+v", f)
	}
	if f := leaf(format.Model); f != nil {
		t.Errorf("models are %s", f.Name)
	}
}

// What ends a line is named by its place among the letters.
func TestWhereALineEnds(t *testing.T) {
	for text, want := range map[string]string{"\nx": "character 1", "Caf\u00e9\rx": "character 5", "ab\x00": "character 3"} {
		if err := checkValue(text); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := checkValue("one line"); err != nil {
		t.Error(err)
	}
}
