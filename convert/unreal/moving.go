package unreal

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// movingView shows the record of a texture that the engine computes as a picture, or as pictures where it is to move. There is no
// way back: what can be edited are the parameters, in the record.
func (a *archive) movingView(i int) *format.Format {
	f := leaf("unreal-moving-texture", "texture that the engine computes from parameters, as a picture", format.Texture)
	f.Lift = func(v any, env *format.Env) (asset.Asset, error) {
		a.mu.RLock()
		defer a.mu.RUnlock()
		r, ok := v.(*Record)
		if !ok {
			return nil, noneOf(objectName, v)
		}
		return a.liftMoving(i, r, env)
	}
	return &f
}

func (a *archive) liftMoving(i int, r *Record, env *format.Env) (asset.Asset, error) {
	o, err := a.Decode(i, r.Stored, nil)
	if err != nil {
		return nil, err
	}
	x, ok := o.(*unreal.Texture)
	if !ok {
		return nil, noneOf(objectName, o)
	}
	n := 1
	if env.Given().Moving {
		n = pack.Frames
	}
	t, err := a.Compute(x, n)
	if err != nil {
		return nil, err
	}
	env.Told().Notef("computed", x.Path, "the picture is computed as the engine does it: the object has parameters, and no pixels")
	t.Native = &asset.Native{Format: objectName, Values: map[string]any{}}
	scene.SetShown(t.Native, "computed", "from the parameters of a "+x.Class)
	return t, nil
}
