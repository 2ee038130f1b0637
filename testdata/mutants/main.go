// Command mutants tests the tests: it changes one small thing in the code, runs the tests without the corpus, and reports
// what no test noticed. The working copy is left alone.
//
//	go run ./testdata/mutants -tests './write/freelancer,./convert=TestDamage' ./read/freelancer
//	go run ./testdata/mutants -n 40 -tests ./convert/... ./write/unreal
//	go run ./testdata/mutants -at read/unreal/font.go:54 -tests ./convert/unreal
//
// The mutants of a package are compiled together, each under a switch that the environment sets; a mutant that cannot be
// switched, such as one of a constant, is compiled alone. Some mutants are equivalent: they change nothing that anybody
// could see. Whoever reads the list decides.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 0, "try `N` mutants, chosen at random; 0 tries all")
	seed := flag.Uint64("seed", 1, "of the choice")
	at := flag.String("at", "", "try those of these places only: `FILE:LINE`, with commas between them")
	tests := flag.String("tests", "", "`PACKAGES` whose tests are to notice beside the mutated one's, with commas between them; PACKAGE=REGEXP runs those of that name only, of the mutated one too")
	limit := flag.Duration("limit", time.Minute, "a mutant that takes longer has been noticed")
	flag.Parse()
	if flag.NArg() == 0 && *at == "" {
		flag.Usage()
		os.Exit(2)
	}
	survived, err := run(places(flag.Args(), *at), *n, *seed, *tests, *limit)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || survived > 0 {
		os.Exit(1)
	}
}

// places returns the packages to mutate, and of which lines only, if not of all.
func places(packages []string, at string) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, p := range packages {
		all[filepath.ToSlash(filepath.Clean(p))] = nil
	}
	for place := range strings.SplitSeq(at, ",") {
		if place == "" {
			continue
		}
		p := filepath.ToSlash(filepath.Dir(place))
		if all[p] == nil {
			all[p] = map[string]bool{}
		}
		all[p][filepath.ToSlash(filepath.Clean(place))] = true
	}
	return all
}

func run(places map[string]map[string]bool, n int, seed uint64, tests string, limit time.Duration) (survived int, err error) {
	killed, slow := 0, 0
	for dir, lines := range places {
		p, err := load(dir)
		if err != nil {
			return survived, err
		}
		all := p.mutants(lines)
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		if n > 0 && n < len(all) {
			all = all[:n]
		}
		t := &trial{pkg: p, limit: limit}
		if tests != "" {
			t.tests = strings.Split(tests, ",")
		}
		if !slices.ContainsFunc(t.tests, func(s string) bool { return strings.HasPrefix(s, "./"+dir+"=") }) {
			t.tests = slices.Insert(t.tests, 0, "./"+dir)
		}
		k, s, err := t.run(all)
		killed, survived, slow = killed+k, survived+s, slow+t.slow
		if err != nil {
			return survived, err
		}
	}
	fmt.Printf("%d mutants, %d killed, %d of them by their time alone, %d survived\n", killed+survived, killed, slow, survived)
	return survived, nil
}
