package library

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/freelancer/rig"
	"github.com/usher-assets/usher/convert/freelancer/texture"
	"github.com/usher-assets/usher/convert/scene"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// floats are the bytes of singles.
func floats(list ...float32) string {
	var b []byte
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return string(b)
}

// animated are the leaves of a texture of frames.
func animated(frames ...uint32) map[string]string {
	rects := ""
	for _, f := range frames {
		rects += words(f, 0, 0, 0, 0)
	}
	return map[string]string{"Texture count": words(9), "Frame count": words(uint32(len(frames))), "FPS": floats(10), "Frame rects": rects}
}

// TestMaterialLook: what a stored material looks like.
func TestMaterialLook(t *testing.T) {
	tree := freelancer.NewTree()
	for _, name := range []string{"a.tga", "b.tga", "fire_2", "loop_0"} {
		addTexture(t, tree, name, plain(4, 4, 100))
	}
	textures := tree.Root.Dir(freelancer.TextureLibrary)
	for name, leaves := range map[string]map[string]string{"fire": animated(2, 1), "still": animated(), "none": animated(7), "turn": animated(0), "turn_0": animated(0), "bad.tga": {"MIP0": "x"}} {
		for leaf, data := range leaves {
			textures.Dir(name).Set(leaf, []byte(data))
		}
	}
	for _, c := range []struct {
		leaves map[string]string
		want   string
		told   string
	}{
		{map[string]string{"Type": "DcDt"}, "1 1 1 1 0 0 0", ""},
		{map[string]string{"Type": "DcDt", "Dc": floats(1, 0, -1), "Oc": floats(0.5), "Ec": floats(0, 2, 1)}, "1 0 0 0.5 0 1 1", ""},
		{map[string]string{"Type": "DcDtOcOt", "Oc": floats(2)}, "1 1 1 1 0 0 0 blend", ""},
		{map[string]string{"Type": "DcDtOt", "Oc": floats(-1)}, "1 1 1 0 0 0 0 blend", ""}, {map[string]string{"Type": "DcDtOcTwo"}, "1 1 1 1 0 0 0 blend two", ""},
		{map[string]string{"Type": "HighGlassMaterial"}, "1 1 1 1 0 0 0 blend", ""}, {map[string]string{"Type": "NebulaTwo"}, "1 1 1 1 0 0 0 blend two", ""}, {map[string]string{"Type": "BtDetailMapMaterial"}, "1 1 1 1 0 0 0", ""},
		{map[string]string{"Type": "AtmosphereMaterial", "Dt_name": "a.tga", "Oc": floats(0.5)}, "1 1 1 0.436 0 0 0 blend air", ""},
		{map[string]string{"Type": "AtmosphereMaterial", "Alpha": floats(0.5)}, "1 1 1 0.218 0 0 0 blend air", ""}, {map[string]string{"Type": "AtmosphereMaterial", "Alpha": floats(9)}, "1 1 1 1 0 0 0 blend air", ""},
		{map[string]string{"Type": "DcDtEt", "Dt_name": "A.TGA", "Dt_flags": words(0x5b), "Et_name": "b.tga", "Et_flags": words(0x55)}, "1 1 1 1 1 1 1 a.tga 1 1 0, b.tga 2 2 1", ""},
		{map[string]string{"Type": "DcDtEt", "Et_name": "b.tga", "Ec": floats(0, 0, 1)}, "1 1 1 1 0 0 1 -, b.tga 0 0 0", ""},
		{map[string]string{"Type": "DcDtBt", "Bt_name": "b.tga", "Bt_flags": words(0x50)}, "1 1 1 1 0 0 0 b.tga 0 0 1", ""},
		{map[string]string{"Type": "X", "Dm_name": "b.tga", "Nt_name": "a.tga"}, "1 1 1 1 0 0 0 a.tga 0 0 0", ""}, {map[string]string{"Type": "X", "Dm0_name": "b.tga", "Dt_name": ""}, "1 1 1 1 0 0 0 b.tga 0 0 0", ""},
		{map[string]string{"Type": "DcDt", "Dt_name": "lost.tga"}, "1 1 1 1 0 0 0 absent", "texture-missing"}, {map[string]string{"Type": "DcDt", "Dt_name": "lost.tga", "Bt_name": "b.tga"}, "1 1 1 1 0 0 0 b.tga 0 0 0", "texture-missing"},
		{map[string]string{"Type": "DcDt", "Dt_name": "fire"}, "1 1 1 1 0 0 0 fire_2 0 0 0", ""}, {map[string]string{"Type": "DcDt", "Dt_name": "none"}, "1 1 1 1 0 0 0 absent", "texture-missing"},
		{map[string]string{"Type": "DcDt", "Dt_name": "turn"}, "1 1 1 1 0 0 0 absent", "texture-missing"}, {map[string]string{"Type": "DcDt", "Dt_name": "still"}, "1 1 1 1 0 0 0 absent", "texture-unreadable texture-missing"},
		{map[string]string{"Type": "DcDt", "Dt_name": "bad.tga", "Et_name": "bad.tga"}, "1 1 1 1 0 0 0 absent", "texture-unreadable texture-missing texture-missing"},
	} {
		own := freelancer.NewTree()
		for leaf, data := range c.leaves {
			if freelancer.PropertyKindOf(leaf) == freelancer.TextProperty {
				data += "\x00"
			}
			own.Root.Dir(freelancer.MaterialLibrary).Dir("m").Set(leaf, []byte(data))
		}
		own.Root.Add(textures)
		e, d := editorOf(t, own, nil)
		a := e.Named("m")
		got := fmt.Sprintf("%v %v", a.BaseColor, a.Emissive)
		got = strings.NewReplacer("[", "", "]", "").Replace(got)
		for _, x := range []struct {
			is   bool
			name string
		}{{a.Alpha == asset.Blend, " blend"}, {a.DoubleSided, " two"}, {a.Air, " air"}, {a.Absent, " absent"}} {
			if x.is {
				got += x.name
			}
		}
		for i, r := range texturesOf(a) {
			switch {
			case r != nil:
				got += fmt.Sprintf("%s %s %d %d %d", []string{"", ","}[i], r.Texture.Name, r.WrapS, r.WrapT, r.TexCoord)
			case i == 0 && a.EmissiveTexture != nil:
				got += " -"
			}
		}
		told := ""
		for _, x := range d.All() {
			told += " " + x.Code
		}
		if got != c.want || strings.TrimSpace(told) != c.told || e.Named("M") != a || a.Native.Values["type"] != c.leaves["Type"] {
			t.Errorf("%v: %s, told %v, want %s", c.leaves, got, d.All(), c.want)
		}
	}
}

// TestLiftMesh: what a reference draws, and references to more than there is.
func TestLiftMesh(t *testing.T) {
	far := foreign(t)
	for _, c := range []struct {
		ref       freelancer.VMeshRef
		primitive freelancer.PrimitiveType
		class     error
	}{
		{freelancer.VMeshRef{GroupStart: 1, GroupCount: 1}, freelancer.TriangleList, nil}, {freelancer.VMeshRef{GroupStart: 1, GroupCount: 2}, freelancer.TriangleList, schema.ErrRange}, {freelancer.VMeshRef{GroupCount: 1}, 9, schema.ErrUnsupported},
	} {
		e, _ := editorOf(t, treeOf(nil), nil)
		far.VMesh.Primitive = c.primitive
		m, err := e.LiftMesh("hull", &c.ref, far)
		if schema.Class(err) != c.class || err == nil && (m.Name != "hull" || len(m.Primitives) != 1 || m.Primitives[0].Material.Name != "0x00000008" || m.Native == nil || !slices.Equal(e.scene.Meshes, []*asset.Mesh{m})) {
			t.Errorf("%+v: %+v, %v", c.ref, m, err)
		}
	}
}

// TestReportMissing: what is missing is counted, and called by its name as far as that is known.
func TestReportMissing(t *testing.T) {
	for n, want := range []string{"", "1 material not found nor in files of the model's name: 0x", "2 materials not found nor", "3 materials", "4 materials"} {
		e, d := editorOf(t, treeOf(nil), nil)
		for i := range n {
			crc := freelancer.FLCRC(fmt.Sprint("m", i))
			a := e.Material(crc)
			if !a.Absent || e.Material(crc) != a || rig.Values(a.Native)["crc"] != a.Name || a.Name != fmt.Sprintf("0x%08X", crc) {
				t.Errorf("%+v", a)
			}
		}
		e.Report()
		all := d.All()
		if n == 0 && len(all) > 0 || n > 0 && (len(all) != 1 || !strings.HasPrefix(all[0].Msg, want) || strings.Count(all[0].Msg, "0x") != min(n, 3) || strings.HasSuffix(all[0].Msg, ", …") != (n > 3)) {
			t.Errorf("%d: %v", n, all)
		}
	}
}

// TestFreeMaterial: a material gets the name that a person gave it, or one that is free and that the game's files can hold.
func TestFreeMaterial(t *testing.T) {
	long := strings.Repeat("ö", 63)
	for _, c := range []struct{ name, renamed, taken, want string }{
		{"paint", "", "", "paint"}, {"paint", "", "PAINT", "paint_2"}, {"paint", "", "paint paint_2", "paint_3"}, {"paint", "wood", "paint", "wood"}, {"paint", "wood", "wood", "wood_2"},
		{"", "", "", "material"}, {"→", "", "", fmt.Sprintf("material_%08x", freelancer.FLCRC("→"))}, {long, "", "", long}, {long, "", long, long[:110] + "_2"}, {strings.Repeat("n", 55), "", strings.Repeat("n", 55), strings.Repeat("n", 55) + "_2"},
		{strings.Repeat("n", 56), "", strings.Repeat("n", 56), strings.Repeat("n", 55) + "_2"},
	} {
		e, _ := editorOf(t, treeOf(nil), nil)
		e.renames = []renaming{{"other", "x"}}
		if c.renamed != "" {
			e.renames = append(e.renames, renaming{"was", c.renamed})
		}
		for _, name := range strings.Fields(c.taken) {
			e.materials[freelancer.FLCRC(name)] = &material{}
		}
		if got := e.freeMaterial(&asset.Material{Name: "was"}, c.name); got != c.want || len(e.renames) != 1 {
			t.Errorf("%q: %q, want %q, left %v", c.name, got, c.want, e.renames)
		}
	}
	e, _ := editorOf(t, treeOf(nil), nil)
	e.renames = []renaming{{"a", "wood"}, {"b", "Wood"}}
	for _, name := range []string{"a", "b"} {
		e.copied(1, &asset.Material{Name: name}, &freelancer.Material{Name: name}, "far.mat", apart)
	}
	if r := e.repointed; len(r) != 2 || r[0].to != "wood" || r[1].to != "Wood_2" {
		t.Errorf("copies are called %v", r)
	}
	for want, r := range map[string]*asset.TextureRef{"material": nil, "wood.old": {Texture: &asset.Texture{Name: "wood.old.tga"}}, "": {Texture: &asset.Texture{}}} {
		if got := pictureName(&asset.Material{BaseColorTexture: r}); got != want && !(want == "" && got == "material") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestShaderOfNew: what shader a new material gets, and one on which somebody wrote another.
func TestShaderOfNew(t *testing.T) {
	pic := &asset.TextureRef{Texture: pictured("a", 4, 4, 1)}
	for _, c := range []struct {
		a    asset.Material
		want string
	}{
		{asset.Material{}, "DcDt"}, {asset.Material{BaseColorTexture: pic}, "DcDt"}, {asset.Material{EmissiveTexture: pic, Emissive: [3]float32{1, 1, 1}}, "DcDtEt"}, {asset.Material{BaseColorTexture: pic, Emissive: [3]float32{0, 0, 1}}, "DcDtEc"},
		{asset.Material{Alpha: asset.Blend}, "DcDtOcOt"}, {asset.Material{Alpha: asset.Mask, DoubleSided: true}, "DcDtTwo"}, {asset.Material{BaseColorTexture: pic, Alpha: asset.Blend, DoubleSided: true, Emissive: [3]float32{1}}, "DcDtEcOcOtTwo"},
		{asset.Material{Native: rig.Native(map[string]any{"type": "Nebula"}), DoubleSided: true}, "Nebula"}, {asset.Material{Native: rig.Native(map[string]any{"type": ""})}, "DcDt"},
	} {
		e, _ := editorOf(t, treeOf(nil), nil)
		if got := e.typeOf(&c.a, &freelancer.Material{}, asset.NewMaterial(""), false); got != c.want {
			t.Errorf("%+v: %s, want %s", c.a, got, c.want)
		}
	}
}

// TestReportUnder: it is told where another texture shows, because the one of the material was taken off.
func TestReportUnder(t *testing.T) {
	pic := &asset.TextureRef{}
	for _, c := range []struct {
		base, now, glow *asset.TextureRef
		slot, want      string
	}{{pic, nil, nil, "Bt", `"b.tga" (Bt)`}, {pic, nil, nil, "Dm", `"b.tga" (Dm)`}, {pic, pic, nil, "Bt", ""}, {pic, nil, pic, "Bt", ""}, {nil, nil, nil, "Bt", ""}, {pic, nil, nil, "Et", ""}} {
		e, d := editorOf(t, treeOf(nil), nil)
		m := &freelancer.Material{Properties: []freelancer.Property{{Name: "Nt_name"}, {Name: c.slot + "_name", Text: "b.tga"}}}
		e.reportUnder(&asset.Material{BaseColorTexture: c.now, EmissiveTexture: c.glow}, m, &asset.Material{BaseColorTexture: c.base})
		if all := d.All(); len(all) > 0 != (c.want != "") || c.want != "" && !strings.HasSuffix(all[0].Msg, c.want) {
			t.Errorf("%+v: told %v", c, all)
		}
	}
}

// TestTakeValues: which properties of a material an edit writes; those of a new one only where they say something.
func TestTakeValues(t *testing.T) {
	pic := &asset.TextureRef{}
	white := [3]float32{1, 1, 1}
	for _, c := range []struct {
		name  string
		known bool
		edit  func(base, a *asset.Material)
		want  string
	}{
		{"nothing", true, func(base, a *asset.Material) {}, ""},
		{"colour", true, func(base, a *asset.Material) { a.BaseColor[1] = 0 }, "Dc[1 0 1]"},
		{"opacity", true, func(base, a *asset.Material) { a.BaseColor[3] = 0.5 }, "Oc[0.5]"},
		{"opacity, a little", true, func(base, a *asset.Material) { a.BaseColor[3] = 0.9995 }, ""},
		{"back to opaque", true, func(base, a *asset.Material) { base.BaseColor[3] = 0.5 }, "Oc[1]"},
		{"light", true, func(base, a *asset.Material) { a.Emissive = [3]float32{0, 1, 0} }, "Ec[0 1 0]"},
		{"light off", true, func(base, a *asset.Material) { base.Emissive = white }, "Ec[0 0 0]"},
		{"a picture of light", true, func(base, a *asset.Material) { a.EmissiveTexture, a.Emissive = pic, white }, ""},
		{"white light", true, func(base, a *asset.Material) { a.Emissive = white }, "Ec[1 1 1]"},
		{"a picture of red light", true, func(base, a *asset.Material) { a.EmissiveTexture, a.Emissive = pic, [3]float32{1, 0, 0} }, "Ec[1 0 0]"},
		{"new", false, func(base, a *asset.Material) { base.BaseColor = [4]float32{-1, -1, -1, -1} }, "Dc[1 1 1]"},
		{"new, half there", false, func(base, a *asset.Material) { base.BaseColor = [4]float32{-1, -1, -1, -1}; a.BaseColor[3] = 0.5 }, "Dc[1 1 1] Oc[0.5]"},
		{"new, with numbers", false, func(base, a *asset.Material) {
			a.Native = rig.Native(map[string]any{"TileRate": 4.0, "flip u": 1.0, "Dt_flags": 3.0, "Dc": 1.0, "Sc": []any{0.5, 0.25, 0.0}, "own": 1.0})
		}, "Sc[0.5 0.25 0] TileRate[4] flip u[1]"},
	} {
		base, a := asset.NewMaterial("m"), asset.NewMaterial("m")
		c.edit(base, a)
		m := &freelancer.Material{Name: "m", Type: "DcDt"}
		changed, err := takeValues(m, a, base, c.known)
		var got []string
		for _, p := range m.Properties {
			if v := fmt.Sprint(p.Name, p.Floats); p.Kind == freelancer.WordProperty {
				got = append(got, fmt.Sprint(p.Name, p.Words))
			} else {
				got = append(got, strings.Replace(v, " [", "[", 1))
			}
		}
		s := strings.ReplaceAll(strings.Join(got, " "), " [", "[")
		if s != c.want || changed != (c.want != "") || err != nil {
			t.Errorf("%s: %s, changed %v, %v, want %s", c.name, s, changed, err, c.want)
		}
	}
	m := &freelancer.Material{Type: "DcDt", Properties: []freelancer.Property{{Name: "TileRate", Floats: []float32{4}}, {Name: "Fade", Floats: []float32{1, 2}}, {Name: "Sp"}, {Name: "flip u", Words: []uint32{1}}, {Name: "flip v", Words: []uint32{1, 2}}, {Name: "Dt_flags", Words: []uint32{3}}}}
	if got := fmt.Sprint(numberFields(m).Values()); got != "map[Fade:[1 2] TileRate:4 flip u:1 flip v:[1 2]]" {
		t.Errorf("fields %s", got)
	}
	if got := numbersOf(&asset.Material{Native: rig.Native(map[string]any{"type": "AtmosphereMaterial", "Oc": 0.5, "Alpha": 1.0, "Scale": []any{1.0, 2.0}, "Dt_flags": 1.0})}); got != "Oc [0.5]|Scale [1 2]" {
		t.Errorf("numbers %s", got)
	}
}

// TestSameAsShown: whether a material of another file was edited; what does not remember how it looked was not.
func TestSameAsShown(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(a *asset.Material)
		want bool
	}{
		{"nothing", func(*asset.Material) {}, true},
		{"colour", func(a *asset.Material) { a.BaseColor[2] = 0.9 }, false}, {"colour, a little", func(a *asset.Material) { a.BaseColor[2] = 0.999 }, true}, {"opacity", func(a *asset.Material) { a.BaseColor[3] = 0.9 }, false},
		{"light", func(a *asset.Material) { a.Emissive[2] = 0.1 }, false}, {"blends", func(a *asset.Material) { a.Alpha = asset.Blend }, false}, {"is cut out, which the game has not", func(a *asset.Material) { a.Alpha = asset.Mask }, true},
		{"two sides", func(a *asset.Material) { a.DoubleSided = true }, false}, {"its picture is another", func(a *asset.Material) { a.BaseColorTexture = &asset.TextureRef{Texture: lifted("b.tga", 0)} }, false},
		{"its picture goes round", func(a *asset.Material) { a.BaseColorTexture.WrapT = asset.Mirror }, false}, {"its picture glows", func(a *asset.Material) { a.EmissiveTexture = a.BaseColorTexture }, false},
		{"a number", func(a *asset.Material) { a.Native.Values["TileRate"] = 5.0 }, false}, {"a shader", func(a *asset.Material) { a.Native.Values["type"] = "Nebula" }, false},
		{"of before, its picture is new", func(a *asset.Material) {
			delete(a.Native.Values[scene.ReadOnly].(map[string]any), "drawn")
			a.BaseColorTexture.Texture.Native = nil
		}, false},
		{"of before, without looks", func(a *asset.Material) { a.Native.Values[scene.ReadOnly] = map[string]any{}; a.DoubleSided = true }, true},
	} {
		a := asset.NewMaterial("m")
		a.BaseColorTexture = &asset.TextureRef{Texture: lifted("a.tga", 0)}
		a.Native = rig.Native(map[string]any{"type": "DcDt", "TileRate": 4.0})
		for key, v := range map[string]any{"look": lookOf(a), "drawn": drawnOf(a), numbersKey: numbersOf(a)} {
			scene.SetShown(a.Native, key, v)
		}
		if c.edit(a); asDrawn(a) != c.want {
			t.Errorf("%s: %v", c.name, !c.want)
		}
		if seen := a.BaseColorTexture.Texture; painted(a) != (rig.Values(seen.Native)["picture"] != texture.Fingerprint(seen)) {
			t.Errorf("%s: painted %v", c.name, painted(a))
		}
	}
	glow := asset.NewMaterial("m")
	if glow.EmissiveTexture = (&asset.TextureRef{Texture: pictured("a", 4, 4, 1)}); !painted(glow) || painted(asset.NewMaterial("m")) {
		t.Error("a new picture is painted, and none is not")
	}
}

// TestLowerMaterials: new materials go behind those that are there; two that the game cannot tell apart are told of, and what is
// damaged is not written over.
func TestLowerMaterials(t *testing.T) {
	tree := treeOf(map[string]string{"Material library/Material count": words(3)})
	for _, name := range []string{"one", "two", "three"} {
		tree.Root.Child(freelancer.MaterialLibrary).Dir(name).Set("Type", []byte("DcDt\x00"))
	}
	e, d := editorOf(t, tree, treeOf(map[string]string{"Material library/far/Type": "DcDt\x00"}))
	two := e.Named("two")
	red, other := asset.NewMaterial("red"), asset.NewMaterial("RED")
	two.BaseColor = [4]float32{0, 0, 1, 1}
	if err := e.LowerMaterials([]*asset.Material{red, two, other, asset.NewMaterial("blue")}); err != nil {
		t.Fatal(err)
	}
	if got := entries(tree, freelancer.MaterialLibrary); !slices.Equal(got, []string{"Material count", "one", "two", "three", "red", "blue"}) || d.Count("material-clash") != 1 || leavesIn(tree)["Material library/Material count"] != words(5) {
		t.Errorf("%v, told %v", got, d.All())
	}
	tree.Root.Remove(tree.Root.Child(freelancer.MaterialLibrary))
	if err := e.LowerMaterials([]*asset.Material{asset.NewMaterial("green")}); err != nil || !slices.Equal(entries(tree, freelancer.MaterialLibrary), []string{"green", "Material count"}) {
		t.Errorf("without a library: %v, %v", entries(tree, freelancer.MaterialLibrary), err)
	}
	lost := asset.NewMaterial("lost")
	lost.Native = rig.Native(map[string]any{"name": "lost"})
	lost.EmissiveTexture = &asset.TextureRef{Texture: lifted("sky", 1)}
	lost.EmissiveTexture.Texture.Frames[0].Mips[0] = *plain(4, 4, 1)
	e, _ = editorOf(t, treeOf(map[string]string{"Texture library/sky/CUBE": "x"}), nil)
	if err := e.LowerMaterials([]*asset.Material{lost}); schema.Class(err) != schema.ErrUnsupported {
		t.Errorf("a picture that cannot be replaced: %v", err)
	}
	for _, worn := range []bool{false, true} { // an edited material whose name nobody knows
		mesh := meshBytes(t, "other")
		if worn {
			mesh = meshBytes(t, "other", "hidden")
		}
		tree := treeOf(map[string]string{"VMeshLibrary/a.vms/VMeshData": mesh})
		e, d := editorOf(t, tree, nil)
		a := e.Material(freelancer.FLCRC("hidden"))
		a.BaseColor = [4]float32{1, 0, 0, 1}
		err := e.LowerMaterials([]*asset.Material{a})
		if got := entries(tree, freelancer.MaterialLibrary); err != nil || (len(got) > 0) != worn || d.Has("material-unknown") == worn || d.Has("material-named") != worn || len(e.repointed) > 0 != worn || worn && got[0] != "material" {
			t.Errorf("worn %v: %v, %v, told %v", worn, got, err, d.All())
		}
	}
	tree = treeOf(map[string]string{"Material library/seen/Type": "DcDt\x00", "Material library/unseen/Type": "DcDt\x00", "MaterialAnim/seen/MACount": words(1), "MaterialAnim/seen/MADeltas": floats(1, 0, 0, 0, 0), "MaterialAnim/unseen/MACount": words(1), "MaterialAnim/unseen/MADeltas": floats(1, 0, 0, 0, 0), "MaterialAnim/nobody/MACount": words(0)})
	e, _ = editorOf(t, tree, nil)
	if a := e.Named("seen"); e.LiftAnimations(tree.Root) != nil || fmt.Sprint(a.Native.Values[animationKey]) != "[1 0 0 0 0 0 0 0 0]" {
		t.Errorf("its texture moves as %v", a.Native.Values[animationKey])
	}
	tree = treeOf(map[string]string{"MaterialAnim/m/MACount": "x"})
	e, _ = editorOf(t, tree, nil)
	if err := e.LowerMaterials([]*asset.Material{asset.NewMaterial("m")}); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("with a damaged motion: %v", err)
	}
	if err := e.LiftAnimations(tree.Root); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("a damaged motion is lifted: %v", err)
	}
}

// TestRenamed: a material of the file itself is renamed with all that refers to it; of another file, or to a name that is taken, it
// keeps its name.
func TestRenamed(t *testing.T) {
	leaves := map[string]string{
		"Material library/paint/Type": "DcDt\x00", "Material library/steel/Type": "DcDt\x00", "VMeshLibrary/a.vms/VMeshData": meshBytes(t, "steel", "paint"), "Sphere/M0": "PAINT\x00", "Sphere/M1": "steel\x00", "Sphere/M2": "",
		"x/Material_name": "paint\x00tail", "MaterialAnim/Paint/MACount": words(1), "MaterialAnim/Paint/MADeltas": floats(1, 0, 0, 0, 0), "x/Material": "paint\x00",
	}
	for _, c := range []struct{ was, now, told string }{{"paint", "wood", "material-renamed"}, {"paint", "Steel", "material-name-kept"}, {"far", "wood", "material-name-kept"}, {"paint", "PAINT", "material-renamed"}, {"nobody", "wood", "material-name-kept"}} {
		tree := treeOf(leaves)
		e, d := editorOf(t, tree, treeOf(map[string]string{"Material library/far/Type": "DcDt\x00"}))
		a := asset.NewMaterial(c.now)
		a.Native = rig.Native(map[string]any{"name": c.was})
		copied := asset.NewMaterial("copy")
		copied.Native = rig.Native(map[string]any{"name": c.was})
		e.UndoRenames([]*asset.Material{a, copied})
		if a.Name != c.was || copied.Name != "copy" {
			t.Errorf("%s: meanwhile %s and %s", c.was, a.Name, copied.Name)
		}
		if err := e.ApplyRenames(); err != nil || len(d.All()) != 1 || d.All()[0].Code != c.told {
			t.Errorf("%s to %s: %v, told %v", c.was, c.now, err, d.All())
		}
		want := leaves
		if c.told == "material-renamed" {
			want = map[string]string{}
			for path, data := range leaves {
				switch path {
				case "VMeshLibrary/a.vms/VMeshData":
					data = meshBytes(t, "steel", c.now)
				case "Sphere/M0", "x/Material_name":
					data = c.now + data[5:]
				}
				want[strings.NewReplacer("/paint/", "/"+c.now+"/", "/Paint/", "/"+c.now+"/").Replace(path)] = data
			}
		}
		got := leavesIn(tree)
		for path, data := range want {
			if got[path] != data {
				t.Errorf("%s to %s: %s is %q, want %q", c.was, c.now, path, got[path], data)
			}
		}
	}
	e, _ := editorOf(t, treeOf(nil), nil)
	hashed := asset.NewMaterial("mine")
	hashed.Native = rig.Native(map[string]any{"crc": "0x00000001"})
	e.UndoRenames([]*asset.Material{hashed, asset.NewMaterial("new")})
	if hashed.Name != "0x00000001" || len(e.renames) != 1 {
		t.Errorf("%s, %v", hashed.Name, e.renames)
	}
}
