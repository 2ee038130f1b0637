package gltf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/schema"
)

// TestPlainBesidePacked: a buffer that stands for what its views unpack to is asked for only where one of them is not packed, or
// cannot be unpacked.
func TestPlainBesidePacked(t *testing.T) {
	packed := packFloats(data([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0}), 12)
	for len(packed)%4 != 0 {
		packed = append(packed, 0)
	}
	size := len(packFloats(data([]float64{0, 0, 0, 1, 0, 0, 0, 1, 0}), 12))
	view := func(extension string) string {
		return fmt.Sprintf(`{"buffer":1,"byteLength":36,"extensions":{"EXT_meshopt_compression":{%s}}}`, extension)
	}
	sound := fmt.Sprintf(`"buffer":0,"byteLength":%d,"byteStride":12,"count":3,"mode":"ATTRIBUTES"`, size)
	const fallback = `"extensions":{"EXT_meshopt_compression":{"fallback":true}}`
	for _, c := range []struct {
		name, buffer, view string
		required           bool
		asked              int
		plain              bool // the bytes as they are were taken
		said, refused      string
	}{
		{"packed", `"byteLength":36,"uri":"plain.bin",` + fallback, view(sound), false, 0, false, "", ""},
		{"packed, required", `"byteLength":36,` + fallback, view(sound), true, 0, false, "", ""},
		{"packed, without a word of the buffer", `"byteLength":36`, view(sound), true, 0, false, "", ""},
		{"packed, with bytes", `"byteLength":36,"uri":"plain.bin"`, view(sound), false, 1, false, "", ""},
		{"not packed", `"byteLength":36,"uri":"plain.bin",` + fallback, `{"buffer":1,"byteLength":36}`, false, 1, true, "", ""},
		{"packed otherwise", `"byteLength":36,"uri":"plain.bin",` + fallback, view(strings.Replace(sound, "ATTRIBUTES", "CURVES", 1)), false, 1, true, `bufferViews/0 bad-extension: EXT_meshopt_compression is left out: bufferViews/0/extensions/EXT_meshopt_compression: meshopt: mode "CURVES"`, ""},
		{"damaged", `"byteLength":36,"uri":"plain.bin",` + fallback, view(strings.Replace(sound, `"count":3`, `"count":4`, 1)), false, 1, true, "4 elements of 12 bytes in a view of 36", ""},
		{"damaged, required", `"byteLength":36,"uri":"plain.bin",` + fallback, view(strings.Replace(sound, `"count":3`, `"count":4`, 1)), true, 0, false, "", "4 elements of 12 bytes in a view of 36"},
		{"damaged, without bytes", `"byteLength":36,` + fallback, view(strings.Replace(sound, `"count":3`, `"count":4`, 1)), false, 0, false, "", "4 elements of 12 bytes in a view of 36"},
		{"of no buffer", `"byteLength":36,"uri":"plain.bin",` + fallback, view(strings.Replace(sound, `"buffer":0`, `"buffer":2`, 1)), true, 0, false, "", "EXT_meshopt_compression/buffer: index 2, there are 2"},
		{"beyond its buffer", `"byteLength":36,"uri":"plain.bin",` + fallback, view(strings.Replace(sound, `"buffer":0`, `"buffer":0,"byteOffset":1000`, 1)), true, 0, false, "", "bytes 1000 + "},
		{"too short", `"byteLength":41,"uri":"plain.bin",` + fallback, `{"buffer":1,"byteLength":36}`, false, 1, false, "", "buffers/1/byteLength: 41 bytes declared, 40 present"},
		{"longer than it says", `"byteLength":30,"uri":"plain.bin",` + fallback, `{"buffer":1,"byteLength":36}`, false, 0, false, "", "bufferViews/0: bytes 0 + 36 of 30"},
		{"lost", `"byteLength":36,"uri":"lost.bin",` + fallback, `{"buffer":1,"byteLength":36}`, false, 1, false, "", `"lost.bin": no such file`},
		{"a word that is none", `"byteLength":36,"uri":"plain.bin","extensions":{"EXT_meshopt_compression":{"fallback":7}}`, view(sound), true, 0, false, "", "buffers/1/extensions/EXT_meshopt_compression"},
	} {
		asked := 0
		find := func(name string) ([]byte, error) {
			if asked++; name == "plain.bin" {
				return data([]float64{5, 5, 5, 1, 0, 0, 0, 1, 0, 7}), nil
			}
			return nil, errors.New("no such file")
		}
		required := ""
		if c.required {
			required = `"extensionsRequired":["EXT_meshopt_compression"],`
		}
		var d schema.Diagnostics
		j := document(fmt.Sprintf(`%s"buffers":[{"byteLength":%d},{%s}],"bufferViews":[%s],"accessors":[%s,%[5]s],"meshes":[{"primitives":[{"attributes":{"POSITION":0}},{"attributes":{"POSITION":0,"NORMAL":1}}]}]`, required, len(packed), c.buffer, c.view, vec3x3))
		s, err := Decode(glb(j, packed), find, &d)
		if asked != c.asked || (err != nil) != (c.refused != "") || !strings.Contains(fmt.Sprint(err), c.refused) {
			t.Errorf("%s: asked %d times, %v", c.name, asked, err)
		}
		if err != nil {
			continue
		}
		if got := s.Meshes[0].Primitives[0].Positions[0][0]; (got == 5) != c.plain {
			t.Errorf("%s: %v", c.name, got)
		}
		if list := saidBy(&d); (len(list) > 0) != (c.said != "") || c.said != "" && !strings.Contains(list[0], c.said) {
			t.Errorf("%s: said %q", c.name, list)
		}
	}
}
