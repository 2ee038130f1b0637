package scene

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/usher-assets/usher/schema/asset"
)

// longName is a name that Blender may have cut: it keeps 63 bytes of UTF-8, and less where it adds a number.
const longName = 55

// Uncopied returns a name without the number that Blender appends to distinguish two things, and whether there was one.
func Uncopied(name string) (string, bool) {
	n := len(name) - 4
	if n < 0 || name[n] != '.' || !digits(name[n+1:]) {
		return name, false
	}
	return name[:n], true
}

// digits reports whether there is nothing but digits, and one at least.
func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// Piece returns the name of the thing that a numbered name is a part of: "hull" for "hull_2".
func Piece(name string) (of string, ok bool) {
	i := strings.LastIndexByte(name, '_')
	if i < 0 || !digits(name[i+1:]) {
		return "", false
	}
	return name[:i], true
}

// Renamed reports whether a person has changed a name. Editors by themselves add a number, cut long names, and remove or
// replace some characters. A missing name does not count as changed.
func Renamed(was, now string) bool {
	kept := func(name string) bool {
		return name == was || name == ThreeJSName(was) || len(name) >= longName && strings.HasPrefix(was, name)
	}
	if now == "" || kept(now) {
		return false
	}
	base, copied := Uncopied(now)
	return !copied || was != "" && !kept(base)
}

// ThreeJSName returns a name in the form that three.js gives it.
func ThreeJSName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '\t' || r == '\n':
			return '_'
		case strings.ContainsRune("[].:/", r):
			return -1
		}
		return r
	}, name)
}

// Marks in the names of nodes that show their kind.
const (
	LevelMark = "$lod"
	WireMark  = "$wire"
	HullMark  = "$hull" // HullMark ends the name of a collision surface, after its number.
)

// LevelName splits the name of a lower level of detail into the name of the node that it belongs to and its number, which
// is at least 1. A suffix that an editor gave a copy is part of the node's name.
func LevelName(name string) (of string, level int, ok bool) {
	base, _ := Uncopied(name)
	suffix := name[len(base):]
	i := strings.LastIndex(base, LevelMark)
	if i < 0 {
		return "", 0, false
	}
	level, err := strconv.Atoi(base[i+len(LevelMark):])
	return base[:i] + suffix, level, err == nil && level > 0 && level < 1<<16
}

// isHull reports whether a node stands for a surface that only collisions know, by its name.
func isHull(n *asset.Node) bool {
	base, _ := Uncopied(n.Name)
	return strings.HasSuffix(base, HullMark)
}

// IsLimb reports whether a name is one that usher gives to limbs of Ultima IX, or to their levels and mount surfaces.
func IsLimb(name string) bool {
	rest, ok := strings.CutPrefix(name, "limb_")
	if !ok {
		return false
	}
	number, what, _ := strings.Cut(rest, "_")
	level, isLevel := strings.CutPrefix(what, "lod")
	return digits(number) && (what == "mount" || isLevel && digits(level) || len(number) == len(rest))
}

// HardpointName reports whether an empty node's name means that it is a hardpoint of Freelancer. Such names begin with Hp,
// or with Dp or Sp (damaged and separable parts) before a capital letter, a digit or an underscore, since other words begin
// so too. Case does not count otherwise.
func HardpointName(name string) bool {
	if len(name) < 3 {
		return false
	}
	begin, third := name[:2], strings.TrimPrefix(name[2:], "_")
	if third == "" {
		return false
	}
	if strings.EqualFold(begin, "Hp") {
		return true
	}
	c := third[0]
	return (strings.EqualFold(begin, "Dp") || strings.EqualFold(begin, "Sp")) && (c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || name[2] == '_')
}

// NameKey returns the part of a name that survives in editors, which add numbers, cut it, and remove or replace characters.
// Names with the same key may be the same.
func NameKey(name string) string {
	if n := len(name); n > 4 && name[n-4] == '.' && strings.Trim(name[n-3:], "0123456789") == "" {
		name = name[:n-4]
	}
	key := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("$-+", r) {
			return r
		}
		return -1
	}, name)
	const most = 50
	if len(key) > most {
		key = strings.ToValidUTF8(key[:most], "")
	}
	return key
}
