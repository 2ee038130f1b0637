// Package compare holds values, files and archives against each other: Verify reads a file, writes it and compares.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package compare
