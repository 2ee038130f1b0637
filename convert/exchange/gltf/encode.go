package gltf

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/url"
	"strconv"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Options selects how a scene is written. The zero value is the default.
type Options struct {
	Diagnostics *schema.Diagnostics // receives repairs and losses; may be nil
	Show        *Show               // what to show beside the best level of detail; nil is [ShowHardpoints]

	// Instances writes nodes that show the same mesh as one node with EXT_mesh_gpu_instancing. Programs that do not know this
	// extension refuse the file.
	Instances bool

	// Slim leaves out everything that only usher reads: its extras, its attributes and whatever is not shown. The file is
	// small, but a native file cannot be restored from it.
	Slim bool

	whole bool // nothing is hidden
	blank bool // pictures are left blank: nobody looks at them
}

// File is one of the files of a glTF asset.
type File struct {
	Name    string // without a folder
	Content []byte
}

// Encode writes a scene to w as a self-contained GLB. The same scene always gives the same bytes.
//
// The class of an error is ErrMismatch, ErrRange, ErrCycle or ErrValue if the scene contradicts itself, and ErrLimit if the
// file would exceed the 4 GiB limit of GLB. Errors of w are returned unchanged.
func Encode(w io.Writer, s *asset.Scene, o Options) error {
	e, err := build(s, o, "")
	if err != nil {
		return err
	}
	if e.bin.size > 0 {
		e.doc.Buffers = []*gltf.Buffer{{ByteLength: int(e.bin.size)}}
	}
	text, err := e.text()
	if err != nil {
		return err
	}
	return writeGLB(w, text, &e.bin)
}

// EncodeFiles returns a scene as stem.gltf, stem.bin and one file for each image, in this order. Its errors are those of
// [Encode].
func EncodeFiles(s *asset.Scene, stem string, o Options) ([]File, error) {
	e, err := build(s, o, stem)
	if err != nil {
		return nil, err
	}
	files := []File{{Name: stem + ".gltf"}}
	if e.bin.size > 0 {
		name := stem + ".bin"
		e.doc.Buffers = []*gltf.Buffer{{URI: url.PathEscape(name), ByteLength: int(e.bin.size)}}
		b := bytes.NewBuffer(make([]byte, 0, e.bin.size))
		out := newSink(b, e.bin.size)
		e.bin.writeTo(out)
		if out.err != nil {
			return nil, out.err
		}
		files = append(files, File{name, b.Bytes()})
	}
	if files[0].Content, err = json.MarshalIndent(e.doc, "", "  "); err != nil {
		return nil, schema.Errorf(formatName, schema.ErrValue, "json", "%v", err)
	}
	files[0].Content = append(files[0].Content, '\n')
	return append(files, e.files...), nil
}

// encoder builds a document and its buffer.
type encoder struct {
	o     Options
	s     *asset.Scene
	doc   *gltf.Document
	bin   buffer
	err   error
	stem  string // of the image files; empty when they go into the buffer
	files []File
	made  bool // of something of another format
	marks bool // materials say that there are records

	masked map[*asset.Texture]bool // pictures whose alpha rides in their record

	hiding *hiding // what is not shown; nil when all is

	asides []aside
	sceneRecord

	shared    map[accessorKey]int
	nodes     map[*asset.Node]int // number of a node
	shapes    map[*asset.Node]int // number of the node that carries the mesh, where that is another
	list      []*asset.Node       // by number
	parents   map[*asset.Node]*asset.Node
	below     map[*asset.Node][]*asset.Node // children in the file
	tops      map[*asset.Node]bool          // the scene's roots
	detached  map[*asset.Node]bool
	moved     map[*asset.Node]bool // nodes with an animated transform
	jointOf   map[*asset.Node]bool
	meshes    map[*asset.Mesh]int // number of a mesh, −1 when glTF cannot hold it
	meshInfo  map[*asset.Mesh]meshInfo
	meshLists map[*asset.Mesh]int // position in the scene's list
	materials map[*asset.Material]int
	images    map[*asset.Texture]int
	mimes     []string               // types of the images, by number
	textures  map[*asset.Texture]int // position in the scene's list
	bindings  map[binding]int
	samplers  map[sampling]int
	skins     map[*asset.Skin]int
	told      map[any]bool // objects whose record is already somewhere in the file
	cameras   map[*asset.Camera]int
	lights    map[*asset.Light]int
	lamps     []punctual      // by number
	used      map[string]bool // extensions

	carried  []*asset.Node            // what each node after those of list stands for
	lodOwner map[*asset.Node]lodPlace // of nodes that are a level of detail
	wrapped  map[*asset.Node]bool     // roots below the wrapper
	wrapAt   []int                    // their positions
	wrapper  int                      // number of the node that joins the roots of a skeleton
	times    map[timesKey][]timesEntry
}

// lodPlace says which node a node is a level of detail of, and which level.
type lodPlace struct {
	owner *asset.Node
	level int
}

// sceneRecord collects what rides with the scene.
type sceneRecord struct{ own record }

func (r *sceneRecord) put(list string, i int, v any) {
	if r.own == nil {
		r.own = record{}
	}
	m, _ := r.own[list].(record)
	if m == nil {
		m = record{}
		r.own[list] = m
	}
	m[strconv.Itoa(i)] = v
}

func build(s *asset.Scene, o Options, stem string) (*encoder, error) {
	if s == nil {
		return nil, schema.Errorf(formatName, schema.ErrValue, "", "there is no scene")
	}
	e := &encoder{
		o: o, s: s, stem: stem,
		doc:    &gltf.Document{Asset: gltf.Asset{Generator: ourselves, Version: "2.0"}},
		shared: map[accessorKey]int{}, nodes: map[*asset.Node]int{}, shapes: map[*asset.Node]int{},
		parents: map[*asset.Node]*asset.Node{}, below: map[*asset.Node][]*asset.Node{}, tops: map[*asset.Node]bool{}, detached: map[*asset.Node]bool{}, moved: map[*asset.Node]bool{}, jointOf: map[*asset.Node]bool{},
		meshes: map[*asset.Mesh]int{}, meshInfo: map[*asset.Mesh]meshInfo{}, meshLists: map[*asset.Mesh]int{},
		materials: map[*asset.Material]int{}, images: map[*asset.Texture]int{}, textures: map[*asset.Texture]int{},
		bindings: map[binding]int{}, samplers: map[sampling]int{}, skins: map[*asset.Skin]int{}, told: map[any]bool{}, cameras: map[*asset.Camera]int{}, lights: map[*asset.Light]int{}, used: map[string]bool{},
	}
	for _, step := range []func(){
		e.tellMaker, e.hide, e.slim, e.findMasks, e.numberNodes, e.buildImages, e.buildMaterials, e.buildMeshes, e.buildSkins, e.buildNodes, e.buildAnimations, e.buildScene, e.instance,
	} {
		if step(); e.err != nil {
			return nil, e.err
		}
	}
	if e.bin.size > math.MaxUint32 {
		return nil, schema.Errorf(formatName, schema.ErrLimit, "buffer", "%d bytes, at most 4 GiB", e.bin.size)
	}
	for _, name := range extensionNames {
		if e.used[name] {
			e.doc.ExtensionsUsed = append(e.doc.ExtensionsUsed, name)
		}
		if e.used[name] && (name == extBasis || name == extAVIF || name == extInstancing) { // there is nothing else in their place
			e.doc.ExtensionsRequired = append(e.doc.ExtensionsRequired, name)
		}
	}
	return e, nil
}

// The extensions that are written and understood, sorted.
const (
	extInstancing = "EXT_mesh_gpu_instancing"
	extAVIF       = "EXT_texture_avif"
	extLights     = "KHR_lights_punctual"
	extEmissive   = "KHR_materials_emissive_strength"
	extSpecular   = "KHR_materials_specular"
	extUnlit      = "KHR_materials_unlit"
	extVisibility = "KHR_node_visibility"
	extBasis      = "KHR_texture_basisu"
	extTransform  = "KHR_texture_transform"
	extLight      = "MOZ_lightmap"
	extLOD        = "MSFT_lod"
)

var extensionNames = []string{extInstancing, extAVIF, extLights, extEmissive, extSpecular, extUnlit, extVisibility, extBasis, extTransform, extLight, extLOD}

// What usher's files say of who wrote them: ourselves where something of another format is kept, slimmed where it was left
// out, and copied where there was none.
const (
	ourselves = "usher"
	slimmed   = "usher --slim"
	copied    = "usher, of a glTF file"
)

// tellMaker says in the file whether it keeps something of another format.
func (e *encoder) tellMaker() {
	e.made = e.hasNative()
	if e.marks = e.made; !e.made {
		e.doc.Asset.Generator = copied
	}
}

// slim forgets what is kept, and says so: what is not shown is out of the scene already.
func (e *encoder) slim() {
	if e.o.Slim && e.made {
		e.marks, e.doc.Asset.Generator = false, slimmed
	}
}

// fail keeps the first error.
func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// failf makes an error with a JSON path.
func (e *encoder) failf(path string, class error, field, msg string, args ...any) {
	e.fail(schema.In(path, schema.Errorf(formatName, class, field, msg, args...)))
}

func (e *encoder) buildScene() {
	scene := &gltf.Scene{Name: e.s.Name}
	for i, n := range e.s.Roots {
		switch {
		case !e.wrapped[n]:
			scene.Nodes = append(scene.Nodes, e.nodes[n])
		case i == e.wrapAt[0]:
			scene.Nodes = append(scene.Nodes, e.wrapper)
		}
	}
	for _, n := range e.list { // levels of roots that move on their own
		if owner, _ := e.ownerOf(n); owner != nil && e.parents[n] == nil && e.tops[n] {
			scene.Nodes = append(scene.Nodes, e.nodes[n])
		}
	}
	for k, n := range e.carried {
		if n != nil && e.inScene(n) {
			scene.Nodes = append(scene.Nodes, len(e.list)+k)
		}
	}
	e.keepLooks()
	e.listRecords()
	scene.Extras = e.extras("scenes/0", e.s.Extras, e.s.Native, e.own)
	e.doc.Scenes = []*gltf.Scene{scene}
	e.doc.Scene = gltf.Index(0)
	e.buildSides()
	if len(e.lamps) > 0 {
		e.doc.Extensions = gltf.Extensions{extLights: record{"lights": e.lamps}}
	}
}

// buildSides writes the other scenes.
func (e *encoder) buildSides() {
	for _, side := range e.s.Sides {
		if side.Loose {
			continue
		}
		scene := &gltf.Scene{Name: side.Name, Extras: e.join("scenes", side.Extras, nil)}
		for _, n := range side.Roots {
			if i, known := e.nodes[n]; known && e.parents[n] == nil {
				scene.Nodes = append(scene.Nodes, i)
			}
		}
		e.doc.Scenes = append(e.doc.Scenes, scene)
	}
}
