package unreal

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/convert/unreal/texture"
	read "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// umodelCheck holds what usher reads of a package against what umodel, which shares no code with it, exports of it.
type umodelCheck struct {
	a     *archive
	files map[string][]byte // by path below the package's folder, without regard to case
	count map[string]int    // of objects that were compared, by kind
}

// checkWithUmodel has umodel open a package that usher wrote, and compares every object that both know. umodel takes
// spheres of version 61 to have a radius, which those of real packages of 61 do not have (reference section 11.1): it
// cannot read meshes of that version.
func checkWithUmodel(t *testing.T, umodel string, b []byte) map[string]int {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Held.u"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	c := &umodelCheck{a: openBytes(t, "Held.u", b), files: map[string][]byte{}, count: map[string]int{}}
	args := []string{"-export", "-sounds", "-groups", "-png", "-path=" + dir, "-out=" + filepath.Join(dir, "out"), "Held.u"}
	if c.a.Version == 61 {
		args = append(args, "-novert", "-nomesh")
	}
	run := exec.Command(umodel, args...)
	run.Dir = dir // it leaves a log where it runs
	told, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("umodel: %v\n%s", err, told[max(0, len(told)-2000):])
		return nil
	}
	root := filepath.Join(dir, "out", "Held")
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(root, path)
			c.files[strings.ToLower(filepath.ToSlash(name))] = corpus.Bytes(t, path)
		}
		return nil
	})
	for i := range c.a.Exports {
		c.object(t, i)
	}
	return c.count
}

// object compares an object, if it is of a kind that umodel exports.
func (c *umodelCheck) object(t *testing.T, i int) {
	t.Helper()
	o, err := c.a.Object(i)
	if err != nil {
		return // told by the tests that read every object
	}
	path, err := c.a.Path(unreal.Ref(i + 1))
	if err != nil {
		t.Fatal(err)
	}
	path = strings.ReplaceAll(path, ".", "/")
	switch o := o.(type) {
	case *unreal.Texture:
		if len(o.Mips) > 0 && len(o.Mips[0].Pixels) > 0 {
			c.texture(t, i, path)
		}
	case *unreal.Sound:
		for _, ext := range []string{".wav", ".ogg", ".mp3", ".unk"} {
			if b, ok := c.take(path + ext); ok {
				c.count["sound"]++
				corpus.SameBytes(t, path, b, o.Data)
				return
			}
		}
		if len(o.Data) >= 16 {
			t.Errorf("%s: umodel has no such sound", path)
		}
	case *unreal.Mesh, *unreal.LodMesh:
		if c.a.Version != 61 {
			c.mesh(t, i, o, path)
		}
	case *unreal.SkeletalMesh:
		if c.a.Version != 61 {
			c.skeletal(t, i, o, path)
		}
	case *unreal.Animation:
		c.motions(t, o, path)
	}
}

// sources compares the .3d pair that usher makes of a mesh with umodel's: faces by the places of their corners in all
// frames and their texture coordinates.
func (c *umodelCheck) sources(t *testing.T, i int, path string, d *unreal.MeshData, v *unreal.MeshAniv) {
	t.Helper()
	theirs := sourceFaces(d, v)
	var frames []byte
	our, err := MeshData.Lower(sceneOf(t, c.a, i, path), &format.Env{Diagnostics: new(schema.Diagnostics), Emit: func(name string, b []byte) error {
		if strings.HasSuffix(name, "_a.3d") { // and no script
			frames = b
		}
		return nil
	}})
	if err != nil {
		t.Errorf("%s as a pair of files: %v", path, err)
		return
	}
	aniv, err := read.MeshAniv(frames, int(our.Vertices), nil)
	if err != nil {
		t.Fatal(err)
	}
	if ours := sourceFaces(our, aniv); !maps.Equal(ours, theirs) {
		t.Errorf("%s: the pair of files has other faces than umodel's, %d and %d", path, len(our.Polys), len(d.Polys))
	}
	c.count["pair of .3d files"]++
}

func sourceFaces(d *unreal.MeshData, v *unreal.MeshAniv) map[string]int {
	count := map[string]int{}
	for _, p := range d.Polys {
		var corners [3]string
		for k, n := range p.Vertices {
			w := fmt.Sprint(p.UV[k])
			for _, frame := range v.Frames {
				w += fmt.Sprint(frame[n])
			}
			corners[k] = w
		}
		count[ring(corners)]++
	}
	return count
}

func (c *umodelCheck) take(path string) ([]byte, bool) {
	b, ok := c.files[strings.ToLower(path)]
	return b, ok
}

// texture compares the base list's largest picture. umodel makes the first colour of every palette transparent, and
// leaves out alpha that is the same everywhere: of what is transparent the colour is not compared.
func (c *umodelCheck) texture(t *testing.T, i int, path string) {
	t.Helper()
	b, ok := c.take(path + ".png")
	if !ok {
		t.Errorf("%s: umodel has no such picture", path)
		return
	}
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	o, err := c.a.Object(i)
	if err != nil {
		t.Fatal(err)
	}
	if o.Base().Ref("Palette") < 0 {
		c.count["texture of another package's palette"]++ // which is not at hand: neither knows its colours
		return
	}
	v, err := formatOf(c.a, i).Lift(o, &format.Env{Archive: c.a, Entry: path, Options: format.Options{Unreal: format.UnrealOptions{Mips: "base"}}})
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	x := v.(*asset.Texture)
	c.count["texture"]++
	if size := m.Bounds().Size(); size != image.Pt(x.Base().Width, x.Base().Height) {
		t.Errorf("%s: umodel has %v, usher %d×%d", path, size, x.Base().Width, x.Base().Height)
		return
	}
	for k, p := range texture.Pixels(x) {
		r, g, b, a := nrgba(m, k%x.Base().Width, k/x.Base().Width)
		if p[3] == 0 {
			if o, ok := m.(interface{ Opaque() bool }); a != 0 && !(ok && o.Opaque()) {
				t.Errorf("%s: pixel %d is transparent; umodel has alpha %d", path, k, a)
				return
			}
			continue
		}
		if p[0] != r || p[1] != g || p[2] != b {
			t.Errorf("%s: pixel %d is %v; umodel has %d %d %d %d", path, k, p, r, g, b, a)
			return
		}
	}
}

// nrgba returns a pixel with its colour as it is stored, transparent or not.
func nrgba(m image.Image, x, y int) (r, g, b, a byte) {
	switch m := m.(type) {
	case *image.NRGBA:
		p := m.NRGBAAt(x, y)
		return p.R, p.G, p.B, p.A
	case *image.RGBA:
		p := m.RGBAAt(x, y)
		return p.R, p.G, p.B, p.A
	}
	panic(fmt.Sprintf("a picture as %T", m))
}

// mesh compares faces, texture coordinates and the vertices of every frame. umodel writes a vertex for each corner, and
// the number of a face's material instead of that of its texture.
func (c *umodelCheck) mesh(t *testing.T, i int, o unreal.AnyObject, path string) {
	t.Helper()
	x := framesOf(o)
	if len(x.faces) == 0 {
		return
	}
	data, ok := c.take(path + "_d.3d")
	frames, ok2 := c.take(path + "_a.3d")
	if !ok || !ok2 {
		t.Errorf("%s: umodel has no such mesh", path)
		return
	}
	d, err := read.MeshData(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := read.MeshAniv(frames, int(d.Vertices), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.count["mesh"]++
	if len(d.Polys) != len(x.faces) || len(v.Frames) != int(x.mesh.AnimFrames) {
		t.Errorf("%s: umodel has %d faces and %d frames, usher %d and %d", path, len(d.Polys), len(v.Frames), len(x.faces), x.mesh.AnimFrames)
		return
	}
	scale, slack := packedScale(x.mesh)
	for j, p := range d.Polys {
		for k, q := range x.faces[j] {
			if p.UV[k] != q.uv {
				t.Errorf("%s: face %d, corner %d has texture coordinates %v; umodel has %v", path, j, k, q.uv, p.UV[k])
				return
			}
			for n := range v.Frames {
				got, want := x.mesh.Vertices[n*x.stride+q.vertex], v.Frames[n][p.Vertices[k]]
				for axis := range got {
					if math.Abs(float64(got[axis])*scale-float64(want[axis])) > slack {
						t.Errorf("%s: face %d, corner %d is at %v in frame %d; umodel has %v", path, j, k, got, n, want)
						return
					}
				}
			}
		}
	}
	if x.mesh.VertexBytes == 4 && x.mesh.AnimFrames > 0 {
		c.sources(t, i, path, d, v)
	}
}

// packedScale is what umodel multiplies vertices of 8 bytes with, so that they fit into 4, and how far its rounding goes.
func packedScale(m *unreal.Mesh) (scale, slack float64) {
	largest := 0
	for _, v := range m.Vertices {
		for _, x := range v {
			largest = max(largest, int(x), -int(x))
		}
	}
	if m.VertexBytes == 4 || largest <= 511 {
		return 1, 0
	}
	return 511 / float64(largest), 0.51
}

// TestUmodelMade: new textures with and without a compressed list, sounds, meshes and skeletal meshes with their motions,
// in every version.
func TestUmodelMade(t *testing.T) {
	umodel := corpus.Umodel(t)
	for version := uint16(unreal.MinVersion); version <= unreal.MaxVersion; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			a := made(t, version)
			add(t, a, "Beasts/Worm", worm(), format.Model)
			mesh, motions := skinnedSource()
			mesh.Materials[1].Texture = 1 // materials of one texture and the same flags become one
			addActorX(t, a, "Strip", mesh, motions)
			mesh, motions = wormFiles(t)
			addActorX(t, a, "Second", mesh, motions)
			want := map[string]int{"texture": 4, "sound": 1, "mesh": 1, "skeletal mesh": 3, "motions": 3, "pair of .3d files": 1, ".psk file": 3, ".psa file": 3}
			if version == 61 {
				want = map[string]int{"texture": 4, "sound": 1, "motions": 3}
			}
			held(t, checkWithUmodel(t, umodel, written(t, a)), want)
		})
	}
	for _, encoding := range []string{"p8", "bc1", "bc3"} {
		t.Run(encoding, func(t *testing.T) {
			a := textured(t, colourful(32, 16, encoding == "bc3"), format.Options{Unreal: format.UnrealOptions{TextureEncoding: encoding}})
			held(t, checkWithUmodel(t, umodel, written(t, a)), map[string]int{"texture": 1})
			if encoding != "p8" { // umodel passes over a second list: it sees the blocks as the first
				firstSlot(t, a)
				held(t, checkWithUmodel(t, umodel, written(t, a)), map[string]int{"texture": 1})
			}
		})
	}
}

// firstSlot puts the compressed list of a texture into the place of its other one.
func firstSlot(t *testing.T, a *archive) {
	t.Helper()
	o := textureOf(t, a, "Picture")
	kind := o.Number("CompFormat", 0)
	o.Mips, o.Compressed, o.HasComp = o.Compressed, nil, false
	o.Properties = slices.DeleteFunc(o.Properties, func(p unreal.Property) bool {
		return slices.Contains([]string{"bHasComp", "CompFormat"}, a.Name(p.Name))
	})
	o.Set("Format", unreal.ByteProperty, kind)
	b, err := write.Object(o)
	if err == nil {
		err = a.Replace(entry(t, a, "Picture"), b)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// addActorX adds the object that each file of a pair becomes.
func addActorX(t *testing.T, a *archive, name string, psk *unreal.PSK, motions *unreal.PSA) {
	t.Helper()
	b, err := write.PSA(motions)
	if err == nil {
		err = a.Add(name, b, &mesh.PSAFormat)
	}
	if err != nil {
		t.Fatal(err)
	}
	if b, err = write.PSK(psk); err == nil {
		err = a.Add(name, b, &mesh.PSKFormat)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// wormFiles are the files that the worm becomes.
func wormFiles(t *testing.T) (*unreal.PSK, *unreal.PSA) {
	t.Helper()
	var motions []byte
	mesh, err := PSK.Lower(through(t, worm()).(*asset.Scene), &format.Env{Output: "Worm", Diagnostics: new(schema.Diagnostics), Emit: func(name string, b []byte) error {
		motions = b
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	x, err := read.PSA(motions, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mesh, x
}

// held makes sure that as many objects were compared as there are.
func held(t *testing.T, count, want map[string]int) {
	t.Helper()
	for kind, n := range want {
		if count[kind] != n {
			t.Errorf("%d of kind %s were compared, not %d", count[kind], kind, n)
		}
	}
}

// TestUmodelCorpus: the packages of the corpus as they are written when each of their pictures, sounds and meshes was
// edited.
func TestUmodelCorpus(t *testing.T) {
	umodel := corpus.Umodel(t)
	total := map[string]int{}
	for _, e := range valid(t) {
		t.Run(e.File, func(t *testing.T) {
			a := openBytes(t, e.File, corpus.Bytes(t, e.Path))
			if a.Licensee != 0 {
				return
			}
			for i := range a.Entries() {
				total["edited"] += editEntry(t, a, i)
			}
			for kind, n := range checkWithUmodel(t, umodel, written(t, a)) {
				total[kind] += n
			}
		})
	}
	t.Logf("%v", total)
	for _, kind := range []string{"edited", "texture", "sound", "mesh", "skeletal mesh", "motions"} {
		if total[kind] == 0 {
			t.Errorf("none of kind %s", kind)
		}
	}
}

// editEntry edits a picture, a sound or a mesh through its interchange file, and returns how many entries that were.
func editEntry(t *testing.T, a *archive, i int) int {
	t.Helper()
	path := a.Entries()[i].Path
	if !slices.Contains([]string{"Texture", "Sound", "Mesh", "LodMesh", "SkeletalMesh"}, a.Layout(i)) {
		return 0
	}
	f := formatOf(a, i)
	b, err := a.Payload(i)
	if err != nil {
		t.Fatal(err)
	}
	o, err := f.Read(b, nil)
	if err != nil {
		return 0
	}
	v, err := f.Lift(o, &format.Env{Archive: a, Entry: path})
	if err != nil || !alter(v) {
		return 0
	}
	if o, err = f.Lower(through(t, v), &format.Env{Archive: a, Entry: path}); err == nil {
		b, err = f.Write(o)
	}
	if err == nil {
		err = a.Replace(i, b)
	}
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return 0
	}
	return 1
}

// alter turns the colours of a picture around, cuts a sound in half, moves a vertex of a mesh. It reports whether there was
// anything to edit.
func alter(v asset.Asset) bool {
	switch v := v.(type) {
	case *asset.Texture:
		if len(v.Frames) != 1 || v.Base() == nil {
			return false
		}
		m := asset.NewImage(v.Base().Width, v.Base().Height, asset.RGBA8)
		for i, p := range texture.Pixels(v) {
			copy(m.Pix[4*i:], []byte{255 - p[0], 255 - p[1], 255 - p[2], p[3]})
		}
		v.Frames[0].Mips, v.Palette = []asset.Image{m}, nil
		return true
	case *asset.Sound:
		v.PCM = v.PCM[:len(v.PCM)/8*4]
		return len(v.PCM) > 0
	case *asset.Scene:
		if len(v.Meshes) == 0 || len(v.Meshes[0].Primitives) == 0 {
			return false
		}
		at := v.Meshes[0].Primitives[0].Positions[0]
		for _, p := range v.Meshes[0].Primitives {
			for k := range p.Positions {
				if p.Positions[k] == at {
					p.Positions[k][1] -= sign(at[1]) // towards the middle, so that it fits
				}
			}
		}
		return true
	}
	return false
}
