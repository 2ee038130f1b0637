package freelancer

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
)

// layered is a tree of folders, which notes whose files are asked for.
type layered struct {
	format.FileTree
	folders []string
	broken  string
	asked   []string
}

func (l *layered) Folder(path string) (string, bool) { return path, slices.Contains(l.folders, path) }

func (l *layered) FS(folder string) (fs.FS, error) {
	if l.asked = append(l.asked, folder); folder == l.broken {
		return nil, fs.ErrPermission
	}
	return fstest.MapFS{"EXE/freelancer.ini": {Data: []byte("[Data]\n")}, "DATA/x.ini": {}}, nil
}

// TestLayersOfAGame: a game lies over the installed ones that are there, each named by its folder or by its DATA, once.
func TestLayersOfAGame(t *testing.T) {
	folders := []string{"/mod", "/mod/DATA", "/game", "/game/DATA", "/game/DATA/SHIPS", "/other/data"}
	for installs, want := range map[string]string{
		"": "/mod", "/game": "/mod /game", "/game/DATA": "/mod /game", "/game/DATA/SHIPS": "/mod /game/DATA/SHIPS", "/other/data /game": "/mod /other /game", "/nowhere": "/mod", "/nowhere/DATA /game": "/mod /game",
		"/mod": "/mod", "/mod/DATA": "/mod", "/mod/DATA /game /mod": "/mod /game",
	} {
		tree := &layered{folders: folders}
		k := readGame(tree, "/mod", strings.Fields(installs))
		if got := strings.Join(tree.asked, " "); filepath.ToSlash(got) != want || k == nil {
			t.Errorf("over %q: %s, want %s; known %v", installs, got, want, k != nil)
		}
	}
	if k := readGame(&layered{folders: folders, broken: "/game"}, "/mod", []string{"/game"}); k != nil {
		t.Error("a game that cannot be read says something")
	}
}
