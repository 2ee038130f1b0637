package game

import (
	"encoding/binary"
	"testing"

	"github.com/usher-assets/usher/schema/freelancer"
)

// TestClasses: the last line that fits a material counts, whether it is for its type or its name.
func TestClasses(t *testing.T) {
	k := knowledgeOf(t, map[string]string{
		"EXE/dacom.ini": "[Libraries]\nDcDt = Wrong\n[materialmap]\nDcDt = First\ndcdt = Paint\nname = ^glass.* = Window\nName = [ = Broken\nname = alone\nEcEt = Lamp\nname = shade$ = Shade\nglass = Odd\n",
	})
	list, ok := k.Classes()
	if !ok || len(list) != 6 {
		t.Fatalf("%v, %d lines", ok, len(list))
	}
	for _, c := range []struct{ name, typ, want string }{
		{"hull", "DcDt", "Paint"}, {"hull", "DCDT", "Paint"}, {"hull", "EcEt", "Lamp"}, {"hull", "Nebula", "Nebula"}, {"hull", "", ""},
		{"GLASS_front", "DcDt", "Window"}, {"glass", "Nebula", "Window"}, {"front_glass", "DcDt", "Paint"},
		{"glass_shade", "EcEt", "Shade"}, {"glass_front", "EcEt", "Lamp"}, {"hull", "glass", "Odd"}, {"alone", "DcDt", "Paint"},
	} {
		if got := list.Of(&freelancer.Material{Name: c.name, Type: c.typ}); got != c.want {
			t.Errorf("%q of type %q: %q, want %q", c.name, c.typ, got, c.want)
		}
	}
	if list, ok := knowledgeOf(t, map[string]string{"DATA/a.ini": ""}).Classes(); ok || list != nil {
		t.Errorf("without the file: %v, %v", list, ok)
	}
	if list, ok := knowledgeOf(t, map[string]string{"EXE/dacom.ini": "[Other]\n"}).Classes(); !ok || list != nil {
		t.Errorf("without the section: %v, %v", list, ok)
	}
}

// TestWords: a compiled file's words are its table of strings alone, which its header says the place of.
func TestWords(t *testing.T) {
	head := func(at uint32) string {
		return string(binary.LittleEndian.AppendUint32([]byte(freelancer.BINIMagic+"\x01\x00\x00\x00"), at))
	}
	for _, c := range []struct{ file, want string }{
		{"[Ship]\nNICKNAME = Ä", "[ship]\nnickname = ä"}, {head(16) + "NoneHulL\x00", "hull\x00"}, {head(12), ""}, {head(12)[:11], "bini\x01\x00\x00\x00\x0c\x00\x00"}, {head(900) + "Hull", ""}, {head(0xFFFF_FFFF), ""},
	} {
		if got := string(Words([]byte(c.file))); got != c.want {
			t.Errorf("%q: %q, want %q", c.file, got, c.want)
		}
	}
}
