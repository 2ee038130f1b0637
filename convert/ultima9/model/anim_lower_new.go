package model

import (
	"fmt"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
)

// foreign makes a clip of an animation that usher knows nothing of.
func (l *animLowerer) foreign(from *asset.Animation) (*ultima9.Anim, error) {
	if len(l.tracks) == 0 {
		return nil, schema.Errorf(AnimName, schema.ErrValue, "animation", "%q moves no limb: nodes are called limb_ID, or as in registry.txt", from.Name)
	}
	n, err := l.frameCount()
	if err != nil {
		return nil, err
	}
	a := &ultima9.Anim{End: int32(n - 1), FrameCount: int32(n), FPS: ultima9.AnimFPS, Interval: ultima9.AnimInterval, Source: plainText(from.Name)}
	if l.env != nil {
		if slot, err := beside.SlotOf(l.env.Entry); err == nil {
			a.ID = int32(slot)
		}
	}
	times := evenTimes(n)
	for _, id := range l.order {
		a.Parts = append(a.Parts, l.part(l.tracks[id], times))
		a.Registry = append(a.Registry, int32(id))
	}
	a.Events = []ultima9.AnimEvent{{Time: times[n-1], Type: ultima9.EventEnd}}
	return a, nil
}

// plainText replaces what Windows-1252 lacks.
func plainText(s string) string {
	b, _ := schema.EncodeWindows1252(s)
	return schema.DecodeWindows1252(b)
}

// part samples a track. What it does not move is the limb's own place.
func (l *animLowerer) part(t *track, times []int32) ultima9.AnimPart {
	p := ultima9.AnimPart{ID: int32(t.id), Name: l.registry()[int32(t.id)], Frames: make([]ultima9.AnimFrame, len(times))}
	if p.Name == "" {
		p.Name = fmt.Sprintf("part_%d", t.id)
		if t.move != nil && !l.hasPelvis() {
			p.Name = "PELVIS"
		}
	}
	rest := t.node.Transform
	if rest.Matrix != nil {
		pose, _ := scene.PoseOf(&rest)
		rest = pose.Transform()
	}
	if t.metres {
		rest = toRaw(rest)
	}
	for i, ms := range times {
		f := &p.Frames[i]
		q := rest.Rotation
		f.Time, f.Position, f.Scale = ms, rest.Translation, rest.Scale
		if t.turn != nil {
			q = t.rotation(float64(seconds(ms)))
		}
		f.Rotation = [4]float32{q[3], q[0], q[1], q[2]}
		if t.move != nil {
			f.Position = t.position(float64(seconds(ms)))
		}
	}
	return p
}

// hasPelvis reports whether registry.txt names the limb whose position a clip moves.
func (l *animLowerer) hasPelvis() bool {
	for _, name := range l.registry() {
		if (&ultima9.AnimPart{Name: name}).Moves() {
			return true
		}
	}
	return false
}
