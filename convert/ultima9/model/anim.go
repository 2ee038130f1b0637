package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// AnimName is the name of the format of animations.
const AnimName = "u9-anim"

// nameKey is where a clip of a scene keeps the name that it was given.
const nameKey = "name"

// lastLimbPart is the highest part id that can be a limb; higher ones are lights and cameras of the scene that the clip
// was made from.
const lastLimbPart = 255

// liftAnim puts a clip on the limbs of the model that the user named, or on a bare node for each part. A track replaces
// the rotation of its limb, that of the pelvis its position too (reference section 7.2); all else rides in Native.
func liftAnim(a *ultima9.Anim, env *format.Env) (*asset.Scene, error) {
	payload, err := write.Anim(a)
	if err != nil {
		return nil, err
	}
	s, err := stage(a, env)
	if err != nil {
		return nil, err
	}
	nodes := limbNodes(s)
	out := &asset.Animation{Name: env.EntryName("clip"), Native: &asset.Native{Format: AnimName, Values: animValues(a), Payload: payload}}
	scene.SetShown(out.Native, nameKey, out.Name)
	seen := map[int32]bool{}
	for i := range a.Parts {
		p := &a.Parts[i]
		node := nodes[int(p.ID)]
		if node == nil || seen[p.ID] {
			env.Told().Notef("part-without-limb", "", "part %d %q moves no limb of the model", p.ID, p.Name)
			continue
		}
		seen[p.ID] = true
		out.Channels = append(out.Channels, partChannels(p, node, env)...)
	}
	s.Animations = []*asset.Animation{out}
	if !slices.ContainsFunc(out.Channels, func(c *asset.Channel) bool { return !scene.Still(scene.CurveOf(c.Node, c.Path, c), 1) }) {
		s.Native = scene.Spare(out.Native) // programs leave out what moves nothing
	}
	return s, nil
}

// partChannels makes the rotation channel of a track, and the translation channel of a pelvis.
func partChannels(p *ultima9.AnimPart, node *asset.Node, env *format.Env) []*asset.Channel {
	if len(p.Frames) == 0 {
		return nil
	}
	times := partTimes(p, env)
	turn := &asset.Channel{Node: node, Path: asset.Rotation, Times: times, Values: make([]float32, 0, 4*len(p.Frames))}
	for i := range p.Frames {
		q := frameRotation(&p.Frames[i])
		turn.Values = append(turn.Values, q[:]...)
	}
	if !p.Moves() {
		return []*asset.Channel{turn}
	}
	move := &asset.Channel{Node: node, Path: asset.Translation, Times: times, Values: make([]float32, 0, 3*len(p.Frames))}
	for i := range p.Frames {
		at := cleanPosition(p.Frames[i].Position)
		move.Values = append(move.Values, at[:]...)
	}
	return []*asset.Channel{turn, move}
}

func frameRotation(f *ultima9.AnimFrame) [4]float32 {
	q := f.Rotation
	return UnitQuaternion([4]float32{q[1], q[2], q[3], q[0]})
}

// partTimes returns the times of a track in seconds. Times that do not ascend give way to even ones.
func partTimes(p *ultima9.AnimPart, env *format.Env) []float32 {
	times := make([]float32, len(p.Frames))
	for i := range p.Frames {
		t := p.Frames[i].Time
		if t < 0 || i > 0 && t <= p.Frames[i-1].Time {
			env.Told().Warnf("times", p.Name, "the times of part %d do not ascend: its frames are shown %d ms apart", p.ID, ultima9.AnimInterval)
			for k := range times {
				times[k] = seconds(int32(k * ultima9.AnimInterval))
			}
			return times
		}
		times[i] = seconds(t)
	}
	return times
}

func seconds(ms int32) float32 { return float32(float64(ms) / 1000) }

func animValues(a *ultima9.Anim) map[string]any {
	values := clipFields(a).Values()
	values["events"] = eventValues(a.Events)
	return values
}

// clipFields are those of a clip that a person may edit.
func clipFields(a *ultima9.Anim) scene.Fields {
	return scene.Fields{"id": &a.ID, "start": &a.Start, "fps": &a.FPS, "interval": &a.Interval, "source": &a.Source, scene.ReadOnly: map[string]any{"end": int(a.End)}}
}

func eventFields(e *ultima9.AnimEvent) scene.Fields {
	return scene.Fields{"time": &e.Time, "type": &e.Type, "parameter": &e.Parameter}
}

func eventValues(list []ultima9.AnimEvent) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = eventFields(&list[i]).Values()
	}
	return out
}

// stage returns the scene that a clip plays on.
func stage(a *ultima9.Anim, env *format.Env) (*asset.Scene, error) {
	if env != nil && env.Options.Model != "" {
		return stageModel(env)
	}
	env.Told().Notef("no-model", "", "no model is named: the clip moves bare nodes")
	s := &asset.Scene{Name: env.EntryName("clip")}
	root := asset.NewNode("u9_" + s.Name)
	root.Transform = RootTransform
	root.Native = &asset.Native{Format: AnimName}
	scene.Call(root)
	s.Roots = []*asset.Node{root}
	seen := map[int32]bool{}
	for i := range a.Parts {
		p := &a.Parts[i]
		if p.ID < 0 || p.ID > lastLimbPart || seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		n := asset.NewNode(fmt.Sprintf("limb_%d", p.ID))
		n.Kind = asset.Bone
		if len(p.Frames) > 0 {
			n.Transform.Rotation = frameRotation(&p.Frames[0])
			n.Transform.Translation = cleanPosition(p.Frames[0].Position)
		}
		root.Children = append(root.Children, n)
	}
	return s, nil
}

// stageModel lifts the model that the user named: FILE or ARCHIVE:ENTRY.
func stageModel(env *format.Env) (*asset.Scene, error) {
	name := env.Options.Model
	file, entry, archived := strings.Cut(name, ":")
	if i := strings.LastIndexByte(name, ':'); archived {
		file, entry = name[:i], name[i+1:]
		if _, err := beside.ParseSlot(entry); err != nil {
			file, entry, archived = name, "", false // the colon of a drive
		}
	}
	in := &format.Env{Name: format.BaseName(file), Entry: entry, Files: env.Files, Options: env.Options, Diagnostics: env.Diagnostics}
	b, err := modelBytes(in, file, entry, archived)
	if err != nil {
		return nil, err
	}
	m, err := read.Sappear(b, env.Diagnostics)
	if err != nil {
		return nil, schema.In(name, err)
	}
	return liftSappear(m, in)
}

func modelBytes(env *format.Env, file, entry string, archived bool) ([]byte, error) {
	if !archived {
		b, _, err := env.Find(file)
		return b, err
	}
	slot, err := beside.ParseSlot(entry)
	if err != nil {
		return nil, err
	}
	return beside.Record(env, slot, file)
}

// limbNodes returns the nodes of a scene by the id of their limb; of several with one id the first counts.
func limbNodes(s *asset.Scene) map[int]*asset.Node {
	nodes, order := map[int]*asset.Node{}, map[int]int{}
	s.Walk(func(n, _ *asset.Node) {
		id, index := limbID(n)
		if id < 0 {
			return
		}
		if known := nodes[id]; known == nil || index < order[id] {
			nodes[id], order[id] = n, index
		}
	})
	return nodes
}

// IsLimb reports whether a node is a limb.
func IsLimb(n *asset.Node) bool {
	id, _ := limbID(n)
	return id >= 0
}

// limbID returns the id of a node's limb and its number in the record; −1 when the node is no limb.
func limbID(n *asset.Node) (id, index int) {
	if n.Native != nil && n.Native.Format == limbName {
		if l, err := read.SappearLimb(n.Native.Payload, nil); err == nil {
			return int(l.ID), scene.ShownWhole(n.Native, "index", 0)
		}
	}
	if r := roleOf(n); namePattern().MatchString(n.Name) && r.limb {
		return r.id, 0
	}
	return -1, 0
}

// Anim holds the typed functions for one format: animation.
var Anim = format.Functions[ultima9.Anim, *asset.Scene]{
	Read:  read.Anim,
	Write: write.Anim,
	Facts: animFacts,
	Lift:  liftAnim,
	Lower: lowerAnim,
}

func animFacts(a *ultima9.Anim) []format.Fact {
	names := make([]string, len(a.Parts))
	for i := range a.Parts {
		names[i] = a.Parts[i].Name
	}
	return []format.Fact{
		{Name: "clip", Value: int(a.ID)},
		{Name: "source", Value: a.Source},
		{Name: "frames", Value: int(a.FrameCount)},
		{Name: "frames per second", Value: int(a.FPS)},
		{Name: "parts", Value: names},
		{Name: "events", Value: len(a.Events)},
	}
}
