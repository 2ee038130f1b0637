package unreal

import (
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/unreal"
)

// uses returns the assets of other packages that the package imports, in the order of its table.
func (a *archive) uses() (list []format.Use) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for i := range a.Imports {
		m := &a.Imports[i]
		class := a.Name(m.ClassName)
		f, known := leafFormats[unreal.Classes[class]]
		if strings.EqualFold(class, "Texture") {
			f, known = textureFormat, true
		}
		if !known || m.Outer == 0 {
			continue
		}
		path, err := a.Path(unreal.Ref(-i - 1))
		pkg, rest, inside := strings.Cut(path, ".")
		if err != nil || !inside {
			continue
		}
		u := format.Use{Archive: pkg, Path: rest, Class: class, Kind: f.Kind}
		for _, ext := range pack.Extensions {
			u.Files = append(u.Files, pkg+ext)
		}
		list = append(list, u)
	}
	return list
}
