package engine

import (
	"fmt"
	"slices"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Description describes one input, for "usher info".
type Description struct {
	Source      string
	Format      string // name of the native or interchange format
	Title       string
	Kind        string
	Size        int64
	Facts       []format.Fact
	Diagnostics []schema.Diagnostic
}

// Describe reads one source and describes it.
func (l *Loader) Describe(src Source) (*Description, error) {
	d := new(schema.Diagnostics)
	desc := &Description{Source: src.String(), Size: src.Size}
	env := l.Env(src.Path, d)
	f := l.From
	var x *interchange.Interchange
	if f == nil && src.Entry == "" {
		f, x = interchange.SniffFile(src.Path)
	}
	var err error
	if src.Entry == "" && f != nil && f.Open != nil && f.Kind == format.Archive {
		err = desc.archive(src, f, env)
	} else {
		err = desc.leaf(l, src, x, env)
	}
	desc.Diagnostics = d.All()
	return desc, err
}

func (desc *Description) archive(src Source, f *format.Format, env *format.Env) error {
	desc.Format, desc.Title, desc.Kind = f.Name, f.Title, f.Kind.String()
	a, err := store.OpenArchive(src.Path, f, env)
	if err != nil {
		return err
	}
	defer a.Close()
	desc.Facts = append(a.Facts(), kindFacts(a.Entries())...)
	if !a.Abilities().One {
		return nil
	}
	in, err := store.OpenInside(src.Path, f, env)
	if err != nil {
		return err
	}
	defer in.Close()
	if in.Format.Name == f.Name {
		return nil // what it holds is no archive
	}
	desc.Facts = append(a.Facts(), format.Fact{Name: "holds", Value: in.Format.Title})
	desc.Facts = slices.Concat(desc.Facts, in.Facts(), kindFacts(in.Entries()))
	return nil
}

// shownIn returns facts with their texts in the code page that somebody asked for. Readers take a byte for a letter of the usual
// one.
func shownIn(facts []format.Fact, f *format.Format, name string) ([]format.Fact, error) {
	if !f.SingleByte || name == "" {
		return facts, nil
	}
	page, err := codepage.Find(name)
	if err != nil {
		return nil, err
	}
	facts = slices.Clone(facts)
	for i := range facts {
		switch v := facts[i].Value.(type) {
		case string:
			facts[i].Value = page.Show(v)
		case []string:
			list := slices.Clone(v)
			for k := range list {
				list[k] = page.Show(list[k])
			}
			facts[i].Value = list
		}
	}
	return facts, nil
}

// kindFacts counts the entries of each kind.
func kindFacts(entries []format.Entry) []format.Fact {
	var counts [format.Raw + 1]int
	for _, e := range entries {
		counts[min(e.Kind, format.Raw)]++
	}
	facts := []format.Fact{{Name: "entries", Value: len(entries)}}
	for kind, n := range counts {
		if n > 0 {
			facts = append(facts, format.Fact{Name: format.Kind(kind).String() + " entries", Value: n})
		}
	}
	return facts
}

// about tells what a game says of a file of no format of its own that lies in it.
func (l *Loader) about(env *format.Env) (facts []format.Fact) {
	if !l.Detail {
		return nil
	}
	for _, x := range Installs {
		if x.About != nil {
			facts = append(facts, x.About(env)...)
		}
	}
	return facts
}

// header describes a file without decoding all of it.
func (desc *Description) header(l *Loader, src Source, x *interchange.Interchange, env *format.Env) error {
	b, err := l.ReadFile(src.Path)
	if err != nil {
		return err
	}
	a, err := x.Header(b, env)
	if err != nil {
		return err
	}
	desc.Format, desc.Title, desc.Kind, desc.Facts = x.Name, x.Title, interchange.KindOf(a).String(), assetFacts(a)
	desc.Facts = append(desc.Facts, l.about(env)...)
	return nil
}

func (desc *Description) leaf(l *Loader, src Source, x *interchange.Interchange, env *format.Env) error {
	if x != nil && x.Header != nil {
		return desc.header(l, src, x, env)
	}
	it, err := l.Load(src, env.Diagnostics)
	if err != nil {
		return err
	}
	defer it.Close()
	if src.Entry != "" {
		desc.Size = it.Size
	}
	if it.Format == nil {
		desc.Format, desc.Title, desc.Kind = x.Name, x.Title, interchange.KindOf(it.Asset).String()
		desc.Facts = assetFacts(it.Asset)
		if s, ok := it.Asset.(*asset.Scene); ok {
			desc.Facts = append(desc.Facts, sceneParts(s, l.Detail)...)
		}
		if src.Entry == "" {
			desc.Facts = append(desc.Facts, l.about(env)...)
		}
		return nil
	}
	desc.Format, desc.Title, desc.Kind = it.Format.Name, it.Format.Title, it.Format.Kind.String()
	if it.Format.Facts != nil {
		facts, err := shownIn(it.Format.Facts(it.Value), it.Format, l.Options.CodePage)
		if err != nil {
			return err
		}
		desc.Facts = facts
	}
	if l.Detail && it.Format.Detail != nil {
		desc.Facts = append(desc.Facts, it.Format.Detail(it.Value, it.Env)...)
	}
	if it.Format.Kind == format.Model && it.Format.Lift != nil {
		desc.Facts = append(desc.Facts, drawn(it)...)
	}
	a, ok := it.From.(*store.Archive)
	if !ok {
		return nil
	}
	if related := a.Abilities().Related; related != nil {
		if i, err := a.Find(src.Entry); err == nil {
			desc.Facts = append(desc.Facts, related(i)...)
		}
	}
	return nil
}

// drawn says how much of a model is drawn: of its best level of detail, without what only collisions know. There is
// nothing to say of a model that cannot be drawn.
func drawn(it *interchange.Item) []format.Fact {
	quiet := *it
	quiet.Env = it.Env.Quiet()
	a, err := quiet.LiftSeen()
	s, ok := a.(*asset.Scene)
	if err != nil || !ok {
		return nil
	}
	triangles, vertices, err := scene.Count(scene.Seen(s, it.Shown()))
	if err != nil {
		return nil
	}
	return []format.Fact{{Name: "drawn", Value: schema.Counted(triangles, "triangle", "triangles") + ", " + schema.Counted(vertices, "vertex", "vertices")}}
}

func assetFacts(a asset.Asset) []format.Fact {
	var facts []format.Fact
	add := func(name string, value any) { facts = append(facts, format.Fact{Name: name, Value: value}) }
	switch a := a.(type) {
	case *asset.Scene:
		nodes := 0
		a.Walk(func(_, _ *asset.Node) { nodes++ })
		vertices, triangles, err := sceneSize(a)
		if err != nil {
			add("damaged", err.Error())
		}
		add("nodes", nodes)
		add("meshes", len(a.Meshes))
		add("vertices", vertices)
		add("triangles", triangles)
		add("materials", len(a.Materials))
		add("textures", len(a.Textures))
		add("skins", len(a.Skins))
		add("animations", animationNames(a))
	case *asset.Texture:
		if base := a.Base(); base != nil {
			add("size", fmt.Sprintf("%d x %d", base.Width, base.Height))
		}
		if a.Palette != nil {
			add("palette", len(a.Palette))
		}
	case *asset.Sound:
		add("rate", a.Rate)
		add("channels", a.Channels)
		if codec := wav.CodecName(a); codec != "" {
			add("codec", codec)
			break
		}
		add("bits", a.Bits)
		add("frames", a.Frames())
		if a.Rate > 0 {
			add("seconds", float64(a.Frames())/float64(a.Rate))
		}
	case *asset.Table:
		add("columns", len(a.Columns))
		add("rows", len(a.Rows))
	case *asset.Text:
		add("characters", len([]rune(a.Body)))
	}
	if n := interchange.NativeOf(a); n != nil {
		add("made from", n.Format)
	}
	return facts
}

// sceneSize counts every mesh once. Primitives that share their vertices count them once.
func sceneSize(s *asset.Scene) (vertices, triangles int, err error) {
	seen := map[*[3]float32]bool{}
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			loaded := p.Load != nil // such data are not shared, and not to be held
			p, err := p.Whole()
			if err != nil {
				return vertices, triangles, err
			}
			if len(p.Positions) > 0 && (loaded || !seen[&p.Positions[0]]) {
				if !loaded {
					seen[&p.Positions[0]] = true
				}
				vertices += len(p.Positions)
			}
			if p.Mode != asset.Triangles {
				continue
			}
			if p.Indices != nil {
				triangles += len(p.Indices) / 3
			} else {
				triangles += len(p.Positions) / 3
			}
		}
	}
	return vertices, triangles, nil
}

func animationNames(s *asset.Scene) []string {
	names := make([]string, len(s.Animations))
	for i, a := range s.Animations {
		names[i] = a.Name
	}
	return names
}
