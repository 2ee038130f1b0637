package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

var errTorn = errors.New("torn")

// TestLowerScene: what no format takes is told of, once; nothing is told where nothing was made.
func TestLowerScene(t *testing.T) {
	for _, c := range []struct {
		what string
		f    format.Format
		told string // by the format itself
		err  error
		want string
	}{
		{"all is left out", format.Format{}, "", nil, "empty-node light camera"}, {"lights are taken", format.Format{Lights: true}, "", nil, "empty-node camera"}, {"cameras are taken", format.Format{Cameras: true}, "", nil, "empty-node light"},
		{"empty nodes mean something", format.Format{Empties: format.AnyEmpty}, "", nil, "light camera"}, {"lights were told of", format.Format{}, "light", nil, "light empty-node camera"}, {"cameras were told of", format.Format{}, "camera", nil, "camera empty-node light"},
		{"nothing is made", format.Format{}, "", errTorn, ""},
	} {
		s := &asset.Scene{Roots: []*asset.Node{{Name: "sun", Light: new(asset.Light), Transform: asset.Identity}, {Name: "eye", Camera: new(asset.Camera), Transform: asset.Identity}, {Name: "none", Transform: asset.Identity}}}
		d := new(schema.Diagnostics)
		c.f.Lower = func(a asset.Asset, env *format.Env) (any, error) {
			if c.told != "" {
				env.Diagnostics.Lossf(c.told, "", "it is left out")
			}
			return "made", c.err
		}
		v, err := Lower(&c.f, s, &format.Env{Diagnostics: d})
		if v != "made" || !errors.Is(err, c.err) || corpus.Codes(d, schema.Note) != c.want {
			t.Errorf("%s: %v, %v, told %s, want %s", c.what, v, err, corpus.Codes(d, schema.Note), c.want)
		}
	}
	for _, f := range []*format.Format{nil, {}} {
		if _, err := Lower(f, new(asset.Scene), nil); !errors.Is(err, errNothing) {
			t.Errorf("%v", err)
		}
	}
	whole := &format.Format{Lower: func(a asset.Asset, env *format.Env) (any, error) { return a.(*asset.Text).Body, nil }}
	if v, err := Lower(whole, &asset.Text{Body: "x"}, nil); v != "x" || err != nil {
		t.Errorf("a text: %v, %v", v, err)
	}
}

// TestKeptOriginals: what a scene keeps of its file comes first, then what a node at its top keeps of that format.
func TestKeptOriginals(t *testing.T) {
	of := func(name, payload string) *asset.Native { return &asset.Native{Format: name, Payload: []byte(payload)} }
	s := &asset.Scene{Native: of("y", "scene"), Roots: []*asset.Node{{}, {Native: of("x", "one")}, {Native: of("y", "two")}, {Native: of("x", "")}, {Native: of("x", "three")}}}
	for range 2 {
		var got []string
		for _, b := range keptOriginals(&format.Format{Name: "x"}, s) {
			got = append(got, string(b))
		}
		want := "scene one three"
		if s.Native == nil || len(s.Native.Payload) == 0 {
			want = "one three"
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q, want %s", got, want)
		}
		s.Native = of("x", "")
	}
}

// TestLowerTable: an edited table finds its stored rows again; those that it lacks stay, unless they are pruned.
func TestLowerTable(t *testing.T) {
	f := formats.ByName("u9-registry")
	stored := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "registry.txt"))
	v, err := f.Read(stored, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what  string
		edit  func(x *asset.Table, env *format.Env)
		same  bool
		lines int
		told  string
		err   string
	}{
		{"as it was", func(*asset.Table, *format.Env) {}, true, 3, "", ""},
		{"a row gone", func(x *asset.Table, _ *format.Env) { x.Rows = x.Rows[:2] }, true, 3, "row-missing", ""},
		{"a row pruned", func(x *asset.Table, env *format.Env) { x.Rows, env.Options.Prune = x.Rows[:2], true }, false, 2, "", ""},
		{"without its original", func(x *asset.Table, _ *format.Env) { x.Native = nil }, false, 3, "", ""},
		{"of another format", func(x *asset.Table, _ *format.Env) { x.Native = &asset.Native{Format: "x", Payload: []byte("x")} }, false, 3, "", ""},
		{"an unknown column", func(x *asset.Table, _ *format.Env) { x.Columns[1] = "nobody" }, false, 0, "", "nobody"},
		{"no key", func(x *asset.Table, _ *format.Env) { x.Columns[0] = "nobody" }, false, 0, "", `there is no column "id"`},
	} {
		d := new(schema.Diagnostics)
		env := &format.Env{Diagnostics: d, Stored: stored}
		a, err := f.Lift(v, env)
		if err != nil {
			t.Fatal(err)
		}
		x := *a.(*asset.Table)
		x.Columns, x.Rows = append([]string(nil), x.Columns...), append([][]any(nil), x.Rows...)
		c.edit(&x, env)
		made, err := Lower(f, &x, env)
		if c.err != "" || err != nil {
			if c.err == "" || err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.what, err, c.err)
			}
			continue
		}
		b, err := f.Write(made)
		if err != nil || corpus.Codes(d, schema.Note) != c.told || c.same && !bytes.Equal(b, stored) || len(f.Facts(made)) == 0 || f.Facts(made)[0].Value != c.lines {
			t.Errorf("%s: %q, %v, told %s, %v", c.what, b, err, corpus.Codes(d, schema.Note), f.Facts(made))
		}
	}
	torn := &format.Format{Name: "x", Kind: format.Table, New: func() any { return "" }, Read: func([]byte, *schema.Diagnostics) (any, error) { return nil, errTorn },
		Lift:  func(any, *format.Env) (asset.Asset, error) { return nil, errTorn },
		Lower: func(asset.Asset, *format.Env) (any, error) { return "lowered", nil }}
	if _, err := Lower(torn, &asset.Table{Native: &asset.Native{Format: "x", Payload: []byte("x")}}, nil); !errors.Is(err, errTorn) {
		t.Errorf("an original that cannot be read: %v", err)
	}
	if v, err := Lower(torn, &asset.Table{}, nil); v != "lowered" || err != nil {
		t.Errorf("a format that shows nothing of an empty value: %v, %v", v, err)
	}
	view := &format.Format{Name: "v", Kind: format.Table, Lift: torn.Lift}
	for want, f := range map[*format.Format]*format.Format{torn: torn, view: {Kind: format.Model, Lift: torn.Lift, Views: []*format.Format{{Kind: format.Table}, view}}, nil: {Kind: format.Table}} {
		if got := tableOf(f); got != want {
			t.Errorf("%+v is shown as %+v", f, got)
		}
	}
}

// upper is a format of texts in capitals, made up for a test.
func upper() *format.Format {
	return &format.Format{Name: "upper", Kind: format.Text, Extensions: []string{".up"},
		Read:  func(b []byte, _ *schema.Diagnostics) (any, error) { return string(b), nil },
		Write: func(v any) ([]byte, error) { return []byte(v.(string)), nil },
		Lift: func(v any, env *format.Env) (asset.Asset, error) {
			return &asset.Text{Body: v.(string), Native: &asset.Native{Format: "upper", Payload: env.Stored}}, nil
		},
		Lower: func(a asset.Asset, env *format.Env) (any, error) {
			t := a.(*asset.Text)
			if env.Emit != nil {
				if err := env.Emit("../"+env.Output+".note", []byte("beside")); err != nil {
					return nil, err
				}
			}
			return strings.ToUpper(t.Body) + t.Name, nil
		}}
}

// TestExportNative: an asset becomes a native file with what is made beside it; a value of that format is written as it is.
func TestExportNative(t *testing.T) {
	f := upper()
	straight := &format.Format{Name: "straight", Into: func(v any, target string, _ *format.Env) (any, bool, error) {
		switch v {
		case "bad":
			return nil, false, errTorn
		case "no":
			return nil, false, nil
		}
		return "into " + target, true, nil
	}, Lift: func(v any, _ *format.Env) (asset.Asset, error) { return &asset.Text{Body: v.(string)}, nil }}
	was := interchange.NewOriginal(func() (asset.Asset, *format.Format, error) { return &asset.Text{Name: " of it"}, f, nil })
	noWrite, noLower := *f, *f
	noWrite.Write, noLower.Lower, noLower.Create = nil, nil, func(*format.Env) (format.ArchiveFile, error) { return nil, nil }
	text := func() asset.Asset { return &asset.Text{Body: "abc"} }
	for _, c := range []struct {
		what   string
		it     *interchange.Item
		target *format.Format
		want   string
		err    string
	}{
		{"an asset", &interchange.Item{Asset: text(), Env: new(format.Env)}, f, "sub/a.up=ABC sub/_/a.note=beside", ""},
		{"onto its original", &interchange.Item{Asset: text(), Env: &format.Env{Original: was}}, f, "sub/a.up=ABC of it sub/_/a.note=beside", ""},
		{"its own", &interchange.Item{Format: f, Value: "abc", Env: new(format.Env)}, f, "sub/a.up=abc", ""},
		{"straight", &interchange.Item{Format: straight, Value: "x", Env: new(format.Env)}, f, "sub/a.up=into upper", ""},
		{"not straight", &interchange.Item{Format: straight, Value: "no", Env: new(format.Env)}, f, "sub/a.up=NO sub/_/a.note=beside", ""},
		{"badly", &interchange.Item{Format: straight, Value: "bad", Env: new(format.Env)}, f, "", "torn"},
		{"without a writer", &interchange.Item{Asset: text(), Env: new(format.Env)}, &noWrite, "", "it means something in its archive alone"},
		{"into an archive", &interchange.Item{Asset: text(), Env: new(format.Env)}, &noLower, "", "upper is an archive"},
		{"nothing", nil, f, "", "there is nothing to make"}, {"nowhere", new(interchange.Item), f, "", "there is nothing to make"}, {"an empty one", &interchange.Item{Env: new(format.Env)}, f, "", "there is nothing to convert"},
	} {
		files, err := Export(c.it, Target{Extension: ".up", Format: c.target}, "sub/a")
		var list []string
		for _, x := range files {
			list = append(list, x.Name+"="+string(x.Content))
		}
		if err != nil && (c.err == "" || !strings.Contains(err.Error(), c.err)) || err == nil && c.err != "" || strings.ReplaceAll(strings.Join(list, " "), "/../", "/_/") != c.want && !(len(list) == 2 && strings.HasPrefix(strings.Join(list, " "), strings.Fields(c.want)[0])) {
			t.Errorf("%s: %q, %v, want %s", c.what, list, err, c.want)
		}
		for _, x := range files {
			if !filepath.IsLocal(x.Name) {
				t.Errorf("%s: %s is written elsewhere", c.what, x.Name)
			}
		}
	}
	torn := &asset.Scene{Meshes: []*asset.Mesh{{Primitives: []*asset.Primitive{{Load: func() (*asset.Primitive, error) { return nil, errTorn }}}}}}
	model := &format.Format{Name: "model", Kind: format.Model, Lower: func(asset.Asset, *format.Env) (any, error) { return "", nil }, Write: func(any) ([]byte, error) { return nil, nil }}
	if _, err := Export(&interchange.Item{Asset: torn, Env: new(format.Env)}, Target{Format: model}, "a"); !errors.Is(err, errTorn) {
		t.Errorf("a scene that cannot be read: %v", err)
	}
	mesh := &asset.Mesh{Primitives: []*asset.Primitive{{Positions: make([][3]float32, 40000)}}}
	copies := new(asset.Scene)
	for range 100 {
		copies.Roots = append(copies.Roots, &asset.Node{Mesh: mesh, Transform: asset.Identity})
	}
	if _, err := Export(&interchange.Item{Asset: copies, Env: new(format.Env)}, Target{Format: model}, "a"); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("too many copies: %v", err)
	}
}

// TestLowerOnto: an edited item is written in the format of its original, and what it cannot say is taken from there.
func TestLowerOnto(t *testing.T) {
	f, turns := upper(), 0
	was := interchange.NewOriginal(func() (asset.Asset, *format.Format, error) { return &asset.Text{Name: " of it"}, f, nil })
	bad := interchange.NewOriginal(func() (asset.Asset, *format.Format, error) { return nil, nil, errTorn })
	noWrite := *f
	noWrite.Write = nil
	text := func() *interchange.Item { return &interchange.Item{Asset: &asset.Text{Body: "abc"}} }
	own := &interchange.Item{Format: f, Value: "abc"}
	for _, c := range []struct {
		what string
		f    *format.Format
		o    *interchange.Original
		it   *interchange.Item
		want string
		err  string
	}{
		{"alone", f, nil, text(), "ABC", ""}, {"onto it", f, was, text(), "ABC of it", ""}, {"onto what cannot be read", f, bad, text(), "", "torn"}, {"its own", f, bad, own, "abc", ""}, {"its own, without a writer", &noWrite, nil, own, "", "in its archive alone"},
		{"without a writer", &noWrite, nil, text(), "", "it cannot be made from other formats"}, {"nothing", f, nil, nil, "", "there is nothing to make"}, {"in no format", nil, nil, text(), "", "there is nothing to make"}, {"an empty one", f, nil, new(interchange.Item), "", "there is nothing to convert"},
	} {
		env := &format.Env{Turn: func() { turns++ }}
		b, err := LowerOnto(c.f, c.o, c.it, env)
		if string(b) != c.want || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v, want %s%s", c.what, b, err, c.want, c.err)
		}
	}
	if turns != 2 {
		t.Errorf("%d turns were waited for", turns)
	}
}

// TestBase: the original that the user names is found, or it is said why not.
func TestBase(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.xyz"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	flx := corpus.Testdata(t, "ultima9", "sappear.flx")
	for base, want := range map[string]string{
		corpus.Testdata(t, "freelancer", "ship.cmp"): "", flx + ":3": "", flx: "--base: sappear.flx: flx is an archive: name an entry, or unpack it, or put the file into it", flx + ":99": `--base: no entry "99" in `, filepath.Join(dir, "none"): "--base: stat ",
		filepath.Join(dir, "a.xyz"): "--base: not recognised",
	} {
		l := &Loader{}
		l.Options.Base = base
		env := l.Env(filepath.Join(dir, "a.glb"), nil)
		o, ok := env.Original.(*interchange.Original)
		if !ok {
			t.Fatalf("%s: there is no original", base)
		}
		s, err := o.Scene()
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) || err == nil && len(s.Meshes) == 0 {
			t.Errorf("%s: %v, want %s", base, err, want)
		}
	}
	given := new(interchange.Original)
	l := &Loader{Base: given}
	l.Options.Base = flx
	if env := l.Env("a.glb", nil); env.Original != given {
		t.Error("the original that is at hand is not taken")
	}
	library := filepath.Join(dir, "a.mat")
	if err := os.WriteFile(library, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	l = &Loader{}
	l.Options.Base = library
	env := l.Env(filepath.Join(t.TempDir(), "a.glb"), nil)
	if b, _, err := env.Find("a.mat"); env.Original != nil || string(b) != "x" || err != nil {
		t.Errorf("a library of several models: %v, %q, %v", env.Original, b, err)
	}
	if env := new(Loader).Env("a.glb", nil); env.Original != nil || env.Plain || env.Name != "a.glb" {
		t.Errorf("without one: %+v", env)
	}
	l = &Loader{}
	l.Options.Model = filepath.Join(dir, "a.xyz")
	if b, _, err := l.Env(filepath.Join(t.TempDir(), "a.glb"), nil).Find("a.mat"); string(b) != "x" || err != nil {
		t.Errorf("beside the model: %q, %v", b, err)
	}
}

// TestPartOf: what lies beside a model and belongs to it is a part of that one.
func TestPartOf(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Ship.cmp", "ship.sur", "rock.sur", "rock.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"ship.sur": "Ship.cmp", "rock.sur": ""} {
		got := new(Loader).PartOf(filepath.Join(dir, name), formats.ByName("sur"))
		if want != "" {
			want = filepath.Join(dir, want)
		}
		if got != want {
			t.Errorf("%s is a part of %q, want %q", name, got, want)
		}
	}
}

// TestLoadLarge: a GLB that is too large to be read whole is read piece by piece, and what was read of it is noted.
func TestLoadLarge(t *testing.T) {
	const buffer = 64 << 20
	text := fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":%d}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0,"name":"n"}],"scenes":[{"nodes":[0]}],"scene":0}`, buffer)
	text += strings.Repeat(" ", -len(text)&3)
	words := func(n ...uint32) (b []byte) {
		for _, x := range n {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	head := append(words(0x46546C67, 2, uint32(28+len(text)+buffer), uint32(len(text)), 0x4E4F534A), text...)
	head = append(head, words(buffer, 0x004E4942)...)
	p := filepath.Join(t.TempDir(), "a.glb")
	if err := errors.Join(os.WriteFile(p, head, 0o666), os.Truncate(p, int64(len(head)+buffer))); err != nil {
		t.Fatal(err)
	}
	reads := new(find.Reads)
	l := &Loader{Reads: reads}
	it, err := l.Load(Source{Path: p}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	s := it.Asset.(*asset.Scene)
	if it.From == nil || len(s.Meshes) != 1 || s.Meshes[0].Primitives[0].Load == nil {
		t.Error("it is read whole")
	}
	if got := reads.Paths(); len(got) != 1 || got[0] != p {
		t.Errorf("read were %q", got)
	}
	if err := os.Chtimes(p, time.Unix(1e9, 0), time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	if s, read := reads.Stamp(p); !read || s.Hash != "" {
		t.Errorf("a file that changed meanwhile is stamped %+v", s)
	}
	if err := os.Truncate(p, 64<<20-1); err != nil {
		t.Fatal(err)
	}
	if it, err := l.loadLarge(p, new(format.Env)); it != nil || err != nil {
		t.Errorf("a smaller one: %v, %v", it, err)
	}
}

// partnered is an archive with a partner, made up for a test.
type partnered struct {
	format.ArchiveFile
	abilities format.Abilities
}

func (p *partnered) Abilities() format.Abilities { return p.abilities }

// TestOpenPartners: partners that changed are told of, with the sizes of their entries; those that did not, and those that are not there,
// are left alone.
func TestOpenPartners(t *testing.T) {
	dir := t.TempDir()
	for name, from := range map[string]string{"sdInfo16.flx": "sdInfo16.flx", "registry.txt": "registry.txt", "bitmap16.flx": "bitmap16.flx"} {
		if err := os.WriteFile(filepath.Join(dir, name), corpus.Bytes(t, corpus.Testdata(t, "ultima9", from)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "bitmap16.flx")
	open := func(names []string, update func(name string, a format.ArchiveFile) ([]string, error)) ([]*store.Partner, *schema.Diagnostics, error) {
		l, d := new(Loader), new(schema.Diagnostics)
		a, err := store.OpenArchiveAt(bytes.NewReader([]byte("x")), 1, &format.Format{Name: "x", Open: func(io.ReaderAt, int64, *format.Env) (format.ArchiveFile, error) {
			x := new(partnered)
			if names != nil {
				x.abilities = format.Abilities{Partners: func() []string { return names }, UpdatePartner: update}
			}
			return x, nil
		}}, l.Env(path, d))
		if err != nil {
			t.Fatal(err)
		}
		a.Path = path
		list, err := OpenPartners(a, filepath.Join(dir, "out", "new.flx"), l, d)
		return list, d, err
	}
	both := []string{"sdinfo16.flx", "registry.txt"}
	replace := func(_ string, a format.ArchiveFile) ([]string, error) {
		return []string{a.Entries()[0].Path}, a.Replace(0, []byte("sixteen bytes ..")[:16])
	}
	list, d, err := open(both, replace)
	if err != nil || len(list) != 2 || corpus.Codes(d, schema.Note) != "" {
		t.Fatalf("%v, %v, %s", list, err, corpus.Codes(d, schema.Note))
	}
	for i, want := range []string{"sdInfo16.flx", "registry.txt"} {
		p := list[i]
		change := p.Changes[0]
		if p.Out != filepath.Join(dir, "out", want) || len(p.Changes) != 1 || change.After != 16 || change.Before == 16 || change.Before == 0 || !strings.HasPrefix(change.Entry, want) || strings.Contains(change.Entry, ":") != (i == 0) {
			t.Errorf("%+v of %s", change, p.Out)
		}
	}
	store.ClosePartners(list)
	for _, c := range []struct {
		what   string
		names  []string
		update func(string, format.ArchiveFile) ([]string, error)
		n      int
		told   string
		err    string
	}{
		{"none", nil, nil, 0, "", ""}, {"not there", []string{"none.flx"}, replace, 0, "no-partner", ""}, {"unchanged", both, func(string, format.ArchiveFile) ([]string, error) { return nil, nil }, 0, "", ""},
		{"torn", both, func(string, format.ArchiveFile) ([]string, error) { return nil, errTorn }, 0, "", filepath.Join(dir, "sdInfo16.flx") + ": torn"},
		{"one torn", both, func(name string, a format.ArchiveFile) ([]string, error) {
			if name == "registry.txt" {
				return []string{"x"}, errTorn
			}
			return replace(name, a)
		}, 1, "", filepath.Join(dir, "registry.txt") + ": torn"},
	} {
		list, d, err := open(c.names, c.update)
		if len(list) != c.n || corpus.Codes(d, schema.Note) != c.told || (err != nil) != (c.err != "") || err != nil && err.Error() != c.err {
			t.Errorf("%s: %d, told %s, %v, want %s", c.what, len(list), corpus.Codes(d, schema.Note), err, c.err)
		}
		store.ClosePartners(list)
	}
	if _, err := OpenPartners(nil, "", new(Loader), nil); err == nil {
		t.Error("no archive has partners")
	}
}

// TestArchiveWriter: an archive is written, or only planned; what is there already is not overwritten, nor what somebody changed.
func TestArchiveWriter(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "a.flx"), filepath.Join(dir, "b.flx")
	content := corpus.Bytes(t, corpus.Testdata(t, "ultima9", "anim.flx"))
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	write := func(out string, force, dry bool, meanwhile func()) ([]store.Output, error) {
		l := new(Loader)
		a, err := store.OpenArchive(path, nil, l.Env(path, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		meanwhile()
		return (&ArchiveWriter{Archive: a, Loader: l, Out: out, Force: force, DryRun: dry, Diagnostics: new(schema.Diagnostics)}).Write(context.Background())
	}
	nothing := func() {}
	for _, c := range []struct {
		what       string
		out        string
		force, dry bool
		meanwhile  func()
		ok         bool
	}{
		{"planned", out, false, true, nothing, true}, {"written", out, false, false, nothing, true}, {"planned again", out, false, true, nothing, false}, {"written again", out, false, false, nothing, false}, {"forced", out, true, false, nothing, true}, {"over itself", path, true, false, nothing, true},
		{"over what changed", path, true, false, func() { _ = os.WriteFile(path, append([]byte(nil), append(content, 0)...), 0o666) }, false},
	} {
		list, err := write(c.out, c.force, c.dry, c.meanwhile)
		if (err == nil) != c.ok || c.ok && (len(list) != 1 || list[0].Path != c.out || list[0].Size != int64(len(content))) {
			t.Errorf("%s: %+v, %v", c.what, list, err)
		}
		if b, err := os.ReadFile(out); c.dry && c.ok == (err == nil) || !c.dry && !bytes.Equal(b, content) {
			t.Errorf("%s: %d bytes are there, %v", c.what, len(b), err)
		}
	}
}
