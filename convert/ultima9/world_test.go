package ultima9

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
	"github.com/usher-assets/usher/testdata/u9"

	write "github.com/usher-assets/usher/write/ultima9"
)

// worldArchives are archives of the corpus, and the format that their records must be taken for.
var worldArchives = []struct{ file, format string }{
	{"synthetic/sound/music.flx", soundName}, {"synthetic/sound/sfx.flx", soundName}, {"synthetic/sound/speech.flx", soundName},
	{"synthetic/sound/sfxassoc.flx", "u9-sfxassoc"}, {"synthetic/sound/sfxcat.flx", "u9-sfxcat"}, {"synthetic/sound/sfxenv.flx", "u9-sfxenv"},
	{"synthetic/sound/sfxtmpl.flx", "u9-sfxtmpl"}, {"synthetic/types/books-en.flx", bookName}, {"synthetic/types/text.flx", textName},
	{"synthetic/logic/npc.flx", "u9-npc"}, {"synthetic/logic/activity.flx", "u9-activity"}, {"synthetic/logic/triggers.flx", "u9-trigger"},
	{"synthetic/logic/areas.flx", "u9-area"}, {"synthetic/logic/spaces.flx", "u9-space"}, {"synthetic/logic/treedat.flx", "u9-treedat"},
	{"real/book", bookName}, {"real/TEXT.FLX", textName}, {"real/activity.flx", "u9-activity"},
}

// worldFiles are other files of the corpus and their formats.
var worldFiles = []struct{ file, format string }{
	{"synthetic/logic/highway.dat", "u9-highway"}, {"real/highway.dat", "u9-highway"}, {"synthetic/logic/dimension.dat", "u9-dimension"},
	{"synthetic/types/text.dat", "u9-textdat"}, {"synthetic/terrain/terrain.2", world.TerrainName}, {"synthetic/terrain/terrain.5", world.TerrainName},
	{"synthetic/terrain/terrain.9", world.TerrainName}, {"synthetic/terrain/bits.terrain", world.TerrainName}, {"synthetic/install/static/terrain.9", world.TerrainName},
	{"synthetic/objects/fixed.2", "u9-fixed"}, {"synthetic/objects/fixed.9", "u9-fixed"}, {"synthetic/objects/nonfixed.2", "u9-nonfixed"},
	{"synthetic/objects/nonfixed.9", "u9-nonfixed"}, {"real/nonfixed.22", "u9-nonfixed"}, {"synthetic/objects/fixed.7", "u9-fixed"},
	{"synthetic/objects/nonfixed.7", "u9-nonfixed"}, {"synthetic/terrain/terrain.20", world.TerrainName},
	{"synthetic/install/static/fixed.9", "u9-fixed"}, {"synthetic/install/runtime/nonfixed.9", "u9-nonfixed"}, {"synthetic/save/start.dat", "u9-start"},
	{"synthetic/save/u9game1.sav", "u9-savegame"}, {"synthetic/save/u9game2.sav", "u9-savegame"},
}

// sniffWorld returns the most confident format.
func sniffWorld(name string, b []byte) (best *format.Format) {
	in := &format.Input{Name: name, Head: b[:min(len(b), 64<<10)], Size: int64(len(b)), At: bytes.NewReader(b)}
	top := format.No
	for i := range Formats {
		if c := Formats[i].Probe(in); c > top {
			best, top = &Formats[i], c
		}
	}
	return best
}

// again takes a file through its asset, and through JSON.
func again(t *testing.T, f *format.Format, name string, b []byte, env *format.Env) {
	t.Helper()
	v, err := f.Read(b, nil)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if f.Facts != nil && len(f.Facts(v)) == 0 {
		t.Errorf("%s: no facts", name)
	}
	if f.New != nil {
		var text bytes.Buffer
		u9.Must(t, json.Encode(&text, v))
		w := f.New()
		u9.Must(t, json.Decode(&text, w))
		corpus.SameBytes(t, name+" through JSON", u9.Do(f.Write(w))(t), b)
	}
	if f.Lift == nil || f.Lower == nil {
		return
	}
	a, err := f.Lift(v, env)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	w, err := f.Lower(a, env)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	corpus.SameBytes(t, name+" through its asset", u9.Do(f.Write(w))(t), b)
}

func TestWorldArchives(t *testing.T) {
	dir := corpus.Folder(t, "ultima9")
	for _, c := range worldArchives {
		b := corpus.Bytes(t, filepath.Join(dir, c.file))
		env := u9.Env(t, filepath.Base(c.file))
		f := u9.Do(openFLX(bytes.NewReader(b), int64(len(b)), env))(t)
		for i, e := range f.Entries() {
			if e.Format == nil || e.Format.Name != c.format {
				t.Errorf("%s: %s is taken for %v, want %s", c.file, e.Path, e.Format, c.format)
				break
			}
			env.Entry = e.Path
			again(t, e.Format, c.file+":"+e.Path, u9.Do(f.Payload(i))(t), env)
		}
	}
}

func TestWorldFiles(t *testing.T) {
	dir := corpus.Folder(t, "ultima9")
	for _, c := range worldFiles {
		b := corpus.Bytes(t, filepath.Join(dir, c.file))
		f := sniffWorld(filepath.Base(c.file), b)
		if f == nil || f.Name != c.format {
			t.Errorf("%s is taken for %v, want %s", c.file, f, c.format)
			continue
		}
		if f.Read != nil {
			again(t, f, c.file, b, u9.Env(t, filepath.Base(c.file), "texture", "install/static"))
		}
	}
}

// Records that hold nothing come back through their tables as well.
func TestBareRecords(t *testing.T) {
	env := u9.Env(t, "bare")
	again(t, &areaFormat, "area", u9.Do(write.Area(&ultima9.Area{Kind: ultima9.AreaKind}))(t), env)
	again(t, &areaFormat, "area of one empty box", u9.Do(write.Area(&ultima9.Area{Kind: ultima9.AreaKind, Boxes: make([]ultima9.AreaBox, 1)}))(t), env)
	again(t, &spaceFormat, "space", u9.Do(write.Space(&ultima9.Space{}))(t), env)
	again(t, &treeDataFormat, "tree", u9.Do(write.TreeData(&ultima9.TreeData{}))(t), env)
}

func TestSavegameMembers(t *testing.T) {
	for _, name := range []string{"u9game1.sav", "u9game2.sav"} {
		b := corpus.Bytes(t, u9.Synthetic(t, "save", name))
		f := u9.Do(openSave(bytes.NewReader(b), int64(len(b)), u9.Env(t, name)))(t)
		for i, e := range f.Entries() {
			payload := u9.Do(f.Payload(i))(t)
			if e.Format != nil {
				again(t, e.Format, name+":"+e.Path, payload, u9.Env(t, name))
			}
			u9.Must(t, f.Replace(i, payload))
		}
		var out bytes.Buffer
		u9.Do(f.WriteTo(&out))(t)
		corpus.SameBytes(t, name, out.Bytes(), b)
	}
}

// The processes show their characters as a table, which there is no way back from.
func TestSavegameCharacters(t *testing.T) {
	var want struct {
		Processes struct {
			NPCs []struct {
				Index, Handle int
				Name          string
				Health        [3]int
			}
		}
	}
	corpus.JSON(t, u9.Synthetic(t, "save", "u9game1.sav.json"), &want)
	b := corpus.Bytes(t, u9.Synthetic(t, "save", "u9game1.sav"))
	f := u9.Do(openSave(bytes.NewReader(b), int64(len(b)), u9.Env(t, "u9game1.sav")))(t)
	e := f.Entries()[2]
	if e.Format != &processesFormat || e.Kind != format.Raw || e.Format.Lower != nil || e.Format.Write != nil {
		t.Fatalf("%+v", e)
	}
	a := u9.Do(e.Format.Lift(u9.Do(e.Format.Read(u9.Do(f.Payload(2))(t), nil))(t), nil))(t).(*asset.Table)
	if len(a.Rows) != ultima9.ProcessNPCCount || len(want.Processes.NPCs) == 0 {
		t.Fatalf("%d rows", len(a.Rows))
	}
	at := map[string]int{}
	for i, c := range a.Columns {
		at[c] = i
	}
	for _, n := range want.Processes.NPCs {
		row := a.Rows[n.Index]
		if fmt.Sprint(row[at["Handle"]], row[at["Name"]], row[at["Health"]], row[at["HealthBase"]]) != fmt.Sprint(n.Handle, n.Name, n.Health[0], n.Health[2]) {
			t.Errorf("%v, want %+v", row, n)
		}
	}
}

func TestSavegameEdits(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "save", "u9game1.sav"))
	f := u9.Do(openSave(bytes.NewReader(b), int64(len(b)), u9.Env(t, "u9game1.sav")))(t)
	header := u9.Do(saveHeaderFormat.Read(u9.Do(f.Payload(0))(t), nil))(t).(*ultima9.Savegame)
	header.Description.Text = "A rather longer description"
	u9.Must(t, f.Replace(0, u9.Do(saveHeaderFormat.Write(header))(t)))
	var out bytes.Buffer
	u9.Do(f.WriteTo(&out))(t)
	corpus.SameBytes(t, "edited savegame", out.Bytes(), corpus.Bytes(t, u9.Synthetic(t, "edits", "save.new.sav")))

	u9.Must(t, f.Add("map/3", []byte{1}, nil))
	if f.Add("map/9", nil, nil) == nil || f.Add("picture", nil, nil) == nil || f.Remove(1) == nil {
		t.Error("a member was added twice, or one was removed that must stay")
	}
	u9.Must(t, f.Remove(4))
	var paths []string
	for _, e := range f.Entries() {
		paths = append(paths, e.Path)
	}
	if got := fmt.Sprint(paths); got != "[header picture processes diary map/2 map/3]" {
		t.Error(got)
	}
}

func TestSavePictureEdit(t *testing.T) {
	b := corpus.Bytes(t, u9.Synthetic(t, "save", "u9game1.sav"))
	env := u9.Env(t, "u9game1.sav")
	f := u9.Do(openSave(bytes.NewReader(b), int64(len(b)), env))(t)
	payload := u9.Do(f.Payload(1))(t)
	v := u9.Do(savePictureFormat.Read(payload, nil))(t)
	a := u9.Do(savePictureFormat.Lift(v, env))(t).(*asset.Texture)
	m := a.Base()
	rgba := asset.NewImage(m.Width, m.Height, asset.RGBA8)
	for i, index := range m.Pix {
		copy(rgba.Pix[4*i:], a.Palette[index][:])
	}
	copy(rgba.Pix[4*1000:], a.Palette[77][:]) // one pixel is painted
	a.Frames[0].Mips[0] = rgba
	want := bytes.Clone(payload)
	at := ultima9.SavePictureSize + 4*m.Height + 1000
	got := u9.Do(savePictureFormat.Write(u9.Do(savePictureFormat.Lower(a, env))(t)))(t)
	if a.Palette[got[at]] != a.Palette[77] {
		t.Errorf("the painted pixel has index %d", got[at])
	}
	want[at] = got[at]
	corpus.SameBytes(t, "painted picture", got, want)
}

func TestRecordTitles(t *testing.T) {
	for file, want := range map[string]string{"sound/music.flx": "SYN_THEME", "types/books-en.flx": "1: A Synthetic Tale", "logic/spaces.flx": "Space 0", "sound/sfxtmpl.flx": "TORCH", "sound/sfxcat.flx": "AMBIENT", "sound/sfxenv.flx": "CAVE"} {
		b := corpus.Bytes(t, u9.Synthetic(t, file))
		f := u9.Do(openFLX(bytes.NewReader(b), int64(len(b)), u9.Env(t, filepath.Base(file))))(t)
		if got := f.Entries()[0].Title; got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
