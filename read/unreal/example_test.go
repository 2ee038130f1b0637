package unreal_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	read "github.com/usher-assets/usher/read/unreal"
	write "github.com/usher-assets/usher/write/unreal"
)

// One pixel of a texture in a package is changed. The rest of the package stays as it is stored.
func ExampleTexture() {
	file, err := os.Open("../../testdata/unreal/pictures.utx")
	check(err)
	defer file.Close()
	info, err := file.Stat()
	check(err)
	p, err := read.Package(file, info.Size(), nil)
	check(err)
	ref := p.FindExport("Walls.Board", "Texture")
	i := int(ref) - 1 // a reference to export i is i + 1
	payload, err := p.Payload(i)
	check(err)
	texture, err := read.Texture(payload, p.Context(i), nil)
	check(err)
	mip := &texture.Mips[0]
	fmt.Println(p.RefText(ref), mip.USize, "x", mip.VSize)

	was := mip.Pixels[0] // an index into the palette
	mip.Pixels[0]++
	payload, err = write.Texture(texture)
	check(err)
	check(read.Replace(p, i, payload, nil))
	var out bytes.Buffer
	check(write.Package(&out, p))

	p, err = read.Package(bytes.NewReader(out.Bytes()), int64(out.Len()), nil)
	check(err)
	payload, err = p.Payload(i)
	check(err)
	texture, err = read.Texture(payload, p.Context(i), nil)
	check(err)
	fmt.Println(texture.Mips[0].Pixels[0] == was+1, int64(out.Len()) == info.Size())
	// Output:
	// Texture'Walls.Board' 8 x 4
	// true true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
