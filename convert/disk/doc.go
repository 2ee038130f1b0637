// Package disk is the one place that changes files. What it writes is whole under its name or not there at all, whenever
// the run is killed, the disk full or the plug pulled: content goes to a temporary name, and gets its own when all of it
// is there. What is overwritten stays whole until its successor is. Several files that belong together are an [Act]: they
// get their names all or not at all. A tree of them is made in a [Room].
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package disk

// Fault is asked before every step that changes the disk, and before those that read what a run depends on; an error
// that it returns is the outcome of the step. It is nil outside of tests, which try every verb with a fault at every
// step. The steps are named for what they do: "open", "read", "stat", "list", "mkdir", "create", "write", "sync",
// "close", "link", "rename", "remove", "lock", "append".
var Fault func(step, path string) error

// flush does what makes sure that something is on the disk. It takes long, and tests with faults do it thousands of times
// on files that nobody wants to keep.
func flush(path string, do func() error) error {
	if Fault != nil {
		return Fault("sync", path)
	}
	return do()
}

func fault(step, path string) error {
	if Fault == nil {
		return nil
	}
	return Fault(step, path)
}
