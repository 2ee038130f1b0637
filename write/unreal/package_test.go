package unreal_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
	"pgregory.net/rapid"
)

// object reads export i.
func object(t testing.TB, p *unreal.Package, i int) unreal.AnyObject {
	t.Helper()
	b, err := p.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	o, err := read.Object(b, p.Context(i), nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// replace encodes o and sets it as the payload of export i.
func replace(t testing.TB, p *unreal.Package, i int, o unreal.AnyObject) {
	t.Helper()
	b, err := write.Object(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := read.Replace(p, i, b, nil); err != nil {
		t.Fatal(err)
	}
	if err := read.Relocations(p, nil); err != nil {
		t.Fatal(err)
	}
}

// sameOthers checks that every payload but number except equals the one of the old package, positions aside, and that
// all objects decode at their new place, which checks the end of every lazy array.
func sameOthers(t testing.TB, got, want *unreal.Package, except int) {
	t.Helper()
	for i := range want.Exports {
		object(t, got, i)
		if i == except {
			continue
		}
		a, _ := got.Payload(i)
		b, _ := want.Payload(i)
		fixups, _ := read.Fixups(b, want.Context(i))
		for _, f := range fixups {
			v := binary.LittleEndian.Uint32(b[f.At:])
			binary.LittleEndian.PutUint32(b[f.At:], v-uint32(want.Exports[i].Offset)+uint32(got.Exports[i].Offset))
		}
		corpus.SameBytes(t, want.Context(i).Path, a, b)
	}
}

// edit changes the size of an object; false when it does not know how.
func edit(o unreal.AnyObject) bool {
	switch o := o.(type) {
	case *unreal.Texture:
		if len(o.Mips) == 0 || len(o.Mips[0].Pixels) == 0 {
			return false
		}
		m := o.Mips[0]
		m.Pixels = bytes.Repeat(m.Pixels, 4)
		m.USize, m.VSize, m.UBits, m.VBits = 2*m.USize, 2*m.VSize, m.UBits+1, m.VBits+1
		o.Mips = append([]unreal.Mip{m}, o.Mips...)
	case *unreal.Sound:
		o.Data = append(bytes.Clone(o.Data), make([]byte, 1001)...)
	case *unreal.Music:
		o.Data = o.Data[:len(o.Data)/2]
	case *unreal.Palette:
		o.Colors = o.Colors[:len(o.Colors)/2]
	case *unreal.TextBuffer:
		o.Text.Text += "// more\r\n"
	default:
		return false
	}
	return true
}

func TestEditsOfEveryPackage(t *testing.T) {
	edited := map[string]int{}
	for _, e := range packages(t) {
		b := corpus.Bytes(t, e.Path)
		done := map[string]bool{}
		old := open(t, b)
		for i := range old.Exports {
			class := old.ClassName(unreal.Ref(i + 1))
			if done[class] || !edit(object(t, old, i)) {
				continue
			}
			p := open(t, b)
			o := object(t, p, i)
			edit(o)
			done[class] = true
			edited[class]++
			replace(t, p, i, o)
			out := save(t, p)
			got := open(t, out)
			sameOthers(t, got, old, i)
			if got.GUID == old.GUID || len(got.Exports) != len(old.Exports) {
				t.Errorf("%s: GUID %x, %d exports", e.File, got.GUID, len(got.Exports))
			}
			want, _ := write.Object(o)
			if have, _ := got.Payload(i); len(have) != len(want) {
				t.Errorf("%s: %s has %d bytes, want %d", e.File, class, len(have), len(want))
			}
			corpus.SameBytes(t, e.File+" again", save(t, p), out)
		}
	}
	t.Logf("edited %v", edited)
	if edited["Texture"] < 20 || edited["Sound"] < 10 || edited["Music"] != 4 {
		t.Errorf("too few edits: %v", edited)
	}
}

// small returns a package of one texture, a palette, a sound and an object of an unknown class.
func small(t testing.TB, version uint16, opaque []byte) *unreal.Package {
	t.Helper()
	p := &unreal.Package{Version: version, Flags: 1}
	p.AddName("None")
	p.AddClass("Engine", "Palette")
	group := p.AddExport(p.AddClass("Core", "Package"), 0, "Group", unreal.PrivateFlags)
	pal := p.AddExport(p.AddClass("Engine", "Palette"), group, "Palette1", unreal.PrivateFlags)
	tex := p.AddExport(p.AddClass("Engine", "Texture"), group, "Wall", unreal.ResourceFlags)
	odd := p.AddExport(p.AddClass("Mod", "Gadget"), 0, "Gadget0", unreal.ResourceFlags)
	snd := p.AddExport(p.AddClass("Engine", "Sound"), 0, "Bang", unreal.ResourceFlags)
	put := func(r unreal.Ref, o unreal.AnyObject) {
		o.Base().Context = p.Context(int(r - 1))
		replace(t, p, int(r-1), o)
	}
	put(group, &unreal.Object{})
	put(pal, &unreal.Palette{Colors: make([][4]uint8, 256)})
	wall := &unreal.Texture{Mips: []unreal.Mip{{Pixels: make([]byte, 8), USize: 4, VSize: 2, UBits: 2, VBits: 1}}}
	wall.Context = p.Context(int(tex - 1))
	wall.Set("Palette", unreal.ObjectProperty, int32(pal))
	wall.Set("bMasked", unreal.BoolProperty, 1)
	wall.SetStruct("MipZero", "Color", []byte{1, 2, 3, 0})
	put(tex, wall)
	put(odd, &unreal.Object{Tail: opaque})
	put(snd, &unreal.Sound{FileType: p.AddName("wav"), Data: []byte("RIFF")})
	return p
}

func TestNewPackages(t *testing.T) {
	for version := uint16(unreal.MinVersion); version <= unreal.MaxVersion; version++ {
		b := save(t, small(t, version, nil))
		p := open(t, b)
		corpus.SameBytes(t, "again", save(t, p), b)
		if r := p.FindExport("group.wall", "texture"); r == 0 || !object(t, p, int(r-1)).(*unreal.Texture).Bool("bMasked") {
			t.Errorf("version %d: no Group.Wall", version)
		}
		switch {
		case version < unreal.GUIDVersion && (len(p.Heritage) != 1 || p.Heritage[0] == [16]byte{}):
			t.Errorf("version %d: heritage %x", version, p.Heritage)
		case version >= unreal.GUIDVersion && (len(p.Generations) != 1 || p.Generations[0].Exports != 5 || p.GUID == [16]byte{}):
			t.Errorf("version %d: generations %v, GUID %x", version, p.Generations, p.GUID)
		}
	}
}

// anchored returns a package whose gadgets hold the position of their end, and so must stay where they are.
func anchored(t *testing.T, p *unreal.Package) []byte {
	t.Helper()
	gadget := func(i int) bool { return p.ClassName(unreal.Ref(i+1)) == "Gadget" }
	for i := range p.Exports {
		if gadget(i) {
			o := object(t, p, i)
			o.Base().Tail = make([]byte, 8)
			replace(t, p, i, o)
		}
	}
	b := save(t, p)
	for i, e := range open(t, b).Exports {
		if gadget(i) {
			binary.LittleEndian.PutUint32(b[int(e.Offset)+int(e.Size)-4:], uint32(e.Offset+e.Size))
		}
	}
	return b
}

// An object of an unknown class that seems to hold a position must stay where it is: what grew before it goes to the
// end of the file.
func TestImmovableObjectsStay(t *testing.T) {
	for _, c := range []struct {
		opaque []byte
		stays  bool
	}{{[]byte{0, 0, 0, 0}, false}, {nil, true}} {
		first := save(t, small(t, 69, c.opaque))
		p := open(t, first)
		if c.stays {
			first = anchored(t, p)
			p = open(t, first)
		}
		i := int(p.FindExport("Group.Wall", "Texture") - 1)
		gadget := int(p.FindExport("Gadget0", "Gadget") - 1)
		o := object(t, p, i)
		edit(o)
		replace(t, p, i, o)
		out := open(t, save(t, p))
		old := open(t, first)
		if stayed := out.Exports[gadget].Offset == old.Exports[gadget].Offset; stayed != c.stays {
			t.Errorf("gadget with %x: from 0x%x to 0x%x", c.opaque, old.Exports[gadget].Offset, out.Exports[gadget].Offset)
		}
		if !c.stays {
			sameOthers(t, out, old, i)
			continue
		}
		if int64(out.Exports[i].Offset) != old.ImportSpan.Offset {
			t.Errorf("the texture went to 0x%x, not to where the tables were, 0x%x", out.Exports[i].Offset, old.ImportSpan.Offset)
		}
		dead := int64(old.Exports[i].Size) // what it leaves, and the names, where there are new ones
		if len(p.Names) != p.StoredNames {
			dead += p.NameSpan.Size
		}
		if got, err := write.Dead(p); got != dead || err != nil {
			t.Errorf("%d dead bytes, want %d (%v)", got, dead, err)
		}
		sameOthers(t, out, old, i)
	}
}

// TestOverwritten: where an object must stay, a payload that is no larger now goes over the old one, and leaves the rest dead.
func TestOverwritten(t *testing.T) {
	first := anchored(t, small(t, 69, nil))
	old := open(t, first)
	for _, colors := range []int{256, 255, 100, 1} {
		p := open(t, first)
		i := int(p.FindExport("Group.Palette1", "Palette") - 1)
		o := object(t, p, i).(*unreal.Palette)
		o.Colors = slices.Repeat([][4]uint8{{1, 2, 3, 4}}, colors)
		replace(t, p, i, o)
		dead, err := write.Dead(p)
		if err != nil {
			t.Fatal(err)
		}
		b := save(t, p)
		got := open(t, b)
		if at := got.Exports[i].Offset; at != old.Exports[i].Offset {
			t.Errorf("%d colours went from 0x%x to 0x%x", colors, old.Exports[i].Offset, at)
		}
		if want := int64(old.Exports[i].Size - got.Exports[i].Size); dead != want || want < int64(4*(256-colors)) {
			t.Errorf("%d colours leave %d dead bytes, want %d", colors, dead, want)
		}
		if now := object(t, got, i).(*unreal.Palette); !slices.Equal(now.Colors, o.Colors) {
			t.Errorf("%d colours became %d", colors, len(now.Colors))
		}
		sameOthers(t, got, old, i)
	}
}

// TestOverwrittenAnchors: beside an object that must stay, another such one is written over when it is as large as it was,
// and else goes behind what there is.
func TestOverwrittenAnchors(t *testing.T) {
	p := small(t, 69, nil)
	r := p.AddExport(p.AddClass("Mod", "Gadget"), 0, "Gadget1", unreal.ResourceFlags)
	replace(t, p, int(r-1), &unreal.Object{Context: p.Context(int(r - 1))})
	first := anchored(t, p)
	old := open(t, first)
	at := binary.LittleEndian.AppendUint32(nil, uint32(old.Exports[p.FindExport("Gadget0", "Gadget")-1].Offset+1))
	for _, zeros := range []int{4, 3, 5} { // with which it seems to hold a position in any file
		tail := string(at) + string(make([]byte, zeros))
		p := open(t, first)
		for i := range p.Exports {
			switch o := object(t, p, i); o.Base().Path {
			case "Gadget0":
				o.Base().Tail = []byte(tail)
				replace(t, p, i, o)
			case "Group.Palette1": // as large as it was
				o.(*unreal.Palette).Colors[0] = [4]uint8{1, 2, 3, 4}
				replace(t, p, i, o)
			case "Group.Wall": // in front of both
				edit(o)
				replace(t, p, i, o)
			}
		}
		got := open(t, save(t, p))
		i := int(p.FindExport("Gadget0", "Gadget") - 1)
		if at, was := got.Exports[i].Offset, old.Exports[i].Offset; (at == was) != (zeros == 4) || at < was {
			t.Errorf("%x went from 0x%x to 0x%x", tail, was, at)
		}
		for _, i := range []unreal.Ref{r - 1, p.FindExport("Group.Palette1", "Palette") - 1} {
			if at := got.Exports[i].Offset; at != old.Exports[i].Offset {
				t.Errorf("%x: %s went from 0x%x to 0x%x", tail, p.Context(int(i)).Path, old.Exports[i].Offset, at)
			}
		}
		if now := string(object(t, got, i).Base().Tail); now != tail {
			t.Errorf("%x became %x", tail, now)
		}
	}
}

func TestKeepGUID(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	b := corpus.Bytes(t, filepath.Join(dir, "synthetic", "syn_generations3.u"))
	for _, keep := range []bool{false, true} {
		p := open(t, b)
		p.KeepGUID = keep
		p.AddName("Fresh")
		if err := read.Relocations(p, nil); err != nil {
			t.Fatal(err)
		}
		got := open(t, save(t, p))
		if same := got.GUID == p.GUID; same != keep {
			t.Errorf("keep %v: GUID %x of %x", keep, got.GUID, p.GUID)
		}
		want := map[bool]int{false: 1, true: 3}[keep]
		if n := len(got.Generations); n != want || int(got.Generations[n-1].Names) != len(p.Names) {
			t.Errorf("keep %v: generations %v", keep, got.Generations)
		}
	}
}

// The tables grow where they are, in whatever order the parts lie, and everything behind them moves.
func TestAddedRows(t *testing.T) {
	for _, e := range packages(t) {
		b := corpus.Bytes(t, e.Path)
		old, p := open(t, b), open(t, b)
		r := p.AddExport(p.AddClass("Engine", "Sound"), 0, "AddedByTest", unreal.ResourceFlags)
		s := &unreal.Sound{FileType: p.AddName("wav"), Data: []byte("RIFF....WAVE")}
		s.Context = p.Context(int(r - 1))
		replace(t, p, int(r-1), s)
		got := open(t, save(t, p))
		sameOthers(t, got, old, -1)
		if s := object(t, got, int(r-1)).(*unreal.Sound); string(s.Data) != "RIFF....WAVE" || !strings.EqualFold(got.Name(s.FileType), "wav") {
			t.Errorf("%s: %q", e.File, s.Data)
		}
		if got.Names[len(got.Names)-1].Flags&unreal.LoadFlags != unreal.LoadFlags {
			t.Errorf("%s: the new name has flags %x", e.File, got.Names[len(got.Names)-1].Flags)
		}
	}
}

func TestReplaceRefusesNonsense(t *testing.T) {
	p := small(t, 69, nil)
	i := int(p.FindExport("Group.Wall", "Texture") - 1)
	if err := read.Replace(p, i, []byte{1, 2, 3}, nil); schema.Class(err) == nil {
		t.Errorf("three bytes as a texture: %v", err)
	}
	// A payload cut out of another file, with positions of that file, is taken.
	b, err := p.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(b)
	for _, f := range p.Exports[i].Fixups {
		binary.LittleEndian.PutUint32(other[f.At:], uint32(123456+f.End))
	}
	if err := read.Replace(p, i, other, nil); err != nil {
		t.Error(err)
	}
	if got := object(t, open(t, save(t, p)), i).(*unreal.Texture); got.Mips[0].USize != 4 {
		t.Errorf("mip of width %d", got.Mips[0].USize)
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &unreal.Package{Version: 69}
		for _, n := range []string{"Tag", "None", "Vector", "Other"} {
			p.AddName(n)
		}
		x := &unreal.Context{Package: p, Class: "Light"}
		o := &unreal.Object{Context: x, End: 1, Tail: rapid.SliceOfN(rapid.Byte(), 0, 4).Draw(t, "tail")}
		if rapid.Bool().Draw(t, "stack") {
			x.Flags = unreal.HasStack
			o.Frame = &unreal.StateFrame{Probe: rapid.Uint64().Draw(t, "probe"), Latent: rapid.Uint32().Draw(t, "latent")}
		}
		for range rapid.IntRange(0, 5).Draw(t, "count") {
			o.Properties = append(o.Properties, property(t))
		}
		b, err := write.Base(o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read.Base(b, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := write.Base(got)
		if err != nil || !bytes.Equal(again, b) || len(got.Properties) != len(o.Properties) {
			t.Fatalf("%x became %x: %v", b, again, err)
		}
		for i, q := range got.Properties {
			w := o.Properties[i]
			if q.Name != w.Name || q.Type != w.Type || q.Index != w.Index || q.Number != w.Number || q.Narrow != w.Narrow || !bytes.Equal(q.Value, w.Value) {
				t.Fatalf("property %d: %+v, want %+v", i, q, w)
			}
		}
	})
}

func property(t *rapid.T) unreal.Property {
	q := unreal.Property{
		Name:     unreal.NameIndex(rapid.SampledFrom([]int32{0, 2, 3}).Draw(t, "name")),
		Type:     unreal.PropertyType(rapid.IntRange(1, 15).Draw(t, "type")),
		SizeCode: uint8(rapid.IntRange(0, 7).Draw(t, "code")),
	}
	if q.Type != unreal.BoolProperty {
		q.Index = rapid.SampledFrom([]int32{0, 1, 127, 128, 300, 16383, 16384, 1<<30 - 1}).Draw(t, "index")
		q.IndexWidth = rapid.SampledFrom([]uint8{0, 1, 2, 4}).Draw(t, "width")
	}
	switch q.Type {
	case unreal.ByteProperty:
		q.Number = int32(rapid.Byte().Draw(t, "byte"))
	case unreal.BoolProperty:
		q.Number = int32(rapid.IntRange(0, 1).Draw(t, "bool"))
	case unreal.IntProperty, unreal.FloatProperty:
		q.Number = rapid.Int32().Draw(t, "number")
		q.Narrow = q.SizeCode < 2 && rapid.Bool().Draw(t, "narrow")
	case unreal.ObjectProperty, unreal.ClassProperty, unreal.NameProperty:
		q.Number = rapid.Int32().Draw(t, "number")
	default:
		q.Value = rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "value")
	}
	return q
}

// TestNarrowNumbers: an Int and a Float have four bytes whatever their size code says, and keep the code.
func TestNarrowNumbers(t *testing.T) {
	x := &unreal.Context{Package: roomy(69), Class: "Light"}
	for _, c := range []struct {
		info   byte
		narrow bool
	}{
		{0x02, true}, // Int, as of 1 byte
		{0x12, true}, // Int, as of 2 bytes
		{0x22, false},
		{0x04, true}, // Float, as of 1 byte
		{0x14, true},
		{0x24, false},
	} {
		b := []byte{1, c.info, 0x40, 0x01, 0, 0x80, 0}
		got, err := read.Base(b, x, nil)
		if err != nil {
			t.Errorf("%#x: %v", c.info, err)
			continue
		}
		if p := got.Properties[0]; p.Narrow != c.narrow || p.Number != -0x7FFFFEC0 || p.Value != nil {
			t.Errorf("%#x: %+v", c.info, p)
		}
		got.Properties[0].Number++
		b[2]++
		if again, err := write.Base(got); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%#x: %x became %x (%v)", c.info, b, again, err)
		}
	}
	for _, p := range []unreal.Property{
		{Type: unreal.ByteProperty, Narrow: true},
		{Type: unreal.IntProperty, Narrow: true, SizeCode: 2},
		{Type: unreal.IntProperty, Narrow: true, Value: []byte{1}},
	} {
		if _, err := write.Base(&unreal.Object{Context: x, Properties: []unreal.Property{p}}); !errors.Is(err, schema.ErrMismatch) {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// TestOddReferences: a reference that is stored longer than need be, or as minus nought, keeps its bytes; in its usual form
// it is a number alone.
func TestOddReferences(t *testing.T) {
	x := &unreal.Context{Package: roomy(69), Class: "Light"}
	for _, c := range []struct {
		name, value string
		kept        bool
	}{
		{"usual", "\x05", false},
		{"usual and negative", "\x85", false},
		{"too long", "\x45\x00", true},
		{"too long and negative", "\xC5\x00", true},
		{"minus nought", "\x80", true},
	} {
		info := byte(unreal.ObjectProperty)
		if len(c.value) == 2 {
			info |= 1 << 4
		}
		b := append(append([]byte{1, info}, c.value...), 0)
		got, err := read.Base(b, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p := got.Properties[0]; (p.Value != nil) != c.kept || c.kept && string(p.Value) != c.value {
			t.Errorf("%s: %+v", c.name, p)
		}
		if again, err := write.Base(got); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s: %x became %x (%v)", c.name, b, again, err)
		}
	}
}

// brokenReader fails when it is asked a last time.
type brokenReader struct {
	io.ReaderAt
	left int
}

func (r *brokenReader) ReadAt(b []byte, at int64) (int, error) {
	if r.left--; r.left < 0 {
		return 0, errors.New("the disk is damaged")
	}
	return r.ReaderAt.ReadAt(b, at)
}

// TestUnreadableTables: whatever table cannot be read, the message says why.
func TestUnreadableTables(t *testing.T) {
	b := save(t, small(t, 69, nil))
	for n := range 100 {
		_, err := read.Package(&brokenReader{bytes.NewReader(b), n}, int64(len(b)), nil)
		if err == nil && n >= 4 { // the header and three tables
			return
		}
		if schema.Class(err) != schema.ErrTruncated || !strings.Contains(err.Error(), "the disk is damaged") {
			t.Errorf("after %d: %v", n, err)
		}
	}
	t.Error("it is never read")
}

func BenchmarkSave(b *testing.B) {
	data := corpus.Bytes(b, filepath.Join(corpus.Folder(b, "unreal"), "BTmv.utx"))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		save(b, open(b, data))
	}
}
