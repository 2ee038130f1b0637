package unreal

import (
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/download"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/convert/unreal/skeleton"
	"github.com/usher-assets/usher/convert/unreal/texture"
	"github.com/usher-assets/usher/convert/unreal/words"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

const family = "unreal"

// The names of the formats of objects.
const (
	textureName  = texture.Name
	soundName    = "unreal-sound"
	musicName    = "unreal-music"
	textName     = "unreal-text"
	fontName     = "unreal-font"
	meshName     = mesh.Name
	skeletalName = skeleton.Name
	modelName    = "unreal-model"
	levelName    = "unreal-level"
	objectName   = pack.RecordFormat
	moduleName   = "module"
)

// conversions turn objects into assets and back. They get the archive, since an object means nothing without its
// package; the way back also the export, −1 for an object that is yet to be added.
type conversions struct {
	lift  func(a *archive, o unreal.AnyObject, env *format.Env) (asset.Asset, error)
	lower func(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error)
}

// ofFile are conversions that need no more of the archive than its package.
func ofFile(
	lift func(f *pack.File, o unreal.AnyObject, env *format.Env) (asset.Asset, error),
	lower func(f *pack.File, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error),
) conversions {
	return conversions{
		lift: func(a *archive, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
			return lift(a.File, o, env)
		},
		lower: func(a *archive, i int, v asset.Asset, env *format.Env) (unreal.AnyObject, error) {
			return lower(a.File, i, v, env)
		},
	}
}

// lifting makes a function for objects of any class of one for those of a class.
func lifting[T unreal.AnyObject](name string, lift func(a *archive, o T, env *format.Env) (asset.Asset, error)) func(*archive, unreal.AnyObject, *format.Env) (asset.Asset, error) {
	return func(a *archive, o unreal.AnyObject, env *format.Env) (asset.Asset, error) {
		x, ok := o.(T)
		if !ok {
			return nil, noneOf(name, o)
		}
		return lift(a, x, env)
	}
}

// noneOf refuses a value that is of another format.
func noneOf(name string, v any) error {
	return schema.Errorf(name, schema.ErrUnsupported, "", "a %T is of another format", v)
}

// conversionsOf returns the functions of a format of objects.
func conversionsOf(name string) conversions {
	switch name {
	case textureName:
		return conversions{lifting(textureName, liftTexture), lowerTexture}
	case soundName:
		return conversions{lifting(soundName, liftSound), lowerSound}
	case musicName:
		return conversions{lifting(musicName, liftMusic), lowerMusic}
	case textName:
		return conversions{lower: lowerText}
	case fontName:
		return conversions{lifting(fontName, liftFont), lowerFont}
	case meshName:
		return ofFile(mesh.Lift, mesh.Lower)
	case skeletalName:
		return ofFile(mesh.LiftSkeletal, mesh.LowerSkeletal)
	case levelName:
		return conversions{lifting(levelName, liftLevel), lowerLevel}
	}
	return conversions{liftModel, lowerStored}
}

func leaf(name, title string, kind format.Kind) format.Format {
	return format.Format{Name: name, Family: family, Title: title, Kind: kind}
}

// script makes texts .uc files, as the games' editors know them.
func script(f format.Format) format.Format {
	f.Shown = ".uc"
	return f
}

// The formats of objects, as yet without functions.
var (
	textureFormat  = leaf(textureName, "texture of an Unreal package", format.Texture)
	soundFormat    = leaf(soundName, "sound of an Unreal package", format.Sound)
	musicFormat    = leaf(musicName, "music of an Unreal package", format.Sound)
	textFormat     = script(leaf(textName, "text of an Unreal package, script source", format.Text))
	fontFormat     = leaf(fontName, "font of an Unreal package", format.Texture)
	meshFormat     = leaf(meshName, "vertex mesh of an Unreal package", format.Model)
	skeletalFormat = leaf(skeletalName, "skeletal mesh of an Unreal package", format.Model)
	modelFormat    = leaf(modelName, "brush or BSP of an Unreal package", format.Model)
	levelFormat    = lit(playable(leaf(levelName, "level of an Unreal package", format.Model)))
)

// lit returns a format that handles the lights and the empty nodes of a scene itself.
func lit(f format.Format) format.Format {
	f.Lights, f.Empties = true, format.AnyEmpty
	return f
}

// playable says that a game is played in it.
func playable(f format.Format) format.Format {
	f.Place = true
	return f
}

// leafFormats maps the payload layouts to formats; all others are records.
var leafFormats = map[unreal.Kind]format.Format{
	unreal.SoundKind: soundFormat, unreal.MusicKind: musicFormat, unreal.TextBufferKind: textFormat, unreal.FontKind: fontFormat,
	unreal.MeshKind: meshFormat, unreal.LodMeshKind: meshFormat, unreal.SkeletalMeshKind: skeletalFormat,
	unreal.ModelKind: modelFormat, unreal.PolysKind: modelFormat, unreal.LevelKind: levelFormat,
}

// The functions of the files beside packages that hold meshes, typed.
var (
	MeshData = mesh.MeshData // vertex mesh source, data file (*_d.3d)
	PSK      = mesh.PSK      // skinned mesh source of ActorX (.psk)
	PSA      = mesh.PSA      // motions of ActorX (.psa)
)

// Formats lists the formats of the family. Those of objects are listed only by name and purpose; the entries of a package
// have formats with functions.
var Formats = []format.Format{
	{
		Name: "unreal-package", Family: family, Title: "Unreal Engine 1 package (code, level, textures, sounds, music)",
		Kind: format.Archive, Extensions: []string{".u", ".unr", ".utx", ".uax", ".umx"}, Probe: probePackage, Open: Open, Create: Create,
	},
	textureFormat, soundFormat, musicFormat, textFormat, fontFormat, meshFormat, skeletalFormat, modelFormat, levelFormat,
	recordFormat(nil, -1),
	moduleFormat, mesh.DataFormat, mesh.AnivFormat, t3dFormat, download.UZ, download.UMOD, words.Words, words.Line, mesh.PSKFormat, mesh.PSAFormat,
}

// probePackage knows a package by magic and version; old and newer versions too, so that the reader can say what is
// wrong with them.
func probePackage(in *format.Input) format.Confidence {
	version, ok := read.IsPackage(in.Head)
	switch {
	case !ok:
		return format.No
	case version >= unreal.MinVersion && version <= unreal.MaxVersion:
		return format.Certain
	}
	return format.Magic
}

// leaf returns the format of objects like export i, bound to export at, or to −1 for an object that is yet to be added.
func (a *archive) leaf(i, at int) *format.Format {
	layout := a.Layout(i)
	kind := unreal.Classes[layout]
	if kind == unreal.TextureKind && layout == "Texture" {
		return a.bind(textureFormat, at)
	}
	if f, ok := leafFormats[kind]; ok {
		if kind == unreal.PolysKind || kind == unreal.LevelKind {
			f.Editable = []string{t3dName}
		}
		return a.bind(f, at)
	}
	f := recordFormat(a, at)
	if unreal.Computed(layout) {
		f.Views = []*format.Format{a.movingView(at)}
	}
	return &f
}

// bind makes a format of objects work on export i of the archive.
func (a *archive) bind(f format.Format, i int) *format.Format {
	convert := conversionsOf(f.Name)
	if f.Name == textName { // whose source it is, the export tells
		convert.lift = lifting(textName, func(a *archive, x *unreal.TextBuffer, env *format.Env) (asset.Asset, error) {
			return liftText(a, i, x, env)
		})
	}
	f.Read = func(b []byte, d *schema.Diagnostics) (any, error) {
		a.mu.RLock()
		defer a.mu.RUnlock()
		return a.Decode(i, b, d)
	}
	if (a.Dialect() || f.Name == textName) && i >= 0 {
		f.Variant = func(payload []byte) *format.Format {
			a.mu.RLock()
			defer a.mu.RUnlock()
			if o, err := a.Decode(i, payload, nil); err != nil || !o.Base().Opaque {
				return nil
			}
			record := recordFormat(a, i)
			return &record
		}
	}
	f.Write = func(v any) ([]byte, error) {
		a.mu.RLock()
		defer a.mu.RUnlock()
		o, ok := v.(unreal.AnyObject)
		if !ok {
			return nil, noneOf(f.Name, v)
		}
		return write.Object(o)
	}
	if f.Name == meshName {
		f.Check = func(v any) error {
			o, ok := v.(unreal.AnyObject)
			if !ok {
				return noneOf(f.Name, v)
			}
			return mesh.Check(o)
		}
	}
	if f.Name == levelName {
		f.Into = a.levelInto
	}
	f.Facts = func(v any) []format.Fact {
		a.mu.RLock()
		defer a.mu.RUnlock()
		o, ok := v.(unreal.AnyObject)
		if !ok {
			return nil
		}
		return objectFacts(o)
	}
	f.Lift = func(v any, env *format.Env) (asset.Asset, error) {
		a.mu.RLock()
		defer a.mu.RUnlock()
		o, ok := v.(unreal.AnyObject)
		if !ok {
			return nil, noneOf(f.Name, v)
		}
		return convert.lift(a, o, env)
	}
	f.Lower = func(v asset.Asset, env *format.Env) (any, error) {
		v = asset.Given(v)
		if env != nil && env.Turn != nil { // names, palettes and imports that it adds are shared out among the entries
			env.Turn()
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		return convert.lower(a, i, v, env)
	}
	return &f
}

// objectFacts describes an object for "info".
func objectFacts(o unreal.AnyObject) []format.Fact {
	b := o.Base()
	facts := []format.Fact{{Name: "class", Value: b.Class}, {Name: "object flags", Value: unreal.FlagNames(b.Flags, unreal.ObjectFlags)}}
	add := func(name string, value any) { facts = append(facts, format.Fact{Name: name, Value: value}) }
	switch o := o.(type) {
	case *unreal.Texture:
		add("size", []int{int(o.Number("USize", 1)), int(o.Number("VSize", 1))})
		add("mips", len(o.Mips))
		add("compressed mips", len(o.Compressed))
		add("masked", o.Bool("bMasked"))
		add("palette", o.Package.RefText(o.Ref("Palette")))
	case *unreal.Sound:
		add("file type", o.Package.Name(o.FileType))
		add("bytes", len(o.Data))
		facts = append(facts, soundFacts(heard(o))...)
	case *unreal.Music:
		add("file type", o.Package.Name(o.FileType))
		add("module", unreal.ModuleType(o.Data))
		add("bytes", len(o.Data))
	case *unreal.Mesh:
		facts = append(meshFacts(facts, o), format.Fact{Name: "triangles", Value: len(o.Triangles)})
	case *unreal.LodMesh:
		facts = append(meshFacts(facts, &o.Mesh), format.Fact{Name: "faces", Value: len(o.Faces)}, format.Fact{Name: "wedges", Value: len(o.Wedges)})
	case *unreal.SkeletalMesh:
		add("faces", len(o.Faces))
		add("points", len(o.Points))
		add("bones", len(o.Bones))
		add("animation", o.Package.RefText(o.Animation))
	case *unreal.Model:
		add("nodes", len(o.Nodes))
		add("surfaces", len(o.Surfs))
		add("light maps", len(o.LightMaps))
	case *unreal.Polys:
		add("polygons", len(o.Polys))
	case *unreal.Level:
		add("actors", len(o.Actors))
	}
	return facts
}

func meshFacts(facts []format.Fact, m *unreal.Mesh) []format.Fact {
	sequences := make([]string, len(m.Sequences))
	for i, s := range m.Sequences {
		sequences[i] = m.Package.Name(s.Name)
	}
	return append(facts,
		format.Fact{Name: "frames", Value: int(m.AnimFrames)},
		format.Fact{Name: "vertices", Value: int(m.FrameVerts)},
		format.Fact{Name: "sequences", Value: sequences})
}
