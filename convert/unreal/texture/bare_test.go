package texture

import (
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema/unreal"
)

// TestBare: why a texture has no pixels.
func TestBare(t *testing.T) {
	for class, want := range map[string]string{"Texture": "took them out", "texture": "took them out", "FireTexture": "the game makes them", "WetTexture": "the game makes them"} {
		_, err := ListPicture(nil, &unreal.Texture{Object: unreal.Object{Context: &unreal.Context{Class: class, Path: "A.B"}}}, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", class, err, want)
		}
	}
}
