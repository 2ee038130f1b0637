package schema_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// A build for a system of 32 bits says why there is none.
func TestBuildFor32Bits(t *testing.T) {
	program := corpus.Go(t)
	for _, arch := range []string{"386", "arm"} {
		cmd := exec.Command(program, "build", ".")
		cmd.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0", "GOARCH="+arch)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "needs_a_64_bit_system") {
			t.Errorf("%s: %v\n%s", arch, err, out)
		}
	}
}
