package ultima9_test

import (
	"flag"
	"os"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	write "github.com/usher-assets/usher/write/ultima9"
)

var update = flag.Bool("update", false, "write the samples of testdata/ultima9, and the tables of the reference")

// sample returns the bytes of a small value of each layout.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	b, err := sampleBytes(name)
	if err != nil {
		t.Fatal(name, err)
	}
	return b
}

func sampleBytes(name string) ([]byte, error) {
	text := func(s string) ultima9.FixedText { return ultima9.FixedText{Text: s} }
	counted := func(s string) ultima9.CountedText { return ultima9.CountedText{Text: s} }
	switch name {
	case "sound":
		return write.Sound(&ultima9.Sound{ID: 7, Description: text("bell"), Rate: 22050, Bits: 16, Channels: 1, Data: []byte{1, 0, 2, 0, 0xFF, 0xFF}})
	case "sfxassoc":
		return write.SoundLink(&ultima9.SoundLink{Template: 3})
	case "sfxcat":
		return write.SoundCategory(&ultima9.SoundCategory{ID: 1, Name: text("DOORS")})
	case "sfxenv":
		return write.SoundEnvironment(&ultima9.SoundEnvironment{Profile: 2, Volume: 0.5, Decay: 1.5, Damping: 0.25, Name: text("HALL")})
	case "sfxtmpl":
		return write.SoundTemplate(&ultima9.SoundTemplate{ID: 4, Name: text("FOUNTAIN"), InnerCone: 360, OuterCone: 360, Near: 1, Far: 30,
			Actions: []ultima9.SoundAction{{Category: 1, Name: text("RUN"), Choices: []ultima9.SoundChoice{{Sound: 9, Volume: 100, Weight: 1, HourTo: 24}, {Choice: 1, Sound: 10}}}, {Category: 2, Name: text("STOP")}}})
	case "books":
		return write.Book(&ultima9.Book{Title: counted("3: Of Lanterns"), Body: "`pTrim the wick.\r\n`f1Often.\r\n"})
	case "text":
		return write.Text(&ultima9.Text{Text: "Grüße – “ja”", Rest: []uint16{0, 7}})
	case "textdat":
		x := ultima9.NewTextTable(5)
		for i, key := range []string{ultima9.TextKey("UI", "Yes"), ultima9.TextKey("Ada", "Good day."), ultima9.FileKey("a.cpp : BEGIN FILE")} {
			if err := x.Add(key, uint32(i)); err != nil {
				return nil, err
			}
		}
		return write.TextTable(x)
	case "npc":
		return write.NPCs(&ultima9.NPCs{Records: []ultima9.NPC{{Handle: 1, Name: ultima9.FixedText{Text: "Ada", Rest: []byte{9, 0, 0, 1}}, Health: 20, HealthMax: 30, X: -5, Models: [7]int32{-1, -1}}, {Handle: 2}}})
	case "activity":
		step := func(op uint8) ultima9.ActivityStep {
			return ultima9.ActivityStep{Opcode: op, Operands: [8]uint8{1, 2, 3}}
		}
		return write.ActivityList(&ultima9.ActivityList{Activities: []ultima9.Activity{
			{Name: ultima9.FixedText{Text: "Sleep", Rest: []byte{0xCD, 0xCD}}, Steps: []ultima9.ActivityStep{step(3), step(9), step(0xFF)}},
			{Ordinal: 1, Name: text("Eat"), Steps: []ultima9.ActivityStep{step(0xFF)}}}})
	case "triggers":
		return write.Trigger(&ultima9.Trigger{Steps: []ultima9.TriggerStep{{Opcode: 1, Operand1: 2, Operand2: 3, Operand4: 4}, {Opcode: 0xFF}}, Stale: []ultima9.TriggerStep{{Opcode: 9}}})
	case "highway":
		return write.Highway(&ultima9.Highway{Points: []ultima9.HighwayPoint{{ID: 1, X: 100, Y: 200}, {ID: 2, X: 300, Y: 400}, {ID: 70000}}, Routes: []ultima9.HighwayRoute{{Start: 1, End: 2, Distance: 283, Path: []uint16{1, 2}}, {Start: 2, End: 2, Path: []uint16{2}}}})
	case "areas":
		at := func(x int32) ultima9.AreaPosition { return ultima9.AreaPosition{X: x, Y: -x, Z: 4} }
		return write.Area(&ultima9.Area{Kind: 1, ID: 5, Position: at(10), Flags: ultima9.AreaEncounter, Chance: 50, Map: 9, WeightSum: 3,
			Encounter: &ultima9.Encounter{Count: 1, Entries: [12]ultima9.EncounterEntry{{Type: 44, Weight: 3}}}, Boxes: []ultima9.AreaBox{{Min: at(0), Max: at(20)}, {Min: at(1), Max: at(2)}}})
	case "spaces":
		return write.Space(&ultima9.Space{Name: text("Cellar"), Map: 9, Audio: 0xC0000203, Number: 3, Visibility: -1, Planes: []ultima9.SpacePlane{
			{Normal: [3]float32{0, 0, 1}, W: -3}, {Pointer: 0x12345678, Normal: [3]float32{1, 0, 0}, Portals: []ultima9.SpacePortal{{Target: 4, Range: 9}, {Pointer: 8, Target: -1}}}}})
	case "treedat":
		return write.TreeData(&ultima9.TreeData{Volumes: []int32{1, 2}, Nodes: []ultima9.TreeNode{{Front: 1, Back: -1, Plane: [4]float32{1, 0, 0, 5}, Subtree: 2}, {Front: -1, Back: -1, Volumes: []int32{1, 2}, Subtree: 1}}})
	case "dimension":
		x := &ultima9.Dimensions{Spheres: make([]ultima9.DimensionSphere, ultima9.DimensionModels), Minima: make([]float32, ultima9.DimensionModels), Maxima: make([]float32, ultima9.DimensionModels)}
		x.Spheres[1] = ultima9.DimensionSphere{Radius: 2, Centre: [3]float32{0, 1, 0}}
		return write.Dimensions(x)
	case "shade":
		x := &ultima9.ShadeTable{}
		for i := range x.Shades {
			x.Shades[i][i] = uint8(i)
		}
		return write.ShadeTable(x)
	case "shadegry":
		return write.GreyTable(&ultima9.GreyTable{Ramps: [4][16]uint8{{1, 2, 3}}, Map: [256]uint8{0, 1, 2}})
	case "colourcube":
		leaf := ultima9.ColourNode{Indices: []uint8{3, 4}}
		node := ultima9.ColourNode{Children: []ultima9.ColourNode{leaf, leaf, leaf, leaf, leaf, leaf, leaf, {Indices: []uint8{9}}}}
		return write.ColourCube(&ultima9.ColourCube{Palette: make([]byte, ultima9.PaletteSize), Root: ultima9.ColourNode{Children: []ultima9.ColourNode{node, leaf, leaf, leaf, leaf, leaf, leaf, leaf}}})
	}
	return worldSample(name)
}

// sampleFiles are the samples that are kept, under the names that the game has for such files; records of its archives
// have the extension of their format.
var sampleFiles = map[string]string{
	"sound":      "bell.snd",
	"sfxassoc":   "door.sfxassoc",
	"sfxcat":     "doors.sfxcat",
	"sfxenv":     "hall.sfxenv",
	"sfxtmpl":    "fountain.sfxtmpl",
	"books":      "lanterns.book",
	"text":       "greeting.u9text",
	"textdat":    "text.dat",
	"npc":        "people.npc",
	"activity":   "ada.activity",
	"triggers":   "door.trigger",
	"highway":    "highway.dat",
	"areas":      "woods.area",
	"spaces":     "cellar.space",
	"treedat":    "cellar.treedat",
	"shade":      "shade.tbl",
	"shadegry":   "shadegry.tbl",
	"colourcube": "rgbccube.dat",
	"terrain":    "terrain.9",
	"savegame":   "u9game1.sav",
	"diary":      "diary.diary",
	"startdat":   "start.dat",
	"picture":    "small.picture",
	"fixed":      "fixed.9",
	"nonfixed":   "nonfixed.9",
}

// TestSamplesAreOurs holds the samples to what the writers make today.
func TestSamplesAreOurs(t *testing.T) {
	for name := range layouts {
		if b := sample(t, name); sampleFiles[name] == "" && len(b) <= 16<<10 {
			t.Errorf("no file holds the sample of %s", name)
		}
	}
	for name, file := range sampleFiles {
		path := corpus.Testdata(t, "ultima9", file)
		b := sample(t, name)
		if *update {
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		corpus.SameBytes(t, name, corpus.Bytes(t, path), b)
	}
}

// worldSample returns the samples of maps and savegames.
func worldSample(name string) ([]byte, error) {
	switch name {
	case "terrain":
		return write.Terrain(smallTerrain())
	case "savegame":
		heap, err := smallNonfixed()
		if err != nil {
			return nil, err
		}
		diary, err := sampleBytes("diary")
		if err != nil {
			return nil, err
		}
		return write.Savegame(&ultima9.Savegame{Label: ultima9.CountedText{Absent: true}, Description: ultima9.CountedText{Text: "At the inn"}, Map: 9, Time: 60, Day: 2,
			Picture: []byte{1}, Processes: []byte{2, 3}, Diary: diary, Maps: []ultima9.SavedMap{{Number: 9, Data: heap}}})
	case "diary":
		return write.Diary(&ultima9.Diary{Entries: []string{"Arrived.", "Slept – badly."}})
	case "startdat":
		return write.StartFile(&ultima9.StartFile{Slot: 3})
	case "picture":
		return write.SavePicture(&ultima9.SavePicture{Width: 4, Height: 2, Rows: []uint32{1, 2}, Pixels: []byte{1, 2, 3, 4, 5, 6, 7, 8}})
	case "fixed":
		return smallFixed()
	case "nonfixed":
		return smallNonfixed()
	}
	return nil, os.ErrNotExist
}

// smallFixed returns two squares, one of which is empty, with a few objects.
func smallFixed() ([]byte, error) {
	x := &ultima9.ObjectFile{Kind: ultima9.Fixed, Leading: make([]uint32, 2), Unknown0C: ultima9.HeapUnknown, Width: 2, Height: 1, First: make([]ultima9.PageRef, 2)}
	e := write.EditHeap(x)
	for i := range int32(5) {
		o := &ultima9.Object{Square: [2]uint32{1, 0}, X: 900 * i, Y: 100, Z: int16(-i), Type: uint16(i), Rotation: [4]int16{0, 0, 0, 32767}, Flags: 1}
		if _, err := e.Add(o, nil); err != nil {
			return nil, err
		}
	}
	return write.Fixed(x)
}

// smallNonfixed returns a square with a container in a container and chains of properties.
func smallNonfixed() ([]byte, error) {
	x := &ultima9.ObjectFile{Kind: ultima9.Nonfixed, Leading: make([]uint32, 3), Unknown0C: ultima9.HeapUnknown, Width: 1, Height: 1, First: make([]ultima9.PageRef, 1)}
	e := write.EditHeap(x)
	coin := &ultima9.Object{Type: 9, Flags: ultima9.EntityFlags}
	pouch := &ultima9.Object{Type: 8, Flags: ultima9.EntityFlags, Contents: []*ultima9.Object{coin, coin}}
	for _, o := range []*ultima9.Object{
		{X: 10, Y: 20, Z: 30, Type: 1, Flags: ultima9.EntityFlags, Model: 4, Properties: []ultima9.Property{{Type: 0x42, Value: 50}}},
		{X: 3000, Y: 20, Type: 2, Flags: ultima9.EntityFlags, Contents: []*ultima9.Object{pouch}, Properties: []ultima9.Property{{Type: 0x74, Value: 1}, {Type: 0x49, Value: 200}}},
		{X: 3000, Y: 4000, Type: 3, Flags: ultima9.EntityFlags, Link: 6, Properties: []ultima9.Property{{Type: 1, Value: 1}, {Type: 2, Value: 2}, {Type: 3, Value: 3}, {Type: 4, Value: 4}, {Type: 6, Value: 5}}},
	} {
		if _, err := e.Add(o, nil); err != nil {
			return nil, err
		}
	}
	return write.Nonfixed(x)
}
