package gltf

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// lightTypes are the names of the kinds of lights.
var lightTypes = [...]string{asset.PointLight: "point", asset.SpotLight: "spot", asset.SunLight: "directional"}

// punctual is a light of KHR_lights_punctual.
type punctual struct {
	Name      string      `json:"name,omitempty"`
	Type      string      `json:"type"`
	Color     *[3]float64 `json:"color,omitempty"`
	Intensity *float64    `json:"intensity,omitempty"`
	Range     *float64    `json:"range,omitempty"`
	Spot      *spot       `json:"spot,omitempty"`
	Extras    any         `json:"extras,omitempty"`
}

type spot struct {
	Inner float64  `json:"innerConeAngle,omitempty"`
	Outer *float64 `json:"outerConeAngle,omitempty"`
}

// readLights reads the lights of the file, which nodes refer to.
func (d *decoder) readLights() error {
	d.leaveOthers("extensions", d.doc.Extensions, extLights, extVariants)
	var x struct {
		Lights []punctual `json:"lights"`
	}
	if _, err := d.extension("extensions", d.doc.Extensions, extLights, &x); err != nil {
		return err
	}
	for i := range x.Lights {
		l, err := d.light(fmt.Sprintf("extensions/%s/lights/%d", extLights, i), &x.Lights[i])
		if err = d.excuse("extensions", extLights, err); err != nil {
			return err
		}
		d.lights = append(d.lights, l)
	}
	return d.reportVariants()
}

func (d *decoder) light(path string, g *punctual) (*asset.Light, error) {
	kind := slices.Index(lightTypes[:], g.Type)
	if kind < 0 {
		return nil, pathError(path+"/type", schema.ErrValue, "%q", g.Type)
	}
	l := asset.NewLight(asset.LightKind(kind))
	foreign, u := split(g.Extras)
	d.checkSeal(path, g.Extras)
	own := d.child(u, keyAsset)
	l.Name, l.Extras, l.Native = g.Name, foreign, d.unpack(path, u)
	// A value that glTF does not allow is in the record, and believed while what stands for it is unchanged.
	was := func(field string, now *float32, stands float32) {
		if x, ok := number(own, field); ok && *now == stands {
			*now = float32(x)
		}
	}
	if g.Color != nil {
		for k, f := range g.Color {
			l.Color[k] = float32(f)
		}
	}
	if g.Intensity != nil {
		l.Intensity = float32(*g.Intensity)
	}
	if g.Range != nil {
		l.Range = float32(*g.Range)
	}
	if s := g.Spot; s != nil && l.Kind == asset.SpotLight {
		l.Inner = float32(s.Inner)
		if s.Outer != nil {
			l.Outer = float32(*s.Outer)
		}
	}
	for k, x := range l.Color {
		l.Color[k] = mended(own, fmt.Sprintf("color%d", k), float64(x), 1)
	}
	l.Intensity = mended(own, "intensity", float64(l.Intensity), math.MaxFloat32)
	was("range", &l.Range, 0)
	was("inner", &l.Inner, 0)
	was("outer", &l.Outer, math.Pi/4)
	return l, nil
}

// nodeExtensions reads what extensions say of a node, but for those that concern other nodes.
func (d *decoder) nodeExtensions(path string, g *gltf.Node, n *asset.Node) error {
	d.leaveOthers(path, g.Extensions, extLOD, extLights, extVisibility, extInstancing)
	visibility := struct {
		Visible bool `json:"visible"`
	}{true}
	if _, err := d.extension(path, g.Extensions, extVisibility, &visibility); err != nil {
		return err
	}
	n.Hidden = !visibility.Visible
	var x struct {
		Light int `json:"light"`
	}
	ok, err := d.extension(path, g.Extensions, extLights, &x)
	if !ok {
		return err
	}
	if err := refer(path+"/extensions/"+extLights, x.Light, len(d.lights)); err != nil {
		return d.excuse(path, extLights, err)
	}
	n.Light = d.lights[x.Light]
	return nil
}

// reportVariants names the looks that a model has beside the usual one, which is taken.
func (d *decoder) reportVariants() error {
	var x struct {
		Variants []struct {
			Name string `json:"name"`
		} `json:"variants"`
	}
	if ok, err := d.extension("extensions", d.doc.Extensions, extVariants, &x); !ok {
		return err
	}
	const most = 10
	var names []string
	for _, v := range x.Variants[:min(len(x.Variants), most)] {
		names = append(names, strconv.Quote(v.Name))
	}
	if more := len(x.Variants) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) > 0 {
		d.diag.Lossf("material-variants", "extensions/"+extVariants, "the default materials are taken, the variants are left out: %s", strings.Join(names, ", "))
	}
	return nil
}
