//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFlags make that a pipe or a device is opened without waiting for anybody.
const openFlags = unix.O_NONBLOCK | unix.O_NOCTTY

// lockFile takes the lock of an open file or folder; it ends with the process.
func lockFile(file *os.File) error {
	if err := fault("lock", file.Name()); err != nil {
		return err
	}
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		return errHeld
	case noLocks(err):
		return errNoLocks
	}
	return err
}

// noLocks reports whether an error means that the file system has no locks.
func noLocks(err error) bool {
	return errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EBADF) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL)
}

// abandoned reports whether nobody has the lock of an open folder any more.
func abandoned(self *os.File) bool {
	return unix.Flock(int(self.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
}

// alive reports whether a process of this machine runs.
func alive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}

// keepOwner gives a new file the owner of the one that it replaces.
func keepOwner(out *os.File, old fs.FileInfo) {
	if st, ok := old.Sys().(*syscall.Stat_t); ok && (int(st.Uid) != os.Geteuid() || int(st.Gid) != os.Getegid()) {
		_ = unix.Fchown(int(out.Fd()), int(st.Uid), int(st.Gid))
	}
}

// syncDirectory sees to it that the names in a folder are on the disk, where the file system can do that for folders.
func syncDirectory(dir *os.File) error {
	err := dir.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}

// fileNumber returns the device and the number of a file, which no other one has.
func fileNumber(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
	}
	return ""
}
