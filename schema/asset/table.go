package asset

// Table is a list of records. Each row has as many cells as there are Columns. A cell is a string, int64, uint64, float64
// or bool, a number whose type has names for its bits or values, or nil if the record has no such field. Lists inside records are flattened: each element has a row of its own,
// which repeats the cells of the record.
type Table struct {
	Name    string
	Columns []string
	Rows    [][]any
	// Keys names the columns that identify a row, from the outermost record to the innermost element: a plane, then its
	// portals. It is empty if there is only one row.
	Keys []string
	// Held says for each column how many of the Keys its cells depend on; nil means all of them. A column that depends on none
	// has the same cell in every row.
	Held []int
	// Lines holds the line of the file for each row, 0 if it has none. It is nil if the table was not read from a file.
	Lines []int
	// From holds the row of the stored table that each row was made from, or a negative number for a new row. It is nil if the
	// tables were not compared; rows then correspond by number.
	From   []int
	Native *Native
}

// Text is prose: a book, a script, a diary.
type Text struct {
	Name      string
	Body      string // UTF-8, line ends as the source has them
	Extension string // of the file to write it to: ".txt", ".md", ".uc"
	Native    *Native
}
