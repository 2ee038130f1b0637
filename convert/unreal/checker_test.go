package unreal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// packageChecker reads a package by the reference alone: it shares nothing with the readers of the project, so that what
// these misunderstand does not go unseen. It checks header, tables, references, property lists and the ends of lazy
// arrays.
type packageChecker struct {
	b       []byte
	at      int
	end     int
	version int
	names   []string
	imports []checkedRow
	exports []checkedRow
	err     error
}

type checkedRow struct {
	class, super, outer, name, flags int
	classPackage                     int // of imports
	size, offset                     int
}

func (c *packageChecker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("0x%x: %s", c.at, fmt.Sprintf(format, args...))
	}
}

func (c *packageChecker) take(n int) []byte {
	if c.err != nil || n < 0 || c.at+n > c.end {
		c.fail("%d bytes beyond the end 0x%x", n, c.end)
		return make([]byte, max(n, 8))[:max(n, 0)]
	}
	c.at += n
	return c.b[c.at-n : c.at : c.at]
}

func (c *packageChecker) u8() int  { return int(append(c.take(1), 0)[0]) }
func (c *packageChecker) u16() int { return int(binary.LittleEndian.Uint16(append(c.take(2), 0, 0))) }
func (c *packageChecker) i32() int {
	return int(int32(binary.LittleEndian.Uint32(append(c.take(4), 0, 0, 0, 0))))
}

func (c *packageChecker) index() int {
	b := c.u8()
	v, shift, negative := b&0x3F, 6, b&0x80 != 0
	more := b&0x40 != 0
	for k := 0; more && k < 4; k++ {
		b = c.u8()
		if k == 3 {
			v |= b << shift
			break
		}
		v |= b & 0x7F << shift
		shift += 7
		more = b&0x80 != 0
	}
	if negative {
		return -v
	}
	return v
}

func (c *packageChecker) name() string {
	i := c.index()
	if i < 0 || i >= len(c.names) {
		c.fail("name %d of %d", i, len(c.names))
		return ""
	}
	return c.names[i]
}

func (c *packageChecker) ref() int { return c.valid(c.index()) }

func (c *packageChecker) valid(r int) int {
	if r > len(c.exports) || -r > len(c.imports) {
		c.fail("reference %d; %d exports, %d imports", r, len(c.exports), len(c.imports))
	}
	if r > 0 && c.exports[r-1].flags == 0 && c.exports[r-1].size <= 1 && strings.EqualFold(c.names[c.exports[r-1].name], "None") {
		c.fail("reference %d to an empty row", r)
	}
	return r
}

func (c *packageChecker) objectName(r int) string {
	switch {
	case r > 0 && r <= len(c.exports):
		return c.names[c.exports[r-1].name]
	case r < 0 && -r <= len(c.imports):
		return c.names[c.imports[-r-1].name]
	}
	return ""
}

func (c *packageChecker) className(i int) string {
	if c.exports[i].class == 0 {
		return "Class"
	}
	return c.objectName(c.exports[i].class)
}

// checkPackage checks a whole package.
func checkPackage(b []byte) (*packageChecker, error) {
	c := &packageChecker{b: b, end: len(b)}
	if c.i32() != -0x61D57C3F {
		c.fail("no magic")
	}
	c.version = c.u16()
	c.u16()
	c.i32()
	var table [3][2]int
	for i := range table {
		table[i] = [2]int{c.i32(), c.i32()}
	}
	if c.version >= 68 {
		c.take(16)
		n := c.i32()
		last := [2]int{}
		for range min(n, 64) {
			last = [2]int{c.i32(), c.i32()}
		}
		if n < 1 || last != [2]int{table[1][0], table[0][0]} {
			c.fail("%d generations, the last %v; the tables have %v", n, last, table)
		}
	} else {
		n, at := c.i32(), c.i32()
		if n < 1 || at+16*n > len(b) {
			c.fail("heritage of %d at 0x%x", n, at)
		}
	}
	c.tables(table)
	for i := range c.exports {
		if c.err == nil {
			c.object(i)
		}
	}
	return c, c.err
}

func (c *packageChecker) tables(table [3][2]int) {
	c.at = table[0][1]
	for range table[0][0] {
		if c.err != nil {
			return
		}
		var s []byte
		if c.version >= 64 {
			n, width := c.index(), 1
			if n < 0 { // what is not Latin-1 has two bytes a character (reference section 1.2)
				n, width = -n, 2
			}
			s = c.take(n * width)
			if n == 0 || len(s) != n*width || !bytes.Equal(s[len(s)-width:], make([]byte, width)) {
				c.fail("a name of %d characters without its zero", n)
				return
			}
			s = s[:len(s)-width]
		} else {
			for b := c.u8(); b != 0; b = c.u8() {
				s = append(s, byte(b))
			}
		}
		if c.i32()&0x70000 == 0 {
			c.fail("the name %q is loaded nowhere", s)
		}
		c.names = append(c.names, string(s))
	}
	c.at = table[2][1]
	for range table[2][0] {
		c.imports = append(c.imports, checkedRow{classPackage: c.index(), class: c.index(), outer: c.i32(), name: c.index()})
	}
	c.at = table[1][1]
	for range table[1][0] {
		r := checkedRow{class: c.index(), super: c.index(), outer: c.i32(), name: c.index(), flags: c.i32(), size: c.index()}
		if r.size > 0 {
			r.offset = c.index()
		}
		if r.size < 0 || r.offset < 0 || r.offset+r.size > len(c.b) {
			c.fail("object of %d bytes at 0x%x", r.size, r.offset)
		}
		c.exports = append(c.exports, r)
	}
	named := map[string]int{}
	for i, r := range c.imports {
		if c.name2(r.name) == "" || c.name2(r.class) == "" || c.name2(r.classPackage) == "" || c.valid(r.outer) > 0 {
			c.fail("import %d: %+v", i, r)
		}
		key := fmt.Sprint(strings.ToLower(c.name2(r.class)), r.outer, strings.ToLower(c.name2(r.name)))
		if was, twice := named[key]; twice {
			c.fail("imports %d and %d are the same", was, i)
		}
		named[key] = i
		if r.outer == 0 && (c.name2(r.class) != "Package" || c.name2(r.classPackage) != "Core") {
			c.fail("import %d has no outer and is no package", i)
		}
	}
	objects := map[string]int{}
	for i, r := range c.exports {
		if c.name2(r.name) == "" {
			c.fail("export %d has no name", i)
		}
		c.valid(r.class)
		c.valid(r.super)
		for at, depth := r.outer, 0; at > 0; depth++ {
			if depth > 100 {
				c.fail("the outers of export %d form a loop", i)
				return
			}
			at = c.exports[c.valid(at)-1].outer
		}
		if r.size == 0 || r.flags == 0 {
			continue
		}
		key := fmt.Sprint(r.outer, r.class, strings.ToLower(c.name2(r.name)))
		if was, twice := objects[key]; twice {
			c.fail("exports %d and %d are both %s %s", was, i, c.className(i), c.name2(r.name))
		}
		objects[key] = i
	}
}

func (c *packageChecker) name2(i int) string {
	if i < 0 || i >= len(c.names) {
		c.fail("name %d of %d", i, len(c.names))
		return ""
	}
	return c.names[i]
}

// object walks an object's properties, and what follows them for the classes of a level.
func (c *packageChecker) object(i int) {
	e := &c.exports[i]
	class := c.className(i)
	if e.size == 0 || class == "Class" {
		return
	}
	was := c.err
	c.at, c.end = e.offset, e.offset+e.size
	defer func() {
		c.end = len(c.b)
		if was == nil && c.err != nil {
			c.err = fmt.Errorf("%s %s (export %d): %w", class, c.objectName(i+1), i, c.err)
		}
	}()
	if e.flags&0x02000000 != 0 {
		node := c.ref()
		c.ref()
		c.take(12)
		if node != 0 {
			c.index()
		}
	}
	c.properties()
	if c.err != nil {
		return
	}
	switch class {
	case "Level":
		c.level()
	case "Texture":
		c.texture()
	case "Polys":
		c.polys()
	case "Sound", "Music":
		c.index()
		c.lazy(1)
	case "Palette":
		c.take(4 * c.index())
	case "Package", "LevelSummary", "Light", "PlayerStart", "Brush", "LevelInfo", "Mover", "Camera", "ZoneInfo", "PathNode", "InventorySpot":
	default:
		return
	}
	if c.err == nil && c.at != c.end {
		c.fail("%d bytes are left", c.end-c.at)
	}
}

func (c *packageChecker) properties() {
	for {
		name := c.name()
		if c.err != nil || strings.EqualFold(name, "None") {
			return
		}
		info := c.u8()
		kind := info & 15
		structure := ""
		if kind == 10 {
			structure = c.name()
		}
		size := 0
		switch code := info >> 4 & 7; code {
		case 5:
			size = c.u8()
		case 6:
			size = c.u16()
		case 7:
			size = c.i32()
		default:
			size = []int{1, 2, 4, 12, 16}[code]
		}
		if kind == 0 {
			c.fail("property %s of type 0", name)
			return
		}
		if kind != 3 && info&0x80 != 0 {
			switch b := c.u8(); {
			case b >= 0xC0:
				c.take(3)
			case b >= 0x80:
				c.take(1)
			}
		}
		if kind == 3 {
			size = 0
		}
		from := c.at
		switch {
		case kind == 5:
			c.ref()
		case kind == 6:
			c.name()
		case structure == "PointRegion":
			c.ref()
			c.take(5)
		case structure == "Vector" || structure == "Rotator":
			c.take(12)
		default:
			c.take(size)
		}
		if c.err == nil && c.at != from+size {
			c.fail("property %s takes %d bytes of %d", name, c.at-from, size)
		}
	}
}

// lazy walks a lazy array of elements of a size.
func (c *packageChecker) lazy(size int) {
	end := -1
	if c.version > 61 {
		end = c.i32()
	}
	c.take(c.index() * size)
	if c.err == nil && end >= 0 && end != c.at {
		c.fail("a lazy array ends at 0x%x and says 0x%x", c.at, end)
	}
}

func (c *packageChecker) texture() {
	for range c.index() {
		c.lazy(1)
		c.take(10)
	}
	if c.at < c.end { // a second list
		for range c.index() {
			c.lazy(1)
			c.take(10)
		}
	}
}

func (c *packageChecker) polys() {
	n, capacity := c.i32(), c.i32()
	if n > capacity {
		c.fail("%d polygons in %d places", n, capacity)
	}
	for range min(n, len(c.b)) {
		if c.err != nil {
			return
		}
		corners := c.index()
		c.take(4*12 + corners*12 + 4)
		c.ref()
		c.ref()
		c.name()
		c.index()
		c.index()
		c.take(4)
	}
}

func (c *packageChecker) level() {
	n, capacity := c.i32(), c.i32()
	if n > capacity {
		c.fail("%d actors in %d places", n, capacity)
	}
	seen := map[int]bool{}
	for range min(n, len(c.b)) {
		r := c.ref()
		if c.err != nil {
			return
		}
		if r < 0 || r > 0 && c.version > 61 && c.exports[r-1].flags&0x02000000 == 0 {
			c.fail("%s in the list is no actor", c.objectName(r))
		}
		if r != 0 && seen[r] && c.version > 61 { // old editors left some twice
			c.fail("%s is in the list twice", c.objectName(r))
		}
		seen[r] = true
	}
	str := func() { c.take(c.index()) }
	for range 4 {
		str()
	}
	for range c.index() {
		str()
	}
	c.take(8)
	c.ref()
	for range c.index() {
		c.i32()
		c.ref()
		c.ref()
		c.take(13)
	}
	c.take(4)
	for range 17 {
		c.ref()
	}
	switch {
	case c.version == 61 || c.version == 62:
		c.take(2)
	case c.version > 62:
		if c.index() != 0 {
			c.at = c.end
		}
	}
}
