// Package batch works on many inputs. A [Selection] chooses them, a [Session] runs a job for each on all cores with results
// in order, and a record of the output folder says what is up to date. [Conversion] converts files, archives and folders.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package batch
