package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	cdp "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
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
	p.arrive()
	p.wait(`usher.state !== "starting" && document.querySelector("#desk [data-action=save]")`)
	return p, downloads
}

// bring drops files onto the page, as somebody does who comes with a file of a game.
func (p *page) bring(files ...string) {
	p.Helper()
	for _, f := range files {
		p.drop("#tree", filepath.Join(testdata, filepath.FromSlash(f)))
		p.row(filepath.Base(f))
	}
}

func TestWebStart(t *testing.T) {
	s := serveWeb(t)
	p, _ := s.open(t)
	p.picture("web start.png")
	p.bring("unreal/pictures.utx")
	p.goTo(fmt.Sprintf("#n=%d", p.find("pictures.utx:Walls.Board")))
	p.ready("the board")
	p.picture("web board.png")
	fmt.Println(s.asked)
}

var _ = context.Background
