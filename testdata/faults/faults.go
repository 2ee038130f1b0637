// Package faults makes the steps by which usher changes the disk fail, for tests: one of them, or all from one on, as if
// the run were killed there or the disk full.
package faults

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/usher-assets/usher/convert/disk"
)

// ErrKilled is what every step returns after a run is killed: nothing is changed any more, and nothing tidied up.
var ErrKilled = errors.New("killed")

// Kind is a kind of fault.
type Kind struct {
	Name string
	Err  error
	Last bool     // all later steps fail as well
	Only []string // the names of the steps that can fail; empty for all
}

// Kinds are those that every verb survives.
var Kinds = []Kind{
	{Name: "killed", Err: ErrKilled, Last: true},
	{Name: "one error", Err: syscall.EIO},
	{Name: "full disk", Err: syscall.ENOSPC, Last: true, Only: []string{"mkdir", "create", "write", "append", "sync", "close"}},
}

// Fault is a fault at one step of a run.
type Fault struct {
	Kind
	At    int    // the number of the step, from 1
	Step  string // its name and path, when it came to it
	Steps int    // how many there were

	mu sync.Mutex
}

func (f *Fault) step(name, path string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.Only) > 0 && !contains(f.Only, name) {
		return nil
	}
	if f.Steps++; f.Steps == f.At {
		f.Step = name + " " + path
	}
	if f.Steps == f.At || f.Last && f.Steps > f.At {
		return f.Err
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Run calls do with the fault.
func (f *Fault) Run(do func() error) error { return Watch(f.step, do) }

// Watch calls do and lets watch see every step that it makes.
func Watch(watch func(step, path string) error, do func() error) error {
	defer func(before func(string, string) error) { disk.Fault = before }(disk.Fault)
	disk.Fault = watch
	return do()
}

// Careless spares a test from waiting for the disk.
func Careless(t testing.TB) {
	disk.Fault = func(string, string) error { return nil }
	t.Cleanup(func() { disk.Fault = nil })
}

// Case is a run that is to survive all faults.
type Case struct {
	Name    string
	Prepare func(t *testing.T, dir string)
	Do      func(dir string) error
	Whole   func(t *testing.T, dir string) // that nothing is torn, whatever happened
	Done    func(t *testing.T, dir string) // that all is done
}

// Try tries a case with every fault at every step: nothing is ever torn, and the same run again does it all and leaves
// nothing else.
func (c *Case) Try(t *testing.T) {
	Careless(t)
	for _, kind := range Kinds {
		t.Run(c.Name+"/"+kind.Name, func(t *testing.T) {
			for at := 1; !t.Failed(); at++ {
				f := &Fault{Kind: kind, At: at}
				if c.try(t, f); f.Step == "" {
					if at < 5 {
						t.Errorf("only %d steps", at-1)
					}
					return
				}
			}
		})
	}
}

func (c *Case) try(t *testing.T, f *Fault) {
	t.Helper()
	dir := Folder(t)
	c.Prepare(t, dir)
	err := f.Run(func() error { return c.Do(dir) })
	switch {
	case f.Step == "" && err != nil:
		t.Errorf("without a fault: %v", err)
	case err == nil && f.Name == "killed" && f.Step != "" && !strings.HasPrefix(f.Step, "remove "):
		t.Errorf("the run says that it is done")
	}
	c.Whole(t, dir)
	if again := c.Do(dir); again != nil {
		t.Errorf("the same again: %v", again)
	} else {
		c.Done(t, dir)
		tidy(t, dir)
	}
	if t.Failed() {
		t.Errorf("%s at step %d, %s: %v", f.Name, f.At, f.Step, err)
	}
}

// tidy holds that nothing is left of the runs.
func tidy(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == disk.KeptName { // it is to be left
			return fs.SkipDir
		}
		if err == nil && (strings.HasPrefix(d.Name(), ".usher") || strings.HasSuffix(d.Name(), ".new")) {
			t.Errorf("%s is left", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Folder returns a new folder, in memory where that is possible: thousands of small runs wait for a disk otherwise.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "usher")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
