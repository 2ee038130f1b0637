package unreal_test

import (
	"bytes"
	"fmt"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/damage"
	write "github.com/usher-assets/usher/write/unreal"
)

// TestOutcomes holds what becomes of damaged objects, packages and files, of values that nobody should write, and of
// edited packages.
func TestOutcomes(t *testing.T) {
	table := damage.Open(t, "outcomes", "unreal.tsv")
	for _, tt := range madeObjects {
		for _, version := range []uint16{61, 65, 69} { // TestMadeObjects has the others
			o := madeOf(tt.make(), tt.class, version)
			fit(o, version)
			objectOutcomes(t, table, fmt.Sprint(tt.class, version), o, version != 65)
		}
	}
	for i, o := range []*unreal.Object{everyProperty(69), everyProperty(61)} {
		objectOutcomes(t, table, fmt.Sprint("properties ", i), o, true)
	}
	fileOutcomes(t, table)
	for version := uint16(unreal.MinVersion); version <= unreal.MaxVersion; version += 3 {
		b := save(t, small(t, version, nil))
		table.Run(t, fmt.Sprint("package ", version), func(t *testing.T, add func(what, outcome string)) {
			damage.Bytes(b, packageOutcome, add)
			damage.Near(b, packageOutcome, add)
		})
	}
	for _, name := range []string{"linked.u", "made61.u", "made69.u", "pictures.utx", "room61.unr", "sounds.uax"} {
		b := corpus.Bytes(t, corpus.Testdata(t, "unreal", name))
		table.Run(t, "edits of "+name, func(t *testing.T, add func(what, outcome string)) { packageEdits(t, b, add) })
	}
}

// bare is an object apart from its package.
type bare struct {
	Object  unreal.AnyObject
	Refs    []unreal.Ref
	Unknown [][]byte
	Fixups  []unreal.Fixup
	Movable bool
	write   func() ([]byte, error)
}

func objectOutcomes(t *testing.T, table *damage.Table, name string, o unreal.AnyObject, values bool) {
	b, err := write.Object(o)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	context := *o.Base().Context
	outcome := damage.Payload(func(b []byte, d *schema.Diagnostics) (*bare, error) {
		x := context
		got, err := read.Object(b, &x, d)
		if err != nil {
			return nil, err
		}
		base := got.Base()
		full := base.Context
		base.Context = nil
		v := &bare{Object: got, write: func() ([]byte, error) {
			base.Context = full
			return write.Object(got)
		}}
		v.Refs, v.Unknown = read.References(b, &x)
		v.Fixups, v.Movable = read.Fixups(b, &x)
		return v, nil
	}, func(v *bare) ([]byte, error) { return v.write() })
	b = bytes.Clone(b) // o changes beside this
	table.Run(t, name, func(t *testing.T, add func(what, outcome string)) {
		damage.Bytes(b, outcome, add)
		damage.Near(b, outcome, add)
	})
	if values {
		table.Run(t, name+" written", func(t *testing.T, add func(what, outcome string)) {
			damage.Values(o, func() ([]byte, error) { return write.Object(o) }, add, "Context")
		})
	}
}

// everyProperty has properties of all types and widths, and a state frame.
func everyProperty(version uint16) *unreal.Object {
	x := &unreal.Context{Package: roomy(version), Class: "Light", Flags: unreal.HasStack}
	o := &unreal.Object{Context: x, Tail: []byte{1, 2, 3}, Frame: &unreal.StateFrame{Node: 3, State: 4, Probe: 5, Latent: 6, Offset: 7}}
	for i := range 16 {
		q := unreal.Property{Name: unreal.NameIndex(i + 1), Type: unreal.PropertyType(i), SizeCode: uint8(i % 8), Number: int32(i), Index: int32(1200 * i), Array: i > 0}
		switch q.Type {
		case unreal.BoolProperty:
			q.Index, q.Array, q.Number = 0, false, 1
		case unreal.ByteProperty, unreal.IntProperty, unreal.FloatProperty, unreal.ObjectProperty, unreal.ClassProperty, unreal.NameProperty:
		case 0:
			continue
		case unreal.StructProperty:
			q.Struct, q.Value, q.Number = 9, []byte{1, 2, 3, 4}, 0
		default:
			q.Value, q.Number = bytes.Repeat([]byte{byte(i)}, 1<<(i%8)), 0
		}
		o.Properties = append(o.Properties, q)
	}
	return o
}

func fileOutcomes(t *testing.T, table *damage.Table) {
	damage.Codec(t, table, "psk", smallPSK(), write.PSK, read.PSK)
	damage.Codec(t, table, "psa", smallPSA(), write.PSA, read.PSA)
	x, err := read.UMOD(installer(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	damage.Codec(t, table, "umod", x, write.UMOD, read.UMOD)
	brush, err := read.T3D([]byte(brushText), nil)
	if err != nil {
		t.Fatal(err)
	}
	damage.Codec(t, table, "t3d", brush, write.T3D, read.T3D)
	d, err := read.MeshData(corpus.Bytes(t, corpus.Testdata(t, "unreal", "rock_d.3d")), nil)
	if err != nil {
		t.Fatal(err)
	}
	damage.Codec(t, table, "mesh data", d, write.MeshData, read.MeshData)
	for _, vertices := range []int{0, 3, 4, 8} {
		animation := func(b []byte, d *schema.Diagnostics) (*unreal.MeshAniv, error) { return read.MeshAniv(b, vertices, d) }
		a, err := animation(corpus.Bytes(t, corpus.Testdata(t, "unreal", "rock_a.3d")), nil)
		if err != nil {
			t.Fatal(err)
		}
		damage.Codec(t, table, fmt.Sprint("mesh animation of ", vertices), a, write.MeshAniv, animation)
	}
	for name, data := range map[string][]byte{"empty": {}, "one": {7}, "five": bytes.Repeat([]byte{9}, 5), "256": bytes.Repeat([]byte{1}, 256), "text": []byte("banana bandana banana bandana")} {
		for _, signature := range []int32{1234, 5678} {
			v := &unreal.UZ{Signature: signature, Name: unreal.Str{Text: "a.u"}, Data: bytes.Clone(data)}
			damage.Codec(t, table, fmt.Sprint("uz ", name, signature), v, write.UZ, read.UZ)
		}
	}
}

// packageOutcome reads a package's tables and payloads, and writes it.
func packageOutcome(b []byte) string {
	d := new(schema.Diagnostics)
	trace := new(schema.Trace)
	trace.Place(b, 0)
	d.Record(trace)
	p, err := read.Package(bytes.NewReader(b), int64(len(b)), d)
	if err != nil {
		return damage.Refusal(err) + " " + err.Error()
	}
	s := fmt.Sprintf("read %016x", damage.Fingerprint([]any{p.Names, p.Imports, p.Exports, p.GUID, p.Heritage, p.Generations, p.Flags, p.HeaderSpan, p.NameSpan, p.ImportSpan, p.ExportSpan}))
	for i := range min(len(p.Exports), 20) {
		payload, err := p.Payload(i)
		s += fmt.Sprintf(" %016x %v", damage.Fingerprint(payload), err)
	}
	s += fmt.Sprintf(", told %016x", damage.Fingerprint(d.All()))
	if err := read.Relocations(p, d); err != nil {
		return s + " " + err.Error()
	}
	var w bytes.Buffer
	err = write.Package(&w, p)
	return s + fmt.Sprintf(", told %016x, ", damage.Fingerprint(d.All())) + damage.Written(w.Bytes(), err)
}

// packageEdits gives each payload other lengths, and adds rows, one edit and two at a time.
func packageEdits(t *testing.T, b []byte, add func(what, outcome string)) {
	edits := []struct {
		what string
		do   func(p *unreal.Package, i int)
	}{
		{"longer", func(p *unreal.Package, i int) { resize(p, i, 7) }},
		{"much longer", func(p *unreal.Package, i int) { resize(p, i, 1001) }},
		{"shorter", func(p *unreal.Package, i int) { resize(p, i, -1) }},
		{"other", func(p *unreal.Package, i int) { resize(p, i, 0) }},
		{"empty", func(p *unreal.Package, i int) { p.Exports[i].Data, p.Exports[i].Fixups = []byte{}, nil }},
		{"fixed", func(p *unreal.Package, i int) { p.Exports[i].Movable = false }},
		{"a name", func(p *unreal.Package, i int) { p.AddName("Fresh") }},
		{"an import", func(p *unreal.Package, i int) { p.AddClass("Mod", "Thing") }},
		{"an export", func(p *unreal.Package, i int) {
			r := p.AddExport(p.AddClass("Core", "Package"), 0, "Another", unreal.PrivateFlags)
			p.Exports[r-1].Data, p.Exports[r-1].Movable = []byte{0}, true
		}},
		{"removed", func(p *unreal.Package, i int) {
			last := len(p.Exports) - 1
			e := p.Exports[last]
			p.Exports, p.StoredExports = p.Exports[:last], min(p.StoredExports, last)
			if e.Size > 0 {
				p.Removed = append(p.Removed, unreal.Span{Offset: int64(e.Offset), Size: int64(e.Size)})
			}
		}},
	}
	outcome := func(p *unreal.Package) string {
		dead, deadErr := write.Dead(p)
		var kept, rebuilt bytes.Buffer
		err := write.Package(&kept, p)
		rebuildErr := write.Rebuild(&rebuilt, p)
		return fmt.Sprintf("%s, %d dead (%v), rebuilt %s", damage.Written(kept.Bytes(), err), dead, deadErr, damage.Written(rebuilt.Bytes(), rebuildErr))
	}
	ready := func() *unreal.Package {
		p := open(t, b)
		if err := read.Relocations(p, nil); err != nil {
			t.Fatal(err)
		}
		return p
	}
	for i := range open(t, b).Exports {
		for k, first := range edits {
			p := ready()
			p.KeepGUID = k%2 == 0
			first.do(p, i)
			add(fmt.Sprint(i, " ", first.what), outcome(p))
			if i%5 > 0 {
				continue
			}
			for _, second := range edits {
				p := ready()
				if first.do(p, i); len(p.Exports) == 0 {
					continue
				}
				second.do(p, len(p.Exports)-1)
				add(fmt.Sprint(i, " ", first.what, ", last ", second.what), outcome(p))
			}
		}
	}
}

// resize gives a payload more or fewer bytes behind what moves with it.
func resize(p *unreal.Package, i, by int) {
	e := &p.Exports[i]
	b, err := p.Payload(i)
	if err != nil || len(b)+by < 1 {
		return
	}
	for _, f := range e.Fixups {
		if int(f.At)+4 > len(b)+by {
			return
		}
	}
	e.Data = append(bytes.Clone(b), make([]byte, max(by, 0))...)[:len(b)+by]
}
