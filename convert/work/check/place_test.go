package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
)

// folders makes a folder with the small game, its mod, and what else people have on their disks.
func folders(t testing.TB) string {
	t.Helper()
	dir := small(t)
	for _, name := range []string{
		"game/TOOLS/tool.ini", "mod/DATA/EMPTY/readme.txt", "lone/EXE/freelancer.ini", "ultima/static/a.flx",
		"loose/a.ini", "loose/SHIPS/b.cmp", "loose/c.unknown", "loose/readme.txt", "texts/a.txt", "texts/b.txt", "texts/c.txt", "texts/d.ini",
		"readme/a.txt", "even/a.ini", "even/a.flx", "more/a.ini", "more/a.flx", "more/b.flx", "file/a.ini", "file/DATA",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		writeFile(t, name, "[A]\nx = y\n")
	}
	return dir
}

// TestPlaceOf: which game a path belongs to, where its files lie in it, and which of them are meant.
func TestPlaceOf(t *testing.T) {
	dir := folders(t)
	link := os.Symlink("nowhere", filepath.Join(dir, "more", "DATA"))
	for _, c := range []struct{ path, want string }{
		{"game", "Freelancer game below  only "}, {"game/DATA", "Freelancer game below  only "}, {"game/EXE", "Freelancer game below  only "},
		{"game/DATA/SHIPS", "Freelancer game below  only game/DATA/SHIPS"}, {"game/EXE/freelancer.ini", "Freelancer game below  only game/EXE/freelancer.ini"},
		{"game/TOOLS", "Freelancer game/TOOLS below DATA only "}, {"game/TOOLS/tool.ini", "Freelancer game/TOOLS below DATA only game/TOOLS/tool.ini"},
		{"lone/EXE", "Freelancer lone/EXE below DATA only "}, {"lone/EXE/freelancer.ini", "Freelancer lone/EXE below DATA only lone/EXE/freelancer.ini"},
		{"loose", "Freelancer loose below DATA only "}, {"loose/a.ini", "Freelancer loose below DATA only loose/a.ini"},
		{"ultima", "Ultima IX installation ultima below  only "}, {"ultima/static/a.flx", "Ultima IX installation ultima below  only ultima/static/a.flx"},
		{"texts", "Freelancer texts below DATA only "}, {"even", "Freelancer even below DATA only "}, {"more", "Ultima IX installation more below static only "},
		{"file", "Freelancer file below DATA only "},
		{"readme", "nothing"}, {"loose/readme.txt", "nothing"}, {"loose/c.unknown", "nothing"}, {"mod/DATA/EMPTY", "Freelancer mod below  only mod/DATA/EMPTY"},
		{"absent", "no such file"},
	} {
		if c.path == "more" && link != nil {
			continue
		}
		p, err := placeOf(filepath.Join(dir, filepath.FromSlash(c.path)))
		var got string
		switch {
		case errors.Is(err, formats.ErrNothing):
			got = "nothing"
		case errors.Is(err, fs.ErrNotExist):
			got = "no such file"
		case err != nil:
			got = err.Error()
		default:
			got = fmt.Sprintf("%s %s below %s only %s", p.install.Title, p.root, p.below, strings.Join(p.only, ", "))
			got = filepath.ToSlash(strings.ReplaceAll(got, dir+string(filepath.Separator), ""))
		}
		if got != c.want {
			t.Errorf("%s: %s\nwant %s", c.path, got, c.want)
		}
	}
}

// TestTakes: a path is meant that lies in a folder that was named, not one beside or above it.
func TestTakes(t *testing.T) {
	at := func(name string) string { return filepath.Join(t.TempDir(), "..", filepath.FromSlash(name)) }
	named := at("mod/a")
	for _, c := range []struct {
		only []string
		path string
		want bool
	}{
		{nil, "", true}, {[]string{named}, named, true}, {[]string{named}, filepath.Join(named, "x", "y"), true},
		{[]string{named}, filepath.Join(named, "..x"), true}, {[]string{named}, filepath.Dir(named), false},
		{[]string{named}, named + "b", false}, {[]string{named, named + "b"}, named + "b", true}, {[]string{"a"}, named, false},
	} {
		if got := (&place{only: c.only}).takes(c.path); got != c.want {
			t.Errorf("%q of %q: %v", c.path, c.only, got)
		}
	}
}

// TestJoined: of one game all is meant that was named of it; games in different folders are looked at each for itself.
func TestJoined(t *testing.T) {
	dir := folders(t)
	at := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
		}
		return paths
	}
	over := Check{Install: at("game")}
	for _, c := range []struct {
		paths   []string
		want    []string
		reports int
	}{
		{at("mod/DATA/EMPTY"), nil, 1},
		{at("mod/DATA/EMPTY", "mod/DATA/SHIPS"), ofMod, 1},
		{at("mod/DATA/SHIPS", "mod/DATA/EMPTY"), ofMod, 1},
		{at("mod/DATA/EMPTY", "mod"), ofMod, 1},
		{at("mod", "mod/DATA/EMPTY"), ofMod, 1},
		{at("mod/DATA/EMPTY", "mod/DATA/EMPTY/readme.txt"), nil, 1},
		{at("game", "mod/DATA/SHIPS", "game/DATA"), ofMod, 2},
	} {
		got, reports := run(t, over, c.paths...)
		if !slices.Equal(got, c.want) || len(reports) != c.reports {
			t.Errorf("%q: %d reports of %q", c.paths, len(reports), got)
		}
		if reports[0].Path != c.paths[0] {
			t.Errorf("%q: named %s", c.paths, reports[0].Path)
		}
	}
}

// TestTyped: paths are told as the game was named: from the current folder on, or whole.
func TestTyped(t *testing.T) {
	dir := folders(t)
	t.Chdir(dir)
	if _, err := placeOf("absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	for _, from := range []string{"", dir} {
		_, reports := run(t, Check{Install: []string{"game"}}, filepath.Join(from, "mod"))
		for _, f := range reports[0].Findings {
			if want := filepath.Join(from, "mod", "DATA", "SHIPS", "shiparch.ini"); f.Path != want {
				t.Errorf("told %s, want %s", f.Path, want)
			}
			want := map[string][]string{
				"library-unnamed":   {filepath.Join(from, "game", "DATA", "SHIPS", "HERON", "heron.cmp")},
				"hardpoint-missing": {filepath.Join(from, "game", "DATA", "SHIPS", "HERON", "heron.cmp")},
				"nickname-twice":    {filepath.Join(from, "mod", "DATA", "SHIPS", "shiparch.ini")},
			}[f.Kind.Name]
			if !slices.Equal(f.About, want) {
				t.Errorf("%s is about %q, want %q", f.Kind.Name, f.About, want)
			}
		}
	}
}

// TestAbout: a finding is told to who names a file that it is about.
func TestAbout(t *testing.T) {
	dir := folders(t)
	name := filepath.Join(dir, "mod", "DATA", "SHIPS", "shiparch.ini")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	game := filepath.Join(dir, "game", "DATA", "SHIPS")
	writeFile(t, filepath.Join(game, "shiparch.ini"), string(b))
	got, _ := run(t, Check{}, filepath.Join(game, "HERON", "heron.cmp"))
	if want := ofMod[:3]; !slices.Equal(got, want) {
		t.Errorf("of the model %q, want %q", got, want)
	}
	over := Check{Install: []string{filepath.Join(dir, "game"), filepath.Join(dir, "ultima")}}
	if got, reports := run(t, over, filepath.Join(dir, "game")); !slices.Equal(got, ofMod) || reports[0].Known != 0 || reports[0].Files != 21 {
		t.Errorf("over itself and another game: %q, %d known, %d files", got, reports[0].Known, reports[0].Files)
	}
}

// TestKnownOnce: what the installed game lacks once, and the mod twice, is told once.
func TestKnownOnce(t *testing.T) {
	dir := small(t)
	loadouts := filepath.Join("DATA", "SHIPS", "loadouts.ini")
	b, err := os.ReadFile(filepath.Join(dir, "game", loadouts))
	if err != nil {
		t.Fatal(err)
	}
	lacking := strings.Replace(string(b), "equip = power01", "equip = power02", 1)
	writeFile(t, filepath.Join(dir, "game", loadouts), lacking)
	writeFile(t, filepath.Join(dir, "mod", loadouts), lacking+"equip = power02\n")
	got, reports := run(t, Check{Install: []string{filepath.Join(dir, "game")}}, filepath.Join(dir, "mod", loadouts))
	if want := []string{"record-missing loadouts.ini:7 power02"}; !slices.Equal(got, want) || reports[0].Known != 1 {
		t.Errorf("found %q, %d known", got, reports[0].Known)
	}
}

// TestRefused: what cannot be looked at is an error that names it, and nothing is reported.
func TestRefused(t *testing.T) {
	dir := folders(t)
	mod := filepath.Join(dir, "mod")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	none := func(*Report) { t.Error("there is nothing to report") }
	absent := filepath.Join(dir, "absent")
	for name, c := range map[string]struct {
		ctx   context.Context
		check Check
		path  string
		want  string
		is    error
	}{
		"no such path":         {t.Context(), Check{}, absent, absent + ": ", fs.ErrNotExist},
		"no such installed":    {t.Context(), Check{Install: []string{absent}}, mod, mod + ": --install: " + absent + ": ", fs.ErrNotExist},
		"installed is no game": {t.Context(), Check{Install: []string{filepath.Join(dir, "readme")}}, mod, "", formats.ErrNothing},
		"stopped":              {stopped, Check{}, mod, "context canceled", context.Canceled},
	} {
		err := c.check.Run(c.ctx, []string{c.path}, none)
		if !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := placeOf(mod)
	if err != nil {
		t.Fatal(err)
	}
	p.root = absent
	if r, err := new(Check).look(p); r != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that has gone: %v", err)
	}
}

// opened returns the mod, opened over the game.
func opened(t testing.TB, c *Check) (mod string, l *looked) {
	t.Helper()
	dir := small(t)
	mod = filepath.Join(dir, "mod")
	p, err := placeOf(mod)
	if err != nil {
		t.Fatal(err)
	}
	c.Install = []string{filepath.Join(dir, "game")}
	l = &looked{place: p}
	if err := c.open(l); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return mod, l
}

// TestClosed: no folder stays open.
func TestClosed(t *testing.T) {
	_, l := opened(t, new(Check))
	l.close()
	for _, root := range l.open {
		if _, err := root.Stat("."); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: %v", root.Name(), err)
		}
	}
}

// TestFixFails: where one mend fails nothing is written, and the error says of what.
func TestFixFails(t *testing.T) {
	failed := errors.New("no")
	for _, c := range []struct {
		name string
		mend func([]byte) ([]byte, error)
		want string
	}{
		{"DATA/SHIPS/shiparch.ini", func([]byte) ([]byte, error) { return nil, failed }, "the file: [Ship]: no"},
		{"DATA/SHIPS/gone.ini", func([]byte) ([]byte, error) { return nil, nil }, "the file: "},
	} {
		check := &Check{Fix: true}
		mod, l := opened(t, check)
		before := contents(t, mod)
		finding := func(name string, apply func([]byte) ([]byte, error)) Finding {
			f, _ := l.game.Find("DATA/SHIPS/shiparch.ini")
			f.Name = name
			return Finding{Path: "the file", Finding: format.Finding{File: f, Entry: "[Ship]", Mend: &format.Mend{Apply: apply}}}
		}
		works := func(b []byte) ([]byte, error) { return append(b, ';'), nil }
		r := &Report{Findings: []Finding{finding(c.name, c.mend), finding("DATA/SHIPS/shiparch.ini", works)}}
		if err := check.fix(l, r); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if contents(t, mod) != before {
			t.Errorf("%s: something was written", c.name)
		}
	}
}

// TestFixLocked: while somebody else mends a game, nobody mends it, but everybody may look what there is to mend.
func TestFixLocked(t *testing.T) {
	check := &Check{Fix: true}
	mod, _ := opened(t, check)
	out, err := disk.Open(mod, true)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	lock, err := out.Lock("check")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	before := contents(t, mod)
	err = check.Run(t.Context(), []string{mod}, func(*Report) { t.Error("it is mended") })
	if err == nil || contents(t, mod) != before {
		t.Errorf("locked: %v", err)
	}
	check.DryRun = true
	if got, _ := run(t, *check, mod); !slices.Equal(got, ofMod) {
		t.Errorf("a dry run finds %q", got)
	}
}
