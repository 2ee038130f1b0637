package freelancer_test

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// leavesOf returns the payloads of a tree by their paths.
func leavesOf(t *testing.T, b []byte) map[string]string {
	t.Helper()
	x, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	leaves := map[string]string{}
	x.Root.Walk(func(path string, n *freelancer.Node) bool {
		if !n.IsDir() {
			leaves[path] += string(n.Data) + "|"
		}
		return true
	})
	return leaves
}

// onlyChanged checks that exactly those leaves differ whose paths end with one of the names.
func onlyChanged(t *testing.T, before, after []byte, names ...string) {
	t.Helper()
	a, b := leavesOf(t, before), leavesOf(t, after)
	seen := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(a)) {
		if b[path] == a[path] {
			continue
		}
		i := slices.IndexFunc(names, func(n string) bool { return strings.HasSuffix(path, n) })
		if i < 0 {
			t.Errorf("%s changed", path)
			continue
		}
		seen[names[i]] = true
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			t.Errorf("%s is new", path)
		}
	}
	for _, n := range names {
		if !seen[n] {
			t.Errorf("no %s changed", n)
		}
	}
}

// edited takes a model of testdata to GLB, lets f change the scene, and takes it back.
func edited(t *testing.T, f func(s *asset.Scene, nodes map[string]*asset.Node)) (before, after []byte) {
	t.Helper()
	before = corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	fm := byName(t, "cmp")
	s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", before, nil), nil))
	_, nodes := where(s)
	f(s, nodes)
	return before, lower(t, fm, "ship.cmp", fromGLB(t, glb(t, s, nil)), nil)
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(s *asset.Scene, nodes map[string]*asset.Node)
		leafs []string
	}{
		{"nothing", func(*asset.Scene, map[string]*asset.Node) {}, nil},
		{"a vertex moved", func(_ *asset.Scene, n map[string]*asset.Node) {
			p := n["turret"].Mesh.Primitives[0].Positions
			corner := p[0]
			for i := range p {
				if p[i] == corner {
					p[i][1] -= 0.25
				}
			}
		}, []string{`ship.turret.lod0-112.vms/VMeshData`, `turret.3db/VMeshPart/VMeshRef`}},
		{"a hardpoint moved", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["HpWeapon01"].Transform.Translation[2] = 2.5
		}, []string{`HpWeapon01/Position`}},
		{"the limit of a hardpoint", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["HpWeapon01"].Extras["max"] = 80.0
		}, []string{`HpWeapon01/Max`}},
		{"the limit of a joint", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["turret"].Extras["max"] = 120.0
		}, []string{`Cons/Rev`}},
		{"a part moved", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["wing"].Transform.Translation[1] = 0.5
		}, []string{`Cons/Fix`}},
		{"a colour", func(_ *asset.Scene, n map[string]*asset.Node) {
			n["wing"].Mesh.Primitives[0].Material.BaseColor[0] = 0.5
		}, []string{`steel/Dc`}},
		{"a picture", func(_ *asset.Scene, n map[string]*asset.Node) {
			tx := n["wing"].Mesh.Primitives[0].Material.BaseColorTexture.Texture
			tx.Base().Pix[0] ^= 0x80
			tx.File = nil
		}, []string{`steel.dds/MIPS`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := edited(t, c.edit)
			onlyChanged(t, before, after, c.leafs...)
		})
	}
}

func TestHardpointRenamed(t *testing.T) {
	before, after := edited(t, func(_ *asset.Scene, n map[string]*asset.Node) { n["HpWeapon01"].Name = "HpTurret09" })
	a, b := leavesOf(t, before), leavesOf(t, after)
	for path, data := range a {
		if b[strings.ReplaceAll(path, "HpWeapon01", "HpTurret09")] != data {
			t.Errorf("%s is not as it was", path)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d leaves became %d", len(a), len(b))
	}
}

// TestTextureReplaced edits every texture of a library in turn, by way of PNG: that one changes, no other leaf does,
// and it looks as the edited picture does.
func TestTextureReplaced(t *testing.T) {
	for _, e := range corpus.Manifest(t, "freelancer") {
		if e.File != "syn_textures.txm" && e.File != "bm_houston_lava.mat" {
			continue
		}
		b := corpus.Bytes(t, e.Path)
		f := sniff(t, e.File, b)
		for i, entry := range open(t, f, b).Entries() {
			if entry.Format == nil || entry.Kind != format.Texture {
				continue
			}
			t.Run(e.File+"/"+entry.Path, func(t *testing.T) { replaceTexture(t, f, b, i) })
		}
	}
}

func open(t *testing.T, f *format.Format, b []byte) format.ArchiveFile {
	t.Helper()
	a, err := f.Open(bytes.NewReader(b), int64(len(b)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func replaceTexture(t *testing.T, f *format.Format, b []byte, i int) {
	a := open(t, f, b)
	e := a.Entries()[i]
	payload, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	liftLeaf := func(payload []byte) *asset.Texture {
		v, err := e.Format.Read(payload, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := e.Format.Lift(v, nil)
		if err != nil {
			t.Fatal(err)
		}
		return x.(*asset.Texture)
	}
	original := liftLeaf(payload)
	var file bytes.Buffer
	if err := png.Encode(&file, original, png.Options{}); err != nil {
		t.Fatal(err)
	}
	now, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	now.Native, now.Frames[0].Faces = original.Native, original.Frames[0].Faces
	lowerLeaf := func() []byte {
		v, err := e.Format.Lower(now, nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := e.Format.Write(v)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	corpus.SameBytes(t, "unedited", lowerLeaf(), payload)
	m := now.Base()
	for k := range m.Width * m.Height {
		m.Pix[4*k] = 255 - m.Pix[4*k]
	}
	replaced := lowerLeaf()
	if db := snr(t, m, liftLeaf(replaced).Base()); db < 15 {
		t.Errorf("the edited picture arrives with %.1f dB", db)
	}
	if err := a.Replace(i, replaced); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := a.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	dir := e.Path[:strings.LastIndex(e.Path, "/")]
	before, after := leavesOf(t, b), leavesOf(t, out.Bytes())
	changed := 0
	for path, data := range before {
		if after[path] == data {
			continue
		}
		changed++
		if !strings.Contains(path, dir) {
			t.Errorf("%s changed", path)
		}
	}
	if changed == 0 || len(before) != len(after) {
		t.Errorf("%d leaves changed, %d became %d", changed, len(before), len(after))
	}
}

// TestOddGeometry: what glTF cannot hold, or shows otherwise, is no edit.
func TestOddGeometry(t *testing.T) {
	original := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	fm := byName(t, "cmp")
	for _, c := range []struct {
		name string
		odd  func(v *freelancer.VMesh)
	}{
		{"a normal of another length", func(v *freelancer.VMesh) { v.Normals[3] = [3]float32{0, 0, 0.25} }},
		{"no normal", func(v *freelancer.VMesh) { v.Normals[3] = [3]float32{} }},
		{"a place that is no number", func(v *freelancer.VMesh) { v.Positions[3][1] = float32(math.NaN()) }},
		{"an infinite texture coordinate", func(v *freelancer.VMesh) { v.TexCoords[0][3][0] = float32(math.Inf(1)) }},
		{"a group without triangles", func(v *freelancer.VMesh) {
			v.Groups[0].IndexCount, v.Groups[0].VertexStart, v.Indices = 0, 50000, nil
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree, err := read.UTF(original, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, lib := range tree.Root.Child(freelancer.MeshLibrary).Children {
				leaf := lib.Child("VMeshData")
				v, err := read.VMesh(leaf.Data, nil)
				if err != nil {
					t.Fatal(err)
				}
				c.odd(v)
				if leaf.Data, err = write.VMesh(v); err != nil {
					t.Fatal(err)
				}
			}
			b := treeBytes(t, tree)
			corpus.SameBytes(t, "by way of GLB", lower(t, fm, "ship.cmp", fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil)), nil), b)
		})
	}
}

// TestScaledJoint has a joint that scales the part, as a few files do: its mesh and animation are no edits.
func TestScaledJoint(t *testing.T) {
	tree, c := compoundOf(t, corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp")))
	for i := range c.Joints {
		for k := range c.Joints[i].Rotation {
			c.Joints[i].Rotation[k] *= 0.6
		}
	}
	if err := write.Compound(tree.Root, c); err != nil {
		t.Fatal(err)
	}
	b, fm := treeBytes(t, tree), byName(t, "cmp")
	corpus.SameBytes(t, "by way of GLB", lower(t, fm, "ship.cmp", fromGLB(t, glb(t, lift(t, fm, "ship.cmp", b, nil), nil)), nil), b)
}

// TestMaterialRenamed gives a material another name: it keeps its properties, and nothing but its name and what refers to
// it changes. One of another file keeps its name, and that is said.
func TestMaterialRenamed(t *testing.T) {
	fm := byName(t, "cmp")
	before := corpus.Bytes(t, corpus.Testdata(t, "freelancer", "ship.cmp"))
	rename := func(s *asset.Scene) *asset.Scene {
		for _, m := range s.Materials {
			if m.Name == "steel" {
				m.Name = "iron"
			}
		}
		return s
	}
	after := lower(t, fm, "ship.cmp", rename(fromGLB(t, glb(t, lift(t, fm, "ship.cmp", before, nil), nil))), nil)
	a, b := leavesOf(t, before), leavesOf(t, after)
	for path, data := range a {
		now, there := b[strings.Replace(path, "/steel/", "/iron/", 1)]
		if wears := strings.Contains(path, "turret") || strings.Contains(path, "wing"); !there || now != data != (wears && strings.HasSuffix(path, "/VMeshData")) {
			t.Errorf("%s: there %v, changed %v", path, there, now != data)
		}
	}
	if len(a) != len(b) || len(before) < len(after)-8 || len(meshes(t, after)) != 3 {
		t.Errorf("%d leaves of %d, %d bytes of %d", len(b), len(a), len(after), len(before))
	}
	for _, m := range lift(t, fm, "ship.cmp", after, nil).Materials {
		if m.Name != "paint" && m.Name != "iron" || m.BaseColorTexture == nil {
			t.Errorf("the material %q arrives, with a picture: %v", m.Name, m.BaseColorTexture != nil)
		}
	}

	model, _ := parted(t, "DcDt", true)
	var d schema.Diagnostics
	s := fromGLB(t, glb(t, lift(t, fm, "ship.cmp", model, nil), nil))
	s.Materials[0].Name = "mine"
	corpus.SameBytes(t, "a material of another file", lower(t, fm, "ship.cmp", s, &d), model)
	if !d.Has("material-name-kept") {
		t.Errorf("nothing says that it keeps its name: %v", d.All())
	}
}

// TestNewHardpoints: a new hardpoint is on the part that its node hangs on, and on the root where that is none.
func TestNewHardpoints(t *testing.T) {
	for _, c := range []struct{ below, want string }{{"", "Root.3db"}, {"turret", "turret.3db"}, {"HpWeapon01", "turret.3db"}} {
		_, after := edited(t, func(s *asset.Scene, n map[string]*asset.Node) {
			if c.below == "" {
				s.Roots = append(s.Roots, asset.NewNode("HpSpare"))
			} else {
				n[c.below].Children = append(n[c.below].Children, asset.NewNode("HpSpare"))
			}
		})
		var at []string
		for name := range leavesOf(t, after) {
			if strings.Contains(name, "HpSpare") {
				at = append(at, name)
			}
		}
		slices.Sort(at)
		where := c.want + "/Hardpoints/Fixed/HpSpare/"
		if got := strings.Join(at, " "); got != where+"Orientation "+where+"Position" {
			t.Errorf("below %q: %s", c.below, got)
		}
	}
}
