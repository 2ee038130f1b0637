package unreal

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/unreal"
)

// TestFactsOfPackages: what there is only one of, as in every package, is not worth a line.
func TestFactsOfPackages(t *testing.T) {
	usual := []string{"version", "flags", "GUID", "names", "imports", "exports", "needs packages"}
	for name, c := range map[string]struct {
		edit func(a *archive)
		more []string
	}{
		"as it is":        {func(*archive) {}, nil},
		"a generation":    {func(a *archive) { a.Generations = make([]unreal.Generation, 1) }, nil},
		"two generations": {func(a *archive) { a.Generations = make([]unreal.Generation, 2) }, []string{"generations 2"}},
		"a heritage":      {func(a *archive) { a.Heritage = make([][16]byte, 1) }, nil},
		"two of them":     {func(a *archive) { a.Heritage = make([][16]byte, 2) }, []string{"heritage 2"}},
		"a licensee":      {func(a *archive) { a.Licensee = 7 }, []string{"licensee 7"}},
		"a hole":          {func(a *archive) { a.empty = 1; a.hide(0) }, []string{"empty exports 1"}},
		"one taken out":   {func(a *archive) { a.hide(0) }, []string{"removed exports 1"}},
	} {
		a := made(t, 69)
		c.edit(a)
		var more, known []string
		for _, f := range a.Facts() {
			if known = append(known, f.Name); !slices.Contains(usual, f.Name) {
				more = append(more, fmt.Sprint(f.Name, " ", f.Value))
			}
		}
		if !slices.Equal(more, c.more) || len(known) != len(usual)+len(more) {
			t.Errorf("%s: %q, want %q", name, more, c.more)
		}
	}
	a := made(t, 69)
	if got := fmt.Sprint(a.Facts()[len(usual)-1].Value); got != "[Engine Core]" {
		t.Errorf("it needs %s", got)
	}
}

// TestOneFormatEach: entries of a class share a format, whether the class is imported or of the package; others have their own.
func TestOneFormatEach(t *testing.T) {
	a := crates(t)
	for _, name := range []string{"Box0", "Box1"} {
		if err := layIn(t, a, name, &Record{Class: "Crate"}); err != nil {
			t.Fatal(err)
		}
	}
	formats := map[string]*format.Format{}
	for _, e := range a.Entries() {
		was, known := formats[e.Class]
		if known && was != e.Format {
			t.Errorf("%s has a format of its own, and is a %s", e.Path, e.Class)
		}
		for class, f := range formats {
			if class != e.Class && f == e.Format {
				t.Errorf("%s has the format of a %s", e.Path, class)
			}
		}
		formats[e.Class] = e.Format
	}
	if len(formats) != 4 || formats["Crate"] == nil {
		t.Errorf("classes %v", formats)
	}
}

// TestPathSet: whatever is put into a set is new once, and it has a power of two of places, half of them free.
func TestPathSet(t *testing.T) {
	s := newPathSet(0)
	for round := range 2 {
		for n := uint64(2); n < 2000; n++ {
			if h := n % 7 << 60 / (1 + n%3) << 5 * n; s.add(n*n<<20|h>>44) == (round > 0) {
				t.Fatalf("round %d: %d", round, n)
			}
			if size := len(s.places); size&(size-1) != 0 || size < 2*s.n || size > 4*max(s.n, 32) {
				t.Fatalf("%d places for %d", size, s.n)
			}
		}
	}
	if s = newPathSet(0); !s.add(0) || s.add(1) || s.add(0) { // 0 is kept as 1
		t.Error("0 and 1")
	}
	for n, want := range map[int]int{0: 64, 32: 64, 33: 128, 64: 128, 1000: 2048} {
		if s := newPathSet(n); len(s.places) != want {
			t.Errorf("room for %d: %d", n, len(s.places))
		}
	}
}

// TestClaims: every letter is the same in the other case, and no other sign is the same as another.
func TestClaims(t *testing.T) {
	a := newArchive(made(t, 69).File)
	for c := rune('!'); c < 0x150; c++ {
		for k := rune('!'); k < 0x150; k++ {
			a.paths = newPathSet(8)
			if !a.claim("x." + string(c)) {
				t.Fatal("the first path is not free")
			}
			if same := unicode.ToLower(c) == unicode.ToLower(k); a.claim("x."+string(k)) == same {
				t.Errorf("%q and %q: the same %v", c, k, same)
			}
		}
	}
}

// TestNoHalfAdditions: what cannot be added leaves nothing behind.
func TestNoHalfAdditions(t *testing.T) {
	a := made(t, 69)
	before, rows := paths(a), len(a.Exports)
	f := a.newLeaf(format.Texture)
	for _, payload := range []string{"", "\xff\xff", strings.Repeat("\x07", 40)} {
		if err := a.Add("Broken", []byte(payload), f); err == nil {
			t.Errorf("%q is taken as a texture", payload)
		}
		if len(a.Exports) != rows || a.FindExport("Broken", "Texture") != 0 || !slices.Equal(paths(a), before) {
			t.Errorf("%q: %d exports, were %d: %v", payload, len(a.Exports), rows, paths(a))
		}
	}
	add(t, a, "Broken", checkerboard(8, 4), format.Texture)
}

// TestPlacesOfSources: a text from the folder of sources lies in no group; one of another folder does, and so do other things.
func TestPlacesOfSources(t *testing.T) {
	text := &asset.Text{Body: "class Thing;\r\n"}
	for path, want := range map[string]string{"Thing": "Thing", "Classes/Thing": "Thing", "CLASSES.Thing": "Thing", "Other/Thing": "Other.Thing", "Classes/More/Thing": "Classes.More.Thing"} {
		a := made(t, 69)
		add(t, a, path, text, format.Text)
		if a.FindExport(want, "TextBuffer") == 0 {
			t.Errorf("%s is not %s: %v", path, want, paths(a))
		}
	}
	a := made(t, 69)
	add(t, a, "Classes/Wall", checkerboard(8, 4), format.Texture)
	if a.FindExport("Classes.Wall", "Texture") == 0 {
		t.Errorf("the picture is elsewhere: %v", paths(a))
	}
}

// TestNeeders: what keeps an object is named, three at most, in right English.
func TestNeeders(t *testing.T) {
	a := made(t, 69)
	ref := unreal.Ref(1)
	for users, want := range map[int]string{1: "E1 needs it", 2: "E1, E2 need it", 3: "E1, E2, E3 need it", 4: "E1, E2, E3 and 1 more need it", 5: "E1, E2, E3 and 2 more need it"} {
		refs := &references{users: map[unreal.Ref][]int{}}
		for i := range users + 1 {
			refs.users[ref] = append(refs.users[ref], i)
		}
		err := a.checkUnused(ref, refs, func(i int) bool { return i > 0 })
		for i := range a.Exports {
			want = strings.ReplaceAll(want, fmt.Sprint("E", i), a.RefText(unreal.Ref(i+1)))
		}
		if err == nil || !strings.HasSuffix(err.Error(), "cannot be removed: "+want) {
			t.Errorf("%d: %v, want %s", users, err, want)
		}
	}
	if err := a.checkUnused(ref, &references{users: map[unreal.Ref][]int{ref: {0, 1}}}, func(int) bool { return false }); err != nil {
		t.Error(err)
	}
}

// TestModules: a music module is a file as it is; what is none is refused.
func TestModules(t *testing.T) {
	env := &format.Env{Name: "Song"}
	v, err := moduleFormat.Read(module(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := moduleFormat.Lift(v, env)
	if err != nil {
		t.Fatal(err)
	}
	if x := s.(*asset.Sound); x.Name != "Song" || x.Stored.Encoding != "mod" || !bytes.Equal(x.Stored.Data, module()) {
		t.Errorf("%+v", x)
	}
	again, err := moduleFormat.Lower(s, env)
	if err != nil || !reflect.DeepEqual(again, v) {
		t.Errorf("%v, %v", again, err)
	}
	for name, s := range map[string]*asset.Sound{"samples": beep(), "no module": {Stored: &asset.Stored{Data: []byte("RIFF")}}} {
		if _, err := moduleFormat.Lower(s, env); schema.Class(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := fmt.Sprint(moduleFormat.Facts(v)); got != fmt.Sprintf("[{type mod} {bytes %d}]", len(module())) {
		t.Error(got)
	}
	for head, want := range map[string]format.Confidence{"": format.No, "IMPM": format.Certain, "Extended Module: ": format.Certain, string(module()): format.Magic} {
		if got := probeModule(&format.Input{Head: []byte(head)}); got != want {
			t.Errorf("%.20q: %v", head, got)
		}
	}
}

// TestWholeFiles: a new sound is its WAV file with all that it holds, unless somebody edited what is heard.
func TestWholeFiles(t *testing.T) {
	var w bytes.Buffer
	if err := wav.Encode(&w, beep()); err != nil {
		t.Fatal(err)
	}
	file := slices.Insert(w.Bytes(), 36, 0, 0) // two bytes more of its format, which say that there are no more
	file[4], file[16] = file[4]+2, 18
	heard, err := wav.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	heard.Stored = &asset.Stored{Encoding: wav.Encoding, Data: file}
	for name, c := range map[string]struct {
		edit func(s *asset.Sound)
		want bool
	}{
		"as it was":         {func(*asset.Sound) {}, true},
		"edited":            {func(s *asset.Sound) { s.PCM = append(bytes.Clone(s.PCM), 1, 2) }, false},
		"without its file":  {func(s *asset.Sound) { s.Stored = nil }, false},
		"of something else": {func(s *asset.Sound) { s.Stored = &asset.Stored{Encoding: "ogg", Data: file} }, false},
		"too fast":          {func(s *asset.Sound) { s.Rate = 96000 }, false},
	} {
		a, s := made(t, 69), *heard
		c.edit(&s)
		add(t, a, "New", &s, format.Sound)
		o, err := a.Object(entry(t, a, "New"))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Equal(o.(*unreal.Sound).Data, file); got != c.want {
			t.Errorf("%s: the file is there: %v", name, got)
		}
	}
}

// TestSidesOfNewTextures: a new texture has sides that are powers of two; others are refused, or made such where that is asked for.
func TestSidesOfNewTextures(t *testing.T) {
	for size, fits := range map[[2]int]bool{{8, 4}: true, {1, 1}: true, {1, 256}: true, {3, 4}: false, {4, 3}: false, {6, 6}: false} {
		for _, resize := range []string{"", "pow2"} {
			a := made(t, 69)
			env := &format.Env{Archive: a}
			env.Options.Unreal.Resize = resize
			v, err := a.newLeaf(format.Texture).Lower(checkerboard(size[0], size[1]), env)
			if (err == nil) != (fits || resize != "") || err != nil && schema.Class(err) != schema.ErrValue {
				t.Errorf("%v, %q: %v", size, resize, err)
			}
			if err != nil {
				continue
			}
			m := v.(*unreal.Texture).Mips[0]
			if w, h := int(m.USize), int(m.VSize); w&(w-1) != 0 || h&(h-1) != 0 || fits && [2]int{w, h} != size {
				t.Errorf("%v, %q: %d x %d", size, resize, w, h)
			}
		}
	}
}

// TestTextIsNoSceneOfALevel: text of the editor goes into a level as its actors, through its scene too.
func TestTextIsNoSceneOfALevel(t *testing.T) {
	a := hall(t, 69)
	i := entry(t, a, "MyLevel")
	s := &asset.Scene{Native: &asset.Native{Format: t3dName, Payload: []byte(mapText)}}
	v, err := formatOf(a, i).Lower(s, &format.Env{Archive: a})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range v.(*unreal.Level).Actors {
		names = append(names, a.ObjectName(r))
	}
	if got := strings.Join(names, " "); !strings.HasSuffix(got, "Lamp7 Start3 Wall9") {
		t.Errorf("the level has %s", got)
	}
}
