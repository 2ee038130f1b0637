package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFolderWritesWholeFilesOnly(t *testing.T) {
	dir := t.TempDir()
	f, err := Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	broken := errors.New("broken")
	err = f.Create("sub/half", func(w io.Writer) error {
		if _, err := w.Write([]byte("half")); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "sub", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "sub", ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFolderOverwritesOnlyWithForce(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		force bool
		text  string
		want  string
		err   error
	}{
		{false, "first", "first", nil}, {false, "second", "first", ErrExists}, {true, "third", "third", nil},
	} {
		f, err := Open(dir, tt.force)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Write("a", []byte(tt.text)); !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", tt.text, err, tt.err)
		}
		if b, _ := os.ReadFile(filepath.Join(dir, "a")); string(b) != tt.want {
			t.Errorf("%s: file holds %q", tt.text, b)
		}
		f.Close()
	}
}

func TestFolderKeepsNamesInside(t *testing.T) {
	dir := t.TempDir()
	f, err := Open(filepath.Join(dir, "in"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Symlink(dir, filepath.Join(dir, "in", "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	for _, name := range []string{"../out", "link/out", "/out", "a/../../out"} {
		if err := f.Write(name, nil); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "out")); len(left) > 0 {
		t.Errorf("left the folder: %v", left)
	}
}

func TestFolderNamesItsFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "a.png", "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	out, err := Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	err = out.Write("a.png", []byte("picture"))
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "a.png")) || strings.Contains(err.Error(), temporaryPrefix) {
		t.Errorf("got %v", err)
	}
}
