package freelancer

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/space"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// hardpointView shows the hardpoints of a model as a table.
func hardpointView(name string) *format.Format {
	f := format.Of(format.Format{
		Name: name, Family: family, Title: "the hardpoints of a Freelancer model", Kind: format.Table,
		Probe: format.Never,
	}, format.Functions[freelancer.Tree, *asset.Table]{
		Lift: func(t *freelancer.Tree, env *format.Env) (*asset.Table, error) { return liftHardpoints(name, t, env) },
	})
	return &f
}

func liftHardpoints(name string, t *freelancer.Tree, env *format.Env) (*asset.Table, error) {
	m, err := newModel(name, t, env.Quiet())
	if err != nil {
		return nil, err
	}
	out := &asset.Table{Name: stemOf(env.Name), Columns: rig.TableColumns, Keys: rig.TableColumns[:2]}
	for _, p := range m.parts {
		for _, hp := range p.hardpoints {
			out.Rows = append(out.Rows, rig.TableRow(p.name, hp.h))
		}
	}
	return out, nil
}

// takeHardpoints puts the hardpoints of another model, or of a table, onto the model. Those of the same name take their
// place. What a table does not have goes with --prune.
func (e *editor) takeHardpoints(env *format.Env) error {
	name := env.Options.Freelancer.HardpointsFrom
	if name == "" {
		return nil
	}
	b, _, err := env.Find(name)
	if err != nil {
		return fmt.Errorf("--hardpoints-from %s: %w", name, err)
	}
	own, err := e.ownHardpoints()
	if err != nil {
		return err
	}
	var list []rig.Placed
	table := !strings.HasPrefix(string(b), freelancer.Magic)
	if table {
		list, err = rig.ReadTable(b, own.stored, env.Diagnostics)
	} else {
		list, err = hardpointsOf(b, env)
	}
	switch {
	case err != nil && table:
		return fmt.Errorf("--hardpoints-from %s: it is no model, and no table of hardpoints: %w", name, err)
	case err != nil:
		return fmt.Errorf("--hardpoints-from %s: %w", name, err)
	}
	return e.putHardpoints(list, own, table, env.Options.Prune)
}

// hardpointsOf reads those of another model.
func hardpointsOf(b []byte, env *format.Env) (list []rig.Placed, err error) {
	t, err := read.UTF(b, nil)
	if err != nil {
		return nil, err
	}
	m, err := newModel(kindOfTree(t.Root), t, &format.Env{Name: env.Name})
	if err != nil {
		return nil, err
	}
	parents := scene.Parents(m.scene)
	for _, p := range m.parts {
		for _, hp := range p.hardpoints {
			own := *hp.h
			own.Node = nil
			list = append(list, rig.Placed{Part: p.name, Hardpoint: &own, At: space.World(hp.node, parents), Free: true})
		}
	}
	return list, nil
}

// ownHardpoint is a hardpoint of the edited model.
type ownHardpoint struct {
	p    *part
	h    *freelancer.Hardpoint
	used bool
}

// ownHardpoints are all of them, in the order of the parts, and by their names in small letters.
type ownHardpoints struct {
	list   []*ownHardpoint
	byName map[string][]*ownHardpoint
}

func (e *editor) ownHardpoints() (*ownHardpoints, error) {
	o := &ownHardpoints{byName: map[string][]*ownHardpoint{}}
	for _, p := range e.parts {
		if p.content == nil {
			continue
		}
		own, err := read.Hardpoints(p.content)
		if err != nil {
			return nil, err
		}
		for _, h := range own {
			key, x := strings.ToLower(h.Name), &ownHardpoint{p: p, h: h}
			o.list, o.byName[key] = append(o.list, x), append(o.byName[key], x)
		}
	}
	return o, nil
}

// find returns the hardpoint of a name that is not used yet, that of a part first; nil if there is none.
func (o *ownHardpoints) find(part, name string) (found *ownHardpoint) {
	for _, x := range o.byName[strings.ToLower(name)] {
		switch {
		case x.used:
		case strings.EqualFold(x.p.name, part):
			return x
		case found == nil:
			found = x
		}
	}
	return found
}

func (o *ownHardpoints) stored(part, name string) *freelancer.Hardpoint {
	if x := o.find(part, name); x != nil {
		return x.h
	}
	return nil
}

// putHardpoints puts a list onto the model. Whole says that it should be all that there are: others are counted, or
// removed with prune.
func (e *editor) putHardpoints(list []rig.Placed, own *ownHardpoints, whole, prune bool) error {
	for _, x := range list {
		if old := own.find(x.Part, x.Hardpoint.Name); x.Part == "" && old != nil {
			x.Part = old.p.name
		}
		p, err := e.partFor(&x)
		if err != nil {
			return err
		}
		if old := own.find(p.name, x.Hardpoint.Name); old != nil {
			old.used = true
			if old.p == p {
				x.Hardpoint.Node = old.h.Node
			} else {
				removeHardpoint(old.p, old.h)
			}
		}
		if err := write.Hardpoint(p.content, x.Hardpoint); err != nil {
			return err
		}
	}
	var others []string
	for _, o := range own.list {
		if !whole || o.used {
			continue
		}
		others = append(others, o.h.Name)
		if prune {
			removeHardpoint(o.p, o.h)
		}
	}
	switch {
	case len(others) > 0 && prune:
		e.d.Notef("hardpoints-removed", e.stem, "the table has them no more: %s", strings.Join(others, ", "))
	case len(others) > 0:
		e.d.Hint("; --prune removes what is missing").Warnf("row-missing", e.stem, "%s: %s", schema.Counted(len(others), "hardpoint is not in the table and stays", "hardpoints are not in the table and stay"), strings.Join(others, ", "))
	}
	return nil
}

// partFor returns the part that a hardpoint belongs on: that of the same name, else the root, where it stays in its place
// if that is known.
func (e *editor) partFor(x *rig.Placed) (*part, error) {
	var root *part
	for _, p := range e.parts {
		if p.content == nil {
			continue
		}
		if root == nil {
			root = p
		}
		if x.Part == "" || strings.EqualFold(p.name, x.Part) {
			return p, nil
		}
	}
	if root == nil {
		return nil, schema.Errorf(e.format, schema.ErrUnsupported, x.Hardpoint.Name, "the model has no part that could hold a hardpoint")
	}
	if !strings.EqualFold(x.Part, "Root") {
		e.d.Warnf("hardpoint-part", x.Hardpoint.Name, "the model has no part %q: the hardpoint goes onto %q", x.Part, root.name)
	}
	if x.Free {
		frame := mgl64.Ident4()
		if f, ok := e.frames[root]; ok {
			frame = f
		}
		t := space.Transform(space.Rigid(frame.Inv().Mul4(x.At)))
		rig.SetHardpoint(x.Hardpoint, &t)
	}
	return root, nil
}
