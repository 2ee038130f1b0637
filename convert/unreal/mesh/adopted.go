package mesh

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// symbols is what [pack.Symbols] returned of the stored mesh, in the values of its scene.
const symbols = "symbols"

// nativeOf returns a Native with the stored bytes of a mesh, and what another package needs to take them.
func nativeOf(format string, o unreal.AnyObject) (*asset.Native, error) {
	n, err := pack.Native(format, o)
	if err != nil {
		return nil, err
	}
	if words := pack.Symbols(o); words != nil {
		scene.SetShown(n, symbols, words)
	}
	return n, nil
}

// adopted returns the mesh that a scene was made from as a new one of the package pkg, which may be another package: what nobody
// edits of a copy stays as it is. It is nil for a scene from elsewhere.
func adopted(pkg *pack.File, s *asset.Scene, env *format.Env) (unreal.AnyObject, error) {
	n := s.Native
	if n == nil || n.Format != Name && n.Format != skeleton.Name {
		return nil, nil
	}
	o := pkg.Foreign(n.Payload, scene.ShownText(n, "class"), scene.Shown(n, symbols), func(text string) unreal.Ref {
		r, _ := pkg.FindRef(text)
		return r
	})
	m := BaseOf(o)
	if m == nil || Check(o) != nil {
		return nil, nil
	}
	m.Path = s.Name
	if err := dress(pkg, m, s); err != nil {
		return nil, err
	}
	if x, ok := o.(*unreal.SkeletalMesh); ok {
		return x, ownAnimation(pkg, x, animationName(s, env))
	}
	return o, nil
}

// BaseOf returns what meshes of all classes are; nil for another object.
func BaseOf(o unreal.AnyObject) *unreal.Mesh {
	switch o := o.(type) {
	case *unreal.Mesh:
		return o
	case *unreal.LodMesh:
		return &o.Mesh
	case *unreal.SkeletalMesh:
		return &o.Mesh
	}
	return nil
}

// dress gives a mesh the textures of a scene where the package does not have those that it names.
func dress(pkg *pack.File, m *unreal.Mesh, s *asset.Scene) error {
	for _, x := range s.Materials {
		i, ok := pack.Whole32(scene.Shown(x.Native, "textureIndex"))
		if !ok || i < 0 || int(i) >= len(m.Textures) || m.Textures[i] != 0 {
			continue
		}
		r, err := textureFor(pkg, x)
		if err != nil {
			return err
		}
		m.Textures[i] = r
	}
	return nil
}

// ownAnimation gives a new mesh an Animation of its own: the one that it names, where nothing else uses it, or a copy of that.
// One of another package is shared until somebody edits it.
func ownAnimation(pkg *pack.File, m *unreal.SkeletalMesh, name string) error {
	owner, at := pkg.Resolve(m.Animation)
	if owner != pkg {
		return nil
	}
	x, err := pack.As[unreal.Animation](pkg, at)
	if err != nil || x == nil || !animates(pkg, m.Animation) {
		return err
	}
	return addAnimation(pkg, m, name, x)
}

// animates reports whether an Animation moves a mesh of the package.
func animates(pkg *pack.File, animation unreal.Ref) bool {
	for i := range pkg.Exports {
		if unreal.Classes[pkg.Layout(i)] != unreal.SkeletalMeshKind {
			continue
		}
		if m, err := pack.As[unreal.SkeletalMesh](pkg, i); err != nil || m != nil && m.Animation == animation {
			return true // of one that cannot be read nobody knows
		}
	}
	return false
}

// animationName returns what the Animation of a new mesh is called.
func animationName(s *asset.Scene, env *format.Env) string {
	name := s.Name
	if entry := env.Given().Entry; entry != "" {
		name = entry[strings.LastIndexAny(entry, "./")+1:]
	}
	return pack.CleanName(name, "Mesh") + "Anim"
}
