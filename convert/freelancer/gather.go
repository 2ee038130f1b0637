package freelancer

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// gatherer makes a library of what several scenes have of its kinds.
func gatherer(name string, kinds ...string) func(list []format.Gathered, env *format.Env) (any, error) {
	return func(list []format.Gathered, env *format.Env) (any, error) {
		out, err := baseLibrary(env)
		if err != nil {
			return nil, err
		}
		onto := out != nil
		if !onto {
			out = freelancer.NewTree()
		}
		for _, g := range list {
			s, ok := g.Asset.(*asset.Scene)
			if !ok {
				return nil, schema.In(g.Env.Name, schema.Errorf(name, schema.ErrUnsupported, "", "cannot be made from what is no model"))
			}
			t, err := librariesOf(s, g.Env, onto)
			if err != nil {
				return nil, schema.In(g.Env.Name, err)
			}
			for _, kind := range kinds {
				if onto {
					library.Replace(out, kind, t.Root.Child(kind), originalLibrary(s, g.Env, kind))
				} else {
					library.Merge(out, kind, t.Root.Child(kind), env.Told())
				}
			}
		}
		if !onto {
			tellLeft(name, out, env)
		}
		if len(out.Root.Children) == 0 {
			return nil, schema.Errorf(name, schema.ErrUnsupported, "", "the scenes have nothing that goes into it")
		}
		library.SetCounts(out)
		return out, nil
	}
}

// baseLibrary returns the library that the user wants what was edited put into; nil for none.
func baseLibrary(env *format.Env) (*freelancer.Tree, error) {
	if env == nil || env.Options.Base == "" || env.Original != nil {
		return nil, nil
	}
	name := filepath.Base(env.Options.Base)
	b, path, err := env.Find(name)
	if err != nil {
		return nil, fmt.Errorf("--base: %w", err)
	}
	t, err := read.UTF(b, nil)
	return t, schema.In(path, err)
}

// originalLibrary returns a library of the model that a scene was made from; nil when it had none.
func originalLibrary(s *asset.Scene, env *format.Env, kind string) *freelancer.Node {
	quiet := *env
	quiet.Diagnostics = nil
	if t := modelOf(s, &quiet); t != nil {
		return t.Root.Child(kind)
	}
	return nil
}

// tellLeft tells when there is a library of the name already that has more in it: what replaces it, other models lose.
func tellLeft(name string, made *freelancer.Tree, env *format.Env) {
	if env == nil || env.Output == "" {
		return
	}
	b, path, err := env.Find(env.Output + "." + name)
	if err != nil {
		return
	}
	old, err := read.UTF(b, nil)
	if err != nil {
		return
	}
	left := 0
	for _, kind := range [...]string{freelancer.MaterialLibrary, freelancer.TextureLibrary} {
		if dir := old.Root.Child(kind); dir != nil {
			for _, n := range dir.Children {
				if now := made.Root.Child(kind); n.IsDir() && (now == nil || now.Child(n.Name) == nil) {
					left++
				}
			}
		}
	}
	if left > 0 {
		env.Told().Hint(": --base %s puts what was edited into a copy of it", path).Lossf("library-left", path, "it has %d materials and textures that are not in the one made here, and models that wear them lose them where this one takes its place", left)
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

// librariesOf returns the tree of a scene, with all materials that it uses, from wherever they are, or with those alone that were
// edited or are its own.
func librariesOf(s *asset.Scene, env *format.Env, edited bool) (*freelancer.Tree, error) {
	kind := "cmp"
	if n := s.Native; n != nil && slices.Contains([]string{"3db", "cmp", "dfm", "sph", "vms"}, n.Format) {
		kind = n.Format
	} else if len(s.Skins) > 0 {
		kind = "dfm"
	}
	own := *env.Given()
	own.Output, own.Options.Freelancer.HardpointsFrom = stemOf(own.Name), ""
	if own.Options.Freelancer.Shared == format.SharedCopy {
		own.Options.Freelancer.Shared = "" // that is what it says of models
	}
	own.Emit = func(string, []byte) error { return nil } // hulls are no library
	e, t, err := lowerTree(kind, s, &own)
	if err != nil {
		return nil, err
	}
	if edited {
		return t, e.libs.LeaveOthers()
	}
	used, _ := usedMaterials(s, true)
	missing := e.libs.Gather(t, used)
	if len(missing) == 0 {
		return t, nil
	}
	m, err := newModel("3db", freelancer.NewTree(), &format.Env{Name: env.Name})
	if err != nil {
		return nil, err
	}
	look := library.Edit(m.lib, "3db", e.stem, m.tree, &own)
	if err := look.LowerMaterials(missing); err != nil {
		return nil, err
	}
	library.Move(t, m.tree, own.Diagnostics)
	return t, nil
}

// lowerMaterials brings the materials that the scene's meshes use, and their textures, in line.
func (e *editor) lowerMaterials() error {
	used, bare := usedMaterials(e.edited, false)
	switch known := e.lib.Has(mesh.Default); {
	case bare != nil && known:
		e.d.Lossf("no-material", bare.Name, "triangles without a material get the one called %q, which the model has", mesh.Default)
	case bare != nil && e.edited.Native == nil:
		used = append(used, asset.NewMaterial(mesh.Default))
	}
	return e.libs.LowerMaterials(used)
}

// usedMaterials lists the materials of what a scene shows, those of levels of detail right behind their node's where together says
// so. It returns the last node that shows something without one.
func usedMaterials(s *asset.Scene, together bool) (used []*asset.Material, bare *asset.Node) {
	take := func(n *asset.Node) {
		for _, p := range n.Mesh.Primitives {
			if p.Material == nil {
				bare = n
			} else if !p.Material.Unseen && !slices.Contains(used, p.Material) {
				used = append(used, p.Material)
			}
		}
	}
	s.Walk(func(n, _ *asset.Node) {
		if n.Mesh == nil || skip(n) || mesh.OnlyLines(n.Mesh) {
			return
		}
		take(n)
		for _, l := range n.LODs {
			if together && l.Mesh != nil {
				take(l)
			}
		}
	})
	return used, bare
}
