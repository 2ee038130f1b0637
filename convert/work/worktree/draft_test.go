package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// copied returns a copy of a file of testdata in a folder of its own.
func copied(t *testing.T, family, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, corpus.Bytes(t, corpus.Testdata(t, family, name)), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func openDraft(t *testing.T, path string) *worktree.Draft {
	t.Helper()
	d, err := worktree.OpenDraft(t.Context(), engine.Loader{}, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// edited returns an entry, or with an empty path a whole file, as the file that people edit, with one thing changed.
func edited(t *testing.T, path, entry string) (name string, content []byte) {
	t.Helper()
	operand := path
	if entry != "" {
		operand += ":" + entry
	}
	out := converted(t, operand)
	if filepath.Ext(out) == ".csv" {
		b := corpus.Bytes(t, out)
		return filepath.Base(out), bytes.Replace(b, []byte("0"), []byte("1"), 1)
	}
	if !editFile(t, out) {
		t.Fatalf("%s cannot be edited", out)
	}
	return filepath.Base(out), corpus.Bytes(t, out)
}

// converted returns the file that "convert" makes of an operand, in a folder of its own.
func converted(t *testing.T, operand string) (out string) {
	t.Helper()
	job := batch.Conversion{Out: t.TempDir() + string(filepath.Separator)}
	if err := job.Run(t.Context(), []string{operand}, func(r batch.Result) {
		if r.Err == nil && len(r.Outputs) > 0 {
			out = r.Outputs[0].Path
		}
	}); err != nil || out == "" {
		t.Fatalf("%s: %q, %v", operand, out, err)
	}
	return out
}

// asItIs returns an entry as the file that people edit, unedited.
func asItIs(t *testing.T, operand string) []byte {
	t.Helper()
	return corpus.Bytes(t, converted(t, operand))
}

// differing returns what differs between two files, as "diff" has it.
func differing(t *testing.T, a, b string) (list []string) {
	t.Helper()
	job := compare.Comparison{}
	if err := job.Run(context.Background(), a, b, func(e compare.Entry) {
		if e.Status != compare.Same && !e.Whole {
			list = append(list, fmt.Sprint(e.Status, " ", e.Path))
		}
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// draftJobs are one thing to do for each family and each verb.
var draftJobs = []struct {
	family, file, verb, entry, other string
	want                             string // what differs then
}{
	{"unreal", "pictures.utx", "put", "Walls.Board", "", "changed Walls.Board"},
	{"freelancer", "tiles.txm", "put", "Texture library/red.tga/MIP0", "", "changed Texture library/red.tga/MIP0; changed Texture library/red.tga/MIP1; changed Texture library/red.tga/MIP2"},
	{"ultima9", "bitmap16.flx", "put", "2", "", "changed 2"},
	{"ultima9", "text.dat", "put", "", "", ""},
	{"ultimate3d", "ball.u3d", "put", "", "", "changed ball.u3d"},
	{"freelancer", "ship.cmp", "put", "", "", ""},
	{"unreal", "sounds.uax", "put", "?sound", "", ""},
	{"ultima9", "lanterns.book", "put", "", "", "changed lanterns.book"},
	{"ultima9", "sdInfo16.flx", "put", "2", "", "changed 2"},
	{"unreal", "pictures.utx", "rename", "Walls.Holes", "Walls.Gaps", "renamed Walls.Gaps"},
	{"unreal", "pictures.utx", "remove", "Walls.Holes", "", "removed Walls.Holes"},
	{"ultima9", "bitmap16.flx", "remove", "3", "", "removed 3"},
	{"ultima9", "bitmap16.flx", "add", "14", "2", "added 14"},
	{"ultima9", "bitmap16.flx", "rename", "3", "12", "renamed 12"},
	{"unreal", "pictures.utx", "add", "Walls.Door", "Walls.Board", "added Walls.Palette3; added Walls.Door"},
}

// TestDraft: every verb on every family changes exactly what it is about; undone, redone, opened again after the program
// was killed and saved, the original is as it was, and the saved file is what was shown.
func TestDraft(t *testing.T) {
	for _, job := range draftJobs {
		t.Run(job.file+" "+job.verb+" "+job.entry, func(t *testing.T) {
			path := copied(t, job.family, job.file)
			before := corpus.Bytes(t, path)
			d := openDraft(t, path)
			entry := job.entry
			if entry == "?sound" {
				entry = firstOf(t, path, "sound")
			}
			if err := doJob(t, d, path, job.verb, entry, job.other); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(differing(t, path, d.Now()), "; ")
			if got == "" || job.want != "" && got != job.want {
				t.Errorf("%q differs, want %q", got, job.want)
			}
			now := corpus.Bytes(t, d.Now())
			if err := d.Undo(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, "undone", corpus.Bytes(t, d.Now()), before)
			if err := d.Redo(t.Context()); err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, "redone", corpus.Bytes(t, d.Now()), now)
			d.Close()
			again := openDraft(t, path)
			corpus.SameBytes(t, "opened again", corpus.Bytes(t, again.Now()), now)
			out := filepath.Join(filepath.Dir(path), "new"+filepath.Ext(path))
			if _, err := again.Save(t.Context(), out, false, new(schema.Diagnostics)); err != nil {
				t.Fatal(err)
			}
			corpus.SameBytes(t, "saved", corpus.Bytes(t, out), now)
			corpus.SameBytes(t, "the original", corpus.Bytes(t, path), before)
			if s := again.State(); !s.Saved || len(s.Steps) != 1 {
				t.Errorf("saved %v, %d steps", s.Saved, len(s.Steps))
			}
			patch := filepath.Join(t.TempDir(), "patch")
			if err := again.SavePatch(patch); err != nil {
				t.Fatal(err)
			}
			packing := worktree.Packing{Base: path}
			patched := filepath.Join(t.TempDir(), filepath.Base(path))
			if done, err := packing.Run(t.Context(), patch, patched, new(schema.Diagnostics)); err != nil || len(done.Conflicts) > 0 {
				t.Fatalf("%v %v", done, err)
			}
			corpus.SameBytes(t, "patched", corpus.Bytes(t, patched), now)
		})
	}
}

func firstOf(t *testing.T, path, kind string) string {
	t.Helper()
	a, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, e := range a.Entries() {
		if e.Kind.String() == kind {
			return e.Path
		}
	}
	t.Fatalf("%s has no %s", path, kind)
	return ""
}

func doJob(t *testing.T, d *worktree.Draft, path, verb, entry, other string) (err error) {
	t.Helper()
	switch verb {
	case "put":
		name, content := edited(t, path, entry)
		_, err = d.Put(t.Context(), entry, name, bytes.NewReader(content))
	case "add":
		name, content := edited(t, path, other)
		_, err = d.Add(t.Context(), entry, name, bytes.NewReader(content))
	case "rename":
		_, err = d.Rename(t.Context(), entry, other)
	case "remove":
		_, err = d.Remove(t.Context(), entry)
	}
	return err
}

// TestDraftHeld: a second run is told who has the draft, and changes nothing.
func TestDraftHeld(t *testing.T) {
	path := copied(t, "unreal", "pictures.utx")
	openDraft(t, path)
	if _, err := worktree.OpenDraft(t.Context(), engine.Loader{}, path); !errors.Is(err, disk.ErrInUse) {
		t.Errorf("%v", err)
	}
}

// TestDraftSteps: steps about one entry, one after the other, and an earlier one taken back.
func TestDraftSteps(t *testing.T) {
	path := copied(t, "unreal", "pictures.utx")
	d := openDraft(t, path)
	ctx := t.Context()
	name, content := edited(t, path, "Walls.Board")
	put := func(entry string) *worktree.Step {
		t.Helper()
		s, err := d.Put(ctx, entry, name, bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	is := func(want string) {
		t.Helper()
		if got := strings.Join(differing(t, path, d.Now()), "; "); got != want {
			t.Errorf("%q differs, want %q", got, want)
		}
	}
	first := put("Walls.Board")
	if _, err := d.Rename(ctx, "Walls.Board", "Walls.Plank"); err != nil {
		t.Fatal(err)
	}
	is("removed Walls.Board; added Walls.Plank")
	put("Walls.Plank") // the same again, in the place of the first
	is("removed Walls.Board; added Walls.Plank")
	if _, err := d.Add(ctx, "Walls.Door", name, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Rename(ctx, "Walls.Door", "Walls.Gate"); err != nil {
		t.Fatal(err)
	}
	is("removed Walls.Board; added Walls.Plank; added Walls.Palette3; added Walls.Gate")
	if s := d.State(); len(s.Steps) != 3 || s.Undo.Verb != "rename" || s.Redo != nil || s.Saved {
		t.Errorf("%d steps, %+v", len(s.Steps), s)
	}
	if err := d.Undo(ctx, first.Number); err == nil {
		t.Error("a step of which nothing is left is taken back")
	}
	if err := d.Undo(ctx, 2); err != nil { // the name
		t.Fatal(err)
	}
	is("changed Walls.Board; added Walls.Palette3; added Walls.Gate")
	if _, err := d.Remove(ctx, "Walls.Gate"); err != nil {
		t.Fatal(err)
	}
	is("changed Walls.Board")
	if _, err := d.Remove(ctx, "Walls.Board"); err != nil {
		t.Fatal(err)
	}
	is("removed Walls.Board")
	for range 8 {
		if err := d.Undo(ctx, 0); err != nil {
			t.Fatal(err)
		}
	}
	is("")
	if _, err := d.Put(ctx, "Walls.Board", "a.png", strings.NewReader("no picture")); err == nil {
		t.Error("what is no picture is taken")
	}
	if _, err := d.Put(ctx, "Walls.Board", "a.png", bytes.NewReader(asItIs(t, path+":Walls.Board"))); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("what is there already: %v", err)
	}
	is("")
}

// TestDraftHardpoints: an edited hardpoint loses nothing of the hulls beside the model; what cannot be read is told by its line
// and column, without a file or a flag that nobody has named.
func TestDraftHardpoints(t *testing.T) {
	path := copied(t, "show", "heron.cmp")
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "heron.sur"), corpus.Bytes(t, corpus.Testdata(t, "show", "heron.sur")), 0o666); err != nil {
		t.Fatal(err)
	}
	d := openDraft(t, path)
	for _, c := range []struct{ row, want string }{
		{"Root,HpEngine01,fix,1.25,0.2,7.5", "[]"},
		{"Root,HpEngine01,fix,1e99,0.2,7.5", `line 2: x: "1e99" is no number from -3.4028234663852886e+38 to 3.4028234663852886e+38`},
		{"Root,HpEngine01,fix,wide,0.2,7.5", `line 2: x: "wide" is no number`},
	} {
		s, err := d.Edit(t.Context(), "", "heron.csv", "a row", strings.NewReader("part,name,kind,x,y,z\n"+c.row+"\n"))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			losses := slices.DeleteFunc(slices.Clone(s.Told), func(told string) bool { return !strings.HasPrefix(told, "loss") })
			if got = fmt.Sprint(losses); s.What != "a row" {
				t.Errorf("%s: what was edited is %q", c.row, s.What)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.row, got, c.want)
		}
	}
}

// TestDraftForeign: what another program does to the original is said, and nothing is written over it.
func TestDraftForeign(t *testing.T) {
	path := copied(t, "unreal", "pictures.utx")
	d := openDraft(t, path)
	ctx := t.Context()
	for _, entry := range []string{"Walls.Board", "Walls.Holes"} {
		name, content := edited(t, path, entry)
		if _, err := d.Put(ctx, entry, name, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
	}
	other := openDraftOther(t, path) // another program changes one of them in another way
	if err := os.WriteFile(path, other, 0o666); err != nil {
		t.Fatal(err)
	}
	save := func() error {
		_, err := d.Save(ctx, path, true, new(schema.Diagnostics))
		return err
	}
	if _, err := d.Remove(ctx, "Walls.Holes"); !errors.Is(err, worktree.ErrForeign) {
		t.Errorf("a further change: %v", err)
	}
	if err := save(); !errors.Is(err, worktree.ErrForeign) || !d.State().Foreign {
		t.Errorf("saved: %v", err)
	}
	patch := filepath.Join(t.TempDir(), "patch")
	if err := d.SavePatch(patch); !errors.Is(err, worktree.ErrForeign) {
		t.Errorf("the patch of a file that another program changed: %v", err)
	}
	corpus.SameBytes(t, "the other program's", corpus.Bytes(t, path), other)
	if err := d.Rebase(ctx); err != nil {
		t.Fatal(err)
	}
	s := d.State()
	if len(s.Conflicts) != 1 || s.Conflicts[0].Entry != "Walls.Board" || s.Foreign {
		t.Fatalf("%+v", s.Conflicts)
	}
	if err := save(); err == nil || !strings.Contains(err.Error(), "take that change back first") {
		t.Errorf("saved with a conflict: %v", err)
	}
	if err := d.SavePatch(patch); err == nil || !strings.Contains(err.Error(), "take that change back first") {
		t.Errorf("a patch with a conflict: %v", err)
	}
	if _, err := os.Stat(patch); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is no patch was written: %v", err)
	}
	if err := d.Undo(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if err := save(); err != nil {
		t.Fatal(err)
	}
	undoing := worktree.Undoing{}
	if _, err := undoing.Run(ctx, path); err != nil {
		t.Fatal(err)
	}
	corpus.SameBytes(t, "undone", corpus.Bytes(t, path), other)
}

// openDraftOther returns the file with another picture in Walls.Board.
func openDraftOther(t *testing.T, path string) []byte {
	t.Helper()
	own := copied(t, "unreal", "pictures.utx")
	d := openDraft(t, own)
	if err := d.Undo(t.Context(), 0); err == nil {
		t.Error("nothing is taken back")
	}
	name, content := edited(t, path, "Walls.Holes")
	if _, err := d.Put(t.Context(), "Walls.Board", name, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	return corpus.Bytes(t, d.Now())
}

// TestDraftHostile: a journal that came from elsewhere leads to no file outside of its folder.
func TestDraftHostile(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.bin")
	if err := os.WriteFile(secret, []byte("nobody may read this"), 0o666); err != nil {
		t.Fatal(err)
	}
	step := func(file string) string {
		return fmt.Sprintf(`{"usher":"unsaved changes","archive":{"path":"pictures.utx","format":"unreal-package"},"at":1,"next":2,"steps":[{"number":1,"verb":"add","entry":"A.B","in":[{"path":"A.B","kind":"raw","size":1,"action":"add","files":[{"name":%q}],"step":1}]}]}`, file)
	}
	for _, text := range []string{
		"", "null", "{}", `{"usher":"unsaved changes","at":5}`, `{"usher":"unsaved changes","at":-1}`, step("../../../secret.bin"), step(secret), step("link.bin"), step(""),
		`{"usher":"unsaved changes","at":1,"steps":[{"in":[{"path":"x","action":"change"}]}]}`, `{"usher":"unsaved changes","at":1,"steps":[{"in":[{"path":"x","action":"melt"}]}]}`,
	} {
		path := copied(t, "unreal", "pictures.utx")
		dir := filepath.Join(filepath.Dir(path), disk.DraftName, "pictures.utx")
		if err := os.MkdirAll(filepath.Join(dir, "patch"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "steps.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_ = os.Symlink(secret, filepath.Join(dir, "patch", "link.bin"))
		d, err := worktree.OpenDraft(t.Context(), engine.Loader{}, path)
		if err == nil {
			b := corpus.Bytes(t, d.Now())
			d.Close()
			if bytes.Contains(b, []byte("nobody may")) {
				t.Errorf("%s: the secret is in the archive", text)
			}
			t.Errorf("%s: opened", text)
		}
	}
}

// TestDraftEvery: every entry of every archive of testdata, edited, removed and renamed: each step shows in exactly what it is
// about, or is refused in words; saved, it is what was shown; taken back, the original is there again.
func TestDraftEvery(t *testing.T) {
	count := map[string]int{}
	for _, from := range archives(t) {
		path := filepath.Join(t.TempDir(), filepath.Base(from))
		before := corpus.Bytes(t, from)
		if err := os.WriteFile(path, before, 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := store.OpenArchive(path, nil, new(engine.Loader).Env(path, nil))
		if err != nil {
			t.Fatal(err)
		}
		list := append([]format.Entry(nil), a.Entries()...)
		a.Close()
		d := openDraft(t, path)
		for _, e := range list {
			for verb, do := range map[string]func() error{
				"edit": func() error {
					_, err := d.Put(t.Context(), e.Path, e.Path+".bin", bytes.NewReader([]byte("other bytes")))
					if file, content, ok := asEdited(t, path+":"+e.Path); ok {
						if err == nil {
							err = d.Undo(t.Context(), 0)
						}
						if err == nil {
							_, err = d.Put(t.Context(), e.Path, file, bytes.NewReader(content))
						}
					}
					return err
				},
				"remove": func() error { _, err := d.Remove(t.Context(), e.Path); return err },
				"rename": func() error { _, err := d.Rename(t.Context(), e.Path, e.Path+"2"); return err },
			} {
				what := filepath.Base(path) + " " + verb + " " + e.Path
				if err := do(); err != nil {
					count[verb+" refused"]++
					if len(err.Error()) < 12 {
						t.Errorf("%s: refused without a word: %v", what, err)
					}
				} else {
					count[verb+" done"]++
					got := strings.Join(differing(t, path, d.Now()), "; ")
					if name, _ := strings.CutSuffix(e.Path, "/"); !strings.Contains(got, name) {
						t.Errorf("%s: %q differs", what, got)
					}
					out := filepath.Join(t.TempDir(), "new"+filepath.Ext(path))
					if _, err := d.Save(t.Context(), out, false, new(schema.Diagnostics)); err != nil {
						t.Errorf("%s: not saved: %v", what, err)
					} else if !bytes.Equal(corpus.Bytes(t, out), corpus.Bytes(t, d.Now())) {
						t.Errorf("%s: what is saved is not what was shown", what)
					}
				}
				if err := d.Clear(t.Context()); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(corpus.Bytes(t, d.Now()), before) || !bytes.Equal(corpus.Bytes(t, path), before) {
					t.Errorf("%s: the original is not there again", what)
				}
			}
		}
		d.Close()
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), disk.DraftName)); err == nil {
			t.Errorf("%s: something is left of the draft", path)
		}
	}
	t.Log(count)
}

// asEdited returns an entry as the file that people edit, with one thing changed, where there is one.
func asEdited(t *testing.T, operand string) (name string, content []byte, ok bool) {
	t.Helper()
	job := batch.Conversion{Out: t.TempDir() + string(filepath.Separator)}
	out := ""
	if err := job.Run(t.Context(), []string{operand}, func(r batch.Result) {
		if r.Err == nil && len(r.Outputs) > 0 {
			out = r.Outputs[0].Path
		}
	}); err != nil || out == "" || filepath.Ext(out) == ".csv" || !editFile(t, out) {
		return "", nil, false
	}
	return filepath.Base(out), corpus.Bytes(t, out), true
}

// TestDraftFaults: whichever call to the system fails while something is changed, the original is as it was, and the draft,
// opened again, has the change or has it not.
func TestDraftFaults(t *testing.T) {
	path := copied(t, "unreal", "pictures.utx")
	before := corpus.Bytes(t, path)
	name, content := edited(t, path, "Walls.Board")
	d := openDraft(t, path)
	if _, err := d.Put(t.Context(), "Walls.Board", name, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	after := corpus.Bytes(t, d.Now())
	if err := d.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.Close()
	t.Cleanup(func() { disk.Fault = nil })
	failed, n := 0, 1
	for ; ; n++ {
		d := openDraft(t, path)
		calls := 0
		disk.Fault = func(step, at string) error {
			if calls++; calls == n {
				return fmt.Errorf("no space left on device (%s)", step)
			}
			return nil
		}
		_, err := d.Put(t.Context(), "Walls.Board", name, bytes.NewReader(content))
		disk.Fault = nil
		d.Close()
		if calls < n {
			break
		}
		if err != nil {
			failed++
		}
		corpus.SameBytes(t, "the original", corpus.Bytes(t, path), before)
		again := openDraft(t, path)
		if now := corpus.Bytes(t, again.Now()); !bytes.Equal(now, before) && !bytes.Equal(now, after) {
			t.Errorf("call %d: it is neither as before nor as after", n)
		}
		if err == nil && !bytes.Equal(corpus.Bytes(t, again.Now()), after) {
			t.Errorf("call %d: the change was taken, and is not there", n)
		}
		if err := again.Clear(t.Context()); err != nil {
			t.Fatalf("call %d: %v", n, err)
		}
		again.Close()
	}
	t.Logf("%d calls, %d of which end the change", n-1, failed)
	if failed < 10 {
		t.Errorf("only %d calls fail", failed)
	}
}

// TestDraftDamaged: what was kept of changes and can no longer be read is refused in words, never passed over: neither the
// original nor what is kept changes.
func TestDraftDamaged(t *testing.T) {
	picture := func(dir string) string {
		list, _ := filepath.Glob(filepath.Join(dir, "patch", "*", "*.png"))
		return strings.Join(list, "")
	}
	for name, c := range map[string]struct {
		damage func(dir string) error
		want   string
	}{
		"the steps are a folder": {func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "steps.json")), os.Mkdir(filepath.Join(dir, "steps.json"), 0o777))
		}, "steps.json"},
		"a file is gone": {func(dir string) error { return os.Remove(picture(dir)) }, ".png"},
		"a file is no picture": {func(dir string) error {
			return os.WriteFile(picture(dir), []byte("x"), 0o666)
		}, "Walls.Board"},
		"the original is gone":   {func(dir string) error { return os.Remove(filepath.Join(dir, "..", "..", "pictures.utx")) }, "pictures.utx"},
		"the original is broken": {func(dir string) error { return os.Truncate(filepath.Join(dir, "..", "..", "pictures.utx"), 100) }, "pictures.utx"},
	} {
		t.Run(name, func(t *testing.T) {
			path := copied(t, "unreal", "pictures.utx")
			_, content := edited(t, path, "Walls.Board")
			d := openDraft(t, path)
			if _, err := d.Put(t.Context(), "Walls.Board", "Walls.Board.png", bytes.NewReader(content)); err != nil {
				t.Fatal(err)
			}
			d.Close()
			dir := filepath.Join(filepath.Dir(path), disk.DraftName, "pictures.utx")
			if err := c.damage(dir); err != nil {
				t.Fatal(err)
			}
			before := tree(t, filepath.Dir(path))
			d, err := worktree.OpenDraft(t.Context(), engine.Loader{}, path)
			if err == nil {
				d.Close()
				t.Fatal("it was opened")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v: %s is not named", err, c.want)
			}
			if after := tree(t, filepath.Dir(path)); !maps.Equal(before, after) {
				t.Errorf("%v has become %v", before, after)
			}
		})
	}
	t.Run("no room for what comes out", func(t *testing.T) {
		path := copied(t, "unreal", "pictures.utx")
		name, content := edited(t, path, "Walls.Board")
		d := openDraft(t, path)
		defer d.Close()
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), disk.DraftName, "pictures.utx", "now"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Put(t.Context(), "Walls.Board", name, bytes.NewReader(content)); err == nil || d.Now() != path || len(d.State().Steps) > 0 {
			t.Errorf("%v; %s, %d steps", err, d.Now(), len(d.State().Steps))
		}
	})
}

// TestDraftSavedInPart: a patch of a draft whose files are not all there is not made at all.
func TestDraftSavedInPart(t *testing.T) {
	for name, lost := range map[string]bool{"whole": false, "a file is gone": true} {
		path := copied(t, "unreal", "pictures.utx")
		file, content := edited(t, path, "Walls.Board")
		d := openDraft(t, path)
		if _, err := d.Put(t.Context(), "Walls.Board", file, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		list, err := filepath.Glob(filepath.Join(filepath.Dir(path), disk.DraftName, "pictures.utx", "patch", "*", "*.png"))
		if err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		if lost {
			if err := os.Remove(list[0]); err != nil {
				t.Fatal(err)
			}
		}
		patch := filepath.Join(t.TempDir(), "patch")
		err = d.SavePatch(patch)
		if _, bad := os.Stat(filepath.Join(patch, worktree.ManifestName)); (err != nil) != lost || (bad != nil) != lost {
			t.Errorf("%s: %v, and the manifest %v", name, err, bad)
		}
	}
}

// TestUnpackNothing: what is no archive, or not there, is refused by its name, and no folder is made.
func TestUnpackNothing(t *testing.T) {
	dir := t.TempDir()
	picture := copied(t, "unreal", "pyramid.t3d")
	for _, path := range []string{picture, filepath.Join(dir, "gone.utx")} {
		into := filepath.Join(dir, "folder")
		err := run(new(worktree.Unpacking), path, into)
		if _, made := os.Stat(into); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) || made == nil {
			t.Errorf("%s: %v, the folder %v", path, err, made)
		}
	}
}

// tree returns the files below a folder, with their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !disk.IsLock(d.Name()) {
			all[p] = string(corpus.Bytes(t, p))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
