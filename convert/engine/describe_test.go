package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

func factsText(facts []format.Fact) string {
	var list []string
	for _, f := range facts {
		list = append(list, fmt.Sprintf("%s %v", f.Name, f.Value))
	}
	return strings.Join(list, "; ")
}

// TestDescribe: what is said of a file, of an archive, and of an entry in one.
func TestDescribe(t *testing.T) {
	other := t.TempDir()
	for name, content := range map[string]string{
		"a.csv": "a,b\n1,2\n3,4\n5,6\n", "a.txt": "äöü", "a.wav": "RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x22\x56\x00\x00\x44\xac\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x01\x02",
	} {
		if err := os.WriteFile(filepath.Join(other, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ file, entry, want string }{
		{"freelancer/ship.cmp", "", "cmp, Freelancer compound model, model, 77: version 0x101; exporter usher; directories 35; leaves 43; meshes 3; mesh references 3; textures 2; channels 1; materials 2; parts 4; joints 3; root [Exporter Version VMeshLibrary Cmpnd Root.3db hull.3db turret.3db wing.3db Texture library Material library Animation]; drawn 36 triangles, 72 vertices"},
		{"freelancer/tiles.txm", "", "txm, Freelancer texture library, archive, 77: version 0x101; directories 4; leaves 6; textures 2; root [Texture library]; entries 6; texture entries 2; raw entries 4"},
		{"ultima9/sappear.flx", "3", "sappear, Ultima IX model, model, 6704: limbs 3; levels of detail 2; faces of each level [36 2]; mount faces 1; textures [2 9]; drawn 36 triangles, 72 vertices"},
		{"ultima9/registry.txt", "", "u9-registry, Ultima IX limb names, table, 77: names 3"},
		{"gltf/before/ball.glb", "", "glb, glTF 2.0, one binary file, model, 77: nodes 4; meshes 3; vertices 444; triangles 756; materials 1; textures 0; skins 0; animations []; made from u3d; mesh ball 1 primitive, 325 vertices, 576 triangles; mesh ball 1 primitive, 91 vertices, 144 triangles; mesh ball 1 primitive, 28 vertices, 36 triangles; material blue opaque"},
		{"a.csv", "", "csv, comma-separated values, for flat tables, table, 77: columns 2; rows 3"},
		{"a.txt", "", "txt, text, UTF-8, text, 77: characters 3"},
		{"a.wav", "", "wav, WAV sound, sound, 77: rate 22050; channels 1; bits 16; frames 1; seconds 4.5351473922902495e-05"},
	} {
		path := filepath.Join(other, c.file)
		if strings.Contains(c.file, "/") {
			path = corpus.Testdata(t, strings.Split(c.file, "/")...)
		}
		d, err := new(Loader).Describe(Source{Path: path, Entry: c.entry, Size: 77})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if got := fmt.Sprintf("%s, %s, %s, %d: %s", d.Format, d.Title, d.Kind, d.Size, factsText(d.Facts)); got != c.want {
			t.Errorf("%s: %s", c.file, got)
		}
	}
}

// TestDescribeNothing: what cannot be read is an error, which says of what.
func TestDescribeNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.xyz"), []byte("nobody knows it"), 0o666); err != nil {
		t.Fatal(err)
	}
	flx := corpus.Testdata(t, "ultima9", "sappear.flx")
	for _, c := range []struct {
		src  Source
		want string
	}{{Source{Path: filepath.Join(dir, "none.png")}, "no such file"}, {Source{Path: filepath.Join(dir, "a.xyz")}, "not recognised"}, {Source{Path: flx, Entry: "99"}, "no entry"}} {
		if _, err := new(Loader).Describe(c.src); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.src, err, c.want)
		}
	}
}

// TestAssetFacts: an asset is as large as what is in it; a mesh that is worn twice counts once.
func TestAssetFacts(t *testing.T) {
	image := asset.NewImage(4, 2, asset.RGBA8)
	texture := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{image}}}}
	shared := make([][3]float32, 5)
	scene := &asset.Scene{
		Meshes: []*asset.Mesh{
			{Primitives: []*asset.Primitive{{Positions: shared, Indices: []uint32{0, 1, 2, 2, 3, 4}}, {Positions: shared, Indices: []uint32{0, 1, 2}}, {Positions: make([][3]float32, 6)}}},
			{Primitives: []*asset.Primitive{{Mode: asset.Lines, Positions: make([][3]float32, 9), Indices: make([]uint32, 12)}, {}}},
		},
		Materials: make([]*asset.Material, 2), Textures: make([]*asset.Texture, 3), Skins: make([]*asset.Skin, 4), Animations: []*asset.Animation{{Name: "a"}, {Name: "b"}},
	}
	parent := &asset.Node{}
	parent.Children = []*asset.Node{{}, {}}
	scene.Roots = []*asset.Node{parent}
	torn := &asset.Scene{Meshes: []*asset.Mesh{{Primitives: []*asset.Primitive{{Load: func() (*asset.Primitive, error) { return nil, errors.New("torn") }}}}}}
	loads := func() (*asset.Primitive, error) { return &asset.Primitive{Positions: shared}, nil }
	lazy := &asset.Scene{Meshes: []*asset.Mesh{{Primitives: []*asset.Primitive{{Load: loads}, {Load: loads}}}}}
	for _, c := range []struct {
		a    asset.Asset
		want string
	}{
		{scene, "nodes 3; meshes 2; vertices 20; triangles 5; materials 2; textures 3; skins 4; animations [a b]"},
		{torn, "damaged torn; nodes 0; meshes 1; vertices 0; triangles 0; materials 0; textures 0; skins 0; animations []"},
		{lazy, "nodes 0; meshes 1; vertices 10; triangles 2; materials 0; textures 0; skins 0; animations []"},
		{texture, "size 4 x 2"}, {&asset.Texture{}, ""}, {&asset.Texture{Palette: make([]asset.RGBA, 7)}, "palette 7"},
		{&asset.Sound{Rate: 8, Channels: 1, Bits: 8, PCM: make([]byte, 4)}, "rate 8; channels 1; bits 8; frames 4; seconds 0.5"}, {&asset.Sound{Channels: 1, Bits: 8, PCM: make([]byte, 4)}, "rate 0; channels 1; bits 8; frames 4"},
		{&asset.Table{Columns: []string{"a", "b"}, Rows: make([][]any, 3)}, "columns 2; rows 3"}, {&asset.Text{Body: "äö"}, "characters 2"}, {&asset.Text{Native: &asset.Native{Format: "u9-text"}}, "characters 0; made from u9-text"},
	} {
		if got := factsText(assetFacts(c.a)); got != c.want {
			t.Errorf("%T: %s, want %s", c.a, got, c.want)
		}
	}
	if got := meshText(torn.Meshes[0]); got != "torn" {
		t.Errorf("a mesh that cannot be read: %s", got)
	}
	if got := textureText(&asset.Texture{}); got != "no pixels" {
		t.Errorf("a texture of nothing: %s", got)
	}
	run := &asset.Animation{Channels: []*asset.Channel{{Times: []float32{0, 1, 2.5}}, {}, {Times: []float32{0, 1.5}}, {Times: []float32{4}}}}
	if got := animationText(run); got != "4 channels, 6 keys, 4 seconds" {
		t.Errorf("an animation with a channel of nothing: %s", got)
	}
	tall := &asset.Texture{Frames: []asset.Frame{{Mips: []asset.Image{asset.NewImage(1, 4, asset.RGBA8)}}}}
	if got := textureText(tall); got != "1 x 4, 28 bytes on a graphics card" { // 4·(4 + 2 + 1)
		t.Errorf("a tall texture: %s", got)
	}
}

// TestKindFacts: entries are counted by what they hold, kinds without any are left out.
func TestKindFacts(t *testing.T) {
	entries := []format.Entry{{Kind: format.Model}, {Kind: format.Texture}, {Kind: format.Texture}, {Kind: format.Raw}, {Kind: format.Raw + 3}}
	for n, want := range map[int]string{0: "entries 0", 2: "entries 2; model entries 1; texture entries 1", 5: "entries 5; model entries 1; texture entries 2; raw entries 2"} {
		if got := factsText(kindFacts(entries[:n])); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// TestDescribeInstall: a folder with the files of a game is described as one; its parts are named below it.
func TestDescribeInstall(t *testing.T) {
	if got := DescribeInstall(t.TempDir()); got != nil {
		t.Errorf("an empty folder: %v", got)
	}
	if got := DescribeInstall(filepath.Join(t.TempDir(), "none")); got != nil {
		t.Errorf("no folder: %v", got)
	}
	dir := filepath.Join(t.TempDir(), "game")
	if err := os.CopyFS(filepath.Join(dir, "static"), os.DirFS(corpus.Testdata(t, "ultima9"))); err != nil {
		t.Fatal(err)
	}
	if got := DescribeInstall(dir); got != nil {
		t.Errorf("a folder without types: %v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "types.dat"), []byte("torn"), 0o666); err != nil {
		t.Fatal(err)
	}
	list := DescribeInstall(dir)
	if len(list) < 2 || len(list[0].Diagnostics) == 0 || list[0].Source != dir || list[0].Format != "ultima9" || list[0].Kind != "installation" || list[0].Title != "Ultima IX installation" || len(list[0].Facts) == 0 {
		t.Fatalf("%d parts, the first %+v", len(list), list[0])
	}
	told := 0
	for _, d := range list[1:] {
		if told += len(d.Facts); !strings.HasPrefix(d.Source, dir+": ") {
			t.Errorf("%+v", d)
		}
	}
	if told == 0 {
		t.Error("nothing is said of the parts")
	}
}

// TestAnimationAsked: an animation that a model does not have is told of before anything is made, with the names of those that it has.
func TestAnimationAsked(t *testing.T) {
	scene := func(names ...string) asset.Asset {
		s := new(asset.Scene)
		for _, n := range names {
			s.Animations = append(s.Animations, &asset.Animation{Name: n})
		}
		return s
	}
	for _, c := range []struct {
		a         asset.Asset
		ask, want string
	}{
		{scene("walk", "run"), "", ""}, {scene("walk", "run"), "run", ""}, {scene("walk", "run"), "fly", `it has no animation "fly", but walk, run`}, {scene(), "fly", `it has no animation "fly": it has none`}, {new(asset.Texture), "fly", ""},
	} {
		env := new(format.Env)
		env.Options.Animation = c.ask
		got := ""
		if err := checkAnimation(&interchange.Item{Asset: c.a, Env: env}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q of %T: %s, want %s", c.ask, c.a, got, c.want)
		}
	}
}
