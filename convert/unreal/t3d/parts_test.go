package t3d

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/usher-assets/usher/schema/unreal"
)

// TestCutProperty: the parts of a line of a property, and what is none.
func TestCutProperty(t *testing.T) {
	for _, c := range []struct {
		line, name string
		index      int
		value      string
		ok         bool
	}{
		{"Tag=Door", "Tag", 0, "Door", true}, {"  Tag = a b ", "Tag", 0, "a b", true}, {"A=b=c", "A", 0, "b=c", true}, {"Tag=", "Tag", 0, "", true}, {"X=1", "X", 0, "1", true},
		{"Skins(0)=S", "Skins", 0, "S", true}, {"Skins(7)=S", "Skins", 7, "S", true}, {"Skins(1073741823)=S", "Skins", 1<<30 - 1, "S", true},
		{"Skins(1073741824)=S", "", 0, "", false}, {"Skins(-1)=S", "", 0, "", false}, {"Skins(x)=S", "", 0, "", false}, {"Skins()=S", "", 0, "", false},
		{"Tag", "Tag", 0, "", false}, {"=5", "", 0, "5", false}, {"", "", 0, "", false}, {"a b=5", "a b", 0, "5", false},
	} {
		name, index, value, ok := CutProperty(c.line)
		if ok != c.ok || ok && (name != c.name || index != c.index || value != c.value) {
			t.Errorf("%q: %q, %d, %q, %v", c.line, name, index, value, ok)
		}
	}
}

// TestCutStruct: the members of a struct, in which other structs may lie, and what is none.
func TestCutStruct(t *testing.T) {
	for text, want := range map[string]string{
		"(X=1)": "x=1", "(X=1,Y=-2.5)": "x=1 y=-2.5", " (Scale=(X=2,Y=3),Sheer=4) ": "scale=(X=2,Y=3) sheer=4", "(A=(B=(C=1),D=2),E=3)": "a=(B=(C=1),D=2) e=3", "()": "",
		"(X)": "none", "(X=1,Y)": "none", "": "none", "(": "none", "X=1": "none", "(X=1": "none", "X=1)": "none", "(X=1))(Y=2)": "none", "(A=(B=1)": "none", ")(": "none",
	} {
		m, ok := CutStruct(text)
		var list []string
		for _, name := range slices.Sorted(maps.Keys(m)) {
			list = append(list, name+"="+m[name])
		}
		got := strings.Join(list, " ")
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestScales: the size of a Scale; what it does not say, or says beyond reason, is 1.
func TestScales(t *testing.T) {
	for text, want := range map[string]mgl64.Vec3{
		"(Scale=(X=2,Y=3,Z=4),SheerAxis=SHEER_ZX)": {2, 3, 4}, "(Scale=(Y=-1))": {1, -1, 1}, "(SheerAxis=SHEER_ZX)": {1, 1, 1}, "(Scale=)": {1, 1, 1}, "(Scale=5)": {1, 1, 1}, "": {1, 1, 1}, "Scale=(X=2)": {1, 1, 1},
		"(Scale=(X=1e9,Y=-1e9,Z=9e8))": {1, 1, 9e8}, "(Scale=(X=NaN,Y=+Inf,Z=two))": {1, 1, 1}, "(Scale=(X=0,Y=0.5,Z=0))": {0, 0.5, 0},
	} {
		if got := scaleOf(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if got := members3("(Pitch=16384,Roll=2)", 0, "pitch", "yaw", "roll"); fmt.Sprint(got) != "[16384 0 2]" {
		t.Errorf("%v", got)
	}
}

// TestPlacedOf: where the properties of an actor put a point of its brush, in the axes of scenes.
func TestPlacedOf(t *testing.T) {
	for lines, want := range map[string]mgl64.Vec3{ // of the point 1, 2, 3 of the scene, which is 3, -1, 2 of the level
		"": {1, 2, 3}, "Location=(X=10,Y=20,Z=30)": {1 - 20, 2 + 30, 3 + 10}, "PrePivot=(X=10,Y=20,Z=30)": {1 + 20, 2 - 30, 3 - 10}, "MainScale=(Scale=(X=2,Y=3,Z=4))": {3, 8, 6}, "PostScale=(Scale=(X=2,Y=3,Z=4))": {3, 8, 6},
		"Rotation=(Yaw=32768)": {-1, 2, -3}, "Rotation=(Yaw=32768);Location=(X=10)": {-1, 2, 7}, "Rotation=(Yaw=32768);PrePivot=(X=10)": {-1, 2, 7}, "MainScale=(Scale=(X=2));PrePivot=(X=10)": {1, 2, -14}, "PostScale=(Scale=(X=2));Location=(X=10)": {1, 2, 16},
	} {
		item := &unreal.T3DItem{Line: "Begin Actor Class=Brush Name=Brush7"}
		for line := range strings.SplitSeq(lines, ";") {
			item.Items = append(item.Items, unreal.T3DItem{Line: line})
		}
		item.Items = append(item.Items, unreal.T3DItem{Line: "CsgOper=CSG_Add"})
		x := placedOf(item)
		got := mgl64.TransformCoordinate(mgl64.Vec3{1, 2, 3}, x.At)
		if !(got.Sub(want).Len() < 1e-6) || x.Name != "Brush7" || x.Values["class"] != "Brush" || x.Values["csgOper"] != "CSG_Add" {
			t.Errorf("%s: %v, want %v; %q, %v", lines, got, want, x.Name, x.Values)
		}
	}
}

// TestPlacedBrushes: one brush without a place is what a text shows; several, or one somewhere, stand where they are.
func TestPlacedBrushes(t *testing.T) {
	actor := func(name string, lines ...string) unreal.T3DItem {
		x := unreal.T3DItem{Line: "Begin Actor Class=Brush Name=" + name}
		for _, line := range lines {
			x.Items = append(x.Items, unreal.T3DItem{Line: line})
		}
		return x
	}
	in := func(block string, items ...unreal.T3DItem) []unreal.T3DItem {
		return []unreal.T3DItem{{Line: "Begin " + block, Items: items}}
	}
	free := unreal.T3DItem{Line: "Begin Brush"}
	for name, c := range map[string]struct {
		items  []unreal.T3DItem
		placed string
		loose  int
	}{
		"a brush of none":      {[]unreal.T3DItem{free}, "", 1},
		"one without a place":  {in("Map", actor("A", "CsgOper=CSG_Add", "Group=None")), "", 2},
		"one at the beginning": {in("Map", actor("A", "Location=(X=0)")), "", 1},
		"one somewhere":        {in("Map", actor("A", "Location=(X=1)")), "A", 0},
		"one on its head":      {in("Level", actor("A", "MainScale=(Scale=(Z=-1))")), "A", 0},
		"one without a name":   {[]unreal.T3DItem{{Line: "Begin Actor", Items: []unreal.T3DItem{{Line: "Location=(X=1)"}}}}, "", 0},
		"two without places":   {in("Map", actor("A"), actor("B")), "A B", 0},
		"one beside a brush":   {[]unreal.T3DItem{actor("A", "CsgOper=CSG_Add"), free}, "", 2},
		"nothing":              {nil, "", 0},
	} {
		placed, loose := PlacedBrushes(c.items)
		var names []string
		for _, p := range placed {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != c.placed || len(loose) != c.loose {
			t.Errorf("%s: %q, %d loose", name, got, len(loose))
		}
	}
}
