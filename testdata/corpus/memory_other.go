//go:build !linux

package corpus

// InMemory makes the tests of a package keep their folders in memory, on Linux alone.
func InMemory() {}
