package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

func dir(name string, children ...*freelancer.Node) *freelancer.Node {
	return freelancer.NewDir(name, children...)
}

func leafOf(name, payload string) *freelancer.Node { return freelancer.NewLeaf(name, []byte(payload)) }

// file returns the bytes of a tree.
func file(t *testing.T, children ...*freelancer.Node) []byte {
	t.Helper()
	tree := freelancer.NewTree()
	tree.Root.Children = children
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// opened opens a tree as an archive.
func opened(t *testing.T, env *format.Env, children ...*freelancer.Node) *archive {
	t.Helper()
	b := file(t, children...)
	a, err := Open(bytes.NewReader(b), int64(len(b)), env)
	if err != nil {
		t.Fatal(err)
	}
	return a.(*archive)
}

// listing returns a line for each entry: its path, its format, its size, and what else there is to say.
func listing(a *archive) (lines []string) {
	for _, e := range a.Entries() {
		line := fmt.Sprint(e.Path, " ", e.Kind, " ", e.Size)
		if e.Format != nil {
			line += " " + e.Format.Name
		}
		if e.Title != "" {
			line += fmt.Sprintf(" %q", e.Title)
		}
		if e.Made {
			line += " made"
		}
		if e.Offset < 0 {
			line += " new"
		}
		lines = append(lines, line)
	}
	return lines
}

// written returns the leaves of the file that an archive becomes, with their payloads.
func written(t *testing.T, a *archive) string {
	t.Helper()
	var b bytes.Buffer
	n, err := a.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes, %v", n, err)
	}
	tree, err := read.UTF(b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	tree.Root.Walk(func(path string, n *freelancer.Node) bool {
		switch {
		case n.IsDir() && len(n.Children) == 0:
			lines = append(lines, path+"/")
		case !n.IsDir() && len(n.Data) > 8:
			lines = append(lines, fmt.Sprintf("%s=%.4q… %d", path, n.Data, len(n.Data)))
		case !n.IsDir():
			lines = append(lines, fmt.Sprintf("%s=%q", path, n.Data))
		}
		return true
	})
	return strings.Join(lines, "\n")
}

// oneFile is a folder with one file.
type oneFile struct{ name, text string }

func (f oneFile) Find(names ...string) ([]byte, string, error) { return []byte(f.text), f.name, nil }

// TestEntries: what each leaf of a tree is listed as, and where its payload lies.
func TestEntries(t *testing.T) {
	env := &format.Env{Files: oneFile{"names.txt", "0x00000005 hello\n0x00000007 deeper\n"}}
	env.Options.Freelancer.Names = "names.txt"
	children := []*freelancer.Node{
		leafOf("Exporter Version", "1\x00"),
		dir("VMeshLibrary", dir("a.vms", leafOf("VMeshData", "mesh"))),
		dir("Part", leafOf("VMeshRef", "ref"), leafOf("VWireData", "wire"), leafOf("Face_indices", "faces"), leafOf("other", "?")),
		dir("Cons", leafOf("Fix", "f"), leafOf("loose", "l"), leafOf("Rev", "r"), leafOf("Pris", "p"), leafOf("Sphere", "s"),
			leafOf("Cyl", "c"), leafOf("Trans", "t"), leafOf("Odd", "o")),
		dir(freelancer.EffectLibraryName, leafOf(freelancer.EffectLibraryName, "fx")),
		dir(freelancer.NodeLibraryName, leafOf(freelancer.NodeLibraryName, "nodes")),
		dir(freelancer.MaterialLibrary, dir("m", leafOf("Type", "Dc"), leafOf("Dc", "123"), leafOf("Dt_flags", "4"))),
		dir(freelancer.TextureLibrary,
			dir("a.dds", leafOf("MIPS", "DDS ...")),
			dir("b.dds", leafOf("MIPS", "PNG ...")),
			dir("c.tga", leafOf("MIP0", "big"), leafOf("MIP1", "small")),
			dir("d.tga", leafOf("MIP1", "small")),
			dir("e.tga", leafOf("MIP0", ""))),
		leafOf("0x00000005", "RIFF"), leafOf("0x00000006", "ID3"),
		dir("lines", leafOf("0x00000007", "RIFF")),
		leafOf("x", "1"), leafOf("x", "22"), leafOf("x", "333"), leafOf("a/b%", "4"), leafOf("", "5"),
	}
	b := file(t, children...)
	a, err := Open(bytes.NewReader(b), int64(len(b)), env)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(`Exporter Version table 2 fltext
VMeshLibrary/a.vms/VMeshData table 4 vmesh
Part/VMeshRef table 3 vmeshref
Part/VWireData table 4 vwire
Part/Face_indices table 5 flshorts
Part/other raw 1
Cons/Fix table 1 flfix
Cons/loose table 1 flloose
Cons/Rev table 1 flrev
Cons/Pris table 1 flpris
Cons/Sphere table 1 flsphere
Cons/Cyl table 1 flcyl
Cons/Trans table 1 fltrans
Cons/Odd raw 1
ALEffectLib/ALEffectLib table 2 aleffects
AlchemyNodeLibrary/AlchemyNodeLibrary table 5 alenodes
Material library/m/Type table 2 fltext
Material library/m/Dc table 3 flfloats
Material library/m/Dt_flags table 1 flints
Texture library/a.dds/MIPS texture 7 fldds "a.dds"
Texture library/b.dds/MIPS raw 7 "b.dds"
Texture library/c.tga/MIP0 texture 3 fltga "c.tga"
Texture library/c.tga/MIP1 raw 5 "c.tga" made
Texture library/d.tga/MIP1 raw 5 "d.tga"
Texture library/e.tga/MIP0 raw 0 new
0x00000005 sound 4 flvoice "hello"
0x00000006 raw 3
lines/0x00000007 sound 4 flvoice
x raw 1
x%2 raw 2
x%3 raw 3
a%2Fb%25 raw 1
% raw 1`, "\n")
	if diff := cmp.Diff(want, listing(a.(*archive))); diff != "" {
		t.Error(diff)
	}
	large := opened(t, env, append(children[:len(children):len(children)], freelancer.NewLeaf("large", make([]byte, WholeUpTo)))...)
	if diff := cmp.Diff(append(want, fmt.Sprint("large raw ", WholeUpTo)), listing(large)); diff != "" {
		t.Errorf("of a large file: %s", diff)
	}
	for i, e := range a.Entries() {
		p, err := a.Payload(i)
		if err != nil || int64(len(p)) != e.Size || e.Offset >= 0 && !bytes.Equal(b[e.Offset:][:e.Size], p) {
			t.Errorf("%s: %q at 0x%x, %v", e.Path, p, e.Offset, err)
		}
	}
	for _, i := range []int{-1, len(a.Entries())} {
		if _, err := a.Payload(i); schema.Class(err) != schema.ErrRange {
			t.Errorf("payload %d: %v", i, err)
		}
		if err := a.Replace(i, nil); schema.Class(err) != schema.ErrRange {
			t.Errorf("replace %d: %v", i, err)
		}
		if err := a.Remove(i); schema.Class(err) != schema.ErrRange {
			t.Errorf("remove %d: %v", i, err)
		}
	}
}

// failing is a file whose reading fails with an error after some bytes.
type failing struct {
	b   []byte
	err error
}

func (f failing) ReadAt(p []byte, at int64) (int, error) { return copy(p, f.b[at:]), f.err }

// shortened is a file that becomes shorter while it is read.
type shortened struct {
	b   []byte
	end int64
}

func (f shortened) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.end {
		return 0, io.EOF
	}
	return copy(p, f.b[at:]), nil
}

// TestOpenFails: a file that ends early or cannot be read is refused; one whose end is told with its last bytes is read.
func TestOpenFails(t *testing.T) {
	b, broken := file(t, leafOf("x", "1")), errors.New("broken")
	size := int64(len(b))
	large := file(t, freelancer.NewLeaf("large", make([]byte, WholeUpTo)), leafOf("Exporter Version", "1\x00"))
	list := &format.Env{Files: oneFile{"names.ini", "BINI"}}
	list.Options.Freelancer.Names = "names.ini"
	for _, c := range []struct {
		name string
		r    io.ReaderAt
		size int64
		env  *format.Env
		want error // io.ErrUnexpectedEOF for any
	}{
		{"whole", bytes.NewReader(b), size, nil, nil},
		{"told of its end", failing{b, io.EOF}, size, nil, nil},
		{"short", bytes.NewReader(b[:size-1]), size, nil, io.EOF},
		{"broken", failing{b, broken}, size, nil, broken},
		{"no tree", bytes.NewReader(make([]byte, 100)), 100, nil, io.ErrUnexpectedEOF},
		{"large, no tree", bytes.NewReader(make([]byte, WholeUpTo+1)), WholeUpTo + 1, nil, io.ErrUnexpectedEOF},
		{"large, shortened", shortened{large, int64(len(large)) - 1}, int64(len(large)), nil, io.ErrUnexpectedEOF},
		{"a bad list of names", bytes.NewReader(b), size, list, io.ErrUnexpectedEOF},
	} {
		_, err := Open(c.r, c.size, c.env)
		if c.want == io.ErrUnexpectedEOF && err == nil || c.want != io.ErrUnexpectedEOF && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// factsOf returns the facts in a line.
func factsOf(facts []format.Fact) string {
	var words []string
	for _, f := range facts {
		words = append(words, fmt.Sprintf("%s: %v", f.Name, f.Value))
	}
	return strings.Join(words, "; ")
}

// TestFacts: what is told of trees. What is counted is told unless there is none of it.
func TestFacts(t *testing.T) {
	many := make([]*freelancer.Node, 22)
	names := make([]string, len(many))
	for i := range many {
		names[i] = fmt.Sprint("n", i)
		many[i] = leafOf(names[i], "x")
	}
	fix := make([]byte, freelancer.Fix.RecordSize())
	copy(fix, "Root")
	copy(fix[64:], "child")
	model := []*freelancer.Node{
		leafOf("Exporter Version", "usher\x00"),
		dir("VMeshLibrary", dir("a.vms", leafOf("VMeshData", "mesh"))),
		dir("Part", leafOf("VMeshRef", "ref"), leafOf("vmeshref", "ref"), leafOf("VWireData", "wire")),
		dir("Cmpnd", dir("Root", leafOf("Object name", "Root\x00"), leafOf("File name", "a.3db\x00"), leafOf("Index", "\x00\x00\x00\x00")),
			dir("Part_child", leafOf("Object name", "child\x00"), leafOf("File name", "b.3db\x00"), leafOf("Index", "\x01\x00\x00\x00")),
			dir("Cons", leafOf("Fix", string(fix)))),
		dir(freelancer.MaterialLibrary, dir("m", leafOf("Type", "DcDt\x00"))),
		dir(freelancer.TextureLibrary, dir("a.dds", leafOf("MIPS", "DDS ")), dir("b.dds", leafOf("MIPU", "DDS ")), dir("c.dds", leafOf("CUBE", "DDS ")),
			dir("d.tga", leafOf("MIP0", "a"), leafOf("MIP1", "b")), dir("e.tga", leafOf("MIP1", "b")), dir("MIP0", leafOf("x", "y"))),
		dir("Animation", dir("Joint map 0", dir("Channel", leafOf("Header", "h"), leafOf("Frames", "f")))),
	}
	const ofModel = "version: 0x101; exporter: usher; directories: 20; leaves: 22; meshes: 1; mesh references: 2; wireframes: 1; " +
		"textures: 4; channels: 1; materials: 1; parts: 2; joints: 1; root: [Exporter Version VMeshLibrary Part Cmpnd Material library Texture library Animation]"
	large := append(model[:len(model):len(model)], freelancer.NewLeaf("large", make([]byte, WholeUpTo)))
	for _, c := range []struct {
		name string
		tree []*freelancer.Node
		want string
	}{
		{"nothing", nil, "version: 0x101; directories: 1; root: []"},
		{"many", many, "version: 0x101; directories: 1; leaves: 22; root: " + fmt.Sprint(names[:20])},
		{"model", model, ofModel},
		{"large", large, strings.NewReplacer("leaves: 22", "leaves: 23", "Animation]", "Animation large]").Replace(ofModel)},
	} {
		if got := factsOf(opened(t, nil, c.tree...).Facts()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	if Facts(nil) != nil || Facts(&freelancer.Tree{}) != nil {
		t.Error("facts of no tree")
	}
	tree := freelancer.NewTree()
	tree.Layout = &freelancer.Layout{Residue: []freelancer.Span{{Bytes: []byte("abcde")}}}
	if got := factsOf(Facts(tree)); !strings.HasSuffix(got, "root: []; unexplained bytes: 5") {
		t.Error(got)
	}
}

// TestLeaves: each format of a leaf is listed, once.
func TestLeaves(t *testing.T) {
	var names []string
	for _, f := range Leaves() {
		names = append(names, f.Name)
		if documented := f.Name == "aleffects" || f.Name == "alenodes"; documented != (f.Document != nil) && f.Kind == format.Table {
			t.Errorf("%s: document %v", f.Name, f.Document)
		}
	}
	const want = "vmesh vmeshref vwire aleffects alenodes fltext flfloats flints flshorts flfix flloose flrev flpris flsphere flcyl fltrans fldds fltga flvoice"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for k := freelancer.Fix; k <= freelancer.Trans; k++ {
		b := make([]byte, k.RecordSize())
		v, err := jointFormats[k].Read(b, nil)
		if err != nil {
			t.Fatalf("%v: %v", k, err)
		}
		if j, ok := v.(*freelancer.Joints); !ok || j.Kind != k || len(j.List) != 1 {
			t.Errorf("%v is read as %+v", k, v)
		}
	}
}

// picture returns a new DDS file as a new texture gets one.
func picture(t *testing.T, side int, encoding string) []byte {
	t.Helper()
	m := asset.Image{Width: side, Height: side, Pix: bytes.Repeat([]byte{10, 20, 30, 255}, side*side)}
	env := &format.Env{}
	env.Options.Encoding = encoding
	v, err := texture.DDS.Lower(&asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{m}}}}, env)
	if err != nil {
		t.Fatal(err)
	}
	b, err := texture.DDS.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPlaces: where new entries go.
func TestPlaces(t *testing.T) {
	tree := freelancer.NewTree()
	tree.Root.Children = []*freelancer.Node{dir("Part", leafOf("VMeshRef", "ref"))}
	icon, large := picture(t, 32, ""), picture(t, 256, "")
	hello := freelancer.VoiceName(freelancer.CreateID("hello"))
	for _, c := range []struct {
		path    string
		payload []byte
		hint    *format.Format
		asked   string
		voice   bool
		want    string
	}{
		{path: "a/b", want: "a/b"},
		{path: "hello", want: "hello"},
		{path: "hello", voice: true, want: hello},
		{path: "hello", hint: &voice.Line, want: hello},
		{path: "0x0000000a", voice: true, want: "0x0000000a"},
		{path: "0x0000000a_hello", voice: true, want: "0x0000000A"},
		{path: "a/hello", hint: &voice.Line, want: "a/hello"},
		{path: "hull", payload: large, hint: texture.DDS, want: "Texture library/hull.dds/MIPS"},
		{path: "hull.tga", payload: large, hint: texture.DDS, want: "Texture library/hull.tga/MIPS"},
		{path: "a%2Fb", payload: large, hint: texture.DDS, want: "Texture library/a%2Fb.dds/MIPS"},
		{path: "hull", payload: icon, hint: texture.DDS, want: "Texture library/hull.tga/MIP0"},
		{path: "hull.bmp", payload: icon, hint: texture.DDS, want: "Texture library/hull.bmp/MIP0"},
		{path: "MIPS", payload: large, hint: texture.DDS, want: "Texture library/MIPS.dds/MIPS"},
		{path: "CUBE", payload: large, hint: texture.DDS, want: "Texture library/CUBE.dds/MIPS"},
		{path: "Texture Library/hull", payload: large, hint: texture.DDS, want: "Texture Library/hull.dds/MIPS"},
		{path: "Texture Library/MIPS", payload: large, hint: texture.DDS, want: "Texture Library/MIPS.dds/MIPS"},
		{path: "Texture Library/CUBE", payload: large, hint: texture.DDS, want: "Texture Library/CUBE.dds/MIPS"},
		{path: "Texture Library/hull/MIP0_hull", payload: large, hint: texture.DDS, want: "Texture Library/hull/MIPS"},
		{path: "Texture Library/hull/mips", payload: large, hint: texture.DDS, want: "Texture Library/hull/MIPS"},
		{path: "Texture Library/hull/cube_1", payload: icon, hint: texture.DDS, want: "Texture Library/hull/CUBE"},
		{path: "Texture Library/hull/MIPS", payload: icon, hint: texture.DDS, want: "Texture Library/hull/MIP0"},
		{path: "folder/hull", payload: large, hint: texture.DDS, want: "Texture library/hull.dds/MIPS"},
		{path: "deep/folder/hull", payload: large, hint: texture.DDS, want: "Texture library/hull.dds/MIPS"},
		{path: "deep/folder/MIPS", payload: large, hint: texture.DDS, want: "Texture library/folder/MIPS"},
		{path: "deep/folder/MIP0_x", payload: large, hint: texture.DDS, want: "Texture library/folder/MIPS"},
		{path: "deep/folder/CUBE", payload: large, hint: texture.DDS, want: "Texture library/folder/CUBE"},
		{path: "part/hull", payload: large, hint: texture.DDS, want: "part/hull.dds/MIPS"},
	} {
		a := &archive{tree: tree, stale: true, asked: c.asked, voice: c.voice}
		if got := a.newPlace(c.path, c.payload, c.hint); got != c.want {
			t.Errorf("%s is put at %s, want %s", c.path, got, c.want)
		}
	}
}

// TestEdits: what archives become by edits: the leaves of the file, and what is listed is what is in it.
func TestEdits(t *testing.T) {
	icon, large := picture(t, 32, ""), picture(t, 64, "")
	count := func(n string) *freelancer.Node { return leafOf("Texture count", n+"\x00\x00\x00more") }
	add := func(path string, payload []byte, hint *format.Format) func(a *archive) error {
		return func(a *archive) error { return a.Add(path, payload, hint) }
	}
	replace := func(i int, payload []byte) func(a *archive) error {
		return func(a *archive) error { return a.Replace(i, payload) }
	}
	remove := func(entries ...int) func(a *archive) error {
		return func(a *archive) error { return a.removeAll(entries) }
	}
	for _, c := range []struct {
		name string
		tree []*freelancer.Node
		edit func(a *archive) error
		want string
	}{
		{"nothing is done", []*freelancer.Node{leafOf("x", "1"), dir("d")}, remove(), "x=\"1\"\nd/"},
		{"emptied", []*freelancer.Node{leafOf("x", "1"), leafOf("y", "2")}, replace(0, nil), "x=\"\"\ny=\"2\""},
		{"added below", []*freelancer.Node{leafOf("x", "1")}, add("d/e/f%2Fg", []byte("2"), nil), "x=\"1\"\nd/e/f/g=\"2\""},
		{"added to what is there", []*freelancer.Node{dir("d", leafOf("e", "1")), leafOf("x", "2")}, add("D/f", []byte("3"), nil), "d/e=\"1\"\nd/f=\"3\"\nx=\"2\""},
		{"lines in order", []*freelancer.Node{leafOf("0x00000002", "RIFF"), leafOf("0x00000004", "RIFF")}, add("0x00000003", []byte("RIFF"), nil),
			"0x00000002=\"RIFF\"\n0x00000003=\"RIFF\"\n0x00000004=\"RIFF\""},
		{"a line below", []*freelancer.Node{dir("d", leafOf("0x00000004", "RIFF"))}, add("d/0x00000003", []byte("RIFF"), nil),
			"d/0x00000004=\"RIFF\"\nd/0x00000003=\"RIFF\""},
		{"a picture", []*freelancer.Node{dir(freelancer.TextureLibrary, count("\x00"))}, add("new", large, texture.DDS),
			"Texture library/Texture count=\"\\x01\\x00\\x00\\x00more\"\nTexture library/new.dds/MIPS=\"DDS \"… 2872"},
		{"a picture where another number is told", []*freelancer.Node{dir(freelancer.TextureLibrary, count("\x07"))}, add("new", large, texture.DDS),
			"Texture library/Texture count=\"\\a\\x00\\x00\\x00more\"\nTexture library/new.dds/MIPS=\"DDS \"… 2872"},
		{"a picture less", []*freelancer.Node{dir(freelancer.TextureLibrary, dir("t", leafOf("MIPS", "DDS ")), count("\x01"))}, remove(0),
			"Texture library/Texture count=\"\\x00\\x00\\x00\\x00more\""},
		{"a number of three bytes", []*freelancer.Node{dir(freelancer.TextureLibrary, leafOf("Texture count", "\x00\x00\x00"))}, add("new", large, texture.DDS),
			"Texture library/Texture count=\"\\x00\\x00\\x00\"\nTexture library/new.dds/MIPS=\"DDS \"… 2872"},
		{"a material", []*freelancer.Node{dir(freelancer.MaterialLibrary, leafOf("Material count", "\x00\x00\x00\x00"))}, add("Material library/m/Type", []byte("Dc"), nil),
			"Material library/Material count=\"\\x01\\x00\\x00\\x00\"\nMaterial library/m/Type=\"Dc\""},
		{"an icon", nil, add("new", icon, texture.DDS), "Texture library/new.tga/MIP0=…"},
		{"a text of a material", []*freelancer.Node{dir(freelancer.MaterialLibrary, dir("m", leafOf("Type", "Dc")))}, add("Material library/m/Dt_name", []byte("a"), nil),
			"Material library/m/Type=\"Dc\"\nMaterial library/m/Dt_name=\"a\""},
		{"below the first of two", []*freelancer.Node{leafOf("x", "1"), dir("d", leafOf("y", "2")), dir("d", leafOf("y", "3"))}, add("d/z", []byte("4"), nil),
			"x=\"1\"\nd/y=\"2\"\nd/z=\"4\"\nd/y=\"3\""},
		{"a leaf of the root before a folder", []*freelancer.Node{leafOf("0x00000002", "RIFF"), dir("d", leafOf("y", "2"))}, add("0x00000001", []byte("RIFF"), nil),
			"0x00000001=\"RIFF\"\n0x00000002=\"RIFF\"\nd/y=\"2\""},
		{"a DDS file for Targas", []*freelancer.Node{dir("t", leafOf("MIP0", "a"), leafOf("MIP1", "b"), leafOf("other", "c"), leafOf("MIPS", "DDS "))},
			replace(0, []byte("DDS 2")), "t/MIPS=\"DDS 2\"\nt/other=\"c\""},
		{"bytes for a smaller Targa", []*freelancer.Node{dir("t", leafOf("MIP0", "a"), leafOf("MIP1", "b"))}, replace(1, []byte("DDS 2")),
			"t/MIP0=\"a\"\nt/MIP1=\"DDS 2\""},
		{"the largest Targa goes", []*freelancer.Node{dir("d", dir("t", leafOf("MIP0", "a"), leafOf("MIP1", "b"), leafOf("other", "c")))}, remove(0), "d/t/other=\"c\""},
		{"one of two largest Targas goes", []*freelancer.Node{dir("d", dir("t", leafOf("MIP0", "a"), leafOf("MIP0", "b"), leafOf("MIP1", "c")))}, remove(0), "d/t/MIP0=\"b\""},
		{"a smaller Targa goes", []*freelancer.Node{dir("d", dir("t", leafOf("MIP0", "a"), leafOf("MIP1", "b")))}, remove(1), "d/t/MIP0=\"a\""},
		{"folders that held nothing else", []*freelancer.Node{dir("d", dir("e", dir("f", leafOf("x", "1")))), leafOf("y", "2")}, remove(0), "d/\ny=\"2\""},
		{"folders that hold more", []*freelancer.Node{dir("d", dir("e", dir("f", leafOf("x", "1")), leafOf("z", "3"))), leafOf("y", "2")}, remove(0), "d/e/z=\"3\"\ny=\"2\""},
		{"of the root", []*freelancer.Node{leafOf("x", "1"), leafOf("y", "2")}, remove(0), "y=\"2\""},
	} {
		a := opened(t, nil, c.tree...)
		a.Entries()
		if err := c.edit(a); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		before := listing(a)
		got := written(t, a)
		if want, cut := strings.CutSuffix(c.want, "…"); got != c.want && !(cut && strings.HasPrefix(got, want)) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		after := listing(a)
		a.stale = true
		if diff := cmp.Diff(listing(a), after); diff != "" {
			t.Errorf("%s is listed wrong when it is written: %s", c.name, diff)
		}
		if diff := cmp.Diff(after, before); diff != "" && c.name != "a DDS file for Targas" { // whose smaller ones go when it is written
			t.Errorf("%s is listed wrong: %s", c.name, diff)
		}
	}
}

// TestReplaceRefused: what is no picture makes no smaller ones; nothing is nothing.
func TestReplaceRefused(t *testing.T) {
	for _, small := range []*freelancer.Node{leafOf("MIP1", string(targaFile(2, 10))), leafOf("MIP1", "b")} {
		a := opened(t, nil, dir("t", leafOf("MIP0", string(targaFile(4, 10))), small))
		if err := a.Replace(0, []byte("x")); err == nil {
			t.Errorf("%q: a byte is taken for a picture", small.Data)
		}
		if err := a.Replace(0, nil); err != nil || a.Entries()[1].Size != int64(len(small.Data)) {
			t.Errorf("%q: %v where the largest is emptied", small.Data, err)
		}
	}
}

// TestAddRefused: what cannot be added, and why.
func TestAddRefused(t *testing.T) {
	long := strings.Repeat("n", freelancer.MaxName)
	for _, c := range []struct {
		path string
		want error
		says string
	}{
		{long, nil, ""},
		{long + "n", schema.ErrValue, "longer than 512 bytes"},
		{"X", schema.ErrMismatch, "there is an entry of that name"},
		{"x/y", schema.ErrMismatch, `"x" is a leaf`},
		{"0x00000001", schema.ErrMismatch, "there is an entry of that name"},
		{"0x00000002", nil, ""},
	} {
		a := opened(t, nil, leafOf("x", "1"), leafOf("0x00000001", "RIFF"))
		before := written(t, a)
		err := a.Add(c.path, []byte("2"), nil)
		if schema.Class(err) != c.want && !(err == nil && c.want == nil) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.20s: %v, want %v, %s", c.path, err, c.want, c.says)
		}
		if err != nil && written(t, a) != before {
			t.Errorf("%.20s was refused and changed the tree", c.path)
		}
	}
}

// TestAbilities: what the archive can do with kinds and formats, and what it says that it holds.
func TestAbilities(t *testing.T) {
	a := opened(t, nil, dir("t", leafOf("MIPS", "DDS ")), leafOf("x", "1"))
	can := a.Abilities()
	for kind, want := range map[format.Kind]*format.Format{format.Texture: texture.DDS, format.Sound: &voice.Line, format.Table: nil} {
		if got := can.Leaf(kind); got != want {
			t.Errorf("%v is stored as %v", kind, got)
		}
	}
	for f, want := range map[*format.Format]bool{texture.DDS: true, &voice.Line: true, texture.TGA: false, leafFormats[freelancer.TextLeaf]: false} {
		if can.Movable(f) != want {
			t.Errorf("%s: movable %v", f.Name, !want)
		}
	}
	for path, want := range map[string]bool{"t/MIPS": true, "x": false, "t/other": false} {
		if a.HoldsTargas(path) != want {
			t.Errorf("%s holds Targas: %v", path, !want)
		}
	}
	for root, want := range map[string]bool{"": false, "0x00000001": true, "0x00000001 0x00000002": true, "0x00000001 x": false} {
		if IsVoice(strings.Fields(root)) != want {
			t.Errorf("%q is a voice bank: %v", root, !want)
		}
	}
	v, err := CreateVoice(nil)
	if err != nil || !v.(*archive).voice {
		t.Errorf("%+v, %v", v, err)
	}
	bank := opened(t, nil, leafOf("0x00000001", "RIFF"))
	if got := bank.Abilities().Place("hello", nil, nil); got != freelancer.VoiceName(freelancer.CreateID("hello")) {
		t.Errorf("a new line of a bank is put at %s", got)
	}
	targas := opened(t, nil, dir("t", leafOf("MIP0", "a"), leafOf("MIP1", "b")))
	if err := targas.Replace(0, []byte("DDS 2")); err != nil || listing(targas)[0] != `t/MIPS texture 5 fldds "t" new` {
		t.Errorf("a DDS file for Targas is listed as %v, %v", listing(targas), err)
	}
	env := &format.Env{}
	env.Options.Encoding = texture.KindTGA
	if c, err := Create(env); err != nil || c.(*archive).asked != texture.KindTGA || c.(*archive).voice {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestSpooled: new payloads beyond some megabytes wait in a file; they are listed and written as those in memory are, and one
// that is replaced later is no longer there.
func TestSpooled(t *testing.T) {
	wave := append([]byte("RIFF"), make([]byte, 5<<20)...)
	paths := []string{"0x00000001", "0x00000002", "d/0x00000003", "0x00000004", "d/x"}
	made := func(spool bool) *archive {
		c, err := Create(nil)
		if err != nil {
			t.Fatal(err)
		}
		a := c.(*archive)
		if spool {
			a.Abilities().SpoolTo(func() (*os.File, error) { return os.Create(filepath.Join(t.TempDir(), "spool")) })
		}
		for i, p := range paths {
			wave[len(wave)-1] = byte(i)
			if err := a.Add(p, bytes.Clone(wave), nil); err != nil {
				t.Fatal(err)
			}
		}
		return a
	}
	spooled, memory := made(true), made(false)
	if n := len(spooled.spooled); n != len(paths)-1 {
		t.Errorf("%d payloads wait in the file", n)
	}
	for _, edit := range []func(a *archive) error{
		func(*archive) error { return nil },
		func(a *archive) error { return a.Replace(1, []byte("no wave")) },
		func(a *archive) error { return a.Add("last", []byte("1"), nil) },
	} {
		if err := errors.Join(edit(spooled), edit(memory)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if diff := cmp.Diff(listing(memory), listing(spooled)); diff != "" {
				t.Error(diff)
			}
			spooled.stale, memory.stale = true, true
		}
	}
	if written(t, spooled) != written(t, memory) {
		t.Error("what is written differs")
	}
	full := errors.New("full")
	for _, p := range []string{"0x00000009", "other"} {
		c, _ := Create(nil)
		a := c.(*archive)
		a.Abilities().SpoolTo(func() (*os.File, error) { return nil, full })
		if err := a.Add(p, make([]byte, 9<<20), nil); !errors.Is(err, full) || len(a.Entries()) > 0 {
			t.Errorf("%s: %v, and %d entries", p, err, len(a.Entries()))
		}
	}
}

// TestExplained: entries that are read together with others: a smaller Targa, and the two leaves of a channel.
func TestExplained(t *testing.T) {
	small := string(targaFile(2, 10))
	header := "\x02\x00\x00\x00" + "\x00\x00\x80\x3f" + "\x01\x00\x00\x00" // two frames, one second apart, a number each
	b := file(t,
		dir("t", leafOf("MIP0", string(targaFile(4, 10))), leafOf("MIP1", small), leafOf("MIP2", small[:20])),
		dir("Channel", leafOf("Header", header), leafOf("Frames", "12345678"), leafOf("other", "x")),
		dir("channel", leafOf("Header", header), leafOf("Frames", "1234567")),
		dir("Channel", leafOf("Header", header)), dir("Canal", leafOf("Header", header), leafOf("Frames", "12345678")))
	opened, err := Open(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	a := opened.(*archive)
	var got []string
	for i, e := range a.Entries() {
		d, trace := new(schema.Diagnostics), new(schema.Trace)
		for k, n := range a.nodes {
			trace.Place(n.Data, a.entries[k].Offset)
		}
		d.Record(trace)
		ok, err := a.explain(i, d)
		var fields []string
		for _, s := range trace.Spans {
			fields = append(fields, s.Field)
		}
		got = append(got, fmt.Sprint(e.Path, " ", ok, " ", err != nil, " ", strings.Join(fields, ",")))
	}
	const targa = "id length,colour map type,image type,first map entry,map length,map entry size,x origin,y origin,width,height,pixel depth,descriptor"
	want := []string{
		"t/MIP0 false false ", "t/MIP1 true false " + targa + ",pixels", "t/MIP2 true true " + targa,
		"Channel/Header true false frame count,interval,type", "Channel/Frames true false frames", "Channel/other false false ",
		"channel/Header true true frame count,interval,type", "channel/Frames true true ",
		"Channel%2/Header false false ", "Canal/Header false false ", "Canal/Frames false false ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
