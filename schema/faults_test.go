package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// One fault is itself, several are a line each, and more than a screen of them are counted.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		faults int
		want   string
		lines  int
	}{
		{0, "", 0}, {1, "a/line 1: x: bad", 1}, {2, "a/line 2: x: bad", 2}, {maxFaults, "a/line 20", maxFaults}, {maxFaults + 3, "and 3 more", maxFaults + 1},
	} {
		var inner, outer Faults
		for i := range c.faults {
			inner.Add(&FormatError{Path: fmt.Sprintf("line %d", i+1), Offset: -1, Field: "x", Class: ErrValue, Msg: "bad"})
		}
		outer.Add(nil)
		outer.Add(In("a", inner.Err()))
		err := outer.Err()
		if c.faults == 0 {
			if err != nil || outer.Any() {
				t.Errorf("no fault: %v", err)
			}
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != c.lines || !strings.Contains(lines[len(lines)-1], c.want) || !errors.Is(err, ErrValue) || Class(err) != ErrValue || !outer.Any() {
			t.Errorf("%d faults: %v", c.faults, err)
		}
	}
}
