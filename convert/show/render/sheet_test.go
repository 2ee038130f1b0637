package render

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/asset"
)

// inked counts the pixels of a rectangle that are not the background.
func inked(m *image.NRGBA, r image.Rectangle, background asset.RGBA) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if asset.RGBA(m.Pix[m.PixOffset(x, y):]) != background {
				n++
			}
		}
	}
	return n
}

// TestSheet: cells lie in rows, pictures in their middles, words under them and never beside them.
func TestSheet(t *testing.T) {
	p, err := Texture(picture(2, red, red, red, red), Options{Width: 40, Height: 40})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("long/name ", 50)
	cells := []Cell{
		{Picture: p.NRGBA, Title: "one", Facts: []string{"2 x 2"}, Notes: []string{"a note"}},
		{Picture: p.NRGBA},
		{Failure: long + long, Title: long, Facts: []string{long}, Notes: []string{"\x00\x1B\n"}},
		{Title: strings.Repeat("x", 1<<16)},
	}
	s := Sheet{Cell: 64, Columns: 3}
	m, places := s.Draw(cells)
	if want := image.Rect(0, 0, gap+3*(64+gap), gap+2*(64+labelSpace+gap)); m.Rect != want {
		t.Errorf("the page is %v, want %v", m.Rect, want)
	}
	if places[3] != image.Rect(gap, 2*gap+64+labelSpace, gap+64, 2*gap+128+labelSpace) {
		t.Errorf("the fourth cell lies at %v", places[3])
	}
	middle := places[0].Min.Add(image.Pt(32, 32))
	if c := m.NRGBAAt(middle.X, middle.Y); c.R != 255 || c.G != 0 {
		t.Errorf("the middle of the first picture is %v", c)
	}
	if n := inked(m, places[0], dark); n != 40*40 {
		t.Errorf("the first picture covers %d pixels, want 1600", n)
	}
	label := func(i int) image.Rectangle {
		return image.Rect(places[i].Min.X, places[i].Max.Y, places[i].Max.X, places[i].Max.Y+labelSpace)
	}
	for i, want := range []bool{true, false, true, true} {
		if n := inked(m, label(i), dark); (n > 0) != want {
			t.Errorf("label %d has %d pixels", i, n)
		}
	}
	if inked(m, places[2], dark) == 0 {
		t.Error("the reason of a failure is not written")
	}
	for i := range places { // nothing in the gaps
		r := image.Rect(places[i].Max.X, places[i].Min.Y, places[i].Max.X+gap, label(i).Max.Y)
		if n := inked(m, r, dark); n != 0 {
			t.Errorf("%d pixels to the right of cell %d", n, i)
		}
	}
	again, _ := s.Draw(slices.Clone(cells))
	if !bytes.Equal(m.Pix, again.Pix) {
		t.Error("another page")
	}
}

// TestSheetBackground: letters are dark on bright paper and bright on dark.
func TestSheetBackground(t *testing.T) {
	for _, c := range []struct {
		background asset.RGBA
		bright     bool
	}{{white, false}, {asset.RGBA{0, 0, 0, 255}, true}, {asset.RGBA{255, 255, 255, 1}, false}, {none, true}} {
		s := Sheet{Cell: 64, Columns: 1, Background: c.background}
		m, places := s.Draw([]Cell{{Title: "TITLE"}})
		most := 0
		for y := places[0].Max.Y; y < m.Rect.Max.Y; y++ {
			for x := range m.Rect.Max.X {
				if p := m.NRGBAAt(x, y); p.A > 200 {
					most = max(most, int(p.R))
				}
			}
		}
		corner := m.NRGBAAt(0, 0)
		if c.background != none && (asset.RGBA{corner.R, corner.G, corner.B, corner.A}) != c.background {
			t.Errorf("the paper is %v, want %v", corner, c.background)
		}
		if c.background[3] > 0 && c.background != white && (most > 128) != c.bright {
			t.Errorf("on %v the letters are as bright as %d", c.background, most)
		}
	}
	for _, c := range []struct {
		background asset.RGBA
		want       string
	}{
		{asset.RGBA{0, 0, 0, 255}, "f0f0f0 a0a4ac e8b458 f08078"},
		{white, "101010 585c64 8a5600 b02018"},
	} {
		w := newWriter(image.NewNRGBA(image.Rect(0, 0, 1, 1)), c.background)
		var got []string
		for _, ink := range []*image.Uniform{w.title, w.facts, w.notes, w.wrong} {
			shade := color.NRGBAModel.Convert(ink.C).(color.NRGBA)
			got = append(got, fmt.Sprintf("%02x%02x%02x", shade.R, shade.G, shade.B))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("on %v titles, facts, notes and errors are %s, want %s", c.background, s, c.want)
		}
	}
	if small := (&Sheet{Cell: 128}); small.Rows()*(128+labelSpace+gap)+gap > maxPage || small.Rows() < 20 {
		t.Errorf("%d rows a page", small.Rows())
	}
}

func TestShorten(t *testing.T) {
	w := newWriter(image.NewNRGBA(image.Rect(0, 0, 1, 1)), dark)
	for _, text := range []string{"", "short", "Group/A rather long name.of something", strings.Repeat("W", 5000), "äöü – ψ 漢字"} {
		got := w.shorten(text, 80)
		if w.width(got) > 80 {
			t.Errorf("%q is %d wide", got, w.width(got))
		}
		if w.width(text) <= 80 && got != text {
			t.Errorf("%q becomes %q", text, got)
		}
		if w.width(text) > 80 && (!strings.Contains(got, "…") || w.width(got) < 60 || got[0] != text[0]) {
			t.Errorf("%q is left of %q", got, text)
		}
	}
}
