package write_test

import (
	"bytes"
	"io"

	readfl "github.com/usher-assets/usher/read/freelancer"
	readmedia "github.com/usher-assets/usher/read/media"
	readu9 "github.com/usher-assets/usher/read/ultima9"
	readu3d "github.com/usher-assets/usher/read/ultimate3d"
	readue "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
	mediaschema "github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultimate3d"
	"github.com/usher-assets/usher/schema/unreal"
	writefl "github.com/usher-assets/usher/write/freelancer"
	writemedia "github.com/usher-assets/usher/write/media"
	writeu9 "github.com/usher-assets/usher/write/ultima9"
	writeu3d "github.com/usher-assets/usher/write/ultimate3d"
	writeue "github.com/usher-assets/usher/write/unreal"
)

// opened is a value that a reader has just made, and what writes it: the whole of the file or payload that it was read from.
type opened struct {
	value any
	write func() ([]byte, error)
}

// subject is a writer with the readers of its values: open returns those in a payload, and made some of our own, both anew
// at each call.
type subject struct {
	writer string
	open   func(payload []byte) []opened
	made   func() []opened
}

// media is what lies in the files of all families.
const media = "media"

// subjects are the writers of all families, by the folders of testdata whose files they meet.
var subjects = map[string][]subject{
	"freelancer": {
		pair("freelancer.UTF", readfl.UTF, writefl.UTF),
		pair("freelancer.UTFCompact", readfl.UTF, writefl.UTFCompact),
		pair("freelancer.ALE", readfl.ALE, writefl.ALE),
		pair("freelancer.BINI", readfl.BINI, writefl.BINI),
		pair("freelancer.Sur", readfl.Sur, writefl.Sur),
		pair("freelancer.EffectLibrary", readfl.EffectLibrary, writefl.EffectLibrary),
		pair("freelancer.NodeLibrary", readfl.NodeLibrary, writefl.NodeLibrary),
		pair("freelancer.VMesh", readfl.VMesh, writefl.VMesh),
		pair("freelancer.VMeshRef", readfl.VMeshRef, writefl.VMeshRef),
		pair("freelancer.VWire", readfl.VWire, writefl.VWire),
		pair("freelancer.Wave", readfl.Wave, writefl.Wave),
		pair("freelancer.Text", readfl.Text, writefl.Text),
		pair("freelancer.Floats", readfl.Floats, writefl.Floats),
		pair("freelancer.Ints", readfl.Ints, writefl.Ints),
		pair("freelancer.Shorts", readfl.Shorts, writefl.Shorts),
		nodes("freelancer.Joints", func(n *freelancer.Node) []opened {
			kind, ok := freelancer.JointKindOf(n.Name)
			j, err := readfl.Joints(kind, n.Data, nil)
			if !ok || err != nil {
				return nil
			}
			return []opened{{j, func() ([]byte, error) { return writefl.Joints(j) }}}
		}),
		nodes("freelancer.Channel", func(n *freelancer.Node) []opened {
			header, frames := n.Child("Header"), n.Child("Frames")
			if header == nil || frames == nil {
				return nil
			}
			c, err := readfl.Channel(header.Data, frames.Data, nil)
			if err != nil {
				return nil
			}
			return []opened{{c, func() ([]byte, error) {
				h, f, err := writefl.Channel(c)
				return append(h, f...), err
			}}}
		}),
		views("freelancer.Hardpoint", readfl.Hardpoints, writefl.Hardpoint),
		view("freelancer.Compound", told(readfl.Compound), writefl.Compound),
		views("freelancer.Materials", told(readfl.Materials), func(root *freelancer.Node, m *freelancer.Material) error {
			return writefl.Materials(root, []*freelancer.Material{m})
		}),
		views("freelancer.Material", told(readfl.Materials), func(_ *freelancer.Node, m *freelancer.Material) error { return writefl.Material(m) }),
		views("freelancer.Texture", told(readfl.Textures), writefl.Texture),
		views("freelancer.Script", told(readfl.Scripts), writefl.Script),
		views("freelancer.MaterialAnim", told(readfl.MaterialAnims), writefl.MaterialAnim),
		view("freelancer.Deformable", told(readfl.Deformable), writefl.Deformable),
		view("freelancer.SphereModel", told(readfl.SphereModel), writefl.SphereModel),
		view("freelancer.Camera", readfl.Camera, sure(writefl.Camera)),
		view("freelancer.MultiLevel", readfl.MultiLevel, sure(writefl.MultiLevel)),
	},
	"ultima9": {
		pair("ultima9.Sappear", readu9.Sappear, writeu9.Sappear),
		pair("ultima9.Indexed", readu9.Indexed, writeu9.Indexed),
		pair("ultima9.Texture", readu9.Texture, writeu9.Texture),
		pair("ultima9.Palette", readu9.Palette, writeu9.Palette),
		pair("ultima9.SDInfo", readu9.SDInfo, writeu9.SDInfo),
		pair("ultima9.Anim", readu9.Anim, writeu9.Anim),
		pair("ultima9.Registry", readu9.Registry, writeu9.Registry),
		pair("ultima9.Types", readu9.Types, writeu9.Types),
		pair("ultima9.TypeName", readu9.TypeName, writeu9.TypeName),
		pair("ultima9.Sound", readu9.Sound, writeu9.Sound),
		pair("ultima9.SoundLink", readu9.SoundLink, writeu9.SoundLink),
		pair("ultima9.SoundCategory", readu9.SoundCategory, writeu9.SoundCategory),
		pair("ultima9.SoundEnvironment", readu9.SoundEnvironment, writeu9.SoundEnvironment),
		pair("ultima9.SoundTemplate", readu9.SoundTemplate, writeu9.SoundTemplate),
		pair("ultima9.Book", readu9.Book, writeu9.Book),
		pair("ultima9.Text", readu9.Text, writeu9.Text),
		pair("ultima9.TextTable", readu9.TextTable, writeu9.TextTable),
		pair("ultima9.NPCs", readu9.NPCs, writeu9.NPCs),
		pair("ultima9.ActivityList", readu9.ActivityList, writeu9.ActivityList),
		pair("ultima9.Trigger", readu9.Trigger, writeu9.Trigger),
		pair("ultima9.Highway", readu9.Highway, writeu9.Highway),
		pair("ultima9.Area", readu9.Area, writeu9.Area),
		pair("ultima9.Space", readu9.Space, writeu9.Space),
		pair("ultima9.TreeData", readu9.TreeData, writeu9.TreeData),
		pair("ultima9.Dimensions", readu9.Dimensions, writeu9.Dimensions),
		pair("ultima9.ShadeTable", readu9.ShadeTable, writeu9.ShadeTable),
		pair("ultima9.GreyTable", readu9.GreyTable, writeu9.GreyTable),
		pair("ultima9.ColourCube", readu9.ColourCube, writeu9.ColourCube),
		pair("ultima9.Terrain", readu9.Terrain, writeu9.Terrain),
		pair("ultima9.Savegame", readu9.Savegame, writeu9.Savegame),
		pair("ultima9.Diary", readu9.Diary, writeu9.Diary),
		pair("ultima9.StartFile", readu9.StartFile, writeu9.StartFile),
		pair("ultima9.SavePicture", readu9.SavePicture, writeu9.SavePicture),
		pair("ultima9.Fixed", readu9.Fixed, writeu9.Fixed),
		pair("ultima9.Nonfixed", readu9.Nonfixed, writeu9.Nonfixed),
		pair("ultima9.FLX", at(readu9.FLX), to(writeu9.FLX)),
	},
	"ultimate3d": {
		pair("ultimate3d.U3D", readu3d.U3D, writeu3d.U3D),
		parts("ultimate3d.MeshChunks", func(m *ultimate3d.Model) []opened {
			list := &m.Meshes
			return []opened{{list, func() ([]byte, error) { return writeu3d.MeshChunks(*list) }}}
		}),
		parts("ultimate3d.MaterialChunk", func(m *ultimate3d.Model) []opened {
			return each(m.Materials, writeu3d.MaterialChunk)
		}),
		parts("ultimate3d.BoneChunk", func(m *ultimate3d.Model) []opened {
			return each(m.Bones, func(b *ultimate3d.Bone) ([]byte, error) { return writeu3d.BoneChunk(b, m.Layout) })
		}),
	},
	"unreal": {
		pair("unreal.Package", at(readue.Package), to(writeue.Package)),
		pair("unreal.Rebuild", at(readue.Package), to(writeue.Rebuild)),
		pair("unreal.PSK", readue.PSK, writeue.PSK),
		pair("unreal.PSA", readue.PSA, writeue.PSA),
		pair("unreal.T3D", readue.T3D, writeue.T3D),
		pair("unreal.UZ", readue.UZ, writeue.UZ),
		pair("unreal.UMOD", readue.UMOD, writeue.UMOD),
		pair("unreal.MeshData", readue.MeshData, writeue.MeshData),
		pair("unreal.MeshAniv", func(b []byte, d *schema.Diagnostics) (*unreal.MeshAniv, error) { return readue.MeshAniv(b, 0, d) }, writeue.MeshAniv),
		object("unreal.Base", readue.Base, writeue.Base),
		object("unreal.Object", func(b []byte, x *unreal.Context, d *schema.Diagnostics) (*unreal.AnyObject, error) {
			o, err := readue.Object(b, x, d)
			return &o, err
		}, func(o *unreal.AnyObject) ([]byte, error) { return writeue.Object(*o) }),
		object("unreal.Texture", readue.Texture, writeue.Texture),
		object("unreal.Palette", readue.Palette, writeue.Palette),
		object("unreal.Sound", readue.Sound, writeue.Sound),
		object("unreal.Music", readue.Music, writeue.Music),
		object("unreal.Font", readue.Font, writeue.Font),
		object("unreal.TextBuffer", readue.TextBuffer, writeue.TextBuffer),
		object("unreal.Mesh", readue.Mesh, writeue.Mesh),
		object("unreal.LodMesh", readue.LodMesh, writeue.LodMesh),
		object("unreal.SkeletalMesh", readue.SkeletalMesh, writeue.SkeletalMesh),
		object("unreal.Animation", readue.Animation, writeue.Animation),
		object("unreal.Model", readue.Model, writeue.Model),
		object("unreal.Polys", readue.Polys, writeue.Polys),
		object("unreal.Level", readue.Level, writeue.Level),
		scripts("unreal.Class", writeue.Class),
		scripts("unreal.Object", writeue.Object),
	},
	media: { // payloads of all families
		pair("media.DDS", readmedia.DDS, writemedia.DDS),
		pair("media.TGA", readmedia.TGA, writemedia.TGA),
		pair("media.PCX", readmedia.PCX, writemedia.PCX),
		pair("media.RIFF", readmedia.RIFF, writemedia.RIFF),
		pair("media.WaveFormat", func(b []byte, _ *schema.Diagnostics) (*mediaschema.WaveFormat, error) { return readmedia.WaveFormat(b) }, writemedia.WaveFormat),
		{writer: "media.Chunks", open: func(b []byte) []opened {
			list, rest := readmedia.Chunks(b)
			if len(list) == 0 || len(rest) > 0 {
				return nil
			}
			return []opened{{&list, func() ([]byte, error) { return writemedia.Chunks(list) }}}
		}},
	},
}

// otherWriters take no value with fields of which each is to be written, and why.
var otherWriters = map[string]string{
	"freelancer.VoiceLine": "takes an ID and bytes",
	"freelancer.UTFTo":     "is what UTF calls",
	"ultima9.SappearLOD":   "writes what Sappear writes of a level",
	"ultima9.SappearLimb":  "writes the header of a limb alone",
	"ultima9.Heap":         "writes the heap alone",
	"ultima9.FLXDead":      "tells, and writes nothing",
	"ultima9.EditHeap":     "makes an editor",
	"unreal.Dead":          "tells, and writes nothing",
	"unreal.UMODTail":      "is what UMOD calls",
	"unreal.StrValue":      "writes a value of a property",
	"unreal.PointRegion":   "writes a value of a property",
}

// pair is a reader of payloads and its writer.
func pair[T any](name string, read func([]byte, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error)) subject {
	return subject{writer: name, open: func(b []byte) []opened {
		v, err := read(bytes.Clone(b), nil)
		if err != nil {
			return nil
		}
		return []opened{{v, func() ([]byte, error) { return write(v) }}}
	}}
}

// at makes a reader of payloads of one of files.
func at[T any](read func(io.ReaderAt, int64, *schema.Diagnostics) (T, error)) func([]byte, *schema.Diagnostics) (T, error) {
	return func(b []byte, d *schema.Diagnostics) (T, error) { return read(bytes.NewReader(b), int64(len(b)), d) }
}

// to makes a writer of bytes of one of streams.
func to[T any](write func(io.Writer, T) error) func(T) ([]byte, error) {
	return func(v T) ([]byte, error) {
		var w bytes.Buffer
		err := write(&w, v)
		return w.Bytes(), err
	}
}

// nodes is a subject whose values are found at the nodes of a tree.
func nodes(name string, open func(n *freelancer.Node) []opened) subject {
	return subject{writer: name, open: func(b []byte) (list []opened) {
		t, err := readfl.UTF(bytes.Clone(b), nil)
		if err != nil {
			return nil
		}
		t.Root.Walk(func(_ string, n *freelancer.Node) bool {
			list = append(list, open(n)...)
			return true
		})
		return list
	}}
}

// views is a subject whose values span several leaves of a tree; what is written is the tree.
func views[T any](name string, read func(n *freelancer.Node) ([]T, error), write func(n *freelancer.Node, v T) error) subject {
	return subject{writer: name, open: func(b []byte) (list []opened) {
		t, err := readfl.UTF(bytes.Clone(b), nil)
		if err != nil {
			return nil
		}
		t.Root.Walk(func(_ string, n *freelancer.Node) bool {
			if !n.IsDir() {
				return true
			}
			values, err := read(n)
			if err != nil {
				return true
			}
			for _, v := range values {
				list = append(list, opened{v, func() ([]byte, error) {
					if err := write(n, v); err != nil {
						return nil, err
					}
					return writefl.UTF(t)
				}})
			}
			return true
		})
		return list
	}}
}

// view is views of one value.
func view[T any](name string, read func(n *freelancer.Node) (*T, error), write func(n *freelancer.Node, v *T) error) subject {
	return views(name, func(n *freelancer.Node) ([]*T, error) {
		v, err := read(n)
		if v == nil {
			return nil, err
		}
		return []*T{v}, err
	}, write)
}

func told[T any](read func(*freelancer.Node, *schema.Diagnostics) (T, error)) func(*freelancer.Node) (T, error) {
	return func(n *freelancer.Node) (T, error) { return read(n, nil) }
}

func sure[T any](write func(*freelancer.Node, *T)) func(*freelancer.Node, *T) error {
	return func(n *freelancer.Node, v *T) error { write(n, v); return nil }
}

// parts is a subject whose values are parts of a model.
func parts(name string, open func(m *ultimate3d.Model) []opened) subject {
	return subject{writer: name, open: func(b []byte) []opened {
		m, err := readu3d.U3D(bytes.Clone(b), nil)
		if err != nil {
			return nil
		}
		return open(m)
	}}
}

func each[T any](list []*T, write func(*T) ([]byte, error)) (all []opened) {
	for _, v := range list {
		all = append(all, opened{v, func() ([]byte, error) { return write(v) }})
	}
	return all
}

// object is a subject whose values are objects of a package.
func object[T any](name string, read func([]byte, *unreal.Context, *schema.Diagnostics) (*T, error), write func(*T) ([]byte, error)) subject {
	return subject{writer: name, open: func(b []byte) (list []opened) {
		p, err := readue.Package(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			return nil
		}
		for i := range p.Exports {
			payload, err := p.Payload(i)
			if err != nil || len(payload) == 0 {
				continue
			}
			if v, err := read(payload, p.Context(i), nil); err == nil {
				list = append(list, opened{v, func() ([]byte, error) { return write(v) }})
			}
		}
		return list
	}}
}

// scripts is a subject of new declarations of the script compiler, which testdata has none of.
func scripts[T unreal.AnyObject](name string, write func(T) ([]byte, error)) subject {
	return subject{writer: name, made: func() (list []opened) {
		for _, version := range []uint16{unreal.MinVersion, unreal.LazyVersion, unreal.MaxVersion} {
			for _, o := range append(madeScripts(version, 0), madeScripts(version, unreal.FunctionNet|unreal.PropertyNet)...) {
				if v, ok := o.(T); ok {
					list = append(list, opened{v, func() ([]byte, error) { return write(v) }})
				}
			}
		}
		return list
	}}
}
