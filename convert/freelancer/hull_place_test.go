package freelancer_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/flread"
)

// TestHullsLieOnTheirModels holds the box of a model's hulls against that of its meshes, for all collision files whose
// model is at hand. Hulls that hang on hardpoints, such as the shield's bubble, are no part of it.
func TestHullsLieOnTheirModels(t *testing.T) {
	dir := corpus.Folder(t, "freelancer")
	list, err := filepath.Glob(filepath.Join(dir, "sur", "*.sur"))
	if err != nil {
		t.Fatal(err)
	}
	var apart []float64
	for _, p := range list {
		stem := strings.TrimSuffix(filepath.Base(p), ".sur")
		for _, kind := range []string{"cmp", "3db"} {
			models, err := filepath.Glob(filepath.Join(dir, stem+"."+kind))
			if err != nil || len(models) == 0 {
				continue
			}
			f := byName(t, kind)
			v, err := f.Read(corpus.Bytes(t, models[0]), nil)
			if err != nil {
				t.Fatal(err)
			}
			a, err := f.Lift(v, &format.Env{Name: stem + "." + kind, Files: memory{stem + ".sur": corpus.Bytes(t, p)}})
			if err != nil {
				t.Fatal(err)
			}
			far := hullDistance(a.(*asset.Scene))
			if !(far < 0.5) { // zp-model's hull is that of another thing: 0.41
				t.Errorf("%s: the boxes of hulls and meshes are %.3f of its size apart", stem, far)
			}
			apart = append(apart, far)
		}
	}
	slices.Sort(apart)
	if n := len(apart); n < 11 || apart[n/2] > 0.001 || apart[n*8/10] > 0.1 {
		t.Errorf("%d models, the boxes apart %.4f", n, apart)
	}
}

// hullDistance returns how far the sides of the two boxes are apart at most, in the size of the meshes.
func hullDistance(s *asset.Scene) float64 {
	meshes, hulls := flread.Empty(), flread.Empty()
	var visit func(n *asset.Node, m mgl64.Mat4, onHardpoint bool)
	visit = func(n *asset.Node, m mgl64.Mat4, onHardpoint bool) {
		x := n.Transform
		m = m.Mul4(mgl64.Translate3D(float64(x.Translation[0]), float64(x.Translation[1]), float64(x.Translation[2])))
		m = m.Mul4(mgl64.Quat{W: float64(x.Rotation[3]), V: mgl64.Vec3{float64(x.Rotation[0]), float64(x.Rotation[1]), float64(x.Rotation[2])}}.Mat4())
		hull := n.Extras["hull"] == true
		if n.Mesh != nil && !strings.Contains(n.Name, "$lod") && !(hull && onHardpoint) {
			box := &meshes
			if hull {
				box = &hulls
			}
			for _, p := range n.Mesh.Primitives {
				for _, v := range p.Positions {
					if p.Mode == asset.Triangles {
						box.Add(mgl64.TransformCoordinate(mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}, m))
					}
				}
			}
		}
		for _, c := range n.Children {
			visit(c, m, onHardpoint || n.Kind == asset.Hardpoint)
		}
	}
	for _, r := range s.Roots {
		visit(r, mgl64.Ident4(), false)
	}
	size, far := 0.0, 0.0
	for k := range 3 {
		size = max(size, meshes.Max[k]-meshes.Min[k])
		far = max(far, math.Abs(meshes.Max[k]-hulls.Max[k]), math.Abs(meshes.Min[k]-hulls.Min[k]))
	}
	return far / size
}
