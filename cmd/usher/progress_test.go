package main

import (
	"bytes"
	"io"
	"testing"

	"github.com/vbauerster/mpb/v8"
)

// Results for a file or a pipe go there, not to the terminal that shows the bar.
func TestProgressLeavesOutputAlone(t *testing.T) {
	pool := mpb.New(mpb.WithOutput(io.Discard))
	p := &progress{pool: pool, bar: pool.AddBar(0)}
	defer p.close()
	out := &output{w: new(bytes.Buffer)}
	if got := p.writer(out); got != out {
		t.Errorf("results go to %T", got)
	}
}
