package main

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/media"
)

// section is what a user can ask of conversions below one heading of the help.
type section struct {
	title string
	flags func() []cli.Flag
	read  func(c *cli.Context, o *format.Options) error // takes them over, and refuses values that they cannot have
}

// sections are in the order of the help, in which they are read as well: what is common first, then each family's own.
var sections = []section{
	{"Other files", fileFlags, readFiles},
	{"Models and animations", modelFlags, readModels},
	{"Textures", pictureFlags, readPictures},
	{"Sounds", soundFlags, readSounds},
	{"Freelancer", freelancerFlags, readFreelancer},
	{"Ultimate 3D", ultimate3dFlags, readUltimate3D},
	{"Unreal", unrealFlags, readUnreal},
	{"Ultima IX", ultima9Flags, readUltima9},
}

// optionFlags are the flags of format.Options.
func optionFlags() (all []cli.Flag) {
	for _, s := range sections {
		all = append(all, s.flags()...)
	}
	return all
}

// options returns what the flags ask for.
func options(c *cli.Context) (o format.Options, err error) {
	for _, s := range sections {
		if err := s.read(c, &o); err != nil {
			return o, err
		}
	}
	return o, nil
}

func fileFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "with", Usage: "look for meshes, materials and textures in this `FILE` or folder as well; may be repeated"},
		&cli.StringSliceFlag{Name: "install", Usage: "look for files in the game's `FOLDER` and the folders in it; may be repeated"},
		&cli.StringFlag{Name: "textures", Usage: "take textures from this `ARCHIVE` or folder"},
		&cli.StringSliceFlag{Name: "texture-dir", Usage: "look for textures in `FOLDER` as well; may be repeated"},
		&cli.StringFlag{Name: "model", Usage: "the `FILE` or ARCHIVE:ENTRY of the model that an animation moves"},
	}
}

func readFiles(c *cli.Context, o *format.Options) error {
	o.With, o.Install, o.Textures, o.Model = c.StringSlice("with"), c.StringSlice("install"), c.String("textures"), c.String("model")
	for _, path := range o.With {
		if _, err := os.Stat(path); err != nil {
			return usagef("--with: there is no %s", path)
		}
	}
	return nil
}

func modelFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "levels", Usage: "the `LEVELS` of detail that a GLB or a picture shows: 0, the best, or all, the others below their parts; the way back needs neither", DefaultText: "0"},
		&cli.StringSliceFlag{Name: "show", Usage: "what else a GLB or a picture shows: a `LIST` of wires, hulls, mounts, hardpoints; all or none", DefaultText: "hardpoints"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "instances", Usage: "write nodes that show one mesh as instances (EXT_mesh_gpu_instancing): for three.js, say; Blender 3.4 refuses them"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "slim", Usage: "write GLBs for the web: small, with nothing that only usher reads, and no way back"},
		&cli.StringSliceFlag{Name: "lod-distance", Usage: "`DISTANCE` from which the next lower level of detail is used; may be repeated"},
		&cli.StringFlag{Name: "animation", Usage: "take the animation of that `NAME` where the target holds only one"},
	}
}

// showable are the values of --show.
var showable = []string{"wires", "hulls", "mounts", "hardpoints", "all", "none"}

func readModels(c *cli.Context, o *format.Options) error {
	o.Animation = c.String("animation")
	o.GLTF = format.GLTFOptions{Levels: c.String("levels"), Instances: c.Bool("instances"), Slim: c.Bool("slim")}
	switch o.GLTF.Levels {
	case "", "all":
	case "0":
		o.GLTF.Levels = ""
	default:
		return usagef("--levels wants 0 or all, not %q", o.GLTF.Levels)
	}
	for _, list := range c.StringSlice("show") {
		for _, name := range strings.Split(list, ",") {
			if name = strings.TrimSpace(name); !slices.Contains(showable, name) {
				return usagef("--show wants some of %s, not %q", strings.Join(showable, ", "), name)
			}
			o.GLTF.Show = append(o.GLTF.Show, name)
		}
	}
	for _, text := range c.StringSlice("lod-distance") {
		d, err := strconv.ParseFloat(text, 64)
		if err != nil || !(d >= 0 && d <= math.MaxFloat32) {
			return usagef("--lod-distance wants a number from 0 on, not %q", text)
		}
		o.LODDistances = append(o.LODDistances, d)
	}
	return nil
}

func pictureFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{DisableDefaultText: true, Name: "sheet", Usage: "put all frames of a texture into one picture; --to apng makes an animation of them"},
		&cli.StringFlag{Name: "encoding", Usage: "encode new and edited sounds as `CODEC` pcm, eaxa, microtalk or mp3; Freelancer's pictures as dxt1, dxt3, dxt5, rgba or tga; Unreal's as p8, or bc1 or bc3 as well"},
		&cli.StringFlag{Name: "quality", Usage: "encode textures of compressed kinds with this `QUALITY`: fast, or best, which takes several times as long", DefaultText: "fast"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "dither", Usage: "spread the errors of pictures that have to do with 256 colours"},
	}
}

// encodings are the values of --encoding: of sounds, then of pictures, then those of Unreal's textures, which have a field
// of their own.
var (
	encodings       = []string{"pcm", "eaxa", "microtalk", "mp3", "dxt1", "dxt3", "dxt5", "rgba", "tga"}
	unrealEncodings = []string{"p8", "bc1", "bc3"}
)

func readPictures(c *cli.Context, o *format.Options) error {
	o.Sheet, o.Dither = c.Bool("sheet"), c.Bool("dither")
	switch word, all := c.String("encoding"), slices.Concat(encodings, unrealEncodings); {
	case word == "" || slices.Contains(encodings, word):
		o.Encoding = word
	case !slices.Contains(all, word):
		return usagef("--encoding wants one of %s, not %q", strings.Join(all, ", "), word)
	}
	switch quality := c.String("quality"); quality {
	case "", "fast":
	case "best":
		o.Effort = media.Best
	default:
		return usagef("--quality wants fast or best, not %q", quality)
	}
	return nil
}

func soundFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "bit-rate", Usage: "`BITS` a second of codecs that have a choice", DefaultText: "the codec's"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "strict", Usage: "refuse sounds that the game does not play instead of converting them"},
	}
}

func readSounds(c *cli.Context, o *format.Options) error {
	o.BitRate, o.Strict = c.Int("bit-rate"), c.Bool("strict")
	o.Samples = strings.EqualFold(strings.TrimPrefix(c.String("to"), "."), "wav")
	if o.BitRate < 0 {
		return usagef("--bit-rate wants a positive number")
	}
	return nil
}
