package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/usher-assets/usher/testdata/corpus"
)

// doubled returns the part of a line of a message that stands in it twice, one behind the other.
func doubled(line string) string {
	parts := strings.Split(line, ": ")
	for i, p := range parts {
		if i == 0 {
			continue
		}
		before := parts[i-1]
		if s := strings.TrimSpace(before); s == "warning" || s == "loss" || s == "note" {
			if i < 2 {
				continue
			}
			before = parts[i-2]
		}
		path, _, _ := strings.Cut(p, "+0x")
		before, _, _ = strings.Cut(before, "+0x")
		if path != "" && (before == path || strings.HasSuffix(before, ":"+path)) {
			return path
		}
	}
	return ""
}

// TestNoPathTwice: no message that verbs have of any file tells where it is twice.
func TestNoPathTwice(t *testing.T) {
	for line, want := range map[string]string{
		"a.utx: warning: a.utx: broken": "a.utx", "x.unr:MyLevel: MyLevel: warning: no": "MyLevel", "a+0x10: warning: a+0x10: no": "a",
		"a.utx: b: warning: c: no": "", "a: aa: note: aaa": "",
	} {
		if got := doubled(line); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
	lines := 0
	for _, family := range corpus.Families(t) {
		lines += saidOf(t, corpus.Testdata(t, family))
	}
	if lines < 300 {
		t.Errorf("%d lines", lines)
	}
	for _, family := range corpus.Families(t) {
		t.Run("corpus of "+family, func(t *testing.T) { saidOf(t, corpus.Folder(t, family)) })
	}
}

// saidOf runs verbs that read over a folder, and returns how many lines they say.
func saidOf(t *testing.T, folder string) (lines int) {
	t.Helper()
	for _, verb := range []string{"info", "check", "convert"} {
		args := []string{"usher", verb, "-v", folder}
		if verb == "convert" {
			args = append(args, "--dry-run", "-o", filepath.Join(t.TempDir(), "out"))
		}
		lines += saidBy(t, args)
	}
	return lines
}

// saidBy runs a verb, and returns how many lines it says.
func saidBy(t *testing.T, args []string) (lines int) {
	t.Helper()
	var out, errs bytes.Buffer
	run(context.Background(), args, nil, &out, &errs)
	for line := range strings.Lines(errs.String() + out.String()) {
		lines++
		if path := doubled(strings.TrimSpace(line)); path != "" {
			t.Errorf("%s: %s stands twice in %q", strings.Join(args[1:], " "), path, line)
		}
	}
	return lines
}

// TestLocated: a message about an entry does not name it again, and a message about something in it names that alone.
func TestLocated(t *testing.T) {
	for _, c := range []struct{ source, text, want string }{
		{"a.unr:MyLevel", "MyLevel: warning: no", "a.unr:MyLevel: warning: no"},
		{"a.unr:MyLevel", "MyLevel/actors: no", "a.unr:MyLevel/actors: no"},
		{"a.unr:MyLevel", "MyLevel+0x1a: no", "a.unr:MyLevel+0x1a: no"},
		{"a.unr:MyLevel", "MyLevels: no", "a.unr:MyLevel: MyLevels: no"},
		{`C:\a.unr:x:y`, "x:y: no", `C:\a.unr:x:y: no`},
		{"a.unr", "a.unr: no", "a.unr: a.unr: no"},
		{"a.unr:", "no", "a.unr:: no"},
		{"a.flx:0", "0 of 3", "a.flx:0: 0 of 3"},
	} {
		if got := located(c.source, c.text); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.source, c.text, got, c.want)
		}
	}
}
