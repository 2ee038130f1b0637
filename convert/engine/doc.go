// Package engine reads one input of any format and makes something else of it: a [Loader] loads a file or an entry of an
// archive, [Export] makes files of another format, [Lower] and [LowerOnto] make native values and payloads of edited assets,
// and [ArchiveWriter] writes an archive with the files that have to follow it.
//
// Below it stand formats (which there are, and which one an input is), find (the files that an input refers to), store
// (archives and outputs on disk) and interchange (the file formats of other programs).
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package engine
