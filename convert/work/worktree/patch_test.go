package worktree_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/testdata/corpus"
)

// editFile changes one thing in a file of an unpacked folder: a pixel, a vertex, a sample, a number, a line, a byte. It
// reports whether it could.
func editFile(t *testing.T, path string) bool {
	t.Helper()
	b := corpus.Bytes(t, path)
	var err error
	switch filepath.Ext(path) {
	case ".png":
		b, err = editPNG(b)
	case ".glb":
		b, err = editGLB(b)
	case ".wav":
		b[len(b)-2] ^= 0x10
	case ".json":
		at := regexp.MustCompile(`: [0-9]+\b[^."]`).FindAllIndex(b, -1)
		if len(at) == 0 {
			return false
		}
		place := at[len(at)/2]
		n, _ := strconv.Atoi(string(bytes.Trim(b[place[0]+2:place[1]], ",\r\n }]")))
		b = slices.Concat(b[:place[0]+2], []byte(strconv.Itoa(n^1)), bytes.TrimLeft(b[place[0]+2:], "0123456789"))
	case ".txt", ".md", ".uc":
		b = append([]byte("Edited. "), b...)
	default:
		if len(b) == 0 {
			return false
		}
		b[len(b)/2] ^= 1
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if b == nil {
		return false
	}
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return true
}

func editPNG(b []byte) ([]byte, error) {
	x, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	m := x.Base()
	n := m.Format.Bytes()
	at := len(m.Pix) / n / 2 * n
	switch {
	case m.Format == asset.Indexed8 && len(x.Palette) > 1:
		m.Pix[at] = (m.Pix[at] + 1) % uint8(min(len(x.Palette), 255))
	case m.Format == asset.RGBA8:
		m.Pix[at] ^= 0xF8
		m.Pix[at+1] ^= 0x80
	default:
		m.Pix[at] ^= 0x40
	}
	var out bytes.Buffer
	err = png.Encode(&out, x, png.Options{})
	return out.Bytes(), err
}

func editGLB(b []byte) ([]byte, error) {
	s, err := gltf.Decode(b, nil, new(schema.Diagnostics))
	if err != nil {
		return nil, err
	}
	for _, m := range s.Meshes {
		for _, p := range m.Primitives {
			if len(p.Positions) == 0 {
				continue
			}
			was := p.Positions[0]
			for i, v := range p.Positions { // all corners in that place
				if v == was {
					p.Positions[i][1] += 0.125
				}
			}
			var out bytes.Buffer
			err := gltf.Encode(&out, s, gltf.Options{Diagnostics: new(schema.Diagnostics)})
			return out.Bytes(), err
		}
	}
	return nil, nil
}

func unpacked(t *testing.T, archive, dir string) {
	t.Helper()
	u := worktree.Unpacking{}
	if err := u.Run(context.Background(), archive, dir, func(batch.Result) {}); err != nil {
		t.Fatalf("%s: %v", archive, err)
	}
}

// throughPatch makes the patch between two archives, puts it onto the first and compares with the second.
func throughPatch(t *testing.T, what, a, b string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "patch")
	p := worktree.Patching{}
	done, err := p.Run(context.Background(), a, b, dir, new(schema.Diagnostics))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if !done.Exact {
		t.Errorf("%s: the patch is not exact", what)
	}
	out := filepath.Join(t.TempDir(), filepath.Base(a))
	packing := worktree.Packing{Base: a}
	packed, err := packing.Run(context.Background(), dir, out, new(schema.Diagnostics))
	if err != nil || len(packed.Conflicts) > 0 {
		t.Errorf("%s: %v, %v", what, err, packed)
		return
	}
	corpus.SameBytes(t, what, corpus.Bytes(t, out), corpus.Bytes(t, b))
}

// archives returns the archives, and the files that formats take apart, of testdata.
func archives(t *testing.T) (list []string) {
	for _, family := range []string{"freelancer", "unreal", "ultima9"} {
		found, err := filepath.Glob(corpus.Testdata(t, family, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return onlyArchives(list)
}

func onlyArchives(paths []string) []string {
	return slices.DeleteFunc(paths, func(p string) bool {
		f, _ := interchange.SniffFile(p)
		return f == nil || f.Open == nil
	})
}

// TestPatchOfEdits: each entry of each archive is edited as its user would, and the archive packed. The patch between the
// two, put onto the first, gives the bytes of the second.
func TestPatchOfEdits(t *testing.T) {
	tried := map[string]int{}
	for _, archive := range archives(t) {
		patchEdits(t, archive, 1000, tried)
	}
	for _, ext := range []string{".png", ".glb", ".wav", ".json", ".bin"} {
		if tried[ext] == 0 {
			t.Errorf("no %s was edited", ext)
		}
	}
	t.Log("edits that became patches:", tried)
}

// TestPatchOfCorpusEdits does the same with some entries of each archive of the corpus.
func TestPatchOfCorpusEdits(t *testing.T) {
	for _, family := range []string{"freelancer", "unreal", "ultima9"} {
		t.Run(family, func(t *testing.T) {
			tried := map[string]int{}
			var list []string
			for _, e := range corpus.Manifest(t, family) {
				if !strings.Contains(e.File, "malformed") && (e.Expected == "" || e.Expected == "ok") {
					list = append(list, e.Path)
				}
			}
			for _, archive := range onlyArchives(list) {
				if info, err := os.Stat(archive); err == nil && info.Size() < 1<<20 {
					patchEdits(t, archive, 3, tried)
				}
			}
			t.Log("edits that became patches:", tried)
		})
	}
}

// putAlone puts one edited file of a folder onto the archive without the folder's help. That gives what packing the folder
// gave, or is refused where the file holds only one of an entry's pictures.
func putAlone(t *testing.T, what, archive, file, want string, packed *worktree.Packed) {
	t.Helper()
	entry, files := "", 0
	for _, c := range packed.Changes {
		if i := slices.IndexFunc(c.Files, func(name string) bool { return filepath.Base(name) == filepath.Base(file) }); i >= 0 {
			entry, files = c.Entry, len(c.Files)
		}
	}
	if entry == "" {
		return // the file has changed other entries than its own
	}
	out := filepath.Join(t.TempDir(), filepath.Base(archive))
	packing := worktree.Packing{Base: archive + ":" + entry}
	_, err := packing.Run(context.Background(), file, out, new(schema.Diagnostics))
	if err != nil && files == 1 {
		t.Errorf("%s alone: %v", what, err)
	}
	if err == nil {
		corpus.SameBytes(t, what+" alone", corpus.Bytes(t, out), corpus.Bytes(t, want))
	}
}

// patchEdits edits at most so many entries of an archive, one after the other, and makes patches of that.
func patchEdits(t *testing.T, archive string, most int, tried map[string]int) {
	whole := filepath.Join(t.TempDir(), "folder")
	unpacked(t, archive, whole)
	var files []string
	filepath.WalkDir(whole, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != worktree.ManifestName {
			files = append(files, p)
		}
		return err
	})
	for i, p := range files {
		if i > 0 && i*most/len(files) == (i-1)*most/len(files) && len(files) > most {
			continue // evenly
		}
		rel, _ := filepath.Rel(whole, p)
		what := filepath.Base(archive) + "/" + rel
		was := corpus.Bytes(t, p)
		if !editFile(t, p) {
			continue
		}
		b := filepath.Join(t.TempDir(), filepath.Base(archive))
		packing := worktree.Packing{Base: archive}
		packed, err := packing.Run(context.Background(), whole, b, new(schema.Diagnostics))
		if err == nil && len(packed.Changes) > 0 {
			putAlone(t, what, archive, p, b, packed)
		}
		if err := os.WriteFile(p, was, 0o666); err != nil {
			t.Fatal(err)
		}
		if err != nil || len(packed.Changes) == 0 {
			continue // what cannot be packed, or makes no difference, needs no patch
		}
		tried[filepath.Ext(rel)]++
		throughPatch(t, what, archive, b)
	}
}

// TestPatchOfFiles: a file that is no archive has patches too.
func TestPatchOfFiles(t *testing.T) {
	for _, name := range []string{"ultimate3d/windmill.u3d", "ultimate3d/flag.u3d", "ultimate3d/reed.u3d", "ultimate3d/ball.u3d", "ultima9/cellar.space", "ultima9/small.picture", "ultima9/bell.snd", "ultima9/door.trigger"} {
		a := corpus.Testdata(t, filepath.FromSlash(name))
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "ankh.pal"), corpus.Bytes(t, corpus.Testdata(t, "ultima9", "ankh.pal"))) // the colours of edited pictures
		f, _ := interchange.SniffFile(a)
		edited := filepath.Join(dir, "edited"+engine.ShownAs(f).Extension)
		export(t, a, edited)
		if !editFile(t, edited) {
			t.Fatalf("%s cannot be edited", name)
		}
		b := filepath.Join(dir, filepath.Base(a))
		export(t, edited, b)
		if bytes.Equal(corpus.Bytes(t, a), corpus.Bytes(t, b)) {
			t.Fatalf("%s is as it was", name)
		}
		throughPatch(t, name, a, b)
	}
}

// export converts a file to another.
func export(t *testing.T, from, to string) {
	t.Helper()
	c := batch.Conversion{Out: to}
	if err := c.Run(context.Background(), []string{from}, func(r batch.Result) {
		if r.Err != nil {
			t.Fatalf("%s: %v", from, r.Err)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// TestPatchOfEntries: entries that are new, gone and moved, together with one that is edited.
func TestPatchOfEntries(t *testing.T) {
	for _, c := range []struct {
		archive string
		edit    func(dir string) error
	}{
		{"ultima9/bitmap16.flx", func(dir string) error {
			if err := os.Rename(filepath.Join(dir, "2.png"), filepath.Join(dir, "17.png")); err != nil {
				return err
			}
			return os.Remove(filepath.Join(dir, "5.png"))
		}},
		{"unreal/made69.u", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "More.uc"), []byte("// more\r\n"), 0o666)
		}},
	} {
		archive := corpus.Testdata(t, filepath.FromSlash(c.archive))
		dir := filepath.Join(t.TempDir(), "folder")
		unpacked(t, archive, dir)
		if err := c.edit(dir); err != nil {
			t.Fatal(err)
		}
		b := filepath.Join(t.TempDir(), filepath.Base(archive))
		packing := worktree.Packing{Base: archive, Prune: true}
		if _, err := packing.Run(context.Background(), dir, b, new(schema.Diagnostics)); err != nil {
			t.Errorf("%s: %v", c.archive, err)
			continue
		}
		throughPatch(t, c.archive, archive, b)
	}
}

// TestPatchOntoAnother: onto another version of the original the patch is put entry by entry, where those are the same;
// the others are named. What is done already is no conflict.
func TestPatchOntoAnother(t *testing.T) {
	a := newTextures(t)
	write := func(change func(a *store.Archive)) string {
		x, err := store.OpenArchive(a, nil, new(engine.Loader).Env(a, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		change(x)
		out := filepath.Join(t.TempDir(), "bitmap16.flx")
		if _, err := store.WriteArchive(context.Background(), x, out, false, false); err != nil {
			t.Fatal(err)
		}
		return out
	}
	replace := func(x *store.Archive, i int, at int) {
		p, err := x.Payload(i)
		if err != nil {
			t.Fatal(err)
		}
		p = slices.Clone(p)
		p[len(p)-1-at] ^= 0x55
		if err := x.Replace(i, p); err != nil {
			t.Fatal(err)
		}
	}
	b := write(func(x *store.Archive) { replace(x, 0, 0); replace(x, 1, 0) })
	dir := filepath.Join(t.TempDir(), "patch")
	patching := worktree.Patching{}
	if _, err := patching.Run(context.Background(), a, b, dir, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		theirs    string
		changed   []string
		conflicts []string
	}{
		{"the original", a, []string{"0", "1"}, nil},
		{"another entry differs", write(func(x *store.Archive) { replace(x, 2, 3) }), []string{"0", "1"}, nil},
		{"one of them differs", write(func(x *store.Archive) { replace(x, 0, 5) }), []string{"1"}, []string{"0 it differs from the original"}},
		{"one is gone", write(func(x *store.Archive) { x.Remove(1) }), []string{"0"}, []string{"1 it is not there"}},
		{"one is done", write(func(x *store.Archive) { replace(x, 0, 0) }), []string{"1"}, nil},
		{"both are done", b, nil, nil},
		{"both differ", write(func(x *store.Archive) { replace(x, 0, 5); replace(x, 1, 5) }), nil, []string{"refused"}},
	} {
		out := filepath.Join(t.TempDir(), "out.flx")
		packing := worktree.Packing{Base: c.theirs}
		done, err := packing.Run(context.Background(), dir, out, new(schema.Diagnostics))
		if slices.Equal(c.conflicts, []string{"refused"}) {
			if err == nil || !strings.Contains(err.Error(), "bitmap16.flx of ") {
				t.Errorf("%s: %v", c.name, err)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("%s: something was written", c.name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var changed, conflicts []string
		for _, x := range done.Changes {
			changed = append(changed, x.Entry)
		}
		for _, x := range done.Conflicts {
			conflicts = append(conflicts, x.Entry+" "+x.Reason)
		}
		if !slices.Equal(changed, c.changed) || !slices.Equal(conflicts, c.conflicts) {
			t.Errorf("%s: changed %q, conflicts %q; want %q, %q", c.name, changed, conflicts, c.changed, c.conflicts)
		}
	}
}

// TestPatchHolds: a patch holds the files of what changed, and nothing else; it is the same wherever it is made.
func TestPatchHolds(t *testing.T) {
	a := corpus.Testdata(t, "unreal", "made69.u")
	work := filepath.Join(t.TempDir(), "folder")
	unpacked(t, a, work)
	if !editFile(t, filepath.Join(work, "Walls.Board.png")) {
		t.Fatal("not edited")
	}
	b := filepath.Join(t.TempDir(), "made69.u")
	packing := worktree.Packing{Base: a}
	if _, err := packing.Run(context.Background(), work, b, new(schema.Diagnostics)); err != nil {
		t.Fatal(err)
	}
	var first string
	for range 2 {
		dir := filepath.Join(t.TempDir(), "patch")
		p := worktree.Patching{}
		if _, err := p.Run(context.Background(), a, b, dir, new(schema.Diagnostics)); err != nil {
			t.Fatal(err)
		}
		inside, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range inside {
			names = append(names, e.Name())
		}
		if !slices.Equal(names, []string{"Walls.Board.png", "usher.json"}) {
			t.Errorf("the patch holds %q", names)
		}
		manifest := string(corpus.Bytes(t, filepath.Join(dir, "usher.json")))
		if first == "" {
			first = manifest
		}
		if manifest != first || strings.Contains(manifest, filepath.Dir(a)) {
			t.Errorf("manifest:\n%s", manifest)
		}
		if _, err := p.Run(context.Background(), a, b, dir, new(schema.Diagnostics)); err == nil {
			t.Error("a folder that is not empty is written into")
		}
		out := filepath.Join(t.TempDir(), "out.u")
		if _, err := new(worktree.Packing).Run(context.Background(), dir, out, new(schema.Diagnostics)); err == nil || !strings.Contains(err.Error(), "--base") {
			t.Errorf("a patch without its base: %v", err)
		}
	}
	p := worktree.Patching{}
	if _, err := p.Run(context.Background(), a, a, filepath.Join(t.TempDir(), "x"), new(schema.Diagnostics)); fmt.Sprint(err) != worktree.ErrSame.Error() {
		t.Errorf("no difference: %v", err)
	}
}
