package unreal

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestEmptiedText: a text that somebody has taken out of its object is kept as it is, and keeps nobody from the rest; one
// that is damaged is refused.
func TestEmptiedText(t *testing.T) {
	for _, c := range []struct {
		payload string
		kept    bool
	}{
		{"", true},
		{"\x01\x00", true},
		{strings.Repeat(" ", 8) + "\x01\x00", true},
		{strings.Repeat(" ", 20) + "\x01\x00", true},
		{strings.Repeat(" ", 8), false},
		{strings.Repeat(" ", 8) + "\x01\x00\x00", false},
		{"\xff\x01\x00", false},
	} {
		a := made(t, 69)
		i := entry(t, a, "Notes")
		if err := a.Fill(unreal.Ref(i+1), []byte(c.payload)); err != nil {
			if c.kept || schema.Class(err) == nil {
				t.Errorf("%q: %v", c.payload, err)
			}
			continue
		}
		if !c.kept {
			t.Errorf("%q is taken", c.payload)
			continue
		}
		a = openBytes(t, "Emptied.u", written(t, a))
		payload, err := a.Payload(i)
		if err != nil || string(payload) != c.payload {
			t.Fatalf("%q: %q, %v", c.payload, payload, err)
		}
		if f := a.Entries()[i].Format.Of(i, payload); f.Name != objectName {
			t.Errorf("%q: a %s", c.payload, f.Name)
		}
		for k := range a.Entries() {
			back(t, a, k, map[string]int{})
		}
	}
}
