package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/work/compare"
)

func textCommand() *cli.Command {
	return &cli.Command{
		Name:      "text",
		Usage:     "print what files hold as lines to compare, for git's textconv",
		ArgsUsage: "FILE...",
		Description: "Prints what a file is, its entries with their hashes, and short fields: no paths and no places in the file, so that a\n" +
			"change of one thing is a change of its lines. git shows the difference of two such texts when \"usher git-setup\" has told\n" +
			"it to. What cannot be read has a line that says so; the status is 0 then too, since git would stop otherwise.",
		Flags:  []cli.Flag{fromFlag()},
		Action: runText,
	}
}

func runText(c *cli.Context) error {
	files, err := operands(c)
	if err != nil {
		return err
	}
	l, err := loader(c)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := compare.Text(c.Context, c.App.Writer, &l, file); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// What git hands to an external diff: the path and for each side a file, its hash and its mode; of a renamed file the new
// path, and what git says of it. Of a file that is not merged yet there is the path alone.
const (
	gitUnmerged = 1
	gitPlain    = 7
	gitRenamed  = 9
)

// runGitDiff compares two versions of a file as git's external diff. Its status is 0 whatever it finds: git stops at another.
func runGitDiff(c *cli.Context) error {
	args := c.Args().Slice()
	switch len(args) {
	case gitUnmerged:
		fmt.Fprintf(c.App.Writer, "%s is not merged yet\n", args[0])
		return nil
	case gitPlain, gitRenamed:
	default:
		return usagef("diff --git is for git, which calls it with 7 arguments, or with 9: see \"usher git-setup\"")
	}
	path, old, now := args[0], args[1], args[4]
	if len(args) == gitRenamed {
		fmt.Fprintf(c.App.Writer, "usher diff %s %s\n", path, args[7])
		path = args[7]
	} else {
		fmt.Fprintf(c.App.Writer, "usher diff %s\n", path)
	}
	switch {
	case old == os.DevNull:
		return gitWhole(c, "added", path, now)
	case now == os.DevNull:
		return gitWhole(c, "removed", path, old)
	}
	for _, w := range []io.Writer{c.App.Writer, c.App.ErrWriter} {
		if o, ok := w.(*output); ok {
			o.call(old, path)
			o.call(now, path)
		}
	}
	err := diff(c, old, now)
	if t := (troubleError{}); errors.As(err, &t) {
		err = t.error
	}
	if c.Context.Err() == nil && err != nil && !errors.Is(err, errDifferent) {
		fmt.Fprintln(c.App.Writer, "cannot be compared")
		if !errors.Is(err, errSomeFailed) { // which has been told of
			fmt.Fprintf(c.App.ErrWriter, "usher: %v\n", err)
		}
	}
	return nil
}

// gitWhole prints a file that is on one side alone, with its entries.
func gitWhole(c *cli.Context, word, path, file string) error {
	l, err := loader(c)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s %s\n", word, path)
	return compare.Text(c.Context, c.App.Writer, &l, file)
}

func gitSetupCommand() *cli.Command {
	return &cli.Command{
		Name:      "git-setup",
		Usage:     "make git show differences of these files in a repository",
		ArgsUsage: "[FOLDER]",
		Description: "Writes a part of .gitattributes, between two lines that say whose it is, and sets diff.usher.command and\n" +
			"diff.usher.textconv in the configuration of the repository that FOLDER, or the current folder, is in. The rest of both\n" +
			"stays. Others who clone the repository run it once, too: git does not take commands from a repository.\n\n" +
			"\"git diff\" then shows changes in their own terms; \"git log -p\" and \"git show\" compare the texts of \"usher text\", and\n" +
			"with --ext-diff show the same as \"git diff\".",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{DisableDefaultText: true, Name: "dry-run", Usage: "print what would be written"},
			&cli.BoolFlag{DisableDefaultText: true, Name: "remove", Usage: "take both out again"},
		}, volumeFlags()),
		Action: runGitSetup,
	}
}

// The lines around what git-setup writes.
const (
	attributesBegin = "# usher git-setup: begin"
	attributesEnd   = "# usher git-setup: end"
)

func runGitSetup(c *cli.Context) error {
	if c.NArg() > 1 {
		return usagef("git-setup takes one folder")
	}
	folder := "."
	if c.NArg() == 1 {
		folder = c.Args().First()
	}
	root, err := git(c.Context, folder, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	file := filepath.Join(root, ".gitattributes")
	was, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", file, disk.PlainError(err))
	}
	now := withAttributes(string(was), c.Bool("remove"))
	program := gitProgram()
	if c.Bool("dry-run") {
		fmt.Fprint(c.App.Writer, now)
		return nil
	}
	if now != string(was) {
		if err := writeAttributes(root, now); err != nil {
			return err
		}
	}
	if err := gitConfigure(c.Context, root, program, c.Bool("remove")); err != nil {
		return err
	}
	if !c.Bool("quiet") {
		fmt.Fprintf(c.App.ErrWriter, "%s: git shows differences of %d kinds of files\n", file, len(gitExtensions))
	}
	return nil
}

func writeAttributes(root, text string) error {
	folder, err := disk.Open(root, true)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Write(".gitattributes", []byte(text))
}

// gitConfigure sets or removes what git is to run.
func gitConfigure(ctx context.Context, root, program string, remove bool) error {
	for key, verb := range map[string]string{"diff.usher.command": "diff --git", "diff.usher.textconv": "text"} {
		args := []string{"config", key, program + " " + verb}
		if remove {
			args = []string{"config", "--unset-all", key}
		}
		if _, err := git(ctx, root, args...); err != nil && !remove {
			return err
		}
	}
	return nil
}

// git runs git in a folder, and returns what it prints.
func git(ctx context.Context, folder string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", folder}, args...)...)
	var told strings.Builder
	cmd.Stderr = &told
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("git is not installed, or not in PATH")
	}
	if err != nil {
		return "", fmt.Errorf("%s: git: %s", folder, strings.TrimSpace(told.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// gitProgram is how git calls this program: by its name where that finds it, else by its path.
func gitProgram() string {
	own, err := os.Executable()
	if err != nil {
		return "usher"
	}
	if found, err := exec.LookPath("usher"); err == nil && sameFile(found, own) {
		return "usher"
	}
	return "'" + strings.ReplaceAll(filepath.ToSlash(own), "'", `'\''`) + "'"
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// gitExtensions are those of the files of games that people keep in repositories. Other files have some of the extensions
// that usher knows, too.
var gitExtensions = strings.Fields(".3db .ale .anm .cmp .dfm .flx .mat .psa .psk .sph .sur .txm .u .u3d .uax .umod .umx .unr .utf .utx .uz .vms")

// anyCase is a pattern for an extension in small and capital letters.
func anyCase(ext string) string {
	var b strings.Builder
	for _, r := range ext {
		if small, large := strings.ToLower(string(r)), strings.ToUpper(string(r)); small != large {
			b.WriteString("[" + small + large + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// withAttributes returns the text of .gitattributes with the part of usher put in, renewed or removed.
func withAttributes(was string, remove bool) string {
	before, after := was, ""
	if i := strings.Index(was, attributesBegin+"\n"); i >= 0 {
		if _, rest, ok := strings.Cut(was[i:], attributesEnd+"\n"); ok {
			before, after = was[:i], rest
		}
	}
	if remove {
		return before + after
	}
	var b strings.Builder
	b.WriteString(before)
	if before != "" && !strings.HasSuffix(before, "\n") {
		b.WriteString("\n")
	}
	b.WriteString(attributesBegin + "\n")
	for _, ext := range gitExtensions {
		b.WriteString("*" + anyCase(ext) + " -text -merge diff=usher\n")
	}
	b.WriteString(attributesEnd + "\n" + after)
	return b.String()
}
