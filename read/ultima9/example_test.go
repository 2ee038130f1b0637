package ultima9_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	read "github.com/usher-assets/usher/read/ultima9"
	"github.com/usher-assets/usher/schema/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// A record of an archive is changed. The other records stay where they are in the file, and are copied from there.
func ExampleFLX() {
	file, err := os.Open("../../testdata/ultima9/typename.flx")
	check(err)
	defer file.Close()
	info, err := file.Stat()
	check(err)
	archive, err := read.FLX(file, info.Size(), nil)
	check(err)
	payload, err := archive.Payload(3)
	check(err)
	name, err := read.TypeName(payload, nil)
	check(err)
	fmt.Printf("slot 3 of %d: %q\n", archive.Len(), *name.Name)

	payload, err = write.TypeName(ultima9.NewTypeName(name.Text, name.Icon, "lantern"))
	check(err)
	check(archive.Replace(3, payload))
	var out bytes.Buffer
	check(write.FLX(&out, archive))

	archive, err = read.FLX(bytes.NewReader(out.Bytes()), int64(out.Len()), nil)
	check(err)
	payload, err = archive.Payload(3)
	check(err)
	name, err = read.TypeName(payload, nil)
	check(err)
	fmt.Printf("slot 3 of %d: %q\n", archive.Len(), *name.Name)
	// Output:
	// slot 3 of 4: "traveller"
	// slot 3 of 4: "lantern"
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
