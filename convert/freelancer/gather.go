package freelancer

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// libraryCounts are the leaves in which libraries tell how much they hold.
var libraryCounts = map[string]string{freelancer.MaterialLibrary: "Material count", freelancer.TextureLibrary: "Texture count"}

// gatherer makes a library of what several scenes have of its kinds.
func gatherer(name string, kinds ...string) func(list []format.Gathered, env *format.Env) (any, error) {
	return func(list []format.Gathered, env *format.Env) (any, error) {
		out := freelancer.NewTree()
		for _, g := range list {
			s, ok := g.Asset.(*asset.Scene)
			if !ok {
				return nil, schema.In(g.Env.Name, schema.Errorf(name, schema.ErrUnsupported, "", "cannot be made from what is no model"))
			}
			t, err := librariesOf(s, g.Env)
			if err != nil {
				return nil, schema.In(g.Env.Name, err)
			}
			for _, kind := range kinds {
				mergeLibrary(out, kind, t.Root.Child(kind), env.Told())
			}
		}
		if len(out.Root.Children) == 0 {
			return nil, schema.Errorf(name, schema.ErrUnsupported, "", "the scenes have nothing that goes into it")
		}
		setCounts(out)
		return out, nil
	}
}

// lowerLibrary makes a library of one scene.
func lowerLibrary(name string, kinds ...string) func(*asset.Scene, *format.Env) (*freelancer.Tree, error) {
	gather := gatherer(name, kinds...)
	return func(s *asset.Scene, env *format.Env) (*freelancer.Tree, error) {
		t, err := gather([]format.Gathered{{Asset: s, Env: env}}, env)
		if err != nil {
			return nil, err
		}
		return t.(*freelancer.Tree), nil
	}
}

// librariesOf returns the tree of a scene, with all materials that it uses, from wherever they are.
func librariesOf(s *asset.Scene, env *format.Env) (*freelancer.Tree, error) {
	kind := "cmp"
	if n := s.Native; n != nil && slices.Contains([]string{"3db", "cmp", "dfm", "sph", "vms"}, n.Format) {
		kind = n.Format
	} else if len(s.Skins) > 0 {
		kind = "dfm"
	}
	own := *env
	own.Output, own.Options.Freelancer.HardpointsFrom = stemOf(env.Name), ""
	own.Emit = func(string, []byte) error { return nil } // hulls are no library
	e, t, err := lowerTree(kind, s, &own)
	if err != nil {
		return nil, err
	}
	missing := &asset.Scene{Name: s.Name}
	for _, a := range e.usedMaterials() {
		crc := mesh.MaterialCRC(a)
		l := e.lib.materials[crc]
		switch {
		case l != nil && l.m != nil && l.m.Node != nil && l.own:
		case l != nil && l.m != nil && l.m.Node != nil:
			e.copyMaterial(t, l)
		default:
			missing.Roots = append(missing.Roots, shownMaterial(a))
		}
	}
	if len(missing.Roots) == 0 {
		return t, nil
	}
	m, err := newModel("3db", freelancer.NewTree(), &format.Env{Name: env.Name})
	if err != nil {
		return nil, err
	}
	look := newEditor("3db", m, missing, &own)
	if err := look.lowerMaterials(); err != nil {
		return nil, err
	}
	moveLibraries(t, look.tree, own.Diagnostics)
	return t, nil
}

// usedMaterials lists the materials of what the scene shows.
func (e *editor) usedMaterials() (used []*asset.Material) {
	e.edited.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil || skip(n) || mesh.OnlyLines(n.Mesh) {
			return
		}
		for _, l := range append([]*asset.Node{n}, n.LODs...) {
			if l.Mesh == nil {
				continue
			}
			for _, p := range l.Mesh.Primitives {
				if p.Material != nil && !slices.Contains(used, p.Material) {
					used = append(used, p.Material)
				}
			}
		}
	})
	return used
}

// copyMaterial copies a material of another file, with its textures.
func (e *editor) copyMaterial(t *freelancer.Tree, l *libraryMaterial) {
	put := func(library string, n *freelancer.Node) {
		dir := t.Root.Dir(library)
		if n != nil && dir.Child(n.Name) == nil {
			copyDir(dir.Add(freelancer.NewDir(n.Name)), n)
		}
	}
	put(freelancer.MaterialLibrary, l.m.Node)
	for _, p := range l.m.Properties {
		if p.Kind == freelancer.TextProperty && !freelancer.SameName(p.Name, "Type") {
			if x := e.lib.texture(freelancer.FLCRC(p.Text)); x != nil && x.t != nil {
				put(freelancer.TextureLibrary, x.t.Node)
			}
		}
	}
}

// shownMaterial returns a node that wears a material as the scene shows it, for a material whose file is not at hand.
func shownMaterial(a *asset.Material) *asset.Node {
	own := *a
	texture := func(r *asset.TextureRef) *asset.TextureRef {
		if r == nil || r.Texture == nil {
			return r
		}
		ref, t := *r, *r.Texture
		t.Name = textureName(r.Texture)
		t.Native = &asset.Native{Format: nativeFormat, Values: map[string]any{"name": t.Name, "own": float64(1)}} // but not stored yet
		ref.Texture = &t
		return &ref
	}
	own.BaseColorTexture, own.EmissiveTexture = texture(a.BaseColorTexture), texture(a.EmissiveTexture)
	own.Native = nil
	if n := a.Native; n != nil && n.Format == nativeFormat {
		if name, ok := n.Values["name"].(string); ok && name != "" {
			own.Name = name
		}
		values := maps.Clone(n.Values)
		delete(values, "name")
		values["own"] = float64(1)
		own.Native = &asset.Native{Format: nativeFormat, Values: values}
	}
	n := asset.NewNode(own.Name)
	n.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Material: &own, Mode: asset.Triangles}}}
	return n
}

// moveLibraries moves the materials and textures of a tree into another one.
func moveLibraries(to, from *freelancer.Tree, d *schema.Diagnostics) {
	for _, kind := range [...]string{freelancer.MaterialLibrary, freelancer.TextureLibrary} {
		if library := from.Root.Child(kind); library != nil {
			mergeLibrary(to, kind, library, d)
			from.Root.Remove(library)
		}
	}
	setCounts(to)
}

// mergeLibrary adds what a library holds to that of a tree. Of two things of one name the first counts.
func mergeLibrary(to *freelancer.Tree, kind string, from *freelancer.Node, d *schema.Diagnostics) {
	if from == nil {
		return
	}
	for _, n := range from.Children {
		if !n.IsDir() {
			continue
		}
		dir := to.Root.Dir(kind)
		have := dir.Child(n.Name)
		if have == nil {
			copyDir(dir.Add(freelancer.NewDir(n.Name)), n)
		} else if !sameContent(have, n) {
			d.Warnf("library-clash", n.Name, "two files have another one of that name: the first counts")
		}
	}
}

func sameContent(a, b *freelancer.Node) bool {
	if len(a.Children) != len(b.Children) || a.IsDir() != b.IsDir() || !bytes.Equal(a.Data, b.Data) {
		return false
	}
	for _, c := range a.Children {
		other := b.Child(c.Name)
		if other == nil || !sameContent(c, other) {
			return false
		}
	}
	return true
}

// setCounts makes libraries of materials tell how many there are, and those of textures that do.
func setCounts(t *freelancer.Tree) {
	for kind, leaf := range libraryCounts {
		library := t.Root.Child(kind)
		if library == nil || library.Child(leaf) == nil && kind != freelancer.MaterialLibrary {
			continue
		}
		n := uint32(0)
		for _, c := range library.Children {
			if c.IsDir() {
				n++
			}
		}
		library.Set(leaf, binary.LittleEndian.AppendUint32(nil, n))
	}
}
