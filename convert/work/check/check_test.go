package check

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema/freelancer"
	"github.com/usher-assets/usher/testdata/corpus"

	read "github.com/usher-assets/usher/read/freelancer"
	write "github.com/usher-assets/usher/write/freelancer"
)

// small returns a folder with the small game of testdata and the mod for it.
func small(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(corpus.Testdata(t, "check"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run checks paths and returns what is found, a line each.
func run(t testing.TB, c Check, paths ...string) (lines []string, reports []*Report) {
	t.Helper()
	err := c.Run(t.Context(), paths, func(r *Report) {
		reports = append(reports, r)
		for _, f := range r.Findings {
			lines = append(lines, fmt.Sprintf("%s %s:%d %s", f.Kind.Name, filepath.Base(f.Path), f.Line, f.Name))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, reports
}

// ofMod is what is found in the mod.
var ofMod = []string{
	"library-unnamed shiparch.ini:4 paint", "library-unnamed shiparch.ini:4 steel", "hardpoint-missing shiparch.ini:6 HpWeapon02",
	`model-missing shiparch.ini:10 ships\stork\stork.cmp`, "nickname-twice shiparch.ini:20 heron_wing",
}

// TestPlaces: what is looked at, by what was named.
func TestPlaces(t *testing.T) {
	dir := small(t)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	over := Check{Install: []string{at("game")}}
	for _, c := range []struct {
		name  string
		check Check
		paths []string
		want  []string
	}{
		{"game", Check{}, []string{"game"}, nil},
		{"its DATA", Check{}, []string{"game/DATA"}, nil},
		{"mod over the game", over, []string{"mod"}, ofMod},
		{"mod over DATA", Check{Install: []string{at("game/DATA")}}, []string{"mod"}, ofMod},
		{"a folder of the mod", over, []string{"mod/DATA/SHIPS"}, ofMod},
		{"twice", over, []string{"mod", "mod/DATA/SHIPS/shiparch.ini"}, ofMod},
		{"a file of the mod", over, []string{"mod/DATA/SHIPS/shiparch.ini"}, ofMod},
		{"the game over itself", over, []string{"game"}, nil},
		{"DATA of the mod", over, []string{"mod/DATA"}, ofMod},
	} {
		t.Run(c.name, func(t *testing.T) {
			var paths []string
			for _, p := range c.paths {
				paths = append(paths, at(p))
			}
			if got, _ := run(t, c.check, paths...); !slices.Equal(got, c.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// What the installed game lacks is not told of a mod, though the mod repeats it on another line; of the game it is. A file of the
// game is told of where the mod takes away what it wants.
func TestKnown(t *testing.T) {
	dir := small(t)
	loadouts := filepath.Join(dir, "game", "DATA", "SHIPS", "loadouts.ini")
	b, err := os.ReadFile(loadouts)
	if err != nil {
		t.Fatal(err)
	}
	lacking := strings.Replace(string(b), "equip = power01", "equip = power02", 1)
	writeFile(t, loadouts, lacking)
	writeFile(t, filepath.Join(dir, "mod", "DATA", "SHIPS", "loadouts.ini"), "; a comment\n"+lacking)
	got, reports := run(t, Check{Install: []string{filepath.Join(dir, "game")}}, filepath.Join(dir, "mod"))
	if !slices.Equal(got, ofMod) || reports[0].Known != 1 {
		t.Errorf("found %q, %d known", got, reports[0].Known)
	}
	if got, _ := run(t, Check{}, filepath.Join(dir, "game")); !slices.Equal(got, []string{"record-missing loadouts.ini:5 power02"}) {
		t.Errorf("of the game %q", got)
	}
	writeFile(t, filepath.Join(dir, "mod", "DATA", "SHIPS", "shiparch.ini"), "[Ship]\nnickname = stork\n")
	if err := os.Remove(filepath.Join(dir, "mod", "DATA", "SHIPS", "loadouts.ini")); err != nil {
		t.Fatal(err)
	}
	_, reports = run(t, Check{Install: []string{filepath.Join(dir, "game")}}, filepath.Join(dir, "mod"))
	if f := reports[0].Findings; len(f) != 1 || f[0].Name != "heron" || f[0].Path != loadouts {
		t.Errorf("of a mod without the ship: %+v", f)
	}
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFix: what is certain is mended, in a text and compiled; nothing else changes, and nothing of the installed game.
func TestFix(t *testing.T) {
	for _, compiled := range []bool{false, true} {
		t.Run(fmt.Sprint("compiled ", compiled), func(t *testing.T) {
			dir := small(t)
			name := filepath.Join(dir, "mod", "DATA", "SHIPS", "shiparch.ini")
			was, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(string(was), "\n")
			want := strings.Join(slices.Concat(lines[:4], []string{"material_library = SHIPS\\HERON\\HERON.MAT\n"}, lines[4:18]), "")
			if compiled {
				was, want = compile(t, string(was)), string(compile(t, want))
				writeFile(t, name, string(was))
			}
			game := contents(t, filepath.Join(dir, "game"))
			c := Check{Install: []string{filepath.Join(dir, "game")}, Fix: true, DryRun: true}
			run(t, c, filepath.Join(dir, "mod"))
			if b, _ := os.ReadFile(name); !bytes.Equal(b, was) {
				t.Error("a dry run has written")
			}
			c.DryRun = false
			_, reports := run(t, c, filepath.Join(dir, "mod"))
			fixed := 0
			for _, f := range reports[0].Findings {
				if f.Fixed {
					fixed++
				}
			}
			b, _ := os.ReadFile(name)
			if string(b) != want || fixed != 2 {
				t.Errorf("%d fixed:\n%s\nwant\n%s", fixed, b, want)
			}
			if contents(t, filepath.Join(dir, "game")) != game {
				t.Error("the installed game has changed")
			}
			left, _ := run(t, Check{Install: c.Install}, filepath.Join(dir, "mod"))
			if len(left) != 2 {
				t.Errorf("left is %q", left)
			}
			if _, err := new(worktree.Undoing).Run(t.Context(), name); err != nil {
				t.Error(err)
			}
			if b, _ := os.ReadFile(name); !bytes.Equal(b, was) {
				t.Errorf("after undo:\n%s", b)
			}
		})
	}
}

func compile(t testing.TB, text string) []byte {
	t.Helper()
	x, err := ini.Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := write.BINI(x)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// contents returns all that is in a folder.
func contents(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %q\n", name, content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A link that leads out of the game is not there, and files that name each other in a circle end.
func TestHostile(t *testing.T) {
	dir := small(t)
	secret := filepath.Join(dir, "secret.ini")
	writeFile(t, secret, "[Ship]\nnickname = secret\nDA_archetype = secret.cmp\n")
	systems := filepath.Join(dir, "game", "DATA", "UNIVERSE", "SYSTEMS")
	writeFile(t, filepath.Join(systems, "li01.ini"), "[A]\nfile = loop.ini\nfile = link.ini\nfile = ..\\..\\..\\..\\secret.ini\nfile = .\\..\\systems\\li01.ini\n")
	writeFile(t, filepath.Join(systems, "loop.ini"), "[A]\nfile = universe\\systems\\li01.ini\nfile = universe\\systems\\loop.ini\n")
	corpus.Allowed(t, os.Symlink(secret, filepath.Join(systems, "link.ini")))
	want := []string{"ini-missing li01.ini:3 link.ini", `ini-missing li01.ini:4 ..\..\..\..\secret.ini`}
	if got, _ := run(t, Check{}, filepath.Join(dir, "game")); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestLoose: a mod without a folder DATA lies where that would be, and a folder of another kind is refused.
func TestLoose(t *testing.T) {
	dir := small(t)
	if err := os.Rename(filepath.Join(dir, "mod", "DATA"), filepath.Join(dir, "loose")); err != nil {
		t.Fatal(err)
	}
	if got, _ := run(t, Check{Install: []string{filepath.Join(dir, "game")}}, filepath.Join(dir, "loose")); !slices.Equal(got, ofMod) {
		t.Errorf("found %q", got)
	}
	err := new(Check).Run(t.Context(), []string{filepath.Join(dir, "mod")}, func(*Report) { t.Error("there is nothing to report") })
	if !errors.Is(err, formats.ErrNothing) {
		t.Errorf("an empty folder: %v", err)
	}
}

// faultsOfGame are made in copies of some files of a complete game: texts of INI files, and entries of trees. Each shows as what
// is named by a kind and a name.
var faultsOfGame = []struct{ file, from, to, kind, name string }{
	{"SHIPS/shiparch.ini", `ships\liberty\li_elite\li_elite.cmp`, `ships\liberty\li_elite\li_elites.cmp`, "model-missing", `ships\liberty\li_elite\li_elites.cmp`},
	{"SHIPS/shiparch.ini", "obj = port fin_lod1", "obj = port fin_lod9", "part-missing", "port fin_lod9"},
	{"SHIPS/shiparch.ini", "LODranges = 0, 40, 60, 140, 300, 1000", "LODranges = 0, 40", "levels-unreached", ""},
	{"SHIPS/shiparch.ini", "[Ship]\r\nids_name", "[Ship]\r\nnickname = rh_elite\r\n\r\n[Ship]\r\nids_name", "nickname-twice", "rh_elite"},
	{"SHIPS/loadouts.ini", "HpShield01", "HpShield77", "hardpoint-missing", "HpShield77"},
	{"SHIPS/loadouts.ini", "equip = infinite_power\r\n", "equip = infinite_powers\r\n", "record-missing", "infinite_powers"},
	{"SOLAR/solararch.ini", `detailmaps\detailmap_rock01.txm`, `detailmaps\detailmap_rock00.txm`, "library-missing", `solar\planets\detailmaps\detailmap_rock00.txm`},
	{"AUDIO/engine_sounds.ini", `engines\thruster_01.wav`, `engines\thruster_00.wav`, "sound-missing", `audio\sounds\engines\thruster_00.wav`},
	{"FX/EQUIPMENT/equipment_ale.ini", "gf_br_thruster01.ale", "gf_br_thruster00.ale", "effect-missing", `fx\equipment\gf_br_thruster00.ale`},
	{"UNIVERSE/universe.ini", `Systems\Li01\Li01.ini`, `Systems\Li01\Li00.ini`, "ini-missing", `Systems\Li01\Li00.ini`},
	{"SHIPS/BORDER_WORLD/BW_ELITE/bw_elite.cmp", "HpTractor_Source", "HpTractor_Sourze", "hardpoint-missing", "HpTractor_Source"},
	{"SHIPS/BORDER_WORLD/bw_ships.mat", "bw_panel_256.tga", "bw_panel_000.tga", "texture-missing", "bw_panel_256.tga"},
}

// TestFaultsOfGame needs a complete game: USHER_TREE names its folder, or its DATA. A mod with a dozen of faults is made of it: all
// are found, and nothing else.
func TestFaultsOfGame(t *testing.T) {
	root := os.Getenv("USHER_TREE")
	if root == "" {
		t.Skip("USHER_TREE names no folder with a game")
	}
	p, err := placeOf(root)
	if err != nil {
		t.Fatal(err)
	}
	mod := t.TempDir()
	want := map[string]bool{}
	for _, f := range faultsOfGame {
		if !putFault(t, p.root, mod, f.file, f.from, f.to) {
			t.Errorf("%s has no %q", f.file, f.from)
		}
		want[f.kind+" "+f.name] = true
	}
	got := map[string]bool{}
	_, reports := run(t, Check{Install: []string{root}}, mod)
	for _, f := range reports[0].Findings {
		got[f.Kind.Name+" "+f.Name] = true
		if !want[f.Kind.Name+" "+f.Name] {
			t.Errorf("found as well: %s: %s: %s (%s)", f.Path, f.Entry, f.Msg, f.Kind.Name)
		}
	}
	for fault := range want {
		if !got[fault] {
			t.Errorf("not found: %s", fault)
		}
	}
	t.Logf("%d faults, %d findings; %d of the game itself", len(want), len(reports[0].Findings), reports[0].Known)
}

// putFault edits a file of the mod, which is that of the game before its first fault; ok is false where it has no such text.
func putFault(t testing.TB, root, mod, file, from, to string) (ok bool) {
	name := filepath.Join(mod, "DATA", filepath.FromSlash(file))
	b, err := os.ReadFile(name)
	if err != nil {
		b, err = os.ReadFile(filepath.Join(root, "DATA", filepath.FromSlash(file)))
	}
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".ini") {
		x, err := read.BINI(b, nil)
		if err != nil {
			t.Fatal(err)
		}
		was := ini.Text(x)
		text := strings.Replace(was, from, to, 1)
		ok, b = was != text, compile(t, text)
	} else {
		b, ok = renamed(t, b, from, to)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, string(b))
	return ok
}

// renamed gives entries of a tree another name.
func renamed(t testing.TB, b []byte, from, to string) (out []byte, ok bool) {
	x, err := read.UTF(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	x.Root.Walk(func(_ string, n *freelancer.Node) bool {
		if strings.EqualFold(n.Name, from) {
			n.Name, ok = to, true
		}
		return true
	})
	if out, err = write.UTF(x); err != nil {
		t.Fatal(err)
	}
	return out, ok
}

// deaf is a folder with a file that cannot be opened.
type deaf struct {
	fs.FS
	name string
}

func (d deaf) Open(name string) (fs.File, error) {
	if name == d.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.FS.Open(name)
}

func (d deaf) Stat(name string) (fs.FileInfo, error) { return fs.Stat(d.FS, name) }

// TestUnread: where a file cannot be read that is said, and nothing is mended: what looks certain may follow from what is not known.
func TestUnread(t *testing.T) {
	for _, c := range []struct {
		name string
		want string
	}{
		{"", ""},
		{"DATA/SHIPS/HERON/HERON.MAT", filepath.Join("game", "DATA", "SHIPS", "HERON", "HERON.MAT") + ": permission denied"},
		{"EXE/freelancer.ini", filepath.Join("game", "EXE", "freelancer.ini") + ": permission denied"},
	} {
		dir := small(t)
		mod := filepath.Join(dir, "mod")
		before := contents(t, mod)
		p, err := placeOf(mod)
		if err != nil {
			t.Fatal(err)
		}
		l := &looked{place: p}
		check := Check{Install: []string{filepath.Join(dir, "game")}, Fix: true}
		if err := check.open(l); err != nil {
			t.Fatal(err)
		}
		l.game, err = format.NewGame(p.install.Folders, format.Layer{FS: l.open[0].FS()}, format.Layer{FS: deaf{l.open[1].FS(), c.name}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.report(l)
		l.close()
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Unread); c.want == "" && r.Unread != nil || c.want != "" && !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
		if fixed := contents(t, mod) != before; fixed != (c.want == "") {
			t.Errorf("%s: mended: %v", c.name, fixed)
		}
	}
}
