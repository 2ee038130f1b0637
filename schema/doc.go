// Package schema holds what all format descriptions share: errors and their classes ([FormatError]), messages
// ([Diagnostics]), limits ([Limits]), layouts of records ([Record]), traces of reading ([Trace]) and old Windows text. Each
// package below it describes the formats of one family. None of them does any I/O.
package schema
