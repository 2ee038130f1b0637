package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	interrupted = 130 // the status of a run that was
	failed      = 1

	patience = 4 * time.Second        // after which a run that waits has not done it
	pause    = 300 * time.Millisecond // in which it ends what it does when its archive has its name
)

// watched runs a command that ends only when somebody interrupts it, which is done when its folder is as it is to be, or
// after a while. Its status is then that of one that failed.
func watched(cmd *exec.Cmd, done func(state) bool) (int, string) {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		return 3, err.Error()
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its state tells
		close(ended)
	}()
	begun, reached := time.Now(), false
	for !reached && time.Since(begun) < patience {
		select {
		case <-ended:
			return cmd.ProcessState.ExitCode(), said.String()
		case <-time.After(20 * time.Millisecond):
		}
		is, err := look(cmd.Dir)
		reached = err == nil && done(is)
	}
	time.Sleep(pause)
	for tries := 0; ; tries++ {
		interrupt(cmd.Process.Pid)
		select {
		case <-ended:
		case <-time.After(time.Second):
			if tries < 3 {
				continue
			}
			_ = cmd.Process.Kill()
			<-ended
			return -1, "it does not end when it is interrupted: " + said.String()
		}
		break
	}
	status := cmd.ProcessState.ExitCode()
	if status == interrupted && !reached {
		status = failed
	}
	return status, said.String()
}

// interrupt sends what Ctrl-C does to the program, which strace may have started.
func interrupt(pid int) {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for _, child := range strings.Fields(string(b)) {
		if n, err := strconv.Atoi(child); err == nil {
			pid = n
		}
	}
	_ = syscall.Kill(pid, syscall.SIGINT) // it may be over
}
