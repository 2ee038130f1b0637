package unreal

import (
	"math"
	"sort"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// lowerSequences takes over what was edited of the sequences: the readable list of the scene, or the animations.
func (a *archive) lowerSequences(m *unreal.Mesh, s, lifted *asset.Scene) (err error) {
	if s.Native != nil {
		if list, ok := s.Native.Values["sequences"]; ok && !sameValue(list, lifted.Native.Values["sequences"]) {
			m.Sequences, err = a.readSequences(list)
			return err
		}
	}
	was := map[string]*asset.Animation{}
	for _, x := range lifted.Animations {
		was[x.Name] = x
	}
	var changed []*asset.Animation
	for _, x := range s.Animations {
		if old := was[x.Name]; old == nil || !sameMotion(weights(old), weights(x)) {
			changed = append(changed, x)
		}
	}
	return a.addSequences(m, changed)
}

// readSequences reads what sequenceList wrote.
func (a *archive) readSequences(value any) ([]unreal.Sequence, error) {
	bad := schema.Errorf(meshName, schema.ErrValue, "sequences", "expected a list of {name, group, start, frames, rate, notifies}")
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
		name, ok1 := e["name"].(string)
		group, ok2 := e["group"].(string)
		start, ok3 := number(e["start"])
		frames, ok4 := number(e["frames"])
		rate, ok5 := number(e["rate"])
		if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
			return nil, bad
		}
		s := unreal.Sequence{Name: a.p.AddName(name), Group: a.p.AddName(group), Start: int32(start), Frames: int32(frames), Rate: float32(rate)}
		notifies, _ := e["notifies"].([]any)
		for _, n := range notifies {
			e, _ := n.(map[string]any)
			time, ok1 := number(e["time"])
			function, ok2 := e["function"].(string)
			if !ok1 || !ok2 {
				return nil, bad
			}
			s.Notifies = append(s.Notifies, unreal.Notify{Time: float32(time), Function: a.p.AddName(function)})
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

// sameMotion tells whether the visible weights are the stored ones. An editor has keys at times of its own: they must
// lie on the stored curve; stored keys between them are not asked for.
func sameMotion(stored, visible *asset.Channel) bool {
	if stored == nil || visible == nil || stored.Width() != visible.Width() {
		return stored == nil && visible == nil
	}
	agree := func(t float32) bool {
		x, y := sample(stored, t), sample(visible, t)
		for i := range x {
			if math.Abs(float64(x[i]-y[i])) > 0.02 {
				return false
			}
		}
		return true
	}
	if end := stored.Times[len(stored.Times)-1]; visible.Times[len(visible.Times)-1] > end+longGap {
		return false
	}
	for _, t := range visible.Times {
		if !agree(t) {
			return false
		}
	}
	for _, t := range stored.Times {
		if !sampledAround(visible.Times, t) && !agree(t) {
			return false
		}
	}
	return true
}

// longGap is the longest time between keys, in seconds, that sampling an animation leaves: editors do at least 20 frames
// a second.
const longGap = 0.051

// sampledAround tells whether a time lies between keys, or behind the last one, where an editor that samples has none.
func sampledAround(times []float32, t float32) bool {
	n := sort.Search(len(times), func(i int) bool { return times[i] >= t })
	switch {
	case n == len(times):
		return t-times[n-1] <= longGap
	case n == 0:
		return false
	}
	return times[n] > t && times[n]-times[n-1] <= longGap
}

// sample returns the weights at a time.
func sample(c *asset.Channel, t float32) []float32 {
	w := c.Width()
	n := sort.Search(len(c.Times), func(i int) bool { return c.Times[i] >= t })
	if n == len(c.Times) {
		n--
	}
	last := c.Values[n*w : (n+1)*w]
	if n == 0 || c.Times[n] <= t || c.Times[n] == c.Times[n-1] {
		return last
	}
	first := c.Values[(n-1)*w : n*w]
	k := (t - c.Times[n-1]) / (c.Times[n] - c.Times[n-1])
	if c.Interpolation == asset.StepKeys {
		k = 0
	}
	out := make([]float32, w)
	for i := range out {
		out[i] = first[i]*(1-k) + last[i]*k
	}
	return out
}

// addSequences stores animations as sequences, in place of those with the same name. Keys that show frames one after
// the other become a range of these; any other motion is refused.
func (a *archive) addSequences(m *unreal.Mesh, animations []*asset.Animation) error {
	for _, x := range animations {
		c := weights(x)
		if c == nil || c.Width() != int(m.AnimFrames)-1 {
			continue
		}
		s := unreal.Sequence{Name: a.p.AddName(cleanName(x.Name, "Sequence")), Group: a.p.AddName("None"), Frames: int32(len(c.Times)), Rate: 30}
		if n := len(c.Times); n > 1 && c.Times[n-1] > c.Times[0] {
			s.Rate = float32(n-1) / (c.Times[n-1] - c.Times[0])
		}
		start, ok := run(c)
		if !ok {
			return schema.Errorf(meshName, schema.ErrUnsupported, x.Name, "its keys blend frames or skip some: sequences show whole frames in their order")
		}
		s.Start = int32(start)
		replaced := false
		for i := range m.Sequences {
			if m.Sequences[i].Name == s.Name {
				s.Group, s.Notifies = m.Sequences[i].Group, m.Sequences[i].Notifies
				m.Sequences[i], replaced = s, true
			}
		}
		if !replaced {
			m.Sequences = append(m.Sequences, s)
		}
	}
	return nil
}

// run returns the first frame of keys that show one frame after the other.
func run(c *asset.Channel) (start int, ok bool) {
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
