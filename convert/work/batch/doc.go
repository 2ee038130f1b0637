// Package batch works on many inputs: it selects them, runs a job for each on all cores with results in their order,
// and remembers what is up to date. Its Conversion turns files, archives and folders into other files.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package batch
