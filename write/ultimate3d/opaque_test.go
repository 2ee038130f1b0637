package ultimate3d_test

import (
	"bytes"
	"testing"

	read "github.com/usher-assets/usher/read/ultimate3d"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultimate3d"
)

// TestOpaqueMaterial has a first material that cannot be decoded from its textures on: the next material is found behind
// it. Of several places that look like one, the first counts behind which nothing is left over; else the first at all.
func TestOpaqueMaterial(t *testing.T) {
	m, err := read.U3D(corpus.Bytes(t, corpus.Testdata(t, "ultimate3d", "ball.u3d")), nil)
	if err != nil || len(m.Bones) > 0 {
		t.Fatalf("%v, %d bones", err, len(m.Bones))
	}
	second := *m.Materials[0]
	second.Name = "second"
	chunk, err := write.MaterialChunk(&second)
	if err != nil {
		t.Fatal(err)
	}
	noTexture := []byte{1, 99, 0, 0, 0} // used, of a type that there is not
	for _, tt := range []struct {
		name     string
		between  []byte // behind the certain part of the first material, before the second one
		trailing []byte
		want     int // how many of these bytes are the first one's
	}{
		{"at once", noTexture, nil, 5},
		{"the name alone is none", append(noTexture[:5:5], ultimate3d.MaterialMagic...), nil, 5 + len(ultimate3d.MaterialMagic)},
		{"the first leaves something over", append(noTexture[:5:5], chunk...), nil, 5 + len(chunk)},
		{"something is left over", noTexture, []byte("left"), 5},
		{"all leave something over", append(noTexture[:5:5], chunk...), []byte("left"), 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first := *m.Materials[0]
			first.Opaque, first.ExportResources, first.Undecoded = true, 1, tt.between
			first.Effect, first.EffectUsed, first.Textures = nil, 0, [8]*ultimate3d.Texture{}
			x := *m
			x.Materials = []*ultimate3d.Material{&first, &second}
			x.Trailing = tt.trailing
			b, err := write.U3D(&x)
			if err != nil {
				t.Fatal(err)
			}
			got, err := read.U3D(b, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Materials) != 2 || !got.Materials[0].Opaque || got.Materials[1].Name != "second" {
				t.Fatalf("%d materials", len(got.Materials))
			}
			if n := len(got.Materials[0].Undecoded); n != tt.want {
				t.Errorf("%d bytes are not decoded, want %d", n, tt.want)
			}
			if again, err := write.U3D(got); err != nil || !bytes.Equal(again, b) {
				t.Errorf("written as other bytes (%v)", err)
			}
		})
	}
}
