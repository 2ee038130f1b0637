package places

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func touch(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestGames: a game is found wherever an installer puts it, in whatever case its files are named, once, and nothing else is.
func TestGames(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(path string) string { return filepath.Join(home, filepath.FromSlash(path)) }
	library := in("disk two/SteamLibrary")
	vdf := "\"libraryfolders\"\n{\n\t\"0\"\n\t{\n\t\t\"path\"\t\t\"" + strings.ReplaceAll(in("Steam"), `\`, `\\`) + "\"\n\t}\n\t\"1\"\n\t{\n\t\t\"path\"\t\t\"" + strings.ReplaceAll(library, `\`, `\\`) + "\"\n\t\t\"label\"\t\t\"\"\n\t}\n}\n"
	for path, content := range map[string]string{
		"Steam/steamapps/libraryfolders.vdf":                                         vdf,
		"Steam/steamapps/common/Unreal Gold/System/Core.u":                           "",
		"Steam/steamapps/common/Another Game/system/engine.dll":                      "",
		"disk two/SteamLibrary/steamapps/common/Unreal Tournament/SYSTEM/CORE.U":     "",
		"drive/Program Files (x86)/Microsoft Games/Freelancer/exe/Freelancer.INI":    "",
		"drive/Program Files/freelancer.ini":                                         "",
		"drive/GOG Games/Ultima IX/static/SAPPEAR.FLX":                               "",
		"elsewhere/Ultima9/Static/sappear.flx":                                       "",
		"elsewhere/nothing/Static/sappear.flx.txt":                                   "",
		"drive/Program Files (x86)/Microsoft Games/Freelancer/EXE copy/anything.ini": "",
	} {
		touch(t, in(path), content)
	}
	m := &machine{
		steam: []string{in("Steam"), in("no Steam")}, parents: installed(in("drive")),
		games: []string{in("elsewhere/Ultima9"), in("elsewhere/nothing"), in("gone"), in("drive/GOG Games/Ultima IX")},
	}
	want := []Place{
		{"Freelancer", in("drive/Program Files (x86)/Microsoft Games/Freelancer"), true},
		{"Ultima IX", in("drive/GOG Games/Ultima IX"), true},
		{"Ultima IX", in("elsewhere/Ultima9"), true},
		{"Unreal", in("Steam/steamapps/common/Unreal Gold"), true},
		{"Unreal", in("disk two/SteamLibrary/steamapps/common/Unreal Tournament"), true},
	}
	if diff := cmp.Diff(want, m.find()); diff != "" {
		t.Error(diff)
	}
}

// TestRecent: what was opened last comes first, once; what is gone is left out; a damaged list is an empty one.
func TestRecent(t *testing.T) {
	dir := t.TempDir()
	for _, variable := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} { // of Linux, macOS and Windows
		t.Setenv(variable, filepath.Join(dir, "settings"))
	}
	names := func() (list []string) {
		for _, p := range Recent() {
			list = append(list, p.Name)
		}
		return list
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "b", "c"} {
		touch(t, file(name), "")
	}
	for _, step := range []struct {
		open []string
		want []string
	}{
		{nil, nil},
		{[]string{file("a")}, []string{"a"}},
		{[]string{file("b"), file("c")}, []string{"b", "c", "a"}},
		{[]string{file("a"), file("gone")}, []string{"a", "b", "c"}},
	} {
		if err := Remember(step.open...); err != nil {
			t.Fatal(err)
		}
		if got := names(); !slices.Equal(got, step.want) {
			t.Errorf("after %q: %q, want %q", step.open, got, step.want)
		}
	}
	for i := range 20 {
		if err := Remember(file("x" + string(rune('a'+i)))); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(remembered()); n != most {
		t.Errorf("%d places are remembered, want %d", n, most)
	}
	list, err := listPath()
	if err != nil || !strings.HasPrefix(list, dir) {
		t.Fatalf("the list is %s, %v", list, err)
	}
	touch(t, list, "[1, 2")
	if got := names(); len(got) != 0 {
		t.Errorf("a damaged list has %q", got)
	}
	if err := Remember(file("a")); err != nil || !slices.Equal(names(), []string{"a"}) {
		t.Errorf("after a damaged list: %q, %v", names(), err)
	}
}
