package scene

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// Program is what wrote a scene.
type Program uint8

// The programs whose ways are known.
const (
	OtherProgram Program = iota
	Blender
	ThreeJS
	GltfTransform
	Gltfpack
)

// Editor is the program that wrote a scene, as far as that says it.
type Editor struct {
	Program Program
	Version [3]int // of Blender's add-on for glTF, not of Blender itself: 3.4.50 belongs to Blender 3.4
}

var generators = [...]struct {
	begins  string
	program Program
}{
	{"Khronos glTF Blender I/O", Blender}, {"THREE.GLTFExporter", ThreeJS}, {"glTF-Transform", GltfTransform}, {"gltfpack", Gltfpack},
}

// pattern returns a regular expression that is compiled when it is first asked for: not at the program's start.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var versionPattern = pattern(`(\d+)(?:\.(\d+))?(?:\.(\d+))?`)

// EditorOf returns the program that wrote a scene.
func EditorOf(s *asset.Scene) (e Editor) {
	for _, g := range generators {
		rest, ok := strings.CutPrefix(s.Generator, g.begins)
		if !ok {
			continue
		}
		e.Program = g.program
		for i, text := range versionPattern().FindStringSubmatch(rest) {
			if i > 0 {
				e.Version[i-1], _ = strconv.Atoi(text) // what does not fit is no version
			}
		}
	}
	return e
}

// SpoilsColors reports whether an editor gives the corners of a mesh each other's colours: Blender 3.4 does, see
// [RestoreColors].
func (e Editor) SpoilsColors() bool { return e.Program == Blender && e.Version == [3]int{3, 4, 50} }

// SavesPose reports whether an editor saves what it shows as the pose at rest: Blender does with its current frame.
func (e Editor) SavesPose() bool { return e.Program == Blender }

// longName is a name that Blender may have cut: it keeps 63 bytes of UTF-8, and less where it adds a number.
const longName = 55

var copySuffix = pattern(`\.[0-9]{3}$`)

// Uncopied returns a name without the number that Blender puts behind it to tell two things apart, and whether there was
// one.
func Uncopied(name string) (string, bool) {
	if copySuffix().MatchString(name) {
		return name[:len(name)-4], true
	}
	return name, false
}

// Renamed reports whether a person has changed a name. Editors that nobody edits a name in add a number, cut what is too
// long, and leave out or replace the letters that they do not like; a name that is gone says nothing.
func Renamed(was, now string) bool {
	kept := func(name string) bool {
		return name == was || name == plain(was) || len(name) >= longName && strings.HasPrefix(was, name)
	}
	if now == "" || kept(now) {
		return false
	}
	base, copied := Uncopied(now)
	return !copied || was != "" && !kept(base)
}

// plain returns a name as three.js has it.
func plain(name string) string {
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

// Marks that nodes bear in their names for their kind.
const (
	lodMark  = "$lod"
	wireMark = "$wire"
	HullMark = "$hull" // ends the name of a surface that only collisions know, behind its number
)

// levelName takes the name of a lower level of detail apart: the name of the node that it belongs to, and its number from
// 1 on. What an editor puts behind the name of a copy is part of the node's name.
func levelName(name string) (of string, level int, ok bool) {
	base, _ := Uncopied(name)
	suffix := name[len(base):]
	i := strings.LastIndex(base, lodMark)
	if i < 0 {
		return "", 0, false
	}
	level, err := strconv.Atoi(base[i+len(lodMark):])
	return base[:i] + suffix, level, err == nil && level > 0 && level < 1<<16
}

// isHull reports whether a node stands for a surface that only collisions know, by its name.
func isHull(n *asset.Node) bool {
	base, _ := Uncopied(n.Name)
	return strings.HasSuffix(base, HullMark)
}

// limbName is what Ultima IX calls its limbs here.
var limbName = pattern(`^limb_\d+(_lod\d+|_mount)?$`)

// HardpointName reports whether a name is one that empty nodes have which stand for hardpoints of Freelancer: they begin with Hp
// in any case, and those of damaged parts and separable ones with Dp and Sp, which other words do too.
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

// NoExtras is the code of the warning that custom properties are gone. There is one of it at most.
const NoExtras = "no-custom-properties"

// TellOfExtras warns of scenes whose custom properties are gone or broken, in one line each: what usher kept in them is
// lost then, and the model is made from what it shows.
func TellOfExtras(s *asset.Scene, d *schema.Diagnostics) {
	if spoiled := spoiled(s); len(spoiled) > 0 {
		d.Warnf("extras-spoiled", spoiled[0], "an editor spoiled the kept data of %s: it made text of them, since one value did not fit into its own properties; they are not believed",
			counted(len(spoiled), "object", "objects"))
	}
	if what := bare(s); what != "" {
		how := "keep them (extras) when you export"
		if EditorOf(s).Program == Blender {
			how = "in Blender tick Include › Custom Properties when you export"
		}
		d.Warnf(NoExtras, "", "exported without Custom Properties: %s are lost; %s, or name the original with --base", what, how)
	}
}

// spoiled returns the names of objects whose data were made text of.
func spoiled(s *asset.Scene) (names []string) {
	check := func(name string, extras map[string]any) {
		if isSpoiled(extras) {
			names = append(names, name)
		}
	}
	check(s.Name, s.Extras)
	s.Walk(func(n, _ *asset.Node) {
		check(n.Name, n.Extras)
		if n.Mesh != nil {
			check(n.Mesh.Name, n.Mesh.Extras)
		}
	})
	for _, m := range s.Materials {
		check(m.Name, m.Extras)
	}
	return names
}

// bare says what a scene has lost that usher made, by its mark or the names which it gives, and that has none of its data;
// nothing for other scenes.
func bare(s *asset.Scene) string {
	if s.Native != nil || slices.ContainsFunc(s.Materials, func(m *asset.Material) bool { return m.Native != nil }) ||
		slices.ContainsFunc(s.Animations, func(a *asset.Animation) bool { return a.Native != nil }) {
		return ""
	}
	kept, marked, levels, wires, hardpoints, limbs := false, false, false, false, false, false
	s.Walk(func(n, _ *asset.Node) {
		marked = marked || n.Native != nil || len(n.Extras) > 0 || n.Mesh != nil && (n.Mesh.Native != nil || len(n.Mesh.Extras) > 0)
		name, _ := Uncopied(n.Name)
		if _, _, ok := levelName(n.Name); ok {
			levels = true
		}
		wires = wires || strings.HasSuffix(name, wireMark)
		limbs = limbs || limbName().MatchString(name)
		kept = kept || n.Native != nil || n.Mesh != nil && n.Mesh.Native != nil
		empty := n.Mesh == nil && n.Camera == nil && n.Skin == nil && len(n.Children) == 0
		hardpoints = hardpoints || empty && HardpointName(name)
	})
	if kept || marked && !s.Stripped || !s.Stripped && !levels && !wires && !hardpoints && !limbs {
		return ""
	}
	what := []string{}
	for _, x := range []struct {
		is   bool
		text string
	}{
		{hardpoints, "kinds and limits of hardpoints"}, {levels, "distances of levels of detail"}, {wires, "wireframes"}, {limbs, "what limbs keep of the original"},
		{len(s.Animations) > 0, "joints and exact animations"},
		{true, "stored shapes, lines, materials and textures"},
	} {
		if x.is {
			what = append(what, x.text)
		}
	}
	if len(what) == 1 {
		return what[0]
	}
	return strings.Join(what[:len(what)-1], ", ") + " and " + what[len(what)-1]
}

// counted returns a number with what it counts.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
