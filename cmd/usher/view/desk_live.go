package view

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// lives are the files that other programs have open. The zero value is ready.
type lives struct {
	mu   sync.Mutex
	dirs []string // working folders, for this user alone
	end  []context.CancelFunc
}

// stop ends the watching. What was taken is in the drafts; the working files go.
func (l *lives) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range l.end {
		end()
	}
	for _, dir := range l.dirs {
		_ = os.RemoveAll(dir)
	}
	l.dirs, l.end = nil, nil
}

// handleOpenIn writes a node as a file that other programs know, opens it in one of them, and takes each save of it.
func (d *desk) handleOpenIn(w http.ResponseWriter, r *http.Request) {
	n, ok := d.viewer.node(w, r)
	if !ok {
		return
	}
	file, err := d.openIn(&n)
	if err != nil {
		fail(w, status(err), err)
		return
	}
	answer(w, map[string]string{"file": file})
}

func (d *desk) openIn(n *node) (file string, err error) {
	name, content, err := d.viewer.forProgram(n)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "usher-desk-") // for this user alone
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, name)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return "", err
	}
	ctx, end := context.WithCancel(context.Background())
	d.live.mu.Lock()
	d.live.dirs, d.live.end = append(d.live.dirs, dir), append(d.live.end, end)
	d.live.mu.Unlock()
	if err := startProgram(d.Editor, file); err != nil {
		return file, fmt.Errorf("no program was started (%w): the file is %s, and what is saved there is taken", err, file)
	}
	go d.watchFile(ctx, *n, file, content)
	return file, nil
}

// startProgram opens a file in the program that is named, or in the one that the system has for such files.
func startProgram(editor, file string) error {
	cmd := exec.Command(editor, file)
	switch {
	case editor != "":
	case runtime.GOOS == "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", file)
	case runtime.GOOS == "darwin":
		cmd = exec.Command("open", file)
	default:
		cmd = exec.Command("xdg-open", file)
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // how it fares is its own affair
	return nil
}

// look is how often a file that a program has open is looked at. It is taken when it was quiet for as long:
// programs write in steps.
const look = 100 * time.Millisecond

// watchFile takes each save of a file.
func (d *desk) watchFile(ctx context.Context, n node, file string, taken []byte) {
	var seen os.FileInfo
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(look):
		}
		info, err := os.Stat(file)
		if err != nil || info.Size() == 0 { // it is being replaced
			continue
		}
		if seen == nil || !info.ModTime().Equal(seen.ModTime()) || info.Size() != seen.Size() {
			seen = info
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil || bytes.Equal(b, taken) {
			continue
		}
		taken = b
		d.takeSave(ctx, &n, file, b)
	}
}

// takeSave puts what was saved in another program where it came from, and tells the page when that cannot be.
func (d *desk) takeSave(ctx context.Context, n *node, file string, content []byte) {
	x, err := d.draft(ctx, n)
	if err == nil {
		_, err = x.Put(ctx, inside(n), filepath.Base(file), bytes.NewReader(content))
		d.follow(x)
	}
	if err != nil {
		d.viewer.hub.tell("failed", map[string]string{"what": filepath.Base(file), "error": plain(err)})
	}
}
