package freelancer_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/schema/media"

	read "github.com/usher-assets/usher/read/freelancer"
	readmedia "github.com/usher-assets/usher/read/media"
	write "github.com/usher-assets/usher/write/freelancer"
	writemedia "github.com/usher-assets/usher/write/media"
)

// targas opens a library of one texture whose levels are the given Targas, in the given order of leaves.
func targas(t *testing.T, levels ...*freelancer.Node) format.ArchiveFile {
	t.Helper()
	tree := freelancer.NewTree()
	tree.Root.Add(freelancer.NewDir(freelancer.TextureLibrary, freelancer.NewDir("a.tga", levels...)))
	b, err := write.UTF(tree)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, sniff(t, "a.txm", b), b)
}

func targa(t *testing.T, x media.TGA) []byte {
	t.Helper()
	if x.Pixels == nil {
		x.Pixels = make([]byte, x.RawSize())
	}
	b, err := writemedia.TGA(&x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTargaKind lays another picture into Targas of several kinds.
func TestTargaKind(t *testing.T) {
	grey, half, red := asset.RGBA{90, 90, 90, 255}, asset.RGBA{90, 90, 90, 100}, asset.RGBA{200, 16, 8, 255}
	map32 := make([]byte, 4*256)
	for _, c := range []struct {
		name  string
		like  media.TGA
		color asset.RGBA
		kind  uint8
		bits  uint8 // of a pixel, or of a colour of the map
		loss  bool
	}{
		{"runs", media.TGA{ImageType: 10, Bits: 24, Pixels: []byte{0x83, 0, 0, 0, 0x83, 0, 0, 0}}, red, 10, 24, false},
		{"palette with alpha", media.TGA{ImageType: 1, MapType: 1, MapLength: 256, MapBits: 32, Map: map32, Bits: 8}, red, 1, 32, false},
		{"grey", media.TGA{ImageType: 3, Bits: 8}, grey, 3, 8, false},
		{"grey that gets colour", media.TGA{ImageType: 3, Bits: 8}, red, 2, 24, false},
		{"grey that gets alpha", media.TGA{ImageType: 3, Bits: 8}, half, 2, 32, false},
		{"alpha in 32 bits", media.TGA{ImageType: 2, Bits: 32}, half, 2, 32, false},
		{"alpha in 24 bits", media.TGA{ImageType: 2, Bits: 24}, half, 2, 32, false},
		{"alpha in 16 bits", media.TGA{ImageType: 2, Bits: 16}, half, 2, 32, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.like.Width, c.like.Height = 4, 2
			stored := targa(t, c.like)
			f := targas(t, freelancer.NewLeaf("MIP0", stored)).Entries()[0].Format
			lift := func(b []byte) *asset.Texture {
				v, err := f.Read(b, nil)
				if err != nil {
					t.Fatal(err)
				}
				x, err := f.Lift(v, nil)
				if err != nil {
					t.Fatal(err)
				}
				return x.(*asset.Texture)
			}
			x := lift(stored)
			for i := range 8 {
				copy(x.Base().Pix[4*i:], c.color[:])
			}
			env := &format.Env{Diagnostics: new(schema.Diagnostics)}
			v, err := f.Lower(x, env)
			if err != nil {
				t.Fatal(err)
			}
			b, err := f.Write(v)
			if err != nil {
				t.Fatal(err)
			}
			now, err := readmedia.TGA(b, nil)
			if err != nil {
				t.Fatal(err)
			}
			bits := now.Bits
			if now.MapType == 1 {
				bits = now.MapBits
			}
			if now.ImageType != c.kind || bits != c.bits {
				t.Errorf("type %d of %d bits, want %d of %d", now.ImageType, bits, c.kind, c.bits)
			}
			if env.Diagnostics.Has("texture-alpha") != c.loss {
				t.Errorf("%v", env.Diagnostics.All())
			}
			if p := lift(b).Base().Pix[:4]; !c.loss && !bytes.Equal(p, c.color[:]) {
				t.Errorf("the picture is %v, want %v", p, c.color)
			}
		})
	}
}

// TestSmallerLevels replaces two levels of a texture in either order of their leaves: the ones that nobody gave are
// made anew, a given one stays as it was given.
func TestSmallerLevels(t *testing.T) {
	level := func(name string, side uint16, value byte) *freelancer.Node {
		return freelancer.NewLeaf(name, targa(t, media.TGA{ImageType: 2, Bits: 24, Width: side, Height: side, Pixels: bytes.Repeat([]byte{value}, int(side)*int(side)*3)}))
	}
	mip0, mip1, mip2 := level("MIP0", 4, 0), level("MIP1", 2, 0), level("MIP2", 1, 0)
	for name, a := range map[string]format.ArchiveFile{
		"largest first": targas(t, mip0, mip1, mip2),
		"largest later": targas(t, mip1, mip0, mip2),
	} {
		for i, e := range a.Entries() {
			var err error
			switch e.Class {
			case "MIP0":
				err = a.Replace(i, level("", 4, 50).Data)
			case "MIP1":
				err = a.Replace(i, level("", 2, 80).Data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, e := range a.Entries() {
			want := map[string]byte{"MIP0": 50, "MIP1": 80, "MIP2": 50}[e.Class]
			if b, _ := a.Payload(i); b[len(b)-1] != want {
				t.Errorf("%s: %s is %d, want %d", name, e.Class, b[len(b)-1], want)
			}
		}
	}
}

// TestCounts adds a texture to a library that tells how many it holds, and removes others: the number follows, unless it
// was wrong, and a texture without leaves is gone.
func TestCounts(t *testing.T) {
	for _, c := range []struct{ before, added, removed uint32 }{{2, 3, 2}, {7, 7, 7}} {
		tree := freelancer.NewTree()
		dir := func(name string) *freelancer.Node {
			return freelancer.NewDir(name, freelancer.NewLeaf("MIP0", targa(t, media.TGA{ImageType: 2, Bits: 24, Width: 1, Height: 1})))
		}
		count := make([]byte, 8)
		binary.LittleEndian.PutUint32(count, c.before)
		tree.Root.Add(freelancer.NewDir(freelancer.TextureLibrary, dir("a.tga"), dir("b.tga"), freelancer.NewLeaf("Texture count", count)))
		b := treeBytes(t, tree)
		a := open(t, sniff(t, "a.txm", b), b)
		told := func() uint32 {
			for i, e := range a.Entries() {
				if e.Class == "Texture count" {
					p, _ := a.Payload(i)
					return binary.LittleEndian.Uint32(p)
				}
			}
			return 0
		}
		if err := a.Add("Texture library/c.tga/MIP0", []byte{1}, nil); err != nil || told() != c.added {
			t.Errorf("%d became %d with a texture more, want %d (%v)", c.before, told(), c.added, err)
		}
		if err := a.Remove(0); err != nil || told() != c.removed {
			t.Errorf("%d is told with a texture less, want %d (%v)", told(), c.removed, err)
		}
		var w bytes.Buffer
		if _, err := a.WriteTo(&w); err != nil {
			t.Fatal(err)
		}
		after, err := read.UTF(w.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if library := after.Root.Child(freelancer.TextureLibrary); library.Child("a.tga") != nil || library.Child("b.tga") == nil {
			t.Errorf("the library holds %d entries", len(library.Children))
		}
		if err := write.Texture(after.Root, &freelancer.TextureEntry{Name: "d.tga", Form: freelancer.TGATexture, Leaves: dir("d.tga").Children}); err != nil {
			t.Fatal(err)
		}
		if n := binary.LittleEndian.Uint32(after.Root.Find("Texture library/Texture count").Data); n != c.added {
			t.Errorf("a model's new texture makes it %d, want %d", n, c.added)
		}
	}
}

// TestRemoveAll removes entries of one name, which change theirs as others go.
func TestRemoveAll(t *testing.T) {
	tree := freelancer.NewTree()
	tree.Root.Add(freelancer.NewDir("top", freelancer.NewDir("dup",
		freelancer.NewLeaf("a", []byte("1")), freelancer.NewLeaf("a", []byte("2")), freelancer.NewLeaf("a", []byte("3")))))
	b := treeBytes(t, tree)
	a := open(t, sniff(t, "a.utf", b), b)
	if err := a.Abilities().RemoveAll([]int{0, 2}); err != nil {
		t.Fatal(err)
	}
	if e := a.Entries(); len(e) != 1 || e[0].Path != "top/dup/a" {
		t.Errorf("%v are left", e)
	}
	if p, _ := a.Payload(0); string(p) != "2" {
		t.Errorf("what is left holds %q", p)
	}
	if err := a.Abilities().RemoveAll([]int{0, 1}); schema.Class(err) != schema.ErrRange || len(a.Entries()) != 1 {
		t.Errorf("an entry that is not there: %v", err)
	}
}

// TestSmallerTargasGo removes the largest Targa of a texture, without which the others are of no use.
func TestSmallerTargasGo(t *testing.T) {
	picture := func(name string) *freelancer.Node {
		d := freelancer.NewDir(name)
		for level, size := range []uint16{4, 2, 1} {
			d.Add(freelancer.NewLeaf(fmt.Sprintf("MIP%d", level), targa(t, media.TGA{ImageType: 2, Bits: 32, Width: size, Height: size})))
		}
		return d
	}
	tree := freelancer.NewTree()
	tree.Root.Add(freelancer.NewDir("Texture library", picture("a.tga"), picture("b.tga")))
	b := treeBytes(t, tree)
	a := open(t, sniff(t, "a.txm", b), b)
	if err := a.Remove(3); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range a.Entries() {
		left = append(left, e.Path)
	}
	if diff := cmp.Diff([]string{"Texture library/a.tga/MIP0", "Texture library/a.tga/MIP1", "Texture library/a.tga/MIP2"}, left); diff != "" {
		t.Error(diff)
	}
}
