package check

import (
	"maps"
	"testing"
	"testing/fstest"
	"time"
)

// FuzzGame puts any bytes in the place of an INI file, a model, a library or hulls: whatever they are, the check ends, and finds
// nothing that it cannot name.
func FuzzGame(f *testing.F) {
	whole := wholeGame(f)
	places := []string{shiparch, "EXE/freelancer.ini", heron, heronMat, "DATA/SHIPS/HERON/heron.sur"}
	for i, name := range places {
		f.Add(byte(i), whole[name].Data)
	}
	f.Add(byte(0), compiled(f, whole)[shiparch].Data)
	f.Fuzz(func(t *testing.T, place byte, b []byte) {
		files := maps.Clone(whole)
		files[places[int(place)%len(places)]] = &fstest.MapFile{Data: b}
		_, list := found(t, files)
		for _, x := range list {
			if x.Msg == "" || x.File.Path == "" {
				t.Errorf("%+v", x)
			}
		}
	})
}

// TestHostile: many records of one name, each of which wants what many others have, take no longer than as many of different
// names.
func TestHostile(t *testing.T) {
	files := wholeGame(t)
	var b []byte
	for range 10_000 {
		b = append(b, "[Ship]\nnickname=x\nDA_archetype=solar\\crate.3db\nmaterial_library=a.mat\n[CollisionGroup]\nobj=y\n[Loadout]\narchetype=x\nequip=x, HpY\n"...)
	}
	files[shiparch] = &fstest.MapFile{Data: b}
	begun := time.Now()
	lines, _ := found(t, files)
	if d := time.Since(begun); len(lines) < 30_000 || d > 20*time.Second {
		t.Errorf("%d findings in %v", len(lines), d)
	}
}
