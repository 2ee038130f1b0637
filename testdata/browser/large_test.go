package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"
)

// startDesk starts the program itself with a desk on a file, and returns the page and the number of its process.
func startDesk(t *testing.T, program, path string) (p *page, pid int) {
	t.Helper()
	c := exec.Command(program, "desk", "--no-browser", path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = c.Stdout
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "http://"); ok {
			address = strings.Fields(address)[0]
			host, _, _ := strings.Cut(address, "/")
			p = visit(t, "http://"+address, host)
			p.arrive()
			return p, c.Process.Pid
		}
	}
	t.Fatal("the desk prints no address")
	return nil, 0
}

// resident is the memory of a process in MB: now, or the most it ever had.
func resident(t *testing.T, pid int, what string) (mb int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(text), what+":")
	_, _ = fmt.Sscan(line, &mb)
	return mb >> 10
}

// TestDeskLarge: archives of many entries, and of a gigabyte, on the desk: how long each step takes, and the memory of the program
// and of the page. The bounds are those of a slow machine.
func TestDeskLarge(t *testing.T) {
	if browser == nil || goruntime.GOOS != "linux" {
		t.Skip("it takes Chromium, and Linux to know how much memory a program has")
	}
	program := filepath.Join(t.TempDir(), "usher")
	if out, err := exec.Command("go", "build", "-C", filepath.Join(testdata, ".."), "-o", program, "./cmd/usher").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	picture, filler := pictureRecord(t), bytes.Repeat([]byte("filler. "), 64<<10)
	for _, c := range []struct {
		name   string
		n      int
		record func(i int) []byte
		memory int // of the program, in MB
		saved  time.Duration
	}{
		{"50000 entries", 50_000, func(int) []byte { return picture }, 300, 6 * time.Second},
		{"a gigabyte", 2_048, func(i int) []byte {
			if i == 0 {
				return picture
			}
			return filler
		}, 300, 60 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := archiveOf(t, c.n, c.record)
			before := rendering(t)
			at := time.Now()
			step := func(what string, most time.Duration) {
				t.Helper()
				took := time.Since(at)
				t.Logf("%s: %v", what, took.Round(time.Millisecond))
				if took > most {
					t.Errorf("%s takes %v", what, took)
				}
				at = time.Now()
			}
			p, pid := startDesk(t, program, path)
			p.wait(fmt.Sprintf(`document.getElementById("count").textContent === "%d rows"`, c.n+1))
			step("the first list", 10*time.Second)
			t.Logf("memory: the program %d MB, the pages %d MB more", resident(t, pid, "VmRSS"), (rendering(t)-before)>>20)
			file := edited(t, path+":0")
			id := p.entryRow("0")
			at = time.Now()
			p.goTo(fmt.Sprintf("#n=%d", id))
			p.ready("entry 0")
			step("a click", 3*time.Second)
			p.drop("#view", file)
			p.changed()
			step("an entry replaced, before and after shown", 6*time.Second)
			p.click("save")
			p.wait(`document.querySelector("#say.good")`)
			step("saved", c.saved)
			most, pages := resident(t, pid, "VmHWM"), (rendering(t)-before)>>20
			t.Logf("memory: the program %d MB, %d at most, the pages %d MB more", resident(t, pid, "VmRSS"), most, pages)
			if most > c.memory || pages > 300 {
				t.Error("it takes more memory than it may")
			}
			out := strings.TrimSuffix(path, ".flx") + ".new.flx"
			if got := differing(t, path, out); got != "changed 0" {
				t.Errorf("%q differs", got)
			}
		})
	}
}

// TestWebMany: without a server as well: an archive of many entries is listed, changed and handed out.
func TestWebMany(t *testing.T) {
	s := serveWeb(t)
	path := manyEntries(t, 50_000)
	p, downloads := s.open(t)
	before, at := rendering(t), time.Now()
	step := func(what string, most time.Duration) {
		t.Helper()
		took := time.Since(at)
		t.Logf("%s: %v, %d MB more", what, took.Round(time.Millisecond), (rendering(t)-before)>>20)
		if took > most {
			t.Errorf("%s takes %v", what, took)
		}
		at = time.Now()
	}
	p.upload("open", path)
	p.row(filepath.Base(path))
	p.wait(`usher.state === "ready" && document.querySelectorAll(".cell img").length > 8`)
	step("the first list", 20*time.Second)
	file, id := edited(t, path+":0"), p.entryRow("0")
	at = time.Now()
	p.goTo(fmt.Sprintf("#n=%d", id))
	p.ready("entry 0")
	step("a click", 5*time.Second)
	p.drop("#view", file)
	p.changed()
	step("an entry replaced, before and after shown", 20*time.Second)
	p.click("save")
	out := p.got(downloads, "bitmap16.new.flx")
	step("saved", 20*time.Second)
	if got := differing(t, path, out); got != "changed 0" {
		t.Errorf("%q differs", got)
	}
}

// entryRow is the number of an entry's node, of those that come first.
func (p *page) entryRow(name string) int {
	p.Helper()
	return eval[int](p, fmt.Sprintf(`(async () => (await (await fetch("api/list?open=0.1&from=0&count=4")).json()).rows.find((r) => r.place === "entry" && r.name === %q).id)()`, name))
}
