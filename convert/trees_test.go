package convert_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/restore"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
	editor "github.com/usher-assets/usher/testdata/edits"
)

// Whole games lie outside the repository: USHER_TREE names the folder of one, USHER_SAMPLE how many of its models are drawn by
// chance (all without it), and USHER_SEED which.

// ofArchive is how many models of an archive are drawn where a sample is asked for: one package can have hundreds.
const ofArchive = 5

// mostChannels is how many channels the animations of a model may have: the time that Blender takes grows with their square.
const mostChannels = 500

// treeModels draws models from the tree: files, and entries of archives. Their libraries are found in all of it, as --install
// does.
func treeModels(t *testing.T) (list []*model) {
	root := os.Getenv("USHER_TREE")
	if root == "" {
		t.Skip("USHER_TREE names no folder with a game")
	}
	var paths []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := chance(t)
	r.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	most, err := strconv.Atoi(os.Getenv("USHER_SAMPLE"))
	if err != nil {
		most = math.MaxInt
	}
	for _, p := range paths {
		if len(list) >= most {
			break
		}
		if b, err := os.ReadFile(p); err != nil || sniff(p, b) == nil {
			continue
		}
		models := chosen(modelsOf(t, p, nil, false))
		r.Shuffle(len(models), func(i, j int) { models[i], models[j] = models[j], models[i] })
		if most < math.MaxInt {
			models = models[:min(len(models), ofArchive)]
		}
		for _, m := range models {
			if m.archive == nil && len(m.f.Extensions) == 0 || m.prepare() != nil {
				continue
			}
			if n := parse(m.glb).Channels(); n > mostChannels {
				t.Logf("%s %s is left out: Blender takes half an hour for its %d channels of animations", m.path, m.entry, n)
				continue
			}
			list = append(list, m)
		}
	}
	if len(list) == 0 {
		t.Fatal("no models in the tree")
	}
	return list
}

func chance(t *testing.T) *rand.Rand {
	seed, err := strconv.ParseUint(os.Getenv("USHER_SEED"), 10, 64)
	if err != nil {
		seed = 1
	}
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

const resaveTree = `
for f in sorted(glob.glob(source + "/*.glb")):
    name = os.path.basename(f)
    load(f)
    for begin, extras in (("", True), ("bare-", False)):
        bpy.ops.export_scene.gltf(filepath=os.path.join(target, begin + name), export_format="GLB", export_cameras=True, export_lights=True, export_extras=extras)
`

// TestTrees lets Blender open and save models that nobody edits, with and without custom properties: they come back as they
// were and nothing is said, or it is said what does not. One Blender saves many.
func TestTrees(t *testing.T) {
	list, count := treeModels(t), map[string]int{}
	for part := range slices.Chunk(list, 200) {
		source := t.TempDir()
		for i, m := range part {
			if err := os.WriteFile(filepath.Join(source, fmt.Sprintf("%03d.glb", i)), m.glb, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		saved := corpus.InBlender(t, source, resaveTree)
		for i, m := range part {
			for _, bare := range []string{"", "bare-"} {
				b := corpus.Bytes(t, filepath.Join(saved, fmt.Sprintf("%s%03d.glb", bare, i)))
				v, said := m.untouched(b)
				if count[fmt.Sprintf("%s%s %s", bare, m.f.Name, v)]++; v != arrived {
					t.Logf("%s %s%s %s: %q", v, bare, m.path, m.entry, said)
				}
				if v != arrived && v != told && !(v == denied && bare != "") { // what is left without properties may show nothing
					t.Fail()
				}
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%s: %d", k, count[k])
	}
}

// alarmed is the verdict of a model that came back as it was, of which something was said all the same.
const alarmed verdict = "ALARM"

// untouched brings a GLB back that nobody edited, and judges it.
func (m *model) untouched(glb []byte) (verdict, []string) {
	d := new(schema.Diagnostics)
	native, made, err := m.native(glb, false, false, d)
	if err != nil {
		return denied, []string{err.Error()}
	}
	said := m.news(d)
	same := bytes.Equal(native, m.original()) && maps.EqualFunc(made, m.made[false], bytes.Equal)
	switch {
	case same && len(said) > 0 && !d.Has(restore.NoExtras) && !d.Has("blender-colours"): // that one is true: the save mixed them up
		return alarmed, said
	case same:
		return arrived, said
	case len(said) > 0:
		return told, said
	}
	return rebuilt, nil
}

// news are the messages that are not given for the model itself.
func (m *model) news(d *schema.Diagnostics) (said []string) {
	for _, x := range d.All() {
		if x.Severity != schema.Note && !m.usual[x.Code+x.Path+x.Text()] {
			said = append(said, x.String())
		}
	}
	return said
}

// TestTreeEdits makes edits in GLBs that hide levels, hulls and wires, and in GLBs of the same models that show all of it: what
// comes back of both is the same model, at all levels.
func TestTreeEdits(t *testing.T) {
	list, r := treeModels(t), chance(t)
	count := map[verdict]int{}
	for _, m := range list {
		for _, e := range editor.All() {
			if !treeEdits(e.Name) || !asked(e.Name) {
				continue
			}
			v, what := m.bothWays(&e, r)
			if v == "" {
				continue
			}
			if count[v]++; v != arrived {
				t.Logf("%s %s: %s: %s", v, m.path, e.Name, what)
			}
		}
	}
	t.Logf("%d models: %v", len(list), count)
	if count[silent] > 0 {
		t.Fail()
	}
}

// TestTreeMatrix makes every edit of the matrix at one target by chance in each model, in GLBs that show all: it arrives, or
// a message names it.
func TestTreeMatrix(t *testing.T) {
	list, r := treeModels(t), chance(t)
	edits := slices.DeleteFunc(editor.All(), func(e editor.Edit) bool { return !asked(e.Name) })
	for i := range edits {
		if targets := edits[i].Targets; targets != nil {
			edits[i].Targets = func(d *editor.Doc) []int { return drawn(targets(d), r) }
		}
	}
	all, count := gltf.ShowAll, map[verdict]int{}
	for _, m := range list {
		if m.show = &all; m.prepare() != nil {
			continue
		}
		for _, o := range tryAll(m, edits, 1) {
			if count[o.verdict]++; failing(o) {
				t.Errorf("%s %s %s: %s at %d: %v; said %q", o.verdict, m.path, m.entry, o.edit, o.target, o.wrong, o.said)
			}
		}
	}
	t.Logf("%d models, edits made: %v", len(list), count)
}

// drawn returns one of a list by chance, nothing of an empty one.
func drawn(list []int, r *rand.Rand) []int {
	if len(list) == 0 {
		return nil
	}
	return list[r.IntN(len(list)):][:1]
}

// treeEdits reports whether an edit does the same to what is shown and to what is hidden.
func treeEdits(name string) bool {
	for _, begin := range []string{"part moved", "part turned", "part scaled", "part deleted", "part renamed", "part put below", "hardpoint moved", "hardpoint turned", "hardpoint deleted", "hardpoint renamed", "material renamed", "material recoloured", "joint renamed"} {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}

// bothWays makes an edit at one target by chance in both GLBs of a model, and compares what comes back.
func (m *model) bothWays(e *editor.Edit, r *rand.Rand) (verdict, string) {
	all := gltf.ShowAll
	whole := *m
	if whole.show = &all; whole.prepare() != nil {
		return "", ""
	}
	hidden, shown := parse(m.glb), parse(whole.glb)
	target, other := -1, -1
	if e.Targets != nil {
		targets, others := e.Targets(hidden), e.Targets(shown)
		if len(targets) == 0 {
			return "", ""
		}
		target = targets[r.IntN(len(targets))]
		other = slices.IndexFunc(others, func(i int) bool { return shown.Names()[i] == hidden.Names()[target] })
		if other < 0 {
			return "", ""
		}
		other = others[other]
	}
	if _, ok := e.Apply(hidden, target); !ok {
		return "", ""
	}
	if _, ok := e.Apply(shown, other); !ok {
		return "", ""
	}
	d := new(schema.Diagnostics)
	got, gotMade, err := m.native(hidden.Bytes(), false, false, d)
	if err != nil {
		return denied, err.Error()
	}
	want, wantMade, err := whole.native(shown.Bytes(), false, false, new(schema.Diagnostics))
	if err != nil {
		return denied, err.Error()
	}
	if bytes.Equal(got, want) && maps.EqualFunc(gotMade, wantMade, bytes.Equal) {
		return arrived, ""
	}
	a, _, err := whole.shown(want, wantMade, nil)
	if err != nil {
		return silent, "what shows all cannot be shown: " + err.Error()
	}
	b, _, err := whole.shown(got, gotMade, nil)
	if err != nil {
		return silent, "the result cannot be shown: " + err.Error()
	}
	samples := parse(a).Samples()
	wrong := editor.Compare(parse(a).Draw(samples), parse(b).Draw(samples), m.limits(), true)
	said := m.news(d)
	switch {
	case len(wrong) == 0:
		return arrived, ""
	case len(said) > 0:
		return told, fmt.Sprintf("%v %q", wrong, said)
	}
	return silent, fmt.Sprint(wrong)
}
