package convert_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/testdata/corpus"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// nodeTools are what testdata/editors/edit.mjs can do: none of it changes what a model shows.
var nodeTools = []string{"copy", "weld", "resample", "reorder", "dedup", "prune", "gltfpack", "three", "three+"}

// TestEditors opens and saves every model in programs that run in Node. What comes back is the same file, or a message
// says what was lost; nothing is refused.
func TestEditors(t *testing.T) {
	t.Parallel()
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
	models := prepared(t, chosen(append(ownModels(t), corpusModels(t, os.Getenv("USHER_ALL") != "")...)))
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
		subjects := append(base.Names(), "extras", "Custom Properties", "level", "levels")
		o.bring(&e, editor.Done{Subjects: subjects}, b, pictures{picture, picture, samples}, false, true)
		all = append(all, o)
	}
	return all
}

// blenderSaves are ways to open and save a model in Blender that change nothing a person would call an edit, blenderEdits
// are edits; testdata/editors/blender.py makes them.
var (
	blenderSaves = []editor.Edit{
		{Name: "save", Exact: true},
		{Name: "save without sampling", Exact: true},
		{Name: "save without Custom Properties", Exact: true},
		{Name: "save without Custom Properties, with the original", Exact: true, Base: true},
	}
	blenderEdits = []editor.Edit{
		{Name: "save the selection", Keeps: true}, {Name: "save with Z up"},
		{Name: "root moved"}, {Name: "root turned"}, {Name: "root scaled"}, {Name: "all below an Empty x2"},
		{Name: "part moved"}, {Name: "part turned"}, {Name: "part scaled"}, {Name: "part mirrored"}, {Name: "part scaled and applied"},
		{Name: "vertex moved"}, {Name: "two parts joined"}, {Name: "half separated"}, {Name: "linked copy"}, {Name: "collection instance"},
		{Name: "levels deleted", Keeps: true}, {Name: "level moved"}, {Name: "part renamed", Keeps: true}, {Name: "material renamed"},
		{Name: "Bezier keys, sampled"}, {Name: "Bezier keys, not sampled"},
	}
)

// blenderModels are those of the sample that Blender edits by default; those of testdata are only opened and saved.
var blenderModels = map[string]bool{"syn_lod_hp.3db": true, "body.mesh": true, "lod_skeleton.u3d": true}

// TestBlender opens and saves models in Blender, without and with edits.
func TestBlender(t *testing.T) {
	t.Parallel()
	program := corpus.Blender(t)
	everything := os.Getenv("USHER_ALL") != ""
	models := append(ownModels(t), corpusModels(t, everything)...)
	models = prepared(t, chosen(slices.DeleteFunc(models, func(m *model) bool { return !everything && !m.own && !blenderModels[m.name] })))
	var levelled []*model // the same with their levels shown
	for _, m := range models {
		if all := gltf.ShowLevels | gltf.ShowHardpoints; everything || blenderModels[m.name] {
			c := *m
			c.show = &all
			levelled = append(levelled, &c)
		}
	}
	levelled = slices.DeleteFunc(prepared(t, levelled), func(m *model) bool { return !strings.Contains(string(m.glb), "lodOf") })
	dir, source, levelSource := t.TempDir(), written(t, models), written(t, levelled)
	type job struct {
		e      editor.Edit
		m      *model
		out    string
		edited bool
	}
	var jobs []job
	var lines [][3]string
	var list []editor.Edit
	for k, e := range slices.Concat(blenderSaves, blenderEdits) {
		edited, script := k >= len(blenderSaves), strings.TrimSuffix(e.Name, ", with the original")
		e.Name, e.Motion, e.Accept, e.Loose, e.Rough = "Blender: "+e.Name, true, !edited && (e.Base || script != "save without Custom Properties"), edited, edited
		wanted := asked(e.Name)
		if !wanted && k > 0 { // what is only saved is needed for edits
			continue
		}
		if wanted {
			list = append(list, e)
		}
		add := func(list []*model, source, kind string) {
			for i, m := range list {
				if edited && !everything && !blenderModels[m.name] {
					continue
				}
				j := job{e, m, filepath.Join(dir, fmt.Sprintf("%s %d %d.glb", kind, k, i)), edited}
				jobs = append(jobs, j)
				lines = append(lines, [3]string{script, filepath.Join(source, strconv.Itoa(i)+".glb"), j.out})
			}
		}
		levels := strings.Contains(script, "level")
		if !levels {
			add(models, source, "usual")
		}
		if levels || k == 0 {
			add(levelled, levelSource, "levels")
		}
	}
	b, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "jobs.json")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--background", "--factory-startup", "--python-exit-code", "1", "--python", corpus.Testdata(t, "editors", "blender.py"), "--", path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("Blender: %v\n%s", err, out)
	}
	for _, line := range strings.Split(string(out), "\n") {
		if strings.HasPrefix(line, "JOB FAIL") {
			t.Error(line)
		}
	}
	var all []*outcome
	unedited := map[*model]*resaved{}
	for _, j := range jobs {
		b, err := os.ReadFile(j.out)
		if err != nil {
			continue // there was nothing to edit
		}
		if unedited[j.m] == nil {
			unedited[j.m] = &resaved{doc: parse(b)}
		}
		if asked(j.e.Name) {
			all = append(all, fromBlender(&j.e, j.m, b, j.edited, unedited[j.m]))
		}
	}
	for _, e := range blenderSaves {
		same, of := 0, 0
		for _, o := range all {
			if o.edit == "Blender: "+e.Name {
				if of++; o.kept {
					same++
				}
			}
		}
		t.Logf("%s: %d of %d models come back as the same bytes", e.Name, same, of)
	}
	conclude(t, list, models, all)
}

// resaved is a model that Blender opened and saved.
type resaved struct {
	doc     *editor.Doc
	samples []editor.Sample // those that were asked for last
	drifts  []editor.Drift  // what it shows otherwise at these
}

// at returns how far Blender's picture of the model is off at samples: it samples animations at frames of its own, and what
// that alone makes of jumps and quick turns is no edit.
func (r *resaved) at(m *model, samples []editor.Sample) []editor.Drift {
	if !slices.Equal(r.samples, samples) {
		r.samples, r.drifts = samples, nil
		base, limits := parse(m.glb), m.limits()
		for _, s := range samples {
			one := []editor.Sample{s}
			r.drifts = append(r.drifts, editor.DriftOf(base.Draw(one), r.doc.Draw(one), limits))
		}
	}
	return r.drifts
}

// fromBlender judges what Blender saved: where it edited, what it shows is what must arrive.
func fromBlender(e *editor.Edit, m *model, b []byte, edited bool, unedited *resaved) *outcome {
	doc, done := parse(m.glb), editor.Done{Subjects: []string{"extras", "Custom Properties"}}
	base := doc
	if edited {
		doc, done.Subjects = parse(b), base.Missing(parse(b))
	}
	switch e.Name {
	case "Blender: part renamed":
		done.Appears = []string{"Renamed"}
	case "Blender: material renamed":
		done.Appears = []string{"Repainted"}
	}
	samples := doc.Samples()
	own := *e
	own.Rough = e.Rough || e.Name == "Blender: save without Custom Properties" // its frames are all that is left of the keys
	if edited {
		own.Drifts = unedited.at(m, samples)
		own.Drift = editor.Compare(base.Draw(nil), unedited.doc.Draw(nil), m.limits().Rough(), false) // the pose that it saves as that at rest
		own.Spare = len(base.Draw(nil).Shown) - len(unedited.doc.Draw(nil).Shown)                     // Blender takes doubles out
	}
	was, wanted := base.Draw(samples), doc.Draw(samples)
	effect := editor.Compare(was, wanted, m.limits(), true)
	o := &outcome{model: m, edit: e.Name, target: -1}
	o.bring(&own, done, b, pictures{was, wanted, samples}, len(effect) > 0 || done.Visible(), !edited || len(effect) == 0)
	return o
}
