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
	dir   string // temporary
	slow  int    // mutants that were noticed by their time alone
}

// binary is a compiled test.
type binary struct{ path, dir, only string }

func (t *trial) run(all []mutant) (killed, survived int, err error) {
	if t.dir, err = os.MkdirTemp("", "mutants"); err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(t.dir)
	together, err := t.together(all)
	if err != nil {
		return 0, 0, err
	}
	if noticed, out := t.notices(together, 0); noticed {
		return 0, 0, fmt.Errorf("the tests fail without a mutant:\n%s", out)
	}
	for i, m := range all {
		binaries := together
		if m.guard == nil {
			binaries, err = t.compile("alone", map[*source][]byte{m.file: apply(m.file.text, m.alone)})
			if err != nil {
				continue // it is no program
			}
		}
		if noticed, _ := t.notices(binaries, i+1); noticed {
			killed++
			continue
		}
		survived++
		fmt.Printf("survived  %s:%d: %s\n", m.file.path, m.line, m.what)
	}
	return killed, survived, nil
}

// together compiles all mutants at once. What does not compile under a switch loses it.
func (t *trial) together(all []mutant) ([]binary, error) {
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
		binaries, err := t.compile("together", texts)
		if err == nil {
			return binaries, nil
		}
		lost := false
		for _, m := range placeOf.FindAllStringSubmatch(err.Error(), -1) {
			line, _ := strconv.Atoi(m[2])
			for i := range all {
				if all[i].line == line && all[i].guard != nil && filepath.Base(all[i].file.path) == m[1] {
					all[i].guard, lost = nil, true
				}
			}
		}
		if !lost {
			return nil, err
		}
	}
}

var placeOf = regexp.MustCompile(`(?m)([^/\s]+\.go):(\d+):\d+: `)

// compile builds the tests with some files of the package replaced. The name is that of the binaries.
func (t *trial) compile(as string, texts map[*source][]byte) ([]binary, error) {
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
	var all []binary
	for i, test := range t.tests {
		name, only, _ := strings.Cut(test, "=")
		bin := filepath.Join(t.dir, fmt.Sprint(as, i))
		if err := os.RemoveAll(bin); err != nil {
			return nil, err
		}
		if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", bin, name).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s", out)
		}
		if _, err := os.Stat(bin); err == nil { // there is none for a package without tests
			all = append(all, binary{bin, name, only})
		}
	}
	return all, nil
}

// notices tells whether a test fails with a mutant on, without the corpus and without Blender, which few have.
func (t *trial) notices(binaries []binary, k int) (bool, []byte) {
	for _, b := range binaries {
		ctx, stop := context.WithTimeout(context.Background(), t.limit)
		cmd := exec.CommandContext(ctx, b.path, "-test.failfast", "-test.short", "-test.run", b.only)
		cmd.Dir = b.dir
		cmd.Env = append(os.Environ(), "USHER_CORPUS="+filepath.Join(t.dir, "nothing"), "RAPID_NOFAILFILE=1", fmt.Sprintf("USHER_MUTANT=%d", k))
		out, err := cmd.CombinedOutput()
		stop()
		if err != nil {
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				t.slow++
			}
			return true, out
		}
	}
	return false, nil
}
