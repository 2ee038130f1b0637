package convert

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Lower hands an asset to a format that is to be made of it. A scene is first rid of what glTF alone can say. Its lights
// are named where the format has not said what becomes of them.
func Lower(f *format.Format, a asset.Asset, env *format.Env) (any, error) {
	if t, ok := a.(*asset.Table); ok {
		settle(f, t, env)
	}
	s, ok := a.(*asset.Scene)
	if !ok {
		return f.Lower(a, env)
	}
	scene.Unwrap(s)
	scene.TellOfExtras(s, env.Diagnostics)
	scene.Plain(s, env.Diagnostics)
	v, err := f.Lower(a, env)
	if err == nil && !f.Lights && !env.Diagnostics.Has("light") {
		scene.TellLights(s, env.Diagnostics)
	}
	return v, err
}
