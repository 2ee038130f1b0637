package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestOutputLost holds that results which could not be printed do not pass for success.
func TestOutputLost(t *testing.T) {
	const model = "../../testdata/ultimate3d/windmill.u3d"
	for _, line := range []string{"version", "help", "formats", "formats --json", "info " + model, "info --json " + model, "verify " + model, "verify --json " + model, "completion bash"} {
		var stderr bytes.Buffer
		code := run(context.Background(), append([]string{"usher"}, strings.Fields(line)...), nil, fullDisk{}, &stderr)
		if code != exitFailed || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%s: status %d, %q", line, code, stderr.String())
		}
	}
}
