package gltf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/usher-assets/usher/convert/restore"
	verbs "github.com/usher-assets/usher/convert/scene"
)

// Editors that keep extras lose those of single objects all the same: of a material that somebody made anew, of a node that
// was replaced, of the scene when its objects are taken to another one. Such an object looks like a new one. So the scene's
// record lists the names of what has a record, under keyRecords, and the roots say that the scene has one, with keyScene.
const (
	keyRecords = "records"
	keyScene   = "scene"
)

// recorded are the lists of a document that are listed, and how messages call one and several of their objects.
var recorded = []struct{ list, one, many string }{{"nodes", "node", "nodes"}, {"meshes", "mesh", "meshes"}, {"materials", "material", "materials"}}

// listRecords writes the list, unless the scene is a part of another one.
func (e *encoder) listRecords() {
	if !e.made || e.o.Slim || e.o.whole {
		return
	}
	names := map[string][]string{}
	eachExtras(e.doc, func(list string, _ int, name string, extras any) {
		if holdsRecord(extras) {
			names[list] = append(names[list], oneLine(name))
		}
	})
	lists := record{}
	for _, kind := range recorded {
		if names := names[kind.list]; names != nil {
			lists[kind.list] = strings.Join(names, "\n") // Blender keeps no list of texts
		}
	}
	if len(lists) == 0 {
		return
	}
	if e.own == nil {
		e.own = record{}
	}
	e.own[keyRecords] = lists
}

// holdsRecord is hasRecord for extras that may be written already.
func holdsRecord(extras any) bool {
	if text, ok := extras.(json.RawMessage); ok {
		return bytes.Contains(text, []byte(`"`+ours+`":`))
	}
	return hasRecord(extras)
}

// tellLost names what had a record and has none any more.
func (d *decoder) tellLost() {
	foreign, u := split(d.sceneExtras())
	if u == nil && d.sceneHadRecord() && !verbs.IsSpoiled(foreign) {
		d.tellBare(d.s.Name, "the scene")
	}
	lists := d.child(d.child(u, keyAsset), keyRecords)
	for _, kind := range recorded {
		switch lost := d.lost(kind.list, text(lists, kind.list)); len(lost) {
		case 0:
		case 1:
			d.tellBare(lost[0], fmt.Sprintf("the %s %q", kind.one, lost[0]))
		default:
			d.tellBare(lost[0], fmt.Sprintf("%d %s, the first is %q,", len(lost), kind.many, lost[0]))
		}
	}
}

// lost returns the names of objects of a list without a record, as many of each name as there are records missing of it. An
// object whose record an editor spoiled is not among them, since that was told.
func (d *decoder) lost(of, listed string) (names []string) {
	if listed == "" {
		return nil
	}
	missing := map[string]int{}
	for name := range strings.SplitSeq(listed, "\n") {
		missing[unnumbered(name)]++
	}
	var bare []string
	eachExtras(d.doc, func(list string, _ int, name string, extras any) {
		switch foreign, u := split(extras); {
		case list != of:
		case u != nil || verbs.IsSpoiled(foreign):
			missing[unnumbered(name)]--
		default:
			bare = append(bare, name)
		}
	})
	for _, name := range bare {
		if key := unnumbered(name); missing[key] > 0 {
			missing[key]--
			names = append(names, name)
		}
	}
	return names
}

// unnumbered is a name without the number that editors give to the second of it.
func unnumbered(name string) string {
	name, _ = verbs.Uncopied(oneLine(name))
	return name
}

func oneLine(name string) string { return strings.ReplaceAll(name, "\n", " ") }

func (d *decoder) tellBare(path, what string) {
	d.diag.Hint(", or name the original with --base").Warnf(restore.NoExtras, path, "%s had Custom Properties (extras) and has none any more: what only they held of the original (exact shapes, lines, texture coordinates, materials and the like) is lost; give it those of the original", what)
}

// sceneHadRecord reports whether a root says so.
func (d *decoder) sceneHadRecord() bool {
	for _, g := range d.doc.Nodes {
		if _, u := split(g.Extras); d.child(u, keyAsset)[keyScene] != nil {
			return true
		}
	}
	return false
}
