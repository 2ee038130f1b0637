package convert

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Lower hands an asset to a format that is to be made of it. A scene is first rid of what glTF alone can say.
func Lower(f *format.Format, a asset.Asset, env *format.Env) (any, error) {
	if s, ok := a.(*asset.Scene); ok {
		scene.Plain(s, env.Diagnostics)
	}
	return f.Lower(a, env)
}
