package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/usher-assets/usher/convert/engine/formats"
	"github.com/usher-assets/usher/testdata/corpus"
)

// repository is one for tests, in which git calls the program that is tested.
type repository struct {
	t            *testing.T
	dir, program string
}

// newRepository copies files of testdata and commits them, with git-setup done.
func newRepository(t *testing.T, files ...string) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	r := &repository{t, t.TempDir(), filepath.Join(t.TempDir(), "usher")}
	r.git("init", "-q", ".")
	r.git("config", "user.name", "you")
	r.git("config", "user.email", "you@example.org")
	for _, f := range files {
		r.write(filepath.Base(f), corpus.Bytes(t, corpus.Testdata(t, filepath.FromSlash(f))))
	}
	build := exec.Command("go", "build", "-o", r.program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command(r.program, "git-setup", r.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.git("add", ".")
	r.git("commit", "-q", "-m", "one")
	return r
}

func (r *repository) write(name string, b []byte) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), b, 0o666); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// usher runs the program on files of the repository.
func (r *repository) usher(args ...string) {
	r.t.Helper()
	r.t.Chdir(r.dir)
	var told bytes.Buffer
	if code := run(context.Background(), append([]string{"usher"}, args...), nil, &told, &told); code != exitOK {
		r.t.Fatalf("usher %v: status %d\n%s", args, code, told.String())
	}
}

// changedLines counts the lines that a difference adds and takes away.
func changedLines(diff string) (n int) {
	for line := range strings.Lines(diff) {
		if (line[0] == '+' || line[0] == '-') && !strings.HasPrefix(line, "+++") && !strings.HasPrefix(line, "---") {
			n++
		}
	}
	return n
}

// TestGit lets git show what changed: in their own terms, as texts of few lines, of files that came, went, moved and are
// broken, and of several at once.
func TestGit(t *testing.T) {
	r := newRepository(t, "freelancer/ship.cmp", "ultimate3d/windmill.u3d", "unreal/pictures.utx")
	r.usher("convert", "ship.cmp", "-o", "points.csv", "-q")
	points := strings.ReplaceAll(string(corpus.Bytes(t, filepath.Join(r.dir, "points.csv"))), "HpEngine01", "HpThrust01")
	r.write("points.csv", []byte(points))
	r.usher("convert", "ship.cmp", "--hardpoints-from", "points.csv", "--prune", "-o", "ship.cmp", "--force", "-q")
	r.usher("unpack", "pictures.utx", "-o", "walls", "-q")
	r.write("walls/Walls.Board.png", corpus.Bytes(t, filepath.Join(r.dir, "walls", "Walls.Holes.png")))
	r.usher("pack", "walls", "-o", "pictures.utx", "--force", "-q")
	if err := os.RemoveAll(filepath.Join(r.dir, "walls")); err != nil {
		t.Fatal(err)
	}

	shown := r.git("diff")
	for _, want := range []string{"usher diff ship.cmp\n", "HpThrust01", "usher diff pictures.utx\n", "changed  Walls.Board"} {
		if !strings.Contains(shown, want) {
			t.Errorf("git diff lacks %q:\n%s", want, shown)
		}
	}
	if strings.Contains(shown, os.TempDir()+string(filepath.Separator)+"git-blob") {
		t.Errorf("git diff shows a file of git's own:\n%s", shown)
	}
	for name, most := range map[string]int{"ship.cmp": 20, "pictures.utx": 40} {
		if n := changedLines(r.git("diff", "--no-ext-diff", name)); n == 0 || n > most {
			t.Errorf("the texts of %s differ in %d lines, want 1 to %d", name, n, most)
		}
	}
	r.git("commit", "-q", "-a", "-m", "two")
	if log := r.git("log", "-p", "-1"); !strings.Contains(log, "+") || !strings.Contains(log, "HpThrust01") || strings.Contains(log, "Binary files") {
		t.Errorf("git log -p: %s", log)
	}

	r.write("new.u3d", corpus.Bytes(t, filepath.Join(r.dir, "windmill.u3d")))
	r.git("add", "new.u3d")
	r.git("rm", "-q", "windmill.u3d")
	r.write("ship.cmp", []byte("no ship"))
	shown = r.git("diff", "--no-renames", "HEAD")
	for _, want := range []string{"added new.u3d", "removed windmill.u3d", "usher diff ship.cmp\n", "cannot be compared"} {
		if !strings.Contains(shown, want) {
			t.Errorf("git diff lacks %q:\n%s", want, shown)
		}
	}
}

// TestGitSetup: what others wrote into .gitattributes stays, twice is once, and --remove takes everything out.
func TestGitSetup(t *testing.T) {
	const others = "*.txt text\n*.png binary"
	first := withAttributes(others, false)
	if !strings.HasPrefix(first, others+"\n"+attributesBegin+"\n") || !strings.HasSuffix(first, attributesEnd+"\n") || !strings.Contains(first, "\n*.[uU]3[dD] -text -merge diff=usher\n") {
		t.Errorf("%q", first)
	}
	for _, ext := range gitExtensions {
		if len(formats.ByExtension(ext)) == 0 {
			t.Errorf("no format has the extension %s", ext)
		}
	}
	for name, c := range map[string]struct{ got, want string }{
		"twice":              {withAttributes(first, false), first},
		"removed":            {withAttributes(first, true), others + "\n"},
		"more behind":        {withAttributes(first+"*.md text\n", false), first + "*.md text\n"},
		"more behind it":     {withAttributes(first+"*.md text\n", true), others + "\n*.md text\n"},
		"nothing to remove":  {withAttributes(others, true), others},
		"an end that is not": {withAttributes(attributesBegin+"\nx\n", true), attributesBegin + "\nx\n"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}

// TestGitArguments: what is not what git hands over is a mistake in the command line.
func TestGitArguments(t *testing.T) {
	for n := range 11 {
		args := []string{"usher", "diff", "--git"}
		for i := range n {
			args = append(args, fmt.Sprint("nosuch", i))
		}
		var told bytes.Buffer
		want := exitUsage
		if n == gitUnmerged || n == gitPlain || n == gitRenamed {
			want = exitOK
		}
		if code := run(context.Background(), args, nil, &told, &told); code != want {
			t.Errorf("%d arguments: status %d, want %d: %s", n, code, want, told.String())
		}
	}
}

// TestPullRequest writes what a pull request changes: the comment, and a report with pictures for each file.
func TestPullRequest(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	script := filepath.Join(corpus.Root(t), ".github", "pull-request.sh")
	r := newRepository(t, "freelancer/ship.cmp", "ultimate3d/windmill.u3d", "unreal/pictures.utx")
	r.write("a mill.u3d", corpus.Bytes(t, filepath.Join(r.dir, "windmill.u3d")))
	r.write("notes.txt", []byte("not ours"))
	r.usher("unpack", "pictures.utx", "-o", "walls", "-q")
	r.write("walls/Walls.Board.png", corpus.Bytes(t, filepath.Join(r.dir, "walls", "Walls.Holes.png")))
	r.usher("pack", "walls", "-o", "pictures.utx", "--force", "-q")
	if err := os.RemoveAll(filepath.Join(r.dir, "walls")); err != nil {
		t.Fatal(err)
	}
	r.git("add", ".")
	r.git("rm", "-q", "windmill.u3d")
	r.git("commit", "-q", "-m", "two")
	out := t.TempDir()
	report := exec.Command("sh", script, "HEAD~1", out, "https://example.org")
	report.Dir, report.Env = r.dir, append(os.Environ(), "PATH="+filepath.Dir(r.program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if told, err := report.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, told)
	}
	comment := string(corpus.Bytes(t, filepath.Join(out, "comment.md")))
	for _, want := range []string{"<code>a mill.u3d</code>", "added", "<code>windmill.u3d</code>", "removed", "<code>pictures.utx</code>", "changed  Walls.Board", "](https://example.org/pictures.utx.pictures/", "![all of it](https://example.org/a%20mill.u3d.png)", "![all of it](https://example.org/windmill.u3d.png)"} {
		if !strings.Contains(comment, want) {
			t.Errorf("the comment lacks %q:\n%s", want, comment)
		}
	}
	if strings.Contains(comment, "ship.cmp") || strings.Contains(comment, "notes.txt") || strings.Contains(comment, "could not be compared") {
		t.Errorf("the comment has too much:\n%s", comment)
	}
	for _, link := range regexp.MustCompile(`\(https://example.org/([^)]*)\)`).FindAllStringSubmatch(comment, -1) {
		if _, err := os.Stat(filepath.Join(out, strings.ReplaceAll(link[1], "%20", " "))); err != nil {
			t.Errorf("the comment shows a picture that is not there: %v", err)
		}
	}
}

// TestHooksKnowTheFormats: the files that name extensions for other programs have those of git-setup.
func TestHooksKnowTheFormats(t *testing.T) {
	for _, name := range []string{".pre-commit-hooks.yaml", ".github/pull-request.sh"} {
		text := string(corpus.Bytes(t, filepath.Join(corpus.Root(t), filepath.FromSlash(name))))
		if want := "(" + strings.TrimPrefix(strings.Join(gitExtensions, "|"), ".") + ")"; !strings.Contains(text, strings.ReplaceAll(want, "|.", "|")) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
}
