package schema_test

import (
	"testing"

	"github.com/usher-assets/usher/schema"
)

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"TextureSlot": "texture slot", "UV": "UV", "LODs": "LODs", "HTTPServer": "HTTP server", "X": "X", "Unknown1C": "unknown1C", "Name": "name",
	} {
		if got := schema.Words(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"limbs": "limb", "vertices": "vertex", "indices": "index", "choices": "choice", "voices": "voice", "entries": "entry", "boxes": "box", "mass": "mass", "UV": "UV", "faces": "face"} {
		if got := schema.Singular(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 entries", 1: "1 entry", 2: "2 entries", -1: "-1 entries"} {
		if got := schema.Counted(n, "entry", "entries"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
