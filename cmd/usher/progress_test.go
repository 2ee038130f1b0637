package main

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"

	"github.com/usher-assets/usher/convert/batch"
)

// Results for a file or a pipe go there, not to the terminal that shows the bar.
func TestProgressLeavesOutputAlone(t *testing.T) {
	pool := mpb.New(mpb.WithOutput(io.Discard))
	p := &progress{pool: pool, bar: pool.AddBar(0), stop: func() {}}
	defer p.close()
	out := &output{w: new(bytes.Buffer)}
	if got := p.writer(out); got != out {
		t.Errorf("results go to %T", got)
	}
}

func TestProgressText(t *testing.T) {
	begun := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	p := &progress{what: "converting", begun: begun}
	if got, want := p.text(begun), "converting 0 of 0, 0 bytes of 0 bytes"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for range 3 {
		p.step(batch.Result{Size: 5_000_000})
	}
	if got, want := p.text(begun.Add(5*time.Second)), "converting 3, 15.0 MB, 3000.0 kB/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.setTotal(amount{12, 60_000_000})
	if got, want := p.text(begun.Add(5*time.Second)), "converting 3 of 12, 15.0 MB of 60.0 MB, 3000.0 kB/s, 15s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
