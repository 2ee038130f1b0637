package batch_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/testdata/corpus"
)

// A batch takes what links of its folder lead to inside of it; what leads out is named, and taken only when that is asked
// for.
func TestLinksOutOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	file, _ := triangle(t, 1)
	for _, p := range []string{in, filepath.Join(in, "sub"), filepath.Join(dir, "away")} {
		if err := os.Mkdir(p, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{filepath.Join(in, "sub", "a.gltf"), filepath.Join(dir, "away", "b.gltf"), filepath.Join(dir, "away", "notes.md5")} {
		if err := os.WriteFile(p, file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"in.gltf": "sub/a.gltf", "out.gltf": "../away/b.gltf", "far.gltf": filepath.Join(dir, "away", "b.gltf"), "none.gltf": "nowhere", "dir": "../away", "notes.md5": "../away/notes.md5",
	} {
		corpus.Allowed(t, os.Symlink(to, filepath.Join(in, link)))
	}
	for _, c := range []struct {
		follow         bool
		taken, refused string
	}{{false, "in.gltf sub/a.gltf", "far.gltf out.gltf"}, {true, "far.gltf in.gltf notes.md5 out.gltf sub/a.gltf", ""}} {
		var taken, refused []string
		for src, err := range batch.Walk(context.Background(), in, batch.Selection{FollowLinks: c.follow}) {
			if err != nil {
				refused = append(refused, src.Rel)
				continue
			}
			taken = append(taken, src.Rel)
		}
		if a, b := strings.Join(taken, " "), strings.Join(refused, " "); a != c.taken || b != c.refused {
			t.Errorf("follow %v: taken %q, refused %q; want %q and %q", c.follow, a, b, c.taken, c.refused)
		}
	}
}
