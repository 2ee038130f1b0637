package convert_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/find"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/engine/interchange"
	"github.com/usher-assets/usher/convert/engine/store"
	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/exchange/csv"
	"github.com/usher-assets/usher/convert/exchange/gltf"
	"github.com/usher-assets/usher/convert/exchange/json"
	"github.com/usher-assets/usher/convert/exchange/mp3"
	"github.com/usher-assets/usher/convert/exchange/png"
	"github.com/usher-assets/usher/convert/exchange/po"
	"github.com/usher-assets/usher/convert/exchange/wav"
	"github.com/usher-assets/usher/read"
	readfl "github.com/usher-assets/usher/read/freelancer"
	readmedia "github.com/usher-assets/usher/read/media"
	readu9 "github.com/usher-assets/usher/read/ultima9"
	readu3d "github.com/usher-assets/usher/read/ultimate3d"
	readue "github.com/usher-assets/usher/read/unreal"
	"github.com/usher-assets/usher/schema"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/testdata/corpus"
)

// functions are those that other programs can call of some packages, by their names.
var functions = map[string]map[string]any{
	"read": {
		"Named": read.Named[ultima9.Point], "NewCursor": read.NewCursor, "NewCursorAt": read.NewCursorAt,
	},
	"read/freelancer": {
		"ALE": readfl.ALE, "BINI": readfl.BINI, "Camera": readfl.Camera, "Channel": readfl.Channel, "Compound": readfl.Compound, "Deformable": readfl.Deformable,
		"EffectLibrary": readfl.EffectLibrary, "Floats": readfl.Floats, "Hardpoint": readfl.Hardpoint, "Hardpoints": readfl.Hardpoints, "Ints": readfl.Ints,
		"Joints": readfl.Joints, "Leaf": readfl.Leaf, "Material": readfl.Material, "MaterialAnims": readfl.MaterialAnims, "Materials": readfl.Materials,
		"MultiLevel": readfl.MultiLevel, "NodeLibrary": readfl.NodeLibrary, "OldSurBegins": readfl.OldSurBegins, "Scripts": readfl.Scripts,
		"Shorts": readfl.Shorts, "SphereModel": readfl.SphereModel, "Sur": readfl.Sur, "Text": readfl.Text, "Texture": readfl.Texture,
		"Textures": readfl.Textures, "UTF": readfl.UTF, "UTFAt": readfl.UTFAt, "VMesh": readfl.VMesh, "VMeshRef": readfl.VMeshRef, "VWire": readfl.VWire,
		"VoiceLines": readfl.VoiceLines, "Wave": readfl.Wave,
	},
	"read/media": {
		"ARGB1555": readmedia.ARGB1555, "ARGB4444": readmedia.ARGB4444, "BC1": readmedia.BC1, "BC1Into": readmedia.BC1Into, "BC2": readmedia.BC2,
		"BC3": readmedia.BC3, "BGR888": readmedia.BGR888, "BGRA8888": readmedia.BGRA8888, "BGRX8888": readmedia.BGRX8888, "Chunks": readmedia.Chunks,
		"DDS": readmedia.DDS, "EAXA": readmedia.EAXA, "MicroTalk": readmedia.MicroTalk, "PCX": readmedia.PCX, "PCXPixels": readmedia.PCXPixels,
		"RGB565": readmedia.RGB565, "RGB888": readmedia.RGB888, "RGBX8888": readmedia.RGBX8888, "RIFF": readmedia.RIFF, "TGA": readmedia.TGA,
		"TGACrossesRows": readmedia.TGACrossesRows, "TGAPixels": readmedia.TGAPixels, "WaveFormat": readmedia.WaveFormat, "XRGB1555": readmedia.XRGB1555,
	},
	"read/ultima9": {
		"ActivityList": readu9.ActivityList, "Anim": readu9.Anim, "Area": readu9.Area, "Book": readu9.Book, "ColourCube": readu9.ColourCube,
		"Diary": readu9.Diary, "Dimensions": readu9.Dimensions, "FLX": readu9.FLX, "Fixed": readu9.Fixed, "GreyTable": readu9.GreyTable,
		"Highway": readu9.Highway, "Indexed": readu9.Indexed, "IsIndexed": readu9.IsIndexed, "NPCs": readu9.NPCs, "Nonfixed": readu9.Nonfixed,
		"Palette": readu9.Palette, "Processes": readu9.Processes, "Registry": readu9.Registry, "SDInfo": readu9.SDInfo, "Sappear": readu9.Sappear,
		"SappearLOD": readu9.SappearLOD, "SappearLimb": readu9.SappearLimb, "SavePicture": readu9.SavePicture, "Savegame": readu9.Savegame,
		"ShadeTable": readu9.ShadeTable, "Sound": readu9.Sound, "SoundCategory": readu9.SoundCategory, "SoundEnvironment": readu9.SoundEnvironment,
		"SoundLink": readu9.SoundLink, "SoundTemplate": readu9.SoundTemplate, "Space": readu9.Space, "StartFile": readu9.StartFile,
		"Terrain": readu9.Terrain, "Text": readu9.Text, "TextTable": readu9.TextTable, "Texture": readu9.Texture, "TreeData": readu9.TreeData,
		"Trigger": readu9.Trigger, "TypeName": readu9.TypeName, "Types": readu9.Types,
	},
	"read/ultimate3d": {
		"BoneChunk": readu3d.BoneChunk, "MaterialChunk": readu3d.MaterialChunk, "MeshChunks": readu3d.MeshChunks, "Probe": readu3d.Probe,
		"U3D": readu3d.U3D,
	},
	"read/unreal": {
		"Animation": readue.Animation, "Base": readue.Base, "Class": readue.Class, "Fixups": readue.Fixups, "Font": readue.Font,
		"IsActorX": readue.IsActorX, "IsPackage": readue.IsPackage, "IsUMOD": readue.IsUMOD, "Level": readue.Level, "LodMesh": readue.LodMesh,
		"MayRefer": readue.MayRefer, "Mesh": readue.Mesh, "MeshAniv": readue.MeshAniv, "MeshData": readue.MeshData, "Model": readue.Model, "Names": readue.Names, "PossibleReferences": readue.PossibleReferences,
		"Music": readue.Music, "Object": readue.Object, "PSA": readue.PSA, "PSK": readue.PSK, "Package": readue.Package, "Palette": readue.Palette,
		"PointRegion": readue.PointRegion, "Polys": readue.Polys, "References": readue.References, "Relocations": readue.Relocations,
		"Code": readue.Code, "Next": readue.Next, "Replace": readue.Replace, "SkeletalMesh": readue.SkeletalMesh, "Sound": readue.Sound, "StrValue": readue.StrValue, "T3D": readue.T3D,
		"TextBuffer": readue.TextBuffer, "Texture": readue.Texture, "UMOD": readue.UMOD, "UMODAt": readue.UMODAt, "UZ": readue.UZ,
		"UZHeader": readue.UZHeader,
	},
	"convert": {
		"Formats": convert.Formats, "FormatByName": convert.FormatByName, "Recognise": convert.Recognise,
	},
	"convert/engine": {
		"AddPicture": interchange.AddPicture, "Beside": interchange.Beside, "CheckWindowsName": disk.CheckWindowsName, "ClosePartners": store.ClosePartners,
		"DefaultTarget": engine.DefaultTarget, "DescribeInstall": engine.DescribeInstall, "EntryStem": store.EntryStem,
		"FormatAndLeaf": formats.FormatAndLeaf, "FormatByName": formats.ByName, "FormatOfMap": formats.OfMap,
		"FormatsByExtension": formats.ByExtension, "InterchangeByExtension": interchange.ByExtension, "IsSidecar": interchange.IsSidecar,
		"KindOf": interchange.KindOf, "Lower": engine.Lower, "LowerOnto": engine.LowerOnto, "NativeOf": interchange.NativeOf, "Nearest": schema.Nearest, "NearestWithin": schema.NearestWithin,
		"NewFiles": find.NewFiles, "NewInput": formats.NewInput, "OpenAny": store.OpenAny, "OpenArchive": store.OpenArchive,
		"OpenArchiveAt": store.OpenArchiveAt, "OpenArchiveOutput": store.OpenArchiveOutput, "OpenPartners": engine.OpenPartners,
		"OriginalOf": interchange.OriginalOf, "ParseOperand": engine.ParseOperand, "ParseTarget": engine.ParseTarget, "PictureFace": interchange.PictureFace,
		"PictureFrame": interchange.PictureFrame, "PictureStem": interchange.PictureStem, "PlainError": disk.PlainError, "Plan": store.Plan,
		"PlanArchive": store.PlanArchive, "PrepareFiles": store.PrepareFiles, "ProbeInput": formats.ProbeInput, "Recognise": interchange.Recognise,
		"Recognised": interchange.Recognised, "SafeName": disk.SafeName, "SafePath": disk.SafePath, "ShownAs": engine.ShownAs, "Sniff": formats.Sniff,
		"SniffFile": interchange.SniffFile, "Stem": formats.Stem, "Unknown": interchange.Unknown, "Unread": find.Unread,
		"VagueExtension": formats.VagueExtension, "WriteArchive": store.WriteArchive, "WriteFiles": store.WriteFiles,
	},
	"convert/exchange/csv": {
		"Decode": csv.Decode, "Text": csv.Text,
	},
	"convert/exchange/gltf": {
		"Beside": gltf.Beside, "Decode": gltf.Decode, "DecodeAt": gltf.DecodeAt, "DecodeOnto": gltf.DecodeOnto, "Encode": gltf.Encode,
		"EncodeFiles": gltf.EncodeFiles,
	},
	"convert/exchange/json": {
		"Append": json.Append, "Decode": json.Decode, "DecodeDocument": json.DecodeDocument, "DecodeDocumentIn": json.DecodeDocumentIn, "Encode": json.Encode,
		"EncodeDocument": json.EncodeDocument, "EncodeDocumentIn": json.EncodeDocumentIn,
		"Schema": json.Schema, "Sniff": json.Sniff,
	},
	"convert/exchange/mp3": {
		"Decoded": mp3.Decoded,
	},
	"convert/exchange/png": {
		"Check": png.Check, "Decode": png.Decode, "DecodeAnimated": png.DecodeAnimated, "Encode": png.Encode, "EncodeAnimated": png.EncodeAnimated,
		"Header": png.Header, "Image": png.Image, "IsAnimated": png.IsAnimated, "Report": png.Report,
	},
	"convert/exchange/codepage": {
		"Find": codepage.Find, "Len": codepage.Len, "Names": codepage.Names,
	},
	"convert/exchange/po": {
		"Decode": po.Decode, "Encode": po.Encode,
	},
	"convert/exchange/wav": {
		"CodecName": wav.CodecName, "Decode": wav.Decode, "Decoded": wav.Decoded, "Encode": wav.Encode, "Frames": wav.Frames, "MPEG1Like": wav.MPEG1Like,
		"Match": wav.Match, "Missing": wav.Missing, "Stream": wav.Stream,
	},
}

// TestFunctionsAreListed holds that functions has all of its packages.
func TestFunctionsAreListed(t *testing.T) {
	for name, known := range functions {
		lines, err := exported(filepath.Join(corpus.Root(t), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			rest, ok := strings.CutPrefix(line, "func ")
			f := rest[:max(0, strings.IndexAny(rest+"(", "([ "))]
			if ok && token.IsExported(f) && known[f] == nil {
				t.Errorf("%s.%s is not among the functions that are called with nothing", name, f)
			}
		}
	}
}

// nothing returns values of a type that nobody filled, or that are out of reach.
func nothing(t reflect.Type) (list []reflect.Value) {
	zero := reflect.Zero(t)
	switch t.Kind() {
	case reflect.Pointer:
		if t == reflect.TypeFor[*disk.Folder]() { // which nobody makes but its package
			return []reflect.Value{zero}
		}
		return []reflect.Value{zero, reflect.New(t.Elem())}
	case reflect.Slice:
		list = []reflect.Value{zero, reflect.MakeSlice(t, 0, 0), reflect.MakeSlice(t, 1, 1)}
		if t.Elem().Kind() == reflect.Uint8 {
			list = append(list, reflect.ValueOf(bytes.Repeat([]byte{0xFF}, 200)).Convert(t), reflect.MakeSlice(t, 4096, 4096))
		}
		return list
	case reflect.Map:
		return []reflect.Value{zero, reflect.MakeMap(t)}
	case reflect.String:
		return []reflect.Value{zero, reflect.ValueOf("\x00../:").Convert(t)}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if t.Bits() < 32 {
			return []reflect.Value{zero, reflect.ValueOf(-1).Convert(t), reflect.ValueOf(math.MaxInt8).Convert(t)}
		}
		return []reflect.Value{zero, reflect.ValueOf(-1).Convert(t), reflect.ValueOf(1).Convert(t), reflect.ValueOf(1 << 20).Convert(t)}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return []reflect.Value{zero, reflect.ValueOf(-1).Convert(t)}
	case reflect.Interface:
		if t == reflect.TypeFor[io.Reader]() || t == reflect.TypeFor[io.Writer]() { // as in the standard library
			return strangersOf(t)
		}
		return append([]reflect.Value{zero}, strangersOf(t)...)
	}
	return []reflect.Value{zero}
}

// strangersOf returns values of an interface: assets, readers and writers, and pointers that are nil.
func strangersOf(t reflect.Type) (list []reflect.Value) {
	some := []any{bytes.NewReader(nil), bytes.NewReader(make([]byte, 100)), io.Discard, errors.New("error"), t.Name()}
	for _, a := range nobodysAssets() {
		some = append(some, a)
	}
	some = append(some, noValues()...)
	for _, x := range some {
		if v := reflect.ValueOf(x); v.IsValid() && v.Type().Implements(t) {
			list = append(list, v)
		}
	}
	return list
}

// TestNothingPanicsInFunctions calls functions with every mixture of nothing and of what nobody filled.
func TestNothingPanicsInFunctions(t *testing.T) {
	t.Chdir(t.TempDir())
	c := &calls{t: t}
	for name, list := range functions {
		for f, x := range list {
			c.mixtures(name+"."+f, reflect.ValueOf(x))
		}
	}
	t.Logf("%d calls", c.made)
}

// mixtures calls a function with every mixture of arguments that nobody filled.
func (c *calls) mixtures(name string, f reflect.Value) {
	t := f.Type()
	of := make([][]reflect.Value, t.NumIn())
	for i := range of {
		of[i] = nothing(t.In(i))
	}
	for at := make([]int, len(of)); ; {
		args := make([]reflect.Value, len(of))
		said := ""
		for i, k := range at {
			args[i] = of[i][k]
			said += fmt.Sprintf(" %s %d,", args[i].Type(), k)
		}
		c.try(name+"("+strings.Trim(said, " ,")+")", func() {
			if t.IsVariadic() {
				f.CallSlice(args)
				return
			}
			f.Call(args)
		})
		i := 0
		for ; i < len(at); i++ {
			if at[i]++; at[i] < len(of[i]) {
				break
			}
			at[i] = 0
		}
		if i == len(at) {
			return
		}
	}
}
