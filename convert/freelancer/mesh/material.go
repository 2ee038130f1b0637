package mesh

import (
	"fmt"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Default is the material of primitives that have none.
const Default = "default"

// MaterialCRC returns the hash by which a group refers to a material. One whose name is not known is called by its
// hash.
func MaterialCRC(m *asset.Material) uint32 {
	if m != nil {
		if crc, ok := freelancer.ParseHash(m.Name); ok {
			return uint32(crc)
		}
	}
	return freelancer.FLCRC(MaterialName(m))
}

// MaterialName returns the name under which a material is stored; that of primitives that have none is a usual one.
func MaterialName(m *asset.Material) string {
	switch {
	case m == nil:
		return Default
	case m.Name == "":
		return "material"
	}
	name, ok := schema.EncodeWindows1252(m.Name)
	if !ok || len(name) > 63 {
		return fmt.Sprintf("material_%08x", freelancer.FLCRC(m.Name))
	}
	return m.Name
}
