package asset

// Table is a list of flat records: one row a record, every row as long as Columns. Cells are string, int64, uint64,
// float64 or bool, or nil where a record has no such field. What holds several rows is repeated in each of them.
type Table struct {
	Name    string
	Columns []string
	Rows    [][]any
	// Keys names the columns that tell rows apart, what holds others first: a plane, then its portals. There are none
	// where the table has one row.
	Keys []string
	// Held says of each column how many of the keys its cells follow from; nil: all of them. A cell that follows from none
	// is the same in every row.
	Held []int
	// Lines says which line of the file each row was, 0 for none; nil where the rows are from no file of lines.
	Lines []int
	// From says which row of the stored table each row was made from, negative for a new one; nil where nobody compared
	// them, and rows are as they are numbered.
	From   []int
	Native *Native
}

// Text is prose: a book, a script, a diary.
type Text struct {
	Name      string
	Body      string // UTF-8, line ends as the source has them
	Extension string // of the file it belongs into: ".txt", ".md", ".uc"
	Native    *Native
}
