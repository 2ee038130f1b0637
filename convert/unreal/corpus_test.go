package unreal

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/pack"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// valid returns the packages of the corpus.
func valid(t testing.TB) (list []corpus.Entry) {
	for _, e := range corpus.Manifest(t, "unreal") {
		if e.Expected == "ok" {
			list = append(list, e)
		}
	}
	return list
}

// openBytes opens a package that has no neighbours.
func openBytes(t testing.TB, name string, b []byte) *archive {
	t.Helper()
	a, err := open(bytes.NewReader(b), int64(len(b)), &format.Env{Name: name})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return a
}

// formatOf returns the format of an entry, made to work on it.
func formatOf(a *archive, i int) *format.Format {
	payload, _ := a.Payload(i)
	return a.Entries()[i].Format.Of(i, payload)
}

func written(t testing.TB, a format.ArchiveFile) []byte {
	t.Helper()
	var w bytes.Buffer
	if _, err := a.WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

// through carries an asset through the interchange file of its kind.
func through(t testing.TB, v asset.Asset) asset.Asset {
	t.Helper()
	var w bytes.Buffer
	switch v := v.(type) {
	case *asset.Texture:
		if len(v.Frames) > 1 {
			return v
		}
		if err := png.Encode(&w, v, png.Options{}); err != nil {
			t.Fatal(err)
		}
		out, err := png.Decode(&w)
		if err != nil {
			t.Fatal(err)
		}
		out.Name, out.Alpha, out.Native = v.Name, v.Alpha, v.Native
		return out
	case *asset.Sound:
		if len(v.PCM) == 0 {
			return v
		}
		if err := wav.Encode(&w, v); err != nil {
			t.Fatal(err)
		}
		out, err := wav.Decode(w.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		out.Name, out.Native = v.Name, v.Native
		return out
	case *asset.Scene:
		if err := gltf.Encode(&w, v, gltf.Options{}); err != nil {
			t.Fatal(err)
		}
		keep(t, v.Name, w.Bytes())
		out, err := gltf.Decode(w.Bytes(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	return v
}

// keep writes a GLB to the folder that USHER_OUT names, for the validator.
func keep(t testing.TB, name string, b []byte) {
	dir := os.Getenv("USHER_OUT")
	if dir == "" {
		return
	}
	stem := strings.NewReplacer("/", "_", "]", "", "[", "").Replace(t.Name()) + "_" + pack.CleanName(name)
	if err := os.WriteFile(filepath.Join(dir, stem+".glb"), b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestCorpusThereAndBack takes every object of every package to an asset, through the interchange file and back: the
// bytes are the same.
func TestCorpusThereAndBack(t *testing.T) {
	count := map[string]int{}
	for _, e := range valid(t) {
		t.Run(e.File, func(t *testing.T) {
			b := corpus.Bytes(t, e.Path)
			a := openBytes(t, e.File, b)
			seen := map[string]bool{}
			for i, entry := range a.Entries() {
				if key := strings.ToLower(entry.Path); seen[key] {
					t.Errorf("path %q occurs twice", entry.Path)
				} else {
					seen[key] = true
				}
				back(t, a, i, count)
			}
			corpus.SameBytes(t, "written", written(t, a), b)
		})
	}
	t.Logf("%v", count)
}

func back(t *testing.T, a *archive, i int, count map[string]int) {
	t.Helper()
	e := a.Entries()[i]
	payload, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	e.Format = formatOf(a, i)
	v, err := e.Format.Read(payload, nil)
	if err != nil {
		t.Fatalf("%s: %v", e.Path, err)
	}
	got, err := e.Format.Write(v)
	if err != nil {
		t.Fatalf("%s: %v", e.Path, err)
	}
	corpus.SameBytes(t, e.Path, got, payload)
	if e.Format.New != nil {
		v = throughJSON(t, e.Format, v)
	}
	if e.Format.Lift == nil {
		if got, err = e.Format.Write(v); err != nil {
			t.Fatalf("%s: %v", e.Path, err)
		}
		corpus.SameBytes(t, e.Path+" through JSON", got, payload)
		count[e.Format.Name]++
		return
	}
	env := &format.Env{Archive: a, Entry: e.Path}
	x, err := e.Format.Lift(v, env)
	if err != nil {
		if class := schema.Class(err); class != schema.ErrUnsupported && class != schema.ErrBare {
			t.Errorf("%s: %v", e.Path, err)
		}
		count["without an asset: "+e.Format.Name]++
		return
	}
	if e.Format.Name != modelName || i%8 == 0 { // brushes are many and alike
		x = through(t, x)
	}
	y, err := e.Format.Lower(x, env)
	if err != nil {
		t.Errorf("%s: lower: %v", e.Path, err)
		return
	}
	if got, err = e.Format.Write(y); err != nil {
		t.Fatalf("%s: %v", e.Path, err)
	}
	corpus.SameBytes(t, e.Path+" there and back", got, payload)
	count[e.Format.Name]++
}

func throughJSON(t testing.TB, f *format.Format, v any) any {
	t.Helper()
	var w bytes.Buffer
	if err := json.Encode(&w, v); err != nil {
		t.Fatal(err)
	}
	out := f.New()
	if err := json.Decode(&w, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// relative returns a payload of export i with the file positions in it relative to its start.
func relative(t testing.TB, a *archive, i int, b []byte) []byte {
	t.Helper()
	x := a.Context(i)
	if a.Exports[i].Data != nil {
		x.Offset = -1
	}
	fixups, _ := read.Fixups(b, x)
	b = bytes.Clone(b)
	for _, f := range fixups {
		binary.LittleEndian.PutUint32(b[f.At:], uint32(f.End))
	}
	return b
}
