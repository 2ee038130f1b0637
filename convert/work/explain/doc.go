// Package explain says which field of a layout covers each byte of a file. It reads the file with a trace on the readers'
// cursors (schema.Trace), and puts what they noted in order.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package explain
