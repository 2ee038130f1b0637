// The program calls makes the system calls of usher fail, or kills it there: every verb that writes × every kind of call ×
// the n-th of it × every failure, by strace. After each it holds that what was there is whole, old or new and never a
// mixture, and that the same command given again ends well, with the right bytes and nothing left over.
//
//	go run ./testdata/faults/calls -program ./usher              all of it; a quarter of an hour
//	go run ./testdata/faults/calls -program ./usher -time 60s    a sample, spread over verbs and calls by -seed
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

var (
	program  = flag.String("program", "usher", "the program to try")
	testdata = flag.String("testdata", "testdata", "the folder of small files")
	seed     = flag.Uint64("seed", 1, "of the order")
	limit    = flag.Duration("time", 0, "how long to try; 0 tries everything")
	only     = flag.String("verbs", ".", "only cases whose name matches")
	workers  = flag.Int("j", 2, "cases at the same time")
	verbose  = flag.Bool("v", false, "print every case")
)

// failures are what can become of a call.
var failures = []string{"error=ENOSPC", "error=EIO", "error=EACCES", "signal=KILL"}

// kinds are the calls that change something on the disk, and those that open and close it.
var kinds = []struct{ name, calls string }{
	{"open", "openat"},
	{"write", "write,pwrite64,copy_file_range"},
	{"fsync", "fsync,fdatasync,syncfs"},
	{"rename", "rename,renameat,renameat2"},
	{"link", "link,linkat"},
	{"unlink", "unlink,unlinkat"},
	{"mkdir", "mkdir,mkdirat"},
	{"close", "close"},
}

// trial is one case: the n-th call of a kind fails.
type trial struct {
	verb    *verb
	kind    int
	when    int
	failure string
}

func (t trial) String() string {
	return fmt.Sprintf("%s, %s %d, %s", t.verb.name, kinds[t.kind].name, t.when, t.failure)
}

func main() {
	flag.Parse()
	if _, err := exec.LookPath("strace"); err != nil {
		fmt.Println("no strace here: no system call was made to fail")
		return
	}
	if signal.Ignored(os.Interrupt) { // shells do that to what they start with & in a script, and usher inherits it
		fmt.Fprintln(os.Stderr, "SIGINT is ignored here, by which some verbs end: not to be run in the background")
		os.Exit(2)
	}
	failed, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func run() (failed int, err error) {
	if *program, err = filepath.Abs(*program); err != nil {
		return 0, err
	}
	if *testdata, err = filepath.Abs(*testdata); err != nil {
		return 0, err
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return 0, err
	}
	work, err := os.MkdirTemp(inMemory(), "usher-calls-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(work)
	var list []trial
	for _, v := range verbs() {
		if !match.MatchString(v.name) {
			continue
		}
		if err := v.prepare(work); err != nil {
			return 0, fmt.Errorf("%s: %w", v.name, err)
		}
		list = append(list, v.trials()...)
	}
	return try(list, work), nil
}

func inMemory() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

// try tries cases in a random order, until all are done or the time is over, and says how it went.
func try(list []trial, work string) (failed int) {
	r := rand.New(rand.NewPCG(*seed, 0))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	end := time.Now().Add(*limit)
	var mu sync.Mutex
	next, hit, done, byVerb := 0, 0, 0, map[string]int{}
	var all sync.WaitGroup
	for worker := range *workers {
		all.Go(func() {
			for {
				mu.Lock()
				if next == len(list) || *limit > 0 && time.Now().After(end) {
					mu.Unlock()
					return
				}
				t := list[next]
				next++
				mu.Unlock()
				o := t.try(filepath.Join(work, fmt.Sprintf("run%d", worker)))
				mu.Lock()
				done++
				byVerb[t.verb.name]++
				if o.hit {
					hit++
				}
				if o.wrong != "" {
					failed++
					fmt.Printf("FAILED: %v: %s\n", t, o.wrong)
				} else if *verbose {
					fmt.Println(t, o.hit)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	fmt.Printf("calls that fail: %d of %d cases tried, of %d verbs; %d came to pass, %d failed (seed %d)\n", done, len(list), len(byVerb), hit, failed, *seed)
	return failed
}
