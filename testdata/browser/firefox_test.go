package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// firefox is a tab of Firefox, which is driven by WebDriver BiDi.
type firefox struct {
	testing.TB
	send func(method string, params any) json.RawMessage
	tab  string
}

// openFirefox opens an address in a Firefox of its own, which puts what it is given into a folder. The test is skipped where there is none.
func openFirefox(t testing.TB, address, downloads string) *firefox {
	t.Helper()
	var program string
	for _, name := range []string{"firefox-esr", "firefox"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		t.Skip("no Firefox: install the package firefox-esr to test the page in it")
	}
	ctx, end := context.WithTimeout(context.Background(), 3*time.Minute)
	profile := t.TempDir()
	prefs := fmt.Sprintf("user_pref(%q, 2);\nuser_pref(%q, %q);\n", "browser.download.folderList", "browser.download.dir", downloads)
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", profile)
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(); _ = cmd.Wait() }) // it was ended
	const ready = "WebDriver BiDi listening on "
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), ready) {
	}
	conn, _, _, err := ws.Dial(ctx, strings.TrimPrefix(lines.Text(), ready)+"/session")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() { // or it stops when nobody reads what it says
		for lines.Scan() {
		}
	}()
	f, number := &firefox{TB: t}, 0
	f.send = func(method string, params any) json.RawMessage {
		t.Helper()
		number++
		b, _ := json.Marshal(map[string]any{"id": number, "method": method, "params": params})
		if err := wsutil.WriteClientText(conn, b); err != nil {
			t.Fatal(err)
		}
		for {
			var answer struct {
				ID             int
				Result         json.RawMessage
				Error, Message string
			}
			b, err := wsutil.ReadServerText(conn)
			if err == nil {
				err = json.Unmarshal(b, &answer)
			}
			if err != nil || answer.Error != "" {
				t.Fatalf("%s: %v %s %s", method, err, answer.Error, answer.Message)
			}
			if answer.ID == number {
				return answer.Result
			}
		}
	}
	f.send("session.new", map[string]any{"capabilities": map[string]any{}})
	var tree struct{ Contexts []struct{ Context string } }
	if err := json.Unmarshal(f.send("browsingContext.getTree", map[string]any{}), &tree); err != nil || len(tree.Contexts) == 0 {
		t.Fatalf("no tab: %v", err)
	}
	f.tab = tree.Contexts[0].Context
	f.send("browsingContext.navigate", map[string]any{"context": f.tab, "url": address, "wait": "complete"})
	return f
}

// eval returns the text of an expression of the page.
func (f *firefox) eval(expression string) string {
	f.Helper()
	var got struct {
		Type             string
		Result           struct{ Value any }
		ExceptionDetails struct{ Text string }
	}
	b := f.send("script.evaluate", map[string]any{"expression": expression, "target": map[string]any{"context": f.tab}, "awaitPromise": true})
	if err := json.Unmarshal(b, &got); err != nil || got.Type != "success" {
		f.Fatalf("%s: %v %s", expression, err, got.ExceptionDetails.Text)
	}
	return fmt.Sprint(got.Result.Value)
}

// wait waits until a condition of the page holds.
func (f *firefox) wait(condition string) {
	f.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if f.eval("Boolean("+condition+")") == "true" {
			return
		}
	}
	f.Fatalf("waiting for %s: %s", condition, f.eval(`[globalThis.usher?.state, ...(globalThis.usher?.errors || []), ...["#say", "#view"].map((s) => document.querySelector(s)?.textContent)].join("; ")`))
}

// show clicks on an entry of the tree, and waits until the page shows it.
func (f *firefox) show(name string) {
	f.Helper()
	row := fmt.Sprintf(`document.querySelector('#tree [data-entry=%q]')`, name)
	f.wait(row)
	f.eval(`usher.state = "asked", ` + row + `.click()`)
	f.wait(`usher.state === "ready"`)
}

// edit edits a cell of the table that is shown, and waits until that is a change.
func (f *firefox) edit(cell, value string) {
	f.Helper()
	const enter = `dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }))`
	f.wait(fmt.Sprintf(`document.querySelector('[data-cell=%q]')`, cell))
	f.eval(fmt.Sprintf(`(() => { const c = document.querySelector('[data-cell=%q]'); c.focus(); c.%s; const i = document.querySelector(".table input[aria-label*='row']"); i.value = %q; i.%s; })()`, cell, enter, value, enter))
	f.wait(`document.querySelectorAll("[data-change]").length === 1`)
}

// well fails the test when something went wrong in the page.
func (f *firefox) well() {
	f.Helper()
	if got := f.eval(`usher.errors.join("; ")`); got != "" {
		f.Error(got)
	}
}

// viewed serves a page, and returns its address.
func viewed(t testing.TB, config view.Config) string {
	t.Helper()
	v, err := view.New(config)
	if err != nil {
		t.Fatal(err)
	}
	l, err := view.Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	serving, stop := context.WithCancel(context.Background())
	done, token := make(chan error, 1), view.NewToken()
	go func() { done <- v.Serve(serving, l, token) }()
	t.Cleanup(func() { stop(); <-done })
	return view.Address(l, token)
}

// TestFirefox: the desk works there as well: a picture is shown, a cell is edited and saved, and nothing goes wrong in the page.
func TestFirefox(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"ultima9/registry.txt", "unreal/pictures.utx"} {
		copyFile(t, filepath.Join(testdata, filepath.FromSlash(name)), filepath.Join(dir, filepath.Base(name)))
	}
	f := openFirefox(t, viewed(t, view.Config{Operands: []string{dir}, Desk: &view.Desk{}}), dir)
	f.wait(`globalThis.usher?.state === "ready"`)
	f.show("pictures.utx")
	f.show("Texture")
	f.show("Walls.Board")
	f.wait(`document.querySelector("#view img").naturalWidth === 8`)
	f.show("registry.txt")
	f.edit("0 1", "7")
	f.eval(`dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true }))`)
	f.wait(`document.querySelector("#say.good")`)
	f.well()
	out := filepath.Join(dir, "registry.new.txt")
	verified(t, out)
	if differing(t, filepath.Join(dir, "registry.txt"), out) == "" {
		t.Error("what was saved is what was there")
	}
}

// TestFirefoxView: the page that only looks shows there what it shows in Chromium: pictures, tables and models.
func TestFirefoxView(t *testing.T) {
	f := openFirefox(t, viewed(t, view.Config{Operands: []string{testdata}}), t.TempDir())
	f.wait(`globalThis.usher?.state === "ready"`)
	f.show("unreal")
	f.show("pictures.utx")
	f.show("Texture")
	f.show("Walls.Board")
	f.wait(`document.querySelector("#view img").naturalWidth === 8`)
	f.show("ultima9")
	f.show("registry.txt")
	f.wait(`document.querySelector("#view").textContent.includes("TORSO")`)
	f.show("show")
	f.eval(`document.querySelector('#tree [data-entry="heron.cmp"]').click()`)
	f.wait(`usher.shown.stage || document.querySelector("#view").textContent.includes("no WebGL 2")`)
	if f.eval(`Boolean(usher.shown.stage)`) != "true" {
		t.Log("models were not looked at: Firefox has no WebGL 2 here")
	} else if f.eval(`usher.shown.stage.pixels(64).filter((a, i) => i % 4 === 3 && a > 0).length > 300`) != "true" {
		t.Error("the model is not drawn")
	}
	if got := f.eval(`document.querySelectorAll("[data-action]").length`); got != "0" {
		t.Errorf("%s things to do on a page that only looks", got)
	}
	f.well()
}

// TestFirefoxWeb: the page without a server works there: a file is opened, a cell edited, the new file handed out; and after the page is
// loaded anew all is as it was.
func TestFirefoxWeb(t *testing.T) {
	s := serveWeb(t)
	downloads := t.TempDir()
	f := openFirefox(t, s.URL+"/", downloads)
	f.wait(`globalThis.usher && usher.state !== "starting" && document.querySelector("#desk [data-action=save]")`)
	original, err := filepath.Abs(filepath.Join(testdata, "ultima9", "registry.txt"))
	if err != nil {
		t.Fatal(err)
	}
	f.bring(original)
	f.show("registry.txt")
	f.edit("0 1", "7")
	f.send("browsingContext.reload", map[string]any{"context": f.tab, "wait": "complete"})
	f.wait(`globalThis.usher && usher.state !== "starting" && document.querySelectorAll("[data-change]").length === 1`)
	f.eval(`document.querySelector("#desk [data-action=save]").click()`)
	out := filepath.Join(downloads, "registry.new.txt")
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		half, _ := filepath.Glob(filepath.Join(downloads, "*.part"))
		if is, err := os.Stat(out); err == nil && is.Size() > 0 && len(half) == 0 {
			break
		}
	}
	f.well()
	verified(t, out)
	if differing(t, original, out) == "" {
		t.Error("what was saved is what was there")
	}
}

// bring opens a file as somebody does who chooses it.
func (f *firefox) bring(path string) {
	f.Helper()
	f.wait(`document.querySelector("input[data-action=open]")`)
	var got struct{ Result struct{ SharedID string } }
	b := f.send("script.evaluate", map[string]any{"expression": `document.querySelector("input[data-action=open]")`, "target": map[string]any{"context": f.tab}, "awaitPromise": false})
	if err := json.Unmarshal(b, &got); err != nil || got.Result.SharedID == "" {
		f.Fatalf("no field to open a file with: %v", err)
	}
	f.send("input.setFiles", map[string]any{"context": f.tab, "element": map[string]any{"sharedId": got.Result.SharedID}, "files": []string{path}})
}
