package corpus

import (
	"os"
	"syscall"
)

// InMemory makes the tests of a package keep their folders in memory where there is enough of it: each waits for the disk
// some thousand times.
func InMemory() {
	const disk, enough = "/dev/shm", 4 << 30
	var s syscall.Statfs_t
	if os.Getenv("TMPDIR") == "" && syscall.Statfs(disk, &s) == nil && int64(s.Bavail)*int64(s.Bsize) >= enough {
		os.Setenv("TMPDIR", disk)
	}
}
