package sculpt

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func itoa(n int) string { return strconv.Itoa(n) }

// shelf is files that lie beside another one.
type shelf map[string][]byte

// Find implements format.Files.
func (s shelf) Find(names ...string) ([]byte, string, error) {
	for _, name := range names {
		if b, ok := s[path.Base(name)]; ok {
			return b, name, nil
		}
	}
	return nil, "", fs.ErrNotExist
}

// record makes one record of an archive.
func (s shelf) record(name, entry string, a asset.Asset, expected ...string) ([]byte, error) {
	return lowered(formats.ByName(name), a, &format.Env{Name: name, Entry: entry, Files: s, Options: format.Options{Effort: media.Best}}, expected...)
}

// villageFiles makes archives as Ultima IX has them: a cottage, a villager, his walk, their pictures and their names.
func villageFiles(files map[string][]byte) error {
	house, man := &cottage{newPalette()}, &tailor{newPalette()}
	house.paint()
	man.coat(clothed, 1, false, clothes())
	villager := man.scene()
	walk := villager.Animations
	villager.Animations = nil

	beside := shelf{}
	names := "// limbs of the villager\r\n"
	for _, l := range man.limbs() {
		names += fmt.Sprintf("%d %s\r\n", l.id, l.name)
	}
	beside["registry.txt"] = []byte(names)
	archives := map[string]*ultima9.Archive{"bitmap16.flx": ultima9.NewArchive(8), "sappear.flx": ultima9.NewArchive(4), "anim.flx": ultima9.NewArchive(2), "typename.flx": ultima9.NewArchive(4)}
	put := func(archive string, slot int, b []byte, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %d: %w", archive, slot, err)
		}
		return archives[archive].Replace(slot, b)
	}
	for i, t := range append(house.textures, man.textures...) {
		t.Native = &asset.Native{Format: "u9-texture", Values: map[string]any{"format": ultima9.BC1.String()}}
		b, err := beside.record("u9-texture", itoa(i+1), t)
		if err := put("bitmap16.flx", i+1, b, err); err != nil {
			return err
		}
	}
	for i, s := range []*asset.Scene{house.scene(), villager} {
		b, err := beside.record("sappear", itoa(i+1), s, "no-custom-properties")
		if err := put("sappear.flx", i+1, b, err); err != nil {
			return err
		}
		b, err = write.TypeName(ultima9.NewTypeName(0, ultima9.DefaultIcon, s.Name))
		if err := put("typename.flx", i+1, b, err); err != nil {
			return err
		}
	}
	villager.Animations = walk
	b, err := beside.record("u9-anim", "1", villager, "no-custom-properties")
	if err := put("anim.flx", 1, b, err); err != nil {
		return err
	}
	for name, a := range archives {
		var w bytes.Buffer
		if err := write.FLX(&w, a); err != nil {
			return err
		}
		files["village/"+name] = w.Bytes()
	}
	files["village/registry.txt"] = beside["registry.txt"]
	return nil
}
