package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/exchange/codepage"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema/ultima9"
)

func ultima9Flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{DisableDefaultText: true, Name: "region", Usage: "show a map whole: its ground and all of its objects"},
		&cli.StringFlag{Name: "box", Usage: "of a map only what lies in `X0,Y0,X1,Y1`: metres from the west and the south (Ultima IX); what comes back changes only that part"},
		&cli.StringFlag{Name: "squares", Usage: "the same in squares of the map, as \"info\" counts them: `X0,Y0,X1,Y1`, the last ones included"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "paint", Usage: "show the ground of a map as three pictures to paint, heights, tiles and holes, instead of one of its heights (Ultima IX)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "no-ground", Usage: "--region without the ground"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "no-objects", Usage: "--region without the objects"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "all-depths", Usage: "write an edited texture into the archives that hold it in other pixels as well, with their sdInfo (Ultima IX: bitmap16, bitmapsh, bitmapC)"},
		codePageFlag(),
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-rate", Usage: "an edited sound keeps its rate, instead of taking over that of the one whose place it takes (Ultima IX)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "keep-channels", Usage: "an edited sound stays stereo or mono as it is (Ultima IX)"},
	}
}

func codePageFlag() cli.Flag {
	return &cli.StringFlag{Name: "codepage", Usage: "show books, names and the diary (Ultima IX) and .int files (Unreal) in code `PAGE` 1250, 1251, 932 or another of Windows, and take them back in it; what is edited remembers it", DefaultText: "1252"}
}

func readUltima9(c *cli.Context, o *format.Options) (err error) {
	o.Ultima9 = format.Ultima9Options{
		Region:       c.Bool("region"),
		Paint:        c.Bool("paint"),
		NoGround:     c.Bool("no-ground"),
		NoObjects:    c.Bool("no-objects"),
		AllDepths:    c.Bool("all-depths"),
		KeepRate:     c.Bool("keep-rate"),
		KeepChannels: c.Bool("keep-channels"),
	}
	if o.CodePage, err = codePage(c); err != nil {
		return err
	}
	o.Ultima9.Box, err = box(c)
	return err
}

// codePage returns the full name of the code page that is asked for, "" for none.
func codePage(c *cli.Context) (string, error) {
	if c.String("codepage") == "" {
		return "", nil
	}
	page, err := codepage.Find(c.String("codepage"))
	if err != nil {
		return "", usagef("--codepage: %v", err)
	}
	return page.Name(), nil
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
