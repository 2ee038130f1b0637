package freelancer

import (
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/game"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/mesh"
	"github.com/usher-assets/usher/convert/freelancer/track"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// Nodes that are separate models inside the scene of another one: the caps of parts that break off are stored in files of
// their own (reference section 19.3).
const (
	exportAs  = "export_as" // a property: the name of the model's file, with or without its ending
	damageTag = "$dmg"      // what the names of such roots begin with
)

// ownModel is a model that stands in the scene of another one.
type ownModel struct {
	name, format string
	scene        *asset.Scene
	node         *asset.Node // in the scene that it stood in
	moved        []string    // the animations that move it as a whole
}

// modelName returns the name of the model that a node is to become; empty for a node of the scene's own model.
func modelName(n *asset.Node, root bool) string {
	if text, ok := n.Extras[exportAs].(string); ok && text != "" {
		return text
	}
	name, _ := scene.Uncopied(n.Name)
	if _, _, level := levelName(n); root && !level && len(name) > len(damageTag) && strings.EqualFold(name[:len(damageTag)], damageTag) {
		return strings.TrimPrefix(name, "$")
	}
	return ""
}

// ownModels takes the models of their own out of a scene. The first root stays, whatever it is called, where nothing else
// would.
func ownModels(s *asset.Scene) (rest *asset.Scene, list []ownModel) {
	copied := *s
	rest = &copied
	left := slices.ContainsFunc(s.Roots, func(n *asset.Node) bool { return modelName(n, true) == "" && n.Mesh != nil })
	var take func(nodes []*asset.Node, root bool) []*asset.Node
	take = func(nodes []*asset.Node, root bool) (kept []*asset.Node) {
		for i, n := range nodes {
			name := modelName(n, root)
			if name == "" || root && i == 0 && !left {
				kept = append(kept, n)
				n.Children = take(n.Children, false)
				continue
			}
			list = append(list, newOwnModel(name, n))
		}
		return kept
	}
	rest.Roots = take(slices.Clone(s.Roots), true)
	for i := range list {
		list[i].takeLevels(rest)
		list[i].share(s)
	}
	if len(list) > 0 {
		rest.Animations = moving(s.Animations, rest)
	}
	return rest, list
}

// newOwnModel makes the scene of a node, whose frame is that of the model.
func newOwnModel(name string, n *asset.Node) ownModel {
	x := ownModel{name: name, node: n}
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".cmp", ".3db":
		x.name, x.format = name[:len(name)-len(ext)], ext[1:]
	}
	root := *n
	root.Transform = asset.NewNode("").Transform
	root.Name = strings.TrimPrefix(n.Name, "$") // other names with the sign are those of levels and wireframes
	x.scene = &asset.Scene{Name: x.name, Roots: []*asset.Node{&root}}
	if x.format == "" {
		x.format = "3db"
		if shapes, joined := shapesOf(&root); shapes > 1 || joined {
			x.format = "cmp"
		}
	}
	return x
}

// shapesOf counts the nodes that would be parts for their shapes, and reports whether one is joined to another.
func shapesOf(root *asset.Node) (n int, joined bool) {
	walkNodes(root, func(x *asset.Node) {
		if x.Mesh != nil && !skip(x) && !mesh.OnlyLines(x.Mesh) && !strings.Contains(x.Name, "$lod") {
			n++
		}
		joined = joined || x != root && x.Extras["construct"] != nil
	})
	return n, joined
}

func walkNodes(n *asset.Node, f func(*asset.Node)) {
	f(n)
	for _, c := range n.Children {
		walkNodes(c, f)
	}
}

// takeLevels moves the levels of detail that are called after the node of the model, and stand at the roots.
func (x *ownModel) takeLevels(s *asset.Scene) {
	root := x.scene.Roots[0]
	s.Roots = slices.DeleteFunc(s.Roots, func(n *asset.Node) bool {
		of, _, ok := levelName(n)
		if !ok || strings.TrimPrefix(of, "$") != strings.ToLower(root.Name) {
			return false
		}
		level := *n
		level.Transform, level.Name = root.Transform, strings.TrimPrefix(n.Name, "$")
		x.scene.Roots = append(x.scene.Roots, &level)
		return true
	})
}

// share gives the model what it uses of the scene that it stood in.
func (x *ownModel) share(s *asset.Scene) {
	x.scene.Meshes, x.scene.Materials, x.scene.Textures, x.scene.Skins = s.Meshes, s.Materials, s.Textures, s.Skins
	x.scene.Animations = moving(s.Animations, x.scene)
	for _, a := range s.Animations {
		if tracks, _ := track.Of(a); tracks[x.node] != nil && !track.Still(tracks[x.node], x.node, scene.Size(x.scene)) { // editors write channels for everything
			x.moved = append(x.moved, a.Name)
		}
	}
}

// moving returns the animations of the nodes of a scene.
func moving(all []*asset.Animation, s *asset.Scene) (list []*asset.Animation) {
	have := map[*asset.Node]bool{}
	s.Walk(func(n, _ *asset.Node) { have[n] = true })
	for _, a := range all {
		own := *a
		own.Channels = slices.DeleteFunc(slices.Clone(a.Channels), func(c *asset.Channel) bool { return !have[c.Node] })
		if len(own.Channels) > 0 || len(a.Channels) == 0 {
			list = append(list, &own)
		}
	}
	return list
}

// lowerOwnModels writes models that stood in the scene of another one beside that. Their materials go into the library,
// where there is one. It returns what records say of them, where records are asked for.
func lowerOwnModels(list []ownModel, env *format.Env, into *freelancer.Tree) (pieces []game.Piece, err error) {
	names := map[string]bool{strings.ToLower(env.Output): true}
	for _, x := range list {
		if env.Emit == nil {
			env.Diagnostics.Lossf("model-left-out", x.name, "it is a model of its own, and nothing takes a second file here")
			continue
		}
		if len(x.moved) > 0 {
			env.Diagnostics.Lossf("model-moves", x.name, "it is a model of its own, which has no place in its file: that %s move it as a whole is left out", restore.Listed(x.moved))
		}
		key := strings.ToLower(x.name)
		if names[key] {
			return nil, schema.Errorf(x.format, schema.ErrMismatch, x.name, "two models of the scene have that name")
		}
		names[key] = true
		own := *env
		own.Name, own.Output = x.name+"."+x.format, x.name
		own.Options.Freelancer.HardpointsFrom = ""
		e, t, err := lowerTree(x.format, x.scene, &own)
		if err == nil {
			err = e.lowerHulls()
		}
		if err != nil {
			return nil, schema.In(x.name, err)
		}
		if into != nil {
			library.Move(into, t, env.Diagnostics)
		}
		b, err := write.UTF(t)
		if err != nil {
			return nil, schema.In(x.name, err)
		}
		if err := env.Emit(x.name+"."+x.format, b); err != nil {
			return nil, err
		}
		if !env.Options.Freelancer.Records {
			continue
		}
		p, err := pieceOf(x.name, x.format, t, env)
		if err != nil {
			return nil, schema.In(x.name, err)
		}
		pieces = append(pieces, p)
	}
	return pieces, nil
}
