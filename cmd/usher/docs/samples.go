package docs

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/cmd/usher/docs/layout"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

// What is looked at to learn a layout: files and entries of a format, and bytes of each.
const (
	mostSamples    = 24
	mostSampleSize = 256 << 10
)

// samples are files and entries of each format, with their readers.
type samples map[string][]layout.Sample

// layouts are those of all formats of which the examples show one.
func (s *Site) layouts(ctx context.Context, l *engine.Loader) (map[string]*layout.Layout, error) {
	all, err := samplesOf(ctx, l, s.Examples)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	found := map[string]*layout.Layout{}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for name, some := range all {
		g.Go(func() error {
			if x := layout.Learn(some); x.Useful() {
				mu.Lock()
				defer mu.Unlock()
				found[name] = x
			}
			return ctx.Err()
		})
	}
	return found, g.Wait()
}

// samplesOf reads files and the entries of those that are archives.
func samplesOf(ctx context.Context, l *engine.Loader, files []string) (samples, error) {
	all := samples{}
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, _ := interchange.SniffFile(path)
		if f == nil {
			continue
		}
		a, err := store.OpenAny(path, f, l.Env(path, new(schema.Diagnostics)))
		if err != nil {
			continue // of what is damaged there is nothing to learn
		}
		all.file(a, f)
		a.Close()
	}
	return all, nil
}

// file adds a file, and its entries if it is an archive.
func (all samples) file(a *store.Archive, f *format.Format) {
	if !a.Single() && a.Size <= mostSampleSize {
		if b, err := os.ReadFile(a.Path); err == nil {
			all.add(f, b)
		}
	}
	for i := range a.Entries() {
		e := &a.Entries()[i]
		if e.Format == nil || e.Size > mostSampleSize || len(all[e.Format.Name]) >= mostSamples {
			continue
		}
		if b, err := a.Payload(i); err == nil {
			all.add(e.Format.Of(i, b), bytes.Clone(b))
		}
	}
}

// add adds the bytes of a file or an entry.
func (all samples) add(f *format.Format, b []byte) {
	if len(b) == 0 || len(all[f.Name]) >= mostSamples {
		return
	}
	read := func(b []byte, d *schema.Diagnostics) error {
		_, err := f.Read(b, d)
		return err
	}
	if f.Open != nil {
		read = func(b []byte, d *schema.Diagnostics) error {
			_, err := f.Open(&noted{b, d.Trace()}, int64(len(b)), &format.Env{Diagnostics: d})
			return err
		}
	}
	if f.Read != nil || f.Open != nil {
		guarded := func(b []byte, d *schema.Diagnostics) error {
			return batch.Guarded(func() error { return read(b, d) })
		}
		all[f.Name] = append(all[f.Name], layout.Sample{Bytes: b, Read: guarded})
	}
}

// noted is a file that tells a trace where in memory each part of it lies that was read.
type noted struct {
	b     []byte
	trace *schema.Trace
}

func (n *noted) ReadAt(b []byte, at int64) (int, error) {
	read, err := bytes.NewReader(n.b).ReadAt(b, at)
	n.trace.Place(b[:read], at)
	return read, err
}
