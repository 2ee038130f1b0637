// Geometry compares where the triangles of two glTF files are, with a reader of its own: what convert/exchange/gltf understands is
// held against it.
//
//	go run ./testdata/geometry A.glb B.glb             how far they are apart
//	go run ./testdata/geometry sweep USHER FOLDER...   every glTF file below the folders into every model target and back;
//	                                                   TARGETS=u3d,cmp chooses targets
//
// The sweep prints a line for each file and target into sweep.tsv, and a table of counts. A model that comes back
// different without a word is a silent loss: the exit status is 1 then, and when usher panics.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) > 3 && os.Args[1] == "sweep" {
		os.Exit(sweep(os.Args[2], os.Args[3:]))
	}
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: geometry A B | geometry sweep USHER FOLDER...")
		os.Exit(2)
	}
	r, err := hold(os.Args[1], os.Args[2], false)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d and %d triangles: the same within %g of the size; %d missing, %d more\n", r.in, r.out, r.tolerance, r.missing, r.extra)
}

// hold compares two files: at rest, and where that differs the second with the first at the beginning of each of its
// motions. boxed brings both into one box first, for formats that keep proportions alone.
func hold(from, to string, boxed bool) (best result, err error) {
	b, _, err := load(to, -1)
	if err != nil {
		return best, err
	}
	for k := -1; ; k++ {
		a, more, err := load(from, k)
		if err != nil {
			return best, err
		}
		other := b
		if boxed {
			other = intoBox(b, a)
		}
		r := compare(a, other)
		r.in, r.out = len(a), len(b)
		if k < 0 || r.tolerance < best.tolerance {
			best = r
		}
		if best.tolerance <= 1e-3 || k+1 >= more {
			return best, nil
		}
	}
}

// load returns the triangles of a file, at rest or at the beginning of one of its motions, and how many of those it has.
func load(name string, motion int) ([]triangle, int, error) {
	d, err := read(name)
	if err == nil && motion >= 0 && motion < len(d.Animations) {
		err = d.start(&d.Animations[motion])
	}
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	t, err := d.triangles()
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	return t, len(d.Animations), nil
}
