package words

import (
	"bytes"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

const hall = "; words\r\n[Public]\r\nObject=(Name=Hall.Lamp)\r\nObject=(Name=Hall.Door)\r\n\r\n[Lamp]\r\nTitle = \"A lamp\" \r\nHint=Caf\xe9\r\nEmpty=\r\n//Old=1\r\nno value\r\n[public]\r\nTags=a=b"

// files are one text in all codings.
func files() map[string][]byte {
	list := map[string][]byte{"code page": []byte(hall), "line feeds": []byte(strings.ReplaceAll(hall, "\r\n", "\n")), "carriage returns": []byte(strings.ReplaceAll(hall, "\r\n", "\r"))}
	text := schema.DecodeWindows1252([]byte(hall))
	for name, c := range map[string]coding{"UTF-8": marked8, "UTF-16": little, "UTF-16, high byte first": big} {
		list[name] = append([]byte(marks[c]), c.store(text)...)
	}
	return list
}

func opened(t testing.TB, b []byte) *archive {
	t.Helper()
	a, err := open(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return a.(*archive)
}

func saved(t testing.TB, a *archive) []byte {
	t.Helper()
	var w bytes.Buffer
	if _, err := a.WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// In every coding the same lines are found, and untouched the file is what it was.
func TestOpen(t *testing.T) {
	want := "Public/Object Public/Object@2 Lamp/Title Lamp/Hint Lamp/Empty public/Tags"
	values := []string{"(Name=Hall.Lamp)", "(Name=Hall.Door)", " \"A lamp\" ", "Café", "", "a=b"}
	for name, b := range files() {
		a := opened(t, b)
		var paths []string
		for i, e := range a.Entries() {
			paths = append(paths, e.Path)
			payload, _ := a.Payload(i)
			v, err := a.leaf.Read(payload, nil)
			if err != nil {
				t.Fatal(err)
			}
			x, err := a.leaf.Lift(v, nil)
			if err != nil || x.(*asset.Text).Body != values[i] {
				t.Errorf("%s: %s is %v, %v", name, e.Path, x, err)
			}
			if e.Offset >= 0 && !bytes.HasPrefix(b[e.Offset:], payload) || e.Size != int64(len(payload)) {
				t.Errorf("%s: %s is at %d with %d bytes", name, e.Path, e.Offset, e.Size)
			}
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s: %s", name, got)
		}
		if !bytes.Equal(saved(t, a), b) {
			t.Errorf("%s: untouched, it is another file", name)
		}
	}
}

// An edit of each line, in every coding, changes the bytes of its value alone; a line that is taken out takes no other with
// it, and a new one stands in its section.
func TestEveryLine(t *testing.T) {
	for name, b := range files() {
		for i := range opened(t, b).Entries() {
			a := opened(t, b)
			at := a.places[i]
			l := a.file.lines[at]
			before := bytes.Clone(a.file.mark)
			for _, x := range a.file.lines[:at] {
				before = append(append(append(before, x.head...), x.value...), x.end...)
			}
			after := b[len(before)+len(l.head)+len(l.value)+len(l.end):]
			if err := a.Replace(i, []byte("new value")); err != nil {
				t.Fatal(err)
			}
			want := bytes.Join([][]byte{before, l.head, a.file.coding.store("new value"), l.end, after}, nil)
			if got := saved(t, a); !bytes.Equal(got, want) {
				t.Errorf("%s, line %d: %q", name, at, got)
			}
			a = opened(t, b)
			if err := a.Remove(i); err != nil || !bytes.Equal(saved(t, a), append(bytes.Clone(before), after...)) {
				t.Errorf("%s, line %d taken out: %v", name, at, err)
			}
		}
		for _, path := range []string{"Public/New", "Lamp/New", "Fresh/New", "New", "Lamp/Title@2", "Lamp/Title@9"} {
			a := opened(t, b)
			if err := a.Add(path, []byte("v"), nil); err != nil {
				t.Errorf("%s: %s: %v", name, path, err)
				continue
			}
			section, key := path[:max(strings.LastIndexByte(path, '/'), 0)], path[strings.LastIndexByte(path, '/')+1:]
			key, _, _ = strings.Cut(key, "@")
			found := 0
			again := opened(t, saved(t, a))
			for i, e := range again.Entries() {
				p, _ := again.Payload(i)
				plain, _, _ := strings.Cut(e.Path, "@")
				if strings.EqualFold(plain, section+"/"+key) && string(p) == "v" {
					found++
				}
			}
			if found != 1 || len(again.Entries()) != 7 || len(a.Entries()) != 7 {
				t.Errorf("%s: %s: found %d times in %d lines", name, path, found, len(again.Entries()))
			}
		}
	}
}

// A new line stands behind the last of its section, ends as the others do, and leaves no line without an end but the last.
func TestNewLine(t *testing.T) {
	for _, c := range []struct{ path, was, now string }{
		{"Lamp/New", "Empty=\r\n", "Empty=\r\nNew=v\r\n"},
		{"Lamp/Title@2", "Empty=\r\n", "Empty=\r\nTitle=v\r\n"},
		{"Lamp/Title@x", "Empty=\r\n", "Empty=\r\nTitle@x=v\r\n"},
		{"Public/New", "Tags=a=b", "Tags=a=b\r\nNew=v"},
		{"Fresh/New", "Tags=a=b", "Tags=a=b\r\n[Fresh]\r\nNew=v"},
		{"New", "; words\r\n", "; words\r\nNew=v\r\n"}, // behind the comment at the top
	} {
		a := opened(t, []byte(hall))
		if err := a.Add(c.path, []byte("v"), nil); err != nil {
			t.Fatal(err)
		}
		if got, want := string(saved(t, a)), strings.Replace(hall, c.was, c.now, 1); got != want {
			t.Errorf("%s: %q, want %q", c.path, got, want)
		}
	}
}

// A value ends with its line, and a letter that the code page lacks is named.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		coding coding
		page   string
		body   string
		want   string
		class  error
	}{
		{single, "", "Café", "Caf\xe9", nil},
		{single, "windows-1251", "Зал", "\xc7\xe0\xeb", nil},
		{single, "", "Зал", "", schema.ErrValue},
		{little, "", "Зал", "Зал", nil},
		{little, "windows-1250", "Зал", "Зал", nil},
		{single, "", "two\nlines", "", schema.ErrValue},
		{single, "", "an editor's end\r\n", "an editor's end", nil},
		{marked8, "", "nothing\x00", "", schema.ErrValue},
		{single, "nonsense", "x", "", nil},
	} {
		f := lineFormat(c.coding)
		v, err := f.Lower(&asset.Text{Body: c.body}, &format.Env{Options: format.Options{CodePage: c.page}})
		if c.page == "nonsense" {
			if err == nil {
				t.Error("there is no such page")
			}
			continue
		}
		if schema.Class(err) != c.class {
			t.Errorf("%q: %v", c.body, err)
		}
		if err == nil && string(v.(*Value).Bytes) != c.want {
			t.Errorf("%q: %q", c.body, v.(*Value).Bytes)
		}
	}
}

// What is no key, or is there already, is refused.
func TestBadLines(t *testing.T) {
	for _, path := range []string{"", "Lamp/", "lamp/TITLE", "Lamp/a=b", "Lamp/a\nb", "a]b/c", "Lamp/[x", "Lamp/;x", "Lamp/ x"} {
		a := opened(t, []byte(hall))
		if err := a.Add(path, []byte("v"), nil); err == nil {
			t.Errorf("%q: %q", path, saved(t, a))
		} else if !bytes.Equal(saved(t, a), []byte(hall)) {
			t.Errorf("%q was refused, and is there", path)
		}
	}
	a := opened(t, []byte(hall))
	for _, err := range []error{a.Replace(-1, nil), a.Replace(6, nil), a.Replace(0, []byte("a\nb")), a.Remove(6), a.Remove(-1)} {
		if err == nil {
			t.Error("it is done")
		}
	}
}

// FuzzOpen: any bytes are a file that is written as it was, and whose values can be replaced by themselves.
func FuzzOpen(f *testing.F) {
	for _, b := range files() {
		f.Add(b)
	}
	f.Add([]byte("\xff\xfe[\x00"))
	f.Add([]byte("[a]\n=\n=1\na=\na@2=\na=\n[\n]=\r\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		a := opened(t, b)
		if !bytes.Equal(saved(t, a), b) {
			t.Fatalf("%q became %q", b, saved(t, a))
		}
		seen := map[string]bool{}
		for i, e := range a.Entries() {
			if key := strings.ToLower(e.Path); seen[key] {
				t.Fatalf("%q is there twice", e.Path)
			} else {
				seen[key] = true
			}
			p, err := a.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Replace(i, p); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(saved(t, a), b) {
			t.Fatal("the same values make another file")
		}
		if err := a.Add("New section/New key", []byte("v"), nil); err == nil {
			again := opened(t, saved(t, a))
			if n := len(again.Entries()); n != len(a.Entries()) {
				t.Fatalf("%d lines, %d expected: %q", n, len(a.Entries()), saved(t, a))
			}
		}
	})
}

// Of .ini files only those with sections that are called like classes are meant; what holds no text is none.
func TestProbe(t *testing.T) {
	for i, c := range []struct {
		name, text string
		want       format.Confidence
	}{
		{"a.int", "[Public]\n", format.Structural}, {"A.INT", "; x\n[P]", format.Structural}, {"a.int", "no section", format.No},
		{"a.det", "\xff\xfe[\x00", format.Structural}, {"a.int", "[P]\x00\x01", format.No}, {"a.txt", "[Engine.Engine]", format.No},
		{"a.ini", "[Engine.Engine]\r\nx=1", format.Certain}, {"a.ini", "x=1\n[IpDrv.TcpNetDriver]\n", format.Certain},
		{"a.ini", "[Object]\nnickname = x\n", format.No}, {"a.ini", "[a.b]c\n", format.No}, {"a.ini", "BINI\x01\x00\x00\x00", format.No}, {"a.int", "", format.No},
		{"a.int", "\xff\xfe[", format.No},
	} {
		if got := probe(&format.Input{Name: c.name, Head: []byte(c.text), Size: int64(len(c.text))}); got != c.want {
			t.Errorf("%d, %s %q: %v, want %v", i, c.name, c.text, got, c.want)
		}
	}
}
