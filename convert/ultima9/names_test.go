package ultima9

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// TestNameOutranksWeakLook: four bytes are a type's sound as well as anything else; what the archive is called decides.
// Records that speak for themselves outrank the name.
func TestNameOutranksWeakLook(t *testing.T) {
	link, texture := []byte{1, 0, 0, 0}, recordOf(t, "bitmap16.flx")
	one := bytes.Repeat([]byte{0xA7}, ultima9.NPCSize) // begins as a sound template does, and is no list of sounds
	copy(one[4:], "Bren\x00")
	one[0x24] = 1
	characters := bytes.Repeat(one, 600)
	for _, c := range []struct {
		name    string
		records [][]byte
		want    *format.Format
	}{
		{"typename.flx", [][]byte{link}, &typeNameFormat},
		{"sfxassoc.flx", [][]byte{link}, &soundLinkFormat},
		{"other.flx", [][]byte{link}, &soundLinkFormat},
		{"TYPENAME.FLX", [][]byte{link, link, link}, &typeNameFormat},
		{"typename.flx", [][]byte{texture}, &textureFormat},
		{"triggers.flx", [][]byte{texture, texture}, &textureFormat},
		{"typename.flx", nil, &typeNameFormat},
		{"copy.flx", [][]byte{characters}, &npcFormat},
	} {
		a := ultima9.NewArchive(8)
		for i, b := range c.records {
			u9.Must(t, a.Replace(i, b))
		}
		var out bytes.Buffer
		u9.Must(t, write.FLX(&out, a))
		f := u9.Do(openFLX(bytes.NewReader(out.Bytes()), int64(out.Len()), &format.Env{Name: c.name}))(t).(*flxFile)
		if f.leaf != c.want {
			t.Errorf("%s of %d records: %v, want %s", c.name, len(c.records), f.leaf, c.want.Name)
		}
	}
}

// recordOf returns the first record of an archive of the test data.
func recordOf(t *testing.T, name string) []byte {
	t.Helper()
	f := openFile(t, corpus.Testdata(t, "ultima9", name), nil)
	return u9.Do(f.Payload(0))(t)
}
