package unreal

import (
	"bytes"
	"slices"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/wav"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftSound decodes the WAV file that a sound holds; Stored is that file. Content that is no WAV file stays stored.
func liftSound(a *archive, i int, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
	x := o.(*unreal.Sound)
	s := heard(x)
	s.Name = lastName(x.Path)
	var err error
	s.Native, err = native(soundName, x)
	return s, err
}

func heard(x *unreal.Sound) *asset.Sound {
	s, err := wav.Decode(x.Data)
	if err != nil {
		s = &asset.Sound{Stored: &asset.Stored{Encoding: x.Package.Name(x.FileType), Data: x.Data}}
	} else if s.Stored == nil {
		s.Stored = &asset.Stored{Encoding: wav.Encoding, Data: x.Data}
	}
	return s
}

// lowerSound keeps the stored file while the sound is the same, and makes a WAV file otherwise.
func lowerSound(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, ok := v.(*asset.Sound)
	if !ok {
		return nil, schema.Errorf(soundName, schema.ErrUnsupported, "", "a %T cannot become a sound", v)
	}
	stored, err := a.original(i, soundName, s.Native)
	if err != nil {
		return nil, err
	}
	x, old := stored.(*unreal.Sound)
	if old && sameSound(s, heard(x)) {
		return x, nil
	}
	file := s
	if len(s.PCM) > 0 {
		edited := *s
		edited.Stored = nil
		file = &edited
	}
	var w bytes.Buffer
	if err := wav.Encode(&w, file); err != nil {
		return nil, err
	}
	if !old {
		x = &unreal.Sound{FileType: a.p.AddName("wav")}
		x.Context, x.End = &unreal.Context{Package: a.p, Class: "Sound"}, a.p.AddName("None")
	}
	if s.Stored != nil && s.Stored.Encoding == wav.Encoding && !old {
		if whole, err := wav.Decode(s.Stored.Data); err == nil && sameSound(s, whole) { // a file that was not edited
			x.Data = s.Stored.Data
			return x, nil
		}
	}
	x.Data = w.Bytes()
	if s.Float || s.Bits > 16 {
		diagnostics(env).Warnf("sample-format", s.Name, "the game plays 8 and 16 bits only, not %d", s.Bits)
	}
	return x, nil
}

// sameSound compares what is heard.
func sameSound(a, b *asset.Sound) bool {
	if len(a.PCM) == 0 && len(b.PCM) == 0 {
		return a.Stored != nil && b.Stored != nil && bytes.Equal(a.Stored.Data, b.Stored.Data)
	}
	return a.Rate == b.Rate && a.Channels == b.Channels && a.Bits == b.Bits && a.Float == b.Float && bytes.Equal(a.PCM, b.PCM) &&
		slices.Equal(a.Loops, b.Loops) && slices.Equal(a.Cues, b.Cues)
}
