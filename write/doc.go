// Package write holds the buffer that all format writers are written with. The packages below it turn the types of
// package schema into the bytes of one family; they never see the readers.
package write
