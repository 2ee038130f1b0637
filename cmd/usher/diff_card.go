package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"image"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/compare"
)

// card is the page of a comparison: what changed, as the readers of a mod want to see it. It is one file, and asks nobody
// for another one.
type card struct {
	Old, New string // names without folders: where they lie concerns nobody
	Kinds    []*cardKind
	LeftOut  int // entries that are named alone
	Patch    *attachment

	entries bytes.Buffer
	left    int // bytes that there is room for
}

// cardKind counts what became of the entries of one kind.
type cardKind struct {
	Name   string
	kind   format.Kind
	counts map[compare.Status]int
	Grown  int64 // bytes
}

// What a page has room for: bytes of entries with all that is shown of them, and bytes of one sound. Further entries are
// named alone.
const (
	mostOnCard  = 16 << 20
	mostOfSound = 2 << 20
)

// cardStatuses are the columns of the summary.
var cardStatuses = []compare.Status{compare.Changed, compare.Added, compare.Removed, compare.Renamed, compare.Failed, compare.Renumbered, compare.Same}

func newCard(old, now string) *card {
	return &card{Old: escaped(filepath.Base(old)), New: escaped(filepath.Base(now)), left: mostOnCard}
}

// add puts an entry on the page.
func (c *card) add(e *compare.Entry) error {
	if !e.Whole {
		c.count(e)
	}
	var b bytes.Buffer
	shown := newCardEntry(e)
	if c.left > 0 {
		if err := cardPage().ExecuteTemplate(&b, "entry", shown); err != nil {
			return err
		}
		c.left -= b.Len()
	}
	if c.left <= 0 {
		c.LeftOut++
		b.Reset()
		if err := cardPage().ExecuteTemplate(&b, "entry", shown.named()); err != nil {
			return err
		}
	}
	_, err := b.WriteTo(&c.entries)
	return err
}

func (c *card) count(e *compare.Entry) {
	i := slices.IndexFunc(c.Kinds, func(k *cardKind) bool { return k.kind == e.Kind })
	if i < 0 {
		i = len(c.Kinds)
		c.Kinds = append(c.Kinds, &cardKind{Name: e.Kind.String(), kind: e.Kind, counts: map[compare.Status]int{}})
	}
	c.Kinds[i].counts[e.Status]++
	c.Kinds[i].Grown += e.NewSize - e.OldSize
}

// Columns are the statuses that any entry has.
func (c *card) Columns() (list []compare.Status) {
	for _, s := range cardStatuses {
		if slices.ContainsFunc(c.Kinds, func(k *cardKind) bool { return k.counts[s] > 0 }) {
			list = append(list, s)
		}
	}
	return list
}

// Count is how many entries of a kind have a status.
func (k *cardKind) Count(s compare.Status) int { return k.counts[s] }

// Size tells how much larger or smaller the entries of a kind became.
func (k *cardKind) Size() string {
	switch {
	case k.Grown > 0:
		return "+" + byteCount(k.Grown)
	case k.Grown < 0:
		return "\u2212" + byteCount(-k.Grown)
	}
	return "\u00b10"
}

// Entries are the entries as they stand on the page.
func (c *card) Entries() template.HTML { return template.HTML(c.entries.String()) }

// Script is what makes pictures slide and models turn. The page permits no other.
func (c *card) Script() template.JS { return template.JS(cardScript) }

// Permitted is the hash of the script.
func (c *card) Permitted() string {
	sum := sha256.Sum256([]byte(cardScript))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (c *card) write(w io.Writer) error { return cardPage().ExecuteTemplate(w, "page", c) }

var (
	//go:embed card/card.html
	cardText string
	//go:embed card/card.js
	cardScript string
)

var cardPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("card").Funcs(template.FuncMap{"bytes": byteCount}).Parse(cardText))
})

// cardEntry is an entry as the page shows it.
type cardEntry struct {
	Status, Headline, Note, Error string

	First, Rest []string // details
	More        int      // further ones, which are not on the page
	Views       []cardView
	Heat        *cardView
	Slides      bool // the two views can lie on each other
	Sides       int  // from which a model is seen; 1 for a picture
	Sounds      []cardSound
}

// cardView is a picture, or a row of pictures of a model that turns.
type cardView struct {
	Title         string
	Data          template.URL
	Width, Height int // of one picture as it is shown, in pixels
	Sides         int
}

type cardSound struct {
	Title string
	Data  template.URL // empty for one that is too long
	Size  int64
}

// mostReported is how many details of an entry the page shows, and shownDetails of them without being asked.
const mostReported = 200

func newCardEntry(e *compare.Entry) *cardEntry {
	x := &cardEntry{Status: string(e.Status), Note: escaped(e.Note), Sides: 1}
	x.Headline = escaped(strings.TrimSpace(strings.TrimPrefix(headline(e), x.Status)))
	if e.Err != nil {
		x.Error, x.Headline = escaped(e.Err.Error()), escaped(e.Path)
	}
	for i, d := range e.Details[:min(len(e.Details), mostReported)] {
		if i < shownDetails {
			x.First = append(x.First, escaped(d.String()))
		} else {
			x.Rest = append(x.Rest, escaped(d.String()))
		}
	}
	x.More = max(0, e.Total-len(x.First)-len(x.Rest))
	if e.Pictures != nil {
		x.show(e.Pictures)
	}
	return x
}

// named is the entry without all that takes room.
func (x *cardEntry) named() *cardEntry {
	return &cardEntry{Status: x.Status, Headline: x.Headline, Error: x.Error, More: len(x.First) + len(x.Rest) + x.More}
}

var sideTitles = [2]string{"before", "after"}

func (x *cardEntry) show(p *compare.Pictures) {
	pictures := [2]*image.NRGBA{p.Before, p.After}
	if p.Turned != [2]*image.NRGBA{} {
		pictures, x.Sides = p.Turned, turnedSides
	}
	for i, m := range pictures {
		if v := newCardView(sideTitles[i], m, x.Sides); v != nil {
			x.Views = append(x.Views, *v)
		}
	}
	x.Slides = len(x.Views) == 2 && pictures[0].Rect == pictures[1].Rect
	if len(x.Views) == 2 {
		x.Heat = newCardView("where they differ", p.Heat, 1)
	}
	for i, b := range p.Heard {
		if b == nil {
			continue
		}
		s := cardSound{Title: sideTitles[i], Size: int64(len(b))}
		if len(b) <= mostOfSound {
			s.Data = dataURL("audio/wav", b)
		}
		x.Sounds = append(x.Sounds, s)
	}
}

// smallestShown is the width or height, in pixels, up to which small pictures are enlarged by whole numbers.
const smallestShown = 192

func newCardView(title string, m *image.NRGBA, sides int) *cardView {
	if m == nil || m.Rect.Empty() {
		return nil
	}
	b, err := pngOf(m)
	if err != nil {
		return nil
	}
	width, height := m.Rect.Dx()/sides, m.Rect.Dy()
	zoom := max(1, smallestShown/max(width, height))
	return &cardView{title, dataURL("image/png", b), zoom * width, zoom * height, sides}
}

func dataURL(mime string, b []byte) template.URL {
	return template.URL("data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(b))
}

// Turns reports whether there is a model to turn.
func (x *cardEntry) Turns() bool { return x.Sides > 1 && len(x.Views) > 0 }

// Last is the number of the last side of a model.
func (x *cardEntry) Last() int { return x.Sides - 1 }
