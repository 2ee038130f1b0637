package ultima9

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// FuzzLowerScene lowers whatever a glTF file holds: it may be refused, and what is not can be written and read.
func FuzzLowerScene(f *testing.F) {
	b := sampleBody(f)
	s := u9.Do(Sappear.Lift(u9.Do(read.Sappear(b, nil))(f), nil))(f)
	clip := u9.Do(openFLX(bytes.NewReader(sampleClips(f)), int64(len(sampleClips(f))), nil))(f)
	animated := u9.Do(Anim.Lift(u9.Do(read.Anim(u9.Do(clip.Payload(0))(f), nil))(f), nil))(f)
	for _, s := range []*asset.Scene{s, animated} {
		var w bytes.Buffer
		u9.Must(f, gltf.Encode(&w, s, gltf.Options{}))
		f.Add(w.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := gltf.Decode(b, nil, nil)
		if err != nil {
			return
		}
		if m, err := Sappear.Lower(s, nil); err == nil {
			if b, err := write.Sappear(m); err == nil {
				u9.Do(read.Sappear(b, nil))(t)
			}
		}
		if a, err := Anim.Lower(s, nil); err == nil {
			if b, err := write.Anim(a); err == nil {
				u9.Do(read.Anim(b, nil))(t)
			}
		}
	})
}

// FuzzLift lifts whatever can be read; what was lifted comes back as the same bytes.
func FuzzLift(f *testing.F) {
	textures := sampleTextures(f, nil)
	archive := u9.Do(openFLX(bytes.NewReader(textures), int64(len(textures)), nil))(f)
	for i := range archive.Entries() {
		f.Add(u9.Do(archive.Payload(i))(f))
	}
	f.Add(sampleBody(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, x := range []*format.Format{&textureFormat, &sappearFormat, &animFormat} {
			v, err := x.Read(b, new(schema.Diagnostics))
			if err != nil {
				continue
			}
			a, err := x.Lift(v, nil)
			if err != nil {
				continue
			}
			back, err := x.Lower(a, nil)
			if err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, x.Name, u9.Do(x.Write(back))(t), b)
		}
	})
}

// FuzzProbe shows probes anything.
func FuzzProbe(f *testing.F) {
	f.Add("a.pal", sampleBody(f))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		for i := range Formats {
			Formats[i].Probe(input(name, b))
		}
		_, _ = openFLX(bytes.NewReader(b), int64(len(b)), nil)
	})
}
