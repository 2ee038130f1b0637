package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// trial runs tests on mutants of a package.
type trial struct {
	pkg   *pkg
	tests []string // PACKAGE or PACKAGE=REGEXP, its own first
	limit time.Duration
	dir   string            // temporary
	units map[string][]unit // by tests, what they are made of
}

// unit is what of the tests of a package is run alone first, to see which mutants it meets.
type unit struct {
	name string // a regular expression
	took time.Duration
	met  map[int]bool // the switches that would have made a difference
}

// program is the package with some of its files replaced, and the tests of it that were compiled.
type program struct {
	name, overlay string
	tests         map[string]string // by package, the binary; none for a package without tests
}

// verdict is what the tests make of a mutant.
type verdict int

const (
	survived verdict = iota
	killed
	late       // it was killed by its time alone
	wrong      // it is no program
	equivalent // it was judged, and not tried
)

// start compiles the mutants and sees that the tests pass without one.
func (t *trial) start(all []mutant) (together *program, err error) {
	if t.dir, err = os.MkdirTemp("", "mutants"); err != nil {
		return nil, err
	}
	if together, err = t.together(all); err != nil {
		return nil, err
	}
	t.units = map[string][]unit{}
	for _, test := range t.tests {
		if err := t.meet(together, test); err != nil {
			return nil, fmt.Errorf("the tests of %s fail without a mutant: %w", t.pkg.dir, err)
		}
	}
	return together, nil
}

// unhurried is how much more time tests have without a mutant, which is once.
const unhurried = 10

// meet runs the tests of a package one by one without a mutant, and notes which switches each would meet.
func (t *trial) meet(p *program, test string) error {
	pkg, only, _ := strings.Cut(test, "=")
	path, err := t.test(p, pkg)
	if err != nil || path == "" {
		return err
	}
	names := strings.Split(only, "|")
	if only == "" {
		out, err := exec.Command(path, "-test.list", "^(Test|Fuzz|Example)").Output()
		if err != nil {
			return err
		}
		names = strings.Fields(string(out))
	}
	for _, name := range names {
		u := unit{name: name, met: map[int]bool{}}
		if only == "" {
			u.name = "^" + name + "$"
		}
		told := filepath.Join(t.dir, "met")
		if err := os.RemoveAll(told); err != nil {
			return err
		}
		started := time.Now()
		if v, out := t.exec(path, pkg, u.name, told, unhurried*t.limit); v != survived {
			return fmt.Errorf("%s: %s", name, out)
		}
		u.took = time.Since(started)
		b, err := os.ReadFile(told)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		for k := range strings.FieldsSeq(string(b)) {
			if k, err := strconv.Atoi(k); err == nil {
				u.met[k] = true
			}
		}
		t.units[test] = append(t.units[test], u)
	}
	return nil
}

// one tells what becomes of a mutant under switch k.
func (t *trial) one(together *program, m mutant, k int) verdict {
	if m.guard != nil {
		return t.try(together, k, false)
	}
	alone, err := t.compile("alone", map[*source][]byte{m.file: apply(m.file.text, m.alone)})
	if err != nil {
		return wrong
	}
	return t.try(alone, k, true)
}

// together compiles all mutants at once. What does not compile under a switch loses it.
func (t *trial) together(all []mutant) (*program, error) {
	order := make([]int, len(all)) // edits go in the order of the tree, not of the choice
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return all[a].rank - all[b].rank })
	for {
		edits := map[*source][]edit{}
		for _, i := range order {
			if m := all[i]; m.guard != nil {
				edits[m.file] = append(edits[m.file], m.guard(i+1)...)
			}
		}
		texts := map[*source][]byte{}
		for s, e := range edits {
			texts[s] = apply(s.text, e)
		}
		together, err := t.compile("together", texts)
		if err == nil {
			return together, nil
		}
		lost := false
		for _, at := range placeOf.FindAllStringSubmatch(err.Error(), -1) {
			line, _ := strconv.Atoi(at[2])
			lost = unguard(all, func(m mutant) bool { return filepath.Base(m.file.path) == at[1] && m.line == line }) ||
				unguard(all, func(m mutant) bool { return filepath.Base(m.file.path) == at[1] && m.line < line && line <= m.last }) || lost
		}
		if !lost {
			return nil, err
		}
	}
}

// unguard takes the switches of some mutants; it is false where they had none.
func unguard(all []mutant, of func(m mutant) bool) (lost bool) {
	for i, m := range all {
		if m.guard != nil && of(m) {
			all[i].guard, lost = nil, true
		}
	}
	return lost
}

var placeOf = regexp.MustCompile(`(?m)([^/\s]+\.go):(\d+):(?:\d+:)? `) // there is no column where it would be a large one

// compile builds the package with some of its files replaced.
func (t *trial) compile(name string, texts map[*source][]byte) (*program, error) {
	replace := map[string]string{}
	put := func(path string, text []byte) error {
		whole, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		replace[whole] = filepath.Join(t.dir, filepath.Base(path))
		return os.WriteFile(replace[whole], text, 0o666)
	}
	for s, text := range texts {
		if err := put(s.path, text); err != nil {
			return nil, err
		}
	}
	path, text := t.pkg.switches()
	if err := put(path, []byte(text)); err != nil {
		return nil, err
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return nil, err
	}
	overlay := filepath.Join(t.dir, "overlay.json")
	if err := os.WriteFile(overlay, b, 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.Command("go", "build", "-gcflags=-e", "-overlay", overlay, "./"+t.pkg.dir).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s", out)
	}
	return &program{name, overlay, map[string]string{}}, nil
}

// test compiles the tests of a package for a program, unless they are already.
func (t *trial) test(p *program, pkg string) (path string, err error) {
	if path, ok := p.tests[pkg]; ok {
		return path, nil
	}
	path = filepath.Join(t.dir, p.name+strings.NewReplacer("/", "_", ".", "").Replace(pkg))
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", p.overlay, "-o", path, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s", out)
	}
	if _, err := os.Stat(path); err != nil {
		path = ""
	}
	p.tests[pkg] = path
	return path, nil
}

// try runs the tests that meet a mutant with it on.
func (t *trial) try(p *program, k int, alone bool) verdict {
	for _, test := range t.tests {
		pkg, _, _ := strings.Cut(test, "=")
		path, err := t.test(p, pkg)
		if err != nil {
			return wrong
		}
		var names []string
		var took time.Duration
		for _, u := range t.units[test] {
			if alone || u.met[k] {
				names, took = append(names, u.name), took+u.took
			}
		}
		if len(names) == 0 {
			continue
		}
		if v, _ := t.exec(path, pkg, strings.Join(names, "|"), strconv.Itoa(k), min(t.limit, 5*time.Second+5*took)); v != survived {
			return v
		}
	}
	return survived
}

// exec runs tests without the corpus and without Blender, which few have.
func (t *trial) exec(path, pkg, only, mutant string, limit time.Duration) (verdict, []byte) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	cmd := exec.CommandContext(ctx, path, "-test.failfast", "-test.short", "-test.run", only)
	cmd.Dir = pkg
	cmd.Env = append(os.Environ(), "USHER_CORPUS="+filepath.Join(t.dir, "nothing"), "RAPID_NOFAILFILE=1", "USHER_MUTANT="+mutant)
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return late, out
	case err != nil:
		return killed, out
	}
	return survived, nil
}
