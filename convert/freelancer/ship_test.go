package freelancer_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer"
	"github.com/usher-assets/usher/convert/freelancer/check"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
)

// recordsAsked are the options that make all files of a new ship.
var recordsAsked = format.FreelancerOptions{Hulls: true, MaterialsApart: true, Records: true}

// newShipFiles makes all files of a ship of a scene, as one that comes from an editor without anything of ours.
func newShipFiles(t *testing.T, name string, s *asset.Scene, o format.FreelancerOptions, d *schema.Diagnostics) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	env := &format.Env{Name: name + ".glb", Output: name, Options: format.Options{Freelancer: o}, Diagnostics: d}
	env.Emit = func(name string, b []byte) error { files[name] = b; return nil }
	files[name+".cmp"] = lowerIn(t, byName(t, "cmp"), fromGLB(t, glb(t, s, nil)), env)
	return files
}

// wren is a ship with a part that breaks off, and a hardpoint of every kind that records name.
func wren(t *testing.T) *asset.Scene {
	s := gunship()
	_, n := where(s)
	for _, name := range []string{
		"HpEngine01", "HpShield01", "HpThruster01", "HpCM01", "HpMine01", "HpTorpedo01", "HpMissile01", "HpCargo01", "HpHeadlight", "HpRunningLight01", "HpContrail01",
		"HpDockLight01", "HpBayDoor01", "HpBayDoor02", "HpTractor_Source", "HpWeapon07", "HpTurret_S1_03", "HpCockpit", "DpWing",
	} {
		n["hull"].Children = append(n["hull"].Children, asset.NewNode(name))
	}
	piece := meshNode("$dmg_wing", box(nil, [3]float32{-1, -1, -1}, [3]float32{1, 1, 1}))
	piece.Mesh.Primitives[0].Material = s.Roots[0].Mesh.Primitives[0].Material
	piece.Children = []*asset.Node{asset.NewNode("DpConnect")}
	s.Roots = append(s.Roots, piece)
	listMeshes(s)
	return s
}

// gameWith returns a game that has the files of one ship, its records, and the equipment that those want.
func gameWith(files map[string][]byte, name string) fstest.MapFS {
	var have strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^equip = (\w+)`).FindAllSubmatch(files[name+".ini"], -1) {
		if !strings.Contains(have.String(), string(m[1])+"\n") {
			fmt.Fprintf(&have, "[Light]\nnickname = %s\n", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)= (Equipment\\\S+|cockpits\\\S+)`).FindAllSubmatch(files[name+".ini"], -1) {
		files[strings.ReplaceAll(string(m[1]), `\`, "/")] = nil
	}
	x := fstest.MapFS{
		"EXE/freelancer.ini": {Data: []byte(strings.ReplaceAll("[Data]\nequipment = equip.ini\nships = F\nloadouts = F\ngoods = F\nmarkets = F\n", "F", `ships\`+name+`\`+name+".ini"))},
		"DATA/equip.ini":     {Data: []byte(have.String())},
	}
	for file, b := range files {
		switch {
		case strings.Contains(file, "/") && b == nil:
			delete(files, file)
			if b = nil; strings.HasSuffix(file, ".3db") {
				b = files["dmg_wing.3db"]
			}
			x["DATA/"+file] = &fstest.MapFile{Data: b}
		default:
			x["DATA/SHIPS/"+name+"/"+file] = &fstest.MapFile{Data: b}
		}
	}
	return x
}

// foundIn returns what the check of a game finds, as kinds with what is missing.
func foundIn(t *testing.T, files fstest.MapFS) (list []string) {
	t.Helper()
	g, err := format.NewGame(freelancer.Install.Folders, format.Layer{FS: files})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range check.Game(g) {
		list = append(list, fmt.Sprint(f.Kind.Name, " ", f.Name))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestNewShipInGame: a game that gets the files of a new ship, with its records where they belong, misses nothing; and every
// file and every hardpoint that the records name is missed once it is not there.
func TestNewShipInGame(t *testing.T) {
	d := new(schema.Diagnostics)
	files := newShipFiles(t, "wren", wren(t), recordsAsked, d)
	if got, want := strings.Join(slices.Sorted(maps.Keys(files)), " "), "dmg_wing.3db dmg_wing.sur wren.cmp wren.ini wren.mat wren.sur"; got != want {
		t.Fatalf("files %s, want %s; said: %v", got, want, d.All())
	}
	whole := gameWith(files, "wren")
	if found := foundIn(t, whole); len(found) > 0 {
		t.Fatalf("the check finds %q in\n%s", found, files["wren.ini"])
	}
	for file, kind := range map[string]string{
		"wren.cmp": `model-missing ships\wren\wren.cmp`, "wren.mat": `library-missing ships\wren\wren.mat`, "dmg_wing.3db": `model-missing ships\wren\dmg_wing.3db`,
	} {
		without := maps.Clone(whole)
		delete(without, "DATA/SHIPS/wren/"+file)
		if found := foundIn(t, without); !slices.Contains(found, kind) {
			t.Errorf("without %s: %q, want %q among them", file, found, kind)
		}
	}
	const at = "DATA/SHIPS/wren/wren.ini"
	lines := bytes.SplitAfter(files["wren.ini"], []byte("\n"))
	named := regexp.MustCompile(`\b[HD]p[A-Z]\w*`)
	cases, silent := 0, 0
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte(";")) || bytes.HasPrefix(line, []byte("addon")) { // nobody checks goods
			continue
		}
		for _, m := range named.FindAllIndex(line, -1) {
			cases++
			other := slices.Clone(lines)
			other[i] = slices.Concat(line[:m[0]], []byte("HpNowhere"), line[m[1]:])
			changed := maps.Clone(whole)
			changed[at] = &fstest.MapFile{Data: bytes.Join(other, nil)}
			if found := foundIn(t, changed); !slices.Equal(found, []string{"hardpoint-missing HpNowhere"}) {
				silent++
				t.Errorf("%s with another hardpoint: %q", bytes.TrimSpace(line), found)
			}
		}
	}
	if cases < 57 {
		t.Errorf("%d hardpoints on lines", cases)
	}
	t.Logf("%d hardpoints on lines, %d of them silent when they are gone", cases, silent)
}

// TestNewShipRecords: what the records say of the model itself.
func TestNewShipRecords(t *testing.T) {
	for name, c := range map[string]struct {
		options format.FreelancerOptions
		want    []string // lines that are there
		not     []string // beginnings of lines that are not
	}{
		"all":              {recordsAsked, []string{`DA_archetype = ships\wren\wren.cmp`, `material_library = ships\wren\wren.mat`, "num_exhaust_nozzles = 2", "shield_link = l_fighter_shield01, HpMount, HpShield01", "obj = wing", "dmg_obj = wren_dmg_wing", "nickname = wren_dmg_wing", "; Hardpoints that no line names: HpCockpit."}, nil},
		"materials inside": {format.FreelancerOptions{Records: true}, []string{`DA_archetype = ships\wren\wren.cmp`}, []string{"material_library"}},
		"no records":       {format.FreelancerOptions{MaterialsApart: true}, nil, []string{"["}},
	} {
		text := string(newShipFiles(t, "wren", wren(t), c.options, nil)["wren.ini"])
		for _, line := range c.want {
			if !strings.Contains(text, line+"\r\n") {
				t.Errorf("%s: no line %q in\n%s", name, line, text)
			}
		}
		for _, begin := range c.not {
			if strings.Contains("\n"+text, "\n"+begin) {
				t.Errorf("%s: a line begins with %q", name, begin)
			}
		}
	}
}

// TestNewShipTold: what no records can say is told, or refused.
func TestNewShipTold(t *testing.T) {
	env := func(output string, d *schema.Diagnostics) *format.Env {
		return &format.Env{Name: "ship.glb", Output: output, Options: format.Options{Freelancer: recordsAsked}, Diagnostics: d}
	}
	for _, bad := range []string{"my ship", "a;b", "a,b", "a=b", "[a]", "\xe9"} {
		e := env(bad, nil)
		e.Emit = func(string, []byte) error { return nil }
		if _, err := byName(t, "cmp").Lower(gunship(), e); err == nil || !strings.Contains(err.Error(), "--ini wants one of letters") {
			t.Errorf("a model called %q: %v", bad, err)
		}
	}
	d := new(schema.Diagnostics)
	lowerIn(t, byName(t, "cmp"), gunship(), env("wren", d))
	if !d.Has("records-left-out") {
		t.Errorf("nobody takes the records, and nothing is said: %v", d.All())
	}
	s := gunship()
	s.Roots[0].Children = append(s.Roots[0].Children, asset.NewNode("HpCM01,HpCM02"))
	d = new(schema.Diagnostics)
	if files := newShipFiles(t, "wren", s, recordsAsked, d); !d.Has("records-name") || bytes.Contains(files["wren.ini"], []byte("hp_countermeasure_dropper")) {
		t.Errorf("a hardpoint with a comma: %v", d.All())
	}
	for _, c := range []struct {
		hull string
		told bool
	}{{"HpMount.0$hull", false}, {"", true}} {
		s := gunship()
		s.Walk(func(n, _ *asset.Node) {
			if n.Name == "HpMount" && c.hull == "" {
				n.Children = nil
			}
		})
		listMeshes(s)
		d = new(schema.Diagnostics)
		newShipFiles(t, "wren", s, recordsAsked, d)
		if d.Has("shield-bubble") != c.told {
			t.Errorf("a shield with the hull %q: %v", c.hull, d.All())
		}
	}
}
