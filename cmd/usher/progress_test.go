package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
)

// Results for a file or a pipe go there, not to the terminal that shows the bar.
func TestProgressLeavesOutputAlone(t *testing.T) {
	p := &progress{bar: newBar(io.Discard, func() string { return "" }), stop: func() {}}
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

var progressText = regexp.MustCompile(`converting \d+ of \d+, \d.* of \d`)

// Nothing tells of progress in a pipe; --progress plain does so in lines.
func TestProgressPlain(t *testing.T) {
	if plainEvery != 10*time.Second {
		t.Errorf("a line every %v", plainEvery)
	}
	defer func(was time.Duration) { plainEvery = was }(plainEvery)
	plainEvery = time.Millisecond
	t.Chdir(flatTestdata(t))
	for _, tt := range []struct {
		flag string
		want bool
	}{{"auto", false}, {"none", false}, {"plain", true}} {
		var out, stderr bytes.Buffer
		run(context.Background(), []string{"usher", "convert", ".", "-o", tt.flag, "--progress", tt.flag}, nil, &out, &stderr)
		if got := progressText.Match(stderr.Bytes()) || progressText.Match(out.Bytes()); got != tt.want {
			t.Errorf("--progress %s: %v\n%s", tt.flag, got, stderr.String())
		}
	}
}

// On a terminal a bar tells of it, and is gone at the end.
func TestProgressOnTerminal(t *testing.T) {
	if _, err := exec.LookPath("script"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no script of util-linux here, which gives a program a terminal")
	}
	dir := flatTestdata(t)
	for _, folder := range []string{"a", "b", "c", "d"} { // long enough for the bar to be drawn
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(corpus.Testdata(t, "unreal"))); err != nil {
			t.Fatal(err)
		}
	}
	out, _ := shell(t, dir, `script -qec "stty rows 40 cols 100; usher convert . -o out -j 1" /dev/null`)
	if !progressText.MatchString(out) {
		t.Errorf("no progress in %q", out)
	}
}
