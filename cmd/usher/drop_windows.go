package main

import (
	"bufio"
	"os"
	"syscall"
	"unsafe"
)

// aloneOnConsole reports whether the console was opened for this process, as the Explorer does it.
func aloneOnConsole() bool {
	var list [2]uint32
	n, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("GetConsoleProcessList").Call(uintptr(unsafe.Pointer(&list[0])), uintptr(len(list)))
	return n == 1
}

// keepOpen waits, so that what is printed can be read before the window goes.
func keepOpen() {
	os.Stderr.WriteString("\nPress Enter to close this window.\n")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}
