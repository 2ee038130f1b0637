package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// steps does something each time that a text is printed that it waits for.
type steps struct {
	mu   sync.Mutex
	text bytes.Buffer
	from int // of what the last step has seen
	list []step
}

type step struct {
	text string
	do   func()
}

func (s *steps) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(b)
	for len(s.list) > 0 {
		rest := s.text.String()[s.from:]
		at := strings.Index(rest, s.list[0].text)
		if at < 0 {
			break
		}
		s.from += at + len(s.list[0].text)
		s.list[0].do()
		s.list = s.list[1:]
	}
	return len(b), nil
}

// TestWatchCommand: a saved file is packed, one that cannot be is told of, and an end of the run is its end.
func TestWatchCommand(t *testing.T) {
	dir := t.TempDir()
	archive, folder, out := filepath.Join(dir, "models.flx"), filepath.Join(dir, "work"), filepath.Join(dir, "new.flx")
	if err := os.WriteFile(archive, corpus.Bytes(t, corpus.Testdata(t, "ultima9", "sappear.flx")), 0o666); err != nil {
		t.Fatal(err)
	}
	if code := run(context.Background(), []string{"usher", "unpack", archive, "-o", folder, "--to", "json", "-q"}, nil, io.Discard, io.Discard); code != exitOK {
		t.Fatal(code)
	}
	model := filepath.Join(folder, "3.json")
	good := corpus.Bytes(t, model)
	write := func(b []byte) func() {
		return func() {
			if err := os.WriteFile(model, b, 0o666); err != nil {
				t.Error(err)
			}
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	printed := &steps{list: []step{
		{"new.flx: nothing changed", write(bytes.Replace(good, []byte(`"CylinderHeight": 40`), []byte(`"CylinderHeight": 41`), 1))},
		{"new.flx: replaced 3 in ", write([]byte("{"))},
		{"new.flx stays as it was: 1 file cannot be packed", stop},
	}}
	if code := run(ctx, []string{"usher", "pack", folder, "-o", out, "--watch"}, nil, printed, printed); code != exitInterrupted {
		t.Errorf("status %d", code)
	}
	if len(printed.list) > 0 {
		t.Errorf("%q was not printed:\n%s", printed.list[0].text, &printed.text)
	}
	if !regexp.MustCompile(`(?m)^usher: .*work: 3.json \(entry 3\): `).MatchString(printed.text.String()) {
		t.Errorf("the failure is not told of:\n%s", &printed.text)
	}
	if code := run(context.Background(), []string{"usher", "diff", archive, out, "-q"}, nil, io.Discard, io.Discard); code != exitFailed {
		t.Errorf("the edit is not in the archive: %d", code)
	}
	if code := run(context.Background(), []string{"usher", "pack", folder, "-o", out, "--watch", "--dry-run"}, nil, io.Discard, io.Discard); code != exitUsage {
		t.Errorf("a dry run: %d", code)
	}
}
