package format

import (
	"io"
	"os"
)

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

// Spool keeps payloads of new entries in a file when they become many. Its zero value keeps none.
type Spool struct {
	// Open makes the file; see [Abilities].
	Open func() (*os.File, error)

	file *os.File
	held int64 // bytes of payloads that it was asked to keep
	size int64 // of the file
}

// spoolAfter is how many bytes of payloads stay in memory.
const spoolAfter = 8 << 20

// Keep returns a reader of the payload in the file; nil means that the payload has to stay in memory.
func (s *Spool) Keep(payload []byte) (*io.SectionReader, error) {
	s.held += int64(len(payload))
	if s.Open == nil || s.held <= spoolAfter || len(payload) == 0 {
		return nil, nil
	}
	if s.file == nil {
		file, err := s.Open()
		if err != nil {
			return nil, err
		}
		s.file = file
	}
	if _, err := s.file.WriteAt(payload, s.size); err != nil {
		return nil, err
	}
	kept := io.NewSectionReader(s.file, s.size, int64(len(payload)))
	s.size += int64(len(payload))
	return kept, nil
}
