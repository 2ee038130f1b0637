// Package damage holds outcomes: what becomes of input that is damaged, edited or made, in a line of a table for each
// piece of input, with counts and a fingerprint. So whatever the code does with a byte or a value is held, whether or not
// another test thought of it. Tests alone import it.
//
// When a change is meant, USHER_GOLDEN=write writes the tables anew, and USHER_OUT=FOLDER keeps a file of all outcomes for
// each piece, so that those of two commits can be compared.
package damage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/made"
)

// Table is a file of outcomes below testdata.
type Table struct {
	path string
	want map[string]string // by name

	mu  sync.Mutex
	got map[string]string
}

// Open reads a table. At the end of the test, rows that nothing was held against are errors.
func Open(t *testing.T, elem ...string) *Table {
	t.Helper()
	table := &Table{path: corpus.Testdata(t, elem...), want: map[string]string{}, got: map[string]string{}}
	b, err := os.ReadFile(table.path)
	if err != nil && os.Getenv("USHER_GOLDEN") != "write" {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")[1:] {
		name, row, _ := strings.Cut(line, "\t")
		table.want[name] = row
	}
	t.Cleanup(func() { table.finish(t) })
	return table
}

func (table *Table) finish(t *testing.T) {
	if os.Getenv("USHER_GOLDEN") == "write" {
		var lines []string
		for name, row := range table.got {
			if row == "" { // -run left it out
				row = table.want[name]
			}
			lines = append(lines, name+"\t"+row)
		}
		slices.Sort(lines)
		if err := os.WriteFile(table.path, []byte("file\toutcomes\tfingerprint\n"+strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Error(err)
		}
		return
	}
	for name := range table.want {
		if _, ok := table.got[name]; !ok {
			t.Errorf("%s of %s is not there any more", name, filepath.Base(table.path))
		}
	}
}

// Run holds a piece of input in a test of its own, which may run beside others. The first word of an outcome is counted.
func (table *Table) Run(t *testing.T, name string, outcomes func(t *testing.T, add func(what, outcome string))) {
	t.Helper()
	table.mu.Lock()
	table.got[name] = ""
	table.mu.Unlock()
	t.Run(name, func(t *testing.T) {
		if f := flag.Lookup("test.failfast"); f.Value.String() == "false" { // which others that run already do not heed
			t.Parallel()
		}
		var all strings.Builder
		counts := map[string]int{}
		here := corpus.Testdata(t)
		outcomes(t, func(what, outcome string) {
			outcome = strings.ReplaceAll(outcome, here, "testdata") // wherever that is
			word, _, _ := strings.Cut(outcome, " ")
			counts[word]++
			fmt.Fprintf(&all, "%s: %s\n", what, outcome)
		})
		if dir := os.Getenv("USHER_OUT"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")+".txt"), []byte(all.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		row := summary(counts, all.String())
		table.mu.Lock()
		table.got[name] = row
		table.mu.Unlock()
		if os.Getenv("USHER_GOLDEN") != "write" && row != table.want[name] {
			t.Errorf("%s has another row:\nwant %s\n got %s", filepath.Base(table.path), table.want[name], row)
		}
	})
}

func summary(counts map[string]int, all string) string {
	var words []string
	for word, n := range counts {
		words = append(words, fmt.Sprintf("%s %d", word, n))
	}
	slices.Sort(words)
	h := fnv.New64a()
	_, _ = io.WriteString(h, all)
	return fmt.Sprintf("%s\t%016x", strings.Join(words, ", "), h.Sum64())
}

// Places are up to 300 offsets of a file: the first ones, and others spread over the rest.
func Places(size int) (list []int) {
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

// Bytes adds the outcomes of b as it is, cut short, and with single bytes changed.
func Bytes(b []byte, outcome func([]byte) string, add func(what, outcome string)) {
	add("whole", outcome(b))
	for _, at := range Places(len(b)) {
		add(fmt.Sprintf("cut at 0x%x", at), outcome(b[:at:at]))
		damaged := bytes.Clone(b)
		damaged[at] ^= 1 << (at % 8)
		add(fmt.Sprintf("bit at 0x%x", at), outcome(damaged))
		damaged[at] = 0xff
		add(fmt.Sprintf("0xff at 0x%x", at), outcome(damaged))
	}
}

// Near adds what [Bytes] does not try: bytes one more and one less, and zero, which counts and offsets fail at first, and
// a byte too many.
func Near(b []byte, outcome func([]byte) string, add func(what, outcome string)) {
	add("longer", outcome(append(bytes.Clone(b), 1)))
	for _, at := range Places(len(b)) {
		for what, x := range [...]byte{0, b[at] + 1, b[at] - 1} {
			damaged := bytes.Clone(b)
			damaged[at] = x
			add(fmt.Sprintf("%s at 0x%x", [...]string{"zero", "more", "less"}[what], at), outcome(damaged))
		}
	}
}

// Words adds what [Bytes] and [Near] do not reach where the numbers of a file have four bytes: each word of the parts that is
// not zero changed by one, by a cell, by a page, to none and to a huge one.
func Words(b []byte, outcome func([]byte) string, add func(what, outcome string), parts ...[2]int) {
	for _, part := range parts {
		for at := part[0]; at+4 <= min(part[1], len(b)); at += 4 {
			was := binary.LittleEndian.Uint32(b[at:])
			if was == 0 {
				continue
			}
			for _, v := range []uint32{0, was + 1, was - 1, was + 16, was - 16, was + 4096, was - 4096, 1 << 31} {
				damaged := bytes.Clone(b)
				binary.LittleEndian.PutUint32(damaged[at:], v)
				add(fmt.Sprintf("0x%x at 0x%x", v, at), outcome(damaged))
			}
		}
	}
}

// Payload returns the outcome of a payload: why it is refused, or what is read, told, noted in a trace, and written again.
func Payload[T any](read func([]byte, *schema.Diagnostics) (T, error), write func(T) ([]byte, error)) func([]byte) string {
	return func(b []byte) string {
		trace := new(schema.Trace)
		trace.Place(b, 0x1000)
		d := new(schema.Diagnostics)
		d.Record(trace)
		v, err := read(b, d)
		s := fmt.Sprintf(", told %016x, noted %016x", Fingerprint(d.All()), noted(trace))
		if err != nil {
			return Refusal(err) + " " + err.Error() + s
		}
		return fmt.Sprintf("read %016x%s, %s", Fingerprint(v), s, Written(write(v)))
	}
}

// Codec holds what becomes of damage to what is written of v, and what is written of v when its fields change.
func Codec[T any](t *testing.T, table *Table, name string, v *T, write func(*T) ([]byte, error), read func([]byte, *schema.Diagnostics) (*T, error)) {
	t.Helper()
	b, err := write(v)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	b = bytes.Clone(b) // v changes beside this
	table.Run(t, name, func(t *testing.T, add func(what, outcome string)) {
		outcome := Payload(read, write)
		Bytes(b, outcome, add)
		Near(b, outcome, add)
	})
	table.Run(t, name+" written", func(t *testing.T, add func(what, outcome string)) {
		Values(v, func() ([]byte, error) { return write(v) }, add)
	})
}

// Values adds the outcomes of writing what v points to with single fields changed to what a writer may have no room for,
// but those left alone.
func Values(v any, write func() ([]byte, error), add func(what, outcome string), alone ...string) {
	made.Vary(v, func(what string) { add(what, Written(write())) }, alone...)
}

func noted(t *schema.Trace) uint64 {
	p := &printer{hash: basis}
	p.spans(t.Spans)
	if t.Stop != nil {
		p.spans([]schema.Span{*t.Stop})
	}
	return p.hash
}

// Written is the outcome of writing.
func Written(b []byte, err error) string {
	if err != nil {
		return Refusal(err) + " " + err.Error()
	}
	return fmt.Sprintf("written %016x", Fingerprint(b))
}

// Refusal names an error: its class, and where it is.
func Refusal(err error) string {
	var fe *schema.FormatError
	if !errors.As(err, &fe) {
		return "error " + err.Error()
	}
	return fmt.Sprintf("%v at 0x%x of %s, %s", strings.ReplaceAll(schema.Class(err).Error(), " ", "-"), fe.Offset, fe.Path, fe.Field)
}
