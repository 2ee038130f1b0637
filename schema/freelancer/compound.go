package freelancer

import (
	"strconv"
	"strings"
)

// JointKind is the way in which two parts are joined. Its name is the name of the leaf below Cons.
type JointKind uint8

// The kinds. Trans comes from an older engine and is laid out like Fix.
const (
	Fix JointKind = iota
	Loose
	Rev
	Pris
	Sphere
	Cyl
	Trans
)

var jointNames = [...]string{"Fix", "Loose", "Rev", "Pris", "Sphere", "Cyl", "Trans"}

// String returns the name of the leaf, or the number of an unknown kind.
func (k JointKind) String() string {
	if int(k) >= len(jointNames) {
		return strconv.Itoa(int(k))
	}
	return jointNames[k]
}

// JointKindOf returns the kind of the joints in a leaf of Cons.
func JointKindOf(leaf string) (JointKind, bool) {
	for i, n := range jointNames {
		if SameName(n, leaf) {
			return JointKind(i), true
		}
	}
	return 0, false
}

// RecordSize returns the bytes of one record (reference section 7.2).
func (k JointKind) RecordSize() int {
	switch k {
	case Rev, Pris:
		return 208
	case Sphere:
		return 212
	case Cyl:
		return 216
	}
	return 176
}

// HasOffset reports whether records hold an offset.
func (k JointKind) HasOffset() bool { return k >= Rev && k <= Cyl }

// HasAxis reports whether records hold an axis.
func (k JointKind) HasAxis() bool { return k == Rev || k == Pris || k == Cyl }

// Limits returns how many pairs of limits a record has: one for Rev (angle) and Pris (distance), three for Sphere (angles),
// two for Cyl (distance and angle). Angles are in radians.
func (k JointKind) Limits() int {
	switch k {
	case Rev, Pris:
		return 1
	case Sphere:
		return 3
	case Cyl:
		return 2
	}
	return 0
}

// PartName is the name of a part in a field of 64 bytes, with the bytes that its writer left after the terminating zero.
type PartName struct {
	Name    string
	Residue []byte `json:",omitempty"` // bytes after the zero, without the zeros at their end
}

// Joint is a record of a Cons leaf. Rotation is stored in rows; axis and limits are in the parent's frame.
type Joint struct {
	Kind          JointKind
	Parent, Child PartName
	Origin        [3]float32
	Offset        [3]float32
	Rotation      [9]float32
	Axis          [3]float32
	Min, Max      [3]float32 // as many as the kind has limits
}

// SetKind changes the kind of the joint. An offset, axis or limits that the new kind does not store are cleared.
func (j *Joint) SetKind(kind JointKind) {
	j.Kind = kind
	if !kind.HasOffset() {
		j.Offset = [3]float32{}
	}
	if !kind.HasAxis() {
		j.Axis = [3]float32{}
	}
	for i := kind.Limits(); i < len(j.Min); i++ {
		j.Min[i], j.Max[i] = 0, 0
	}
}

// Joints is a Cons leaf.
type Joints struct {
	Kind JointKind `unwritten:"is the name of the leaf"`
	List []Joint
	Tail []byte `json:",omitempty"` // bytes that do not fill a record
}

// Part is a part of a compound model.
type Part struct {
	Object string // name by which joints, animations and hardpoints know it
	File   string // name of the directory at the root that holds its content
	Index  int32
	Node   *Node `json:"-" unwritten:"where it is written"` // its directory below Cmpnd
}

// IsPart reports whether a child of Cmpnd is the directory of a part, and whether it is that of the root.
func IsPart(n *Node) (part, root bool) {
	root = SameName(n.Name, "Root")
	return n.IsDir() && (root || strings.HasPrefix(strings.ToLower(n.Name), "part_")), root
}

// Compound is the content of the Cmpnd directory (reference section 7): parts, the root first, and joints in stored order.
type Compound struct {
	Parts  []*Part
	Joints []Joint
	Scale  float32 // of .dfm files; 0 when missing
}

// Camera is the Camera directory of a fragment. The angles are half the picture's width and height, in radians.
type Camera struct {
	FovX, FovY, Near, Far float32
}

// MultiLevel is the levels of detail of a part (reference section 5.6). Level i is drawn at distances from Switch[i]
// up to Switch[i+1]; the list is not always ascending.
type MultiLevel struct {
	Switch []float32
	Levels []Level `unwritten:"a level that is not listed stays"` // in order of their numbers
}

// Level is a level of detail.
type Level struct {
	Number int
	Node   *Node `json:"-" unwritten:"where it is written"` // its directory
}

// NumberOf returns the number at the end of a name that begins with prefix: 0 for "Level0".
func NumberOf(name, prefix string) (int, bool) {
	if len(name) <= len(prefix) || !SameName(name[:len(prefix)], prefix) {
		return 0, false
	}
	n := 0
	for _, c := range strings.TrimSpace(name[len(prefix):]) {
		if c < '0' || c > '9' || n > 1<<20 {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}
