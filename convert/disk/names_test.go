package disk

import (
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSafeName(t *testing.T) {
	tests := []struct{ in, want string }{
		{"ankh", "ankh"},
		{"", "_"},
		{".", "_"},
		{"..", "__"},
		{`..\..\x`, ".._.._x"},
		{`C:\x`, "C__x"},
		{"a/b", "a_b"},
		{"con", "con_"},
		{"COM1.txt", "COM1_.txt"},
		{"com10", "com10"},
		{"name. ", "name__"},
		{"what?*", "what__"},
		{"tab\tnul\x00", "tab_nul_"},
		{"bad\xffutf8", "bad_utf8"},
		{"Fürstentum", "Fürstentum"},
	}
	for _, tt := range tests {
		if got := SafeName(tt.in); got != tt.want {
			t.Errorf("SafeName(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSafeNameIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.String().Draw(t, "in")
		name := SafeName(in)
		if name == "" || len(name) > maxName || !filepath.IsLocal(name) || strings.ContainsAny(name, `/\:`) || strings.HasSuffix(name, ".") {
			t.Fatalf("SafeName(%q) = %q", in, name)
		}
		if again := SafeName(name); again != name {
			t.Fatalf("SafeName(%q) = %q, then %q", in, name, again)
		}
	})
}

func TestNamesStayApart(t *testing.T) {
	var n Names
	for _, tt := range []struct{ in, want string }{
		{"Ship.png", "Ship.png"}, {"ship.png", "ship~2.png"}, {"SHIP.PNG", "SHIP~3.PNG"}, {"other", "other"}, {"Other", "Other~2"},
		{"ship~2.png", "ship~2~2.png"}, {"SHIP.png", "SHIP~4.png"},
	} {
		if got := n.Unique(tt.in); got != tt.want {
			t.Errorf("Unique(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestCheckWindowsName(t *testing.T) {
	tests := []struct{ path, want string }{
		{"a.glb", ""}, {`C:\games\a.glb`, ""}, {"c:/a b/ü.glb", ""}, {`..\a`, ""}, {"out/", ""}, {`\\server\share\a.glb`, ""}, {"console.glb", ""},
		{"NUL.glb", "NUL is the name of a device"}, {"out/con.tar.glb", "con is the name of a device"}, {"com1", "com1 is the name"},
		{"a:b.glb", "allows no :"}, {"a?.glb", "allows no ?"}, {`C:\a*\b.glb`, "allows no *"}, {"1:/a.glb", "allows no :"},
		{"a./b", "ends in a dot"}, {"a .", "ends in a dot"}, {"a ", "ends in a dot or a blank"},
	}
	for _, tt := range tests {
		err := CheckWindowsName(tt.path)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.path, err, tt.want)
		}
	}
}
