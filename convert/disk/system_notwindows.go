//go:build !windows

package disk

import "os"

// closeFirst says that a folder can only be removed when nothing has it open.
const closeFirst = false

func removeFrom(root *os.Root, name string) error { return root.Remove(name) }

func inUse(err error) error { return err }
