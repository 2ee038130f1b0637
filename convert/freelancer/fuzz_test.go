package freelancer_test

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	convert "github.com/usher-assets/usher/convert/freelancer"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

var modelFiles = [...]string{"ship.cmp", "crate.3db", "figure.dfm", "walk.anm", "parts.vms", "gunship.sur"}

// FuzzLift lifts whatever reads as a model or an animation file, and lowers it again: nothing panics, and unedited it is
// the same.
func FuzzLift(f *testing.F) {
	for _, name := range modelFiles {
		f.Add(corpus.Bytes(f, corpus.Testdata(f, "freelancer", name)), len(name)%2 == 0)
	}
	figure := corpus.Bytes(f, corpus.Testdata(f, "freelancer", "figure.dfm"))
	f.Fuzz(func(t *testing.T, b []byte, staged bool) {
		if len(b) > 64<<10 {
			return
		}
		for i := range convert.Formats {
			fm := &convert.Formats[i]
			if fm.Lift == nil || len(fm.Extensions) == 0 || fm.Kind == format.Text {
				continue
			}
			v, err := fm.Read(b, nil)
			if err != nil {
				return
			}
			env := &format.Env{Name: "x" + fm.Extensions[0]}
			if staged && fm.Name == "anm" {
				env = on(figure, nil)
			}
			a, err := fm.Lift(v, env)
			if err != nil {
				continue
			}
			var w bytes.Buffer
			if err := gltf.Encode(&w, a.(*asset.Scene), gltf.Options{}); err != nil {
				continue
			}
			s, err := gltf.Decode(w.Bytes(), nil, nil)
			if err != nil {
				t.Fatalf("%s: written, but not read: %v", fm.Name, err)
			}
			back, err := fm.Lower(s, &format.Env{Name: env.Name})
			if err != nil {
				continue
			}
			if _, err := fm.Write(back); err != nil && schema.Class(err) == nil {
				t.Errorf("%s: lifted and lowered, but not written: %v", fm.Name, err)
			}
		}
	})
}

// FuzzLowerScene makes files of every kind of whatever reads as glTF: nothing panics, and what is written can be read.
func FuzzLowerScene(f *testing.F) {
	for _, name := range modelFiles {
		b := corpus.Bytes(f, corpus.Testdata(f, "freelancer", name))
		f.Add(glb(f, liftWith(f, sniff(f, name, b), b, &format.Env{Name: name}), nil))
	}
	for _, s := range []*asset.Scene{ship(), arm(), twoSkins(), sliding()} {
		f.Add(glb(f, s, nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 64<<10 {
			return
		}
		for i := range convert.Formats {
			fm := &convert.Formats[i]
			if fm.Lower == nil || fm.Lift == nil || len(fm.Extensions) == 0 || fm.Kind == format.Text {
				continue
			}
			s, err := gltf.Decode(b, nil, nil)
			if err != nil {
				return
			}
			v, err := fm.Lower(s, &format.Env{Name: "x" + fm.Extensions[0], Options: format.Options{Freelancer: format.FreelancerOptions{Wireframe: true, Hulls: true}}})
			if err != nil {
				continue
			}
			file, err := fm.Write(v)
			if err != nil {
				continue
			}
			if _, err := fm.Read(file, nil); err != nil {
				t.Errorf("%s: written, but not read: %v", fm.Name, err)
			}
		}
	})
}
