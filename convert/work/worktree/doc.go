// Package worktree unpacks an archive into a folder of files that people can edit ([Unpacking]), and packs the folder again
// ([Packing]): unedited entries byte for byte, edited ones in their stored format. A manifest in the folder says which file
// belongs to which entry. The package also makes patches ([Patching]), watches a folder ([Watching]) and restores an
// archive ([Undoing]).
//
// It serves the command line, and promises nothing to other programs: its names may change with any version.
package worktree
