package unreal

import (
	"bytes"
	"slices"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// liftSound decodes the WAV file that a sound holds; Stored is that file. Content that is no WAV file stays stored.
// With ErrBare comes what is known of a sound without samples.
func liftSound(a *archive, x *unreal.Sound, env *format.Env) (asset.Asset, error) {
	s := heard(x)
	s.Name = pack.LastName(x.Path)
	var err error
	if s.Native, err = pack.Native(soundName, x); err == nil && len(x.Data) == 0 {
		err = schema.Errorf(soundName, schema.ErrBare, "", "%s has no samples: somebody took them out, as it is done for servers", x.Path)
	}
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

// soundFacts returns what is to know of a sound, as far as its file says.
func soundFacts(s *asset.Sound) []format.Fact {
	if s.Rate == 0 || s.Channels == 0 {
		return nil
	}
	facts := []format.Fact{{Name: "rate", Value: s.Rate}, {Name: "channels", Value: s.Channels}}
	if codec := wav.CodecName(s); codec != "" {
		return append(facts, format.Fact{Name: "codec", Value: codec})
	}
	return append(facts, format.Fact{Name: "bits", Value: s.Bits}, format.Fact{Name: "seconds", Value: float64(s.Frames()) / float64(s.Rate)})
}

// played is what the game plays (reference section 10).
var played = wav.Policy{Bits: []int{8, 16}, Channels: 2, Rate: 44100}

// lowerSound keeps the stored file while the sound is the same, and makes a WAV file that the game plays otherwise.
func lowerSound(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
	s, ok := v.(*asset.Sound)
	if !ok {
		return nil, schema.Errorf(soundName, schema.ErrUnsupported, "", "a %T cannot become a sound", v)
	}
	if err := pack.CheckValues(s.Native, soundName, "class"); err != nil {
		return nil, err
	}
	stored, err := a.Original(i, soundName, s.Native)
	if err != nil {
		return nil, err
	}
	x, old := stored.(*unreal.Sound)
	if old && sameSound(s, heard(x)) {
		return x, nil
	}
	if old && wav.CodecName(s) != "" && wav.CodecName(s) == wav.CodecName(heard(x)) { // it has been played in that codec
		x.Data = s.Stored.Data
		return x, nil
	}
	if len(s.PCM) == 0 && wav.CodecName(s) == "" {
		return nil, schema.Errorf(soundName, schema.ErrUnsupported, "", "only sampled sound can become a sound; a music module is music")
	}
	policy := played
	if old { // it has been played at that rate
		policy.Rate = max(policy.Rate, heard(x).Rate)
	}
	fit, err := policy.Fit(s, env.Samples, env != nil && env.Options.Strict, env.Told())
	if err != nil {
		return nil, err
	}
	file := fit
	if len(fit.PCM) > 0 {
		edited := *fit
		edited.Stored = nil
		file = &edited
	}
	var w bytes.Buffer
	if err := wav.Encode(&w, file); err != nil {
		return nil, err
	}
	if !old {
		x = &unreal.Sound{FileType: a.AddName("wav")}
		x.Context, x.End = &unreal.Context{Package: a.Package, Class: "Sound"}, a.AddName("None")
	}
	if fit == s && s.Stored != nil && s.Stored.Encoding == wav.Encoding && !old {
		if whole, err := wav.Decode(s.Stored.Data); err == nil && sameSound(s, whole) { // a file that was not edited
			x.Data = s.Stored.Data
			return x, nil
		}
	}
	x.Data = w.Bytes()
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
