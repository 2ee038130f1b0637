package library

import (
	"encoding/binary"
	"io/fs"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	write "github.com/usher-assets/usher/write/freelancer"
)

// What a model shows of a mesh that lies in another file rides with the scene, since that file may not be at hand on the way
// back. Such files are shared by many models: what rides is their VMeshData with zeros in place of all that this mesh does
// not show, and without the runs of zeros. GLBs of before that have them whole.

// CarryGroups stores what groups of a mesh were made from in an asset, if the mesh is in another file.
func (lm *Mesh) CarryGroups(m *asset.Mesh, ranges []freelancer.GroupRange) {
	if lm.Own {
		return
	}
	x := lm.excerpt()
	for _, r := range ranges {
		if r.Count == 0 {
			continue
		}
		used := lm.VMesh.Indices[r.FirstIndex : r.FirstIndex+r.Count]
		x.groups(r.Group, r.Group+1)
		x.indices(r.FirstIndex, r.FirstIndex+r.Count)
		x.vertices(r.FirstVertex+int(slices.Min(used)), r.FirstVertex+int(slices.Max(used))+1)
	}
	lm.ride(m, x)
}

// CarryLines is CarryGroups for the vertices that a wireframe joins.
func (lm *Mesh) CarryLines(m *asset.Mesh, w *freelancer.VWire) {
	if lm.Own {
		return
	}
	x := lm.excerpt()
	if len(w.Indices) > 0 {
		x.vertices(int(w.VertexStart)+int(slices.Min(w.Indices)), int(w.VertexStart)+int(slices.Max(w.Indices))+1)
	}
	lm.ride(m, x)
}

func (lm *Mesh) ride(m *asset.Mesh, x *excerpt) {
	m.Native = rig.Native(scene.ForReading(map[string]any{"library": lm.Name, sparseSize: float64(len(x.out))}))
	m.Native.Payload = withoutZeros(x.out)
}

// sparseSize is the value that tells how large the VMeshData was whose zeros are left out.
const sparseSize = "sparse"

// excerpt is a VMeshData of which a part is taken over.
type excerpt struct {
	from, out            []byte
	groupAt, indexAt, at int // where groups, indices and vertices begin
	stride               int
}

// excerpt returns an empty one: the header, and how many indices each group has.
func (lm *Mesh) excerpt() *excerpt {
	const header, group = 16, 12
	b := lm.Leaf.Data
	x := &excerpt{from: b, out: make([]byte, len(b)), groupAt: header, stride: lm.VMesh.FVF.Stride()}
	x.indexAt = header + group*len(lm.VMesh.Groups)
	x.at = x.indexAt + 2*len(lm.VMesh.Indices)
	copy(x.out, b[:header])
	for i := range lm.VMesh.Groups {
		at := header + group*i + 8
		copy(x.out[at:at+2], b[at:])
	}
	return x
}

func (x *excerpt) take(at, size, from, to int) {
	copy(x.out[at+size*from:at+size*to], x.from[at+size*from:])
}

func (x *excerpt) groups(from, to int)   { x.take(x.groupAt, 12, from, to) }
func (x *excerpt) indices(from, to int)  { x.take(x.indexAt, 2, from, to) }
func (x *excerpt) vertices(from, to int) { x.take(x.at, x.stride, from, to) }

// withoutZeros returns bytes as pairs of runs: the number of zeros, the number of bytes behind them, and those.
func withoutZeros(b []byte) (out []byte) {
	const worth = 4 // zeros from which it pays to leave them out
	for len(b) > 0 {
		zeros := zerosOf(b)
		b = b[zeros:]
		n := 0
		for n < len(b) {
			z := zerosOf(b[n:])
			if z >= worth || n+z == len(b) && z > 0 {
				break
			}
			n += max(z, 1)
		}
		out = binary.AppendUvarint(out, uint64(zeros))
		out = binary.AppendUvarint(out, uint64(n))
		out, b = append(out, b[:n]...), b[n:]
	}
	return out
}

func zerosOf(b []byte) (n int) {
	for n < len(b) && b[n] == 0 {
		n++
	}
	return n
}

// fill puts what withoutZeros made into bytes that may hold other parts of the same file. It reports whether all of it fits.
func fill(into, runs []byte) bool {
	at := 0
	for len(runs) > 0 {
		zeros, k := binary.Uvarint(runs)
		if k <= 0 {
			return false
		}
		n, l := binary.Uvarint(runs[k:])
		if l <= 0 {
			return false
		}
		runs = runs[k+l:]
		if zeros > uint64(len(into)-at) || n > uint64(len(into)-at)-zeros || n > uint64(len(runs)) {
			return false
		}
		at += int(zeros)
		for i, x := range runs[:n] {
			if x != 0 {
				into[at+i] = x
			}
		}
		at, runs = at+int(n), runs[n:]
	}
	return true
}

// carriedMeshes is the name under which the meshes that a scene carries are found.
const carriedMeshes = "\x00carried"

// carried adds a file to those that a conversion finds.
type carried struct {
	format.Files
	file []byte
}

func (c carried) Find(names ...string) ([]byte, string, error) {
	switch {
	case len(names) == 1 && names[0] == carriedMeshes:
		return c.file, "", nil
	case c.Files == nil:
		return nil, "", fs.ErrNotExist
	}
	return c.Files.Find(names...)
}

// maxCarried bounds what all carried meshes need together; one has 7 MB at most, since its counts have 16 bits.
const maxCarried = 64 << 20

// Carried gives a conversion access to the meshes of other files that a scene carries.
func Carried(s *asset.Scene, env *format.Env) {
	lib, room := freelancer.NewDir(freelancer.MeshLibrary), maxCarried
	for _, m := range s.Meshes {
		name, ok := rig.Values(m.Native)["library"].(string)
		if !ok || len(m.Native.Payload) == 0 || len(name) > freelancer.MaxName {
			continue
		}
		size, sparse := rig.Values(m.Native)[sparseSize].(float64)
		if !sparse {
			size = float64(len(m.Native.Payload))
		}
		dir := lib.Child(name)
		if dir == nil {
			if !(size > 0 && size <= float64(room)) {
				continue
			}
			room -= int(size)
			dir = lib.Add(freelancer.NewDir(name, freelancer.NewLeaf("VMeshData", make([]byte, int(size)))))
		}
		whole := dir.Children[0].Data
		if !sparse && len(whole) == len(m.Native.Payload) {
			copy(whole, m.Native.Payload)
		} else if sparse && !fill(whole, m.Native.Payload) {
			env.Diagnostics.Warnf("native-unusable", m.Name, "what the scene carries of the mesh %q is damaged", name)
		}
	}
	t := freelancer.NewTree()
	t.Root.Add(lib)
	b, err := write.UTF(t)
	if err != nil || len(lib.Children) == 0 {
		return
	}
	env.Files = carried{env.Files, b}
	env.Options.With = append(slices.Clone(env.Options.With), carriedMeshes)
}
