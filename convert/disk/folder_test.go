package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
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
	corpus.Allowed(t, os.Symlink(dir, filepath.Join(dir, "in", "link")))
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

// In a folder that was made, names are not asked for on the disk: those that were written are known, and what somebody
// else puts there meanwhile is not overwritten.
func TestFolderThatWasMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	f, err := Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Write("twice", []byte("first")); err != nil {
		t.Fatal(err)
	}
	filled := false
	if _, err := f.Prepare("twice", func(io.Writer) error { filled = true; return nil }); !errors.Is(err, ErrExists) || filled {
		t.Errorf("a second file of a name: %v, written: %v", err, filled)
	}
	write(t, filepath.Join(dir, "theirs"), "untouched")
	if err := f.Write("theirs", []byte("mine")); !errors.Is(err, ErrExists) {
		t.Errorf("somebody else's file: %v", err)
	}
	for name, want := range map[string]string{"twice": "first", "theirs": "untouched"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); string(b) != want {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
	}
}

// A scratch file is written and read, and gone with the folder.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	f, err := Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	file, err := f.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	if _, err := file.WriteAt([]byte("text"), 7); err != nil {
		t.Fatal(err)
	}
	if _, err := file.ReadAt(b, 7); err != nil || string(b) != "text" {
		t.Errorf("got %q, %v", b, err)
	}
	file.Close()
	f.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
