package freelancer_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	readmedia "github.com/usher-assets/usher/read/media"
	writemedia "github.com/usher-assets/usher/write/media"
)

// noise returns bytes of no order, so that no encoder makes the same and no level follows from a larger one.
func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// noisyDDS is a DDS file of noise, 16 × 16 pixels in three levels.
func noisyDDS(f media.DDSFormat, caps2 uint32) *media.DDS {
	x := &media.DDS{HeaderSize: 124, Flags: 0xA1006, Width: 16, Height: 16, MipCount: 3, Caps: 0x401008, Caps2: caps2, Format: f}
	x.Format.Size = 32
	for k := range 3 * x.Faces() {
		x.Levels = append(x.Levels, noise(x.LevelBytes(k%3)))
	}
	return x
}

// unit is where the bytes of a pixel are in a level: of the block that it is in, or its own.
func unit(x *media.DDS, mip, px, py int) (at, size int) {
	w, h := x.LevelSize(mip)
	px, py = px>>mip, h-1-py>>mip // the lowest row is the first
	if size := x.Format.Block(); size > 0 {
		return size * (py/4*((w+3)/4) + px/4), size
	}
	size = int(x.Format.Bits) / 8
	return size * (py*w + px), size
}

// ddsFile makes the file, and the format of the leaf that holds it.
func ddsFile(t *testing.T, x *media.DDS) ([]byte, *format.Format) {
	t.Helper()
	b, err := writemedia.DDS(x)
	if err != nil {
		t.Fatal(err)
	}
	leaf := "MIPS"
	if x.Faces() > 1 {
		leaf = "CUBE"
	}
	tree := freelancer.NewTree()
	tree.Root.Add(freelancer.NewDir(freelancer.TextureLibrary, freelancer.NewDir("a.dds", freelancer.NewLeaf(leaf, b))))
	file := treeBytes(t, tree)
	return b, open(t, sniff(t, "a.txm", file), file).Entries()[0].Format
}

func liftPicture(t *testing.T, f *format.Format, b []byte) *asset.Texture {
	t.Helper()
	v, err := f.Read(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Lift(v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a.(*asset.Texture)
}

func lowerPicture(t *testing.T, f *format.Format, a *asset.Texture) []byte {
	t.Helper()
	v, err := f.Lower(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Write(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func faceOf(a *asset.Texture, face int) *asset.Image {
	if face > 0 {
		return &a.Frames[0].Faces[face-1]
	}
	return a.Base()
}

var ddsFormats = map[string]media.DDSFormat{
	"DXT1": {Flags: media.DDSFourCC, FourCC: media.FourCC{'D', 'X', 'T', '1'}},
	"DXT3": {Flags: media.DDSFourCC, FourCC: media.FourCC{'D', 'X', 'T', '3'}},
	"DXT5": {Flags: media.DDSFourCC, FourCC: media.FourCC{'D', 'X', 'T', '5'}},
	"565":  {Flags: media.DDSRGB, Bits: 16, Red: 0xF800, Green: 0x07E0, Blue: 0x001F},
	"8888": {Flags: media.DDSRGB | media.DDSAlphaPixels, Bits: 32, Red: 0xFF0000, Green: 0xFF00, Blue: 0xFF, Alpha: 0xFF000000},
	"x888": {Flags: media.DDSRGB, Bits: 32, Red: 0xFF0000, Green: 0xFF00, Blue: 0xFF},
}

// TestOnePixelOfDDS edits one pixel of one face: of each level of that face the block changes that shows the pixel, and
// no other byte of the file does. The pixel is red among black ones, which every format can show.
func TestOnePixelOfDDS(t *testing.T) {
	for name, f := range ddsFormats {
		for _, c := range []struct {
			caps2 uint32
			face  int
			x, y  int
		}{{0, 0, 0, 0}, {0, 0, 13, 5}, {media.DDSCube | media.DDSFaces, 0, 2, 14}, {media.DDSCube | media.DDSFaces, 4, 15, 15}} {
			t.Run(fmt.Sprint(name, c), func(t *testing.T) {
				x := noisyDDS(f, c.caps2)
				for mip := range 3 {
					at, size := unit(x, mip, c.x, c.y)
					b := x.Level(c.face, mip)[at : at+size]
					clear(b)
					if f.Block() == media.BC3Block {
						copy(b, bytes.Repeat([]byte{255}, 8)) // opaque
					}
				}
				if f.Block() == 0 { // all that the pixel of a smaller level is made of
					for i := range 16 {
						at, size := unit(x, 0, c.x&^3+i%4, c.y&^3+i/4)
						clear(x.Level(c.face, 0)[at : at+size])
						if f.Alpha != 0 {
							x.Level(c.face, 0)[at+3] = 255
						}
					}
				}
				before, leaf := ddsFile(t, x)
				a := liftPicture(t, leaf, before)
				want := faceOf(a, c.face)
				copy(want.Pix[4*(c.y*16+c.x):], []byte{255, 0, 0, 255})
				after := lowerPicture(t, leaf, a)

				y, err := readmedia.DDS(after, nil)
				if err != nil {
					t.Fatal(err)
				}
				for k, level := range x.Levels {
					at, size := 0, 0
					if k/3 == c.face {
						at, size = unit(x, k%3, c.x, c.y)
						if bytes.Equal(y.Levels[k][at:at+size], level[at:at+size]) {
							t.Errorf("level %d does not show the edit", k)
						}
					}
					if !bytes.Equal(y.Levels[k][:at], level[:at]) || !bytes.Equal(y.Levels[k][at+size:], level[at+size:]) {
						t.Errorf("level %d changed away from the edit", k)
					}
				}
				b := liftPicture(t, leaf, after)
				if got := faceOf(b, c.face); !bytes.Equal(got.Pix, want.Pix) {
					t.Error("the picture is another than the one that was given")
				}
				if c.face > 0 {
					return
				}
				for mip := 1; mip < 3; mip++ {
					m := &b.Frames[0].Mips[mip]
					p := m.Pix[4*((c.y>>mip)*m.Width+c.x>>mip):]
					if red := 255 >> (2 * mip); int(p[0]) < red-8 || int(p[0]) > red+8 {
						t.Errorf("level %d shows %v, want red of %d", mip, p[:4], red)
					}
				}
			})
		}
	}
}

// TestColourThatIsNotSeen takes a picture through an editor that drops the colour of transparent pixels, which is no
// edit, and one that gives them another, which is.
func TestColourThatIsNotSeen(t *testing.T) {
	x := noisyDDS(ddsFormats["8888"], 0)
	for i := range 16 * 16 {
		x.Levels[0][4*i+3] = byte(i % 2 * 255)
	}
	before, leaf := ddsFile(t, x)
	for _, color := range []byte{0, 255, 77} {
		a := liftPicture(t, leaf, before)
		copy(a.Base().Pix[4:], []byte{1, 2, 3, 255})
		for i := 0; i < 16*16; i++ {
			if p := a.Base().Pix[4*i:]; p[3] == 0 {
				p[0], p[1], p[2] = color, color, color
			}
		}
		y, err := readmedia.DDS(lowerPicture(t, leaf, a), nil)
		if err != nil {
			t.Fatal(err)
		}
		changed := 0
		for i := range 16 * 16 {
			if !bytes.Equal(y.Levels[0][4*i:4*i+4], x.Levels[0][4*i:4*i+4]) {
				changed++
			}
		}
		if all := color == 77; all != (changed > 100) || !all && changed != 1 {
			t.Errorf("colour %d: %d pixels changed", color, changed)
		}
	}
}

// TestResizedDDS gives a picture of another size: nothing of the old one stays.
func TestResizedDDS(t *testing.T) {
	before, leaf := ddsFile(t, noisyDDS(ddsFormats["DXT1"], 0))
	a := liftPicture(t, leaf, before)
	large := asset.NewImage(32, 32, asset.RGBA8)
	for i := range 32 * 32 {
		copy(large.Pix[4*i:4*i+4], a.Base().Pix[4*(i/64*16+i%32/2):])
	}
	*a.Base() = large
	y, err := readmedia.DDS(lowerPicture(t, leaf, a), nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readmedia.BC1(y.Levels[1], 16, 16)
	if y.Width != 32 || len(y.Levels) != 4 || err != nil || bytes.Equal(y.Levels[1], before[128:256]) {
		t.Errorf("%d pixels wide, %d levels of which the second shows %v (%v)", y.Width, len(y.Levels), m[:4], err)
	}
}

// TestResizedTargas: of a picture that becomes smaller the levels go that it is too small for, in a library and by way of a model; a
// larger one keeps as many as there were.
func TestResizedTargas(t *testing.T) {
	for size, want := range map[uint16]string{8: "8 4 2", 4: "4 2 1", 2: "2 1", 1: "1", 16: "16 8 4"} {
		sizes := func(leaves []*freelancer.Node) string {
			var list []string
			for _, l := range leaves {
				x, err := readmedia.TGA(l.Data, nil)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, fmt.Sprint(x.Width))
			}
			return strings.Join(list, " ")
		}
		a := targas(t, mips(t, 0, 0, 0)...)
		var out bytes.Buffer
		for _, n := range []uint16{1, size} { // the last one counts
			if err := a.Replace(0, targa(t, media.TGA{ImageType: 2, Bits: 24, Width: n, Height: n})); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := a.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		x, err := read.UTF(out.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := sizes(x.Root.Child(freelancer.TextureLibrary).Child("a.tga").Children); got != want {
			t.Errorf("of %d pixels, in a library: %s", size, got)
		}
		dir := freelancer.NewDir("a.tga", mips(t, 0, 0, 0)...)
		e := &freelancer.TextureEntry{Name: "a.tga", Form: freelancer.TGATexture, Node: dir, Leaves: slices.Clone(dir.Children)}
		m := asset.NewImage(int(size), int(size), asset.RGBA8)
		if err := texture.Update(e, &m, "", 0, nil); err != nil {
			t.Fatal(err)
		}
		if got := sizes(dir.Children); got != want || sizes(e.Leaves) != want {
			t.Errorf("of %d pixels, of a model: %s and %s", size, got, sizes(e.Leaves))
		}
	}
}

// mips are the leaves of a texture of three Targas of noise; the largest is black where the pixel is.
func mips(t *testing.T, descriptor uint8, px, py int) (list []*freelancer.Node) {
	for mip, name := range [...]string{"MIP0", "MIP1", "MIP2"} {
		x := media.TGA{ImageType: 2, Bits: 24, Width: 8 >> mip, Height: 8 >> mip, Descriptor: descriptor, Pixels: noise(3 * 64 >> (2 * mip))}
		for i := range 16 {
			if at := targaPixel(&x, px&^3+i%4, py&^3+i/4); mip == 0 {
				clear(x.Pixels[at : at+3])
			}
		}
		list = append(list, freelancer.NewLeaf(name, targa(t, x)))
	}
	return list
}

// targaPixel is where a pixel, counted from the upper left, is stored.
func targaPixel(x *media.TGA, px, py int) int {
	if x.Descriptor&media.TGAFromTop == 0 {
		py = int(x.Height) - 1 - py
	}
	return 3 * (py*int(x.Width) + px)
}

// onePixelOfTargas checks that of each level just the pixel changed that shows an edit.
func onePixelOfTargas(t *testing.T, before, after []*freelancer.Node, px, py int) {
	t.Helper()
	for mip := range before {
		x, err := readmedia.TGA(before[mip].Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		y, err := readmedia.TGA(after[mip].Data, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := targaPixel(x, px>>mip, py>>mip)
		red := 255 >> (2 * mip)
		if p := y.Pixels[at : at+3]; p[0] != 0 || p[1] != 0 || int(p[2]) < red || int(p[2]) > red+1 {
			t.Errorf("level %d shows %v, want red of %d", mip, p, red)
		}
		if !bytes.Equal(y.Pixels[:at], x.Pixels[:at]) || !bytes.Equal(y.Pixels[at+3:], x.Pixels[at+3:]) {
			t.Errorf("level %d changed away from the edit", mip)
		}
	}
}

// TestOnePixelOfTargas edits one pixel of the largest level of a texture whose levels are files of their own, in a
// library and by way of a model.
func TestOnePixelOfTargas(t *testing.T) {
	const px, py = 6, 1
	red := []byte{255, 0, 0, 255}
	for name, descriptor := range map[string]uint8{"from below": 0, "from the top": media.TGAFromTop} {
		t.Run(name, func(t *testing.T) {
			before := mips(t, descriptor, px, py)
			a := targas(t, before...)
			payload := bytes.Clone(before[0].Data)
			leaf := a.Entries()[0].Format
			x := liftPicture(t, leaf, payload)
			copy(x.Base().Pix[4*(py*8+px):], red)
			if err := a.Replace(0, lowerPicture(t, leaf, x)); err != nil {
				t.Fatal(err)
			}
			var after []*freelancer.Node
			for i := range before {
				b, _ := a.Payload(i)
				after = append(after, freelancer.NewLeaf("", b))
			}
			onePixelOfTargas(t, before, after, px, py)
		})
		t.Run("model "+name, func(t *testing.T) {
			tree, err := read.UTF(corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")), nil)
			if err != nil {
				t.Fatal(err)
			}
			before := mips(t, descriptor, px, py)
			library := tree.Root.Child(freelancer.TextureLibrary)
			for _, dir := range library.Children {
				dir.Children = nil
				for _, l := range before {
					dir.Add(freelancer.NewLeaf(l.Name, l.Data))
				}
			}
			fm := byName(t, "cmp")
			s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", treeBytes(t, tree), nil), nil))
			_, nodes := where(s)
			x := nodes["wing"].Mesh.Primitives[0].Material.BaseColorTexture.Texture
			copy(x.Base().Pix[4*(py*8+px):], red)
			x.File = nil
			out, err := read.UTF(lower(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), nil), nil)
			if err != nil {
				t.Fatal(err)
			}
			edited := 0
			for _, dir := range out.Root.Child(freelancer.TextureLibrary).Children {
				if !bytes.Equal(dir.Child("MIP0").Data, before[0].Data) {
					onePixelOfTargas(t, before, dir.Children, px, py)
					edited++
				}
			}
			if edited != 1 {
				t.Errorf("%d textures changed", edited)
			}
		})
	}
}
