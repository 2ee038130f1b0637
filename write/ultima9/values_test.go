package ultima9_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

// sidecar decodes the sidecar of a synthetic file and returns the file's path.
func sidecar(t *testing.T, file string, v any) string {
	t.Helper()
	path := filepath.Join(corpus.Folder(t, "ultima9"), "synthetic", file)
	corpus.JSON(t, path+".json", v)
	return path
}

// records reads every slot of an archive.
func records[T any](t *testing.T, path string, read func([]byte, *schema.Diagnostics) (*T, error)) map[int]*T {
	t.Helper()
	all := map[int]*T{}
	for _, s := range corpus.Slots(t, path) {
		x, err := read(s.Payload, nil)
		if err != nil {
			t.Fatalf("%s slot %d: %v", path, s.Number, err)
		}
		all[s.Number] = x
	}
	return all
}

// same compares two values through JSON, which brings numbers of all types together.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	plain := func(v any) (x any) {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(what, err)
		}
		if err := json.Unmarshal(b, &x); err != nil {
			t.Fatal(what, err)
		}
		return x
	}
	if g, w := plain(got), plain(want); !reflect.DeepEqual(g, w) {
		t.Errorf("%s:\n got %v\nwant %v", what, g, w)
	}
}

func TestSoundValues(t *testing.T) {
	for _, name := range []string{"music", "sfx", "speech"} {
		var want struct {
			Sounds []struct {
				Slot                 int
				Description          string
				Rate, Channels, Bits uint32
				Encoding             uint32
				Data                 int `json:"data_bytes"`
			}
		}
		got := records(t, sidecar(t, "sound/"+name+".flx", &want), read.Sound)
		for _, w := range want.Sounds {
			s := got[w.Slot]
			same(t, fmt.Sprint(name, w.Slot), []any{s.ID, s.Description.Text, s.Rate, s.Channels, s.Bits, uint32(s.Encoding), len(s.Data)},
				[]any{w.Slot, w.Description, w.Rate, w.Channels, w.Bits, w.Encoding, w.Data})
		}
	}
}

func TestSoundControlValues(t *testing.T) {
	var want struct {
		Template   map[string]uint32
		Categories map[string]string
		Env        map[string]struct {
			Profile                uint32
			Volume, Decay, Damping float32
			Name                   string
		}
		Templates map[string]struct {
			Name                    string
			Inner, Outer, Near, Far uint32
			Actions                 []json.RawMessage
		}
	}
	for slot, x := range records(t, sidecar(t, "sound/sfxassoc.flx", &want), read.SoundLink) {
		same(t, "link", x.Template, want.Template[strconv.Itoa(slot)])
	}
	for slot, x := range records(t, sidecar(t, "sound/sfxcat.flx", &want), read.SoundCategory) {
		same(t, "category", []any{x.ID, x.Name.Text, x.Count}, []any{slot, want.Categories[strconv.Itoa(slot)], 0})
	}
	for slot, x := range records(t, sidecar(t, "sound/sfxenv.flx", &want), read.SoundEnvironment) {
		w := want.Env[strconv.Itoa(slot)]
		same(t, "environment", []any{x.Profile, x.Volume, x.Decay, x.Damping, x.Name.Text}, []any{w.Profile, w.Volume, w.Decay, w.Damping, w.Name})
	}
	for slot, x := range records(t, sidecar(t, "sound/sfxtmpl.flx", &want), read.SoundTemplate) {
		w := want.Templates[strconv.Itoa(slot)]
		if len(w.Actions) == 0 { // its sidecar has the name alone
			same(t, "template", []any{x.Name.Text, len(x.Actions)}, []any{w.Name, 0})
			continue
		}
		same(t, "template", []any{x.Name.Text, x.InnerCone, x.OuterCone, x.Near, x.Far}, []any{w.Name, w.Inner, w.Outer, w.Near, w.Far})
		actions := []any{}
		for _, a := range x.Actions {
			choices := []any{}
			for _, c := range a.Choices {
				choices = append(choices, []any{c.Choice, c.Sound, c.Volume, c.OffAxis, c.HourFrom, c.HourTo, c.Pitch, c.Weight})
			}
			actions = append(actions, []any{a.Category, a.Name.Text, choices})
		}
		same(t, "actions", actions, w.Actions)
	}
}

func TestBookAndTextValues(t *testing.T) {
	var want struct {
		Books []struct {
			Slot  int
			Title string
			Body  string `json:"body_hex"`
		}
		Texts []*string
	}
	books := records(t, sidecar(t, "types/books-en.flx", &want), read.Book)
	for _, w := range want.Books {
		body, ok := schema.EncodeWindows1252(books[w.Slot].Body)
		same(t, "book", []any{books[w.Slot].Title.Text, hex.EncodeToString(body), ok}, []any{w.Title, w.Body, true})
	}
	texts := records(t, sidecar(t, "types/text.flx", &want), read.Text)
	for slot, w := range want.Texts {
		if (w == nil) != (texts[slot] == nil) || w != nil && texts[slot].Text != *w {
			t.Errorf("text %d is %+v", slot, texts[slot])
		}
	}
	if !texts[5].Unterminated || texts[6].Rest == nil {
		t.Errorf("texts 5 and 6 are %+v, %+v", texts[5], texts[6])
	}
}

func TestTextTableValues(t *testing.T) {
	var want struct {
		Buckets int
		Items   []struct {
			Key               string
			Bucket, CRC, Slot uint32
		}
	}
	path := sidecar(t, "types/text.dat", &want)
	x, err := read.TextTable(corpus.Bytes(t, path), nil)
	if err != nil || len(x.Buckets) != want.Buckets {
		t.Fatal(err)
	}
	built := ultima9.NewTextTable(want.Buckets)
	for _, w := range want.Items {
		item, err := x.Item(w.Key, w.Slot)
		if err != nil || item != (ultima9.TextItem{Bucket: w.Bucket, CRC: w.CRC, Slot: w.Slot}) {
			t.Errorf("%q: %+v, %v", w.Key, item, err)
		}
		if slot, ok := x.Find(w.Key); !ok || slot != w.Slot {
			t.Errorf("%q: slot %d, %v", w.Key, slot, ok)
		}
		if err := built.Add(w.Key, w.Slot); err != nil {
			t.Error(err)
		}
	}
	b, err := write.TextTable(built)
	if err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "a table built anew", b, corpus.Bytes(t, path))
	if err := x.Rehash("Bren : Begone.", "Bren : Stay.", 2); err != nil {
		t.Error(err)
	}
	if _, ok := x.Find("Bren : Begone."); ok {
		t.Error("the old line is still there")
	}
	if slot, ok := x.Find("Bren : Stay."); !ok || slot != 2 {
		t.Error("the new line is not there")
	}
	if x.Rehash("Bren : Nothing.", "x", 9) == nil {
		t.Error("a line that the table does not hold was moved")
	}
}

func TestActivityAndTriggerValues(t *testing.T) {
	var activities struct {
		Records []struct {
			Slot       int
			Activities []struct {
				Ordinal int
				Name    string
				Tail    string `json:"name_tail_hex"`
				Steps   []struct {
					Op       int
					Operands string `json:"operands_hex"`
				}
			}
		}
	}
	lists := records(t, sidecar(t, "logic/activity.flx", &activities), read.ActivityList)
	for _, w := range activities.Records {
		for i, a := range w.Activities {
			g := lists[w.Slot].Activities[i]
			var steps, wanted []any
			for j, s := range a.Steps {
				wanted = append(wanted, []any{s.Op, s.Operands})
				steps = append(steps, []any{g.Steps[j].Opcode, hex.EncodeToString(g.Steps[j].Operands[:])})
			}
			same(t, "activity", []any{g.Ordinal, g.Name.Text, hex.EncodeToString(g.Name.Rest), len(g.Steps), steps}, []any{a.Ordinal, a.Name, a.Tail, len(a.Steps), wanted})
		}
	}
	var triggers struct {
		Records []struct {
			Slot       int
			Steps      [][4]int
			Terminated bool
			Stale      int `json:"stale_bytes"`
		}
	}
	got := records(t, sidecar(t, "logic/triggers.flx", &triggers), read.Trigger)
	for _, w := range triggers.Records {
		g := got[w.Slot]
		steps := [][4]int{}
		for _, s := range g.Steps {
			if s.Opcode != ultima9.EndOpcode {
				steps = append(steps, [4]int{int(s.Opcode), int(s.Operand1), int(s.Operand2), int(s.Operand4)})
			}
		}
		same(t, "trigger", []any{steps, len(g.Steps) > len(steps), 6 * len(g.Stale)}, []any{w.Steps, w.Terminated, w.Stale})
	}
}

func TestHighwayValues(t *testing.T) {
	var want struct {
		Points []struct{ ID, X, Y uint32 }
		Routes []struct {
			Start, End, Distance, Zero uint16
			Path                       []uint16
		}
	}
	x, err := read.Highway(corpus.Bytes(t, sidecar(t, "logic/highway.dat", &want)), nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "points", x.Points, want.Points)
	for i, w := range want.Routes {
		g := x.Routes[i]
		same(t, "route", []any{g.Start, g.End, g.Distance, g.Unknown08, g.Path}, []any{w.Start, w.End, w.Distance, w.Zero, w.Path})
	}
}

// TestAreaFieldsOfOtherKinds: what an area of its kind has no place for is refused.
func TestAreaFieldsOfOtherKinds(t *testing.T) {
	opaque := func(edit func(*ultima9.Area)) *ultima9.Area {
		x := &ultima9.Area{Kind: 2, Opaque: []byte{1, 2}, Boxes: []ultima9.AreaBox{}}
		edit(x)
		return x
	}
	if _, err := write.Area(opaque(func(*ultima9.Area) {})); err != nil {
		t.Error(err)
	}
	for name, x := range map[string]*ultima9.Area{
		"map":       opaque(func(x *ultima9.Area) { x.Map = 1 }),
		"flags":     opaque(func(x *ultima9.Area) { x.Flags = 1 }),
		"position":  opaque(func(x *ultima9.Area) { x.Position.Z = 1 }),
		"encounter": opaque(func(x *ultima9.Area) { x.Encounter = new(ultima9.Encounter) }),
		"box":       opaque(func(x *ultima9.Area) { x.Boxes = make([]ultima9.AreaBox, 1) }),
		"opaque":    {Kind: ultima9.AreaKind, Opaque: []byte{1}},
	} {
		if _, err := write.Area(x); !errors.Is(err, schema.ErrMismatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAreaValues(t *testing.T) {
	type place = [3]int32
	var want struct {
		Records []struct {
			Slot      int
			Kind, ID  int32
			Position  place
			Flags     uint32
			Chance    int32
			Encounter *struct {
				A, Count, B int32
				Entries     [][2]uint16
				C           uint16
			}
			WeightSum int32 `json:"weight_sum"`
			Map       int32
			Boxes     [][2]place
			Opaque    bool
		}
	}
	at := func(p ultima9.AreaPosition) place { return place{p.X, p.Y, int32(p.Z)} }
	got := records(t, sidecar(t, "logic/areas.flx", &want), read.Area)
	for _, w := range want.Records {
		g := got[w.Slot]
		if w.Opaque {
			same(t, "opaque area", []any{g.Kind, len(g.Opaque)}, []any{w.Kind, 30})
			continue
		}
		same(t, "area", []any{g.Kind, g.ID, at(g.Position), uint32(g.Flags), g.Chance, g.WeightSum, g.Map, g.Encounter != nil, len(g.Boxes)},
			[]any{w.Kind, w.ID, w.Position, w.Flags, w.Chance, w.WeightSum, w.Map, w.Encounter != nil, len(w.Boxes)})
		for i, b := range w.Boxes {
			same(t, "box", [2]place{at(g.Boxes[i].Min), at(g.Boxes[i].Max)}, b)
		}
		if e := w.Encounter; e != nil {
			entries := [][2]uint16{}
			for _, x := range g.Encounter.Entries {
				entries = append(entries, [2]uint16{x.Type, x.Weight})
			}
			same(t, "encounter", []any{g.Encounter.Unknown00, g.Encounter.Count, entries, g.Encounter.Unknown38, g.Encounter.Unknown3C},
				[]any{e.A, e.Count, e.Entries, e.B, e.C})
		}
	}
}

func TestSpaceValues(t *testing.T) {
	var want struct {
		Records []struct {
			Slot       int
			Name       string
			Map        int32
			Audio      uint32
			DrawOrder  int32 `json:"draw_order"`
			Visibility int16
			Number     int16
			Flags      uint16
			Planes     []struct {
				Point, Normal [3]float32
				W             float32
				Tail          int32
				Portals       []struct {
					Corners [4][3]float32
					Target  int32
					Range   float32
					I       int32
					Flags   uint32
				}
			}
		}
	}
	got := records(t, sidecar(t, "logic/spaces.flx", &want), read.Space)
	for _, w := range want.Records {
		g := got[w.Slot]
		same(t, "space", []any{g.Name.Text, g.Map, uint32(g.Audio), g.DrawOrder, g.Visibility, g.Number, uint16(g.Flags), len(g.Planes)},
			[]any{w.Name, w.Map, w.Audio, w.DrawOrder, w.Visibility, w.Number, w.Flags, len(w.Planes)})
		for i, p := range w.Planes {
			q := g.Planes[i]
			same(t, "plane", []any{q.Point, q.Normal, q.W, q.Tail, len(q.Portals)}, []any{p.Point, p.Normal, p.W, p.Tail, len(p.Portals)})
			for j, x := range p.Portals {
				y := q.Portals[j]
				same(t, "portal", []any{y.Corners, y.Target, y.Range, y.Unknown3C, uint32(y.Flags)}, []any{x.Corners, x.Target, x.Range, x.I, x.Flags})
			}
		}
	}
	template, _ := got[1].Audio.Template()
	environment, ok := got[1].Audio.Environment()
	same(t, "audio code C0000603 or so", []any{template, environment, ok}, []any{uint32(got[1].Audio >> 9 & 0x1FFF), uint32(got[1].Audio & 0x1FF), true})
}

func TestTreeAndDimensionValues(t *testing.T) {
	var tree struct {
		Volumes []int32
		Nodes   []struct {
			Front, Back int32
			IDs         []int32
			Plane       [4]float32
			Subtree     int32
		}
	}
	x := records(t, sidecar(t, "logic/treedat.flx", &tree), read.TreeData)[9]
	same(t, "volumes", x.Volumes, tree.Volumes)
	for i, w := range tree.Nodes {
		g := x.Nodes[i]
		same(t, "node", []any{g.Front, g.Back, g.Volumes, g.Plane, g.Subtree}, []any{w.Front, w.Back, w.IDs, w.Plane, w.Subtree})
	}
	var dimension struct {
		Known []struct {
			Model  int
			Radius float32
			Center [3]float32
		}
		None int `json:"none_count"`
	}
	d, err := read.Dimensions(corpus.Bytes(t, sidecar(t, "logic/dimension.dat", &dimension)), nil)
	if err != nil {
		t.Fatal(err)
	}
	none := 0
	for _, s := range d.Spheres {
		if s.Radius == -1 {
			none++
		}
	}
	same(t, "models without a sphere", none, dimension.None)
	for _, w := range dimension.Known {
		same(t, "sphere", d.Spheres[w.Model], ultima9.DimensionSphere{Radius: w.Radius, Centre: w.Center})
	}
}

// TestActivityWithoutEnd: the last routine of a record may run into zeros instead of its end, as one of a retail file does;
// one that just stops is cut.
func TestActivityWithoutEnd(t *testing.T) {
	record := func(steps ...byte) []byte {
		b := append([]byte{1, 0, 0, 0, byte(16 + len(steps)), 0, 0, 0, 1}, make([]byte, 15)...)
		return append(b, steps...)
	}
	open := record(append([]byte{4, 22}, make([]byte, 16)...)...)
	d := new(schema.Diagnostics)
	x, err := read.ActivityList(open, d)
	if err != nil || len(x.Activities[0].Steps) != 2 || !d.Has("activity-without-end") {
		t.Fatalf("%v, %v", err, d.All())
	}
	if b, err := write.ActivityList(x); err != nil || !bytes.Equal(b, open) {
		t.Errorf("written as %x, %v", b, err)
	}
	if _, err := read.ActivityList(record(4, 22, 0, 0, 0, 0, 0, 0, 0), nil); schema.Class(err) != schema.ErrTruncated {
		t.Errorf("a step that is not the end: %v", err)
	}
}
