package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/usher-assets/usher/cmd/usher/places"
	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/work/batch"
)

// Config says what the viewer shows.
type Config struct {
	Operands  []string              // files, folders, archives, entries of archives
	Loader    engine.Loader         // reads the files
	Selection batch.Selection       // of the files below folders
	Flags     []string              // flags of the command line to repeat in the commands on the page
	Compare   bool                  // the two operands are compared: an old and a new state
	Stored    bool                  // static pages contain stored bytes too
	Start     bool                  // no operands were given: the page shows a start screen
	Places    func() []places.Place // what the start screen of a desk offers to open; nil for nothing
	Desk      *Desk                 // what the page may do; nil for nothing but to show
	Formats   http.Handler          // what is known of the formats, below /formats/; nil for nothing
}

// Viewer shows operands on a page. Several goroutines may use it.
type Viewer struct {
	config    Config
	tree      *tree
	archives  archives
	cache     cache
	work      chan struct{} // one place for each picture or model that is being made
	hub       hub
	tickets   tickets
	changes   changes
	explained explained
	links     links
	desk      *desk // nil where nothing can be changed

	refreshing sync.Mutex
	loader     atomic.Pointer[engine.Loader]
	generation atomic.Int64 // of the files as they are on disk: what was made of earlier ones is not used again
	scanning   atomic.Int32 // walks and openings under way
	away       bool         // what is made is for other machines: nothing is told of this one
	deep       atomic.Bool  // every archive is being opened, for a search
}

// New returns a viewer of the operands. It fails if one does not exist.
func New(config Config) (*Viewer, error) {
	if err := config.Selection.Validate(); err != nil {
		return nil, err
	}
	v := &Viewer{config: config, tree: newTree(), work: make(chan struct{}, runtime.GOMAXPROCS(0))}
	v.archives.viewer, v.desk = v, newDesk(v, config.Desk)
	v.refresh()
	for _, operand := range config.Operands {
		if _, err := v.addRoot(operand); err != nil {
			return nil, err
		}
	}
	if config.Compare && len(config.Operands) != 2 {
		return nil, errors.New("before and after are two operands")
	}
	return v, nil
}

// refresh forgets what folders held, and closes the archives: they may refer to what has changed.
func (v *Viewer) refresh() {
	v.refreshing.Lock()
	defer v.refreshing.Unlock()
	l := v.config.Loader.Instead(v.desk.instead()).Sharing()
	l.Detail = true
	v.loader.Store(&l)
	v.archives.closeAll()
	v.generation.Add(1)
}

// Scan searches the files below the operands. Call it once. It returns when all are found or ctx ends.
func (v *Viewer) Scan(ctx context.Context) {
	v.scanning.Add(1)
	defer v.scanning.Add(-1)
	v.tree.mu.RLock()
	roots := v.tree.roots
	v.tree.mu.RUnlock()
	for _, id := range roots {
		v.scanRoot(ctx, id)
	}
}

// Listen opens a port of the loopback interface. If port is 0, the system chooses one.
func Listen(port int) (net.Listener, error) {
	return net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(port)))
}

// Address returns the URL of the page.
func Address(l net.Listener, token string) string {
	return fmt.Sprintf("http://%s/?token=%s", l.Addr(), token)
}

// Serve answers requests until ctx ends.
func (v *Viewer) Serve(ctx context.Context, l net.Listener, token string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	port := l.Addr().(*net.TCPAddr).Port
	server := &http.Server{
		Handler:           v.Handler(port, token),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // clients that go away in the middle
		MaxHeaderBytes:    256 << 10,                  // the open folders of the tree stand in the address
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	go func() {
		v.Scan(ctx)
		v.Watch(ctx)
	}()
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		stop()
		server.Close() // readers lose nothing by it
		<-done         //nolint:errcheck // it was closed
		v.Close()
		return ctx.Err()
	}
}

// Close closes all open archives, and releases the files with changes.
func (v *Viewer) Close() {
	v.archives.closeAll()
	v.desk.close()
}

// acquire waits for a place to work in, unless the client has gone.
func (v *Viewer) acquire(ctx context.Context) (release func(), err error) {
	select {
	case v.work <- struct{}{}:
		return func() { <-v.work }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// addRoot makes the node of an operand.
func (v *Viewer) addRoot(operand string) (id int, err error) {
	path, entry, err := engine.ParseOperand(operand)
	if err != nil {
		return -1, fmt.Errorf("%s: %w", operand, disk.PlainError(err))
	}
	info, err := os.Stat(path)
	if err != nil {
		return -1, fmt.Errorf("%s: %w", operand, disk.PlainError(err))
	}
	return v.tree.addRoot(path, entry, info), nil
}
