package ultimate3d

import (
	"testing"

	"github.com/usher-assets/usher/testdata/named"
)

// TestNames: every value of every field comes back from its words, and the reference has the same tables.
func TestNames(t *testing.T) {
	named.Check(t, map[string]named.Table{
		"ColorOp":       named.Values(colorOpNames),
		"TexCoordIndex": named.Bits(texCoordBits),
		"TextureType":   named.Values(textureTypeNames),
	})
}
