package format

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// Layer is a folder that a game is played from.
type Layer struct {
	FS    fs.FS  // nothing outside of it is ever opened
	Below string // where its files lie in the game, such as "DATA" for a mod that has no folder of that name; usually empty
}

// Game is what a game is played from: one folder, or several of which each hides what has the same path in those behind it,
// as a mod does with the game that it is laid over. Paths have slashes, and their case does not count.
type Game struct {
	layers []Layer
	listed []map[string]GameFile // of each layer, by folded path
	files  map[string]GameFile   // of all of them
	made   *sync.Map             // what was made of files, by madeKey
	unread *unreads
}

// GameFile is a file of a game.
type GameFile struct {
	Path  string // in the game, in its own case
	Layer int    // of which layer, the first being 0
	Size  int64
	Name  string // in its layer
}

// Unread is a file or folder of a game that could not be read: what is known of the game is not whole then.
type Unread struct {
	Layer int
	Name  string // in its layer
	Err   error
}

// unreads are all of a game.
type unreads struct {
	mu   sync.Mutex
	list []Unread
}

// note takes down an error, once for each name.
func (u *unreads) note(layer int, name string, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.ContainsFunc(u.list, func(x Unread) bool { return x.Layer == layer && x.Name == name }) {
		u.list = append(u.list, Unread{layer, name, err})
	}
}

// Unread returns what could not be read so far.
func (g *Game) Unread() []Unread {
	g.unread.mu.Lock()
	defer g.unread.mu.Unlock()
	return slices.Clone(g.unread.list)
}

// maxGameFiles bounds a walk: somebody's whole disk is no game.
const maxGameFiles = 1_000_000

// NewGame lists the files of layers, the first of which hides what the others have. Of each only the named folders are looked
// into, and what lies beside them; all of them where none is named.
func NewGame(folders []string, layers ...Layer) (*Game, error) {
	g := &Game{layers: layers, listed: make([]map[string]GameFile, len(layers)), made: new(sync.Map), unread: new(unreads)}
	for i := range layers {
		g.listed[i] = map[string]GameFile{}
		if err := g.list(i, folders); err != nil {
			return nil, err
		}
	}
	g.show(0)
	return g, nil
}

// list walks a layer.
func (g *Game) list(layer int, folders []string) error {
	l, files := g.layers[layer], g.listed[layer]
	return fs.WalkDir(l.FS, ".", func(name string, d fs.DirEntry, err error) error {
		at := path.Join(l.Below, name)
		switch {
		case name == "." && err != nil:
			return err
		case err != nil:
			if below(at, folders) {
				g.unread.note(layer, name, err)
			}
			return nil
		case d.IsDir() && at != "." && !below(at, folders):
			return fs.SkipDir
		case d.IsDir():
			return nil
		case len(files) >= maxGameFiles:
			return fmt.Errorf("more than %d files are no game", maxGameFiles)
		}
		info, err := fs.Stat(l.FS, name)
		switch {
		case err != nil && d.Type().IsRegular(): // a link may lead out of the game, or nowhere
			g.unread.note(layer, name, err)
		case err == nil && info.Mode().IsRegular():
			files[strings.ToLower(at)] = GameFile{Path: at, Layer: layer, Size: info.Size(), Name: name}
		}
		return nil
	})
}

// show makes the files of the layers from a number on those of the game.
func (g *Game) show(from int) {
	g.files = map[string]GameFile{}
	for _, list := range slices.Backward(g.listed[from:]) {
		maps.Copy(g.files, list)
	}
}

// below reports whether a path lies in or below one of some folders. All do where there is none.
func below(at string, folders []string) bool {
	first, _, _ := strings.Cut(at, "/")
	return len(folders) == 0 || slices.ContainsFunc(folders, func(f string) bool { return strings.EqualFold(f, first) })
}

// Without returns the game as it is without its first layer. The two share what was made of files.
func (g *Game) Without() *Game {
	rest := *g
	rest.show(1)
	return &rest
}

// Find returns a file by its path as a file of the game has it: backslashes part folders as well. A path that leads out of
// the game leads nowhere.
func (g *Game) Find(name string) (GameFile, bool) {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	f, ok := g.files[strings.ToLower(strings.TrimPrefix(clean, "/"))]
	return f, ok
}

// Files returns all files below a folder, or of the whole game where that is empty, which have one of some extensions (lower case, with the dot), in the order of their
// paths. No extension at all stands for every one.
func (g *Game) Files(folder string, extensions ...string) (list []GameFile) {
	under := strings.ToLower(folder)
	if under != "" {
		under += "/"
	}
	for _, key := range slices.Sorted(maps.Keys(g.files)) {
		if strings.HasPrefix(key, under) && (len(extensions) == 0 || slices.Contains(extensions, path.Ext(key))) {
			list = append(list, g.files[key])
		}
	}
	return list
}

// Open opens a file. Its caller closes it.
func (g *Game) Open(f GameFile) (fs.File, error) {
	file, err := g.layers[f.Layer].FS.Open(f.Name)
	if err != nil {
		g.unread.note(f.Layer, f.Name, err)
	}
	return file, err
}

// OpenAt opens a file to be read at any place. What cannot be read there is among [Game.Unread] too. Its caller closes it.
func (g *Game) OpenAt(f GameFile) (*GameReader, error) {
	file, err := g.Open(f)
	if err != nil {
		return nil, err
	}
	if at, ok := file.(io.ReaderAt); ok {
		return &GameReader{g, f, at, file}, nil
	}
	file.Close()
	b, err := g.Read(f)
	if err != nil {
		return nil, err
	}
	return &GameReader{g, f, bytes.NewReader(b), io.NopCloser(nil)}, nil
}

// GameReader is an open file of a game.
type GameReader struct {
	game *Game
	file GameFile
	from io.ReaderAt
	io.Closer
}

// ReadAt implements io.ReaderAt.
func (r *GameReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.from.ReadAt(b, at)
	if err != nil && (err != io.EOF || at+int64(n) < r.file.Size) {
		r.game.unread.note(r.file.Layer, r.file.Name, err)
	}
	return n, err
}

// Read reads a file whole.
func (g *Game) Read(f GameFile) ([]byte, error) {
	file, err := g.Open(f)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b := make([]byte, f.Size)
	if _, err := io.ReadFull(file, b); err != nil {
		err = fmt.Errorf("it is shorter than when it was listed: %w", err)
		g.unread.note(f.Layer, f.Name, err)
		return nil, err
	}
	return b, nil
}

// madeKey is what a thing is kept under that was made of a file.
type madeKey struct {
	file GameFile
	kind any
}

// Made returns what is made of a file, which is made once. Kind tells apart the things that are made of one file; T is of
// one type for each kind.
func Made[T any](g *Game, f GameFile, kind any, create func() T) T {
	once, _ := g.made.LoadOrStore(madeKey{f, kind}, sync.OnceValue(create))
	return once.(func() T)()
}
