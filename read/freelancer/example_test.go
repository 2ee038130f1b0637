package freelancer_test

import (
	"bytes"
	"fmt"
	"log"
	"os"

	read "github.com/usher-assets/usher/read/freelancer"
	"github.com/usher-assets/usher/schema/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// A line of a voice bank is replaced. The other lines stay in their file, however many there are, and are copied from
// there.
func ExampleUTFAt() {
	file, err := os.Open("../../testdata/freelancer/voice.utf")
	check(err)
	defer file.Close()
	info, err := file.Stat()
	check(err)
	bank, err := read.UTFAt(file, info.Size(), nil)
	check(err)

	var lines []*freelancer.Node
	bank.Root.Walk(func(_ string, n *freelancer.Node) bool {
		if _, ok := freelancer.ParseVoiceName(n.Name); ok {
			lines = append(lines, n)
		}
		return true
	})
	fmt.Println(len(lines), "lines, in the file:", lines[0].InFile())
	lines[0].Data, err = lines[1].Payload()
	check(err)

	var out bytes.Buffer
	size, err := write.UTFTo(&out, bank)
	check(err)
	fmt.Println(size == int64(out.Len()), lines[1].InFile())
	// Output:
	// 2 lines, in the file: true
	// true true
}

// A hardpoint of a ship is moved. Only the bytes of its position change.
func ExampleHardpoints() {
	b, err := os.ReadFile("../../testdata/freelancer/ship.cmp")
	check(err)
	ship, err := read.UTF(b, nil)
	check(err)
	hardpoints, err := read.Hardpoints(ship.Root.Child("turret.3db"))
	check(err)
	gun := hardpoints[0]
	fmt.Println(gun.Name, gun.Position)

	gun.Position[1] = 0.5 // metres
	check(write.Hardpoint(ship.Root.Child("turret.3db"), gun))
	edited, err := write.UTF(ship)
	check(err)
	ship, err = read.UTF(edited, nil)
	check(err)
	hardpoints, err = read.Hardpoints(ship.Root.Child("turret.3db"))
	check(err)
	fmt.Println(hardpoints[0].Position, len(edited) == len(b))
	// Output:
	// HpWeapon01 [0 0.25 2]
	// [0 0.5 2] true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
