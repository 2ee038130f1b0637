package check

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"

	write "github.com/usher-assets/usher/write/ultima9"
)

// disk is a folder that counts its open files. Of some only the first bytes can be read; without any they cannot be opened.
type disk struct {
	fstest.MapFS
	deaf map[string]int
	open int
}

type diskFile struct {
	fs.File
	*bytes.Reader
	disk  *disk
	bytes int64
}

func (d *disk) Open(name string) (fs.File, error) {
	f, err := d.MapFS.Open(name)
	if err != nil || d.MapFS[name] == nil {
		return f, err
	}
	size := len(d.MapFS[name].Data)
	if n, ok := d.deaf[name]; ok {
		size = n
	}
	if size == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	d.open++
	return &diskFile{f, bytes.NewReader(d.MapFS[name].Data), d, int64(size)}, nil
}

func (f *diskFile) Read(b []byte) (int, error) { return f.Reader.Read(b) }

func (f *diskFile) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > f.bytes {
		return 0, fs.ErrInvalid
	}
	return f.Reader.ReadAt(b, at)
}

func (f *diskFile) Close() error {
	f.disk.open--
	return f.File.Close()
}

const (
	sappear = "static/sappear.flx"
	types   = "static/types.dat"
	fixed   = "static/fixed.9"
	bitmap  = "static/bitmap16.flx"
	info    = "static/sdInfo16.flx"
)

// directory is where the payloads of the archives begin that the tests make.
const directory = ultima9.FLXHeaderSize + 4*ultima9.FLXSlotSize

// TestTold: what is told of a fault and where; what cannot be read at all is told by the game, after a "!".
func TestTold(t *testing.T) {
	indexed, err := os.ReadFile(filepath.Join(corpus.Testdata(t, "ultima9"), "indexed.mesh"))
	if err != nil {
		t.Fatal(err)
	}
	faulty := func(t testing.TB) *fstest.MapFile {
		return objects(t, ultima9.Fixed, &ultima9.Object{Type: 9000, Rotation: [4]int16{3: 32767}})
	}
	for _, c := range []struct {
		name string
		edit func(t testing.TB, g *game, d *disk)
		want []string
	}{
		{"nothing", func(t testing.TB, g *game, d *disk) {}, nil},
		{"flags", func(t testing.TB, g *game, d *disk) {
			g.fixed.Flags = 2
			d.MapFS[fixed] = objects(t, ultima9.Fixed, g.fixed)
		}, []string{
			`object-required static/fixed.9:0x60 "1": its flags are collide, without required`,
		}},
		{"types", func(t testing.TB, g *game, d *disk) { d.MapFS[fixed] = faulty(t) }, []string{
			`object-required static/fixed.9:0x60 "9000": its flags are 0, without required`,
			`type-missing static/fixed.9: "9000": there is no type 9000, of which it has 1 object: the last one is 8191`,
		}},
		{"types of two objects", func(t testing.TB, g *game, d *disk) {
			o := &ultima9.Object{Type: 8192, Flags: ultima9.ObjectPresent, Rotation: [4]int16{3: 32767}}
			p := *o
			d.MapFS[fixed] = objects(t, ultima9.Fixed, o, &p)
		}, []string{
			`type-missing static/fixed.9: "8192": there is no type 8192, of which it has 2 objects: the last one is 8191`,
		}},
		{"model", func(t testing.TB, g *game, d *disk) {
			g.nonfixed.Model = 3
			d.MapFS["runtime/nonfixed.9"] = objects(t, ultima9.Nonfixed, g.nonfixed)
		}, []string{
			`model-missing runtime/nonfixed.9: "3": slot 3 of sappear.flx is empty, which 1 object shows`,
		}},
		{"texture", func(t testing.TB, g *game, d *disk) { g.material.Texture = 3; d.MapFS = g.files(t) }, []string{
			`texture-missing static/sappear.flx:1 "3": it wears texture 3, and that slot is empty`,
		}},
		{"no types", func(t testing.TB, g *game, d *disk) { delete(d.MapFS, types) }, nil},
		{"no types, and an object of the first one", func(t testing.TB, g *game, d *disk) { g.fixed.Type = 0; d.MapFS = g.files(t); delete(d.MapFS, types) }, nil},
		{"no types, and no models in their archive", func(t testing.TB, g *game, d *disk) { delete(d.MapFS, types); d.MapFS[sappear] = flx(t, nil) }, []string{
			`model-missing runtime/nonfixed.9: "1": slot 1 of sappear.flx is empty, which 1 object shows`,
		}},
		{"no models", func(t testing.TB, g *game, d *disk) { delete(d.MapFS, sappear) }, nil},
		{"no textures", func(t testing.TB, g *game, d *disk) { delete(d.MapFS, bitmap) }, nil},
		{"no descriptions", func(t testing.TB, g *game, d *disk) { delete(d.MapFS, info) }, nil},
		{"damaged types", func(t testing.TB, g *game, d *disk) { d.MapFS[types].Data = d.MapFS[types].Data[:1000] }, []string{
			`file-damaged static/types.dat: "": u9-types+0x8: records: 8192 elements of 16 bytes do not fit into the 992 bytes left`,
		}},
		{"damaged archive of models", func(t testing.TB, g *game, d *disk) { d.MapFS[sappear].Data = d.MapFS[sappear].Data[:100] }, []string{
			`file-damaged static/sappear.flx: "": flx+0x64: unused 64: needs 4 bytes, 0 left`,
		}},
		{"damaged archive of textures", func(t testing.TB, g *game, d *disk) { d.MapFS[bitmap].Data = d.MapFS[bitmap].Data[:100] }, []string{
			`file-damaged static/bitmap16.flx: "": flx+0x64: unused 64: needs 4 bytes, 0 left`,
		}},
		{"damaged archive of descriptions", func(t testing.TB, g *game, d *disk) { d.MapFS[info].Data = d.MapFS[info].Data[:100] }, []string{
			`file-damaged static/sdInfo16.flx: "": flx+0x64: unused 64: needs 4 bytes, 0 left`,
		}},
		{"damaged map", func(t testing.TB, g *game, d *disk) { d.MapFS[fixed].Data = d.MapFS[fixed].Data[:20] }, []string{
			`file-damaged static/fixed.9: "": u9-fixed+0x14: height: needs 4 bytes, 0 left`,
		}},
		{"closed types", func(t testing.TB, g *game, d *disk) { d.deaf[types] = 0 }, []string{
			`! static/types.dat`,
		}},
		{"closed archive", func(t testing.TB, g *game, d *disk) { d.deaf[sappear] = 0 }, []string{
			`! static/sappear.flx`,
		}},
		{"closed map", func(t testing.TB, g *game, d *disk) { d.deaf[fixed] = 0 }, []string{
			`! static/fixed.9`,
		}},
		{"archive of models whose payloads cannot be read", func(t testing.TB, g *game, d *disk) { d.deaf[sappear] = directory }, []string{
			`file-damaged static/sappear.flx:1 "": slot 1+0x88: directory: invalid argument`,
			`! static/sappear.flx`,
		}},
		{"archive of textures whose payloads cannot be read", func(t testing.TB, g *game, d *disk) { d.deaf[bitmap] = directory }, []string{
			`file-damaged static/bitmap16.flx:2 "": slot 2+0x90: directory: invalid argument`,
			`! static/bitmap16.flx`,
		}},
		{"archive of descriptions whose payloads cannot be read", func(t testing.TB, g *game, d *disk) { d.deaf[info] = directory }, []string{
			`file-damaged static/sdInfo16.flx:2 "": slot 2+0x90: directory: invalid argument`,
			`! static/sdInfo16.flx`,
		}},
		{"other files with the names of maps", func(t testing.TB, g *game, d *disk) {
			d.MapFS["static/fixed.256"], d.MapFS["static/fixed.1a"], d.MapFS["static/fixed.bak"], d.MapFS["static/fixed"], d.MapFS["static/other.9"] = faulty(t), faulty(t), faulty(t), faulty(t), faulty(t)
		}, nil},
		{"map in capitals", func(t testing.TB, g *game, d *disk) { d.MapFS["static/FIXED.255"] = faulty(t) }, []string{
			`object-required static/FIXED.255:0x60 "9000": its flags are 0, without required`,
			`type-missing static/FIXED.255: "9000": there is no type 9000, of which it has 1 object: the last one is 8191`,
		}},
		{"damaged model", func(t testing.TB, g *game, d *disk) { g.models[2] = []byte{1, 2, 3}; d.MapFS = g.files(t) }, []string{
			`file-damaged static/sappear.flx:2 "": sappear+0x0: limb count: needs 4 bytes, 3 left`,
		}},
		{"model of the older layout", func(t testing.TB, g *game, d *disk) { g.models[2] = indexed; d.MapFS = g.files(t) }, nil},
		{"description in the first slot", func(t testing.TB, g *game, d *disk) {
			g.info.Width++
			d.MapFS[bitmap] = flx(t, map[int][]byte{0: must(write.Texture(g.texture))(t), 2: must(write.Texture(g.texture))(t)})
			d.MapFS[info] = flx(t, map[int][]byte{0: must(write.SDInfo(g.info))(t)})
		}, []string{
			`sdinfo-stale static/sdInfo16.flx:0 "": it says 3 x 1 pixels, at most 2 x 1, frames 1, levels 0, and the texture has 2 x 1 pixels, at most 2 x 1, frames 1, levels 0`,
		}},
		{"description of an empty slot", func(t testing.TB, g *game, d *disk) {
			g.info.Width++
			d.MapFS[info] = flx(t, map[int][]byte{3: must(write.SDInfo(g.info))(t)})
		}, nil},
		{"fewer descriptions than textures", func(t testing.TB, g *game, d *disk) {
			a := ultima9.NewArchive(1)
			var b bytes.Buffer
			if err := write.FLX(&b, a); err != nil {
				t.Fatal(err)
			}
			d.MapFS[info].Data = b.Bytes()
		}, nil},
		{"other texture", func(t testing.TB, g *game, d *disk) { d.MapFS[bitmap] = flx(t, map[int][]byte{2: {1, 2, 3}}) }, nil},
		{"damaged description", func(t testing.TB, g *game, d *disk) { d.MapFS[info] = flx(t, map[int][]byte{2: {1}}) }, []string{
			`file-damaged static/sdInfo16.flx:2 "": u9-sdinfo+0x1: format: needs 1 bytes, 0 left`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGame()
			d := &disk{g.files(t), map[string]int{}, 0}
			c.edit(t, g, d)
			files, err := format.NewGame(nil, format.Layer{FS: d})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range Game(files) {
				got = append(got, fmt.Sprintf("%s %s:%s %q: %s", f.Kind.Name, f.File.Path, f.Entry, f.Name, f.Msg))
			}
			for _, u := range files.Unread() {
				got = append(got, "! "+u.Name)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("told:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if d.open != 0 {
				t.Errorf("%d files are left open", d.open)
			}
		})
	}
}
