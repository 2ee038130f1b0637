package view

import (
	"bytes"
	"container/list"
	"os"
	"sync"
)

// mostCached is how many bytes of pictures and models are kept.
const mostCached = 64 << 20

// blob is something that was made: what a browser gets, and what else came of making it.
type blob struct {
	content []byte
	mime    string
	tag     string // tells it from what is made of another state of the files
	extra   any
}

// cache keeps what was made last. The zero value is ready.
type cache struct {
	mu    sync.Mutex
	bytes int
	of    map[string]*list.Element
	order list.List // most recently used first
}

type cached struct {
	key string
	blob
}

func (c *cache) get(key string) (blob, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.of[key]
	if !ok {
		return blob{}, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).blob, true
}

func (c *cache) put(key string, b blob) {
	size := len(b.content) + len(key)
	if size > mostCached/2 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = map[string]*list.Element{}
	}
	if _, ok := c.of[key]; ok {
		return
	}
	c.of[key] = c.order.PushFront(&cached{key, b})
	c.bytes += size
	for c.bytes > mostCached {
		last := c.order.Back()
		x := last.Value.(*cached)
		c.bytes -= len(x.content) + len(x.key)
		delete(c.of, x.key)
		c.order.Remove(last)
	}
}

// memory is content that is in memory.
type memory struct{ *bytes.Reader }

func newMemory(b []byte) memory { return memory{bytes.NewReader(b)} }

// Close does nothing.
func (memory) Close() error { return nil }

// fileContent is content on disk.
type fileContent struct {
	*os.File
	size int64
}

// Size returns how large the file was when it was opened.
func (f fileContent) Size() int64 { return f.size }
