package convert_test

import (
	"bytes"
	"encoding/binary"
	stdjson "encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
)

// shownValue is a value in a file that usher wrote: in the extras of a GLB, in a companion, in a JSON document.
type shownValue struct {
	where string
	old   any
	set   func(v any)
	drop  func()
	add   func(key string, v any) // a value beside it
	undo  func()
}

// valueEdits are what is done to each value.
var valueEdits = []struct {
	name string
	make func(v shownValue) bool // false where it does not apply
}{
	{"+1", func(v shownValue) bool {
		switch x := v.old.(type) {
		case stdjson.Number:
			if i, err := x.Int64(); err == nil {
				v.set(i + 1)
				return true
			}
			f, _ := x.Float64()
			v.set(f + 1)
		case string:
			v.set(x + "1")
		case bool:
			v.set(!x)
		default:
			return false
		}
		return true
	}},
	{"1.5", func(v shownValue) bool { v.set(1.5); return !isText(v.old) && v.old != stdjson.Number("1.5") }},
	{"1e12", func(v shownValue) bool { v.set(1e12); return !isText(v.old) }},
	{"negative", func(v shownValue) bool { v.set(-7); return !isText(v.old) && v.old != stdjson.Number("-7") }},
	{"x", func(v shownValue) bool { v.set("x"); old, _ := v.old.(string); return !strings.EqualFold(old, "x") }},
	{inOtherCase, func(v shownValue) bool {
		old, _ := v.old.(string)
		now := otherCase(old)
		v.set(now)
		return now != old && !caseless(v.where, old)
	}},
	{tooFar, func(v shownValue) bool { v.set(1e300); _, number := v.old.(stdjson.Number); return number }},
	{"null", func(v shownValue) bool { v.set(nil); return v.old != nil }},
	{"removed", func(v shownValue) bool { v.drop(); return v.drop != nil }},
	{"unknown", func(v shownValue) bool { v.add("noSuchValue", 1); return v.add != nil }},
}

// Edits whose outcomes no table holds.
const (
	inOtherCase = "other case" // of the letters of a text
	tooFar      = "1e300"      // no number of 32 bits: it is refused or named
)

// caseless reports whether a text says the same in either case: digits, flags, stored bytes, names of files, and what names an
// object, a material or a property, each of which is looked for without case.
func caseless(where, text string) bool {
	key := where[strings.LastIndexByte(where, '.')+1:]
	digits := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(text, "#"), "0x"), "0123456789abcdefABCDEF") == ""
	object := strings.HasPrefix(where, "unreal-") && strings.Contains(text, "'")
	return digits || object || slices.Contains([]string{"Flags", "Audio", "Playback", "Payload", "File", "Material", "Mesh"}, key) ||
		strings.HasSuffix(strings.ToLower(where), ".properties[].name")
}

// otherCase returns a text whose letters are those of the other case.
func otherCase(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

func isText(v any) bool { _, ok := v.(string); return ok }

// outcomes counts what became of edits.
type outcomes struct {
	t       *testing.T
	tried   map[string]bool
	counts  map[string]int
	silent  map[string]string
	formats map[string]bool
	add     func(what, outcome string) // holds what came of an edit; nil where no table does
}

func newOutcomes(t *testing.T, add func(what, outcome string)) *outcomes {
	return &outcomes{t: t, add: add, tried: map[string]bool{}, counts: map[string]int{}, silent: map[string]string{}, formats: map[string]bool{}}
}

// TestEveryValueIsRead edits every value that usher writes beside what people see: the bytes change, it is refused, or it is
// named; values.tsv holds which bytes and which words, and those of edited texts, pictures and sounds too. The values are those
// of the files that usher made of testdata, one of each place; then those of the small files of the corpus, of places that
// testdata has not.
func TestEveryValueIsRead(t *testing.T) {
	t.Parallel()
	table, tried := damage.Open(t, "values.tsv"), map[string]bool{}
	var mu sync.Mutex
	t.Run("testdata", func(t *testing.T) {
		for family := range families {
			table.Run(t, family, func(t *testing.T, add func(what, outcome string)) {
				o := newOutcomes(t, add)
				o.folder(corpus.Testdata(t, family))
				o.report()
				mu.Lock()
				maps.Copy(tried, o.tried)
				mu.Unlock()
			})
		}
	})
	t.Run("corpus", func(t *testing.T) {
		for family := range families {
			t.Run(family, func(t *testing.T) {
				t.Parallel()
				o := newOutcomes(t, nil)
				o.tried = maps.Clone(tried)
				o.folder(corpus.Folder(t, family))
				o.report()
			})
		}
	})
}

func (o *outcomes) report() {
	o.t.Logf("%d formats: %v", len(o.formats), o.counts)
	for _, where := range slices.Sorted(maps.Keys(o.silent)) {
		o.t.Errorf("%s: nothing came of it, and nothing was said: %s", where, o.silent[where])
	}
}

func (o *outcomes) folder(dir string) {
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > 64<<10 {
			return err
		}
		o.file(p)
		return nil
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

// file tries a file, and the entries of the archive that it is.
func (o *outcomes) file(p string) {
	l := &engine.Loader{}
	if it, err := l.Load(engine.Source{Path: p}, nil); err == nil {
		o.item(it, p, func(d *schema.Diagnostics) *format.Env { return l.Env(p, d) })
		it.Close()
	}
	content := corpus.Bytes(o.t, p)
	f := sniff(p, content)
	if f == nil || f.Open == nil {
		return
	}
	open := func(d *schema.Diagnostics) format.ArchiveFile {
		a, err := f.Open(bytes.NewReader(content), int64(len(content)), l.Env(p, d))
		if err != nil {
			o.t.Fatal(err)
		}
		return a
	}
	a, err := store.OpenArchive(p, nil, l.Env(p, nil))
	if err != nil {
		return
	}
	defer a.Close()
	for _, e := range a.Entries() {
		it, err := l.LoadEntry(engine.Source{Path: p, Entry: e.Path}, l.Env(p, nil))
		if err != nil {
			continue
		}
		o.item(it, p+":"+e.Path, func(d *schema.Diagnostics) *format.Env {
			env := l.Env(p, d)
			env.Archive, env.Entry, env.Turn = open(d), e.Path, func() {}
			return env
		})
		it.Close()
	}
}

// item tries what usher makes of one input.
func (o *outcomes) item(it *interchange.Item, name string, env func(*schema.Diagnostics) *format.Env) {
	f := it.Format
	if f == nil || f.Write == nil {
		return
	}
	for _, to := range []string{"glb", "png", "wav", "csv", "txt", "t3d", "md", "json"} {
		target, err := engine.ParseTarget(to, it)
		if err != nil || to != "json" && f.Lower == nil {
			continue
		}
		files, err := engine.Export(it, target, "value")
		if err != nil || len(files) == 0 {
			continue
		}
		w := &wayBack{o: o, f: f, env: env, dir: o.t.TempDir(), main: files[0].Name, folder: filepath.Dir(strings.SplitN(name, ":", 2)[0])}
		w.try(name+" as "+to, files)
	}
}

// wayBack makes the native bytes of files that may be edited.
type wayBack struct {
	o      *outcomes
	f      *format.Format
	env    func(*schema.Diagnostics) *format.Env
	dir    string
	main   string
	folder string
	was    string
	said   map[string]bool
}

func (w *wayBack) write(name string, content []byte) {
	if err := os.WriteFile(filepath.Join(w.dir, filepath.Base(name)), content, 0o666); err != nil {
		w.o.t.Fatal(err)
	}
}

// native returns what becomes of the files: the bytes, and what was said.
func (w *wayBack) native() (made string, said []string, err error) {
	d := new(schema.Diagnostics)
	l := &engine.Loader{Folders: []string{w.folder}}
	it, err := l.Load(engine.Source{Path: filepath.Join(w.dir, w.main)}, d)
	if err != nil {
		return "", nil, err
	}
	defer it.Close()
	env := w.env(d)
	var more bytes.Buffer
	env.Emit = func(name string, content []byte) error {
		_, err := fmt.Fprintf(&more, "%s %x", name, content)
		return err
	}
	f := w.f
	if env.Archive != nil {
		i := entryOf(env)
		payload, err := env.Archive.Payload(i)
		if err != nil {
			return "", nil, err
		}
		f = env.Archive.Entries()[i].Format.Of(i, payload)
	}
	b, err := engine.LowerOnto(f, nil, it, env)
	if err == nil && env.Archive != nil {
		err = stored(&more, env, b)
	}
	for _, x := range d.All() {
		said = append(said, x.Severity.String()+x.Code+x.Path+x.Text())
	}
	return string(b) + more.String(), said, err
}

// entryOf returns the number of the entry of an environment.
func entryOf(env *format.Env) int {
	return slices.IndexFunc(env.Archive.Entries(), func(e format.Entry) bool { return e.Path == env.Entry })
}

// stored writes an archive as it is with a payload: a level brings along what its actors have become.
func stored(w io.Writer, env *format.Env, payload []byte) error {
	if err := env.Archive.Replace(entryOf(env), payload); err != nil {
		return err
	}
	_, err := env.Archive.WriteTo(w)
	return err
}

// try edits one value of the files after the other.
func (w *wayBack) try(name string, files []format.File) {
	for i := range files {
		var b bytes.Buffer
		if _, err := files[i].WriteTo(&b); err != nil {
			w.o.t.Fatal(err)
		}
		files[i].Content = b.Bytes()
		w.write(files[i].Name, b.Bytes())
	}
	was, said, err := w.native()
	if err != nil {
		return // it has no way back alone
	}
	w.was, w.said = was, map[string]bool{}
	for _, s := range said {
		if w.said[s] = true; strings.Contains(s, "extras-edited") || strings.Contains(s, "values-edited") {
			w.o.t.Errorf("%s: nobody edited anything: %s", name, s)
		}
	}
	for _, file := range files {
		switch {
		case strings.HasSuffix(file.Name, ".json"):
			w.document(name, file)
		case strings.HasSuffix(file.Name, ".glb"):
			w.extras(name, file)
		case w.o.add != nil: // a table holds what comes of it: nothing else says whether that is right
			w.content(name, file)
		}
		w.write(file.Name, file.Content)
	}
}

// document edits the values of a JSON.
func (w *wayBack) document(name string, file format.File) {
	var root any
	w.decode(file.Content, &root)
	write := func() {
		b, err := stdjson.Marshal(root)
		if err != nil {
			w.o.t.Fatal(err)
		}
		w.write(file.Name, ordered(b, root))
	}
	place := w.f.Name + " " + strings.TrimPrefix(file.Name, "value")
	eachShown(root, place, nil, nil, func(v shownValue) { w.edit(name, v, write) })
}

// ordered puts "usher" first, as a document has it.
func ordered(b []byte, root any) []byte {
	doc, _ := root.(map[string]any)
	if doc["usher"] == nil {
		return b
	}
	rest := maps.Clone(doc)
	delete(rest, "usher")
	tail, _ := stdjson.Marshal(rest)
	head, _ := stdjson.Marshal(doc["usher"])
	return append(append([]byte(`{"usher":`), head...), append([]byte{','}, tail[1:]...)...)
}

func (w *wayBack) decode(b []byte, v any) {
	d := stdjson.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		w.o.t.Fatal(err)
	}
}

// extras edits the values in the extras of a GLB.
func (w *wayBack) extras(name string, file format.File) {
	size := binary.LittleEndian.Uint32(file.Content[12:])
	text, rest := file.Content[20:20+size], file.Content[20+size:]
	var doc map[string]any
	w.decode(text, &doc)
	write := func() {
		b, err := stdjson.Marshal(doc)
		if err != nil {
			w.o.t.Fatal(err)
		}
		b = append(b, bytes.Repeat([]byte(" "), -len(b)&3)...)
		glb := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(20+len(b)+len(rest)))
		glb = append(binary.LittleEndian.AppendUint32(glb, uint32(len(b))), "JSON"...)
		w.write(file.Name, append(append(glb, b...), rest...))
	}
	for _, list := range slices.Sorted(maps.Keys(doc)) {
		eachRecord(doc[list], func(u map[string]any) {
			of, _ := u["format"].(string)
			w.record(fmt.Sprintf("%s glb %s %s", w.f.Name, list, of), u, func(v shownValue) { w.edit(name, v, write) })
		})
	}
}

// eachRecord calls f for usher's record of every object in v that has one.
func eachRecord(v any, f func(u map[string]any)) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			eachRecord(x, f)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			extras, _ := v[key].(map[string]any)
			if u, ok := extras["usher"].(map[string]any); ok && key == "extras" {
				f(u)
				continue
			}
			eachRecord(v[key], f)
		}
	}
}

// record calls f for the values of a record of usher's, with those that are there as text.
func (w *wayBack) record(place string, u map[string]any, f func(shownValue)) {
	text, _ := u["json"].(string)
	eachShown(u, place, nil, nil, func(v shownValue) {
		if !strings.HasSuffix(v.where, ".json") {
			f(v)
		}
	})
	if text == "" {
		return
	}
	var inner any
	w.decode([]byte(text), &inner)
	sync := func() {
		b, err := stdjson.Marshal(inner)
		if err != nil {
			w.o.t.Fatal(err)
		}
		u["json"] = string(b)
	}
	eachShown(inner, place+" text", nil, nil, func(v shownValue) {
		whole := v
		whole.set = func(x any) { v.set(x); sync() }
		whole.undo = func() { v.undo(); sync() }
		if v.drop != nil {
			whole.drop = func() { v.drop(); sync() }
			whole.add = func(key string, x any) { v.add(key, x); sync() }
		}
		f(whole)
	})
	u["json"] = text
}

// eachShown calls f for the values in v, which may be changed while f runs. A seal is none.
func eachShown(v any, where string, parent map[string]any, set func(any), f func(shownValue)) {
	switch x := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if key == "check" || key == "Check" {
				continue
			}
			eachShown(x[key], where+"."+key, x, func(now any) { x[key] = now }, func(v shownValue) {
				if v.drop == nil && v.where == where+"."+key {
					old := x[key]
					v.undo = func() { delete(x, "noSuchValue"); x[key] = old }
					v.drop = func() { delete(x, key) }
					v.add = func(name string, now any) { x[name] = now }
				}
				f(v)
			})
		}
		return
	case []any:
		if len(x) > 0 {
			eachShown(x[0], where+"[]", nil, func(now any) { x[0] = now }, f)
		}
	}
	if set != nil {
		f(shownValue{where: where, old: v, set: set, undo: func() { set(v) }})
	}
}

// edit makes every edit of a value.
func (w *wayBack) edit(name string, v shownValue, write func()) {
	place := strings.TrimPrefix(strings.ReplaceAll(v.where, " .json.value", ""), w.f.Name)
	if w.o.tried[v.where] || derived(strings.TrimSpace(w.f.Name+place)) != "" || strings.HasPrefix(v.where, "sur .json.value.Names") { // these are for people
		return
	}
	w.o.tried[v.where], w.o.formats[w.f.Name] = true, true
	for _, e := range valueEdits {
		if (e.name == "removed" || e.name == "unknown") && v.drop == nil {
			continue
		}
		applies := e.make(v)
		if applies {
			write()
			w.o.count(w, name, v, e.name)
		}
		v.undo()
	}
}

// keeps reports whether a value may go without a word, since nothing goes with it: it is empty, or a part of a document
// that the bytes have all the same.
func (w *wayBack) keeps(v shownValue) bool {
	if strings.Contains(v.where, " .json") {
		return true
	}
	return v.old == "" || fmt.Sprint(v.old) == "0" || isEmpty(v.old)
}

// isEmpty reports whether a value is a list of nothing.
func isEmpty(v any) bool {
	x, ok := v.([]any)
	return ok && len(x) == 0
}

// count says what became of an edit.
func (o *outcomes) count(w *wayBack, name string, v shownValue, edit string) {
	made, said, err := w.native()
	said = slices.DeleteFunc(said, func(s string) bool { return w.said[s] })
	if o.add != nil && edit != inOtherCase && edit != tooFar {
		o.add(fmt.Sprintf("%s %s %s", filepath.Base(name), v.where, edit), strings.ReplaceAll(w.outcome(made, said, err), w.dir, ""))
	}
	switch {
	case err != nil:
		o.counts["refused"]++
		if strings.Contains(err.Error(), "\n") {
			o.t.Errorf("%s: %s %s: %q is more than a line", name, v.where, edit, err)
		}
	case len(said) > 0:
		o.counts["named"]++
	case made != w.was && edit == tooFar:
		o.silent[v.where+" "+edit] = fmt.Sprintf("it is another number than %v and than that, %s", v.old, name)
	case made != w.was:
		o.counts["arrived"]++
	case edit == "removed" && w.keeps(v), edit == "null" && isEmpty(v.old): // the one says what the other does
		o.counts["kept"]++
	default:
		o.counts["silent"]++
		o.silent[v.where+" "+edit] = fmt.Sprintf("%.60v, %s", v.old, name)
	}
}

// outcome tells in a line what became of an edit: its first word is that of the line's counts.
func (w *wayBack) outcome(made string, said []string, err error) string {
	switch {
	case err != nil:
		return "refused " + err.Error()
	case len(said) > 0:
		return fmt.Sprintf("named %016x %s", damage.Fingerprint(made), strings.Join(said, "; "))
	case made != w.was:
		return fmt.Sprintf("arrived %016x", damage.Fingerprint(made))
	}
	return "kept"
}
