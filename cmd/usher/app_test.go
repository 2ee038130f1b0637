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

// TestVerbs holds that the commands have the names of their verbs, and that a command line gets the one that it calls.
func TestVerbs(t *testing.T) {
	for _, v := range verbs {
		if name := v.command().Name; name != v.name {
			t.Errorf("%s makes a command %s", v.name, name)
		}
		if list := called([]string{"usher", v.name}); v.name != "man" && (len(list) != 1 || list[0].name != v.name) {
			t.Errorf("%s: %d verbs are called", v.name, len(list))
		}
	}
	for _, args := range [][]string{{"usher"}, {"usher", "man"}, {"usher", "help", "info"}, {"usher", "none"}} {
		if list := called(args); len(list) != len(verbs) {
			t.Errorf("%q: %d verbs, want all", args, len(list))
		}
	}
}
