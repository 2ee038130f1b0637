// Package flread reads Freelancer's models, libraries and collision files as far as a test wants to know what the game
// would find in them. It shares nothing with the rest of the project: what both get wrong, both would have to get wrong
// in the same way.
package flread

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// Entry is a directory or a leaf of a UTF tree.
type Entry struct {
	Name     string
	Data     []byte
	Children []*Entry
}

// At returns what a path of names leads to, without regard to case; nil when there is nothing.
func (e *Entry) At(path string) *Entry {
	for _, name := range strings.Split(path, "/") {
		var next *Entry
		if e != nil {
			for _, c := range e.Children {
				if next == nil && strings.EqualFold(c.Name, name) {
					next = c
				}
			}
		}
		e = next
	}
	return e
}

// Text is a leaf's text.
func (e *Entry) Text() string {
	if e == nil {
		return ""
	}
	text, _, _ := bytes.Cut(e.Data, []byte{0})
	return string(text)
}

// Floats are a leaf's numbers.
func (e *Entry) Floats() (list []float64) {
	if e == nil {
		return nil
	}
	for b := e.Data; len(b) >= 4; b = b[4:] {
		list = append(list, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return list
}

func word(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		panic(errors.New("beyond the end"))
	}
	return int(binary.LittleEndian.Uint32(b[at:]))
}

func short(b []byte, at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }

// UTF reads a tree.
func UTF(b []byte) (root *Entry, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no UTF tree: %v", p)
		}
	}()
	if len(b) < 56 || string(b[:4]) != "UTF " || word(b, 4) != 0x101 {
		return nil, errors.New("no UTF tree")
	}
	tree, names, data := word(b, 8), word(b, 24), word(b, 36)
	var list func(at, depth int) []*Entry
	list = func(at, depth int) (out []*Entry) {
		for at != 0 && depth < 20 {
			e := tree + at
			text, _, _ := bytes.Cut(b[names+word(b, e+4):], []byte{0})
			x := &Entry{Name: string(text)}
			if word(b, e+8)&0x10 != 0 {
				x.Children = list(word(b, e+16), depth+1)
			} else {
				from := data + word(b, e+16)
				x.Data = b[from : from+word(b, e+24)]
			}
			out, at = append(out, x), word(b, e)
		}
		return out
	}
	return &Entry{Name: "\\", Children: list(word(b, tree+16), 0)}, nil
}

// CRC is the hash of a name.
func CRC(name string) uint32 {
	c := uint32(0xFFFFFFFF)
	for _, b := range []byte(strings.ToLower(name)) {
		v := int32(c&0xFF ^ uint32(b))
		for range 8 {
			if odd := v & 1; odd != 0 {
				v = int32(uint32(v>>1) ^ 0xEDB88320)
			} else {
				v >>= 1
			}
		}
		c = c>>8 ^ uint32(v)
	}
	return ^c
}

// Box is the extent of points.
type Box struct{ Min, Max [3]float64 }

// Empty is the box of no points.
func Empty() Box {
	inf := math.Inf(1)
	return Box{[3]float64{inf, inf, inf}, [3]float64{-inf, -inf, -inf}}
}

// Add makes room for a point.
func (x *Box) Add(p [3]float64) {
	for k, v := range p {
		x.Min[k], x.Max[k] = min(x.Min[k], v), max(x.Max[k], v)
	}
}

// Level is what a level of detail of a part draws.
type Level struct {
	Triangles int
	Materials []uint32
	Box       Box
}

// Part is a part of a model.
type Part struct {
	Name, Parent string
	Joint        string // "Fix", "Rev" …; empty for the root
	Axis         [3]float64
	Min, Max     float64
	Levels       []Level
	Switch       []float64
	Hardpoints   map[string]string // name: "Fixed" or "Revolute"
}

// Parts reads the parts of a .cmp or .3db file, the root first.
func Parts(root *Entry) (parts []*Part, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no model: %v", p)
		}
	}()
	compound := root.At("Cmpnd")
	if compound == nil {
		p := &Part{Name: "Root"}
		return []*Part{p}, p.content(root, root)
	}
	for _, c := range compound.Children {
		if strings.EqualFold(c.Name, "Cons") {
			continue
		}
		p := &Part{Name: c.At("Object name").Text()}
		fragment := root.At(c.At("File name").Text())
		if fragment == nil {
			return nil, fmt.Errorf("part %q has no fragment", p.Name)
		}
		if err := p.content(root, fragment); err != nil {
			return nil, fmt.Errorf("part %q: %w", p.Name, err)
		}
		parts = append(parts, p)
	}
	for _, p := range parts {
		for kind, size := range map[string]int{"Fix": 176, "Rev": 208} {
			leaf := compound.At("Cons/" + kind)
			if leaf == nil {
				continue
			}
			for b := leaf.Data; len(b) >= size; b = b[size:] {
				if (&Entry{Data: b[64:128]}).Text() != p.Name {
					continue
				}
				p.Parent, p.Joint = (&Entry{Data: b[:64]}).Text(), kind
				if kind == "Rev" {
					v := (&Entry{Data: b[128:208]}).Floats()
					copy(p.Axis[:], v[15:18])
					p.Min, p.Max = v[18], v[19]
				}
			}
		}
	}
	return parts, nil
}

func (p *Part) content(root, fragment *Entry) error {
	p.Hardpoints = map[string]string{}
	for _, group := range [...]string{"Fixed", "Revolute"} {
		if dir := fragment.At("Hardpoints/" + group); dir != nil {
			for _, h := range dir.Children {
				p.Hardpoints[h.Name] = group
				if len(h.At("Position").Floats()) != 3 || len(h.At("Orientation").Floats()) != 9 {
					return fmt.Errorf("hardpoint %q has no place", h.Name)
				}
			}
		}
	}
	if ref := fragment.At("VMeshPart/VMeshRef"); ref != nil {
		return p.level(root, ref.Data)
	}
	p.Switch = fragment.At("MultiLevel/Switch2").Floats()
	for i := 0; ; i++ {
		ref := fragment.At(fmt.Sprintf("MultiLevel/Level%d/VMeshPart/VMeshRef", i))
		if ref == nil {
			return nil
		}
		if err := p.level(root, ref.Data); err != nil {
			return fmt.Errorf("level %d: %w", i, err)
		}
	}
}

// level reads what a reference draws, and checks its box.
func (p *Part) level(root *Entry, ref []byte) error {
	var mesh []byte
	for _, m := range root.At("VMeshLibrary").Children {
		if CRC(m.Name) == uint32(word(ref, 4)) {
			mesh = m.At("VMeshData").Data
		}
	}
	if mesh == nil || word(ref, 0) != 60 || len(ref) != 60 || word(mesh, 0) != 1 || word(mesh, 4) != 4 {
		return errors.New("no mesh, or none of triangles")
	}
	groups, indices, fvf := short(mesh, 8), short(mesh, 10), short(mesh, 12)
	stride := 12 + 8*(fvf>>8&15)
	if fvf&0x10 != 0 {
		stride += 12
	}
	if fvf&0x40 != 0 {
		stride += 4
	}
	first := 16 + 12*groups
	vertices := first + 2*indices
	l, at := Level{Box: Empty()}, 0
	for g := range groups {
		head := mesh[16+12*g:]
		n := short(head, 8)
		if g >= short(ref, 16) && g < short(ref, 16)+short(ref, 18) {
			l.Materials = append(l.Materials, uint32(word(head, 0)))
			l.Triangles += n / 3
			for i := range n {
				v := short(ref, 8) + short(head, 4) + short(mesh, first+2*(at+i))
				f := (&Entry{Data: mesh[vertices+stride*v:][:12]}).Floats()
				l.Box.Add([3]float64(f))
			}
		}
		at += n
	}
	box := (&Entry{Data: ref[20:44]}).Floats()
	for k := range 3 {
		if math.Abs(box[2*k]-l.Box.Max[k]) > 1e-4 || math.Abs(box[2*k+1]-l.Box.Min[k]) > 1e-4 {
			return fmt.Errorf("the box is %v, and the vertices fill %v", box, l.Box)
		}
	}
	p.Levels = append(p.Levels, l)
	return nil
}

// SurPart is a part of a collision file: for each id the box of its hulls.
type SurPart struct {
	ID    uint32
	Moves bool
	Hulls map[uint32]Box
	Faces int
}

// Sur reads a collision file. Each hull has to be a closed body.
func Sur(b []byte) (parts []SurPart, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no collision file: %v", p)
		}
	}()
	if string(b[:4]) != "vers" || (&Entry{Data: b[4:8]}).Floats()[0] != 2 {
		return nil, errors.New("no collision file")
	}
	for b = b[8:]; len(b) > 0; {
		p := SurPart{ID: uint32(word(b, 0)), Hulls: map[uint32]Box{}}
		chunks := word(b, 4)
		b = b[8:]
		for range chunks {
			tag := string(b[:4])
			b = b[4:]
			switch tag {
			case "!fxd":
				p.Moves = true
			case "exts":
				b = b[24:]
			case "hpid":
				b = b[4+4*word(b, 0):]
			case "surf":
				if err := p.surface(b[4 : 4+word(b, 0)]); err != nil {
					return nil, err
				}
				b = b[4+word(b, 0):]
			default:
				return nil, fmt.Errorf("chunk %q", tag)
			}
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func (p *SurPart) surface(b []byte) error {
	nodes := word(b, 32)
	if word(b, 28)>>8 != len(b) {
		return errors.New("the size of a surface is not that of its chunk")
	}
	for at := 48; ; {
		points, faces := at+word(b, at), short(b, at+12)
		if b[at+8] == 4 {
			edges := map[[2]int]int{}
			id := uint32(word(b, at+4))
			box, ok := p.Hulls[id]
			if !ok {
				box = Empty()
			}
			for f := range faces {
				face := b[at+16+16*f:]
				if word(face, 0)&0xFFF != f {
					return errors.New("a face has another number")
				}
				for e := range 3 {
					a, c := short(face, 4+4*e), short(face, 4+4*((e+1)%3))
					edges[[2]int{a, c}]++
					point := b[points+16*a:]
					if points+16*a+16 > nodes {
						return errors.New("a face has a point that there is not")
					}
					box.Add([3]float64((&Entry{Data: point[:12]}).Floats()))
				}
			}
			for e, n := range edges {
				if n != 1 || edges[[2]int{e[1], e[0]}] != 1 {
					return errors.New("a hull is not closed")
				}
			}
			p.Hulls[id], p.Faces = box, p.Faces+faces
		}
		if at += 16 + 16*faces; at >= points {
			return nil
		}
	}
}
