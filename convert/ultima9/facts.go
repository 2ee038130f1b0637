package ultima9

import (
	"fmt"
	"maps"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"
)

func textureFacts(t *ultima9.TextureSet) []format.Fact {
	facts := []format.Fact{
		{Name: "size", Value: fmt.Sprintf("%d x %d", t.MaxWidth, t.MaxHeight)},
		{Name: "frames", Value: len(t.Frames)},
		{Name: "mips", Value: int(t.Mips)},
	}
	if len(t.Frames) > 0 {
		if kind, err := t.Format(0); err == nil {
			facts = append(facts, format.Fact{Name: "format", Value: kind.String()}, format.Fact{Name: "colour key", Value: t.Frames[0].Flags.Keyed()})
		}
	}
	if fps := t.Playback.Fields().FPS; fps > 0 {
		facts = append(facts, format.Fact{Name: "frames per second", Value: int(fps)})
	}
	return facts
}

func sappearFacts(m *ultima9.Mesh) []format.Fact {
	faces := make([]int, m.LODs)
	mounts := 0
	textures := map[uint16]bool{}
	for i := range m.Limbs {
		for k := range m.Limbs[i].LODs {
			l := &m.Limbs[i].LODs[k]
			faces[k] += len(l.Faces)
			mounts += len(l.MountFaces)
			for _, x := range l.Materials {
				textures[x.Texture] = true
			}
		}
	}
	delete(textures, ultima9.NoTexture)
	return []format.Fact{
		{Name: "limbs", Value: len(m.Limbs)},
		{Name: "levels of detail", Value: int(m.LODs)},
		{Name: "faces of each level", Value: faces},
		{Name: "mount faces", Value: mounts},
		{Name: "textures", Value: slices.Sorted(maps.Keys(textures))},
	}
}

func animFacts(a *ultima9.Anim) []format.Fact {
	names := make([]string, len(a.Parts))
	for i := range a.Parts {
		names[i] = a.Parts[i].Name
	}
	return []format.Fact{
		{Name: "clip", Value: int(a.ID)},
		{Name: "source", Value: a.Source},
		{Name: "frames", Value: int(a.FrameCount)},
		{Name: "frames per second", Value: int(a.FPS)},
		{Name: "parts", Value: names},
		{Name: "events", Value: len(a.Events)},
	}
}

func sdInfoFacts(s *ultima9.SDInfo) []format.Fact {
	return []format.Fact{
		{Name: "size", Value: fmt.Sprintf("%d x %d", s.Width, s.Height)},
		{Name: "frames", Value: int(s.Frames)},
		{Name: "mips", Value: int(s.Mips)},
	}
}

func paletteFacts(p *ultima9.Palette) []format.Fact {
	return []format.Fact{{Name: "colours", Value: len(p.Colors)}, {Name: "trailing bytes", Value: len(p.Trailing)}}
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
