package game

import (
	"path"
	"slices"
	"strings"

	"github.com/usher-assets/usher/convert/format"
)

// Data is the folder that all names of files begin at.
const Data = "DATA"

// Config is the file that tells the game which INI files to read, and ConfigData its section that does.
const (
	Config     = "EXE/freelancer.ini"
	ConfigData = "Data"
)

// byName are the folders whose INI files the game's program reads by their names, which stand in none of the others.
var byName = []string{"missions", "randommissions"}

// Knowledge is what the INI files of a game say that it reads.
type Knowledge struct {
	Game   *format.Game
	Files  []*File // in the order in which the game comes to them
	Config *File   // freelancer.ini; nil where it is not at hand, and every INI file counts
	Unread int     // INI files that nothing leads to

	known   map[string]bool          // nicknames in lower case
	records map[[2]string][]*Section // by nickname and name of the section, in lower case
	named   map[string][]*Section    // by the path of a model or a sound in lower case: those that have it as theirs
}

// Of reads all INI files of a game that it would read: those that freelancer.ini names, and what they name.
func Of(g *format.Game) *Knowledge {
	k := &Knowledge{Game: g, known: map[string]bool{}, records: map[[2]string][]*Section{}, named: map[string][]*Section{}}
	seen := map[string]bool{}
	queue := k.begin(seen)
	for len(queue) > 0 {
		f := queue[0]
		queue = queue[1:]
		k.Files = append(k.Files, f)
		for _, s := range f.Sections {
			k.add(s)
			queue = append(queue, k.following(s, seen)...)
		}
	}
	k.Unread = len(g.Files(Data, iniExtension)) - len(k.Files)
	return k
}

const iniExtension = ".ini"

// begin returns the files that no other one leads to.
func (k *Knowledge) begin(seen map[string]bool) (list []*File) {
	if at, ok := k.Game.Find(Config); ok {
		k.Config = k.read(at, "")
		for _, s := range k.Config.Sections {
			for i := range s.Entries {
				if e := &s.Entries[i]; s.Is(ConfigData) {
					list = append(list, k.lead(Data, e.Text(0), e.Key, seen)...)
				}
			}
		}
	}
	for _, folder := range byName {
		for _, at := range k.Game.Files(Data+"/"+folder, iniExtension) {
			list = append(list, k.once(at, "", seen)...)
		}
	}
	if k.Config == nil {
		for _, at := range k.Game.Files(Data, iniExtension) {
			list = append(list, k.once(at, folderOf(at.Path), seen)...)
		}
	}
	return list
}

// folderOf returns the folder below DATA that a file lies in, and no deeper: it says what the records of the file are, where
// nothing else does.
func folderOf(p string) string {
	steps := strings.Split(strings.ToLower(p), "/")
	if len(steps) != 3 {
		return ""
	}
	return steps[1]
}

// following returns the files that a section names and that were not seen before.
func (k *Knowledge) following(s *Section, seen map[string]bool) (list []*File) {
	for i := range s.Entries {
		for v := range s.Entries[i].Values {
			list = append(list, k.lead(path.Dir(s.File.Path), s.Entries[i].Text(v), "", seen)...)
		}
	}
	return list
}

// lead returns the INI file that a value names, if it does and the file was not seen before.
func (k *Knowledge) lead(from, value, key string, seen map[string]bool) []*File {
	if Extension(value) != iniExtension {
		return nil
	}
	at, ok := k.Locate(from, value)
	if !ok {
		return nil
	}
	return k.once(at, key, seen)
}

func (k *Knowledge) once(at format.GameFile, key string, seen map[string]bool) []*File {
	if seen[strings.ToLower(at.Path)] {
		return nil
	}
	seen[strings.ToLower(at.Path)] = true
	return []*File{k.read(at, key)}
}

// read returns an INI file. What was made of the file is shared, and not changed.
func (k *Knowledge) read(at format.GameFile, key string) *File {
	key = strings.ToLower(key)
	return format.Made(k.Game, at, "ini "+key, func() *File {
		f := readFile(k.Game, at)
		f.Key = key
		return f
	})
}

// Locate returns the file that a value names: below DATA, or beside the file that names it, which lies in the folder from.
func (k *Knowledge) Locate(from, value string) (format.GameFile, bool) {
	if f, ok := k.Game.Find(Data + "/" + value); ok {
		return f, true
	}
	return k.Game.Find(from + "/" + value)
}

// maxAlike is how many records of one kind and nickname are kept, so that a damaged file with the same one everywhere costs no more
// than another.
const maxAlike = 16

// add notes a section by its nickname, and by the model or the sound that is its own.
func (k *Knowledge) add(s *Section) {
	if name := strings.ToLower(s.Nickname()); name != "" {
		k.known[name] = true
		key := [2]string{name, strings.ToLower(s.Name)}
		if len(k.records[key]) < maxAlike {
			k.records[key] = append(k.records[key], s)
		}
	}
	own, ok := k.Model(s)
	if !ok && s.Is("Sound") {
		own, ok = k.Locate(Data, s.Text(soundKey))
	}
	if ok {
		key := strings.ToLower(own.Path)
		k.named[key] = append(k.named[key], s)
	}
}

// Model returns the model of a record.
func (k *Knowledge) Model(s *Section) (format.GameFile, bool) {
	name := s.Text(modelKey)
	if name == "" {
		return format.GameFile{}, false
	}
	return k.Locate(Data, name)
}

// Knows reports whether any record has a nickname.
func (k *Knowledge) Knows(nickname string) bool { return k.known[strings.ToLower(nickname)] }

// Records returns the sections of some names that have a nickname.
func (k *Knowledge) Records(nickname string, sections ...string) (list []*Section) {
	for _, name := range sections {
		list = append(list, k.records[[2]string{strings.ToLower(nickname), strings.ToLower(name)}]...)
	}
	return list
}

// Naming returns the records that have a file as their model or their sound.
func (k *Knowledge) Naming(file string) []*Section { return k.named[strings.ToLower(file)] }

// Libraries returns the files that a record wants to be loaded with its model, in their order.
func (k *Knowledge) Libraries(s *Section) (list []format.GameFile) {
	for _, e := range s.All(libraryKey) {
		if f, ok := k.Locate(Data, e.Text(0)); ok && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}
