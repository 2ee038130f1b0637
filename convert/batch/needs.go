package batch

import (
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/format"
)

// need is a file beside the input that a conversion looked for: what becomes of the input depends on it too.
type need struct {
	Names []string `json:"names"`
	Found string   `json:"found,omitempty"` // hash of the file; empty when there was none
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

// need returns the one need of these names and this file.
func (h *hashes) need(names []string, found string) *need {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := strings.Join(names, "\x00") + "\x00" + found
	if n, ok := h.needs[key]; ok {
		return n
	}
	if h.needs == nil {
		h.needs = map[string]*need{}
	}
	h.needs[key] = &need{slices.Clone(names), found}
	return h.needs[key]
}

// tracker is Files that notes what is looked for.
type tracker struct {
	*convert.Files
	hashes *hashes
	mu     sync.Mutex
	needs  []*need
}

// track lets the files of an environment be noted. Only files on disk are.
func (h *hashes) track(env *format.Env) {
	if files, ok := env.Files.(*convert.Files); ok {
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

func (t *tracker) note(names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.ContainsFunc(t.needs, func(n *need) bool { return slices.Equal(n.Names, names) }) {
		t.needs = append(t.needs, t.hashes.need(names, t.found(names)))
	}
}

// found returns the hash of the file that the first of the names with one leads to.
func (t *tracker) found(names []string) string {
	for _, name := range names {
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

// sameNeeds tells whether a conversion would find now what it found then.
func sameNeeds(env *format.Env, needs []*need) bool {
	t, ok := env.Files.(*tracker)
	return !slices.ContainsFunc(needs, func(n *need) bool { return !ok || t.found(n.Names) != n.Found })
}
