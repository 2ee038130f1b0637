package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/usher-assets/usher/testdata/corpus"
)

// replace writes a file over another one, and keeps what that had.
func replace(t *testing.T, f *Folder, name, text string) *Kept {
	t.Helper()
	p, err := f.Durable().Prepare(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	if err != nil {
		t.Fatal(err)
	}
	was, err := f.Kept(name)
	if err != nil {
		t.Fatal(err)
	}
	var a Act
	a.Add(p)
	if err = a.Keep(); err == nil {
		err = a.Commit()
	}
	now, err2 := f.Kept(name)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if len(now) == 0 || len(was) > 0 && was[len(was)-1].number == now[len(now)-1].number {
		return nil
	}
	return &now[len(now)-1]
}

// records returns the names of what is kept of a file.
func records(t *testing.T, dir, name string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, KeptName, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// Each run over a file leaves a record; they lead back one by one, and the last one takes its folders with it.
func TestKeptLeadsBack(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "a")
	f := open(t, dir, true)
	if k := replace(t, f, "a", "one"); k != nil {
		t.Errorf("nothing was replaced, and kept: %+v", k)
	}
	if k := replace(t, f, "a", "one"); k != nil || len(records(t, dir, "a")) > 0 {
		t.Errorf("the same was written, and kept: %+v, %v", k, records(t, dir, "a"))
	}
	began := time.Now().UTC().Truncate(time.Second)
	k := replace(t, f, "a", "two of them")
	if k.Before.Size != 3 || k.After.Size != 11 || k.When.Before(began) || k.When.After(time.Now()) || k.When.Nanosecond() != 0 || k.When.Location() != time.UTC {
		t.Errorf("%+v", k)
	}
	replace(t, f, "a", "three")
	replace(t, f, "b", "another file")
	replace(t, f, "b", "another one")
	if got := records(t, dir, "a"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("records %v", got)
	}
	list, err := f.Kept("a")
	if err != nil || len(list) != 2 || list[0].number != 1 || list[1].number != 2 || list[0].Before.Size != 3 || list[1].Before.Size != 11 {
		t.Errorf("%+v, %v", list, err)
	}
	for i, want := range []struct {
		text string
		left int
	}{{"two of them", 1}, {"one", 0}} {
		before, _ := os.ReadFile(at)
		for _, dry := range []bool{true, true, false} {
			k, left, err := f.Undo("a", dry)
			if err != nil || left != want.left || k.Before.Size != int64(len(want.text)) {
				t.Errorf("step %d, dry %v: to %d bytes, %d left, %v", i, dry, k.Before.Size, left, err)
			}
			if dry {
				holds(t, at, string(before))
			}
		}
		holds(t, at, want.text)
		if got := records(t, dir, "a"); len(got) != want.left {
			t.Errorf("step %d: records %v", i, got)
		}
	}
	if _, _, err := f.Undo("a", false); !errors.Is(err, ErrNothingKept) {
		t.Errorf("once more: %v", err)
	}
	if _, left, err := f.Undo("b", false); err != nil || left != 0 {
		t.Errorf("%d, %v", left, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, KeptName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of records is there: %v", err)
	}
}

// A record is made room for when a file is replaced that it does not lead to.
func TestKeptRoom(t *testing.T) {
	for _, c := range []struct {
		name, text string // of the file before a run writes "new"
		want       []string
		back       []string // what undoing leads to, one by one
	}{
		{"as the last run left it", "three", []string{"1", "2", "3"}, []string{"three", "two", "one"}},
		{"brought back by somebody", "two", []string{"1", "2"}, []string{"two", "one"}},
		{"brought back to the first", "one", []string{"2", "3"}, []string{"one"}},
		{"another one", "else", []string{"1", "2", "3"}, []string{"else"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			at := filepath.Join(dir, "a")
			f := open(t, dir, true)
			for _, text := range []string{"one", "two", "three"} {
				replace(t, f, "a", text)
			}
			write(t, at, c.text)
			replace(t, f, "a", "new")
			if got := records(t, dir, "a"); !slices.Equal(got, c.want) {
				t.Errorf("records %v, want %v", got, c.want)
			}
			for i, want := range c.back {
				_, left, err := f.Undo("a", false)
				if err != nil || left != len(c.back)-1-i {
					t.Errorf("back to %s: %d left, %v", want, left, err)
				}
				holds(t, at, want)
			}
		})
	}
}

// Undo replaces what the last run wrote, and nothing else.
func TestUndoKept(t *testing.T) {
	prepare := func(t *testing.T) (*Folder, string) {
		dir := t.TempDir()
		f := open(t, dir, true)
		for _, text := range []string{"one", "two of them", "three"} {
			replace(t, f, "a", text)
		}
		return f, filepath.Join(dir, "a")
	}
	t.Run("somebody has changed it", func(t *testing.T) {
		f, at := prepare(t)
		write(t, at, "mine!")
		k, left, err := f.Undo("a", false)
		if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "(5 bytes, "+k.When.Local().Format(time.DateTime)+")") || left != 0 || k.number != 2 {
			t.Errorf("%+v, %d, %v", k, left, err)
		}
		holds(t, at, "mine!")
	})
	t.Run("a killed run has brought it back", func(t *testing.T) {
		f, at := prepare(t)
		write(t, at, "two of them")
		for _, dry := range []bool{true, false} {
			if k, left, err := f.Undo("a", dry); err != nil || left != 1 || k.Before.Size != 11 {
				t.Errorf("%+v, %d, %v", k, left, err)
			}
			if got := len(records(t, filepath.Dir(at), "a")); dry && got != 2 || !dry && got != 1 {
				t.Errorf("dry %v: %d records", dry, got)
			}
		}
		holds(t, at, "two of them")
	})
	t.Run("the record is damaged", func(t *testing.T) {
		f, at := prepare(t)
		record := filepath.Join(filepath.Dir(at), KeptName, "a", "2")
		b, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"cut off": string(b[:len(b)-1]), "edited": strings.Replace(string(b), "two", "TWO", 1), "nothing behind its line": string(b[:strings.Index(string(b), "\n")+1])} {
			write(t, record, text)
			for _, dry := range []bool{true, false} {
				if _, _, err := f.Undo("a", dry); !errors.Is(err, ErrDelta) || !strings.HasPrefix(err.Error(), record+": ") {
					t.Errorf("%s, dry %v: %v", name, dry, err)
				}
			}
			holds(t, at, "three")
		}
	})
	for name, meddle := range map[string]func(at string) error{
		"another file meanwhile": func(at string) error {
			return errors.Join(os.Rename(at, at+"2"), os.WriteFile(at, []byte("three"), 0o666))
		},
		"another size meanwhile":   func(at string) error { return os.WriteFile(at, []byte("longer than before"), 0o666) },
		"another time meanwhile":   func(at string) error { return os.Chtimes(at, time.Time{}, time.Unix(1e9, 5)) },
		"it is gone meanwhile":     os.Remove,
		"a link in its place":      func(at string) error { return errors.Join(os.Rename(at, at+"2"), os.Symlink("a2", at)) },
		"the folder is read first": func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			f, at := prepare(t)
			steps(t, func(step, path string) error {
				if step == "sync" && path == "a" {
					Fault = nil
					return meddle(at)
				}
				return nil
			})
			k, left, err := f.Undo("a", false)
			if k.Before.Size != 11 || left != 1 {
				t.Errorf("%+v, %d", k, left)
			}
			if name == "the folder is read first" {
				if err != nil {
					t.Error(err)
				}
				holds(t, at, "two of them")
				return
			}
			if err == nil || len(records(t, filepath.Dir(at), "a")) != 2 {
				t.Errorf("%v; records %v", err, records(t, filepath.Dir(at), "a"))
			}
			if b, _ := os.ReadFile(at); string(b) == "two of them" {
				t.Error("it is replaced")
			}
		})
	}
}

// What is no record is passed over; what stands in the place of their folders is an error.
func TestKeptPassesOver(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, true)
	replace(t, f, "a", "one")
	replace(t, f, "a", "two")
	at := filepath.Join(dir, KeptName, "a")
	good, err := os.ReadFile(filepath.Join(at, "1"))
	if err != nil {
		t.Fatal(err)
	}
	line := string(good[:strings.Index(string(good), "\n")+1])
	for name, text := range map[string]string{
		"0": string(good), "-1": string(good), "x": string(good), "2": "", "3": "{}\n", "4": "no line", "5": "{\n",
		"6": strings.Replace(string(good), keptMark, "what else", 1), "7": `{"usher":"` + strings.Repeat("x", 4096) + `"` + "\n" + string(good),
		"8": strings.TrimSuffix(line, "\n"), "9": line, "12": string(good),
	} {
		write(t, filepath.Join(at, name), text)
	}
	corpus.Allowed(t, errors.Join(os.Mkdir(filepath.Join(at, "10"), 0o777), os.Symlink("1", filepath.Join(at, "11"))))
	list, err := f.Kept("a")
	var numbers []int
	for _, k := range list {
		numbers = append(numbers, k.number)
	}
	if err != nil || !slices.Equal(numbers, []int{1, 9, 12}) {
		t.Errorf("%v, %v", numbers, err)
	}
	if list, err := f.Kept("b"); err != nil || list != nil {
		t.Errorf("of another file: %v, %v", list, err)
	}
	steps(t, func(step, path string) error {
		if step == "stat" && path == KeptName+"/a/9" {
			return errors.ErrUnsupported
		}
		return nil
	})
	if list, err := f.Kept("a"); !errors.Is(err, errors.ErrUnsupported) || list != nil {
		t.Errorf("one that cannot be read: %v, %v", list, err)
	}
	Fault = nil
	for _, what := range []string{KeptName + "/a", KeptName} {
		if err := os.RemoveAll(filepath.Join(dir, what)); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, what), "")
		if _, err := f.Kept("a"); fmt.Sprint(err) != what+" is no folder" {
			t.Errorf("%s: %v", what, err)
		}
		if _, _, err := f.Undo("a", false); err == nil {
			t.Errorf("%s: undone", what)
		}
	}
}

// A file that does not come takes its record with it.
func TestKeptForgotten(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, true)
	replace(t, f, "a", "one")
	p, err := f.Durable().Prepare("a", func(w io.Writer) error { _, err := io.WriteString(w, "two"); return err })
	if err != nil {
		t.Fatal(err)
	}
	var a Act
	a.Add(p)
	if err := a.Keep(); err != nil {
		t.Fatal(err)
	}
	if got := records(t, dir, "a"); !slices.Equal(got, []string{"1"}) {
		t.Errorf("records %v", got)
	}
	a.Discard()
	if _, err := os.Lstat(filepath.Join(dir, KeptName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of records is there: %v", err)
	}
}

// Every step of keeping and undoing may fail: the run says so, and the file is what it was or what it is to be.
func TestKeptFails(t *testing.T) {
	broken := errors.New("broken")
	for name, do := range map[string]func(f *Folder) error{
		"keep": func(f *Folder) error {
			p, err := f.Durable().Prepare("a", func(w io.Writer) error { _, err := io.WriteString(w, "four"); return err })
			if err != nil {
				return err
			}
			var a Act
			a.Add(p)
			defer a.Discard()
			if err := a.Keep(); err != nil {
				return err
			}
			return a.Commit()
		},
		"undo": func(f *Folder) error { _, _, err := f.Undo("a", false); return err },
	} {
		t.Run(name, func(t *testing.T) {
			for at := 1; ; at++ {
				dir := t.TempDir()
				f := open(t, dir, true)
				for _, text := range []string{"one", "two", "three"} {
					replace(t, f, "a", text)
				}
				n, which := 0, ""
				steps(t, func(step, path string) error {
					if n++; n == at {
						which = step + " " + path
						return broken
					}
					return nil
				})
				err := do(f)
				Fault = nil
				if which == "" {
					if err != nil || at < 10 {
						t.Errorf("%d steps, %v", at-1, err)
					}
					return
				}
				kind, _, _ := strings.Cut(which, " ")
				if !errors.Is(err, broken) && kind != "remove" {
					t.Errorf("%s fails, and nobody says so: %v", which, err)
				}
				b, _ := os.ReadFile(filepath.Join(dir, "a"))
				list, err := f.Kept("a")
				if err != nil || lastOf(list, list[len(list)-1].After) < 0 || !slices.Contains([]string{"three", "four", "two"}, string(b)) {
					t.Errorf("%s fails: %q, %v, %v", which, b, list, err)
				}
				if string(b) == "three" && stepsBack(list, list[1].After) != 2 {
					t.Errorf("%s fails: %+v", which, list)
				}
				f.Close()
			}
		})
	}
}

// TestKeptBelow: of an act in several folders what was is kept in each, and the files of one go back together.
func TestKeptBelow(t *testing.T) {
	dir := t.TempDir()
	names := []string{"a", "x/b", "x/c", "y/z/d"}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), "old "+name)
	}
	var act Act
	f := open(t, dir, true)
	for _, name := range names {
		p, err := f.Prepare(name, func(w io.Writer) error { _, err := io.WriteString(w, "new "+name); return err })
		if err != nil {
			t.Fatal(err)
		}
		act.Add(p)
	}
	if err := errors.Join(act.Keep(), act.Commit()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		back []string // all that is as it was afterwards
	}{
		{"x/c", []string{"x/b", "x/c"}},
		{"a", []string{"a", "x/b", "x/c"}},
		{"y/z/d", names},
	} {
		below := open(t, filepath.Join(dir, filepath.Dir(c.name)), true)
		if _, _, err := below.Undo(filepath.Base(c.name), false); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, name := range names {
			want := "new " + name
			if slices.Contains(c.back, name) {
				want = "old " + name
			}
			holds(t, filepath.Join(dir, name), want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", KeptName)); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}
