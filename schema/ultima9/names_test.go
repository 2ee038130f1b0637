package ultima9

import (
	"testing"

	"github.com/usher-assets/usher/testdata/named"
)

// TestNames: every value of every field comes back from its words, and the reference has the same tables.
func TestNames(t *testing.T) {
	named.Check(t, map[string]named.Table{
		"AreaFlags":      named.Bits(areaBits),
		"AudioCode":      named.Bits(audioBits),
		"CollisionShape": named.Values(shapeNames),
		"Direction":      named.Values(directionNames),
		"EventType":      named.Values(eventNames),
		"Flags":          named.Bits(flagsBits),
		"FrameFlags":     named.Bits(frameBits),
		"Gender":         named.Values(genderNames),
		"ObjectFlags":    named.Bits(objectBits),
		"ObjectKind":     named.Values(objectKindNames),
		"Playback":       named.Bits(playbackBits),
		"Point":          named.Bits(pointBits),
		"PropertyType":   named.Values(propertyTypeNames),
		"RenderFlags":    named.Bits(renderBits),
		"SoundEncoding":  named.Values(soundEncodingNames),
		"SpaceFlags":     named.Bits(spaceBits),
		"StorageFlags":   named.Bits(storageBits),
		"TypeFlags":      named.Bits(typeBits),
	})
}

// TestPageRef: references to pages come back from their words, and from their numbers.
func TestPageRef(t *testing.T) {
	for ref, want := range map[PageRef]string{0: "none", 1: "page 0", 0x2001: "page 2", 0x2000: "8192", 0xFFFFF001: "page 1048575", 0xFFFFFFFF: "4294967295"} {
		var back PageRef
		if text := ref.String(); text != want || back.UnmarshalText([]byte(text)) != nil || back != ref {
			t.Errorf("%#x: %q and back %#x, want %q", uint32(ref), text, uint32(back), want)
		}
	}
	for _, bad := range []string{"", "page", "page -1", "page 1048576", "4294967296", "square"} {
		if ref := PageRef(7); ref.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("%q became %v", bad, ref)
		}
	}
}
