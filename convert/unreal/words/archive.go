package words

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// The names of the formats.
const (
	Name     = "unreal-words"
	lineName = "unreal-line"
	family   = "unreal"
)

// Words is the format of files of texts and settings. It opens as an archive with an entry for each line that has a value.
var Words = format.Format{
	Name: Name, Family: family, Title: "texts or settings of an Unreal game", Kind: format.Archive, Shown: ".csv",
	Extensions: append(languages, ".ini"),
	Probe:      probe, Open: open, Create: func(env *format.Env) (format.ArchiveFile, error) { return newArchive(&file{}), nil },
}

// languages are the extensions of texts in the games' languages.
var languages = []string{".int", ".det", ".frt", ".est", ".itt"}

// Line is the format of one value.
var Line = lineFormat(single)

// most is the size of a file that is held in memory. Those of the games have some 100 kB.
const most = 64 << 20

// classSection is a section that is called like a class, as the settings of the games have it.
var classSection = format.Pattern(`(?m)^\[\w+\.[\w ]+\][ \t]*\r?$`)

// probe knows files of a language by their extension, and settings by a section that is called like a class: games of
// other engines have .ini files too.
func probe(in *format.Input) format.Confidence {
	name := strings.ToLower(in.Name)
	c, n := codingOf(in.Head)
	if !c.wide() && bytes.IndexByte(in.Head, 0) >= 0 || in.Size > most {
		return format.No
	}
	text := c.show(in.Head[n : n+(len(in.Head)-n)&^1])
	switch {
	case strings.HasSuffix(name, ".ini") && classSection().MatchString(text):
		return format.Certain
	case strings.HasSuffix(name, ".ini"):
		return format.No
	}
	for _, ext := range languages {
		if strings.HasSuffix(name, ext) && strings.Contains(text, "[") {
			return format.Structural
		}
	}
	return format.No
}

// archive shows the lines of a file by their sections and keys.
type archive struct {
	file    *file
	entries []format.Entry
	places  []int // of the entries: their lines
	leaf    format.Format
}

func open(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	if size > most {
		return nil, schema.Errorf(Name, schema.ErrLimit, "size", "%d bytes, at most %d", size, most)
	}
	b := make([]byte, size)
	if n, err := r.ReadAt(b, 0); err != nil && !(err == io.EOF && int64(n) == size) {
		return nil, schema.Errorf(Name, schema.ErrTruncated, "size", "%d of %d bytes: %v", n, size, err)
	}
	f := readFile(b)
	if t := env.Told().Trace(); t != nil {
		t.Place(b, 0)
		f.note(t)
	}
	return newArchive(f), nil
}

// note says what the bytes of a file are. The values of files with a byte a letter are entries, which say so themselves.
func (f *file) note(t *schema.Trace) {
	layout := map[coding]string{single: schema.LayoutText, marked8: "utf-8", little: schema.LayoutWide, big: schema.LayoutBytes}[f.coding]
	t.NoteBytes(f.mark, 1, schema.LayoutBytes, "", "mark")
	for i, l := range f.lines {
		field := "line"
		switch {
		case l.heads:
			field = "section"
		case l.key != "":
			field = "key"
		}
		where := fmt.Sprint("line ", i+1)
		t.NoteBytes(l.head, 1, layout, where, field)
		if f.coding.wide() {
			t.NoteBytes(l.value, 1, layout, where, "value")
		}
		t.NoteBytes(l.end, 1, schema.LayoutBytes, where, "end")
	}
	t.NoteBytes(f.tail, 1, schema.LayoutBytes, "", "rest")
}

func newArchive(f *file) *archive {
	a := &archive{file: f, leaf: lineFormat(f.coding)}
	a.describe()
	return a
}

// describe lists the entries. Of a key that stands in a section several times the second is called Key@2.
func (a *archive) describe() {
	a.entries, a.places = nil, nil
	counts := map[string]int{}
	for i, l := range a.file.lines {
		if l.key != "" {
			p := a.pathOf(l.section, l.key)
			k := strings.ToLower(p)
			for counts[k]++; counts[k] > 1; counts[k]++ {
				next := fmt.Sprint(p, "@", counts[k])
				if k := strings.ToLower(next); counts[k] == 0 {
					counts[k], p = 1, next
					break
				}
			}
			e := format.Entry{Path: p, Kind: format.Text, Format: &a.leaf, Size: int64(len(a.payload(i))), Offset: -1}
			if !a.file.coding.wide() {
				e.Offset = l.at
			}
			a.entries, a.places = append(a.entries, e), append(a.places, i)
		}
	}
}

// pathOf returns the path of a key. Names that are in a code page are shown in the usual one, so that they do not depend on
// what somebody asks for.
func (a *archive) pathOf(section, key string) string {
	p := section + "/" + key
	if a.file.coding == single && !utf8.ValidString(p) {
		p = schema.DecodeWindows1252([]byte(p))
	}
	return strings.ToValidUTF8(p, "\ufffd")
}

func (a *archive) payload(line int) []byte {
	return []byte(a.file.coding.show(a.file.lines[line].value))
}

// Abilities implements format.ArchiveFile.
func (a *archive) Abilities() format.Abilities {
	return format.Abilities{Leaf: func(k format.Kind) *format.Format {
		if k == format.Text {
			return &a.leaf
		}
		return nil
	}}
}

func (a *archive) Entries() []format.Entry { return a.entries }

func (a *archive) check(i int) error {
	if i < 0 || i >= len(a.entries) {
		return schema.Errorf(Name, schema.ErrRange, "entry", "%d of %d", i, len(a.entries))
	}
	return nil
}

// Payload returns a value: in UTF-8 if the file has two bytes a letter, as it is stored otherwise.
func (a *archive) Payload(i int) ([]byte, error) {
	if err := a.check(i); err != nil {
		return nil, err
	}
	return a.payload(a.places[i]), nil
}

func (a *archive) Replace(i int, payload []byte) error {
	old, err := a.Payload(i)
	if err != nil || bytes.Equal(old, payload) {
		return err
	}
	if err := checkValue(string(payload)); err != nil {
		return err
	}
	l := &a.file.lines[a.places[i]]
	l.value, l.at = a.file.coding.store(string(payload)), -1
	a.entries[i].Size, a.entries[i].Offset = int64(len(payload)), -1
	return nil
}

// Add adds a line to the section that the path names first.
func (a *archive) Add(path string, payload []byte, hint *format.Format) error {
	for i := range a.entries {
		if strings.EqualFold(a.entries[i].Path, path) {
			return schema.Errorf(Name, schema.ErrMismatch, "path", "there is a %s already", path)
		}
	}
	cut := strings.LastIndexByte(path, '/')
	section, key := path[:max(cut, 0)], path[cut+1:]
	if name, number, ok := strings.Cut(key, "@"); ok && name != "" {
		if n, err := strconv.Atoi(number); err == nil && n > 1 && n < math.MaxInt16 {
			key = name
		}
	}
	if key == "" || strings.TrimSpace(key) != key || strings.ContainsAny(key, "=\r\n\x00") || strings.ContainsAny(key[:1], "[;") || strings.HasPrefix(key, "//") || strings.ContainsAny(section, "]\r\n\x00") {
		return schema.Errorf(Name, schema.ErrValue, "path", "%q is no section and key", path)
	}
	if err := checkValue(string(payload)); err != nil {
		return err
	}
	a.file.insert(section, key, a.file.coding.store(string(payload)))
	a.describe()
	return nil
}

func (a *archive) Remove(i int) error {
	if err := a.check(i); err != nil {
		return err
	}
	at := a.places[i]
	a.file.lines = append(a.file.lines[:at:at], a.file.lines[at+1:]...)
	a.describe()
	return nil
}

func (a *archive) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(a.file.bytes())
	return int64(n), err
}

func (a *archive) Facts() []format.Fact {
	sections := map[string]bool{}
	for _, l := range a.file.lines {
		if l.heads {
			sections[strings.ToLower(l.section)] = true
		}
	}
	names := map[coding]string{single: "one byte a letter", marked8: "UTF-8", little: "UTF-16", big: "UTF-16, high byte first"}
	return []format.Fact{{Name: "encoding", Value: names[a.file.coding]}, {Name: "lines", Value: len(a.file.lines)}, {Name: "sections", Value: len(sections)}}
}

// Value is the value of a line as it is stored.
type Value struct{ Bytes []byte }

// lineFormat returns the format of values of files with a coding.
func lineFormat(c coding) format.Format {
	return format.Of(format.Format{
		Name: lineName, Family: family, Title: "line of texts or settings of an Unreal game", Kind: format.Text, SingleByte: c == single,
		Probe: format.Never,
	}, format.Functions[Value, *asset.Text]{
		Read: func(b []byte, d *schema.Diagnostics) (*Value, error) {
			layout := schema.LayoutText
			if c != single {
				layout = "utf-8"
			}
			d.Trace().NoteBytes(b, 1, layout, "", "value")
			return &Value{b}, nil
		},
		Write: func(v *Value) ([]byte, error) { return v.Bytes, checkValue(string(v.Bytes)) },
		Lift:  func(v *Value, env *format.Env) (*asset.Text, error) { return liftLine(c, v, env) },
		Lower: func(t *asset.Text, env *format.Env) (*Value, error) { return lowerLine(c, t, env) },
	})
}

// liftLine returns a value as a text.
func liftLine(c coding, v *Value, env *format.Env) (*asset.Text, error) {
	body := string(v.Bytes)
	if c == single {
		page, err := codepage.Find(env.Given().Options.CodePage)
		if err != nil {
			return nil, err
		}
		body = page.Decode(v.Bytes)
	}
	return &asset.Text{Name: env.EntryName("line"), Body: body, Extension: ".txt",
		Native: &asset.Native{Format: lineName, Payload: v.Bytes}}, nil
}

// lowerLine takes the value of a line. One that was not edited keeps its bytes, and so the blanks at its end.
func lowerLine(c coding, t *asset.Text, env *format.Env) (*Value, error) {
	if n := t.Native; n != nil && n.Format == lineName {
		if was, err := liftLine(c, &Value{n.Payload}, env); err == nil && was.Body == t.Body {
			return &Value{n.Payload}, nil
		}
	}
	body := strings.TrimSuffix(strings.TrimSuffix(t.Body, "\n"), "\r") // which editors put there
	if err := checkValue(body); err != nil {
		return nil, err
	}
	if c != single {
		return &Value{[]byte(body)}, nil
	}
	page, err := codepage.Find(env.Given().Options.CodePage)
	if err != nil {
		return nil, err
	}
	b, err := page.Encode(body)
	if err != nil {
		return nil, schema.Errorf(lineName, schema.ErrValue, "value", "%v", err)
	}
	return &Value{b}, nil
}
