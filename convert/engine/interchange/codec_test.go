package interchange

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// inFolder is format.Files of what lies in memory.
type inFolder map[string][]byte

func (f inFolder) Find(names ...string) ([]byte, string, error) {
	for _, n := range names {
		if b, ok := f[n]; ok {
			return b, n, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// written encodes an asset as a file of that name.
func written(t *testing.T, a asset.Asset, name string) inFolder {
	t.Helper()
	x := ByExtension(name[strings.LastIndexByte(name, '.'):])
	files, err := x.Encode(&Item{Asset: a, Env: &format.Env{Name: name, Diagnostics: new(schema.Diagnostics)}}, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	f := inFolder{}
	for _, x := range files {
		f[x.Name] = x.Content
	}
	return f
}

// reread decodes the file of that name in a folder, and returns what was told of it.
func reread(t *testing.T, f inFolder, name string) (asset.Asset, string) {
	t.Helper()
	d := new(schema.Diagnostics)
	it, err := ByExtension(name[strings.LastIndexByte(name, '.'):]).Decode(f[name], &format.Env{Name: name, Files: f, Diagnostics: d})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var told []string
	for _, x := range d.All() {
		told = append(told, x.Code)
	}
	return it.Asset, strings.Join(told, " ")
}

func native() *asset.Native {
	return &asset.Native{Format: "u9-book", Payload: []byte{1, 2, 3}, Values: map[string]any{"id": 5.0, scene.ReadOnly: map[string]any{"slot": 7.0}}}
}

func sound() *asset.Sound {
	return &asset.Sound{Name: "a", Rate: 22050, Channels: 1, Bits: 16, PCM: []byte{1, 2, 3, 4}, Native: native()}
}

// TestThereAndBack: an asset comes back out of its file and companion as it went in.
func TestThereAndBack(t *testing.T) {
	text := func(ext, body string) *asset.Text {
		return &asset.Text{Name: "a", Body: body, Extension: ext, Native: native()}
	}
	for _, c := range []struct {
		name  string
		in    asset.Asset
		files string
	}{
		{"a.wav", sound(), "a.usher.json a.wav"}, {"a.wav", &asset.Sound{Name: "a", Rate: 8000, Channels: 2, Bits: 8, PCM: []byte{1, 2}}, "a.wav"},
		{"a.txt", text(".txt", "äöü\r\n"), "a.txt a.usher.json"}, {"a.md", text(".md", "# x"), "a.md a.usher.json"}, {"a.txt", &asset.Text{Name: "a", Extension: ".txt"}, "a.txt"},
		{"a.ini", text(".ini", "[Ship]\r\nname = Ärger"), "a.ini a.usher.json"}, {"a.ini", text(".ini", "[日本]"), "a.ini a.usher.json"},
		{"a.csv", &asset.Table{Name: "a", Columns: []string{"x", "y"}, Rows: [][]any{{"1", "a, b"}, {"", "\"q\""}}, Lines: []int{2, 3}, Native: native()}, "a.csv a.usher.json"},
	} {
		f := written(t, c.in, c.name)
		if got := strings.Join(slices.Sorted(maps.Keys(f)), " "); got != c.files {
			t.Errorf("%s: %s, want %s", c.name, got, c.files)
		}
		got, told := reread(t, f, c.name)
		if !reflect.DeepEqual(got, c.in) || told != "" {
			t.Errorf("%s: %+v, want %+v; %s", c.name, got, c.in, told)
		}
	}
}

// TestTextsAsGamesHaveThem: an INI is in Windows-1252 where that has all its letters, and read so unless a mark says otherwise.
func TestTextsAsGamesHaveThem(t *testing.T) {
	for _, c := range []struct{ bytes, body, told string }{
		{"[a]\r\nb = \xe4", "[a]\r\nb = ä", ""}, {"[a]\r\nb = \xc3\xa4", "[a]\r\nb = Ã¤", "encoding"}, {"\ufeff[a]\r\nb = ä", "[a]\r\nb = ä", ""}, {"\xff\xfe[\x00a\x00]\x00", "[a]", ""}, {"\xfe\xff\x00[\x00a\x00]", "[a]", ""}, {"[a]", "[a]", ""},
	} {
		got, told := reread(t, inFolder{"a.ini": []byte(c.bytes)}, "a.ini")
		if body := got.(*asset.Text).Body; body != c.body || told != c.told {
			t.Errorf("%q: %q, %s, want %q", c.bytes, body, told, c.body)
		}
		if f, x := Recognise(formats.NewInput("a.ini", []byte(c.bytes))); f != nil || x == nil || x.Name != "ini" {
			t.Errorf("%q is taken for %v", c.bytes, x)
		}
	}
	if got := string(written(t, &asset.Text{Body: "ä"}, "a.ini")["a.ini"]); got != "\xe4" {
		t.Errorf("%q", got)
	}
	if got := string(written(t, &asset.Text{Body: "ł"}, "a.ini")["a.ini"]); got != "\ufeffł" {
		t.Errorf("%q", got)
	}
	if isINI(formats.NewInput("a.ini", []byte("BINI\x01\x00\x00\x00"))) || isINI(formats.NewInput("a.ini", []byte("[a]\x00"))) || isINI(formats.NewInput("a.txt", []byte("[a]"))) {
		t.Error("what is no text is an INI")
	}
	if _, told := reread(t, inFolder{"a.csv": []byte("a\n\xe4\n")}, "a.csv"); told != "csv-encoding" {
		t.Errorf("a table in Windows-1252: %s", told)
	}
}

// TestSidecars: what a companion says is taken, what cannot be is told, with its file.
func TestSidecars(t *testing.T) {
	for _, c := range []struct {
		what string
		edit func(f inFolder)
		told string
		err  string
	}{
		{"as it was", func(inFolder) {}, "", ""},
		{"without it", func(f inFolder) { delete(f, "a.usher.json") }, "", ""},
		{"a value edited", func(f inFolder) {
			f["a.usher.json"] = []byte(strings.Replace(string(f["a.usher.json"]), `"slot": 7.0`, `"slot": 6.0`, 1))
		}, "values-edited", ""},
		{"a value edited that is to be", func(f inFolder) {
			f["a.usher.json"] = []byte(strings.Replace(string(f["a.usher.json"]), `"id": 5.0`, `"id": 6.0`, 1))
		}, "", ""},
		{"a value gone", func(f inFolder) {
			f["a.usher.json"] = []byte(strings.Replace(string(f["a.usher.json"]), `"id": 5.0,`, ``, 1))
		}, "values-edited", ""},
		{"another format", func(f inFolder) {
			f["a.usher.json"] = []byte(strings.Replace(string(f["a.usher.json"]), "u9-book", "u9-bok", 1))
		}, "", `a.usher.json: Native.Format: there is no format "u9-bok"; did you mean "u9-book"?`},
		{"a format of nobody", func(f inFolder) {
			f["a.usher.json"] = []byte(strings.Replace(string(f["a.usher.json"]), "u9-book", "something else", 1))
		}, "values-edited", ""},
		{"no JSON", func(f inFolder) { f["a.usher.json"] = []byte("{") }, "", "a.usher.json: "},
	} {
		for _, name := range []string{"a.wav", "a.txt", "a.csv", "a.ini"} {
			in := map[string]asset.Asset{".wav": sound(), ".txt": &asset.Text{Native: native()}, ".ini": &asset.Text{Native: native()}, ".csv": &asset.Table{Columns: []string{"a"}, Native: native()}}[name[1:]]
			f := written(t, in, name)
			c.edit(f)
			d := new(schema.Diagnostics)
			_, err := ByExtension(name[1:]).Decode(f[name], &format.Env{Name: name, Files: f, Diagnostics: d})
			if (err != nil) != (c.err != "") || err != nil && !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s, %s: %v, want %s", name, c.what, err, c.err)
			}
			if d.Has("values-edited") != (c.told != "") {
				t.Errorf("%s, %s: %v", name, c.what, d.All())
			}
		}
	}
	if f := written(t, &asset.Sound{Rate: 1, Channels: 1, Bits: 8, Native: native()}, "a.b.wav"); f["a.b.usher.json"] == nil {
		t.Errorf("%v", slices.Collect(maps.Keys(f)))
	}
	plain := &Item{Asset: sound(), Plain: true, Env: new(format.Env)}
	if files, err := encodeWAV(plain, "a.wav"); len(files) != 1 || err != nil {
		t.Errorf("to look at: %d files, %v", len(files), err)
	}
	if !IsSidecar("a.usher.json") || IsSidecar("a.json") {
		t.Error("a companion is not known by its name")
	}
	for name, want := range map[string]string{"a.png": "a", "a.f001.png": "a", "a.f001.+x.png": "a", "a.-z.png": "a", "a.f01.png": "a.f01", "a.+w.png": "a.+w", "a.f0012.png": "a"} {
		if got := PictureStem(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestStoredSounds: a sound that is stored as a file of its own comes out as it is.
func TestStoredSounds(t *testing.T) {
	plain := written(t, &asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: []byte{1, 2}}, "a.wav")["a.wav"]
	odd := append(slices.Clone(plain), "more"...) // as some game has it
	binary.LittleEndian.PutUint32(odd[4:], uint32(len(odd)-8))
	for _, c := range []struct {
		what string
		in   asset.Sound
		name string
		want []byte
	}{
		{"a module", asset.Sound{Stored: &asset.Stored{Encoding: "it", Data: []byte("IMPM")}}, "a.it", []byte("IMPM")},
		{"a stored file", asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: []byte{1, 2}, Stored: &asset.Stored{Encoding: "wav", Data: plain}}, "a.wav", plain},
		{"one of other samples", asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: []byte{1, 2}, Stored: &asset.Stored{Encoding: "wav", Data: written(t, sound(), "b.wav")["b.wav"]}}, "a.wav", plain},
		{"one of another rate", asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: []byte{1, 2}, Stored: &asset.Stored{Encoding: "wav", Data: written(t, &asset.Sound{Rate: 11025, Channels: 1, Bits: 16, PCM: []byte{1, 2}}, "b.wav")["b.wav"]}}, "a.wav", plain},
		{"one that is damaged", asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: []byte{1, 2}, Stored: &asset.Stored{Encoding: "wav", Data: []byte("RIFF")}}, "a.wav", plain},
		{"without samples", asset.Sound{Stored: &asset.Stored{Encoding: "wav", Data: odd}}, "a.wav", odd},
		{"samples of a module", asset.Sound{Rate: 22050, Channels: 1, Bits: 16, PCM: []byte{1, 2}, Stored: &asset.Stored{Encoding: "it", Data: []byte("IMPM")}}, "a.wav", plain},
	} {
		if f := written(t, &c.in, "a.wav"); len(f) != 1 || string(f[c.name]) != string(c.want) {
			t.Errorf("%s: %v", c.what, f)
		}
	}
	mp3 := []byte("stream")
	if got := written(t, &asset.Sound{Stored: &asset.Stored{Encoding: wav.EncodingMP3, Data: mp3}}, "a.mp3"); string(got["a.mp3"]) != "stream" {
		t.Errorf("%v", got)
	}
}

// TestCutOff: of a file that was cut off, wherever that is, nothing is missing without a word.
func TestCutOff(t *testing.T) {
	model := &asset.Scene{Name: "a", Roots: []*asset.Node{asset.NewNode("root")}}
	for name, in := range map[string]asset.Asset{"a.wav": sound(), "b.wav": &asset.Sound{Name: "b", Rate: 8000, Channels: 1, Bits: 8, PCM: []byte{1, 2, 3}}, "a.glb": model, "a.png": nil} {
		var f inFolder
		if in != nil {
			f = written(t, in, name)
		} else {
			f, _ = encodedPictures(t, frames(coloured(5, 3, 9)), name, asIs)
		}
		whole, _ := reread(t, f, name)
		x := ByExtension(name[strings.LastIndexByte(name, '.'):])
		for n := range f[name] {
			d := new(schema.Diagnostics)
			it, err := x.Decode(f[name][:n], &format.Env{Name: name, Files: f, Diagnostics: d})
			if err == nil && !reflect.DeepEqual(it.Asset, whole) && !slices.ContainsFunc(d.All(), func(x schema.Diagnostic) bool { return x.Code == "cut-off" }) {
				t.Errorf("%s, %d of %d bytes: nothing is said of it", name, n, len(f[name]))
			}
		}
	}
}

// TestWrongKinds: what does not go into a file is refused by name.
func TestWrongKinds(t *testing.T) {
	for _, c := range []struct {
		ext  string
		it   *Item
		want string
	}{
		{".glb", &Item{Asset: sound()}, "a sound does not go into glTF"}, {".gltf", &Item{Asset: new(asset.Text)}, "a text does not go into glTF"}, {".wav", &Item{Asset: new(asset.Texture)}, "a texture does not go into WAV"}, {".mp3", &Item{Asset: new(asset.Table)}, "a table does not go into MP3"},
		{".mp3", &Item{Asset: sound()}, "the sound is not stored as MP3: convert it to .wav"}, {".csv", &Item{Asset: new(asset.Text)}, "a text does not go into CSV"}, {".txt", &Item{Asset: new(asset.Table)}, "a table does not go into a text file"}, {".ini", &Item{Asset: new(asset.Scene)}, "a scene does not go into an INI file"},
		{".json", &Item{Asset: new(asset.Scene)}, "a scene does not go into JSON"}, {".wav", &Item{Format: &format.Format{Name: "x", Kind: format.Table, Lift: func(any, *format.Env) (asset.Asset, error) { return new(asset.Table), nil }}}, "x holds a table, which does not go into WAV"},
		{".csv", &Item{Format: &format.Format{Name: "x"}}, "x has no form other than JSON"}, {".txt", new(Item), "there is nothing to convert"},
		{".ini", &Item{Format: &format.Format{Name: "x", Beside: "cmp"}}, "x alone has no form other than JSON: convert the .utf file that it lies beside"},
	} {
		if c.want == "" {
			continue
		}
		c.it.Env = new(format.Env)
		if _, err := ByExtension(c.ext).Encode(c.it, "a"+c.ext); err == nil || !strings.HasPrefix(err.Error(), strings.Replace(c.want, ".utf", formats.ByName("cmp").Extensions[0], 1)) {
			t.Errorf("%s: %v, want %s", c.ext, err, c.want)
		}
	}
}

// TestGLTFFiles: a model in several files has them all in its folder, and comes back with them.
func TestGLTFFiles(t *testing.T) {
	triangle := &asset.Primitive{Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Indices: []uint32{0, 1, 2}}
	mesh := &asset.Mesh{Name: "m", Primitives: []*asset.Primitive{triangle}}
	s := &asset.Scene{Meshes: []*asset.Mesh{mesh}, Roots: []*asset.Node{{Name: "n", Transform: asset.Identity, Mesh: mesh}}}
	f := written(t, s, "sub/a.gltf")
	if got := strings.Join(slices.Sorted(maps.Keys(f)), " "); got != "sub/a.bin sub/a.gltf" {
		t.Fatalf("%s", got)
	}
	beside := Beside("a.gltf", f["sub/a.gltf"])
	if !slices.Equal(beside, []string{"a.bin"}) || Beside("a.png", f["sub/a.gltf"]) != nil {
		t.Errorf("%q lie beside it", beside)
	}
	got, _ := reread(t, inFolder{"a.gltf": f["sub/a.gltf"], "a.bin": f["sub/a.bin"]}, "a.gltf")
	back := got.(*asset.Scene)
	if len(back.Meshes) != 1 || !slices.Equal(back.Meshes[0].Primitives[0].Positions, triangle.Positions) || back.Roots[0].Name != "n" {
		t.Errorf("%+v", back)
	}
	_, err := ByExtension(".gltf").Decode(f["sub/a.gltf"], &format.Env{Name: "a.gltf", Files: inFolder{}, Diagnostics: new(schema.Diagnostics)})
	if err == nil || !strings.Contains(err.Error(), "a.bin not found") {
		t.Errorf("without its buffer: %v", err)
	}
	if files, err := encodeGLB(&Item{Asset: s, Env: new(format.Env)}, "a.glb"); err != nil || files[0].Stream != nil || !strings.HasPrefix(string(files[0].Content), "glTF") {
		t.Errorf("a small one: %v", err)
	}
	mesh.Primitives[0] = &asset.Primitive{Load: func() (*asset.Primitive, error) { return triangle, nil }}
	if files, err := encodeGLB(&Item{Asset: s, Env: new(format.Env)}, "a.glb"); err != nil || files[0].Stream == nil {
		t.Errorf("a large one: %v", err)
	}
}

// TestReadBeside: a file that is not there is told of, with what to do about one above.
func TestReadBeside(t *testing.T) {
	read := ReadBeside(&format.Env{Files: inFolder{"a.png": []byte("x")}})
	for uri, want := range map[string]string{"a.png": "", "b.png": "b.png not found", "../b.png": "../b.png not found: what lies above the file is not read; --texture-dir names its folder, --with the file"} {
		b, err := read(uri)
		if want == "" && (string(b) != "x" || err != nil) || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: %q, %v", uri, b, err)
		}
	}
}

// TestShown: what is to be seen of a model beside its best level of detail.
func TestShown(t *testing.T) {
	for _, c := range []struct {
		set  func(o *format.Options)
		want scene.Show
	}{
		{func(*format.Options) {}, scene.ShowHardpoints}, {func(o *format.Options) { o.GLTF.Show = []string{} }, 0}, {func(o *format.Options) { o.GLTF.Show = []string{"wires", "mounts"} }, scene.ShowWires | scene.ShowMounts},
		{func(o *format.Options) { o.GLTF.Show = []string{"all"} }, scene.ShowAll &^ scene.ShowLevels}, {func(o *format.Options) { o.GLTF.Levels = "all" }, scene.ShowHardpoints | scene.ShowLevels}, {func(o *format.Options) { o.GLTF.Levels = "best" }, scene.ShowHardpoints},
		{func(o *format.Options) { o.Freelancer.Wireframe = true }, scene.ShowHardpoints | scene.ShowWires}, {func(o *format.Options) { o.Freelancer.Hulls = true }, scene.ShowHardpoints | scene.ShowHulls},
	} {
		env := new(format.Env)
		c.set(&env.Options)
		if got := (&Item{Env: env}).Shown(); got != c.want {
			t.Errorf("%+v: %v, want %v", env.Options.GLTF, got, c.want)
		}
	}
	if got := new(Item).Shown(); got != 0 {
		t.Errorf("nobody asks: %v", got)
	}
}

// TestOriginals: an edited asset gets what only the original knows; what it has itself stays.
func TestOriginals(t *testing.T) {
	kept := &asset.Native{Format: "x", Payload: []byte{9}, Values: map[string]any{"a": 1, "b": 2}}
	of := func(a asset.Asset, f *format.Format) *Original {
		return NewOriginal(func() (asset.Asset, *format.Format, error) { return a, f, nil })
	}
	for _, a := range []asset.Asset{new(asset.Scene), new(asset.Texture), new(asset.Sound), new(asset.Table), new(asset.Text)} {
		var was asset.Asset
		switch a.(type) {
		case *asset.Scene:
			was = &asset.Scene{Native: kept}
		case *asset.Texture:
			was = &asset.Texture{Name: "n", Alpha: asset.Mask, FPS: 7, URI: "u", Extras: map[string]any{"e": 1}, Native: kept}
		case *asset.Sound:
			was = &asset.Sound{Name: "n", Extras: map[string]any{"e": 1}, Native: kept}
		case *asset.Table:
			was = &asset.Table{Name: "n", Native: kept}
		case *asset.Text:
			was = &asset.Text{Name: "n", Native: kept}
		}
		if err := of(was, nil).Complete(a); err != nil || !reflect.DeepEqual(a, was) {
			t.Errorf("%T: %+v, %v", a, a, err)
		}
	}
	other := new(asset.Text)
	if err := of(&asset.Table{Name: "n", Native: kept}, nil).Complete(other); err != nil || other.Native != nil {
		t.Errorf("of another kind: %+v, %v", other, err)
	}
	edited := &asset.Text{Native: &asset.Native{Format: "x", Values: map[string]any{"b": 3, "c": 4}}}
	if err := of(&asset.Text{Native: kept}, nil).Complete(edited); err != nil || fmt.Sprint(edited.Native.Values) != "map[a:1 b:3 c:4]" || string(edited.Native.Payload) != "\x09" || kept.Values["b"] != 2 {
		t.Errorf("values in a companion: %+v, %v", edited.Native, err)
	}
	own := &asset.Text{Native: &asset.Native{Format: "y", Payload: []byte{1}}}
	if err := of(&asset.Text{Name: "n", Native: kept}, nil).Complete(own); err != nil || own.Name != "" || own.Native.Format != "y" {
		t.Errorf("one that knows all: %+v, %v", own, err)
	}
	x, y := &format.Format{Name: "x", Kind: format.Text}, &format.Format{Name: "y"}
	for f, want := range map[*format.Format]string{x: "n", y: ""} {
		a := new(asset.Text)
		if err := of(&asset.Text{Name: "n"}, x).CompleteFor(f, a); err != nil || a.Name != want {
			t.Errorf("for %s: %q, %v", f.Name, a.Name, err)
		}
	}
	if err := of(&asset.Text{Name: "n"}, nil).CompleteFor(x, other); err != nil || other.Name != "" {
		t.Errorf("of no format: %v", err)
	}
	if _, err := of(other, x).Scene(); err == nil || err.Error() != "the original is no model, but a text" {
		t.Errorf("%v", err)
	}
	if _, err := of(other, nil).Scene(); err == nil || err.Error() != "the original is no model" {
		t.Errorf("%v", err)
	}
	if s, err := of(new(asset.Scene), nil).Scene(); s == nil || err != nil {
		t.Errorf("%v", err)
	}
	torn, asked := errors.New("torn"), 0
	bad := NewOriginal(func() (asset.Asset, *format.Format, error) { asked++; return nil, nil, torn })
	for _, err := range []error{bad.Complete(new(asset.Text)), bad.CompleteFor(x, new(asset.Text))} {
		if !errors.Is(err, torn) {
			t.Errorf("%v", err)
		}
	}
	if _, err := bad.Scene(); !errors.Is(err, torn) || asked != 1 {
		t.Errorf("%v, asked %d times", err, asked)
	}
	if _, err := OriginalOf(&format.Format{Name: "z"}, nil, nil).Lift(); !errors.Is(err, schema.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	stored := OriginalOf(&format.Format{Name: "z", Read: func(b []byte, _ *schema.Diagnostics) (any, error) {
		if len(b) == 0 {
			return nil, torn
		}
		return string(b), nil
	}, Lift: func(v any, env *format.Env) (asset.Asset, error) {
		return &asset.Text{Body: v.(string) + string(env.Stored)}, nil
	}}, []byte("ab"), nil)
	if a, err := stored.Lift(); err != nil || a.(*asset.Text).Body != "abab" {
		t.Errorf("%v, %v", a, err)
	}
}

// TestUnkept: what a document says and the bytes do not is named by its path, three of them, and how many more.
func TestUnkept(t *testing.T) {
	type part struct {
		Name string `json:"name"`
		Skip int    `json:"-"`
		Data []byte
		own  int
	}
	type tree struct{ Children []*tree }
	type record struct {
		ID    int
		Part  *part
		Parts []part
		Pair  [2]int
		Any   any
		Tree  *tree
	}
	for _, c := range []struct {
		what          string
		said, written record
		want          string
	}{
		{"all", record{ID: 1, Pair: [2]int{1, 2}}, record{ID: 2, Pair: [2]int{3, 4}}, ""}, {"a number", record{ID: 1}, record{}, "ID"}, {"nothing", record{}, record{ID: 1}, ""}, {"a part", record{Part: &part{Name: "x"}}, record{}, "Part"},
		{"in a part", record{Part: &part{Name: "x", Skip: 1, own: 1}}, record{Part: &part{}}, "Part.name"}, {"of a list", record{Parts: []part{{Name: "a"}, {Name: "b"}}}, record{Parts: []part{{Name: "a"}}}, "Parts[1]"},
		{"in a list", record{Parts: []part{{Name: "a"}, {Name: "b"}}}, record{Parts: []part{{Name: "a"}, {}}}, "Parts[1].name"}, {"of a pair", record{Pair: [2]int{0, 2}}, record{Pair: [2]int{1, 0}}, "Pair[1]"}, {"anything", record{Any: 1}, record{}, ""},
		{"bytes", record{Part: &part{Data: []byte{1, 2}}}, record{Part: &part{}}, "Part.Data"}, {"some bytes", record{Part: &part{Data: []byte{1, 2}}}, record{Part: &part{Data: []byte{0}}}, ""},
		{"a tree", record{Tree: &tree{[]*tree{{}, {}}}}, record{Tree: &tree{[]*tree{{}}}}, ""}, {"a whole tree", record{Tree: &tree{[]*tree{{}}}}, record{Tree: &tree{}}, "Tree.Children"},
		{"three", record{ID: 1, Part: &part{}, Pair: [2]int{1, 0}}, record{}, "ID Part Pair[0]"}, {"five", record{ID: 1, Part: &part{}, Pair: [2]int{1, 1}, Parts: make([]part, 1), Tree: &tree{}}, record{}, "ID Part Parts[0] 3 more fields"},
	} {
		if c.what == "five" {
			c.said.Parts[0].Name = "x"
		}
		d := new(schema.Diagnostics)
		tellUnkept(&format.Format{Name: "x"}, &c.said, &c.written, d)
		var list []string
		for _, x := range d.All() {
			if x.Path == "" {
				list = append(list, strings.Join(strings.Fields(x.Msg)[:3], " "))
			} else {
				list = append(list, x.Path)
			}
		}
		if got := strings.Join(list, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	d := new(schema.Diagnostics)
	tellUnkept(&format.Format{Open: func(_ io.ReaderAt, _ int64, _ *format.Env) (format.ArchiveFile, error) { return nil, nil }, Document: new(format.Document)}, &record{ID: 1}, &record{}, d)
	if len(d.All()) > 0 {
		t.Errorf("a tree: %v", d.All())
	}
}

// TestDocuments: a record goes through JSON and back; what cannot be written is named, with the name that may be meant.
func TestDocuments(t *testing.T) {
	text := formats.ByName("u9-text")
	v, err := text.Lower(&asset.Text{Body: "hello"}, &format.Env{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := ByExtension(".json").Encode(&Item{Format: text, Value: v, Env: new(format.Env)}, "a.json")
	if err != nil || len(files) != 1 || files[0].Name != "a.json" {
		t.Fatalf("%v, %v", files, err)
	}
	it, err := ByExtension(".json").Decode(files[0].Content, &format.Env{Diagnostics: new(schema.Diagnostics)})
	if err != nil || it.Format != text || !it.Document || !reflect.DeepEqual(it.Value, v) {
		t.Errorf("%+v, %v", it, err)
	}
	for from, want := range map[string]string{
		`"u9-txt"`: `JSON of format "u9-txt", which usher cannot write; did you mean "u9-text"?`, `"unreal-mesh"`: `JSON of format "unreal-mesh", which usher cannot write`, `"nothing of it"`: `JSON of format "nothing of it", which usher cannot write`,
	} {
		b := []byte(strings.Replace(string(files[0].Content), `"u9-text"`, from, 1))
		if _, err := ByExtension(".json").Decode(b, &format.Env{Diagnostics: new(schema.Diagnostics)}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", from, err, want)
		}
	}
	var out boundedBuffer
	out.most, out.of = 5, 1
	for _, c := range []struct {
		text string
		ok   bool
	}{{"abc", true}, {"de", true}, {"f", false}} {
		if _, err := out.Write([]byte(c.text)); (err == nil) != c.ok || err != nil && !errors.Is(err, schema.ErrLimit) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// TestUnknown: what nobody knows is said with what may be tried.
func TestUnknown(t *testing.T) {
	for name, want := range map[string]string{
		"a.json": "not recognised: it is no document that usher wrote", "a.png": "not recognised: it does not begin as a png file does", "a.THN": "not recognised: a scene of Freelancer", "a.sur": "not recognised: it does not begin as sur does, the one format with the extension .sur",
		"a.utf": "not recognised: of the formats with the extension .utf, --from takes utf, voice", "a.sru": "not recognised: nothing known has the extension .sru; --from sur reads it as the nearest one, .sur", "a.qqq": "not recognised; --from FORMAT", "a": "not recognised; --from FORMAT",
	} {
		if err := Unknown(name); !errors.Is(err, formats.ErrUnknown) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if f, x := Recognise(nil); f != nil || x != nil {
		t.Error("nothing is recognised")
	}
	for name, want := range map[string]string{"a.txt": "txt", "a.CSV": "csv", "a.uc": "txt", "a.apng": "apng", "a.xyz": ""} {
		got := ""
		if _, x := Recognise(formats.NewInput(name, []byte("text"))); x != nil {
			got = x.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for head, want := range map[string]string{"glTF....": "glb", " \r\n\t{}": "gltf", "{}": "gltf", "x{": "", "RIFF....WAVE": "wav", "RIFF....WAV": "", "RIFX....WAVE": "", "\x89PNG\r\n\x1a\n": "png"} {
		got := ""
		if x := sniffInterchange(formats.NewInput("a.gltf", []byte(head)), false); x != nil {
			got = x.Name
		}
		if got != want {
			t.Errorf("%q is %q, want %q", head, got, want)
		}
	}
}
