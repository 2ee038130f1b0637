package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	stdpng "image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/freelancer"
)

// Leaves that share their bytes do not say them as often as they like.
func TestSharedPayloads(t *testing.T) {
	shared := bytes.Repeat([]byte{1, 2, 3}, 200<<10)
	tree := freelancer.NewTree()
	for range 200 {
		tree.Root.Children = append(tree.Root.Children, &freelancer.Node{Name: "leaf", Data: shared})
	}
	it := &interchange.Item{Format: formats.ByName("utf"), Value: tree, Env: &format.Env{Stored: shared}}
	target, err := ParseTarget("json", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Export(it, target, "x"); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("120 MB of 600 kB: %v", err)
	}
	tree.Root.Children = tree.Root.Children[:20]
	if _, err := Export(it, target, "x"); err != nil {
		t.Errorf("12 MB: %v", err)
	}
}

// Copies of one mesh for thousands of nodes are refused before the first is made; formats that make none take them.
func TestCopiesOfMeshes(t *testing.T) {
	mesh := &asset.Mesh{Primitives: []*asset.Primitive{{Positions: make([][3]float32, 4000)}}}
	scene := &asset.Scene{Meshes: []*asset.Mesh{mesh}}
	for range 8000 {
		scene.Roots = append(scene.Roots, &asset.Node{Mesh: mesh})
	}
	if err := checkCopies(&format.Format{Name: "x"}, scene); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("32,000,000 vertices: %v", err)
	}
	if err := checkCopies(&format.Format{Name: "x", Piecewise: true}, scene); err != nil {
		t.Errorf("without copies: %v", err)
	}
	scene.Roots = scene.Roots[:525]
	if err := checkCopies(&format.Format{Name: "x"}, scene); !errors.Is(err, schema.ErrLimit) {
		t.Errorf("2,100,000 vertices: %v", err)
	}
	scene.Roots = scene.Roots[:524]
	if err := checkCopies(&format.Format{Name: "x"}, scene); err != nil {
		t.Errorf("2,096,000 vertices: %v", err)
	}
	large := &asset.Mesh{Primitives: []*asset.Primitive{{Positions: make([][3]float32, 3), Indices: make([]uint32, 1<<18)}}}
	for n, refused := range map[int]bool{16: false, 17: true} {
		copies := new(asset.Scene)
		for range n {
			copies.Roots = append(copies.Roots, &asset.Node{Mesh: large})
		}
		if err := checkCopies(&format.Format{Name: "x"}, copies); (err != nil) != refused {
			t.Errorf("%d copies of 262,144 corners: %v", n, err)
		}
	}
	scene.Roots = scene.Roots[:100]
	if err := checkCopies(&format.Format{Name: "x"}, scene); err != nil {
		t.Errorf("400,000 vertices: %v", err)
	}
}

// A picture is described without its pixels, even one that is too large to be read.
func TestDescribeHugePicture(t *testing.T) {
	var b bytes.Buffer
	if err := stdpng.Encode(&b, image.NewPaletted(image.Rect(0, 0, 4, 3), color.Palette{color.Black, color.White})); err != nil {
		t.Fatal(err)
	}
	huge := b.Bytes()
	binary.BigEndian.PutUint32(huge[16:], 20000)
	binary.BigEndian.PutUint32(huge[20:], 20000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	p := filepath.Join(t.TempDir(), "huge.png")
	if err := os.WriteFile(p, huge, 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := new(Loader).Describe(Source{Path: p})
	if err != nil || d.Kind != "texture" || len(d.Facts) == 0 || d.Facts[0].Value != "20000 x 20000" {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := new(Loader).Load(Source{Path: p}, nil); err == nil {
		t.Error("it was decoded")
	}
}

// What is told to stop writes nothing: not even what it has ready.
func TestWriteNothingAfterTheEnd(t *testing.T) {
	dir := t.TempDir()
	out, err := disk.Open(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ctx, stop := context.WithCancel(context.Background())
	files := []format.File{{Name: "a", Content: []byte("a")}, {Name: "b", Stream: func(w io.Writer) error {
		stop()
		_, err := w.Write([]byte("b"))
		return err
	}}}
	if _, err := store.WriteFiles(ctx, out, files); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if inside, _ := filepath.Glob(filepath.Join(dir, "[a-z]*")); len(inside) > 0 {
		t.Errorf("written: %v", inside)
	}
}

// A file beside the input that is there and cannot be read is an error, and not as if it were missing.
func TestUnreadNeighbour(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ankh.pal"), make([]byte, 1024), 0o666); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("input/output error")
	for _, bad := range []string{"read", "list"} {
		disk.Fault = func(step, _ string) error {
			if step == bad {
				return broken
			}
			return nil
		}
		files := find.NewFiles(dir)
		_, _, err := files.Find("ankh.pal")
		disk.Fault = nil
		if err == nil || !errors.Is(find.Unread(&format.Env{Files: files}), broken) {
			t.Errorf("%s: found: %v; unread: %v", bad, err, files.Unread())
		}
	}
	files := find.NewFiles(dir)
	disk.Fault = func(step, _ string) error {
		if step == "list" {
			return fs.ErrPermission
		}
		return nil
	}
	_, _, err := files.Find("ankh.pal")
	disk.Fault = nil
	if err != nil || files.Unread() != nil {
		t.Errorf("in a folder that cannot be listed: %v, %v", err, files.Unread())
	}
	if _, _, err := find.NewFiles(dir).Find("missing.pal"); err == nil {
		t.Error("found what is not there")
	}
}
