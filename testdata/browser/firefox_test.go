package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
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

// openFirefox opens an address in a Firefox of its own. The test is skipped where there is none.
func openFirefox(t testing.TB, address string) *firefox {
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
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", t.TempDir())
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
	f.Fatalf("waiting for %s: %s", condition, f.eval(`[globalThis.usher?.state, ...(globalThis.usher?.errors || []), document.querySelector("#say")?.textContent].join("; ")`))
}

// TestFirefox: the desk works there as well: a picture is shown, a cell is edited and saved, and nothing goes wrong in the page.
func TestFirefox(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"ultima9/registry.txt", "unreal/pictures.utx"} {
		copyFile(t, filepath.Join(testdata, filepath.FromSlash(name)), filepath.Join(dir, filepath.Base(name)))
	}
	v, err := view.New(view.Config{Operands: []string{dir}, Desk: &view.Desk{}})
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
	f := openFirefox(t, view.Address(l, token))
	open := func(name string) {
		t.Helper()
		row := fmt.Sprintf(`document.querySelector('#tree [data-entry=%q]')`, name)
		f.wait(row)
		f.eval(`usher.state = "asked", ` + row + `.click()`)
		f.wait(`usher.state === "ready"`)
	}
	f.wait(`globalThis.usher?.state === "ready"`)
	open("pictures.utx")
	open("Texture")
	open("Walls.Board")
	f.wait(`document.querySelector("#view img").naturalWidth === 8`)
	open("registry.txt")
	f.wait(`document.querySelector('[data-cell="0 1"]')`)
	const enter = `dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }))`
	f.eval(`(() => { const c = document.querySelector('[data-cell="0 1"]'); c.focus(); c.` + enter + `; const i = document.querySelector(".table input[aria-label*='row']"); i.value = "7"; i.` + enter + `; })()`)
	f.wait(`document.querySelectorAll("[data-change]").length === 1`)
	f.eval(`dispatchEvent(new KeyboardEvent("keydown", { key: "s", ctrlKey: true }))`)
	f.wait(`document.querySelector("#say.good")`)
	if got := f.eval(`usher.errors.join("; ")`); got != "" {
		t.Error(got)
	}
	out := filepath.Join(dir, "registry.new.txt")
	verified(t, out)
	if differing(t, filepath.Join(dir, "registry.txt"), out) == "" {
		t.Error("what was saved is what was there")
	}
}
