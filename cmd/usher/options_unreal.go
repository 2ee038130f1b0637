package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/unreal"
)

func unrealFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "mips", Usage: "take the `LIST` comp or base of Unreal textures that have two", DefaultText: "the larger one"},
		&cli.StringFlag{Name: "resize", Usage: "`pow2` scales pictures whose sides must be powers of two and are not"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-guid", Usage: "leave the identity of an edited Unreal package as it is"},
		&cli.IntFlag{Name: "package-version", Usage: "the `VERSION` of a new Unreal package, 60 to 69", DefaultText: "69"},
	}
}

func readUnreal(c *cli.Context, o *format.Options) error {
	o.Unreal = format.UnrealOptions{
		KeepGUID:       c.Bool("keep-guid"),
		PackageVersion: c.Int("package-version"),
		Mips:           c.String("mips"),
		Resize:         c.String("resize"),
	}
	own := &o.Unreal
	if word := c.String("encoding"); slices.Contains(unrealEncodings, word) {
		own.TextureEncoding = word
	}
	if own.Mips != "" && own.Mips != "comp" && own.Mips != "base" {
		return usagef("--mips wants comp or base, not %q", own.Mips)
	}
	if own.Resize != "" && own.Resize != "pow2" {
		return usagef("--resize wants pow2, not %q", own.Resize)
	}
	if v := own.PackageVersion; c.IsSet("package-version") && (v < unreal.MinVersion || v > unreal.MaxVersion) {
		return usagef("--package-version wants %d to %d, not %d", unreal.MinVersion, unreal.MaxVersion, v)
	}
	return nil
}
