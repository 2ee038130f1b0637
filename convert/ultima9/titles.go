package ultima9

import (
	"bytes"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/convert/ultima9/model"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
)

// titleHead is how much of a record is read for its title.
const titleHead = 64

// recordTitles names the records that hold a name of their own near their beginning: sounds by their description, books
// by their title, animations by the scene that they were made from, types of objects, spaces and sound templates by their name.
func recordTitles(a *ultima9.Archive, leaf *format.Format, env *format.Env) map[int]string {
	if leaf == nil {
		return nil
	}
	title, ok := map[string]func(b []byte) []byte{
		soundName:      func(b []byte) []byte { return part(b, 4, ultima9.SoundDescriptionSize) },
		bookName:       func(b []byte) []byte { return part(b, 4, int(min(uint32At(b), titleHead))) },
		model.AnimName: sceneTitle,
		typeNameName:   func(b []byte) []byte { return part(b, 6, titleHead) },
		"u9-space":     func(b []byte) []byte { return part(b, 0, ultima9.SpaceNameSize) },
		"u9-sfxtmpl":   nameIn(new(ultima9.SoundTemplate)),
		"u9-sfxcat":    nameIn(new(ultima9.SoundCategory)),
		"u9-sfxenv":    nameIn(new(ultima9.SoundEnvironment)),
	}[leaf.Name]
	if !ok {
		return nil
	}
	p, err := beside.Page(env)
	if err != nil {
		return nil
	}
	list := map[int]string{}
	head := make([]byte, titleHead)
	for i := range a.Len() {
		section, err := a.Section(i)
		if err != nil {
			continue
		}
		n, _ := section.ReadAt(head, 0)
		name, _, _ := bytes.Cut(title(head[:n]), []byte{0})
		if len(name) > 0 {
			list[i] = p.Decode(name)
		}
	}
	return list
}

// sceneTitle returns the name of the scene file that an animation was made from, without its folder and extension.
func sceneTitle(b []byte) []byte {
	name := part(b, 28, int(min(uint32At(part(b, 24, 4)), titleHead)))
	name = name[bytes.LastIndexAny(name, `\/`)+1:]
	if i := bytes.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return name
}

// ownerTitles names the records that belong to something with a name, slot by slot: the sounds of types of objects, and
// what characters do.
func ownerTitles(leaf *format.Format, env *format.Env) map[int]string {
	list := map[int]string{}
	switch leaf {
	case &soundLinkFormat:
		for i, n := range beside.TypeNames(env) {
			if n != nil && n.Name != nil && *n.Name != "" {
				list[i] = *n.Name
			}
		}
	case &activityFormat:
		p, bad := beside.Page(env)
		b, err := beside.Record(env, 0, "npc.flx")
		if bad != nil || err != nil {
			return nil
		}
		npcs, err := read.NPCs(b, nil)
		if err != nil {
			return nil
		}
		for i := range npcs.Records {
			if name := npcs.Records[i].Name.Text; name != "" {
				list[i] = p.Show(name)
			}
		}
	}
	return list
}

// nameIn returns what takes the field Name out of the bytes of a record.
func nameIn(record any) func(b []byte) []byte {
	f := schema.RecordOf(record).Field("Name")
	return func(b []byte) []byte { return part(b, f.Offset, f.Width) }
}

// part returns up to n bytes from a place.
func part(b []byte, at, n int) []byte {
	if at >= len(b) {
		return nil
	}
	return b[at:min(at+n, len(b))]
}

func uint32At(b []byte) uint32 {
	if len(b) < 4 {
		return 0
	}
	return le.Uint32(b)
}
