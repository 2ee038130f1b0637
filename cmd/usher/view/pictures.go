package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/show/render"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/schema/asset"
)

const mimePNG, mimeJSON = "image/png", "application/json; charset=utf-8"

// drawing is what comes of drawing a node, beside the picture.
type drawing struct {
	camera render.Camera
	facts  []string
	notes  []string
	why    []string // what was odd when it was read
}

// mostWhy is how many oddities are told of beside a picture.
const mostWhy = 5

// thumb draws a node: the picture of "sheet".
func (v *Viewer) thumb(n *node, q query) (b blob, err error) {
	size := q.number("size", 16, 1024, 128)
	err = v.withItem(n, func(it *interchange.Item) error {
		p, err := sheet.Picture(it.Seen(), render.Options{Width: size, Height: size, Checker: true})
		if err != nil {
			return err
		}
		b, err = newPNG(p.NRGBA)
		d := drawing{camera: p.Camera, facts: p.Facts, notes: p.Notes}
		for _, x := range it.Env.Diagnostics.All() {
			if len(d.why) < mostWhy && !v.away { // it may name a place on this machine
				d.why = append(d.why, x.Msg)
			}
		}
		b.extra = d
		return err
	})
	return b, err
}

// sign stands for what cannot be drawn, and says why.
func sign(why string) blob {
	const most, high = 22, 15 // letters of a line, pixels from one to the next
	var lines []string
	for word := range strings.FieldsSeq(why) {
		if n := len(lines) - 1; n >= 0 && len(lines[n])+len(word) < most {
			lines[n] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	if len(lines) > 6 {
		lines = append(lines[:6], "…")
	}
	var b bytes.Buffer
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><g text-anchor="middle" font-family="sans-serif" font-size="10" fill="#888">`)
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="64" y="%d">%s</text>`, 68+high*i-high*len(lines)/2, html.EscapeString(clip(line, most)))
	}
	b.WriteString("</g></svg>")
	return blob{content: b.Bytes(), mime: "image/svg+xml"}
}

// clip shortens a text to so many letters. Signs that no picture may hold are left out.
func clip(s string, most int) string {
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s))
	if len(letters) > most {
		letters = append(letters[:most-1], '…')
	}
	return string(letters)
}

// thumbOrSign draws a node, or says why it has no picture: in a grid of hundreds that is nothing to report.
func (v *Viewer) thumbOrSign(n *node, q query) (blob, error) {
	b, err := v.thumb(n, q)
	if err == nil {
		return b, nil
	}
	v.tree.broken(n.id, err)
	if v.away { // the reason may name a place on this machine
		return sign("no picture"), nil
	}
	return sign(strings.ReplaceAll(plain(err), n.path+": ", "")), nil
}

func newPNG(m *image.NRGBA) (blob, error) {
	return encodePNG(&asset.Image{Width: m.Rect.Dx(), Height: m.Rect.Dy(), Format: asset.RGBA8, Pix: m.Pix}, nil)
}

func encodePNG(m *asset.Image, palette []asset.RGBA) (blob, error) {
	var out bytes.Buffer
	err := png.Image(&out, m, palette, png.Options{})
	return blob{content: out.Bytes(), mime: mimePNG}, err
}

// posterSize is the width and height of the picture that stands for a model until the page has drawn it.
const posterSize = 512

// camera tells how the poster of a model was drawn, so that the page draws it alike.
func (v *Viewer) camera(n *node, _ query) (blob, error) {
	p, err := v.made("thumb", (*Viewer).thumbOrSign, n, query{"size": {strconv.Itoa(posterSize)}})
	if err != nil {
		return blob{}, err
	}
	d, ok := p.extra.(drawing)
	if !ok {
		return blob{content: []byte("null"), mime: mimeJSON}, nil
	}
	content, err := json.Marshal(map[string]any{
		"eye": d.camera.Eye, "azimuth": d.camera.Direction.Azimuth, "elevation": d.camera.Direction.Elevation,
		"fieldOfView": d.camera.FieldOfView, "facts": d.facts, "notes": d.notes, "why": d.why,
	})
	return blob{content: content, mime: mimeJSON}, err
}

// image is one picture of a texture, with all of its pixels.
func (v *Viewer) image(n *node, q query) (b blob, err error) {
	err = lifted(v, n, func(t *asset.Texture) error {
		var out bytes.Buffer
		o := png.Options{Frame: q.number("frame", 0, 1<<20, 0), Mip: q.number("mip", 0, 64, 0), Face: q.number("face", 0, 5, 0)}
		err := png.Encode(&out, t, o)
		b = blob{content: out.Bytes(), mime: mimePNG}
		return err
	})
	return b, err
}
