package convert_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// nodeTools are what testdata/editors/edit.mjs can do: none of it changes what a model shows.
var nodeTools = []string{"copy", "weld", "resample", "reorder", "dedup", "prune", "gltfpack", "three", "three+"}

// TestEditors opens and saves every model in programs that run in Node. What comes back is the same file, or a message
// says what was lost; nothing is refused.
func TestEditors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node is not installed")
	}
	scripts := corpus.Testdata(t, "editors")
	if _, err := os.Stat(filepath.Join(scripts, "node_modules")); err != nil {
		t.Skip("the editors are not installed: run npm ci in testdata/editors")
	}
	models := chosen(prepared(append(ownModels(t), corpusModels(t, os.Getenv("USHER_ALL") != "")...)))
	var list []editor.Edit
	var all []*outcome
	source := written(t, models)
	for _, tool := range nodeTools {
		target := t.TempDir()
		out, err := exec.Command(node, filepath.Join(scripts, "edit.mjs"), tool, source, target).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", tool, err, out)
		}
		for _, line := range strings.Split(string(out), "\n") {
			if strings.HasPrefix(line, "FAIL") {
				t.Logf("%s does not save it: %s", tool, line)
			}
		}
		e := editor.Edit{Name: "Node: " + tool, Exact: true, Motion: true, Accept: true}
		list = append(list, e)
		all = append(all, saved(t, models, e, target)...)
	}
	conclude(t, list, models, all)
}

// written puts the GLB of each model into a folder, under its number.
func written(t *testing.T, models []*model) string {
	dir := t.TempDir()
	for i, m := range models {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+".glb"), m.glb, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// saved judges the files of a folder that a program saved without an edit.
func saved(t *testing.T, models []*model, e editor.Edit, dir string) (all []*outcome) {
	for i, m := range models {
		b, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)+".glb"))
		if err != nil {
			continue // the program could not
		}
		base := parse(m.glb)
		samples := base.Samples()
		picture := base.Draw(samples)
		o := &outcome{model: m, edit: e.Name, target: -1}
		o.bring(&e, editor.Done{Subjects: []string{"extras", "Custom Properties", "level", "levels"}}, b, pictures{picture, picture, samples}, false, true)
		all = append(all, o)
	}
	return all
}
