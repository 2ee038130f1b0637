package places

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/windows/registry"
)

// values of the registry that name the folder of a program.
var values = []struct {
	root       registry.Key
	path, name string
}{
	{registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Microsoft Games\Freelancer\1.0`, "AppPath"},
	{registry.LOCAL_MACHINE, `SOFTWARE\Unreal Technology\Installed Apps\UnrealTournament`, "Folder"},
	{registry.LOCAL_MACHINE, `SOFTWARE\Unreal Technology\Installed Apps\Unreal`, "Folder"},
}

// thisMachine knows what the registry says of Steam, GOG and the games themselves, and the usual folders.
func thisMachine() *machine {
	home, _ := os.UserHomeDir() // without one there is less to look at
	m := &machine{home: home}
	if dir := value(registry.CURRENT_USER, `Software\Valve\Steam`, "SteamPath"); dir != "" {
		m.steam = append(m.steam, filepath.FromSlash(dir))
	}
	for _, v := range values {
		if dir := value(v.root, v.path, v.name); dir != "" {
			m.games = append(m.games, dir)
		}
	}
	m.games = append(m.games, ofGOG()...)
	m.parents = installed(os.Getenv("SystemDrive") + `\`)
	return m
}

// ofGOG returns the folders of all games that GOG has installed.
func ofGOG() (list []string) {
	const games = `SOFTWARE\GOG.com\Games`
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, games, registry.ENUMERATE_SUB_KEYS|registry.WOW64_32KEY)
	if err != nil {
		return nil
	}
	defer k.Close()
	numbers, _ := k.ReadSubKeyNames(-1) // those that could be read
	for _, n := range numbers {
		if dir := value(registry.LOCAL_MACHINE, games+`\`+n, "path"); dir != "" {
			list = append(list, dir)
		}
	}
	return list
}

// value returns what the registry has for programs of 32 bits; empty for nothing.
func value(root registry.Key, path, name string) string {
	k, err := registry.OpenKey(root, path, registry.QUERY_VALUE|registry.WOW64_32KEY)
	if err != nil {
		return ""
	}
	defer k.Close()
	s, _, err := k.GetStringValue(name)
	if err != nil {
		return ""
	}
	return s
}
