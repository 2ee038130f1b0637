package browser

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// TestSite: static pages, opened from disk, show everything, without a server and without a word on the console.
func TestSite(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium: install the package chromium to test the page")
	}
	var operands []string
	for _, f := range families {
		operands = append(operands, filepath.Join(testdata, f))
	}
	v, err := view.New(view.Config{Operands: operands, Flags: []string{"--install", "/secret/place"}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	out := t.TempDir()
	done, err := v.Export(context.Background(), out, false, func(source string, err error) { t.Logf("left out: %s: %v", source, err) })
	if err != nil {
		t.Fatal(err)
	}
	if done.Nodes < 80 {
		t.Errorf("%d nodes", done.Nodes)
	}
	// Nothing tells where it was made.
	here, err := filepath.Abs(testdata)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, s := range []string{here, filepath.Dir(here), "/secret/place"} {
			if bytes.Contains(b, []byte(s)) {
				t.Errorf("%s tells of %s", path, s)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Export(context.Background(), out, false, func(string, error) {}); err == nil {
		t.Error("a site is overwritten unasked")
	}
	p := visit(t, "file://"+filepath.Join(out, "index.html"), "")
	p.wait(`globalThis.usher && usher.state !== "starting"`)
	p.goTo("#n=0")
	p.picture("site.png")
	seen := map[string]int{}
	for _, l := range eval[[]leaf](p, `usherRows.filter((r) => r.place === "file" || r.place === "entry").map((r) => ({ID: r.id, Name: r.name, Kind: r.kind}))`) {
		p.goTo(fmt.Sprintf("#n=%d", l.ID))
		if !p.ready(l.Name) {
			continue
		}
		view := eval[string](p, `document.querySelector('[role=tab][aria-selected=true]').dataset.view`)
		seen[view]++
		if seen[view] == 1 {
			p.picture("site " + view + ".png")
		}
		if view == "model" && seen[view] < 6 {
			p.drawn()
		}
		for _, href := range eval[[]string](p, `[...document.querySelectorAll("#foot a")].map((a) => a.getAttribute("href"))`) {
			path, err := url.PathUnescape(href)
			if err == nil {
				_, err = os.Stat(filepath.Join(out, filepath.FromSlash(path)))
			}
			if err != nil {
				t.Errorf("%s: %v", l.Name, err)
			}
		}
	}
	for _, view := range []string{"model", "picture", "sound", "table", "text"} {
		if seen[view] == 0 {
			t.Errorf("no %s is shown", view)
		}
	}
	eval[any](p, `(() => { const s = document.getElementById("search"); s.value = "windmill"; s.dispatchEvent(new Event("input")); return null; })()`)
	p.wait(`document.getElementById("count").textContent === "3 rows"`)
}

// TestSiteStored: static pages that are to hold the stored bytes show them with their fields, and have them to keep.
func TestSiteStored(t *testing.T) {
	if browser == nil {
		t.Skip("no Chromium: install the package chromium to test the page")
	}
	source := filepath.Join(testdata, "ultimate3d", "windmill.u3d")
	for _, stored := range []bool{true, false} {
		v, err := view.New(view.Config{Operands: []string{source}, Stored: stored})
		if err != nil {
			t.Fatal(err)
		}
		out := t.TempDir()
		if _, err := v.Export(context.Background(), out, false, func(source string, err error) { t.Errorf("%s: %v", source, err) }); err != nil {
			t.Fatal(err)
		}
		v.Close()
		kept, err := os.ReadFile(filepath.Join(out, "data", "0", "windmill.u3d"))
		if !stored {
			if err == nil {
				t.Error("stored bytes are given away unasked")
			}
			continue
		}
		want, _ := os.ReadFile(source)
		if err != nil || !bytes.Equal(kept, want) {
			t.Errorf("the file to keep: %d bytes, %v", len(kept), err)
		}
		p := visit(t, "file://"+filepath.Join(out, "index.html"), "")
		p.wait(`globalThis.usher && usher.state !== "starting"`)
		p.goTo("#n=0&v=hex")
		p.ready("the bytes")
		p.wait(`document.querySelectorAll(".span").length > 3`)
		for _, at := range []int{1, 17} {
			if got := eval[string](p, fmt.Sprintf(`document.querySelector('[data-at="%d"]').textContent`, at)); got != fmt.Sprintf("%02x", want[at]) {
				t.Errorf("byte %d is %s, want %02x", at, got, want[at])
			}
		}
		eval[any](p, `(() => { const j = document.querySelector('[aria-label="go to an offset"]'); j.value = "0x8000"; j.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter"})); return null; })()`)
		p.wait(fmt.Sprintf(`document.querySelector('[data-at="32768"]')?.textContent === "%02x"`, want[32768]))
		p.calm()
	}
}
