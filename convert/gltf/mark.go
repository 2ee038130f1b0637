package gltf

import (
	"math"
)

// A file whose extras are gone should still say that it had some: its way back has lost something, and people want to
// know. All that every editor keeps are names, which belong to the model, and numbers. So the lowest bits of the
// roughness of materials, 1/4096 of its value, say that there is a record. Readers see no difference, and ours takes it
// away again.
const (
	markBits = 1<<12 - 1
	mark     = 0xA5B
)

// marked returns a roughness with the mark. 0 has no room for it.
func marked(x float32) float32 {
	if !(x > 0 && x <= 1) {
		return x
	}
	b := math.Float32bits(x)&^markBits | mark
	if math.Float32frombits(b) > 1 {
		b -= markBits + 1
	}
	return math.Float32frombits(b)
}

// isMarked reports whether a roughness has the mark.
func isMarked(x float32) bool {
	return x > 0 && x < 1 && math.Float32bits(x)&markBits == mark
}

// unmarked returns the roughness that a marked one most likely was: one that somebody wrote down.
func unmarked(x float32) float32 { return float32(math.Round(float64(x)*1000) / 1000) }

// keyRoughness is where the value of a marked roughness rides that is none of those.
const keyRoughness = "roughnessWas"

// markRoughness returns the roughness to write.
func (e *encoder) markRoughness(x float32, own record) float32 {
	if !e.marks {
		return x
	}
	m := marked(x)
	if m != x && unmarked(m) != x {
		own[keyRoughness] = x
	}
	return m
}

// readRoughness returns the roughness that a material had before it was marked.
func (d *decoder) readRoughness(now float32, own record) float32 {
	if !isMarked(now) {
		return now
	}
	d.marked = true
	if was, ok := number(own, keyRoughness); ok && marked(float32(was)) == now {
		return float32(was)
	}
	return unmarked(now)
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
