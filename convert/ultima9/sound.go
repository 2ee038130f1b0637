package ultima9

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/ultima9/beside"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	readmedia "github.com/usher-assets/usher/read/media"
	read "github.com/usher-assets/usher/read/ultima9"
	writemedia "github.com/usher-assets/usher/write/media"
	write "github.com/usher-assets/usher/write/ultima9"
)

const soundName = "u9-sound"

// soundFormats lists the formats of the sound archives.
var soundFormats = []format.Format{soundFormat, soundLinkFormat, soundCategoryFormat, soundEnvironmentFormat, soundTemplateFormat}

// Sound holds the typed functions for one format: sound.
var Sound = format.Functions[ultima9.Sound, *asset.Sound]{
	Read:  read.Sound,
	Write: write.Sound,
	Check: func(s *ultima9.Sound) error { _, err := decodeSound(s); return err },
	Facts: soundFacts,
	Lift:  liftSound,
	Lower: lowerSound,
}

var soundFormat = format.Of(format.Format{
	Name: soundName, Family: family, Title: "Ultima IX sound", Kind: format.Sound, Extensions: []string{".snd"},
	Probe: probeSound, SingleByte: true,
}, Sound)

// SoundLink holds the typed functions for one format: sound of a type.
var SoundLink = recordTable("u9-sfxassoc", read.SoundLink, write.SoundLink, func(x *ultima9.SoundLink) []format.Fact {
	return []format.Fact{{Name: "template", Value: int(x.Template)}}
})

var soundLinkFormat = format.Of(tableFormat("u9-sfxassoc", "Ultima IX sound of a type", sized(4, 4), ".sfxassoc"), SoundLink)

// SoundCategory holds the typed functions for one format: sound category.
var SoundCategory = recordTable("u9-sfxcat", read.SoundCategory, write.SoundCategory, func(x *ultima9.SoundCategory) []format.Fact { return []format.Fact{{Name: "name", Value: x.Name.Text}} })

var soundCategoryFormat = format.Of(tableFormat("u9-sfxcat", "Ultima IX sound category", probeSoundCategory, ".sfxcat"), SoundCategory)

// SoundEnvironment holds the typed functions for one format: sound environment.
var SoundEnvironment = recordTable("u9-sfxenv", read.SoundEnvironment, write.SoundEnvironment, func(x *ultima9.SoundEnvironment) []format.Fact {
	return []format.Fact{{Name: "name", Value: x.Name.Text}, {Name: "profile", Value: int(x.Profile)}}
})

var soundEnvironmentFormat = format.Of(tableFormat("u9-sfxenv", "Ultima IX sound environment", probeSoundEnvironment, ".sfxenv"), SoundEnvironment)

// SoundTemplate holds the typed functions for one format: sound template.
var SoundTemplate = recordTable(soundTemplateName, read.SoundTemplate, write.SoundTemplate, func(x *ultima9.SoundTemplate) []format.Fact {
	return []format.Fact{{Name: "name", Value: x.Name.Text}, {Name: "actions", Value: len(x.Actions)}}
}, templateLevels...)

var soundTemplateFormat = format.Of(tableFormat(soundTemplateName, "Ultima IX sound template", probeSoundTemplate, ".sfxtmpl"), SoundTemplate)

// decodeSound returns 16-bit samples.
func decodeSound(s *ultima9.Sound) ([]byte, error) {
	if len(s.Data) == 0 && s.Encoding != ultima9.SoundMicroTalk { // which begins with the number of its samples
		return nil, nil
	}
	switch s.Encoding {
	case ultima9.SoundPCM:
		return s.Data, nil
	case ultima9.SoundEAXA:
		return readmedia.EAXA(s.Data, int(s.Channels))
	case ultima9.SoundMicroTalk:
		return readmedia.MicroTalk(s.Data)
	}
	return nil, schema.Errorf(soundName, schema.ErrUnsupported, "encoding", "%v", s.Encoding)
}

// liftSound decodes a sound.
func liftSound(s *ultima9.Sound, env *format.Env) (*asset.Sound, error) {
	pcm, err := decodeSound(s)
	if err != nil {
		return nil, err
	}
	record, err := write.Sound(s)
	if err != nil {
		return nil, err
	}
	p, err := beside.Page(env)
	if err != nil {
		return nil, err
	}
	description := p.Show(s.Description.Text)
	name, encoding := description, s.Encoding.String()
	if name == "" {
		name = env.EntryName("sound")
	}
	return &asset.Sound{
		Name: name, Rate: int(s.Rate), Channels: int(s.Channels), Bits: 16, PCM: pcm,
		Stored: &asset.Stored{Encoding: s.Encoding.String(), Data: s.Data},
		Native: tellPage(&asset.Native{Format: soundName, Payload: record, Values: soundFields(s, &description, &encoding).Values()}, env),
	}, nil
}

// lowerSound returns the stored record as long as the samples are those that it decodes to; id, description and encoding
// may be changed in Native.Values. Other samples are encoded in the encoding from the options, else that of the record,
// else that of the archive in the game.
func lowerSound(a *asset.Sound, env *format.Env) (*ultima9.Sound, error) {
	s := &ultima9.Sound{Bits: 16}
	same := false
	if n := a.Native; n != nil && n.Format == soundName && len(n.Payload) > 0 {
		stored, err := read.Sound(n.Payload, nil)
		if err != nil {
			return nil, err
		}
		pcm, err := decodeSound(stored)
		same = err == nil && int(stored.Rate) == a.Rate && int(stored.Channels) == a.Channels && a.Bits == 16 && !a.Float && bytes.Equal(pcm, a.PCM)
		s = stored
	} else {
		s.Description.Text = shorten(a.Name, ultima9.SoundDescriptionSize-1)
		if env != nil {
			id, _ := strconv.ParseUint(env.Entry, 10, 16)
			s.ID = uint32(id)
			s.Encoding = usualEncoding(env.Name)
		}
	}
	encoding, err := soundResidue(s, a, env)
	if err != nil {
		return nil, err
	}
	if same && encoding == s.Encoding {
		return s, nil
	}
	if a, err = played.Fit(a, env.Samples, env != nil && env.Options.Strict, env.Told()); err != nil {
		return nil, err
	}
	if a, err = matched(a, s, encoding, env); err != nil {
		return nil, err
	}
	pcm, err := samples16(a)
	if err != nil {
		return nil, err
	}
	if len(a.Loops)+len(a.Cues) > 0 {
		env.Told().Lossf("sound-markers", "", "loops and positions have no place in the sound")
	}
	s.Rate, s.Channels, s.Bits, s.Encoding = uint32(a.Rate), uint32(a.Channels), 16, encoding
	switch encoding {
	case ultima9.SoundPCM:
		s.Data = pcm
	case ultima9.SoundEAXA:
		s.Data, err = writemedia.EAXA(pcm, a.Channels)
	case ultima9.SoundMicroTalk:
		rate := 0
		if env != nil {
			rate = env.Options.BitRate
		}
		s.Data, err = writemedia.MicroTalk(pcm, a.Rate, rate)
		warnRate(env, rate, s.Data, len(pcm)/2, a.Rate)
	}
	return s, err
}

// matched returns a sound with the rate and channels of the stored one, or of all others of its archive. MicroTalk is mono
// whatever is asked for.
func matched(a *asset.Sound, stored *ultima9.Sound, encoding ultima9.SoundEncoding, env *format.Env) (*asset.Sound, error) {
	channels, rate := int(stored.Channels), int(stored.Rate)
	if rate == 0 && env != nil && strings.HasPrefix(strings.ToLower(env.Name), "speech") && encoding == ultima9.SoundMicroTalk {
		rate = speechRate
	}
	if env != nil && env.Options.Ultima9.KeepRate {
		rate = 0
	}
	if env != nil && env.Options.Ultima9.KeepChannels {
		channels = 0
	}
	if encoding == ultima9.SoundMicroTalk {
		channels = 1
		if env != nil && env.Options.Strict && a.Channels != 1 {
			return nil, schema.Errorf(soundName, schema.ErrUnsupported, "channels", "MicroTalk is mono: %d channels would become 1 without --strict", a.Channels)
		}
	}
	if a.Bits == 0 { // of a codec that is not decoded: samples16 says so
		return a, nil
	}
	return wav.Match(a, channels, rate, env.Told())
}

// speechRate is that of all speech in the game.
const speechRate = 22050

// usualEncoding returns the encoding of all records of an archive of the game; for other names PCM, which the game takes
// for effects.
func usualEncoding(archive string) ultima9.SoundEncoding {
	name := strings.ToLower(archive)
	switch {
	case !strings.HasSuffix(name, ".flx"):
	case strings.HasPrefix(name, "speech"):
		return ultima9.SoundMicroTalk
	case strings.HasPrefix(name, "music"):
		return ultima9.SoundEAXA
	}
	return ultima9.SoundPCM
}

// warnRate reports a bit rate that was asked for and is out of the codec's reach.
func warnRate(env *format.Env, asked int, data []byte, samples, rate int) {
	if asked == 0 || samples < rate { // a short clip says little
		return
	}
	got := float64(len(data)) * 8 * float64(rate) / float64(samples)
	if got < 0.7*float64(asked) || got > 1.1*float64(asked) {
		env.Told().Warnf("bit-rate", "", "%d bits a second were asked for, %.0f it came to", asked, got)
	}
}

// soundFields are those of a sound that a person may edit.
func soundFields(s *ultima9.Sound, description, encoding *string) scene.Fields {
	return scene.Fields{"id": &s.ID, "description": description, "encoding": encoding}
}

// soundResidue takes over what a person may have changed beside the samples, and returns the encoding that is wanted.
func soundResidue(s *ultima9.Sound, a *asset.Sound, env *format.Env) (ultima9.SoundEncoding, error) {
	encoding := s.Encoding
	if n := a.Native; n != nil && n.Format == soundName {
		p, err := beside.Page(env)
		if err != nil {
			return 0, err
		}
		text, name := p.Show(s.Description.Text), encoding.String()
		if err := (soundFields(s, &text, &name)).Take(soundName, "", n); err != nil {
			return 0, err
		}
		if text, err = p.Take(text); err != nil {
			return 0, lacking(soundName, "description", err)
		}
		if text != s.Description.Text {
			if err := s.Description.Set(text, ultima9.SoundDescriptionSize); err != nil {
				return 0, err
			}
		}
		if err := encoding.UnmarshalText([]byte(name)); err != nil {
			return 0, schema.Errorf(soundName, schema.ErrValue, "encoding", "%v", err)
		}
	}
	if env != nil && env.Options.Encoding != "" {
		if err := encoding.UnmarshalText([]byte(env.Options.Encoding)); err != nil {
			return 0, schema.Errorf(soundName, schema.ErrValue, "encoding", "%q; pcm, eaxa or microtalk expected", env.Options.Encoding)
		}
	}
	return encoding, nil
}

// shorten cuts a text to n characters that the code page has.
func shorten(s string, n int) string {
	b, _ := schema.EncodeWindows1252(s)
	return schema.DecodeWindows1252(b[:min(len(b), n)])
}

// played is what the game plays; its codecs take nothing else.
var played = wav.Policy{Bits: []int{16}, Channels: 2}

// samples16 returns the samples of a sound of 16 bits.
func samples16(a *asset.Sound) ([]byte, error) {
	if a.Channels < 1 || a.Channels > 2 || a.Rate < 1 || int64(a.Rate) > math.MaxUint32 {
		return nil, schema.Errorf(soundName, schema.ErrUnsupported, "samples", "%d channels at %d frames a second; 1 or 2 expected", a.Channels, a.Rate)
	}
	size := a.Bits / 8
	if size < 1 || size > 8 || len(a.PCM)%(size*a.Channels) != 0 {
		return nil, schema.Errorf(soundName, schema.ErrMismatch, "samples", "%d bytes are no whole number of frames of %d bits and %d channels", len(a.PCM), a.Bits, a.Channels)
	}
	return a.PCM, nil
}

func soundFacts(s *ultima9.Sound) []format.Fact {
	facts := []format.Fact{
		{Name: "description", Value: s.Description.Text},
		{Name: "encoding", Value: s.Encoding.String()},
		{Name: "rate", Value: int(s.Rate)},
		{Name: "channels", Value: int(s.Channels)},
	}
	frames := -1
	switch {
	case s.Channels == 0:
	case s.Encoding == ultima9.SoundPCM:
		frames = len(s.Data) / int(2*s.Channels)
	case s.Encoding == ultima9.SoundEAXA:
		frames = len(s.Data) / (15 * int(s.Channels)) * 28
	case len(s.Data) >= 4:
		frames = int(le.Uint32(s.Data))
	}
	if frames >= 0 {
		facts = append(facts, format.Fact{Name: "seconds", Value: math.Round(float64(frames)/float64(s.Rate)*1000) / 1000})
	}
	return facts
}
