package freelancer

import (
	"bytes"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/archive"
	"github.com/usher-assets/usher/convert/freelancer/library"
	"github.com/usher-assets/usher/convert/freelancer/page"
	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

const family = "freelancer"

// Formats lists the formats of Freelancer. Every file that is a UTF tree opens as an archive; most formats are such trees
// with a known purpose. The formats of leaves come last, because an unpacked leaf in JSON is recognised by their names.
var Formats = slices.Concat(fileFormats, archive.Leaves())

var fileFormats = []format.Format{
	treeFormat("utf", "Freelancer UTF tree", format.Archive, ".utf .vms .3db .cmp .dfm .sph .mat .txm .ale .anm", always),
	treeFormat("voice", "Freelancer voice bank", format.Archive, ".utf", archive.IsVoice),
	treeFormat("mat", "Freelancer material library", format.Archive, ".mat", has(freelancer.MaterialLibrary)),
	treeFormat("txm", "Freelancer texture library", format.Archive, ".txm", has(freelancer.TextureLibrary)),
	modelFormat("3db", "Freelancer model of one part", ".3db", isPart),
	modelFormat("cmp", "Freelancer compound model", ".cmp", isCompound),
	modelFormat("dfm", "Freelancer character", ".dfm", has("Skeleton")),
	modelFormat("sph", "Freelancer planet", ".sph", has("Sphere")),
	modelFormat("vms", "Freelancer mesh library", ".vms", isMeshLibrary),
	animationFormat("anm", "Freelancer animations", ".anm", has("Animation")),
	surFormat(),
	biniFormat(),
	effectFormat("ale", "Freelancer particle effects", ".ale", has(freelancer.EffectLibraryName, freelancer.NodeLibraryName)),
}

func treeFormat(name, title string, kind format.Kind, extensions string, fits func(root []string) bool) format.Format {
	f := format.Of(format.Format{
		Name: name, Family: family, Title: title, Kind: kind, Extensions: strings.Fields(extensions), Open: archive.Open, Whole: archive.WholeUpTo, Document: page.Tree(library.Names),
	}, format.Functions[freelancer.Tree, asset.Asset]{
		Read:  read.UTF,
		Write: write.UTF,
		Facts: archive.Facts,
	})
	f.Probe = func(in *format.Input) format.Confidence { return probe(in, &f, fits) }
	if kind == format.Archive {
		f.Create = archive.Create
	}
	switch name {
	case "voice":
		f.Create = archive.CreateVoice
	case "mat":
		kinds := []string{freelancer.MaterialLibrary, freelancer.TextureLibrary}
		f.Gather = gatherer(name, kinds...)
		f = format.Of(f, format.Functions[freelancer.Tree, *asset.Scene]{Lower: lowerLibrary(name, kinds...)})
	case "txm":
		f.Gather = gatherer(name, freelancer.TextureLibrary)
		scenes := lowerLibrary(name, freelancer.TextureLibrary)
		f = format.Of(f, format.Functions[freelancer.Tree, asset.Asset]{Lower: func(a asset.Asset, env *format.Env) (*freelancer.Tree, error) {
			switch a := a.(type) {
			case *asset.Scene:
				return scenes(a, env)
			case *asset.Texture:
				return texture.NewLibrary(a, env)
			}
			return nil, format.NotFrom(name, a)
		}})
	case "vms":
		f.Gather = gatherer(name, freelancer.MeshLibrary)
	}
	return f
}

func modelFormat(name, title, extension string, fits func(root []string) bool) format.Format {
	f := treeFormat(name, title, format.Model, extension, fits)
	f = format.Of(f, Model(name))
	f.Cameras = name == "3db" || name == "cmp"
	f.Empties = func(n *asset.Node) bool { return rig.IsHardpoint(n) || rig.Ignored(n) || n.Extras["construct"] != nil }
	if name != "vms" {
		f.Views = []*format.Format{hardpointView(name)}
	}
	return f
}

// Model returns the typed functions for models in the format with the given name: 3db, cmp, dfm, sph or vms.
func Model(name string) format.Functions[freelancer.Tree, *asset.Scene] {
	return format.Functions[freelancer.Tree, *asset.Scene]{
		Read:  read.UTF,
		Write: write.UTF,
		Facts: archive.Facts,
		Detail: func(t *freelancer.Tree, env *format.Env) []format.Fact {
			m, err := newModel(name, t, env.Quiet())
			if err != nil {
				return nil
			}
			return append(m.recordFacts(), m.lib.Facts(t.Root, env)...)
		},
		Lift:  func(t *freelancer.Tree, env *format.Env) (*asset.Scene, error) { return liftModel(name, t, env) },
		Lower: func(s *asset.Scene, env *format.Env) (*freelancer.Tree, error) { return lowerModel(name, s, env) },
	}
}

// Animations holds the typed functions for animation files.
var Animations = format.Functions[freelancer.Tree, *asset.Scene]{
	Read: read.UTF, Write: write.UTF, Facts: archive.Facts, Lift: liftAnimationFile, Lower: lowerAnimationFile,
}

func animationFormat(name, title, extension string, fits func(root []string) bool) format.Format {
	return format.Of(treeFormat(name, title, format.Animation, extension, fits), Animations)
}

// Effects holds the typed functions for particle effects.
var Effects = format.Functions[freelancer.ALE, asset.Asset]{Read: read.ALE, Write: write.ALE, Facts: effectFacts}

func effectFormat(name, title, extension string, fits func(root []string) bool) format.Format {
	f := treeFormat(name, title, format.Table, extension, fits)
	f.Document = page.Effect(library.Names)
	f.Whole = 0 // its libraries are read and written as well
	return format.Of(f, Effects)
}

func effectFacts(a *freelancer.ALE) []format.Fact {
	facts := archive.Facts(a.Tree)
	if a.Effects != nil {
		facts = append(facts, format.Fact{Name: "effects", Value: len(a.Effects.Effects)})
	}
	if a.Nodes != nil {
		facts = append(facts, format.Fact{Name: "nodes", Value: len(a.Nodes.Nodes)})
	}
	return facts
}

// probe is certain of the extension together with the content, and less so of either alone; the archive view is what
// remains when nothing more is known.
func probe(in *format.Input, f *format.Format, fits func(root []string) bool) format.Confidence {
	if !bytes.HasPrefix(in.Head, []byte(freelancer.Magic)) {
		return format.No
	}
	name := strings.ToLower(in.Name)
	usual := strings.HasSuffix(name, f.Extensions[0])
	switch ok := fits(rootNames(in)); {
	case ok && f.Name == "utf":
		return format.Magic
	case ok && usual:
		return format.Certain
	case ok && f.Name == "vms":
		return format.Magic + 1 // a file of another extension is rather what that says
	case ok && f.Kind == format.Archive:
		return format.Magic + 4 // models have libraries as well
	case ok:
		return format.Magic + 5
	case usual && f.Kind != format.Archive:
		return format.Magic + 2
	}
	return format.No
}

// rootNames returns the names of the root's children without reading the file, as far as they lie in its head.
func rootNames(in *format.Input) []string {
	b := in.Head
	if len(b) < freelancer.HeaderSize {
		return nil
	}
	word := func(at uint64) uint64 {
		if at > uint64(len(b))-4 {
			return 0
		}
		return uint64(b[at]) | uint64(b[at+1])<<8 | uint64(b[at+2])<<16 | uint64(b[at+3])<<24
	}
	tree, names := word(8), word(24)
	var list []string
	at := word(tree + 16)
	for range 4096 {
		start := names + word(tree+at+4)
		if at == 0 || tree+at+freelancer.EntrySize > uint64(len(b)) || start >= uint64(len(b)) {
			break
		}
		text := b[start:min(start+freelancer.MaxName, uint64(len(b)))]
		if i := bytes.IndexByte(text, 0); i >= 0 {
			text = text[:i]
		}
		list = append(list, string(text))
		if at = word(tree + at); len(list) > 64 {
			break
		}
	}
	return list
}

func always([]string) bool { return true }

// isPart reports whether there is a model that has no parts, joints or bones.
func isPart(root []string) bool {
	return has("VMeshPart", "MultiLevel", "Hardpoints")(root) && !has("Cmpnd", "Skeleton", "Sphere")(root)
}

// isCompound reports whether there are parts that joints hold: those of a character are bones.
func isCompound(root []string) bool { return has("Cmpnd")(root) && !has("Skeleton")(root) }

// isMeshLibrary reports whether there are meshes, but nothing that draws them.
func isMeshLibrary(root []string) bool {
	return has(freelancer.MeshLibrary)(root) && !has("VMeshPart", "MultiLevel", "VMeshWire", "Hardpoints", "Cmpnd", "Skeleton", "Sphere")(root)
}

// has reports whether the root has one of the names.
func has(names ...string) func(root []string) bool {
	return func(root []string) bool {
		for _, have := range root {
			for _, want := range names {
				if freelancer.SameName(have, want) {
					return true
				}
			}
		}
		return false
	}
}
