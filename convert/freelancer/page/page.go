package page

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// page is a tree as JSON shows it: the entries with what their leaves hold (reference section 19.6), and apart from them
// the places that they had in the file, so that a difference of two pages is one of content.
type page struct {
	Root   *pageNode
	Header freelancer.Header
	Layout *pageLayout
}

// pageLayout is what only a file of the same bytes needs.
type pageLayout struct {
	Size    int
	Residue []freelancer.Span
	Times   [3]pageTime // creation, access and change of all entries that have no other ones
	Entries []pageEntry
}

// pageEntry is the place of an entry, which its path names.
type pageEntry struct {
	Path       string
	Slot       *[7]uint32 // offset, next, name, child, allocated, used, uncompressed
	Attributes *freelancer.Hash
	Sharing    *uint32
	Times      *[3]pageTime
}

// Brief implements json.Brief.
func (pageEntry) Brief() {}

// pageTime is a moment to two seconds, or the number of one that there is not.
type pageTime freelancer.DOSTime

const pageTimeForm = "2006-01-02 15:04:05"

// MarshalText implements encoding.TextMarshaler.
func (t pageTime) MarshalText() ([]byte, error) {
	moment := freelancer.DOSTime(t).Time()
	if t == 0 || freelancer.NewDOSTime(moment) != freelancer.DOSTime(t) {
		return []byte(freelancer.Hash(t).String()), nil
	}
	return []byte(moment.Format(pageTimeForm)), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *pageTime) UnmarshalText(b []byte) error {
	if h, ok := freelancer.ParseHash(string(b)); ok {
		*t = pageTime(h)
		return nil
	}
	moment, err := time.Parse(pageTimeForm, string(b))
	if err != nil {
		return fmt.Errorf("%q is no moment: %q is one", b, pageTimeForm)
	}
	*t = pageTime(freelancer.NewDOSTime(moment))
	return nil
}

// Names returns the names that hashes in a file can stand for.
type Names func(root *freelancer.Node, env *format.Env) map[uint32]string

// Tree is the document of a tree. names returns what hashes can stand for.
func Tree(names Names) *format.Document {
	return format.Documented(func(t *freelancer.Tree, env *format.Env) (*page, error) { return names.showTree(t, env) }, treeOfPage)
}

// maxShown is how many bytes of payloads a document may show that the file itself does not have: many entries may share one.
const maxShown = 64 << 20

// checkShown refuses a tree whose document would be out of all proportion to its file.
func checkShown(t *freelancer.Tree) error {
	size, shown := 0, 0
	if t.Layout != nil {
		size = t.Layout.Size
	}
	t.Root.Walk(func(_ string, n *freelancer.Node) bool {
		shown += n.Length()
		return true
	})
	if size > 0 && shown-size > maxShown {
		return schema.Errorf(freelancer.Format, schema.ErrLimit, "payloads", "entries share payloads: a document would show %d bytes of a file of %d, at most %d more than it has", shown, size, maxShown)
	}
	return nil
}

// pager makes the pages of one file.
type pager struct {
	names map[uint32]string // of what hashes stand for
	d     *schema.Diagnostics
	times map[[3]pageTime]int
	list  []pageEntry
}

func (names Names) showTree(t *freelancer.Tree, env *format.Env) (*page, error) {
	if t == nil || t.Root == nil {
		return nil, schema.Errorf(freelancer.Format, schema.ErrValue, "root", "there is no root")
	}
	if err := checkShown(t); err != nil {
		return nil, err
	}
	x := &pager{names: names(t.Root, env), d: env.Told(), times: map[[3]pageTime]int{}}
	p := &page{Root: x.node(t.Root, nil, nil, ""), Header: t.Header}
	l := &pageLayout{Entries: x.list}
	if t.Layout != nil {
		l.Size, l.Residue = t.Layout.Size, t.Layout.Residue
	}
	most := 0
	for times, n := range x.times {
		if n > most || n == most && slices.Compare(times[:], l.Times[:]) < 0 {
			l.Times, most = times, n
		}
	}
	for i := range l.Entries {
		if e := &l.Entries[i]; *e.Times == l.Times {
			e.Times = nil
		}
	}
	p.Layout = l
	return p, nil
}

// node shows an entry and what is below it.
func (x *pager) node(n, parent, library *freelancer.Node, path string) *pageNode {
	x.place(n, path)
	p := &pageNode{Name: n.Name}
	if !n.IsDir() {
		x.leaf(p, n, parent, library, path)
		return p
	}
	p.Children = make([]*pageNode, 0, len(n.Children))
	seen := map[string]int{}
	for _, c := range n.Children {
		p.Children = append(p.Children, x.node(c, n, parent, childPath(path, c.Name, seen)))
	}
	return p
}

// childPath returns the path of a child: names that occur again have their number behind them.
func childPath(dir, name string, seen map[string]int) string {
	step := Escape(name)
	if seen[step]++; seen[step] > 1 {
		step = fmt.Sprintf("%s%%%d", step, seen[step])
	}
	if dir == "" {
		return step
	}
	return dir + "/" + step
}

func (x *pager) place(n *freelancer.Node, path string) {
	times := [3]pageTime{pageTime(n.Created), pageTime(n.Accessed), pageTime(n.Modified)}
	x.times[times]++
	e := pageEntry{Path: path, Times: &times}
	if s := n.Slot; s != nil {
		e.Slot = &[7]uint32{s.Offset, s.Next, s.Name, s.Child, s.Allocated, s.Used, s.Uncompressed}
	}
	if usual := usualAttributes(n.IsDir()); n.Attributes != usual {
		a := freelancer.Hash(n.Attributes)
		e.Attributes = &a
	}
	if n.Sharing != 0 {
		e.Sharing = &n.Sharing
	}
	x.list = append(x.list, e)
}

func usualAttributes(dir bool) freelancer.Attributes {
	if dir {
		return freelancer.Directory
	}
	return freelancer.File
}

// treeOfPage is the inverse of [Names.showTree].
func treeOfPage(p *page) (*freelancer.Tree, error) {
	if p.Root == nil {
		return nil, schema.Errorf("json", schema.ErrValue, "Root", "there is no root")
	}
	root, err := p.Root.node(nil)
	if err != nil {
		return nil, err
	}
	t := &freelancer.Tree{Root: root, Header: p.Header}
	if l := p.Layout; l != nil {
		if l.Size < 0 || int64(l.Size) > math.MaxUint32 {
			return nil, schema.Errorf("json", schema.ErrValue, "Layout.Size", "%d is no whole number from 0 to %d", l.Size, uint32(math.MaxUint32))
		}
		if l.Size > 0 || l.Residue != nil {
			t.Layout = &freelancer.Layout{Size: l.Size, Residue: l.Residue}
		}
		x := newPlaces(l)
		x.give(root, "", true)
		return t, x.err
	}
	return t, nil
}

// places finds the places of entries by their paths.
type places struct {
	*pageLayout
	at       map[string]*pageEntry
	children map[string][]string // paths, by the path of their directory
	err      error               // the first entry whose attributes are those of the other kind
}

func newPlaces(l *pageLayout) *places {
	x := &places{pageLayout: l, at: map[string]*pageEntry{}, children: map[string][]string{}}
	for i := range l.Entries {
		e := &l.Entries[i]
		if x.at[e.Path] != nil {
			continue
		}
		x.at[e.Path] = e
		if e.Path != "" {
			dir := path.Dir(e.Path)
			if dir == "." {
				dir = ""
			}
			x.children[dir] = append(x.children[dir], e.Path)
		}
	}
	return x
}

// give puts an entry, and what is below it, where the path says that it was. Entries that the layout does not know are
// new, but as many as it misses have only other names; own tells that the path is that of the entry itself.
func (x *places) give(n *freelancer.Node, path string, own bool) {
	if e := x.at[path]; e != nil {
		if own && e.Attributes != nil && !sameKind(n, *e.Attributes) && x.err == nil {
			x.err = schema.Errorf("json", schema.ErrMismatch, "Layout.Entries", "%q has the attributes %v: bit 0x%x is to be set for a directory, and for nothing else", path, *e.Attributes, uint32(freelancer.Directory))
		}
		x.put(n, e)
	}
	known := map[string]bool{}
	var strangers []*freelancer.Node
	seen := map[string]int{}
	for _, c := range n.Children {
		p := childPath(path, c.Name, seen)
		if x.at[p] == nil {
			strangers = append(strangers, c)
			continue
		}
		known[p] = true
		x.give(c, p, true)
	}
	missing := slices.DeleteFunc(slices.Clone(x.children[path]), func(p string) bool { return known[p] })
	if len(missing) == len(strangers) {
		for i, c := range strangers {
			x.give(c, missing[i], false)
		}
	}
}

// sameKind reports whether attributes fit a node: those of a directory have a bit that no others have.
func sameKind(n *freelancer.Node, a freelancer.Hash) bool {
	return (freelancer.Attributes(a)&freelancer.Directory != 0) == n.IsDir()
}

func (x *places) put(n *freelancer.Node, e *pageEntry) {
	if s := e.Slot; s != nil {
		n.Slot = &freelancer.Slot{Offset: s[0], Next: s[1], Name: s[2], Child: s[3], Allocated: s[4], Used: s[5], Uncompressed: s[6]}
	}
	times := x.Times
	if e.Times != nil {
		times = *e.Times
	}
	n.Created, n.Accessed, n.Modified = freelancer.DOSTime(times[0]), freelancer.DOSTime(times[1]), freelancer.DOSTime(times[2])
	if e.Attributes != nil && sameKind(n, *e.Attributes) { // else another entry had the place
		n.Attributes = freelancer.Attributes(*e.Attributes)
	}
	if e.Sharing != nil {
		n.Sharing = *e.Sharing
	}
}

// reference returns how a page shows a hash: as the name that it stands for, else as it is.
func (x *pager) reference(crc uint32, hash func(string) uint32) string {
	name := x.names[crc]
	if _, looksLike := freelancer.ParseHash(name); name == "" || looksLike || hash(name) != crc || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return freelancer.Hash(crc).String()
	}
	return name
}

// hashOf is the inverse of reference.
func hashOf(text string, hash func(string) uint32) uint32 {
	if h, ok := freelancer.ParseHash(text); ok {
		return uint32(h)
	}
	return hash(text)
}
