package ultima9_test

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
)

// float reads a number of a sidecar, where null stands for one that is no number.
type float float32

func (f *float) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*f = float(math.NaN())
		return nil
	}
	var v float32
	err := json.Unmarshal(b, &v)
	*f = float(v)
	return err
}

type faceFacts struct {
	Corners []struct {
		V, Offset uint32
		Normal    [3]float
		UV        [2]float
		UVBits    *[2]uint32 `json:"uv_bits"`
	}
	Flags, Flags2 uint32
	Normal        [3]float
	W             float
	RawMaterial   uint32 `json:"raw_material"`
	Color         [4]uint8
	Extreme       [6]uint8
	SizeCode      uint16 `json:"size_code"`
}

type meshFacts struct {
	LODs       uint32 `json:"lod_count"`
	Shape      int16
	Thresholds [4]int32
	Diagonal   int32
	BoxMin     [3]float32 `json:"box_min"`
	BoxMax     [3]float32 `json:"box_max"`
	Sphere     [4]float32
	Limbs      []struct {
		ID, Parent      uint32
		Scale, Position [3]float32
		Rotation        [4]float32 `json:"rotation_wxyz"`
		LODs            []*struct {
			Size, Flags, Flags2 uint32
			Sphere              [4]float32
			BoxMin              [3]float32 `json:"box_min"`
			BoxMax              [3]float32 `json:"box_max"`
			Build               [2]uint32  `json:"build_pointers"`
			MaxFaces            uint32     `json:"max_faces"`
			Offsets             struct {
				Faces      uint32
				MountFaces uint32 `json:"mount_faces"`
				Vertices   uint32
				MountVerts uint32 `json:"mount_vertices"`
				Materials  uint32
				Sorted     [4]uint32
			}
			FaceCount int `json:"face_count"`
			Materials []struct {
				Texture, Pad0, Flags, Pad1     uint16
				FirstFace                      uint16 `json:"first_face"`
				FaceCount                      uint16 `json:"face_count"`
				DefaultAlpha                   uint8  `json:"default_alpha"`
				ActiveAlpha                    uint8  `json:"active_alpha"`
				Start, End, Current, FPS, Type uint8
				Direction                      uint8
				Timer                          uint32
			}
			Sorted     json.RawMessage
			Vertices   [][3]float32
			Faces      []faceFacts
			MountVerts [][3]float32 `json:"mount_vertices"`
			MountFaces []faceFacts  `json:"mount_faces"`
		}
	}
}

func TestSappearSidecars(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", "mesh", "*.mesh"))
	if len(files) < 11 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		b := corpus.Bytes(t, path)
		if read.IsIndexed(b) {
			continue
		}
		var want meshFacts
		corpus.JSON(t, path+".json", &want)
		m, err := read.Sappear(b, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		checkMesh(t, filepath.Base(path), m, &want)
	}
}

func sphere(c [3]float32, r float32) [4]float32 { return [4]float32{c[0], c[1], c[2], r} }

func checkMesh(t *testing.T, name string, m *ultima9.Mesh, want *meshFacts) {
	t.Helper()
	if m.LODs != want.LODs || int16(m.Shape) != want.Shape || m.Thresholds != want.Thresholds || m.DiagonalInertia != want.Diagonal ||
		m.BoxMin != want.BoxMin || m.BoxMax != want.BoxMax || sphere(m.SphereCentre, m.SphereRadius) != want.Sphere || len(m.Limbs) != len(want.Limbs) {
		t.Errorf("%s: header %+v", name, m)
		return
	}
	for i, w := range want.Limbs {
		l := &m.Limbs[i]
		if l.ID != w.ID || l.Parent != w.Parent || l.Scale != w.Scale || l.Position != w.Position || l.Rotation != w.Rotation || len(l.LODs) != len(w.LODs) {
			t.Errorf("%s: limb %d is %+v, want %+v", name, i, l, w)
			continue
		}
		for k, w := range w.LODs {
			lod := &l.LODs[k]
			if w == nil || lod.Empty() {
				if (w == nil) != lod.Empty() {
					t.Errorf("%s: limb %d level %d empty: %v", name, i, k, lod.Empty())
				}
				continue
			}
			o := w.Offsets
			if lod.Size != w.Size || uint32(lod.Flags) != w.Flags || uint32(lod.Flags2) != w.Flags2 || sphere(lod.SphereCentre, lod.SphereRadius) != w.Sphere ||
				lod.BoxMin != w.BoxMin || lod.BoxMax != w.BoxMax || lod.BuildPointers != w.Build || lod.MaxFaces != w.MaxFaces ||
				lod.FacesAt != o.Faces || lod.MountFacesAt != o.MountFaces || lod.VerticesAt != o.Vertices || lod.MountVerticesAt != o.MountVerts ||
				lod.MaterialsAt != o.Materials || lod.SortedAt != o.Sorted || len(lod.Faces) != w.FaceCount || len(lod.Materials) != len(w.Materials) {
				t.Errorf("%s: limb %d level %d is %+v, want %+v", name, i, k, lod, w)
				continue
			}
			for j, x := range w.Materials {
				if got := lod.Materials[j]; got != (ultima9.Material{Texture: x.Texture, Unknown02: x.Pad0, Flags: ultima9.RenderFlags(x.Flags), Unknown06: x.Pad1,
					FirstFace: x.FirstFace, FaceCount: x.FaceCount, DefaultAlpha: x.DefaultAlpha, ActiveAlpha: x.ActiveAlpha, Start: x.Start, End: x.End,
					Current: x.Current, FPS: x.FPS, Type: x.Type, Backward: ultima9.Direction(x.Direction), Timer: x.Timer}) {
					t.Errorf("%s: limb %d level %d material %d is %+v, want %+v", name, i, k, j, got, x)
				}
			}
			if w.Vertices == nil {
				continue // left out for size
			}
			if !slices.Equal(lod.Vertices, w.Vertices) || !slices.Equal(lod.MountVertices, w.MountVerts) {
				t.Errorf("%s: limb %d level %d: other vertices", name, i, k)
			}
			checkFaces(t, fmt.Sprintf("%s: limb %d level %d", name, i, k), lod.Faces, w.Faces)
			checkFaces(t, fmt.Sprintf("%s: limb %d level %d mount", name, i, k), lod.MountFaces, w.MountFaces)
			var sorted [4][]int16
			if err := json.Unmarshal(w.Sorted, &sorted); err != nil {
				t.Fatal(err)
			}
			for j, list := range sorted {
				if full := slices.Concat([]int16{-1}, list, []int16{-1}); !slices.Equal(lod.Sorted[j], full) {
					t.Errorf("%s: limb %d level %d: sorted list %d is %v, want %v", name, i, k, j, lod.Sorted[j], full)
				}
			}
		}
	}
}

func sameFloats(got []float32, want []float) bool {
	for i := range got {
		if got[i] != float32(want[i]) && !(math.IsNaN(float64(got[i])) && math.IsNaN(float64(want[i]))) {
			return false
		}
	}
	return true
}

func checkFaces(t *testing.T, what string, got []ultima9.Face, want []faceFacts) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d faces, want %d", what, len(got), len(want))
		return
	}
	for i, w := range want {
		f := &got[i]
		if uint32(f.Flags) != w.Flags || uint32(f.Flags2) != w.Flags2 || !sameFloats(f.Normal[:], w.Normal[:]) || !sameFloats([]float32{f.PlaneW}, []float{w.W}) ||
			f.RawMaterial != w.RawMaterial || f.Color != w.Color || f.Extremes != w.Extreme || f.SizeCode != w.SizeCode {
			t.Errorf("%s: face %d is %+v, want %+v", what, i, f, w)
		}
		for k, c := range w.Corners {
			g := &f.Corners[k]
			if g.Vertex != c.V || g.VertexOffset != c.Offset || !sameFloats(g.Normal[:], c.Normal[:]) || !sameFloats(g.UV[:], c.UV[:]) {
				t.Errorf("%s: face %d corner %d is %+v, want %+v", what, i, k, g, c)
			}
			if c.UVBits != nil && [2]uint32{math.Float32bits(g.UV[0]), math.Float32bits(g.UV[1])} != *c.UVBits {
				t.Errorf("%s: face %d corner %d: other bits in the UV", what, i, k)
			}
		}
	}
}
