package freelancer

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/scene"
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
func newLibrary(root *freelancer.Node, stem string, env *format.Env) (*library, error) {
	l := &library{d: env.Diagnostics, meshes: map[uint32]*libraryMesh{}, materials: map[uint32]*libraryMaterial{}, textures: map[uint32]*libraryTexture{}}
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

// material returns the material with a hash. One that is in none of the files at hand is made up.
func (m *model) material(crc uint32) *asset.Material {
	e := m.lib.findMaterial(crc)
	if e == nil {
		e = &libraryMaterial{asset: asset.NewMaterial(fmt.Sprintf("0x%08X", crc))}
		e.asset.Native = &asset.Native{Format: nativeFormat, Values: map[string]any{"crc": fmt.Sprintf("0x%08X", crc), "look": lookOf(e.asset)}}
		m.lib.materials[crc] = e
		m.scene.Materials = append(m.scene.Materials, e.asset)
		m.missing = append(m.missing, e.asset.Name)
	}
	if e.asset == nil {
		e.asset = m.liftMaterial(e.m)
		if e.asset.Native.Values["own"] = flag(e.own); !e.own {
			e.asset.Native.Values["look"] = lookOf(e.asset)
		}
		m.scene.Materials = append(m.scene.Materials, e.asset)
	}
	return e.asset
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// liftMaterial turns the inputs that glTF knows into its terms; the type and what else there is stay in the file.
func (m *model) liftMaterial(s *freelancer.Material) *asset.Material {
	a := asset.NewMaterial(s.Name)
	a.Native = &asset.Native{Format: nativeFormat, Values: map[string]any{"type": s.Type, "name": s.Name}}
	if c, ok := s.Color("Dc"); ok {
		for i := range c {
			a.BaseColor[i] = scene.Linear(min(max(c[i], 0), 1))
		}
	}
	if o, ok := s.Float("Oc"); ok {
		a.BaseColor[3] = min(max(o, 0), 1)
	}
	a.BaseColorTexture = m.textureRef(s, "Dt")
	a.EmissiveTexture = m.textureRef(s, "Et")
	if a.BaseColorTexture == nil && a.EmissiveTexture == nil {
		for _, slot := range otherSlots {
			if a.BaseColorTexture = m.textureRef(s, slot); a.BaseColorTexture != nil {
				break
			}
		}
	}
	if c, ok := s.Color("Ec"); ok {
		for i := range c {
			a.Emissive[i] = scene.Linear(min(max(c[i], 0), 1))
		}
	} else if a.EmissiveTexture != nil {
		a.Emissive = [3]float32{1, 1, 1}
	}
	if transparent(s.Type) {
		a.Alpha = asset.Blend
	}
	a.DoubleSided = slices.Contains(freelancer.Tokens(s.Type), "Two") || strings.HasSuffix(s.Type, "Two")
	return a
}

// otherSlots are the textures that a material shows which has none of its own colour.
var otherSlots = [...]string{"Nt", "Dm", "Dm0", "Bt"}

// transparent tells whether a shader blends.
func transparent(typ string) bool {
	tokens := freelancer.Tokens(typ)
	if slices.Contains(tokens, "Ot") || slices.Contains(tokens, "Oc") {
		return true
	}
	for _, part := range [...]string{"Glass", "Nebula", "HUD", "Atmosphere", "ExclusionZone", "Nomad"} {
		if strings.Contains(typ, part) {
			return true
		}
	}
	return false
}

// textureRef returns the use of a texture in a slot; nil when the slot is empty or the texture not at hand.
func (m *model) textureRef(s *freelancer.Material, slot string) *asset.TextureRef {
	name, flags, ok := s.Slot(slot)
	if !ok || name == "" {
		return nil
	}
	t := m.texture(name)
	if t == nil {
		m.d.Warnf("texture-missing", s.Name, "the texture %q is in none of the files at hand", name)
		return nil
	}
	r := &asset.TextureRef{Texture: t, WrapS: wrap(flags.U()), WrapT: wrap(flags.V())}
	if flags&freelancer.SecondUV != 0 && (slot == "Et" || slot == "Bt") {
		r.TexCoord = 1
	}
	return r
}

func wrap(f freelancer.TextureFlags) asset.Wrap {
	switch f {
	case freelancer.AddressMirror:
		return asset.Mirror
	case freelancer.AddressClamp, freelancer.AddressOnce:
		return asset.Clamp
	}
	return asset.Repeat
}

// texture returns a texture by name; of an animated one the texture of its first frame.
func (m *model) texture(name string) *asset.Texture {
	e := m.lib.texture(freelancer.FLCRC(name))
	if e == nil {
		return nil
	}
	if a := e.t.Animation; a != nil && len(a.Frames) > 0 {
		frame := m.lib.texture(freelancer.FLCRC(fmt.Sprintf("%s_%d", e.t.Name, a.Frames[0].Texture)))
		if frame == nil || frame.t.Animation != nil {
			return nil
		}
		e = frame
	}
	if e.asset != nil || e.bad {
		return e.asset
	}
	a, err := texture.Lift(e.t, e.d)
	if err != nil {
		e.bad = true
		m.d.Warnf("texture-unreadable", name, "%v", err)
		return nil
	}
	a.Native = &asset.Native{Format: nativeFormat, Values: map[string]any{"picture": texture.Fingerprint(a), "own": flag(e.own), "name": a.Name}}
	e.asset = a
	m.scene.Textures = append(m.scene.Textures, a)
	return a
}
