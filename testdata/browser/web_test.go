package browser

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	cdp "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/usher-assets/usher/convert/work/batch"
)

// madeSite is the folder that "make web" has made for all tests.
var madeSite = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "usher-web-")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("make", "-C", filepath.Join(testdata, ".."), "web", "SITE="+filepath.Join(dir, "site")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("make web: %w\n%s", err, out)
	}
	return filepath.Join(dir, "site"), nil
})

// webServer serves the folder, and notes what it is asked for.
type webServer struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func serveWeb(t testing.TB) *webServer {
	t.Helper()
	if browser == nil {
		t.Skip("no Chromium: install the package chromium to test the page")
	}
	dir, err := madeSite()
	if err != nil {
		t.Fatal(err)
	}
	s := new(webServer)
	files := http.FileServer(http.Dir(dir))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.Method+" "+r.URL.String())
		s.mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// webPage opens the page in a tab; what it hands out goes into a folder.
func (s *webServer) open(t testing.TB) (p *page, downloads string) {
	t.Helper()
	downloads = t.TempDir()
	p = visit(t, s.URL+"/", strings.TrimPrefix(s.URL, "http://"))
	if err := chromedp.Run(p.ctx, cdp.SetDownloadBehavior(cdp.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(downloads).WithEventsEnabled(true)); err != nil {
		t.Fatal(err)
	}
	p.bare = true
	p.arrive()
	p.wait(`usher.state !== "starting" && document.querySelector("#desk [data-action=save]")`)
	return p, downloads
}

// bring drops files onto the page, as somebody does who comes with a file of a game.
func (p *page) bring(files ...string) {
	p.Helper()
	for _, f := range files {
		p.drop("#tree", filepath.Join(testdata, filepath.FromSlash(f)))
		id := p.row(filepath.Base(f))
		p.wait(fmt.Sprintf(`new URLSearchParams(location.hash.slice(1)).get("n") === "%d" && usher.state === "ready"`, id))
	}
}

// got waits for a file that the page hands out.
func (p *page) got(downloads, name string) string {
	p.Helper()
	path := filepath.Join(downloads, name)
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		half, _ := filepath.Glob(path + ".*") // what Chromium has not got whole yet
		if is, err := os.Stat(path); err == nil && is.Size() > 0 && len(half) == 0 {
			return path
		}
	}
	p.Fatalf("%s is not handed out; the page says %q", name, eval[string](p, `document.getElementById("say").textContent`))
	return ""
}

// again loads the page anew.
func (p *page) again() {
	p.Helper()
	if err := chromedp.Run(p.ctx, chromedp.Evaluate(`usher.state = "left"`, nil), chromedp.Reload()); err != nil {
		p.Fatal(err)
	}
	p.wait(`globalThis.usher && !["left", "starting"].includes(usher.state) && document.querySelector("#desk [data-action=save]")`)
}

// anew waits until the page has loaded itself anew.
func (p *page) anew() {
	p.Helper()
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ctx, stop := context.WithTimeout(p.ctx, time.Second)
		var there bool
		err := chromedp.Run(ctx, chromedp.Evaluate(`!globalThis.before && Boolean(globalThis.usher) && usher.state !== "starting"`, &there))
		stop()
		if err == nil && there {
			return
		}
	}
	p.Fatal("the page is not loaded anew")
}

// TestWeb: each job of the desk, without a server: what is saved has the same bytes. The changes outlive a reload, and what is
// saved then is the same again. The server is asked for the files of the page, and for nothing else.
func TestWeb(t *testing.T) {
	for _, job := range deskJobs {
		t.Run(job.file+" "+job.do, func(t *testing.T) {
			s := serveWeb(t) // an address of its own: nothing is there from before
			path := filepath.Join(testdata, filepath.FromSlash(job.file))
			want := job.onDesk(t)
			p, downloads := s.open(t)
			p.bring(job.file)
			p.work(job.do, path, job.entry)
			p.picture("web " + filepath.Base(job.file) + " " + job.do + ".png")
			p.click("save")
			ext := filepath.Ext(path)
			out := p.got(downloads, strings.TrimSuffix(filepath.Base(path), ext)+".new"+ext)
			job.judge(t, path, out)
			if b, _ := os.ReadFile(out); !bytes.Equal(b, want) {
				t.Error("the desk saves something else")
			}
			os.Remove(out)
			p.again()
			p.wait(`document.querySelector("#changes [data-change]")`)
			p.click("save")
			p.answer("replace", nil)
			if b, _ := os.ReadFile(p.got(downloads, filepath.Base(out))); !bytes.Equal(b, want) {
				t.Error("loaded again, it saves something else")
			}
			p.forgive("404") // an entry that has another name by now, or none
			s.quiet(t)
		})
	}
}

// onDesk does the job on the desk, and returns what is saved.
func (job *deskJob) onDesk(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	p := desk(t, dir, job.file)
	path := filepath.Join(dir, filepath.Base(job.file))
	p.work(job.do, path, job.entry)
	b, err := os.ReadFile(p.saved(path))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// quiet fails the test when the server was asked for anything but the files of the page.
func (s *webServer) quiet(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, _ := madeSite()
	for _, asked := range s.asked {
		method, path, _ := strings.Cut(asked, " ")
		if _, err := os.Stat(filepath.Join(dir, path)); err != nil || method != "GET" || strings.Contains(path, "?") {
			t.Errorf("the server is asked for %s", asked)
		}
	}
}

// TestWebConverts: a model, dropped onto the page and handed out as a GLB, has the bytes that the command line writes.
func TestWebConverts(t *testing.T) {
	s := serveWeb(t)
	p, downloads := s.open(t)
	want := t.TempDir()
	source := filepath.Join(testdata, "ultimate3d", "windmill.u3d")
	job := batch.Conversion{Out: want + string(filepath.Separator)}
	if err := job.Run(context.Background(), []string{source}, func(r batch.Result) {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	p.bring("ultimate3d/windmill.u3d")
	p.goTo(fmt.Sprintf("#n=%d", p.find("windmill.u3d")))
	p.wait(`document.querySelector('[data-action=save][data-format=glb]')`)
	p.picture("web windmill.png")
	eval[any](p, `document.querySelector('[data-action=save][data-format=glb]').click(), null`)
	got, _ := os.ReadFile(p.got(downloads, "windmill.glb"))
	if b, err := os.ReadFile(filepath.Join(want, "windmill.glb")); err != nil || !bytes.Equal(b, got) {
		t.Errorf("%d bytes, the command line writes %d, %v", len(got), len(b), err)
	}
}

// TestWebOffline: after the first visit no server is needed.
func TestWebOffline(t *testing.T) {
	s := serveWeb(t)
	p, downloads := s.open(t)
	p.bring("unreal/pictures.utx")
	s.Close()
	p.again()
	p.row("pictures.utx")
	path := filepath.Join(testdata, "unreal", "pictures.utx")
	p.work("replace", path, "Walls.Board")
	p.click("save")
	verified(t, p.got(downloads, "pictures.new.utx"))
}

// TestWebTabs: of two tabs one has usher at work, and both show and change the same; when that one is closed the other goes on.
func TestWebTabs(t *testing.T) {
	s := serveWeb(t)
	first, _ := s.open(t)
	first.bring("unreal/pictures.utx")
	second, downloads := s.open(t)
	second.row("pictures.utx")
	path := filepath.Join(testdata, "unreal", "pictures.utx")
	first.work("replace", path, "Walls.Board")
	second.wait(`document.querySelectorAll("#changes [data-change]").length === 1`)
	second.work("rename", path, "Walls.Holes")
	first.wait(`document.querySelectorAll("#changes [data-change]").length === 2`)
	first.forgive("404") // pictures of an entry that has another name by now
	eval[any](second, `globalThis.before = true, null`)
	first.leave()
	second.anew()
	second.wait(`document.querySelectorAll("#changes [data-change]").length === 2`)
	second.click("save")
	if got := differing(t, path, second.got(downloads, "pictures.new.utx")); got != "changed Walls.Board; renamed Walls.Gaps" {
		t.Errorf("%q differs", got)
	}
	second.forgive("404")
	second.forgive("422") // or is another picture
	first.forgive("422")
}

// giveFolder makes a folder that the page gets when it asks its user for one, with a file in it.
func (p *page) giveFolder(name, file string, more ...byte) {
	p.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		p.Fatal(err)
	}
	b = append(b, more...)
	eval[any](p, fmt.Sprintf(`(async () => {
		const root = await navigator.storage.getDirectory(), folder = await root.getDirectoryHandle(%q, { create: true });
		globalThis.showDirectoryPicker = async () => folder;
		globalThis.inFolder = async (name, bytes) => {
			const file = await folder.getFileHandle(name, { create: Boolean(bytes) });
			if (bytes) { const w = await file.createWritable(); await w.write(bytes); await w.close(); return ""; }
			const b = new Uint8Array(await (await file.getFile()).arrayBuffer());
			return btoa(Array.from(b, (c) => String.fromCharCode(c)).join(""));
		};
		await inFolder(%q, Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)));
		return null;
	})()`, name, filepath.Base(file), base64.StdEncoding.EncodeToString(b)))
}

// inFolder returns a file of it.
func (p *page) inFolder(name string) []byte {
	p.Helper()
	b, err := base64.StdEncoding.DecodeString(eval[string](p, fmt.Sprintf(`inFolder(%q)`, name)))
	if err != nil {
		p.Fatal(err)
	}
	return b
}

// TestWebFolder: a folder is worked on where it lies: what is saved is there, the original is as it was until it is saved over, and
// comes back; what another program does to it is seen.
func TestWebFolder(t *testing.T) {
	s := serveWeb(t)
	p, _ := s.open(t)
	path := filepath.Join(testdata, "unreal", "pictures.utx")
	before, _ := os.ReadFile(path)
	p.giveFolder("game", path)
	p.click("open-folder")
	p.row("game")
	p.wait(`usher.state === "ready" && location.hash !== "#n=0"`)
	p.work("replace", path, "Walls.Board")
	p.click("save")
	p.wait(`document.querySelector("#say.good")`)
	job := deskJobs[0]
	if !bytes.Equal(p.inFolder("pictures.new.utx"), job.onDesk(t)) {
		t.Error("the desk saves something else")
	}
	if !bytes.Equal(p.inFolder("pictures.utx"), before) {
		t.Error("the original is another one")
	}
	p.again()
	p.wait(`document.querySelectorAll("#changes [data-change]").length === 1`)
	p.giveFolder("game", path, 0) // as another program may write it
	p.click("save-as")
	p.answer("over the original", nil)
	p.answer("replace", nil)
	p.wait(`document.querySelector("#say.bad")`) // the save is over: the line about another program may come before
	p.picture("web foreign.png")
	p.click("rebase")
	p.wait(`!document.querySelector("#changes .bad")`)
	p.click("save-as")
	p.answer("over the original", nil)
	p.answer("replace", nil)
	p.wait(`document.querySelector("#say [data-action=restore]")`)
	if bytes.Equal(p.inFolder("pictures.utx"), append(before, 0)) {
		t.Error("the original was not written")
	}
	p.click("restore")
	p.wait(`document.querySelector("#say.good")?.textContent.includes("as it was")`)
	if !bytes.Equal(p.inFolder("pictures.utx"), append(before, 0)) {
		t.Error("the original is not brought back")
	}
	p.forgive("422")
}

// TestWebClose: what is closed is not there any more, nor when the page is loaded again.
func TestWebClose(t *testing.T) {
	s := serveWeb(t)
	p, _ := s.open(t)
	p.bring("unreal/pictures.utx", "ultimate3d/ball.u3d")
	p.work("replace", filepath.Join(testdata, "unreal", "pictures.utx"), "Walls.Board")
	p.goTo(fmt.Sprintf("#n=%d", p.row("pictures.utx")))
	p.click("close")
	p.answer("close", nil)
	p.wait(`!document.querySelector('#tree [data-entry="pictures.utx"]') && document.getElementById("changes").hidden`)
	p.again()
	p.row("ball.u3d")
	if eval[bool](p, `Boolean(document.querySelector('#tree [data-entry="pictures.utx"]'))`) {
		t.Error("it is there again")
	}
	left := eval[int](p, `(async () => { let n = 0; for await (const name of (await (await navigator.storage.getDirectory()).getDirectoryHandle("usher")).keys()) n += name.startsWith("ledger") || name === "probe" ? 0 : 1; return n; })()`)
	if left != 1 {
		t.Errorf("%d files are kept", left)
	}
}

// TestWebAccessible: axe-core finds nothing serious on the start screen, and a telephone has room for it.
func TestWebAccessible(t *testing.T) {
	s := serveWeb(t)
	p, _ := s.open(t)
	p.wait(`usher.state === "ready" && document.querySelector(".drop-here")`)
	p.picture("web start.png")
	p.accessible("the start screen")
	if err := chromedp.Run(p.ctx, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal(err)
	}
	if wide := eval[int64](p, `document.documentElement.scrollWidth`); wide > 390 {
		t.Errorf("the page is %d wide", wide)
	}
	p.picture("web start narrow.png")
}
