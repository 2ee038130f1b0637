package worktree_test

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/faults"
)

type object = map[string]any

// editText returns a GLB whose JSON somebody edited.
func editText(t *testing.T, glb []byte, edit func(doc object)) []byte {
	t.Helper()
	size := binary.LittleEndian.Uint32(glb[12:])
	text, rest := glb[20:20+size], glb[20+size:]
	var doc object
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	edit(doc)
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	out := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(20+len(text)+len(rest)))
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), "JSON"...)
	return append(append(out, text...), rest...)
}

// withoutExtras takes away what an editor does that exports without custom properties.
func withoutExtras(v any) {
	switch v := v.(type) {
	case object:
		delete(v, "extras")
		for _, x := range v {
			withoutExtras(x)
		}
	case []any:
		for _, x := range v {
			withoutExtras(x)
		}
	}
}

func eachIn(doc object, list string, f func(i int, x object)) {
	all, _ := doc[list].([]any)
	for i, x := range all {
		f(i, x.(object))
	}
}

// extrasEdits are what somebody does in an editor before the export.
var extrasEdits = []struct {
	name string
	edit func(doc object)
}{
	{"nothing", func(object) {}},
	{"shapes moved", func(doc object) {
		eachIn(doc, "nodes", func(_ int, n object) {
			if at, _ := n["translation"].([]any); n["mesh"] != nil && n["matrix"] == nil {
				if at == nil {
					at = []any{0.0, 0.0, 0.0}
				}
				n["translation"] = []any{at[0].(float64) + 0.5, at[1], at[2]}
			}
		})
	}},
	{"materials renamed", func(doc object) { renameAll(doc, "materials", "paint") }},
	{"nodes renamed", func(doc object) { renameAll(doc, "nodes", "thing") }},
	{"all renamed", func(doc object) {
		for _, list := range []string{"nodes", "meshes", "materials", "animations", "skins", "cameras"} {
			renameAll(doc, list, "thing")
		}
	}},
}

func renameAll(doc object, list, name string) {
	eachIn(doc, list, func(i int, x object) { x["name"] = fmt.Sprint(name, i) })
}

// extrasWays are the ways of a GLB into an archive.
var extrasWays = []struct {
	name string
	// put lays content where it is packed from, in a folder that was unpacked, and returns the operand.
	put func(t *testing.T, dir, file string, content []byte) string
}{
	{"entry", func(t *testing.T, dir, file string, content []byte) string {
		writeFile(t, filepath.Join(dir, file), content)
		return dir
	}},
	{"another entry", func(t *testing.T, dir, file string, content []byte) string {
		other := slices.DeleteFunc(modelsIn(t, dir), func(name string) bool { return name == file })
		if len(other) == 0 {
			return ""
		}
		writeFile(t, filepath.Join(dir, other[0]), content)
		return dir
	}},
	{"new entry", func(t *testing.T, dir, file string, content []byte) string {
		name := strings.TrimSuffix(filepath.Base(file), ".glb") + "2.glb"
		writeFile(t, filepath.Join(dir, filepath.Dir(file), name), content)
		return dir
	}},
	{"folder without a manifest", func(t *testing.T, dir, file string, content []byte) string {
		lone := filepath.Join(t.TempDir(), "lone")
		if err := os.MkdirAll(filepath.Dir(filepath.Join(lone, file)), 0o777); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(lone, file), content)
		return lone
	}},
	{"file", func(t *testing.T, dir, file string, content []byte) string {
		writeFile(t, filepath.Join(dir, file), content)
		return filepath.Join(dir, file)
	}},
}

func modelsIn(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(p) == ".glb" {
			rel, _ := filepath.Rel(dir, p)
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestExtrasGone packs the models of archives as an editor saves them that leaves out custom properties, in every way into
// an archive: what comes of it is what comes of the same file with them, or it is refused, or a warning says that they are
// gone. So it does with other models of the family in their place.
func TestExtrasGone(t *testing.T) {
	faults.Careless(t)
	counts := map[string]int{}
	type model struct {
		archive, file string
		content       []byte
	}
	var models []model
	for _, archive := range archives(t) {
		dir := filepath.Join(t.TempDir(), "folder")
		unpacked(t, archive, dir)
		for _, file := range modelsIn(t, dir) {
			models = append(models, model{archive, file, corpus.Bytes(t, filepath.Join(dir, file))})
		}
	}
	for _, m := range models {
		for _, way := range extrasWays {
			for _, e := range extrasEdits {
				glb := editText(t, m.content, e.edit)
				what := fmt.Sprintf("%s: %s as %s, %s", filepath.Base(m.archive), m.file, way.name, e.name)
				counts[extrasOutcome(t, what, glb, func(glb []byte) packedModel {
					return packModel(t, m.archive, func(dir string) string { return way.put(t, dir, m.file, glb) })
				})]++
			}
		}
		for _, o := range models {
			if filepath.Dir(o.archive) != filepath.Dir(m.archive) || o.file == m.file { // one of that name is taken for another version of it
				continue
			}
			what := fmt.Sprintf("%s: %s of %s in the place of %s", filepath.Base(m.archive), o.file, filepath.Base(o.archive), m.file)
			counts[extrasOutcome(t, what, o.content, func(glb []byte) packedModel {
				return packModel(t, m.archive, func(dir string) string { return extrasWays[0].put(t, dir, m.file, glb) })
			})]++
		}
	}
	t.Log(counts)
	if counts["same"] < 100 || counts["warned"] < 50 {
		t.Errorf("%v", counts)
	}
}

// TestExtrasGoneOfFiles does so with files, with and without the original.
func TestExtrasGoneOfFiles(t *testing.T) {
	faults.Careless(t)
	counts := map[string]int{}
	for _, pattern := range []string{"freelancer/*", "ultimate3d/*", "unreal/*", "ultima9/*"} {
		files, err := filepath.Glob(filepath.Join(corpus.Testdata(t), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			glb := asGLB(t, file)
			if glb == nil {
				continue
			}
			for _, base := range []string{"", file} {
				for _, e := range extrasEdits {
					counts[extrasOutcome(t, fmt.Sprintf("%s, %s, base %q", file, e.name, base), editText(t, glb, e.edit), func(glb []byte) packedModel {
						return convertedModel(t, glb, base, file)
					})]++
				}
			}
		}
	}
	t.Log(counts)
	if counts["same"] < 50 || counts["warned"] < 50 {
		t.Errorf("%v", counts)
	}
}

// asGLB returns a file as a GLB; nil for what is none, or becomes none.
func asGLB(t *testing.T, file string) []byte {
	t.Helper()
	f, _ := interchange.SniffFile(file)
	if f == nil || f.Family == "" || f.Lower == nil || f.Kind != format.Model && f.Kind != format.Animation {
		return nil
	}
	out := filepath.Join(t.TempDir(), "model.glb")
	job := batch.Conversion{Out: out}
	if err := job.Run(context.Background(), []string{file}, func(batch.Result) {}); err != nil {
		return nil
	}
	b, _ := os.ReadFile(out)
	return b
}

// packedModel is what is made of a GLB.
type packedModel struct {
	content string
	d       *schema.Diagnostics // nil where there is no such way
	err     error
}

// packModel packs what put lays out in an unpacked folder.
func packModel(t *testing.T, archive string, put func(dir string) string) packedModel {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "folder")
	unpacked(t, archive, dir)
	operand := put(dir)
	if operand == "" {
		return packedModel{}
	}
	d := new(schema.Diagnostics)
	job, out := worktree.Packing{Base: archive}, filepath.Join(t.TempDir(), filepath.Base(archive))
	_, err := job.Run(context.Background(), operand, out, d)
	return packedModel{contentIn(t, filepath.Dir(out)), d, err}
}

// convertedModel converts a GLB into what its original is.
func convertedModel(t *testing.T, glb []byte, base, original string) packedModel {
	t.Helper()
	from := filepath.Join(t.TempDir(), "edited.glb")
	writeFile(t, from, glb)
	d, dir := new(schema.Diagnostics), t.TempDir()
	job := batch.Conversion{Out: filepath.Join(dir, filepath.Base(original))}
	job.Loader.Options.Base = base
	var failed error
	err := job.Run(context.Background(), []string{from}, func(r batch.Result) {
		failed = r.Err
		for _, x := range r.Diagnostics {
			d.Add(x)
		}
	})
	return packedModel{contentIn(t, dir), d, cmp.Or(failed, err)}
}

// contentIn returns the content of the files in a folder.
func contentIn(t *testing.T, dir string) string {
	t.Helper()
	all := ""
	for _, file := range folderFiles(t, dir) {
		all += filepath.Base(file) + string(corpus.Bytes(t, file))
	}
	return all
}

// extrasOutcome says what is made of a GLB without its extras, beside what is made of it with them.
func extrasOutcome(t *testing.T, what string, glb []byte, make func(glb []byte) packedModel) string {
	t.Helper()
	saved := func(doc object) { doc["asset"].(object)["generator"] = "Khronos glTF Blender I/O v3.4.50" }
	with, without := make(editText(t, glb, saved)), make(editText(t, glb, func(doc object) { saved(doc); withoutExtras(doc) }))
	switch {
	case without.d == nil:
		return "no such way"
	case without.err != nil:
		return "refused"
	case has(without.d, restore.NoExtras), has(without.d, "no-model"), has(without.d, "base-unlike"): // of motions alone; of what may be anybody's
		return "warned"
	case with.err != nil:
		return "refused with them"
	case with.content == without.content:
		return "same"
	}
	t.Errorf("%s: nothing says that the custom properties are gone", what)
	return "silent"
}
