package freelancer

import (
	"fmt"

	"github.com/usher-assets/usher/schema/asset"
)

// lancerEdit is the value of Options.Freelancer.For that arranges scenes as LancerEdit's importer reads them, and its exporter
// writes them: levels of detail hang on their parts and are called after them, and pictures have their rows as stored.
const lancerEdit = "lanceredit"

// defaultPose is the animation in which LancerEdit puts where the parts are at rest, which their nodes tell as well.
const defaultPose = "<Default>"

// forLancerEdit hangs levels of detail on their parts, and tells of what the importer refuses.
func (m *model) forLancerEdit() {
	if m.env.Options.Freelancer.For != lancerEdit {
		return
	}
	rest := asset.NewNode("").Transform
	m.scene.Walk(func(n, _ *asset.Node) {
		for i, l := range n.LODs {
			l.Name, l.Transform = fmt.Sprintf("%s$lod%d", n.Name, i+1), rest
			n.Children = append(n.Children, l)
		}
		n.LODs = nil
	})
	switch {
	case len(m.scene.Roots) != 1:
		m.d.Warnf("lanceredit-roots", m.scene.Name, "LancerEdit takes models of one root, and this one has %d", len(m.scene.Roots))
	case m.scene.Roots[0].Mesh == nil:
		m.d.Warnf("lanceredit-root", m.scene.Name, "LancerEdit wants a mesh at the root, and %q has none", m.scene.Roots[0].Name)
	}
}
