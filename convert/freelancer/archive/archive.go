package archive

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/read/media"
)

// archive shows the leaves of a tree as entries.
type archive struct {
	tree    *freelancer.Tree
	entries []format.Entry
	nodes   []*freelancer.Node // of the entries
	parents []*freelancer.Node // their directories
	stale   bool               // the tree has changed since these were listed
	voice   bool               // it is a voice bank: entries go by the hashes of their names
	names   map[uint32]string  // what the user knows of those names
	asked   string             // the encoding that the user asks for

	replaced map[*freelancer.Node]bool // payloads that were given one by one
	dropped  []drop                    // leaves that go when the file is written
	grown    []drop                    // leaves that come then

	spool   format.Spool
	spooled map[*freelancer.Node]*format.Format // new leaves whose payloads are there, and how those are read
}

// drop is a leaf and its directory.
type drop struct{ dir, leaf *freelancer.Node }

// Open opens a UTF tree as an archive. It reads the directory only.
func Open(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	t, err := readTree(r, size, env.Told())
	if err != nil {
		return nil, err
	}
	a := &archive{tree: t, stale: true, voice: IsVoice(Names(t.Root)), asked: env.Encoding()}
	if a.names, err = voice.Names(env); err != nil {
		return nil, err
	}
	if a.names == nil && a.voice {
		a.names = voice.Beside(env)
	}
	a.list()
	return a, nil
}

// WholeUpTo is the size in bytes up to which a file is read at once, which is faster than a read for each leaf.
const WholeUpTo = 8 << 20

// readTree reads a tree. Of a large one most payloads stay in the file.
func readTree(r io.ReaderAt, size int64, d *schema.Diagnostics) (*freelancer.Tree, error) {
	if size > WholeUpTo && d.Trace() == nil {
		t, err := read.UTFAt(r, size, d)
		if err != nil {
			return nil, err
		}
		for _, name := range [...]string{"Exporter Version", "Cmpnd", freelancer.MaterialLibrary} { // for the facts
			if err := t.Root.Child(name).Load(); err != nil {
				return nil, err
			}
		}
		return t, nil
	}
	b := make([]byte, size)
	if n, err := r.ReadAt(b, 0); err != nil && (err != io.EOF || n < len(b)) {
		return nil, err
	}
	return read.UTF(b, d)
}

// Create returns an empty tree.
func Create(env *format.Env) (format.ArchiveFile, error) {
	return &archive{tree: freelancer.NewTree(), asked: env.Encoding()}, nil
}

// CreateVoice returns an empty voice bank.
func CreateVoice(*format.Env) (format.ArchiveFile, error) {
	return &archive{tree: freelancer.NewTree(), voice: true}, nil
}

// list makes the entries anew, where the tree has changed: once for many that are added.
func (a *archive) list() {
	if !a.stale {
		return
	}
	a.stale, a.entries, a.nodes, a.parents = false, nil, nil, nil
	seen := map[string]int{}
	a.walk("", a.tree.Root, nil, seen)
}

func (a *archive) walk(path string, dir, library *freelancer.Node, seen map[string]int) {
	for _, n := range dir.Children {
		p := page.Escape(n.Name)
		if path != "" {
			p = path + "/" + p
		}
		if seen[p]++; seen[p] > 1 {
			p = fmt.Sprintf("%s%%%d", p, seen[p])
		}
		if n.IsDir() {
			a.walk(p, n, dir, seen)
			continue
		}
		a.listLeaf(p, n, dir, library)
	}
}

// listLeaf appends the entry of a leaf.
func (a *archive) listLeaf(p string, n, dir, library *freelancer.Node) {
	e := format.Entry{Path: p, Kind: format.Raw, Size: int64(n.Length()), Offset: -1, Class: n.Name}
	if n.InFile() || n.Slot != nil && len(n.Data) > 0 && len(n.Slot.Data) > 0 && &n.Data[0] == &n.Slot.Data[0] {
		e.Offset = int64(a.tree.Header.DataOffset) + int64(n.Slot.Child)
	}
	kind := freelancer.KindOf(n, dir, library)
	f, spooled := a.spooled[n]
	if spooled {
		e.Offset = -1
	} else {
		f = leafFormat(kind, n)
	}
	if f != nil {
		e.Format, e.Kind = f, f.Kind
	}
	e.Made = smaller(kind, n) && dir.Child("MIP0") != nil
	if kind == freelancer.DDSLeaf || kind == freelancer.TGALeaf {
		e.Title = dir.Name
	}
	if id, ok := freelancer.ParseVoiceName(n.Name); ok && dir == a.tree.Root {
		e.Title = a.names[id]
	}
	a.entries, a.nodes, a.parents = append(a.entries, e), append(a.nodes, n), append(a.parents, dir)
}

// listAdded lists a new leaf. Where it is the last one, or the tree is a plain list, as where many are added, the others
// stay as they are listed; dirs leads from the root to its directory.
func (a *archive) listAdded(n *freelancer.Node, dirs ...*freelancer.Node) {
	at := a.place(n)
	var steps []string
	for _, d := range append(slices.Clone(dirs[1:]), n) { // the first ones of their names: Add refuses a second leaf
		steps = append(steps, page.Escape(d.Name))
	}
	if a.stale = a.stale || at < 0; a.stale {
		return
	}
	var library *freelancer.Node
	if len(dirs) > 1 {
		library = dirs[len(dirs)-2]
	}
	a.listLeaf(strings.Join(steps, "/"), n, dirs[len(dirs)-1], library)
	last := len(a.nodes) - 1
	a.entries = slices.Insert(a.entries[:last], at, a.entries[last])
	a.nodes = slices.Insert(a.nodes[:last], at, n)
	a.parents = slices.Insert(a.parents[:last], at, dirs[len(dirs)-1])
}

// place returns the number of the entry that a new leaf is; −1 where only a walk through all tells it.
func (a *archive) place(n *freelancer.Node) int {
	last := a.tree.Root
	for len(last.Children) > 0 {
		last = last.Children[len(last.Children)-1]
	}
	switch {
	case last == n:
		return len(a.entries)
	case slices.ContainsFunc(a.tree.Root.Children, (*freelancer.Node).IsDir):
		return -1
	}
	return slices.Index(a.tree.Root.Children, n)
}

// Abilities implements format.ArchiveFile.
func (a *archive) Abilities() format.Abilities {
	return format.Abilities{Leaf: a.leaf, Place: a.newPlace, Movable: a.movable, RemoveAll: a.removeAll, SpoolTo: a.spoolTo, Explain: a.explain}
}

func (a *archive) Entries() []format.Entry {
	a.list()
	return a.entries
}

func (a *archive) at(i int) error {
	a.list()
	if i < 0 || i >= len(a.nodes) {
		return schema.Errorf(freelancer.Format, schema.ErrRange, "entry", "%d of %d", i, len(a.nodes))
	}
	return nil
}

func (a *archive) Payload(i int) ([]byte, error) {
	if err := a.at(i); err != nil {
		return nil, err
	}
	return a.nodes[i].Payload()
}

func (a *archive) Facts() []format.Fact { return Facts(a.tree) }

// Facts describes a tree for "info".
func Facts(t *freelancer.Tree) []format.Fact {
	if t == nil || t.Root == nil {
		return nil
	}
	facts := []format.Fact{{Name: "version", Value: fmt.Sprintf("0x%x", t.Header.Version)}}
	if n := t.Root.Child("Exporter Version"); n != nil {
		if text, err := read.Text(n.Data, nil); err == nil {
			facts = append(facts, format.Fact{Name: "exporter", Value: text.Value})
		}
	}
	count := map[string]int{}
	entries, leaves := 0, 0
	t.Root.Walk(func(_ string, n *freelancer.Node) bool {
		entries++
		if !n.IsDir() {
			leaves++
		}
		if level, ok := freelancer.MipLevel(n.Name); ok && level == 0 && !n.IsDir() {
			count["MIP0"]++
		}
		for _, name := range [...]string{"VMeshData", "VMeshRef", "VWireData", "MIPS", "MIPU", "CUBE", "Channel"} {
			if freelancer.SameName(n.Name, name) {
				count[name]++
			}
		}
		return true
	})
	add := func(name string, n int) {
		if n > 0 {
			facts = append(facts, format.Fact{Name: name, Value: n})
		}
	}
	add("directories", entries-leaves)
	add("leaves", leaves)
	add("meshes", count["VMeshData"])
	add("mesh references", count["VMeshRef"])
	add("wireframes", count["VWireData"])
	add("textures", count["MIPS"]+count["MIPU"]+count["MIP0"]+count["CUBE"])
	add("channels", count["Channel"])
	if list, err := read.Materials(t.Root, nil); err == nil {
		add("materials", len(list))
	}
	if c, err := read.Compound(t.Root, nil); err == nil && c != nil {
		add("parts", len(c.Parts))
		add("joints", len(c.Joints))
	}
	var names []string
	for _, n := range t.Root.Children {
		if len(names) < 20 {
			names = append(names, n.Name)
		}
	}
	facts = append(facts, format.Fact{Name: "root", Value: names})
	if t.Layout != nil && len(t.Layout.Residue) > 0 {
		n := 0
		for _, s := range t.Layout.Residue {
			n += len(s.Bytes)
		}
		add("unexplained bytes", n)
	}
	return facts
}

// Names returns the names of a directory's children.
func Names(dir *freelancer.Node) (names []string) {
	for _, n := range dir.Children {
		names = append(names, n.Name)
	}
	return names
}

// IsVoice reports whether all names in a root are those of lines in a voice bank.
func IsVoice(root []string) bool {
	for _, n := range root {
		if _, ok := freelancer.ParseVoiceName(n); !ok {
			return false
		}
	}
	return len(root) > 0
}

// explain reads an entry that has no format: a smaller Targa belongs to the largest one, and the two leaves of an animation's
// channel mean something together.
func (a *archive) explain(i int, d *schema.Diagnostics) (bool, error) {
	n, dir := a.nodes[i], a.parents[i]
	if smaller(freelancer.KindOf(n, dir, nil), n) {
		_, err := media.TGA(n.Data, d)
		return true, err
	}
	if !freelancer.SameName(dir.Name, "Channel") {
		return false, nil
	}
	header, frames := dir.Child("Header"), dir.Child("Frames")
	if header == nil || frames == nil || n != header && n != frames {
		return false, nil
	}
	trace := d.Trace()
	noted := trace.Mark()
	_, err := read.Channel(header.Data, frames.Data, d)
	own := trace.Spans[:noted:noted]
	for _, s := range trace.Spans[noted:] { // the other leaf tells of itself
		if at, ok := trace.Offset(n.Data); ok && s.Offset >= at && s.Offset < at+int64(len(n.Data)) {
			own = append(own, s)
		}
	}
	trace.Spans = own
	return true, err
}
