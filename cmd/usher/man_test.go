package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// TestMan holds that the manual names every verb with its synopsis, flags and examples, and that roff takes it as it is.
func TestMan(t *testing.T) {
	app := newApp(verbs, nil, &bytes.Buffer{}, &bytes.Buffer{})
	var page bytes.Buffer
	if err := manPage(&page, app); err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer(`\-`, "-", `\(aq`, "'", `\(dq`, `"`, `\(ti`, "~", `\(ha`, "^").Replace(page.String())
	for _, c := range app.Commands {
		if !strings.Contains(plain, usageLine(c)+"\n") {
			t.Errorf("no synopsis of %s", c.Name)
		}
		for _, f := range c.Flags {
			if !strings.Contains(plain, "--"+f.Names()[0]) {
				t.Errorf("%s: no --%s", c.Name, f.Names()[0])
			}
		}
		for _, e := range examples[c.Name] {
			if !strings.Contains(plain, e.Line) {
				t.Errorf("no example %s", e.Line)
			}
		}
		var own bytes.Buffer
		if err := manVerb(&own, c); err != nil || !strings.Contains(own.String(), `.TH "USHER\-`) && !strings.Contains(own.String(), `.TH "USHER-`) {
			t.Errorf("%s: %v\n%s", c.Name, err, own.String())
		}
		checkRoff(t, own.String())
	}
	for section, want := range map[string]string{"ENVIRONMENT": "USHER_JOBS", "EXIT STATUS": "130 interrupted", "EXAMPLES": "windmill"} {
		if _, after, ok := strings.Cut(page.String(), `.SH "`+section+`"`); !ok || !strings.Contains(after, want) {
			t.Errorf("%s: no %s", section, want)
		}
	}
	checkRoff(t, page.String())
}

// checkRoff holds that every line is text or a known macro, and lets groff judge where it is installed.
func checkRoff(t *testing.T, page string) {
	t.Helper()
	known := map[string]bool{"TH": true, "SH": true, "SS": true, "PP": true, "TP": true, "B": true}
	for line := range strings.Lines(page) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "."); ok {
			if name, _, _ = strings.Cut(name, " "); !known[name] {
				t.Errorf("unknown macro: %s", line)
			}
		}
	}
	if groff, err := exec.LookPath("groff"); err == nil {
		cmd := exec.Command(groff, "-man", "-ww", "-Tutf8", "-z")
		cmd.Stdin = strings.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("groff: %v\n%s", err, out)
		}
	}
}
