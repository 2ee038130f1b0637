package t3d

import (
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/schema/unreal"
)

// PlacedBrush is the brush of an actor in T3D text.
type PlacedBrush struct {
	Name   string
	Items  []unreal.T3DItem
	At     mgl64.Mat4     // transform in the axes of scenes
	Values map[string]any // native values: class, CsgOper
}

// PlacedBrushes returns the brushes of actors in a text, if there are several or one has a transform. loose is the rest of
// the text.
func PlacedBrushes(items []unreal.T3DItem) (placed []PlacedBrush, loose []unreal.T3DItem) {
	for i := range items {
		words := strings.Fields(strings.ToLower(items[i].Line))
		switch {
		case len(words) > 1 && words[0] == "begin" && (words[1] == "map" || words[1] == "level"):
			p, l := PlacedBrushes(items[i].Items)
			placed, loose = append(placed, p...), append(loose, l...)
		case len(words) > 1 && words[0] == "begin" && words[1] == "actor":
			placed = append(placed, placedOf(&items[i]))
		default:
			loose = append(loose, items[i])
		}
	}
	if len(placed) == 1 && placed[0].At == mgl64.Ident4() {
		return nil, append(loose, placed[0].Items...)
	}
	return placed, loose
}

// placedOf reads what says where an actor is: world = Location + PostScale(Rotation(MainScale(p − PrePivot))) (reference
// section 11.7).
func placedOf(item *unreal.T3DItem) PlacedBrush {
	x := PlacedBrush{Items: item.Items, Values: map[string]any{}}
	for _, w := range strings.Fields(item.Line) {
		switch key, value, _ := strings.Cut(w, "="); strings.ToLower(key) {
		case "name":
			x.Name = value
		case "class":
			x.Values["class"] = value
		}
	}
	location, pivot, rotation := mgl64.Vec3{}, mgl64.Vec3{}, [3]int32{}
	scale, post := mgl64.Vec3{1, 1, 1}, mgl64.Vec3{1, 1, 1}
	for i := range item.Items {
		name, _, value, ok := CutProperty(item.Items[i].Line)
		if !ok {
			continue
		}
		switch strings.ToLower(name) {
		case "location":
			location = members3(value, 0, "x", "y", "z")
		case "prepivot":
			pivot = members3(value, 0, "x", "y", "z")
		case "rotation":
			r := members3(value, 0, "pitch", "yaw", "roll")
			rotation = [3]int32{int32(r[0]), int32(r[1]), int32(r[2])}
		case "mainscale":
			scale = scaleOf(value)
		case "postscale":
			post = scaleOf(value)
		case "csgoper":
			x.Values["csgOper"] = value
		}
	}
	at := func(v mgl64.Vec3) mgl64.Vec3 { return mgl64.Vec3{-v[1], v[2], v[0]} }
	size := func(v mgl64.Vec3) mgl64.Mat4 { return mgl64.Scale3D(v[1], v[2], v[0]) }
	move := func(v mgl64.Vec3) mgl64.Mat4 { return mgl64.Translate3D(v[0], v[1], v[2]) }
	x.At = move(at(location)).Mul4(size(post)).Mul4(space.Vertex.Rotation(rotation).Mat4()).Mul4(size(scale)).Mul4(move(at(pivot).Mul(-1)))
	return x
}

// scaleOf reads the size of a Scale.
func scaleOf(text string) mgl64.Vec3 {
	m, _ := CutStruct(text)
	return members3(m["scale"], 1, "x", "y", "z")
}

// members3 reads three members of a struct; those that are not there, or no numbers within reason, are as usual.
func members3(text string, usual float64, names ...string) (v mgl64.Vec3) {
	m, _ := CutStruct(text)
	for k, name := range names {
		v[k] = usual
		if x, err := strconv.ParseFloat(m[name], 64); err == nil && x > -1e9 && x < 1e9 {
			v[k] = x
		}
	}
	return v
}
