package view

import (
	"context"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
)

// links is which models wear which textures, as far as that has been asked for. The zero value is ready.
type links struct {
	mu         sync.Mutex
	generation int64 // of the files that it was made from
	busy       bool
	done       int
	total      int
	wear       map[int][]int    // models by the textures that they find
	called     map[string][]int // models by the names of their textures
}

// Links lists the relations of a texture or a model to others.
type Links struct {
	Busy   bool   `json:"busy"`
	Done   int    `json:"done"` // number of models examined so far
	Total  int    `json:"total"`
	Uses   []Worn `json:"uses"`   // textures that the model uses
	UsedBy []Step `json:"usedBy"` // models that use the texture
	Like   []Step `json:"like"`   // assets with the right name in a place where it is not searched for
}

// Worn is a texture that a model uses.
type Worn struct {
	Step
	Texture string `json:"texture"` // the model's name for it
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

// numbered is how models call the textures of archives whose entries have numbers alone: texture_6, and texture_6_f2 for
// one of its frames.
var numbered = regexp.MustCompile(`^[a-z]+_([0-9]+)(_f[0-9]+)?$`)

// numberMark stands before a number that is a name. It means something in the files that a model has read, and nowhere else.
const numberMark = "#"

// numberName returns the name by number of a texture as its model calls it; none where it has no number.
func numberName(name string) []string {
	if m := numbered.FindStringSubmatch(strings.ToLower(name)); m != nil {
		return []string{numberMark + m[1]}
	}
	return nil
}

// names are what a texture may be called where it is used.
func (n *node) names() []string {
	if n.place == entry && strings.Trim(n.entry, "0123456789") == "" {
		return append(linkNames(n.title), numberMark+n.entry)
	}
	if n.place == entry {
		return linkNames(n.entry, n.title, n.name)
	}
	return linkNames(n.rel, n.name)
}

// worn is what a model wears.
type worn struct {
	names [][]string      // of each texture, the most telling first
	read  map[string]bool // the files in which it looked, its own among them, by their absolute paths
}

// wears returns what a model wears. What cannot be read wears nothing.
func (v *Viewer) wears(n *node) worn {
	l := *v.loader.Load()
	l.Reads = new(find.Reads)
	w := worn{read: map[string]bool{absolute(n.path): true}}
	used := func(path string) { w.read[absolute(path)] = true }
	_ = v.withLoader(&l, n, func(it *interchange.Item) error {
		it.Env.Plain, it.Env.Used = true, used
		a, err := it.Lift()
		s, ok := a.(*asset.Scene)
		if err != nil || !ok {
			return err
		}
		if files, ok := it.Env.Files.(*find.Files); ok {
			for _, path := range files.Opened() {
				used(path)
			}
		}
		for _, t := range s.Textures {
			w.names = append(w.names, append(linkNames(t.Name, t.URI), numberName(t.Name)...))
		}
		return nil
	})
	for _, path := range l.Reads.Paths() {
		used(path)
	}
	return w
}

// folderAtFirst is where the program was started.
var folderAtFirst = sync.OnceValue(func() string {
	dir, _ := os.Getwd() // without it paths stay as they are
	return dir
})

// absolute returns a path by which files are the same.
func absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(folderAtFirst(), path)
}

// textures are the textures of the tree by their names.
func (v *Viewer) textures(wanted func(*node) bool) map[string][]node {
	of := map[string][]node{}
	for _, n := range v.leaves(func(n *node) bool { return n.kind == format.Texture && wanted(n) }) {
		for _, name := range n.names() {
			of[name] = append(of[name], n)
		}
	}
	return of
}

// find returns the textures that a model finds: for each name those of its own file, else those of the files that it
// read; and the others of these names.
func (w *worn) find(own string, of map[string][]node) (uses []Worn, like []Step) {
	seen := map[int]bool{}
	for _, names := range w.names {
		var list, others []node
		for _, name := range names {
			for _, n := range of[name] {
				if w.read[absolute(n.path)] {
					list = append(list, n)
				} else if !strings.HasPrefix(name, numberMark) {
					others = append(others, n)
				}
			}
			if len(list) > 0 {
				break // the other names say less
			}
		}
		if inside := slices.DeleteFunc(slices.Clone(list), func(n node) bool { return n.path != own }); len(inside) > 0 {
			list = inside
		}
		for _, n := range list {
			if !seen[n.id] {
				uses = append(uses, Worn{Step{n.id, n.source()}, names[0]})
			}
			seen[n.id] = true
		}
		for _, n := range others {
			if !seen[n.id] {
				like = append(like, Step{n.id, n.source()})
			}
			seen[n.id] = true
		}
	}
	return uses, like
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
	models := v.leaves(func(n *node) bool { return n.kind == format.Model && !n.partOf })
	of := v.textures(func(*node) bool { return true })
	l := &v.links
	l.mu.Lock()
	l.total = len(models)
	l.mu.Unlock()
	wear, called := map[int][]int{}, map[string][]int{}
	for i := range models {
		m := &models[i]
		v.work <- struct{}{}
		w := v.wears(m)
		<-v.work
		uses, _ := w.find(m.path, of)
		for _, x := range uses {
			wear[x.ID] = append(wear[x.ID], m.id)
		}
		for _, name := range slices.Concat(w.names...) {
			if list := called[name]; !strings.HasPrefix(name, numberMark) && (len(list) == 0 || list[len(list)-1] != m.id) {
				called[name] = append(list, m.id)
			}
		}
		l.mu.Lock()
		l.done = i + 1
		l.mu.Unlock()
	}
	l.mu.Lock()
	l.busy, l.wear, l.called = false, wear, called
	l.mu.Unlock()
}

// leaves returns copies of the leaves that are wanted.
func (v *Viewer) leaves(wanted func(*node) bool) (list []node) {
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	for _, n := range v.tree.nodes {
		if !n.gone && !n.was && n.leaf() && wanted(n) {
			list = append(list, *n)
		}
	}
	return list
}

// handleLinks answers with what a model wears, and with the models that wear a texture. For the latter every model is to
// be looked at, which goes on when the first answer has been given; so does the search for what only has the same name,
// which is made where it is asked for.
func (v *Viewer) handleLinks(w http.ResponseWriter, r *http.Request) {
	n, ok := v.node(w, r)
	if !ok {
		return
	}
	out := Links{Uses: []Worn{}, UsedBy: []Step{}, Like: []Step{}}
	switch n.kind {
	case format.Model:
		release, err := v.acquire(r.Context())
		if err != nil {
			return // nobody waits any more
		}
		v.usesOf(&n, r.URL.Query().Get("like") != "", &out)
		release()
	case format.Texture:
		v.startLinks()
		v.links.find(v, &n, &out)
	}
	answer(w, out)
}

// usesOf finds what a model wears; with like also what elsewhere is called so.
func (v *Viewer) usesOf(n *node, like bool, out *Links) {
	w := v.wears(n)
	if like {
		v.openAll()
		out.Busy = v.scanning.Load() > 0
	} else {
		v.openRead(&w)
	}
	uses, others := w.find(n.path, v.textures(func(x *node) bool { return like || w.read[absolute(x.path)] }))
	out.Uses, out.Like = append(out.Uses, uses...), append(out.Like, others...)
}

// openRead opens the files in which a model looked for its textures.
func (v *Viewer) openRead(w *worn) {
	var ids []int
	v.tree.mu.RLock()
	for _, n := range v.tree.nodes {
		if n.holds && n.opened == unopened && !n.gone && !n.was && w.read[absolute(n.path)] {
			ids = append(ids, n.id)
		}
	}
	v.tree.mu.RUnlock()
	for _, id := range ids {
		v.open(id, sampled)
	}
}

func (l *links) find(v *Viewer, n *node, out *Links) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out.Busy, out.Done, out.Total = l.busy, l.done, l.total
	seen := map[int]bool{}
	add := func(list []Step, ids []int) []Step {
		for _, id := range ids {
			if m, ok := v.tree.get(id); ok && !seen[id] {
				seen[id] = true
				list = append(list, Step{id, m.source()})
			}
		}
		return list
	}
	out.UsedBy = add(out.UsedBy, l.wear[n.id])
	for _, name := range n.names() {
		out.Like = add(out.Like, l.called[name])
	}
}
