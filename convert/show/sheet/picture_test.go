package sheet

import (
	"slices"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// TestPictureOfSounds: a sound in MP3 is drawn with its samples; one that nothing decodes is a line, and says so.
func TestPictureOfSounds(t *testing.T) {
	for _, c := range []struct {
		what         string
		s            *asset.Sound
		facts, notes []string
	}{
		{"MP3", &asset.Sound{Stored: &asset.Stored{Encoding: wav.EncodingMP3, Data: corpus.Bytes(t, corpus.Testdata(t, "sounds", "tone11.mp3"))}}, []string{"1.20 s", "11025 Hz"}, nil},
		{"A-law", &asset.Sound{Stored: &asset.Stored{Encoding: wav.Encoding, Data: corpus.Bytes(t, corpus.Testdata(t, "sounds", "a-law_2.wav"))}}, []string{"0.06 s", "8000 Hz", "stereo"}, nil},
		{"samples", &asset.Sound{Rate: 4, Channels: 1, Bits: 8, PCM: []byte{1, 2}}, []string{"0.50 s", "4 Hz"}, nil},
		{"a broken MP3", &asset.Sound{Stored: &asset.Stored{Encoding: wav.EncodingMP3, Data: []byte("no frame")}}, nil, []string{"no samples"}},
	} {
		p, err := Picture(&interchange.Item{Asset: c.s}, render.Options{Width: 32, Height: 16})
		if err != nil || !slices.Equal(p.Facts, c.facts) || !slices.Equal(p.Notes, c.notes) || p.Rect.Dx() != 32 {
			t.Errorf("%s: %v, %v", c.what, p, err)
		}
	}
	if _, err := Picture(&interchange.Item{Asset: new(asset.Texture)}, render.Options{Width: 8, Height: 8}); err == nil {
		t.Error("a texture without pixels is drawn")
	}
}

// TestTitles: an entry is called by its name where all are of one archive that was named, and with its archive elsewhere.
func TestTitles(t *testing.T) {
	file, entry := engine.Source{Rel: "a.utf", Path: "x/a.utf", Named: true}, engine.Source{Rel: "a.utf", Path: "x/a.utf", Entry: "b", Named: true}
	found := entry
	found.Named = false
	for _, c := range []struct {
		src     engine.Source
		several bool
		want    string
	}{{file, false, "a.utf"}, {file, true, "a.utf"}, {entry, false, "b"}, {entry, true, "a.utf:b"}, {found, false, "a.utf:b"}} {
		if got := (&run{several: c.several}).title(c.src); got != c.want {
			t.Errorf("%+v, several %t: %q, want %q", c.src, c.several, got, c.want)
		}
	}
}

// TestPageNames: pages after the first are numbered before the extension.
func TestPageNames(t *testing.T) {
	r := &run{Drawing: &Drawing{Out: "x/all.of it.PNG"}}
	for n, want := range []string{"all.of it.PNG", "all.of it-2.PNG", "all.of it-3.PNG"} {
		if got := r.pageName(n); got != want {
			t.Errorf("page %d is %q, want %q", n, got, want)
		}
	}
}
