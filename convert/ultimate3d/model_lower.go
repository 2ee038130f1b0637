package ultimate3d

import (
	"math"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultimate3d"
)

// Lower turns a scene into a model (reference section 9). If the scene was lifted from a model, an unedited scene gives the
// same model again, and an edit changes only what it must. A scene from elsewhere, or one whose nodes were added, removed
// or moved to another parent, is built anew from what it shows.
//
// It fails with ErrLimit if the scene exceeds the counts of the format, with ErrUnsupported if the engine cannot show what
// is asked for, and with ErrValue for values that no field can hold.
func Lower(s *asset.Scene, env *format.Env) (*ultimate3d.Model, error) {
	env = env.Given()
	l := &lowerer{s: s, env: env, d: env.Diagnostics, fps: env.Options.Ultimate3D.FPS}
	n := ours(s.Native)
	if !(l.fps > 0) {
		l.fps = DefaultFPS
		if n != nil {
			if f, ok := scene.Number(scene.Shown(n, keyFPS)); ok && f > 0 && !math.IsInf(f, 0) {
				l.fps = f
			}
		}
	}
	restore.Unwrap(s)
	restore.JoinCopies(s, nil)
	l.carryLevels()
	if err := scene.Lost(s, &holds, l.d); err != nil {
		return nil, err
	}
	m, err := l.native()
	if err != nil {
		return nil, err
	}
	if err := m.Check(nil, nil); err != nil {
		return nil, err
	}
	return m, nil
}

type lowerer struct {
	s   *asset.Scene
	env *format.Env
	d   *schema.Diagnostics
	fps float64

	materials map[*asset.Material]int // number in the model
	written   map[string][]byte       // texture files, by name in lower case
	told      told
}

// native returns the model that a scene is: the one that it was lifted from with its edits, or a new one.
func (l *lowerer) native() (*ultimate3d.Model, error) {
	m, err := l.lowerEdited()
	if m == nil && err == nil {
		l.told = told{}
		m, err = l.lowerNew()
	}
	if err == nil {
		l.tell()
		l.tellLooks(m)
	}
	return m, err
}
