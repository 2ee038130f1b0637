package ultima9_test

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

func readSave(t testing.TB, name string) *ultima9.Savegame {
	t.Helper()
	x, err := read.Savegame(corpus.Bytes(t, filepath.Join(corpus.Folder(t, "ultima9"), "synthetic/save", name)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestSavegameValues(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic/save")
	for _, name := range []string{"u9game1.sav", "u9game2.sav"} {
		var want struct {
			Label, Description string
			Position           [3]float32
			Orientation        [4]float32
			YawPitchRoll       [3]float32 `json:"yaw_pitch_roll"`
			Map, Time, Day     int32
			Picture            struct{ Width, Height uint32 }
			Processes          struct {
				Length     int
				NPCs       []npcValues
				Count      int        `json:"npc_count"`
				References [][3]int32 `json:"object_refs"`
				FreeHead   uint32     `json:"ref_free_head"`
			}
			Diary []string
			Maps  []struct {
				Number int32
				Length int
			}
		}
		corpus.JSON(t, filepath.Join(dir, name+".json"), &want)
		x := readSave(t, name)
		if x.Label.Text != want.Label || x.Description.Text != want.Description || x.Position != want.Position || x.Orientation != want.Orientation ||
			x.YawPitchRoll != want.YawPitchRoll || x.Map != want.Map || x.Time != want.Time || x.Day != want.Day {
			t.Errorf("%s: %+v", name, []any{x.Label, x.Description, x.Position, x.Orientation, x.YawPitchRoll, x.Map, x.Time, x.Day})
		}
		if len(x.Maps) != len(want.Maps) {
			t.Errorf("%s: %d maps", name, len(x.Maps))
		}
		for i, m := range want.Maps {
			if x.Maps[i].Number != m.Number || len(x.Maps[i].Data) != m.Length {
				t.Errorf("%s: map %d is %d with %d bytes", name, i, x.Maps[i].Number, len(x.Maps[i].Data))
			}
			if _, err := read.Nonfixed(x.Maps[i].Data, nil); err != nil {
				t.Errorf("%s: map %d: %v", name, i, err)
			}
		}
		p, err := read.SavePicture(x.Picture, nil)
		if err != nil || p.Width != want.Picture.Width || p.Height != want.Picture.Height {
			t.Errorf("%s: picture %+v, %v", name, p, err)
		}
		processes, err := read.Processes(x.Processes, nil)
		if err != nil || len(processes.NPCs) != want.Processes.Count || processes.FreeHead != want.Processes.FreeHead || len(processes.References) != len(want.Processes.References) {
			t.Fatalf("%s: processes: %v", name, err)
		}
		for i, r := range want.Processes.References {
			if got := processes.References[i]; [3]int32{got.Uses, got.Map, got.Offset} != r {
				t.Errorf("%s: reference %d is %+v, want %v", name, i, got, r)
			}
		}
		checkNPCs(t, name, processes.NPCs, want.Processes.NPCs)
		diary, err := read.Diary(x.Diary, nil)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "diary", diary.Entries, want.Diary)
	}
}

func TestSavegameEdit(t *testing.T) {
	x := readSave(t, "u9game1.sav")
	x.Description.Text = "A rather longer description"
	got, err := write.Savegame(x)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "edited savegame", got, corpus.Bytes(t, filepath.Join(corpus.Folder(t, "ultima9"), "synthetic/edits/save.new.sav")))
}

// npcValues is an NPC in a sidecar.
type npcValues struct {
	Index       int
	Handle      uint32
	Name        string
	Gender      uint8
	Magic       uint8
	Armour      [2]uint8
	Stats       [3]int32
	Health      [3]uint16
	Mana        [3]uint16
	Behaviour   int32
	State       uint32
	Routine     [3]uint16
	MagicResist uint8 `json:"magic_resist"`
	Workers     uint8
	Awareness   uint16
	Arc         uint8
	Guaranteed  uint8
	Region      int32
	Position    [3]int32
	Scale       [3]uint8
	Equipped    [7]uint32
	Models      [7]int32
	Weapon      int32
	Skills      [5]int32
}

func checkNPCs(t *testing.T, name string, got []ultima9.NPC, want []npcValues) {
	t.Helper()
	if len(want) == 0 {
		t.Errorf("%s: no characters to compare", name)
	}
	for _, w := range want {
		n := got[w.Index]
		g := npcValues{w.Index, n.Handle, n.Name.Text, uint8(n.Gender), n.MagicTier, [2]uint8{n.Armour, n.ArmourModifier}, [3]int32{n.Might, n.Agility, n.Intellect},
			[3]uint16{n.Health, n.HealthMax, n.HealthBase}, [3]uint16{n.Mana, n.ManaMax, n.ManaBase}, n.CombatBehaviour, uint32(n.State),
			[3]uint16{n.Routine, n.FallbackRoutine, n.RoutineArgument}, n.MagicResist, n.RoutineWorkers, n.Awareness, n.AwarenessArc, n.AwarenessGuaranteed,
			n.Region, [3]int32{n.X, n.Y, int32(n.Z)}, n.Scale, n.Equipped, n.Models, n.WeaponCategory, n.WeaponSkills}
		if g != w {
			t.Errorf("%s: character %d\n got %+v\nwant %+v", name, w.Index, g, w)
		}
	}
}

func TestNPCValuesAndEdit(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic")
	var want struct{ NPCs []npcValues }
	corpus.JSON(t, filepath.Join(dir, "logic/npc.flx.json"), &want)
	slot := corpus.Slots(t, filepath.Join(dir, "logic/npc.flx"))[0]
	x, err := read.NPCs(slot.Payload, nil)
	if err != nil || len(x.Records) != 352 {
		t.Fatal(err)
	}
	checkNPCs(t, "npc.flx", x.Records, want.NPCs)
	n := &x.Records[2]
	if err := n.Name.Set("Renamed", 32); err != nil {
		t.Fatal(err)
	}
	n.Health, n.X = 99, -123456
	got, err := write.NPCs(x)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "edited character", got, corpus.Slots(t, filepath.Join(dir, "edits/npc.new.flx"))[0].Payload)
}

func TestSavePictureValues(t *testing.T) {
	dir := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic")
	picture, err := png.Decode(bytes.NewReader(corpus.Bytes(t, filepath.Join(dir, "save/picture.png"))))
	if err != nil {
		t.Fatal(err)
	}
	palette := corpus.Bytes(t, filepath.Join(dir, "palette/ankh.pal"))
	p, err := read.SavePicture(readSave(t, "u9game1.sav").Picture, nil)
	if err != nil {
		t.Fatal(err)
	}
	if size := picture.Bounds().Size(); size != image.Pt(int(p.Width), int(p.Height)) {
		t.Fatalf("%v", size)
	}
	for i, index := range p.Pixels {
		r, g, b, _ := picture.At(i%int(p.Width), i/int(p.Width)).RGBA()
		if c := palette[4*int(index):]; byte(r>>8) != c[0] || byte(g>>8) != c[1] || byte(b>>8) != c[2] {
			t.Fatalf("pixel %d has index %d, %v; want %d %d %d", i, index, c[:3], r>>8, g>>8, b>>8)
		}
	}
}
