package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/convert/work/batch"
	"github.com/usher-assets/usher/schema"
)

func fromFlag() cli.Flag {
	return &cli.StringFlag{Name: "from", Usage: "read the input as `FORMAT` instead of recognising it; see \"usher formats\""}
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
		quietFlag(),
		&cli.BoolFlag{DisableDefaultText: true, Name: "verbose", Aliases: []string{"v"}, Usage: "print a line for every asset, and notes"},
	}
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{DisableDefaultText: true, Name: "quiet", Aliases: []string{"q"}, Usage: "print errors only"}
}

// batchFlags say how a batch runs.
func batchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "include", Usage: "only files or entries that match `PATTERN` (with ** for folders)"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "not those that match `PATTERN`"},
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "do `N` assets at the same time, on as many cores", DefaultText: "one a core"},
		&cli.BoolFlag{DisableDefaultText: true, Name: "fail-fast", Usage: "stop at the first failure"},
		progressFlag(),
	}
}

// followFlag says what becomes of links.
func followFlag(usage string) cli.Flag {
	return &cli.BoolFlag{DisableDefaultText: true, Name: "follow-links", Usage: usage}
}

// followOut is what the links of a folder may do in a batch.
const followOut = "below a folder, take what symbolic links lead to outside of it as well"

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
	s := batch.Selection{Include: c.StringSlice("include"), Exclude: c.StringSlice("exclude"), Formats: commaSeparated(c, "format"), FollowLinks: c.Bool("follow-links")}
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
		if err := disk.CheckWindowsName(out); err != nil {
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
	if better := schema.Nearest(word, slices.Values(words)); better != "" {
		return fmt.Sprintf("; did you mean %s?", better)
	}
	return ""
}

func session(c *cli.Context) batch.Session {
	collectGarbageAbove(40) // batches allocate little but pictures: half the memory for some per cent of time
	jobs := c.Int("jobs")
	if jobs > 0 && jobs < runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(jobs) // the collection of garbage takes no other core either: others may have been given it
	}
	return batch.Session{Workers: jobs, FailFast: c.Bool("fail-fast")}
}

// fromFormat returns the format that --from names, or nil.
func fromFormat(c *cli.Context) (*format.Format, error) {
	name := c.String("from")
	if name == "" {
		return nil, nil
	}
	f := formats.ByName(strings.TrimPrefix(name, "."))
	if f == nil {
		return nil, usagef("unknown format %q%s; \"usher formats\" lists them", name, meant(name, formatWords()))
	}
	return f, nil
}

// loader returns the loader that the flags describe.
func loader(c *cli.Context) (engine.Loader, error) {
	from, err := fromFormat(c)
	if err != nil {
		return engine.Loader{}, err
	}
	o, err := options(c)
	if err != nil {
		return engine.Loader{}, err
	}
	folders := c.StringSlice("texture-dir")
	for _, dir := range c.StringSlice("install") {
		below, err := filepath.Glob(filepath.Join(dir, "*", ""))
		if err != nil || !isFolder(dir) {
			return engine.Loader{}, usagef("--install: %s is no folder", dir)
		}
		folders = append(folders, dir)
		folders = append(folders, slices.DeleteFunc(below, func(p string) bool { return !isFolder(p) })...)
	}
	return engine.Loader{From: from, Options: o, Folders: folders}, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
