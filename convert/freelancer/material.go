package freelancer

import (
	"errors"
	"io/fs"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// library is what a model refers to by hash: its own meshes, materials and textures, and those of the files beside it.
type library struct {
	d         *schema.Diagnostics
	own       []*libraryMesh // of the file itself, in its order
	meshes    map[uint32]*libraryMesh
	materials map[uint32]*libraryMaterial
	textures  map[uint32]*libraryTexture
	around    *finder // of what none of them has; nil for a library that was found itself

	env     *format.Env
	scene   *asset.Scene // takes the materials and textures that are used
	missing []string     // materials that are in none of the files at hand
}

type libraryMaterial struct {
	m    *freelancer.Material
	own  bool
	path string // of the file that it lies in; empty for the model itself

	nameOnly bool            // it lies in none of the files at hand
	asset    *asset.Material // once it is used
}

type libraryTexture struct {
	t     *freelancer.TextureEntry
	own   bool
	path  string              // as that of a material
	d     *schema.Diagnostics // takes what there is to say of it
	asset *asset.Texture      // once it is used
	bad   bool                // it cannot be decoded
}

// newLibrary collects the libraries of a file and of those beside it that share its name, and of the one the user named.
func newLibrary(root *freelancer.Node, stem string, s *asset.Scene, env *format.Env) (*library, error) {
	l := &library{d: env.Diagnostics, env: env, scene: s, meshes: map[uint32]*libraryMesh{}, materials: map[uint32]*libraryMaterial{}, textures: map[uint32]*libraryTexture{}}
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
func wantedOf(l *library, root *freelancer.Node) (wanted [shelves]map[uint32]bool) {
	for i := range wanted {
		wanted[i] = map[uint32]bool{}
	}
	for crc := range meshUses(root) {
		if l.meshes[crc] == nil {
			wanted[meshShelf][crc] = true
		}
	}
	material := func(crc uint32) {
		if l.materials[crc] == nil {
			wanted[materialShelf][crc] = true
		}
	}
	for _, m := range l.own {
		for _, g := range m.mesh.Groups {
			material(g.Material)
		}
	}
	root.Walk(func(_ string, n *freelancer.Node) bool {
		_, side := freelancer.NumberOf(n.Name, "M")
		if !n.IsDir() && (side || freelancer.SameName(n.Name, "Material_name")) {
			if t, err := read.Text(n.Data, nil); err == nil {
				material(freelancer.FLCRC(t.Value))
			}
		}
		return true
	})
	return wanted
}

// add takes over the libraries of a file; one beside the file that is converted has a path.
func (l *library) add(root *freelancer.Node, path string) error {
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
			l.materials[crc] = &libraryMaterial{m: m, own: own, path: path}
		}
	}
	textures, err := read.Textures(root, d)
	if err != nil {
		return err
	}
	for _, t := range textures {
		if crc := freelancer.FLCRC(t.Name); l.textures[crc] == nil {
			l.textures[crc] = &libraryTexture{t: t, own: own, path: path, d: d.In(root.Child(freelancer.TextureLibrary).Name)}
		}
	}
	return nil
}

// mesh returns a mesh; nil when it is in none of the files at hand.
func (l *library) mesh(crc uint32) *libraryMesh {
	m := l.meshes[crc]
	if m == nil && crc != 0 {
		if m = l.around.mesh(crc); m != nil {
			l.meshes[crc] = m
		}
	}
	return m
}

// findMaterial returns a material; nil when it is in none of the files at hand.
func (l *library) findMaterial(crc uint32) *libraryMaterial {
	m := l.materials[crc]
	if m == nil {
		if m = l.around.material(crc); m != nil {
			l.materials[crc] = m
		}
	}
	return m
}

// texture returns a texture; nil when it is in none of the files at hand.
func (l *library) texture(crc uint32) *libraryTexture {
	t := l.textures[crc]
	if t == nil {
		if t = l.around.texture(crc); t != nil {
			l.textures[crc] = t
		}
	}
	return t
}
