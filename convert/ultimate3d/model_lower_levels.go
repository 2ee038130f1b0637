package ultimate3d

import (
	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// carryLevels takes lower levels of detail along with the node that they belong to, where they still are where it was: in
// files that usher wrote formerly they stand beside it, so that an editor moves it alone.
func (l *lowerer) carryLevels() {
	var owners []*asset.Node
	was, at := &ultimate3d.Model{}, map[int]int{} // the bones as they were stored, and where they are by number
	l.s.Walk(func(n, _ *asset.Node) {
		switch i := number(n.Native, keyBone); {
		case len(n.LODs) > 0 && number(n.Native, keyMesh) >= 0:
			owners = append(owners, n)
		case i >= 0 && n.Mesh == nil:
			if b := l.boneOf(n.Native, "bone "+n.Name); b != nil {
				at[i] = len(was.Bones)
				was.Bones = append(was.Bones, b)
			}
		}
	})
	columns, size := was.ColumnMatrices(), scene.Size(l.s)
	for _, n := range owners {
		before, now := mgl64.Ident4(), scene.Matrix(&n.Transform)
		if i, ok := at[number(n.Native, keyBone)]; ok {
			if k := number(n.Native, keyAttachment); k >= 0 && k < len(was.Bones[i].Attachments) {
				before = mirrorMatrix(was.Transformation(i, k, columns))
			}
		}
		if scene.SamePlace(before, now, 0) || before.Det() == 0 || now.Det() == 0 {
			continue
		}
		moved := now.Mul4(before.Inv())
		for _, x := range n.LODs {
			if m := scene.Matrix(&x.Transform); scene.SamePlace(before, m, size) {
				x.Transform = scene.TransformOf(moved.Mul4(m))
			}
		}
	}
}
