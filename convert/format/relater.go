package format

// Relater is an archive that knows from the files beside it what refers to its entries.
type Relater interface {
	// Related describes what refers to entry i, for "info".
	Related(i int) []Fact
}
