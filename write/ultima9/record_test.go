package ultima9_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/usher-assets/usher/read"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/write"
)

// everyKind has fields of every kind that a record can have, and gaps in memory that the file does not have.
type everyKind struct {
	A    uint8
	B    uint64
	C    int16
	D    schema.FixedText `size:"7"`
	E    int8
	F    float32
	G    [3]uint8
	Pad  [3]uint8
	H    [3]int16
	I    [2][3]float32
	Box  ultima9.AreaBox
	J    uint16
	K    []uint16 `count:"u8 J"`
	L    int32
	M    [2]ultima9.EncounterEntry
	N    []ultima9.SoundAction `count:"u16"`
	O    []ultima9.TriggerStep `count:"u32"`
	P    uint8
	Q    [3]gap
	Rest []byte `record:"-"`
}

// gap has more bytes in memory than in the file.
type gap struct {
	A uint32
	B uint8
}

// declared are the structs that are records, and the bytes that one has whose lists are empty.
var declared = []struct {
	value any
	size  int
}{
	{new(everyKind), 0x78},
	{new(ultima9.NPC), ultima9.NPCSize},
	{new(ultima9.Activity), 16},
	{new(ultima9.ActivityStep), ultima9.ActivityStepSize},
	{new(ultima9.TriggerStep), ultima9.TriggerStepSize},
	{new(ultima9.HighwayPoint), ultima9.HighwayPointSize},
	{new(ultima9.AreaPosition), 12},
	{new(ultima9.AreaBox), ultima9.AreaBoxSize},
	{new(ultima9.Encounter), 62},
	{new(ultima9.EncounterEntry), 4},
	{new(ultima9.SpacePortal), 0x40}, // and the word that announces the next
	{new(ultima9.TreeNode), 32},
	{new(ultima9.SDInfo), ultima9.SDInfoSize},
	{new(ultima9.Type), ultima9.TypeSize},
	{new(ultima9.SoundLink), 4},
	{new(ultima9.SoundCategory), 40},
	{new(ultima9.SoundEnvironment), 80},
	{new(ultima9.SoundTemplate), ultima9.SoundTemplateSize},
	{new(ultima9.SoundAction), ultima9.SoundActionSize},
	{new(ultima9.SoundChoice), ultima9.SoundChoiceSize},
	{new(ultima9.ObjectReference), 12},
}

// recordCases calls f for values of every record with all kinds of numbers in them, and their bytes.
func recordCases(t *testing.T, f func(t *testing.T, x any, b []byte)) {
	t.Helper()
	for _, r := range declared {
		t.Run(reflect.TypeOf(r.value).Elem().Name(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			for range 30 {
				x := reflect.New(reflect.TypeOf(r.value).Elem())
				fillRecord(x.Elem(), 0, rng)
				w := write.NewBuffer("test", 0)
				w.Record(x.Interface())
				b, err := w.Finish()
				if err != nil {
					t.Fatal(err)
				}
				f(t, x.Interface(), b)
			}
		})
	}
}

// fillRecord gives all fields values by chance, lists up to three elements, and texts of size bytes.
func fillRecord(v reflect.Value, size int, rng *rand.Rand) {
	switch {
	case v.Type() == reflect.TypeFor[schema.FixedText]():
		b := make([]byte, size)
		for i := range b[:rng.IntN(size+1)] {
			b[i] = byte(rng.IntN(256))
		}
		v.Set(reflect.ValueOf(schema.SplitFixedText(b)))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("record") != "-" {
				var n int
				fmt.Sscan(f.Tag.Get("size"), &n)
				fillRecord(v.Field(i), n, rng)
			}
		}
	case v.Kind() == reflect.Slice:
		n := rng.IntN(4)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		fallthrough
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			fillRecord(v.Index(i), 0, rng)
		}
	case v.CanInt():
		v.SetInt(rng.Int64() >> rng.IntN(8) << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case v.CanUint():
		v.SetUint(rng.Uint64() >> (64 - v.Type().Bits()))
	case v.CanFloat():
		v.SetFloat(rng.NormFloat64())
	}
}

// TestRecords writes and reads every record: with a trace, which takes it field by field, and without.
func TestRecords(t *testing.T) {
	recordCases(t, func(t *testing.T, x any, b []byte) {
		for _, traced := range []bool{false, true} {
			d, trace := new(schema.Diagnostics), new(schema.Trace)
			if traced {
				trace.Place(b, 0)
				d.Record(trace)
			}
			y := reflect.New(reflect.TypeOf(x).Elem()).Interface()
			c := read.NewCursor("test", b, d)
			c.Record(y)
			if c.Err() != nil || c.Left() != 0 || !reflect.DeepEqual(x, y) {
				t.Fatalf("traced %v, %v, %d bytes left:\n got %+v\nwant %+v", traced, c.Err(), c.Left(), y, x)
			}
			at := int64(0)
			for _, s := range trace.Spans {
				if s.Offset != at || s.Field == "" || s.Layout == "" {
					t.Fatalf("at 0x%x: %+v", at, s)
				}
				at += s.Size
			}
			if traced && at != int64(len(b)) {
				t.Errorf("%d of %d bytes are explained", at, len(b))
			}
		}
	})
}

// TestRecordSpans holds what a trace says of every kind of field.
func TestRecordSpans(t *testing.T) {
	w := write.NewBuffer("test", 0)
	w.Record(&everyKind{K: []uint16{1, 2}, O: make([]ultima9.TriggerStep, 1)})
	b, err := w.Finish()
	must(t, err)
	d, trace := new(schema.Diagnostics), new(schema.Trace)
	trace.Place(b, 0)
	d.Record(trace)
	read.NewCursor("test", b, d).Record(new(everyKind))
	got := ""
	for _, s := range trace.Spans {
		got += fmt.Sprintf("%s %s=%d %s, ", s.Path, s.Field, s.Count, s.Layout)
	}
	want := " A=1 u8,  B=1 u64,  C=1 i16,  D=1 text,  E=1 i8,  F=1 f32,  G=3 u8,  pad=1 bytes,  H=3 i16,  I=2 3f32, " +
		" box min X=1 i32,  box min Y=1 i32,  box min Z=1 i16,  box min pad0A=1 bytes, " +
		" box max X=1 i32,  box max Y=1 i32,  box max Z=1 i16,  box max pad0A=1 bytes, " +
		" K=1 u8,  J=1 u16,  K=2 u16,  L=1 i32, M 0 type=1 u16, M 0 weight=1 u16, M 1 type=1 u16, M 1 weight=1 u16, " +
		" N=1 u16,  O=1 u32, O 0 opcode=1 u8, O 0 operand1=1 u8, O 0 operand2=1 u16, O 0 operand4=1 u16,  P=1 u8, " +
		"Q 0 A=1 u32, Q 0 B=1 u8, Q 1 A=1 u32, Q 1 B=1 u8, Q 2 A=1 u32, Q 2 B=1 u8, "
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestRecordsOfOtherMachines: where memory holds numbers in another order than files, records are read and written number
// by number.
func TestRecordsOfOtherMachines(t *testing.T) {
	recordCases(t, func(t *testing.T, x any, b []byte) {
		r := schema.RecordOf(x)
		stored := *r
		numberByNumber(r)
		defer func() { *r = stored }()
		y := reflect.New(reflect.TypeOf(x).Elem()).Interface()
		read.NewCursor("test", b, nil).Record(y)
		w := write.NewBuffer("test", 0)
		w.Record(x)
		if got, err := w.Finish(); err != nil || !bytes.Equal(got, b) || !reflect.DeepEqual(x, y) {
			t.Fatalf("%v\n got %x\nwant %x\n got %+v\nwant %+v", err, got, b, y, x)
		}
	})
}

// numberByNumber makes a layout one without runs.
func numberByNumber(r *schema.Record) {
	r.Flat, r.Parts = false, slices.Clone(r.Parts)
	for i := range r.Parts {
		p := &r.Parts[i]
		p.Runs, p.Others = nil, p.Fields
		if p.List != nil && p.List.Elem != nil {
			list, elem := *p.List, *p.List.Elem
			numberByNumber(&elem)
			list.Elem, p.List = &elem, &list
		}
	}
}

// TestRecordBits: all bits of numbers come back, those of floats that are none among them.
func TestRecordBits(t *testing.T) {
	for _, r := range declared {
		rec := schema.RecordOf(r.value)
		if len(rec.Parts) > 1 || rec.Parts[0].List != nil {
			continue
		}
		for _, fill := range []byte{0xFF, 0x7F, 0x80, 0xA5} {
			b := bytes.Repeat([]byte{fill}, rec.Size)
			for i := 0; i+4 <= len(b); i += 8 {
				copy(b[i:], []byte{1, 0, 0xA0, 0x7F}) // a float that is no number, and signals
			}
			y := reflect.New(reflect.TypeOf(r.value).Elem()).Interface()
			read.NewCursor("test", b, nil).Record(y)
			w := write.NewBuffer("test", 0)
			w.Record(y)
			if got, err := w.Finish(); err != nil || !bytes.Equal(got, b) {
				t.Errorf("%T: %v\n got %x\nwant %x", y, err, got, b)
			}
		}
	}
}

// TestRecordsCutOff: a record that ends too early says so at the field that is cut, or at the count of a list that can
// hold no more.
func TestRecordsCutOff(t *testing.T) {
	recordCases(t, func(t *testing.T, x any, b []byte) {
		d, trace := new(schema.Diagnostics), new(schema.Trace)
		trace.Place(b, 0)
		d.Record(trace)
		read.NewCursor("test", b, d).Record(reflect.New(reflect.TypeOf(x).Elem()).Interface())
		for n := range len(b) {
			c := read.NewCursor("test", b[:n:n], nil)
			c.Record(reflect.New(reflect.TypeOf(x).Elem()).Interface())
			var err *schema.FormatError
			if !errors.As(c.Err(), &err) || err.Field == "" {
				t.Fatalf("cut at %d: %v", n, c.Err())
			}
			if err.Class == schema.ErrCount {
				continue
			}
			for _, s := range trace.Spans {
				if s.Offset <= int64(n) && int64(n) < s.Offset+s.Size && (err.Class != schema.ErrTruncated || err.Offset != s.Offset || err.Field != s.Field || err.Path != s.Path) {
					t.Errorf("cut at %d: %v, want %s in %q at %d", n, err, s.Field, s.Path, s.Offset)
				}
			}
		}
	})
}

// TestRecordSizes holds the sizes that references name.
func TestRecordSizes(t *testing.T) {
	for _, r := range declared {
		if got := schema.RecordOf(r.value).Size; got != r.size {
			t.Errorf("%T has 0x%x bytes, want 0x%x", r.value, got, r.size)
		}
	}
}

// TestRecordCounts: a count that the bytes left cannot hold is refused before anything is made for it.
func TestRecordCounts(t *testing.T) {
	b := make([]byte, ultima9.SoundTemplateSize)
	copy(b[0x28:], []byte{0xFF, 0xFF, 0xFF, 0x7F})
	c := read.NewCursor("test", b, nil)
	x := new(ultima9.SoundTemplate)
	c.Record(x)
	if want := "test+0x38: actions: 2147483647 elements of 40 bytes do not fit into the 0 bytes left"; c.Err() == nil || c.Err().Error() != want || len(x.Actions) != 0 {
		t.Errorf("%v, want %s", c.Err(), want)
	}
	for _, tt := range []struct {
		n    int
		want string
	}{{255, ""}, {256, "test+0x53: K: 256 does not fit, at most 255"}} {
		w := write.NewBuffer("test", 0)
		w.Record(&everyKind{K: make([]uint16, tt.n)})
		if err := w.Err(); (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%d: %v, want %s", tt.n, err, tt.want)
		}
	}
	w := write.NewBuffer("test", 0)
	w.Record(&ultima9.SoundAction{Name: schema.FixedText{Text: "\u4e00"}})
	if want := "test+0x1: name: \"\u4e00\" holds a zero or a character that Windows-1252 lacks"; w.Err() == nil || w.Err().Error() != want {
		t.Errorf("%v, want %s", w.Err(), want)
	}
}

// TestRecordMistakes: a struct that is no record is refused when it is first used.
func TestRecordMistakes(t *testing.T) {
	for name, x := range map[string]any{
		"a field that is hidden": new(struct{ a uint8 }),
		"a string":               new(struct{ A string }),
		"a truth value":          new(struct{ A bool }),
		"a pointer":              new(struct{ A *uint8 }),
		"a text without a size":  new(struct{ A schema.FixedText }),
		"a list without a count": new(struct{ A []uint8 }),
		"a list of pointers": new(struct {
			A []*uint8 `count:"u8"`
		}),
		"a count of an unknown type": new(struct {
			A []uint8 `count:"i64"`
		}),
		"a list between a count and its list": new(struct {
			A []uint8 `count:"u8"`
			B []uint8 `count:"u8 A"`
		}),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			schema.RecordOf(x)
		}()
	}
}
