package ultima9

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

var update = flag.Bool("update", false, "write the samples of testdata/ultima9")

// samplePalette is a cube of 6 x 6 x 6 colours between the indices that the game's tools used, and greys around it.
func samplePalette(t testing.TB) []byte {
	p := new(ultima9.Palette)
	for i := range p.Colors {
		p.Colors[i] = [4]uint8{uint8(i), uint8(i), uint8(i), 0}
		if k := i - ultima9.FirstFree; k >= 0 && k < 216 {
			p.Colors[i] = [4]uint8{uint8(k / 36 * 51), uint8(k / 6 % 6 * 51), uint8(k % 6 * 51), 0}
		}
	}
	return u9.Do(write.Palette(p))(t)
}

// samplePicture is a gradient with a bright upper left corner, so that a picture upside down or mirrored is seen, and
// with a hole in the middle.
func samplePicture(w, h, shift int, hole bool) asset.Image {
	m := asset.NewImage(w, h, asset.RGBA8)
	for y := range h {
		for x := range w {
			p := m.Pix[4*(y*w+x):]
			p[0], p[1], p[2], p[3] = uint8(255*x/w), uint8(255*y/h), uint8((128+40*shift)%256), 255
			if x < w/4 && y < h/4 {
				p[0], p[1], p[2] = 255, 255, 0
			}
			if dx, dy := x-w/2, y-h/2; hole && 16*(dx*dx+dy*dy) < h*h {
				p[3] = 0
			}
		}
	}
	return m
}

// sampleTextures has a texture of each format in slots 1 to 7, keyed ones in 8 and 9, and an animation in 10.
func sampleTextures(t testing.TB, env *format.Env) []byte {
	a := ultima9.NewArchive(12)
	put := func(slot int, kind ultima9.PixelFormat, hole bool, frames int) {
		x := &asset.Texture{FPS: float32(5 * (frames - 1)), Native: &asset.Native{Format: texture.Name, Values: map[string]any{"format": kind.String()}}}
		for i := range frames {
			x.Frames = append(x.Frames, asset.Frame{Mips: []asset.Image{samplePicture(16, 12, i, hole)}})
		}
		u9.Must(t, a.Replace(slot, u9.Do(write.Texture(u9.Do(Texture.Lower(x, env))(t)))(t)))
	}
	for kind := ultima9.P8; kind <= ultima9.BC1; kind++ {
		put(int(kind), kind, false, 1)
	}
	put(8, ultima9.P8, true, 1)
	put(9, ultima9.RGB565, true, 1)
	put(10, ultima9.RGB565, false, 3)
	return archiveBytes(t, a)
}

func archiveBytes(t testing.TB, a *ultima9.Archive) []byte {
	t.Helper()
	var w bytes.Buffer
	u9.Must(t, write.FLX(&w, a))
	return w.Bytes()
}

// sampleInfos describes the textures.
func sampleInfos(t testing.TB, textures []byte) []byte {
	from := u9.Do(openFLX(bytes.NewReader(textures), int64(len(textures)), nil))(t)
	a := ultima9.NewArchive(12)
	for i, e := range from.Entries() {
		s := u9.Do(read.Texture(u9.Do(from.Payload(i))(t), nil))(t)
		info := &ultima9.SDInfo{Unknown0C: uint32(i)}
		info.Describe(s)
		u9.Must(t, a.Replace(u9.Do(strconv.Atoi(e.Path))(t), u9.Do(write.SDInfo(info))(t)))
	}
	return archiveBytes(t, a)
}

// boxMesh is a box in metres, each side of its own.
func boxMesh(size [3]float32, m *asset.Material) *asset.Mesh {
	p := &asset.Primitive{TexCoords: make([][][2]float32, 1), Material: m}
	for axis := range 3 {
		for _, sign := range [2]float32{-1, 1} {
			var n [3]float32
			n[axis] = sign
			first := uint32(len(p.Positions))
			for k := range 4 {
				u, v := float32(k&1), float32(k>>1)
				var at [3]float32
				at[axis] = sign * size[axis] / 2
				at[(axis+1)%3] = (u - 0.5) * size[(axis+1)%3] * sign
				at[(axis+2)%3] = (v - 0.5) * size[(axis+2)%3]
				p.Positions, p.Normals = append(p.Positions, at), append(p.Normals, n)
				p.TexCoords[0] = append(p.TexCoords[0], [2]float32{u, 1 - v})
			}
			p.Indices = append(p.Indices, first, first+1, first+3, first, first+3, first+2)
		}
	}
	return &asset.Mesh{Primitives: []*asset.Primitive{p}}
}

// sampleBody is a model of three limbs with two levels of detail and a place to hold things.
func sampleBody(t testing.TB) []byte {
	skin, cloth := asset.NewMaterial("texture_2"), asset.NewMaterial("texture_9")
	cloth.Alpha = asset.Mask
	limb := func(id int, at, size [3]float32, m *asset.Material, coarse bool) *asset.Node {
		n := asset.NewNode(fmt.Sprintf("limb_%d", id))
		n.Transform.Translation = at
		n.Mesh = boxMesh(size, m)
		if coarse {
			c := asset.NewNode(n.Name + "_lod1")
			c.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 0, 0}, {size[0], 0, 0}, {0, size[1], 0}}, Material: m}}}
			n.Children = append(n.Children, c)
		}
		return n
	}
	pelvis := limb(1, [3]float32{0, 1, 0}, [3]float32{0.5, 0.25, 0.25}, cloth, true)
	torso := limb(2, [3]float32{0, 0.5, 0}, [3]float32{0.5, 0.75, 0.25}, skin, true)
	hand := limb(6, [3]float32{0.5, 0.25, 0}, [3]float32{0.25, 0.25, 0.25}, skin, false)
	mount := asset.NewNode("limb_6_mount")
	mount.Mesh = &asset.Mesh{Primitives: []*asset.Primitive{{Positions: [][3]float32{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}}}}}
	hand.Children = []*asset.Node{mount}
	pelvis.Children, torso.Children = append(pelvis.Children, torso), append(torso.Children, hand)
	m := u9.Do(Sappear.Lower(&asset.Scene{Roots: []*asset.Node{pelvis}}, nil))(t)
	m.Thresholds = [4]int32{200, 600}
	return u9.Do(write.Sappear(m))(t)
}

// sampleModels has the body in slot 3 and a textured box in slot 5.
func sampleModels(t testing.TB) []byte {
	a := ultima9.NewArchive(8)
	u9.Must(t, a.Replace(3, sampleBody(t)))
	box := asset.NewNode("box")
	box.Mesh = boxMesh([3]float32{1, 1, 1}, asset.NewMaterial("texture_7"))
	u9.Must(t, a.Replace(5, u9.Do(write.Sappear(u9.Do(Sappear.Lower(&asset.Scene{Roots: []*asset.Node{box}}, nil))(t)))(t)))
	return archiveBytes(t, a)
}

// sampleClips has a clip of the body in slot 2.
func sampleClips(t testing.TB) []byte {
	clip := &ultima9.Anim{ID: 2, Start: 10, End: 14, FrameCount: 5, FPS: 30, Interval: 33, Source: "nod.lws", Registry: []int32{1, 2, 300, -17},
		Events: []ultima9.AnimEvent{{Time: 66, Type: ultima9.EventFootstep, Parameter: 1}, {Time: 132, Type: ultima9.EventEnd}}}
	turns := [5][2]float32{{1, 0}, {0.8, 0.6}, {0.6, 0.8}, {0.96, -0.28}, {1, 0}}
	for k, name := range []string{"PELVIS", "TORSO", "Light"} {
		p := ultima9.AnimPart{ID: clip.Registry[k], Name: name}
		for i := range 5 {
			turn := turns[(i+k)%5]
			p.Frames = append(p.Frames, ultima9.AnimFrame{Time: int32(33 * i), Rotation: [4]float32{turn[0], turn[1], 0, 0},
				Position: [3]float32{0, float32(i), 40}, Scale: [3]float32{1, 1, 1}})
		}
		clip.Parts = append(clip.Parts, p)
	}
	a := ultima9.NewArchive(4)
	u9.Must(t, a.Replace(2, u9.Do(write.Anim(clip))(t)))
	return archiveBytes(t, a)
}

func sampleNames(t testing.TB) []byte {
	a := ultima9.NewArchive(4)
	for i, name := range []string{"", "wooden box", "", "traveller"} {
		u9.Must(t, a.Replace(i, u9.Do(write.TypeName(ultima9.NewTypeName(0, ultima9.DefaultIcon, name)))(t)))
	}
	return archiveBytes(t, a)
}

// sampleEnv finds the samples' own palette and textures.
func sampleEnv(t testing.TB, name string) *format.Env {
	return &format.Env{Name: name, Files: u9.Folders{corpus.Testdata(t, "ultima9")}, Options: format.Options{Effort: media.Best}}
}

// The samples are what our writers make of the values above; -update writes them.
func TestSamples(t *testing.T) {
	check := func(name string, b []byte) {
		t.Helper()
		path := corpus.Testdata(t, "ultima9", name)
		if *update {
			u9.Must(t, os.WriteFile(path, b, 0o644))
		}
		corpus.SameBytes(t, name, b, corpus.Bytes(t, path))
	}
	check("ankh.pal", samplePalette(t))
	textures := sampleTextures(t, sampleEnv(t, ""))
	check("bitmap16.flx", textures)
	check("sdInfo16.flx", sampleInfos(t, textures))
	check("sappear.flx", sampleModels(t))
	check("indexed.mesh", sampleIndexed(t))
	check("models.flx", sampleMixed(t))
	check("anim.flx", sampleClips(t))
	check("typename.flx", sampleNames(t))
	check("registry.txt", []byte("// limbs of the sample body\r\n\r\n1 PELVIS\r\n2 TORSO\r\n6 HAND\r\n"))
}

// Every record of the samples comes back as the same bytes, by way of an asset and the file it is exchanged in.
func TestSamplesThereAndBack(t *testing.T) {
	n := 0
	for _, name := range []string{"bitmap16.flx", "sappear.flx", "anim.flx", "typename.flx"} {
		env := sampleEnv(t, name)
		if name == "anim.flx" {
			env.Options.Model = "sappear.flx:3"
		}
		f := openFile(t, corpus.Testdata(t, "ultima9", name), env)
		env.Archive = f
		for i, e := range f.Entries() {
			n++
			env.Entry = e.Path
			b := u9.Do(f.Payload(i))(t)
			v := u9.Do(e.Format.Read(b, nil))(t)
			corpus.SameBytes(t, name+" read and written", u9.Do(e.Format.Write(v))(t), b)
			a := u9.Do(e.Format.Lift(v, env))(t)
			switch x := a.(type) {
			case *asset.Texture:
				a = u9.ThroughPNG(t, x)
			case *asset.Scene:
				a = u9.ThroughGLB(t, "sample "+name+" "+e.Path, x)
			}
			corpus.SameBytes(t, name+" lifted and lowered", u9.Do(e.Format.Write(u9.Do(e.Format.Lower(a, env))(t)))(t), b)
		}
	}
	if n != 17 {
		t.Errorf("%d records", n)
	}
}

func TestSampleBody(t *testing.T) {
	m := u9.Do(read.Sappear(sampleBody(t), nil))(t)
	if m.LODs != 2 || len(m.Limbs) != 3 || m.Limbs[2].Parent != 2 || m.Limbs[2].Position != [3]float32{20, 0, 10} || len(m.Limbs[2].LODs[0].MountFaces) != 1 || !m.Limbs[2].LODs[1].Empty() {
		t.Errorf("%+v", m)
	}
	if m.BoxMin != [3]float32{-10, -5, 35} || m.BoxMax != [3]float32{25, 5, 75} {
		t.Errorf("box %v %v", m.BoxMin, m.BoxMax)
	}
	if x := m.Limbs[0].LODs[0].Materials[0]; x.Texture != 9 || x.Flags != ultima9.RenderChromaKey || x.FaceCount != 12 {
		t.Errorf("%+v", x)
	}
}
