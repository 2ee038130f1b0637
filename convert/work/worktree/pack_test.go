package worktree_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	write "github.com/usher-assets/usher/write/ultima9"
)

// newTextures writes an archive of five slots with one-coloured RGB565 textures of 4 x 4 pixels in slots 0, 1 and 3.
func newTextures(t *testing.T) (path string) {
	t.Helper()
	records := map[int][]byte{4: nil}
	for i, slot := range []int{0, 1, 3} {
		set := &ultima9.TextureSet{MaxWidth: 4, MaxHeight: 4, Frames: []ultima9.TextureFrame{{
			Width: 4, Height: 4, Flags: ultima9.RGB565.Flags(), Rows: make([]uint32, 4),
			Levels: [][]byte{bytes.Repeat([]byte{byte(i), 0x10}, 16)},
		}}}
		set.Describe()
		record, err := write.Texture(set)
		if err != nil {
			t.Fatal(err)
		}
		records[slot] = record
	}
	return newFLX(t, records)
}

// newFLX writes an archive called bitmap16.flx, whose slots reach to the last one named.
func newFLX(t *testing.T, records map[int][]byte) (path string) {
	t.Helper()
	a := ultima9.NewArchive(0)
	for slot, record := range records {
		if err := a.Grow(slot + 1); err != nil {
			t.Fatal(err)
		}
		if record == nil {
			continue
		}
		if err := a.Replace(slot, record); err != nil {
			t.Fatal(err)
		}
	}
	path = filepath.Join(t.TempDir(), "bitmap16.flx")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := write.FLX(out, a); err != nil {
		t.Fatal(err)
	}
	return path
}

func unpack(t *testing.T, archive string, u worktree.Unpacking) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "folder")
	err := u.Run(context.Background(), archive, dir, func(r batch.Result) {
		if r.Err != nil {
			t.Errorf("%s: %v", r.Source, r.Err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func pack(t *testing.T, dir string, p worktree.Packing) (*worktree.Packed, string, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if _, err := os.Stat(filepath.Join(dir, worktree.ManifestName)); err != nil { // a new archive is what its extension says
		out += ".flx"
	}
	done, err := p.Run(context.Background(), dir, out, new(schema.Diagnostics))
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), ".usher*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	return done, out, err
}

// paintPNG writes a one-coloured picture of 4 x 4 pixels.
func paintPNG(t *testing.T, path string, c color.NRGBA) {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for i := 0; i < len(img.Pix); i += 4 {
		copy(img.Pix[i:], []byte{c.R, c.G, c.B, c.A})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func actions(done *worktree.Packed) (list []string) {
	for _, c := range done.Changes {
		list = append(list, c.Action+" "+c.Entry)
	}
	return list
}

func TestPackEdits(t *testing.T) {
	red := color.NRGBA{255, 0, 0, 255}
	remove := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	paint := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) { paintPNG(t, filepath.Join(dir, name), red) }
	}
	tests := []struct {
		name    string
		edit    func(t *testing.T, dir string)
		prune   bool
		actions []string
		slots   string // the used slots afterwards
	}{
		{"nothing", func(*testing.T, string) {}, false, nil, "0 1 3"},
		{"touched", func(t *testing.T, dir string) {
			p := filepath.Join(dir, "1.png")
			b := corpus.Bytes(t, p)
			if err := os.WriteFile(p, b, 0o666); err != nil {
				t.Fatal(err)
			}
		}, false, nil, "0 1 3"},
		{"edited", paint("1.png"), false, []string{"replaced 1"}, "0 1 3"},
		{"new in a free slot", paint("2.png"), false, []string{"added 2"}, "0 1 2 3"},
		{"new behind the last", paint("9.png"), false, []string{"added 9"}, "0 1 3 9"},
		{"deleted", remove("3.png"), false, []string{"kept 3"}, "0 1 3"},
		{"deleted and pruned", remove("3.png"), true, []string{"removed 3"}, "0 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			archive := newTextures(t)
			dir := unpack(t, archive, worktree.Unpacking{})
			tt.edit(t, dir)
			done, out, err := pack(t, dir, worktree.Packing{Prune: tt.prune})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.actions, actions(done)); diff != "" {
				t.Error(diff)
			}
			if tt.actions == nil {
				corpus.SameBytes(t, "packed", corpus.Bytes(t, out), corpus.Bytes(t, archive))
			}
			again := openFLX(t, out)
			defer again.Close()
			var slots []string
			for i, e := range again.Entries() {
				slots = append(slots, e.Path)
				payload, err := again.Payload(i)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(strings.Join(tt.actions, " "), "ed "+e.Path) && !bytes.HasSuffix(payload, bytes.Repeat([]byte{0x00, 0xF8}, 16)) {
					t.Errorf("slot %s does not hold red pixels: % x", e.Path, payload)
				}
			}
			if got := strings.Join(slots, " "); got != tt.slots {
				t.Errorf("used slots %s, want %s", got, tt.slots)
			}
		})
	}
}

func openFLX(t *testing.T, path string) *store.Archive {
	t.Helper()
	a, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPackRefuses(t *testing.T) {
	write := func(name, text string) func(*testing.T, string, string) {
		return func(t *testing.T, dir, archive string) {
			p := filepath.Join(dir, name)
			if name == "" {
				p = archive
			}
			if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name string
		edit func(t *testing.T, dir, archive string)
		want string
	}{
		{"another base", write("", "something else"), "has changed"},
		{"no base", func(t *testing.T, _, archive string) { os.Remove(archive) }, "name it with --base"},
		{"broken picture", write("1.png", "no picture"), "1.png"},
		{"a new sound", write("2.wav", "RIFF\x04\x00\x00\x00WAVE"), "2.wav"},
		{"broken manifest", write("usher.json", "{"), "usher.json"},
		{"foreign manifest", write("usher.json", "{}"), "not the manifest"},
		{"a manifest that leads away", func(t *testing.T, dir, _ string) {
			p := filepath.Join(dir, "usher.json")
			b := bytes.Replace(corpus.Bytes(t, p), []byte(`"1.png"`), []byte(`"../../1.png"`), 1)
			if err := os.WriteFile(p, b, 0o666); err != nil {
				t.Fatal(err)
			}
		}, "leaves the folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			archive := newTextures(t)
			dir := unpack(t, archive, worktree.Unpacking{})
			tt.edit(t, dir, archive)
			_, out, err := pack(t, dir, worktree.Packing{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if left, _ := os.ReadDir(filepath.Dir(out)); len(left) > 0 {
				t.Errorf("%v was left", left)
			}
		})
	}
}

func TestPackOverItsBase(t *testing.T) {
	archive := newTextures(t)
	dir := unpack(t, archive, worktree.Unpacking{})
	paintPNG(t, filepath.Join(dir, "0.png"), color.NRGBA{0, 0, 255, 255})
	p := worktree.Packing{}
	if _, err := p.Run(context.Background(), dir, archive, nil); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Fatalf("got %v, want a refusal to overwrite", err)
	}
	p.Force = true
	done, err := p.Run(context.Background(), dir, archive, nil)
	if err != nil || len(done.Changes) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	// The folder belongs to the new archive now: edit by edit it goes on.
	p.Prune = true
	for _, step := range []struct {
		edit func()
		want []string
	}{
		{func() {}, nil},
		{func() { paintPNG(t, filepath.Join(dir, "1.png"), color.NRGBA{0, 255, 0, 255}) }, []string{"replaced 1"}},
		{func() { paintPNG(t, filepath.Join(dir, "2_new.png"), color.NRGBA{0, 255, 0, 255}) }, []string{"added 2"}},
		{func() { paintPNG(t, filepath.Join(dir, "2_new.png"), color.NRGBA{255, 255, 0, 255}) }, []string{"replaced 2"}},
		{func() { os.Remove(filepath.Join(dir, "1.png")) }, []string{"removed 1"}},
		{func() { os.WriteFile(filepath.Join(dir, "1.bin"), palettedFrames(t, 7), 0o666) }, []string{"added 1"}},
		{func() { os.WriteFile(filepath.Join(dir, "1.bin"), palettedFrames(t, 8), 0o666) }, []string{"replaced 1"}},
		{func() {}, nil},
	} {
		step.edit()
		done, err := p.Run(context.Background(), dir, archive, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.want, actions(done)); diff != "" {
			t.Error(diff)
		}
	}
	whole := unpack(t, archive, worktree.Unpacking{})
	if left, _ := filepath.Glob(filepath.Join(whole, "*.png")); len(left) != 4 {
		t.Errorf("the archive holds %v", left)
	}
}

// Frames come and go with their files; what is between others stays.
func TestPackFrames(t *testing.T) {
	frame := func(n int) string { return fmt.Sprintf("0.f%03d.png", n) }
	remove := func(t *testing.T, dir string, n ...int) {
		for _, n := range n {
			if err := os.Remove(filepath.Join(dir, frame(n))); err != nil {
				t.Fatal(err)
			}
		}
	}
	paint := func(t *testing.T, dir, name string, grey byte) {
		paintPNG(t, filepath.Join(dir, name), color.NRGBA{grey, grey, grey, 255})
	}
	for _, tt := range []struct {
		name  string
		edit  func(t *testing.T, dir string)
		prune bool
		want  []byte // first indices of the frames
		fails string
	}{
		{"nothing", func(*testing.T, string) {}, false, []byte{11, 12, 13}, ""},
		{"one more", func(t *testing.T, dir string) { paint(t, dir, frame(3), 77) }, false, []byte{11, 12, 13, 77}, ""},
		{"two more", func(t *testing.T, dir string) { paint(t, dir, frame(3), 77); paint(t, dir, frame(4), 78) }, false, []byte{11, 12, 13, 77, 78}, ""},
		{"a gap", func(t *testing.T, dir string) { paint(t, dir, frame(4), 77) }, false, nil, "without gaps"},
		{"a single picture gets another", func(t *testing.T, dir string) { paint(t, dir, "1.f001.png", 77) }, false, []byte{11, 12, 13}, ""},
		{"one gone", func(t *testing.T, dir string) { remove(t, dir, 2) }, false, []byte{11, 12, 13}, ""},
		{"one pruned", func(t *testing.T, dir string) { remove(t, dir, 2) }, true, []byte{11, 12}, ""},
		{"two pruned, one edited", func(t *testing.T, dir string) { remove(t, dir, 1, 2); paint(t, dir, frame(0), 77) }, true, []byte{77}, ""},
		{"one gone, one edited", func(t *testing.T, dir string) { remove(t, dir, 2); paint(t, dir, frame(0), 77) }, false, nil, "0.f002.png (entry 0): it is gone"},
		{"one between", func(t *testing.T, dir string) { remove(t, dir, 1) }, true, nil, "without gaps"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			archive := newFLX(t, map[int][]byte{0: palettedFrames(t, 11, 12, 13), 1: palettedFrames(t, 50)})
			dir := unpack(t, archive, worktree.Unpacking{})
			tt.edit(t, dir)
			_, out, err := pack(t, dir, worktree.Packing{Prune: tt.prune})
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("got %v, want %q", err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			a := openFLX(t, out)
			defer a.Close()
			payload, err := a.Payload(0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, firstPixels(t, payload)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPackEditedManifest holds that the archive which the whole manifest names is packed, wherever it is named.
func TestPackEditedManifest(t *testing.T) {
	archive, other := newTextures(t), newTextures(t)
	changed := corpus.Bytes(t, other)
	changed[len(changed)-1]++
	if err := os.WriteFile(other, changed, 0o666); err != nil {
		t.Fatal(err)
	}
	head := func(manifest []byte) (archive, rest string) {
		_, s, _ := strings.Cut(string(manifest), `"archive": `)
		archive, s, _ = strings.Cut(s, ",\n \"time\": ")
		_, rest, _ = strings.Cut(s, ",\n \"entries\": ")
		return archive, strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "}"))
	}
	wrong, _ := head(corpus.Bytes(t, filepath.Join(unpack(t, other, worktree.Unpacking{}), worktree.ManifestName)))
	dir := unpack(t, archive, worktree.Unpacking{})
	manifest := filepath.Join(dir, worktree.ManifestName)
	right, entries := head(corpus.Bytes(t, manifest))
	_, stamp, _ := strings.Cut(wrong, ",")
	wrong = fmt.Sprintf(`{"path":%q,%s`, filepath.ToSlash(other), stamp)
	const mark = `{"usher": "unpacked archive", `
	for name, text := range map[string]string{
		"last":  mark + `"entries": ` + entries + `, "archive": ` + right + "}",
		"twice": mark + `"archive": ` + wrong + `, "archive": ` + right + `, "entries": ` + entries + "}",
	} {
		if err := os.WriteFile(manifest, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		done, out, err := pack(t, dir, worktree.Packing{})
		if err != nil || len(done.Changes) > 0 {
			t.Errorf("%s: %v, %v", name, done, err)
			continue
		}
		corpus.SameBytes(t, name, corpus.Bytes(t, out), corpus.Bytes(t, archive))
	}
}

func TestPackNewArchive(t *testing.T) {
	dir := t.TempDir()
	paintPNG(t, filepath.Join(dir, "0.png"), color.NRGBA{255, 0, 0, 255})
	paintPNG(t, filepath.Join(dir, "7.png"), color.NRGBA{0, 255, 0, 255})
	done, out, err := pack(t, dir, worktree.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"added 0", "added 7"}, actions(done)); diff != "" {
		t.Error(diff)
	}
	back := unpack(t, out, worktree.Unpacking{})
	for name, want := range map[string]color.NRGBA{"0.png": {255, 0, 0, 255}, "7.png": {0, 255, 0, 255}} {
		img, err := png.Decode(bytes.NewReader(corpus.Bytes(t, filepath.Join(back, name))))
		if err != nil {
			t.Fatal(err)
		}
		if got := color.NRGBAModel.Convert(img.At(1, 1)); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestUnpackGoesOn(t *testing.T) {
	archive := newTextures(t)
	dir := filepath.Join(t.TempDir(), "folder")
	first := worktree.Unpacking{Selection: batch.Selection{Include: []string{"[01]"}}}
	all := worktree.Unpacking{}
	for _, tt := range []struct {
		u    worktree.Unpacking
		want map[batch.Status]int
	}{
		{first, map[batch.Status]int{batch.Done: 2}},
		{all, map[batch.Status]int{batch.UpToDate: 2, batch.Done: 1}},
		{all, map[batch.Status]int{batch.UpToDate: 3}},
		{worktree.Unpacking{Force: true}, map[batch.Status]int{batch.Done: 3}},
	} {
		got := map[batch.Status]int{}
		if err := tt.u.Run(context.Background(), archive, dir, func(r batch.Result) { got[r.Status]++ }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Error(diff)
		}
	}
	other := filepath.Join(t.TempDir(), "other.flx")
	b := corpus.Bytes(t, archive)
	b[len(b)-1]++
	if err := os.WriteFile(other, b, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := all.Run(context.Background(), other, dir, func(batch.Result) {}); err == nil || !strings.Contains(err.Error(), "holds another archive") {
		t.Errorf("unpacked over another archive's folder: %v", err)
	}
}

// Each run lists the folders around its archive anew, also those of one Unpacking, unless its loader is shared by them.
func TestUnpackingLists(t *testing.T) {
	archive := newTextures(t)
	for _, shared := range []bool{false, true} {
		var u worktree.Unpacking
		if shared {
			u.Loader = u.Loader.Sharing()
		}
		err := u.Run(context.Background(), archive, filepath.Join(t.TempDir(), "folder"), func(batch.Result) {})
		if err != nil || u.Loader.Shares() != shared {
			t.Errorf("shared %t: afterwards %t, %v", shared, u.Loader.Shares(), err)
		}
	}
}

// TestUnpackDamaged: an entry whose bytes are not all there is failed with the reason, and the others are unpacked.
func TestUnpackDamaged(t *testing.T) {
	b := bytes.Clone(corpus.Bytes(t, corpus.Testdata(t, "ultima9", "sappear.flx")))
	size := b[0x80+8*3+4:] // of slot 3
	binary.LittleEndian.PutUint32(size, binary.LittleEndian.Uint32(size)+1<<20)
	path := filepath.Join(t.TempDir(), "sappear.flx")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, raw := range []bool{false, true} {
		u, dir := worktree.Unpacking{Raw: raw}, t.TempDir()
		var got []string
		if err := u.Run(context.Background(), path, dir, func(r batch.Result) { got = append(got, fmt.Sprint(r.Status, " ", r.Err)) }); err != nil {
			t.Fatal(err)
		}
		if len(got) != 3 || !strings.HasPrefix(got[1], "failed slot 3+0x98: directory: bytes 0xc0 to") || got[2] != "done <nil>" {
			t.Errorf("raw %v: %q", raw, got)
		}
	}
}
