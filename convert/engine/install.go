package engine

import (
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer"
	"github.com/usher-assets/usher/convert/ultima9"
	"github.com/usher-assets/usher/convert/unreal"
	"github.com/usher-assets/usher/schema"
)

// Installs is every game whose installation usher knows as a whole.
var Installs = []format.Install{freelancer.Install, unreal.Install, ultima9.Install}

// DescribeInstall describes the game installed in a folder: first the whole, then each thing with what belongs to it, named
// "dir: thing". The result is nil if the folder holds no known game.
func DescribeInstall(dir string) []*Description {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	folders := []string{dir}
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, filepath.Join(dir, e.Name()))
		}
	}
	for _, x := range Installs {
		if x.Describe == nil {
			continue
		}
		d := new(schema.Diagnostics)
		parts := x.Describe(&format.Env{Name: filepath.Base(dir), Files: find.NewFiles(folders...), Diagnostics: d})
		if parts == nil {
			continue
		}
		list := make([]*Description, len(parts))
		for i, p := range parts {
			list[i] = &Description{Source: dir, Format: x.Family, Title: x.Title, Kind: "installation", Facts: p.Facts}
			if p.Name != "" {
				list[i].Source = dir + ": " + p.Name
			}
		}
		list[0].Diagnostics = d.All()
		return list
	}
	return nil
}
