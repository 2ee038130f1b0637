package unreal

import (
	"bytes"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// FuzzLower puts scenes into packages, as new meshes and in place of one that is there. What is written must read.
func FuzzLower(f *testing.F) {
	for _, s := range []*asset.Scene{worm(), pyramid()} {
		var w bytes.Buffer
		if err := gltf.Encode(&w, s, gltf.Options{}); err != nil {
			f.Fatal(err)
		}
		f.Add(w.Bytes())
	}
	stored := written(f, wormPackage(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := gltf.Decode(b, nil, nil)
		if err != nil {
			return
		}
		x, _ := Create(&format.Env{Name: "Fuzz.u"})
		leaf := x.(*archive).newLeaf(format.Model)
		if v, err := leaf.Lower(s, &format.Env{}); err == nil {
			payload, err := leaf.Write(v)
			if schema.Class(err) != nil {
				return // it does not fit, and says so
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Add("Mesh", payload, leaf); err != nil {
				t.Fatal(err)
			}
			checkWhole(t, openBytes(t, "Fuzz.u", written(t, x)))
		}
		a := openBytes(t, "Worms.u", stored)
		i := entry(t, a, "Beasts.Worm")
		s.Native = lifted(t, a, "Beasts.Worm").(*asset.Scene).Native
		onto := formatOf(a, i)
		v, err := onto.Lower(s, &format.Env{})
		if err != nil {
			return
		}
		payload, err := onto.Write(v)
		if schema.Class(err) != nil {
			return
		}
		if err == nil {
			err = a.Replace(i, payload)
		}
		if err != nil {
			t.Fatal(err)
		}
		checkWhole(t, openBytes(t, "Worms.u", written(t, a)))
	})
}

// checkWhole lifts every object.
func checkWhole(t *testing.T, a *archive) {
	t.Helper()
	for i, e := range a.Entries() {
		b, err := a.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		f := formatOf(a, i)
		v, err := f.Read(b, nil)
		if err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		if f.Lift == nil {
			continue
		}
		if _, err := f.Lift(v, &format.Env{}); err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
	}
}
