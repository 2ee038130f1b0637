package unreal

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/space"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// turned is a point as umodel writes it: the original turned by half a turn about Z (reference section 24).
func turned(p [3]float32) [3]float32 { return [3]float32{-p[0], -p[1], p[2]} }

// hundredths is a place without what is lost of it on the way through a scene, and without negative zeros.
func hundredths(p [3]float32) (out [3]float64) {
	for k := range p {
		out[k] = math.Round(100*float64(p[k]))/100 + 0
	}
	return out
}

func (c *umodelCheck) skeletal(t *testing.T, i int, m *unreal.SkeletalMesh, path string) {
	t.Helper()
	b, ok := c.take(path + ".psk")
	if !ok {
		if len(m.Faces) > 0 {
			t.Errorf("%s: umodel has no such skeletal mesh", path)
		}
		return
	}
	x, err := read.PSK(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.count["skeletal mesh"]++
	uv := func(v float32) uint8 { return uint8(math.Round(float64(v) * 255)) }
	theirs, ours := actorXFaces(x, turned, uv), map[string]int{}
	materials := []uint16{} // umodel leaves out those that no face has
	for _, f := range m.Faces {
		if !slices.Contains(materials, f.Material) {
			materials = append(materials, f.Material)
		}
	}
	slices.Sort(materials)
	for _, f := range m.Faces {
		var p [3]string
		for k, w := range f.Wedges {
			p[k] = fmt.Sprint(hundredths(m.Points[m.Wedges[w].Vertex]), m.Wedges[w].UV[0], m.Wedges[w].UV[1])
		}
		ours[ring(p)+fmt.Sprint(slices.Index(materials, f.Material))]++
	}
	for key, n := range ours {
		if theirs[key] != n {
			t.Errorf("%s: %d faces %s; umodel has %d of them, and %d of %d faces", path, n, key, theirs[key], len(x.Faces), len(m.Faces))
			break
		}
	}
	if len(x.Faces) != len(m.Faces) || len(x.Bones) != len(m.Bones) {
		t.Errorf("%s: umodel has %d faces and %d bones, usher %d and %d", path, len(x.Faces), len(x.Bones), len(m.Faces), len(m.Bones))
		return
	}
	for i := range m.Bones {
		p, q := &m.Bones[i], &x.Bones[i]
		if name := c.a.Name(p.Name); !strings.EqualFold(name, q.Name.Text) || i > 0 && p.Parent != q.Parent ||
			!near3(turned(q.Position), p.Position) || !sameRotation([4]float32{-q.Orientation[0], -q.Orientation[1], q.Orientation[2], q.Orientation[3]}, p.Orientation) {
			t.Errorf("%s: bone %d is %s %+v; umodel has %+v", path, i, name, p, q)
		}
	}
	c.weights(t, m, x, path)
	stored := func(p [3]float32) [3]float32 { return p }
	of256 := func(v float32) uint8 { return uint8(math.Round(float64(v) * 256)) }
	if own := c.ownActorX(t, m, sceneOf(t, c.a, i, path), path); own != nil && !maps.Equal(actorXFaces(own, stored, of256), theirs) {
		t.Errorf("%s: the .psk file has other faces than umodel's, %d and %d", path, len(own.Faces), len(x.Faces))
	}
}

// actorXFaces are the faces of a file by their corners' places and texture coordinates, and their materials.
func actorXFaces(x *unreal.PSK, place func(p [3]float32) [3]float32, uv func(v float32) uint8) map[string]int {
	count := map[string]int{}
	for _, f := range x.Faces {
		var p [3]string
		for k, w := range f.Wedges {
			p[k] = fmt.Sprint(hundredths(place(x.Points[x.Wedges[w].Point])), uv(x.Wedges[w].UV[0]), uv(x.Wedges[w].UV[1]))
		}
		count[ring(p)+fmt.Sprint(f.Material)]++
	}
	return count
}

// ownActorX is the .psk file that usher makes of a mesh. The .psa file beside it must have the motions of umodel's.
func (c *umodelCheck) ownActorX(t *testing.T, m *unreal.SkeletalMesh, scene *asset.Scene, path string) *unreal.PSK {
	t.Helper()
	var motions []byte
	x, err := PSK.Lower(scene, &format.Env{Diagnostics: new(schema.Diagnostics), Emit: func(name string, b []byte) error {
		motions = b
		return nil
	}})
	if err != nil {
		t.Errorf("%s as a .psk file: %v", path, err)
		return nil
	}
	c.count[".psk file"]++
	if m.Animation <= 0 || len(motions) == 0 {
		return x
	}
	name, err := c.a.Path(m.Animation)
	if err != nil {
		t.Fatal(err)
	}
	if b, ok := c.take(strings.ReplaceAll(name, ".", "/") + ".psa"); ok {
		ours, err := read.PSA(motions, nil)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := read.PSA(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		o, err := c.a.Object(int(m.Animation) - 1)
		if err != nil {
			t.Fatal(err)
		}
		c.count[".psa file"]++
		sameMotions(t, path, ours, theirs, o.(*unreal.Animation))
	}
	return x
}

// sceneOf is the scene of an entry, as it comes out of a GLB.
func sceneOf(t *testing.T, a *archive, i int, path string) *asset.Scene {
	t.Helper()
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	v, err := formatOf(a, i).Lift(o, &format.Env{Archive: a, Entry: path})
	if err != nil {
		t.Fatal(err)
	}
	return through(t, v).(*asset.Scene)
}

// sameMotions compares the keys of two files. umodel drops the times of keys and spreads them evenly, so only tracks
// count that have a key for each frame, or one for all.
func sameMotions(t *testing.T, path string, ours, theirs *unreal.PSA, o *unreal.Animation) {
	t.Helper()
	for _, s := range ours.Sequences {
		n := slices.IndexFunc(theirs.Sequences, func(q unreal.PSASequence) bool { return strings.EqualFold(q.Name.Text, s.Name.Text) })
		if n < 0 || theirs.Sequences[n].Frames != s.Frames || len(ours.Bones) != len(theirs.Bones) {
			t.Errorf("%s: umodel has no %s of %d frames", path, s.Name.Text, s.Frames)
			continue
		}
		for k := range int(s.Frames) * len(ours.Bones) {
			track := &o.Moves[n].Tracks[k%len(ours.Bones)]
			if !slices.Contains([]int{1, int(s.Frames)}, len(track.Positions)) || !slices.Contains([]int{1, int(s.Frames)}, len(track.Rotations)) {
				continue
			}
			p, q := &ours.Keys[int(s.First)*len(ours.Bones)+k], &theirs.Keys[int(theirs.Sequences[n].First)*len(ours.Bones)+k]
			if !near3(p.Position, turned(q.Position)) || !sameRotation(p.Rotation, [4]float32{-q.Rotation[0], -q.Rotation[1], q.Rotation[2], q.Rotation[3]}) {
				t.Errorf("%s: %s, frame %d, bone %d is %v %v; umodel has %v %v", path, s.Name.Text, k/len(ours.Bones), k%len(ours.Bones), p.Position, p.Rotation, q.Position, q.Rotation)
				return
			}
		}
	}
}

// weights compares what bones pull at every point. umodel keeps the four strongest, in bytes.
func (c *umodelCheck) weights(t *testing.T, m *unreal.SkeletalMesh, x *unreal.PSK, path string) {
	t.Helper()
	pulls := func(n int) []map[int]float64 {
		list := make([]map[int]float64, n)
		for i := range list {
			list[i] = map[int]float64{}
		}
		return list
	}
	theirs, ours := pulls(len(x.Points)), pulls(len(m.Points))
	for _, w := range x.Weights {
		theirs[w.Point][int(w.Bone)] += float64(w.Weight)
	}
	for bone, part := range m.BoneWeights {
		for _, w := range m.Weights[part.First : int(part.First)+int(part.Count)] {
			ours[w.Point][bone] += float64(w.Weight) / math.MaxUint16
		}
	}
	at := map[[3]float64][]int{}
	for i, p := range m.Points {
		at[hundredths(p)] = append(at[hundredths(p)], i)
	}
	for i, p := range x.Points {
		here := at[hundredths(turned(p))]
		if !slices.ContainsFunc(here, func(k int) bool { return samePulls(ours[k], theirs[i]) }) {
			t.Errorf("%s: the point at %v is pulled by %v in umodel's file; usher has points %v there", path, turned(p), theirs[i], here)
			return
		}
	}
}

func samePulls(ours, theirs map[int]float64) bool {
	if len(ours) > 4 {
		return len(theirs) == 4
	}
	for bone, w := range ours {
		if math.Abs(w-theirs[bone]) > 1.0/128 {
			return false
		}
	}
	return true
}

func near3(a, b [3]float32) bool {
	for k := range a {
		if !space.Close(a[k], b[k], 1e-4) {
			return false
		}
	}
	return true
}

// sameRotation reports whether two quaternions are one rotation.
func sameRotation(a, b [4]float32) bool {
	dot := 0.0
	for k := range a {
		dot += float64(a[k]) * float64(b[k])
	}
	return math.Abs(math.Abs(dot)-1) < 1e-4
}

// ring puts three corners into an order that does not depend on which is the first.
func ring(p [3]string) string {
	k := slices.Index(p[:], slices.Min(p[:]))
	return p[k] + p[(k+1)%3] + p[(k+2)%3]
}

// motions compares names, rates and the keys of tracks that have one for every frame, or one for all.
func (c *umodelCheck) motions(t *testing.T, o *unreal.Animation, path string) {
	t.Helper()
	b, ok := c.take(path + ".psa")
	if !ok {
		if len(o.Moves) > 0 {
			t.Errorf("%s: umodel has no such motions", path)
		}
		return
	}
	x, err := read.PSA(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.count["motions"]++
	if len(x.Sequences) != len(o.Moves) || len(x.Bones) != len(o.Bones) {
		t.Errorf("%s: umodel has %d sequences of %d bones, usher %d of %d", path, len(x.Sequences), len(x.Bones), len(o.Moves), len(o.Bones))
		return
	}
	for i, s := range x.Sequences {
		q := &o.Sequences[i]
		if s.Frames != q.Frames || s.Rate != q.Rate || !strings.EqualFold(s.Name.Text, c.a.Name(q.Name)) {
			t.Errorf("%s: sequence %d is %s, %d frames at %v; umodel has %s, %d at %v", path, i, c.a.Name(q.Name), q.Frames, q.Rate, s.Name.Text, s.Frames, s.Rate)
			continue
		}
		for bone := range o.Moves[i].Tracks {
			track := &o.Moves[i].Tracks[bone]
			for f := range int(s.Frames) {
				k := &x.Keys[(int(s.First)+f)*len(x.Bones)+bone]
				if n := len(track.Positions); n == 1 || n == int(s.Frames) {
					c.count["key"]++
					if p := track.Positions[min(f, n-1)]; !near3(turned(k.Position), p) {
						t.Errorf("%s: %s, bone %d, frame %d is at %v; umodel has %v", path, s.Name.Text, bone, f, p, turned(k.Position))
						return
					}
				}
				if n := len(track.Rotations); n == 1 || n == int(s.Frames) {
					r := [4]float32{-k.Rotation[0], -k.Rotation[1], k.Rotation[2], k.Rotation[3]}
					if q := track.Rotations[min(f, n-1)]; !sameRotation(r, q) {
						t.Errorf("%s: %s, bone %d, frame %d is turned by %v; umodel has %v", path, s.Name.Text, bone, f, q, r)
						return
					}
				}
			}
		}
	}
}
