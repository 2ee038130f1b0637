package game

import (
	"fmt"
	"path"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/freelancer/ini"
	"github.com/usher-assets/usher/schema/freelancer"
)

// File is an INI file, compiled or not.
type File struct {
	format.GameFile
	Key      string // of [Data] in freelancer.ini, such as "ships", that names the file; empty for one that others name
	Sections []*Section
	Err      error // what is wrong with it; Sections are what is right
}

// Section is a section of a file.
type Section struct {
	File    *File
	Name    string
	Number  int // in the file, from 0
	Line    int // in a text, from 1; 0 in a compiled file
	Entries []Entry

	alike int      // number among those of its name, from 1
	owner *Section // the last one before it that has a model; nil for none
}

// Entry is a line of a section.
type Entry struct {
	Key    string
	Values []freelancer.BINIValue
	Number int // in the section, from 0
	Line   int // as that of a section
}

// readFile reads an INI file of a game.
func readFile(g *format.Game, at format.GameFile) *File {
	b, err := g.Read(at)
	if err != nil {
		return &File{GameFile: at, Err: err}
	}
	return newFile(at, b)
}

// newFile reads the bytes of an INI file.
func newFile(at format.GameFile, b []byte) *File {
	f := &File{GameFile: at}
	x, lines, err := ini.Read(b)
	f.Err = err
	if x == nil {
		return f
	}
	counts := map[string]int{}
	var owner *Section
	for i := range x.Sections {
		s := newSection(f, i, &x.Sections[i], lines)
		name := strings.ToLower(s.Name)
		counts[name]++
		s.alike, s.owner = counts[name], owner
		if s.Get(modelKey) != nil {
			owner = s
		}
		f.Sections = append(f.Sections, s)
	}
	return f
}

func newSection(f *File, number int, x *freelancer.BINISection, lines ini.Lines) *Section {
	at := make([]int, len(x.Entries)+1)
	if number < len(lines) {
		at = lines[number]
	}
	s := &Section{File: f, Name: x.Name, Number: number, Line: at[0], Entries: make([]Entry, len(x.Entries))}
	for i, e := range x.Entries {
		s.Entries[i] = Entry{Key: e.Name, Values: e.Values, Number: i, Line: at[i+1]}
	}
	return s
}

// Is reports whether a section has one of some names.
func (s *Section) Is(names ...string) bool {
	for _, name := range names {
		if strings.EqualFold(s.Name, name) {
			return true
		}
	}
	return false
}

// All returns the entries of one of some keys.
func (s *Section) All(keys ...string) (list []*Entry) {
	for i := range s.Entries {
		for _, key := range keys {
			if strings.EqualFold(s.Entries[i].Key, key) {
				list = append(list, &s.Entries[i])
			}
		}
	}
	return list
}

// Get returns the first entry of a key; nil when there is none.
func (s *Section) Get(key string) *Entry {
	if list := s.All(key); len(list) > 0 {
		return list[0]
	}
	return nil
}

// Last returns the last entry of the first of some keys that the section has; nil where it has none of them.
func (s *Section) Last(keys ...string) *Entry {
	for _, key := range keys {
		if list := s.All(key); len(list) > 0 {
			return list[len(list)-1]
		}
	}
	return nil
}

// Text returns the first value of a key, empty when there is none.
func (s *Section) Text(key string) string { return s.Get(key).Text(0) }

// Nickname returns what the section is called elsewhere; empty for one that has no name.
func (s *Section) Nickname() string { return s.Text("nickname") }

// Title is the section as people find it: "[Ship] li_elite", or "[Texture] number 3".
func (s *Section) Title() string {
	if name := s.Nickname(); name != "" {
		return "[" + s.Name + "] " + name
	}
	return fmt.Sprintf("[%s] number %d", s.Name, s.alike)
}

// Text returns a value as text; empty where there is none.
func (e *Entry) Text(i int) string {
	if e == nil || i >= len(e.Values) {
		return ""
	}
	if v := e.Values[i]; v.Type != freelancer.BINIText {
		return v.String()
	}
	return e.Values[i].Text
}

// String returns the values of an entry as an INI file has them.
func (e *Entry) String() string {
	words := make([]string, len(e.Values))
	for i, v := range e.Values {
		words[i] = v.String()
	}
	return strings.Join(words, ", ")
}

// Extension returns the extension of a value that is the name of a file, in lower case with the dot.
func Extension(name string) string {
	name = name[strings.LastIndexAny(name, `\/`)+1:]
	return strings.ToLower(path.Ext(name))
}
