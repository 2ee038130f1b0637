package write_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/write"
)

func TestCopyRange(t *testing.T) {
	content := make([]byte, 1<<20)
	for i := range content {
		content[i] = byte(i * i >> 8)
	}
	name := filepath.Join(t.TempDir(), "source")
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct{ from, n int64 }{{0, 0}, {5, 0}, {9, 1}, {7, 100}, {3, 256 << 10}, {1, 1<<20 - 1}, {0, 1 << 20}} {
		want := content[c.from : c.from+c.n]
		var out bytes.Buffer
		if err := write.CopyRange(&out, "x", bytes.NewReader(content), c.from, c.n); err != nil || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%+v in memory: %d bytes, %v", c, out.Len(), err)
		}
		target, err := os.Create(filepath.Join(t.TempDir(), "target"))
		if err != nil {
			t.Fatal(err)
		}
		err = write.CopyRange(target, "x", file, c.from, c.n)
		if closing := target.Close(); err == nil {
			err = closing
		}
		if got, _ := os.ReadFile(target.Name()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%+v between files: %d bytes, %v", c, len(got), err)
		}
	}
	for _, n := range []int64{2, 1 << 20} {
		if err := write.CopyRange(new(bytes.Buffer), "x", file, 1<<20-1, n); !errors.Is(err, schema.ErrTruncated) {
			t.Errorf("%d bytes past the end: %v", n, err)
		}
	}
	target, err := os.Create(filepath.Join(t.TempDir(), "target"))
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	for _, w := range []io.Writer{target, new(bytes.Buffer)} {
		if err := write.CopyRange(w, "x", file, -1, 1<<19); err == nil || errors.Is(err, schema.ErrTruncated) {
			t.Errorf("from before the start to %T: %v", w, err)
		}
	}
}
