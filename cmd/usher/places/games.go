// Package places finds what somebody may want to open who has named nothing: the games of this machine, and what was opened
// last.
package places

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Place is a folder or a file that can be opened.
type Place struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Game bool   `json:"game,omitempty"` // it was found, and not opened before
}

// signs are the files by which the folder of a game is known, in whatever case.
var signs = []struct{ game, file string }{
	{"Freelancer", "EXE/freelancer.ini"},
	{"Ultima IX", "static/sappear.flx"},
	{"Unreal", "System/Core.u"},
}

// machine is where games are looked for.
type machine struct {
	home    string
	steam   []string // folders of Steam itself
	parents []string // folders that have games in them, one below the other
	games   []string // folders that are said to be games
}

// Games returns the games that are installed where installers put them: by Steam and GOG, in the folders for programs, and in
// those that Wine and its helpers make. It looks at names alone, and opens nothing.
func Games() []Place { return thisMachine().find() }

func (m *machine) find() (list []Place) {
	parents := slices.Clone(m.parents)
	for _, steam := range m.steam {
		for _, library := range libraries(steam) {
			parents = append(parents, filepath.Join(library, "steamapps", "common"))
		}
	}
	candidates := slices.Clone(m.games)
	for _, p := range parents {
		candidates = append(candidates, below(p)...)
	}
	seen := map[string]bool{}
	for _, dir := range candidates {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		if game := gameIn(real); game != "" {
			list = append(list, Place{Name: game, Path: real, Game: true})
		}
	}
	slices.SortFunc(list, func(a, b Place) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path)) })
	return list
}

// below returns the folders in a folder.
func below(dir string) (list []string) {
	entries, _ := os.ReadDir(dir) // what cannot be read has no games for us
	for _, e := range entries {
		if e.IsDir() || e.Type()&os.ModeSymlink != 0 {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list
}

// gameIn returns the game that a folder holds; empty for none.
func gameIn(dir string) string {
	for _, s := range signs {
		if has(dir, strings.Split(s.file, "/")) {
			return s.game
		}
	}
	return ""
}

// has reports whether there is a file below a folder, in whatever case.
func has(dir string, steps []string) bool {
	if len(steps) == 0 {
		return true
	}
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return strings.EqualFold(e.Name(), steps[0]) && has(filepath.Join(dir, e.Name()), steps[1:])
	})
}

// libraries returns the folders that Steam installs games in: its own, and those that its list names.
func libraries(steam string) []string {
	list := []string{steam}
	f, err := os.Open(filepath.Join(steam, "steamapps", "libraryfolders.vdf"))
	if err != nil {
		return list
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, _ := strings.Cut(strings.TrimSpace(lines.Text()), `"		"`)
		if strings.EqualFold(key, `"path`) {
			list = append(list, filepath.FromSlash(strings.ReplaceAll(strings.TrimSuffix(value, `"`), `\\`, `/`)))
		}
	}
	return list
}
