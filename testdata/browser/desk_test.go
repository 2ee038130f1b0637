package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/usher-assets/usher/cmd/usher/view"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/schema"
)

// edited returns what an entry, or a file, becomes by "convert", with one thing in it changed, in a folder of its own.
func edited(t testing.TB, operand string) (file string) {
	t.Helper()
	job := batch.Conversion{Out: t.TempDir() + string(filepath.Separator)}
	if err := job.Run(context.Background(), []string{operand}, func(r batch.Result) {
		if r.Err == nil && len(r.Outputs) > 0 {
			file = r.Outputs[0].Path
		}
	}); err != nil || file == "" {
		t.Fatalf("%s: %q, %v", operand, file, err)
	}
	b, err := os.ReadFile(file)
	if err == nil {
		b, err = change(filepath.Ext(file), b)
	}
	if err == nil {
		err = os.WriteFile(file, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// change changes one thing in a file: a pixel, a vertex, a sample, a word.
func change(ext string, b []byte) ([]byte, error) {
	var out bytes.Buffer
	switch ext {
	case ".png":
		m, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		if p, ok := m.(*image.Paletted); ok {
			p.Pix[0] = uint8((int(p.Pix[0]) + 1) % len(p.Palette))
		} else if p, ok := m.(*image.NRGBA); ok {
			p.Pix[0] ^= 0xF8
		} else if p, ok := m.(*image.RGBA); ok {
			p.Pix[0] ^= 0xF8
		}
		err = png.Encode(&out, m)
		return out.Bytes(), err
	case ".glb":
		s, err := gltf.Decode(b, nil, new(schema.Diagnostics))
		if err != nil {
			return nil, err
		}
		positions := s.Meshes[0].Primitives[0].Positions
		was := positions[0]
		for i, v := range positions {
			if v == was {
				positions[i][1] += 0.125
			}
		}
		err = gltf.Encode(&out, s, gltf.Options{Diagnostics: new(schema.Diagnostics)})
		return out.Bytes(), err
	case ".wav":
		b[len(b)-2] ^= 0x10
	default:
		b = bytes.Replace(b, []byte("e"), []byte("o"), 1)
	}
	return b, nil
}

// desk opens a desk on copies of files.
func desk(t testing.TB, dir string, files ...string) *page {
	t.Helper()
	for _, f := range files {
		copyFile(t, filepath.Join(testdata, filepath.FromSlash(f)), filepath.Join(dir, filepath.Base(f)))
	}
	p := open(t, view.Config{Operands: []string{dir}, Desk: &view.Desk{Exports: filepath.Join(dir, "out")}})
	p.wait(`document.querySelector("#desk [data-action=save]")`)
	return p
}

// upload gives a file to a chooser of the page.
func (p *page) upload(action, file string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector('input[data-action=%q]')`, action))
	if err := chromedp.Run(p.ctx, chromedp.SetUploadFiles(fmt.Sprintf(`input[data-action=%q]`, action), []string{file}, chromedp.ByQuery)); err != nil {
		p.Fatal(err)
	}
}

// drop drops a file onto an element of the page.
func (p *page) drop(selector, file string) {
	p.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		p.Fatal(err)
	}
	eval[any](p, fmt.Sprintf(`(() => {
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)), data = new DataTransfer();
		data.items.add(new File([bytes], %q));
		const el = document.querySelector(%q);
		for (const name of ["dragover", "drop"]) el.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
		return null;
	})()`, base64.StdEncoding.EncodeToString(b), filepath.Base(file), selector))
}

// click presses what does something, which is to be possible.
func (p *page) click(action string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector('[data-action=%q]:not(:disabled)')`, action))
	eval[any](p, fmt.Sprintf(`document.querySelector('[data-action=%q]:not(:disabled)').click(), null`, action))
}

// answer fills in what the page asks for, and presses a button.
func (p *page) answer(button string, values map[string]string) {
	p.Helper()
	p.wait(`document.querySelector("dialog[open]")`)
	for name, value := range values {
		eval[any](p, fmt.Sprintf(`document.querySelector('dialog [name=%q]').value = %q, null`, name, value))
	}
	eval[any](p, fmt.Sprintf(`document.querySelector('dialog [data-answer=%q]').click(), null`, button))
}

// changed waits until the page shows a change, before and after.
func (p *page) changed() {
	p.Helper()
	p.wait(`location.hash.startsWith("#d=") && (usher.state === "ready" || usher.state === "failed") && document.querySelectorAll("[data-change]").length > 0`)
	p.ready("the change")
}

// saved saves, and returns the path.
func (p *page) saved(path string) string {
	p.Helper()
	p.click("save")
	p.wait(`document.querySelector("#say.good")`)
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + ".new" + ext
}

// differing returns what differs between two files.
func differing(t testing.TB, a, b string) string {
	t.Helper()
	var list []string
	job := compare.Comparison{}
	if err := job.Run(context.Background(), a, b, func(e compare.Entry) {
		if e.Status != compare.Same && !e.Whole {
			list = append(list, fmt.Sprint(e.Status, " ", e.Path))
		}
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, "; ")
}

// verified fails the test unless a file reads and comes back as it is.
func verified(t testing.TB, path string) {
	t.Helper()
	job := compare.Verification{}
	if err := job.Run(context.Background(), []string{path}, func(r batch.Result) {
		if r.Status != batch.Same {
			t.Errorf("%s: %s %v", r.Source, r.Status, r.Err)
		}
	}); err != nil {
		t.Error(err)
	}
}

// deskJobs are one job of each family and each verb, and what differs then.
var deskJobs = []deskJob{
	{"unreal/pictures.utx", "Walls.Board", "replace", "changed Walls.Board"},
	{"freelancer/tiles.txm", "Texture library/red.tga/MIP0", "replace", "changed Texture library/red.tga/MIP0; changed Texture library/red.tga/MIP1; changed Texture library/red.tga/MIP2"},
	{"freelancer/ship.cmp", "", "replace", ""},
	{"ultimate3d/ball.u3d", "", "replace", "changed ball.new.u3d"},
	{"ultima9/bitmap16.flx", "2", "replace", "changed 2"},
	{"unreal/sounds.uax", "", "sound", ""},
	{"ultima9/lanterns.book", "", "text", "changed lanterns.new.book"},
	{"ultima9/registry.txt", "", "cell", ""},
	{"freelancer/ship.cmp", "", "hardpoint", ""},
	{"unreal/hall.int", "", "cell", "changed Public/Object"},
	{"unreal/pictures.utx", "", "add", "added Walls.Palette3; added Walls.Door"},
	{"unreal/pictures.utx", "Walls.Holes", "remove", "removed Walls.Holes"},
	{"unreal/pictures.utx", "Walls.Holes", "rename", "renamed Walls.Gaps"},
}

// deskJob is one of them.
type deskJob struct {
	file, entry, do string
	want            string // empty for anything
}

// judge fails the test unless exactly what the job changes differs, and the file reads and comes back as it is.
func (job *deskJob) judge(t *testing.T, path, out string) {
	t.Helper()
	got := differing(t, path, out)
	if got == "" || job.want != "" && got != job.want {
		t.Errorf("%q differs, want %q", got, job.want)
	}
	verified(t, out)
}

// TestDesk: each job, from the drop to the saved file: exactly that entry differs, what was saved verifies, the original is
// as it was, and a desk that is opened again has the change.
func TestDesk(t *testing.T) {
	for _, job := range deskJobs {
		t.Run(job.file+" "+job.do, func(t *testing.T) {
			dir := t.TempDir()
			p := desk(t, dir, job.file)
			path := filepath.Join(dir, filepath.Base(job.file))
			before, _ := os.ReadFile(path)
			p.work(job.do, path, job.entry)
			p.picture("desk " + filepath.Base(job.file) + " " + job.do + ".png")
			out := p.saved(path)
			job.judge(t, path, out)
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the original is another one")
			}
			saved, _ := os.ReadFile(out)
			p.closeViewer()
			if err := os.Remove(out); err != nil {
				t.Fatal(err)
			}
			again := desk(t, dir)
			again.wait(`document.querySelector("#changes [data-change]")`)
			again.saved(path)
			if b, _ := os.ReadFile(out); !bytes.Equal(b, saved) {
				t.Error("opened again, it saves something else")
			}
		})
	}
}

// work does a job on the page.
func (p *page) work(do, path, entry string) {
	p.Helper()
	operand, stored := path, path
	if p.bare {
		operand = filepath.Base(path)
	}
	if entry != "" {
		operand, stored = operand+":"+entry, stored+":"+entry
	}
	switch do {
	case "replace":
		file := edited(p, stored)
		p.goTo(fmt.Sprintf("#n=%d", p.find(operand)))
		p.drop("#view", file)
		p.changed()
	case "sound":
		for _, l := range p.leaves() {
			if l.Kind == "sound" {
				p.goTo(fmt.Sprintf("#n=%d", l.ID))
				p.upload("replace", edited(p, path+":"+l.Name))
				break
			}
		}
		p.changed()
	case "text":
		p.goTo(fmt.Sprintf("#n=%d&v=text", p.find(operand)))
		p.click("edit")
		p.wait(`document.querySelector("textarea")`)
		eval[any](p, `(() => { const t = document.querySelector("textarea"); t.value = t.value.replace("e", "o"); return null; })()`)
		p.click("take")
		p.changed()
	case "cell", "hardpoint":
		v := map[string]string{"cell": "table", "hardpoint": "numbers"}[do]
		p.goTo(fmt.Sprintf("#n=%d&v=%s", p.row(filepath.Base(path)), v))
		column := map[string]int{"cell": 1, "hardpoint": 3}[do]
		p.wait(fmt.Sprintf(`document.querySelector('[data-cell="0 %d"]')`, column))
		eval[any](p, fmt.Sprintf(`(() => { const c = document.querySelector('[data-cell="0 %d"]'); c.focus(); c.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })); return null; })()`, column))
		eval[any](p, `(() => { const i = document.querySelector(".table input[aria-label*='row']"); i.value = "7"; i.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })); return null; })()`)
		p.wait(`document.querySelectorAll("[data-change]").length > 0`)
	case "add":
		file := edited(p, path+":Walls.Board")
		p.goTo(fmt.Sprintf("#n=%d", p.row(filepath.Base(path))))
		p.upload("add", file)
		p.answer("add", map[string]string{"path": "Walls.Door"})
		p.changed()
	case "remove":
		p.goTo(fmt.Sprintf("#n=%d", p.find(operand)))
		p.click("remove")
		p.changed()
	case "rename":
		p.goTo(fmt.Sprintf("#n=%d", p.find(operand)))
		p.click("rename")
		p.answer("rename", map[string]string{"to": "Walls.Gaps"})
		p.changed()
	}
}

// row returns the node of a row of the tree.
func (p *page) row(name string) int {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector('#tree [data-entry=%q]')`, name))
	return eval[int](p, fmt.Sprintf(`Number(document.querySelector('#tree [data-entry=%q]').dataset.id)`, name))
}

// closeViewer ends the desk as a kill does: nothing is asked, nothing saved.
func (p *page) closeViewer() { p.viewer.Close() }

// TestDeskHistory: undo and redo, by the buttons and by the keys, and one change of several taken back.
func TestDeskHistory(t *testing.T) {
	dir := t.TempDir()
	p := desk(t, dir, "unreal/pictures.utx")
	path := filepath.Join(dir, "pictures.utx")
	count := func(n int) {
		t.Helper()
		p.wait(fmt.Sprintf(`document.querySelectorAll("[data-change]").length === %d`, n))
	}
	p.work("replace", path, "Walls.Board")
	p.work("rename", path, "Walls.Holes")
	count(2)
	p.click("undo")
	count(1)
	p.click("redo")
	count(2)
	eval[any](p, `document.activeElement.blur(), dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true })), null`)
	count(1)
	eval[any](p, `dispatchEvent(new KeyboardEvent("keydown", { key: "Z", ctrlKey: true, shiftKey: true })), null`)
	count(2)
	eval[any](p, `document.querySelector("[data-change] [data-action=undo]").click(), null`)
	count(1)
	p.forgive("404") // pictures of an entry that has another name by now
	out := p.saved(path)
	if got := differing(t, path, out); got != "renamed Walls.Gaps" {
		t.Errorf("%q differs", got)
	}
	p.click("save")
	p.wait(`document.querySelector("dialog[open]")`) // it is there already
	p.answer("replace", nil)
	p.wait(`!document.querySelector("dialog[open]") && document.querySelector("#say.good")`)
	p.click("save-patch")
	p.answer("save", nil)
	p.wait(`document.querySelector("#say.good")?.textContent.includes("patch")`)
	if _, err := os.Stat(path + ".patch/usher.json"); err != nil {
		t.Error(err)
	}
	before, _ := os.ReadFile(path)
	p.click("save-as")
	p.answer("over the original", nil)
	p.answer("replace", nil)
	count(0)
	p.wait(`document.querySelector("#say [data-action=restore]")`)
	if now, _ := os.ReadFile(path); bytes.Equal(now, before) {
		t.Error("the original was not written")
	}
	p.click("restore")
	p.wait(`document.querySelector("#say.good")?.textContent.includes("as it was")`)
	if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
		t.Error("the original is not brought back")
	}
}

// TestDeskHeld: of two desks on one file one writes, and the other says so; what another program does to the file is said.
func TestDeskHeld(t *testing.T) {
	dir := t.TempDir()
	p := desk(t, dir, "unreal/pictures.utx")
	path := filepath.Join(dir, "pictures.utx")
	p.work("replace", path, "Walls.Board")
	second := desk(t, dir)
	second.wait(`document.querySelector("#changes .bad")?.textContent.includes("in use")`)
	second.goTo(fmt.Sprintf("#n=%d", second.find(path+":Walls.Holes")))
	second.click("remove")
	second.wait(`document.querySelector("#say.bad")?.textContent.includes("another desk")`)
	second.forgive("422")
	b, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(b, 0), 0o666); err != nil { // as another program would
		t.Fatal(err)
	}
	p.wait(`document.querySelector("#changes .bad")?.textContent.includes("Another program")`)
	p.click("save")
	p.wait(`document.querySelector("#say.bad")?.textContent.includes("another program")`)
	p.forgive("422")
	if _, err := os.Stat(filepath.Join(dir, "pictures.new.utx")); err == nil {
		t.Error("it was saved")
	}
	p.click("rebase")
	p.wait(`!document.querySelector("#changes .bad")`)
	p.saved(path)
}

// forgive takes answers out of what went wrong that the test asked for.
func (p *page) forgive(status string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trouble = slices.DeleteFunc(p.trouble, func(s string) bool { return strings.Contains(s, status) })
}

// TestDeskLive: each save of another program is taken, and shown within a second.
func TestDeskLive(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(t.TempDir(), "editor")
	told := filepath.Join(t.TempDir(), "told")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf %s \"$1\" > "+told+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(testdata, "unreal", "pictures.utx"), filepath.Join(dir, "pictures.utx"))
	p := open(t, view.Config{Operands: []string{dir}, Desk: &view.Desk{Editor: script}})
	path := filepath.Join(dir, "pictures.utx")
	p.goTo(fmt.Sprintf("#n=%d", p.find(path+":Walls.Board")))
	p.click("open-in")
	var file string
	for range 100 {
		if b, err := os.ReadFile(told); err == nil && len(b) > 0 {
			file = string(b)
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	for range 2 {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if b, err = change(".png", b); err != nil {
			t.Fatal(err)
		}
		was := eval[string](p, `document.querySelector("#view img").src`)
		began := time.Now()
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		p.wait(fmt.Sprintf(`document.querySelectorAll("[data-change]").length === 1 && document.querySelector("#view img")?.src !== %q`, was))
		took := time.Since(began)
		t.Logf("shown after %v", took)
		if took > 3*time.Second {
			t.Errorf("shown after %v", took)
		}
	}
}

// TestDeskAccessible: axe-core finds nothing serious, on any screen of the desk; a telephone has room for it.
func TestDeskAccessible(t *testing.T) {
	dir := t.TempDir()
	p := desk(t, dir, "unreal/pictures.utx", "freelancer/ship.cmp", "ultima9/lanterns.book")
	path := filepath.Join(dir, "pictures.utx")
	p.accessible("the desk")
	p.work("replace", path, "Walls.Board")
	p.accessible("a change")
	p.goTo(fmt.Sprintf("#n=%d&v=numbers", p.find(filepath.Join(dir, "ship.cmp"))))
	p.accessible("numbers")
	p.goTo(fmt.Sprintf("#n=%d", p.find(path+":Walls.Board")))
	p.click("rename")
	p.wait(`document.querySelector("dialog[open]")`)
	p.accessible("a question")
	eval[any](p, `document.querySelector("dialog button").click(), null`)
	p.goTo(fmt.Sprintf("#n=%d&v=text", p.find(filepath.Join(dir, "lanterns.book"))))
	p.click("edit")
	p.wait(`document.querySelector("textarea")`)
	p.accessible("an editor")
	p.picture("desk editor.png")
	if err := chromedp.Run(p.ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	if wide := eval[int64](p, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d wide", wide)
	}
	p.picture("desk narrow.png")
}
