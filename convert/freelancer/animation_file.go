package freelancer

import (
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

const animationName = "anm"

// liftAnimationFile puts the scripts of a file on the model that the user named, or on a bare node for each part. The
// scene carries both files.
func liftAnimationFile(t *freelancer.Tree, env *format.Env) (*asset.Scene, error) {
	env = env.Given()
	file, err := write.UTF(t)
	if err != nil {
		return nil, err
	}
	pair := freelancer.NewTree()
	pair.Root.Set("Animation", file)
	name, model, err := namedModel(env)
	if err != nil {
		return nil, err
	}
	stage := *env
	if model != nil {
		b, err := write.UTF(model)
		if err != nil {
			return nil, err
		}
		pair.Root.Set("Model", b)
		stage.Name = name
	} else {
		env.Diagnostics.Notef("no-model", "", "no model is named: the scripts move bare nodes")
	}
	m, err := newStage(t, model, &stage)
	if err != nil {
		return nil, err
	}
	payload, err := write.UTF(pair)
	if err != nil {
		return nil, err
	}
	m.scene.Native = &asset.Native{Format: animationName, Payload: payload}
	m.arrange()
	return m.scene, nil
}

// unpackAnimationFile returns the files that liftAnimationFile left in a scene; the model is nil when none was named.
func unpackAnimationFile(payload []byte, env *format.Env) (file, model *freelancer.Tree) {
	pair := nativeTree(payload, env)
	if pair == nil {
		return nil, nil
	}
	if n := pair.Root.Child("Animation"); n != nil {
		file = nativeTree(n.Data, env)
	}
	if n := pair.Root.Child("Model"); n != nil {
		model = nativeTree(n.Data, env)
	}
	return file, model
}

// namedModel reads the model that the user named; without one it is nil.
func namedModel(env *format.Env) (name string, t *freelancer.Tree, err error) {
	file := env.Options.Model
	if file == "" {
		return "", nil, nil
	}
	b, found, err := env.Find(file)
	if err != nil {
		return "", nil, fmt.Errorf("the model %s: %w", file, err)
	}
	if t, err = read.UTF(b, env.Diagnostics); err != nil {
		return "", nil, schema.In(file, err)
	}
	if kind := kindOfTree(t.Root); kind == "sph" || kind == "vms" || kind == "3db" && t.Root.Child("VMeshPart") == nil && t.Root.Child("MultiLevel") == nil {
		return "", nil, schema.Errorf(animationName, schema.ErrUnsupported, file, "it is no model with parts: name a .dfm, .cmp or .3db file")
	}
	return path.Base(strings.ReplaceAll(found, `\`, "/")), t, nil
}

// newStage lifts a model, or bare parts where there is none, with the scripts of an animation file in place of its own.
func newStage(file, model *freelancer.Tree, env *format.Env) (*model, error) {
	scripts := file.Root.Child("Animation")
	if model == nil {
		list, err := read.Scripts(file.Root, nil)
		if err != nil {
			return nil, err
		}
		bare := freelancer.NewTree()
		if scripts != nil {
			bare.Root.Add(scripts)
		}
		return newCompound("cmp", bare, bareCompound(list), env)
	}
	model.Root.Remove(model.Root.Child("Animation"))
	if scripts != nil {
		model.Root.Add(scripts)
	}
	return newModel(kindOfTree(model.Root), model, env)
}

// bareCompound returns the parts and joints that scripts speak of, all in one place. What turns by an angle or moves by
// a distance does so about or along Y.
func bareCompound(scripts []*freelancer.Script) *freelancer.Compound {
	c := &freelancer.Compound{}
	parts, held := map[string]bool{}, map[string]bool{}
	add := func(name string) {
		if key := strings.ToLower(name); !parts[key] {
			parts[key] = true
			c.Parts = append(c.Parts, &freelancer.Part{Object: name, Index: int32(len(c.Parts))})
		}
	}
	for _, s := range scripts {
		for _, am := range s.Maps {
			add(am.Parent)
			if am.Object {
				continue
			}
			add(am.Child)
			if key := strings.ToLower(am.Child); !held[key] {
				held[key] = true
				j := freelancer.Joint{Kind: freelancer.Loose, Parent: freelancer.PartName{Name: am.Parent}, Child: freelancer.PartName{Name: am.Child}, Rotation: freelancer.Identity3}
				if am.Channel != nil && am.Channel.Type&freelancer.ChannelScalar != 0 {
					j.Kind, j.Axis = freelancer.Rev, [3]float32{0, 1, 0}
				}
				c.Joints = append(c.Joints, j)
			}
		}
	}
	return c
}

// bareMotions returns a script that speaks of every node of a scene that moves, and of those above it: the parts of an
// animation of bare nodes. It is nil for a scene with shapes, which are a model's.
func bareMotions(s *asset.Scene) *freelancer.Script {
	moving, parents := map[*asset.Node]bool{}, scene.Parents(s)
	shapes := len(s.Skins) > 0
	s.Walk(func(n, _ *asset.Node) { shapes = shapes || n.Mesh != nil })
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			for n := c.Node; n != nil && !moving[n]; n = parents[n] {
				moving[n] = true
			}
		}
	}
	if shapes || len(moving) == 0 {
		return nil
	}
	script := &freelancer.Script{}
	s.Walk(func(n, parent *asset.Node) {
		switch {
		case !moving[n]:
		case parent == nil:
			script.Maps = append(script.Maps, &freelancer.AnimationMap{Object: true, Parent: n.Name})
		default:
			script.Maps = append(script.Maps, &freelancer.AnimationMap{Parent: parent.Name, Child: n.Name})
		}
	})
	return script
}

// lowerAnimationFile stores the scene's animations in a file of their own. They move the model that the user names, else
// the one that the scene came from, else the one that would be made of the scene.
func lowerAnimationFile(s *asset.Scene, env *format.Env) (*freelancer.Tree, error) {
	env = env.Given()
	e, file, err := animationEditor(s, env)
	if err != nil {
		return nil, err
	}
	if env.Options.Model != "" {
		e.matchParts()
		e.fixed = true
	} else {
		e.d = nil // what happens to the model is told when the model is made
		if err := e.placeParts(); err != nil {
			return nil, err
		}
		e.d = env.Diagnostics
	}
	if file != nil || e.bare {
		if err := tellLost(animationName, s, env.Diagnostics); err != nil {
			return nil, err
		}
	}
	if file != nil {
		e.tellStage()
	}
	if err := e.lowerAnimations(); err != nil {
		return nil, err
	}
	if e.spoken {
		if err := e.tellUnmoved(); err != nil {
			return nil, err
		}
	}
	dir := e.tree.Root.Child("Animation")
	if file == nil && (dir == nil || dir.Child("Script") == nil || len(dir.Child("Script").Children) == 0) {
		return nil, schema.Errorf(animationName, schema.ErrUnsupported, "", "the scene has no animation of a part or a bone")
	}
	if file == nil {
		file = freelancer.NewTree()
		library.Copy(file.Root.Dir(dir.Name), dir)
	} else if file.Root.Child("Animation") == nil && dir != nil {
		file.Root.Add(dir)
	}
	return file, nil
}

// tellStage reports what somebody did to the model that an animation file plays on: it is no part of the file.
func (e *editor) tellStage() {
	var shapes []string
	e.edited.Walk(func(n, _ *asset.Node) {
		if n.Mesh != nil && !skip(n) && !e.original(n) {
			shapes = append(shapes, n.Name)
		}
	})
	if len(e.placed) > 0 {
		e.d.Lossf("rest-pose", e.placed[0], "an animation file does not hold where parts are at rest, from where motions set out: %d stand elsewhere, of which this is the first", len(e.placed))
	}
	if len(shapes) > 0 {
		e.d.Lossf("meshes-left-out", shapes[0], "an animation file holds no shapes: %d were added, of which this is the first", len(shapes))
	}
}

// reach returns how far from the roots animations may take a node: each as far from the one that it hangs on as it goes.
func reach(s *asset.Scene) (far float64) {
	moves := map[*asset.Node]float64{}
	for _, a := range s.Animations {
		for _, c := range a.Channels {
			for i := 0; c.Path == asset.Translation && i+3 <= len(c.Values); i += 3 {
				if d := scene.Wide3([3]float32(c.Values[i:])).Len(); d > moves[c.Node] { // what is no number is not
					moves[c.Node] = d
				}
			}
		}
	}
	s.Walk(func(n, parent *asset.Node) {
		moves[n] += moves[parent]
		far = max(far, moves[n])
	})
	return far
}

// tellUnmoved tells of the nodes that no script of the file speaks of any more.
func (e *editor) tellUnmoved() error {
	list, err := read.Scripts(e.tree.Root, nil)
	if err != nil {
		return err
	}
	named := map[string]bool{}
	for _, p := range bareCompound(list).Parts {
		named[strings.ToLower(p.Object)] = true
	}
	var unmoved scene.Tally
	for _, p := range e.parts {
		if e.nodeOf[p] != nil && !named[strings.ToLower(p.name)] {
			unmoved.Add(p.name)
		}
	}
	unmoved.Tell(e.d, "node-unmoved", "", "the node", "nodes", "is left out: an animation file names what its motions move, and nothing else")
	return nil
}

// animationEditor returns an editor of what an animation file plays on, and the file that the scene came from, or nil.
func animationEditor(s *asset.Scene, env *format.Env) (e *editor, file *freelancer.Tree, err error) {
	quiet := *env
	quiet.Diagnostics = nil
	_, stage, err := namedModel(env)
	if err != nil {
		return nil, nil, err
	}
	if n := s.Native; n != nil && n.Format == animationName && len(n.Payload) > 0 {
		file, _ = unpackAnimationFile(n.Payload, env)
	}
	own := modelOf(s, &quiet)
	source := file // of the scripts
	if source == nil {
		source = own
	}
	if stage == nil {
		stage = own
	}
	var m *model
	var bare *freelancer.Script
	kind := "cmp"
	switch {
	case stage == nil && source == nil:
		if !env.Diagnostics.Has(restore.NoExtras) {
			env.Diagnostics.Hint("; name it with --model, or the original with --base, or export with Custom Properties, where a GLB of usher keeps them").
				Warnf("no-model", "", "the file keeps motions only: the places, pivots and joints of the parts are those of the game's model")
		}
		if len(s.Skins) > 0 {
			kind = "dfm"
		}
		if bare = bareMotions(s); bare != nil {
			m, err = newCompound("cmp", freelancer.NewTree(), bareCompound([]*freelancer.Script{bare}), &quiet)
		} else {
			m, err = newModel(kind, baseTree(kind, s, &quiet), &quiet)
		}
	case source == nil:
		m, err = newStage(freelancer.NewTree(), stage, &quiet)
	default:
		m, err = newStage(source, stage, &quiet)
	}
	if err != nil {
		return nil, nil, err
	}
	if stage != nil {
		kind = kindOfTree(stage.Root)
	}
	e = newEditor(kind, m, s, env)
	e.bare, e.spoken = bare != nil, stage == nil && file != nil
	if file != nil {
		e.hidden = false // the scripts of the file are the ones that the scene shows
	}
	return e, file, nil
}
