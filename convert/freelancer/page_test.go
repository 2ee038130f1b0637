package freelancer_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"
)

// pageFiles are files of all kinds that JSON shows decoded.
func pageFiles(t *testing.T) map[string][]byte {
	files := map[string][]byte{}
	for _, dir := range []string{corpus.Testdata(t, "freelancer"), corpusFolder(t), filepath.Join(corpusFolder(t), "sur")} {
		for _, ext := range []string{"3db", "cmp", "dfm", "sph", "vms", "anm", "mat", "txm", "utf", "ale", "sur"} {
			list, err := filepath.Glob(filepath.Join(dir, "*."+ext))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				files[filepath.Base(dir)+"/"+filepath.Base(p)] = corpus.Bytes(t, p)
			}
		}
	}
	return files
}

// corpusFolder returns the folder of real files; one that there is not where they are absent.
func corpusFolder(t *testing.T) (dir string) {
	t.Run("corpus", func(t *testing.T) { dir = corpus.Folder(t, "freelancer") })
	return dir
}

// shownValue reads a file and returns what JSON shows of it.
func shownValue(t *testing.T, f *format.Format, name string, b []byte) any {
	t.Helper()
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := f.Document.Show(v, &format.Env{Name: filepath.Base(name)})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func storedValue(t *testing.T, f *format.Format, doc any) []byte {
	t.Helper()
	v, err := f.Document.Value(doc)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPages: what JSON shows of a file is the whole file, also by way of its text.
func TestPages(t *testing.T) {
	for name, b := range pageFiles(t) {
		t.Run(name, func(t *testing.T) {
			f := sniff(t, filepath.Base(name), b)
			var text bytes.Buffer
			if err := json.EncodeDocument(&text, f.Name, shownValue(t, f, name, b)); err != nil {
				t.Fatal(err)
			}
			it, err := new(engine.Loader).Decode(text.Bytes(), &format.Env{Name: "x.json"})
			if err != nil {
				t.Fatal(err)
			}
			back, err := f.Write(it.Value)
			if err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, name, back, b)
		})
	}
}

// TestPagesOfBefore: documents that hold the value itself, as earlier versions wrote them, are read as well.
func TestPagesOfBefore(t *testing.T) {
	b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	f := byName(t, "cmp")
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := json.EncodeDocument(&text, f.Name, v); err != nil {
		t.Fatal(err)
	}
	it, err := new(engine.Loader).Decode(text.Bytes(), &format.Env{Name: "x.json"})
	if err != nil {
		t.Fatal(err)
	}
	back, err := f.Write(it.Value)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "the model", back, b)
}

// shownField is a field of a shown leaf, or of something in it.
type shownField struct {
	where string
	kind  string // what is alike of all files
	v     reflect.Value
}

// shownFields lists the first value of each kind in a document.
func shownFields(v reflect.Value, where, kind string, seen map[string]bool, out *[]shownField) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			shownFields(v.Elem(), where, kind, seen, out)
		}
		return
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name == "Header" && where == "" || name == "Layout" || name == "Note" || name == "Names" || name == "Content" || name == "Data" || name == "Hex" {
				continue // places, and what says nothing
			}
			next := kind + "." + name
			if v.Type().Name() == "pageNode" {
				next = "node." + name
				if leaf := v.FieldByName("Name").String(); v.FieldByName("Children").IsNil() {
					next = "leaf " + strings.TrimRight(leaf, "0123456789") + "." + name
				}
			}
			shownFields(v.Field(i), where+"."+name, next, seen, out)
		}
		return
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if k := v.Index(i).Kind(); k == reflect.Uint8 && i > 0 {
				break
			}
			shownFields(v.Index(i), fmt.Sprintf("%s[%d]", where, i), kind, seen, out)
		}
		return
	}
	if !seen[kind] {
		seen[kind] = true
		*out = append(*out, shownField{where, kind, v})
	}
}

// nudge changes a value a little.
func nudge(v reflect.Value) bool {
	switch {
	case v.Kind() == reflect.String && strings.HasPrefix(v.String(), "0x"):
		v.SetString("0x0BADF00D")
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.CanFloat():
		was := v.Float()
		if v.SetFloat(was + 1); v.Float() == was { // a large number
			v.SetFloat(was / 2)
		}
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1)
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		return false
	}
	return true
}

// follows are fields that hang together with others: alone they make a document that contradicts itself.
var follows = []string{
	".Mesh.Vertices", ".Mesh.FVF", ".Groups.Indices", ".Channel.Type", ".Channel.Interval", ".Effects.Version", ".Nodes.Version", ".Bool", ".Surface.", ".Old.", ".Order", ".Version",
	".MissingPairs", ".Pad", ".Wrap", "node.Name", "leaf .Name", ".Unterminated", ".Transform.Flags", ".Chunks", ".Count", ".Bare",
}

// TestEditedPages: an edit of each kind of value that JSON shows is in the file that is written, and nothing else is.
func TestEditedPages(t *testing.T) {
	seen := map[string]bool{}
	files := pageFiles(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b := files[name]
		f := sniff(t, filepath.Base(name), b)
		if f.Name == "sur" {
			continue // it is shown as it is
		}
		var fields []shownField
		doc := shownValue(t, f, name, b)
		shownFields(reflect.ValueOf(doc), "", f.Name, seen, &fields)
	next:
		for _, x := range fields {
			for _, part := range follows {
				if strings.Contains(x.kind+".", part+".") || strings.HasSuffix(part, ".") && strings.Contains(x.kind, part) {
					continue next
				}
			}
			if strings.HasPrefix(x.kind, "leaf ") && strings.HasSuffix(x.kind, ".Name") {
				continue
			}
			was := reflect.New(x.v.Type()).Elem()
			was.Set(x.v)
			if !nudge(x.v) {
				continue
			}
			want := reflect.New(x.v.Type()).Elem()
			want.Set(x.v)
			edited := storedValue(t, f, doc)
			if bytes.Equal(edited, b) {
				t.Errorf("%s: %s (%s): the edit is not in the file", name, x.where, x.kind)
			}
			again := shownValue(t, f, name, edited)
			if got := at(reflect.ValueOf(again), x.where); !shows(got, want) {
				t.Errorf("%s: %s (%s): %v became %v, want %v", name, x.where, x.kind, was, got, want)
			}
			x.v.Set(was)
		}
	}
	if len(seen) < 120 {
		t.Errorf("only %d kinds of values", len(seen))
	}
}

// shows reports whether a value is the wanted one, or the hash of the name that it is; nothing stands for zero.
func shows(got, want reflect.Value) bool {
	if !got.IsValid() {
		return false
	}
	if got.Kind() == reflect.Pointer {
		return want.IsZero()
	}
	name := fmt.Sprint(want)
	return reflect.DeepEqual(got.Interface(), want.Interface()) || fmt.Sprint(got) == hash(name).String() || fmt.Sprint(got) == freelancer.Hash(freelancer.FLCRCExact(name)).String()
}

// at follows a path that shownFields made.
func at(v reflect.Value, where string) reflect.Value {
	for where != "" {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		if where[0] == '[' {
			var i int
			text, rest, _ := strings.Cut(where[1:], "]")
			fmt.Sscan(text, &i)
			if i >= v.Len() {
				return reflect.Value{}
			}
			v, where = v.Index(i), rest
			continue
		}
		end := strings.IndexAny(where[1:], ".[") + 1
		if end == 0 {
			end = len(where)
		}
		v, where = v.FieldByName(where[1:end]), where[end:]
		if !v.IsValid() {
			return v
		}
	}
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

// TestPageNames: hashes are shown as the names that they stand for, and what the file does not name as hashes.
func TestPageNames(t *testing.T) {
	b := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	var text bytes.Buffer
	if err := json.EncodeDocument(&text, "cmp", shownValue(t, byName(t, "cmp"), "ship.cmp", b)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"Material": "paint", "VertexStart": 0,`, `"Mesh": "ship.hull.lod0-112.vms"`, `"Parent": "Root",`, `{"Name": "Type", "Text": "DcDt"}`, `{"Name": "Dt_flags", "Flags": ["0x00000040"]}`,
		`"Note": "DXT1, `, `{"Name": "Object name", "Text": "turret"}`,
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%s is not shown", want)
		}
	}
	if strings.Contains(text.String(), `"Material": "0x`) {
		t.Error("a material that the file names is shown as a hash")
	}
}

// TestRenamedInPage: an entry that was renamed in JSON keeps its place, and one that was added or taken out leaves the
// others where they were.
func TestRenamedInPage(t *testing.T) {
	f, b := byName(t, "cmp"), corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	var text bytes.Buffer
	if err := json.EncodeDocument(&text, "cmp", shownValue(t, f, "ship.cmp", b)); err != nil {
		t.Fatal(err)
	}
	edit := func(old, now string) *freelancer.Tree {
		t.Helper()
		if !strings.Contains(text.String(), old) {
			t.Fatalf("there is no %s", old)
		}
		it, err := new(engine.Loader).Decode([]byte(strings.Replace(text.String(), old, now, 1)), &format.Env{Name: "x.json"})
		if err != nil {
			t.Fatal(err)
		}
		return it.Value.(*freelancer.Tree)
	}
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	was := v.(*freelancer.Tree)
	now := edit(`{"Name": "Exporter Version", "Text": "usher"}`, `{"Name": "Exporter Revision", "Text": "usher"}`)
	if a, b := was.Root.Child("Exporter Version"), now.Root.Child("Exporter Revision"); b == nil || a.Slot.Offset != b.Slot.Offset || a.Slot.Child != b.Slot.Child {
		t.Errorf("renamed: %+v became %+v", a.Slot, b)
	}
	now = edit(`{"Name": "Exporter Version", "Text": "usher"}`, `{"Name": "Exporter Version", "Text": "usher"}, {"Name": "Copyright", "Text": "me"}`)
	if a, b := was.Root.Find("Cmpnd/Root/Index"), now.Root.Find("Cmpnd/Root/Index"); now.Root.Child("Copyright") == nil || a.Slot.Child != b.Slot.Child {
		t.Errorf("added: %+v became %+v", a.Slot, b.Slot)
	}
}

// TestBrokenLibrary: one library of an effects file that cannot be read does not stop the other. JSON has its bytes, and a
// warning says why.
func TestBrokenLibrary(t *testing.T) {
	f := byName(t, "ale")
	tree := freelancer.NewTree()
	tree.Root.Dir("ALEffectLib").Add(freelancer.NewLeaf("ALEffectLib", []byte{0, 0, 128, 63, 0, 0, 0, 0}))
	tree.Root.Dir("AlchemyNodeLibrary").Add(freelancer.NewLeaf("AlchemyNodeLibrary", []byte{0xCD, 0xCC, 0x8C, 0x3F, 1, 0, 0, 0, 2, 0, 'A', 0, 4, 2, 1, 2, 3, 4}))
	b := treeBytes(t, tree)
	d := new(schema.Diagnostics)
	v, err := f.Read(b, d)
	if err != nil || !d.Has("kept-raw") {
		t.Fatalf("%v; said %v", err, d.All())
	}
	a := v.(*freelancer.ALE)
	if a.Effects == nil || a.Nodes != nil {
		t.Errorf("effects %v, nodes %v", a.Effects, a.Nodes)
	}
	var text bytes.Buffer
	if err := json.EncodeDocument(&text, "ale", shownValue(t, f, "x.ale", b)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), `"Hex": "cdcc8c3f0100000002004100`) {
		t.Errorf("the broken leaf is not shown in hexadecimal: %s", text.String())
	}
	corpus.SameBytes(t, "there and back", storedValue(t, f, shownValue(t, f, "x.ale", b)), b)
}

// TestOddRootInPage: even a root that is no directory comes back.
func TestOddRootInPage(t *testing.T) {
	b := bytes.Clone(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")))
	tree := int(b[8]) | int(b[9])<<8
	b[tree+8], b[tree+20], b[tree+24] = 0x80, 4, 4 // a leaf of four bytes
	for _, name := range []string{"cmp", "ale"} {
		f := byName(t, name)
		v, err := f.Read(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := f.Write(v)
		if err != nil {
			t.Fatal(err)
		}
		corpus.SameBytes(t, name, storedValue(t, f, shownValue(t, f, "x."+name, b)), plain)
	}
}
