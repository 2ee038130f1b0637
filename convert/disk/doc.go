// Package disk does all writing of files. A file either has its complete content or does not exist under its name, even if
// the run is killed, the disk is full or the power fails: content is first written under a temporary name, and the file is
// renamed when it is complete. A file that is overwritten stays complete until then. Files that belong together are renamed
// together by an [Act]. A whole tree of files is made in a [Room]. Start with [Open].
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package disk

// Fault is called before every step that changes the disk, and before steps that read what a run depends on. An error that
// it returns becomes the result of the step. It is nil except in tests, which try every verb with a fault at every step.
// step names the operation: "open", "read", "stat", "list", "mkdir", "create", "write", "sync", "close", "link", "rename",
// "remove", "lock", "append".
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
