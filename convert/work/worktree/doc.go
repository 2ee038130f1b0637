// Package worktree takes an archive apart into a folder of files that people can edit, and puts it back: what was not
// edited byte for byte, what was in the form that it had. A manifest in the folder leads from one to the other.
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package worktree
