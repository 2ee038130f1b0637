package disk

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// steps lets a test see every step that changes the disk, and make some of them fail.
func steps(t *testing.T, see func(step, path string) error) {
	t.Helper()
	Fault = see
	t.Cleanup(func() { Fault = nil })
}

// taken returns the steps of some kinds that are taken while do runs.
func taken(t *testing.T, do func(), kinds ...string) (list []string) {
	t.Helper()
	steps(t, func(step, path string) error {
		if slices.Contains(kinds, step) {
			list = append(list, step+" "+filepath.ToSlash(path))
		}
		return nil
	})
	do()
	Fault = nil
	return list
}

// holds compares what a file says with what it is to say; "" stands for no file.
func holds(t *testing.T, path, want string) {
	t.Helper()
	if b, err := os.ReadFile(path); string(b) != want || os.IsNotExist(err) != (want == "") {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), b, err, want)
	}
}
