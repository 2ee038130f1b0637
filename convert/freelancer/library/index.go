package library

import (
	"encoding/binary"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Files that hold libraries, and models, which may.
var (
	libraryExtensions = []string{".mat", ".txm", ".vms"}
	modelExtensions   = []string{".cmp", ".3db"}
)

// shelf says which kind of library something stands in.
type shelf uint8

const (
	meshShelf shelf = iota
	materialShelf
	textureShelf
	shelves
)

// indexed is a file and the hashes of what its libraries hold.
type indexed struct {
	path string
	held [shelves]map[uint32]bool
}

// index is the files of a folder by what they hold. It is made once a run.
type index struct {
	once  sync.Once
	files []*indexed
}

// indexKey is what an index is shared under.
type indexKey struct {
	folder string
	deep   bool
	models bool
}

// filesOf returns the indexed files in or below a folder: libraries, or models with libraries of their own.
func filesOf(t format.FileTree, folder string, deep, models bool) []*indexed {
	x := t.Shared(indexKey{folder, deep, models}, func() any { return new(index) }).(*index)
	extensions := libraryExtensions
	if models {
		extensions = modelExtensions
	}
	list := t.List(folder, deep, extensions...)
	x.once.Do(func() {
		for _, l := range list {
			if f := indexFile(t, l); f != nil {
				x.files = append(x.files, f)
			}
		}
	})
	return x.files
}

// indexFile reads the names of a file's libraries, and nothing else of it; nil when it has none or is damaged.
func indexFile(t format.FileTree, l format.Listed) *indexed {
	r, err := t.OpenListed(l.Path)
	if err != nil {
		return nil
	}
	defer r.Close()
	f := &indexed{path: l.Path}
	found := false
	for kind, names := range libraryNames(r, l.Size) {
		f.held[kind] = map[uint32]bool{}
		for _, n := range names {
			f.held[kind][freelancer.FLCRC(n)] = true
			found = true
		}
	}
	if !found {
		return nil
	}
	return f
}

// libraryNames returns the names in the libraries of a UTF tree, of which only the entries and their names are read.
func libraryNames(r io.ReaderAt, size int64) (names [shelves][]string) {
	header := make([]byte, freelancer.HeaderSize)
	if _, err := r.ReadAt(header, 0); err != nil || string(header[:4]) != freelancer.Magic {
		return names
	}
	word := func(b []byte, at uint32) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	block := func(at, length uint32) []byte {
		if int64(at)+int64(length) > size {
			return nil
		}
		b := make([]byte, length)
		if _, err := r.ReadAt(b, int64(at)); err != nil && err != io.EOF {
			return nil
		}
		return b
	}
	tree, text := block(word(header, 8), word(header, 12)), block(word(header, 24), word(header, 28))
	name := func(at uint32) string {
		if uint64(at) >= uint64(len(text)) {
			return ""
		}
		b := text[at:min(int64(at)+freelancer.MaxName, int64(len(text)))]
		for i, c := range b {
			if c == 0 {
				b = b[:i]
				break
			}
		}
		return schema.DecodeWindows1252(b)
	}
	// Siblings are a list of offsets, which may go round: no more steps than there are entries.
	children := func(parent uint32, f func(entry uint32)) {
		at := word(tree, parent+16)
		for range len(tree) / freelancer.EntrySize {
			if at == 0 || uint64(at)+freelancer.EntrySize > uint64(len(tree)) {
				return
			}
			f(at)
			at = word(tree, at)
		}
	}
	if len(tree) < freelancer.EntrySize {
		return names
	}
	var seen [shelves]bool // the first of a name counts
	children(0, func(library uint32) {
		for kind, want := range [shelves]string{freelancer.MeshLibrary, freelancer.MaterialLibrary, freelancer.TextureLibrary} {
			if seen[kind] || !freelancer.SameName(name(word(tree, library+4)), want) {
				continue
			}
			seen[kind] = true
			children(library, func(e uint32) {
				if freelancer.Attributes(word(tree, e+8))&freelancer.Directory != 0 {
					names[kind] = append(names[kind], name(word(tree, e+4)))
				}
			})
		}
	})
	return names
}

// steps returns how far apart two folders are: steps up plus steps down.
func steps(a, b string) int {
	x, y := split(a), split(b)
	same := 0
	for same < len(x) && same < len(y) && strings.EqualFold(x[same], y[same]) {
		same++
	}
	return len(x) + len(y) - 2*same
}

func split(folder string) []string {
	return strings.FieldsFunc(filepath.ToSlash(folder), func(r rune) bool { return r == '/' })
}

// DataFolder returns the nearest folder of the name DATA that a folder lies in, or is; empty when there is none.
func DataFolder(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if strings.EqualFold(filepath.Base(dir), "DATA") {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
