package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/schema"
)

// painted returns a model with a red texture and a vertex elsewhere, as a GLB in a folder of its own.
func painted(t testing.TB, model, texture string) string {
	t.Helper()
	file := edited(t, model)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := gltf.Decode(b, nil, new(schema.Diagnostics))
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
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := gltf.Encode(out, s, gltf.Options{Diagnostics: new(schema.Diagnostics)}); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestDeskShared: a ship is dropped whose texture lies in a library of two ships. The page asks where that goes: nothing is done when
// somebody thinks better of it, and what comes of each answer is among the changes.
func TestDeskShared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "DATA")
	for to, from := range map[string]string{"A/heron.cmp": "heron.cmp", "B/other.cmp": "heron.cmp", "ships.mat": "heron.mat"} {
		path := filepath.Join(dir, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		copyFile(t, filepath.Join(testdata, "show", from), path)
	}
	file := painted(t, filepath.Join(dir, "A", "heron.cmp"), "heron_paint.dds")
	p := open(t, view.Config{Operands: []string{dir}, Desk: &view.Desk{}})
	p.wait(`document.querySelector("#desk [data-action=save]")`)
	ship := eval[int](p, `(async () => {
		const list = await (await fetch("api/list?q=heron.cmp", { credentials: "same-origin" })).json();
		return list.rows.find((r) => r.name === "heron.cmp").id;
	})()`)
	files := func() string {
		return eval[string](p, `(async () => {
			const s = await (await fetch("api/desk", { credentials: "same-origin" })).json();
			return s.files.filter((f) => f.changes.length).map((f) => f.name + (JSON.stringify(f.changes).includes("heron_heron_paint") ? " with a copy" : "")).sort().join(", ");
		})()`)
	}
	for _, c := range []struct{ answer, want string }{
		{"", ""},
		{"into ships.mat", "heron.cmp, ships.mat"},
		{"a copy for heron.cmp", "heron.cmp with a copy, ships.mat"},
	} {
		p.goTo(fmt.Sprintf("#n=%d", ship))
		p.wait(`document.querySelector("#acts [data-action=replace]")`) // it is the ship that is shown
		p.drop("#view", file)
		p.wait(`document.querySelector("dialog.ask")?.textContent.includes("heron_paint.dds: it lies in ships.mat, and 2 models wear it")`)
		if c.answer == "" {
			eval[any](p, `document.querySelector("dialog.ask button").click(), null`)
			p.wait(`!document.querySelector("dialog[open]")`)
		} else {
			p.answer(c.answer, nil)
			p.wait(`location.hash.startsWith("#d=")`) // the change is shown, however long drawing it takes
		}
		if got := files(); got != c.want {
			t.Errorf("%q: changes of %q, want %q", c.answer, got, c.want)
		}
	}
}
