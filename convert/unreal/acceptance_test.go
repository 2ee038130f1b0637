package unreal

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/space"
	"github.com/usher-assets/usher/convert/unreal/texture"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
)

// biggest returns the largest package of the corpus with that extension that holds an object of a class, and the path
// of that object: of several, the one with the largest payload.
func biggest(t *testing.T, extension, class string, suits func(o unreal.AnyObject) bool) (a *archive, path string) {
	t.Helper()
	size := int64(0)
	for _, e := range valid(t) {
		if !strings.HasSuffix(e.File, extension) {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		if int64(len(b)) <= size {
			continue
		}
		x := openBytes(t, e.File, b)
		best := int64(0)
		for i, entry := range x.Entries() {
			if entry.Class != class || entry.Size <= best {
				continue
			}
			o, err := x.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			if suits(o) {
				a, path, size, best = x, entry.Path, int64(len(b)), entry.Size
			}
		}
	}
	if a == nil {
		t.Fatalf("no %s in a %s", class, extension)
	}
	t.Logf("%s of %s, %d bytes", path, a.Env.Name, size)
	return a, path
}

// An edit changes one object. Every other payload is the same but for the file positions in it, and these are right.
func TestEditsOfTheCorpus(t *testing.T) {
	any := func(unreal.AnyObject) bool { return true }
	for _, c := range []struct {
		name, extension, class string
		suits                  func(o unreal.AnyObject) bool
		edit                   func(v asset.Asset) asset.Asset
		added                  int // objects
	}{
		{"a larger texture", ".utx", "Texture", func(o unreal.AnyObject) bool { return len(o.(*unreal.Texture).Mips) > 3 && !o.Base().Bool("bMasked") }, func(v asset.Asset) asset.Asset {
			x := v.(*asset.Texture)
			b := x.Base()
			m := asset.NewImage(2*b.Width, 2*b.Height, asset.RGBA8)
			pix := texture.Pixels(x)
			for i := range m.Width * m.Height {
				copy(m.Pix[4*i:], pix[i%m.Width/2+i/m.Width/2*b.Width][:])
			}
			copy(m.Pix, pix[len(pix)-1][:]) // a colour that the palette has
			x.Frames[0].Mips, x.Palette = []asset.Image{m}, nil
			return x
		}, -1},
		{"a longer sound", ".u", "Sound", any, func(v asset.Asset) asset.Asset {
			x := v.(*asset.Sound)
			x.PCM = append(slices.Clone(x.PCM), x.PCM...)
			return x
		}, 0},
		{"another module", ".umx", "Music", any, func(v asset.Asset) asset.Asset {
			return &asset.Sound{Native: v.(*asset.Sound).Native, Stored: &asset.Stored{Encoding: "mod", Data: append(module(), make([]byte, 100000)...)}}
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, path := biggest(t, c.extension, c.class, c.suits)
			before := payloads(t, a)
			old, _ := a.Payload(entry(t, a, path))
			v := c.edit(through(t, lifted(t, a, path)))
			n := replaced(t, a, path, v)
			after := payloads(t, n)
			if added := len(after) - len(before); c.added >= 0 && added != c.added || added > 1 {
				t.Errorf("%d new objects", added)
			}
			if len(after[path]) <= len(old) {
				t.Errorf("%s has %d bytes, had %d", path, len(after[path]), len(old))
			}
			for p, b := range before {
				if p != path && !bytes.Equal(after[p], b) && !strings.Contains(p, "Palette") {
					t.Errorf("%s changed", p)
				}
			}
			checkPositions(t, n)
			switch want := v.(type) {
			case *asset.Texture:
				if !texture.Same(lifted(t, n, path).(*asset.Texture), want) {
					t.Error("the picture is not the new one")
				}
				o, err := n.Object(entry(t, n, path))
				if err != nil {
					t.Fatal(err)
				}
				x := o.(*unreal.Texture)
				if side := max(x.Mips[0].USize, x.Mips[0].VSize); len(x.Mips) != int(math.Log2(float64(side)))+1 {
					t.Errorf("%d mips of a side of %d", len(x.Mips), side)
				}
			case *asset.Sound:
				got := lifted(t, n, path).(*asset.Sound)
				if !bytes.Equal(got.PCM, want.PCM) || want.PCM == nil && !bytes.Equal(got.Stored.Data, want.Stored.Data) {
					t.Error("the sound is not the new one")
				}
			}
		})
	}
}

// checkPositions: every object reads to its end, and every position in it is where it must be in this file.
func checkPositions(t *testing.T, a *archive) {
	t.Helper()
	for i := range a.Exports {
		x := a.Context(i)
		b, err := a.File.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		o, err := read.Object(b, x, nil)
		if err != nil {
			t.Errorf("%s: %v", x.Path, err)
		} else if unreal.Classes[x.Class] != unreal.UnknownKind && len(o.Base().Tail) > 0 {
			t.Errorf("%s: %d bytes are left", x.Path, len(o.Base().Tail))
		}
	}
}

// New packages of every kind satisfy the rules of reference section 14.
func TestNewPackages(t *testing.T) {
	kinds := map[string]func(t testing.TB, a *archive){
		"utx": func(t testing.TB, a *archive) {
			add(t, a, "Walls/Old/Board", checkerboard(8, 4), format.Texture)
			add(t, a, "Walls/Holes", colourful(32, 32, true), format.Texture)
			add(t, a, "Board", checkerboard(1, 1), format.Texture)
		},
		"uax": func(t testing.TB, a *archive) { add(t, a, "Voices/Beep", beep(), format.Sound) },
		"umx": func(t testing.TB, a *archive) {
			if err := a.Add("Song", module(), &moduleFormat); err != nil {
				t.Fatal(err)
			}
		},
		"u":        func(t testing.TB, a *archive) { add(t, a, "Props/Pyramid", pyramid(), format.Model) },
		"skeletal": func(t testing.TB, a *archive) { add(t, a, "Beasts/Worm", worm(), format.Model) },
		"font":     func(t testing.TB, a *archive) { add(t, a, "Fonts/Letters", letters(1), format.Texture) },
		"text":     func(t testing.TB, a *archive) { add(t, a, "Notes", &asset.Text{Body: "a\r\n"}, format.Text) },
	}
	for kind, fill := range kinds {
		for version := unreal.MinVersion; version <= unreal.MaxVersion; version++ {
			t.Run(fmt.Sprint(kind, version), func(t *testing.T) {
				x, err := Create(&format.Env{Name: "New", Options: format.Options{Unreal: format.UnrealOptions{PackageVersion: version}}})
				if err != nil {
					t.Fatal(err)
				}
				fill(t, x.(*archive))
				b := written(t, x)
				a := openBytes(t, "New", b)
				checkContainer(t, a.Package, version, len(b))
				for i := range a.Exports {
					checkObject(t, a, i)
				}
				checkPositions(t, a)
				for i := range a.Entries() {
					back(t, a, i, map[string]int{})
				}
				corpus.SameBytes(t, "again", written(t, a), b)
			})
		}
	}
}

// checkContainer holds header, tables and layout against the rules.
func checkContainer(t *testing.T, p *unreal.Package, version, size int) {
	t.Helper()
	if int(p.Version) != version || p.Licensee != 0 || p.Flags != 1 || p.GUID == [16]byte{} {
		t.Errorf("version %d, licensee %d, flags %x, GUID %x", p.Version, p.Licensee, p.Flags, p.GUID)
	}
	if version >= 68 && !slices.Equal(p.Generations, []unreal.Generation{{Exports: int32(len(p.Exports)), Names: int32(len(p.Names))}}) {
		t.Errorf("generations %v", p.Generations)
	}
	if version < 68 && (len(p.Heritage) != 1 || p.Heritage[0] != p.GUID) {
		t.Errorf("heritage %x", p.Heritage)
	}
	if p.Names[0].Text != "None" {
		t.Errorf("the first name is %q", p.Names[0].Text)
	}
	seen := map[string]bool{}
	for _, n := range p.Names {
		if key := strings.ToLower(n.Text); seen[key] || len(n.Text) > 63 || n.Flags != 0x00070010 {
			t.Errorf("name %q, flags %08x, twice %v", n.Text, n.Flags, seen[key])
		} else {
			seen[key] = true
		}
	}
	if len(p.OddNames)+len(p.OddImports)+len(p.OddExports) > 0 {
		t.Error("indices that are longer than needed")
	}
	at := p.HeaderSpan.End()
	for _, part := range []struct {
		name string
		unreal.Span
	}{{"heritage", p.HeritageSpan}, {"names", p.NameSpan}} {
		if part.Size > 0 && part.Offset != at {
			t.Errorf("%s at %d, want %d", part.name, part.Offset, at)
		}
		at += part.Size
	}
	for i, e := range p.Exports {
		if int64(e.Offset) != at || e.Size <= 0 {
			t.Errorf("export %d: %d bytes at %d, want %d", i, e.Size, e.Offset, at)
		}
		at += int64(e.Size)
	}
	if p.ImportSpan.Offset != at || p.ExportSpan.Offset != p.ImportSpan.End() || p.ExportSpan.End() != int64(size) {
		t.Errorf("imports %v, exports %v behind %d, of %d bytes", p.ImportSpan, p.ExportSpan, at, size)
	}
	for i, m := range p.Imports {
		class := p.Name(m.ClassPackage) + "." + p.Name(m.ClassName)
		if m.Outer == 0 && class != "Core.Package" || m.Outer != 0 && (class != "Core.Class" || p.Outer(m.Outer) != 0 || m.Outer > 0) {
			t.Errorf("import %d: %s in %d", i, class, m.Outer)
		}
	}
}

// newFlags are the flags of new objects (reference section 1.7).
var newFlags = map[string]uint32{
	"Texture": 0x000F0004, "Sound": 0x000F0004, "Music": 0x000F0004, "LodMesh": 0x000F0004, "SkeletalMesh": 0x000F0004, "Animation": 0x000F0004,
	"Font": 0x000F0004, "Palette": 0x00070004, "Package": 0x00070004, "TextBuffer": 0x00340000,
}

// newPackages are the packages of their classes.
var newPackages = map[string]string{"Package": "Core", "TextBuffer": "Core"}

// checkObject holds an object against the rules of its class.
func checkObject(t *testing.T, a *archive, i int) {
	t.Helper()
	e := &a.Exports[i]
	ref := unreal.Ref(i + 1)
	class, path := a.ClassName(ref), a.RefText(ref)
	if e.Flags != newFlags[class] || e.Super != 0 || e.Outer < 0 || e.Outer > 0 && a.ClassName(e.Outer) != "Package" {
		t.Errorf("%s: flags %08x, super %d, outer %d", path, e.Flags, e.Super, e.Outer)
	}
	if err := unreal.CheckName(a.Name(e.Name)); err != nil {
		t.Error(err)
	}
	pkg := newPackages[class]
	if pkg == "" {
		pkg = "Engine"
	}
	if e.Class >= 0 || a.ObjectName(a.Outer(e.Class)) != pkg {
		t.Errorf("%s: its class is in %s", path, a.ObjectName(a.Outer(e.Class)))
	}
	for k := range a.Exports {
		if x := &a.Exports[k]; k != i && x.Outer == e.Outer && x.Class == e.Class && strings.EqualFold(a.Name(x.Name), a.Name(e.Name)) {
			t.Errorf("%s is there twice", path)
		}
	}
	o, err := a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	switch o := o.(type) {
	case *unreal.Texture:
		checkNewTexture(t, a, o, e.Outer)
	case *unreal.Palette:
		if len(o.Colors) != 256 || slices.ContainsFunc(o.Colors, func(c [4]uint8) bool { return c[3] != 255 }) {
			t.Errorf("%s: %d colours, or one that is not opaque", path, len(o.Colors))
		}
	case *unreal.Sound:
		if a.Name(o.FileType) != "wav" || !bytes.HasPrefix(o.Data, []byte("RIFF")) {
			t.Errorf("%s: type %q", path, a.Name(o.FileType))
		}
	case *unreal.Music:
		if a.Name(o.FileType) != unreal.ModuleType(o.Data) {
			t.Errorf("%s: type %q", path, a.Name(o.FileType))
		}
	case *unreal.LodMesh:
		checkNewMesh(t, o)
	case *unreal.SkeletalMesh:
		if err := mesh.Check(o); err != nil || a.ClassName(o.Animation) != "Animation" || len(o.LocalPoints) != len(o.Weights) || len(o.BoneWeights) != len(o.Bones) {
			t.Errorf("%s: %v", path, err)
		}
	case *unreal.Object:
		if class == "Package" && e.Size != 1 {
			t.Errorf("%s: %d bytes", path, e.Size)
		}
	}
}

func checkNewTexture(t *testing.T, a *archive, o *unreal.Texture, outer unreal.Ref) {
	t.Helper()
	side := max(o.Mips[0].USize, o.Mips[0].VSize)
	last := o.Mips[len(o.Mips)-1]
	if len(o.Mips) != int(math.Log2(float64(side)))+1 || last.USize != 1 || last.VSize != 1 {
		t.Errorf("%s: %d mips of a side of %d", o.Path, len(o.Mips), side)
	}
	want := []string{"bMasked", "Palette", "UBits", "VBits", "USize", "VSize", "UClamp", "VClamp", "MipZero", "MaxColor"}
	at := 0
	for i := range o.Properties {
		k := slices.Index(want[at:], a.Name(o.Properties[i].Name))
		if k < 0 {
			t.Errorf("%s: property %s is out of order", o.Path, a.Name(o.Properties[i].Name))
			continue
		}
		at += k + 1
	}
	bits := func(n uint32) int32 { return int32(math.Log2(float64(n))) }
	if o.Number("USize", -1) != int32(o.Mips[0].USize) || o.Number("VClamp", -1) != int32(o.Mips[0].VSize) || o.Number("UBits", 0) != bits(uint32(o.Mips[0].USize)) || o.Property("MipZero", 0) == nil || o.Property("MaxColor", 0) == nil {
		t.Errorf("%s: properties %+v", o.Path, o.Properties)
	}
	palette := o.Ref("Palette")
	if palette <= 0 || a.ClassName(palette) != "Palette" || a.Exports[palette-1].Outer != outer {
		t.Errorf("%s: palette %s", o.Path, a.RefText(palette))
	}
}

func checkNewMesh(t *testing.T, m *unreal.LodMesh) {
	t.Helper()
	all := m.Sequences[0]
	if m.Package.Name(all.Name) != "All" || all.Start != 0 || all.Frames != m.AnimFrames {
		t.Errorf("%s: the first sequence is %+v", m.Path, all)
	}
	if len(m.Boxes) != int(m.AnimFrames) || len(m.Spheres) != len(m.Boxes) || len(m.Vertices) != int(m.FrameVerts*m.AnimFrames) {
		t.Errorf("%s: %d boxes, %d spheres, %d vertices", m.Path, len(m.Boxes), len(m.Spheres), len(m.Vertices))
	}
	for f, b := range m.Boxes {
		box, sphere := boundOf(m.Vertices[f*int(m.FrameVerts) : (f+1)*int(m.FrameVerts)])
		if m.Package.Version < unreal.LazyVersion {
			sphere.Radius = m.Spheres[f].Radius // not stored
		}
		if b != box || m.Spheres[f] != sphere {
			t.Errorf("%s: frame %d: box %v, sphere %v", m.Path, f, b, m.Spheres[f])
		}
	}
	most := int32(-1)
	for _, k := range m.Materials {
		most = max(most, k.Texture)
	}
	if len(m.Textures) != int(most+1) || m.Package.Version > 65 && len(m.TextureLOD) != len(m.Textures) {
		t.Errorf("%s: %d textures, the highest index is %d", m.Path, len(m.Textures), most)
	}
	if m.Strength != 0 || m.ScaleMax != 0 || int(m.ModelVerts) != int(m.FrameVerts) || len(m.CollapsePoints) != int(m.ModelVerts) ||
		!slices.IsSortedFunc(m.Wedges, func(a, b unreal.Wedge) int { return int(a.Vertex) - int(b.Vertex) }) ||
		!slices.IsSortedFunc(m.Faces, func(a, b unreal.Face) int { return int(a.Material) - int(b.Material) }) {
		t.Errorf("%s: strength %v, %d collapse points", m.Path, m.Strength, len(m.CollapsePoints))
	}
}

// boundOf returns the box of vertices, and the sphere about its centre that holds them.
func boundOf(vertices [][3]int16) (b unreal.Box, s unreal.Sphere) {
	b.Valid = 1
	for k := range 3 {
		of := func(v [3]int16) int16 { return v[k] }
		least := slices.MinFunc(vertices, func(v, w [3]int16) int { return int(of(v)) - int(of(w)) })
		most := slices.MaxFunc(vertices, func(v, w [3]int16) int { return int(of(v)) - int(of(w)) })
		b.Min[k], b.Max[k] = float32(of(least)), float32(of(most))
		s.Center[k] = (b.Min[k] + b.Max[k]) / 2
	}
	for _, v := range vertices {
		d := mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}.Sub(scene.Wide3(s.Center))
		s.Radius = max(s.Radius, float32(math.Sqrt(d.Dot(d))))
	}
	return b, s
}

// A vertex moved in any mesh of the corpus moves there; faces and levels of detail stay, whatever the order of the
// triangles is.
func TestMovedVertices(t *testing.T) {
	meshes := 0
	for _, e := range valid(t) {
		a := openBytes(t, e.File, corpus.Bytes(t, e.Path))
		for i := range a.Exports {
			if class := a.Layout(i); class != "Mesh" && class != "LodMesh" {
				continue
			}
			path := a.entries[i].Path
			old, err := a.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			x := framesOf(old)
			if lod, ok := old.(*unreal.LodMesh); len(x.faces) == 0 || x.mesh.AnimFrames == 0 || ok && len(lod.Remap) > 0 {
				continue
			}
			meshes++
			s := through(t, lifted(t, a, path)).(*asset.Scene)
			from := x.faces[0][0].vertex
			v := x.mesh.Vertices[from]
			at := space.Vertex.Point([3]float32{float32(v[0]), float32(v[1]), float32(v[2])})
			done := map[*[3]float32]bool{}
			for _, p := range s.Meshes[0].Primitives {
				slices.Reverse(p.Indices)
				for k := 0; k+2 < len(p.Indices); k += 3 {
					p.Indices[k], p.Indices[k+1] = p.Indices[k+1], p.Indices[k]
				}
				for k := range p.Positions {
					if !done[&p.Positions[k]] && p.Positions[k] == at {
						done[&p.Positions[k]] = true
						p.Positions[k][1] -= sign(at[1]) // towards the middle, so that it fits
					}
				}
			}
			n := replaced(t, a, path, s)
			o, err := n.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			y := framesOf(o)
			if !slices.Equal(y.faces, x.faces) || len(y.mesh.Vertices) != len(x.mesh.Vertices) {
				t.Errorf("%s: %s: %d faces, had %d", e.File, path, len(y.faces), len(x.faces))
				continue
			}
			if v, w := x.mesh.Vertices[from], y.mesh.Vertices[from]; float32(v[2]-w[2]) != sign(at[1]) || v[0] != w[0] || v[1] != w[1] {
				t.Errorf("%s: %s: vertex %d went from %v to %v", e.File, path, from, v, w)
			}
		}
	}
	t.Logf("%d meshes", meshes)
}

// frames are the faces of a vertex mesh, and how many stored vertices a frame has.
type frames struct {
	mesh   *unreal.Mesh
	faces  [][3]meshCorner
	stride int
}

// meshCorner is a corner by its vertex within a frame.
type meshCorner struct {
	vertex   int
	uv       [2]uint8
	material int
}

func framesOf(o unreal.AnyObject) (x frames) {
	if m, ok := o.(*unreal.Mesh); ok {
		x.mesh, x.stride = m, int(m.FrameVerts)
		for _, t := range m.Triangles {
			if int(max(t.Vertices[0], t.Vertices[1], t.Vertices[2])) >= x.stride {
				continue // it is left out
			}
			var f [3]meshCorner
			for k := range f {
				f[k] = meshCorner{int(t.Vertices[k]), t.UV[k], int(t.Texture)}
			}
			x.faces = append(x.faces, f)
		}
		return x
	}
	m := o.(*unreal.LodMesh)
	x.mesh, x.stride = &m.Mesh, int(m.FrameVerts)
	if len(m.Remap) > 0 {
		x.stride = int(m.OldFrameVerts)
	}
	for _, q := range m.Faces {
		var f [3]meshCorner
		for k, w := range q.Wedges {
			v := int(m.Wedges[w].Vertex) + int(m.SpecialVerts)
			if len(m.Remap) > 0 {
				v = int(m.Remap[v])
			}
			f[k] = meshCorner{v, m.Wedges[w].UV, int(q.Material)}
		}
		x.faces = append(x.faces, f)
	}
	return x
}

func sign(x float32) float32 {
	if x < 0 {
		return -1
	}
	return 1
}
