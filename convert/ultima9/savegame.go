package ultima9

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/ultima9/texture"
	"github.com/usher-assets/usher/convert/ultima9/world"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/asset"
	"github.com/usher-assets/usher/schema/ultima9"

	read "github.com/usher-assets/usher/read/ultima9"
	write "github.com/usher-assets/usher/write/ultima9"
)

const diaryName = "u9-diary"

// saveFormats lists the formats of savegames.
var saveFormats = []format.Format{saveFormat, saveHeaderFormat, savePictureFormat, diaryFormat, startFormat, processesFormat}

var saveFormat = format.Format{
	Name: "u9-savegame", Family: family, Title: "Ultima IX savegame", Kind: format.Archive, Extensions: []string{".sav"},
	Probe: probeMagic(ultima9.SaveMagic), Open: openSave,
}

var saveHeaderFormat = format.Of(format.Format{
	Name: "u9-saveheader", Family: family, Title: "Ultima IX savegame, what stands before its members", Kind: format.Table, Extensions: []string{".header"},
	// a savegame is an archive
	Probe: format.Never, SingleByte: true,
}, format.Functions[ultima9.Savegame, asset.Asset]{
	Read:  readSaveHeader,
	Write: write.Savegame,
	Facts: saveFacts,
})

// SavePicture holds the typed functions for one format: savegame picture.
var SavePicture = texture.SavePicture

var savePictureFormat = format.Of(format.Format{
	Name: texture.SavePictureName, Family: family, Title: "Ultima IX savegame picture", Kind: format.Texture, Extensions: []string{".picture"},
	Probe: probeSavePicture,
}, SavePicture)

// Diary holds the typed functions for one format: diary.
var Diary = format.Functions[ultima9.Diary, *asset.Text]{
	Read:  read.Diary,
	Write: write.Diary,
	Facts: func(x *ultima9.Diary) []format.Fact { return []format.Fact{{Name: "entries", Value: len(x.Entries)}} },
	Lift:  liftDiary,
	Lower: lowerDiary,
}

var diaryFormat = format.Of(format.Format{
	Name: diaryName, Family: family, Title: "Ultima IX diary", Kind: format.Text, Extensions: []string{".diary"},
	Probe: func(in *format.Input) format.Confidence {
		mark, _ := schema.EncodeWindows1252(ultima9.DiaryMark)
		if bytes.Contains(in.Head, mark) && !bytes.ContainsFunc(in.Head, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' }) { // nor is it a savegame
			return format.Structural
		}
		return format.No
	},
	SingleByte: true,
}, Diary)

// StartFile holds the typed functions for one format: start.dat.
var StartFile = recordTable("u9-start", read.StartFile, write.StartFile, func(x *ultima9.StartFile) []format.Fact { return []format.Fact{{Name: "slot", Value: int(x.Slot)}} })

var startFormat = format.Of(tableFormat("u9-start", "Ultima IX start.dat", probeStart, ".dat"), StartFile)

// Processes holds the typed functions for one format: processes of a savegame.
var Processes = format.Functions[ultima9.Processes, *asset.Table]{
	Read: read.Processes,
	Facts: func(x *ultima9.Processes) []format.Fact {
		return []format.Fact{{Name: "characters", Value: used(x.NPCs)}, {Name: "object references", Value: len(x.References)}}
	},
	Lift: nestedLifter("u9-processes", func(*ultima9.Processes) ([]byte, error) { return nil, nil },
		layoutOf[ultima9.Processes](level{names: map[string]string{"FreeHead": ""}}, level{list: "NPCs", key: "npc"})),
}

// processesFormat shows what is known of a savegame's processes: the characters as a table, and in JSON what they refer
// to as well. Without Write and Lower it cannot be changed: each character stands a second time in a section that nobody
// knows how to find.
var processesFormat = format.Of(format.Format{
	Name: "u9-processes", Family: family, Title: "Ultima IX processes of a savegame", Kind: format.Raw, Extensions: []string{".processes"},
	Probe: func(in *format.Input) format.Confidence {
		if in.Size < ultima9.ProcessReferences || len(in.Head) < 8 || le.Uint32(in.Head) != 8 || le.Uint32(in.Head[4:]) != 2 {
			return format.No
		}
		return format.Structural
	},
}, Processes)

// readSaveHeader reads a savegame without its members.
func readSaveHeader(b []byte, d *schema.Diagnostics) (*ultima9.Savegame, error) {
	return read.Savegame(b, d)
}

func saveFacts(x *ultima9.Savegame) []format.Fact {
	return []format.Fact{
		{Name: "description", Value: x.Description.Text}, {Name: "map", Value: int(x.Map)}, {Name: "day", Value: int(x.Day)},
		{Name: "time", Value: int(x.Time)}, {Name: "maps", Value: len(x.Maps)},
	}
}

// saveFile shows a savegame: a header without members, the picture, the processes, the diary, and the nonfixed file of
// each map. Members keep their order; only maps can be added and removed.
type saveFile struct {
	save    *ultima9.Savegame
	entries []format.Entry
}

// The paths of the members. A map's is "map/" and its number; a second one of the same number has its place behind it.
const (
	saveHeader    = "header"
	savePicture   = "picture"
	saveProcesses = "processes"
	saveDiary     = "diary"
)

const firstMap = 4 // entries before the maps

func openSave(r io.ReaderAt, size int64, env *format.Env) (format.ArchiveFile, error) {
	if size > schema.DefaultLimits.Decoded {
		return nil, schema.Errorf("u9-savegame", schema.ErrLimit, "size", "%d bytes", size)
	}
	b := make([]byte, size)
	if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	save, err := read.Savegame(b, env.Told())
	if err != nil {
		return nil, err
	}
	f := &saveFile{save: save}
	return f, f.list()
}

func (f *saveFile) list() error {
	f.entries = f.entries[:0]
	add := func(path string, kind format.Kind, leaf *format.Format, b []byte) {
		f.entries = append(f.entries, format.Entry{Path: path, Kind: kind, Format: leaf, Size: int64(len(b)), Offset: -1})
	}
	header, err := f.header()
	if err != nil {
		return err
	}
	add(saveHeader, format.Table, &saveHeaderFormat, header)
	picture := &savePictureFormat
	if _, err := read.SavePicture(f.save.Picture, nil); err != nil {
		picture = nil
	}
	add(savePicture, format.Texture, picture, f.save.Picture)
	if picture == nil {
		f.entries[1].Kind = format.Raw
	}
	processes := &processesFormat
	if _, err := read.Processes(f.save.Processes, nil); err != nil {
		processes = nil
	}
	add(saveProcesses, format.Raw, processes, f.save.Processes)
	add(saveDiary, format.Text, &diaryFormat, f.save.Diary)
	seen := map[int32]bool{}
	for i, m := range f.save.Maps {
		path := world.SaveMap + strconv.Itoa(int(m.Number))
		if seen[m.Number] {
			path += "#" + strconv.Itoa(i)
		}
		seen[m.Number] = true
		add(path, format.Model, &nonfixedFormat, m.Data)
	}
	return nil
}

// header returns the savegame without its members.
func (f *saveFile) header() ([]byte, error) {
	bare := *f.save
	bare.Picture, bare.Processes, bare.Diary, bare.Maps = nil, nil, nil, nil
	return write.Savegame(&bare)
}

func (f *saveFile) Entries() []format.Entry { return f.entries }

// Abilities implements format.ArchiveFile.
func (f *saveFile) Abilities() format.Abilities { return format.Abilities{} }

func (f *saveFile) check(i int) error {
	if i < 0 || i >= len(f.entries) {
		return schema.Errorf("u9-savegame", schema.ErrRange, "entry", "entry %d of %d", i, len(f.entries))
	}
	return nil
}

func (f *saveFile) Payload(i int) ([]byte, error) {
	if err := f.check(i); err != nil {
		return nil, err
	}
	switch i {
	case 0:
		return f.header()
	case 1:
		return f.save.Picture, nil
	case 2:
		return f.save.Processes, nil
	case 3:
		return f.save.Diary, nil
	}
	return f.save.Maps[i-firstMap].Data, nil
}

func (f *saveFile) Replace(i int, payload []byte) error {
	if err := f.check(i); err != nil {
		return err
	}
	switch i {
	case 0:
		header, err := read.Savegame(payload, nil)
		if err != nil {
			return err
		}
		if len(header.Picture)+len(header.Processes)+len(header.Diary)+len(header.Maps) > 0 {
			return schema.Errorf("u9-savegame", schema.ErrMismatch, "header", "a header has no members of its own")
		}
		header.Picture, header.Processes, header.Diary, header.Maps = f.save.Picture, f.save.Processes, f.save.Diary, f.save.Maps
		f.save = header
	case 1:
		f.save.Picture = payload
	case 2:
		f.save.Processes = payload
	case 3:
		f.save.Diary = payload
	default:
		f.save.Maps[i-firstMap].Data = payload
	}
	return f.list()
}

// Add appends the nonfixed file of a map: the path is "map/" and its number.
func (f *saveFile) Add(path string, payload []byte, _ *format.Format) error {
	text, ok := strings.CutPrefix(path, world.SaveMap)
	n, err := strconv.ParseInt(text, 10, 32)
	if !ok || err != nil || n < 0 {
		return schema.Errorf("u9-savegame", schema.ErrValue, "path", "%q: only a map can be added, as %sNUMBER", path, world.SaveMap)
	}
	for _, m := range f.save.Maps {
		if m.Number == int32(n) {
			return schema.Errorf("u9-savegame", schema.ErrMismatch, "path", "the savegame has a map %d", n)
		}
	}
	f.save.Maps = append(f.save.Maps, ultima9.SavedMap{Number: int32(n), Data: payload})
	return f.list()
}

func (f *saveFile) Remove(i int) error {
	if err := f.check(i); err != nil {
		return err
	}
	if i < firstMap {
		return schema.Errorf("u9-savegame", schema.ErrUnsupported, "entry", "a savegame needs its %s", f.entries[i].Path)
	}
	f.save.Maps = slices.Delete(f.save.Maps, i-firstMap, i-firstMap+1)
	return f.list()
}

func (f *saveFile) WriteTo(w io.Writer) (int64, error) {
	b, err := write.Savegame(f.save)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(b)
	return int64(n), err
}

func (f *saveFile) Facts() []format.Fact { return saveFacts(f.save) }
