package convert_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestDamage holds what becomes of every file of testdata that is cut short, or has a byte changed, at up to 300 places
// each: refused, with which class at which field and offset, or read, as which values, lifted to which asset, lowered again
// and written as which bytes. testdata/damage.tsv holds a line for each file: how many were read and how many refused with each class,
// and a fingerprint of all of it. So whatever a reader, a lift or a writer does with a byte is held, whether or not another
// test thought of it.
//
// When a change is meant, USHER_GOLDEN=write writes the table anew, and USHER_OUT=FOLDER keeps a file of all outcomes for
// each file, so that those of two commits can be compared.
func TestDamage(t *testing.T) {
	golden := corpus.Testdata(t, "damage.tsv")
	var mu sync.Mutex
	var got []string
	t.Run("files", func(t *testing.T) {
		for family := range families {
			err := filepath.WalkDir(corpus.Testdata(t, family), func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				b := corpus.Bytes(t, p)
				f := sniff(p, b)
				if f == nil {
					return nil
				}
				rel, _ := filepath.Rel(corpus.Testdata(t), p)
				name := filepath.ToSlash(rel)
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					line := name + "\t" + damage(t, name, f, b, new(convert.Loader).Env(p, nil))
					mu.Lock()
					got = append(got, line)
					mu.Unlock()
				})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	slices.Sort(got)
	text := "file\toutcomes\tfingerprint\n" + strings.Join(got, "\n") + "\n"
	if os.Getenv("USHER_GOLDEN") == "write" {
		if err := os.WriteFile(golden, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(corpus.Bytes(t, golden)), "\n")
	for _, line := range strings.Split(text, "\n") {
		if !slices.Contains(want, line) {
			t.Errorf("not as in damage.tsv: %s", line)
		}
	}
	if len(want) != strings.Count(text, "\n")+1 {
		t.Errorf("%d files, damage.tsv has %d", strings.Count(text, "\n")-1, len(want)-2)
	}
}

// damage returns the line of a file: counts of the outcomes, and their fingerprint.
func damage(t *testing.T, name string, f *format.Format, b []byte, env *format.Env) string {
	var all strings.Builder
	counts := map[string]int{}
	try := func(what string, damaged []byte) {
		result := outcomeOf(f, damaged, env)
		word, _, _ := strings.Cut(result, " ")
		counts[word]++
		fmt.Fprintf(&all, "%s: %s\n", what, result)
	}
	try("whole", b)
	for _, at := range places(len(b)) {
		try(fmt.Sprintf("cut at 0x%x", at), b[:at:at])
		damaged := bytes.Clone(b)
		damaged[at] ^= 1 << (at % 8)
		try(fmt.Sprintf("bit at 0x%x", at), damaged)
		damaged[at] = 0xff
		try(fmt.Sprintf("0xff at 0x%x", at), damaged)
	}
	if dir := os.Getenv("USHER_OUT"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+".txt"), []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var words []string
	for word, n := range counts {
		words = append(words, fmt.Sprintf("%s %d", word, n))
	}
	slices.Sort(words)
	h := fnv.New64a()
	_, _ = io.WriteString(h, all.String())
	return fmt.Sprintf("%s\t%016x", strings.Join(words, ", "), h.Sum64())
}

// places are up to 300 offsets of a file: the first ones, and others spread over the rest.
func places(size int) (list []int) {
	const dense, spread = 100, 200
	for at := 0; at < size; {
		list = append(list, at)
		if at < dense || size <= dense+spread {
			at++
		} else {
			at += max(1, (size-dense)/spread)
		}
	}
	return list
}

// outcomeOf tells in a line what becomes of a file: its first word is that of the line's counts.
func outcomeOf(f *format.Format, b []byte, env *format.Env) string {
	if f.Read != nil {
		return leafOutcome(f, b, env)
	}
	a, err := f.Open(bytes.NewReader(b), int64(len(b)), env)
	if err != nil {
		return refusal(err)
	}
	var again bytes.Buffer
	if _, err := a.WriteTo(&again); err != nil {
		return refusal(err)
	}
	s := fmt.Sprintf("read %016x", fingerprint(again.Bytes()))
	for i, e := range a.Entries() {
		payload, err := a.Payload(i)
		if err != nil {
			return s + " " + refusal(err)
		}
		s += "; " + e.Path + " "
		if leaf := e.Format.Of(i, payload); leaf != nil && leaf.Read != nil {
			s += leafOutcome(leaf, payload, env)
		}
	}
	return s
}

func leafOutcome(f *format.Format, b []byte, env *format.Env) string {
	v, err := f.Read(b, nil)
	if err != nil {
		return refusal(err)
	}
	s := fmt.Sprintf("read %016x", fingerprint(v))
	if f.Check != nil {
		if err := f.Check(v); err != nil {
			s += ", check " + refusal(err)
		}
	}
	if f.Lift != nil {
		if a, err := f.Lift(v, env); err != nil {
			s += ", lift " + refusal(err)
		} else {
			s += fmt.Sprintf(", lifted %016x", fingerprint(a)) + lowerOutcome(f, a, env)
		}
	}
	if f.Write != nil {
		if again, err := f.Write(v); err != nil {
			s += ", write " + refusal(err)
		} else {
			s += fmt.Sprintf(", written %016x", fingerprint(again))
		}
	}
	return s
}

// lowerOutcome tells what a format makes of an asset that it lifted.
func lowerOutcome(f *format.Format, a asset.Asset, env *format.Env) string {
	if f.Lower == nil {
		return ""
	}
	v, err := f.Lower(a, env)
	if err != nil {
		return ", lower " + refusal(err)
	}
	b, err := f.Write(v)
	if err != nil {
		return ", write lowered " + refusal(err)
	}
	return fmt.Sprintf(", lowered %016x", fingerprint(b))
}

// refusal names an error: its class, and where it is.
func refusal(err error) string {
	var fe *schema.FormatError
	if !errors.As(err, &fe) {
		return "error " + err.Error()
	}
	return fmt.Sprintf("%v at 0x%x of %s, %s", strings.ReplaceAll(schema.Class(err).Error(), " ", "-"), fe.Offset, fe.Path, fe.Field)
}

// fingerprint hashes all values that v leads to; functions apart.
func fingerprint(v any) uint64 {
	p := &printer{seen: map[uintptr]bool{}}
	h := fnv.New64a()
	p.w = h
	p.value(reflect.ValueOf(v))
	return h.Sum64()
}

type printer struct {
	w    io.Writer
	seen map[uintptr]bool
	b    [8]byte
}

func (p *printer) number(n uint64) {
	for i := range p.b {
		p.b[i] = byte(n >> (8 * i))
	}
	_, _ = p.w.Write(p.b[:])
}

func (p *printer) value(v reflect.Value) {
	p.number(uint64(v.Kind()))
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			p.number(1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		p.float(v.Float())
	case reflect.String:
		p.number(uint64(v.Len()))
		_, _ = io.WriteString(p.w, v.String())
	case reflect.Array, reflect.Slice:
		p.list(v)
	case reflect.Map:
		p.table(v)
	case reflect.Struct:
		for i := range v.NumField() { // a new field that is empty changes nothing
			if !v.Field(i).IsZero() {
				_, _ = io.WriteString(p.w, v.Type().Field(i).Name)
				p.value(v.Field(i))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() && !p.seen[v.Pointer()] {
			p.seen[v.Pointer()] = true
			p.value(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			_, _ = io.WriteString(p.w, v.Elem().Type().String())
			p.value(v.Elem())
		}
	}
}

// float rounds to what all processors agree about.
func (p *printer) float(x float64) {
	if x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) {
		digits := math.Pow(2, 40-math.Ceil(math.Log2(math.Abs(x))))
		if scaled := x * digits; !math.IsInf(scaled, 0) && digits != 0 && !math.IsInf(digits, 0) {
			x = math.Round(scaled) / digits
		}
	}
	if x == 0 || math.IsNaN(x) {
		x = math.Abs(x)
	}
	p.number(math.Float64bits(x))
}

func (p *printer) list(v reflect.Value) {
	p.number(uint64(v.Len()))
	if v.Type().Elem().Kind() == reflect.Uint8 && (v.Kind() == reflect.Slice || v.CanAddr()) {
		_, _ = p.w.Write(v.Bytes())
		return
	}
	for i := range v.Len() {
		p.value(v.Index(i))
	}
}

func (p *printer) table(v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	for _, k := range keys {
		p.value(k)
		p.value(v.MapIndex(k))
	}
}
