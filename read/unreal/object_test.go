package unreal_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"testing"

	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// object is an entry of a sidecar's "objects": the union of what the classes have.
type object struct {
	Index       int
	Path, Class string

	Masked   bool
	Palette  *string
	Mips     [][3]int
	AnimNext string `json:"anim_next"`
	RGBA     string `json:"rgba_sha256"`
	Comp     *compressed

	Format string
	Bytes  int
	SHA256 string
	WAV    *struct{ Tag, Channels, Rate, Bits, Frames int }

	Pages     [][2]int32
	Remaining int

	VertexBytes  int     `json:"vertex_bytes"`
	VertsSHA256  string  `json:"verts_sha256"`
	Frame0Min    []int16 `json:"frame0_min"`
	Frame0Max    []int16 `json:"frame0_max"`
	FrameVerts   int32   `json:"frame_verts"`
	Textures     []*string
	Scale        [3]float32
	Origin       [3]float32
	Rot          [3]int32
	Sequences    [][]any
	Tris         int
	Wedges       int
	Materials    [][2]int64
	SpecialFaces int    `json:"special_faces"`
	SpecialVerts uint32 `json:"special_verts"`
	ModelVerts   uint32 `json:"model_verts"`
	Remap        int
	OldVerts     uint32   `json:"old_frame_verts"`
	BoneNames    []string `json:"bone_names"`
	Weights      int
	Depth        int32
	Animation    string
	Moves        [][]any

	Nodes, Surfs, Verts, Vectors, Lightmaps, Zones, Leaves, Polygons int
	LightBytes                                                       int `json:"light_bytes"`
	Frames, Faces, Points, Bones                                     int
	Actors                                                           int
	NullActors                                                       int `json:"null_actors"`
	Model                                                            string
	ReachSpecs                                                       int `json:"reach_specs"`
}

type compressed struct {
	Format int32
	Mips   [][3]int
	SHA256 string `json:"mip0_sha256"`
}

// checker compares one object with its facts.
type checker struct {
	t    *testing.T
	p    *unreal.Package
	want *object
}

func (c checker) eq(field string, got, want any) {
	c.t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		c.t.Errorf("%s: %s: %s, want %s", c.want.Path, field, g, w)
	}
}

func TestObjectFacts(t *testing.T) {
	checked := map[string]int{}
	sidecars(t, func(t *testing.T, p *unreal.Package, want *facts) {
		for i := range want.Objects {
			w := &want.Objects[i]
			o := readExport(t, p, w.Index)
			c := checker{t, p, w}
			c.eq("path", path(t, p, unreal.Ref(w.Index+1)), w.Path)
			c.object(o)
			checked[w.Class]++
		}
	})
	t.Logf("checked %v", checked)
}

func readExport(t testing.TB, p *unreal.Package, i int) unreal.AnyObject {
	t.Helper()
	b, err := p.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	o, err := read.Object(b, p.Context(i), nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (c checker) object(o unreal.AnyObject) {
	switch o := o.(type) {
	case *unreal.Texture:
		c.texture(o)
	case *unreal.Sound:
		c.file(o.FileType, o.Data)
		c.wav(o.Data)
	case *unreal.Music:
		c.file(o.FileType, o.Data)
		c.eq("module type", unreal.ModuleType(o.Data), c.want.Format)
	case *unreal.Font:
		c.font(o)
	case *unreal.Mesh:
		c.mesh(o)
	case *unreal.LodMesh:
		c.mesh(&o.Mesh)
		c.lod(o)
	case *unreal.SkeletalMesh:
		c.mesh(&o.Mesh)
		c.lod(&o.LodMesh)
		c.skeletal(o)
	case *unreal.Animation:
		c.animation(o)
	case *unreal.Model:
		c.model(o)
	case *unreal.Level:
		c.level(o)
	default:
		c.t.Errorf("%s: no facts of %T are known", c.want.Path, o)
	}
}

func (c checker) name(r unreal.Ref) *string {
	if r == 0 {
		return nil
	}
	s := path(c.t, c.p, r)
	return &s
}

func deref(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func mipSizes(mips []unreal.Mip) [][3]int {
	all := [][3]int{}
	for _, m := range mips {
		all = append(all, [3]int{int(m.USize), int(m.VSize), len(m.Pixels)})
	}
	return all
}

func (c checker) texture(o *unreal.Texture) {
	w := c.want
	c.eq("masked", o.Bool("bMasked"), w.Masked)
	c.eq("palette", deref(c.name(o.Ref("Palette"))), deref(w.Palette))
	c.eq("mips", mipSizes(o.Mips), w.Mips)
	if w.AnimNext != "" {
		c.eq("AnimNext", deref(c.name(o.Ref("AnimNext"))), w.AnimNext)
	}
	if c.eq("compressed", o.HasComp, w.Comp != nil); w.Comp != nil {
		c.eq("CompFormat", o.Number("CompFormat", 0), w.Comp.Format)
		c.eq("compressed mips", mipSizes(o.Compressed), w.Comp.Mips)
		c.eq("blocks", hash(o.Compressed[0].Pixels), w.Comp.SHA256)
	}
	if w.RGBA == "" {
		return
	}
	pal := readExport(c.t, c.p, int(o.Ref("Palette"))-1).(*unreal.Palette)
	rgba := make([]byte, 0, 4*len(o.Mips[0].Pixels))
	for _, i := range o.Mips[0].Pixels {
		col := pal.Colors[i]
		col[3] = 255
		if w.Masked && i == 0 {
			col[3] = 0
		}
		rgba = append(rgba, col[:]...)
	}
	c.eq("pixels", hash(rgba), w.RGBA)
}

func (c checker) file(kind unreal.NameIndex, data []byte) {
	c.eq("format", c.p.Name(kind), c.want.Format)
	c.eq("bytes", len(data), c.want.Bytes)
	c.eq("content", hash(data), c.want.SHA256)
}

// wav compares the first fields of the "fmt " chunk, which all files of the corpus have at 20.
func (c checker) wav(b []byte) {
	w := c.want.WAV
	if w == nil || string(b[12:16]) != "fmt " {
		return
	}
	u16 := func(at int) int { return int(binary.LittleEndian.Uint16(b[at:])) }
	c.eq("wav", []int{u16(20), u16(22), int(binary.LittleEndian.Uint32(b[24:])), u16(34)}, []int{w.Tag, w.Channels, w.Rate, w.Bits})
}

func (c checker) font(o *unreal.Font) {
	if o.Package.Version < unreal.CountedVersion {
		c.eq("characters", len(o.Characters) > 0, true)
		return
	}
	pages := [][2]int32{}
	for _, p := range o.Pages {
		pages = append(pages, [2]int32{int32(p.Texture), int32(len(p.Characters))})
	}
	c.eq("pages", pages, c.want.Pages)
	c.eq("remap", o.Remap != nil, c.want.Remaining > 0)
}

func (c checker) mesh(o *unreal.Mesh) {
	w := c.want
	if w.VertexBytes != 0 {
		c.eq("vertex bytes", o.VertexBytes, w.VertexBytes)
	}
	if w.VertsSHA256 != "" {
		b := make([]byte, 0, 6*len(o.Vertices))
		for _, v := range o.Vertices {
			for _, x := range v {
				b = binary.LittleEndian.AppendUint16(b, uint16(x))
			}
		}
		c.eq("vertices", hash(b), w.VertsSHA256)
		lo, hi := o.Vertices[0], o.Vertices[0]
		for _, v := range o.Vertices[:o.FrameVerts] {
			for k := range v {
				lo[k], hi[k] = min(lo[k], v[k]), max(hi[k], v[k])
			}
		}
		c.eq("box", []any{lo, hi}, []any{w.Frame0Min, w.Frame0Max})
	}
	c.eq("frame verts", o.FrameVerts, w.FrameVerts)
	c.eq("frames", o.AnimFrames, w.Frames)
	c.eq("scale", o.Scale, w.Scale)
	c.eq("origin", o.Origin, w.Origin)
	c.eq("rotation", o.RotOrigin, w.Rot)
	c.eq("triangles", len(o.Triangles), w.Tris)
	var got, want []string
	for i := range o.Textures {
		got, want = append(got, deref(c.name(o.Textures[i]))), append(want, deref(w.Textures[i]))
	}
	c.eq("textures", got, want)
	c.sequences(o.Sequences)
}

func (c checker) sequences(all []unreal.Sequence) {
	got := [][]any{}
	for _, s := range all {
		notifies := []any{}
		for _, n := range s.Notifies {
			notifies = append(notifies, []any{float64(n.Time), c.p.Name(n.Function)})
		}
		got = append(got, []any{c.p.Name(s.Name), c.p.Name(s.Group), s.Start, s.Frames, float64(s.Rate), notifies})
	}
	c.eq("sequences", got, c.want.Sequences)
}

func (c checker) lod(o *unreal.LodMesh) {
	w := c.want
	c.eq("faces", len(o.Faces), w.Faces)
	c.eq("wedges", len(o.Wedges), w.Wedges)
	mats := [][2]int64{}
	for _, m := range o.Materials {
		mats = append(mats, [2]int64{int64(m.Flags), int64(m.Texture)})
	}
	c.eq("materials", mats, w.Materials)
	c.eq("special", []any{len(o.SpecialFaces), o.SpecialVerts}, []any{w.SpecialFaces, w.SpecialVerts})
	c.eq("model verts", []any{o.ModelVerts, len(o.Remap), o.OldFrameVerts}, []any{w.ModelVerts, w.Remap, w.OldVerts})
}

func (c checker) skeletal(o *unreal.SkeletalMesh) {
	w := c.want
	names := []string{}
	for _, b := range o.Bones {
		names = append(names, c.p.Name(b.Name))
	}
	c.eq("bones", names, w.BoneNames)
	c.eq("points", []int{len(o.Points), len(o.Weights), int(o.Depth)}, []int{w.Points, w.Weights, int(w.Depth)})
	c.eq("animation", deref(c.name(o.Animation)), w.Animation)
}

func (c checker) animation(o *unreal.Animation) {
	c.eq("bones", len(o.Bones), c.want.Bones)
	got := [][]any{}
	for i, m := range o.Moves {
		s := o.Sequences[i]
		got = append(got, []any{c.p.Name(s.Name), s.Start, s.Frames, float64(s.Rate), float64(m.TrackTime), len(m.Tracks)})
	}
	c.eq("moves", got, c.want.Moves)
}

func (c checker) model(o *unreal.Model) {
	w := c.want
	polygons := 0
	for _, n := range o.Nodes {
		if n.Count >= 3 {
			polygons++
		}
	}
	c.eq("counts", []int{len(o.Nodes), len(o.Surfs), len(o.Verts), len(o.Points), len(o.Vectors), len(o.LightMaps), len(o.LightBits), len(o.Zones), len(o.Leaves), polygons},
		[]int{w.Nodes, w.Surfs, w.Verts, w.Points, w.Vectors, w.Lightmaps, w.LightBytes, w.Zones, w.Leaves, w.Polygons})
}

func (c checker) level(o *unreal.Level) {
	null := 0
	for _, a := range o.Actors {
		if a == 0 {
			null++
		}
	}
	w := c.want
	c.eq("level", []any{len(o.Actors), null, deref(c.name(o.Model)), len(o.ReachSpecs)}, []any{w.Actors, w.NullActors, w.Model, w.ReachSpecs})
}

func TestTextFacts(t *testing.T) {
	sidecars(t, func(t *testing.T, p *unreal.Package, want *facts) {
		var got []string
		for i := range p.Exports {
			if p.ClassName(unreal.Ref(i+1)) != "TextBuffer" {
				continue
			}
			s := readExport(t, p, i).(*unreal.TextBuffer).Text
			b, length := []byte{}, 0
			switch {
			case s.Form == unreal.NameWide:
				b = append(unreal.EncodeWide(s.Text), 0, 0)
				length = -len(b) / 2
			case s.Text != "":
				b, _ = schema.EncodeWindows1252(s.Text)
				b = append(b, 0)
				length = len(b)
			}
			got = append(got, fmt.Sprintf("%s\t%d\t%s", path(t, p, unreal.Ref(i+1)), length, hash(b)))
		}
		want.Texts.check(t, "texts", got)
	})
}

func TestTruncatedObjects(t *testing.T) {
	dir := corpus.Folder(t, "unreal")
	for _, name := range []string{"synthetic/syn_v61.u", "synthetic/syn_v69.u", "synthetic/syn_mesh_v69.u", "synthetic/syn_textures.utx", "XC_Siege_r3.u",
		"synthetic/syn_font_v63.utx", "synthetic/syn_font_v69.utx", "synthetic/syn_text.u", "1HH-TestBox.unr", "C4.u", "synthetic/storlek14.umx"} {
		b := corpus.Bytes(t, filepath.Join(dir, filepath.FromSlash(name)))
		p, err := read.Package(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Exports {
			x := p.Context(i)
			if unreal.Classes[x.Class] == unreal.UnknownKind {
				continue
			}
			payload, err := p.Payload(i)
			if err != nil {
				t.Fatal(err)
			}
			for n := 0; n < len(payload); n += 1 + len(payload)/300 {
				if _, err := read.Object(payload[:n], x, nil); schema.Class(err) == nil && x.Class != "Font" && !(n == 0 && x.Class == "TextBuffer") { // see TestEmptiedText
					t.Fatalf("%s: %s cut at %d of %d: %v", name, x.Path, n, len(payload), err)
				}
			}
		}
	}
}

func BenchmarkObjects(b *testing.B) {
	dir := corpus.Folder(b, "unreal")
	for _, name := range []string{"SiegeIV_0032beta9.u", "DM-Flux.unr", "Endemia.u", "PGmesh.u"} {
		b.Run(name, func(b *testing.B) {
			data := corpus.Bytes(b, filepath.Join(dir, name))
			p, err := read.Package(bytes.NewReader(data), int64(len(data)), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				for i := range p.Exports {
					readExport(b, p, i)
				}
			}
		})
	}
}
