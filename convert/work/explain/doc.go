// Package explain says which field covers each byte of a file ([Source]). It reads the file with a trace that the readers'
// cursors fill (schema.Trace), and sorts the spans into a [Map].
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package explain
