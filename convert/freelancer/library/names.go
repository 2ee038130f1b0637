package library

import (
	"maps"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/convert/freelancer/voice"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Names returns the names that hashes in a file can stand for: those in the file, those of the libraries that it needs, and
// those of the user's list.
func Names(root *freelancer.Node, env *format.Env) map[uint32]string {
	names := map[uint32]string{}
	maps.Copy(names, voice.Hashes(env))
	lines, _ := voice.Names(env) // a list that cannot be read was told of when the file was opened
	maps.Copy(names, lines)
	own := map[uint32]string{}
	root.Walk(func(_ string, n *freelancer.Node) bool {
		if !n.IsDir() {
			return true
		}
		for _, library := range [...]string{freelancer.MeshLibrary, freelancer.MaterialLibrary} {
			if freelancer.SameName(n.Name, library) {
				for _, c := range n.Children {
					own[freelancer.FLCRC(c.Name)] = c.Name
				}
			}
		}
		return true
	})
	for _, crc := range hashesOf(root) {
		if name := own[crc.hash]; name != "" {
			names[crc.hash] = name
		} else if name := nameAround(env, crc); name != "" {
			names[crc.hash] = name
		}
	}
	return names
}

// shelved is a hash, and what kind of thing it names.
type shelved struct {
	kind shelf
	hash uint32
}

// hashesOf lists the hashes of meshes and materials that a file refers to.
func hashesOf(root *freelancer.Node) (list []shelved) {
	for crc := range meshUses(root) {
		list = append(list, shelved{meshShelf, crc})
	}
	seen := map[uint32]bool{}
	root.Walk(func(_ string, n *freelancer.Node) bool {
		if freelancer.SameName(n.Name, "VMeshData") && !n.IsDir() {
			for _, crc := range page.MaterialsOf(n.Data) {
				if !seen[crc] {
					seen[crc] = true
					list = append(list, shelved{materialShelf, crc})
				}
			}
		}
		return true
	})
	return list
}

// nameAround looks for a name in the files around; empty when none has it.
func nameAround(env *format.Env, x shelved) string {
	if env == nil || env.Files == nil || x.hash == 0 {
		return ""
	}
	f := newFinder(&Library{}, env)
	file := f.find(x.kind, x.hash)
	if file == nil {
		return ""
	}
	if x.kind == meshShelf && file.lib.meshes[x.hash] != nil {
		return file.lib.meshes[x.hash].Name
	}
	if m := file.lib.materials[x.hash]; m != nil && m.m != nil {
		return m.m.Name
	}
	return ""
}
