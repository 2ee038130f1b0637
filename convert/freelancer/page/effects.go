package page

import (
	"fmt"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// pageALE is an .ale file as JSON shows it: effects name the nodes that they use, and properties hold one value each.
type pageALE struct {
	Effects *pageEffects
	Nodes   *pageNodes
	Root    *pageNode
	Header  freelancer.Header
	Layout  *pageLayout
}

// Effect is the document of an .ale file. names returns what hashes can stand for.
func Effect(names Names) *format.Document {
	return format.Documented(func(a *freelancer.ALE, env *format.Env) (*pageALE, error) { return names.showALE(a, env) }, aleOfPage)
}

// pageEffects is an effect library (reference section 13).
type pageEffects struct {
	Version float32
	Effects []pageEffect
	Tail    pageHex
}

type pageEffect struct {
	Name         pageText
	Bounds       *[4]float32
	Instances    []pageInstance
	Pairs        []freelancer.EffectPair
	MissingPairs *uint32
}

// pageInstance is a use of a node, which it names where one of the file has that name.
type pageInstance struct {
	Node   string
	ID     uint32
	Parent *uint32 // none at the top
	Flags  *uint32 // where they are not 0
}

// Brief implements json.Brief.
func (pageInstance) Brief() {}

// pageText is a string of an .ale file: all but its value is there for odd ones only.
type pageText struct {
	Value        string
	Unterminated *bool
	Residue      pageHex
	Pad          *uint8
}

// Brief implements json.Brief.
func (pageText) Brief() {}

// pageNodes is a node library.
type pageNodes struct {
	Version float32
	Nodes   []pageEffectNode
	Tail    pageHex
}

type pageEffectNode struct {
	Type       pageText
	Properties []pageProperty
}

// pageProperty is a property: its name or hash, and a value of its type.
type pageProperty struct {
	Name      string
	Bool      *bool
	Int       *int32
	Float     *float32
	Text      *pageText
	Blend     *[2]uint32
	Transform *freelancer.NodeTransform
	Floats    *freelancer.FloatAnimation
	Colors    *freelancer.ColorAnimation
	Curves    *freelancer.CurveAnimation
	Set       *bool // the bit of a boolean, in a property that is none
}

// Brief implements json.Brief.
func (pageProperty) Brief() {}

func (names Names) showALE(a *freelancer.ALE, env *format.Env) (*pageALE, error) {
	t, err := names.showTree(a.Tree, env)
	if err != nil {
		return nil, err
	}
	p := &pageALE{Root: t.Root, Header: t.Header, Layout: t.Layout}
	if a.Nodes != nil {
		p.Nodes = showNodes(a.Nodes)
	}
	if a.Effects != nil {
		p.Effects = showEffects(a.Effects, nodeNames(a.Nodes))
	}
	return p, nil
}

func aleOfPage(p *pageALE) (*freelancer.ALE, error) {
	t, err := treeOfPage(&page{p.Root, p.Header, p.Layout})
	if err != nil {
		return nil, err
	}
	for _, x := range []struct {
		library string
		told    bool
	}{{freelancer.EffectLibraryName, p.Effects != nil}, {freelancer.NodeLibraryName, p.Nodes != nil}} {
		if leaf := libraryLeaf(t.Root, x.library); x.told && leaf != nil && len(leaf.Data) > 0 {
			return nil, schema.Errorf("json", schema.ErrMismatch, "Root", "%s holds bytes, and is told by Effects or Nodes as well", x.library)
		}
	}
	a := &freelancer.ALE{Tree: t}
	if p.Effects != nil {
		a.Effects = p.Effects.value()
	}
	if p.Nodes != nil {
		if a.Nodes, err = p.Nodes.value(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// libraryLeaf returns the leaf of an effect file that holds a library; nil when there is none.
func libraryLeaf(root *freelancer.Node, name string) *freelancer.Node {
	if dir := root.Child(name); dir != nil {
		return dir.Child(name)
	}
	return nil
}

// nodeNames returns the names of nodes by their hashes, which keep case.
func nodeNames(l *freelancer.NodeLibrary) map[uint32]string {
	names := map[uint32]string{}
	if l == nil {
		return names
	}
	for i := range l.Nodes {
		if name := l.Nodes[i].Name(); name != "" {
			names[freelancer.FLCRCExact(name)] = name
		}
	}
	return names
}

func showText(s freelancer.ALEString) pageText {
	p := pageText{Value: s.Value, Residue: tailOf(s.Residue)}
	if s.Unterminated {
		p.Unterminated = &s.Unterminated
	}
	if s.Pad != 0 {
		p.Pad = &s.Pad
	}
	return p
}

func (p *pageText) value() freelancer.ALEString {
	return freelancer.ALEString{Value: p.Value, Unterminated: or(p.Unterminated), Residue: p.Residue, Pad: or(p.Pad)}
}

// or returns what p points to, the zero value for none.
func or[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func showEffects(l *freelancer.EffectLibrary, names map[uint32]string) *pageEffects {
	x := &pager{names: names}
	p := &pageEffects{Version: l.Version, Effects: []pageEffect{}, Tail: tailOf(l.Tail)}
	for _, e := range l.Effects {
		out := pageEffect{Name: showText(e.Name), Bounds: e.Bounds, Instances: []pageInstance{}, Pairs: e.Pairs}
		if e.MissingPairs > 0 {
			out.MissingPairs = &e.MissingPairs
		}
		for _, i := range e.Instances {
			in := pageInstance{Node: x.reference(i.Node, freelancer.FLCRCExact), ID: i.ID}
			if i.Parent != freelancer.NoParent {
				in.Parent = &i.Parent
			}
			if i.Flags != 0 {
				in.Flags = &i.Flags
			}
			out.Instances = append(out.Instances, in)
		}
		p.Effects = append(p.Effects, out)
	}
	return p
}

func (p *pageEffects) value() *freelancer.EffectLibrary {
	l := &freelancer.EffectLibrary{Version: p.Version, Tail: p.Tail}
	for i := range p.Effects {
		e := &p.Effects[i]
		out := freelancer.Effect{Name: e.Name.value(), Bounds: e.Bounds, Pairs: e.Pairs, MissingPairs: or(e.MissingPairs)}
		for _, in := range e.Instances {
			parent := uint32(freelancer.NoParent)
			if in.Parent != nil {
				parent = *in.Parent
			}
			out.Instances = append(out.Instances, freelancer.EffectInstance{Flags: or(in.Flags), Node: hashOf(in.Node, freelancer.FLCRCExact), Parent: parent, ID: in.ID})
		}
		l.Effects = append(l.Effects, out)
	}
	return l
}

func showNodes(l *freelancer.NodeLibrary) *pageNodes {
	p := &pageNodes{Version: l.Version, Nodes: []pageEffectNode{}, Tail: tailOf(l.Tail)}
	for i := range l.Nodes {
		n := &l.Nodes[i]
		out := pageEffectNode{Type: showText(n.Type), Properties: []pageProperty{}}
		for k := range n.Properties {
			out.Properties = append(out.Properties, showProperty(&n.Properties[k]))
		}
		p.Nodes = append(p.Nodes, out)
	}
	return p
}

func showProperty(x *freelancer.EffectProperty) pageProperty {
	p := pageProperty{
		Name: x.Name, Int: x.Int, Float: x.Float, Blend: x.Blend, Transform: x.Transform, Floats: x.Floats, Colors: x.Colors, Curves: x.Curves,
	}
	if p.Name == "" {
		p.Name = freelancer.Hash(x.Hash).String()
	}
	if x.Text != nil {
		t := showText(*x.Text)
		p.Text = &t
	}
	switch {
	case x.Type == freelancer.EffectBool:
		p.Bool = &x.Bool
	case x.Bool:
		p.Set = &x.Bool
	}
	return p
}

func (p *pageNodes) value() (*freelancer.NodeLibrary, error) {
	l := &freelancer.NodeLibrary{Version: p.Version, Tail: p.Tail}
	for i := range p.Nodes {
		n := freelancer.EffectNode{Type: p.Nodes[i].Type.value()}
		for k := range p.Nodes[i].Properties {
			x, err := p.Nodes[i].Properties[k].value()
			if err != nil {
				return nil, schema.In(fmt.Sprintf("Nodes[%d].Properties[%d]", i, k), err)
			}
			n.Properties = append(n.Properties, x)
		}
		l.Nodes = append(l.Nodes, n)
	}
	return l, nil
}

func (p *pageProperty) value() (x freelancer.EffectProperty, err error) {
	x = freelancer.EffectProperty{
		Name: p.Name, Int: p.Int, Float: p.Float, Blend: p.Blend, Transform: p.Transform, Floats: p.Floats, Colors: p.Colors, Curves: p.Curves, Bool: or(p.Bool) || or(p.Set),
	}
	if h, ok := freelancer.ParseHash(p.Name); ok {
		x.Name, x.Hash = "", uint32(h)
	}
	if p.Text != nil {
		t := p.Text.value()
		x.Text = &t
	}
	held := 0
	for _, v := range [...]struct {
		there bool
		kind  freelancer.EffectPropertyType
	}{
		{p.Bool != nil, freelancer.EffectBool}, {p.Int != nil, freelancer.EffectInt}, {p.Float != nil, freelancer.EffectFloat}, {p.Text != nil, freelancer.EffectText},
		{p.Blend != nil, freelancer.EffectBlend}, {p.Transform != nil, freelancer.EffectTransform}, {p.Floats != nil, freelancer.EffectFloatAnim},
		{p.Colors != nil, freelancer.EffectColorAnim}, {p.Curves != nil, freelancer.EffectCurveAnim},
	} {
		if v.there {
			x.Type = v.kind
			held++
		}
	}
	if p.Bool != nil && p.Set != nil {
		return x, schema.Errorf("json", schema.ErrMismatch, p.Name, "a property holds a Bool or Set, not both")
	}
	if held != 1 {
		return x, schema.Errorf("json", schema.ErrMismatch, p.Name, "a property holds one value, not %d", held)
	}
	return x, nil
}

// EffectLibrary and NodeLibrary show the leaves of an .ale file, which look the same when they stand alone; the other one
// tells the names of nodes.
var (
	EffectLibrary = format.Documented(
		func(l *freelancer.EffectLibrary, env *format.Env) (*pageEffects, error) {
			return showEffects(l, nodeNames(nodesBeside(env))), nil
		},
		func(p *pageEffects) (*freelancer.EffectLibrary, error) { return p.value(), nil })
	NodeLibrary = format.Documented(
		func(l *freelancer.NodeLibrary, _ *format.Env) (*pageNodes, error) { return showNodes(l), nil },
		func(p *pageNodes) (*freelancer.NodeLibrary, error) { return p.value() })
)

// nodesBeside returns the node library of the file that an entry lies in; nil when there is none.
func nodesBeside(env *format.Env) *freelancer.NodeLibrary {
	if env == nil || env.Archive == nil {
		return nil
	}
	for i, e := range env.Archive.Entries() {
		if e.Class != freelancer.NodeLibraryName {
			continue
		}
		b, err := env.Archive.Payload(i)
		if err != nil {
			return nil
		}
		if l, err := read.NodeLibrary(b, nil); err == nil {
			return l
		}
	}
	return nil
}
