package convert_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/convert/work/compare"
	"github.com/usher-assets/usher/convert/work/worktree"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/testdata/corpus"
)

// sample is one file that a format must handle.
type sample struct {
	name  string
	path  string
	from  *format.Format // for bare records that nothing in their content tells; nil sniffs
	class []error        // the classes with which it may be refused; empty when it is valid
}

// families lists, for each family, where its samples are. A new format joins by its entry in formats.All; a new
// family by one line here.
var families = map[string]func(t *testing.T) []sample{
	"ultima9":    ultima9Samples,
	"unreal":     unrealSamples,
	"ultimate3d": ultimate3dSamples,
	"freelancer": freelancerSamples,
}

// freelancerSamples are all files of the corpus but the list of names, which is no UTF tree; all are valid.
func freelancerSamples(t *testing.T) []sample {
	var list []sample
	for _, e := range corpus.Manifest(t, "freelancer") {
		if e.File != "syn_voice_names.txt" {
			list = append(list, sample{name: e.File, path: e.Path})
		}
	}
	for _, e := range corpus.Manifest(t, "freelancer/sur") {
		list = append(list, sample{name: "sur/" + e.File, path: e.Path})
	}
	return list
}

// ultimate3dClasses are the words of the corpus for errors.
var ultimate3dClasses = map[string][]error{
	"truncated":           {schema.ErrTruncated, schema.ErrCount},
	"not-u3d":             {schema.ErrBadMagic, schema.ErrTruncated},
	"wrong-format":        {schema.ErrUnsupported},
	"unsupported-version": {schema.ErrUnsupported},
	"encrypted":           {schema.ErrUnsupported},
	"bad-chunk":           {schema.ErrBadMagic},
	"inconsistent":        {schema.ErrMismatch, schema.ErrCycle},
	"index-range":         {schema.ErrRange},
}

func ultimate3dSamples(t *testing.T) []sample {
	var list []sample
	for _, e := range corpus.Manifest(t, "ultimate3d") {
		s := sample{name: e.File, path: e.Path}
		if word, bad := strings.CutPrefix(e.Expected, "error:"); bad {
			s.class = ultimate3dClasses[word]
			if s.class == nil {
				t.Fatalf("%s: unknown class %q", e.File, word)
			}
		}
		list = append(list, s)
	}
	return append(list, writtenByEngine(t)...)
}

// writtenByEngine are models that Ultimate 3D itself has read and written again.
func writtenByEngine(t *testing.T) (list []sample) {
	dir := filepath.Join(corpus.Folder(t, "ultimate3d"), "..", "..", "tools", "engine", "u3d", "written")
	paths, err := filepath.Glob(filepath.Join(dir, "*.u3d"))
	if err != nil || len(paths) == 0 {
		t.Logf("no models that the engine wrote in %s: they are not tried", dir)
	}
	for _, p := range paths {
		list = append(list, sample{name: "written/" + filepath.Base(p), path: p})
	}
	return list
}

// ultima9Formats are the corpus' names of formats; what it calls otherwise is no file of a format.
var ultima9Formats = map[string]string{
	"flx": "flx", "palette": "u9-palette", "texture": "u9-texture", "sdinfo": "u9-sdinfo", "mesh": "sappear", "mesh-indexed": "u9-indexed", "anim": "u9-anim",
	"registry": "u9-registry", "types": "u9-types", "typename": "u9-typename", "sound": "u9-sound", "books": "u9-book", "text": "u9-text",
	"textdat": "u9-textdat", "terrain": "u9-terrain", "fixed": "u9-fixed", "nonfixed": "u9-nonfixed", "npc": "u9-npc",
	"activity": "u9-activity", "triggers": "u9-trigger", "highway": "u9-highway", "dimension": "u9-dimension",
	"savegame": "u9-savegame", "startdat": "u9-start",
}

// ultima9Classes are the error classes of the reference (section 2.1).
var ultima9Classes = map[string]error{
	"truncated": schema.ErrTruncated, "bad_magic": schema.ErrBadMagic, "range": schema.ErrRange, "count": schema.ErrCount,
	"cycle": schema.ErrCycle, "mismatch": schema.ErrMismatch, "unsupported": schema.ErrUnsupported, "value": schema.ErrValue,
}

func ultima9Samples(t *testing.T) []sample {
	dir := corpus.Folder(t, "ultima9")
	var index []struct{ File, Format string }
	corpus.JSON(t, filepath.Join(dir, "synthetic", "index.json"), &index)
	var malformed []struct {
		File, Expect string
		Also         []string `json:"also_accepted"`
	}
	corpus.JSON(t, filepath.Join(dir, "synthetic", "malformed", "expected.json"), &malformed)
	classes := map[string][]error{}
	accepted := map[string]bool{}
	for _, m := range malformed {
		for _, word := range append(m.Also, m.Expect) {
			if word == "accepted" {
				accepted[m.File] = true
			} else {
				classes[m.File] = append(classes[m.File], ultima9Classes[word])
			}
		}
	}
	var list []sample
	for _, e := range index {
		f := formats.ByName(ultima9Formats[e.Format])
		if f == nil || accepted[e.File] {
			continue
		}
		list = append(list, sample{name: e.File, path: filepath.Join(dir, "synthetic", filepath.FromSlash(e.File)), from: f, class: classes[e.File]})
	}
	for _, e := range corpus.Manifest(t, "ultima9") {
		if strings.HasPrefix(e.File, "real/") && !strings.HasSuffix(e.File, ".json") || strings.HasPrefix(e.File, "synthetic/install/") && e.Columns["what it exercises"] != "-" && !strings.HasSuffix(e.File, ".json") {
			list = append(list, sample{name: e.File, path: e.Path})
		}
	}
	return list
}

// unrealClasses are the words of the corpus for errors.
var unrealClasses = map[string]error{
	"truncated": schema.ErrTruncated, "badmagic": schema.ErrBadMagic, "range": schema.ErrRange, "count": schema.ErrCount,
	"cycle": schema.ErrCycle, "mismatch": schema.ErrMismatch, "unsupported": schema.ErrUnsupported, "value": schema.ErrValue,
}

func unrealSamples(t *testing.T) []sample {
	var malformed []struct {
		File, Expect string
		Also         []string `json:"also_accepted"`
	}
	corpus.JSON(t, filepath.Join(corpus.Folder(t, "unreal"), "malformed", "expected.json"), &malformed)
	classes := map[string][]error{}
	for _, m := range malformed {
		for _, word := range append(m.Also, m.Expect) {
			classes[m.File] = append(classes[m.File], unrealClasses[word])
		}
	}
	var list []sample
	for _, e := range corpus.Manifest(t, "unreal", "uz", "umod", "psk") {
		s := sample{name: e.File, path: e.Path, class: classes[e.File]}
		if class := unrealClasses[e.Expected]; class != nil {
			s.class = append(s.class, class)
		} else if e.Expected != "ok" {
			continue // fact files and the like
		}
		list = append(list, s)
	}
	return list
}

// TestConformanceTestdata runs every check on the files of testdata, which are there on every machine.
func TestConformanceTestdata(t *testing.T) {
	for _, family := range append(slices.Sorted(maps.Keys(families)), "show") {
		root := corpus.Testdata(t, family)
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b := corpus.Bytes(t, p)
			if f := sniff(p, b); f != nil {
				rel, _ := filepath.Rel(root, p)
				t.Run(family+"/"+filepath.ToSlash(rel), func(t *testing.T) { conform(t, sample{name: rel, path: p}, b) })
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// TestConformanceCorpus runs every check on the files of the corpus.
func TestConformanceCorpus(t *testing.T) {
	t.Parallel()
	for family, samples := range families {
		t.Run(family, func(t *testing.T) {
			for _, s := range samples(t) {
				t.Run(s.name, func(t *testing.T) {
					t.Parallel()
					b := corpus.Bytes(t, s.path)
					if len(s.class) > 0 {
						refused(t, s, b)
					} else {
						conform(t, s, b)
					}
				})
			}
		})
	}
}

func sniff(p string, b []byte) *format.Format {
	return formats.Sniff(&format.Input{Name: filepath.Base(p), Head: b[:min(len(b), 64<<10)], Size: int64(len(b)), At: bytes.NewReader(b)})
}

// refused checks that a malformed file is refused with one of its classes.
func refused(t *testing.T, s sample, b []byte) {
	_, _, err := compare.Verify(b, s.from, new(engine.Loader).Env(s.path, nil))
	for _, class := range s.class {
		if errors.Is(err, class) {
			return
		}
	}
	t.Errorf("got %v, want class %v", err, s.class)
}

// conform checks all that must hold for a valid file.
func conform(t *testing.T, s sample, b []byte) {
	f := s.from
	if f == nil {
		if f = sniff(s.path, b); f == nil {
			t.Fatal("not recognised")
		}
	}
	if _, _, err := compare.Verify(b, s.from, new(engine.Loader).Env(s.path, nil)); err != nil {
		t.Fatalf("as %s: %v", f.Name, err)
	}
	if f.Read != nil {
		truncated(t, f, b)
		thereAndBack(t, s, f, b)
	}
	if f.Open != nil {
		unpackAndPack(t, s, f, b, false)
		unpackAndPack(t, s, f, b, true)
	}
}

// truncated reads the file cut short at many places: it is refused, or what is left is a valid file and comes back.
func truncated(t *testing.T, f *format.Format, b []byte) {
	step := max(1, len(b)/500)
	for n := 0; n < len(b); n += step {
		v, err := f.Read(b[:n:n], nil)
		if err != nil {
			if schema.Class(err) == nil {
				t.Fatalf("cut to %d bytes: %v has no class", n, err)
			}
			continue
		}
		again, err := f.Write(v)
		if err != nil || !bytes.Equal(again, b[:n]) {
			t.Fatalf("cut to %d bytes: read, but not written back (%v)", n, err)
		}
	}
}

// TestAllocation checks that reading does not allocate out of proportion, whether the file is valid or not.
func TestAllocation(t *testing.T) {
	for family, samples := range families {
		t.Run(family, func(t *testing.T) {
			for _, s := range samples(t) {
				b := corpus.Bytes(t, s.path)
				f := s.from
				if f == nil {
					f = sniff(s.path, b)
				}
				if f == nil || f.Read == nil {
					continue
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, _ = f.Read(b, nil) // malformed files are refused; what counts is the memory
				runtime.ReadMemStats(&after)
				if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(64*len(b)+16<<20); got > limit {
					t.Errorf("%s: reading %d bytes allocates %d, at most %d allowed", s.name, len(b), got, limit)
				}
			}
		})
	}
}

// thereAndBack converts to each interchange file that the format has, and back to the same bytes.
func thereAndBack(t *testing.T, s sample, f *format.Format, b []byte) {
	var targets []string
	if f.Lift != nil {
		targets = append(targets, "")
	}
	if f.New != nil {
		targets = append(targets, "json")
	}
	for _, to := range targets {
		dir := t.TempDir()
		c := batch.Conversion{Loader: engine.Loader{From: s.from}, To: to, Out: dir + "/"}
		r := runOne(t, &c, s.path)
		keepOutputs(t, r.Outputs, s.name)
		if to == "" && filepath.Ext(r.Outputs[0].Path) == ".glb" {
			slim(t, s, f)
		}
		if to == "" && f.Lower == nil {
			continue // can be looked at, but not made
		}
		back := batch.Conversion{Loader: engine.Loader{Folders: []string{filepath.Dir(s.path)}}, To: f.Name, Out: filepath.Join(dir, "back.out")}
		runOne(t, &back, r.Outputs[0].Path)
		corpus.SameBytes(t, "there and back through "+filepath.Ext(r.Outputs[0].Path), corpus.Bytes(t, filepath.Join(dir, "back.out")), b)
	}
}

// slim converts a model for the web. Whoever reads what is made of it is told that there is no way back.
func slim(t *testing.T, s sample, f *format.Format) {
	dir := t.TempDir()
	c := batch.Conversion{Loader: engine.Loader{From: s.from, Options: format.Options{GLTF: format.GLTFOptions{Slim: true}}}, Out: dir + "/"}
	r := runOne(t, &c, s.path)
	keepOutputs(t, r.Outputs, s.name+" slim")
	if bytes.Contains(corpus.Bytes(t, r.Outputs[0].Path), []byte(`"usher":`)) {
		t.Errorf("a slim GLB of %s holds what only usher reads", f.Name)
	}
	var d schema.Diagnostics
	var l engine.Loader
	if _, err := l.Load(engine.Source{Path: r.Outputs[0].Path}, &d); err != nil || !d.Has("slim") {
		t.Errorf("a slim GLB of %s: %v, %v", f.Name, err, d.All())
	}
}

func runOne(t *testing.T, c *batch.Conversion, operand string) batch.Result {
	t.Helper()
	var result batch.Result
	if err := c.Run(context.Background(), []string{operand}, func(r batch.Result) { result = r }); err != nil {
		t.Fatal(err)
	}
	if result.Err != nil {
		t.Fatalf("%s: %v", operand, result.Err)
	}
	return result
}

// keepOutputs copies glTF files to the folder that USHER_OUT names, for the validator.
func keepOutputs(t *testing.T, outputs []store.Output, name string) {
	dir := os.Getenv("USHER_OUT")
	for _, o := range outputs {
		if dir == "" || filepath.Ext(o.Path) != ".glb" {
			continue
		}
		to := filepath.Join(dir, strings.NewReplacer("/", "_", "\\", "_").Replace(name)+".glb")
		if err := os.WriteFile(to, corpus.Bytes(t, o.Path), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// unpackAndPack takes an archive apart and puts it together again, unedited: the bytes are the same.
func unpackAndPack(t *testing.T, s sample, f *format.Format, b []byte, raw bool) {
	dir := corpus.Scratch(t)
	u := worktree.Unpacking{Loader: engine.Loader{From: f}, Raw: raw}
	err := u.Run(context.Background(), s.path, filepath.Join(dir, "x"), func(r batch.Result) {
		if r.Err != nil {
			t.Errorf("%s: %v", r.Source, r.Err)
		}
	})
	if err != nil {
		t.Fatalf("unpack: %v", err)
	}
	out := filepath.Join(dir, "packed")
	p := worktree.Packing{}
	if _, err := p.Run(context.Background(), filepath.Join(dir, "x"), out, nil); err != nil {
		t.Fatalf("pack: %v", err)
	}
	corpus.SameBytes(t, "unpacked and packed", corpus.Bytes(t, out), b)
}
