package gltf

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Memory is bounded by the size of the input: data of accessors by maxGrowth bytes for each byte of JSON and buffers,
// and objects of the document by what a sane one needs.
const (
	maxGrowth   = 64
	baseBudget  = 512 << 10
	objectBytes = 1500
)

// decoder reads a document.
type decoder struct {
	doc     *gltf.Document
	diag    *schema.Diagnostics
	find    func(uri string) ([]byte, error)
	buffers []source
	lazy    bool // data of meshes are read when they are needed
	budget  int64
	s       *asset.Scene

	outer    *decoder                     // of the file that this one is kept in
	unlike   bool                         // nothing in it is like the original, and it has no record
	marked   bool                         // usher says in the file that it made it of another format
	slim     bool                         // the same, and that it kept nothing of it
	original func() (*asset.Scene, error) // what the file was made from; nil when that is not known

	cache     map[cacheKey]any
	nodes     []*asset.Node
	parents   []int
	own       []record // usher's records of nodes
	meshes    []*asset.Mesh
	materials []*asset.Material
	images    []*asset.Texture
	virtual   map[int]*asset.Texture // textures without an image, by their position
	skins     []*asset.Skin
	maxJoint  map[*asset.Mesh]uint16
	pictures  map[int]*asset.Texture // decoded ones by buffer view
	named     map[string]*asset.Material
	numbered  map[int][]*asset.Material // by the number that what is hidden knows them by: copies have it too
	numberOf  map[*asset.Node]int       // the same of joints, plus 1
	wrapped   []*asset.Node             // roots that a node joins for glTF alone
	wrapAt    []float32                 // their positions

	required   map[string]bool // extensions
	left       map[string]use  // extensions that are left out
	views      map[int][]byte  // unpacked ones
	lights     []*asset.Light
	unreadable map[int]error // pictures
	spare      map[int]bool  // pictures for which another stands
}

type cacheKey struct {
	accessor int
	kind     string
}

// Decode reads a GLB or a glTF JSON file; it tells them apart by content. find returns the content of the file at a path
// relative to that of b; it may be nil. Nothing is loaded from the network. If a picture cannot be found or read, its
// texture has no pixels and there is a warning; a missing buffer is an error.
//
// The classes of errors are:
//
//   - ErrTruncated and ErrBadMagic for the container;
//   - ErrValue for text that is not JSON, or breaks the schema of glTF;
//   - ErrRange for references and indices;
//   - ErrCount for accessors that their view or buffer cannot hold;
//   - ErrCycle for nodes that do not form a forest;
//   - ErrMismatch for contradictions;
//   - ErrUnsupported for a required extension that usher does not know;
//   - ErrLimit for what would need far more memory than the input has bytes.
func Decode(b []byte, find func(uri string) ([]byte, error), diag *schema.Diagnostics) (*asset.Scene, error) {
	return decodeWith(b, newDecoder(find, diag), nil)
}

func decodeWith(b []byte, d *decoder, original func() (*asset.Scene, error)) (*asset.Scene, error) {
	d.original = original
	text := bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if isGLB(b) {
		var bin []byte
		var err error
		if text, bin, err = splitGLB(b, d.diag); err != nil {
			return nil, err
		}
		return d.decode(text, held(bin))
	}
	if t := bytes.TrimLeft(text, " \t\r\n"); len(t) == 0 || t[0] != '{' {
		return nil, glbError(schema.ErrBadMagic, 0, "magic", "neither GLB nor JSON")
	}
	return d.decode(text, source{})
}

func newDecoder(find func(string) ([]byte, error), diag *schema.Diagnostics) *decoder {
	return &decoder{diag: diag, find: find, s: &asset.Scene{}, cache: map[cacheKey]any{}, virtual: map[int]*asset.Texture{},
		maxJoint: map[*asset.Mesh]uint16{}, pictures: map[int]*asset.Texture{}, named: map[string]*asset.Material{}, numbered: map[int][]*asset.Material{}, numberOf: map[*asset.Node]int{},
		required: map[string]bool{}, left: map[string]use{}, views: map[int][]byte{}, unreadable: map[int]error{}, spare: map[int]bool{}}
}

func (d *decoder) decode(text []byte, bin source) (*asset.Scene, error) {
	if err := d.parse(text); err != nil {
		return nil, err
	}
	if d.original != nil {
		if err := d.recoverExtras(d.original); err != nil {
			return nil, err
		}
	}
	if err := d.loadBuffers(bin); err != nil {
		return nil, err
	}
	d.budget = baseBudget + maxGrowth*int64(len(text))
	for _, x := range d.buffers {
		if x.present() {
			d.budget += maxGrowth * x.size
		}
	}
	if d.outer != nil {
		d.budget = min(d.budget, d.outer.budget)
		whole := d.budget
		defer func() { d.outer.budget -= whole - d.budget }()
	}
	for _, step := range []func() error{d.readImages, d.readMaterials, d.readMeshes, d.readLights, d.readNodes, d.readSkins, d.readAnimations, d.readScenes} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	d.regain()
	d.s.Stripped = d.marked && !d.hasRecords()
	if d.slim && !d.hasRecords() {
		d.diag.Hint(" (it was made with --slim; --base ORIGINAL takes from that what is missing)").Warnf("slim", "", "made small, it keeps nothing of the original: there is no way back from it, and what is made of it is a new model")
	}
	d.tellUnlike()
	d.tellLost()
	d.reportExtensions()
	d.reportRounding()
	d.tellColours()
	return d.s, nil
}

// parse decodes the JSON.
func (d *decoder) parse(b []byte) error {
	objects, room := int64(bytes.Count(b, []byte{'{'})), maxGrowth*int64(len(b))+16<<20
	if d.outer != nil {
		if err := d.outer.spend("kept", objects*objectBytes); err != nil {
			return err
		}
	}
	if objects*objectBytes > room {
		return schema.Errorf(formatName, schema.ErrLimit, "json", "%d objects in %d bytes", objects, len(b))
	}
	d.doc = &gltf.Document{}
	if err := json.Unmarshal(b, d.doc); err != nil {
		return jsonError(b, err)
	}
	switch d.s.Generator = d.doc.Asset.Generator; d.s.Generator {
	case ourselves:
		d.s.Generator, d.marked = "", true
	case slimmed:
		d.s.Generator, d.slim = "", true
	case copied:
		d.s.Generator = ""
	}
	if v := d.doc.Asset.Version; !strings.HasPrefix(v, "2.") {
		return schema.Errorf(formatName, schema.ErrUnsupported, "asset/version", "%q, only 2.x is known", v)
	}
	if err := d.checkExtensions(); err != nil {
		return err
	}
	if err := d.noNulls(); err != nil {
		return err
	}
	if err := d.checkNumbers(); err != nil {
		return err
	}
	if bytes.Contains(b, []byte(`"{'`)) {
		d.spoiledExtras()
	}
	d.checkSeals()
	return nil
}

// jsonError says what is wrong with JSON that the library does not read: its version, or the place of a value of a kind
// that is not expected there.
func jsonError(b []byte, err error) error {
	var old struct {
		Asset struct{ Version any }
	}
	if json.Unmarshal(b, &old) == nil {
		if v := fmt.Sprint(old.Asset.Version); strings.HasPrefix(v, "1") {
			return schema.Errorf(formatName, schema.ErrUnsupported, "asset/version", "%q, only 2.x is known", v)
		}
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return schema.Errorf(formatName, schema.ErrValue, "json", "%s: %s is not expected there", strings.ReplaceAll(kind.Field, ".", "/"), kind.Value)
	}
	class := schema.ErrValue
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && strings.Contains(syntax.Error(), "unexpected end") {
		class = schema.ErrTruncated
	}
	return schema.Errorf(formatName, class, "json", "%v", err)
}

// noNulls refuses null in place of an object, which the library lets through.
func (d *decoder) noNulls() error {
	doc := d.doc
	for _, err := range []error{
		noNull("accessors", doc.Accessors), noNull("animations", doc.Animations), noNull("buffers", doc.Buffers), noNull("bufferViews", doc.BufferViews),
		noNull("cameras", doc.Cameras), noNull("images", doc.Images), noNull("materials", doc.Materials), noNull("meshes", doc.Meshes), noNull("nodes", doc.Nodes),
		noNull("samplers", doc.Samplers), noNull("scenes", doc.Scenes), noNull("skins", doc.Skins), noNull("textures", doc.Textures),
	} {
		if err != nil {
			return err
		}
	}
	for i, m := range doc.Meshes {
		if err := noNull(fmt.Sprintf("meshes/%d/primitives", i), m.Primitives); err != nil {
			return err
		}
	}
	for i, a := range doc.Animations {
		if err := noNull(fmt.Sprintf("animations/%d/channels", i), a.Channels); err != nil {
			return err
		}
		if err := noNull(fmt.Sprintf("animations/%d/samplers", i), a.Samplers); err != nil {
			return err
		}
	}
	return nil
}

func noNull[T any](path string, list []*T) error {
	if i := slices.Index(list, nil); i >= 0 {
		return pathError(fmt.Sprintf("%s/%d", path, i), schema.ErrValue, "null")
	}
	return nil
}

// pathError makes an error with a JSON path.
func pathError(path string, class error, msg string, args ...any) error {
	return &schema.FormatError{Format: formatName, Path: path, Offset: -1, Class: class, Msg: fmt.Sprintf(msg, args...)}
}

// refer checks an index into a list.
func refer(path string, i, n int) error {
	if i < 0 || i >= n {
		return pathError(path, schema.ErrRange, "index %d, there are %d", i, n)
	}
	return nil
}

// spend takes n bytes off the budget.
func (d *decoder) spend(path string, n int64) error {
	if n > d.budget {
		return pathError(path, schema.ErrLimit, "%d bytes of data, far more than the file holds", n)
	}
	d.budget -= n
	return nil
}

func (d *decoder) loadBuffers(bin source) error {
	packs := d.packs()
	d.lazy = d.lazy && !packs // views are unpacked whole, and primitives share them
	for i, g := range d.doc.Buffers {
		path := fmt.Sprintf("buffers/%d", i)
		x := bin
		if i > 0 || !bin.present() {
			if stands, err := d.standIn(path, g, packs); err != nil {
				return err
			} else if stands {
				d.buffers = append(d.buffers, source{size: int64(max(g.ByteLength, 0))})
				continue
			}
		}
		if g.URI != "" || i > 0 || !bin.present() {
			b, err := d.load(path, g.URI)
			if err != nil {
				return err
			}
			x = held(b)
		}
		if g.ByteLength < 0 || int64(g.ByteLength) > x.size {
			return pathError(path+"/byteLength", schema.ErrTruncated, "%d bytes declared, %d present", g.ByteLength, x.size)
		}
		d.buffers = append(d.buffers, x.cut(int64(g.ByteLength)))
	}
	return nil
}

// load returns the bytes of a URI.
func (d *decoder) load(path, uri string) ([]byte, error) {
	if uri == "" {
		return nil, pathError(path+"/uri", schema.ErrTruncated, "no URI and no binary chunk")
	}
	if rest, ok := strings.CutPrefix(uri, "data:"); ok {
		b, err := dataURI(rest)
		if err != nil {
			return nil, pathError(path+"/uri", schema.ErrValue, "data URI: %v", err)
		}
		return b, nil
	}
	name, err := relative(uri)
	if err != nil {
		return nil, pathError(path+"/uri", schema.ErrUnsupported, "%q: %v", uri, err)
	}
	if d.find == nil {
		return nil, pathError(path+"/uri", schema.ErrTruncated, "%q is another file, and there is no place to look for it", name)
	}
	b, err := d.find(name)
	if err != nil {
		return nil, pathError(path+"/uri", schema.ErrTruncated, "%q: %v", name, err)
	}
	return b, nil
}

// dataURI decodes what follows "data:".
func dataURI(s string) ([]byte, error) {
	head, data, ok := strings.Cut(s, ",")
	if !ok {
		return nil, errors.New("no comma")
	}
	if !strings.HasSuffix(head, ";base64") {
		plain, err := url.PathUnescape(data)
		return []byte(plain), err
	}
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(data, "="))
}

// relative returns the path of a relative URI, without escapes.
func relative(uri string) (string, error) {
	if i := strings.IndexAny(uri, ":/?#"); i > 0 && uri[i] == ':' {
		return "", errors.New("only relative paths are read")
	}
	if strings.HasPrefix(uri, "//") {
		return "", errors.New("only relative paths are read")
	}
	name, err := url.PathUnescape(uri)
	if err != nil {
		return uri, nil // a bare % sign: some programs do not escape
	}
	return name, nil
}
