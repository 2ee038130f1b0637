package gltf

import "math"

// A file whose extras are gone should still say that it had some: its way back has lost something, and people want to
// know. All that every editor keeps are names, which belong to the model, and numbers. So materials that are no metal have
// a metalness that says that there is a record, and that nobody can see: it is far below what any renderer tells from 0.
const mark = 1.0 / (1 << 66)

// markMetal returns the metalness to write.
func (e *encoder) markMetal(x float32) float32 {
	if e.marks && x == 0 {
		return mark
	}
	return x
}

// readMetal returns the metalness that a material had before it was marked.
func (d *decoder) readMetal(now float32) float32 {
	if now != mark {
		return now
	}
	d.marked = true
	return 0
}

// Files of earlier versions have the mark in the lowest bits of the roughness.
const (
	oldMarkBits = 1<<12 - 1
	oldMark     = 0xA5B
)

// keyRoughness is where the value of such a roughness rides that has more than three digits.
const keyRoughness = "roughnessWas"

// oldMarked returns a roughness with that mark.
func oldMarked(x float32) float32 {
	b := math.Float32bits(x)&^oldMarkBits | oldMark
	if math.Float32frombits(b) > 1 {
		b -= oldMarkBits + 1
	}
	return math.Float32frombits(b)
}

// readRoughness returns the roughness that a material had before it was marked.
func (d *decoder) readRoughness(now float32, own record) float32 {
	if !(now > 0 && now < 1) || math.Float32bits(now)&oldMarkBits != oldMark {
		return now
	}
	d.marked = true
	if was, ok := number(own, keyRoughness); ok && oldMarked(float32(was)) == now {
		return float32(was)
	}
	return float32(math.Round(float64(now)*1000) / 1000)
}

// hasNative reports whether a scene keeps anything of another format.
func (e *encoder) hasNative() bool {
	kept := e.s.Native != nil
	for _, m := range e.s.Meshes {
		kept = kept || m != nil && m.Native != nil
	}
	nodes, _ := nodesOf(e.s)
	for n := range nodes {
		kept = kept || n.Native != nil
	}
	for _, m := range e.s.Materials {
		kept = kept || m != nil && m.Native != nil
	}
	for _, a := range e.s.Animations {
		kept = kept || a != nil && a.Native != nil
	}
	return kept
}
