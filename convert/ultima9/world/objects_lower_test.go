package world

import (
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
)

// A size that the percentages of an object cannot say is refused.
func TestHugeObject(t *testing.T) {
	l := &objectLowerer{kind: ultima9.Nonfixed}
	if l.scale(&ultima9.Object{}, "giant", [3]float32{1, 1, 3e7}); schema.Class(l.err) != schema.ErrRange {
		t.Error(l.err)
	}
}
