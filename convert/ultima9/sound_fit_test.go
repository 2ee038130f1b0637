package ultima9

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

func hum(rate, channels, frames int) *asset.Sound {
	pcm := make([]byte, 2*channels*frames)
	for i := range frames * channels {
		binary.LittleEndian.PutUint16(pcm[2*i:], uint16(int16(9000*math.Sin(440*2*math.Pi*float64(i/channels)/float64(rate)))))
	}
	return &asset.Sound{Name: "hum", Rate: rate, Channels: channels, Bits: 16, PCM: pcm}
}

// TestSoundsFit: a sound that takes the place of another gets its rate and channels, in every codec and with every flag.
func TestSoundsFit(t *testing.T) {
	for _, encoding := range []ultima9.SoundEncoding{ultima9.SoundPCM, ultima9.SoundEAXA, ultima9.SoundMicroTalk} {
		for _, channels := range []int{1, 2} {
			if encoding == ultima9.SoundMicroTalk && channels == 2 {
				continue
			}
			stored := &ultima9.Sound{ID: 7, Rate: 22050, Bits: 16, Channels: uint32(channels), Encoding: encoding}
			native := &asset.Native{Format: soundName, Payload: u9.Do(write.Sound(stored))(t)}
			for _, o := range []format.Ultima9Options{{}, {KeepRate: true}, {KeepChannels: true}, {KeepRate: true, KeepChannels: true}} {
				for _, new := range []int{1, 2} {
					a := hum(44100, new, 4410)
					a.Native = native
					env := &format.Env{Name: "sfx.flx", Entry: "7", Options: format.Options{Ultima9: o}, Diagnostics: &schema.Diagnostics{}}
					s := u9.Do(lowerSound(a, env))(t)
					rate, want := 22050, channels
					if o.KeepRate {
						rate = 44100
					}
					if o.KeepChannels && encoding != ultima9.SoundMicroTalk {
						want = new
					}
					if int(s.Rate) != rate || int(s.Channels) != want || s.Encoding != encoding || s.ID != 7 {
						t.Errorf("%v of %d channels by %d, %+v: %d Hz, %d channels, %v", encoding, channels, new, o, s.Rate, s.Channels, s.Encoding)
					}
					frames := len(u9.Do(decodeSound(s))(t)) / 2 / want
					if wanted := 4410 * rate / 44100; frames < wanted || frames > wanted+432 {
						t.Errorf("%v: %d frames, want %d", encoding, frames, wanted)
					}
				}
			}
		}
	}
}

// A new record of speech is as all others are; one of effects stays as it is.
func TestNewSoundsFit(t *testing.T) {
	for _, c := range []struct {
		archive        string
		rate, channels int
		encoding       ultima9.SoundEncoding
	}{
		{"speech.flx", 22050, 1, ultima9.SoundMicroTalk}, {"sfx.flx", 44100, 2, ultima9.SoundPCM}, {"music.flx", 44100, 2, ultima9.SoundEAXA},
	} {
		s := u9.Do(lowerSound(hum(44100, 2, 4410), &format.Env{Name: c.archive, Entry: "3"}))(t)
		if int(s.Rate) != c.rate || int(s.Channels) != c.channels || s.Encoding != c.encoding {
			t.Errorf("%s: %d Hz, %d channels, %v", c.archive, s.Rate, s.Channels, s.Encoding)
		}
	}
}

// TestMarkers: a loop or a position that has no place is told of, each of them.
func TestMarkers(t *testing.T) {
	for what, x := range map[string]struct {
		edit func(a *asset.Sound)
		told bool
	}{
		"neither":    {func(*asset.Sound) {}, false},
		"a loop":     {func(a *asset.Sound) { a.Loops = []asset.Loop{{End: 10}} }, true},
		"a position": {func(a *asset.Sound) { a.Cues = []asset.Cue{{Label: "here"}} }, true},
	} {
		a, env := hum(22050, 1, 441), &format.Env{Diagnostics: new(schema.Diagnostics)}
		x.edit(a)
		u9.Do(lowerSound(a, env))(t)
		if env.Diagnostics.Has("sound-markers") != x.told {
			t.Errorf("%s: %v", what, env.Diagnostics.All())
		}
	}
}

// An empty sound is one of no samples, comes back as it is, and any sound may become one. MicroTalk begins with the number of
// its samples, also of none.
func TestEmptySounds(t *testing.T) {
	for encoding, data := range map[ultima9.SoundEncoding][]byte{ultima9.SoundPCM: nil, ultima9.SoundEAXA: nil, ultima9.SoundMicroTalk: {0, 0, 0, 0}} {
		for _, data := range [][]byte{nil, data} {
			stored := &ultima9.Sound{ID: 7, Rate: 22050, Bits: 16, Channels: 1, Encoding: encoding, Data: data}
			record := u9.Do(write.Sound(stored))(t)
			if encoding == ultima9.SoundMicroTalk && data == nil {
				if _, err := liftSound(stored, nil); schema.Class(err) != schema.ErrTruncated {
					t.Errorf("%v without its count: %v", encoding, err)
				}
				continue
			}
			a := u9.Do(liftSound(stored, nil))(t)
			if len(a.PCM) != 0 || a.Bits != 16 || a.Rate != 22050 {
				t.Errorf("%v: %d bytes, %d bits", encoding, len(a.PCM), a.Bits)
			}
			if got := u9.Do(write.Sound(u9.Do(lowerSound(a, nil))(t)))(t); !bytes.Equal(got, record) {
				t.Errorf("%v: another record came back", encoding)
			}
			full := u9.Do(lowerSound(&asset.Sound{Rate: 11025, Channels: 2, Bits: 24, Native: &asset.Native{Format: soundName,
				Payload: u9.Do(write.Sound(u9.Do(lowerSound(hum(22050, 1, 1000), nil))(t)))(t)}}, nil))(t)
			if n := len(u9.Do(decodeSound(full))(t)); n != 0 || full.Rate != 22050 || full.Channels != 1 {
				t.Errorf("%v: emptied, it has %d bytes at %d Hz", encoding, n, full.Rate)
			}
		}
	}
}

// What MicroTalk cannot hold is refused where nothing may be lost; a codec that is not decoded is refused by its name.
func TestSoundsRefused(t *testing.T) {
	for _, tt := range []struct {
		archive  string
		channels int
		strict   bool
		class    error
	}{
		{"speech.flx", 2, true, schema.ErrUnsupported}, {"speech.flx", 1, true, nil}, {"speech.flx", 2, false, nil}, {"sfx.flx", 2, true, nil},
	} {
		env := &format.Env{Name: tt.archive, Entry: "3", Options: format.Options{Strict: tt.strict}}
		if _, err := lowerSound(hum(22050, tt.channels, 441), env); schema.Class(err) != tt.class {
			t.Errorf("%s, %d channels, strict %v: %v", tt.archive, tt.channels, tt.strict, err)
		}
	}
	coded := &asset.Sound{Rate: 11025, Channels: 2, Native: &asset.Native{Format: soundName, Payload: u9.Do(write.Sound(&ultima9.Sound{Rate: 22050, Bits: 16, Channels: 1}))(t)}}
	_, err := lowerSound(coded, &format.Env{Name: "sfx.flx", Entry: "3"})
	if _, want := samples16(coded); want == nil || err == nil || err.Error() != want.Error() {
		t.Errorf("a codec that is not decoded: %v, want %v", err, want)
	}
}
