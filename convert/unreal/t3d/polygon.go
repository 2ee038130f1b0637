// Package t3d reads and writes parts of T3D text: the polygons of brushes, their places in a level, and the values of
// properties.
package t3d

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

// Name is the name of the format of T3D text.
const Name = "unreal-t3d"

// BrushText returns the polygons of a brush as text (reference section 12.4).
func BrushText(o *unreal.Polys) string {
	var w strings.Builder
	line := func(indent int, format string, args ...any) {
		w.WriteString(strings.Repeat(" ", indent))
		fmt.Fprintf(&w, format, args...)
		w.WriteString("\r\n")
	}
	line(0, "Begin Brush Name=%s", o.Path[strings.LastIndexByte(o.Path, '.')+1:])
	line(3, "Begin PolyList")
	for i := range o.Polys {
		p := &o.Polys[i]
		head := "Begin Polygon"
		if item := o.Package.Name(p.Item); item != "" && !o.Package.IsNone(p.Item) {
			head += " Item=" + item
		}
		if t := o.Package.ObjectName(p.Texture); t != "" {
			head += " Texture=" + t
		}
		if p.Flags != 0 {
			head += fmt.Sprintf(" Flags=%d", int32(p.Flags))
		}
		if p.Link != noLink {
			head += fmt.Sprintf(" Link=%d", p.Link)
		}
		line(6, "%s", head)
		line(9, "Origin   %s", vectorText(p.Base))
		line(9, "Normal   %s", vectorText(p.Normal))
		if p.PanU != 0 || p.PanV != 0 {
			line(9, "Pan      U=%d V=%d", p.PanU, p.PanV)
		}
		line(9, "TextureU %s", vectorText(p.TextureU))
		line(9, "TextureV %s", vectorText(p.TextureV))
		for _, v := range p.Vertices {
			line(9, "Vertex   %s", vectorText(v))
		}
		line(6, "End Polygon")
	}
	line(3, "End PolyList")
	line(0, "End Brush")
	return w.String()
}

// noLink is the link of a polygon that has none.
const noLink = -1

func vectorText(v [3]float32) string {
	return fmt.Sprintf("%+013.6f,%+013.6f,%+013.6f", v[0], v[1], v[2])
}

// Polygon is a polygon in T3D text, with the name of its texture.
type Polygon struct {
	unreal.Poly
	TextureName, ItemName string
}

// Polygons returns the polygons in all blocks of a text.
func Polygons(items []unreal.T3DItem, all []Polygon) ([]Polygon, error) {
	var err error
	for i := range items {
		words := strings.Fields(strings.ToLower(items[i].Line))
		if len(words) >= 2 && words[0] == "begin" && words[1] == "polygon" {
			var p Polygon
			if p, err = readPolygon(&items[i]); err == nil {
				all = append(all, p)
			}
		} else {
			all, err = Polygons(items[i].Items, all)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func readPolygon(item *unreal.T3DItem) (p Polygon, err error) {
	p.Link = noLink
	for _, word := range strings.Fields(item.Line) {
		key, value, _ := strings.Cut(word, "=")
		switch strings.ToLower(key) {
		case "texture":
			p.TextureName = value
		case "item":
			p.ItemName = value
		case "flags":
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil || n < math.MinInt32 || n > math.MaxUint32 {
				return p, badNumber(word)
			}
			p.Flags = uint32(n)
		case "link":
			n, err := strconv.ParseInt(value, 10, 32)
			if err != nil {
				return p, badNumber(word)
			}
			p.Link = int32(n)
		}
	}
	for i := range item.Items {
		line := strings.TrimSpace(item.Items[i].Line)
		word, rest := line, ""
		if end := strings.IndexAny(line, " \t"); end >= 0 {
			word, rest = line[:end], line[end:]
		}
		var target *[3]float32
		switch strings.ToLower(word) {
		case "origin":
			target = &p.Base
		case "normal":
			target = &p.Normal
		case "textureu":
			target = &p.TextureU
		case "texturev":
			target = &p.TextureV
		case "vertex":
			p.Vertices = append(p.Vertices, [3]float32{})
			target = &p.Vertices[len(p.Vertices)-1]
		case "pan":
			if p.PanU, p.PanV, err = readPan(rest); err != nil {
				return p, err
			}
			continue
		default:
			continue
		}
		if err := readVector(rest, target); err != nil {
			return p, schema.Errorf(Name, schema.ErrValue, word, "%q is no vector", strings.TrimSpace(rest))
		}
	}
	return p, nil
}

func badNumber(word string) error {
	return schema.Errorf(Name, schema.ErrValue, "polygon", "%q has no number in range", word)
}

func readPan(text string) (u, v int16, err error) {
	for _, word := range strings.Fields(text) {
		key, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseInt(value, 10, 16)
		if err != nil {
			return 0, 0, badNumber(word)
		}
		switch strings.ToLower(key) {
		case "u":
			u = int16(n)
		case "v":
			v = int16(n)
		}
	}
	return u, v, nil
}

func readVector(text string, v *[3]float32) error {
	parts := strings.Split(strings.TrimSpace(text), ",")
	if len(parts) != 3 {
		return strconv.ErrSyntax
	}
	for k, s := range parts {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 32)
		if err != nil {
			return err
		}
		v[k] = float32(f)
	}
	return nil
}
