package voice

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Names reads the user's list of names and returns them by hash. Each line is a name, optionally after its hash. Lines that
// begin with '#' or ';' are comments. The list may also be an INI file of the game, compiled or not, whose voices name
// their lines, or a folder: that of the game, say, all of whose INI files are read then.
func Names(env *format.Env) (map[uint32]string, error) {
	if env == nil || env.Options.Freelancer.Names == "" {
		return nil, nil
	}
	if tree, ok := env.Files.(format.FileTree); ok {
		if folder, ok := tree.Folder(env.Options.Freelancer.Names); ok {
			return namesBelow(tree, folder, true), nil
		}
	}
	b, _, err := env.Find(env.Options.Freelancer.Names)
	if err != nil {
		return nil, fmt.Errorf("the list of names %s: %w", env.Options.Freelancer.Names, err)
	}
	names := map[uint32]string{}
	if strings.EqualFold(path.Ext(env.Options.Freelancer.Names), ini.Extension) {
		return names, linesOf(b, names)
	}
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		words := strings.FieldsFunc(lines.Text(), func(r rune) bool { return strings.ContainsRune(" \t\r,=\ufeff", r) })
		if len(words) == 0 || strings.HasPrefix(words[0], "#") || strings.HasPrefix(words[0], ";") {
			continue
		}
		if id, ok := freelancer.ParseVoiceName(words[0]); ok && len(words) > 1 {
			names[id] = words[1]
			continue
		}
		names[freelancer.CreateID(words[0])] = words[0]
	}
	return names, nil
}

// Beside returns the names that the INI files in the folder of an input give to lines: a game has those of its voices beside
// their banks. It returns nil where there are none.
func Beside(env *format.Env) map[uint32]string {
	if env == nil {
		return nil
	}
	tree, ok := env.Files.(format.FileTree)
	if !ok || tree.Home() == "" {
		return nil
	}
	return namesBelow(tree, tree.Home(), false)
}

// namesKey is what the names of lines in a folder are shared under.
type namesKey struct {
	folder string
	deep   bool
}

// namesBelow returns the names of lines in the INI files of a folder. A file that cannot be read names none.
func namesBelow(tree format.FileTree, folder string, deep bool) map[uint32]string {
	read := tree.Shared(namesKey{folder, deep}, func() any {
		return sync.OnceValue(func() map[uint32]string {
			names := map[uint32]string{}
			for _, at := range tree.List(folder, deep, ini.Extension) {
				if b, err := readListed(tree, at); err == nil && namesLines(b) {
					_ = linesOf(b, names)
				}
			}
			return names
		})
	}).(func() map[uint32]string)
	return read()
}

// mostINI is the size of an INI file that may name lines. Those of the game have up to 1 MB.
const mostINI = 16 << 20

func readListed(tree format.FileTree, at format.Listed) ([]byte, error) {
	if at.Size > mostINI {
		return nil, fs.ErrInvalid
	}
	f, err := tree.OpenListed(at.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, at.Size)
	n, err := f.ReadAt(b, 0)
	if n == len(b) {
		err = nil
	}
	return b, err
}

// namesLines reports whether an INI file may name lines, text or compiled: most of a game's do not, and need not be parsed.
func namesLines(b []byte) bool { return bytes.Contains(bytes.ToLower(b), []byte("msg")) }

// linesOf adds the names of lines in an INI file to names: the messages of its sounds.
func linesOf(b []byte, names map[uint32]string) error {
	x, _, err := ini.Read(b)
	if x == nil {
		return err
	}
	for _, s := range x.Sections {
		for _, e := range s.Entries {
			if strings.EqualFold(s.Name, "Sound") && strings.EqualFold(e.Name, "msg") && len(e.Values) > 0 && e.Values[0].Text != "" {
				names[freelancer.CreateID(e.Values[0].Text)] = e.Values[0].Text
			}
		}
	}
	return nil
}

// Hashes is Names for the hashes that models use. It returns nil if there is no list.
func Hashes(env *format.Env) map[uint32]string {
	lines, err := Names(env)
	if err != nil || len(lines) == 0 {
		return nil
	}
	names := map[uint32]string{}
	for _, name := range lines {
		names[freelancer.FLCRC(name)] = name
	}
	return names
}

// LineID returns the ID of a line from the name of a file: an ID, optionally followed by a name, or a name.
func LineID(name string) uint32 {
	if len(name) > 10 && name[10] == '_' {
		if id, ok := freelancer.ParseVoiceName(name[:10]); ok {
			return id
		}
	}
	return freelancer.CreateID(name)
}
