package archive

import (
	"bytes"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// leafFormats are how the payloads of leaves are read.
var leafFormats = map[freelancer.LeafKind]*format.Format{
	freelancer.MeshLeaf:    leaf("vmesh", "Freelancer mesh", read.VMesh, write.VMesh),
	freelancer.RefLeaf:     leaf("vmeshref", "Freelancer mesh reference", read.VMeshRef, write.VMeshRef),
	freelancer.WireLeaf:    leaf("vwire", "Freelancer wireframe", read.VWire, write.VWire),
	freelancer.EffectsLeaf: documented(leaf("aleffects", "Freelancer effect library", read.EffectLibrary, write.EffectLibrary), page.EffectLibrary),
	freelancer.NodesLeaf:   documented(leaf("alenodes", "Freelancer effect node library", read.NodeLibrary, write.NodeLibrary), page.NodeLibrary),
	freelancer.TextLeaf:    leaf("fltext", "Freelancer text leaf", read.Text, write.Text),
	freelancer.FloatsLeaf:  leaf("flfloats", "Freelancer leaf of numbers", read.Floats, write.Floats),
	freelancer.IntsLeaf:    leaf("flints", "Freelancer leaf of integers", read.Ints, write.Ints),
	freelancer.ShortsLeaf:  leaf("flshorts", "Freelancer leaf of 16-bit integers", read.Shorts, write.Shorts),
}

// jointFormats are those of the leaves of Cons, whose name tells their layout.
var jointFormats = func() map[freelancer.JointKind]*format.Format {
	m := map[freelancer.JointKind]*format.Format{}
	for k := freelancer.Fix; k <= freelancer.Trans; k++ {
		m[k] = leaf("fl"+strings.ToLower(k.String()), "Freelancer joints of kind "+k.String(),
			func(b []byte, d *schema.Diagnostics) (*freelancer.Joints, error) { return read.Joints(k, b, d) }, write.Joints)
	}
	return m
}()

func leaf[T any](name, title string, r func([]byte, *schema.Diagnostics) (*T, error), w func(*T) ([]byte, error)) *format.Format {
	f := format.Of(format.Format{Name: name, Family: "freelancer", Title: title, Kind: format.Table, Probe: format.Never},
		format.Functions[T, asset.Asset]{Read: r, Write: w})
	return &f
}

func documented(f *format.Format, d *format.Document) *format.Format {
	f.Document = d
	return f
}

// Leaves lists the formats of leaves.
func Leaves() []format.Format {
	list := make([]format.Format, 0, len(leafFormats)+len(jointFormats)+3)
	for k := freelancer.OpaqueLeaf; k <= freelancer.WaveLeaf; k++ {
		if f := leafFormats[k]; f != nil {
			list = append(list, *f)
		}
	}
	for k := freelancer.Fix; k <= freelancer.Trans; k++ {
		list = append(list, *jointFormats[k])
	}
	return append(list, *texture.DDS, *texture.TGA, voice.Line)
}

// begins reports whether a payload has a signature of four bytes, wherever it is.
func begins(n *freelancer.Node, magic string) bool {
	if !n.InFile() {
		return bytes.HasPrefix(n.Data, []byte(magic))
	}
	var b [4]byte
	_, err := n.Slot.Stored.ReadAt(b[:], 0)
	return err == nil && string(b[:]) == magic
}

// smaller reports whether a leaf is a level of a Targa below the largest one.
func smaller(kind freelancer.LeafKind, n *freelancer.Node) bool {
	level, ok := freelancer.MipLevel(n.Name)
	return kind == freelancer.TGALeaf && ok && level > 0
}

// leafFormat returns how a leaf's payload is read; nil for one that stays bytes.
func leafFormat(kind freelancer.LeafKind, n *freelancer.Node) *format.Format {
	if kind == freelancer.JointsLeaf {
		joint, _ := freelancer.JointKindOf(n.Name)
		return jointFormats[joint]
	}
	if smaller(kind, n) {
		return nil // made from the largest one
	}
	switch kind {
	case freelancer.WaveLeaf:
		if begins(n, "RIFF") {
			return &voice.Line
		}
	case freelancer.DDSLeaf:
		if begins(n, "DDS ") {
			return texture.DDS
		}
	case freelancer.TGALeaf:
		if n.Length() > 0 {
			return texture.TGA
		}
	}
	return leafFormats[kind]
}
