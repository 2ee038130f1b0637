package ultima9

// Book is a record of the books archives: a book, a scroll, a sign or a shop's stock (reference section 10.3).
type Book struct {
	Title CountedText // "12: name", 12 being the slot plus one
	// Body is the text. Each byte maps to one character, whatever the byte is: one record of the game is an OLE document by
	// mistake.
	Body string
}
