package convert_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// What people edit in files of their own kind: the lines of a text or a table, the pixels of a picture, the samples of a
// sound. Each of them comes to something, which values.tsv holds; whether it is right is for the tests of the formats to say.

// content edits a file that is no JSON and no GLB, in every way that its kind has.
func (w *wayBack) content(name string, file format.File) {
	var edits map[string][]byte
	switch file.Name[strings.LastIndexByte(file.Name, '.'):] {
	case ".png":
		edits = w.pictures(file.Content)
	case ".wav":
		edits = sounds(file.Content)
	default:
		edits = texts(string(file.Content))
	}
	for _, edit := range slices.Sorted(maps.Keys(edits)) {
		w.write(file.Name, edits[edit])
		made, said, err := w.native()
		said = slices.DeleteFunc(said, func(s string) bool { return w.said[s] })
		w.o.add(fmt.Sprintf("%s %s", filepath.Base(name), edit), strings.ReplaceAll(w.outcome(made, said, err), w.dir, ""))
	}
}

// digits are the first number of a line.
var digits = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)

// texts returns edits of some lines of a text.
func texts(text string) map[string][]byte {
	lines := strings.SplitAfter(text, "\n")
	at := make([]int, len(lines))
	for i := range at {
		at[i] = i
	}
	edits := map[string][]byte{"all gone": nil, "the first half": []byte(strings.Join(lines[:len(lines)/2], "")), "in capitals": []byte(strings.ToUpper(text))}
	add := func(i int, what string, line ...string) {
		edits[fmt.Sprintf("line %d %s", i, what)] = []byte(strings.Join(slices.Concat(lines[:i], line, lines[i+1:]), ""))
	}
	for _, i := range spread(at, 24) {
		add(i, "removed")
		add(i, "doubled", lines[i], lines[i])
		add(i, "cut", lines[i][:len(lines[i])/2], "\n")
		number := 0
		for _, n := range digits.FindAllStringIndex(lines[i], -1) {
			if number++; number <= 3 {
				add(i, fmt.Sprint("with another number ", number), lines[i][:n[0]]+"7"+lines[i][n[1]:])
				add(i, fmt.Sprint("with a huge number ", number), lines[i][:n[0]]+"99999999999"+lines[i][n[1]:])
				add(i, fmt.Sprint("with a word for number ", number), lines[i][:n[0]]+"x"+lines[i][n[1]:])
			}
		}
		if i+1 < len(lines) {
			edits[fmt.Sprintf("line %d swapped", i)] = []byte(strings.Join(slices.Concat(lines[:i], []string{lines[i+1], lines[i]}, lines[i+2:]), ""))
		}
	}
	return edits
}

// pictures returns edits of a picture: of its colours, its holes, its size.
func (w *wayBack) pictures(stored []byte) map[string][]byte {
	m, err := png.Decode(bytes.NewReader(stored))
	if err != nil {
		w.o.t.Fatal(err)
	}
	edits := map[string][]byte{}
	add := func(what string, x image.Image) {
		var b bytes.Buffer
		if err := png.Encode(&b, x); err != nil {
			w.o.t.Fatal(err)
		}
		edits[what] = b.Bytes()
	}
	copied := func(r image.Rectangle) *image.NRGBA {
		x := image.NewNRGBA(r)
		draw.Draw(x, x.Rect, m, image.Point{}, draw.Src)
		return x
	}
	size := m.Bounds()
	half := image.Rect(0, 0, max(1, size.Dx()/2), max(1, size.Dy()/2))
	add("written by another program", copied(size))
	add("half as large", copied(half))
	add("twice as large", copied(image.Rect(0, 0, 2*size.Dx(), 2*size.Dy())))
	add("of an odd size", copied(image.Rect(0, 0, size.Dx()+1, max(1, size.Dy()-1))))
	grey := image.NewGray(size)
	draw.Draw(grey, size, m, image.Point{}, draw.Src)
	add("grey", grey)
	deep := image.NewGray16(size)
	draw.Draw(deep, size, m, image.Point{}, draw.Src)
	add("grey in 16 bits", deep)
	for what, paint := range map[string]func(x, y int, c color.NRGBA) color.NRGBA{
		"a red corner": func(x, y int, c color.NRGBA) color.NRGBA {
			if x+y == 0 {
				c = color.NRGBA{255, 0, 0, 255}
			}
			return c
		},
		"inverted": func(x, y int, c color.NRGBA) color.NRGBA { return color.NRGBA{^c.R, ^c.G, ^c.B, c.A} },
		"a hole": func(x, y int, c color.NRGBA) color.NRGBA {
			if x < 2 && y < 2 {
				c.A = 0
			}
			return c
		},
		"half-transparent": func(x, y int, c color.NRGBA) color.NRGBA { c.A = uint8(64 + 16*(x+y)%128); return c },
		"opaque":           func(x, y int, c color.NRGBA) color.NRGBA { c.A = 255; return c },
		"many colours": func(x, y int, c color.NRGBA) color.NRGBA {
			return color.NRGBA{uint8(37 * x), uint8(53 * y), uint8(11 * x * y), c.A}
		},
		"one colour":      func(x, y int, c color.NRGBA) color.NRGBA { return color.NRGBA{12, 34, 56, 255} },
		"a little redder": func(x, y int, c color.NRGBA) color.NRGBA { c.R = uint8(min(255, int(c.R)+9)); return c },
	} {
		x := copied(size)
		for i := range size.Dx() * size.Dy() {
			at := image.Pt(i%size.Dx(), i/size.Dx())
			x.SetNRGBA(at.X, at.Y, paint(at.X, at.Y, x.NRGBAAt(at.X, at.Y)))
		}
		add(what, x)
	}
	return edits
}

// sounds returns edits of a WAV file: of its samples, its rate, its length.
func sounds(stored []byte) map[string][]byte {
	edits := map[string][]byte{}
	edit := func(what string, f func(b []byte) []byte) { edits[what] = f(bytes.Clone(stored)) }
	at := bytes.Index(stored, []byte("data")) + 8
	if at == len(stored) {
		return edits // nothing is heard of it
	}
	edit("another sample", func(b []byte) []byte { b[at+len(b[at:])/2] ^= 0x10; return b })
	edit("louder", func(b []byte) []byte {
		for i := at + 1; i < len(b); i += 2 {
			b[i] *= 2
		}
		return b
	})
	edit("twice as fast", func(b []byte) []byte {
		rate := binary.LittleEndian.Uint32(b[24:])
		binary.LittleEndian.PutUint32(b[24:], 2*rate)
		binary.LittleEndian.PutUint32(b[28:], 2*binary.LittleEndian.Uint32(b[28:]))
		return b
	})
	edit("half as long", func(b []byte) []byte {
		n := (len(b) - at) / 4 * 2
		binary.LittleEndian.PutUint32(b[at-4:], uint32(n))
		binary.LittleEndian.PutUint32(b[4:], uint32(at+n-8))
		return b[:at+n]
	})
	edit("cut off", func(b []byte) []byte { return b[:at+(len(b)-at)/2] })
	edit("without a sound", func(b []byte) []byte { return b[:at] })
	return edits
}
