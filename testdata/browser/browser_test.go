// Package browser tests the page of "usher view" in a browser. It is a module of its own, so that the driver of the
// browser stays out of the program's own dependencies.
package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/usher-assets/usher/cmd/usher/view"
)

// testdata is the folder of the module's small files.
const testdata = ".."

// browser is the one browser of all tests; nil when there is none.
var browser context.Context

func TestMain(m *testing.M) {
	if chromium() != "" {
		allocator, stop := chromedp.NewExecAllocator(context.Background(), browserOptions()...)
		ctx, end := chromedp.NewContext(allocator)
		if err := chromedp.Run(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "the browser does not start:", err)
			os.Exit(1)
		}
		browser = ctx
		code := m.Run()
		end()
		stop()
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// browserOptions say how a browser is started.
func browserOptions() []chromedp.ExecAllocatorOption {
	return []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium()), chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.WindowSize(1280, 800),
		chromedp.Flag("headless", "new"), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("mute-audio", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.WSURLReadTimeout(time.Minute),
	}
}

// chromium finds a browser.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// page is a tab with the page of a viewer, and what went wrong in it.
type page struct {
	testing.TB
	ctx     context.Context
	leave   func() // closes the tab
	viewer  *view.Viewer
	host    string
	bare    bool // the page runs without a server, and tells of no folders
	mu      sync.Mutex
	trouble []string
	parts   map[int]int // models that hold surfaces of a way of alpha, of those that were compared
}

// open serves a configuration and opens its page. The test is skipped without a browser.
func open(t testing.TB, c view.Config) *page {
	t.Helper()
	if browser == nil {
		t.Skip("no Chromium: install the package chromium to test the page")
	}
	v, err := view.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := view.Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	serving, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	token := view.NewToken()
	go func() { done <- v.Serve(serving, l, token) }()
	t.Cleanup(func() { stop(); <-done })
	p := visit(t, view.Address(l, token), l.Addr().(*net.TCPAddr).String())
	p.viewer = v
	p.arrive()
	p.wait(`usher.state !== "starting"`)
	return p
}

// visit opens an address in a tab of its own, and listens to everything that happens there.
func visit(t testing.TB, address, host string) *page {
	t.Helper()
	ctx, leave := chromedp.NewContext(browser)
	p := &page{TB: t, ctx: ctx, host: host, leave: leave, parts: map[int]int{}}
	t.Cleanup(func() {
		leave()
		p.calm()
	})
	chromedp.ListenTarget(ctx, p.listen)
	if err := chromedp.Run(ctx, network.Enable(), runtime.Enable(), log.Enable(), emulation.SetFocusEmulationEnabled(true), chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	return p
}

// arrive waits for the script of the page: the first answer only leads to it, and takes what is asked there with it.
func (p *page) arrive() {
	p.Helper()
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var there bool
		if err := chromedp.Run(p.ctx, chromedp.Evaluate(`location.search === "" && Boolean(globalThis.usher)`, &there)); err == nil && there {
			return
		}
	}
	p.Fatal("the page does not load")
}

// listen notes what a page without mistakes does not do: errors, warnings, and requests to anybody else.
func (p *page) listen(event any) {
	var what string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		what = "exception: " + e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			b, _ := json.Marshal(e.Args)
			what = "console: " + string(b)
		}
	case *log.EventEntryAdded:
		what = "log: " + e.Entry.Text + " " + e.Entry.URL
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "blob" && u.Scheme != "data" && u.Scheme != "file" && u.Host != p.host {
			what = "a request to " + e.Request.URL
		}
	}
	if what != "" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.trouble = append(p.trouble, what)
	}
}

// calm fails the test when anything went wrong in the page.
func (p *page) calm() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.trouble {
		p.Error(s)
	}
	p.trouble = nil
}

// eval returns the value of an expression of the page, waiting for it where it is a promise.
func eval[T any](p *page, expression string) (v T) {
	p.Helper()
	ctx, stop := context.WithTimeout(p.ctx, time.Minute)
	defer stop()
	err := chromedp.Run(ctx, chromedp.Evaluate(expression, &v, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until a condition of the page holds.
func (p *page) wait(condition string) {
	p.Helper()
	ctx, stop := context.WithTimeout(p.ctx, 40*time.Second)
	defer stop()
	if err := chromedp.Run(ctx, chromedp.Poll("Boolean("+condition+")", nil, chromedp.WithPollingInterval(20*time.Millisecond))); err != nil {
		p.picture("failed.png")
		p.Fatalf("waiting for %s: %v; state %s, errors %v", condition, err, eval[string](p, "globalThis.usher?.state || \"\""), eval[[]string](p, "globalThis.usher?.errors || []"))
	}
}

// goTo shows what an address names, and waits until it is there.
func (p *page) goTo(hash string) {
	p.Helper()
	// What was shown may be shown anew meanwhile, so the page has to hear of it first.
	eval[any](p, fmt.Sprintf(`new Promise((heard) => {
		usher.state = "asked";
		addEventListener("hashchange", () => heard(null), { once: true });
		if (location.hash === %q) dispatchEvent(new Event("hashchange")); else location.hash = %[1]q;
	})`, hash))
	p.settled()
}

// settled waits until the page loads nothing.
func (p *page) settled() {
	p.Helper()
	p.wait(`usher.state === "ready" || usher.state === "failed"`)
}

// ready fails the test unless what was asked for is shown.
func (p *page) ready(what string) bool {
	p.Helper()
	p.settled() // it may be shown anew: the file was written just now
	if s := eval[string](p, "usher.state"); s != "ready" {
		p.Errorf("%s: %s: %s", what, s, eval[string](p, `document.querySelector(".failure")?.textContent || ""`))
		return false
	}
	return true
}

// scheme makes the page light or dark.
func (p *page) scheme(name string) {
	p.Helper()
	if err := chromedp.Run(p.ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})); err != nil {
		p.Fatal(err)
	}
}

// picture takes a picture of the page where USHER_PICTURES names a folder.
func (p *page) picture(name string) {
	p.Helper()
	dir := os.Getenv("USHER_PICTURES")
	if dir == "" {
		return
	}
	var b []byte
	if err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot(&b)); err != nil {
		p.Error(err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(name, "/", "_")), b, 0o666); err != nil {
		p.Error(err)
	}
}
