package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/usher-assets/usher/convert/work/batch"
)

// progress tells how far a run is: a bar on a terminal, or a line every ten seconds. A nil progress tells nothing.
type progress struct {
	what  string
	bar   *bar               // nil for lines
	stop  context.CancelFunc // of the goroutines that count and print
	begun time.Time

	mu    sync.Mutex
	done  amount
	total amount // nothing until all inputs are counted
}

// amount is some work.
type amount struct {
	Assets int
	Bytes  int64
}

// plainEvery is the time between two lines of --progress plain; shorter in tests.
var plainEvery = 10 * time.Second

func progressFlag() cli.Flag {
	return &cli.StringFlag{Name: "progress", Usage: "tell how far the run is: `auto` on a terminal, plain as a line every ten seconds, or none", DefaultText: "auto"}
}

// track starts to tell how far a run is. Count, which counts the work, runs beside it.
func (p *printer) track(c *cli.Context, what string, count func(context.Context) (assets int, bytes int64)) {
	plain := c.String("progress") == "plain"
	if c.String("progress") == "none" || p.quiet || !plain && (p.json || !isTerminal(p.err)) {
		return
	}
	ctx, stop := context.WithCancel(c.Context)
	pr := &progress{what: what, stop: stop, begun: time.Now()}
	go func() {
		n, bytes := count(ctx)
		if ctx.Err() == nil {
			pr.setTotal(amount{n, bytes})
		}
	}()
	if plain {
		go pr.lines(ctx, p.err)
	} else {
		pr.bar = newBar(under(p.err), func() string { return pr.text(time.Now()) })
	}
	p.progress = pr
}

func (p *progress) setTotal(total amount) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = total
	if p.bar != nil {
		p.bar.setTotal(total.Assets)
	}
}

// lines prints a line now and then.
func (p *progress) lines(ctx context.Context, w io.Writer) {
	tick := time.NewTicker(plainEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			fmt.Fprintln(w, p.text(now))
		}
	}
}

// text says how much is done of how much, how fast it goes, and how long it will take yet.
func (p *progress) text(now time.Time) string {
	p.mu.Lock()
	done, total := p.done, p.total
	p.mu.Unlock()
	elapsed := now.Sub(p.begun).Seconds()
	var b strings.Builder
	if total.Assets < done.Assets || total.Bytes < done.Bytes { // not counted yet, or more came
		fmt.Fprintf(&b, "%s %d, %s", p.what, done.Assets, byteCount(done.Bytes))
		total = amount{}
	} else {
		fmt.Fprintf(&b, "%s %d of %d, %s of %s", p.what, done.Assets, total.Assets, byteCount(done.Bytes), byteCount(total.Bytes))
	}
	if elapsed >= 1 {
		fmt.Fprintf(&b, ", %s/s", byteCount(int64(float64(done.Bytes)/elapsed)))
	}
	if elapsed >= 1 && done.Bytes > 0 && total.Bytes > 0 {
		left := time.Duration(elapsed * float64(total.Bytes-done.Bytes) / float64(done.Bytes) * float64(time.Second))
		fmt.Fprintf(&b, ", %s left", left.Round(time.Second))
	}
	return b.String()
}

// step counts what is done.
func (p *progress) step(r batch.Result) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.done.Assets++
	p.done.Bytes += r.Size
	p.mu.Unlock()
	if p.bar != nil {
		p.bar.step()
	}
}

// isTerminal reports whether what is written to w appears on a terminal.
var isTerminal = func(w io.Writer) bool {
	f, ok := under(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// writer returns where lines for w go so that they stand above the bar: w itself when that is no terminal.
func (p *progress) writer(w io.Writer) io.Writer {
	if p == nil || p.bar == nil || !isTerminal(w) {
		return w
	}
	return p.bar
}

func (p *progress) close() {
	if p == nil {
		return
	}
	p.stop()
	if p.bar != nil {
		p.bar.close()
	}
}
