package unreal

import (
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// box is the least and the greatest corner of what is within.
type box struct{ low, high [3]float32 }

func (b *box) add(p [3]float32) {
	for k, x := range p {
		b.low[k], b.high[k] = min(b.low[k], x), max(b.high[k], x)
	}
}

// zoneBoxes returns the boxes around the surfaces of the zones of a level, in the axes of scenes, by the actors of the zones.
func (a *archive) zoneBoxes(o unreal.AnyObject) (map[unreal.Ref]box, error) {
	m, ok := o.(*unreal.Model)
	if !ok {
		return nil, nil
	}
	m, err := a.joined(m)
	if err != nil {
		return nil, err
	}
	all := map[unreal.Ref]box{}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if n.Count < 3 || n.VertPool < 0 || int(n.VertPool)+int(n.Count) > len(m.Verts) {
			continue
		}
		for _, zone := range n.Zones {
			if zone <= 0 || int(zone) >= len(m.Zones) || m.Zones[zone].Actor <= 0 {
				continue
			}
			actor := m.Zones[zone].Actor
			for _, v := range m.Verts[n.VertPool : n.VertPool+int32(n.Count)] {
				if v.Point < 0 || int(v.Point) >= len(m.Points) {
					continue
				}
				p := space.Vertex.Point(m.Points[v.Point])
				b, known := all[actor]
				if !known {
					b = box{p, p}
				}
				b.add(p)
				all[actor] = b
			}
		}
	}
	return all, nil
}

// tint marks the node of a zone, such as a water zone, in which all that is seen is darker and has a colour added.
func (b *levelBuilder) tint(n *asset.Node, base *unreal.Object, class unreal.Ref, at box) {
	read := func(name string) (v [3]float32) {
		if f := b.setting(base, class, name, 0); f.Property != nil {
			v = vectorOf(f.Property.Value, v)
		}
		return v
	}
	fog, flash := read("ViewFog"), read("ViewFlash")
	if fog == [3]float32{} && flash[0] == 0 {
		return
	}
	list := func(v ...float32) []any {
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = float64(x)
		}
		return out
	}
	scene.SetShown(n.Native, "tint", map[string]any{"low": list(at.low[:]...), "high": list(at.high[:]...), "fog": list(fog[:]...), "scale": float64(1 + flash[0])})
}
