package format

// Scratch is memory that the pixels of one picture after the other are decoded into, so that a batch of thousands needs
// no more of it than one picture does. A nil Scratch has none to lend.
type Scratch struct {
	pixels []byte
	lent   bool
}

// Pixels returns n bytes that hold whatever was left in them. They are used again for the next asset; only the first
// picture of an asset gets such memory, and others get their own.
func (s *Scratch) Pixels(n int) []byte {
	if s == nil || s.lent {
		return make([]byte, n)
	}
	s.lent = true
	if cap(s.pixels) < n {
		s.pixels = nil // before there are two
		s.pixels = make([]byte, n)
	}
	return s.pixels[:n]
}

// Reset takes back what was lent, for the next asset.
func (s *Scratch) Reset() { s.lent = false }
