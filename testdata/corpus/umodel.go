package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Umodel returns the path of umodel (UE Viewer): what USHER_UMODEL names, or the program of that name. The test is
// skipped where there is none.
func Umodel(t testing.TB) string {
	t.Helper()
	program := "umodel"
	if name := os.Getenv("USHER_UMODEL"); name != "" {
		program = name
	}
	program, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("umodel is not installed: neither USHER_UMODEL nor the PATH has it: %v", err)
	}
	if program, err = filepath.Abs(program); err != nil {
		t.Fatal(err)
	}
	return program
}
