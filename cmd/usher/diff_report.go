package main

import (
	"bytes"
	"image"
	"io"
	"path/filepath"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/show/sheet"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema/asset"
)

// reports are what a comparison leaves beside its lines: a page, and a folder of pictures.
type reports struct {
	page      string // path of the page; empty for none
	old, now  string
	patch     func() (*attachment, error) // makes the patch that the page has with it
	unpatched string                      // why the page has none
	force     bool
	verbose   bool         // what is the same is on the page as well
	full      atomic.Bool  // the page has no room for further pictures
	folder    *disk.Folder // of the pictures; nil for none
	pictures  *disk.Room
	names     disk.Names
}

// The pictures of a report are squares of so many pixels; a model on the page is seen from so many sides.
const (
	reportSize  = 256
	turnedSize  = 224
	turnedSides = 12
)

func newReports(c *cli.Context, job *compare.Comparison, old, now string) (*reports, error) {
	r := &reports{page: c.String("html"), old: old, now: now, force: c.Bool("force"), verbose: c.Bool("verbose")}
	r.patch = func() (*attachment, error) { return attachPatch(c.Context, job.Loader, old, now) }
	dir := c.String("picture")
	if r.page != "" || dir != "" {
		job.Draw = r.draw
	}
	if dir == "" {
		return r, nil
	}
	var err error
	if r.folder, err = disk.Open(dir, r.force); err != nil {
		return nil, err
	}
	if r.pictures, err = r.folder.Room(); err != nil {
		r.folder.Close()
		return nil, err
	}
	return r, nil
}

// run does a comparison, whose entries go through show, while the page is being written.
func (r *reports) run(compareAll func(show func(*compare.Entry) error) error) error {
	if r.pictures != nil {
		defer r.folder.Close()
	}
	if err := r.write(compareAll); err != nil || r.pictures == nil {
		return err
	}
	return r.pictures.Commit("")
}

func (r *reports) write(compareAll func(show func(*compare.Entry) error) error) error {
	if r.page == "" {
		return compareAll(r.keep)
	}
	folder, err := disk.Open(filepath.Dir(r.page), r.force)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Create(filepath.Base(r.page), func(w io.Writer) error {
		card := newCard(r.old, r.now)
		err := compareAll(func(e *compare.Entry) error {
			if err := r.keep(e); err != nil || e.Status.Alike() && !r.verbose {
				return err
			}
			err := card.add(e)
			r.full.Store(card.left <= 0)
			return err
		})
		if err != nil {
			return err
		}
		if card.Patch, err = r.patch(); err != nil {
			return err
		}
		if card.Patch != nil {
			r.unpatched = card.Patch.Why
		}
		return card.write(w)
	})
}

// draw makes the pictures and sounds of an entry, as long as somebody takes them.
func (r *reports) draw(before, after *interchange.Item) *compare.Pictures {
	full := r.page == "" || r.full.Load()
	if full && r.folder == nil {
		return nil
	}
	p := sheet.Compared(reportSize)(before, after)
	if p == nil || full {
		return p
	}
	p.Turned = sheet.Turned(before, after, turnedSize, turnedSides)
	p.Heard = [2][]byte{heard(before), heard(after)}
	return p
}

// heard returns a sound as WAV. What is no sound, and what cannot be decoded, is silent.
func heard(it *interchange.Item) []byte {
	if it == nil {
		return nil
	}
	a, err := it.Lift()
	s, ok := a.(*asset.Sound)
	if err != nil || !ok {
		return nil
	}
	if len(s.PCM) == 0 {
		if s, err = mp3.Decoded(s); err != nil {
			return nil
		}
	}
	var b bytes.Buffer
	if err := wav.Encode(&b, s); err != nil || s.Frames() == 0 {
		return nil
	}
	return b.Bytes()
}

// keep writes the pictures of an entry into the folder, if there is one.
func (r *reports) keep(e *compare.Entry) error {
	if r.pictures == nil || e.Pictures == nil {
		return nil
	}
	stem := r.names.Unique(disk.SafePath(e.Path))
	for suffix, m := range map[string]*image.NRGBA{".before.png": e.Pictures.Before, ".after.png": e.Pictures.After, ".heat.png": e.Pictures.Heat} {
		if m == nil {
			continue
		}
		b, err := pngOf(m)
		if err == nil {
			err = r.pictures.Put(stem+suffix, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
