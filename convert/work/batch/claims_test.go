package batch_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
)

// triangle returns a glTF file of one triangle with a picture of one colour, which has no name.
func triangle(t *testing.T, shade byte) (file, picture []byte) {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 4, 4))
	for i := range 16 {
		m.Set(i%4, i/4, color.RGBA{shade, 10, 20, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	corners := make([]byte, 36+24) // three corners, of which two are moved by 1.0; three pairs of texture coordinates
	copy(corners[12:], "\x00\x00\x80\x3f")
	copy(corners[28:], "\x00\x00\x80\x3f")
	text := fmt.Sprintf(`{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
		"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],
		"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],
		"images":[{"uri":"data:image/png;base64,%s"}],
		"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}],
		"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
		"buffers":[{"byteLength":60,"uri":"data:application/octet-stream;base64,%s"}]}`,
		base64.StdEncoding.EncodeToString(b.Bytes()), base64.StdEncoding.EncodeToString(corners))
	return []byte(text), b.Bytes()
}

// Two models that bring a picture of one name each keep their own, the same with every number of workers, over what was
// there, and once more.
func TestPicturesOfOneName(t *testing.T) {
	in := t.TempDir()
	var operands []string
	var pictures [][]byte
	for i := range 6 {
		p := filepath.Join(in, fmt.Sprintf("m%d.gltf", i))
		file, picture := triangle(t, byte(40*(i/2))) // of every two the picture is the same
		if err := os.WriteFile(p, file, 0o666); err != nil {
			t.Fatal(err)
		}
		operands, pictures = append(operands, p), append(pictures, picture)
	}
	names := []string{"texture.png", "texture_2.png", "texture_3.png"}
	for _, workers := range []int{1, 2, 8} {
		for _, force := range []bool{false, true} {
			out := filepath.Join(t.TempDir(), "out")
			job := batch.Conversion{To: "u3d", Out: out + "/", Force: force, Session: batch.Session{Workers: workers}}
			for round := range 2 {
				if err := job.Run(context.Background(), operands, func(r batch.Result) {
					if r.Err != nil {
						t.Errorf("%d workers, force %v, round %d: %v", workers, force, round, r.Err)
					}
				}); err != nil {
					t.Fatal(err)
				}
				for i, name := range names {
					corpus.SameBytes(t, name, corpus.Bytes(t, filepath.Join(out, name)), pictures[2*i])
				}
				for i := range operands {
					model := corpus.Bytes(t, filepath.Join(out, fmt.Sprintf("m%d.u3d", i)))
					if !bytes.Contains(model, []byte(names[i/2])) {
						t.Errorf("%d workers, force %v: m%d does not name %s", workers, force, i, names[i/2])
					}
				}
			}
			os.Remove(filepath.Join(out, "m5.u3d")) // made anew, beside those that are up to date
			if err := job.Run(context.Background(), operands, func(batch.Result) {}); err != nil {
				t.Fatal(err)
			}
			if list, _ := filepath.Glob(filepath.Join(out, "*.png")); len(list) != len(names) {
				t.Errorf("%d workers, force %v: %v", workers, force, list)
			}
		}
	}
}
