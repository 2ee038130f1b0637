//go:build unix

package worktree_test

import "syscall"

func makeFIFO(p string) error { return syscall.Mkfifo(p, 0o666) }
