// Command mutants tests the tests: it changes one small thing in the code, runs the tests without the corpus, and reports
// what no test noticed. The working copy is left alone.
//
//	go run ./testdata/mutants -n 60 -seed 7
//	go run ./testdata/mutants -n 60 ./read/freelancer ./convert/scene
//	go run ./testdata/mutants -at read/unreal/font.go:54
//	go run ./testdata/mutants -tests './convert/work/batch,./convert=TestSpool' ./convert/disk
//
// The mutants of a package are compiled together, each under a switch that the environment sets; a mutant that cannot be
// switched, such as one of a constant, is compiled alone. Each test runs once without a mutant, which tells the switches that
// would have made a difference: a mutant is tried on the tests that meet it. Some mutants are equivalent: they change nothing that anybody
// could see. Those which somebody has judged stand in equivalent.tsv with the reason, and are not tried.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	n := flag.Int("n", 0, "try `N` mutants of each package, chosen at random; 0 tries all")
	seed := flag.Uint64("seed", 1, "of the choice")
	at := flag.String("at", "", "try those of these places only: `FILE:LINE`, with commas between them")
	tests := flag.String("tests", "", "`PACKAGES` whose tests are to notice beside the mutated one's, with commas between them, in place of those of suites.go; PACKAGE=REGEXP runs those of that name only, of the mutated one too")
	limit := flag.Duration("limit", time.Minute, "a mutant has been noticed when its tests take longer, or five times as long as without it")
	flag.Parse()
	ok, err := run(places(flag.Args(), *at), choice{*n, *seed}, *tests, *limit)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// place is a package to mutate, and of which lines only, if not of all.
type place struct {
	dir   string
	lines map[string]bool
}

// places are the packages that were named, and those of single lines; without any, all that have tests named for them.
func places(packages []string, at string) (all []place) {
	for _, p := range packages {
		all = append(all, place{dir: filepath.ToSlash(filepath.Clean(p))})
	}
	for line := range strings.SplitSeq(at, ",") {
		if line == "" {
			continue
		}
		line = filepath.ToSlash(filepath.Clean(line))
		dir := path.Dir(line)
		i := slices.IndexFunc(all, func(p place) bool { return p.dir == dir && p.lines != nil })
		if i < 0 {
			i, all = len(all), append(all, place{dir, map[string]bool{}})
		}
		all[i].lines[line] = true
	}
	if all == nil {
		for _, s := range suites {
			all = append(all, place{dir: s.dir})
		}
	}
	return all
}

// choice says which mutants are tried: n of them, or all.
type choice struct {
	n    int
	seed uint64
}

func (c choice) of(all []mutant) []mutant {
	r := rand.New(rand.NewPCG(c.seed, 0))
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	if c.n > 0 && c.n < len(all) {
		all = all[:c.n]
	}
	return all
}

// count is what became of the mutants of a package.
type count struct{ tried, equivalent, killed, late, survived int }

func (c count) String() string {
	share := 100.0
	if c.killed+c.survived > 0 {
		share = 100 * float64(c.killed) / float64(c.killed+c.survived)
	}
	return fmt.Sprintf("%8d %10d %7d %7d %9d %6.1f %%", c.tried, c.equivalent, c.killed, c.late, c.survived, share)
}

func (c *count) add(v verdict) {
	switch v {
	case wrong:
		return
	case equivalent:
		c.equivalent++
	case survived:
		c.survived++
	case late:
		c.late++
		c.killed++
	case killed:
		c.killed++
	}
	c.tried++
}

func (c *count) plus(o count) {
	c.tried, c.equivalent, c.killed, c.late, c.survived = c.tried+o.tried, c.equivalent+o.equivalent, c.killed+o.killed, c.late+o.late, c.survived+o.survived
}

// run tries mutants of each package and prints a row of each; ok is false where one survived.
func run(places []place, which choice, tests string, limit time.Duration) (ok bool, err error) {
	var total count
	fmt.Printf("%-27s %8s %10s %7s %7s %9s\n", "package", "mutants", "equivalent", "killed", "by time", "survived")
	for _, p := range places {
		loaded, wrong := load(p.dir)
		if wrong != nil {
			return false, wrong
		}
		t := &trial{pkg: loaded, limit: limit, tests: testsOf(p.dir, tests)}
		c, wrong := t.run(which.of(loaded.mutants(p.lines)))
		if wrong != nil {
			err = errors.Join(err, wrong)
			continue
		}
		fmt.Printf("%-27s %v\n", p.dir, c)
		total.plus(c)
	}
	if len(places) > 1 {
		fmt.Printf("%-27s %v\n", "all", total)
	}
	return total.survived == 0, err
}

// run tries mutants of a package, and names those that survive.
func (t *trial) run(all []mutant) (c count, err error) {
	judged, err := equivalents(t.pkg)
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(t.dir)
	together, err := t.start(all)
	if err != nil {
		return c, err
	}
	verdicts := make([]verdict, len(all))
	try := func(i int) {
		if verdicts[i] = t.one(together, all[i], i+1); verdicts[i] == survived {
			fmt.Printf("survived  %s:%d: %s\n", all[i].file.path, all[i].line, all[i].what)
		}
	}
	var switched errgroup.Group
	switched.SetLimit(runtime.NumCPU())
	for i, m := range all {
		switch {
		case judged[m.key()]:
			verdicts[i] = equivalent
		case m.guard != nil:
			switched.Go(func() error { try(i); return nil })
		}
	}
	switched.Wait()
	for i, m := range all {
		if m.guard == nil && verdicts[i] != equivalent {
			try(i)
		}
	}
	for _, v := range verdicts {
		c.add(v)
	}
	return c, nil
}
