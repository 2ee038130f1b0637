package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"io"
	"os"
	"strings"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// thumbSize is the width and height of a thumbnail in a terminal, in pixels.
const thumbSize = 192

// pictureProtocol writes a picture to a terminal.
type pictureProtocol func(w io.Writer, m *image.NRGBA) error

// protocolOf returns how pictures are shown on the terminal that w is; nil for other things, and for terminals that
// show none.
func protocolOf(w io.Writer, env func(string) string) pictureProtocol {
	if !isTerminal(w) {
		return nil
	}
	return terminalProtocol(env)
}

// terminalProtocol tells by its environment what a terminal understands. Inside tmux and screen nothing gets through.
func terminalProtocol(env func(string) string) pictureProtocol {
	term, program := env("TERM"), env("TERM_PROGRAM")
	switch {
	case env("TMUX") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux"):
		return nil
	case env("KITTY_WINDOW_ID") != "" || term == "xterm-kitty" || term == "xterm-ghostty" || program == "ghostty":
		return kittyPicture
	case program == "iTerm.app" || program == "WezTerm" || program == "mintty" || env("LC_TERMINAL") == "iTerm2":
		return itermPicture
	case strings.Contains(term, "sixel") || strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "mlterm") ||
		strings.HasPrefix(term, "yaft") || strings.HasPrefix(term, "contour") || env("WT_SESSION") != "":
		return sixelPicture
	}
	return nil
}

// thumb draws what a source holds, if that has a picture; what goes wrong is told of by the description.
func (p *printer) thumb(l *engine.Loader, src engine.Source) {
	if p.picture == nil || p.json {
		return
	}
	it, err := l.Load(src, new(schema.Diagnostics))
	if err != nil {
		return
	}
	defer it.Close()
	m, err := sheet.Picture(it, render.Options{Width: thumbSize, Height: thumbSize, Checker: true})
	if err != nil {
		return
	}
	_ = p.picture(p.out, m.NRGBA) // stdout keeps its own error
}

func pngOf(m *image.NRGBA) ([]byte, error) {
	var b bytes.Buffer
	err := png.Image(&b, &asset.Image{Width: m.Rect.Dx(), Height: m.Rect.Dy(), Format: asset.RGBA8, Pix: m.Pix}, nil, png.Options{})
	return b.Bytes(), err
}

// kittyPicture writes a picture by the graphics protocol of kitty, in pieces of at most 4096 letters.
func kittyPicture(w io.Writer, m *image.NRGBA) error {
	b, err := pngOf(m)
	if err != nil {
		return err
	}
	text := base64.StdEncoding.EncodeToString(b)
	const piece = 4096
	control := "a=T,f=100,"
	for len(text) > piece {
		if _, err := fmt.Fprintf(w, "\x1b_G%sm=1;%s\x1b\\", control, text[:piece]); err != nil {
			return err
		}
		text, control = text[piece:], ""
	}
	_, err = fmt.Fprintf(w, "\x1b_G%sm=0;%s\x1b\\\n", control, text)
	return err
}

// itermPicture writes a picture by the inline images protocol of iTerm2.
func itermPicture(w io.Writer, m *image.NRGBA) error {
	b, err := pngOf(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\x1b]1337;File=inline=1;size=%d;width=%dpx;height=%dpx:%s\a\n",
		len(b), m.Rect.Dx(), m.Rect.Dy(), base64.StdEncoding.EncodeToString(b))
	return err
}

// sixelPicture writes a picture as sixels: bands of six rows, each colour of a band after the other. There are 216
// colours, six steps a component; what is transparent is left out.
func sixelPicture(w io.Writer, m *image.NRGBA) error {
	var b bytes.Buffer
	width, height := m.Rect.Dx(), m.Rect.Dy()
	fmt.Fprintf(&b, "\x1bP0;1q\"1;1;%d;%d", width, height)
	for i := range 216 {
		fmt.Fprintf(&b, "#%d;2;%d;%d;%d", i, i/36*20, i/6%6*20, i%6*20)
	}
	row := make([]byte, width)
	for top := 0; top < height; top += 6 {
		var used [216]bool
		for y := top; y < min(top+6, height); y++ {
			for x := range width {
				if c := sixelColor(m, x, y); c >= 0 {
					used[c] = true
				}
			}
		}
		for c, ok := range used {
			if !ok {
				continue
			}
			for x := range row {
				row[x] = '?'
				for k := range min(6, height-top) {
					if sixelColor(m, x, top+k) == c {
						row[x] += 1 << k
					}
				}
			}
			fmt.Fprintf(&b, "#%d", c)
			sixelRow(&b, row)
			b.WriteByte('$') // back to the start of the band
		}
		b.WriteByte('-')
	}
	b.WriteString("\x1b\\\n")
	_, err := w.Write(b.Bytes())
	return err
}

// sixelColor returns the number of the colour of a pixel, dithered by a fixed pattern of 4 × 4; −1 for a transparent one.
func sixelColor(m *image.NRGBA, x, y int) int {
	p := m.Pix[m.PixOffset(x, y):]
	if p[3] < 128 {
		return -1
	}
	threshold := [4][4]int{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}[y&3][x&3]
	step := func(v byte) int { return (int(v)*5*16 + 255*threshold) / (255 * 16) }
	return step(p[0])*36 + step(p[1])*6 + step(p[2])
}

// sixelRow writes a row, runs of more than three as their length.
func sixelRow(b *bytes.Buffer, row []byte) {
	for len(row) > 0 {
		n := 1
		for n < len(row) && row[n] == row[0] {
			n++
		}
		if n > 3 {
			fmt.Fprintf(b, "!%d%c", n, row[0])
		} else {
			b.Write(row[:n])
		}
		row = row[n:]
	}
}

// picturesOn returns how pictures are shown where info prints, when they are asked for.
func picturesOn(w io.Writer, asked bool) pictureProtocol {
	if !asked {
		return nil
	}
	return protocolOf(w, os.Getenv)
}
