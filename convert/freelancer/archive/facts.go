package archive

import (
	"fmt"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
)

// Facts describes a tree for "info".
func Facts(t *freelancer.Tree) []format.Fact {
	facts := []format.Fact{{Name: "version", Value: fmt.Sprintf("0x%x", t.Header.Version)}}
	if n := t.Root.Child("Exporter Version"); n != nil {
		if text, err := read.Text(n.Data, nil); err == nil {
			facts = append(facts, format.Fact{Name: "exporter", Value: text.Value})
		}
	}
	count := map[string]int{}
	entries, leaves := 0, 0
	t.Root.Walk(func(_ string, n *freelancer.Node) bool {
		entries++
		if !n.IsDir() {
			leaves++
		}
		if level, ok := freelancer.MipLevel(n.Name); ok && level == 0 && !n.IsDir() {
			count["MIP0"]++
		}
		for _, name := range [...]string{"VMeshData", "VMeshRef", "VWireData", "MIPS", "MIPU", "CUBE", "Channel"} {
			if freelancer.SameName(n.Name, name) {
				count[name]++
			}
		}
		return true
	})
	add := func(name string, n int) {
		if n > 0 {
			facts = append(facts, format.Fact{Name: name, Value: n})
		}
	}
	add("directories", entries-leaves)
	add("leaves", leaves)
	add("meshes", count["VMeshData"])
	add("mesh references", count["VMeshRef"])
	add("wireframes", count["VWireData"])
	add("textures", count["MIPS"]+count["MIPU"]+count["MIP0"]+count["CUBE"])
	add("channels", count["Channel"])
	if list, err := read.Materials(t.Root, nil); err == nil {
		add("materials", len(list))
	}
	if c, err := read.Compound(t.Root, nil); err == nil && c != nil {
		add("parts", len(c.Parts))
		add("joints", len(c.Joints))
	}
	var names []string
	for _, n := range t.Root.Children {
		if len(names) < 20 {
			names = append(names, n.Name)
		}
	}
	facts = append(facts, format.Fact{Name: "root", Value: names})
	if t.Layout != nil && len(t.Layout.Residue) > 0 {
		n := 0
		for _, s := range t.Layout.Residue {
			n += len(s.Bytes)
		}
		add("unexplained bytes", n)
	}
	return facts
}

// Names returns the names of what a directory holds.
func Names(dir *freelancer.Node) (names []string) {
	for _, n := range dir.Children {
		names = append(names, n.Name)
	}
	return names
}

// IsVoice tells whether all names of a root are those of lines of a voice bank.
func IsVoice(root []string) bool {
	for _, n := range root {
		if _, ok := freelancer.ParseVoiceName(n); !ok {
			return false
		}
	}
	return len(root) > 0
}
