package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// state is what is in a folder: hashes by name. Of usher's own notes it is only told that they are there: they hold times.
type state map[string]string

var errLeft = errors.New("left over")

// look returns what a folder holds, without what a run has not finished.
func look(dir string) (state, error) {
	s := state{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if unfinished(d.Name()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		name, _ := filepath.Rel(dir, p) // it is below
		switch filepath.Base(p) {
		case "usher.json", "usher-batch.json":
			s[name] = "there"
			return nil
		}
		b, err := os.ReadFile(p)
		s[name] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	return s, err
}

// stays is what a run leaves on purpose: the way back, with its times.
const stays = ".usher-undo"

// unfinished reports whether a name is that of something that ends with a run, and is no part of the outcome.
func unfinished(base string) bool {
	return strings.HasPrefix(base, ".usher") || strings.HasSuffix(base, ".new")
}

// leftovers lists what of a run is left in a folder.
func leftovers(dir string) (list []string) {
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == stays {
			return fs.SkipDir
		}
		if err == nil && unfinished(d.Name()) {
			list = append(list, p)
		}
		return nil
	})
	return list
}

// group is what a file gets its name together with.
func (v *verb) group(name string) string {
	if !v.each {
		return ""
	}
	base := filepath.Base(name)
	stem, _, _ := strings.Cut(base, ".")
	if strings.HasPrefix(v.name, "batch to gltf") {
		stem, _, _ = strings.Cut(stem, "_")
	}
	return filepath.Join(filepath.Dir(name), stem)
}

// mixture names a group of files that is neither as it was nor as it is to be; empty when there is none. Without together
// only single files are looked at.
func (v *verb) mixture(is state, together bool) string {
	group := v.group
	if !together {
		group = func(name string) string { return name }
	}
	isOld, isNew := map[string]bool{}, map[string]bool{}
	names := map[string]bool{}
	for _, s := range []state{v.old, v.new, is} {
		for name := range s {
			names[name] = true
			isOld[group(name)], isNew[group(name)] = true, true
		}
	}
	for name := range names {
		g := group(name)
		isOld[g] = isOld[g] && is[name] == v.old[name]
		isNew[g] = isNew[g] && is[name] == v.new[name]
	}
	var bad []string
	for name := range names {
		if g := group(name); !isOld[g] && !isNew[g] {
			bad = append(bad, name)
		}
	}
	sort.Strings(bad)
	return strings.Join(bad, " ")
}

// missing names a file that is not as it is to be in the end.
func (v *verb) missing(is state) string {
	for name, hash := range v.new {
		if is[name] != hash {
			return name
		}
	}
	for name := range is {
		if _, known := v.new[name]; !known {
			return name
		}
	}
	return ""
}

// result is what came of a case.
type result struct {
	hit   bool   // the call was made
	wrong string // empty when all is well
}

func wrongf(text string, args ...any) result { return result{true, fmt.Sprintf(text, args...)} }

// try tries a case in a folder of its own.
func (t trial) try(dir string) result {
	v := t.verb
	if _, err := v.fresh(dir); err != nil {
		return wrongf("%v", err)
	}
	trace := dir + ".trace"
	cmd := command(dir, v.line)
	cmd.Args = append([]string{"strace", "-f", "-qq", "-o", trace, "-e", "trace=" + kinds[t.kind].calls,
		"-e", fmt.Sprintf("inject=%s:%s:when=%d", kinds[t.kind].calls, t.failure, t.when)}, cmd.Args...)
	cmd.Path, _ = exec.LookPath("strace")
	status, said := v.outcome(cmd, v.complete)
	killed := t.failure == "signal=KILL"
	injected, _ := os.ReadFile(trace) // there is none where strace itself was killed
	hit := bytes.Contains(injected, []byte("INJECTED")) || killed && status < 0
	if strings.Contains(said, "netpollBreak") || strings.Contains(said, "runtime: ") && !strings.Contains(said, "usher/") {
		return result{} // the system call was one of the language's own
	}
	is, err := look(dir)
	if err != nil {
		return wrongf("%v", err)
	}
	ended := status == v.ok
	// What fails while usher takes back what failed stays for the next run, and it says so: strace counts each call of a
	// kind by itself, so that some cases have two failures.
	twice := bytes.Count(injected, []byte("INJECTED")) > 1 && strings.Contains(said, "the next run in this folder does it")
	left := v.leaves && bytes.Contains(readings(injected), []byte("INJECTED"))
	switch {
	case !killed && !ended && !(left && status == 3) && (status < 1 || status > 2 || strings.Contains(said, "goroutine ")):
		return wrongf("status %d: %s", status, said)
	case !left && ended && v.missing(is) != "":
		return wrongf("status %d, and %s is not as it should be", status, v.missing(is))
	case !left && !twice && v.mixture(is, !killed) != "":
		return wrongf("status %d: a mixture: %s; %s", status, v.mixture(is, !killed), said)
	}
	if left && v.missing(is) != "" {
		return result{hit: hit} // it stands, without what could not be read
	}
	if killed && t.when%2 == 0 { // somebody else comes first
		if wrong := t.visit(dir); wrong != "" {
			return wrongf("%s", wrong)
		}
		if is, err = look(dir); err != nil || v.mixture(is, true) != "" {
			return wrongf("after another run: a mixture: %s %v", v.mixture(is, true), err)
		}
	}
	if wrong := t.again(dir, is); wrong != "" {
		return wrongf("status %d (%s), again: %s", status, strings.TrimSpace(said), wrong)
	}
	return result{hit: hit}
}

// readings returns the lines of a trace in which a file is opened to read it.
func readings(trace []byte) (lines []byte) {
	for line := range bytes.Lines(trace) {
		if bytes.Contains(line, []byte("O_RDONLY")) || bytes.Contains(line, []byte("resumed")) { // strace tells of some in two lines
			lines = append(lines, line...)
		}
	}
	return lines
}

// visit lets another run write into each folder.
func (t trial) visit(dir string) string {
	wrong := ""
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil
		}
		if unfinished(d.Name()) {
			return fs.SkipDir
		}
		cmd := exec.Command(*program, "blender", "-o", "visitor.zip")
		cmd.Dir = p
		if status, said := outcome(cmd); status != 0 {
			wrong = fmt.Sprintf("another run in %s: %s", p, said)
		}
		return os.Remove(filepath.Join(p, "visitor.zip"))
	})
	return wrong
}

// again gives the same command once more. It may only refuse to overwrite what is all there already.
func (t trial) again(dir string, is state) string {
	v := t.verb
	status, said := v.outcome(command(dir, v.line), v.complete)
	done := status == v.ok
	refused := strings.Contains(said, "exists already") || strings.Contains(said, "is not empty") || v.done != "" && strings.Contains(said, v.done)
	if !done && !(refused && v.missing(is) == "") {
		return fmt.Sprintf("status %d: %s", status, strings.TrimSpace(said))
	}
	is, err := look(dir)
	if err != nil {
		return err.Error()
	}
	if name := v.missing(is); name != "" {
		return name + " is not as it should be"
	}
	if left := leftovers(dir); done && len(left) > 0 {
		return fmt.Sprintf("%v: %v", errLeft, left)
	}
	if v.then != "" {
		if status, said := outcome(command(dir, v.then)); status != 0 {
			return fmt.Sprintf("usher %s: status %d: %s", v.then, status, strings.TrimSpace(said))
		}
	}
	return ""
}

// complete reports whether all is as it is to be in the end.
func (v *verb) complete(is state) bool { return v.missing(is) == "" }

// outcome runs the command of a verb. One that waits is interrupted when what its folder holds is done.
func (v *verb) outcome(cmd *exec.Cmd, done func(state) bool) (int, string) {
	if v.waits {
		return watched(cmd, done)
	}
	return outcome(cmd)
}

// outcome runs a command, and returns its status and what it said; the status of one that was killed is negative.
func outcome(cmd *exec.Cmd) (int, string) {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return 0, said.String()
	case errors.As(err, &ended):
		return ended.ExitCode(), said.String()
	}
	return 3, err.Error()
}
