package ultima9

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// installed is an installation of the files of testdata with some others, and the types of the samples.
func installed(t *testing.T, files map[string][]byte) *format.Env {
	t.Helper()
	dir := t.TempDir()
	if files["types.dat"] == nil {
		files["types.dat"] = sampleTypes(t)
	}
	for name, b := range files {
		u9.Must(t, os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
	return &format.Env{Files: u9.Folders{dir, corpus.Testdata(t, "ultima9")}, Diagnostics: new(schema.Diagnostics)}
}

// An installation is described: the whole, then each model, texture and type with what belongs to it.
func TestInstallSummary(t *testing.T) {
	dangling := &ultima9.Types{Active: 3, Records: make([]ultima9.Type, ultima9.TypeCount)}
	dangling.Records[1].Model, dangling.Records[2].Model = 88, 5
	fewer := ultima9.NewArchive(3)
	u9.Must(t, fewer.Replace(2, corpus.Bytes(t, corpus.Testdata(t, "ultima9", "small.picture"))))
	for _, c := range []struct {
		name  string
		files map[string][]byte
		want  string // all that is said of the whole and of some things, one a line
		told  string
	}{
		{"own", map[string][]byte{}, `
 maps: 1
 map: 9: "meadow", 32 x 32 points, 5 fixed objects, 6 nonfixed objects
 types: 4, 2 of them with a name
 models: 2, 2 of them shown by a type or an object
 textures: 10, 5 of them used by a model, the ground or as an icon
 animations: 1
model 3 types: [3 traveller]
model 3 textures: [2 9]
model 3 placed: [map 9 × 1]
model 5 types: [1 wooden box 2]
model 5 textures: [7]
model 5 placed: [map 9 × 2]
texture 2 models: [3]
texture 5 ground of maps: [9]
texture 6 ground of maps: [9]
texture 7 models: [5]
texture 9 models: [3]
type 0 model: 0
type 0 icon: 7041
type 0 placed: [map 9 × 1]
type 1 wooden box model: 5
type 1 wooden box icon: 7041
type 1 wooden box placed: [map 9 × 2]
type 2 model: 5
type 2 icon: 7041
type 2 placed: [map 9 × 2]
type 3 traveller model: 3
type 3 traveller icon: 7041
type 3 traveller placed: [map 9 × 2]
`, ""},
		{"with gaps", map[string][]byte{"typename.flx": nil, "bitmap16.flx": archiveBytes(t, fewer), "music.flx": archiveBytes(t, fewer), "terrain.9": {1}, "fixed.9": {2}, "types.dat": u9.Do(write.Types(dangling))(t)}, `
 maps: 1
 map: 9: 6 nonfixed objects
 types: 3, 0 of them with a name
 models: 2, 1 of them shown by a type or an object
 textures: 1, 1 of them used by a model, the ground or as an icon
 animations: 1
 music: 1
 types whose model is missing: [1]
 textures of models that are missing: [7 9]
model 3 textures: [2 9]
model 5 types: [2]
model 5 textures: [7]
texture 2 models: [3]
type 0 model: 0
type 1 model: 88
type 1 placed: [map 9 × 1]
type 2 model: 5
type 2 placed: [map 9 × 1]
`, "damaged terrain.9, damaged fixed.9"},
		{"damaged", map[string][]byte{"sappear.flx": []byte("nothing"), "types.dat": []byte("nothing"), "nonfixed.9": nil}, `
 maps: 1
 map: 9: "meadow", 32 x 32 points, 5 fixed objects
 types: 0, 0 of them with a name
 models: 0, 0 of them shown by a type or an object
 textures: 10, 2 of them used by a model, the ground or as an icon
 animations: 1
texture 5 ground of maps: [9]
texture 6 ground of maps: [9]
`, "damaged types.dat, damaged sappear.flx, damaged nonfixed.9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := installed(t, c.files)
			var got strings.Builder
			got.WriteString("\n")
			for _, p := range Install.Describe(env) {
				for _, f := range p.Facts {
					fmt.Fprintf(&got, "%s %s: %v\n", p.Name, f.Name, f.Value)
				}
			}
			if got.String() != c.want {
				t.Errorf("got %s\nwant %s", got.String(), c.want)
			}
			var told []string
			for _, d := range env.Diagnostics.All() {
				told = append(told, d.Code+" "+filepath.Base(d.Path))
			}
			if s := strings.Join(told, ", "); s != c.told {
				t.Errorf("told %s, want %s", s, c.told)
			}
		})
	}
	if parts := Install.Describe(&format.Env{Files: u9.Folders{t.TempDir()}}); parts != nil {
		t.Errorf("of an empty folder: %v", parts)
	}
}

// The models and icons of an archive tell which types they are of.
func TestTitledByTypes(t *testing.T) {
	env := installed(t, map[string][]byte{})
	for _, c := range []struct {
		file, path, title, related string
	}{
		{"sappear.flx", "3", "traveller", "[3 traveller]"}, {"sappear.flx", "5", "wooden box", "[1 wooden box 2]"}, {"anim.flx", "2", "nod", ""}, {"bitmap16.flx", "2", "", ""},
	} {
		b := corpus.Bytes(t, corpus.Testdata(t, "ultima9", c.file))
		own := *env
		own.Name = c.file
		a := u9.Do(openFLX(bytes.NewReader(b), int64(len(b)), &own))(t)
		for i, e := range a.Entries() {
			if e.Path != c.path {
				continue
			}
			got := ""
			for _, f := range a.Abilities().Related(i) {
				got += fmt.Sprint(f.Value)
			}
			if e.Title != c.title || got != c.related {
				t.Errorf("%s:%s is called %q, and is of %q; want %q and %q", c.file, c.path, e.Title, got, c.title, c.related)
			}
		}
	}
}
