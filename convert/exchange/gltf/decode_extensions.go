package gltf

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Extensions that are read but not written. Their content is translated to core glTF, or left out with a diagnostic.
const (
	extQuantization = "KHR_mesh_quantization"
	extMeshoptEXT   = "EXT_meshopt_compression"
	extMeshoptKHR   = "KHR_meshopt_compression"
	extGlossiness   = "KHR_materials_pbrSpecularGlossiness"
	extWebP         = "EXT_texture_webp"
	extVariants     = "KHR_materials_variants"
	extPointer      = "KHR_animation_pointer"
	extDraco        = "KHR_draco_mesh_compression"
)

var readOnly = []string{extQuantization, extMeshoptEXT, extMeshoptKHR, extGlossiness, extWebP, extVariants, extPointer}

// understood reports whether an extension is read.
func understood(name string) bool {
	return slices.Contains(extensionNames, name) || slices.Contains(readOnly, name)
}

// harmless are the beginnings of the names of extensions that do not change what a model's shape is: a file may require
// them, and what they say is left out.
var harmless = []string{"KHR_materials_", "EXT_materials_", "ADOBE_materials_", "MSFT_materials_", "EXT_lights_", "KHR_techniq", "KHR_xmp", "KHR_audio", "KHR_physics", "KHR_interactivity", "KHR_node_selectability", "KHR_node_hoverability"}

// decodeCommand makes a file that usher reads of one that is compressed in a way that it does not.
const decodeCommand = "npx @gltf-transform/cli copy in.glb out.glb"

// checkExtensions refuses a file that requires what is not known, and names what else is not.
func (d *decoder) checkExtensions() error {
	for _, x := range d.doc.ExtensionsRequired {
		d.required[x] = true
		switch {
		case understood(x), slices.ContainsFunc(harmless, func(p string) bool { return strings.HasPrefix(x, p) }):
		case x == extDraco:
			return schema.Errorf(formatName, schema.ErrUnsupported, "extensionsRequired", "%s is not decoded here: %s does that", x, decodeCommand)
		default:
			return schema.Errorf(formatName, schema.ErrUnsupported, "extensionsRequired", "%s is required by the file and not known", x)
		}
	}
	return nil
}

// use is how often something that is left out occurs, and where first.
type use struct {
	first string
	count int
}

// leaveOut notes that an extension of an object is not known.
func (d *decoder) leaveOut(at, name string) {
	if d.left == nil {
		return
	}
	u := d.left[name]
	if u.count++; u.count == 1 {
		u.first = at
	}
	d.left[name] = u
}

// leaveOthers notes every extension of an object but those that are known there.
func (d *decoder) leaveOthers(at string, ext gltf.Extensions, known ...string) {
	for name := range ext {
		if !slices.Contains(known, name) {
			d.leaveOut(at, name)
		}
	}
}

// reportExtensions names each extension that was left out once, with how often it is used.
func (d *decoder) reportExtensions() {
	for _, x := range d.doc.ExtensionsUsed {
		if !understood(x) && d.left[x].count == 0 {
			d.left[x] = use{"extensionsUsed", 1}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.left)) {
		u, often := d.left[name], ""
		if u.count > 1 {
			often = fmt.Sprintf(", in %d places", u.count)
		}
		d.diag.Lossf("unknown-extension", u.first, "%s is not known and left out%s", name, often)
	}
}

// reportRounding reports models made by usher whose positions an editor has rounded to a grid, so they are not the stored
// ones. For models of other programs the grid is all there is.
func (d *decoder) reportRounding() {
	ours := d.s.Native != nil || slices.ContainsFunc(d.own, func(own record) bool { return own != nil })
	if !ours || !d.required[extQuantization] {
		return
	}
	rounded, first := 0, ""
	for _, m := range d.s.Meshes {
		if slices.ContainsFunc(m.Primitives, func(p *asset.Primitive) bool { return p.Step > 0 }) {
			if rounded++; rounded == 1 {
				first = m.Name
			}
		}
	}
	if rounded > 0 {
		d.diag.Warnf("rounded", "", "%s has put the places of %d meshes on a grid, that of %q first: they are not exact any more", d.maker(), rounded, first)
	}
}

// maker returns the program that wrote the file.
func (d *decoder) maker() string {
	if name := d.s.Generator; name != "" {
		return name
	}
	return "an editor"
}

// extension decodes an extension of an object into x, and reports whether the object has it. What is wrong with an
// extension that the file does not require is a warning, and it is as if it were not there: editors copy extensions that
// they do not know, with indices of the file as it was.
func (d *decoder) extension(at string, ext gltf.Extensions, name string, x any) (bool, error) {
	raw, ok := ext[name].(json.RawMessage)
	if !ok {
		return false, nil
	}
	path := at + "/extensions/" + name
	err := json.Unmarshal(raw, x)
	if err != nil {
		err = pathError(path, schema.ErrValue, "%v", err)
	} else {
		err = checkFloats(path, x)
	}
	if err != nil {
		reflect.ValueOf(x).Elem().SetZero()
	}
	return err == nil, d.excuse(at, name, err)
}

// excuse returns an error in an extension that the file requires. Otherwise it warns and returns nil: the extension is
// left out.
func (d *decoder) excuse(at, name string, err error) error {
	if err == nil || d.required[name] {
		return err
	}
	d.diag.Warnf("bad-extension", at, "%s is left out: %v", name, err)
	return nil
}

// spoiledExtras warns of extras that Blender wrote as text, which it does to a whole object when one value in it is of a
// kind that it cannot keep.
func (d *decoder) spoiledExtras() {
	eachExtras(d.doc, func(list string, i int, _ string, extras any) {
		all, _ := extras.(record)
		for _, k := range slices.Sorted(maps.Keys(all)) {
			if s, ok := all[k].(string); ok && strings.HasPrefix(s, "{'") {
				d.diag.Warnf("spoiled-extras", fmt.Sprintf("%s/%d/extras", list, i), "an editor made text of %q, which is lost with all that it kept", k)
			}
		}
	})
}

// eachExtras calls f for the extras of every object of a document that usher's records can be in.
func eachExtras(doc *gltf.Document, f func(list string, i int, name string, extras any)) {
	for i, g := range doc.Scenes {
		f("scenes", i, g.Name, g.Extras)
	}
	for i, g := range doc.Nodes {
		f("nodes", i, g.Name, g.Extras)
	}
	for i, g := range doc.Meshes {
		f("meshes", i, g.Name, g.Extras)
	}
	for i, g := range doc.Materials {
		f("materials", i, g.Name, g.Extras)
	}
	for i, g := range doc.Cameras {
		f("cameras", i, g.Name, g.Extras)
	}
	for i, g := range doc.Skins {
		f("skins", i, g.Name, g.Extras)
	}
	for i, g := range doc.Images {
		f("images", i, g.Name, g.Extras)
	}
	for i, g := range doc.Animations {
		f("animations", i, g.Name, g.Extras)
	}
}
