package library

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// treeOf returns a tree of leaves, given by their paths.
func treeOf(leaves map[string]string) *freelancer.Tree {
	t := freelancer.NewTree()
	for path, data := range leaves {
		steps := strings.Split(path, "/")
		n := t.Root
		for _, s := range steps[:len(steps)-1] {
			n = n.Dir(s)
		}
		n.Set(steps[len(steps)-1], []byte(data))
	}
	return t
}

// editorOf returns an editor of a file, and of what another one beside it holds.
func editorOf(t *testing.T, own, far *freelancer.Tree) (*Editor, *schema.Diagnostics) {
	t.Helper()
	d := new(schema.Diagnostics)
	env := &format.Env{Name: "ship.cmp", Diagnostics: d}
	l, err := New(own.Root, "", &asset.Scene{}, env)
	if err != nil {
		t.Fatal(err)
	}
	if far != nil {
		if err := l.add(far.Root, "far.mat"); err != nil {
			t.Fatal(err)
		}
	}
	return Edit(l, "cmp", "ship", own, env), d
}

// plain returns a picture of one colour.
func plain(w, h int, c byte) *asset.Image {
	return &asset.Image{Width: w, Height: h, Pix: bytes.Repeat([]byte{c, c, c, 255}, w*h)}
}

// pictured returns a texture as a scene shows it.
func pictured(name string, w, h int, c byte) *asset.Texture {
	return &asset.Texture{Name: name, Frames: []asset.Frame{{Mips: []asset.Image{*plain(w, h, c)}}}}
}

// lifted returns one that a file holds, and nobody edited.
func lifted(name string, own float64) *asset.Texture {
	t := pictured(name, 4, 4, 100)
	t.Native = textureNative(name, texture.Fingerprint(t), own)
	return t
}

// addTexture puts a texture into a tree.
func addTexture(t *testing.T, to *freelancer.Tree, name string, m *asset.Image) {
	t.Helper()
	x, err := texture.New(name, m, texture.KindTGA, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := write.Texture(to.Root, x); err != nil {
		t.Fatal(err)
	}
}

// TestLowerSlot: what becomes of the name and the flags of a texture, and of them alone.
func TestLowerSlot(t *testing.T) {
	// Reference section 11: two bits of addressing across and two down, 1 mirror and 2 clamp; 10h the second set, 40h always. 100h
	// stands for what nobody knows.
	ref := func(name string, u, v asset.Wrap, set int) *asset.TextureRef {
		return &asset.TextureRef{Texture: lifted(name, 0), WrapS: u, WrapT: v, TexCoord: set}
	}
	a := ref("a.tga", asset.Repeat, asset.Clamp, 0)
	glow := ref("a.tga", asset.Repeat, asset.Repeat, 1)
	for _, c := range []struct {
		name     string
		slot     string
		stored   string // name and flags before
		was, now *asset.TextureRef
		want     string
		changed  bool
	}{
		{"none", "Dt", "", nil, nil, "", false},
		{"none that shows", "Dt", "a.tga 0x148", nil, &asset.TextureRef{}, "a.tga 0x148", false},
		{"taken off", "Dt", "a.tga 0x148", a, nil, "", true},
		{"the same", "Dt", "a.tga 0x148", a, a, "a.tga 0x148", false},
		{"another", "Dt", "a.tga 0x148", a, ref("b.tga", asset.Repeat, asset.Clamp, 0), "b.tga 0x148", true},
		{"another, of no flags", "Dt", "a.tga", a, ref("b.tga", asset.Repeat, asset.Clamp, 0), "b.tga", true},
		{"in place of what another slot shows", "Dt", "", a, ref("b.tga", asset.Repeat, asset.Clamp, 0), "b.tga 0x48", true},
		{"across", "Dt", "a.tga 0x158", a, ref("a.tga", asset.Mirror, asset.Clamp, 0), "a.tga 0x159", true},
		{"down", "Dt", "a.tga 0x148", a, ref("a.tga", asset.Repeat, asset.Mirror, 0), "a.tga 0x144", true},
		{"another, across", "Dt", "a.tga 0x148", a, ref("b.tga", asset.Clamp, asset.Clamp, 0), "b.tga 0x14a", true},
		{"another, down", "Dt", "a.tga 0x148", a, ref("b.tga", asset.Repeat, asset.Repeat, 0), "b.tga 0x140", true},
		{"in place of what is missing", "Dt", "c.tga 0x14f", nil, a, "a.tga 0x148", true},
		{"new", "Dt", "", nil, ref("b.tga", asset.Clamp, asset.Mirror, 0), "b.tga 0x46", true},
		{"new, of the second set", "Dt", "", nil, ref("b.tga", asset.Repeat, asset.Repeat, 1), "b.tga 0x40", true},
		{"light of the second set", "Et", "", nil, ref("b.tga", asset.Repeat, asset.Repeat, 1), "b.tga 0x50", true},
		{"light goes to the first", "Et", "a.tga 0x150", glow, ref("a.tga", asset.Repeat, asset.Repeat, 0), "a.tga 0x140", true},
		{"light goes to the second", "Et", "a.tga 0x140", ref("a.tga", asset.Repeat, asset.Repeat, 0), glow, "a.tga 0x150", true},
		{"another light", "Et", "a.tga 0x150", glow, ref("b.tga", asset.Repeat, asset.Repeat, 1), "b.tga 0x150", true},
		{"another light, of the first", "Et", "a.tga 0x150", glow, ref("b.tga", asset.Repeat, asset.Repeat, 0), "b.tga 0x140", true},
	} {
		e, d := editorOf(t, treeOf(nil), nil)
		m := &freelancer.Material{Node: freelancer.NewDir("m"), Properties: []freelancer.Property{{Name: "Type", Kind: freelancer.TextProperty, Text: "DcDt"}}}
		set := func(name, text string, words ...uint32) {
			p := freelancer.Property{Name: c.slot + "_" + name, Kind: freelancer.PropertyKindOf("_" + name), Text: text, Words: words, Node: freelancer.NewLeaf(c.slot+"_"+name, nil)}
			m.Properties = append(m.Properties, p)
			m.Node.Add(p.Node)
		}
		var name string
		var flags uint32
		if n, _ := fmt.Sscanf(c.stored, "%s 0x%x", &name, &flags); n > 0 {
			if set("name", name); n > 1 {
				set("flags", "", flags)
			}
		}
		changed, err := e.lowerSlot(m, c.slot, c.was, c.now, here)
		got := ""
		if p := m.Property(c.slot + "_name"); p != nil {
			got = p.Text
		}
		if p := m.Property(c.slot + "_flags"); p != nil {
			got += fmt.Sprintf(" %#x", p.Words[0])
		}
		if err != nil || changed != c.changed || got != c.want || len(d.All()) > 0 {
			t.Errorf("%s: %q, changed %v, %v, told %v, want %q", c.name, got, changed, err, d.All(), c.want)
		}
		if c.want == "" && len(m.Node.Children) > 0 || m.Property("Type") == nil {
			t.Errorf("%s: left are %d leaves, of all", c.name, len(m.Node.Children))
		}
	}
}

// TestAnimatedSlot: where one picture takes the place of some that take turns, that is told; an edit of the one that is shown is none.
func TestAnimatedSlot(t *testing.T) {
	for _, c := range []struct {
		name, now, want string
		to              destination
		still           bool
	}{{"nothing", "", "fire", here, false}, {"its picture", "fire_0", "fire", here, false}, {"its picture, for itself", "fire_0", "ship_fire_0.tga", apart, true}, {"another", "new", "new.tga", here, true}} {
		far := treeOf(map[string]string{"Material library/m/Dt_name": "fire\x00", "Material library/m/Type": "DcDt\x00"})
		for leaf, data := range animated(0, 1) {
			far.Root.Dir(freelancer.TextureLibrary).Dir("fire").Set(leaf, []byte(data))
		}
		for _, name := range []string{"fire_0", "fire_1"} {
			addTexture(t, far, name, plain(4, 4, 100))
		}
		e, d := editorOf(t, treeOf(nil), far)
		a := e.Named("m")
		was, now := a.BaseColorTexture, *a.BaseColorTexture
		switch c.now {
		case "new":
			now.Texture = pictured("new", 4, 4, 9)
		case "fire_0":
			tx := pictured("fire_0", 4, 4, 9)
			tx.Native, now.Texture = was.Texture.Native, tx
		}
		m := *e.Stored("m")
		if _, err := e.lowerSlot(&m, "Dt", was, &now, c.to); err != nil || m.Property("Dt_name").Text != c.want || d.Has("texture-still") != c.still {
			t.Errorf("%s: %q, %v, told %v", c.name, m.Property("Dt_name").Text, err, d.All())
		}
	}
}

// TestSetLeading: numbers that the game does not read stay behind those that it does.
func TestSetLeading(t *testing.T) {
	m := &freelancer.Material{Properties: []freelancer.Property{{Name: "Dc", Floats: []float32{1, 2, 3, 4}}, {Name: "Oc", Floats: []float32{1}}, {Name: "Dt_flags", Words: []uint32{64, 9}}}}
	setLeading(m, freelancer.Property{Name: "dc", Floats: []float32{5, 6, 7}})
	setLeading(m, freelancer.Property{Name: "Oc", Floats: []float32{5, 6}})
	setLeading(m, freelancer.Property{Name: "Dt_flags", Words: []uint32{65}})
	setLeading(m, freelancer.Property{Name: "Ec", Floats: []float32{8}})
	got := ""
	for _, p := range m.Properties {
		got += fmt.Sprint(p.Name, p.Floats, p.Words, " ")
	}
	if got != "Dc[5 6 7 4] [] Oc[5 6] [] Dt_flags[] [65 9] Ec[8] [] " {
		t.Error(got)
	}
}

// TestLowerTexture: which pictures are stored, under which name, in what size, and what is told.
func TestLowerTexture(t *testing.T) {
	edited := func(tx *asset.Texture, w, h int) *asset.Texture {
		tx.Frames[0].Mips[0] = *plain(w, h, 200)
		return tx
	}
	for _, c := range []struct {
		name   string
		t      *asset.Texture
		want   string // the name that is returned
		stored string // what is in the file then, and how large
		told   string
	}{
		{"unchanged, its own", lifted("own.tga", 1), "own.tga", "own.tga 4 4", ""},
		{"unchanged, of another file", lifted("far.tga", 0), "far.tga", "own.tga 4 4", ""},
		{"unchanged, of a file that is not at hand", lifted("lost.tga", 0), "lost.tga", "own.tga 4 4", ""},
		{"its own, which the file has no more", lifted("gone.tga", 1), "gone.tga", "own.tga 4 4, gone.tga 4 4", ""},
		{"edited, its own", edited(lifted("own.tga", 1), 4, 4), "own.tga", "own.tga 4 4", ""},
		{"edited, its own, of another size", edited(lifted("own.tga", 1), 8, 8), "own.tga", "own.tga 8 8", ""},
		{"edited, its own, too wide by one", edited(lifted("own.tga", 1), 5, 4), "own.tga", "own.tga 4 4", " texture-scaled"},
		{"edited, its own, of an odd size that it had", edited(lifted("odd.tga", 1), 6, 4), "odd.tga", "own.tga 4 4, odd.tga 6 4", ""},
		{"edited, of another file", edited(lifted("far.tga", 0), 4, 4), "far.tga", "own.tga 4 4, far.tga 4 4", " shared-library texture-copied"},
		{"edited, of a file that is not at hand", edited(lifted("lost.tga", 0), 4, 4), "lost.tga", "own.tga 4 4, lost.tga 4 4", " texture-copied"},
		{"new", pictured("new.png", 4, 2, 9), "new.tga", "own.tga 4 4, new.tga 4 2", ""},
		{"new, without a name", pictured("", 4, 4, 9), "texture.tga", "own.tga 4 4, texture.tga 4 4", ""},
		{"new, of a name that is taken", pictured("OWN.png", 4, 4, 9), "OWN_2.tga", "own.tga 4 4, OWN_2.tga 4 4", ""},
		{"new, too wide by one", pictured("new", 5, 4, 9), "new.tga", "own.tga 4 4, new.tga 4 4", " texture-scaled"},
		{"new, too high by one", pictured("new", 4, 5, 9), "new.tga", "own.tga 4 4, new.tga 4 4", " texture-scaled"},
		{"new, for blocks", pictured("new", 64, 64, 9), "new.dds", "own.tga 4 4, new.dds 64 64", ""},
		{"without a picture", &asset.Texture{Name: "none"}, "", "own.tga 4 4", " texture-without-picture"},
	} {
		own, far := freelancer.NewTree(), freelancer.NewTree()
		addTexture(t, own, "own.tga", plain(4, 4, 100))
		addTexture(t, far, "far.tga", plain(4, 4, 100))
		if c.want == "odd.tga" {
			addTexture(t, own, "odd.tga", plain(6, 4, 100))
		}
		e, d := editorOf(t, own, far)
		for _, name := range []string{"own.tga", "odd.tga", "far.tga"} {
			e.picture(name) // what it shows was looked at
		}
		for range 2 { // another material shows it too
			if name, err := e.lowerTexture(c.t, here); name != c.want || err != nil {
				t.Errorf("%s: it is called %q, %v", c.name, name, err)
			}
			if c.want == "" {
				break
			}
		}
		var stored []string
		edited := c.t.Base() != nil && c.t.Base().Pix[0] != 100
		for _, n := range own.Root.Child(freelancer.TextureLibrary).Children {
			x, err := read.Texture(n, nil)
			if err != nil {
				t.Fatal(err)
			}
			now, err := texture.Lift(x, nil)
			if err != nil {
				t.Fatal(err)
			}
			m := now.Base()
			stored = append(stored, fmt.Sprintf("%s %d %d", n.Name, m.Width, m.Height))
			if as := texture.RGBA(c.t); edited && n.Name == c.want && (m.Pix[0]>>3 != as.Pix[0]>>3 || len(x.Leaves) == 0) {
				t.Errorf("%s: %s shows %v", c.name, n.Name, m.Pix[:4])
			}
		}
		told := ""
		for _, x := range d.All() {
			told += " " + x.Code
		}
		if got := strings.Join(stored, ", "); got != c.stored || told != c.told {
			t.Errorf("%s: stored %q, told %v", c.name, got, d.All())
		}
	}
}

// TestFreeTexture: what a new texture is called.
func TestFreeTexture(t *testing.T) {
	e, _ := editorOf(t, treeOf(map[string]string{freelancer.TextureLibrary + "/taken.dds/MIPS": "", freelancer.TextureLibrary + "/taken_2.DDS/MIPS": ""}), nil)
	for _, c := range [][2]string{
		{"paint.png", "paint.dds"}, {"paint", "paint.dds"}, {"a/b\\c.png", "c.dds"}, {"/root.png", "root.dds"}, {`a\b/c`, "c.dds"}, {"two.part.png", "two.part.dds"},
		{"wood ~ 1", "wood ~ 1.dds"}, {"für\x1f\x7f.png", "f_r__.dds"}, {"Taken.bmp", "Taken_3.dds"}, {strings.Repeat("n", 50), strings.Repeat("n", 50) + ".dds"}, {strings.Repeat("n", 51), strings.Repeat("n", 50) + ".dds"},
	} {
		if got := e.freeTexture(c[0], "dxt1"); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
	if got := e.freeTexture("taken", texture.KindTGA); got != "taken.tga" {
		t.Errorf("as a Targa it is %q", got)
	}
}
