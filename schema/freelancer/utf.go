package freelancer

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Format is the name of the container in errors.
const Format = "utf"

// Sizes and constants of the container (reference sections 1.2 and 1.3).
const (
	Magic      = "UTF "
	Version    = 0x101
	HeaderSize = 56
	EntrySize  = 44
	MaxSize    = 1<<31 - 1 // larger files are refused, as other tools do
	MaxName    = 512       // bytes of an entry name; real ones stay below 64
)

// Attributes are the Win32 file attributes of an entry. Unnamed bits occur in files. The game ignores them; usher keeps
// them.
type Attributes uint32

// The attributes with a meaning. The writer of the release's databases sets Database on every leaf.
const (
	Directory Attributes = 0x10
	File      Attributes = 0x80
	Database  Attributes = 0x08000080
	Free      Attributes = 0xFFFFFFFF // a deleted entry
)

// DOSTime is a date in the low and a time in the high 16 bits (reference section 1.7). Zero is valid and means none.
type DOSTime uint32

// Time returns the moment, without a time zone; the zero time for 0.
func (t DOSTime) Time() time.Time {
	if t == 0 {
		return time.Time{}
	}
	return time.Date(1980+int(t>>9&0x7F), time.Month(t>>5&15), int(t&31), int(t>>27), int(t>>21&63), int(t>>16&31)*2, 0, time.UTC)
}

// NewDOSTime returns the date and time of t in UTC, to two seconds. Years outside 1980 … 2107 become 0.
func NewDOSTime(t time.Time) DOSTime {
	t = t.UTC()
	if t.Year() < 1980 || t.Year() > 2107 {
		return 0
	}
	date := (t.Year()-1980)<<9 | int(t.Month())<<5 | t.Day()
	clock := t.Hour()<<11 | t.Minute()<<5 | t.Second()/2
	return DOSTime(uint32(clock)<<16 | uint32(date))
}

// The moment that new files and entries carry, so that the same input gives the same bytes: 4 March 2003, the day of
// the game's release.
var (
	NewFileTime  uint64  = 126911232000000000
	NewEntryTime DOSTime = NewDOSTime(time.Date(2003, 3, 4, 0, 0, 0, 0, time.UTC))
)

// Header is the first 56 bytes (reference section 1.2) without the magic. Offsets and sizes are those of the file as it was
// read; the writer updates them if an edit moves something.
type Header struct {
	Version        uint32 `unwritten:"a compact file has the usual one"`
	TreeOffset     uint32 `unwritten:"follows from the nodes where something moves"`
	TreeSize       uint32 `unwritten:"follows from the nodes where something moves"`
	FirstFreeEntry uint32 `unwritten:"follows from the nodes where something moves"` // absolute offset of the first deleted entry; 0 for none; may be stale
	EntrySize      uint32 `unwritten:"a compact file has the usual one"`
	NamesOffset    uint32 `unwritten:"follows from the nodes where something moves"`
	NamesAllocated uint32 `unwritten:"follows from the nodes where something moves"`
	NamesUsed      uint32 `unwritten:"follows from the nodes where something moves"`
	DataOffset     uint32 `unwritten:"follows from the nodes where something moves"`
	FirstFreeData  uint32 `unwritten:"follows from the nodes where something moves"` // absolute offset of the first free data block; 0 for none; may be stale
	FreeDataSize   uint32 `unwritten:"follows from the nodes where something moves"`
	FileTime       uint64 // Windows FILETIME of the creation
}

// Tree is a UTF file.
type Tree struct {
	Header Header
	Root   *Node
	Layout *Layout `json:",omitempty" unwritten:"how the file was laid out counts as long as nothing moves"` // nil for a tree that was not read from a file
}

// Layout is the part of a file that the nodes do not describe: its length, and the bytes that belong to nothing.
type Layout struct {
	Size    int     // length of the file
	Residue []Span  `json:",omitempty"` // unexplained bytes in ascending order; all bytes neither here nor explained are zero
	Slots   []*Slot `json:"-"`          // the slots of all nodes as they were read, so that those of removed nodes can be freed
}

// Span is a run of bytes at an absolute offset.
type Span struct {
	Offset int
	Bytes  []byte
}

// Node is an entry of a tree: a directory with children or a leaf with data. To change a payload, set Data to a new slice;
// to empty it, set Data to an empty slice that is not nil. The Data that the reader sets aliases the file. If the file was
// not read as a whole, Data is nil until it is set; use Payload and Length to get the payload.
type Node struct {
	Name       string
	Attributes Attributes
	Sharing    uint32 `json:",omitempty"` // always 0
	Created    DOSTime
	Accessed   DOSTime
	Modified   DOSTime
	Children   []*Node `json:",omitempty"`
	Data       []byte  `json:",omitempty"`
	Slot       *Slot   `json:",omitempty" unwritten:"where it stood counts as long as nothing moves"` // stored place; nil for a new node
}

// Slot is the place of a node in the file that it was read from.
type Slot struct {
	Offset       uint32 // of the entry, from the start of the tree block
	Next         uint32 `json:",omitempty"` // stored link to the next sibling; kept for the root only, where it has no meaning
	Name         uint32 // of the name, from the start of the dictionary
	Child        uint32 // of the first child in the tree block, or of the payload in the data block
	Allocated    uint32
	Used         uint32
	Uncompressed uint32
	Data         []byte `json:"-"` // the payload as it was read

	// Stored reads the payload of a file that was not read as a whole; nil if the payload is in memory.
	Stored *io.SectionReader `json:"-"`
}

// NewTree returns a tree with an empty root.
func NewTree() *Tree {
	return &Tree{Header: Header{Version: Version, EntrySize: EntrySize, FileTime: NewFileTime}, Root: NewDir(`\`)}
}

// NewDir returns a directory.
func NewDir(name string, children ...*Node) *Node {
	n := newNode(name, Directory)
	n.Children = children
	return n
}

// NewLeaf returns a leaf.
func NewLeaf(name string, data []byte) *Node {
	n := newNode(name, File)
	n.Data = data
	return n
}

func newNode(name string, a Attributes) *Node {
	return &Node{Name: name, Attributes: a, Created: NewEntryTime, Accessed: NewEntryTime, Modified: NewEntryTime}
}

// IsDir reports whether the node is a directory; everything else, attribute 0 included, is a leaf.
func (n *Node) IsDir() bool { return n.Attributes&Directory != 0 }

// Child returns the first child with the given name, ignoring ASCII case, or nil. n may be nil.
func (n *Node) Child(name string) *Node {
	if n == nil {
		return nil
	}
	for _, c := range n.Children {
		if c != nil && SameName(c.Name, name) {
			return c
		}
	}
	return nil
}

// Numbered returns the children whose names are prefix and a number without leading zeros. If a number occurs twice, the
// first child counts.
func (n *Node) Numbered(prefix string) map[int]*Node {
	numbered := map[int]*Node{}
	for _, c := range n.Children {
		if i, ok := NumberOf(c.Name, prefix); ok && numbered[i] == nil && SameName(c.Name, fmt.Sprint(prefix, i)) {
			numbered[i] = c
		}
	}
	return numbered
}

// Find returns the node at a path of names below n, separated by '/', or nil if there is none.
func (n *Node) Find(path string) *Node {
	for n != nil && path != "" {
		name, rest, _ := strings.Cut(path, "/")
		n, path = n.Child(name), rest
	}
	return n
}

// Add appends a child and returns it.
func (n *Node) Add(child *Node) *Node {
	n.Children = append(n.Children, child)
	return child
}

// Dir returns the child directory with the given name. It adds the directory if it is missing.
func (n *Node) Dir(name string) *Node {
	if c := n.Child(name); c != nil {
		return c
	}
	return n.Add(NewDir(name))
}

// Set sets the payload of the leaf with the given name. It adds the leaf if it is missing.
func (n *Node) Set(name string, data []byte) *Node {
	if c := n.Child(name); c != nil {
		if c.Data = data; data == nil {
			c.Data = []byte{} // nil would mean what is stored
		}
		return c
	}
	return n.Add(NewLeaf(name, data))
}

// Remove removes the child and reports whether it was there. n may be nil.
func (n *Node) Remove(child *Node) bool {
	if n == nil {
		return false
	}
	for i, c := range n.Children {
		if c == child {
			n.Children = append(n.Children[:i:i], n.Children[i+1:]...)
			return true
		}
	}
	return false
}

// Walk calls f for the node and everything below it, parents first. path holds the names below the node, joined by '/', and
// is empty for the node itself. If f returns false, Walk skips the children.
func (n *Node) Walk(f func(path string, n *Node) bool) { n.walk("", f) }

func (n *Node) walk(path string, f func(string, *Node) bool) {
	if n == nil || !f(path, n) {
		return
	}
	for _, c := range n.Children {
		p := c.Name
		if path != "" {
			p = path + "/" + c.Name
		}
		c.walk(p, f)
	}
}

// SameName reports whether two entry names are equal for the game, which ignores ASCII case.
func SameName(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && fold(a[i]) != fold(b[i]) {
			return false
		}
	}
	return true
}

func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
