// Package engine reads one input of any format and converts it. A [Loader] loads a file or an entry of an archive as an
// item. [Export] makes files of another format from an item. [Lower] and [LowerOnto] turn edited assets into native values
// and payloads. [ArchiveWriter] writes an archive together with the files that have to change with it.
//
// Package formats lists the formats and recognises inputs, find locates the files that an input refers to, store reads and
// writes archives and outputs, and interchange has the file formats of other programs.
//
// It serves the command line, and promises nothing to other programs: package convert is for those.
package engine
