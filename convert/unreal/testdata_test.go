package unreal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/unreal/download"
	"github.com/usher-assets/usher/convert/unreal/mesh"
	"github.com/usher-assets/usher/schema/unreal"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/unreal"
)

// samples are the files of testdata/unreal, made here. USHER_UPDATE=1 writes them anew.
func samples(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	for name, version := range map[string]uint16{"made69.u": 69, "made65.u": 65, "made61.u": 61} {
		files[name] = written(t, made(t, version))
	}
	pictures, _ := Create(nil)
	add(t, pictures.(*archive), "Walls/Board", checkerboard(8, 4), format.Texture)
	add(t, pictures.(*archive), "Walls/Holes", colourful(16, 16, true), format.Texture)
	files["pictures.utx"] = written(t, pictures)
	beasts, _ := Create(nil)
	add(t, beasts.(*archive), "Beasts/Worm", worm(), format.Model)
	files["worm.u"] = written(t, beasts)
	files["linked.u"] = written(t, linked(t))
	sounds, _ := Create(nil)
	add(t, sounds.(*archive), "Beep", beep(), format.Sound)
	files["sounds.uax"] = written(t, sounds)
	files["tent.u"] = written(t, tent(t))
	for name, version := range map[string]uint16{"letters69.utx": 69, "letters61.utx": 61} {
		files[name] = written(t, lettersOf(t, version))
	}
	files["moving.utx"] = written(t, moving(t))
	files["hall.unr"] = written(t, hall(t, 69))
	packed, _ := download.UZ.Create(nil)
	if err := packed.Add("Beep.uax", files["sounds.uax"], nil); err != nil {
		t.Fatal(err)
	}
	manifest, beep := "[Setup]\nProduct=Beep\n", files["sounds.uax"] // it lists nothing
	installer, err := write.UMOD(&unreal.UMOD{Version: unreal.UMODVersion, Fresh: true, Content: append([]byte(manifest), beep...), Files: []unreal.UMODFile{
		{Path: unreal.Str{Text: `System\Manifest.ini`}, Size: uint32(len(manifest)), Flags: unreal.UMODManifest},
		{Path: unreal.Str{Text: `Sounds\Beep.uax`}, Offset: uint32(len(manifest)), Size: uint32(len(beep))},
	}})
	if err != nil {
		t.Fatal(err)
	}
	files["beep.uz"], files["beep.umod"] = written(t, packed), installer
	files["hall.int"] = []byte("; words of a hall\r\n[Public]\r\nObject=(Name=Hall.Lamp,Class=Class)\r\nObject=(Name=Hall.Door,Class=Class)\r\n\r\n[Lamp]\r\nTitle=\"A lamp\"\r\nHint=Caf\xe9\r\n")
	files["room61.unr"] = written(t, roomMap(t, 61))
	data := &unreal.MeshData{Vertices: 4, Polys: []unreal.SourcePoly{
		{Vertices: [3]uint16{0, 1, 2}, Type: 1, UV: [3][2]uint8{{0, 0}, {255, 0}, {0, 255}}},
		{Vertices: [3]uint16{0, 2, 3}, Type: 18, Texture: 1, UV: [3][2]uint8{{1, 2}, {3, 4}, {5, 6}}},
	}}
	aniv := &unreal.MeshAniv{VertexBytes: 4, FrameBytes: 16, Frames: [][][3]int16{
		{{0, 0, 0}, {100, 0, 0}, {0, 100, 0}, {0, 0, 100}}, {{0, 0, 0}, {100, 0, 0}, {0, 100, 0}, {0, 0, 200}},
	}}

	if files["rock_d.3d"], err = write.MeshData(data); err != nil {
		t.Fatal(err)
	}
	if files["rock_a.3d"], err = write.MeshAniv(aniv); err != nil {
		t.Fatal(err)
	}
	mesh, motions := skinnedSource()
	if files["strip.psk"], err = write.PSK(mesh); err == nil {
		files["strip.psa"], err = write.PSA(motions)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := t3dFormat.Lower(pyramid(), &format.Env{})
	if err == nil {
		files["pyramid.t3d"], err = t3dFormat.Write(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// linked is a package with a mesh whose skin is in another one, pictures.utx.
func linked(t testing.TB) *archive {
	x, _ := Create(nil)
	a := x.(*archive)
	s := pyramid()
	s.Meshes[0].Primitives[0].Material.BaseColorTexture = nil
	o, err := mesh.Lower(a.File, -1, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	walls := a.AddImport("Core", "Package", a.AddImport("Core", "Package", 0, "pictures"), "Walls")
	o.(*unreal.LodMesh).Textures = []unreal.Ref{a.AddImport("Engine", "Texture", walls, "Board")}
	b, err := write.Object(o)
	if err == nil {
		err = a.Add("Pyramid", b, a.bind(meshFormat, -1))
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestTestdata: the files are as the writers make them, and every object in them goes there and back.
func TestTestdata(t *testing.T) {
	for name, want := range samples(t) {
		path := corpus.Testdata(t, "unreal", name)
		if os.Getenv("USHER_UPDATE") != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		b := corpus.Bytes(t, path)
		corpus.SameBytes(t, name, b, want)
		if f := known(name, b); f == nil || f.Name != "unreal-package" {
			continue
		}
		a := openBytes(t, name, b)
		for i := range a.Entries() {
			back(t, a, i, map[string]int{})
		}
		if got := written(t, a); !bytes.Equal(got, b) {
			t.Errorf("%s: changed by being written", name)
		}
	}
}

// known returns the format whose probe is surest of a file.
func known(name string, b []byte) (best *format.Format) {
	sure := format.No
	for i := range Formats {
		f := &Formats[i]
		if f.Probe == nil {
			continue
		}
		if c := f.Probe(&format.Input{Name: name, Head: b, Size: int64(len(b))}); c > sure {
			best, sure = f, c
		}
	}
	return best
}
