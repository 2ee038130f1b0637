package main

import (
	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/format"
)

func namesFlag() cli.Flag {
	return &cli.StringFlag{Name: "names", Usage: "take the names of hashed entries, such as a voice bank's, from `FILE`: one a line, an INI file of the game's voices, or the game's folder"}
}

func freelancerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "texture-rows", Usage: "the `ORDER` of the rows of a model's pictures: upright, or stored as LancerEdit has them (Freelancer)", DefaultText: "upright"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "wireframe", Usage: "make wireframes for parts that have none, of their edges (Freelancer)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "hulls", Usage: "make collision hulls for parts that have none, of their shapes (Freelancer: a .sur file)"},
		&cli.StringFlag{Name: "hardpoints-from", Usage: "give models the hardpoints of this `FILE`: those of another model, or of a table (.csv), beside their own; with --prune a table is all that there are (Freelancer)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "mat", Usage: "put the materials and textures of models into a .mat file of the same name beside them (Freelancer)"},
		&cli.StringFlag{Name: "shared", Usage: "where edited materials and textures go that lie in a library of several models, `PLACE` there or copy: there leaves them to it, and --base LIBRARY puts them into a copy of it; copy gives the model some of its own (Freelancer)"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "ini", Usage: "write the INI records of a new ship into an .ini file of the same name beside the model: for shiparch, loadouts, goods, a dealer (Freelancer)"},
		&cli.StringFlag{Name: "for", Usage: "arrange models as this `EDITOR` reads them: lanceredit (Freelancer)"},
		namesFlag(),
	}
}

func readFreelancer(c *cli.Context, o *format.Options) error {
	o.Freelancer = format.FreelancerOptions{
		TextureRows:    c.String("texture-rows"),
		Wireframe:      c.Bool("wireframe"),
		Hulls:          c.Bool("hulls"),
		HardpointsFrom: c.String("hardpoints-from"),
		MaterialsApart: c.Bool("mat"),
		Records:        c.Bool("ini"),
		For:            c.String("for"),
		Shared:         c.String("shared"),
		Names:          c.String("names"),
	}
	own := &o.Freelancer
	switch own.For {
	case "":
	case "lanceredit":
		if !c.IsSet("texture-rows") {
			own.TextureRows = "stored"
		}
		if !c.IsSet("show") { // it reads hulls and wireframes as well
			o.GLTF.Show = []string{"hardpoints", "hulls", "wires"}
		}
	default:
		return usagef("--for wants lanceredit, not %q", own.For)
	}
	if own.Shared != "" && own.Shared != format.SharedThere && own.Shared != format.SharedCopy {
		return usagef("--shared wants %s or %s, not %q", format.SharedThere, format.SharedCopy, own.Shared)
	}
	switch own.TextureRows {
	case "", "stored":
	case "upright":
		own.TextureRows = ""
	default:
		return usagef("--texture-rows wants upright or stored, not %q", own.TextureRows)
	}
	return nil
}
