package ultima9

import (
	"fmt"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"
)

func sdInfoFacts(s *ultima9.SDInfo) []format.Fact {
	return []format.Fact{
		{Name: "size", Value: fmt.Sprintf("%d x %d", s.Width, s.Height)},
		{Name: "frames", Value: int(s.Frames)},
		{Name: "mips", Value: int(s.Mips)},
	}
}

func typesFacts(t *ultima9.Types) []format.Fact {
	return []format.Fact{{Name: "active types", Value: int(t.Active)}, {Name: "character types", Value: int(t.NPCs)}}
}

func typeNameFacts(t *ultima9.TypeName) []format.Fact {
	facts := []format.Fact{{Name: "readable text", Value: int(t.Text)}, {Name: "icon", Value: int(t.Icon)}}
	if t.Name != nil {
		facts = append(facts, format.Fact{Name: "name", Value: *t.Name})
	}
	return facts
}

func registryFacts(r *ultima9.Registry) []format.Fact {
	return []format.Fact{{Name: "names", Value: len(r.Names())}}
}
