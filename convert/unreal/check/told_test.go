package check

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/unreal"
)

// closed is a folder with a file that cannot be opened.
type closed struct {
	fstest.MapFS
	name string
}

func (c closed) Open(name string) (fs.File, error) {
	if name == c.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.Open(name)
}

// TestTold: what is told of a fault and where; of a file that cannot be read it is told, and the game knows it.
func TestTold(t *testing.T) {
	whole := newPackage().holds("Texture", "Brick", unreal.Public).file(t)
	for _, c := range []struct {
		name, closed string
		walls        []byte
		texture      string // that the level wants
		want         string
		unread       int
	}{
		{"nothing", "", whole.Data, "Brick", "", 0},
		{"no such texture", "", whole.Data, "Stone", `object-missing Maps/hall.unr:imports "Walls.Stone"`, 0},
		{"damaged", "", whole.Data[:30], "Brick", `package-unreadable Textures/Walls.utx: ""`, 0},
		{"no package", "", []byte("Hello"), "Brick", `package-unreadable Textures/Walls.utx: ""`, 0},
		{"closed", "Textures/Walls.utx", whole.Data, "Brick", `package-unreadable Textures/Walls.utx: "": open Textures/Walls.utx: permission denied`, 1},
	} {
		g, err := format.NewGame(nil, format.Layer{FS: closed{fstest.MapFS{
			"Textures/Walls.utx": {Data: c.walls},
			"System/Core.u":      newPackage().holds("Class", "Object", unreal.Public|native).file(t),
			"System/Engine.u":    newPackage().holds("Class", "Texture", unreal.Public|native).file(t),
			"Maps/hall.unr":      newPackage().wants("Walls", "Texture", c.texture).file(t),
		}, c.closed}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range Game(g) {
			got = append(got, fmt.Sprintf("%s %s:%s %q: %s", f.Kind.Name, f.File.Path, f.Entry, f.Name, f.Msg))
		}
		if c.want == "" && got != nil || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: told\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), c.want)
		}
		if unread := g.Unread(); len(unread) != c.unread || slices.ContainsFunc(unread, func(u format.Unread) bool { return u.Name != c.closed }) {
			t.Errorf("%s: unread %v", c.name, unread)
		}
	}
}
