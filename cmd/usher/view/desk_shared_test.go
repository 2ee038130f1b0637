package view

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// sharedDesk returns a desk on a ship whose materials lie in a library, which another ship wears as well.
func sharedDesk(t *testing.T) (v *Viewer, dir string, ship, library int) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "DATA")
	for to, from := range map[string]string{"A/heron.cmp": "heron.cmp", "B/other.cmp": "heron.cmp", "ships.mat": "heron.mat"} {
		path := filepath.Join(dir, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, corpus.Bytes(t, corpus.Testdata(t, "show", from)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v = openDesk(t, dir)
	return v, dir, nodeOf(t, v, "A/heron.cmp", ""), nodeOf(t, v, "ships.mat", "")
}

// paintedGLB returns a model as GLB, with a texture painted red, and a vertex moved where somebody wants that.
func paintedGLB(t *testing.T, v *Viewer, id int, texture string, moved bool) []byte {
	t.Helper()
	s, err := gltf.Decode(get(t, v, fmt.Sprintf("/api/save/%d/glb", id)), nil, new(schema.Diagnostics))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range s.Textures {
		if x.Name == texture {
			x.File = nil
			for i, pix := 0, x.Base().Pix; i < len(pix); i += 4 {
				copy(pix[i:], []byte{255, 0, 0, 255})
			}
		}
	}
	if moved {
		for i := range s.Meshes[0].Primitives[0].Positions {
			s.Meshes[0].Primitives[0].Positions[i][1] *= 1.5
		}
	}
	var out bytes.Buffer
	if err := gltf.Encode(&out, s, gltf.Options{Diagnostics: new(schema.Diagnostics)}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// isRed reports whether a model is shown with the texture that was painted.
func isRed(t *testing.T, v *Viewer, id int) bool {
	t.Helper()
	s, err := gltf.Decode(get(t, v, fmt.Sprintf("/api/model/%d", id)), nil, new(schema.Diagnostics))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(s.Textures, func(x *asset.Texture) bool { return bytes.HasPrefix(x.Base().Pix, []byte{255, 0, 0, 255}) })
}

// changesOf returns the entries that are changed on a desk, by file.
func changesOf(t *testing.T, v *Viewer) map[string][]string {
	t.Helper()
	var s DeskState
	getJSON(t, v, "/api/desk", &s)
	list := map[string][]string{}
	for _, f := range s.Files {
		for _, c := range f.Changes {
			for _, e := range c.Entries {
				list[f.Name] = append(list[f.Name], e.Status+" "+e.Path)
			}
		}
		slices.Sort(list[f.Name])
	}
	return list
}

// TestDeskShared: a model that is put onto the desk with an edit of what other models wear changes nothing before it is said where that
// goes; then it goes there, and all of it is among the changes.
func TestDeskShared(t *testing.T) {
	by := func(models int) string {
		return "it lies in ships.mat, and " + schema.Counted(models, "model wears", "models wear") + " it"
	}
	const picture = "changed Texture library/heron_paint.dds/MIPS"
	for _, c := range []struct {
		name, how string
		moved     bool
		library   []string
		model     []string // the beginnings of what is changed
		again     string   // what is said of the same edit afterwards
	}{
		{"there", "there", false, []string{picture}, nil, by(2)},
		{"there, and a vertex", "there", true, []string{picture}, []string{"changed VMeshLibrary/", "changed Root.3db/"}, by(2)},
		{"a copy", "copy", false, nil, []string{"added Material library/heron_heron_paint", "added Texture library/heron_heron_paint", "changed VMeshLibrary/"}, by(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, dir, ship, library := sharedDesk(t)
			glb := paintedGLB(t, v, ship, "heron_paint.dds", c.moved)
			put, other := fmt.Sprintf("/api/desk/put/%d?name=heron.glb", ship), nodeOf(t, v, "B/other.cmp", "")
			if isRed(t, v, ship) || isRed(t, v, other) {
				t.Fatal("it is red already")
			}
			var asked acted
			post(t, v, put, glb, &asked)
			want := deskShared{"heron_paint.dds", "ships.mat", library, by(2)}
			if asked.Change != "" || len(asked.Shared) != 1 || asked.Shared[0] != want || len(changesOf(t, v)) > 0 {
				t.Fatalf("%+v, want %+v; changed %v", asked, want, changesOf(t, v))
			}
			var done acted
			post(t, v, put+"&"+url.Values{"shared": {c.how}, "onto": {fmt.Sprint(library)}}.Encode(), glb, &done)
			if done.Change == "" || len(done.Shared) > 0 {
				t.Errorf("%+v", done)
			}
			if red := isRed(t, v, ship); !red {
				t.Error("the model is shown as it was")
			}
			if red := isRed(t, v, other); red != (c.how == "there") {
				t.Errorf("the other ship is shown with what is not saved: %v", red)
			}
			var again acted
			if post(t, v, put, glb, &again); len(again.Shared) != 1 || again.Shared[0].Words != c.again {
				t.Errorf("put once more: %+v, want %q", again, c.again)
			}
			got := changesOf(t, v)
			if !slices.Equal(got["ships.mat"], c.library) {
				t.Errorf("the library: %q, want %q", got["ships.mat"], c.library)
			}
			for _, begin := range c.model {
				if !slices.ContainsFunc(got["heron.cmp"], func(s string) bool { return strings.HasPrefix(s, begin) }) {
					t.Errorf("the model: %q, want %q", got["heron.cmp"], begin)
				}
			}
			for _, x := range got["heron.cmp"] {
				if !slices.ContainsFunc(c.model, func(begin string) bool { return strings.HasPrefix(x, begin) }) && !strings.Contains(x, "Material count") {
					t.Errorf("the model: %q", x)
				}
			}
			var s DeskState
			getJSON(t, v, "/api/desk", &s)
			for _, f := range s.Files {
				if len(f.Changes) > 0 {
					post(t, v, fmt.Sprintf("/api/desk/save/%d", f.Node), []byte(`{"over":true,"force":true}`), nil)
				}
			}
			if same := bytes.Equal(corpus.Bytes(t, filepath.Join(dir, "ships.mat")), corpus.Bytes(t, corpus.Testdata(t, "show", "heron.mat"))); same != (c.library == nil) {
				t.Errorf("the library is as it was: %v", same)
			}
			if red := isRed(t, v, other); red != (c.how == "there") || !isRed(t, v, ship) {
				t.Errorf("after saving the other ship is red: %v", red)
			}
			corpus.SameBytes(t, "the other ship", corpus.Bytes(t, filepath.Join(dir, "B", "other.cmp")), corpus.Bytes(t, corpus.Testdata(t, "show", "heron.cmp")))
		})
	}
}

// TestDeskBeside: a model in an archive that is open shows the texture of another archive as it is on the desk, and as it was when that is
// taken back.
func TestDeskBeside(t *testing.T) {
	v, _, _ := newDeskOn(t, "ultima9/sappear.flx", "ultima9/bitmap16.flx", "ultima9/ankh.pal")
	model, texture := nodeOf(t, v, "sappear.flx", "3"), nodeOf(t, v, "bitmap16.flx", "2")
	if isRed(t, v, model) {
		t.Fatal("it is red already")
	}
	red := image.NewNRGBA(image.Rect(0, 0, 16, 12))
	for i := 0; i < len(red.Pix); i += 4 {
		copy(red.Pix[i:], []byte{255, 0, 0, 255})
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, red); err != nil {
		t.Fatal(err)
	}
	post(t, v, fmt.Sprintf("/api/desk/put/%d?name=2.png", texture), picture.Bytes(), nil)
	if !isRed(t, v, model) {
		t.Error("the model is shown as it was")
	}
	post(t, v, fmt.Sprintf("/api/desk/undo/%d", texture), nil, nil)
	if isRed(t, v, model) {
		t.Error("the model is still shown with what was taken back")
	}
}

// TestDeskSharedFails: where one of the files does not take what was put there, none does.
func TestDeskSharedFails(t *testing.T) {
	v, dir, ship, library := sharedDesk(t)
	glb := paintedGLB(t, v, ship, "heron_paint.dds", false)
	put := fmt.Sprintf("/api/desk/put/%d?name=heron.glb&shared=there", ship)
	for name, onto := range map[string]string{"no library": "", "no node": "&onto=x", "a node that is not there": "&onto=99999", "an entry": fmt.Sprintf("&onto=%d", nodeOf(t, v, "ships.mat", "Texture library/heron_paint.dds/MIPS"))} {
		if r := send(v, put+onto, glb, nil); r.StatusCode == http.StatusOK || len(changesOf(t, v)) > 0 {
			t.Errorf("%s: %s, %v", name, r.Status, changesOf(t, v))
		}
	}
	if r := send(v, fmt.Sprintf("%s&onto=%d&onto=%d", put, library, nodeOf(t, v, "B", "")), glb, nil); r.StatusCode == http.StatusOK || len(changesOf(t, v)) > 0 {
		t.Errorf("a folder: %s, %v", r.Status, changesOf(t, v))
	}
	held, err := worktree.OpenDraft(t.Context(), engine.Loader{}, filepath.Join(dir, "A", "heron.cmp"))
	if err != nil {
		t.Fatal(err)
	}
	if r := send(v, fmt.Sprintf("%s&onto=%d", put, library), glb, nil); r.StatusCode == http.StatusOK || len(changesOf(t, v)) > 0 {
		t.Errorf("a model that another desk has: %s, %v", r.Status, changesOf(t, v))
	}
	held.Close()
	if r := send(v, fmt.Sprintf("%s&onto=%d", put, library), []byte("no model"), nil); r.StatusCode == http.StatusOK || len(changesOf(t, v)) > 0 {
		t.Errorf("no model: %s, %v", r.Status, changesOf(t, v))
	}
}
