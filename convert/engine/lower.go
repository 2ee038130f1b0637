package engine

import (
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema/asset"
)

// Lower converts an asset to a value of format f. It knows best which code page its texts are in. A table is first completed to the whole record. A scene loses what only
// glTF can express. Lights, cameras and empty nodes are reported if the format does not handle them itself.
func Lower(f *format.Format, a asset.Asset, env *format.Env) (any, error) {
	if f == nil || f.Lower == nil {
		return nil, errNothing
	}
	a, env = asset.Given(a), env.Given()
	if err := asset.Check(a); err != nil {
		return nil, err
	}
	if page := scene.ShownText(interchange.NativeOf(a), format.CodePageValue); page != "" {
		own := *env
		own.Options.CodePage, env = page, &own
	}
	if t, ok := a.(*asset.Table); ok {
		return lowerTable(f, t, env)
	}
	s, ok := a.(*asset.Scene)
	if !ok {
		return f.Lower(a, env)
	}
	restore.Unwrap(s)
	restore.TakeLevels(s)
	restore.TellOfExtras(s, env.Diagnostics)
	refill(f, s, env)
	scene.Plain(s, env.Diagnostics)
	empties := scene.Empties(s, f.Empties)
	v, err := f.Lower(a, env)
	if err == nil {
		scene.TellEmpties(empties, env.Diagnostics)
	}
	if err == nil && !f.Lights && !env.Diagnostics.Has("light") {
		scene.TellLights(s, env.Diagnostics)
	}
	if err == nil && !f.Cameras && !env.Diagnostics.Has("camera") {
		scene.TellCameras(s, env.Diagnostics)
	}
	return v, err
}

// refill gives a scene back what a program left out that takes away what shows nothing. The original is the one that the
// scene keeps.
func refill(f *format.Format, s *asset.Scene, env *format.Env) {
	if !restore.Does(s, restore.DropsUnused) || f.Lift == nil || f.Read == nil {
		return
	}
	for _, stored := range keptOriginals(f, s) {
		if was, err := interchange.OriginalOf(f, stored, env).Scene(); err == nil {
			restore.Refill(was, s, env.Diagnostics)
			return
		}
	}
}

// keptOriginals returns what may be the file that a scene was made from: what the scene itself keeps, or a node at its top.
func keptOriginals(f *format.Format, s *asset.Scene) (list [][]byte) {
	if n := s.Native; n != nil && len(n.Payload) > 0 {
		list = append(list, n.Payload)
	}
	for _, n := range s.Roots {
		if n.Native != nil && n.Native.Format == f.Name && len(n.Native.Payload) > 0 {
			list = append(list, n.Native.Payload)
		}
	}
	return list
}
