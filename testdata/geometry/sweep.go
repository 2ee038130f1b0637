package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// targets are the model formats by the extension of their files; "u" is a package that a GLB is packed into.
var targets = []string{"glb", "u3d", "cmp", "3db", "dfm", "mesh", "3d", "t3d", "u"}

// The outcomes of a file and a target.
const (
	same    = "same"    // within a thousandth of the size
	near    = "near"    // within three hundredths: the target's numbers are coarse
	named   = "named"   // another shape, and something was said
	refused = "refused" // with a reason
	unread  = "unread"  // by this tool
	silent  = "SILENT"  // another shape, and nothing was said
	crashed = "CRASHED"
	broken  = "BROKEN" // the result does not convert back
)

type job struct{ file, target string }

type outcome struct {
	job
	kind, said string
	r          result
}

func sweep(usher string, folders []string) int {
	if chosen := os.Getenv("TARGETS"); chosen != "" {
		targets = strings.Split(chosen, ",")
	}
	var files []string
	for _, dir := range folders {
		_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			if ext := strings.ToLower(filepath.Ext(p)); err == nil && !e.IsDir() && (ext == ".glb" || ext == ".gltf") {
				files = append(files, p)
			}
			return nil
		})
	}
	jobs := make(chan job)
	results := make(chan outcome)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for j := range jobs {
				results <- run(usher, j)
			}
		})
	}
	go func() {
		for _, f := range files {
			for _, t := range targets {
				jobs <- job{f, t}
			}
		}
		close(jobs)
		wait.Wait()
		close(results)
	}()
	out, err := os.Create("sweep.tsv")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	w := bufio.NewWriter(out)
	counts := map[string]map[string]int{}
	bad := 0
	for x := range results {
		if counts[x.target] == nil {
			counts[x.target] = map[string]int{}
		}
		counts[x.target][x.kind]++
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%g\t%d\t%d\t%s\n", x.kind, x.target, x.file, x.r.in, x.r.out, x.r.tolerance, x.r.missing, x.r.extra, x.said)
		if x.kind == silent || x.kind == crashed || x.kind == broken {
			bad++
			fmt.Printf("%s %s %s: %d triangles became %d, %d missing, %d more: %s\n", x.kind, x.target, x.file, x.r.in, x.r.out, x.r.missing, x.r.extra, x.said)
		}
	}
	w.Flush()
	out.Close()
	kinds := []string{same, near, named, refused, unread, silent, broken, crashed}
	fmt.Printf("%d files\n%-8s", len(files), "target")
	for _, k := range kinds {
		fmt.Printf("%9s", k)
	}
	fmt.Println()
	for _, t := range targets {
		fmt.Printf("%-8s", t)
		for _, k := range kinds {
			fmt.Printf("%9d", counts[t][k])
		}
		fmt.Println()
	}
	if bad > 0 {
		return 1
	}
	return 0
}

// run converts a file to a target and back and compares.
func run(usher string, j job) (x outcome) {
	x.job = j
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		x.kind, x.said = broken, err.Error()
		return x
	}
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, "out."+j.target)
	args := []string{"convert", j.file, "-o", made}
	if j.target == "u" {
		if args, err = packArgs(usher, j.file, dir, made); err != nil {
			x.kind, x.said = refused, err.Error()
			return x
		}
	}
	said, ok := call(usher, args...)
	x.said = said
	switch {
	case strings.Contains(said, "panic:") || strings.Contains(said, "goroutine "):
		x.kind = crashed
		return x
	case !ok:
		x.kind = refused
		return x
	}
	back, err := comeBack(usher, j.target, dir, made)
	if err != nil {
		x.kind, x.said = broken, x.said+" | "+err.Error()
		return x
	}
	if _, _, err := load(j.file, -1); err != nil {
		x.kind = unread
		return x
	}
	if x.r, err = hold(j.file, back, j.target == "3d"); err != nil {
		x.kind, x.said = broken, err.Error()
		return x
	}
	switch {
	case x.r.tolerance <= 1e-3:
		x.kind = same
	case !math.IsInf(x.r.tolerance, 1):
		x.kind = near
	case strings.Contains(said, "loss") || strings.Contains(said, "warning"):
		x.kind = named
	default:
		x.kind = silent
	}
	return x
}

// packArgs puts a GLB of the file into a folder of a package.
func packArgs(usher, file, dir, made string) ([]string, error) {
	folder := filepath.Join(dir, "package")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return nil, err
	}
	if said, ok := call(usher, "convert", file, "-o", filepath.Join(folder, "Thing.glb")); !ok {
		return nil, errors.New(said)
	}
	return []string{"pack", folder, "-o", made}, nil
}

// comeBack turns what was made into a GLB.
func comeBack(usher, target, dir, made string) (string, error) {
	back := filepath.Join(dir, "back.glb")
	args := []string{"convert", made, "-o", back}
	switch target {
	case "glb":
		return made, nil
	case "3d":
		found, _ := filepath.Glob(filepath.Join(dir, "*_d.3d"))
		if len(found) > 0 {
			args[1] = found[0]
		}
	case "u":
		args = []string{"unpack", made, "-o", filepath.Join(dir, "unpacked")}
	}
	if said, ok := call(usher, args...); !ok {
		return "", errors.New(said)
	}
	if target == "u" {
		var found []string
		_ = filepath.WalkDir(filepath.Join(dir, "unpacked"), func(p string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".glb") {
				found = append(found, p)
			}
			return nil
		})
		if len(found) == 0 {
			return "", errors.New("the package holds no model")
		}
		slices.Sort(found)
		back = found[0]
	}
	return back, nil
}

// call runs usher and returns what it said in one line.
func call(usher string, args ...string) (said string, ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	var b bytes.Buffer
	c := exec.CommandContext(ctx, usher, args...)
	c.Stderr = &b
	err := c.Run()
	said = strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "\n", " | ")), " ")
	if ctx.Err() != nil {
		said = "panic: it took more than two minutes | " + said
	}
	return said, err == nil
}
