package asset

// Table is a list of flat records: one row a record, every row as long as Columns. Cells are string, int64, uint64,
// float64 or bool.
type Table struct {
	Name    string
	Columns []string
	Rows    [][]any
	Blank   int // rows without any text that were left out at the end, since spreadsheets like to put some there
	Native  *Native
}

// Text is prose: a book, a script, a diary.
type Text struct {
	Name      string
	Body      string // UTF-8, line ends as the source has them
	Extension string // of the file it belongs into: ".txt", ".md", ".uc"
	Native    *Native
}
