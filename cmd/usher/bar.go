//go:build !js

package main

import (
	"io"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// bar is a progress bar on a terminal. What is written to it stands above.
type bar struct {
	*mpb.Progress
	bar *mpb.Bar
}

// newBar draws a bar on w, with a text behind it.
func newBar(w io.Writer, text func() string) *bar {
	pool := mpb.New(mpb.WithOutput(w))
	return &bar{pool, pool.New(0, mpb.BarStyle(), mpb.BarRemoveOnComplete(), mpb.BarWidth(24),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return text() })))}
}

func (b *bar) setTotal(n int) { b.bar.SetTotal(int64(n), false) }

func (b *bar) step() { b.bar.Increment() }

// close takes the bar off.
func (b *bar) close() {
	b.bar.SetTotal(-1, true)
	b.Wait()
}
