package format

// Holed is an archive whose table has rows that hold nothing. They are no entries, and are kept as they are.
type Holed interface {
	// Empty returns the number of these rows.
	Empty() int
}
