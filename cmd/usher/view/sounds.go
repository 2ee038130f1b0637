package view

import (
	"bytes"
	"encoding/json"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/schema/asset"
)

// sound is a sound with samples, as WAV.
func (v *Viewer) sound(n *node, _ query) (b blob, err error) {
	err = lifted(v, n, func(s *asset.Sound) error {
		if s, err = decoded(s); err != nil {
			return err
		}
		var out bytes.Buffer
		if err := wav.Encode(&out, s); err != nil {
			return err
		}
		b = blob{content: out.Bytes(), mime: "audio/wav"}
		return nil
	})
	return b, err
}

// mostPeaks is how many columns a waveform has.
const mostPeaks = 2000

// SoundInfo describes a sound for the page.
type SoundInfo struct {
	Rate     int          `json:"rate"`
	Channels int          `json:"channels"`
	Bits     int          `json:"bits"`
	Frames   int          `json:"frames"`
	Seconds  float64      `json:"seconds"`
	Loops    [][2]float64 `json:"loops"` // seconds
	Cues     []CueInfo    `json:"cues"`
	Peaks    [][]float32  `json:"peaks"` // waveform of each channel: smallest, largest, smallest, largest …, −1 … 1
}

// CueInfo is a named position in a sound.
type CueInfo struct {
	Label   string  `json:"label"`
	Seconds float64 `json:"seconds"`
}

// peaks is the waveform of a sound and what else there is to know of it.
func (v *Viewer) peaks(n *node, _ query) (b blob, err error) {
	err = lifted(v, n, func(s *asset.Sound) error {
		if s, err = decoded(s); err != nil {
			return err
		}
		if s.Frames() == 0 { // a module: it is played by other programs
			return errOther
		}
		x := SoundInfo{Rate: s.Rate, Channels: s.Channels, Bits: s.Bits, Frames: s.Frames(), Loops: [][2]float64{}, Cues: []CueInfo{}}
		seconds := func(frame uint32) float64 { return float64(frame) / float64(max(s.Rate, 1)) }
		x.Seconds = float64(x.Frames) / float64(max(s.Rate, 1))
		for _, l := range s.Loops {
			x.Loops = append(x.Loops, [2]float64{seconds(l.Start), seconds(l.End) + seconds(1)})
		}
		for _, c := range s.Cues {
			x.Cues = append(x.Cues, CueInfo{c.Label, seconds(c.Frame)})
		}
		x.Peaks = render.Peaks(s, mostPeaks)
		content, err := json.Marshal(x)
		b = blob{content: content, mime: mimeJSON}
		return err
	})
	return b, err
}
