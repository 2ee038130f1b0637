package batch

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/format"
)

// need is a file beside the input that a conversion looked for: what becomes of the input depends on it too.
type need struct {
	Names []string `json:"names"`
	Found string   `json:"found,omitempty"` // hash of the file; empty when there was none

	// Where files were looked for by what they hold: the folder, with extensions for names, and Found stands for what it
	// holds.
	Folder string `json:"folder,omitempty"`
	Deep   bool   `json:"deep,omitempty"`
}

// hashes are those of the files that a batch looked for, by path: many conversions look for the same ones.
type hashes struct {
	mu    sync.Mutex
	made  map[string]string
	needs map[string]*need // by names and hash: those of thousands of inputs are alike
}

func (h *hashes) of(path string) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if hash, ok := h.made[path]; ok {
		return hash, nil
	}
	stamp, err := disk.NewStamp(path)
	if err != nil {
		return "", err
	}
	if h.made == nil {
		h.made = map[string]string{}
	}
	h.made[path] = stamp.Hash
	return stamp.Hash, nil
}

// ofList returns a hash of what a folder holds: paths, sizes and times.
func (h *hashes) ofList(key string, list func() []format.Listed) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if hash, ok := h.made[key]; ok {
		return hash
	}
	sum := xxhash.New()
	for _, x := range list() {
		fmt.Fprintf(sum, "%s %d %d\n", x.Path, x.Size, x.Modified)
	}
	if h.made == nil {
		h.made = map[string]string{}
	}
	h.made[key] = disk.HashText(sum.Sum64())
	return h.made[key]
}

// need returns the one need like x.
func (h *hashes) need(x need) *need {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := fmt.Sprintf("%q %q %v %s", x.Names, x.Folder, x.Deep, x.Found)
	if n, ok := h.needs[key]; ok {
		return n
	}
	if h.needs == nil {
		h.needs = map[string]*need{}
	}
	x.Names = slices.Clone(x.Names)
	h.needs[key] = &x
	return h.needs[key]
}

// tracker is Files that notes what is looked for.
type tracker struct {
	*find.Files
	hashes *hashes
	mu     sync.Mutex
	needs  []*need
}

// track lets the files of an environment be noted. Only files on disk are.
func (h *hashes) track(env *format.Env) {
	if files, ok := env.Files.(*find.Files); ok {
		env.Files = &tracker{Files: files, hashes: h}
	}
}

// Find implements format.Files.
func (t *tracker) Find(names ...string) ([]byte, string, error) {
	t.note(names)
	return t.Files.Find(names...)
}

// FindAt implements format.FilesAt.
func (t *tracker) FindAt(names ...string) (io.ReaderAt, int64, string, error) {
	t.note(names)
	return t.Files.FindAt(names...)
}

// List implements format.FileTree.
func (t *tracker) List(folder string, deep bool, extensions ...string) []format.Listed {
	t.add(need{Names: extensions, Folder: folder, Deep: deep})
	return t.Files.List(folder, deep, extensions...)
}

func (t *tracker) note(names []string) { t.add(need{Names: names}) }

// add notes a need, once.
func (t *tracker) add(x need) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.ContainsFunc(t.needs, func(n *need) bool {
		return slices.Equal(n.Names, x.Names) && n.Folder == x.Folder && n.Deep == x.Deep
	}) {
		x.Found = t.found(&x)
		t.needs = append(t.needs, t.hashes.need(x))
	}
}

// found returns the hash of the file that the first of the names with one leads to, or of what a folder holds.
func (t *tracker) found(n *need) string {
	if n.Folder != "" {
		key := fmt.Sprintf("%q %v %q", n.Folder, n.Deep, n.Names)
		return t.hashes.ofList(key, func() []format.Listed { return t.Files.List(n.Folder, n.Deep, n.Names...) })
	}
	for _, name := range n.Names {
		if p, ok := t.Locate(name); ok {
			hash, err := t.hashes.of(p)
			t.Note(p, err)
			return hash
		}
	}
	return ""
}

// needsOf returns what a conversion looked for.
func needsOf(env *format.Env) []*need {
	if t, ok := env.Files.(*tracker); ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.needs
	}
	return nil
}

// sameNeeds reports whether a conversion would find now what it found then.
func sameNeeds(env *format.Env, needs []*need) bool {
	t, ok := env.Files.(*tracker)
	return !slices.ContainsFunc(needs, func(n *need) bool { return !ok || disk.CompareHashes(n.Found, t.found(n)) != disk.Same })
}
