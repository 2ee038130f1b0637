package library

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// Library holds what a model refers to by hash: the meshes, materials and textures of its own file and of the files beside
// it.
type Library struct {
	d         *schema.Diagnostics
	Own       []*Mesh // those of the file itself, in order
	meshes    map[uint32]*Mesh
	materials map[uint32]*material
	textures  map[uint32]*storedTexture
	around    *finder // of what none of them has; nil for a library that was found itself

	env     *format.Env
	scene   *asset.Scene // takes the materials and textures that are used
	missing []string     // materials that are in none of the files at hand
}

type material struct {
	m    *freelancer.Material
	own  bool
	path string // of the file that it lies in; empty for the model itself

	nameOnly bool            // it lies in none of the files at hand
	asset    *asset.Material // once it is used
}

type storedTexture struct {
	t     *freelancer.TextureEntry
	own   bool
	path  string              // as that of a material
	d     *schema.Diagnostics // takes what there is to say of it
	asset *asset.Texture      // once it is used
	bad   bool                // it cannot be decoded
}

// New returns the library of a file: its own contents, those of files beside it with the same name, and those of the file
// that the user named.
func New(root *freelancer.Node, stem string, s *asset.Scene, env *format.Env) (*Library, error) {
	l := &Library{d: env.Diagnostics, env: env, scene: s, meshes: map[uint32]*Mesh{}, materials: map[uint32]*material{}, textures: map[uint32]*storedTexture{}}
	if err := l.add(root, ""); err != nil {
		return nil, err
	}
	names := append([]string{env.Options.Textures}, env.Options.With...)
	if stem != "" {
		names = append(names, stem+".mat", stem+".txm", stem+".vms")
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		b, path, err := env.Find(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a folder, in which files are looked for by their names, or no file beside this one
		}
		if err != nil {
			return nil, err
		}
		t, err := read.UTF(b, nil)
		if err == nil {
			err = l.add(t.Root, path)
		}
		if err != nil {
			l.d.Warnf("library-unusable", path, "%v", err)
		}
	}
	l.around = newFinder(l, env)
	l.around.wanted = wantedOf(l, root)
	return l, nil
}

// wantedOf returns what a file refers to and none of the libraries at hand holds, as far as that is known before it is
// lifted: its meshes, and the materials that its own meshes, its planet or its character wears.
func wantedOf(l *Library, root *freelancer.Node) (wanted [shelves]map[uint32]bool) {
	for i := range wanted {
		wanted[i] = map[uint32]bool{}
	}
	for crc := range meshUses(root) {
		if l.meshes[crc] == nil {
			wanted[meshShelf][crc] = true
		}
	}
	for crc := range wornBy(root) {
		if l.materials[crc] == nil {
			wanted[materialShelf][crc] = true
		}
	}
	return wanted
}

// add takes over the libraries of a file; one beside the file that is converted has a path.
func (l *Library) add(root *freelancer.Node, path string) error {
	own, d := path == "", l.d
	if !own {
		d = d.In(path)
	}
	if err := l.readMeshes(root, path, d); err != nil {
		return err
	}
	materials, err := read.Materials(root, d)
	if err != nil {
		return err
	}
	for _, m := range materials {
		if crc := freelancer.FLCRC(m.Name); l.materials[crc] == nil {
			l.materials[crc] = &material{m: m, own: own, path: path}
		}
	}
	textures, err := read.Textures(root, d)
	if err != nil {
		return err
	}
	for _, t := range textures {
		if crc := freelancer.FLCRC(t.Name); l.textures[crc] == nil {
			l.textures[crc] = &storedTexture{t: t, own: own, path: path, d: d.In(root.Child(freelancer.TextureLibrary).Name)}
		}
	}
	return nil
}

// Mesh returns a mesh, or nil if no file at hand has it.
func (l *Library) Mesh(crc uint32) *Mesh {
	if crc == 0 {
		return l.meshes[crc]
	}
	return found(l.meshes, crc, l.around.mesh)
}

// Has reports whether there is a material with a name.
func (l *Library) Has(name string) bool { return l.materials[freelancer.FLCRC(name)] != nil }

// Stored returns the stored material with a name, or nil if no file at hand has it.
func (l *Library) Stored(name string) *freelancer.Material {
	if e := l.findMaterial(freelancer.FLCRC(name)); e != nil && !e.nameOnly {
		return e.m
	}
	return nil
}

// findMaterial returns a material; nil when it is in none of the files at hand.
func (l *Library) findMaterial(crc uint32) *material {
	return found(l.materials, crc, l.around.material)
}

// texture returns a texture; nil when it is in none of the files at hand.
func (l *Library) texture(crc uint32) *storedTexture { return found(l.textures, crc, l.around.texture) }

// found returns what is known by a hash, or what is around, which is known from then on.
func found[T any](known map[uint32]*T, crc uint32, around func(crc uint32) *T) *T {
	x := known[crc]
	if x == nil {
		if x = around(crc); x != nil {
			known[crc] = x
		}
	}
	return x
}

// Facts says which file each mesh, material and texture of a model comes from.
func (l *Library) Facts(root *freelancer.Node, env *format.Env) (facts []format.Fact) {
	from := func(path string) string {
		if path == "" {
			return "in the file itself"
		}
		return "in " + path
	}
	names := voice.Hashes(env)
	called := func(crc uint32) string { return strings.TrimSpace(freelancer.Hash(crc).String() + " " + names[crc]) }
	for _, crc := range slices.Sorted(maps.Keys(meshUses(root))) {
		switch x := l.meshes[crc]; {
		case crc == 0:
		case x == nil:
			facts = append(facts, format.Fact{Name: "mesh " + called(crc), Value: "not found"})
		case !x.Own:
			facts = append(facts, format.Fact{Name: "mesh " + x.Name, Value: from(x.Path)})
		}
	}
	for _, a := range l.scene.Materials {
		crc := mesh.MaterialCRC(a)
		e := l.materials[crc]
		if e == nil || e.m == nil || e.m.Node == nil {
			known := called(crc)
			if _, ok := freelancer.ParseHash(a.Name); !ok {
				known = a.Name
			}
			facts = append(facts, format.Fact{Name: "material " + known, Value: "not found"})
			continue
		}
		facts = append(facts, format.Fact{Name: "material " + e.m.Name, Value: e.m.Type + ", " + from(e.path)})
		told := map[string]bool{} // a texture that glows is one of colour too
		for _, p := range e.m.Properties {
			if p.Kind != freelancer.TextProperty || freelancer.SameName(p.Name, "Type") || p.Text == "" || told[p.Text] {
				continue
			}
			told[p.Text] = true
			where := "not found"
			if x := l.texture(freelancer.FLCRC(p.Text)); x != nil {
				where = from(x.path)
			}
			facts = append(facts, format.Fact{Name: "  texture " + p.Text, Value: where})
		}
	}
	return facts
}
