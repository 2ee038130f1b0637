// Package compare holds values, files and archives against each other: Verify reads a file, writes it and compares.
package compare
