package gltf

import (
	"bytes"
	"slices"
	"testing"
)

func TestBeside(t *testing.T) {
	const doc = `{"buffers":[{"uri":"a%20b.bin"},{"uri":"data:;base64,AA=="}],"images":[{"uri":"../up/x.png"},{"bufferView":1},{"uri":"http://x/y.png"}]}`
	want := []string{"a b.bin", "../up/x.png"}
	var glb bytes.Buffer
	if err := writeGLB(&glb, [][]byte{[]byte(doc)}, new(buffer)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		want []string
	}{"JSON": {[]byte(doc), want}, "GLB": {glb.Bytes(), want}, "cut": {glb.Bytes()[:40], nil}, "none": {[]byte("glTF"), nil}, "short chunk": {change32(bytes.Clone(glb.Bytes()), 12, 20), nil}, "long chunk": {change32(bytes.Clone(glb.Bytes()), 12, 1<<32-1), want}} {
		if got := Beside(c.file); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
