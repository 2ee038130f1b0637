package interchange

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Interchange is a file format of other programs. Native formats are converted to it for people and their tools.
type Interchange struct {
	Name       string
	Title      string
	Extensions []string
	Kinds      []format.Kind // the kinds of content that it can hold

	weak   bool // recognised by extension alone: a native format that recognises the content goes first
	probe  func(in *format.Input) bool
	Decode func(b []byte, env *format.Env) (*Item, error)
	Encode func(it *Item, name string) ([]format.File, error)
	Header func(b []byte, env *format.Env) (asset.Asset, error) // returns the asset without its content; may be nil
}

// Interchanges lists all interchange formats in the order in which inputs are tested.
var Interchanges = slices.Concat(mainInterchanges, pictureKinds)

var mainInterchanges = []Interchange{
	{
		Name: "glb", Title: "glTF 2.0, one binary file", Extensions: []string{".glb"}, Kinds: []format.Kind{format.Model, format.Animation},
		probe: magic("glTF"), Decode: decodeGLTF, Encode: encodeGLB,
	},
	{
		Name: "gltf", Title: "glTF 2.0, JSON with files beside it", Extensions: []string{".gltf"}, Kinds: []format.Kind{format.Model, format.Animation},
		probe: isGLTF, Decode: decodeGLTF, Encode: encodeGLTF,
	},
	{
		Name: "png", Title: "PNG picture", Extensions: []string{".png"}, Kinds: []format.Kind{format.Texture},
		probe: isPNG, Decode: decodePNG, Encode: encodePNG, Header: headerPNG,
	},
	{
		Name: "apng", Title: "animated PNG picture", Extensions: []string{".apng"}, Kinds: []format.Kind{format.Texture},
		weak: true, probe: byExtension(".apng"), Decode: decodeAPNG, Encode: encodeAPNG,
	},
	{
		Name: "wav", Title: "WAV sound", Extensions: []string{".wav"}, Kinds: []format.Kind{format.Sound},
		probe: isWAV, Decode: decodeWAV, Encode: encodeWAV,
	},
	{
		Name: "mp3", Title: "MP3 sound, as it is", Extensions: []string{".mp3"}, Kinds: []format.Kind{format.Sound},
		weak: true, probe: byExtension(".mp3"), Decode: decodeMP3, Encode: encodeMP3,
	},
	{
		Name: "json", Title: "JSON, complete", Extensions: []string{".json"}, Kinds: []format.Kind{format.Model, format.Animation, format.Texture, format.Sound, format.Table, format.Text},
		probe: isDocument, Decode: decodeJSON, Encode: encodeJSON,
	},
	{
		Name: "csv", Title: "comma-separated values, for flat tables", Extensions: []string{".csv"}, Kinds: []format.Kind{format.Table},
		weak: true, probe: byExtension(".csv"), Decode: decodeCSV, Encode: encodeCSV,
	},
	{
		Name: "ini", Title: "INI: sections, keys and values as text", Extensions: []string{".ini"}, Kinds: []format.Kind{format.Text},
		probe: isINI, Decode: decodeINI, Encode: encodeINI,
	},
	{
		Name: "txt", Title: "text, UTF-8", Extensions: []string{".txt", ".md", ".uc"}, Kinds: []format.Kind{format.Text},
		weak: true, probe: byExtension(".txt", ".md", ".uc"), Decode: decodeText, Encode: encodeText,
	},
}

// ByExtension returns the interchange format of an extension (with its dot, any case), or nil.
func ByExtension(ext string) *Interchange {
	for i := range Interchanges {
		if slices.Contains(Interchanges[i].Extensions, strings.ToLower(ext)) {
			return &Interchanges[i]
		}
	}
	return nil
}

// Beside returns the paths of the files that an interchange file needs beside it, relative to its folder: a glTF file's
// buffers and pictures.
func Beside(name string, b []byte) []string {
	if x := ByExtension(path.Ext(name)); x != nil && (x.Name == "gltf" || x.Name == "glb") {
		return gltf.Beside(b)
	}
	return nil
}

func sniffInterchange(in *format.Input, weak bool) *Interchange {
	for i := range Interchanges {
		if x := &Interchanges[i]; x.weak == weak && x.probe(in) {
			return x
		}
	}
	return nil
}

func magic(m string) func(*format.Input) bool {
	return func(in *format.Input) bool { return bytes.HasPrefix(in.Head, []byte(m)) }
}

// isPNG leaves files that call themselves animated to those.
func isPNG(in *format.Input) bool {
	return magic("\x89PNG\r\n\x1a\n")(in) && !strings.EqualFold(path.Ext(in.Name), ".apng")
}

func byExtension(extensions ...string) func(*format.Input) bool {
	return func(in *format.Input) bool { return slices.Contains(extensions, strings.ToLower(path.Ext(in.Name))) }
}

func isGLTF(in *format.Input) bool {
	return strings.EqualFold(path.Ext(in.Name), ".gltf") && bytes.HasPrefix(bytes.TrimLeft(in.Head, " \t\r\n\ufeff"), []byte("{"))
}

func isWAV(in *format.Input) bool {
	return len(in.Head) >= 12 && string(in.Head[:4]) == "RIFF" && string(in.Head[8:12]) == "WAVE"
}

func isDocument(in *format.Input) bool {
	_, ok := json.Sniff(in.Head)
	return ok
}

func wrongKind(name string, it *Item) error {
	if it.Format != nil {
		return fmt.Errorf("%s holds a %s, which does not go into %s", it.Format.Name, it.Format.Kind, name)
	}
	kind := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", it.Asset), "*asset."))
	return fmt.Errorf("a %s does not go into %s", kind, name)
}

func decodeGLTF(b []byte, env *format.Env) (*Item, error) {
	s, err := decodeScene(b, env)
	if err != nil {
		return nil, err
	}
	return &Item{Asset: s, Env: env}, nil
}

func liftScene(it *Item, name string) (*asset.Scene, error) {
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	s, ok := a.(*asset.Scene)
	if !ok {
		return nil, wrongKind(name, it)
	}
	return s, nil
}

func encodeGLB(it *Item, name string) ([]format.File, error) {
	s, err := liftScene(it, "glTF")
	if err != nil {
		return nil, err
	}
	stream := func(w io.Writer) error {
		return gltf.Encode(w, s, it.glTFOptions())
	}
	if large(s) {
		return []format.File{{Name: name, Stream: stream}}, nil
	}
	var out bytes.Buffer
	if err := stream(&out); err != nil {
		return nil, err
	}
	return []format.File{{Name: name, Content: out.Bytes()}}, nil
}

// showNames are the values of "show" among the options of glTF.
var showNames = map[string]scene.Show{
	"wires": scene.ShowWires, "hulls": scene.ShowHulls, "mounts": scene.ShowMounts, "hardpoints": scene.ShowHardpoints,
	"all": scene.ShowAll &^ scene.ShowLevels,
}

// Shown returns which parts of a model the user wants to see besides its best level of detail.
func (it *Item) Shown() scene.Show {
	if it.Env == nil {
		return 0
	}
	o := it.Env.Options.GLTF
	var show scene.Show
	if o.Show == nil {
		show = scene.ShowHardpoints
	}
	for _, name := range o.Show {
		show |= showNames[name]
	}
	if o.Levels == "all" {
		show |= scene.ShowLevels
	}
	if it.Env.Options.Freelancer.Wireframe { // what is made is to be seen
		show |= scene.ShowWires
	}
	if it.Env.Options.Freelancer.Hulls {
		show |= scene.ShowHulls
	}
	return show
}

// LiftSeen returns the item as an asset for viewing. Collision hulls are stored in a separate file, which is read only if
// they are to be shown, or if there is nothing else to show.
func (it *Item) LiftSeen() (asset.Asset, error) {
	if it.Env == nil {
		return it.Lift()
	}
	show := it.Shown()
	it.Env.Plain = show&scene.ShowHulls == 0
	a, err := it.Lift()
	s, ok := a.(*asset.Scene)
	if err != nil || !ok || !it.Env.Plain || len(scene.Seen(s, show)) > 0 {
		return a, err
	}
	it.Env.Plain = false
	return it.Lift()
}

func (it *Item) glTFOptions() gltf.Options {
	show, o := it.Shown(), it.Env.Options.GLTF
	return gltf.Options{Diagnostics: it.Env.Diagnostics, Show: &show, Instances: o.Instances, Slim: o.Slim}
}

// large reports whether parts of a scene are made only when they are needed, because all of them would fill the memory.
func large(s *asset.Scene) bool {
	return slices.ContainsFunc(s.Meshes, func(m *asset.Mesh) bool {
		return slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return p.Load != nil })
	})
}

func encodeGLTF(it *Item, name string) ([]format.File, error) {
	s, err := liftScene(it, "glTF")
	if err != nil {
		return nil, err
	}
	dir, base := path.Split(name)
	parts, err := gltf.EncodeFiles(s, strings.TrimSuffix(base, path.Ext(base)), it.glTFOptions())
	if err != nil {
		return nil, err
	}
	files := make([]format.File, len(parts))
	for i, p := range parts {
		files[i] = format.File{Name: dir + p.Name, Content: p.Content}
	}
	return files, nil
}

func decodeWAV(b []byte, env *format.Env) (*Item, error) {
	s, err := wav.Decode(b)
	if err != nil {
		return nil, err
	}
	if n := wav.Missing(b); n > 0 {
		env.Told().Warnf("cut-off", env.Name, "the file ends %d bytes before its samples do: what is missing was lost before usher read it", n)
	}
	s.Name = formats.Stem(env.Name)
	if err := readSidecar(env, func(sc *sidecar) { s.Native = sc.Native }); err != nil {
		return nil, err
	}
	return &Item{Asset: s, Env: env}, nil
}

func encodeWAV(it *Item, name string) ([]format.File, error) {
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	s, ok := a.(*asset.Sound)
	if !ok {
		return nil, wrongKind("WAV", it)
	}
	if it.Env.Options.Samples {
		if s, err = mp3.Decoded(s); err != nil {
			return nil, err
		}
	}
	if s.Stored != nil && len(s.PCM) == 0 && s.Bits == 0 && s.Stored.Encoding != "wav" { // a module, an MP3: it is a file of its own
		return []format.File{{Name: formats.Stem(name) + "." + s.Stored.Encoding, Content: s.Stored.Data}}, nil
	}
	content, err := wavBytes(s)
	if err != nil {
		return nil, err
	}
	return it.withSidecar([]format.File{{Name: name, Content: content}}, name, &sidecar{Native: s.Native})
}

// decodeMP3 reads an MP3 file: the stream for those that can hold it, and its samples for the others.
func decodeMP3(b []byte, env *format.Env) (*Item, error) {
	stored := &asset.Sound{Name: formats.Stem(env.Name), Stored: &asset.Stored{Encoding: wav.EncodingMP3, Data: b}}
	s, err := mp3.Decoded(stored)
	if err != nil {
		return nil, err
	}
	s.Stored = stored.Stored
	return &Item{Asset: s, Env: env}, nil
}

// encodeMP3 writes the MP3 stream that a sound is stored as.
func encodeMP3(it *Item, name string) ([]format.File, error) {
	a, err := it.Lift()
	if err != nil {
		return nil, err
	}
	s, ok := a.(*asset.Sound)
	if !ok {
		return nil, wrongKind("MP3", it)
	}
	stream, ok := wav.Stream(s)
	if !ok {
		return nil, fmt.Errorf("the sound is not stored as MP3: convert it to .wav")
	}
	return []format.File{{Name: name, Content: stream}}, nil
}

// wavBytes returns a sound as a WAV file: the very file that the source holds, when it holds one with these samples.
func wavBytes(s *asset.Sound) ([]byte, error) {
	if s.Stored != nil && s.Stored.Encoding == "wav" {
		same, err := wav.Decode(s.Stored.Data)
		if len(s.PCM) == 0 || err == nil && same.Rate == s.Rate && bytes.Equal(same.PCM, s.PCM) {
			return s.Stored.Data, nil
		}
	}
	var out bytes.Buffer
	if err := wav.Encode(&out, s); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// boundedBuffer refuses to become far larger than what it is made of: leaves that share their bytes say them as often as
// they like.
type boundedBuffer struct {
	bytes.Buffer
	most, of int
}

// Write implements io.Writer.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, schema.Errorf("json", schema.ErrLimit, "size", "more than %d bytes of JSON from %d: many parts of the file share their bytes", b.most, b.of)
	}
	return b.Buffer.Write(p)
}

func encodeJSON(it *Item, name string) ([]format.File, error) {
	if it.Value == nil {
		return nil, wrongKind("JSON", it)
	}
	shown := it.Value
	if x := it.Format.Document; x != nil {
		var err error
		if shown, err = x.Show(it.Value, it.Env); err != nil {
			return nil, err
		}
	}
	out := boundedBuffer{most: math.MaxInt}
	if it.Env.Stored != nil {
		out.most, out.of = max(64<<20, 64*len(it.Env.Stored)), len(it.Env.Stored)
	}
	page, err := codePage(it.Format, it.Env.Options.CodePage)
	if err != nil {
		return nil, err
	}
	if err := json.EncodeDocumentIn(&out, it.Format.Name, page, shown); err != nil {
		return nil, err
	}
	return []format.File{{Name: name, Content: out.Bytes()}}, nil
}

// decodeScene reads a glTF file, with the original's help where that is known.
func decodeScene(b []byte, env *format.Env) (*asset.Scene, error) {
	if o, ok := env.Original.(*Original); ok && o != nil {
		return gltf.DecodeOnto(b, ReadBeside(env), o.Scene, env.Diagnostics)
	}
	return gltf.Decode(b, ReadBeside(env), env.Diagnostics)
}

// Carries reports whether a file of this format can hold the content of a native format.
func (x *Interchange) Carries(f *format.Format) bool {
	if x.Name == "json" {
		return f.New != nil
	}
	return f.Lift != nil && x.Writes() && slices.Contains(x.Kinds, f.Kind)
}
