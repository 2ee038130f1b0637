package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert"
	"github.com/usher-assets/usher/convert/batch"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/media"
	"github.com/usher-assets/usher/schema/ultima9"
	"github.com/usher-assets/usher/schema/unreal"
)

func fromFlag() cli.Flag {
	return &cli.StringFlag{Name: "from", Usage: "read the input as `FORMAT` instead of recognising it; see \"usher formats\""}
}

func namesFlag() cli.Flag {
	return &cli.StringFlag{Name: "names", Usage: "take the names of hashed entries, such as a voice bank's, from `FILE`: one a line"}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{DisableDefaultText: true, Name: "json", Usage: "print JSON, one object a line"}
}

func outputFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: usage}
}

// volumeFlags say how much is printed.
func volumeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{DisableDefaultText: true, Name: "quiet", Aliases: []string{"q"}, Usage: "print errors only"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "verbose", Aliases: []string{"v"}, Usage: "print a line for every asset, and notes"},
	}
}

// batchFlags say how a batch runs.
func batchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "include", Usage: "only files or entries that match `PATTERN` (with ** for folders)"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "not those that match `PATTERN`"},
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "do `N` assets at the same time", DefaultText: "one a core"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "fail-fast", Usage: "stop at the first failure"},
		progressFlag(),
	}
}

// writeFlags say what may happen to files.
func writeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{DisableDefaultText: true, Name: "force", Usage: "overwrite existing files"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "dry-run", Usage: "do everything but write"},
	}
}

// filterFlags select by what files and entries are.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "kind", Usage: "only files or entries of this `KIND`: " + strings.Join(kindWords(), ", ") + "; several with commas"},
		&cli.StringSliceFlag{Name: "format", Usage: "only those of this `FORMAT`; several with commas; see \"usher formats\""},
	}
}

// kindWords are what --kind takes.
func kindWords() []string {
	var words []string
	for k := format.Model; k < format.Raw; k++ {
		words = append(words, k.String())
	}
	return words
}

// commaSeparated returns the values of a flag that takes several at once.
func commaSeparated(c *cli.Context, name string) []string {
	var all []string
	for _, text := range c.StringSlice(name) {
		all = append(all, strings.Split(strings.ToLower(text), ",")...)
	}
	return all
}

// selection is what the flags select. checkFlags has refused what is wrong with them.
func selection(c *cli.Context) batch.Selection {
	s := batch.Selection{Include: c.StringSlice("include"), Exclude: c.StringSlice("exclude"), Formats: commaSeparated(c, "format")}
	for _, word := range commaSeparated(c, "kind") {
		if i := slices.Index(kindWords(), strings.TrimSuffix(word, "s")); i >= 0 {
			s.Kinds = append(s.Kinds, format.Kind(i))
		}
	}
	return s
}

// checkFlags refuses values that no verb takes, wherever they come from: the command line or the environment.
func checkFlags(c *cli.Context) error {
	if err := checkNumbers(c); err != nil {
		return err
	}
	if out := c.String("output"); runtime.GOOS == "windows" && out != "" {
		if err := convert.CheckWindowsName(out); err != nil {
			return usagef("%v", err)
		}
	}
	for _, word := range commaSeparated(c, "kind") {
		if !slices.Contains(kindWords(), strings.TrimSuffix(word, "s")) {
			return usagef("--kind wants one of %s, not %q%s", strings.Join(kindWords(), ", "), word, meant(word, kindWords()))
		}
	}
	for _, word := range commaSeparated(c, "format") {
		if !slices.Contains(targetWords(), word) {
			return usagef("unknown format %q%s; \"usher formats\" lists them", word, meant(word, targetWords()))
		}
	}
	if word := c.String("progress"); word != "" && !slices.Contains(progressWords, word) {
		return usagef("--progress wants one of %s, not %q", strings.Join(progressWords, ", "), word)
	}
	return nil
}

var progressWords = []string{"auto", "plain", "none"}

// meant asks whether the nearest of some words was meant; it is empty where none is near.
func meant(word string, words []string) string {
	if better := convert.Nearest(word, slices.Values(words)); better != "" {
		return fmt.Sprintf("; did you mean %s?", better)
	}
	return ""
}

func session(c *cli.Context) batch.Session {
	collectGarbageAbove(40) // batches allocate little but pictures: half the memory for some per cent of time
	return batch.Session{Workers: c.Int("jobs"), FailFast: c.Bool("fail-fast")}
}

// fromFormat returns the format that --from names, or nil.
func fromFormat(c *cli.Context) (*format.Format, error) {
	name := c.String("from")
	if name == "" {
		return nil, nil
	}
	f := convert.FormatByName(strings.TrimPrefix(name, "."))
	if f == nil {
		return nil, usagef("unknown format %q%s; \"usher formats\" lists them", name, meant(name, formatWords()))
	}
	return f, nil
}

// optionFlags are the flags of format.Options.
func optionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Float64Flag{Name: "fps", Usage: "`FRAMES` a second of formats that store frame numbers only (u3d: 30)", DefaultText: "the format's"},
		&cli.StringSliceFlag{Name: "clip", Usage: "cut the animation: `NAME=FIRST-LAST` in frames; may be repeated"},
		&cli.StringFlag{Name: "animation", Usage: "take the animation of that `NAME` where the target holds only one"},
		&cli.StringSliceFlag{Name: "texture-dir", Usage: "look for textures in `FOLDER` as well; may be repeated"},
		&cli.StringSliceFlag{Name: "lod-distance", Usage: "`DISTANCE` from which the next lower level of detail is used; may be repeated"},
		&cli.StringFlag{Name: "levels", Usage: "the `LEVELS` of detail that a GLB shows: 0, the best, or all, the others below their parts; the way back needs neither", DefaultText: "0"},
		&cli.StringSliceFlag{Name: "show", Usage: "what else a GLB shows: a `LIST` of wires, hulls, mounts, hardpoints; all or none", DefaultText: "hardpoints"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "instances", Usage: "write nodes that show one mesh as instances (EXT_mesh_gpu_instancing): for three.js, say; Blender 3.4 refuses them"},
		&cli.StringFlag{Name: "textures", Usage: "take textures from this `ARCHIVE` or folder"},
		&cli.StringSliceFlag{Name: "with", Usage: "look for meshes, materials and textures in this `FILE` or folder as well; may be repeated"},
		&cli.StringFlag{Name: "texture-rows", Usage: "the `ORDER` of the rows of a model's pictures: upright, or stored as LancerEdit has them (Freelancer)", DefaultText: "upright"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "wireframe", Usage: "make wireframes for parts that have none, of their edges (Freelancer)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "hulls", Usage: "make collision hulls for parts that have none, of their shapes (Freelancer: a .sur file)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "mat", Usage: "put the materials and textures of models into a .mat file of the same name beside them (Freelancer)"},
		&cli.StringFlag{Name: "for", Usage: "arrange models as this `EDITOR` reads them: lanceredit (Freelancer)"},
		&cli.StringFlag{Name: "hardpoints-from", Usage: "give models the hardpoints of this `FILE`: those of another model beside their own, or all that a table (.csv) has (Freelancer)"},
		&cli.StringSliceFlag{Name: "install", Usage: "look for files in the game's `FOLDER` and the folders in it; may be repeated"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "region", Usage: "show a map whole: its ground and all of its objects"},
		&cli.StringFlag{Name: "box", Usage: "of a map only what lies in `X0,Y0,X1,Y1`: metres from the west and the south (Ultima IX); what comes back changes only that part"},
		&cli.StringFlag{Name: "squares", Usage: "the same in squares of the map, as \"info\" counts them: `X0,Y0,X1,Y1`, the last ones included"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "no-ground", Usage: "--region without the ground"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "no-objects", Usage: "--region without the objects"},
		&cli.StringFlag{Name: "encoding", Usage: "encode new and edited sounds as `CODEC` pcm, eaxa, microtalk or mp3; Freelancer's pictures as dxt1, dxt3, dxt5, rgba or tga; Unreal's as p8, or bc1 or bc3 as well"},
		&cli.StringFlag{Name: "quality", Usage: "encode textures of compressed kinds with this `QUALITY`: fast, or best, which takes several times as long", DefaultText: "fast"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "all-depths", Usage: "write an edited texture into the archives that hold it in other pixels as well, with their sdInfo (Ultima IX: bitmap16, bitmapsh, bitmapC)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "sheet", Usage: "put all frames of a texture into one picture; --to apng makes an animation of them"},
		&cli.StringFlag{Name: "mips", Usage: "take the `LIST` comp or base of Unreal textures that have two", DefaultText: "the larger one"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "dither", Usage: "spread the errors of pictures that have to do with 256 colours"},
		&cli.StringFlag{Name: "resize", Usage: "`pow2` scales pictures whose sides must be powers of two and are not"},
		namesFlag(),
		&cli.BoolFlag{DisableDefaultText: true, Name: "strict", Usage: "refuse sounds that the game does not play instead of converting them"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-rate", Usage: "an edited sound keeps its rate, instead of taking over that of the one whose place it takes (Ultima IX)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-channels", Usage: "an edited sound stays stereo or mono as it is (Ultima IX)"},
		&cli.IntFlag{Name: "bit-rate", Usage: "`BITS` a second of codecs that have a choice", DefaultText: "the codec's"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-guid", Usage: "leave the identity of an edited Unreal package as it is"},
		&cli.IntFlag{Name: "package-version", Usage: "the `VERSION` of a new Unreal package, 60 to 69", DefaultText: "69"},
		&cli.StringFlag{Name: "model", Usage: "the `FILE` or ARCHIVE:ENTRY of the model that an animation moves"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "embed", Usage: "put textures into the model file"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-nodes", Usage: "keep nodes that neither animation nor skin needs"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "bake-skin", Usage: "bake a skin into frames where the target cannot have both"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "u3d-ambient-first", Usage: "read u3d material colours as the published text has them"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "u3d-literal-keys", Usage: "write u3d bones as the published text has them"},
	}
}

// showable are the values of --show.
var showable = []string{"wires", "hulls", "mounts", "hardpoints", "all", "none"}

// encodings are the values of --encoding: of sounds, then of pictures.
var encodings = []string{"pcm", "eaxa", "microtalk", "mp3", "dxt1", "dxt3", "dxt5", "rgba", "tga"}

func options(c *cli.Context) (format.Options, error) {
	o := format.Options{
		FPS:             c.Float64("fps"),
		Animation:       c.String("animation"),
		Textures:        c.String("textures"),
		Levels:          c.String("levels"),
		Instances:       c.Bool("instances"),
		With:            c.StringSlice("with"),
		Install:         c.StringSlice("install"),
		Region:          c.Bool("region"),
		NoGround:        c.Bool("no-ground"),
		NoObjects:       c.Bool("no-objects"),
		KeepGUID:        c.Bool("keep-guid"),
		PackageVersion:  c.Int("package-version"),
		Encoding:        c.String("encoding"),
		Mips:            c.String("mips"),
		AllDepths:       c.Bool("all-depths"),
		Sheet:           c.Bool("sheet"),
		Dither:          c.Bool("dither"),
		Resize:          c.String("resize"),
		BitRate:         c.Int("bit-rate"),
		Strict:          c.Bool("strict"),
		KeepRate:        c.Bool("keep-rate"),
		KeepChannels:    c.Bool("keep-channels"),
		Model:           c.String("model"),
		Embed:           c.Bool("embed"),
		Names:           c.String("names"),
		TextureRows:     c.String("texture-rows"),
		Wireframe:       c.Bool("wireframe"),
		Hulls:           c.Bool("hulls"),
		HardpointsFrom:  c.String("hardpoints-from"),
		MaterialsApart:  c.Bool("mat"),
		For:             c.String("for"),
		Samples:         strings.EqualFold(strings.TrimPrefix(c.String("to"), "."), "wav"),
		KeepNodes:       c.Bool("keep-nodes"),
		BakeSkin:        c.Bool("bake-skin"),
		U3DAmbientFirst: c.Bool("u3d-ambient-first"),
		U3DLiteralKeys:  c.Bool("u3d-literal-keys"),
	}
	if slices.Contains([]string{"p8", "bc1", "bc3"}, o.Encoding) {
		o.Encoding, o.TextureEncoding = "", o.Encoding
	}
	if o.Encoding != "" && !slices.Contains(encodings, o.Encoding) {
		return o, usagef("--encoding wants one of %s, p8, bc1, bc3, not %q", strings.Join(encodings, ", "), o.Encoding)
	}
	switch quality := c.String("quality"); quality {
	case "", "fast":
	case "best":
		o.Effort = media.Best
	default:
		return o, usagef("--quality wants fast or best, not %q", quality)
	}
	switch o.Levels {
	case "", "all":
	case "0":
		o.Levels = ""
	default:
		return o, usagef("--levels wants 0 or all, not %q", o.Levels)
	}
	for _, list := range c.StringSlice("show") {
		for _, name := range strings.Split(list, ",") {
			if name = strings.TrimSpace(name); !slices.Contains(showable, name) {
				return o, usagef("--show wants some of %s, not %q", strings.Join(showable, ", "), name)
			}
			o.Show = append(o.Show, name)
		}
	}
	var err error
	if o.Box, err = box(c); err != nil {
		return o, err
	}
	if o.Mips != "" && o.Mips != "comp" && o.Mips != "base" {
		return o, usagef("--mips wants comp or base, not %q", o.Mips)
	}
	if o.Resize != "" && o.Resize != "pow2" {
		return o, usagef("--resize wants pow2, not %q", o.Resize)
	}
	for _, path := range o.With {
		if _, err := os.Stat(path); err != nil {
			return o, usagef("--with: there is no %s", path)
		}
	}
	if v := o.PackageVersion; c.IsSet("package-version") && (v < unreal.MinVersion || v > unreal.MaxVersion) {
		return o, usagef("--package-version wants %d to %d, not %d", unreal.MinVersion, unreal.MaxVersion, v)
	}
	switch o.For {
	case "":
	case "lanceredit":
		if !c.IsSet("texture-rows") {
			o.TextureRows = "stored"
		}
		if !c.IsSet("show") { // it reads hulls and wireframes as well
			o.Show = []string{"hardpoints", "hulls", "wires"}
		}
	default:
		return o, usagef("--for wants lanceredit, not %q", o.For)
	}
	switch o.TextureRows {
	case "", "stored":
	case "upright":
		o.TextureRows = ""
	default:
		return o, usagef("--texture-rows wants upright or stored, not %q", o.TextureRows)
	}
	if o.BitRate < 0 {
		return o, usagef("--bit-rate wants a positive number")
	}
	if c.IsSet("fps") && !(o.FPS > 0 && o.FPS <= math.MaxFloat32) {
		return o, usagef("--fps wants a positive number")
	}
	for _, text := range c.StringSlice("clip") {
		clip, err := parseClip(text)
		if err != nil {
			return o, err
		}
		o.Clips = append(o.Clips, clip)
	}
	for _, text := range c.StringSlice("lod-distance") {
		d, err := strconv.ParseFloat(text, 64)
		if err != nil || !(d >= 0 && d <= math.MaxFloat32) {
			return o, usagef("--lod-distance wants a number from 0 on, not %q", text)
		}
		o.LODDistances = append(o.LODDistances, d)
	}
	return o, nil
}

// box reads the part of a map that is asked for, in metres; nil is all of it.
func box(c *cli.Context) ([]float64, error) {
	name, unit, last := "box", 1., 0.
	if c.IsSet("squares") {
		name, unit, last = "squares", float64(ultima9.SquareSize)/ultima9.RawPerMetre, 1
	}
	if c.IsSet("box") && c.IsSet("squares") {
		return nil, usagef("--box and --squares say the same: one of them will do")
	}
	if !c.IsSet(name) {
		return nil, nil
	}
	var list []float64
	for part := range strings.SplitSeq(c.String(name), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.Abs(v) > 1e6 || len(list) == 4 {
			return nil, usagef("--%s wants X0,Y0,X1,Y1, not %q", name, c.String(name))
		}
		if len(list) >= 2 {
			v += last
		}
		list = append(list, v*unit)
	}
	if len(list) != 4 || list[0] >= list[2] || list[1] >= list[3] {
		return nil, usagef("--%s wants X0,Y0,X1,Y1 with X0 below X1 and Y0 below Y1, not %q", name, c.String(name))
	}
	return list, nil
}

// parseClip reads "name=first-last".
func parseClip(text string) (format.Clip, error) {
	name, frames, ok := strings.Cut(text, "=")
	first, last, ok2 := strings.Cut(frames, "-")
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if !ok || !ok2 || name == "" || err1 != nil || err2 != nil || a < 0 || b < a {
		return format.Clip{}, usagef("--clip wants NAME=FIRST-LAST, not %q", text)
	}
	return format.Clip{Name: name, First: a, Last: b}, nil
}

// loader returns the loader that the flags describe.
func loader(c *cli.Context) (convert.Loader, error) {
	from, err := fromFormat(c)
	if err != nil {
		return convert.Loader{}, err
	}
	o, err := options(c)
	if err != nil {
		return convert.Loader{}, err
	}
	folders := c.StringSlice("texture-dir")
	for _, dir := range c.StringSlice("install") {
		below, err := filepath.Glob(filepath.Join(dir, "*", ""))
		if err != nil || !isFolder(dir) {
			return convert.Loader{}, usagef("--install: %s is no folder", dir)
		}
		folders = append(folders, dir)
		folders = append(folders, slices.DeleteFunc(below, func(p string) bool { return !isFolder(p) })...)
	}
	return convert.Loader{From: from, Options: o, Folders: folders}, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func plural(n int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, one)
	}
	return fmt.Sprintf("%d %s", n, many)
}
