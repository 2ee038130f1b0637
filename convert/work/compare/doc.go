// Package compare compares values, files and archives ([Comparison], [Values], [Assets]). [Verify] reads a file, writes it
// and compares the bytes.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package compare
