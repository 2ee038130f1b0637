package batch

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
)

// claims are the names that the assets of a batch have given their files. Two models may each bring a "texture.jpg", and
// neither is to get the other's. The first in the order of the batch has the name, however many workers there are.
type claims struct {
	mu    sync.Mutex
	moved sync.Cond
	next  int          // the number of the next asset
	over  map[int]bool // assets that claim nothing more, behind the first one that may
	first int          // the first asset that may still claim a name
	names map[string]claim
}

type claim struct {
	source string
	number int
	hash   string
}

func newClaims() *claims {
	c := &claims{over: map[int]bool{}, names: map[string]claim{}}
	c.moved.L = &c.mu
	return c
}

// begin returns the number of the next asset.
func (c *claims) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return c.next - 1
}

// end says that an asset claims nothing more.
func (c *claims) end(number int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if number < c.first || c.over[number] {
		return
	}
	c.over[number] = true
	for c.over[c.first] {
		delete(c.over, c.first)
		c.first++
	}
	c.moved.Broadcast()
}

// wait returns when the assets before this one have claimed their names.
func (c *claims) wait(number int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.first < number {
		c.moved.Wait()
	}
}

// taken reports whether another asset has claimed a name for another content.
func (c *claims) taken(number int, name string, content []byte) bool {
	c.wait(number)
	c.mu.Lock()
	defer c.mu.Unlock()
	was, known := c.names[strings.ToLower(name)]
	return known && was.number != number && was.hash != disk.HashText(xxhash.Sum64(content))
}

// claim gives an asset the names of its files; an error names another asset that has one of them for another content.
// Then it gets none.
func (c *claims) claim(number int, source string, files []recordFile) error {
	if len(files) > 1 {
		c.wait(number)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range files {
		was, known := c.names[strings.ToLower(f.Name)]
		if known && was.number != number && was.hash != f.Hash {
			return fmt.Errorf("%s is a file of %s too, with another content: convert the two into different folders", f.Name, was.source)
		}
	}
	for _, f := range files {
		if name := strings.ToLower(f.Name); c.names[name].source == "" {
			c.names[name] = claim{source, number, f.Hash}
		}
	}
	return nil
}

// beside returns the name in the output folder of a file that an asset brings along.
func beside(stem, name string) string { return path.Join(path.Dir(stem), disk.SafePath(name)) }
