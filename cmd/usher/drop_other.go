//go:build !windows

package main

func aloneOnConsole() bool { return false }

func keepOpen() {}
