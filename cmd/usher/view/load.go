package view

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// withLoader reads a node as a loader of its own says, and hands it to use.
func (v *Viewer) withLoader(l *engine.Loader, n *node, use func(*interchange.Item) error) error {
	if _, err := confined(n); err != nil {
		return err
	}
	src, _ := v.source(n)
	if src.Path != n.path {
		own := l.InPlaceOf(n.path)
		l = &own
	}
	return batch.Guarded(func() error {
		it, err := l.Load(src, new(schema.Diagnostics))
		if err != nil {
			return err
		}
		defer it.Close()
		return use(it)
	})
}

// withItem reads a node and hands it to use. What a hostile file does to a decoder is an error, not the end.
func (v *Viewer) withItem(n *node, use func(*interchange.Item) error) error {
	l := v.loader.Load()
	if n.place != entry {
		return v.withLoader(l, n, use)
	}
	if _, err := confined(n); err != nil {
		return err
	}
	return batch.Guarded(func() error {
		a, release, err := v.archives.get(v.at(n), n.path)
		if err != nil {
			return err
		}
		defer release()
		i, err := a.Find(n.entry)
		if err != nil {
			return err
		}
		loan, err := a.Borrow(i)
		defer loan.Release()
		if err != nil {
			return err
		}
		env := *a.env
		env.Diagnostics, env.Scratch = new(schema.Diagnostics), &loan.Scratch
		it, err := l.ReadEntry(a.Archive, i, loan.Payload, &env)
		if err != nil {
			return err
		}
		return use(it)
	})
}

// kindOf returns what an item holds.
func kindOf(it *interchange.Item) format.Kind {
	if it.Format != nil {
		return it.Format.Kind
	}
	return interchange.KindOf(it.Asset)
}

// lifted reads a node as an asset of one type and hands it to use.
func lifted[A asset.Asset](v *Viewer, n *node, use func(A) error) error {
	return v.withItem(n, func(it *interchange.Item) error {
		it.Env.Plain, it.Env.Moving = true, true
		a, err := it.Seen().Lift()
		if err != nil {
			return err
		}
		x, ok := a.(A)
		if !ok {
			return errOther
		}
		return use(x)
	})
}

// errOther is the error of a node that holds something of another kind than it was asked for.
var errOther = errors.New("it holds nothing of that kind")

// decoded returns a sound with samples.
func decoded(s *asset.Sound) (*asset.Sound, error) {
	if len(s.PCM) > 0 {
		return s, nil
	}
	return mp3.Decoded(s)
}

// content is the stored bytes of a node.
type content interface {
	io.ReadSeeker
	io.ReaderAt
	io.Closer
	Size() int64
}

// stored opens the stored bytes of a node: a file as it is, the payload of an entry.
func (v *Viewer) stored(n *node) (content, error) {
	info, err := confined(n)
	if err != nil {
		return nil, err
	}
	if n.place != entry {
		return v.openFile(n, info.Size())
	}
	a, release, err := v.archives.get(v.at(n), n.path)
	if err != nil {
		return nil, err
	}
	defer release()
	i, err := a.Find(n.entry)
	if err != nil {
		return nil, err
	}
	var b []byte
	if err := batch.Guarded(func() (err error) { b, err = a.Payload(i); return err }); err != nil {
		return nil, err
	}
	return newMemory(b), nil
}

// openFile opens the file of a node, which has that size unless something in it was changed.
func (v *Viewer) openFile(n *node, size int64) (content, error) {
	f, err := os.Open(v.at(n))
	if err != nil {
		return nil, disk.PlainError(err)
	}
	if f.Name() != n.path {
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, disk.PlainError(err)
		}
		size = info.Size()
	}
	return fileContent{f, size}, nil
}

// stem is the name of a file that is made of a node, without an extension.
func stem(n *node) string {
	if n.place == entry {
		return filepath.Base(store.EntryStem(format.Entry{Path: n.entry, Title: n.title}))
	}
	return disk.SafeName(formats.Stem(filepath.Base(n.path)))
}

// shell quotes an argument for a terminal.
func shell(s string) string {
	plain := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,"
	if runtime.GOOS == "windows" {
		plain += `\`
	}
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	if runtime.GOOS == "windows" {
		return `"` + s + `"` // no name has such a sign there
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// command is what does the same in a terminal.
func (v *Viewer) command(args ...string) string {
	words := []string{"usher"}
	for _, a := range args {
		words = append(words, shell(a))
	}
	for _, a := range v.flags() {
		words = append(words, shell(a))
	}
	return strings.Join(words, " ")
}

// flags are those of the command line that every command needs; they may tell where things lie on this machine.
func (v *Viewer) flags() []string {
	if v.away {
		return nil
	}
	return v.config.Flags
}

// shownSource is what a user types for a node, as the page tells it.
func (v *Viewer) shownSource(n *node) string {
	if n.entry == "" || n.place == archive {
		return v.shownPath(n)
	}
	return v.shownPath(n) + ":" + n.entry
}
