package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/format"
)

func ultimate3dFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Float64Flag{Name: "fps", Usage: "`FRAMES` a second of formats that store frame numbers only (u3d: 30)", DefaultText: "the format's"},
		&cli.StringSliceFlag{Name: "clip", Usage: "cut the animation: `NAME=FIRST-LAST` in frames; may be repeated"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "embed", Usage: "put textures into the model file"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-nodes", Usage: "keep nodes that neither animation nor skin needs"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "bake-skin", Usage: "bake a skin into frames where the target cannot have both"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "u3d-ambient-first", Usage: "read u3d material colours as the published text has them"},
	}
}

func readUltimate3D(c *cli.Context, o *format.Options) error {
	o.Ultimate3D = format.Ultimate3DOptions{
		FPS:          c.Float64("fps"),
		Embed:        c.Bool("embed"),
		KeepNodes:    c.Bool("keep-nodes"),
		BakeSkin:     c.Bool("bake-skin"),
		AmbientFirst: c.Bool("u3d-ambient-first"),
	}
	own := &o.Ultimate3D
	if c.IsSet("fps") && !(own.FPS > 0 && own.FPS <= math.MaxFloat32) {
		return usagef("--fps wants a positive number")
	}
	for _, text := range c.StringSlice("clip") {
		clip, err := parseClip(text)
		if err != nil {
			return err
		}
		own.Clips = append(own.Clips, clip)
	}
	return nil
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
