package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// derivedFields are what says nothing by itself in a JSON, and why.
var derivedFields = map[string]string{
	`^u9-registry\.Lines\[\]\.Text$`:              "number and name outrank the line that they were found in",
	`^u9-nonfixed\.Objects\[\].*\.Properties$`:    "the reference to the contents stays as long as there are any",
	`^[a-z0-9]+\.Layout\.(Entries|Residue)($|\[)`: "it is the place that an entry of that path, of that size, would have",
	`^ale\..*\.Pad$`:                              "texts of odd length have none, and a text may be edited without looking at it",
	`^[a-z0-9]+\.Header\.[A-Za-z]+$`:              "where blocks lie follows from the tree when it no longer fits",
	`^[a-z0-9]+\.Root\.(.*\.)?Note$`:              "it is for people",
}

// derived returns the pattern that a field has in derivedFields; empty for none.
func derived(where string) string {
	for pattern := range derivedFields {
		if regexp.MustCompile(pattern).MatchString(where) {
			return pattern
		}
	}
	return ""
}

// TestEveryFieldCounts changes one field of a value after the other: the bytes change, something is said, or it is
// refused. It does so with the small files of testdata, and with a few of the corpus for formats that testdata has none of;
// and it sees that derivedFields has none too many.
func TestEveryFieldCounts(t *testing.T) {
	t.Parallel()
	c := &fieldCount{t: t, met: map[string]bool{}, tried: map[string]int{}}
	for _, family := range []string{"freelancer", "ultima9", "ultimate3d"} {
		c.folder(corpus.Testdata(t, family), func(string) bool { return true })
	}
	t.Run("corpus", func(t *testing.T) {
		own := maps.Clone(c.tried)
		const enough = 2
		for _, family := range []string{"freelancer", "ultima9"} {
			c.folder(corpus.Folder(t, family), func(f string) bool { return own[f] == 0 && c.tried[f] < enough })
		}
		for pattern := range derivedFields {
			if !c.met[pattern] {
				t.Errorf("%s is no longer ignored", pattern)
			}
		}
	})
}

// fieldCount is what was tried: how many values of each format, and which of derivedFields they met.
type fieldCount struct {
	t     *testing.T
	met   map[string]bool
	tried map[string]int
}

// folder tries the small files below a folder whose format is wanted.
func (c *fieldCount) folder(folder string, wanted func(format string) bool) {
	c.t.Helper()
	const small = 12 << 10
	err := filepath.WalkDir(folder, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() > small {
			return err
		}
		eachValue(c.t, p, func(f *format.Format, v any, env *format.Env) {
			if !wanted(f.Name) {
				return
			}
			c.tried[f.Name]++
			for where, change := range ignoredFields(c.t, f, v, env) {
				pattern := derived(where)
				if c.met[pattern] = true; pattern == "" {
					c.t.Errorf("%s:%s: %s leaves the bytes as they are: %s", filepath.Base(p), env.Entry, where, change)
				}
			}
		})
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
}

// eachValue calls try for the value of the file at p, or for those of the entries of the archive that it is.
func eachValue(t *testing.T, p string, try func(f *format.Format, v any, env *format.Env)) {
	content := corpus.Bytes(t, p)
	env := &format.Env{Name: filepath.Base(p)}
	one := func(f *format.Format, payload []byte, env *format.Env) {
		if f == nil || f.Read == nil || f.New == nil || f.Write == nil {
			return
		}
		v, err := f.Read(payload, nil)
		if err == nil {
			try(f, v, env)
		}
	}
	f := formats.Sniff(&format.Input{Name: env.Name, Head: content, Size: int64(len(content)), At: bytes.NewReader(content)})
	if f == nil {
		return
	}
	one(f, content, env)
	if f.Open == nil {
		return
	}
	a, err := f.Open(bytes.NewReader(content), int64(len(content)), env)
	if err != nil { // one of the broken ones
		return
	}
	for i, e := range a.Entries() {
		payload, err := a.Payload(i)
		if err != nil {
			continue
		}
		one(e.Format.Of(i, payload), payload, &format.Env{Name: env.Name, Archive: a, Entry: e.Path})
	}
}

// ignoredFields returns the fields of a value, as JSON shows it, whose change comes to nothing, and the change.
func ignoredFields(t *testing.T, f *format.Format, v any, env *format.Env) map[string]string {
	t.Helper()
	ignored := map[string]string{}
	shown := v
	if f.Document != nil {
		var err error
		if shown, err = f.Document.Show(v, env); err != nil {
			t.Fatal(err)
		}
	}
	write := func() (b []byte, told bool, err error) {
		var doc bytes.Buffer
		if err := json.EncodeDocument(&doc, f.Name, shown); err != nil {
			return nil, false, err
		}
		own := *env
		own.Diagnostics = new(schema.Diagnostics)
		it, err := new(engine.Loader).Decode(doc.Bytes(), &own)
		if err != nil {
			return nil, false, err
		}
		b, err = it.Format.Write(it.Value)
		return b, len(own.Diagnostics.All()) > 0, err
	}
	before, told, err := write()
	if err != nil || told {
		t.Fatalf("%s: %v, something to tell: %v", f.Name, err, told)
	}
	eachChange(reflect.ValueOf(shown), f.Name, func(where, change string) {
		where = indices.ReplaceAllString(where, "[]")
		if ignored[where] != "" {
			return
		}
		if after, told, err := write(); err == nil && !told && bytes.Equal(after, before) {
			ignored[where] = change
		}
	}, map[string]int{})
	return ignored
}

var indices = regexp.MustCompile(`\[\d+\]`)

// eachChange makes one change after the other to what v holds, and calls try while it stands. Of elements of long lists
// the first ones are enough.
func eachChange(v reflect.Value, where string, try func(where, change string), tried map[string]int) {
	if v.Kind() == reflect.Pointer && v.IsNil() || v.Kind() == reflect.Interface && v.IsNil() {
		if v.CanSet() && v.Kind() == reflect.Pointer {
			v.Set(filled(v.Type(), 3))
			try(where, "made")
			v.SetZero()
		}
		return
	}
	const enough = 24
	place := indices.ReplaceAllString(where, "[]")
	if tried[place]++; tried[place] > enough {
		return
	}
	set := func(now func(), change string, args ...any) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		now()
		try(where, fmt.Sprintf(change, args...))
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.Pointer:
		eachChange(v.Elem(), where, try, tried)
	case reflect.Bool:
		set(func() { v.SetBool(!v.Bool()) }, "not %v", v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		set(func() { v.SetInt(neighbour(v.Int())) }, "other than %d", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		set(func() { v.SetUint(neighbour(v.Uint())) }, "other than %d", v.Uint())
	case reflect.Float32, reflect.Float64:
		set(func() { v.SetFloat(otherThan(v.Float())) }, "other than %g", v.Float())
	case reflect.String:
		set(func() { v.SetString(v.String() + "1") }, "other than %q", v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" {
				eachChange(v.Field(i), where+"."+field.Name, try, tried)
			}
		}
	case reflect.Slice:
		if n := v.Len(); n > 0 {
			set(func() { v.Set(v.Slice(0, n-1)) }, "the last of %d taken away", n)
		}
		set(func() { v.Set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), filled(v.Type().Elem(), 3))) }, "one more than %d", v.Len())
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			eachChange(v.Index(i), fmt.Sprintf("%s[%d]", where, i), try, tried)
		}
	}
}

// filled makes a value with something in all fields.
func filled(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if depth == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem(), depth-1))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.String:
		v.SetString("a")
	case reflect.Struct:
		for i := range v.NumField() {
			if t.Field(i).IsExported() {
				v.Field(i).Set(filled(t.Field(i).Type, depth-1))
			}
		}
	case reflect.Slice:
		v.Set(reflect.Append(v, filled(t.Elem(), depth-1)))
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(filled(t.Elem(), depth))
		}
	}
	return v
}

// neighbour returns another number of as many bits that is not 0, which often says nothing.
func neighbour[T int64 | uint64](x T) T {
	if x == 1 {
		return 2
	}
	return x ^ 1
}

// otherThan returns a number that is far enough from x for any number of bits.
func otherThan(x float64) float64 {
	if x == 0 || x != x {
		return 1
	}
	return x / 2
}
