package browser

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestWebQuiet: what the browser itself notes of the network while somebody works on the page, its workers included: it asks
// the one server, and for nothing but the files of the page.
func TestWebQuiet(t *testing.T) {
	s := serveWeb(t)
	dir := t.TempDir()
	noted := filepath.Join(dir, "network.json")
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(browserOptions(), chromedp.Flag("log-net-log", noted), chromedp.Flag("user-data-dir", filepath.Join(dir, "user")))...)
	defer stop()
	own, end := chromedp.NewContext(allocator)
	if err := chromedp.Run(own); err != nil {
		t.Fatal(err)
	}
	was := browser
	browser = own
	defer func() { browser = was }()
	t.Run("work", func(t *testing.T) {
		p, downloads := s.open(t)
		p.bring("unreal/pictures.utx", "ultimate3d/windmill.u3d")
		p.work("replace", filepath.Join(testdata, "unreal", "pictures.utx"), "Walls.Board")
		p.click("save")
		p.got(downloads, "pictures.new.utx")
		// A page that is broken into cannot send anything away either.
		if !eval[bool](p, `fetch("http://127.0.0.1:9/secret").then(() => false, () => true)`) {
			t.Error("another server was asked")
		}
		p.forgive("127.0.0.1:9")
	})
	end()
	stop() // it writes the end of what it has noted
	s.quiet(t)
	asked := requests(t, noted, s.URL)
	if len(asked) < 40 {
		t.Errorf("only %d requests are noted", len(asked))
	}
	for _, address := range asked {
		if !strings.HasPrefix(address, s.URL+"/") {
			t.Errorf("the browser asks for %s", address)
		}
	}
}

// requests returns the addresses that pages of an origin, and their workers, have had a browser ask.
func requests(t *testing.T, noted, origin string) (list []string) {
	t.Helper()
	b, err := os.ReadFile(noted)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) { // an event a line; the last ones are lost when the browser is killed
		var event struct {
			Params struct {
				URL       string `json:"url"`
				Initiator string `json:"initiator"` // else the browser asks of its own accord: for updates of itself, say
			} `json:"params"`
		}
		if json.Unmarshal([]byte(strings.TrimRight(strings.TrimSpace(line), ",")), &event) != nil {
			continue
		}
		if event.Params.Initiator == origin {
			list = append(list, event.Params.URL)
		}
	}
	return list
}
