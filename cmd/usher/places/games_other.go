//go:build !windows

package places

import (
	"os"
	"path/filepath"
)

// thisMachine knows Steam's folders, and those of Wine, Lutris and Heroic.
func thisMachine() *machine {
	home, err := os.UserHomeDir()
	if err != nil {
		return &machine{}
	}
	return homeOf(home)
}

func homeOf(home string) *machine {
	m := &machine{home: home}
	for _, dir := range []string{".steam/steam", ".local/share/Steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam", "Library/Application Support/Steam"} {
		m.steam = append(m.steam, filepath.Join(home, dir))
	}
	for _, dir := range []string{"Games", "Games/Heroic", "GOG Games"} {
		m.parents = append(m.parents, filepath.Join(home, dir))
	}
	drives := []string{filepath.Join(home, ".wine", "drive_c")}
	for _, prefix := range below(filepath.Join(home, "Games")) { // as Lutris makes them
		drives = append(drives, filepath.Join(prefix, "drive_c"))
	}
	for _, drive := range drives {
		m.parents = append(m.parents, installed(drive)...)
	}
	return m
}
