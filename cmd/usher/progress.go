package main

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// progress is the bar on a terminal. A nil progress draws nothing.
type progress struct {
	pool *mpb.Progress
	bar  *mpb.Bar
}

// newProgress returns a counting bar when w is a terminal, nil otherwise. The total is not known before the last input
// is found, so the bar shows the count and the time.
func newProgress(w io.Writer, what string) *progress {
	if !isTerminal(w) {
		return nil
	}
	pool := mpb.New(mpb.WithOutput(w))
	bar := pool.New(0, mpb.SpinnerStyle(), mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(what+" "), decor.CurrentNoUnit("%d")),
		mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_GO)))
	return &progress{pool, bar}
}

func (p *progress) step() {
	if p != nil {
		p.bar.Increment()
	}
}

// isTerminal tells whether what is written to w appears on a terminal.
var isTerminal = func(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.w
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// writer returns where lines for w go so that they stand above the bar: w itself when that is no terminal.
func (p *progress) writer(w io.Writer) io.Writer {
	if p == nil || !isTerminal(w) {
		return w
	}
	return p.pool
}

func (p *progress) close() {
	if p != nil {
		p.bar.SetTotal(-1, true)
		p.pool.Wait()
	}
}
