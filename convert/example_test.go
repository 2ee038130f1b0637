package convert_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"log"
	"os"
	"path/filepath"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
)

// A model of an archive becomes a GLB. The functions of ultima9.Sappear are typed, and need no list of formats.
func Example() {
	a := open("../testdata/ultima9/sappear.flx")
	defer a.Close()
	i, err := a.Find("3")
	check(err)
	payload, err := a.Payload(i)
	check(err)
	mesh, err := ultima9.Sappear.Read(payload, nil)
	check(err)
	scene, err := ultima9.Sappear.Lift(mesh, nil)
	check(err)
	var glb bytes.Buffer
	check(gltf.Encode(&glb, scene, gltf.Options{}))
	fmt.Println(len(mesh.Limbs), "limbs,", string(glb.Bytes()[:4]))
	// Output: 3 limbs, glTF
}

// One pixel of a texture is changed. Everything else stays as it was.
func Example_pixel() {
	a := open("../testdata/ultima9/bitmap16.flx")
	defer a.Close()
	payload, err := a.Payload(0)
	check(err)
	set, err := ultima9.Texture.Read(payload, nil)
	check(err)
	texture, err := ultima9.Texture.Lift(set, nil)
	check(err)

	m := texture.Base()
	m.Image(texture.Palette).(draw.Image).Set(1, 1, color.NRGBA{255, 0, 0, 255}) // it shares the pixels
	m.Stored = nil                                                               // so what they were decoded from is no longer true

	set, err = ultima9.Texture.Lower(texture, nil)
	check(err)
	edited, err := ultima9.Texture.Write(set)
	check(err)
	fmt.Println(len(payload) == len(edited), bytes.Equal(payload, edited))
	check(png.Encode(&bytes.Buffer{}, m.Image(texture.Palette)))
	// Output: true false
}

// An entry of an archive takes another payload. The others are copied as they are stored.
func Example_replace() {
	a := open("../testdata/ultima9/bitmap16.flx")
	defer a.Close()
	first, err := a.Find("2")
	check(err)
	second, err := a.Find("3")
	check(err)
	payload, err := a.Payload(second)
	check(err)
	check(a.Replace(first, payload))
	var out bytes.Buffer
	size, err := a.WriteTo(&out)
	check(err)
	fmt.Println(size == int64(out.Len()), len(a.Entries()), "entries")
	// Output: true 10 entries
}

// An edited PNG goes into one entry of an archive, all of it in memory.
func Example_picture() {
	content, err := os.ReadFile("../testdata/unreal/pictures.utx")
	check(err)
	c := new(convert.Converter)
	a, err := c.OpenArchiveAt("pictures.utx", bytes.NewReader(content), int64(len(content)))
	check(err)
	picture := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(color.NRGBA{0, 80, 160, 255}), image.Point{}, draw.Src)
	var edited bytes.Buffer
	check(png.Encode(&edited, picture))
	check(a.Put("Walls.Board", "Board.png", edited.Bytes()))
	var out bytes.Buffer
	_, err = a.WriteTo(&out)
	check(err)
	name, _, err := compare.Verify(out.Bytes(), nil, &format.Env{Name: "pictures.utx"})
	fmt.Println(name, err, bytes.Equal(out.Bytes(), content))
	// Output: unreal-package <nil> false
}

// A model becomes a GLB, and the GLB the same model again.
func ExampleConverter() {
	c := new(convert.Converter)
	model, err := c.Open("../testdata/ultimate3d/windmill.u3d")
	check(err)
	defer model.Close()
	files, err := model.To("glb", "windmill")
	check(err)
	back, err := c.Read(files[0].Name, files[0].Content)
	check(err)
	again, err := back.To("u3d", "windmill")
	check(err)
	was, err := os.ReadFile("../testdata/ultimate3d/windmill.u3d")
	check(err)
	fmt.Println(files[0].Name, convert.Recognise("", files[0].Content), bytes.Equal(again[0].Content, was))
	// Output: windmill.glb glb true
}

// Would usher write a file as it is?
func Example_verify() {
	content, err := os.ReadFile("../testdata/ultimate3d/windmill.u3d")
	check(err)
	name, _, err := compare.Verify(content, nil, &format.Env{Name: "windmill.u3d"})
	fmt.Println(name, err)
	name, _, err = compare.Verify(content[:100], nil, &format.Env{Name: "windmill.u3d"})
	fmt.Println(name, schema.Class(err))
	// Output:
	// u3d <nil>
	// u3d truncated
}

// A new Unreal package is made of a folder, here of one script text.
func Example_create() {
	dir, err := os.MkdirTemp("", "example")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Mkdir(filepath.Join(dir, "src"), 0o777))
	check(os.WriteFile(filepath.Join(dir, "src", "Notes.uc"), []byte("class Notes extends Object;\n"), 0o666))
	p := new(worktree.Packing)
	done, err := p.Run(context.Background(), filepath.Join(dir, "src"), filepath.Join(dir, "New.u"), new(schema.Diagnostics))
	check(err)
	fmt.Println(done.Changes[0].Action, done.Changes[0].Entry)
	made, err := os.ReadFile(filepath.Join(dir, "New.u"))
	check(err)
	fmt.Println(convert.FormatByName(convert.Recognise("New.u", made)).Title)
	// Output:
	// added Notes
	// Unreal Engine 1 package (code, level, textures, sounds, music)
}

func open(path string) *convert.Archive {
	a, err := new(convert.Converter).OpenArchive(path)
	check(err)
	return a
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
