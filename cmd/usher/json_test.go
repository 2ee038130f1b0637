package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// jsonLines runs a command line and returns the objects that it prints; what is no object of the version fails the test.
func jsonLines(t *testing.T, args ...string) (lines []map[string]any, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	run(context.Background(), append([]string{"usher"}, args...), nil, &out, &errs)
	for line := range strings.Lines(out.String()) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil || o["schema"] != float64(jsonSchema) {
			t.Errorf("%s: %v: %s", strings.Join(args, " "), err, line)
		}
		lines = append(lines, o)
	}
	return lines, errs.String()
}

// TestJSONFailures holds that what fails is a line of JSON for every verb that has --json, with the same four fields.
func TestJSONFailures(t *testing.T) {
	dir := flatTestdata(t)
	t.Chdir(dir)
	if err := os.WriteFile("broken.u3d", []byte("U3D?"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("words.zzz", []byte("words"), 0o666); err != nil {
		t.Fatal(err)
	}
	makes := map[string]string{"unpack": "new", "pack": "new.flx", "sheet": "new.png"}
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	seen := 0
	for _, c := range app.Commands {
		if lookup(c.Flags, "json") == nil {
			continue
		}
		for operand, want := range map[string]string{"missing.u3d": "missing", "broken.u3d": "", "words.zzz": "", "--nonsense": "usage"} {
			if want != "usage" && (c.Name == "formats" || c.Name == "version") {
				continue // they take no files
			}
			line := []string{c.Name, operand, "--json"}
			if name := makes[c.Name]; name != "" {
				line = append(line, "-o", filepath.Join(t.TempDir(), name)) // a sheet of what is broken is made as well
			}
			if c.Name == "diff" {
				line = append(line, "ball.u3d")
			}
			lines, stderr := jsonLines(t, line...)
			failed := 0
			for _, o := range lines {
				status, _ := o["status"].(string)
				if status != "failed" && status != "refused" {
					continue
				}
				failed++
				if o["message"] == nil || o["class"] == nil || want != "usage" && o["source"] == nil || want != "" && o["class"] != want {
					t.Errorf("%s: %v", strings.Join(line, " "), o)
				}
				if source, _ := o["source"].(string); source != "" && strings.HasPrefix(o["message"].(string), source+": ") {
					t.Errorf("%s: the source is told of twice: %v", strings.Join(line, " "), o)
				}
			}
			told := want == "" && (c.Name == "diff" || c.Name == "explain" && operand == "broken.u3d") // which show the bytes of anything
			if failed == 0 && !told {
				t.Errorf("%s: no failure in %v; %s", strings.Join(line, " "), lines, stderr)
			}
			if strings.Contains(stderr, "usher: ") {
				t.Errorf("%s: also as text: %s", strings.Join(line, " "), stderr)
			}
			seen++
		}
	}
	if seen < 30 {
		t.Errorf("%d failures were tried", seen)
	}
}

// TestJSONDocumented holds that every verb with --json has a line in the guide, and prints one with its fields.
func TestJSONDocumented(t *testing.T) {
	guide := string(corpus.Bytes(t, filepath.Join(corpus.Root(t), "docs", "guide.md")))
	shown := map[string][]string{} // the objects of a verb
	for _, m := range regexp.MustCompile("(?m)^\\| (`.*?) \\| (`\\{\"schema.*) \\|$").FindAllStringSubmatch(guide, -1) {
		for _, verb := range strings.Split(strings.ReplaceAll(m[1], "`", ""), ", ") {
			for _, o := range regexp.MustCompile("`(\\{.*?\\})`").FindAllStringSubmatch(m[2], -1) {
				shown[verb] = append(shown[verb], strings.ReplaceAll(o[1], "…,", "0,"))
			}
		}
	}
	games := os.DirFS(corpus.Testdata(t, "check"))
	t.Chdir(flatTestdata(t))
	if _, stderr := jsonLines(t, "unpack", "bitmap16.flx", "-o", "taken", "--json"); strings.Contains(stderr, "usher: ") {
		t.Fatal(stderr)
	}
	if err := editFile(filepath.Join("taken", "2.png")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("over.flx", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr := jsonLines(t, "pack", "taken", "-o", "over.flx", "--force", "--json"); strings.Contains(stderr, "usher: ") {
		t.Fatal(stderr)
	}
	if err := os.CopyFS(".", games); err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{
		"undo": {"over.flx"}, "check": {"mod", "--install", "game"},
		"info": {"ball.u3d"}, "ls": {"bitmap16.flx"}, "convert": {"ball.u3d", "-o", "new.glb"}, "unpack": {"sappear.flx", "-o", "bodies"},
		"pack": {"taken", "-o", "new.flx"}, "verify": {"ball.u3d"}, "diff": {"bitmap16.flx", "new.flx"}, "explain": {"bell.snd"}, "formats": {}, "version": {},
	}
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	for _, c := range app.Commands {
		if lookup(c.Flags, "json") == nil || c.Name == "sheet" { // whose line is told of in words
			continue
		}
		args, known := lines[c.Name]
		if !known || len(shown[c.Name]) == 0 {
			t.Errorf("%s: no line in docs/guide.md, or none here", c.Name)
			continue
		}
		printed, stderr := jsonLines(t, append(append([]string{c.Name}, args...), "--json")...)
		for _, o := range printed {
			if o["class"] != nil && c.Name != "ls" { // where it is one of Unreal
				t.Errorf("%s: nothing failed, and yet there is a class: %v", c.Name, o)
			}
		}
		for _, text := range shown[c.Name] {
			var want map[string]any
			if err := json.Unmarshal([]byte(text), &want); err != nil {
				t.Errorf("%s: %v: %s", c.Name, err, text)
				continue
			}
			if !anyHolds(printed, want) {
				t.Errorf("%s: no line has the fields of %s: %v %s", c.Name, text, printed, stderr)
			}
		}
	}
}

// anyHolds reports whether one of some objects has all fields of another one.
func anyHolds(list []map[string]any, want map[string]any) bool {
	for _, o := range list {
		holds := true
		for name := range want {
			_, has := o[name]
			holds = holds && (has || name == "commit") // which a build of no repository does not know
		}
		if holds {
			return true
		}
	}
	return false
}
