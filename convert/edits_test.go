package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// limits are how far a format may be off by rounding.
func (m *model) limits() editor.Limits {
	l := editor.Limits{Position: 1e-4, Motion: 1e-3, Angle: 0.25, UV: 1e-3, Color: 0.01, Picture: 0.08}
	switch m.f.Name {
	case "unreal-mesh", "unreal-mesh-data", "unreal-mesh-aniv": // whole numbers, and texture coordinates of a byte
		l.Quantum, l.UV = parse(m.glb).Unit(false), 1.5/255
	case "unreal-skeletal":
		l.UV = 1.5 / 255
	case "u9-fixed", "u9-nonfixed", "u9-terrain": // whole numbers
		l.Quantum = parse(m.glb).Unit(true)
	}
	return l
}

// normalLimit is how far normals may be off, in degrees: some formats hold them in a few bits.
const normalLimit = 3

// verdict is what became of an edit.
type verdict string

const (
	arrived verdict = "same"    // it arrived
	told    verdict = "named"   // it did not, and a message names it
	denied  verdict = "refused" // an error says why
	silent  verdict = "SILENT"  // it did not, and nothing was said
	vague   verdict = "VAGUE"   // it did not, and what was said names nothing of it, or not all
	rebuilt verdict = "UNASKED" // nothing was edited, yet other bytes came back, and nothing was said
)

// outcome is the verdict of one edit of one model.
type outcome struct {
	model   *model
	edit    string
	target  int
	verdict verdict
	kept    bool // the bytes of the original came back
	wrong   []editor.Difference
	said    []string
}

// before is the picture of a model as it was, at the samples of an edited one; most edits have the same.
type before struct {
	samples []editor.Sample
	picture *editor.Picture
}

func (b *before) draw(m *model, samples []editor.Sample) *editor.Picture {
	if b.picture == nil || !slices.Equal(b.samples, samples) {
		b.samples, b.picture = samples, parse(m.glb).Draw(samples)
	}
	return b.picture
}

// parse takes a GLB apart that the program wrote.
func parse(glb []byte) *editor.Doc {
	d, err := editor.Parse(glb)
	if err != nil {
		panic(err)
	}
	return d
}

// try edits a model at a target and looks at what comes back. It is nil where there is nothing to edit.
func try(m *model, e *editor.Edit, target int, was *before) *outcome {
	doc := parse(m.glb)
	done, ok := e.Apply(doc, target)
	if !ok {
		return nil
	}
	o := &outcome{model: m, edit: e.Name, target: target}
	samples := doc.Samples()
	base := was.draw(m, samples)
	if len(base.Shown) == 0 && len(base.Wires) == 0 { // motions are all that there is
		own := *e
		own.Motion, e = true, &own
	}
	want, l := doc, m.limits()
	if e.Normals {
		l.Normal = normalLimit
	}
	if done.Want != nil {
		want = done.Want
	}
	wanted := want.Draw(samples)
	effect := editor.Compare(base, wanted, l, e.Motion)
	visible := len(effect) > 0 || done.Visible()
	if !visible && !e.Exact && !e.Still {
		return nil
	}
	o.bring(e, done, doc.Bytes(), pictures{base, wanted, samples}, visible, len(effect) == 0)
	return o
}

// pictures are a model as it was and as it should be.
type pictures struct {
	base, wanted *editor.Picture
	samples      []editor.Sample
}

// bring takes an edited GLB back and judges what became of it.
func (o *outcome) bring(e *editor.Edit, done editor.Done, edited []byte, p pictures, visible, unedited bool) {
	m, d, l := o.model, new(schema.Diagnostics), o.model.limits()
	if e.Normals {
		l.Normal = normalLimit
	}
	native, made, err := m.native(edited, e.Away, e.Base, d)
	if err != nil {
		o.verdict, o.said = denied, []string{err.Error()}
		nothing := len(parse(edited).Names()) == 0 // a program that takes out what shows nothing left a file without a node
		if e.Accept && !nothing || strings.HasPrefix(err.Error(), "PANIC") {
			o.verdict = silent
		}
		return
	}
	o.kept = bytes.Equal(native, m.original()) && maps.EqualFunc(made, m.made[e.Away], bytes.Equal)
	if o.kept && (e.Exact || !visible) {
		o.verdict = arrived
		return
	}
	got := p.base
	if !o.kept {
		glb, _, err := m.shown(native, made, nil)
		if err != nil {
			o.verdict, o.said = silent, []string{"the result cannot be shown: " + err.Error()}
			return
		}
		keep(m, e, o.target, map[string][]byte{"-edited.glb": edited, "-result.glb": glb, filepath.Ext(m.path): native})
		got = parse(glb).Draw(p.samples)
	}
	if e.Rough {
		l = l.Rough()
	}
	l.Drifts = e.Drifts
	o.wrong = e.Excused(editor.Compare(p.wanted, got, l, e.Motion))
	if e.Keeps && len(o.wrong) > 0 && len(e.Excused(editor.Compare(p.base, got, l, e.Motion))) == 0 {
		o.wrong = nil
	}
	o.wrong = append(o.wrong, done.Absent(got)...)
	usual := m.usual
	if e.Away {
		usual = m.usually
	}
	var messages []string
	for _, x := range d.All() {
		if x.Severity == schema.Note || usual[x.Code+x.Path+x.Text()] {
			continue
		}
		o.said = append(o.said, x.String())
		if x.Code != "several-scenes" {
			messages = append(messages, x.Path+": "+x.Text())
		}
	}
	o.verdict = o.judge(e, done, messages, unedited)
}

// keep writes what was edited and what came of it to the folder that USHER_KEEP names, to be looked at or given to an engine.
func keep(m *model, e *editor.Edit, target int, files map[string][]byte) {
	dir := os.Getenv("USHER_KEEP")
	if dir == "" {
		return
	}
	stem := fmt.Sprintf("%s-%s-%d", m.name, e.Name, target)
	stem = regexp.MustCompile(`[^-\w]+`).ReplaceAllString(stem, "_")
	for end, b := range files {
		_ = os.WriteFile(filepath.Join(dir, stem+end), b, 0o666)
	}
}

// judge says what became of an edit from what is wrong and what was said: every kind of thing that is wrong must be
// named, by the thing that was edited or one that is not as it should be.
func (o *outcome) judge(e *editor.Edit, done editor.Done, messages []string, unedited bool) verdict {
	explained := func(x editor.Difference) bool {
		return slices.ContainsFunc(messages, func(m string) bool {
			return x.IsTopicOf(m) && (editor.Names(m, x.Names) || editor.Names(m, done.Subjects))
		})
	}
	if o.kept { // where nothing of a shape was taken and that was said, there is nothing more to say of it
		for _, x := range o.wrong {
			if x.IsShape() && explained(x) {
				o.wrong = slices.DeleteFunc(slices.Clone(o.wrong), x.Covers)
			}
		}
	}
	exact := e.Exact && unedited
	switch {
	case len(o.wrong) == 0 && (!exact || o.kept):
		return arrived
	case len(o.wrong) == 0 && explained(editor.Difference{}):
		return told
	case len(o.wrong) == 0:
		return rebuilt
	case e.Strict || len(messages) == 0:
		return silent
	}
	for _, x := range o.wrong {
		if !explained(x) {
			return vague
		}
	}
	return told
}

// tryAll makes all edits of a model, each at some of its targets.
func tryAll(m *model, list []editor.Edit, most int) (all []*outcome) {
	base, was := parse(m.glb), new(before)
	for i := range list {
		e := &list[i]
		targets := []int{-1}
		if e.Targets != nil {
			targets = spread(e.Targets(base), most)
		}
		for _, target := range targets {
			if o := try(m, e, target, was); o != nil {
				all = append(all, o)
			}
		}
	}
	return all
}

// spread returns at most n elements of a list, the first and the last among them.
func spread(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	if n == 1 {
		return list[:1]
	}
	var out []int
	for i := range n {
		out = append(out, list[i*(len(list)-1)/(n-1)])
	}
	return out
}

// ownModels are the models of testdata.
func ownModels(t *testing.T) (list []*model) {
	for _, family := range slices.Sorted(maps.Keys(families)) {
		root := corpus.Testdata(t, family)
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && !strings.Contains(p, "foreign") {
				list = append(list, modelsOf(t, p, nil, true)...)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// sampled are the models of the collection that are tried when nobody asks for all: small ones that together show every
// arrangement of every format, and a ship with many hardpoints.
var sampled = map[string]bool{
	"syn_lod_hp.3db": true, "bm_placeholder_ship.3db": true, "syn_external_ref.3db": true, "syn_matanim.3db": true,
	"syn_joints.cmp": true, "syn_camera.cmp": true, "syn_primitives.cmp": true, "bm_f_large_energy_turret.cmp": true, "bm_ju_hf.cmp": true,
	"syn_arm.dfm": true, "syn_anim.anm": true, "syn_one.sph": true, "syn_library.vms": true,
	"body.mesh": true, "cube.mesh": true, "materials.mesh": true, "indexed.mesh": true, "walk.anim": true,
	"terrain.9": true, "fixed.9": true, "nonfixed.9": true,
	"SoundDropper.u3d": true, "lod_static.u3d": true, "lod_skeleton.u3d": true, "rigid_skeleton.u3d": true, "skinned_4w.u3d": true,
	"skinned_shadow_2w.u3d": true, "frames_shared_multi.u3d": true, "shared_mirrored.u3d": true, "materials_textures.u3d": true,
	"embedded_textures.u3d": true, "quat_hemisphere.u3d": true, "no_uv.u3d": true, "bones_unordered.u3d": true,
	"syn_mesh_v66.u:Thing0": true, "GL3RD.u:GLpickup": true, "XC_Siege_r3.u:XC_NodeSphereDeco@Mesh": true, "C4.u:C4Pickup": true,
	"1HH-TestBox.unr:MyLevel": true, "1HH-TestBox.unr:Model1": true, "1HH-TestBox.t3d": true,
}

// inSample reports whether a file holds a sampled model.
func inSample(name string) bool {
	for s := range sampled {
		if s == name || strings.HasPrefix(s, name+":") {
			return true
		}
	}
	return false
}

// corpusModels are those of the collection, or the sampled ones of them; none where it is absent.
func corpusModels(t *testing.T, everything bool) (list []*model) {
	for _, family := range slices.Sorted(maps.Keys(families)) {
		t.Run("corpus of "+family, func(t *testing.T) {
			for _, s := range families[family](t) {
				if len(s.class) > 0 || !everything && !inSample(filepath.Base(s.path)) {
					continue
				}
				for _, m := range modelsOf(t, s.path, s.from, false) {
					if everything || sampled[m.name] {
						list = append(list, m)
					}
				}
			}
			more, err := filepath.Glob(filepath.Join(corpus.Folder(t, family), "t3d", "*.t3d")) // they have a list of their own
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range more {
				list = append(list, modelsOf(t, p, nil, false)...)
			}
		})
	}
	return list
}

// prepared drops what is no model, and says why.
func prepared(t *testing.T, list []*model) []*model {
	failed := make([]error, len(list))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, m := range list {
		g.Go(func() error {
			failed[i] = m.prepare()
			return nil
		})
	}
	_ = g.Wait()
	var out []*model
	for i, m := range list {
		if failed[i] == nil {
			out = append(out, m)
		} else {
			t.Logf("%s %s is not tried: %v", m.f.Name, m.name, failed[i])
		}
	}
	return out
}

// TestEdits makes every edit of every model: it arrives, a message names it, or it is refused.
func TestEdits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a minute")
	}
	everything := os.Getenv("USHER_ALL") != ""
	makeAll(t, slices.Concat(ownModels(t), corpusModels(t, everything)), editor.All(), everything)
}

// TestEditsWithoutExtras does so as an editor does that keeps no extras, with the original at hand.
func TestEditsWithoutExtras(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	models, everything := ownModels(t), os.Getenv("USHER_ALL") != ""
	if everything {
		models = slices.Concat(models, corpusModels(t, everything))
	}
	makeAll(t, models, editor.WithoutExtras(), everything)
}

// makeAll makes every edit of a list of every model.
func makeAll(t *testing.T, models []*model, list []editor.Edit, everything bool) {
	most := 2 // targets of an edit
	if everything {
		most = 3
	}
	if all := gltf.ShowAll; os.Getenv("USHER_USUAL") == "" { // else GLBs show what they usually do
		for _, m := range models {
			m.show = &all // so that the oracle sees it
		}
	}
	models = prepared(t, chosen(models))
	list = slices.DeleteFunc(list, func(e editor.Edit) bool { return !asked(e.Name) })
	var mu sync.Mutex
	var outcomes []*outcome
	tried := 0
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	slices.SortStableFunc(models, func(a, b *model) int { return len(b.glb) - len(a.glb) })
	for _, m := range models {
		g.Go(func() error {
			start := time.Now()
			o := tryAll(m, list, max(1, min(most, 8<<20/len(m.glb))))
			mu.Lock()
			defer mu.Unlock()
			outcomes, tried = append(outcomes, o...), tried+1
			if everything {
				fmt.Fprintf(os.Stderr, "%d/%d %s %s: %.1f s\n", tried, len(models), m.f.Name, m.name, time.Since(start).Seconds())
			}
			return nil
		})
	}
	_ = g.Wait()
	conclude(t, list, models, outcomes)
}

// asked reports whether USHER_EDIT names an edit: it may hold several, with | between.
func asked(name string) bool {
	return slices.ContainsFunc(strings.Split(os.Getenv("USHER_EDIT"), "|"), func(part string) bool { return strings.Contains(name, part) })
}

// chosen drops the models that USHER_MODEL does not name, where it is set.
func chosen(models []*model) []*model {
	only := os.Getenv("USHER_MODEL")
	return slices.DeleteFunc(models, func(m *model) bool { return !strings.Contains(m.f.Name+" "+m.name, only) })
}

// conclude reports what became of edits and compares it with what is known.
func conclude(t *testing.T, list []editor.Edit, models []*model, all []*outcome) {
	if path := os.Getenv("USHER_REPORT"); path != "" {
		if err := os.WriteFile(path, []byte(report(list, models, all)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	count := map[verdict]int{}
	for _, o := range all {
		count[o.verdict]++
		if os.Getenv("USHER_MODEL") != "" {
			t.Logf("%-8s %s: %s at %d: kept %v, %v; said %q", o.verdict, o.model.name, o.edit, o.target, o.kept, o.wrong, o.said)
		}
	}
	t.Logf("%d models, %d edits made: %v", len(models), len(all), count)
	if testing.Verbose() {
		t.Logf("models with a silent loss / models that an edit applies to\n%s", summary(list, models, all))
	}
	if os.Getenv("USHER_EDIT")+os.Getenv("USHER_MODEL") == "" {
		hold(t, list, models, all)
	}
}
