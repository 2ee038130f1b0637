package batch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/convert/disk"
	"github.com/usher-assets/usher/convert/engine"
	"github.com/usher-assets/usher/convert/exchange/po"
	"github.com/usher-assets/usher/convert/format"
	"github.com/usher-assets/usher/schema"
)

// TestLineEscapes: any text is one line, from which it comes back.
func TestLineEscapes(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "plain": "plain", "a\nb": `a\nb`, "a\tb": `a\tb`, "a\rb": `a\rb`, `a\b`: `a\\b`, "end ": `end\s`, "end  ": `end \s`, " ": `\s`, " a": " a", `\n`: `\\n`, "\\": `\\`, "\n ": `\n\s`,
	} {
		if got := escapeLine(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
		if got, err := unescapeLine(want); err != nil || got != s {
			t.Errorf("%q: %q, %v, want %q", want, got, err, s)
		}
	}
	for s, want := range map[string]string{`a\`: `a \ at the end stands for nothing`, `\`: `a \ at the end stands for nothing`, `a\\\`: `a \ at the end stands for nothing`, `\x41`: `\x stands for nothing`, `a\ `: `\  stands for nothing`} {
		if got, err := unescapeLine(s); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %q, %v", s, got, err)
		}
	}
}

// TestCheckMessages: messages that nobody can tell apart are named by their lines, all at once.
func TestCheckMessages(t *testing.T) {
	f := &po.File{Messages: []po.Message{{Context: "1", Text: "a", Line: 3}, {Context: "", Text: "b", Line: 7}, {Context: "2", Text: "a", Line: 11}, {Context: "1", Text: "c", Line: 15}, {Context: "", Text: "d", Line: 19}}}
	const want = `line 7: the message "b" has no msgctxt, by which usher finds its entry: translate the file that usher writes
line 15: msgctxt: "1" stands in line 3 already
line 19: the message "d" has no msgctxt, by which usher finds its entry: translate the file that usher writes`
	if err := checkMessages(f); fmt.Sprint(err) != want {
		t.Errorf("%v", err)
	}
	f.Messages = f.Messages[2:4]
	if err := checkMessages(f); err != nil {
		t.Error(err)
	}
}

// TestTell: of many messages the first five are named.
func TestTell(t *testing.T) {
	for n, want := range []string{"", "1 are odd (0)", "2 are odd (0, 1)", "3 are odd (0, 1, 2)", "4 are odd (0, 1, 2, 3)", "5 are odd (0, 1, 2, 3, 4)", "6 are odd (0, 1, 2, 3, 4 …)", "7 are odd (0, 1, 2, 3, 4 …)"} {
		d := new(schema.Diagnostics)
		tell(d, "odd", strings.Fields("0 1 2 3 4 5 6")[:n], "are odd")
		if all := d.All(); len(all) != min(n, 1) || n > 0 && (all[0].Msg != want || all[0].Code != "odd") {
			t.Errorf("%d: %+v", n, all)
		}
	}
	if a, b := schema.Counted(1, "entry", "entries"), schema.Counted(2, "entry", "entries"); a != "1 entry" || b != "2 entries" {
		t.Error(a, b)
	}
}

// TestInternalError: a panic is told in one line, with the place in usher where it happened.
func TestInternalError(t *testing.T) {
	err := Guarded(func() error { panic("first\nsecond") })
	var internal *InternalError
	if !errors.As(err, &internal) || !strings.HasPrefix(err.Error(), "internal error, please report it with this file: first (batch/lines_test.go:") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	for stack, want := range map[string]string{
		"": "unknown place", "goroutine 1\npanic(x)\n\t/go/src/runtime/panic.go:1 +0x1\na.b()\n\t/src/usher/convert/work/batch/x.go:12 +0x5\n\t/src/usher/convert/y.go:3": "batch/x.go:12",
		"\t/src/usher/read/early.go:1 +0x1\npanic(x)\n\t/go/src/runtime/internal/a.go:1\n\t/src/usher/read/late.go:9": "read/late.go:9", "panic(\n\tno place.go\n": "unknown place",
	} {
		if got := (&InternalError{Stack: []byte(stack)}).place(); got != want {
			t.Errorf("%q: %s, want %s", stack, got, want)
		}
	}
	plain := errors.New("plain")
	if err := Guarded(func() error { return plain }); err != plain {
		t.Error(err)
	}
}

// needing is an environment that notes what is looked for in a folder.
func needing(t *testing.T, dir string) (*format.Env, *tracker) {
	t.Helper()
	env := new(engine.Loader).Env(filepath.Join(dir, "input"), nil)
	new(hashes).track(env)
	tracked, ok := env.Files.(*tracker)
	if !ok {
		t.Fatal("nothing is noted")
	}
	return env, tracked
}

// TestNeeds: what a conversion looked for is noted once, found or not, and is another when the file or the folder is.
func TestNeeds(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("a.cmp", "one")
	env, files := needing(t, dir)
	if b, _, err := files.Find("none.cmp", "a.cmp"); err != nil || string(b) != "one" {
		t.Errorf("%q, %v", b, err)
	}
	if _, size, _, err := files.FindAt("none.cmp", "a.cmp"); err != nil || size != 3 {
		t.Errorf("%d, %v", size, err)
	}
	if _, _, err := files.Find("none.cmp"); err == nil {
		t.Error("nothing is found")
	}
	if list := files.List(dir, false, ".cmp"); len(list) != 1 {
		t.Errorf("%v", list)
	}
	files.List(dir, true, ".cmp")
	files.List(dir, false, ".3db")
	needs := needsOf(env)
	if len(needs) != 5 || needs[0].Found == "" || needs[1].Found != "" || needs[2].Found == "" || needs[2].Folder != dir || needs[2].Deep || !needs[3].Deep || needs[4].Names[0] != ".3db" {
		t.Fatalf("%+v", needs)
	}
	again := func(name string, want bool) {
		t.Helper()
		for k, n := range needs {
			env, _ := needing(t, dir)
			if got := sameNeeds(env, []*need{n}); got != (want || k == 4 || k == 1) {
				t.Errorf("%s: need %d is the same: %v", name, k, got)
			}
		}
		env, _ := needing(t, dir)
		if got := sameNeeds(env, needs); got != want {
			t.Errorf("%s: all are the same: %v", name, got)
		}
	}
	again("at once", true)
	put("a.cmp", "other")
	again("another content", false)
	if sameNeeds(&format.Env{}, needs) || !sameNeeds(&format.Env{}, nil) || needsOf(&format.Env{}) != nil {
		t.Error("files that nobody can look for are the same")
	}
	one := new(hashes)
	if a, b, c := one.need(need{Names: []string{"x"}}), one.need(need{Names: []string{"x"}}), one.need(need{Names: []string{"x"}, Deep: true}); a != b || a == c {
		t.Error("needs that are alike are not one")
	}
}

// TestRecordCurrent: what was made is there still when input, needs and files are those of the record.
func TestRecordCurrent(t *testing.T) {
	dir := t.TempDir()
	out, err := disk.Open(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := errors.Join(out.Write("a.cmp", []byte("text")), out.Write("b.cmp", []byte("more"))); err != nil {
		t.Fatal(err)
	}
	stamp := func(name string) recordFile {
		s, err := disk.NewStamp(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return recordFile{name, s}
	}
	env, _ := needing(t, t.TempDir())
	e := recordEntry{Key: "key", Needs: []*need{{Names: []string{"none"}}}, Files: []recordFile{stamp("a.cmp"), stamp("b.cmp")}}
	r := &record{begun: map[string]bool{}, Outputs: map[string]recordEntry{"a": e}}
	if files, outputs := r.current(out, "a", "key", env); len(files) != 2 || len(outputs) != 2 || outputs[1].Path != filepath.Join(dir, "b.cmp") || outputs[1].Size != 4 {
		t.Errorf("%v, %v", files, outputs)
	}
	for name, c := range map[string]struct{ stem, key string }{"another stem": {"b", "key"}, "another input": {"a", "other"}} {
		if files, outputs := r.current(out, c.stem, c.key, env); files != nil || outputs != nil {
			t.Errorf("%s: %v, %v", name, files, outputs)
		}
	}
	if !r.knows("a") || r.knows("b") {
		t.Error("it does not know what was made")
	}
	other := e
	other.Needs = []*need{{Names: []string{"none"}, Found: "xxhash64:0123456789abcdef"}}
	for name, c := range map[string]struct {
		now  recordEntry
		want bool
	}{
		"the same": {e, true}, "another input": {recordEntry{Key: "other", Needs: e.Needs}, false}, "another need": {other, false}, "no needs": {recordEntry{Key: "key"}, false},
		"a need in a folder": {recordEntry{Key: "key", Needs: []*need{{Names: []string{"none"}, Folder: "x"}}}, false}, "a deep one": {recordEntry{Key: "key", Needs: []*need{{Names: []string{"none"}, Deep: true}}}, false},
	} {
		if got := r.unfinished(out, "a", c.now); got != c.want {
			t.Errorf("%s: unfinished %v", name, got)
		}
	}
	if r.unfinished(out, "b", recordEntry{}) {
		t.Error("what nobody made is unfinished")
	}
	if err := os.WriteFile(filepath.Join(dir, "b.cmp"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if files, _ := r.current(out, "a", "key", env); len(files) != 2 {
		t.Error("what somebody has edited is made anew")
	}
	old := time.Unix(1e9, 0)
	if err := os.Chtimes(filepath.Join(dir, "b.cmp"), old, old); err != nil {
		t.Fatal(err)
	}
	if r.unfinished(out, "a", e) {
		t.Error("what somebody has edited is unfinished")
	}
	if err := out.Remove("b.cmp"); err != nil {
		t.Fatal(err)
	}
	if files, _ := r.current(out, "a", "key", env); files != nil {
		t.Error("a file that is gone is current")
	}
	if !r.unfinished(out, "a", e) {
		t.Error("a file that is not there yet is somebody's")
	}
}
