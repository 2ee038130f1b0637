package mesh

import (
	"math"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/look"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// lowerSequences takes over what was edited of the sequences: the readable list of the scene, or the animations.
func lowerSequences(pkg *pack.File, m *unreal.Mesh, s, lifted *asset.Scene) (err error) {
	if s.Native != nil {
		if list, ok := s.Native.Values["sequences"]; ok && !pack.SameValue(list, lifted.Native.Values["sequences"]) {
			m.Sequences, err = ReadSequences(pkg, list)
			return err
		}
	}
	return addSequences(pkg, m, editedMotions(s, lifted))
}

// newSequences gives a new mesh the sequences of a scene: those of the mesh of another package that it was, and the animations
// that are not among them.
func newSequences(pkg *pack.File, m *unreal.Mesh, s *asset.Scene) (err error) {
	m.Sequences = []unreal.Sequence{{Name: pkg.AddName("All"), Group: pkg.AddName("None"), Frames: m.AnimFrames, Rate: 30}}
	if n := s.Native; n != nil && n.Format == Name && n.Values["sequences"] != nil {
		if m.Sequences, err = ReadSequences(pkg, n.Values["sequences"]); err != nil {
			return err
		}
	}
	listed := &asset.Scene{Animations: sequences(pkg.Package, m, asset.NewNode(s.Name))}
	return addSequences(pkg, m, editedMotions(s, listed))
}

// editedMotions returns the animations of a scene that move otherwise than those of these names in another one, or are new.
func editedMotions(s, lifted *asset.Scene) (list []*asset.Animation) {
	was := map[string]*asset.Animation{}
	for _, x := range lifted.Animations {
		was[x.Name] = x
	}
	for _, x := range s.Animations {
		if old := was[x.Name]; old == nil || !sameMotion(weights(old), weights(x)) {
			list = append(list, x)
		}
	}
	return list
}

// ReadSequences reads native values that [SequenceValues] returned.
func ReadSequences(pkg *pack.File, value any) ([]unreal.Sequence, error) {
	bad := schema.Errorf(Name, schema.ErrValue, "sequences", "expected a list of {name, group, start, frames, rate, notifies}")
	list, ok := value.([]any)
	if !ok {
		return nil, bad
	}
	all := make([]unreal.Sequence, len(list))
	for i, v := range list {
		e, ok := v.(map[string]any)
		if !ok {
			return nil, bad
		}
		if err := pack.CheckKeys(e, "sequences", "name", "group", "start", "frames", "rate", "notifies"); err != nil {
			return nil, err
		}
		name, ok1 := e["name"].(string)
		group, ok2 := e["group"].(string)
		start, ok3 := pack.Whole32(e["start"])
		frames, ok4 := pack.Whole32(e["frames"])
		rate, ok5 := pack.Float32(e["rate"])
		notifies, ok6 := e["notifies"].([]any)
		_, there := e["notifies"]
		if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || there && !ok6 {
			return nil, bad
		}
		s := unreal.Sequence{Name: pkg.Spell(name), Group: pkg.Spell(group), Start: start, Frames: frames, Rate: rate}
		for _, n := range notifies {
			e, _ := n.(map[string]any)
			time, ok1 := pack.Float32(e["time"])
			function, ok2 := e["function"].(string)
			if !ok1 || !ok2 {
				return nil, bad
			}
			s.Notifies = append(s.Notifies, unreal.Notify{Time: time, Function: pkg.Spell(function)})
		}
		all[i] = s
	}
	return all, nil
}

// weights returns the channel of an animation that moves the frames; nil when there is none.
func weights(x *asset.Animation) *asset.Channel {
	for _, c := range x.Channels {
		if c.Path == asset.MorphWeights && len(c.Times) > 0 && c.Interpolation != asset.CubicKeys {
			return c
		}
	}
	return nil
}

// sameMotion reports whether the visible weights are the stored ones. An editor has keys at times of its own: they must
// lie on the stored curve; stored keys between them are not asked for.
func sameMotion(stored, visible *asset.Channel) bool {
	if stored == nil || visible == nil || stored.Width() != visible.Width() {
		return stored == nil && visible == nil
	}
	agree := func(t float32) bool {
		x, y := skeleton.ValueAt(stored, t), skeleton.ValueAt(visible, t)
		for i := range x {
			if math.Abs(float64(x[i]-y[i])) > 0.02 {
				return false
			}
		}
		return true
	}
	if end := stored.Times[len(stored.Times)-1]; visible.Times[len(visible.Times)-1] > end+scene.LongGap {
		return false
	}
	for _, t := range visible.Times {
		if !agree(t) {
			return false
		}
	}
	for _, t := range stored.Times {
		if !scene.SampledAround(visible.Times, t) && !agree(t) {
			return false
		}
	}
	return true
}

// addSequences stores animations as sequences, in place of those with the same name. Keys that show frames one after
// the other become a range of these; of any other motion new frames are made.
func addSequences(pkg *pack.File, m *unreal.Mesh, animations []*asset.Animation) error {
	frames := int(m.AnimFrames)
	for _, x := range animations {
		c := look.MorphChannel(x, frames)
		if c == nil {
			continue
		}
		s := unreal.Sequence{Name: pkg.AddName(pack.CleanName(x.Name, "Sequence")), Group: pkg.AddName("None"), Frames: int32(len(c.Times)), Rate: skeleton.SampleRate}
		old := slices.IndexFunc(m.Sequences, func(q unreal.Sequence) bool { return q.Name == s.Name })
		if old >= 0 {
			s.Group, s.Notifies, s.Rate = m.Sequences[old].Group, m.Sequences[old].Notifies, rate(&m.Sequences[old])
		}
		if start, ok := run(c); ok {
			if n := len(c.Times); n > 1 && c.Times[n-1] > c.Times[0] {
				s.Rate = float32(n-1) / (c.Times[n-1] - c.Times[0])
			}
			s.Start = int32(start)
		} else if err := bake(m, &s, c, frames); err != nil {
			return err
		}
		if old >= 0 {
			m.Sequences[old] = s
		} else {
			m.Sequences = append(m.Sequences, s)
		}
	}
	if int(m.AnimFrames) == frames {
		return nil
	}
	for i := range m.Sequences { // the one of all frames
		if q := &m.Sequences[i]; q.Start == 0 && int(q.Frames) == frames && strings.EqualFold(pkg.Name(q.Name), "All") {
			q.Frames = m.AnimFrames
		}
	}
	(&shape{mesh: m}).bounds()
	return nil
}

// bake appends the frames that an animation shows when it blends those that there are, and makes them the range of a
// sequence.
func bake(m *unreal.Mesh, s *unreal.Sequence, c *asset.Channel, frames int) error {
	count := int(framesOf(c.Times[len(c.Times)-1], s.Rate))
	total, vertices := int(m.AnimFrames)+count, len(m.Vertices)/int(m.AnimFrames)
	if total > math.MaxUint16 || total*vertices > maxAnimated || len(m.Vertices) != int(m.AnimFrames)*vertices {
		return schema.Errorf(Name, schema.ErrLimit, "frames", "%d frames of %d vertices", total, vertices)
	}
	s.Start, s.Frames = m.AnimFrames, int32(count)
	for k := range count {
		w := skeleton.ValueAt(c, float32(k)/s.Rate)
		for v := range vertices {
			at := between(m, w, v, frames, vertices)
			if !fits([][3]float32{at}, m.VertexBytes) {
				return schema.Errorf(Name, schema.ErrRange, "frames", "at %v seconds a vertex leaves the range of the mesh", float32(k)/s.Rate)
			}
			m.Vertices = append(m.Vertices, [3]int16{round16(at[0]), round16(at[1]), round16(at[2])})
		}
	}
	if len(m.Pad) > 0 {
		m.Pad = append(m.Pad, make([]uint16, count*vertices)...)
	}
	m.AnimFrames = int32(total)
	return nil
}

// between returns a vertex where the weights of the frames behind the first one put it.
func between(m *unreal.Mesh, weights []float32, vertex, frames, stride int) (at [3]float32) {
	first := m.Vertices[vertex]
	for k := range at {
		x := float64(first[k])
		for f := 1; f < frames; f++ {
			if w := weights[f-1]; w != 0 {
				x += float64(w) * (float64(m.Vertices[f*stride+vertex][k]) - float64(first[k]))
			}
		}
		at[k] = float32(x)
	}
	return at
}

// run returns the first frame of keys that show one frame after the other.
func run(c *asset.Channel) (start int, ok bool) {
	if c.Interpolation == asset.CubicKeys {
		return 0, false
	}
	w := c.Width()
	for k := range c.Times {
		frame := 0
		for i, v := range c.Values[k*w : (k+1)*w] {
			switch {
			case v > 0.98 && frame == 0:
				frame = i + 1
			case v > 0.02:
				return 0, false
			}
		}
		if k == 0 {
			start = frame
		} else if frame != start+k {
			return 0, false
		}
	}
	return start, true
}
