package freelancer_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// pageFormats are the formats that JSON shows in a form of its own.
var pageFormats = []string{"cmp", "ale", "sur"}

// FuzzPages: what reads as a file, and is written as it was, comes back from what JSON shows of it.
func FuzzPages(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(corpus.Testdata(f, "freelancer"), "*.*"))
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range files {
		if b := corpus.Bytes(f, p); len(b) < 32<<10 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 64<<10 {
			return
		}
		for _, name := range pageFormats {
			fm := byName(t, name)
			v, err := fm.Read(b, nil)
			if err != nil {
				continue
			}
			plain, err := fm.Write(v)
			if err != nil {
				continue
			}
			doc, err := fm.Document.Show(v, &format.Env{Name: "x." + name, Diagnostics: new(schema.Diagnostics)})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var text bytes.Buffer
			if err := json.EncodeDocument(&text, name, doc); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			it, err := new(engine.Loader).Decode(text.Bytes(), &format.Env{Name: "x.json"})
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text.Bytes())
			}
			back, err := fm.Write(it.Value)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			corpus.SameBytes(t, name, back, plain)
		}
	})
}

// FuzzDocuments: whatever a document says, it is written or refused.
func FuzzDocuments(f *testing.F) {
	for _, name := range []string{"ship.cmp", "figure.dfm", "walk.anm", "tiles.txm", "gunship.sur"} {
		b := corpus.Bytes(f, corpus.Testdata(f, "freelancer", name))
		fm := sniff(f, name, b)
		v, err := fm.Read(b, nil)
		if err != nil {
			f.Fatal(err)
		}
		doc, err := fm.Document.Show(v, &format.Env{Name: name})
		if err != nil {
			f.Fatal(err)
		}
		var text bytes.Buffer
		if err := json.EncodeDocument(&text, fm.Name, doc); err != nil {
			f.Fatal(err)
		}
		f.Add(text.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 128<<10 {
			return
		}
		it, err := new(engine.Loader).Decode(b, &format.Env{Name: "x.json"})
		if err != nil {
			return
		}
		if file, err := it.Format.Write(it.Value); err == nil {
			if _, err := it.Format.Read(file, nil); err != nil {
				t.Errorf("%s: written, but not read: %v", it.Format.Name, err)
			}
		}
	})
}

// FuzzHardpointTable: whatever a table says, a model gets it or it is refused.
func FuzzHardpointTable(f *testing.F) {
	b := corpus.Bytes(f, corpus.Testdata(f, "freelancer", "crate.3db"))
	fm := byName(f, "3db")
	f.Add("part,name,kind,x,y,z,xx,xy,xz,yx,yy,yz,zx,zy,zz,axis_x,axis_y,axis_z,min,max\nRoot,HpA,rev,1,2,3,1,0,0,0,1,0,0,0,1,0,1,0,-45,45\n")
	f.Add("\ufeffname;x;kind\nHpWeapon01;1e39;fix\n\"a\"\"b\";-0;\n")
	f.Add(string(b))
	f.Fuzz(func(t *testing.T, text string) {
		s := lift(t, fm, "crate.3db", b, nil)
		v, err := fm.Lower(s, &format.Env{Name: "crate.3db", Files: memory{"from": []byte(text)}, Options: format.Options{Freelancer: format.FreelancerOptions{HardpointsFrom: "from"}}})
		if err != nil {
			return
		}
		file, err := fm.Write(v)
		if err != nil {
			return
		}
		if _, err := fm.Read(file, nil); err != nil {
			t.Error(err)
		}
	})
}
