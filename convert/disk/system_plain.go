//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package disk

import (
	"io/fs"
	"os"
	"time"
)

const openFlags = 0

// abandoned reports whether a folder of unfinished files is so old that no run can still be at work on it.
func abandoned(self *os.File) bool {
	info, err := self.Stat()
	return err == nil && time.Since(info.ModTime()) > 24*time.Hour
}

// alive reports whether a process of this machine runs.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}

func keepOwner(*os.File, fs.FileInfo) {}

// syncDirectory has no equivalent here.
func syncDirectory(*os.File) error { return nil }

// fileNumber has no equivalent here.
func fileNumber(fs.FileInfo) string { return "" }
