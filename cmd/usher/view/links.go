package view

import (
	"context"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// links is which models wear which textures, by their names, as far as that has been asked for. The zero value is ready.
type links struct {
	mu         sync.Mutex
	generation int64 // of the files that it was made from
	busy       bool
	done       int
	total      int
	wear       map[string][]int // models by the names of their textures
}

// Links is what a texture or a model has to do with others.
type Links struct {
	Busy   bool   `json:"busy"`
	Done   int    `json:"done"` // models that have been looked at
	Total  int    `json:"total"`
	Uses   []Step `json:"uses"`
	UsedBy []Step `json:"usedBy"`
}

// linkNames are what something may be called where it is used: its path, the last step of that, and either without
// what stands before or behind a dot. Numbers alone say nothing.
func linkNames(texts ...string) (names []string) {
	for _, s := range texts {
		s = strings.ToLower(strings.ReplaceAll(s, `\`, "/"))
		base := path.Base(s)
		for _, name := range []string{s, base, strings.TrimSuffix(base, path.Ext(base)), strings.TrimPrefix(path.Ext(base), ".")} {
			if strings.ContainsFunc(name, unicode.IsLetter) && len(name) > 1 && !slices.Contains(names, name) && !slices.Contains(commonEndings, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// commonEndings are extensions, which are no names.
var commonEndings = []string{"png", "tga", "dds", "bmp", "jpg", "jpeg", "pcx", "webp", "txm", "mat"}

// names are what a texture may be called where it is used.
func (n *node) names() []string {
	if n.place == entry {
		return linkNames(n.entry, n.title)
	}
	return linkNames(n.rel, n.name)
}

// wears returns the names of the textures of a model.
func (v *Viewer) wears(n *node) (names []string) {
	_ = lifted(v, n, func(s *asset.Scene) error { // what cannot be read wears nothing
		for _, t := range s.Textures {
			names = append(names, linkNames(t.Name, t.URI)...)
		}
		return nil
	})
	return names
}

// worn returns the textures of those names that a model wears: those of its own file, where that has some.
func (v *Viewer) worn(model *node, names []string) []node {
	all := v.leaves(func(x *node) bool {
		return x.kind == format.Texture && slices.ContainsFunc(x.names(), func(s string) bool { return slices.Contains(names, s) })
	})
	elsewhere := func(x node) bool { return x.path != model.path }
	if own := slices.DeleteFunc(slices.Clone(all), elsewhere); len(own) > 0 {
		return own
	}
	return all
}

// startLinks looks at every model, unless that has been done for the files as they are.
func (v *Viewer) startLinks() {
	l := &v.links
	l.mu.Lock()
	defer l.mu.Unlock()
	now := v.generation.Load()
	if l.busy || l.generation == now && l.wear != nil {
		return
	}
	l.busy, l.generation, l.done = true, now, 0
	go v.link()
}

func (v *Viewer) link() {
	v.OpenAll(context.Background())
	models := v.leaves(func(n *node) bool { return n.kind == format.Model })
	l := &v.links
	l.mu.Lock()
	l.total = len(models)
	l.mu.Unlock()
	wear := map[string][]int{}
	for i := range models {
		v.work <- struct{}{}
		names := v.wears(&models[i])
		<-v.work
		for _, name := range names {
			if list := wear[name]; len(list) == 0 || list[len(list)-1] != models[i].id {
				wear[name] = append(list, models[i].id)
			}
		}
		l.mu.Lock()
		l.done = i + 1
		l.mu.Unlock()
	}
	l.mu.Lock()
	l.busy, l.wear = false, wear
	l.mu.Unlock()
}

// leaves returns copies of the leaves that are wanted.
func (v *Viewer) leaves(wanted func(*node) bool) (list []node) {
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	for _, n := range v.tree.nodes {
		if !n.gone && n.leaf() && wanted(n) {
			list = append(list, *n)
		}
	}
	return list
}

// handleLinks answers with what a model wears, and with the models that wear a texture. For the latter every model is to
// be looked at, which goes on when the first answer has been given.
func (v *Viewer) handleLinks(w http.ResponseWriter, r *http.Request) {
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	out := Links{Uses: []Step{}, UsedBy: []Step{}}
	switch n.kind {
	case format.Model:
		v.openAll()
		for _, x := range v.worn(&n, v.wears(&n)) {
			out.Uses = append(out.Uses, Step{x.id, x.source()})
		}
		out.Busy = v.scanning.Load() > 0
	case format.Texture:
		v.startLinks()
		v.links.find(v, &n, &out)
	}
	answer(w, out)
}

func (l *links) find(v *Viewer, n *node, out *Links) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out.Busy, out.Done, out.Total = l.busy, l.done, l.total
	seen := map[int]bool{}
	for _, name := range n.names() {
		for _, id := range l.wear[name] {
			m, ok := v.tree.get(id)
			if ok && !seen[id] && (m.path == n.path || !slices.ContainsFunc(v.worn(&m, n.names()), func(x node) bool { return x.path == m.path })) {
				seen[id] = true
				out.UsedBy = append(out.UsedBy, Step{id, m.source()})
			}
		}
	}
}
