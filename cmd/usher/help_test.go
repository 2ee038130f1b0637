package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/usher-assets/usher/testdata/corpus"
)

// flatTestdata returns a new folder with the files of the four families, the folder that examples speak of.
func flatTestdata(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, family := range corpus.Families(t) {
		files, err := filepath.Glob(filepath.Join(corpus.Testdata(t, family), "*.*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", family, len(files), err)
		}
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// shell runs a command line as a user would and returns what it printed and its exit status.
func shell(t *testing.T, dir, line string) (output string, status int) {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here to run the examples")
	}
	cmd := exec.Command(sh, "-c", line)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

// TestExamples runs every example of the help.
func TestExamples(t *testing.T) {
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	for verb, list := range examples {
		if verb != "" && app.Command(verb) == nil {
			t.Errorf("examples of %q, which is no verb", verb)
		}
		t.Run(verb, func(t *testing.T) {
			dir := flatTestdata(t)
			if verb == "git-setup" {
				if _, err := exec.LookPath("git"); err != nil {
					t.Skip("git is not installed")
				}
				if out, status := shell(t, dir, "git init -q ."); status != 0 {
					t.Fatal(out)
				}
			}
			if verb == "check" {
				if err := os.CopyFS(dir, os.DirFS(corpus.Testdata(t, "check"))); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range list {
				if !strings.HasPrefix(e.Line, "usher ") || verb != "" && e.Does == "" {
					t.Errorf("%q: says nothing", e.Line)
				}
				line, want := e.Line, e.Status
				if e.Serves {
					line, want = "timeout --preserve-status -s INT 1 "+line+" --no-browser", exitInterrupted
				}
				if out, status := shell(t, dir, line); status != want {
					t.Errorf("%s: status %d, want %d\n%s", line, status, want, out)
				}
			}
		})
	}
	for _, c := range app.Commands {
		few := 2
		if len(c.Flags) == 0 {
			few = 1
		}
		if n := len(examples[c.Name]); n < few || n > 5 {
			t.Errorf("%s has %d examples; %d to 5 are wanted", c.Name, n, few)
		}
	}
}

// TestFlagGroups holds that every flag of a conversion stands below one heading, and that the tables name none that is not.
func TestFlagGroups(t *testing.T) {
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	for _, f := range optionFlags() {
		if name := f.Names()[0]; groupOf(name, append(conversionGroups(), sharedGroups...)) == "" {
			t.Errorf("--%s stands in no group of help_groups.go", name)
		}
	}
	for _, shared := range [][]cli.Flag{batchFlags(), writeFlags(), volumeFlags(), filterFlags()} {
		for _, f := range shared {
			if name := f.Names()[0]; groupOf(name, sharedGroups) == "" {
				t.Errorf("--%s stands in no group of help_groups.go", name)
			}
		}
	}
	seen := map[string]bool{}
	for _, g := range append(sharedGroups, conversionGroups()...) {
		for _, name := range g.Flags {
			used := false
			for _, c := range app.Commands {
				used = used || lookup(c.Flags, name) != nil
			}
			if !used {
				t.Errorf("%s: --%s is a flag of no verb", g.Title, name)
			}
			if seen[name] && name != "names" { // which ls has, and conversions as well
				t.Errorf("--%s stands in two groups", name)
			}
			seen[name] = true
		}
	}
}

// TestHelp holds that the help of everything fits, and shows each flag.
func TestHelp(t *testing.T) {
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	for _, topic := range append(helpWords(app), "") {
		var b bytes.Buffer
		if err := printHelp(&b, app, topic); err != nil {
			t.Errorf("%s: %v", topic, err)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
				t.Errorf("%s: a line of %d letters: %s", topic, n, line)
			}
		}
		c := app.Command(topic)
		if c == nil {
			continue
		}
		for _, f := range c.Flags {
			name := f.Names()[0]
			if topic != "convert" && groupOf(name, conversionGroups()) != "" && groupOf(name, sharedGroups) == "" {
				continue
			}
			if !strings.Contains(b.String(), "--"+name+" ") && !strings.Contains(b.String(), "--"+name+"\n") {
				t.Errorf("%s: no --%s", topic, name)
			}
		}
	}
	var pack bytes.Buffer
	_ = printHelp(&pack, app, "pack")
	if at := strings.Index(pack.String(), "--rehash"); at < 0 || at > strings.Index(pack.String(), "--force") || strings.Contains(pack.String(), "--u3d") {
		t.Errorf("help pack:\n%s", pack.String())
	}
}

func TestHelpAsked(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.thing")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		line   string
		status int
		want   string
	}{
		{"", exitOK, "Verbs:"},
		{"help", exitOK, "Topics:"},
		{"--help", exitOK, "Verbs:"},
		{"help pack", exitOK, "--rehash"},
		{"pack --help", exitOK, "--rehash"},
		{"pack x -h", exitOK, "--rehash"},
		{"help conversion", exitOK, "Freelancer:"},
		{"help environment", exitOK, "USHER_INSTALL"},
		{"help nosuch", exitUsage, `no help on "nosuch"; there is on info, ls,`},
		{"help convrt", exitUsage, `did you mean "usher help convert"?`},
		{"help pack unpack", exitUsage, "one verb or topic"},
		{"konvert a", exitUsage, `unknown verb "konvert"; did you mean "convert"?`},
		{"xyzzyx", exitUsage, `"usher help" lists them`},
		{"a.u3d", exitUsage, `did you mean "usher convert a.u3d"?`},
		{file, exitUsage, "usher convert " + file},
		{dir, exitUsage, "usher info " + dir},
		{"convert a --ouput b", exitUsage, `unknown flag "--ouput"; did you mean --output?`},
		{"convert a --zzzz", exitUsage, `unknown flag "--zzzz"; a file`},
		{"convert a -o b -o c", exitUsage, "--output is given twice"},
		{"convert a -j2 --jobs 3", exitUsage, "--jobs is given twice"},
		{"convert a -j -2", exitUsage, "--jobs wants a number from 0 on, not -2"},
		{"convert a --fps=-1", exitUsage, "--fps wants a number from 0 on"},
		{"sheet a -o b.png --size -4", exitUsage, "--size wants a number from 0 on"},
		{"ls a --kind textur", exitUsage, `did you mean texture?`},
		{"ls a --format u9-textur", exitUsage, `did you mean u9-texture?`},
		{"convert a --from u9-textur", exitUsage, `did you mean u9-texture?`},
		{"verify a --progress loud", exitUsage, "auto, plain, none"},
	}
	for _, tt := range tests {
		var out, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"usher"}, strings.Fields(tt.line)...), nil, &out, &stderr)
		if text := out.String() + stderr.String(); code != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s: status %d, %q, want status %d and %q", tt.line, code, text, tt.status, tt.want)
		}
	}
}

// The environment sets what the command line does not, and is checked as that is.
func TestEnvironment(t *testing.T) {
	t.Setenv("USHER_JOBS", "-3")
	var out, stderr bytes.Buffer
	if code := run(context.Background(), []string{"usher", "verify", "x"}, nil, &out, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "--jobs wants") {
		t.Errorf("status %d, %s", code, stderr.String())
	}
	stderr.Reset()
	t.Setenv("USHER_JOBS", "two")
	if code := run(context.Background(), []string{"usher", "verify", "x"}, nil, &out, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "USHER_JOBS") {
		t.Errorf("status %d, %s", code, stderr.String())
	}
	stderr.Reset()
	t.Setenv("USHER_JOBS", "")
	t.Setenv("USHER_INSTALL", "/no/such/folder")
	if code := run(context.Background(), []string{"usher", "convert", "x"}, nil, &out, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "/no/such/folder is no folder") {
		t.Errorf("status %d, %s", code, stderr.String())
	}
	if code := run(context.Background(), []string{"usher", "convert", "x", "--install", t.TempDir()}, nil, &out, &stderr); code != exitFailed {
		t.Errorf("the command line: status %d", code)
	}
}

// TestToldWhatToTry: of what is not recognised usher says what --from takes, with the nearest extension; of what is
// taken apart where it would better be converted, that.
func TestToldWhatToTry(t *testing.T) {
	dir := flatTestdata(t)
	t.Chdir(dir)
	for _, name := range []string{"a.u3d", "a.u3", "a.flx", "a.unknown", "a.png"} {
		if err := os.WriteFile(name, []byte("words"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		line   string
		status int
		want   string
	}{
		{"info a.u3", exitFailed, "--from u3d reads it as the nearest one, .u3d"},
		{"info a.u3d", exitFailed, "u3d+0x0: magic: "},
		{"convert a.flx -o b", exitFailed, "flx+0x0: comment: "},
		{"verify a.unknown", exitFailed, `--from FORMAT reads it as one of those that "usher formats" lists`},
		{"explain a.unknown", exitFailed, `--from FORMAT reads it as one of those`},
		{"convert a.png -o b.dds", exitFailed, "it does not begin as a png file does"},
		{"unpack ship.cmp -o ship", exitOK, `"usher convert ship.cmp" makes a .glb of it`},
		{"unpack windmill.u3d -o mill", exitFailed, `"usher convert windmill.u3d"`},
	}
	for _, tt := range tests {
		var out, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"usher"}, strings.Fields(tt.line)...), nil, &out, &stderr)
		if text := out.String() + stderr.String(); code != tt.status || !strings.Contains(text, tt.want) {
			t.Errorf("%s: status %d, %q, want status %d and %q", tt.line, code, text, tt.status, tt.want)
		}
	}
}
