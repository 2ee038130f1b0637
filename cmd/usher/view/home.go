package view

import (
	"cmp"
	"maps"
	"net/http"
	"slices"

	"github.com/usher-assets/usher/cmd/usher/places"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// Home is a summary of what is below a node.
type Home struct {
	Busy     bool           `json:"busy"` // the search goes on, so there may be more soon
	Families []Family       `json:"families"`
	Kinds    []Count        `json:"kinds"` // kinds that have pictures, in the order in which they are shown
	Folders  []Card         `json:"folders"`
	Worlds   []World        `json:"worlds,omitempty"` // on the start screen
	Desk     bool           `json:"desk,omitempty"`   // the page may write
	Places   []places.Place `json:"places,omitempty"` // on the start screen of a desk
}

// World is a family of formats on the start screen.
type World struct {
	Name       string   `json:"name"`
	Extensions []string `json:"extensions"` // of its files
}

// worlds returns the families that usher knows.
func worlds() (list []World) {
	for i := range formats.All {
		f := &formats.All[i]
		title := familyTitles[f.Family]
		if len(list) == 0 || list[len(list)-1].Name != title {
			list = append(list, World{Name: title})
		}
		w := &list[len(list)-1]
		for _, ext := range f.Extensions {
			if !slices.Contains(w.Extensions, ext) && ext != ".*" {
				w.Extensions = append(w.Extensions, ext)
			}
		}
	}
	return list
}

// Family is the number of assets in a family of formats.
type Family struct {
	Name  string  `json:"name"` // as people call it
	Kinds []Count `json:"kinds"`
}

// Count is the number of assets of a kind. All files of a map count as one.
type Count struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Card is a folder or an archive directly below a node.
type Card struct {
	ID       int     `json:"id"`
	Name     string  `json:"name"`
	Place    string  `json:"place"`
	Kinds    []Count `json:"kinds"`
	Pictures []int   `json:"pictures"` // nodes in it
}

// mostPictures is how many pictures a card has.
const mostPictures = 4

// tally counts what is below a node.
type tally struct {
	counts   map[string]int
	ranks    map[string]int
	pictures []*node // the first ones by rank
}

// add counts a node.
func (t *tally) add(n *node) {
	if t.counts == nil {
		t.counts, t.ranks = map[string]int{}, map[string]int{}
	}
	t.counts[n.sort()]++
	t.ranks[n.sort()] = n.rank()
	if !n.pictured() || n.partOf {
		return
	}
	at := len(t.pictures)
	for at > 0 && t.pictures[at-1].rank() > n.rank() {
		at--
	}
	if at < mostPictures {
		t.pictures = slices.Insert(t.pictures, at, n)
		t.pictures = t.pictures[:min(len(t.pictures), mostPictures)]
	}
}

// list returns what there is, in the order in which it is shown.
func (t *tally) list() []Count {
	list := []Count{}
	for kind, n := range t.counts {
		list = append(list, Count{kind, n})
	}
	slices.SortFunc(list, func(a, b Count) int { return cmp.Compare(t.ranks[a.Kind], t.ranks[b.Kind]) })
	return list
}

// walk calls f for all leaves at and below a node. The tree is locked for reading.
func (t *tree) walk(id int, f func(*node)) {
	n := t.nodes[id]
	if n.leaf() {
		f(n)
	}
	for _, c := range n.children {
		t.walk(c, f)
	}
}

// home counts what is below a node.
func (v *Viewer) home(id int) Home {
	v.openAll()
	start := v.config.Start && id == v.rootID(0)
	var offered []places.Place
	if start {
		offered = v.offered()
	}
	busy := v.scanning.Load() > 0
	v.tree.mu.RLock()
	defer v.tree.mu.RUnlock()
	var drawn tally
	families := map[string]*tally{}
	v.tree.walk(id, func(n *node) {
		if n.pictured() && !n.partOf {
			drawn.add(n)
		}
		name := familyOf(n.format)
		if families[name] == nil {
			families[name] = new(tally)
		}
		families[name].add(n)
	})
	home := Home{Busy: busy, Kinds: drawn.list(), Families: listed(families), Folders: v.tree.cards(id), Desk: v.desk != nil}
	if start {
		home.Worlds, home.Places = worlds(), offered
	}
	return home
}

// listed returns families in their order: what belongs to no game comes last.
func listed(families map[string]*tally) []Family {
	list := []Family{}
	for _, name := range slices.Sorted(maps.Keys(families)) {
		list = append(list, Family{cmp.Or(familyTitles[name], name), families[name].list()})
	}
	if families[""] != nil {
		list = append(list[1:], list[0])
	}
	return list
}

// cards are the folders directly below a node, those with the best pictures first. The tree is locked for reading.
func (t *tree) cards(id int) []Card {
	list := []Card{}
	for _, c := range t.nodes[id].children {
		if n := t.nodes[c]; !n.leaf() {
			list = append(list, t.card(n))
		}
	}
	best := func(c Card) int {
		if len(c.Pictures) == 0 {
			return int(format.Raw)
		}
		return t.nodes[c.Pictures[0]].rank()
	}
	slices.SortStableFunc(list, func(a, b Card) int { return cmp.Compare(best(a), best(b)) })
	return list
}

// familyTitles are the families as people call them.
var familyTitles = map[string]string{
	"freelancer": "Freelancer", "ultimate3d": "Ultimate 3D", "unreal": "Unreal", "ultima9": "Ultima IX", "": "other files",
}

// card counts what a folder holds. The tree is locked for reading.
func (t *tree) card(n *node) Card {
	var all tally
	t.walk(n.id, all.add)
	c := Card{ID: n.id, Name: n.name, Place: placeNames[n.place], Kinds: all.list(), Pictures: []int{}}
	for _, p := range all.pictures {
		c.Pictures = append(c.Pictures, p.id)
	}
	return c
}

// familyOf returns the family of a format; empty for interchange files and for what nothing knows.
func familyOf(name string) string {
	if f := formats.ByName(name); f != nil {
		return f.Family
	}
	return ""
}

func (v *Viewer) handleHome(w http.ResponseWriter, r *http.Request) {
	if n, ok := v.node(w, r); ok {
		answer(w, v.home(n.id))
	}
}
