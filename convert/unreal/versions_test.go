package unreal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestVersions: what is made new is made in every version of the format, and each of its objects goes there and back.
// USHER_KEEP names a folder for the packages, which "make engine" gives to the engine.
func TestVersions(t *testing.T) {
	makers := map[string]func(t testing.TB, version uint16) *archive{
		"hall.unr": hall, "room.unr": roomMap, "made.u": made, "letters.utx": lettersOf,
	}
	for version := uint16(unreal.MinVersion); version <= unreal.MaxVersion; version++ {
		for name, create := range makers {
			name = fmt.Sprint(version, "_", name)
			b := written(t, create(t, version))
			a := openBytes(t, name, b)
			if a.Version != version {
				t.Errorf("%s: version %d", name, a.Version)
			}
			for i := range a.Entries() {
				back(t, a, i, map[string]int{})
			}
			if dir := os.Getenv("USHER_KEEP"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// lettersOf is a package with a font.
func lettersOf(t testing.TB, version uint16) *archive {
	x, _ := Create(&format.Env{Name: "letters.utx"})
	a := x.(*archive)
	a.Version = version
	add(t, a, "Big/Letters", letters(1+int(version)/unreal.RemapVersion), format.Texture)
	return a
}
