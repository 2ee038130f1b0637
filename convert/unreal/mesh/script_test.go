package mesh

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/unreal/pack"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/unreal"
)

const rockScript = `//=== Rock
class JunkRock expands Decoration; // with a mesh

#exec MESH IMPORT MESH=Boulder ANIVFILE=MODELS\rock_a.3d DATAFILE=MODELS\Rock_d.3d X=0 Y=0 Z=0
#exec  Mesh  Origin MESH=boulder X=1 Y=-2.5 Z=3 YAW=64 PITCH=0 ROLL=-32
#exec MESH SEQUENCE MESH=Boulder SEQ=All      STARTFRAME=0   NUMFRAMES=9
#exec MESH SEQUENCE MESH=Boulder SEQ=Roll     STARTFRAME=2   NUMFRAMES=4  RATE=12.5 Group="Moving"
#exec MESH SEQUENCE MESH=Other SEQ=Roll     STARTFRAME=1   NUMFRAMES=1
#exec TEXTURE IMPORT NAME=JRock FILE=MODELS\rock.PCX GROUP=Skins
#exec MESHMAP NEW   MESHMAP=BoulderMap MESH=Boulder
#exec MESHMAP SCALE MESHMAP=BoulderMap X=0.1 Y=0.1 Z=0.2
#exec MESHMAP SETTEXTURE MESHMAP=BoulderMap NUM=1 TEXTURE=JRock
#exec MESH NOTIFY MESH=Boulder SEQ=roll TIME=0.5 FUNCTION=Rumble

defaultproperties
{
}`

// readRock returns the mesh that a script speaks of.
func readRock(text string, d *schema.Diagnostics) (*pack.File, *unreal.Mesh, *script) {
	pkg, o := emptyMesh("rock")
	s := readScript([]byte(text), "rock")
	s.take(pkg, o, d)
	return pkg, o, s
}

// Of a script the lines for the mesh of the pair are read, however they are written.
func TestReadScript(t *testing.T) {
	d := new(schema.Diagnostics)
	pkg, o, s := readRock(rockScript, d)
	if s.mesh != "Boulder" || s.meshMap() != "BoulderMap" || len(d.All()) > 0 {
		t.Errorf("%s, %s, %v", s.mesh, s.meshMap(), d.All())
	}
	if o.Origin != [3]float32{1, -2.5, 3} || o.RotOrigin != [3]int32{0, 64 << 8, -32 << 8} || o.Scale != [3]float32{0.1, 0.1, 0.2} {
		t.Errorf("origin %v, rotation %v, scale %v", o.Origin, o.RotOrigin, o.Scale)
	}
	want := "[#exec MESH SEQUENCE MESH= SEQ=All STARTFRAME=0 NUMFRAMES=9 RATE=30] " +
		"[#exec MESH SEQUENCE MESH= SEQ=Roll STARTFRAME=2 NUMFRAMES=4 RATE=12.5 GROUP=Moving #exec MESH NOTIFY MESH= SEQ=Roll TIME=0.5 FUNCTION=Rumble] "
	var got strings.Builder
	for i := range o.Sequences {
		fmt.Fprintf(&got, "%v ", sequenceCommands(pkg, "", &o.Sequences[i]))
	}
	if got.String() != want {
		t.Errorf("%s\nwant %s", got.String(), want)
	}
}

// Every value of every sequence, and of the placement, is edited: the script read again has it, and of its lines only those of that
// sequence or that placement differ.
func TestEditScript(t *testing.T) {
	edits := map[string]func(pkg *pack.File, o *unreal.Mesh){
		"origin": func(_ *pack.File, o *unreal.Mesh) { o.Origin[1] = 7 },
		"turn":   func(_ *pack.File, o *unreal.Mesh) { o.RotOrigin[0] = 256 },
		"part":   func(_ *pack.File, o *unreal.Mesh) { o.RotOrigin = [3]int32{100, -1, 65535} }, // of a unit of the script
		"turns":  func(_ *pack.File, o *unreal.Mesh) { o.RotOrigin = [3]int32{-200000, 65536, 1 << 30} },
		"scale":  func(_ *pack.File, o *unreal.Mesh) { o.Scale[2] = 3 },
		"new": func(pkg *pack.File, o *unreal.Mesh) {
			o.Sequences = append(o.Sequences, unreal.Sequence{Name: pkg.AddName("Fresh"), Group: pkg.AddName("None"), Frames: 2, Rate: 1})
		},
	}
	for i := range 2 {
		for what, change := range map[string]func(pkg *pack.File, q *unreal.Sequence){
			"start":   func(_ *pack.File, q *unreal.Sequence) { q.Start++ },
			"frames":  func(_ *pack.File, q *unreal.Sequence) { q.Frames++ },
			"rate":    func(_ *pack.File, q *unreal.Sequence) { q.Rate += 0.25 },
			"group":   func(pkg *pack.File, q *unreal.Sequence) { q.Group = pkg.AddName("Other") },
			"ungroup": func(pkg *pack.File, q *unreal.Sequence) { q.Group = pkg.AddName("None") },
			"notify": func(pkg *pack.File, q *unreal.Sequence) {
				q.Notifies = append(q.Notifies, unreal.Notify{Time: 0.25, Function: pkg.AddName("Crack")})
			},
			"quiet": func(_ *pack.File, q *unreal.Sequence) { q.Notifies = nil },
			"later": func(_ *pack.File, q *unreal.Sequence) {
				for k := range q.Notifies {
					q.Notifies[k].Time = 0.75
				}
			},
		} {
			edits[fmt.Sprint(what, " of ", i)] = func(pkg *pack.File, o *unreal.Mesh) { change(pkg, &o.Sequences[i]) }
		}
		edits[fmt.Sprint("removed ", i)] = func(_ *pack.File, o *unreal.Mesh) {
			o.Sequences = append(o.Sequences[:i:i], o.Sequences[i+1:]...)
		}
	}
	for _, end := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll(rockScript, "\n", end)
		lines := map[string]bool{}
		for line := range strings.Lines(text) {
			lines[line] = true
		}
		for what, edit := range edits {
			pkg, o, s := readRock(text, nil)
			edit(pkg, o)
			s.edit(pkg, o)
			fresh, now, again := readRock(string(s.text()), nil)
			if told(fresh, now) != told(pkg, o) {
				t.Errorf("%s: %s\nwant %s", what, told(fresh, now), told(pkg, o))
			}
			for line := range strings.Lines(string(s.text())) {
				if c, _ := parseCommand(line); !lines[line] && (!strings.HasSuffix(line, end) || c.what == "") {
					t.Errorf("%s: new line %q", what, line)
				}
			}
			if n := strings.Count(string(s.text()), "MESH=Other"); n != 1 || again.meshMap() != "BoulderMap" {
				t.Errorf("%s: another mesh has %d lines", what, n)
			}
		}
	}
	pkg, o, s := readRock(rockScript, nil)
	for _, name := range []string{"First", "Second", "Third"} { // new ones stay in their order
		o.Sequences = append(o.Sequences, unreal.Sequence{Name: pkg.AddName(name), Group: pkg.AddName("None"), Frames: 1, Rate: 30})
	}
	s.edit(pkg, o)
	if text := string(s.text()); !(strings.Index(text, "SEQ=Roll") < strings.Index(text, "SEQ=First") && strings.Index(text, "SEQ=First") < strings.Index(text, "SEQ=Second") && strings.Index(text, "SEQ=Second") < strings.Index(text, "SEQ=Third")) {
		t.Errorf("new sequences:\n%s", text)
	}
	pkg, o, s = readRock(rockScript, nil)
	if s.edit(pkg, o); string(s.text()) != rockScript {
		t.Errorf("nothing edited:\n%s", s.text())
	}
}

// told returns what a script says of a mesh. Sequences keep no order: a new line goes behind the others.
func told(pkg *pack.File, o *unreal.Mesh) string {
	lines := map[string]bool{}
	for i := range o.Sequences {
		lines[fmt.Sprint(sequenceCommands(pkg, "", &o.Sequences[i]))] = true
	}
	return fmt.Sprint(lines, originCommand("", o), scaleCommand("", o))
}

// What is no number, no sequence or no line of the engine's is told, or passed over.
func TestHostileScript(t *testing.T) {
	for _, c := range []struct {
		text      string
		told      int
		sequences int
	}{
		{"", 0, 0},
		{"#exec", 0, 0},
		{"#exec MESH", 0, 0},
		{"#exec MESH SEQUENCE", 0, 0}, // of which mesh?
		{"#exec MESH SEQUENCE MESH=rock", 0, 1},
		{"#exec MESH SEQUENCE MESH=rock SEQ=a STARTFRAME=x NUMFRAMES=1e99 RATE=NaN", 3, 1},
		{"#exec MESH SEQUENCE MESH=rock SEQ=a STARTFRAME=-5 NUMFRAMES=2147483647", 0, 1},
		{"#exec MESH SEQUENCE MESH=rock SEQ=a\n#exec MESH SEQUENCE MESH=rock SEQ=A RATE=5", 0, 1},
		{"#exec MESH NOTIFY MESH=rock SEQ=a TIME=1 FUNCTION=f", 1, 0},
		{"#exec MESHMAP SCALE MESHMAP=rock X=0 Y=1 Z=1", 0, 0}, // flat
		{"#exec MESHMAP SCALE MESHMAP=rock X=\"", 1, 0},
		{"// #exec MESH SEQUENCE MESH=rock SEQ=a", 0, 0},
		{"\x00\xff\"\"\"\n\r\r\n#exec MESH IMPORT MESH= DATAFILE=rock_d.3d\n#exec MESH SEQUENCE MESH=rock", 0, 0},
	} {
		d := new(schema.Diagnostics)
		pkg, o, s := readRock(c.text, d)
		if len(d.All()) != c.told || len(o.Sequences) != c.sequences || o.Scale != [3]float32{1, 1, 1} {
			t.Errorf("%q: %v, %d sequences, scale %v", c.text, d.All(), len(o.Sequences), o.Scale)
		}
		o.Origin[0], o.Scale[0] = 5, 2
		o.Sequences = append(o.Sequences, unreal.Sequence{Name: pkg.AddName("end"), Group: pkg.AddName("None"), Rate: math.MaxFloat32})
		s.edit(pkg, o) // whatever it was
		if !strings.Contains(string(s.text()), "SEQ=end") {
			t.Errorf("%q became %q", c.text, s.text())
		}
	}
}
