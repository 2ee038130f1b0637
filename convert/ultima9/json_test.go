package ultima9

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"
)

// Every record can go through JSON, except meshes with numbers that are none, which JSON cannot hold.
func TestJSON(t *testing.T) {
	n := map[string]int{}
	check := func(what string, f *format.Format, b []byte) {
		v, err := f.Read(b, nil)
		if err != nil {
			return // damaged, or of the dead layout
		}
		text, err := json.Marshal(v)
		if err != nil {
			if what != "odd_faces.mesh" {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		back := f.New()
		u9.Must(t, json.Unmarshal(text, back))
		corpus.SameBytes(t, what, u9.Do(f.Write(back))(t), b)
		n[f.Name]++
	}
	for name, b := range u9.MeshFiles(t) {
		check(name, &sappearFormat, b)
	}
	for name, b := range u9.AnimFiles(t) {
		check(name, &animFormat, b)
	}
	for _, path := range u9.TextureFiles(t) {
		check(path, &textureFormat, corpus.Bytes(t, path))
	}
	for path, f := range map[string]*format.Format{"palette/extra.pal": &paletteFormat, "types/types.dat": &typesFormat, "anim/registry.txt": &registryFormat} {
		check(path, f, corpus.Bytes(t, u9.Synthetic(t, path)))
	}
	for path, f := range map[string]*format.Format{"texture/sdInfo16.flx": &sdInfoFormat, "types/typename.flx": &typeNameFormat} {
		archive := openFile(t, u9.Synthetic(t, path), nil)
		for i := range archive.Entries()[:22] {
			check(path, f, u9.Do(archive.Payload(i))(t))
		}
	}
	t.Log(n)
}

// Facts can be shown for every record of the samples.
func TestFacts(t *testing.T) {
	for _, name := range []string{"bitmap16.flx", "sappear.flx", "anim.flx", "typename.flx", "sdInfo16.flx"} {
		f := openFile(t, corpus.Testdata(t, "ultima9", name), nil)
		if len(f.Facts()) < 3 {
			t.Errorf("%s: %v", name, f.Facts())
		}
		for i, e := range f.Entries() {
			if facts := e.Format.Facts(u9.Do(e.Format.Read(u9.Do(f.Payload(i))(t), nil))(t)); len(facts) < 2 {
				t.Errorf("%s:%s: %v", name, e.Path, facts)
			}
		}
	}
	var w bytes.Buffer
	a := u9.Do(createFLX(&format.Env{Name: "new.flx"}))(t)
	u9.Do(a.WriteTo(&w))(t)
	if w.Len() != 128 {
		t.Errorf("an empty archive has %d bytes", w.Len())
	}
}
